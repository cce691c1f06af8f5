"""What a walk met: pairs of accesses with the bytes concerned, and bytes that were not initialised.

Accesses are numbers; a negative one is the write by which the start of the graph fills a resource. Ranges are
in the space of their memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from interlock.flow.ranges import subtracted, united

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Pair: TypeAlias = tuple[int, int]
"""An earlier and a later access."""
Ranges: TypeAlias = dict[int, set[tuple[int, int]]]
"""Ranges by memory."""


class Unseen(NamedTuple):
    """A write that is not visible to an access that conflicts with it.

    Attributes:
        write: The write.
        access: The access.
        loop: The repeat between whose iterations the two lie, or -1.
        merging: Where a later write was that kept what this one wrote, and took its place in the walk: its
            node, in the region of the access or one around it. -1 if there was none, or it was in an earlier
            iteration of the loop.
        is_merged: Whether there was such a write. Then the write itself may be older than the loop.
    """

    write: int
    access: int
    loop: int
    merging: int
    is_merged: bool


class Facts:
    """Everything a walk met.

    Attributes:
        races: Conflicting accesses that are not ordered.
        not_visible: Writes that are not visible to an access that conflicts with them.
        reads_before_write: Reads of bytes that nothing has written through their resource.
        reads_after_partial: Reads of bytes that only writes that do not cover have reached through their
            resource.
        clobbers: Writes that reach a read of another resource; whether that is certain.
        outputs_not_written: Outputs that some execution does not write.
        outputs_untouched: Bytes of outputs that some execution does not write.
        outputs_uncovered: Bytes of outputs that are written, but not covered.
        read_first: The accesses that read bytes before anything had written them, where that races too.
    """

    def __init__(self) -> None:
        self.races: dict[Pair, Ranges] = {}
        self.not_visible: dict[Unseen, Ranges] = {}
        self.reads_before_write: dict[int, Ranges] = {}
        self.reads_after_partial: dict[int, Ranges] = {}
        self.clobbers: dict[tuple[Pair, bool], Ranges] = {}
        self.outputs_not_written: set[int] = set()
        self.outputs_untouched: dict[int, Ranges] = {}
        self.outputs_uncovered: dict[int, Ranges] = {}
        self.read_first: frozenset[int] = frozenset()

    def race(self, first: int, second: int, memory: int, low: int, high: int) -> None:
        """Note that two conflicting accesses are not ordered."""
        self.races.setdefault((first, second), {}).setdefault(memory, set()).add((low, high))

    def invisible(self, unseen: Unseen, memory: int, low: int, high: int) -> None:
        """Note that a write is not visible to an access."""
        self.not_visible.setdefault(unseen, {}).setdefault(memory, set()).add((low, high))

    def unwritten(self, access: int, memory: int, low: int, high: int) -> None:
        """Note that a read finds bytes that nothing has written."""
        self.reads_before_write.setdefault(access, {}).setdefault(memory, set()).add((low, high))

    def uncovered(self, access: int, memory: int, low: int, high: int) -> None:
        """Note that a read finds bytes that may not have been written."""
        self.reads_after_partial.setdefault(access, {}).setdefault(memory, set()).add((low, high))

    def clobbered(self, write: int, access: int, memory: int, low: int, high: int, *, certain: bool) -> None:
        """Note that a read finds what was written through another resource."""
        self.clobbers.setdefault(((write, access), certain), {}).setdefault(memory, set()).add((low, high))

    def output_untouched(self, resource: int, memory: int, low: int, high: int) -> None:
        """Note that bytes of an output may stay unwritten."""
        self.outputs_untouched.setdefault(resource, {}).setdefault(memory, set()).add((low, high))

    def output_uncovered(self, resource: int, memory: int, low: int, high: int) -> None:
        """Note that bytes of an output are written, but perhaps not all of them."""
        self.outputs_uncovered.setdefault(resource, {}).setdefault(memory, set()).add((low, high))

    def drop_racing(self, asserted: frozenset[frozenset[int]]) -> None:
        """Drop what else was met on bytes that race: it depends on the order of the walk."""
        self.read_first = frozenset(self.reads_before_write)
        found = together(ranges for pair, ranges in self.races.items() if frozenset(pair) not in asserted)
        racing = {memory: united(ranges) for memory, ranges in found.items()}
        if racing:
            self.not_visible = _without(self.not_visible, racing)
            self.reads_before_write = _without(self.reads_before_write, racing)
            self.reads_after_partial = _without(self.reads_after_partial, racing)
            self.clobbers = _without(self.clobbers, racing)
            self.outputs_uncovered = _without(self.outputs_uncovered, racing)


def together(all_ranges: Iterable[Ranges]) -> Ranges:
    """Return the ranges of several facts as those of one."""
    found: Ranges = {}
    for by_memory in all_ranges:
        for memory, ranges in by_memory.items():
            found.setdefault(memory, set()).update(ranges)
    return found


Key = TypeVar("Key")


def _without(facts: dict[Key, Ranges], racing: Mapping[int, Sequence[tuple[int, int]]]) -> dict[Key, Ranges]:
    left: dict[Key, Ranges] = {}
    for key, by_memory in facts.items():
        for memory, ranges in by_memory.items():
            rest = {piece for found in ranges for piece in subtracted(found, racing.get(memory, ()))}
            if rest:
                left.setdefault(key, {})[memory] = rest
    return left
