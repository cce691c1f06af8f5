"""The walk over a graph: one legal order of its nodes, with the state of every byte along the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.flow.cells import BEFORE, BOUNDARY, Cells, join
from interlock.flow.ledger import MOVING, Ledger
from interlock.flow.moves import relocate
from interlock.graph.nodes import Arm

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlock.flow.facts import Facts
    from interlock.flow.program import Loop, Program
    from interlock.flow.reach import Reach

ALL_WRITTEN = -1
"""As bits, all outputs."""
THEN, ELSE = Arm.THEN, Arm.ELSE


def walk(program: Program, reach: Reach, work: int) -> Facts:
    """Return what happens to the bytes of a graph without cycles, in all executions.

    Raises:
        WorkExceededError: The walk would look at more than ``work`` ranges of bytes.
    """
    ledger = Ledger(program, reach, work)
    _Walker(ledger, reach.cuts(program.order[0]) if program.carry_all else frozenset()).region(0)
    return ledger.finish()


class _Walker:
    """Leads a ledger through a graph, control node by control node.

    ``cuts`` are nodes of the body of the graph that are ordered with all others, where ordered means visible.
    """

    def __init__(self, ledger: Ledger, cuts: frozenset[int]) -> None:
        self._ledger = ledger
        self._cuts = cuts
        self._program = ledger.program
        self._open: dict[int, int | None] = {}

    def region(self, region: int) -> None:
        """Walk the nodes of a region."""
        for resource in self._program.homes.get(region, ()):
            if resource in self._open:
                self._open[resource] = None
        depth = self._ledger.depth
        for node in self._program.order[region]:
            self._ledger.frames[depth] = node
            self._node(node)

    def _node(self, node: int) -> None:
        self._ledger.spend(1)
        if node in self._cuts:
            self._ledger.settle()
        program = self._program
        for opening in program.openings.get(node, ()):
            if self._open.setdefault(opening.resource, opening.span) != opening.span:
                self._open[opening.resource] = opening.span
                self._ledger.forget(opening.resource)
        for source, statements in program.edges.get(node, ()):
            for statement in statements:
                self._ledger.state(statement, source, node, entering=True)
        for statement in program.barriers.get(node, ()):
            self._ledger.state(statement, None, node, entering=False)
        accesses = program.accesses_of.get(node)
        if accesses:
            self._ledger.event(accesses, self._ledger.depth, node)
        if node in program.loops:
            self._repeat(node, program.loops[node])
        elif node in program.regions_of:
            self._conditional(node)

    def _enter(self, node: int) -> dict[int, Cells]:
        """Begin a control node, with the parts of memories that it touches; return the whole memories."""
        self._ledger.depth += 1
        self._ledger.frames[self._ledger.depth :] = [BOUNDARY]
        return self._ledger.cut(self._program.touched_in[node])

    def _leave(self, node: int, whole: dict[int, Cells], states: Iterable[dict[int, Cells]]) -> None:
        """End a control node: what happened in it happened at the node, in each state it may end with."""
        inner = self._ledger.depth
        self._ledger.depth -= 1
        joined: dict[int, Cells] = {}
        for state in states:
            for number, cells in state.items():
                self._ledger.spend(MOVING * len(cells.cells))
                relocate(cells, inner, inner - 1, node)
                known = joined.get(number)
                joined[number] = cells if known is None else join(known, cells)
        self._ledger.paste(whole, joined)

    def _conditional(self, node: int) -> None:
        ledger, memories = self._ledger, self._enter(node)
        arms = dict(self._program.regions_of[node])
        start, written = ledger.snapshot(memories), ledger.written
        ends, written_at_ends = [], []
        for arm in (THEN, ELSE):
            ledger.go_on_from(start if arm == ELSE else {n: cells.copy() for n, cells in start.items()})
            ledger.written = written
            if arm in arms:
                self.region(arms[arm])
            ends.append(ledger.current(memories))
            written_at_ends.append(ledger.written)
        ledger.written = written_at_ends[0] & written_at_ends[1]
        self._leave(node, memories, ends)

    def _repeat(self, node: int, loop: Loop) -> None:
        ledger, memories = self._ledger, self._enter(node)
        ((_, body),) = self._program.regions_of[node]
        ends: list[dict[int, Cells]] = []
        written = ALL_WRITTEN
        for trip in range(loop.trips + 1):
            more, may_fail = trip < loop.trips, trip in loop.condition_exits
            if trip:
                ledger.end_iteration(memories)
            ledger.frames[ledger.depth] = BOUNDARY
            if trip in loop.exits:
                ends.append(ledger.snapshot(memories) if more or may_fail else ledger.current(memories))
                written &= ledger.written
            if not more and not may_fail:
                break
            if trip:
                for statement in loop.carried:
                    ledger.state(statement, None, BOUNDARY, entering=False)
                ledger.end_iteration(memories)
            if loop.condition is not None and trip >= loop.evaluated_from:
                ledger.event((loop.condition,), ledger.depth, BEFORE)
                if may_fail:
                    ends.append(ledger.snapshot(memories) if more else ledger.current(memories))
                    written &= ledger.written
            if more:
                self._iteration(body, loop, trip)
        ledger.written = written
        self._leave(node, memories, ends)

    def _iteration(self, body: int, loop: Loop, trip: int) -> None:
        if loop.index is None:
            self.region(body)
            return
        bound = self._ledger.bound
        self._ledger.bound = {**bound, loop.index: trip}
        self.region(body)
        self._ledger.bound = bound
