"""Changes of the state of many bytes at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.flow.cells import Cell, Cells, Mark, Reads, Write

if TYPE_CHECKING:
    from collections.abc import Iterable


def cover(cells: Cells, first: int, last: int, write: Write, bit: int) -> None:
    """Let a covering write take effect: nothing older reaches its bytes any more."""
    writes = (write,)
    seen: dict[tuple[int, int, int, int, bool], Cell] = {}
    for position in range(first, last):
        cell = cells.cells[position]
        key = cell.covered | bit, cell.touched | bit, cell.partial & ~bit, 0, cell.racing
        if key not in seen:
            seen[key] = Cell(writes, (), None, *key)
        cells.cells[position] = seen[key]
    if len(seen) == 1:
        cells.fill(first, last, cells.cells[first])


def settle(cells: Cells) -> None:
    """Keep nothing but what was initialised, and join neighbours that are alike."""
    starts: list[int] = []
    settled: list[Cell] = []
    for start, cell in zip(cells.starts, cells.cells, strict=True):
        new = Cell((), (), None, cell.covered, cell.touched, cell.partial, 0, racing=cell.racing)
        if not settled or settled[-1] != new:
            starts.append(start)
            settled.append(new)
    cells.starts, cells.cells = starts, settled


def relocate(cells: Cells, depth: int, to_depth: int, to_node: int) -> None:
    """Move everything at a depth to one place."""

    def moved(write: Write) -> Write:
        place = (to_depth, to_node) if write.depth == depth else (write.depth, write.node)
        mask, available = write.mask, write.available
        marks: dict[tuple[int, int, bool], int] = {}
        for mark in write.marks:
            at = (to_depth, to_node, False) if mark.depth == depth else mark[:3]
            if at == (*place, False):
                mask, available = mask | mark.mask, True
            else:
                marks[at] = marks.get(at, 0) | mark.mask
        return write._replace(
            depth=place[0],
            node=place[1],
            available=available,
            mask=mask,
            marks=tuple(Mark(*at, types) for at, types in marks.items()),
        )

    def change(cell: Cell) -> Cell:
        return cell._replace(
            writes=_distinct(map(moved, cell.writes)),
            atomics=_distinct(map(moved, cell.atomics)),
            reads=_relocate_reads(cell.reads, depth, to_depth, to_node),
        )

    cells.rewrite(change)


def _relocate_reads(reads: Reads | None, depth: int, to_depth: int, to_node: int) -> Reads | None:
    """Return reads with those at a depth moved; what is older than the last of those stays shared."""
    newer, last = [], 0
    for entry in reads or ():
        newer.append(entry)
        if entry.depth == depth:
            last = len(newer)
    if not last:
        return reads
    moved = newer[last - 1].older
    known: set[tuple[int, int, int]] = set()
    for entry in reversed(newer[:last]):
        place = (to_depth, to_node) if entry.depth == depth else (entry.depth, entry.node)
        if (entry.access, *place) not in known:
            known.add((entry.access, *place))
            moved = Reads(entry.access, entry.serial, *place, moved)
    return moved


def _distinct(writes: Iterable[Write]) -> tuple[Write, ...]:
    """Return writes without those that differ in nothing but the event, as iterations bring forth."""
    found: dict[object, Write] = {}
    for write in writes:
        found.setdefault((write.access, *write[2:]), write)
    return tuple(found.values())
