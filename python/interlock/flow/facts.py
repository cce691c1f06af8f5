"""What a walk met: pairs of accesses with the bytes concerned, and bytes that were not initialised.

Accesses are numbers; a negative one is the write by which the start of the graph fills a resource. Ranges are
in the space of their memory.
"""

from __future__ import annotations

from typing import TypeAlias

Pair: TypeAlias = tuple[int, int]
"""An earlier and a later access."""
Ranges: TypeAlias = dict[int, set[tuple[int, int]]]
"""Ranges by memory."""


MERGED = -2
"""In place of a repeat: the write was merged with others, and in which iteration it happened is not kept."""


class Facts:
    """Everything a walk met.

    Attributes:
        races: Conflicting accesses that are not ordered.
        not_visible: Writes that are not visible to an access that conflicts with them; the third number is
            the repeat between whose iterations they lie, or -1.
        reads_before_write: Reads of bytes that nothing has written through their resource.
        reads_after_partial: Reads of bytes that only writes that do not cover have reached through their
            resource.
        clobbers: Writes that reach a read of another resource; whether that is certain.
        outputs_not_written: Outputs that some execution does not write.
        outputs_untouched: Bytes of outputs that some execution does not write.
        outputs_uncovered: Bytes of outputs that are written, but not covered.
        effective: The statements that made a write available or visible.
    """

    def __init__(self) -> None:
        self.races: dict[Pair, Ranges] = {}
        self.not_visible: dict[tuple[int, int, int], Ranges] = {}
        self.reads_before_write: dict[int, Ranges] = {}
        self.reads_after_partial: dict[int, Ranges] = {}
        self.clobbers: dict[tuple[Pair, bool], Ranges] = {}
        self.outputs_not_written: set[int] = set()
        self.outputs_untouched: dict[int, Ranges] = {}
        self.outputs_uncovered: dict[int, Ranges] = {}
        self.effective: set[int] = set()

    def race(self, first: int, second: int, memory: int, low: int, high: int) -> None:
        """Note that two conflicting accesses are not ordered."""
        self.races.setdefault((first, second), {}).setdefault(memory, set()).add((low, high))

    def invisible(self, where: tuple[int, int, int], memory: int, low: int, high: int) -> None:
        """Note that a write is not visible to an access; ``where`` is a key of ``not_visible``."""
        self.not_visible.setdefault(where, {}).setdefault(memory, set()).add((low, high))

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
