"""Compares the members that a block declares with the rules of its packing.

Offsets may be larger than what a compiler would choose, as long as they are aligned and nothing overlaps:
producers may set them. Strides and sizes follow from the types, so they have to be exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from interlock.package.packing import (
    HLSL,
    METAL,
    PACKINGS,
    SCALAR,
    MemberShape,
    array_stride,
    block_alignment,
    element_extent,
    element_size,
    matrix_stride,
    member_alignment,
    register_offset,
    round_up,
    scalar_size,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from execgraph.v1.interface_pb2 import BlockMember

WHOLE_BLOCK: Final = -1
"""The position that a fault of the block itself has."""


@dataclass(frozen=True, slots=True)
class PackingFault:
    """One number of a block that its packing does not allow.

    Attributes:
        member: The position of the member, or `WHOLE_BLOCK`.
        property: The field of `BlockMember` that is wrong; for the block ``size`` or ``alignment``.
        found: The number it has.
        required: The number it must have; for an offset the least one that would do.
        message: The sentence, without the name of the member.
    """

    member: int
    property: str
    found: int
    required: int
    message: str


def packing_faults(
    members: Sequence[BlockMember], packing: int, size: int = 0, alignment: int = 0
) -> list[PackingFault]:
    """Return everything that breaks the rules of a packing, member by member, then the block.

    A member whose element type is not stated, such as a structure, is only held against overlaps. Metal's
    packed vectors of three components are known by their size; those of two and four are to be declared as
    arrays of scalars, because nothing else tells them apart.

    Args:
        members: The members of the block.
        packing: A `BufferPacking`. Under none, or one that is not known, members only must not overlap.
        size: The size of the block; 0 if it is not stated.
        alignment: The alignment of the block; 0 if it is not stated.
    """
    faults: list[PackingFault] = []
    alignments: list[int] = []
    end = 0
    for position, member in enumerate(members):
        shape = shape_of(member, packing)
        if packing in PACKINGS and scalar_size(shape.element, packing):
            faults += _member_faults(position, member, shape, packing)
            alignments.append(member_alignment(shape, packing))
        if member.offset < end:
            text = f"the member starts at `{member.offset}`, within one before it, which ends at {end}"
            faults.append(PackingFault(position, "offset", member.offset, end, text))
        if shape.count == 0 and position + 1 < len(members):
            text = "an array without a length stands before other members; required is a length"
            faults.append(PackingFault(position, "array_count", 0, 1, text))
        end = max(end, member.offset + _extent(member, shape, packing))
    faults += _block_faults(end, block_alignment(alignments, packing), size, alignment)
    return faults


def shape_of(member: BlockMember, packing: int) -> MemberShape:
    """Return what a declared member is. The vectors of a matrix follow from its size and its stride."""
    components = member.vector_components or 1
    vectors = 0
    if member.matrix_stride:
        vectors = max(-(-member.size // member.matrix_stride), 1)
    is_array = member.array_stride > 0 or member.array_count > 1
    tight = scalar_size(member.element, packing) * components
    packed = packing == METAL and components == 3 and not vectors and member.size == tight > 0
    return MemberShape(member.element, components, vectors, member.array_count if is_array else None, packed)


def _member_faults(
    position: int, member: BlockMember, shape: MemberShape, packing: int
) -> Iterator[PackingFault]:
    """Yield what is wrong with one member of a known type, but for overlaps."""
    if shape.components > 4 and packing != SCALAR:
        text = f"a vector has `{shape.components}` components; required are at most 4"
        yield PackingFault(position, "vector_components", shape.components, 4, text)
        return
    yield from _size_faults(position, member, shape, packing)
    between = matrix_stride(shape, packing)
    if shape.vectors and member.matrix_stride != between:
        yield _stride_fault(position, "matrix_stride", member.matrix_stride, between)
    between = array_stride(shape, packing)
    if shape.count is not None and member.array_stride != between and not _is_size_unknown(member):
        yield _stride_fault(position, "array_stride", member.array_stride, between)
    yield from _offset_faults(position, member, shape, packing)


def _is_size_unknown(member: BlockMember) -> bool:
    """Tell whether nobody knows how many vectors the matrices of a member have."""
    return member.matrix_stride > 0 and member.size == 0


def _stride_fault(position: int, name: str, found: int, required: int) -> PackingFault:
    what = "elements of the array" if name == "array_stride" else "vectors of the matrix"
    text = f"the {what} lie `{found}` bytes apart; required are {required}"
    return PackingFault(position, name, found, required, text)


def _size_faults(
    position: int, member: BlockMember, shape: MemberShape, packing: int
) -> Iterator[PackingFault]:
    """Yield a size that is not that of the type. A matrix may count the padding of its last vector or not."""
    between = matrix_stride(shape, packing)
    if member.size == 0 or (shape.vectors and member.matrix_stride != between):
        return
    required = element_extent(shape, packing)
    last = element_size(shape.element, shape.components, packing)
    allowed = {required, shape.vectors * between, (shape.vectors - 1) * between + last}
    if member.size != required and not (shape.vectors and member.size in allowed):
        text = f"an element takes `{member.size}` bytes; required are {required}"
        yield PackingFault(position, "size", member.size, required, text)


def _offset_faults(
    position: int, member: BlockMember, shape: MemberShape, packing: int
) -> Iterator[PackingFault]:
    offset = member.offset
    alignment = member_alignment(shape, packing)
    if offset % alignment:
        text = f"the member starts at `{offset}`; required is a multiple of {alignment}"
        yield PackingFault(position, "offset", offset, round_up(offset, alignment), text)
    elif packing == HLSL and shape.count is None and not shape.vectors:
        size = element_size(shape.element, shape.components, packing)
        required = register_offset(offset, size)
        if required != offset:
            text = (
                f"the {size} bytes from `{offset}` on cross a register of 16 bytes;"
                f" required is to start at {required}"
            )
            yield PackingFault(position, "offset", offset, required, text)


def _extent(member: BlockMember, shape: MemberShape, packing: int) -> int:
    """Return the bytes that a member, as it is declared, keeps the next one out of."""
    is_padded = packing != HLSL and scalar_size(shape.element, packing) > 0
    element = member.size or element_extent(shape, packing)
    if shape.vectors:
        padded = shape.vectors * member.matrix_stride
        element = (
            max(element, padded) if is_padded else min(element, element_extent(shape, packing) or padded)
        )
    if shape.count is None:
        return element
    if shape.count == 0:
        return 0
    last = max(element, member.array_stride) if is_padded else element
    return (shape.count - 1) * member.array_stride + last


def _block_faults(end: int, least: int, size: int, alignment: int) -> Iterator[PackingFault]:
    if size and size < end:
        text = f"the block has `{size}` bytes; required are {end}, where its last member ends"
        yield PackingFault(WHOLE_BLOCK, "size", size, end, text)
    if alignment and alignment % least:
        text = f"the block is aligned to `{alignment}` bytes; required is a multiple of {least}"
        yield PackingFault(WHOLE_BLOCK, "alignment", alignment, least, text)
