"""CrossTL resources.

Judged one by one: a view each, with everything inferred that the document leaves out.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, cast

from interlock.diagnostic import ROOT, Path
from interlock.interop.crosstl.names import ELEMENT_TYPES, ROLES, element_bytes, element_type
from interlock.interop.crosstl.spelling import allocation_key, needed_length, row_major_strides
from interlock.package.crosstl_names import is_id

if TYPE_CHECKING:
    from execgraph.v1 import type_pb2
    from interlock.interop.crosstl.model import Resource
    from interlock.interop.crosstl.structure import Findings

LARGEST = (1 << 63) - 1
"""The largest size and offset that an extent holds."""


@dataclass(frozen=True, slots=True)
class ForeignView:
    """One CrossTL resource; lengths in bytes."""

    source: Resource
    path: Path
    element: type_pb2.ElementType
    stride: int
    length: int

    @property
    def id(self) -> str:
        """The id."""
        return self.source["id"]

    @property
    def shape(self) -> tuple[int, ...]:
        """Elements along each axis."""
        return tuple(self.source["shape"])

    @property
    def size(self) -> int:
        """The bytes of one element."""
        return element_bytes(self.element)

    @property
    def offset(self) -> int:
        """From the start of the allocation."""
        return self.source["physicalLayout"]["byteOffset"]

    @property
    def end(self) -> int:
        """The byte behind the last, from the start of the allocation."""
        return self.offset + self.length

    @property
    def alignment(self) -> int:
        """The stated alignment, 0 if none is."""
        return self.source["physicalLayout"].get("alignmentBytes", 0)

    @property
    def key(self) -> str:
        """The allocation."""
        return allocation_key(self.id, self.source.get("allocationId"))

    @property
    def is_packed(self) -> bool:
        """Whether its bytes are those of its elements."""
        return self.stride == self.size and self.length == prod(self.shape) * self.size


def read_views(resources: list[Resource], findings: Findings) -> list[ForeignView]:
    """Return the views that can be mapped; each of the others has a finding."""
    views: list[ForeignView] = []
    seen: set[str] = set()
    for i, resource in enumerate(resources):
        path = ROOT.element("resources", i)
        if resource["id"] in seen:
            findings.add(
                "crosstl.duplicate-id", path.field("id"), f"the resource `{resource['id']}` is declared twice"
            )
            continue
        seen.add(resource["id"])
        view = _read_view(resource, path, findings)
        if view is not None:
            views.append(view)
    return views


def _read_view(resource: Resource, path: Path, findings: Findings) -> ForeignView | None:
    before = len(findings.errors)
    check_id(resource["id"], path.field("id"), findings)
    if resource["role"] not in ROLES:
        roles = ", ".join(f"`{role}`" for role in ROLES)
        findings.add(
            "crosstl.unsupported-role",
            path.field("role"),
            f"`{resource['role']}` is none of the roles {roles}",
        )
    if resource["kind"] != "buffer":
        message = f"`{resource['kind']}` where `buffer`, the only kind with a meaning, is required"
        findings.add("crosstl.unsupported-resource-kind", path.field("kind"), message)
    if not all(0 <= extent <= LARGEST for extent in resource["shape"]):
        findings.add("crosstl.invalid-shape", path.field("shape"), "an extent that is not from 0 to 2^63 - 1")
    element = _read_element(resource, path, findings)
    if element is None or len(findings.errors) != before:
        return None
    return _read_layout(resource, path, element, findings)


def check_id(identifier: str, path: Path, findings: Findings) -> None:
    """Report an id that the contract cannot hold."""
    if not is_id(identifier):
        message = f"`{identifier}` is no id: a letter or digit, and at most 254 letters, digits and `_.:/-`"
        findings.add("crosstl.invalid-id", path, message)


def _read_element(resource: Resource, path: Path, findings: Findings) -> type_pb2.ElementType | None:
    dtype = resource.get("dtype")
    if dtype is None:
        findings.add(
            "crosstl.missing-dtype", path.field("dtype"), f"the resource `{resource['id']}` states no dtype"
        )
        return None
    element = element_type(dtype)
    if element is None:
        message = f"the dtype `{dtype}` has no element type; known are {', '.join(ELEMENT_TYPES)}"
        findings.add("crosstl.unsupported-dtype", path.field("dtype"), message)
    return element


def _read_layout(
    resource: Resource, path: Path, element: type_pb2.ElementType, findings: Findings
) -> ForeignView | None:
    layout, place = resource["physicalLayout"], path.field("physicalLayout")
    before, shape, size = len(findings.errors), tuple(resource["shape"]), element_bytes(element)
    if not layout.get("storageLayout", "").strip():
        findings.add(
            "crosstl.missing-storage-layout", place.field("storageLayout"), "no storage layout is stated"
        )
    stated_size = layout.get("elementSizeBytes", size)
    if stated_size != size:
        message = f"`{stated_size}` bytes an element where `{resource.get('dtype')}` has {size}"
        findings.add("crosstl.element-size-mismatch", place.field("elementSizeBytes"), message)
    stride = layout.get("elementStrideBytes", stated_size)
    if stride < stated_size:
        message = f"a stride of `{stride}` bytes where an element has {stated_size}"
        findings.add("crosstl.invalid-stride", place.field("elementStrideBytes"), message)
    numbers = cast("dict[str, int]", layout)
    for name in ("byteOffset", "byteLength", "allocationByteLength", "alignmentBytes"):
        least = 1 if name == "alignmentBytes" else 0
        if not least <= numbers.get(name, least) <= LARGEST:
            message = f"`{numbers[name]}` is not from {least} to 2^63 - 1"
            findings.add("crosstl.value-out-of-range", place.field(name), message)
    if len(findings.errors) != before:
        return None
    length = layout.get("byteLength", prod(shape) * stride)
    largest = max(length, layout["byteOffset"] + length, *row_major_strides(shape, stride), 0)
    if largest > LARGEST or prod(shape) * stride > LARGEST:
        findings.add("crosstl.value-out-of-range", path, "the elements end behind byte 2^63 - 1")
        return None
    needed = needed_length(shape, stride, size)
    if length < needed:
        message = f"`{length}` bytes where the elements take {needed}"
        findings.add("crosstl.byte-length-mismatch", place.field("byteLength"), message)
        return None
    return ForeignView(resource, path, element, stride, length)
