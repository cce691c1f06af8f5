"""Rules about the types of elements, and how far apart they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from execgraph.v1 import type_pb2
from interlock.graph.types import BLOCK, element_name
from interlock.package.packing import natural_stride
from interlock.rules.layout.blocks import block_of, scalar_bytes
from interlock.rules.layout.slots import (
    FITS,
    Verdict,
    bound_buffers,
    element_of,
    is_bound_opaque,
    is_mixed,
    members_of,
    said,
    steps_of,
    unknown,
    wrong,
)
from interlock.rules.model import PACKAGE, Finding, Gap, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.graph.elements import ElementType
    from interlock.package.merge import Facts
    from interlock.rules.context import Context
    from interlock.rules.layout.slots import BoundBuffer

_UNSIGNED = ("U8", "U16", "U32", "U64")


def _number(name: str) -> int:
    return type_pb2.ElementType.Value(f"ELEMENT_TYPE_{name}")


CARRIERS: dict[int, frozenset[int]] = {
    _number(name): frozenset(map(_number, carriers))
    for names, carriers in (
        # Most shading languages have no such numbers: kernels load the bits, one or several at a time.
        (("BF16", "F8_E4M3", "F8_E5M2", "F8_E4M3_FNUZ", "F8_E5M2_FNUZ", "F8_E8M0"), _UNSIGNED),
        # Two to a byte, and no language has types of 4 bits in memory.
        (("I4", "U4", "F4_E2M1"), _UNSIGNED),
        # Truth values have no layout in SPIR-V and WGSL, and take four bytes in GLSL and HLSL.
        (("BOOL",), _UNSIGNED),
        # A block is taken apart by its kernel, byte by byte or word by word.
        (("BLOCK",), _UNSIGNED),
        # A pair of floats, the real part first.
        (("C64",), ("F32",)),
        (("C128",), ("F64",)),
    )
    for name in names
}
"""The types as which kernels may see elements that their language has no type for, by the bound type.

