"""The state of every byte along the walk, and the judgement of what happens to it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from interlock.errors import WorkExceededError
from interlock.flow.cells import BEFORE, BOUNDARY, Cell, Mark, Reads, Write, and_also
from interlock.flow.facts import Facts, Unseen
from interlock.flow.inventory import Inventory
from interlock.flow.moves import cover, relocate, settle
from interlock.flow.program import ALL_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from interlock.flow.cells import Cells
    from interlock.flow.program import Access, Footprint, Place, Program, Ranges, Statement
    from interlock.flow.reach import Reach


MOVING = 4
"""Steps that moving the state of a range counts as: it makes anew what looking at it only reads."""


class Ledger:
    """The state of every byte where the walk is.

    Attributes:
        program: The graph.
        facts: What was met so far.
        depth: How many control nodes the walk is in.
        frames: The node the walk is at, at each depth; BOUNDARY between iterations and before the first node.
        bound: The numbers of the iterations that the walk is in, by parameter.
        written: The outputs, by memory, of which every way to here wrote something, as bits.
    """

    def __init__(self, program: Program, reach: Reach, work: int) -> None:
        self.program = program
        self.facts = Facts()
        self._before = reach.before
        self._limit = self._work = work
        self._serial = 0
        self._asserted = frozenset(access for pair in program.asserted for access in pair)
        self.bound: dict[int, int] = {}
        self.depth = 0
        self.frames = [BEFORE]
        self.written = 0
        self._touched: set[int] = set()
        self._inventory = inventory = Inventory(program)
        self._bit = inventory.bit
        self._output_bit = inventory.output_bit
        self._alike = inventory.alike_atomics()
        self._memories = [inventory.initial(number) for number in range(len(program.memories))]

    # Places: where something happened, seen from where the walk is.

    def _precedes(self, depth: int, node: int, *, entering: bool = False) -> bool:
        """Tell whether a place is before the one the walk is at."""
        if node < 0:
            return True
        current = self.frames[depth]
        if node == current:
            return entering or depth < self.depth
        return current >= 0 and self._before(node, current)

    def _precedes_statement(
        self, source: int | None, depth: int, node: int, *, entering: bool = False
    ) -> bool:
        """Tell whether a place is before a statement: where the walk is, or on an edge from a node."""
        if source is None or depth < self.depth or node < 0:
            return self._precedes(depth, node, entering=entering)
        return node == source or self._before(node, source)

    # Statements.

    def state(self, statement: Statement, source: int | None, node: int, *, entering: bool) -> None:
        """Apply a statement that stands at a node, at a boundary, or on an edge to the node."""
        mark = partial(self._mark, statement=statement, source=source, place=(self.depth, node, entering))
        for number, ranges in self.program.statement_ranges(statement.number, self.bound):
            cells = self._memories[number]
            for low, high in ranges:
                first, last = cells.span(low, high)
                self.spend(last - first)
                for position in range(first, last):
                    cell = cells.cells[position]
                    if cell.writes or cell.atomics:
                        cells.cells[position] = cell._replace(
                            writes=tuple(map(mark, cell.writes)),
                            atomics=tuple(map(mark, cell.atomics)),
                        )

    def _mark(
        self, write: Write, statement: Statement, source: int | None, place: tuple[int, int, bool]
    ) -> Write:
        """Return a write after a statement that names its bytes."""
        if write.mask == ALL_TYPES:
            return write
        if not self._precedes_statement(source, write.depth, write.node):
            return write
        usage = self.program.accesses[write.access].usage
        if not statement.usages >> usage & 1 and not (
            write.available
            or any(
                m.node != BOUNDARY and self._precedes_statement(source, m.depth, m.node, entering=m.entering)
                for m in write.marks
            )
        ):
            return write
        mask, marks = statement.types, []
        for mark in write.marks:
            if mark[:3] == place:
                mask |= mark.mask
            else:
                marks.append(mark)
        return write._replace(marks=(*marks, Mark(*place, mask)))

    # Accesses.

    def event(self, accesses: Sequence[int], depth: int, node: int) -> None:
        """Judge all accesses of one event, then let them take effect: reads come before writes."""
        found = [(access, self.program.footprints(access, self.bound)) for access in accesses]
        for access, footprints in found:
            for footprint in footprints:
                self._judge(access, footprint)
        for access, footprints in found:
            for footprint in footprints:
                self._apply(access, footprint, depth, node)

    def _judge(self, number: int, footprint: Footprint) -> None:
        memory = footprint.memory
        if not self.program.memories[memory].written and not self._needs_content(number):
            return
        cells = self._memories[memory]
        for low, high in footprint.touched:
            first, last = cells.span(low, high)
            self.spend(last - first)
            for position in range(first, last):
                cell = cells.cells[position]
                if self._races(number, cell, memory, cells.starts[position], cells.end(position)):
                    cells.cells[position] = cell._replace(racing=True)
                elif not cell.racing:
                    self._judge_content(number, cell, memory, cells.starts[position], cells.end(position))

    def _needs_content(self, number: int) -> bool:
        access = self.program.accesses[number]
        return access.reads and access.resource not in self.program.initialised

    def _races(self, number: int, cell: Cell, memory: int, low: int, high: int) -> bool:
        """Report what the access is not ordered with; tell whether any of it is more than an assumption."""
        accesses, precedes = self.program.accesses, self._precedes
        access = accesses[number]
        unordered = [w.access for w in cell.writes if not w.merged and not precedes(w.depth, w.node)]
        unordered += [
            w.access
            for w in self._unlike(access, cell, memory)
            if (access.atomic is None or access.atomic != accesses[w.access].atomic)
            and not w.merged
            and not precedes(w.depth, w.node)
        ]
        if access.writes and cell.reads is not None:
            unordered += [r.access for r in cell.reads if not precedes(r.depth, r.node)]
        for other in unordered:
            self.facts.race(other, number, memory, low, high)
        return any(frozenset((other, number)) not in self.program.asserted for other in unordered)

    def _unlike(self, access: Access, cell: Cell, memory: int) -> Iterable[Write]:
        """Return the atomic writes that an access may conflict with, or find clobbering."""
        return () if access.atomic is not None and access.atomic == self._alike[memory] else cell.atomics

    def _judge_content(self, number: int, cell: Cell, memory: int, low: int, high: int) -> None:
        """Judge what an access that races with nothing finds: visible, written, and by the right resource."""
        accesses, facts = self.program.accesses, self.facts
        access = accesses[number]
        written = (*cell.writes, *self._unlike(access, cell, memory))
        reaching = [w for w in written if self._precedes(w.depth, w.node)]
        if not self.program.carry_all:
            for write in reaching:
                same_atomic = access.atomic is not None and access.atomic == accesses[write.access].atomic
                if not same_atomic and not self._is_visible(write, access.needs):
                    facts.invisible(self._unseen(write, number), memory, low, high)
        if not access.reads:
            return
        bit = self._bit[access.resource]
        if not cell.touched & bit:
            facts.unwritten(number, memory, low, high)
        if cell.partial & bit:
            facts.uncovered(number, memory, low, high)
        starts_filled = access.resource in self.program.initialised
        for write in reaching:
            if write.access < 0 and starts_filled:
                continue  # the start fills all resources at once, and those it fills may share bytes
            if self._resource(write.access) != access.resource:
                facts.clobbered(write.access, number, memory, low, high, certain=not write.patched & bit)

    def _unseen(self, write: Write, access: int) -> Unseen:
        """Return what tells where a write was that is not visible to an access."""
        loop = self.frames[write.depth - 1] if write.node == BEFORE else -1
        return Unseen(
            write.access, access, loop, write.node if write.merged and loop < 0 else -1, write.merged
        )

    def _resource(self, access: int) -> int:
        return self.program.accesses[access].resource if access >= 0 else -1 - access

    def _apply(self, number: int, footprint: Footprint, depth: int, node: int) -> None:
        """Let an access take effect at a place."""
        if not self.program.memories[footprint.memory].written:
            return
        access, cells = self.program.accesses[number], self._memories[footprint.memory]
        self._touched.add(footprint.memory)
        self._serial += 1
        if not access.writes:
            self._read(number, cells, footprint.touched, depth, node)
            return
        if footprint.certain:
            self.written |= self._output_bit.get((access.resource, footprint.memory), 0)
        bit = self._bit[access.resource]
        write = Write(number, self._serial, depth, node)
        if number in self._asserted:
            self._write_apart(write._replace(covers=footprint.covered == footprint.touched), footprint, bit)
            return
        if footprint.covered != footprint.touched:
            for low, high in footprint.touched:
                first, last = cells.span(low, high)
                for position in range(first, last):
                    cells.cells[position] = self._add(cells.cells[position], write, bit, footprint.memory)
        write = write._replace(covers=True)
        for low, high in footprint.covered:
            first, last = cells.span(low, high)
            cover(cells, first, last, write, bit)

    def _write_apart(self, write: Write, footprint: Footprint, bit: int) -> None:
        """Let a write take effect of which some bytes are asserted to be others than they seem.

        An access that it never meets need not be ordered after it, and finds what was there before. So all
        that was there stays, and stays told apart.
        """
        cells = self._memories[footprint.memory]
        for low, high in footprint.touched:
            first, last = cells.span(low, high)
            for position in range(first, last):
                cell = cells.cells[position]
                covered = cell.covered | bit if write.covers else cell.covered
                cells.cells[position] = cell._replace(
                    writes=(*cell.writes, write),
                    covered=covered,
                    touched=cell.touched | bit,
                    partial=cell.partial | bit & ~covered,
                )

    def _read(self, number: int, cells: Cells, ranges: Ranges, depth: int, node: int) -> None:
        for low, high in ranges:
            first, last = cells.span(low, high)
            for position in range(first, last):
                cell = cells.cells[position]
                older = cell.reads
                while older is not None and self._precedes(older.depth, older.node):
                    older = older.older
                cells.cells[position] = cell._replace(reads=Reads(number, self._serial, depth, node, older))

    def _add(self, cell: Cell, write: Write, bit: int, memory: int) -> Cell:
        """Return the state after a write that keeps what was there.

        What is ordered before it stays ordered before everything after it. Unless it is atomic, whatever
        conflicts with the old has to be ordered after the new, so the old need not be told apart any more.
        """
        written = cell._replace(
            touched=cell.touched | bit, partial=cell.partial | bit & ~cell.covered, patched=cell.patched | bit
        )
        write = write._replace(patched=written.patched)
        atomic = self.program.accesses[write.access].atomic
        if atomic is not None and atomic == self._alike[memory]:
            return written._replace(atomics=and_also(cell.atomics, write))
        if atomic is not None:
            return written._replace(
                writes=tuple(w._replace(patched=w.patched | bit) for w in cell.writes),
                atomics=(*(w._replace(patched=w.patched | bit) for w in cell.atomics), write),
            )
        reads = cell.reads
        while reads is not None and self._precedes(reads.depth, reads.node):
            reads = reads.older
        place = write.depth, write.node
        return written._replace(
            writes=(*self._merge(cell.writes, place, bit), write),
            atomics=self._merge(cell.atomics, place, bit),
            reads=reads,
        )

    def _merge(self, writes: Iterable[Write], place: tuple[int, int], bit: int) -> tuple[Write, ...]:
        """Return writes, now patched through a resource; those before the walk move to it, equals as one."""
        kept: list[Write] = []
        merged: dict[object, Write] = {}
        for write in writes:
            if not self._precedes(write.depth, write.node):
                kept.append(write._replace(patched=write.patched | bit))
                continue
            patched = write.patched | bit
            available, mask = write.available, write.mask
            for mark in write.marks:
                if self._precedes(mark.depth, mark.node, entering=mark.entering):
                    available, mask = True, mask | mark.mask
            start = write.access if write.access < 0 else None
            usage = None if start is not None else self.program.accesses[write.access].usage
            key = start, self._resource(write.access), usage, write.covers, patched, available, mask
            if key not in merged:
                self._serial += 1
                merged[key] = Write(
                    write.access,
                    self._serial,
                    *place,
                    merged=True,
                    covers=write.covers,
                    patched=patched,
                    available=available,
                    mask=mask,
                )
        return (*kept, *merged.values())

    def _is_visible(self, write: Write, needs: int) -> bool:
        return bool(
            write.mask & needs
            or any(
                mark.mask & needs and self._precedes(mark.depth, mark.node, entering=mark.entering)
                for mark in write.marks
            )
        )

    # States.

    def cut(self, places: Iterable[Place]) -> dict[int, Cells]:
        """Go on with parts of memories only, and return the memories."""
        whole = {}
        for number, low, high in places:
            self.spend(MOVING)
            whole[number] = self._memories[number]
            self._memories[number] = whole[number].part(low, high)
        return whole

    def paste(self, whole: dict[int, Cells], parts: dict[int, Cells]) -> None:
        """Go on with memories again, of which parts have changed."""
        for number, cells in whole.items():
            cells.paste(parts[number])
            self._memories[number] = cells

    def snapshot(self, memories: Iterable[int]) -> dict[int, Cells]:
        """Return copies of the states of some memories."""
        found = {}
        for number in memories:
            self.spend(MOVING)
            found[number] = self._memories[number].copy()
        return found

    def current(self, memories: Iterable[int]) -> dict[int, Cells]:
        """Return the states of some memories themselves."""
        return {number: self._memories[number] for number in memories}

    def go_on_from(self, states: dict[int, Cells]) -> None:
        """Replace the states of some memories."""
        for number, cells in states.items():
            self._memories[number] = cells

    def end_iteration(self, memories: Iterable[int]) -> None:
        """Put everything that happened at the depth of the walk before what follows at that depth."""
        for number in memories:
            self.spend(MOVING * len(self._memories[number].cells))
            relocate(self._memories[number], self.depth, self.depth, BEFORE)

    def settle(self) -> None:
        """Forget what happened so far where it is before everything that follows, and nothing can tell.

        Nothing races with it; ordered means visible; and nothing else in the same memory can clobber it.
        """
        for number in self._touched:
            if len(self.program.memories[number].residents) == 1:
                settle(self._memories[number])
        self._touched.clear()

    # Resources.

    def forget(self, resource: int) -> None:
        """Take the content of a resource as gone: a span of its lifetime begins."""
        self._inventory.forget(resource, self._memories)

    def finish(self) -> Facts:
        """Judge the outputs at the end of the graph, and return everything that was found."""
        self._inventory.judge_outputs(self.facts, self._memories, self.written)
        self.facts.drop_racing(self.program.asserted)
        return self.facts

    def spend(self, steps: int) -> None:
        """Count steps.

        Raises:
            WorkExceededError: There are more than there may be.
        """
        self._work -= steps
        if self._work < 0:
            raise WorkExceededError(self._limit)
