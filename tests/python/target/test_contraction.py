"""Order among launch groups, against its definition on small random graphs."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from execgraph.v1 import graph_pb2, node_pb2
from interlock.errors import WorkExceededError
from interlock.graph.index import GraphIndex
from interlock.graph.launch_groups import Contraction
from interlock.graph.nodes import NodeKind

if TYPE_CHECKING:
    from interlock.codec.kinds import Dynamic

WORK = 1_000_000


@st.composite
def graphs(draw: Dynamic) -> tuple[GraphIndex, list[list[int]]]:
    """Draw a graph of dispatches, barriers, copies and one repeat, and groups of its dispatches."""
    message = graph_pb2.ExecutionGraph(id="random")
    left = [draw(st.integers(1, 7)), draw(st.integers(0, 3))]
    fill(draw, message.body, "n", left[0], loop=left[1])
    index = GraphIndex(message)
    dispatches = list(index.nodes.of_kind(NodeKind.DISPATCH))
    numbers = [draw(st.integers(0, 3)) for _ in dispatches]
    groups: dict[int, list[int]] = {}
    for node, number in zip(dispatches, numbers, strict=True):
        groups.setdefault(number, []).append(node)
    return index, list(groups.values())


def fill(draw: Dynamic, region: node_pb2.Region, prefix: str, count: int, loop: int = 0) -> None:
    names: list[str] = []
    for at in range(count):
        name = f"{prefix}{at}"
        node = region.nodes.add(id=name)
        node.depends_on.extend(each for each in names if draw(st.booleans()))
        kind = draw(st.sampled_from(["dispatch", "dispatch", "barrier", "copy"]))
        getattr(node.operation, kind).SetInParent()
        names.append(name)
    if loop:
        node = region.nodes.add(id=f"{prefix}-loop")
        node.depends_on.extend(each for each in names if draw(st.booleans()))
        node.operation.repeat.maximum_trips = 2
        fill(draw, node.operation.repeat.body, f"{prefix}-in", loop)


def follows(index: GraphIndex) -> dict[tuple[str, int], set[tuple[str, int]]]:
    """Return the flattened graph: every node an enter and an exit."""
    nodes, found = index.nodes, {}
    for node in range(len(nodes)):
        found.setdefault(("in", node), set()).add(("out", node))
        found.setdefault(("out", node), set())
        owner = nodes.region_owner[nodes.region[node]]
        if owner >= 0:
            found.setdefault(("in", owner), set()).add(("in", node))
            found["out", node].add(("out", owner))
        for source in index.topology.predecessors[node]:
            found.setdefault(("out", source), set()).add(("in", node))
    return found


def contracted(index: GraphIndex, groups: list[list[int]]) -> dict[object, set[object]]:
    """Return which groups and other nodes reach which, barriers being no more than their edges."""
    name: dict[int, object] = {}
    for number, members in enumerate(groups):
        name.update(dict.fromkeys(members, ("group", number)))
    edges = follows(index)

    def vertex(place: tuple[str, int]) -> object:
        return name.get(place[1]) or (place if index.nodes.kind[place[1]] == NodeKind.REPEAT else place[1])

    after: dict[object, set[object]] = {}
    for place, others in edges.items():
        after.setdefault(vertex(place), set()).update(vertex(other) for other in others)
    barriers = {number for number in range(len(index.nodes)) if index.nodes.kind[number] == NodeKind.BARRIER}
    for barrier in barriers:
        beyond = after.pop(barrier, set()) - {barrier}
        for others in after.values():
            if barrier in others:
                others.discard(barrier)
                others.update(beyond)
    for place, others in after.items():
        others.discard(place)
    return after


def longest(after: dict[object, set[object]], weight: dict[object, int]) -> dict[object, int] | None:
    """Return the level of each vertex by repeated relaxation; None where there is a cycle."""
    level = dict.fromkeys(after, 0)
    for _ in range(len(after) + 1):
        changed = False
        for place, others in after.items():
            for other in others:
                if level[other] < level[place] + weight[place]:
                    level[other], changed = level[place] + weight[place], True
        if not changed:
            break
    return None if has_cycle(after) else level


def has_cycle(after: dict[object, set[object]]) -> bool:
    left = {place: set(others) for place, others in after.items()}
    while True:
        sinks = [place for place, others in left.items() if not others]
        if not sinks:
            return bool(left)
        for place in sinks:
            del left[place]
        for others in left.values():
            others.difference_update(sinks)


@settings(max_examples=400, deadline=None)
@given(graphs())
def test_stages_and_cycles_are_those_of_the_definition(drawn: tuple[GraphIndex, list[list[int]]]) -> None:
    index, groups = drawn
    order = Contraction(index.nodes, index.topology, groups, WORK)
    after = contracted(index, groups)
    weight = {place: int(isinstance(place, tuple) and place[0] == "group") for place in after}
    expected = longest(after, weight)
    assert bool(order.cyclic_groups) == (expected is None)
    if expected is not None:
        assert order.stages() == [expected["group", number] for number in range(len(groups))]


@settings(max_examples=200, deadline=None)
@given(graphs())
def test_dependent_pairs_are_those_of_the_definition(drawn: tuple[GraphIndex, list[list[int]]]) -> None:
    index, groups = drawn
    singles = [[node] for members in groups for node in members]
    after = contracted(index, singles)
    order = Contraction(index.nodes, index.topology, groups, WORK)
    number = {members[0]: at for at, members in enumerate(singles)}
    for at, members in enumerate(groups):
        expected = sorted(
            (one, two)
            for one in members
            for two in members
            if ("group", number[two]) in after["group", number[one]]
        )
        assert order.dependent_pairs(at) == expected


def line(kinds: str) -> GraphIndex:
    """Return a chain of dispatches (`d`) and barriers (`b`)."""
    message = graph_pb2.ExecutionGraph()
    for at, kind in enumerate(kinds):
        node = message.body.nodes.add(id=f"{at:05}")
        getattr(node.operation, "dispatch" if kind == "d" else "barrier").SetInParent()
        node.depends_on.extend([f"{at - 1:05}"] if at else [])
    return GraphIndex(message)


def test_long_chains_need_no_stack() -> None:
    index = line("db" * 5000)
    members = [[node] for node in range(0, 10000, 2)]
    assert Contraction(index.nodes, index.topology, members, WORK).stages() == list(range(5000))
    whole = Contraction(index.nodes, index.topology, [[node for each in members for node in each]], WORK)
    assert (whole.stages(), whole.cyclic_groups) == ([0], ())
    assert whole.dependent_pairs(0) == [(one, two) for one, two in pairwise(range(0, 10000, 2))]
    odd = [
        [node for each in members[::2] for node in each],
        [node for each in members[1::2] for node in each],
    ]
    assert Contraction(index.nodes, index.topology, odd, WORK).cyclic_groups == ((0, 1),)


def test_pairs_are_bounded_work() -> None:
    message = graph_pb2.ExecutionGraph()
    for at in range(300):
        node = message.body.nodes.add(id=f"a{at:03}")
        node.operation.dispatch.SetInParent()
    middle = message.body.nodes.add(id="m")
    middle.operation.barrier.SetInParent()
    middle.depends_on.extend(f"a{at:03}" for at in range(300))
    for at in range(300):
        node = message.body.nodes.add(id=f"z{at:03}")
        node.operation.dispatch.SetInParent()
        node.depends_on.append("m")
    index = GraphIndex(message)
    members = [list(index.nodes.of_kind(NodeKind.DISPATCH))]
    assert len(Contraction(index.nodes, index.topology, members, WORK).dependent_pairs(0)) == 90_000
    with pytest.raises(WorkExceededError):
        Contraction(index.nodes, index.topology, members, 1000).dependent_pairs(0)
