"""Write the goldens of the encode cases: accepted only when every encoder agrees on every byte.

    goldens.py            write document.binpb, document.json and the digests of case.txtpb
    goldens.py --check    name every golden that differs from what would be written

Binary has to be the same from Python, from C++ (given text, JSON and binary), from betterproto2 and from
`buf convert` (given text and JSON). JSON has to be the same from Python and C++.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from google.protobuf import text_format

from conformance_suite import (
    CONFORMANCE,
    GOLDEN_BINARY,
    GOLDEN_JSON,
    SOURCE,
    Case,
    CppTool,
    answer_in_python,
    cpp_tool,
    encode_with_betterproto,
    encode_with_buf,
    verdict,
    walk,
)
from execgraph.conformance.v1 import conformance_pb2
from interlock import codec

if TYPE_CHECKING:
    from pathlib import Path


class Disagreement(Exception):  # noqa: N818 - the sentence names what disagrees
    """Two encoders that disagree, or one that refuses."""


def agreed(case: Case, cpp: CppTool) -> conformance_pb2.EncodedDocument:
    """Return what all encoders make of a case.

    Raises:
        Disagreement: They do not make the same of it.
    """
    source = (case.folder / SOURCE).read_bytes()
    name = case.proto.body.encode.root_message
    request = conformance_pb2.Request(input=source, format=conformance_pb2.FORMAT_TEXT, root_message=name)
    answer = verdict(answer_in_python(request))
    if answer.HasField("error"):
        raise Disagreement(f"{case.id}: Python refuses the document: {answer.error}")
    document = answer.document
    message = codec.decode(document.binary, encoding=codec.Encoding.BINARY).message
    text = codec.encode_text(message).encode()
    responses = {
        "C++ from text": request,
        "C++ from JSON": conformance_pb2.Request(input=document.json, format=conformance_pb2.FORMAT_JSON),
        "C++ from binary": conformance_pb2.Request(
            input=document.binary, format=conformance_pb2.FORMAT_BINARY
        ),
    }
    for encoder, question in responses.items():
        if verdict(cpp(question)) != answer:
            raise Disagreement(f"{case.id}: Python and {encoder} disagree: {cpp(question)}")
    binaries = {
        "betterproto2": encode_with_betterproto(name, document.binary),
        "buf from text": encode_with_buf(name, text, "txtpb"),
        "buf from JSON": encode_with_buf(name, document.json, "json"),
    }
    for encoder, binary in binaries.items():
        if binary != document.binary:
            raise Disagreement(f"{case.id}: Python and {encoder} disagree: {binary.hex()}")
    return document


def files(case: Case, document: conformance_pb2.EncodedDocument) -> dict[Path, bytes]:
    """Return the files of a case that hold goldens."""
    proto = conformance_pb2.Case()
    proto.CopyFrom(case.proto)
    proto.body.encode.digest = document.digest
    proto.body.encode.semantic_digest = document.semantic_digest
    return {
        case.folder / "case.txtpb": text_format.MessageToString(proto, as_utf8=True).encode(),
        case.folder / GOLDEN_BINARY: document.binary,
        case.folder / GOLDEN_JSON: document.json,
    }


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args().check
    goldens: dict[Path, bytes] = {}
    try:
        with CppTool(cpp_tool()) as cpp:
            for case in walk("encode"):
                goldens |= files(case, agreed(case, cpp))
    except Disagreement as disagreement:
        sys.exit(str(disagreement))
    stale = [path for path, data in goldens.items() if not path.exists() or path.read_bytes() != data]
    for path in stale:
        if not check:
            path.write_bytes(goldens[path])
        print(f"{path.relative_to(CONFORMANCE)} {'is out of date' if check else 'written'}")
    sys.exit(1 if check and stale else 0)


if __name__ == "__main__":
    main()
