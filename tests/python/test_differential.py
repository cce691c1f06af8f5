"""Python, C++, betterproto2 and buf make the same of arbitrary documents, and refuse damaged ones alike."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING

import pytest
from google.protobuf import json_format, text_format
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conformance_suite import (
    GOLDEN_BINARY,
    GOLDEN_JSON,
    ROOT,
    CppTool,
    answer_in_python,
    encode_with_betterproto,
    encode_with_buf,
    root_class,
    verdict,
    walk,
)
from conformance_support import require_cpp
from document_strategies import documents
from execgraph.conformance.v1 import conformance_pb2
from interlock import codec
from mutate import damage_binary, damage_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

BINARY, JSON, TEXT = conformance_pb2.FORMAT_BINARY, conformance_pb2.FORMAT_JSON, conformance_pb2.FORMAT_TEXT
Request = conformance_pb2.Request

# The same documents in every run: `make fuzz` is for finding new ones.
COMMON = settings(
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
GOLDENS = [
    (
        root_class(case.proto.body.encode.root_message).DESCRIPTOR,
        (case.folder / GOLDEN_BINARY).read_bytes(),
        (case.folder / GOLDEN_JSON).read_bytes(),
    )
    for case in walk("encode")
]
SEEDS = st.integers(0, (1 << 64) - 1)


@pytest.fixture(scope="module")
def cpp() -> Iterator[CppTool]:
    with CppTool(require_cpp()) as tool:
        yield tool


def encoded(message: Message) -> conformance_pb2.Response:
    """Return what Python makes of a message in memory."""
    document = codec.decode(codec.encode(message), encoding=codec.Encoding.BINARY)
    return conformance_pb2.Response(
        document=conformance_pb2.EncodedDocument(
            binary=document.binary,
            json=codec.encode_json(message),
            digest=document.digest,
            semantic_digest=codec.semantic_digest(message),
        )
    )


def same(cpp: CppTool, request: Request) -> conformance_pb2.Response:
    """Ask both, and return what both say."""
    answer = verdict(answer_in_python(request))
    assert verdict(cpp(request)) == answer
    return answer


@given(message=documents())
@settings(COMMON, max_examples=200)
def test_both_languages_encode_a_document_alike(cpp: CppTool, message: Message) -> None:
    answer = encoded(message)
    document = answer.document
    text = text_format.MessageToString(message, as_utf8=True).encode()
    root = message.DESCRIPTOR.full_name
    assert same(cpp, Request(input=document.binary, format=BINARY)) == answer
    assert same(cpp, Request(input=document.json, format=JSON)) == answer
    assert same(cpp, Request(input=text, format=TEXT, root_message=root)) == answer


@given(message=documents(), seed=SEEDS)
@settings(COMMON, max_examples=150)
def test_both_languages_mend_a_document_alike(cpp: CppTool, message: Message, seed: int) -> None:
    """The library's own binary and JSON, with sets as they come and members in any order."""
    answer = encoded(message)
    complete = message.__class__.FromString(answer.document.binary)
    message.header.CopyFrom(complete.header)
    binary = message.SerializeToString()
    assert same(cpp, Request(input=binary, format=BINARY, canonicalize=True)) == answer
    shuffled = _shuffled(Random(seed), json_format.MessageToDict(message))
    loose = json.dumps(shuffled, indent=1, ensure_ascii=bool(seed & 1)).encode()
    assert same(cpp, Request(input=loose, format=JSON)) == answer
    same(cpp, Request(input=binary, format=BINARY))


def _shuffled(random: Random, value: object) -> object:
    """Return JSON with the members of every object in another order."""
    if isinstance(value, dict):
        members = [(name, _shuffled(random, held)) for name, held in value.items()]
        random.shuffle(members)
        return dict(members)
    return [_shuffled(random, held) for held in value] if isinstance(value, list) else value


@given(message=documents())
@settings(COMMON, max_examples=100)
def test_betterproto_encodes_a_document_alike(message: Message) -> None:
    binary = codec.encode(message)
    assert encode_with_betterproto(message.DESCRIPTOR.full_name, binary) == binary


@given(message=documents())
@settings(COMMON, max_examples=6)
def test_buf_encodes_a_document_alike(message: Message) -> None:
    document = encoded(message).document
    root = message.DESCRIPTOR.full_name
    assert encode_with_buf(root, document.json, "json") == document.binary
    assert encode_with_buf(root, codec.encode_text(message).encode(), "txtpb") == document.binary


@given(golden=st.sampled_from(GOLDENS), seed=SEEDS, canonicalize=st.booleans())
@settings(COMMON, max_examples=1500)
def test_both_languages_judge_damaged_binary_alike(
    cpp: CppTool, golden: tuple[object, bytes, bytes], seed: int, canonicalize: bool
) -> None:
    descriptor, binary, _ = golden
    data = damage_binary(Random(seed), binary, descriptor)
    same(cpp, Request(input=data, format=BINARY, canonicalize=canonicalize))


@given(golden=st.sampled_from(GOLDENS), seed=SEEDS)
@settings(COMMON, max_examples=1500)
def test_both_languages_judge_damaged_json_alike(
    cpp: CppTool, golden: tuple[object, bytes, bytes], seed: int
) -> None:
    same(cpp, Request(input=damage_json(Random(seed), golden[2]), format=JSON))


@given(message=documents(), seed=SEEDS)
@settings(COMMON, max_examples=200)
def test_both_languages_judge_damaged_documents_alike(cpp: CppTool, message: Message, seed: int) -> None:
    document = encoded(message).document
    random = Random(seed)
    binary = damage_binary(random, document.binary, message.DESCRIPTOR)
    same(cpp, Request(input=binary, format=BINARY, canonicalize=bool(seed & 1)))
    same(cpp, Request(input=damage_json(random, document.json), format=JSON))


@given(message=documents(), seed=SEEDS)
@settings(COMMON, max_examples=100)
def test_a_damaged_document_that_is_accepted_is_a_fixed_point(message: Message, seed: int) -> None:
    damaged = damage_binary(Random(seed), codec.encode(message), message.DESCRIPTOR)
    answer = answer_in_python(Request(input=damaged, format=BINARY, canonicalize=True))
    if answer.HasField("document"):
        binary = answer.document.binary
        assert answer_in_python(Request(input=binary, format=BINARY)) == answer
        assert answer_in_python(Request(input=answer.document.json, format=JSON)) == answer


def test_the_fuzz_runner_runs() -> None:
    require_cpp()
    runner = ROOT / "tests" / "fuzz" / "run.py"
    parts = ["--seconds", "2", "--graphs", "0", "--modules", "0", "--seed", "0"]
    done = subprocess.run(
        [sys.executable, runner, *parts],
        env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    summary = re.fullmatch(r"(\d+) inputs, 0 findings \(seed 0\)", done.stdout.splitlines()[-1])
    assert summary is not None
    assert int(summary[1]) > 100
