"""Capabilities are those that the options of the fields and values in use name, and those of atomic types."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from conformance_suite import CONFORMANCE
from document_strategies import messages
from execgraph.v1 import access_pb2, capability_pb2, graph_pb2, type_pb2
from interlock import codec
from interlock.codec.schema import Kind, schema
from interlock.graph.capabilities import ATOMIC_CAPABILITIES, computed_capabilities, needed_capabilities
from interlock.graph.index import GraphIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

ALL = [name for name, number in capability_pb2.Capability.items() if number]


def named_by_options(message: Message) -> Iterator[str]:
    """Yield the capability of every set field and value, by a walk over everything that is set."""
    for field, value in message.ListFields():
        info = schema().message(message.DESCRIPTOR).by_name[field.name]
        if info.capability:
            yield info.capability
        for element in value if info.repeated else [value]:
            if info.kind is Kind.MESSAGE:
                yield from named_by_options(element)
            if info.kind is Kind.ENUM and (known := info.enum.by_number.get(element)) and known.capability:
                yield known.capability


def atomics(graph: graph_pb2.ExecutionGraph) -> set[str]:
    index = GraphIndex(graph)
    found = set()
    for access, mode in enumerate(index.accesses.mode):
        if mode == access_pb2.ACCESS_MODE_ATOMIC:
            selection = index.selections[index.accesses.selection[access]]
            element = index.accesses.atomic[access] or (selection.type.element if selection.type else 0)
            found.add(ATOMIC_CAPABILITIES.get(element, ""))
    return found - {""}


@settings(max_examples=60)
@given(messages(graph_pb2.ExecutionGraph.DESCRIPTOR))
def test_capabilities_are_those_of_the_options_in_use(document: Message) -> None:
    graph = graph_pb2.ExecutionGraph.FromString(document.SerializeToString())
    expected = set(named_by_options(graph)) | atomics(graph)
    assert set(computed_capabilities(graph)) == expected


def test_every_capability_can_be_needed() -> None:
    folder = CONFORMANCE / "verify/capability/not-offered/every_capability"
    message = codec.decode((folder / "document.txtpb").read_bytes()).message
    assert isinstance(message, graph_pb2.ExecutionGraph)
    assert list(computed_capabilities(message)) == ALL


def test_places_are_counted() -> None:
    folder = CONFORMANCE / "verify/capability/not-offered/within_a_region"
    message = codec.decode((folder / "document.txtpb").read_bytes()).message
    assert isinstance(message, graph_pb2.ExecutionGraph)
    (need,) = needed_capabilities(GraphIndex(message))
    assert (need.capability, str(need.path), need.places) == (
        "CAPABILITY_REPEAT",
        'body.nodes["outer"].operation.repeat',
        2,
    )


@pytest.mark.parametrize(
    ("element", "capability"),
    [("U32", "INT32"), ("I64", "INT64"), ("F32", "FLOAT32"), ("F64", "FLOAT64"), ("BF16", "FLOAT16")],
)
def test_atomic_types(element: str, capability: str) -> None:
    number = type_pb2.ElementType.Value(f"ELEMENT_TYPE_{element}")
    assert ATOMIC_CAPABILITIES[number] == f"CAPABILITY_ATOMIC_{capability}"


def test_no_other_type_is_atomic() -> None:
    names = {type_pb2.ElementType.Name(number) for number in ATOMIC_CAPABILITIES}
    assert names == {
        f"ELEMENT_TYPE_{name}" for name in ["I32", "U32", "I64", "U64", "F16", "BF16", "F32", "F64"]
    }
