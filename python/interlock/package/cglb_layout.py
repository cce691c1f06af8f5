"""How a CrossGL reflection says the elements of a buffer lie: the `storageBufferLayout` of a binding."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from execgraph.v1 import interface_pb2, type_pb2
from interlock.graph.types import storage_bits
from interlock.package.literals import element_of
from interlock.package.metadata import malformed
from interlock.package.records import optional_count, optional_records, optional_text

if TYPE_CHECKING:
    from interlock.package.metadata import Record

_VECTOR: Final = re.compile("([a-z]+?(?:16|32|64)?)([2-4])")
_VECTOR_SCALARS: Final = {"vec": "float", "ivec": "int", "uvec": "uint", "bvec": "bool", "dvec": "double"}


def add_buffer_layout(slot: interface_pb2.Slot, layout: Record) -> None:
    """Write into a slot what the record says.

    Raises:
        ContainerError: `container.malformed` at the first member that is not as it has to be.
    """
    size = optional_count(layout, "elementSizeBytes") or 0
    stride = optional_count(layout, "arrayStrideBytes") or 0
    if stride and stride < size:
        message = f"a stride of `{stride}` bytes for elements of `{size}`"
        raise malformed(message, layout.place("arrayStrideBytes"))
    alignment = optional_count(layout, "alignmentBytes") or 0
    if alignment & (alignment - 1):
        raise malformed(f"`{alignment}` is no power of two", layout.place("alignmentBytes"))
    slot.array_stride, slot.alignment = stride, alignment
    slot.packing = _packing(optional_text(layout, "layout") or "")
    element, components = _scalars(optional_text(layout, "elementType") or "")
    members = [_member(record) for record in optional_records(layout, "fields")]
    if members:
        slot.members.extend(sorted(members, key=lambda member: member.offset))
    elif element:
        slot.element_type.element = element
        slot.members.add(
            size=size,
            element=element,
            vector_components=components if components > 1 else 0,
            array_stride=stride,
        )


def _packing(spelling: str) -> interface_pb2.BufferPacking:
    name = spelling.lower()
    if "metal" in name:
        return interface_pb2.BUFFER_PACKING_METAL
    packings = {
        "std140": interface_pb2.BUFFER_PACKING_STD140,
        "std430": interface_pb2.BUFFER_PACKING_STD430,
        "scalar": interface_pb2.BUFFER_PACKING_SCALAR,
    }
    return packings.get(name, interface_pb2.BUFFER_PACKING_UNSPECIFIED)


def _scalars(spelling: str) -> tuple[type_pb2.ElementType, int]:
    """Return the scalar type of a scalar or vector and the number of its components."""
    element = element_of(spelling)
    match = None if element else _VECTOR.fullmatch(spelling.lower())
    if match is None:
        return element, 1
    return element_of(_VECTOR_SCALARS.get(match.group(1), match.group(1))), int(match.group(2))


def _member(record: Record) -> interface_pb2.BlockMember:
    element, components = _scalars(optional_text(record, "type") or "")
    count = optional_count(record, "arrayElementCount") or 0
    stride = optional_count(record, "arrayStrideBytes") or 0
    size = storage_bits(element) // 8 * components if element else 0
    if not size and not stride:
        size = record.count("sizeBytes")
    return interface_pb2.BlockMember(
        name=optional_text(record, "name") or "",
        offset=record.count("offsetBytes"),
        size=size,
        element=element,
        vector_components=components if components > 1 else 0,
        array_stride=stride,
        array_count=count if stride else 0,
    )
