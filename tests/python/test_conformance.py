"""Every case of tests/conformance, in Python and through the C++ tool."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf import json_format
from google.protobuf.message import Message

import make_decode_cases
from conformance_suite import (
    CONFORMANCE,
    GOLDEN_BINARY,
    GOLDEN_JSON,
    ROOT,
    ROOTS,
    SOURCE,
    Case,
    CppTool,
    answer_in_python,
    encode_with_betterproto,
    root_class,
    surroundings_of,
    verdict,
    verified_document,
    walk,
)
from conformance_support import require_cpp, required
from execgraph.conformance.v1 import conformance_pb2
from interlock import codec
from interlock.codec import Encoding
from interlock.diagnostic import Severity, Unverified
from interlock.limits import DEFAULT_LIMITS
from interlock.report.model import Outcome, Readiness, Report, Verdict
from interlock.rules import RULES
from interlock.rules.uses import BLOCKED
from interlock.verification import verify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.descriptor import Descriptor, FieldDescriptor

ENCODE, DECODE, VERIFY = walk("encode"), walk("decode"), walk("verify")
EXECUTED: set[str] = set()
PYTHON_IDS = ROOT / "build" / "conformance_ids_python.txt"
CPP_IDS = ROOT / "build" / "dev" / "conformance_ids_cpp.txt"

# Codes that no input can be refused with today, and why.
UNREACHABLE = {
    "canonical.schema-minor": "minor 0 is the only one there is: any other is newer, and refused as such",
}


def each(cases: list[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[case.id for case in cases])


@pytest.fixture(scope="module")
def cpp() -> Iterator[CppTool]:
    with CppTool(require_cpp()) as tool:
        yield tool


# Encoding


def encode_requests(case: Case) -> list[conformance_pb2.Request]:
    """Ask for a document in each of the three encodings it has in its folder."""
    return [
        conformance_pb2.Request(
            input=(case.folder / name).read_bytes(),
            format=form,
            root_message=case.proto.body.encode.root_message,
        )
        for name, form in (
            (SOURCE, conformance_pb2.FORMAT_TEXT),
            (GOLDEN_BINARY, conformance_pb2.FORMAT_BINARY),
            (GOLDEN_JSON, conformance_pb2.FORMAT_JSON),
        )
    ]


def golden(case: Case) -> conformance_pb2.Response:
    """Return the answer that every encoding of the document has to get."""
    expected = case.proto.body.encode
    return conformance_pb2.Response(
        document=conformance_pb2.EncodedDocument(
            binary=(case.folder / GOLDEN_BINARY).read_bytes(),
            json=(case.folder / GOLDEN_JSON).read_bytes(),
            digest=expected.digest,
            semantic_digest=expected.semantic_digest,
        )
    )


@each(ENCODE)
def test_python_encodes_to_the_goldens(case: Case) -> None:
    for request in encode_requests(case):
        assert answer_in_python(request) == golden(case)
    EXECUTED.add(case.id)


@each(ENCODE)
def test_cpp_encodes_to_the_goldens(case: Case, cpp: CppTool) -> None:
    for request in encode_requests(case):
        assert cpp(request) == golden(case)


@each(ENCODE)
def test_a_message_in_memory_encodes_to_the_goldens(case: Case) -> None:
    message = root_class(case.proto.body.encode.root_message).FromString(
        (case.folder / GOLDEN_BINARY).read_bytes()
    )
    before = message.SerializeToString(deterministic=True)
    assert codec.encode(message) == (case.folder / GOLDEN_BINARY).read_bytes()
    assert codec.encode_json(message) == (case.folder / GOLDEN_JSON).read_bytes()
    assert codec.semantic_digest(message) == case.proto.body.encode.semantic_digest
    assert message.SerializeToString(deterministic=True) == before


@each(ENCODE)
def test_text_is_lossless(case: Case) -> None:
    binary = (case.folder / GOLDEN_BINARY).read_bytes()
    text = codec.encode_text(codec.decode(binary).message)
    root = case.proto.body.encode.root_message
    assert codec.decode(text.encode(), encoding=Encoding.TEXT, root_message=root).binary == binary


@each(ENCODE)
def test_betterproto_encodes_to_the_golden_binary(case: Case) -> None:
    binary = (case.folder / GOLDEN_BINARY).read_bytes()
    assert encode_with_betterproto(case.proto.body.encode.root_message, binary) == binary


@each(ENCODE)
def test_json_is_what_the_library_reads(case: Case) -> None:
    message = root_class(case.proto.body.encode.root_message)()
    json_format.Parse((case.folder / GOLDEN_JSON).read_bytes(), message)
    assert message == codec.decode((case.folder / GOLDEN_BINARY).read_bytes()).message


# Decoding


def expected_answer(case: Case) -> conformance_pb2.CodecError | str:
    outcome = case.proto.body.decode.expectation
    return outcome.error if outcome.HasField("error") else outcome.digest


def given_answer(response: conformance_pb2.Response) -> conformance_pb2.CodecError | str:
    judged = verdict(response)
    return judged.error if judged.HasField("error") else judged.document.digest


@each(DECODE)
def test_python_decodes_as_stated(case: Case) -> None:
    response = answer_in_python(case.request())
    assert given_answer(response) == expected_answer(case)
    if response.HasField("error"):
        assert response.error.message
        assert len(response.error.message) < 1000
    EXECUTED.add(case.id)


@each(DECODE)
def test_cpp_decodes_as_stated(case: Case, cpp: CppTool) -> None:
    response = cpp(case.request())
    assert given_answer(response) == expected_answer(case)
    if response.HasField("document"):
        assert response == answer_in_python(case.request())


def test_decode_cases_are_what_their_descriptions_say() -> None:
    assert make_decode_cases.differences(make_decode_cases.files()) == []


def codes_on(page: str, families: str) -> set[str]:
    codes = set(re.findall(rf"`((?:{families})\.[a-z0-9-]+)`", page))
    # `header.kind` and the like are paths, and not codes.
    return {code for code in codes if "_" not in code} - {"header.kind"}


def test_every_code_of_reading_has_a_case() -> None:
    documents = (ROOT / "docs" / "canonical-form.md").read_text(encoding="utf-8")
    codes = codes_on(documents, "canonical|header|json|limit|text|version|wire")
    targets = (ROOT / "docs" / "target-modules.md").read_text(encoding="utf-8")
    steps = [line for line in targets.split("## Reading")[1].split("## ")[0].splitlines() if line[:1] == "|"]
    codes |= codes_on("\n".join(steps), "frame|limit|nested")
    refused = {case.proto.body.decode.expectation.error.code for case in DECODE} - {""}
    assert codes - refused == set(UNREACHABLE)
    assert refused - codes == set()


# Verification


def required_gaps(report: Report) -> list[Unverified]:
    """Return what the verdict requires and is not verified; not the rules that findings keep from running.

    Some findings keep rules from running everywhere, some at one place.
    """
    failed = {d.code for d in report.diagnostics}
    blocked = {rule.code for rule in RULES if not failed.isdisjoint(rule.needs)}
    return [
        gap
        for gap in report.unverified
        if gap.required
        and gap.check not in blocked
        and not ((why := BLOCKED.fullmatch(gap.reason)) and why.group(1) in failed)
    ]


@each(VERIFY)
def test_verification_says_as_stated(case: Case) -> None:
    stated = case.proto.body.verify
    limits = replace(DEFAULT_LIMITS, **{limit.name: limit.value for limit in stated.limits})
    offered = set(stated.offered.capabilities) if stated.HasField("offered") else None
    report = verify(
        verified_document(case), limits=limits, offered=offered, surroundings=surroundings_of(case)
    )
    found = [
        (d.code, d.severity, str(d.path), d.holds_under_assumption, d.target) for d in report.diagnostics
    ]
    assert found == [
        (d.code, Severity(d.severity), d.path, d.holds_under_assumption, d.target) for d in stated.diagnostics
    ]
    gaps = [(gap.check, str(gap.path), gap.target) for gap in required_gaps(report)]
    assert gaps == [(gap.check, gap.path, gap.target) for gap in stated.unverified]
    assert report.verdict == Verdict(stated.verdict)
    if stated.readiness:
        assert [(ready.graph, ready.target, ready.readiness) for ready in report.readiness] == [
            (ready.graph, ready.target, Readiness(ready.readiness)) for ready in stated.readiness
        ]
    if stated.HasField("assumptions"):
        assert {held.code for held in report.assumptions} == set(stated.assumptions.codes)
    outcomes = {rule.code: rule.outcome for rule in report.rules}
    assert {code: outcomes.get(code) for code in stated.passes} == dict.fromkeys(
        stated.passes, Outcome.PASSED
    )
    EXECUTED.add(case.id)


# Completeness


def fields_of(descriptor: Descriptor, seen: set[Descriptor]) -> Iterator[FieldDescriptor]:
    """Yield every field of a message and of the messages within it."""
    if descriptor not in seen:
        seen.add(descriptor)
        for field in descriptor.fields:
            yield field
            if field.message_type is not None:
                yield from fields_of(field.message_type, seen)


def fields_in(message: Message) -> Iterator[tuple[FieldDescriptor, Any]]:
    """Yield every field that is set in a message or in the messages within it, and its value."""
    for field, value in message.ListFields():
        yield field, value
        if field.message_type is not None:
            for element in [value] if isinstance(value, Message) else value:
                yield from fields_in(element)


def goldens() -> Iterator[Message]:
    for case in ENCODE:
        root = root_class(case.proto.body.encode.root_message)
        yield root.FromString((case.folder / GOLDEN_BINARY).read_bytes())


def test_the_goldens_set_every_field() -> None:
    held = {field.full_name for message in goldens() for field, _ in fields_in(message)}
    defined = {field.full_name for root in ROOTS for field in fields_of(root.DESCRIPTOR, set())}
    # The minor of the first version is zero, which is not written.
    assert defined - held == {"execgraph.v1.Header.schema_minor"}


def test_the_goldens_hold_every_enum_value() -> None:
    held = set()
    for message in goldens():
        for field, value in fields_in(message):
            if field.enum_type is not None:
                numbers = [value] if isinstance(value, int) else value
                held |= {field.enum_type.values_by_number[number].name for number in numbers}
    enums = {
        field.enum_type for root in ROOTS for field in fields_of(root.DESCRIPTOR, set()) if field.enum_type
    }
    assert {value.name for enum in enums for value in enum.values if value.number} - held == set()


def ids_on_disk(*kinds: str) -> set[str]:
    """Find the cases without the code that runs them."""
    found = set()
    for kind in kinds:
        for folder, _, names in os.walk(CONFORMANCE / kind):
            if "case.txtpb" in names:
                found.add(Path(folder).relative_to(CONFORMANCE).as_posix())
    return found


@pytest.mark.parametrize(("kind", "fewest"), [("encode", 15), ("decode", 120), ("verify", 1)])
def test_there_are_cases(kind: str, fewest: int) -> None:
    assert len(ids_on_disk(kind)) >= fewest


def test_every_folder_with_an_input_is_a_case() -> None:
    for folder, _, names in os.walk(CONFORMANCE):
        if names and Path(folder) != CONFORMANCE:
            assert "case.txtpb" in names, folder


def test_python_executed_every_case(request: pytest.FixtureRequest) -> None:
    options = request.config.option
    if options.keyword or options.markexpr or any("::" in argument for argument in request.config.args):
        pytest.skip("a selection of the cases was run")
    PYTHON_IDS.parent.mkdir(exist_ok=True)
    PYTHON_IDS.write_text("".join(f"{name}\n" for name in sorted(EXECUTED)), encoding="utf-8")
    assert ids_on_disk("encode", "decode", "verify") == EXECUTED


def test_cpp_executed_every_case() -> None:
    executed = required(CPP_IDS, "`make cpptest` writes it").read_text(encoding="utf-8").split()
    assert set(executed) == ids_on_disk("encode", "decode", "verify")
    assert len(executed) == len(set(executed))
