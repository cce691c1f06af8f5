"""The packing rules of buffer blocks: where members may lie, and how far apart elements are.

What each packing follows:

* ``STD140``: OpenGL 4.6 core specification, section 7.6.2.2 *Standard Uniform Block Layout*; in Vulkan the
  extended alignment of *Offset and Stride Assignment*.
* ``STD430``: the same section, where arrays and structures are not rounded up to 16 bytes; in Vulkan the base
  alignment.
* ``SCALAR``: ``GL_EXT_scalar_block_layout`` and the scalar alignment of Vulkan, which is that of C.
* ``HLSL_CONSTANT_BUFFER``: *Packing rules for constant variables* of HLSL.
* ``METAL``: the Metal Shading Language specification, sizes and alignments of scalar, vector, packed vector
  and matrix types.

Everything here is arithmetic on what a producer declares; nothing is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from execgraph.v1 import interface_pb2, type_pb2
from interlock.graph.types import BLOCK, BOOL, storage_bits

if TYPE_CHECKING:
    from collections.abc import Iterable

STD140: Final = interface_pb2.BUFFER_PACKING_STD140
STD430: Final = interface_pb2.BUFFER_PACKING_STD430
SCALAR: Final = interface_pb2.BUFFER_PACKING_SCALAR
HLSL: Final = interface_pb2.BUFFER_PACKING_HLSL_CONSTANT_BUFFER
METAL: Final = interface_pb2.BUFFER_PACKING_METAL

PACKINGS: Final = (STD140, STD430, SCALAR, HLSL, METAL)

_REGISTER: Final = 16
"""The bytes of a register of a constant buffer, and of what std140 rounds to: four numbers of 32 bits."""

_FOUR_BYTE_BOOL: Final = frozenset((STD140, STD430, HLSL))
"""Packings of languages in which a truth value of a block takes four bytes."""

_COMPLEX: Final = frozenset((type_pb2.ELEMENT_TYPE_C64, type_pb2.ELEMENT_TYPE_C128))


@dataclass(frozen=True, slots=True)
class MemberShape:
    """What a member of a block is.

    Attributes:
        element: The type of its scalars.
        components: The scalars of one vector, 1 to 4; 1 is no vector.
        vectors: The columns of a matrix, or its rows where those are stored one after the other; 0 is no
            matrix.
        count: The elements of its array; None is no array, 0 one as long as what is bound.
        packed: Whether it is one of Metal's packed vectors. Other packings have none.
    """

    element: int
    components: int = 1
    vectors: int = 0
    count: int | None = None
    packed: bool = False


@dataclass(frozen=True, slots=True)
class PlacedMember:
    """Where a member lies, in bytes. A stride is 0 where there is no array, or no matrix."""

    offset: int
    size: int
    array_stride: int
    matrix_stride: int


@dataclass(frozen=True, slots=True)
class BlockLayout:
    """A block as a packing lays it out. ``size`` is a multiple of ``alignment``.

    An array without a length counts as empty.
    """

    members: tuple[PlacedMember, ...]
    size: int
    alignment: int


def round_up(value: int, multiple: int) -> int:
    """Return the least multiple of a positive number that is no less than a value."""
    return -(-value // multiple) * multiple


def scalar_size(element: int, packing: int) -> int:
    """Return the bytes of one scalar in a block, which is its alignment too.

    It is 0 for types that blocks do not have by themselves: those of 4 bits, complex numbers, BLOCK. A truth
    value takes 4 bytes in GLSL and HLSL, 1 in C and Metal.
    """
    if element in _COMPLEX or element == BLOCK:
        return 0
    if element == BOOL:
        return 4 if packing in _FOUR_BYTE_BOOL else 1
    return storage_bits(element) // 8


def element_alignment(element: int, components: int, packing: int, *, packed: bool = False) -> int:
    """Return the alignment of one vector, or of one scalar; 0 if the type is not known.

    std140, std430 and Metal align two components to two scalars, and three or four to four scalars. The
    scalar layout, C, HLSL and Metal's packed vectors align all to one scalar; in HLSL a vector must not
    cross a register either, see `register_offset`.
    """
    scalar = scalar_size(element, packing)
    if packing in (SCALAR, HLSL) or packed:
        return scalar
    return scalar * (1 if components <= 1 else 2 if components == 2 else 4)


def element_size(element: int, components: int, packing: int, *, packed: bool = False) -> int:
    """Return the bytes of one vector, or of one scalar; 0 if the type is not known.

    Metal's vectors of three components take as much as those of four, unless they are packed.
    """
    padded = packing == METAL and components == 3 and not packed
    return scalar_size(element, packing) * (4 if padded else components)


def natural_stride(element: int, components: int, packing: int, *, packed: bool = False) -> int:
    """Return the distance between vectors of an array or of a matrix; 0 if the type is not known.

    std140 rounds it up to 16 bytes, std430 to the alignment of the vector; in HLSL each one starts a
    register; the scalar layout and C leave no gap.
    """
    size = element_size(element, components, packing, packed=packed)
    if packing == HLSL:
        return round_up(size, _REGISTER)
    alignment = element_alignment(element, components, packing, packed=packed)
    if packing == STD140:
        alignment = round_up(alignment, _REGISTER)
    return round_up(size, alignment) if alignment else size


def member_alignment(shape: MemberShape, packing: int) -> int:
    """Return the alignment of a member; 0 if its type is not known.

    Arrays and matrices are aligned like their vectors; std140 rounds that up to 16 bytes, and in HLSL they
    start a register.
    """
    alignment = element_alignment(shape.element, shape.components, packing, packed=shape.packed)
    if alignment and (shape.count is not None or shape.vectors):
        if packing == STD140:
            return round_up(alignment, _REGISTER)
        if packing == HLSL:
            return _REGISTER
    return alignment


def register_offset(offset: int, size: int) -> int:
    """Return where a scalar or vector of an HLSL constant buffer starts that has to start at ``offset``.

    One that would cross a register starts the next one; one that is larger than a register starts one.
    """
    if offset % _REGISTER and offset % _REGISTER + size > _REGISTER:
        return round_up(offset, _REGISTER)
    return offset


def matrix_stride(shape: MemberShape, packing: int) -> int:
    """Return the distance between the vectors of a matrix; 0 for no matrix and for unknown types."""
    if not shape.vectors:
        return 0
    return natural_stride(shape.element, shape.components, packing, packed=shape.packed)


def array_stride(shape: MemberShape, packing: int) -> int:
    """Return the distance between the elements of an array; 0 for no array and for unknown types."""
    if shape.count is None:
        return 0
    return natural_stride(shape.element, shape.components, packing, packed=shape.packed) * max(
        shape.vectors, 1
    )


def member_extent(shape: MemberShape, packing: int) -> int:
    """Return the bytes that a member keeps the next one out of.

    The padding behind the last vector of an array or matrix belongs to it, except in HLSL, where the next
    member may use it. An array without a length counts as empty.
    """
    vector = element_size(shape.element, shape.components, packing, packed=shape.packed)
    if shape.count == 0:
        return 0
    pieces = max(shape.vectors, 1) * (shape.count or 1)
    if shape.count is None and not shape.vectors:
        return vector
    stride = natural_stride(shape.element, shape.components, packing, packed=shape.packed)
    return (pieces - 1) * stride + vector if packing == HLSL else pieces * stride


def element_extent(shape: MemberShape, packing: int) -> int:
    """Return the bytes of one element of a member: a scalar, a vector or a matrix."""
    return member_extent(
        MemberShape(shape.element, shape.components, shape.vectors, None, shape.packed), packing
    )


def block_alignment(alignments: Iterable[int], packing: int) -> int:
    """Return the alignment of a block, or of a structure, whose members have these alignments.

    It is the greatest of them; std140 rounds it up to 16 bytes, and in HLSL a structure starts a register.
    """
    greatest = max(alignments, default=1) or 1
    return round_up(greatest, _REGISTER) if packing in (STD140, HLSL) else greatest


def natural_layout(shapes: Iterable[MemberShape], packing: int) -> BlockLayout:
    """Return the layout that a packing gives to members in this order, with no offsets of their own."""
    members, alignments, end = [], [], 0
    for shape in shapes:
        alignment = member_alignment(shape, packing)
        offset = round_up(end, max(alignment, 1))
        size = element_extent(shape, packing)
        if packing == HLSL and shape.count is None and not shape.vectors:
            offset = register_offset(offset, size)
        members.append(
            PlacedMember(offset, size, array_stride(shape, packing), matrix_stride(shape, packing))
        )
        alignments.append(alignment)
        end = offset + member_extent(shape, packing)
    whole = block_alignment(alignments, packing)
    return BlockLayout(tuple(members), round_up(end, whole), whole)
