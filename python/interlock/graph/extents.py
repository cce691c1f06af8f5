"""Integers that depend on parameters, and what can be said about them for every value of the parameters.

An extent of a document is affine: a constant and a sum of parameters with factors. Sums, differences and
products with numbers stay affine, and their bounds are exact, because parameters vary independently. A
product of two extents that both vary is kept as an interval, whose bounds may be wider than what can happen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

U64_MAX = 2**64 - 1


class Domain(NamedTuple):
    """The values of one parameter: ``low``, ``low + step``, … up to ``high``.

    All three are met: ``high`` is a value.
    """

    low: int
    high: int
    step: int


class Affine(NamedTuple):
    """``constant`` plus the sum of factor x parameter.

    Terms ascend by parameter (its dense number); no factor is 0.
    """

    constant: int
    terms: tuple[tuple[int, int], ...] = ()


class Interval(NamedTuple):
    """Any integer from ``low`` to ``high``; what was lost is which parameter it came from."""

    low: int
    high: int


Quantity: TypeAlias = Affine | Interval

ZERO = Affine(0)

Domains: TypeAlias = Sequence[Domain | None]
"""The domains by dense parameter number; None where the document gives a parameter no value at all."""


def make_domain(low: int, high: int, step: int) -> Domain | None:
    """Return the multiples of ``step`` (0 means 1) from ``low`` to ``high``, or None if there is none."""
    step = step or 1
    first, last = -(-low // step) * step, high // step * step
    return Domain(first, last, step) if first <= last else None


def add(left: Affine, right: Affine) -> Affine:
    """Return the sum."""
    return Affine(left.constant + right.constant, _merge(left.terms, right.terms, 1))


def subtract(left: Affine, right: Affine) -> Affine:
    """Return the difference."""
    return Affine(left.constant - right.constant, _merge(left.terms, right.terms, -1))


def scale(value: Affine, factor: int) -> Affine:
    """Return the product with a number."""
    if factor == 0:
        return ZERO
    return Affine(value.constant * factor, tuple((p, c * factor) for p, c in value.terms))


def _merge(
    left: tuple[tuple[int, int], ...], right: tuple[tuple[int, int], ...], sign: int
) -> tuple[tuple[int, int], ...]:
    if not right:
        return left
    sums = dict(left)
    for parameter, factor in right:
        sums[parameter] = sums.get(parameter, 0) + sign * factor
    return tuple((parameter, sums[parameter]) for parameter in sorted(sums) if sums[parameter])


def bounds(value: Quantity, domains: Domains) -> Interval:
    """Return the least and the greatest value.

    Raises:
        ValueError: A parameter in it has no value; see `is_bounded`.
    """
    if isinstance(value, Interval):
        return value
    low = high = value.constant
    if not value.terms:
        return Interval(low, high)
    for parameter, factor in value.terms:
        domain = _domain(parameter, domains)
        ends = factor * domain.low, factor * domain.high
        low += min(ends)
        high += max(ends)
    return Interval(low, high)


def _domain(parameter: int, domains: Domains) -> Domain:
    domain = domains[parameter]
    if domain is None:
        raise ValueError(f"parameter {parameter} has no value; ask `is_bounded` first")
    return domain


def is_bounded(value: Quantity, domains: Domains) -> bool:
    """Tell whether every parameter in a value has a domain."""
    if isinstance(value, Interval) or not value.terms:
        return True
    return all(domains[parameter] is not None for parameter, _ in value.terms)


def product(factors: Iterable[Affine], domains: Domains) -> Quantity:
    """Return the product of extents, none of which is ever negative; negative parts count as 0."""
    constant, varying = 1, []
    for factor in factors:
        if factor.terms:
            varying.append(factor)
        else:
            constant *= max(factor.constant, 0)
    if constant == 0 or not varying:
        return Affine(constant)
    if len(varying) == 1:
        return scale(varying[0], constant)
    low = high = constant
    for factor in varying:
        least, greatest = bounds(factor, domains)
        low *= max(least, 0)
        high *= max(greatest, 0)
    return Interval(low, high)


def plus(left: Quantity, right: Quantity, domains: Domains) -> Quantity:
    """Return the sum of two quantities, affine if both are."""
    if isinstance(left, Affine) and isinstance(right, Affine):
        return add(left, right)
    one, other = bounds(left, domains), bounds(right, domains)
    return Interval(one.low + other.low, one.high + other.high)


def minus(left: Quantity, right: Quantity, domains: Domains) -> Quantity:
    """Return the difference of two quantities, affine if both are."""
    if isinstance(left, Affine) and isinstance(right, Affine):
        return subtract(left, right)
    one, other = bounds(left, domains), bounds(right, domains)
    return Interval(one.low - other.high, one.high - other.low)


def times(value: Quantity, factor: int) -> Quantity:
    """Return the product of a quantity and a number that is not negative."""
    if isinstance(value, Affine):
        return scale(value, factor)
    return Interval(value.low * factor, value.high * factor)


def is_multiple(value: Quantity, of: int, domains: Domains) -> bool:
    """Tell whether every value is a multiple of a positive number; of an interval whether that is sure."""
    if of == 1:
        return True
    if isinstance(value, Interval):
        return value.low == value.high and value.low % of == 0
    rest = value.constant
    for parameter, factor in value.terms:
        domain = _domain(parameter, domains)
        rest += factor * domain.low
        if domain.low != domain.high and factor * domain.step % of:
            return False
    return rest % of == 0


def describe(value: Quantity, names: Sequence[str]) -> str:
    """Return a quantity as people write it, such as ``4*n + 16``."""
    if isinstance(value, Interval):
        return f"{value.low} to {value.high}"
    text = ""
    for parameter, factor in value.terms:
        size = f"{abs(factor)}*" if abs(factor) != 1 else ""
        sign = (" + " if factor > 0 else " - ") if text else ("" if factor > 0 else "-")
        text += f"{sign}{size}{names[parameter]}"
    if not text:
        return str(value.constant)
    if value.constant:
        text += f" {'+' if value.constant > 0 else '-'} {abs(value.constant)}"
    return text
