"""The state of a range of bytes: the writes that reach it, the reads since, and what was initialised.

States are immutable and shared: splitting a range copies two references, and an arm of a conditional may go
on from a state that the other arm needs too.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BEFORE = -1
"""The place of what was before all in the region at a depth: at the start, or in an earlier iteration."""
BOUNDARY = -2
"""The place of a statement at a boundary between iterations while its siblings are still applied."""


class Mark(NamedTuple):
    """A visibility statement seen from a write: after its point the write is available, visible to ``mask``.

    The point is a node at a depth of nesting. ``entering`` says that it lies on an edge to that node, so that
    what the node itself does comes after it.
    """

    depth: int
    node: int
    entering: bool
    mask: int


class Write(NamedTuple):
    """A write that reaches some bytes.

    Attributes:
        access: The access.
        serial: Identifies the event, so that arms that both kept it know it again.
        depth: The depth of nesting of its place.
        node: The node of that depth at which it happened, or BEFORE.
        merged: Whether it stands for older writes whose order was checked already.
        covers: Whether it overwrites these bytes for certain.
        patched: The resources (as bits) through which, wherever it reaches, a write that does not cover
            reaches too.
        available: Whether it is available to statements after its place.
        mask: The types of access it is visible to after its place.
        marks: The statements that named it since.
    """

    access: int
    serial: int
    depth: int
    node: int
    merged: bool = False
    covers: bool = False
    patched: int = 0
    available: bool = False
    mask: int = 0
    marks: tuple[Mark, ...] = ()


class Reads:
    """Reads since the last covering write, newest first: a linked list, so that arms share what is older."""

    __slots__ = ("access", "count", "depth", "node", "older", "serial")

    def __init__(self, access: int, serial: int, depth: int, node: int, older: Reads | None) -> None:
        self.access = access
        self.serial = serial
        self.depth = depth
        self.node = node
        self.older = older
        self.count: int = older.count + 1 if older else 1

    def __iter__(self) -> Iterator[Reads]:
        entry: Reads | None = self
        while entry is not None:
            yield entry
            entry = entry.older


class Writes:
    """Writes that only ever become more: appending copies nothing, and leaves shorter ones alone."""

    __slots__ = ("_items", "_length")

    def __init__(self, items: list[Write], length: int) -> None:
        self._items = items
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Write]:
        return islice(self._items, self._length)

    def and_also(self, write: Write) -> Writes:
        """Return these and one more."""
        items = self._items
        if len(items) > self._length:
            items = items[: self._length]
        items.append(write)
        return Writes(items, self._length + 1)


def and_also(writes: tuple[Write, ...] | Writes, write: Write) -> Writes:
    """Return some writes and one more."""
    if isinstance(writes, Writes):
        return writes.and_also(write)
    return Writes([*writes, write], len(writes) + 1)


class Cell(NamedTuple):
    """The state of a range of bytes.

    Attributes:
        writes: The writes that reach it and are not atomic.
        atomics: The atomic writes that reach it.
        reads: The reads since.
        covered: The resources (as bits) through which every way to here overwrote it for certain.
        touched: The resources through which every way to here wrote it, at least in part.
        partial: The resources through which some way to here wrote it, but perhaps left it as it was.
        patched: The resources through which, by every way to here, a write that does not cover reaches.
        racing: Whether two accesses of it are not ordered; then nothing else is said about it.
    """

    writes: tuple[Write, ...]
    atomics: tuple[Write, ...] | Writes
    reads: Reads | None
    covered: int
    touched: int
    partial: int
    patched: int
    racing: bool


EMPTY = Cell((), (), None, 0, 0, 0, 0, racing=False)


class Cells:
    """The state of one memory or of a part of one: ranges up to ``size``, each with a cell."""

    __slots__ = ("cells", "size", "starts")

    def __init__(self, size: int, cell: Cell = EMPTY) -> None:
        self.size = size
        self.starts = [0]
        self.cells = [cell]

    def copy(self) -> Cells:
        """Return a copy that changes apart from this one."""
        twin = Cells.__new__(Cells)
        twin.size, twin.starts, twin.cells = self.size, self.starts.copy(), self.cells.copy()
        return twin

    def part(self, low: int, high: int) -> Cells:
        """Return the state from ``low`` up to ``high``, which changes apart from this one."""
        first, last = self.span(low, high)
        part = Cells.__new__(Cells)
        part.size, part.starts, part.cells = high, self.starts[first:last], self.cells[first:last]
        return part

    def paste(self, part: Cells) -> None:
        """Replace the state of a part."""
        first, last = self.span(part.starts[0], part.size)
        self.starts[first:last], self.cells[first:last] = part.starts, part.cells

    def span(self, low: int, high: int) -> tuple[int, int]:
        """Split at both ends of a range that is not empty, and return the positions of its cells."""
        starts = self.starts
        first = bisect_left(starts, low)
        if first == len(starts) or starts[first] != low:
            starts.insert(first, low)
            self.cells.insert(first, self.cells[first - 1])
        last = bisect_left(starts, high, first)
        if last == len(starts):
            if high < self.size:
                starts.append(high)
                self.cells.append(self.cells[-1])
        elif starts[last] != high:
            starts.insert(last, high)
            self.cells.insert(last, self.cells[last - 1])
        return first, last

    def end(self, position: int) -> int:
        """Return where the range at a position ends."""
        return self.starts[position + 1] if position + 1 < len(self.starts) else self.size

    def fill(self, first: int, last: int, cell: Cell) -> None:
        """Give the cells at the positions from ``first`` up to ``last`` one state."""
        self.cells[first] = cell
        del self.cells[first + 1 : last], self.starts[first + 1 : last]

    def rewrite(self, change: Callable[[Cell], Cell]) -> None:
        """Replace every cell, equal ones once."""
        seen: dict[int, Cell] = {}
        cells = self.cells
        for position, cell in enumerate(cells):
            key = id(cell)
            new = seen.get(key)
            if new is None:
                new = seen[key] = change(cell)
            cells[position] = new


def join(left: Cells, right: Cells) -> Cells:
    """Return the state after one of two ways that both end here."""
    joined = Cells.__new__(Cells)
    joined.size = left.size
    joined.starts, joined.cells = [], []
    seen: dict[tuple[int, int], Cell] = {}
    i = j = 0
    low = left.starts[0]
    while low < left.size or not joined.starts:
        pair = left.cells[i], right.cells[j]
        key = id(pair[0]), id(pair[1])
        cell = seen.get(key)
        if cell is None:
            cell = seen[key] = join_cells(*pair)
        joined.starts.append(low)
        joined.cells.append(cell)
        left_end, right_end = left.end(i), right.end(j)
        low = min(left_end, right_end)
        i += left_end == low
        j += right_end == low
    return joined


def join_cells(left: Cell, right: Cell) -> Cell:
    """Return the state of bytes after one of two ways: what either let through, what both made sure of."""
    if left is right:
        return left
    return Cell(
        _join_writes(left.writes, right.writes),
        _join_writes(left.atomics, right.atomics),
        _join_reads(left.reads, right.reads),
        left.covered & right.covered,
        left.touched & right.touched,
        left.partial | right.partial,
        left.patched & right.patched,
        left.racing or right.racing,
    )


def _join_writes(left: tuple[Write, ...] | Writes, right: tuple[Write, ...] | Writes) -> tuple[Write, ...]:
    if left is right or not right:
        return tuple(left)
    found = {write.serial: write for write in left}
    for write in right:
        twin = found.get(write.serial)
        found[write.serial] = write if twin is None or twin is write else _join_write(twin, write)
    return tuple(found.values())


def _join_write(left: Write, right: Write) -> Write:
    """Return a write that both ways kept: available and visible as far as both made it so."""
    other = {mark[:3]: mark.mask for mark in right.marks}
    marks = []
    for mark in left.marks:
        mask = other.get(mark[:3])
        if mask is not None:
            marks.append(mark._replace(mask=mark.mask & mask))
    return left._replace(
        patched=left.patched & right.patched,
        available=left.available and right.available,
        mask=left.mask & right.mask,
        marks=tuple(marks),
    )


def _join_reads(left: Reads | None, right: Reads | None) -> Reads | None:
    """Return the reads of both ways. What is older than the ways themselves they share, entry for entry."""
    mine: list[Reads] = []
    other: list[Reads] = []
    one, two = left, right
    while one is not two:
        if two is None or (one is not None and one.count >= two.count):
            assert one is not None, "the lists differ, so one of them has an entry left"
            mine.append(one)
            one = one.older
        else:
            other.append(two)
            two = two.older
    known = {entry.serial for entry in mine}
    joined = left
    for entry in reversed(other):
        if entry.serial not in known:
            joined = Reads(entry.access, entry.serial, entry.depth, entry.node, joined)
    return joined
