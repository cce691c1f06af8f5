"""Order within regions against the definition: a path of dependencies."""

from __future__ import annotations

import random

import pytest

from execgraph.v1 import graph_pb2
from interlock.flow import reach as module
from interlock.flow.reach import Reach
from interlock.graph.nodes import NodeTable
from interlock.graph.topology import Topology

NODES = 40


def _graph(seed: int) -> tuple[NodeTable, Topology, list[set[int]]]:
    rng = random.Random(seed)
    names = [f"n{i:02}" for i in rng.sample(range(NODES), NODES)]
    graph = graph_pb2.ExecutionGraph()
    ancestors: dict[str, set[str]] = {}
    edges = {}
    for position, name in enumerate(names):
        sources = rng.sample(names[:position], min(position, rng.choice([0, 1, 1, 2, 3])))
        edges[name] = sorted(sources)
        ancestors[name] = set(sources).union(*(ancestors[source] for source in sources))
    for name in sorted(names):
        node = graph.body.nodes.add(id=name, depends_on=edges[name])
        node.operation.barrier.SetInParent()
    table = NodeTable(graph)
    return table, Topology(table), [{table.by_id[s] for s in ancestors[name]} for name in table.ids]


@pytest.mark.parametrize("limit", [1 << 14, 1])
@pytest.mark.parametrize("seed", range(12))
def test_before_means_a_path(seed: int, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small regions answer from sets of ancestors, large ones search; both know the same paths."""
    monkeypatch.setattr(module, "BITSET_REGION", limit)
    nodes, topology, ancestors = _graph(seed)
    reach = Reach(nodes, topology)
    for first in range(NODES):
        for second in range(NODES):
            assert reach.before(first, second) == (first in ancestors[second])
