"""Rules about how many bytes are bound, and where they start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import interface_pb2
from interlock.diagnostic import Step
from interlock.graph.extents import ZERO, Affine, bounds, describe, is_bounded, is_multiple, minus, plus
from interlock.graph.footprints import Footprint
from interlock.graph.types import storage_bits
from interlock.rules.layout.blocks import block_of, member_end
from interlock.rules.layout.slots import (
    FITS,
    BoundBuffer,
    Verdict,
    bound_buffers,
    element_of,
    members_of,
    said,
    unknown,
    wrong,
)
from interlock.rules.model import PACKAGE, Finding, Gap, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.graph.elements import ElementTables, Resource
    from interlock.graph.extents import Quantity
    from interlock.package.merge import Facts
    from interlock.rules.context import Context
    from interlock.rules.launches import Launches

_STORAGE = interface_pb2.SLOT_KIND_STORAGE_BUFFER
_CONSTANT = interface_pb2.SLOT_KIND_CONSTANT_BUFFER
_CONSTANT_RANGE, _CONSTANT_ALIGNMENT = 16384, 256
"""The bytes of a constant buffer that every target takes, and the offsets at which every target takes one.
Profiles speak of storage buffers only."""
_NO_ADDRESS = "where its resource lies is not known"


def no_profile(target: str) -> str:
    """Return the reason of everything that only a profile could answer."""
    return f"no profile of target `{target}` is known"


def _tables(each: BoundBuffer) -> ElementTables:
    return each.bindings.where.part.graph.elements


def _length(each: BoundBuffer, bytes_: Footprint) -> Quantity:
    return minus(bytes_.high, bytes_.low, _tables(each).domains)


def needed_bytes(slot: Facts) -> int | None:
    """Return the bytes that a slot needs at least; None if that is not known."""
    stated = slot.value("minimum_size")
    is_runtime_sized = slot.value("runtime_sized")
    block = block_of(slot)
    end = max(map(member_end, block.members), default=0)
    own = block.structure(-1)
    if own is not None and not is_runtime_sized:
        end = own.end
    if stated is None and ("minimum_size" in slot.open or not (members_of(slot) or is_runtime_sized)):
        return None
    return max(stated or 0, end)


@rule("layout.too-small", kinds=PACKAGE)
def too_small(context: Context) -> Iterator[Finding | Gap]:
    """Fewer bytes are bound than the entry needs.

    What it checks:
        For all values of the parameters, what is bound to a buffer slot spans at least the minimum size of
        the slot, and all of its members that have a length.

    Why:
        The kernel reaches beyond what is bound: into memory of somebody else, or into nothing.

    Bad example:
        slots { name: "params" kind: SLOT_KIND_CONSTANT_BUFFER minimum_size: 16 }
        bindings { slot: "params" target { byte_range { resource: "params" size { constant: 12 } } } }

    Good example:
        slots { name: "params" kind: SLOT_KIND_CONSTANT_BUFFER minimum_size: 16 }
        bindings { slot: "params" target { byte_range { resource: "params" size { constant: 16 } } } }
    """
    for each in bound_buffers(context):
        if isinstance(each, Gap):
            yield each
        else:
            yield from said(each.bindings, _size_verdict(each))


def _size_verdict(each: BoundBuffer) -> Verdict:
    bytes_ = each.bindings.selection.bytes
    if not isinstance(bytes_, Footprint):
        return unknown(bytes_.reason)
    needed = needed_bytes(each.slot)
    if needed is None:
        return unknown(each.slot.unknown or "the size that its slot needs is not known")
    least = bounds(_length(each, bytes_), _tables(each).domains).low
    if least >= needed:
        return FITS
    slot = each.bindings.slot_name
    length = _length(each, bytes_)
    varies = " at least" if isinstance(length, Affine) and length.terms else ""
    return wrong(f"`{least}` bytes are bound{varies}; slot `{slot}` needs at least {needed}")


@rule("layout.misaligned", kinds=PACKAGE)
def misaligned(context: Context) -> Iterator[Finding | Gap]:
    """Bytes are bound at an address, or an offset, that is not aligned as it has to be.

    What it checks:
        For all values of the parameters, the address of what is bound is a multiple of the alignment of the
        slot and, if its element's size is a power of two, of that. The address is known as far as the
        alignments of allocation and resource, which the runtime keeps, and the offsets of resource and view
        say. For storage buffers the offset within the block of memory is also a multiple of what the
        profile of the target asks for; a resource with memory of its own starts at 0. Profiles do not speak
        of constant buffers: other offsets of these than multiples of 256 stay unverified.

    Why:
        Devices refuse such bindings, or read from another address.

    Bad example:
        slots { name: "x" kind: SLOT_KIND_STORAGE_BUFFER alignment: 16 }
        views { id: "tail" resource: "x" offset { constant: 4 } }

    Good example:
        slots { name: "x" kind: SLOT_KIND_STORAGE_BUFFER alignment: 16 }
        resources { id: "x" alignment: 16 }
        views { id: "tail" resource: "x" offset { constant: 256 } }
    """
    for each in bound_buffers(context):
        if isinstance(each, Gap):
            yield each
        else:
            yield from said(each.bindings, _alignment_verdict(context, each))


def _natural(size: int) -> int:
    """Return the alignment of an element of a size: the size itself if that is a power of two."""
    return size if size and size & (size - 1) == 0 else 1


def needed_alignment(slot: Facts) -> int | None:
    """Return the alignment that a slot needs; None if nothing says it.

    A slot of the package document that states none needs that of its elements.
    """
    known = [storage_bits(member.element) // 8 for member in members_of(slot)]
    element = element_of(slot)
    known += [slot.value("alignment") or 0, 0 if element is None else _natural(element.bytes)]
    needed = max(known)
    return needed or (1 if slot.is_documented else None)


def _alignment_verdict(context: Context, each: BoundBuffer) -> Verdict:
    bytes_, number = each.bindings.selection.bytes, each.bindings.selection.resource
    if not isinstance(bytes_, Footprint) or number is None:
        return unknown(_NO_ADDRESS)
    tables = _tables(each)
    resource = tables.resources[number]
    offset = resource.offset
    if offset is None or not is_bounded(offset, tables.domains):
        return unknown(_NO_ADDRESS)
    needed = needed_alignment(each.slot)
    if needed is None:
        return unknown(each.slot.unknown or "the alignment that its slot needs is not known")
    if not _is_aligned(tables, resource, bytes_.low, needed):
        where = describe(bytes_.low, tables.parameter_names)
        return wrong(
            f"the bytes start at `{where}` of `{resource.id}`, which is aligned to "
            f"{_known_alignment(tables, resource)}; slot `{each.bindings.slot_name}` needs a multiple of "
            f"{needed}"
        )
    return _offset_verdict(context, each, plus(offset, bytes_.low, tables.domains))


def _is_aligned(tables: ElementTables, resource: Resource, low: Quantity, needed: int) -> bool:
    """Tell whether the address of a byte of a resource is certainly a multiple of a power of two."""
    if needed == 1:
        return True
    own = resource.alignment or _natural(resource.type.bytes)
    if own % needed == 0 and is_multiple(low, needed, tables.domains):
        return True
    base = _allocation_alignment(tables, resource)
    start = plus(resource.offset or ZERO, low, tables.domains)
    return base % needed == 0 and is_multiple(start, needed, tables.domains)


def _allocation_alignment(tables: ElementTables, resource: Resource) -> int:
    number = None if resource.allocation is None else tables.allocation_by_id.get(resource.allocation)
    return 1 if number is None else tables.allocations[number].alignment or 1


def _known_alignment(tables: ElementTables, resource: Resource) -> int:
    """Return the greatest power of two that the address of a resource is certainly a multiple of."""
    known = resource.alignment or _natural(resource.type.bytes)
    while known < _allocation_alignment(tables, resource) and _is_aligned(tables, resource, ZERO, known * 2):
        known *= 2
    return known


def _offset_verdict(context: Context, each: BoundBuffer, offset: Quantity) -> Verdict:
    """Return what is wrong with the offset of a storage buffer in its block of memory, on a target."""
    target, tables = each.bindings.where.target, _tables(each)
    kind = each.slot.value("kind")
    if kind == _CONSTANT and not is_multiple(offset, _CONSTANT_ALIGNMENT, tables.domains):
        where = describe(offset, tables.parameter_names)
        return unknown(
            f"the bytes start at `{where}` of their block of memory; whether `{target}` takes a constant "
            f"buffer there is not known, only that it does at multiples of {_CONSTANT_ALIGNMENT}"
        )
    if kind != _STORAGE or offset == ZERO:
        return FITS
    profile = context.launches.profiles[target]
    if profile is None:
        return unknown(no_profile(target))
    needed = profile.storage_offset_alignment or 1
    if is_multiple(offset, needed, tables.domains):
        return FITS
    where = describe(offset, tables.parameter_names)
    return wrong(
        f"the bytes start at `{where}` of their block of memory; `{profile.identity}` needs a multiple of "
        f"{needed}"
    )


@rule("layout.range-exceeds-profile", kinds=PACKAGE)
def range_exceeds_profile(context: Context) -> Iterator[Finding | Gap]:
    """More bytes are bound at once, or passed as inline constants, than the target takes.

    What it checks:
        For all values of the parameters, what is bound to a buffer slot is no longer than the greatest
        buffer range of the target's profile, and the inline constants of a dispatch that the variant takes
        as such have together no more bytes than the profile allows. A profile that states no greatest buffer
        range names none that every device of its target has: any length is accepted, and whether the
        device at hand takes it is left to the runtime. Constant buffers of more than 16384 bytes, which
        every target takes, stay unverified.

    Why:
        A device refuses a larger range, or lets the kernel see only its start.

    Bad example:
        # on a target whose buffer ranges have at most 134217728 bytes
        resources { id: "weights" size { constant: 268435456 } }

    Good example:
        # on a target whose buffer ranges have at most 134217728 bytes
        resources { id: "weights" size { constant: 134217728 } }
    """
    for each in bound_buffers(context):
        if isinstance(each, Gap):
            yield each
        else:
            yield from said(each.bindings, _range_verdict(context, each))
    for launch in context.launches.launches:
        if launch.inline:
            yield from _inline_total(context, launch)


def _range_verdict(context: Context, each: BoundBuffer) -> Verdict:
    bytes_ = each.bindings.selection.bytes
    if not isinstance(bytes_, Footprint):
        return unknown(bytes_.reason)
    target = each.bindings.where.target
    profile = context.launches.profiles[target]
    if profile is None:
        return unknown(no_profile(target))
    most = bounds(_length(each, bytes_), _tables(each).domains).high
    allowed = profile.maximum_buffer_range
    if not allowed or most <= allowed:
        if each.slot.value("kind") == _CONSTANT and most > _CONSTANT_RANGE:
            return unknown(
                f"up to `{most}` bytes are bound; whether `{profile.identity}` takes a constant buffer of "
                f"more than {_CONSTANT_RANGE} is not known"
            )
        return FITS
    return wrong(f"up to `{most}` bytes are bound; `{profile.identity}` takes at most {allowed}")


def _inline_total(context: Context, launch: Launches) -> Iterator[Finding | Gap]:
    where, place = launch.where, (Step("inline_constants"),)
    total = 0
    for name, size in launch.inline:
        slot = None if where.entered is None else where.entered.slot(name)
        if slot is None or slot.value("kind") is None:
            yield from launch.gaps(place, "what kind of slot takes an inline constant is not known")
            return
        if slot.value("kind") == interface_pb2.SLOT_KIND_INLINE_CONSTANTS:
            total += size
    profile = context.launches.profiles[where.target]
    if profile is None:
        yield from launch.gaps(place, no_profile(where.target))
    elif total > profile.maximum_inline_constant_bytes:
        allowed = profile.maximum_inline_constant_bytes
        yield from launch.findings(
            place, f"the inline constants have `{total}` bytes; `{profile.identity}` takes at most {allowed}"
        )


RULES = (too_small, misaligned, range_exceeds_profile)
