"""The memories of a graph, and the spaces that their bytes are judged in."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING

from interlock.flow.ordertypes import orders_of
from interlock.flow.pattern import Pattern, runs_of, value_of
from interlock.flow.space import (
    BoundSpace,
    ByteSpace,
    RankSpace,
    RowSpace,
    Space,
    constant_order,
    ends_of_all,
)
from interlock.graph.extents import ZERO, Affine, Domain, add, bounds, subtract

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from interlock.graph.accesses import Selection
    from interlock.graph.index import GraphIndex
    from interlock.graph.operations import CopyRows

TRIED_VALUES = 64
"""The most combinations of parameter values that are tried one by one for one memory."""
PLAIN_RUNS = 256
"""Memories whose patterns have no more runs than this, all together, are judged byte by byte."""


@dataclass(slots=True)
class MemoryPlan:
    """One memory while it is planned: an allocation, or a resource that has one of its own.

    Attributes:
        name: The id of the allocation, or of the resource.
        size: Its size.
        residents: The resources in it, with the pattern of all their bytes.
        patterns: Every pattern of its bytes that the graph names, those of the residents included.
        spaces: The spaces it is judged in; a memory judged for several values has one for each.
        first: The number of the first space among the spaces of all memories.
    """

    name: str
    size: Affine
    residents: dict[int, Pattern] = field(default_factory=dict)
    patterns: dict[Pattern, None] = field(default_factory=dict)
    spaces: Sequence[Space] = ()
    first: int = 0


class Memories:
    """The memories of a graph, by number; every resource lies in one."""

    def __init__(self, index: GraphIndex) -> None:
        self._index = index
        self._tables = index.elements
        self.plans: list[MemoryPlan] = []
        self.of_resource: list[int] = []
        self.base: list[Affine] = []
        by_allocation: dict[str, int] = {}
        for number, resource in enumerate(self._tables.resources):
            known = by_allocation.get(resource.allocation) if resource.allocation is not None else None
            if known is None:
                known = len(self.plans)
                if resource.allocation is None:
                    self.plans.append(MemoryPlan(resource.id, resource.size or ZERO))
                else:
                    allocation = self._tables.allocations[self._tables.allocation_by_id[resource.allocation]]
                    by_allocation[resource.allocation] = known
                    self.plans.append(MemoryPlan(allocation.id, allocation.size or ZERO))
            base = (resource.offset or ZERO) if resource.allocation is not None else ZERO
            self.of_resource.append(known)
            self.base.append(base)
            whole = Pattern(base, (), (resource.size or ZERO,), 8)
            self.plans[known].residents[number] = whole
            self.plans[known].patterns[whole] = None

    def pattern(
        self, selection: Selection, rows: CopyRows | None = None, pitches: tuple[int, int] = (0, 0)
    ) -> Pattern:
        """Return the bytes that a selection names in its memory, or those of the rows of a copy within it."""
        assert selection.resource is not None, "references resolve"
        base = self.base[selection.resource]
        if rows is not None:
            start = self._start(selection, base)
            axes = ((pitches[1], rows.slices or ZERO), (pitches[0], rows.rows or ZERO))
            found = Pattern(start, axes, (rows.row_bytes or ZERO,), 8)
        elif selection.view is not None:
            found = self._view(selection.view, base)
        else:
            low, high = map(_affine, selection.bytes[:2])
            found = Pattern(add(base, low), (), (subtract(high, low),), 8)
        self.plans[self.of_resource[selection.resource]].patterns[found] = None
        return found

    def _start(self, selection: Selection, base: Affine) -> Affine:
        if selection.view is not None:
            return add(base, self._tables.views[selection.view].offset or ZERO)
        return add(base, _affine(selection.bytes[0]))

    def _view(self, number: int, base: Affine) -> Pattern:
        view = self._tables.views[number]
        start = add(base, view.offset or ZERO)
        shape = tuple(size or ZERO for size in view.shape)
        if view.strides:
            return Pattern(start, tuple(zip(view.strides, shape, strict=True)), (Affine(view.type.bytes),), 8)
        varying = tuple(size for size in shape if size.terms)
        constant = 1
        for size in shape:
            constant *= 1 if size.terms else size.constant
        if len(varying) <= 1 and constant * view.type.bits % 8 == 0:
            whole = constant * view.type.bits // 8
            (factor,) = varying or (Affine(1),)
            return Pattern(
                start,
                (),
                (Affine(factor.constant * whole, tuple((p, f * whole) for p, f in factor.terms)),),
                8,
            )
        return Pattern(start, (), (Affine(constant), *varying), view.type.bits)

    def choose_spaces(self) -> None:
        """Choose the spaces of every memory, and number them all."""
        number = 0
        for plan in self.plans:
            plan.first = number
            plan.spaces = self._spaces(plan)
            number += len(plan.spaces)

    def _spaces(self, plan: MemoryPlan) -> Sequence[Space]:
        domains, parameters = self._tables.domains, self._tables.parameters
        used = set().union(
            *(pattern.parameters for pattern in plan.patterns), (p for p, _ in plan.size.terms)
        )
        iterations = {p for p in used if parameters[p].owner >= 0}
        tried = sorted(used - iterations)
        combinations = 1
        for parameter in tried:
            domain = _known(domains[parameter])
            combinations *= (domain.high - domain.low) // domain.step + 1
        if combinations <= TRIED_VALUES:
            return [
                self._constant_space(plan, values, iterates=bool(iterations))
                for values in _valuations(tried, domains)
            ]
        ends = None if iterations else ends_of_all(plan.patterns)
        if ends is not None:
            order = constant_order(ends, domains)
            if order is not None:
                return [RankSpace(order, domains)]
            orders = orders_of(ends, tried, domains)
            if orders is not None:
                return [RankSpace(order, domains) for order in orders]
        return [BoundSpace(bounds(plan.size, domains).high, domains)]

    def _constant_space(self, plan: MemoryPlan, values: dict[int, int], *, iterates: bool) -> Space:
        size = value_of(plan.size, values)
        if not iterates:
            strided = [
                runs
                for pattern in plan.patterns
                if pattern.axes and (runs := runs_of(pattern, values)) and runs.axes
            ]
            if sum(runs.number for runs in strided) > PLAIN_RUNS:
                pitch = Counter(runs.axes[0][0] for runs in strided).most_common(1)[0][0]
                return RowSpace(size, values, list(plan.patterns), pitch)
        return ByteSpace(size, values)


def _valuations(parameters: Sequence[int], domains: Sequence[Domain | None]) -> Iterator[dict[int, int]]:
    choices: list[Iterable[int]] = []
    for parameter in parameters:
        domain = _known(domains[parameter])
        choices.append(range(domain.low, domain.high + 1, domain.step))
    for values in product(*choices):
        yield dict(zip(parameters, values, strict=True))


def _known(domain: Domain | None) -> Domain:
    assert domain is not None, "parameters have values"
    return domain


def _affine(extent: object) -> Affine:
    assert isinstance(extent, Affine), "only packed views have sizes that are not affine"
    return extent
