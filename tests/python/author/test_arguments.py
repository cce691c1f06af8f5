"""What the builder's methods take: options by their right names, and one where a list is taken."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import pytest

import interlock
from execgraph.v1 import access_pb2
from interlock.author import DEVICE_READS, DEVICE_WRITES, GraphBuilder, full
from interlock.author.declarations import ResourceOptions
from interlock.author.operations import LaunchOptions
from interlock.report.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

ROLES = ("input", "output", "in_out", "temporary", "state", "constant")
TAKEN = "`name`, `element`, `shape`, " + ", ".join(f"`{name}`" for name in ResourceOptions.__annotations__)


@pytest.mark.parametrize("method", ROLES)
def test_a_mistyped_option_of_a_resource_is_refused(method: str):
    graph = GraphBuilder("g")
    with pytest.raises(TypeError) as failure:
        getattr(graph, method)("t", "f32", [16], ofset=1024, alignmnt=4096, bogus=3)
    assert str(failure.value) == (
        f"GraphBuilder.{method}() has no option `ofset` (did you mean `offset`?) and no option `alignmnt`"
        f" (did you mean `alignment`?) and no option `bogus`; it takes {TAKEN}"
    )
    assert not graph.build().message.resources


@pytest.mark.parametrize(
    ("mistyped", "meant"), [("grups", "groups"), ("afer", "after"), ("workgroupsize", "workgroup_size")]
)
def test_a_mistyped_option_of_a_dispatch_is_refused(mistyped: str, meant: str):
    graph = GraphBuilder("g")
    with pytest.raises(TypeError) as failure:
        graph.dispatch("d", artifact="k", entry="e", **{mistyped: [1]})  # type: ignore[misc]
    expected = f"GraphBuilder.dispatch() has no option `{mistyped}` (did you mean `{meant}`?)"
    assert str(failure.value) == expected


@pytest.mark.parametrize(
    ("method", "options"),
    [(GraphBuilder.dispatch, LaunchOptions), (GraphBuilder.resource, ResourceOptions)]
    + [(getattr(GraphBuilder, role), ResourceOptions) for role in ROLES],
)
def test_signatures_list_the_options(method: Callable[..., object], options: type):
    parameters = inspect.signature(method).parameters
    assert set(options.__annotations__) < set(parameters)
    assert all(parameter.kind is not parameter.VAR_KEYWORD for parameter in parameters.values())
    assert "offset: 'AffineLike' = <absent>" in str(inspect.signature(GraphBuilder.resource))


@pytest.mark.parametrize("method", [GraphBuilder.dispatch, GraphBuilder.resource])
def test_every_option_is_described(method: Callable[..., object]):
    parameters = list(inspect.signature(method).parameters)[1:]
    described = inspect.getdoc(method) or ""
    assert [name for name in parameters if f"\n    {name}: " not in described] == []


def test_defaults_show_by_name():
    shown = str(inspect.signature(GraphBuilder.barrier))
    assert "(USAGE_FILL, ACCESS_KIND_WRITE)" in shown
    assert "(USAGE_CONTROL, ACCESS_KIND_READ)" in shown
    assert "(1, 2)" not in shown
    assert DEVICE_WRITES[0] == (access_pb2.USAGE_SHADER_STORAGE, access_pb2.ACCESS_KIND_WRITE)


def authored(listed: bool) -> interlock.Document:
    """The same graph, with lists or without them wherever one element is meant."""

    def some(one: object) -> object:
        return [one] if listed else one

    graph = GraphBuilder("g")
    n = graph.parameter("n", minimum=1, maximum=8)
    arena = graph.allocation("arena", 64)
    x = graph.input("x", "f32", some(16), byte_strides=some(4), size=64)
    y = graph.output("y", "f32", some(n * 2))
    z = graph.output("z", "f32", some(n))
    t = graph.temporary("t", "f32", some(16), allocation=arena, begins=some("first"), ends=some("second"))
    graph.lifetime(t, begins=some("third"), ends=some("fourth"))
    graph.view("part", x, some(2), byte_strides=some(8))
    graph.artifact("k")
    kernel = {"artifact": "k", "entry": "e"}
    first = graph.dispatch(
        "first",
        **kernel,
        reads={"x": x},
        writes={"t": full(t)},
        groups=some(4),
        workgroup_size=some(4),
        tolerated_aliases=some(("x", "t")),
    )
    second = graph.dispatch(
        "second", **kernel, reads={"t": t}, elements=some(n), elements_per_group=some(2), after=some(first)
    )
    graph.dispatch("third", **kernel, indirect=x, maximum_groups=some(9), after=some("second"))
    graph.copy("fourth", x, y, after=some(second))
    graph.fill("fifth", z, 0, after=some("first"))
    scopes = {"available_from": some(DEVICE_WRITES[0]), "visible_to": some(tuple(DEVICE_READS[0]))}
    graph.barrier("join", t, after=some(first), **scopes)
    graph.edge("join", "fifth", t, **scopes)
    with graph.repeat("loop", 2, after=some("join")) as loop:
        graph.barrier("each")
        loop.carry(t, **scopes)
    with graph.conditional("if", interlock.author.when(x, "==", 0), after=some(loop)):
        graph.barrier("inside")
    return graph.build()


def test_one_is_taken_where_a_list_is():
    assert authored(listed=False).json() == authored(listed=True).json()
    nodes = {node.id: node for node in authored(listed=False).message.body.nodes}
    assert list(nodes["if"].depends_on) == ["loop"]
    assert list(nodes["third"].depends_on) == ["second"]


def racing() -> tuple[GraphBuilder, list[interlock.author.Node]]:
    graph = GraphBuilder("g")
    y, kernel = graph.output("y", "u32", [4]), graph.artifact("k")
    options = {"artifact": kernel, "entry": "e", "groups": 1, "workgroup_size": 4}
    return graph, [graph.dispatch(name, **options, writes={"out": full(y)}) for name in ("b", "a")]


@pytest.mark.parametrize("slot", ["", "out"])
def test_a_producer_vouches_that_two_accesses_are_disjoint(slot: str):
    graph, (b, a) = racing()
    assert interlock.verify(graph.build()).verdict is Verdict.UNSOUND
    if slot:
        graph.assert_disjoint((b, slot), ("a", slot), because="each writes its half")
    else:
        graph.assert_disjoint(b, a, because="each writes its half")
    (assertion,) = graph.build().message.disjointness_assertions
    assert (assertion.first.node, assertion.first.slot) == ("a", slot)
    assert (assertion.second.node, assertion.second.slot) == ("b", slot)
    assert assertion.justification == "each writes its half"
    found = interlock.verify(graph.build()).diagnostics
    assert [(item.code, item.holds_under_assumption) for item in found] == [("hazard.unordered-access", True)]


def test_slots_of_one_node_can_be_asserted_in_any_order():
    graph, (b, _) = racing()
    graph.assert_disjoint((b, "z"), (b, "out"), because="rows alternate")
    (assertion,) = graph.build().message.disjointness_assertions
    assert (assertion.first.slot, assertion.second.slot) == ("out", "z")
