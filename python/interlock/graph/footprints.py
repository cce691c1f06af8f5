"""Which bytes a shape occupies, for every value of the parameters."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from interlock.graph.extents import (
    ZERO,
    Affine,
    Domains,
    Interval,
    Quantity,
    add,
    bounds,
    is_bounded,
    plus,
    product,
    scale,
    times,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlock.graph.elements import ElementType
    from interlock.graph.operations import CopyRows

ENUMERATED_ELEMENTS = 1 << 16
"""The most elements whose addresses are listed to see whether two of them meet."""


class Footprint(NamedTuple):
    """The bytes of an array within a resource.

    ``low`` is the first byte and ``high`` the byte after the last, both hulls over what lies between;
    ``payload`` is the number of bytes that the elements themselves take. ``contiguous`` tells that nothing
    lies between them.
    """

    low: Quantity
    high: Quantity
    payload: Quantity
    contiguous: bool


class Unknown(NamedTuple):
    """Bytes that cannot be told, and why; another rule reports the cause."""

    reason: str


MISSING_RESOURCE = Unknown("its resource is missing")
MISSING_VIEW = Unknown("its view is missing")
NO_SELECTION = Unknown("nothing is selected")
NO_VALUE = Unknown("a parameter in it is missing or has no value")
NO_SIZE = Unknown("its element type has no size")
NO_RANK = Unknown("its shape and its strides differ in number")

Bytes: TypeAlias = Footprint | Unknown


def array_footprint(
    offset: Affine | None,
    shape: Sequence[Affine | None],
    strides: Sequence[int],
    element: ElementType,
    domains: Domains,
) -> Bytes:
    """Return the bytes of an array; without strides it is row-major and packed."""
    sizes = [size for size in shape if size is not None]
    if (
        offset is None
        or len(sizes) != len(shape)
        or not all(is_bounded(x, domains) for x in (offset, *sizes))
    ):
        return NO_VALUE
    if element.bits == 0:
        return NO_SIZE
    if not strides:
        payload = packed_bytes(product(sizes, domains), element.bits, domains)
        return Footprint(offset, plus(offset, payload, domains), payload, contiguous=True)
    if len(strides) != len(sizes):
        return NO_RANK
    payload = times(product(sizes, domains), element.bytes)
    if any(size == ZERO for size in sizes):
        return Footprint(offset, offset, ZERO, contiguous=True)
    low, high = offset, add(offset, Affine(element.bytes))
    for size, stride in zip(sizes, strides, strict=True):
        reach = scale(add(size, Affine(-1)), stride)
        low, high = (add(low, reach), high) if stride < 0 else (low, add(high, reach))
    return Footprint(low, high, payload, contiguous=_is_packed(sizes, strides, element.bytes))


def packed_bytes(count: Quantity, bits: int, domains: Domains) -> Quantity:
    """Return the bytes of a number of elements without gaps, the last byte counted whole."""
    if bits % 8 == 0:
        return times(count, bits // 8)
    if isinstance(count, Affine):
        if not count.terms:
            return Affine(-(-count.constant * bits // 8))
        whole = scale(count, bits)
        if whole.constant % 8 == 0 and all(factor % 8 == 0 for _, factor in whole.terms):
            return Affine(whole.constant // 8, tuple((p, factor // 8) for p, factor in whole.terms))
    low, high = bounds(count, domains)
    return Interval(-(-low * bits // 8), -(-high * bits // 8))


def _is_packed(sizes: Sequence[Affine], strides: Sequence[int], element_bytes: int) -> bool:
    expected = Affine(element_bytes)
    for size, stride in zip(reversed(sizes), reversed(strides), strict=True):
        if size == Affine(1):
            continue
        if expected.terms or stride != expected.constant:
            return False
        expected = scale(size, expected.constant)
    return True


def elements_meet(
    shape: Sequence[Affine], strides: Sequence[int], element_bytes: int, domains: Domains
) -> bool | None:
    """Tell whether elements of a strided array share a byte for some value of the parameters.

    Where every stride is at least the reach of all smaller ones, they do not. Otherwise small arrays are
    enumerated at their greatest sizes, and for large ones the answer stays open: None.
    """
    axes = []
    for size, stride in zip(shape, strides, strict=True):
        most = bounds(size, domains).high
        if most > 1:
            axes.append((abs(stride), most))
    axes.sort()
    reach = element_bytes
    for stride, most in axes:
        if stride < reach:
            break
        reach += stride * (most - 1)
    else:
        return False
    if axes[0][0] < element_bytes:
        return True
    total = 1
    for _, most in axes:
        total *= most
        if total > ENUMERATED_ELEMENTS:
            return None
    addresses = [0]
    for stride, most in axes:
        addresses = [address + stride * index for index in range(most) for address in addresses]
    addresses.sort()
    return any(right - left < element_bytes for left, right in pairwise(addresses))


def rows_needed(rows: CopyRows, pitches: tuple[int, int], domains: Domains) -> Affine | None:
    """Return the bytes that one side of a copy of rows spans, or None if a parameter in it has no value."""
    parts = (rows.row_bytes, rows.rows, rows.slices)
    known = [part for part in parts if part is not None and is_bounded(part, domains)]
    if len(known) != len(parts):
        return None
    row_bytes, count, slices = known
    last_row = scale(add(count, Affine(-1)), pitches[0])
    last_slice = scale(add(slices, Affine(-1)), pitches[1])
    return add(add(row_bytes, last_row), last_slice)