Types that languages do have are compared as they are; a view states another one where that is meant.
"""


_RAW = frozenset({_number("U8"), BLOCK})
"""The types of bytes that may be anything to a kernel."""
_MIXED = "the members of its slot are of different types; bind U8, a block or a byte range to be sure"


def is_carried(bound: ElementType, seen: ElementType) -> bool:
    """Tell whether a kernel that sees elements of one type may be given those of another."""
    if bound.element == seen.element:
        return bound.element != BLOCK or bound == seen
    return seen.element in CARRIERS.get(bound.element, frozenset())


def _described(type_: ElementType) -> str:
    return f"BLOCK {type_.format}" if type_.element == BLOCK else element_name(type_.element)


@rule("layout.element-mismatch", kinds=PACKAGE)
def element_mismatch(context: Context) -> Iterator[Finding | Gap]:
    """Elements of another type are bound than the slot has.

    What it checks:
        The elements of a bound view or resource have the type of the slot's elements; an atomic access may
        have the type that it updates instead, which is always that of the slot's elements. Types that
        kernels commonly have no name for may be carried: BF16, all types of 8 and 4 bits that are floats,
        I4, U4, BOOL and blocks by unsigned integers of 8 to 64 bits, C64 by F32 and C128 by F64. Members of
        different types take U8 or blocks. Byte ranges and opaque layouts have no elements to compare.

    Why:
        A kernel that takes the bits of integers for floats computes nonsense, and no device notices.

    Bad example:
        slots { name: "x" kind: SLOT_KIND_STORAGE_BUFFER element_type { element: ELEMENT_TYPE_F32 } }
        resources { id: "x" type { element: ELEMENT_TYPE_I32 } }

    Good example:
        slots { name: "x" kind: SLOT_KIND_STORAGE_BUFFER element_type { element: ELEMENT_TYPE_U32 } }
        resources { id: "x" type { element: ELEMENT_TYPE_BF16 } }
    """
    for each in bound_buffers(context):
        if isinstance(each, Gap):
            yield each
        else:
            yield from said(each.bindings, _element_verdict(each))


def _element_verdict(each: BoundBuffer) -> Verdict:
    bindings = each.bindings
    bound = bindings.selection.type
    if bindings.selection.resource is None:
        return unknown("what is bound is missing")
    if bound is None or is_bound_opaque(bindings):
        return FITS
    if not bound.bits:
        return unknown("the type of what is bound is not known")
    seen = element_of(each.slot)
    if bindings.atomic and bindings.atomic not in (updated := _updated_types(each.slot, seen)) and updated:
        return wrong(
            f"atomic updates of `{element_name(bindings.atomic)}` are declared; slot `{bindings.slot_name}` "
            f"has {' and '.join(map(element_name, sorted(updated)))}"
        )
    if seen is None and is_mixed(each.slot):
        return FITS if bound.element in _RAW else unknown(_MIXED)
    if seen is None:
        return unknown(each.slot.unknown or "the element type of its slot is not known")
    if is_carried(bound, seen) or bindings.atomic == seen.element:
        return FITS
    return wrong(
        f"`{each.name}` has elements of `{_described(bound)}`; slot `{bindings.slot_name}` takes "
        f"{_described(seen)}"
    )


def _updated_types(slot: Facts, seen: ElementType | None) -> frozenset[int]:
    """Return the types that atomics may update in a slot; empty if they are not known."""
    if seen is not None:
        return frozenset({seen.element})
    return frozenset(member.element for member in members_of(slot)) if is_mixed(slot) else frozenset()


class Stepping(NamedTuple):
    """How a kernel goes through a buffer: ``chunk`` bytes at every ``stride``.

    A ``stride`` of 0 says that it never steps by whole bytes. A ``chunk`` of 0 is not known.
    """

    stride: int
    chunk: int


def stepping_of(slot: Facts) -> Stepping | None:
    """Return how a kernel goes through what is bound to a slot; None if that is not known."""
    block, element = block_of(slot), element_of(slot)
    stride = slot.value("array_stride") or 0
    if block.structures and block.structures[0][0] < 0:
        whole = block.structures[0][1]
        return Stepping(whole.stride, whole.end)
    last = block.members[-1] if block.members else None
    if last is not None and last.array_stride and (len(block.members) == 1 or not last.array_count):
        # Arrays within its structures that leave no gaps are one with it, in smaller steps.
        return Stepping(min(stride or last.array_stride, last.array_stride), scalar_bytes(last) or last.size)
    if block.members:
        return Stepping(0, 0)
    if element is None:
        return Stepping(stride, 0) if stride else None
    if element.bits % 8:
        return Stepping(0, 0)
    chunk = element.bytes
    if not stride and slot.value("packing") is not None:
        stride = natural_stride(element.element, 1, slot.value("packing"))
    return Stepping(stride, chunk) if stride else None


def fits(stepping: Stepping, element: int, steps: tuple[int, ...]) -> bool:
    """Tell whether a kernel meets the bound elements where they lie.

    Args:
        stepping: How the kernel goes.
        element: The bytes of one bound element.
        steps: The distances between them, least first; empty where there is one only.
    """
    stride, chunk = stepping
    if not steps or not stride:
        return True
    if chunk == stride and steps[0] == element:
        return True
    if steps[0] == stride and chunk <= element:
        return True
    return element < chunk < stride and steps[0] == element and steps[1:2] == (stride,)


@rule("layout.stride-mismatch", kinds=PACKAGE)
def stride_mismatch(context: Context) -> Iterator[Finding | Gap]:
    """Bound elements lie at another distance than the kernel steps.

    What it checks:
        The least distance between the elements of a bound view or resource is the array stride of the slot:
        the size of an element where they are packed, else the least stride that is not zero along an axis
        of several elements. Where the kernel takes vectors or structures without gaps, packed elements of
        their scalars fit too; where it takes vectors with gaps, the next distance has to be its stride.
        Packed bytes and blocks fit wherever the members of the slot are of different types.
        A kernel that is told larger strides by values, which nobody reads, may go along the other axes as
        it likes. A slot that is no array is not judged, nor are byte ranges, opaque layouts and single
        elements. Where a slot states no stride but a packing, the packing decides.

    Why:
        The kernel computes addresses by its own stride. At another one it reads gaps, or parts of elements.

    Bad example:
        slots { name: "x" element_type { element: ELEMENT_TYPE_F32 } array_stride: 16 }
        resources { id: "x" type { element: ELEMENT_TYPE_F32 } shape { constant: 64 } }

    Good example:
        slots { name: "x" element_type { element: ELEMENT_TYPE_F32 } array_stride: 16 }
        views { id: "padded" resource: "x" shape { constant: 64 } byte_strides: 16 }
    """
    known: dict[int, Stepping | None] = {}
    for each in bound_buffers(context):
        if isinstance(each, Gap):
            yield each
            continue
        number = id(each.slot)
        if number not in known:
            known[number] = stepping_of(each.slot)
        yield from said(each.bindings, _stride_verdict(each, known[number]))


def _stride_verdict(each: BoundBuffer, stepping: Stepping | None) -> Verdict:
    bindings = each.bindings
    bound = bindings.selection.type
    if bindings.selection.resource is None:
        return unknown("what is bound is missing")
    if bound is None or is_bound_opaque(bindings):
        return FITS
    steps = steps_of(bindings)
    if steps is None:
        return unknown("how its elements lie is not known")
    if not steps:
        return FITS
    if stepping is None:
        return unknown(each.slot.unknown or "the array stride of its slot is not known")
    is_raw = bound.element in _RAW and steps[0] == bound.bytes and is_mixed(each.slot)
    if is_raw or fits(stepping, bound.bytes, steps):
        return FITS
    return wrong(
        f"the elements of `{each.name}` lie `{steps[0]}` bytes apart; slot `{bindings.slot_name}` steps "
        f"{stepping.stride}"
    )


RULES = (element_mismatch, stride_mismatch)
