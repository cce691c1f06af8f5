"""The visibility statements of a graph: what each names, and whether any write comes before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2
from interlock.flow.program import USAGES, Statement
from interlock.graph.nodes import NodeKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from interlock.flow.memories import Memories
    from interlock.flow.pattern import Pattern
    from interlock.flow.program import Program, Ranges
    from interlock.flow.reach import Reach
    from interlock.graph.index import GraphIndex, StatementPlace

COMPARED_WRITES = 1_000
"""The most writes that one statement is compared with; after that it counts as having an effect."""

Named = tuple[int, "Pattern"]
"""A resource, and a pattern of its memory."""
AtNodes = dict[int, list[Statement]]
OnEdges = dict[int, list[tuple[int, list[Statement]]]]


class Statements:
    """The statements of a graph, by number.

    Attributes:
        named: What each names: resources with patterns of their memories.
        all: The statements.
    """

    def __init__(self, index: GraphIndex, memories: Memories) -> None:
        self._index = index
        self._memories = memories
        self.named = list(self._patterns())
        self.all = [_statement(number, place.message) for number, place in enumerate(index.statements)]

    def _patterns(self) -> Iterator[list[Named]]:
        numbers, selections = iter(self._index.accesses.statement_selection), self._index.selections
        for place in self._index.statements:
            named = []
            for _ in place.message.selections:
                selection = selections[next(numbers)]
                assert selection.resource is not None, "references resolve"
                named.append((selection.resource, self._memories.pattern(selection)))
            yield named

    @property
    def parameters(self) -> frozenset[int]:
        """The parameters in what the statements name."""
        return frozenset(p for named in self.named for _, pattern in named for p in pattern.parameters)

    def ranges(self, number: int, bound: Mapping[int, int]) -> Sequence[tuple[int, Ranges]]:
        """Return the bytes that a statement names for certain, by memory."""
        found: list[tuple[int, Ranges]] = []
        for resource, pattern in self.named[number]:
            plan = self._memories.plans[self._memories.of_resource[resource]]
            for offset, space in enumerate(plan.spaces):
                covered = space.ranges(pattern, bound).covered
                if covered:
                    found.append((plan.first + offset, covered))
        return found

    def placed(self) -> tuple[AtNodes, OnEdges, AtNodes]:
        """Return the statements at nodes, on the edges to nodes, and between the iterations of nodes."""
        nodes = self._index.nodes
        at: AtNodes = {}
        edges: dict[int, dict[int, list[Statement]]] = {}
        for statement, place in zip(self.all, self._index.statements, strict=True):
            if place.source is None:
                at.setdefault(place.node, []).append(statement)
            else:
                edges.setdefault(place.node, {}).setdefault(nodes.by_id[place.source], []).append(statement)
        barriers = {node: found for node, found in at.items() if nodes.kind[node] == NodeKind.BARRIER}
        carried = {node: found for node, found in at.items() if nodes.kind[node] == NodeKind.REPEAT}
        return barriers, {node: list(by_source.items()) for node, by_source in edges.items()}, carried

    def ineffective(self, program: Program, reach: Reach) -> Iterator[int]:
        """Yield the statements before which no write comes that they could make available or visible.

        Whether the bytes meet is judged by resource and memory, so that a statement about another part of the
        same memory passes.
        """
        writes: dict[int, list[int]] = {}
        for number, access in enumerate(program.accesses):
            if access.writes:
                writes.setdefault(self._memories.of_resource[access.resource], []).append(number)
        available: dict[int, int] = {}
        for statement, named in zip(self.all, self.named, strict=True):
            for resource, _ in named:
                memory = self._memories.of_resource[resource]
                available[memory] = available.get(memory, 0) | statement.usages
        for statement, place in zip(self.all, self._index.statements, strict=True):
            memories = {self._memories.of_resource[resource] for resource, _ in self.named[statement.number]}
            candidates = [write for memory in sorted(memories) for write in writes.get(memory, ())]
            usages = statement.usages
            for memory in memories:
                usages |= available.get(memory, 0)
            if len(candidates) <= COMPARED_WRITES and not any(
                usages >> program.accesses[write].usage & 1
                and self._may_precede(program.accesses[write].node, place, reach)
                for write in candidates
            ):
                yield statement.number

    def _may_precede(self, node: int, place: StatementPlace, reach: Reach) -> bool:
        """Tell whether a run of a node can come before a statement in some execution."""
        nodes = self._index.nodes
        target = place.node if place.source is None else nodes.by_id[place.source]
        carried = nodes.kind[place.node] == NodeKind.REPEAT and place.source is None
        if carried and nodes.lies_in(node, place.node):
            return True
        around = nodes.regions_around(target)
        region = next(region for region in nodes.regions_around(node) if region in around)
        owner = nodes.region_owner[region]
        if owner >= 0 and (
            nodes.kind[owner] == NodeKind.REPEAT
            or any(nodes.kind[outer] == NodeKind.REPEAT for outer in nodes.owners(owner))
        ):
            return True
        first, second = nodes.lifted(node, region), nodes.lifted(target, region)
        return reach.before(first, second) if first != second else place.source is not None


def _statement(number: int, message: access_pb2.VisibilityStatement) -> Statement:
    usages = 0
    for scope in message.available_from:
        if scope.kind == access_pb2.ACCESS_KIND_WRITE:
            usages |= 1 << scope.usage
    ways = [0] * USAGES
    for scope in message.visible_to:
        ways[scope.usage] |= 1 if scope.kind == access_pb2.ACCESS_KIND_READ else 2
    types = 0
    for usage, way in enumerate(ways):
        types |= (way & 3) << 3 * usage | (way == 3) << 3 * usage + 2
    return Statement(number, usages, types)
