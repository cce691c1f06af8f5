"""Interface facts in words, for sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from execgraph.v1 import access_pb2, capability_pb2, interface_pb2, resource_pb2, type_pb2

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlock.package.facts import Place

MOST_LISTED = 8
"""How many names a sentence lists."""
ACCESSES: dict[int, str] = {
    access_pb2.ACCESS_MODE_READ: "read",
    access_pb2.ACCESS_MODE_WRITE: "write",
    access_pb2.ACCESS_MODE_READ_WRITE: "read-write",
    access_pb2.ACCESS_MODE_ATOMIC: "atomic",
}
_ENUMS: dict[str, tuple[Any, str]] = {
    "kind": (interface_pb2.SlotKind, "SLOT_KIND_"),
    "storage_class": (interface_pb2.StorageClass, "STORAGE_CLASS_"),
    "role": (interface_pb2.SlotRole, "SLOT_ROLE_"),
    "stage": (interface_pb2.Stage, "STAGE_"),
    "packing": (interface_pb2.BufferPacking, "BUFFER_PACKING_"),
    "image_format": (resource_pb2.ImageFormat, "IMAGE_FORMAT_"),
    "element": (type_pb2.ElementType, "ELEMENT_TYPE_"),
    "required_capabilities": (capability_pb2.Capability, "CAPABILITY_"),
}
NOUNS = {
    "array_count": "number of descriptors",
    "array_stride": "array stride",
    "constant_id": "number",
    "default_value": "default",
    "element": "type",
    "element_type": "element type",
    "elements_per_workgroup": "elements of a workgroup",
    "exact_threads": "need of exact threads",
    "image_format": "image format",
    "minimum_size": "minimum size",
    "optional_binding": "freedom to stay unbound",
    "required_capabilities": "capabilities",
    "runtime_sized": "runtime size",
    "static_shared_bytes": "shared memory",
    "storage_class": "storage class",
    "subgroup_size": "subgroup size",
    "tolerated_aliases": "tolerated aliases",
    "uses_atomics": "use of atomics",
    "uses_subgroups": "use of subgroups",
    "workgroup_size": "workgroup size",
}
_BYTES = frozenset({"array_stride", "minimum_size", "alignment", "static_shared_bytes"})


def noun(field: str) -> str:
    """Return what a fact is called."""
    return NOUNS.get(field, field)


def word(field: str, value: Any) -> str:  # noqa: ANN401  (of the type of the field)
    """Return the value of a fact, in backticks."""
    return f"`{_plain(field, value)}`"


def listed(names: Iterable[str]) -> str:
    """Return names in backticks, sorted, each once, and not too many."""
    distinct = sorted(set(names))
    more = f" and {len(distinct) - MOST_LISTED} more" if len(distinct) > MOST_LISTED else ""
    return (", ".join(f"`{name}`" for name in distinct[:MOST_LISTED]) or "none") + more


def place_words(place: Place) -> str:
    """Return a place in words."""
    space = f" of the {place.space} registers" if place.space else ""
    return f"group {place.group}, index {place.index}{space}"


def _plain(field: str, value: Any) -> str:  # noqa: ANN401  (one kind of value a line)
    if field == "access":
        return ACCESSES.get(value, str(value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if field == "required_capabilities":
        return ", ".join(_enum(field, each) for each in value) or "none"
    if field in _ENUMS:
        return _enum(field, value)
    if field in _BYTES:
        return f"{value} bytes"
    if field == "place":
        return place_words(value)
    if field == "element_type":
        return value.block.format if value.HasField("block") else _enum("element", value.element)
    if field == "workgroup_size":
        axes = (
            str(axis.literal) if axis.WhichOneof("size") == "literal" else axis.constant
            for axis in value.axes
        )
        return " x ".join(axes)
    if field == "default_value":
        return f"{_enum('element', value.element)} 0x{value.bits[::-1].hex()}"
    if field == "tolerated_aliases":
        return ", ".join(f"{first} with {second}" for first, second in value) or "none"
    if field == "members":
        return ", ".join(f"{_enum('element', each.element)} at {each.offset}" for each in value[:MOST_LISTED])
    if isinstance(value, tuple):
        return " x ".join(str(each) for each in value)
    return str(value)


def _enum(field: str, value: int) -> str:
    enum, prefix = _ENUMS[field]
    try:
        name: str = enum.Name(value)
    except ValueError:
        return str(value)
    return name.removeprefix(prefix).lower().replace("_", "-")
