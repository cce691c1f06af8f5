"""Spaces of bytes: how the patterns of one memory become ranges of numbers.

The walk only knows ranges of integers. Where patterns are constant, the integers are bytes. Where rows of
bytes recur, one row stands for all that are treated alike. Where extents depend on parameters, few values are
tried one by one; otherwise the ends of the patterns, if their order is always the same, stand for themselves;
and only what is left is judged by bounds, which widens what is touched and narrows what is covered.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol

from interlock.flow.pattern import EXPANDED_RUNS, Pattern, Runs, runs_of, spelled_out
from interlock.flow.ranges import united
from interlock.graph.extents import Affine, Domains, Interval, add, bounds, scale, subtract

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from interlock.flow.program import Ranges


class Bytes(NamedTuple):
    """Ranges that are touched, and those of them that are covered if the access covers.

    ``certain`` says that at least one byte is touched for all values of the parameters.
    """

    touched: Ranges
    covered: Ranges
    certain: bool = True


NOTHING = Bytes((), (), certain=False)


class Span(NamedTuple):
    """Bytes of a memory, for people."""

    offset: int
    size: int
    upper_bound: bool


class Space(Protocol):
    """The integers that stand for the bytes of one memory."""

    size: int

    def ranges(self, pattern: Pattern, bound: Mapping[int, int]) -> Bytes:
        """Return the ranges of a pattern, given the numbers of the iterations around it."""

    def span(self, low: int, high: int) -> Span:
        """Return the bytes that a range stands for."""


class ByteSpace:
    """Bytes as they are, for given values of the parameters."""

    def __init__(self, size: int, values: Mapping[int, int]) -> None:
        self.size = max(size, 1)
        self._values = values
        self._known: dict[Pattern, Bytes] = {}

    def ranges(self, pattern: Pattern, bound: Mapping[int, int]) -> Bytes:
        """Return the ranges of a pattern, given the numbers of the iterations around it."""
        if bound and not pattern.parameters.isdisjoint(bound):
            return self._ranges(pattern, {**self._values, **bound})
        known = self._known.get(pattern)
        if known is None:
            known = self._known[pattern] = self._ranges(pattern, self._values)
        return known

    def _ranges(self, pattern: Pattern, values: Mapping[int, int]) -> Bytes:
        runs = runs_of(pattern, values)
        if runs is None:
            return NOTHING
        if runs.number > EXPANDED_RUNS:
            return Bytes(_clipped(((runs.start, runs.end),), self.size), ())
        exact = _clipped(spelled_out(runs), self.size)
        return Bytes(exact, exact)

    def span(self, low: int, high: int) -> Span:
        """Return the bytes that a range stands for."""
        return Span(low, high - low, upper_bound=False)


class RowSpace:
    """Rows of bytes, of which one stands for all that every pattern treats alike."""

    def __init__(self, size: int, values: Mapping[int, int], patterns: Sequence[Pattern], pitch: int) -> None:
        self._values = values
        self._pitch = pitch
        self._rows = -(-size // pitch)
        cuts = {0, self._rows}
        for pattern in patterns:
            runs = runs_of(pattern, values)
            if runs is not None:
                cuts.update(self._cuts(runs))
        self._first = sorted(cut for cut in cuts if 0 <= cut <= self._rows)
        self.size = max((len(self._first) - 1) * pitch, 1)
        self._known: dict[Pattern, Bytes] = {}

    def _is_rows(self, runs: Runs) -> bool:
        """Tell whether a pattern is the same part of consecutive rows."""
        inner = Runs(runs.start % self._pitch, runs.axes[1:], runs.run)
        return bool(runs.axes) and runs.axes[0][0] == self._pitch and inner.end <= self._pitch

    def _cuts(self, runs: Runs) -> set[int]:
        if self._is_rows(runs):
            first = runs.start // self._pitch
            return {first, first + runs.axes[0][1]}
        ends = spelled_out(runs) if runs.number <= EXPANDED_RUNS else ((runs.start, runs.end),)
        return {end // self._pitch + more for ends_of in ends for end in ends_of for more in (0, 1)}

    def ranges(self, pattern: Pattern, bound: Mapping[int, int]) -> Bytes:
        """Return the ranges of a pattern; iterations are none of its parameters."""
        del bound
        known = self._known.get(pattern)
        if known is None:
            known = self._known[pattern] = self._ranges(pattern)
        return known

    def _ranges(self, pattern: Pattern) -> Bytes:
        runs = runs_of(pattern, self._values)
        if runs is None:
            return NOTHING
        found: list[tuple[int, int]] = []
        if self._is_rows(runs):
            first, count = runs.start // self._pitch, runs.axes[0][1]
            inner = spelled_out(Runs(runs.start % self._pitch, runs.axes[1:], runs.run))
            for number, (row, after) in enumerate(pairwise(self._first)):
                if first <= row and after <= first + count:
                    found += [
                        (number * self._pitch + low, number * self._pitch + high) for low, high in inner
                    ]
            exact = _clipped(tuple(united(found)), self.size)
            return Bytes(exact, exact)
        spelled = runs.number <= EXPANDED_RUNS
        for low, high in spelled_out(runs) if spelled else ((runs.start, runs.end),):
            number = bisect_right(self._first, max(low, 0) // self._pitch) - 1
            while number + 1 < len(self._first) and self._first[number] * self._pitch < high:
                row, after = self._first[number], self._first[number + 1]
                start, end = max(low, row * self._pitch), min(high, after * self._pitch)
                if start < end:
                    base = (number - row) * self._pitch
                    found.append((start + base, min(end + base, (number + 1) * self._pitch)))
                number += 1
        ranges = _clipped(tuple(united(found)), self.size)
        return Bytes(ranges, ranges if spelled else ())

    def span(self, low: int, high: int) -> Span:
        """Return the bytes that a range stands for: from its first row to its last."""
        pitch = self._pitch
        first, last = low // pitch, (high - 1) // pitch
        offset = self._first[first] * pitch + low % pitch
        end = (self._first[last + 1] - 1) * pitch + (high - 1) % pitch + 1
        return Span(offset, end - offset, upper_bound=end - offset != high - low)


class RankSpace:
    """The ends of the patterns in an order that they have for some or for all values of the parameters.

    Ends that coincide stand together.
    """

    def __init__(self, order: Sequence[Sequence[Affine]], domains: Domains) -> None:
        self._domains = domains
        self._order = order
        self._rank = {end: rank for rank, together in enumerate(order) for end in together}
        self.size = max(len(order) - 1, 1)

    def ranges(self, pattern: Pattern, bound: Mapping[int, int]) -> Bytes:
        """Return the ranges of a pattern; iterations are none of its parameters."""
        del bound
        first, last = ends_of(pattern)
        low, high = self._rank[first], self._rank[last]
        exact = ((low, high),) if low < high else ()
        return Bytes(exact, exact, certain=low < high)

    def span(self, low: int, high: int) -> Span:
        """Return the bytes that a range may stand for."""
        firsts, lasts = self._order[low], self._order[high]
        offset = max(bounds(end, self._domains).low for end in firsts)
        end = min(bounds(end, self._domains).high for end in lasts)
        exact = any(not first.terms for first in firsts) and any(not last.terms for last in lasts)
        return Span(offset, max(end - offset, 0), upper_bound=not exact)


class BoundSpace:
    """Bytes judged by the bounds of what the patterns depend on."""

    def __init__(self, size: int, domains: Domains) -> None:
        self.size = max(size, 1)
        self._domains = domains

    def ranges(self, pattern: Pattern, bound: Mapping[int, int]) -> Bytes:
        """Return what a pattern touches for some values, and what it covers for all."""
        pattern = bind(pattern, bound)
        start, least, greatest = self._hull(pattern)
        touched = _clipped(((start.low, greatest),), self.size) if start.low < greatest else ()
        counts = (*pattern.factors, *(count for _, count in pattern.axes))
        certain = all(bounds(count, self._domains).low > 0 for count in counts)
        if pattern.axes or start.high >= least:
            return Bytes(touched, (), certain)
        return Bytes(touched, _clipped(((start.high, least),), self.size), certain)

    def _hull(self, pattern: Pattern) -> tuple[Interval, int, int]:
        """Return the bounds of the first byte, and the least and the greatest end."""
        start = bounds(pattern.start, self._domains)
        if not pattern.axes and len(pattern.factors) == 1 and pattern.bits % 8 == 0:
            end = bounds(ends_of(pattern)[1], self._domains)
            return start, end.low, end.high
        shortest = longest = 1
        for factor in pattern.factors:
            few, many = bounds(factor, self._domains)
            shortest, longest = shortest * max(few, 0), longest * max(many, 0)
        low, high = start.low, start.high
        for stride, count in pattern.axes:
            reach = stride * max(bounds(count, self._domains).high - 1, 0)
            low, high = low + min(reach, 0), high + max(reach, 0)
        least = start.low + -(-shortest * pattern.bits // 8)
        return Interval(low, start.high), least, high + -(-longest * pattern.bits // 8)

    def span(self, low: int, high: int) -> Span:
        """Return the bytes that a range stands for, at most."""
        return Span(low, high - low, upper_bound=True)


def bind(pattern: Pattern, bound: Mapping[int, int]) -> Pattern:
    """Return a pattern with the numbers of iterations put in."""
    if not bound or pattern.parameters.isdisjoint(bound):
        return pattern

    def put(value: Affine) -> Affine:
        constant = value.constant + sum(factor * bound[p] for p, factor in value.terms if p in bound)
        return Affine(constant, tuple((p, factor) for p, factor in value.terms if p not in bound))

    axes = tuple((stride, put(count)) for stride, count in pattern.axes)
    return Pattern(put(pattern.start), axes, tuple(map(put, pattern.factors)), pattern.bits)


def ends_of(pattern: Pattern) -> tuple[Affine, Affine]:
    """Return both ends of a pattern that is one run of whole bytes and one factor."""
    (factor,) = pattern.factors
    return pattern.start, add(pattern.start, scale(factor, pattern.bits // 8))


def ends_of_all(patterns: Iterable[Pattern]) -> list[Affine] | None:
    """Return the ends of patterns, or None if one is not a single run of whole bytes."""
    ends: set[Affine] = set()
    for pattern in patterns:
        if pattern.axes or len(pattern.factors) != 1 or pattern.bits % 8:
            return None
        ends.update(ends_of(pattern))
    return sorted(ends)


def constant_order(ends: Sequence[Affine], domains: Domains) -> list[list[Affine]] | None:
    """Return the order that ends have for all values, or None if there are several."""
    ordered = sorted(ends, key=lambda end: (sum(bounds(end, domains)), end))
    order: list[list[Affine]] = []
    for end in ordered:
        difference = subtract(end, order[-1][-1]) if order else None
        if difference == Affine(0):
            order[-1].append(end)
        elif difference is None or bounds(difference, domains).low > 0:
            order.append([end])
        else:
            return None
    return order


def _clipped(ranges: Ranges, size: int) -> Ranges:
    if not ranges or (ranges[0][0] >= 0 and ranges[-1][1] <= size):
        return ranges
    return tuple((max(low, 0), min(high, size)) for low, high in ranges if low < size and high > 0)
