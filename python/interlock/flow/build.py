"""Prepares a graph for the walk."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from execgraph.v1 import resource_pb2
from interlock.flow.memories import Memories
from interlock.flow.program import (
    BOTH,
    READING,
    WRITING,
    Access,
    Footprint,
    Loop,
    Memory,
    Opening,
    Place,
    Program,
    Statement,
    access_type,
)
from interlock.flow.statements import Statements
from interlock.graph.accesses import ATOMIC, READ, READ_WRITE, WRITE, AccessRole
from interlock.graph.extents import Affine, bounds
from interlock.graph.operations import FULL
from interlock.graph.types import storage_bits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from execgraph.v1 import graph_pb2
    from interlock.flow.pattern import Pattern
    from interlock.graph.index import GraphIndex
    from interlock.graph.operations import CopyRows, Repeat

JUDGED_TRIPS = 2
"""Iterations that tell all others, where no range depends on the number of the iteration."""

_INITIALISED = frozenset(
    {
        resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT,
        resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT_OUTPUT,
        resource_pb2.RESOURCE_ROLE_STATE,
        resource_pb2.RESOURCE_ROLE_CONSTANT,
    }
)
_WAYS: dict[int, int] = {READ: READING, WRITE: WRITING, READ_WRITE: BOTH, ATOMIC: BOTH}


class Preparation:
    """A graph prepared for the walk. Every reference in it resolves, every range is within its resource.

    Attributes:
        index: The graph.
        memories: Its memories.
        patterns: The bytes of each access.
        statements: Its visibility statements.
        program: What the walk asks.
    """

    def __init__(self, index: GraphIndex) -> None:
        self.index = index
        self.memories = Memories(index)
        self.patterns = self._access_patterns()
        self.statements = Statements(index, self.memories)
        self.memories.choose_spaces()
        self.program = self._program()
        self.program.touched_in = self._touched_in()

    # Patterns have to be known before spaces are chosen.

    def _access_patterns(self) -> list[Pattern]:
        index = self.index
        rows: dict[tuple[int, int], tuple[CopyRows, tuple[int, int]]] = {}
        for copy in index.operations.copies:
            if copy.rows is not None:
                rows[copy.node, AccessRole.COPY_SOURCE] = copy.rows, copy.rows.source_pitches
                rows[copy.node, AccessRole.COPY_DESTINATION] = copy.rows, copy.rows.destination_pitches
        accesses, pattern, shared = index.accesses, self.memories.pattern, {}
        found = []
        for node, role, selection in zip(accesses.node, accesses.role, accesses.selection, strict=True):
            if (node, role) in rows:
                found.append(pattern(index.selections[selection], *rows[node, role]))
                continue
            if selection not in shared:
                shared[selection] = pattern(index.selections[selection])
            found.append(shared[selection])
        return found

    # The program.

    def _program(self) -> Program:
        index, nodes = self.index, self.index.nodes
        order: list[list[int]] = [[] for _ in nodes.region_owner]
        for node in index.topology.order:
            order[nodes.region[node]].append(node)
        regions_of = {
            owner: [(nodes.region_arm[region], region) for region in regions]
            for owner, regions in nodes.regions_of.items()
        }
        barriers, edges, carried = self.statements.placed()
        accesses_of: dict[int, list[int]] = {}
        conditions: dict[int, int] = {}
        for number, (node, role) in enumerate(zip(index.accesses.node, index.accesses.role, strict=True)):
            if role == AccessRole.CONTINUE_WHILE:
                conditions[node] = number
            else:
                accesses_of.setdefault(node, []).append(number)
        used = self.statements.parameters.union(*(pattern.parameters for pattern in self.patterns))
        iterated = {p for p in used if index.elements.parameters[p].owner >= 0}
        index_of = {index.elements.parameters[p].owner: p for p in iterated}
        loops = {
            repeat.node: _loop(
                repeat, conditions.get(repeat.node), carried.get(repeat.node, ()), index_of.get(repeat.node)
            )
            for repeat in index.operations.repeats
            if repeat.node in regions_of
        }
        roles = [resource.role for resource in index.elements.resources]
        openings, homes = self._openings()
        return Program(
            order=order,
            regions_of=regions_of,
            accesses=[self._access(number) for number in range(len(index.accesses))],
            accesses_of=accesses_of,
            footprints=self._footprints,
            statement_ranges=self.statements.ranges,
            barriers=barriers,
            edges=edges,
            loops=loops,
            memories=self._memories(),
            touched_in={},
            initialised=frozenset(r for r, role in enumerate(roles) if role in _INITIALISED),
            outputs=frozenset(
                r for r, role in enumerate(roles) if role == resource_pb2.RESOURCE_ROLE_EXTERNAL_OUTPUT
            ),
            openings=openings,
            homes=homes,
            asserted=self._asserted(accesses_of),
            unmade=frozenset(
                access
                for node, access in conditions.items()
                if node in loops and loops[node].condition is None
            ),
            carry_all=index.message.visibility_model == 1,
        )

    def _asserted(self, accesses_of: Mapping[int, Sequence[int]]) -> frozenset[frozenset[int]]:
        """Return the pairs of accesses that are asserted to be disjoint."""
        nodes, places = self.index.nodes, self.index.accesses.place

        def named(reference: graph_pb2.AccessReference) -> list[int]:
            node = nodes.by_id.get(reference.node, -1)
            found = accesses_of.get(node, ())
            return [a for a in found if not reference.slot or places[a][-1].key == reference.slot]

        return frozenset(
            frozenset((first, second))
            for assertion in self.index.message.disjointness_assertions
            for first in named(assertion.first)
            for second in named(assertion.second)
        )

    def _access(self, number: int) -> Access:
        table = self.index.accesses
        mode, usage = table.mode[number], table.usage[number]
        resource = self.index.selections[table.selection[number]].resource
        assert resource is not None, "references resolve"
        atomic = self._atomic(number) if mode == ATOMIC else None
        return Access(
            node=table.node[number],
            resource=resource,
            usage=usage,
            reads=mode != WRITE,
            writes=mode != READ,
            atomic=atomic,
            needs=access_type(usage, _WAYS[mode]),
        )

    def _atomic(self, number: int) -> object:
        """Return what atomic accesses without conflict share: the type, and where its elements lie."""
        table = self.index.accesses
        selection = self.index.selections[table.selection[number]]
        element = table.atomic[number] or (selection.type.element if selection.type else 0)
        size = storage_bits(element) // 8
        start = self.patterns[number].start
        if not element or not size or any(factor % size for _, factor in start.terms):
            return number
        return element, start.constant % size

    @cached_property
    def _uncertain(self) -> frozenset[int]:
        """The dispatches that may run no workgroup: indirect ones, and grids that can be empty."""
        index = self.index
        empty = {
            number
            for number, geometry in enumerate(index.operations.geometries)
            if geometry.source == "indirect"
            or any(bounds(count or Affine(0), index.elements.domains).low <= 0 for count in geometry.counts)
        }
        return frozenset(node for node, geometry in index.operations.geometry_of if geometry in empty)

    def covers(self, number: int) -> bool:
        """Tell whether an access certainly overwrites all bytes that it names."""
        table = self.index.accesses
        return (
            table.coverage[number] == FULL
            and table.mode[number] in (WRITE, READ_WRITE)
            and table.node[number] not in self._uncertain
        )

    def _footprints(self, number: int, bound: Mapping[int, int]) -> Sequence[Footprint]:
        plan = self.memories.plans[self.memories.of_resource[self._resource_of[number]]]
        pattern, covers = self.patterns[number], self._covers[number]
        is_whole = pattern == plan.residents[self._resource_of[number]]
        found = []
        for offset, space in enumerate(plan.spaces):
            touched, covered, certain = space.ranges(pattern, bound)
            if touched:
                # A write of the whole touches a byte whenever there is one.
                found.append(
                    Footprint(plan.first + offset, touched, covered if covers else (), certain or is_whole)
                )
        return found

    @cached_property
    def _resource_of(self) -> list[int]:
        return [access.resource for access in self.program.accesses]

    @cached_property
    def _covers(self) -> list[bool]:
        return [self.covers(number) for number in range(len(self.patterns))]

    def _memories(self) -> list[Memory]:
        selections, table = self.index.selections, self.index.accesses
        written = {
            self.memories.of_resource[selections[selection].resource or 0]
            for selection, mode in zip(table.selection, table.mode, strict=True)
            if mode != READ
        }
        found = []
        for number, plan in enumerate(self.memories.plans):
            for space in plan.spaces:
                residents = {}
                for bit, (resource, pattern) in enumerate(plan.residents.items()):
                    residents[resource] = 1 << bit, space.ranges(pattern, {}).touched
                found.append(Memory(space.size, residents, number in written))
        return found

    # Statements, lifetimes and control.

    def _openings(self) -> tuple[dict[int, list[Opening]], dict[int, list[int]]]:
        openings: dict[int, list[Opening]] = {}
        homes: dict[int, list[int]] = {}
        for resource, lifetime in enumerate(self.index.lifetimes):
            if not lifetime.stated:
                continue
            homes.setdefault(lifetime.home, []).append(resource)
            for number, span in enumerate(lifetime.spans):
                for node in dict.fromkeys(
                    self.index.nodes.lifted(begin, lifetime.home) for begin in span.begins
                ):
                    openings.setdefault(node, []).append(Opening(resource, number))
        return openings, homes

    def _touched_in(self) -> dict[int, list[Place]]:
        """Return the parts of memories that anything in each control node speaks of."""
        nodes, program = self.index.nodes, self.program
        touched: dict[int, dict[int, tuple[int, int]]] = {owner: {} for owner in program.regions_of}
        if not touched:
            return {}

        def note(node: int, places: Iterable[Place]) -> None:
            around = [node, *nodes.owners(node)] if node in touched else list(nodes.owners(node))
            for memory, low, high in places if around else ():
                for owner in around:
                    known = touched[owner].get(memory, (low, high))
                    touched[owner][memory] = min(low, known[0]), max(high, known[1])

        for access, pattern in zip(program.accesses, self.patterns, strict=True):
            note(access.node, self._places(access.resource, pattern))
        for place, named in zip(self.index.statements, self.statements.named, strict=True):
            for resource, pattern in named:
                note(place.node, self._places(resource, pattern))
        for node, openings in program.openings.items():
            for opening in openings:
                plan = self.memories.plans[self.memories.of_resource[opening.resource]]
                note(node, self._places(opening.resource, plan.residents[opening.resource]))
        return {
            owner: [Place(memory, *hull) for memory, hull in sorted(found.items())]
            for owner, found in touched.items()
        }

    def _places(self, resource: int, pattern: Pattern) -> Iterator[Place]:
        """Yield the parts of the memories of a resource that a pattern lies in, for all iterations."""
        plan = self.memories.plans[self.memories.of_resource[resource]]
        parameters = self.index.elements.parameters
        iterates = any(parameters[p].owner >= 0 for p in pattern.parameters)
        for number, space in enumerate(plan.spaces, plan.first):
            ranges = ((0, space.size),) if iterates else space.ranges(pattern, {}).touched
            if ranges:
                yield Place(number, ranges[0][0], ranges[-1][1])


def _loop(repeat: Repeat, condition: int | None, carried: Sequence[Statement], index: int | None) -> Loop:
    """Return which numbers of iterations tell all others."""
    most = repeat.maximum
    exact = None if repeat.literal is None else min(repeat.literal, most)
    least = repeat.minimum
    if least is None:
        least = 0 if exact is None or condition is not None else exact
    least = min(least, most if exact is None else exact)
    counts = range(least, most + 1) if exact is None else range(exact, exact + 1)
    trips = counts[-1] if index is not None else min(counts[-1], JUDGED_TRIPS)
    exits = range(min(counts[0], trips), trips + 1)
    if least >= counts[-1]:
        condition = None  # it would be evaluated beyond the minimum only
    first = min(least, trips)
    ends = range(first, min(trips + 1, counts[-1])) if condition is not None else range(0)
    return Loop(trips, exits, ends, condition, first, tuple(carried), index)
