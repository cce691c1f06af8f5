"""The size of a graph, measured before anything is built in proportion to it."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from execgraph.v1 import graph_pb2, node_pb2


class GraphSize(NamedTuple):
    """Counts over all regions.

    ``nesting`` counts the regions within each other, without the body of the graph.
    """

    nodes: int
    edges: int
    resources: int
    nesting: int


def measure(graph: graph_pb2.ExecutionGraph) -> GraphSize:
    """Return the size of a graph."""
    nodes = edges = nesting = 0
    waiting: deque[tuple[node_pb2.Region, int]] = deque([(graph.body, 0)])
    while waiting:
        region, depth = waiting.popleft()
        nesting = max(nesting, depth)
        nodes += len(region.nodes)
        for node in region.nodes:
            edges += len(node.depends_on)
            operation = node.operation
            arm = operation.WhichOneof("kind")
            if arm == "repeat":
                waiting.append((operation.repeat.body, depth + 1))
            elif arm == "conditional":
                conditional = operation.conditional
                waiting += [
                    (getattr(conditional, name), depth + 1)
                    for name in ("then_region", "else_region")
                    if conditional.HasField(name)
                ]
    return GraphSize(nodes, edges, len(graph.resources), nesting)
