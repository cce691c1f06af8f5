"""The bytes that an access names, as a pattern: runs of bytes at regular distances, in terms of parameters.

A pattern with all parameters given becomes ranges. Everything that depends on parameters is decided by the
spaces (`interlock.flow.space`), which choose how to give them values.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, NamedTuple

from interlock.flow.ranges import united

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlock.flow.program import Ranges
    from interlock.graph.extents import Affine

EXPANDED_RUNS = 4096
"""The most runs that one pattern is spelled out as."""


class Pattern(NamedTuple):
    """Runs of bytes in a memory.

    Attributes:
        start: The first byte of the first element.
        axes: Strides in bytes with the numbers of elements along them.
        factors: Their product is the number of units of a run.
        bits: The bits of a unit; a run takes whole bytes.
    """

    start: Affine
    axes: tuple[tuple[int, Affine], ...]
    factors: tuple[Affine, ...]
    bits: int

    @property
    def parameters(self) -> frozenset[int]:
        """The parameters in it."""
        values = (self.start, *self.factors, *(count for _, count in self.axes))
        return frozenset(parameter for value in values for parameter, _ in value.terms)


class Runs(NamedTuple):
    """A pattern with values for its parameters.

    Attributes:
        start: The first byte.
        axes: Strides in bytes with the numbers of runs along them, by descending stride; no runs touch.
        run: The bytes of a run.
    """

    start: int
    axes: tuple[tuple[int, int], ...]
    run: int

    @property
    def end(self) -> int:
        """The byte after the last."""
        return self.start + sum(stride * (count - 1) for stride, count in self.axes) + self.run

    @property
    def number(self) -> int:
        """The number of runs."""
        return prod(count for _, count in self.axes)


def value_of(value: Affine, values: Mapping[int, int]) -> int:
    """Return an extent for given parameters."""
    return value.constant + sum(factor * values[parameter] for parameter, factor in value.terms)


def runs_of(pattern: Pattern, values: Mapping[int, int]) -> Runs | None:
    """Return a pattern for given parameters, or None if it has no bytes."""
    start, units = value_of(pattern.start, values), 1
    for factor in pattern.factors:
        units *= max(value_of(factor, values), 0)
    run = -(-units * pattern.bits // 8)
    axes = []
    for stride, extent in pattern.axes:
        count = value_of(extent, values)
        if count <= 0:
            return None
        if stride < 0:
            start += stride * (count - 1)
        if stride and count > 1:
            axes.append((abs(stride), count))
    if run == 0:
        return None
    axes.sort()
    apart: list[tuple[int, int]] = []
    for stride, count in axes:
        if not apart and stride <= run:
            run += stride * (count - 1)
        else:
            apart.append((stride, count))
    return Runs(start, tuple(reversed(apart)), run)


def spelled_out(runs: Runs) -> Ranges:
    """Return every run as a range, those that touch as one."""
    starts = [runs.start]
    for stride, count in runs.axes:
        starts = [start + stride * index for start in starts for index in range(count)]
    return tuple(united((start, start + runs.run) for start in starts))
