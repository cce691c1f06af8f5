"""How a CrossTL manifest says the elements of a buffer lie: the `scalarLayout` of a resource."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import interface_pb2, type_pb2
from interlock.graph.types import storage_bits
from interlock.package.literals import ELEMENTS, element_of
from interlock.package.metadata import malformed
from interlock.package.records import optional_count, optional_text

if TYPE_CHECKING:
    from interlock.package.metadata import Record

_PACKINGS = {
    "std140": interface_pb2.BUFFER_PACKING_STD140,
    "std430": interface_pb2.BUFFER_PACKING_STD430,
    "hlsl-structured-buffer": interface_pb2.BUFFER_PACKING_SCALAR,
    "hlsl-constant-buffer": interface_pb2.BUFFER_PACKING_HLSL_CONSTANT_BUFFER,
    "metal-buffer": interface_pb2.BUFFER_PACKING_METAL,
    "metal-constant": interface_pb2.BUFFER_PACKING_METAL,
}
_RECORD = "record"
"""The element type of a buffer of structures."""


def add_layout(slot: interface_pb2.Slot, layout: Record) -> None:
    """Write into a slot what the record says.

    A buffer of scalars or vectors has one member, its array; one of structures has those of the structure.

    Raises:
        ContainerError: `container.malformed` at the first member that is not as it has to be.
    """
    element_name = layout.text("elementType")
    element = ELEMENTS.get(element_name, type_pb2.ELEMENT_TYPE_UNSPECIFIED)
    if not element and element_name != _RECORD:
        raise malformed(f"`{element_name}` is no element type of CrossTL", layout.place("elementType"))
    size, stride = layout.count("elementSizeBytes"), layout.count("elementStrideBytes")
    if size == 0 or stride < size:
        message = f"a stride of `{stride}` bytes for elements of `{size}`"
        raise malformed(message, layout.place("elementStrideBytes"))
    alignment = layout.count("alignmentBytes", 1)
    if alignment == 0 or alignment & (alignment - 1):
        raise malformed(f"`{alignment}` is no power of two", layout.place("alignmentBytes"))
    is_runtime_sized = layout.flag("runtimeSized")
    width = optional_count(layout, "vectorWidth", 4) or 1
    slot.alignment = alignment
    slot.runtime_sized = is_runtime_sized
    slot.packing = _PACKINGS.get(
        optional_text(layout, "storageLayout") or "", interface_pb2.BUFFER_PACKING_UNSPECIFIED
    )
    least = [optional_count(layout, name) or 0 for name in ("minimumBindingSizeBytes", "blockSizeBytes")]
    slot.minimum_size = max(least)
    structure = next((name for name in ("structMembers", "blockMembers") if layout.has(name)), None)
    if structure is not None:
        slot.members.extend(_member(record) for record in layout.records(structure))
        slot.members.sort(key=lambda member: member.offset)
        slot.array_stride = stride if is_runtime_sized else 0
    else:
        slot.array_stride = stride if is_runtime_sized else 0
        slot.members.add(
            name=optional_text(layout, "memberName") or "",
            offset=layout.count("memberOffsetBytes", 0),
            size=size,
            element=element,
            vector_components=width if width > 1 else 0,
            array_stride=stride if is_runtime_sized else 0,
        )
    kinds = {member.element for member in slot.members} | ({element} if element else set())
    if element and len(kinds) == 1 and storage_bits(element):
        slot.element_type.element = element


def _member(record: Record) -> interface_pb2.BlockMember:
    spelling = optional_text(record, "elementType") or record.text("physicalType")
    element = element_of(spelling)
    if not element:
        raise malformed(f"`{spelling}` is no type of a member", record.path)
    width = optional_count(record, "vectorWidth", 4) or 1
    length = optional_count(record, "arrayLength") or 0
    size = record.count("sizeBytes", storage_bits(element) // 8 * width)
    return interface_pb2.BlockMember(
        name=record.text("name", ""),
        offset=record.count("offsetBytes"),
        size=size // length if length else size,
        element=element,
        vector_components=width if width > 1 else 0,
        array_stride=record.count("arrayStrideBytes", 0) if length else 0,
        array_count=length,
    )
