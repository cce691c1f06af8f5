"""Messages in memory: what is written, what is refused, and that they stay as they are."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from execgraph.report.v1 import report_pb2
from execgraph.v1 import graph_pb2, header_pb2, module_pb2
from interlock.codec import InternalError, binary, columns, decode, encode, encode_json, semantic_digest
from interlock.codec.collector import paused_collector
from interlock.document import Document
from interlock.errors import CodecError
from interlock.hashing import sha256_digest
from wire_bytes import header, number, text

if TYPE_CHECKING:
    from google.protobuf.message import Message

Graph = graph_pb2.ExecutionGraph


@pytest.fixture(params=["small", "large"])
def size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    """Take small messages for small ones, and then for large ones."""
    if request.param == "large":
        monkeypatch.setattr(binary, "SMALL", 0)


def refused(message: Message) -> tuple[str, str, int | None]:
    with pytest.raises(CodecError) as caught:
        encode(message)
    return caught.value.code, str(caught.value.path), caught.value.byte_offset


@pytest.mark.usefixtures("size")
def test_the_header_is_completed_and_sets_are_sorted():
    message = Graph()
    message.resources.add(id="b")
    message.resources.add(id="a")
    before = message.SerializeToString(deterministic=True)
    expected = header() + text(5, text(1, "a")) + text(5, text(1, "b"))
    assert encode(message) == expected
    assert message.SerializeToString(deterministic=True) == before
    assert encode(decode(expected).message) == expected


@pytest.mark.usefixtures("size")
def test_a_wrong_header_is_replaced_and_its_producer_kept():
    message = Graph(id="g")
    message.header.CopyFrom(
        header_pb2.Header(kind=2, schema_major=7, schema_minor=3, required_features=["x"])
    )
    message.header.producer.name = "me"
    document = decode(encode(message))
    assert document.message.header == header_pb2.Header(
        kind=1, schema_major=1, required_features=["draft-1"], producer=header_pb2.Producer(name="me")
    )


def nested(count: int):
    message = Graph()
    region = message.body
    for _ in range(count):
        region = region.nodes.add(id="n").operation.repeat.body
    region.nodes.add(id="n")
    return message


def with_unknown(path: str):
    """Return a graph with an unknown field in the message at a path."""
    message = Graph(id="g")
    message.resources.add(id="r").type.element = 14
    target = message
    for step in path.split(".") if path else ():
        target = getattr(target, step)
        target = target[0] if step == "resources" else target
    target.MergeFromString(number(99, 1))
    return message


@pytest.mark.usefixtures("size")
@pytest.mark.parametrize(
    ("message", "code", "path"),
    [
        (with_unknown(""), "canonical.unknown-field", ""),
        (with_unknown("resources.type"), "canonical.unknown-field", "resources[0].type"),
        (Graph(visibility_model=7), "canonical.unknown-enum-value", "visibility_model"),
        (Graph(id="\uffff"), "wire.noncharacter", "id"),
        (Graph(body={}), "canonical.empty-message", "body"),
        (
            Graph(resources=[{"id": "a"}, {"id": "b"}, {"id": "a", "role": 1}]),
            "canonical.duplicate-key",
            "resources[2]",
        ),
        (
            Graph(resources=[{"lifetime": {"spans": [{"begins": ["n", "n"]}]}}]),
            "canonical.duplicate-key",
            "resources[0].lifetime.spans[0].begins[1]",
        ),
        (nested(24), "limit.message-depth", ".".join(["body.nodes[0].operation.repeat"] * 24)),
    ],
)
def test_what_no_document_holds_is_refused_by_path(message: Message, code: str, path: str):
    assert refused(message) == (code, path, None)


def test_a_message_too_deep_to_be_written_is_refused():
    assert refused(nested(2_000))[0] == "limit.message-depth"


@pytest.mark.usefixtures("size")
def test_what_is_written_is_proven(monkeypatch: pytest.MonkeyPatch):
    message = Graph(resources=[{"id": "b"}, {"id": "a"}])
    monkeypatch.setattr(binary, "sort_in_place", lambda *_: None)
    with pytest.raises(InternalError):
        encode(message)


def test_columns_without_an_answer_leave_it_to_the_scan(monkeypatch: pytest.MonkeyPatch):
    def undecided(*_: object):
        raise columns.UndecidedError

    monkeypatch.setattr(binary, "SMALL", 0)
    monkeypatch.setattr("interlock.codec.regular.check_columns", undecided)
    message = Graph(resources=[{"id": "b"}, {"id": "a"}])
    data = encode(message)
    assert decode(data).binary == data


def test_messages_without_a_header_are_written_too():
    report = report_pb2.Report()
    report.subject.required_features.extend(["b", "a"])
    assert encode(report) == text(2, text(7, "a") + text(7, "b"))
    assert encode_json(report) == b'{"subject":{"requiredFeatures":["a","b"]}}'


def test_a_long_message_that_is_in_no_document_is_written_too():
    report = report_pb2.Report(
        diagnostics=[{"code": "a.b", "related": [{"message": "m" * 80}]} for _ in range(200)],
        rules=[{"code": "d"}, {"code": "c"}],
    )
    assert len(encode(report)) > binary.SMALL
    assert [rule.code for rule in report_pb2.Report.FromString(encode(report)).rules] == ["c", "d"]


def test_a_document_is_a_copy():
    message = Graph(id="g")
    document = Document.from_message(message)
    message.id = "other"
    assert document.kind == "ExecutionGraph"
    assert document.message.id == "g"
    assert document.binary == encode(Graph(id="g"))
    assert document.digest == sha256_digest(document.binary)
    assert document.json() == encode_json(document.message)
    with pytest.raises(TypeError):
        Document.from_message(report_pb2.Report())


def test_the_semantic_digest_forgets_who_and_whence():
    plain = Graph(id="g", resources=[{"id": "r"}])
    signed = Graph(id="g", resources=[{"id": "r", "provenance": {"source": {"uri": "file:a"}}}])
    signed.header.producer.name = "me"
    signed.provenance.tool.name = "me"
    assert semantic_digest(signed) == semantic_digest(plain) == Document.from_message(signed).semantic_digest
    assert encode(signed) != encode(plain)
    assert semantic_digest(plain) == sha256_digest(encode(plain))


def test_the_semantic_digest_clears_provenance_in_nested_regions():
    plain = nested(3)
    signed = nested(3)
    region = signed.body
    while region.nodes[0].HasField("operation"):
        region = region.nodes[0].operation.repeat.body
    region.nodes[0].provenance.tool.name = "me"
    assert semantic_digest(signed) == semantic_digest(plain)


def test_the_semantic_digest_keeps_what_clearing_empties():
    only = Graph(body={"nodes": [{"provenance": {"source": {"uri": "file:a"}}}]})
    assert semantic_digest(only) == sha256_digest(header() + text(8, text(1, b"")))


def fail_while_paused():
    with paused_collector():
        assert not gc.isenabled()
        raise ValueError("x")


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_left_as_it_was(enabled: bool):
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        with pytest.raises(ValueError, match="x"):
            fail_while_paused()
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_numbers_are_written_at_their_edges():
    message = module_pb2.TargetModuleBundle()
    for stage in (0, 1, (1 << 32) - 1):
        message.modules.add(stage=stage, group="g")
    text_form = encode_json(message)
    assert b'{"group":"g"},{"group":"g","stage":1},{"group":"g","stage":4294967295}' in text_form
    assert decode(text_form).binary == encode(message)
