"""Spaces against the bytes themselves: whatever stands for bytes meets and covers as they do."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from interlock.flow.ordertypes import orders_of
from interlock.flow.pattern import Pattern, runs_of, value_of
from interlock.flow.space import BoundSpace, ByteSpace, RankSpace, RowSpace, constant_order, ends_of_all
from interlock.graph.extents import Affine, Domain, make_domain

PITCH = 32


def _run(start: Affine, size: Affine) -> Pattern:
    return Pattern(start, (), (size,), 8)


def _rows(row: int, column: int, rows: int, width: int) -> Pattern:
    return Pattern(Affine(row * PITCH + column), ((PITCH, Affine(rows)),), (Affine(width),), 8)


def _bytes(pattern: Pattern, values: dict[int, int]) -> frozenset[int]:
    """List the bytes of a pattern one by one, straight from what it says."""
    starts = [value_of(pattern.start, values)]
    for stride, count in pattern.axes:
        starts = [start + stride * i for start in starts for i in range(value_of(count, values))]
    size = value_of(pattern.factors[0], values) * pattern.bits // 8
    return frozenset(start + i for start in starts for i in range(size))


def _cells(ranges: tuple[tuple[int, int], ...]) -> frozenset[int]:
    return frozenset(cell for low, high in ranges for cell in range(low, high))


@pytest.mark.parametrize("seed", range(60))
def test_rows_meet_and_cover_exactly_where_their_bytes_do(seed: int) -> None:
    rng = random.Random(seed)
    patterns = []
    for _ in range(5):
        if rng.random() < 0.6:
            row, column = rng.randrange(8), rng.randrange(PITCH)
            patterns.append(_rows(row, column, rng.randint(1, 12 - row), rng.randint(1, PITCH - column)))
        else:
            start = rng.randrange(12 * PITCH)
            patterns.append(_run(Affine(start), Affine(rng.randint(1, 12 * PITCH - start))))
    space = RowSpace(12 * PITCH, {}, patterns, PITCH)
    for one, other in combinations(patterns, 2):
        mine, yours = space.ranges(one, {}), space.ranges(other, {})
        real, theirs = _bytes(one, {}), _bytes(other, {})
        assert bool(_cells(mine.touched) & _cells(yours.touched)) == bool(real & theirs)
        assert (_cells(mine.covered) >= _cells(yours.covered)) == (real >= theirs)


@pytest.mark.parametrize("seed", range(60))
def test_bytes_are_bytes(seed: int) -> None:
    rng = random.Random(seed)
    axes = tuple((rng.choice([-12, -5, 0, 3, 4, 8, 20]), Affine(rng.randint(0, 4))) for _ in range(2))
    pattern = Pattern(Affine(100), axes, (Affine(rng.randint(0, 5)),), 8)
    found = ByteSpace(200, {}).ranges(pattern, {})
    assert _cells(found.touched) == _bytes(pattern, {})
    assert found.covered == found.touched
    runs = runs_of(pattern, {})
    assert (runs is None) == (not found.touched)


DOMAINS: tuple[Domain | None, ...] = (make_domain(0, 40, 4),)


def _parametric(rng: random.Random) -> list[Pattern]:
    def extent(low: int) -> Affine:
        return Affine(rng.randrange(low, 60), ((0, rng.choice([1, 2, 4])),) if rng.random() < 0.5 else ())

    return [_run(extent(0), extent(1)) for _ in range(4)]


@pytest.mark.parametrize("seed", range(60))
def test_the_orders_of_ends_tell_what_every_value_tells(seed: int) -> None:
    patterns = _parametric(random.Random(seed))
    ends = ends_of_all(patterns)
    assert ends is not None
    orders = orders_of(ends, [0], DOMAINS)
    assert orders is not None
    spaces = [RankSpace(order, DOMAINS) for order in orders]
    for one, other in combinations(patterns, 2):
        meets, covers = set(), set()
        for value in range(0, 41, 4):
            mine, yours = _bytes(one, {0: value}), _bytes(other, {0: value})
            meets.add(bool(mine & yours))
            covers.add(mine >= yours)
        said = [(space.ranges(one, {}), space.ranges(other, {})) for space in spaces]
        assert {bool(_cells(a.touched) & _cells(b.touched)) for a, b in said} == meets
        assert {_cells(a.covered) >= _cells(b.covered) for a, b in said} == covers


@pytest.mark.parametrize("seed", range(60))
def test_crossings_find_the_orders_that_enumeration_finds(seed: int) -> None:
    rng = random.Random(seed)
    ends = sorted({Affine(rng.randrange(1000), ((0, rng.randint(1, 9)),)) for _ in range(3)} | {Affine(500)})
    small = (make_domain(3, 4000, 7),)
    enumerated = orders_of(ends, [0], small)
    # A domain too large to enumerate; beyond 14,000 the order is settled.
    large = (make_domain(3, 3 + 7 * 10**9, 7),)
    by_crossings = orders_of(ends, [0], large)
    assert enumerated is not None
    assert by_crossings is not None
    assert {str(order) for order in by_crossings} >= {str(order) for order in enumerated}
    settled = {str(order) for order in orders_of(ends, [0], (make_domain(3, 3 + 7 * 2000, 7),)) or ()}
    assert {str(order) for order in by_crossings} == settled


@pytest.mark.parametrize("seed", range(60))
def test_bounds_touch_more_and_cover_less_than_any_value(seed: int) -> None:
    space = BoundSpace(1000, DOMAINS)
    for pattern in _parametric(random.Random(seed)):
        found = space.ranges(pattern, {})
        for value in range(0, 41, 4):
            real = _bytes(pattern, {0: value})
            assert _cells(found.touched) >= real
            assert _cells(found.covered) <= real


def test_an_order_is_constant_only_where_no_ends_ever_meet() -> None:
    parameter = ((0, 1),)
    assert constant_order([Affine(0), Affine(1, parameter), Affine(50)], DOMAINS) == [
        [Affine(0)],
        [Affine(1, parameter)],
        [Affine(50)],
    ]
    assert constant_order([Affine(0), Affine(0, parameter)], DOMAINS) is None
    assert constant_order([Affine(20), Affine(0, parameter)], DOMAINS) is None
