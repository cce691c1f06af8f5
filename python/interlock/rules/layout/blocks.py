"""The members of a block, with those of arrays of structures put together again.

A source lists the members of a structure in an array one by one: either as those of one element, where the
whole slot is such an array, or each with the stride of the array, so that they lie between each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from execgraph.v1.interface_pb2 import BlockMember
from interlock.graph.types import storage_bits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from interlock.package.merge import Facts


@dataclass(frozen=True, slots=True)
class Structures:
    """An array of structures: its members by their offset in one element, and the distance of elements."""

    members: tuple[BlockMember, ...]
    stride: int

    @property
    def end(self) -> int:
        """The byte of an element behind its last member."""
        return max(map(member_end, self.members))


@dataclass(frozen=True, slots=True)
class Block:
    """What is known about the members of a slot.

    Attributes:
        members: The members; an array of structures is one of no type.
        structures: The arrays of structures, by their position among the members; -1 where the slot itself
            is one.
        is_tangled: Whether members lie between those of other arrays, so that nothing can be said about them.
    """

    members: tuple[BlockMember, ...] = ()
    structures: tuple[tuple[int, Structures], ...] = ()
    is_tangled: bool = False

    def structure(self, position: int) -> Structures | None:
        """Return the array of structures at a position; None if there is none."""
        return dict(self.structures).get(position)


def block_of(slot: Facts) -> Block:
    """Return the members of a slot."""
    members = tuple(slot.value("members") or ())
    stride = slot.value("array_stride") or 0
    if stride and members and all(_is_within(member, stride) for member in members):
        return Block(structures=((-1, Structures(members, stride)),))
    outer: list[BlockMember] = []
    structures: list[tuple[int, Structures]] = []
    for group in _groups(members):
        if len(group) > 1:
            whole = Structures(tuple(_within(member, group[0]) for member in group), group[0].array_stride)
            structures.append((len(outer), whole))
            outer.append(_as_one(group[0], whole))
        else:
            outer.append(group[0])
    return Block(tuple(outer), tuple(structures), _is_tangled(outer))


def _is_within(member: BlockMember, stride: int) -> bool:
    """Tell whether a member may lie in one element of an array: it is none, or one of a length that fits."""
    return not member.array_stride or (member.array_count > 0 and member_end(member) <= stride)


def scalar_bytes(member: BlockMember) -> int:
    """Return the bytes of one vector of a member; 0 if its type is not known."""
    return storage_bits(member.element) // 8 * (member.vector_components or 1)


def element_bytes(member: BlockMember) -> int:
    """Return the bytes of one element of a member, without what follows the last vector of a matrix."""
    vector, between = scalar_bytes(member), member.matrix_stride
    size = member.size or vector
    if between > vector > 0 and size % between == 0:
        return size - (between - vector)
    return size


def member_end(member: BlockMember) -> int:
    """Return the byte behind the last that a member certainly takes; an array without length takes none."""
    size = element_bytes(member)
    if not member.array_stride:
        return member.offset + size
    if not member.array_count:
        return member.offset
    return member.offset + (member.array_count - 1) * member.array_stride + size


def _groups(members: Iterable[BlockMember]) -> list[list[BlockMember]]:
    """Return members that are those of one array of structures together, any other alone."""
    found: list[list[BlockMember]] = []
    for member in members:
        first = found[-1][0] if found else None
        if (
            first is not None
            and member.array_stride == first.array_stride > 0
            and member.array_count == first.array_count != 1
            and first.offset <= member.offset < first.offset + first.array_stride
        ):
            found[-1].append(member)
        else:
            found.append([member])
    return found


def _within(member: BlockMember, first: BlockMember) -> BlockMember:
    """Return a member as it lies in one element of an array."""
    inner = BlockMember()
    inner.CopyFrom(member)
    inner.offset -= first.offset
    inner.array_stride = inner.array_count = 0
    return inner


def _as_one(first: BlockMember, whole: Structures) -> BlockMember:
    return BlockMember(
        name=first.name.partition(".")[0],
        offset=first.offset,
        size=whole.end,
        array_stride=whole.stride,
        array_count=first.array_count,
    )


def _is_tangled(members: Sequence[BlockMember]) -> bool:
    """Tell whether a member starts within an array whose elements leave gaps, so that it may lie in one."""
    reach = 0
    for before, member in pairwise(members):
        if before.array_stride > element_bytes(before):
            reach = max(reach, member_end(before))
        if member.offset < reach:
            return True
    return False
