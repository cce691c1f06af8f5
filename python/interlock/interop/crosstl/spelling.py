"""How one view is written: the form an exporter writes by itself, and what another writer wrote differently.

Import and export share this module, so that what one keeps is what the other restores.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, cast

from interlock.interop.crosstl.hints import Hints, integer_hint, names_hint, object_hint, text_hint
from interlock.interop.crosstl.model import PhysicalLayout, Resource
from interlock.interop.crosstl.names import DTYPE_NAMES, element_bytes, element_type

if TYPE_CHECKING:
    from execgraph.v1 import type_pb2

DEFAULT_STORAGE_LAYOUT = "contiguous"
_NUMBERS = ("elementSizeBytes", "elementStrideBytes", "byteLength", "allocationByteLength", "alignmentBytes")


@dataclass(frozen=True, slots=True)
class ViewFacts:
    """What the contract knows of one view; lengths in bytes."""

    element: type_pb2.ElementType
    shape: tuple[int, ...]
    stride: int
    """From one element to the next, in row-major order."""
    length: int
    offset: int
    """From the start of the allocation."""
    alignment: int
    """0 where none is stated."""
    allocation_id: str | None
    """None for an allocation of its own."""
    allocation_size: int | None
    """None where the allocation is not declared, and therefore ends with its contents."""
    length_is_free: bool = False
    """Whether the padding behind the last element may be written or not: a view has none.

    Its resource does.
    """


def needed_length(shape: tuple[int, ...], stride: int, size: int) -> int:
    """Return the bytes from the first to the end of the last element."""
    count = prod(shape)
    return (count - 1) * stride + size if count else 0


def view_length(shape: tuple[int, ...], stride: int, size: int, room: int) -> int:
    """Return the length that is written for a view with ``room`` bytes up to the end of its resource."""
    padded = prod(shape) * stride
    return padded if padded <= room else needed_length(shape, stride, size)


def row_major_strides(shape: tuple[int, ...], stride: int) -> list[int]:
    """Return the distance along each axis where elements in row-major order are ``stride`` bytes apart."""
    return [prod(shape[axis + 1 :]) * stride for axis in range(len(shape))]


def write_view(facts: ViewFacts, hints: Hints) -> tuple[str, PhysicalLayout, str | None]:
    """Return dtype, physical layout and allocation id; every hint is used that says the same as the facts."""
    dtype = text_hint(hints, "dtype")
    if dtype is None or element_type(dtype) != facts.element:
        dtype = DTYPE_NAMES[facts.element]
    numbers = _written_numbers(facts, hints)
    layout = PhysicalLayout(byteOffset=facts.offset)
    layout["storageLayout"] = text_hint(hints, "storage-layout") or DEFAULT_STORAGE_LAYOUT
    for name in _NUMBERS:
        if name in numbers:
            cast("dict[str, int]", layout)[name] = numbers[name]
    metadata = object_hint(hints, "layout-metadata")
    if metadata:
        layout["metadata"] = metadata
    allocation_id = text_hint(hints, "allocation-id") if "allocation-id" in hints else facts.allocation_id
    return dtype, layout, allocation_id


def view_hints(source: Resource, facts: ViewFacts) -> Hints:
    """Return the hints with which `write_view` writes what ``source`` has."""
    # A single element has no stride in the contract; what follows from it is compared once it is there.
    stride = source["physicalLayout"].get("elementStrideBytes", facts.stride)
    kept = {} if facts.shape or stride == facts.stride else {"elementStrideBytes": stride}
    dtype, layout, allocation_id = write_view(facts, {"stated": kept})
    written, default = cast("dict[str, int]", source["physicalLayout"]), cast("dict[str, int]", layout)
    stated = kept | {
        name: written[name] for name in _NUMBERS if written.get(name, default.get(name)) != default.get(name)
    }
    unstated = [name for name in _NUMBERS if name in default and name not in written]
    hints: Hints = {}
    if source.get("dtype") != dtype:
        hints["dtype"] = source.get("dtype")
    if source["physicalLayout"].get("storageLayout") != layout["storageLayout"]:
        hints["storage-layout"] = source["physicalLayout"].get("storageLayout")
    if stated:
        hints["stated"] = stated
    if unstated:
        hints["unstated"] = unstated
    if "metadata" in source["physicalLayout"]:
        hints["layout-metadata"] = source["physicalLayout"]["metadata"]
    if source.get("allocationId") != allocation_id:
        hints["allocation-id"] = source.get("allocationId")
    return hints


def allocation_key(resource_id: str, allocation_id: str | None) -> str:
    """Return the name under which a view's allocation is shared; CrossTL gives a private one this name."""
    return allocation_id or f"resource:{resource_id}"


def _written_numbers(facts: ViewFacts, hints: Hints) -> dict[str, int]:
    size, stated, unstated = (
        element_bytes(facts.element),
        object_hint(hints, "stated"),
        names_hint(hints, "unstated"),
    )
    stride = facts.stride
    hinted_stride = integer_hint(stated, "elementStrideBytes")
    if not facts.shape and hinted_stride is not None and hinted_stride >= size:
        stride = hinted_stride
    length, hinted_length = facts.length, integer_hint(stated, "byteLength")
    if facts.length_is_free and not facts.shape:
        length = stride
    if facts.length_is_free and hinted_length is not None:
        shortest = needed_length(facts.shape, stride, size)
        length = hinted_length if shortest <= hinted_length <= prod(facts.shape) * stride else length
    numbers = {"elementSizeBytes": size, "elementStrideBytes": stride, "byteLength": length}
    if facts.allocation_size is not None:
        numbers["allocationByteLength"] = facts.allocation_size
    elif integer_hint(stated, "allocationByteLength") == facts.offset + length:
        numbers["allocationByteLength"] = facts.offset + length
    alignment = facts.alignment or integer_hint(stated, "alignmentBytes") or 0
    if alignment > 0:
        numbers["alignmentBytes"] = alignment
    inferred = {
        "elementSizeBytes": True,
        "elementStrideBytes": stride == size,
        "byteLength": prod(facts.shape) * stride == length,
        "allocationByteLength": True,
    }
    for name in unstated:
        if inferred.get(name, False):
            numbers.pop(name, None)
    return numbers
