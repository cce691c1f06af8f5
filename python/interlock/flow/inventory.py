"""What stands for resources in the states of memories: at the start, and of the outputs in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.flow.cells import BEFORE, Cells, Write
from interlock.flow.program import ALL_TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlock.flow.facts import Facts
    from interlock.flow.program import Program, Ranges


class Inventory:
    """Where resources are, and which bits stand for them.

    Attributes:
        bit: The bit of each resource in the cells of its memories.
        places: The memories of each resource, with its bit and its ranges there.
        output_bit: The bit of each output and memory in `Ledger.written`.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self.bit = {r: bit for memory in program.memories for r, (bit, _) in memory.residents.items()}
        self.places: dict[int, list[tuple[int, tuple[int, Ranges]]]] = {}
        for number, memory in enumerate(program.memories):
            for resource, place in memory.residents.items():
                self.places.setdefault(resource, []).append((number, place))
        outputs = [(r, number) for r in sorted(program.outputs) for number, _ in self.places.get(r, ())]
        self.output_bit = {place: 1 << i for i, place in enumerate(outputs)}

    def initial(self, number: int) -> Cells:
        """Return the state in which the start of the graph leaves a memory: it fills inputs and the like."""
        memory = self._program.memories[number]
        cells = Cells(memory.size)
        for resource, (bit, ranges) in memory.residents.items():
            if resource not in self._program.initialised:
                continue
            start = -1 - resource
            write = Write(start, start, 0, BEFORE, covers=True, available=True, mask=ALL_TYPES)
            for low, high in ranges:
                first, last = cells.span(low, high)
                for position in range(first, last):
                    cell = cells.cells[position]
                    cells.cells[position] = cell._replace(
                        writes=(*cell.writes, write), covered=cell.covered | bit, touched=cell.touched | bit
                    )
        return cells

    def forget(self, resource: int, memories: Sequence[Cells]) -> None:
        """Take the content of a resource as gone."""
        for number, (bit, ranges) in self.places[resource]:
            cells = memories[number]
            for low, high in ranges:
                first, last = cells.span(low, high)
                for position in range(first, last):
                    cell = cells.cells[position]
                    cells.cells[position] = cell._replace(
                        covered=cell.covered & ~bit, touched=cell.touched & ~bit, partial=cell.partial & ~bit
                    )

    def judge_outputs(self, facts: Facts, memories: Sequence[Cells], written: int) -> None:
        """Note the outputs that some execution does not write, not everywhere, or does not cover."""
        for resource in sorted(self._program.outputs):
            places = [place for place in self.places[resource] if place[1][1]]
            if all(written & self.output_bit[resource, number] for number, _ in places):
                for number, (bit, ranges) in places:
                    _judge_output(facts, resource, number, memories[number], bit, ranges)
            else:
                facts.outputs_not_written.add(resource)

    def alike_atomics(self) -> list[object]:
        """Return what all atomic accesses of each memory have in common, where it holds one resource only.

        Then they need not be compared with each other: they do not conflict, and clobber nothing.
        """
        keys: list[set[object]] = [set() for _ in self._program.memories]
        for access in self._program.accesses:
            if access.atomic is not None:
                for number, _ in self.places[access.resource]:
                    keys[number].add(access.atomic)
        return [
            next(iter(found)) if len(found) == 1 and len(memory.residents) == 1 else None
            for found, memory in zip(keys, self._program.memories, strict=True)
        ]


def _judge_output(facts: Facts, resource: int, number: int, cells: Cells, bit: int, ranges: Ranges) -> None:
    """Note the bytes of an output that some execution does not write, or does not cover."""
    for low, high in ranges:
        first, last = cells.span(low, high)
        for position in range(first, last):
            cell = cells.cells[position]
            if not cell.touched & bit:
                facts.output_untouched(resource, number, cells.starts[position], cells.end(position))
            if cell.partial & bit:
                facts.output_uncovered(resource, number, cells.starts[position], cells.end(position))
