"""How many node executions one invocation has at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from execgraph.v1 import node_pb2


def node_executions(region: node_pb2.Region, trips: int = 1) -> int:
    """Return the sum over all nodes, those of both arms included, of the product of the enclosing maxima.

    ``trips`` is the product of the maxima around ``region``.
    """
    total = 0
    for node in region.nodes:
        total += trips
        kind = node.operation.WhichOneof("kind")
        if kind == "conditional":
            arms = node.operation.conditional
            total += node_executions(arms.then_region, trips) + node_executions(arms.else_region, trips)
        elif kind == "repeat":
            loop = node.operation.repeat
            total += node_executions(loop.body, trips * loop.maximum_trips)
    return total
