"""Rules about the order of the nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import NamedElement, Related, Step
from interlock.rules.model import Finding, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.rules.context import Context

_SHOWN = 20
"""The most nodes of a cycle that its sentence names; the related places name them all."""


@rule("order.self-dependency")
def self_dependency(context: Context) -> Iterator[Finding]:
    """A node depends on itself.

    What it checks:
        No node names itself among its dependencies.

    Why:
        It would wait for its own end before it begins.

    Bad example:
        nodes { id: "scan" depends_on: "scan" operation { barrier {} } }

    Good example:
        nodes { id: "scan" operation { barrier {} } }
    """
    nodes = context.graph.nodes
    for edge in context.graph.topology.self_edges:
        identity = nodes.ids[edge.target]
        yield Finding(
            nodes.path(edge.target, (Step("depends_on", edge.position),)),
            f"`{identity}` depends on itself",
            elements=(NamedElement("node", identity),),
        )


@rule("order.dependency-cycle")
def dependency_cycle(context: Context) -> Iterator[Finding]:
    """Nodes depend on each other in a circle.

    What it checks:
        No node depends on itself through others. Of each set of nodes that all depend on each other, one
        cycle is shown, the shortest where the set is not too large to search.

    Why:
        None of the nodes can ever begin. As long as there is a cycle, everything that needs an order is not
        verified.

    Bad example:
        nodes { id: "a" depends_on: "b" operation { barrier {} } }
        nodes { id: "b" depends_on: "a" operation { barrier {} } }

    Good example:
        nodes { id: "a" operation { barrier {} } }
        nodes { id: "b" depends_on: "a" operation { barrier {} } }
    """
    nodes = context.graph.nodes
    for cycle in context.graph.topology.cycles():
        ids = [nodes.ids[node] for node in cycle.nodes]
        shown = ids if len(ids) <= _SHOWN else [*ids[:_SHOWN], "…"]
        way = " -> ".join(f"`{name}`" for name in [*shown, ids[0]])
        kind = "the shortest cycle" if cycle.shortest else "a cycle"
        yield Finding(
            nodes.path(cycle.nodes[0], (Step("depends_on"),)),
            f"these nodes wait for each other; {kind} has {len(ids)} nodes, each needing the next: {way}",
            elements=tuple(NamedElement("node", name) for name in ids),
            related=tuple(
                Related(
                    nodes.path(node, (Step("depends_on"),)),
                    f"`{nodes.ids[node]}` depends on `{nodes.ids[after]}`",
                )
                for node, after in zip(cycle.nodes, (*cycle.nodes[1:], cycle.nodes[0]), strict=True)
            ),
        )


RULES = (self_dependency, dependency_cycle)
