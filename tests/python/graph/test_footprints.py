"""The bytes of arrays are what listing their elements gives."""

from __future__ import annotations

from itertools import pairwise
from itertools import product as combinations

from hypothesis import given
from hypothesis import strategies as st

from interlock.graph.elements import ElementType
from interlock.graph.extents import ZERO, Affine, Domain, Interval, bounds
from interlock.graph.footprints import (
    ENUMERATED_ELEMENTS,
    NO_RANK,
    NO_SIZE,
    NO_VALUE,
    Footprint,
    array_footprint,
    elements_meet,
    packed_bytes,
)

F32 = ElementType(14, 32)
U4 = ElementType(3, 4)

axes = st.lists(st.tuples(st.integers(1, 4), st.integers(-6, 6)), max_size=3)


def addresses(shape: list[int], strides: list[int]) -> list[int]:
    return [
        sum(index * stride for index, stride in zip(point, strides, strict=True))
        for point in combinations(*map(range, shape))
    ]


@given(axes, st.integers(1, 6))
def test_the_hull_holds_exactly_the_elements(given_axes: list[tuple[int, int]], size: int) -> None:
    shape, strides = [n for n, _ in given_axes], [s for _, s in given_axes]
    found = array_footprint(Affine(100), [Affine(n) for n in shape], strides, ElementType(1, size * 8), ())
    assert isinstance(found, Footprint)
    starts = addresses(shape, strides)
    if strides:
        assert found.low == Affine(100 + min(starts))
        assert found.high == Affine(100 + max(starts) + size)
        covered = {start + byte for start in starts for byte in range(size)}
        if found.contiguous:
            assert len(covered) == max(starts) + size - min(starts)
    assert found.payload == Affine(len(starts) * size)


@given(axes, st.integers(1, 6))
def test_elements_meet_exactly_if_two_share_a_byte(given_axes: list[tuple[int, int]], size: int) -> None:
    shape, strides = [n for n, _ in given_axes], [s for _, s in given_axes]
    starts = sorted(addresses(shape, strides))
    expected = any(right - left < size for left, right in pairwise(starts))
    assert elements_meet([Affine(n) for n in shape], strides, size, ()) is expected


def test_too_many_interleaved_elements_stay_open() -> None:
    many = Affine(ENUMERATED_ELEMENTS)
    assert elements_meet([many, Affine(2)], [8, 12], 4, ()) is None


def test_elements_meet_at_the_greatest_sizes() -> None:
    domains = [Domain(0, 3, 1)]
    assert elements_meet([Affine(0, ((0, 1),)), Affine(2)], [4, 8], 4, domains) is True
    assert elements_meet([Affine(0, ((0, 1),)), Affine(2)], [4, 12], 4, domains) is False


@given(st.integers(0, 50), st.sampled_from([1, 4, 8, 16, 32, 48]))
def test_packed_elements_end_with_a_whole_byte(count: int, bits: int) -> None:
    assert packed_bytes(Affine(count), bits, ()) == Affine((count * bits + 7) // 8)


def test_packed_half_bytes_of_a_varying_number() -> None:
    domains = [Domain(0, 5, 1)]
    assert packed_bytes(Affine(0, ((0, 2),)), 4, domains) == Affine(0, ((0, 1),))
    assert packed_bytes(Affine(1, ((0, 1),)), 4, domains) == Interval(1, 3)


def test_an_empty_axis_leaves_no_bytes() -> None:
    found = array_footprint(Affine(8), [Affine(4), ZERO], [64, -4], F32, ())
    assert found == Footprint(Affine(8), Affine(8), ZERO, contiguous=True)


def test_what_cannot_be_told_says_why() -> None:
    assert array_footprint(None, [], [], F32, ()) is NO_VALUE
    assert array_footprint(ZERO, [None], [], F32, ()) is NO_VALUE
    assert array_footprint(ZERO, [Affine(0, ((0, 1),))], [], F32, [None]) is NO_VALUE
    assert array_footprint(ZERO, [Affine(1)], [], ElementType(24, 0), ()) is NO_SIZE
    assert array_footprint(ZERO, [Affine(1)], [4, 4], F32, ()) is NO_RANK


def test_strides_of_half_bytes_count_whole_ones() -> None:
    found = array_footprint(ZERO, [Affine(3)], [1], U4, ())
    assert isinstance(found, Footprint)
    assert bounds(found.high, ()) == (3, 3)
    assert found.payload == Affine(3)
