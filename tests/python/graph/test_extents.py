"""Bounds and divisibility of extents are what enumerating the parameters gives."""

from __future__ import annotations

from itertools import product as combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.graph import extents
from interlock.graph.extents import Affine, Domain, Interval

NAMES = ("n", "m", "i")

domains = st.builds(
    lambda low, count, step: Domain(low * step, (low + count) * step, step),
    st.integers(-4, 6),
    st.integers(0, 4),
    st.integers(1, 3),
)
affines = st.builds(
    lambda constant, factors: Affine(constant, tuple((p, c) for p, c in enumerate(factors) if c)),
    st.integers(-20, 20),
    st.lists(st.integers(-5, 5), min_size=3, max_size=3),
)
three_domains = st.lists(domains, min_size=3, max_size=3)


def values(value: Affine, given_domains: list[Domain]) -> list[int]:
    """Return the value for every combination of parameters."""
    ranges = [range(d.low, d.high + 1, d.step) for d in given_domains]
    return [
        value.constant + sum(factor * point[parameter] for parameter, factor in value.terms)
        for point in combinations(*ranges)
    ]


@given(affines, three_domains)
def test_bounds_are_the_least_and_the_greatest_value(value: Affine, given_domains: list[Domain]) -> None:
    found = values(value, given_domains)
    assert extents.bounds(value, given_domains) == (min(found), max(found))


@given(affines, affines, three_domains)
def test_sums_and_differences_are_those_of_the_values(
    left: Affine, right: Affine, given_domains: list[Domain]
) -> None:
    pairs = list(zip(values(left, given_domains), values(right, given_domains), strict=True))
    assert values(extents.add(left, right), given_domains) == [a + b for a, b in pairs]
    assert values(extents.subtract(left, right), given_domains) == [a - b for a, b in pairs]
    assert extents.subtract(left, left) == extents.ZERO


@given(affines, st.integers(-4, 4), three_domains)
def test_scaling_scales_the_values(value: Affine, factor: int, given_domains: list[Domain]) -> None:
    scaled = extents.scale(value, factor)
    assert values(scaled, given_domains) == [factor * found for found in values(value, given_domains)]
    assert all(coefficient for _, coefficient in scaled.terms)


@given(affines, st.integers(1, 9), three_domains)
def test_divisibility_is_that_of_every_value(value: Affine, of: int, given_domains: list[Domain]) -> None:
    expected = all(found % of == 0 for found in values(value, given_domains))
    assert extents.is_multiple(value, of, given_domains) == expected


@given(st.lists(affines, max_size=3), three_domains)
def test_products_bound_every_product(factors: list[Affine], given_domains: list[Domain]) -> None:
    columns = [values(factor, given_domains) for factor in factors]
    if any(min(column) < 0 for column in columns):
        return
    found = [1]
    if columns:
        found = []
        for row in zip(*columns, strict=True):
            total = 1
            for value in row:
                total *= value
            found.append(total)
    result = extents.product(factors, given_domains)
    low, high = extents.bounds(result, given_domains)
    assert low <= min(found)
    assert max(found) <= high
    if isinstance(result, Affine):
        assert (low, high) == (min(found), max(found))


def test_a_product_of_two_varying_extents_is_an_interval() -> None:
    both = [Domain(1, 8, 1), Domain(0, 4, 2)]
    assert extents.product([Affine(0, ((0, 1),)), Affine(1, ((1, 1),))], both) == Interval(1, 40)


@pytest.mark.parametrize(
    ("low", "high", "step", "expected"),
    [
        (0, 7, 0, Domain(0, 7, 1)),
        (5, 7, 4, None),
        (5, 8, 4, Domain(8, 8, 4)),
        (-5, 5, 4, Domain(-4, 4, 4)),
        (2, 1, 1, None),
    ],
)
def test_a_domain_holds_the_multiples(low: int, high: int, step: int, expected: Domain | None) -> None:
    assert extents.make_domain(low, high, step) == expected


def test_a_parameter_without_a_value_has_no_bounds() -> None:
    value = Affine(0, ((0, 1),))
    assert not extents.is_bounded(value, [None])
    with pytest.raises(ValueError, match="has no value"):
        extents.bounds(value, [None])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Affine(0), "0"),
        (Affine(0, ((0, 1), (2, -1))), "n - i"),
        (Affine(-8, ((0, -4), (1, 2))), "-4*n + 2*m - 8"),
        (Interval(1, 40), "1 to 40"),
    ],
)
def test_extents_are_written_as_people_write_them(value: Affine | Interval, text: str) -> None:
    assert extents.describe(value, NAMES) == text
