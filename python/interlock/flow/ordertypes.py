"""The ways in which the ends of patterns can be ordered, as the parameters vary.

What a memory's verdict depends on is which end lies before which. Where that is the same for two values of
the parameters, one of them stands for both; so few values stand for all.
"""

from __future__ import annotations

from itertools import combinations, groupby, product
from typing import TYPE_CHECKING

from interlock.flow.pattern import value_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from interlock.graph.extents import Affine, Domain

TRIED_ENDS = 500_000
"""The most ends that are computed in order to find all orders."""
CROSSINGS = 20_000
"""The most pairs of ends of which the crossing is computed."""
ORDERS = 128
"""The most orders that one memory is judged in."""


def orders_of(
    ends: Sequence[Affine], parameters: Sequence[int], domains: Sequence[Domain | None]
) -> list[list[list[Affine]]] | None:
    """Return every order in which ends can stand, those that coincide together; None if too many."""
    known = [domain for domain in (domains[parameter] for parameter in parameters) if domain is not None]
    valuations = _all_values(ends, parameters, known)
    if valuations is None and len(known) == 1:
        valuations = _crossings(ends, parameters[0], known[0])
    if valuations is None:
        return None
    found: dict[tuple[tuple[Affine, ...], ...], None] = {}
    for values in valuations:
        found[_order(ends, values)] = None
        if len(found) > ORDERS:
            return None
    return [[list(together) for together in order] for order in found]


def _order(ends: Sequence[Affine], values: Mapping[int, int]) -> tuple[tuple[Affine, ...], ...]:
    placed = sorted((value_of(end, values), end) for end in ends)
    groups = groupby(placed, key=lambda entry: entry[0])
    return tuple(tuple(end for _, end in together) for _, together in groups)


def _all_values(
    ends: Sequence[Affine], parameters: Sequence[int], domains: Sequence[Domain]
) -> Iterator[dict[int, int]] | None:
    choices = [range(domain.low, domain.high + 1, domain.step) for domain in domains]
    number = len(ends)
    for choice in choices:
        number *= len(choice)
    if number > TRIED_ENDS:
        return None
    return (dict(zip(parameters, values, strict=True)) for values in product(*choices))


def _crossings(ends: Sequence[Affine], parameter: int, domain: Domain) -> Iterator[dict[int, int]] | None:
    """Return the ends of the domain, and the values at and beside which two ends meet.

    Between those no order changes.
    """
    lines = {(end.constant, dict(end.terms).get(parameter, 0)) for end in ends}
    if len(lines) * (len(lines) - 1) // 2 > CROSSINGS:
        return None
    values = {domain.low, domain.high}
    for (constant, factor), (other_constant, other_factor) in combinations(lines, 2):
        if factor != other_factor:
            meeting = (other_constant - constant) // (factor - other_factor)
            step = (meeting - domain.low) // domain.step
            for near in (step - 1, step, step + 1, step + 2):
                value = domain.low + near * domain.step
                if domain.low <= value <= domain.high:
                    values.add(value)
    return ({parameter: value} for value in sorted(values))
