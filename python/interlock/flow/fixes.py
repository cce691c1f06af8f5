"""What to add to a graph so that two accesses are ordered, or a write is visible to an access."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2
from interlock.diagnostic import AddedDependency, AddedStatement, Fix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlock.flow.analysis import Flow
    from interlock.flow.facts import Unseen


class Fixes:
    """Suggests changes. None of them makes a cycle: an edge always leads from what the walk met first."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._nodes = flow.index.nodes

    def order(self, first: int, second: int) -> Fix:
        """Return what orders the second access after the first, and makes the first visible if need be."""
        accesses = self._flow.preparation.program.accesses
        if first in self._flow.facts.read_first and accesses[second].writes and not accesses[first].writes:
            first, second = second, first  # what is written belongs before what reads it
        source, target = self._in_one_region(self._flow.node(first), self._flow.node(second))
        dependency = AddedDependency(self._nodes.ids[target], self._nodes.ids[source])
        description = f"let `{dependency.node}` depend on `{dependency.depends_on}`"
        statements: tuple[AddedStatement, ...] = ()
        if (
            self._flow.preparation.program.accesses[first].writes
            and not self._flow.preparation.program.carry_all
        ):
            statements = (self._statement(first, second, target, source),)
            description += ", with a visibility statement on the edge"
        return Fix(description, (dependency,), statements)

    def visibility(self, ways: Sequence[Unseen]) -> Fix:
        """Return what makes a write visible to an access ordered after it, by every way between them."""
        parts = [self._way(unseen) for unseen in sorted(ways)]
        return Fix(
            "; ".join(part.description for part in parts),
            tuple(dependency for part in parts for dependency in part.dependencies),
            tuple(statement for part in parts for statement in part.statements),
        )

    def _way(self, unseen: Unseen) -> Fix:
        first, second = unseen.write, unseen.access
        if unseen.loop >= 0:
            statement = self._statement(first, second, unseen.loop, None)
            return Fix(f"add a carried visibility statement to `{statement.node}`", (), (statement,))
        one = self._flow.node(first) if unseen.merging < 0 else unseen.merging
        source, target = self._in_one_region(one, self._flow.node(second))
        statement = self._statement(first, second, target, source)
        if source in self._flow.index.topology.predecessors[target]:
            return Fix(
                f"add a visibility statement to the edge from `{statement.source}` to `{statement.node}`",
                (),
                (statement,),
            )
        dependency = AddedDependency(statement.node, statement.source)
        return Fix(
            f"let `{statement.node}` depend on `{statement.source}`, with a visibility statement on the edge",
            (dependency,),
            (statement,),
        )

    def _in_one_region(self, one: int, other: int) -> tuple[int, int]:
        """Return the nodes of the innermost common region that hold two nodes."""
        nodes = self._nodes
        around = nodes.regions_around(other)
        region = next(region for region in nodes.regions_around(one) if region in around)
        return nodes.lifted(one, region), nodes.lifted(other, region)

    def _statement(self, first: int, second: int, node: int, source: int | None) -> AddedStatement:
        accesses = self._flow.preparation.program.accesses
        usage = access_pb2.Usage.Name
        earlier, later = accesses[first], accesses[second]
        kinds = ["READ"] * later.reads + ["WRITE"] * later.writes
        return AddedStatement(
            node=self._nodes.ids[node],
            source="" if source is None else self._nodes.ids[source],
            resource=self._flow.resource_id(second),
            available_from=(f"{usage(earlier.usage)} WRITE",),
            visible_to=tuple(f"{usage(later.usage)} {kind}" for kind in kinds),
        )
