"""What a decode case is, and how its files are written."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from google.protobuf import text_format

from decode_cases.wire import Piece
from execgraph.conformance.v1 import conformance_pb2

if TYPE_CHECKING:
    from collections.abc import Mapping

BINARY = conformance_pb2.FORMAT_BINARY
JSON = conformance_pb2.FORMAT_JSON
TEXT = conformance_pb2.FORMAT_TEXT
DETECTED = conformance_pb2.FORMAT_UNSPECIFIED
FRAME = conformance_pb2.FORMAT_FRAME

JSON_MARK = "◆"

NOWHERE = frozenset(
    {
        "frame.blob-digest-mismatch",
        "frame.blob-size-conflict",
        "frame.missing-blob",
        "frame.trailing-bytes",
        "limit.blob-bytes",
        "limit.document-bytes",
        "limit.frame-bytes",
        "nested.digest-mismatch",
    }
)
"""The codes of reading that are about no byte."""

_FILES = {
    BINARY: "input.binpb",
    JSON: "input.json",
    TEXT: "input.txtpb",
    DETECTED: "input",
    FRAME: "input.frame",
}
_HEADER = "# Written by tools/make_decode_cases.py.\n"


@dataclass(frozen=True, slots=True)
class Refused:
    """The input is refused with a code at a path; the offset is where the input is marked."""

    code: str
    path: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """The input is read, and its canonical binary is this."""

    canonical: bytes


@dataclass(frozen=True, slots=True)
class DecodeCase:
    """One directory below tests/conformance/decode."""

    id: str
    description: str
    data: bytes
    mark: int | None
    expected: Refused | Accepted
    format: conformance_pb2.Format
    canonicalize: bool = False
    limits: Mapping[str, int] = field(default_factory=dict)
    expected_kind: str = ""

    def files(self) -> dict[str, bytes]:
        """Return the files of the directory by name."""
        name = _FILES[self.format]
        body = conformance_pb2.DecodeCase(
            input=name,
            format=self.format,
            canonicalize=self.canonicalize,
            limits=conformance_pb2.Limits(**self.limits) if self.limits else None,
            expected_kind=self.expected_kind,
            expectation=self._expectation(),
        )
        case = conformance_pb2.Case(description=self.description, body=conformance_pb2.CaseBody(decode=body))
        text = _HEADER + text_format.MessageToString(case, as_utf8=True)
        return {"case.txtpb": text.encode(), name: self.data}

    def _expectation(self) -> conformance_pb2.Expectation:
        if isinstance(self.expected, Accepted):
            digest = "sha256:" + hashlib.sha256(self.expected.canonical).hexdigest()
            return conformance_pb2.Expectation(digest=digest)
        error = conformance_pb2.CodecError(code=self.expected.code, path=self.expected.path)
        if self.mark is not None:
            error.byte_offset = self.mark
        return conformance_pb2.Expectation(error=error)


class Group:
    """Collects the cases of one directory."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.cases: list[DecodeCase] = []

    def add(
        self,
        name: str,
        description: str,
        source: Piece | str | bytes,
        expected: Refused | Accepted,
        *,
        form: conformance_pb2.Format | None = None,
        canonicalize: bool = False,
        expected_kind: str = "",
        **limits: int,
    ) -> None:
        """Add a case.

        A `Piece` is binary input; a string or bytes is JSON unless `form` says otherwise, and the offset is
        where the mark `◆` stands, which is taken out.

        Raises:
            ValueError: The place of an error is not marked, or there is a mark and no error.
        """
        if isinstance(source, Piece):
            data, mark, detected = source.data, source.mark, BINARY
        else:
            data, mark = take_mark(source)
            detected = JSON
        form = detected if form is None else form
        placed = isinstance(expected, Refused) and form != TEXT and expected.code not in NOWHERE
        if placed != (mark is not None):
            raise ValueError(f"{self.name}/{name}: the input is {'not ' * placed}marked")
        case_id = f"{self.name}/{name}"
        self.cases.append(
            DecodeCase(case_id, description, data, mark, expected, form, canonicalize, limits, expected_kind)
        )


def take_mark(source: str | bytes) -> tuple[bytes, int | None]:
    """Return the input without its mark, and the offset the mark stood at.

    Raises:
        ValueError: There are two marks.
    """
    data = source.encode() if isinstance(source, str) else source
    parts = data.split(JSON_MARK.encode())
    if len(parts) > 2:
        raise ValueError(f"two marks in {data!r}")
    return b"".join(parts), len(parts[0]) if len(parts) == 2 else None
