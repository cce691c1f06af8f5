"""Whether two lifetimes are apart."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from interlock.graph.nodes import NodeKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlock.graph.lifetimes import Lifetime, Span
    from interlock.graph.nodes import NodeTable

Before = Callable[[int, int], bool]
"""Tells whether a node happens before another one of the same region."""


class Apart:
    """Compares lifetimes in the innermost region that contains both homes."""

    def __init__(self, nodes: NodeTable, before: Before) -> None:
        self._nodes = nodes
        self._before = before

    def lifetimes_apart(
        self, one: Lifetime, other: Lifetime, *, arms: bool, handed_over: Callable[[int], bool]
    ) -> bool:
        """Tell whether two resources are never alive at once.

        With ``arms``, an end and a begin in different arms of a conditional are apart. ``handed_over`` tells
        whether one resource may end at a node where the other begins.
        """
        if not one.spans or not other.spans:
            return False
        region = self._common_region(one.home, other.home)
        return all(
            self._over_before(mine.ends, yours.begins, region, arms=arms, handed_over=handed_over)
            or self._over_before(yours.ends, mine.begins, region, arms=arms, handed_over=handed_over)
            for mine in one.spans
            for yours in other.spans
        )

    def take_turns(self, lifetimes: Sequence[Lifetime], position: Sequence[int]) -> bool:
        """Tell whether lifetimes, all of one home, follow each other strictly.

        Each has one span, of which every begin is followed by an end. Then one that is over before the next
        begins is over before all that follow, so neighbours tell all. ``position`` is the place of each node
        in an order that dependencies allow.
        """
        home = lifetimes[0].home
        spans = []
        for lifetime in lifetimes:
            if lifetime.home != home or len(lifetime.spans) != 1:
                return False
            begins, ends = (
                [self._nodes.lifted(node, home) for node in members]
                for members in (lifetime.spans[0].begins, lifetime.spans[0].ends)
            )
            if not begins or not all(
                any(begin == end or self._before(begin, end) for end in ends) for begin in begins
            ):
                return False
            spans.append((begins, ends))
        spans.sort(key=lambda span: position[span[0][0]])
        return all(
            end != begin and self._before(end, begin)
            for (_, ends), (begins, _) in pairwise(spans)
            for end in ends
            for begin in begins
        )

    def strictly_apart(self, one: Span, other: Span, region: int) -> bool:
        """Tell whether one of two spans strictly ends before the other begins."""

        def never(_: int) -> bool:
            return False

        return self._over_before(
            one.ends, other.begins, region, arms=False, handed_over=never
        ) or self._over_before(other.ends, one.begins, region, arms=False, handed_over=never)

    def _over_before(
        self,
        ends: tuple[int, ...],
        begins: tuple[int, ...],
        region: int,
        *,
        arms: bool,
        handed_over: Callable[[int], bool],
    ) -> bool:
        """Tell whether every end is over before every begin."""
        if not ends or not begins:
            return False
        nodes = self._nodes
        for end in ends:
            for begin in begins:
                last, first = nodes.lifted(end, region), nodes.lifted(begin, region)
                if last != first:
                    apart = self._before(last, first)
                elif end == begin:
                    apart = handed_over(end)
                else:
                    apart = arms and self._in_different_arms(end, begin, last)
                if not apart:
                    return False
        return True

    def _in_different_arms(self, one: int, other: int, control: int) -> bool:
        """Tell whether two nodes exclude each other within one run of a control node that holds both."""
        nodes = self._nodes
        while nodes.kind[control] == NodeKind.CONDITIONAL:
            holders = [
                (nodes.lifted(one, arm), nodes.lifted(other, arm))
                for arm in nodes.regions_of.get(control, ())
            ]
            both = next((pair for pair in holders if min(pair) >= 0), None)
            if both is None:
                return control not in (one, other)
            if both[0] != both[1]:
                return False
            control = both[0]
        return False

    def _common_region(self, one: int, other: int) -> int:
        around = self._outwards(other)
        return next(region for region in self._outwards(one) if region in around)

    def _outwards(self, region: int) -> list[int]:
        nodes, found = self._nodes, [region]
        while nodes.region_owner[found[-1]] >= 0:
            found.append(nodes.region[nodes.region_owner[found[-1]]])
        return found

    def covers(self, lifetime: Lifetime, node: int) -> bool:
        """Tell whether a node, however deep, is between some begin and some end of one span, or at one."""
        return any(
            self.begun(lifetime, span, node) and self.not_over(lifetime, span, node)
            for span in lifetime.spans
        )

    def begun(self, lifetime: Lifetime, span: Span, node: int) -> bool:
        """Tell whether a node in the home of a lifetime is at some begin of a span, or after it."""
        place, before = self._nodes.lifted(node, lifetime.home), self._before
        begins = [self._nodes.lifted(begin, lifetime.home) for begin in span.begins]
        return place >= 0 and (not begins or any(begin == place or before(begin, place) for begin in begins))

    def not_over(self, lifetime: Lifetime, span: Span, node: int) -> bool:
        """Tell whether a node in the home of a lifetime is at some end of a span, or before it."""
        place, before = self._nodes.lifted(node, lifetime.home), self._before
        ends = [self._nodes.lifted(end, lifetime.home) for end in span.ends]
        return place >= 0 and (not ends or any(end == place or before(place, end) for end in ends))
