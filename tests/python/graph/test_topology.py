"""Order, levels and cycles are what the definitions say, on small random graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from execgraph.v1 import graph_pb2
from interlock.graph import topology as module
from interlock.graph.nodes import NodeTable
from interlock.graph.topology import Topology

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

Edges = dict[int, set[int]]

graphs = st.integers(1, 8).flatmap(
    lambda count: st.dictionaries(
        st.integers(0, count - 1), st.sets(st.integers(0, count - 1), max_size=3), max_size=count
    ).map(lambda edges: {node: edges.get(node, set()) for node in range(count)})
)


def indexed(edges: Edges) -> tuple[NodeTable, Topology]:
    graph = graph_pb2.ExecutionGraph(id="graph")
    for node in sorted(edges):
        message = graph.body.nodes.add(id=str(node), depends_on=sorted(map(str, edges[node])))
        message.operation.barrier.SetInParent()
    nodes = NodeTable(graph)
    return nodes, Topology(nodes)


def closed_walks(edges: Edges) -> Iterator[list[int]]:
    """Yield every simple cycle of two nodes or more, by trying every path."""

    def extend(path: list[int]) -> Iterator[list[int]]:
        for source in edges[path[-1]]:
            if source == path[0] and len(path) > 1:
                yield path
            elif source not in path:
                yield from extend([*path, source])

    for start in edges:
        yield from extend([start])


def reaches(edges: Edges, start: int) -> set[int]:
    found: set[int] = set()
    pending = [start]
    while pending:
        for source in edges[pending.pop()] - found:
            found.add(source)
            pending.append(source)
    return found


@given(graphs)
def test_one_shortest_cycle_for_each_set_of_nodes_that_depend_on_each_other(edges: Edges) -> None:
    _, topology = indexed(edges)
    cycles = list(topology.cycles())
    walks = list(closed_walks(edges))
    components = {
        frozenset(other for other in edges if other in reaches(edges, node) and node in reaches(edges, other))
        for node in edges
    }
    components = {component for component in components if len(component) > 1}
    assert len(cycles) == len(components)
    for cycle in cycles:
        ring = list(cycle.nodes)
        assert all(after in edges[node] for node, after in zip(ring, ring[1:] + ring[:1], strict=True))
        component = next(c for c in components if ring[0] in c)
        assert cycle.shortest
        assert len(ring) == min(len(walk) for walk in walks if walk[0] in component)
    assert topology.acyclic == (not components and all(node not in edges[node] for node in edges))


@given(graphs)
def test_the_order_follows_dependencies_and_levels_are_longest_paths(edges: Edges) -> None:
    _, topology = indexed(edges)
    edges = {node: sources - {node} for node, sources in edges.items()}
    cyclic = {node for node in edges if node in reaches(edges, node)}
    tainted = {node for node in edges if cyclic & {node, *reaches(edges, node)}}
    order = list(topology.order)
    assert sorted(order) == sorted(set(edges) - tainted)
    for position, node in enumerate(order):
        assert all(source in order[:position] for source in edges[node])
        assert topology.level[node] == max((topology.level[s] + 1 for s in edges[node]), default=0)
    assert all(topology.level[node] == -1 for node in tainted)


@given(graphs)
def test_successors_reverse_predecessors(edges: Edges) -> None:
    nodes, topology = indexed(edges)
    for node in range(len(nodes)):
        assert list(topology.predecessors[node]) == sorted(edges[node] - {node})
        assert list(topology.successors[node]) == sorted(n for n in edges if node in edges[n] and n != node)
        assert topology.predecessors.degree(node) == len(edges[node] - {node})


def test_a_set_too_large_to_search_still_gives_a_cycle(monkeypatch: pytest.MonkeyPatch) -> None:
    ring = 50
    edges = {node: {(node + 1) % ring} for node in range(ring)}
    monkeypatch.setattr(module, "CYCLE_WORK", 10)
    _, topology = indexed(edges)
    (cycle,) = topology.cycles()
    assert len(cycle.nodes) == ring
    assert not cycle.shortest


def test_a_long_chain_and_a_large_cycle_need_no_stack() -> None:
    count = 20_000
    nodes, topology = indexed({node: {node - 1} if node else set() for node in range(count)})
    last = nodes.by_id[str(count - 1)]
    assert topology.level[last] == count - 1
    _, topology = indexed({node: {(node + 1) % count} for node in range(count)})
    (cycle,) = topology.cycles()
    assert len(cycle.nodes) == count
