"""The sweep finds what the options of the schema say, compared with a walk over the descriptors."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from hypothesis import given, settings

from conformance_suite import Case, walk
from document_strategies import documents, is_list, rules_of
from execgraph.options.v1 import options_pb2
from execgraph.v1 import graph_pb2
from interlock import codec
from interlock.graph import sweep as module
from interlock.graph.columns import is_clean
from interlock.graph.plans import is_id, plan_of
from interlock.graph.sweep import Sweep, sweep

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from interlock.diagnostic import Path

ID = re.compile(r"\A[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,254}\Z")
DIGEST = re.compile(r"\Asha256:[0-9a-f]{64}\Z")
Where = tuple[tuple[str, int], ...]


def everything(message: Message, where: Where = ()) -> Iterator[tuple[Message, FieldDescriptor, Any, Where]]:
    """Yield every field of every message, set or not, with its place as names and positions."""
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        here = (*where, (field.name, -1))
        yield message, field, value, here
        if field.message_type is None:
            continue
        if is_list(field):
            for index, element in enumerate(value):
                yield from everything(element, (*where, (field.name, index)))
        elif message.HasField(field.name):
            yield from everything(value, here)


def texts(field: FieldDescriptor, value: Any, where: Where) -> list[tuple[str, Where]]:  # noqa: ANN401 - any value of a field
    if not is_list(field):
        return [(value, where)] if value else []
    return [(text, (*where[:-1], (field.name, index))) for index, text in enumerate(value) if text]


def is_absent(message: Message, field: FieldDescriptor, value: Any) -> bool:  # noqa: ANN401 - any value of a field
    if is_list(field):
        return len(value) == 0
    return not message.HasField(field.name) if field.has_presence else not value


def definition(root: Message) -> dict[str, set[Where]]:
    """Return by kind of finding the places that are wrong, from the sentences of the options."""
    found: dict[str, set[Where]] = {
        name: set() for name in ("missing", "ids", "digests", "unresolved", "duplicates")
    }
    declared: dict[str, list[tuple[str, Where]]] = {}
    references: list[tuple[str, str, Where]] = []
    for message, field, value, where in everything(root):
        rules = rules_of(field)
        if rules.required and is_absent(message, field, value):
            found["missing"].add(where)
        for text, place in texts(field, value, where) if field.type == FieldDescriptor.TYPE_STRING else ():
            if rules.string_kind == options_pb2.STRING_KIND_ID:
                declared.setdefault(rules.id_space, []).append((text, place))
                if not ID.match(text):
                    found["ids"].add(place)
            if rules.string_kind == options_pb2.STRING_KIND_DIGEST and not DIGEST.match(text):
                found["digests"].add(place)
            if rules.string_kind == options_pb2.STRING_KIND_REFERENCE:
                references.append((rules.id_space, text, place))
    for names in declared.values():
        # Which of several equal ids counts as the first is the sweep's choice.
        by_name: dict[str, list[Where]] = {}
        for name, place in names:
            by_name.setdefault(name, []).append(place)
        found["duplicates"] |= {place for places in by_name.values() if len(places) > 1 for place in places}
    for space, name, place in references:
        if space in plan_of(root.DESCRIPTOR).spaces and name not in {n for n, _ in declared.get(space, ())}:
            found["unresolved"].add(place)
    return found


def answer(found: Sweep) -> dict[str, set[Where]]:
    def where(path: Path) -> Where:
        return tuple((step.field, -1 if step.index is None else step.index) for step in path.steps)

    return {
        "missing": {where(place.path) for place in found.missing},
        "ids": {where(place.path) for place in found.malformed_ids},
        "digests": {where(place.path) for place in found.malformed_digests},
        "unresolved": {where(place.path) for places in found.unresolved.values() for place in places},
        "duplicates": {where(end.path) for clash in found.duplicates for end in clash},
    }


@settings(max_examples=60)
@given(documents())
def test_the_sweep_finds_what_the_options_say(document: Message) -> None:
    expected = definition(document)
    assert answer(sweep(document)) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK", 1)
        assert answer(sweep(document)) == expected


@settings(max_examples=60)
@given(documents())
def test_a_document_is_clean_as_a_whole_exactly_if_a_visit_finds_nothing(document: Message) -> None:
    assert is_clean(document, plan_of(document.DESCRIPTOR)) == is_empty(sweep(document))


@pytest.mark.parametrize("case", walk("verify"), ids=lambda case: case.id)
def test_cases_are_clean_as_a_whole_exactly_if_a_visit_finds_nothing(case: Case) -> None:
    message = codec.decode((case.folder / "document.txtpb").read_bytes()).message
    assert is_clean(message, plan_of(message.DESCRIPTOR)) == is_empty(sweep(message))


def is_empty(found: Sweep) -> bool:
    return not any(getattr(found, field.name) for field in fields(found))


@pytest.fixture
def always_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SMALL", 0)


@pytest.mark.usefixtures("always_as_a_whole")
def test_what_is_not_clean_as_a_whole_is_visited() -> None:
    graph = graph_pb2.ExecutionGraph(id="a b")
    assert [str(place.path) for place in sweep(graph).malformed_ids] == ["id"]


def test_the_first_declaration_is_the_outer_one() -> None:
    graph = graph_pb2.ExecutionGraph(id="graph")
    inner = graph.body.nodes.add(id="a").operation.repeat.body.nodes.add(id="b")
    inner.operation.barrier.SetInParent()
    graph.body.nodes.add(id="b").operation.barrier.SetInParent()
    (clash,) = sweep(graph).duplicates
    assert str(clash.first.path) == 'body.nodes["b"].id'
    assert str(clash.second.path) == 'body.nodes["a"].operation.repeat.body.nodes["b"].id'


def test_nesting_costs_no_stack() -> None:
    region = (graph := graph_pb2.ExecutionGraph(id="graph")).body
    for depth in range(90):
        node = region.nodes.add(id=f"r{depth}")
        region = node.operation.repeat.body
    region.nodes.add(id="leaf")
    found = sweep(graph)
    assert len(found.missing) == 90 + 1 + 1  # trips of every repeat, operation of the leaf, the header


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a", True), ("_", True), ("-a", False), (".a", False), ("a\n", False), ("", False), ("é", False)],
)
def test_ids(text: str, expected: bool) -> None:
    assert is_id(text) is expected
