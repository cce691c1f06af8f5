"""What a dispatch amounts to on a target, as far as the graph alone says: geometry, elements, bindings.

There is one spelling for each, so that what a target states is compared, never interpreted.
"""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from execgraph.v1 import access_pb2, dispatch_pb2, resource_pb2
from interlock.graph.accesses import ATOMIC, WRITING, AccessRole
from interlock.graph.elements import LayoutKind
from interlock.graph.extents import U64_MAX, Affine, add, bounds, is_bounded
from interlock.graph.nodes import NodeKind
from interlock.graph.types import storage_bits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from execgraph.v1 import type_pb2
    from interlock.graph.accesses import Selection
    from interlock.graph.index import GraphIndex

AXES = 3
Workgroup = tuple[int, int, int]


def stated_workgroup(geometry: dispatch_pb2.Geometry) -> Workgroup | None:
    """Return the workgroup size that a geometry states, of three axes; None if the variant decides."""
    size = list(geometry.workgroup_size)
    if not 0 < len(size) <= AXES:
        return None
    x, y, z = (*size, *[1] * (AXES - len(size)))
    return x, y, z


def realized(geometry: dispatch_pb2.Geometry, workgroup: Workgroup) -> dispatch_pb2.Geometry:
    """Return the geometry of a dispatch as a target runs it: three axes of everything, nothing left open.

    A count that comes from constant elements becomes a number, unless exact threads need the elements.
    """
    found = dispatch_pb2.Geometry(
        workgroup_size=workgroup,
        exact_threads=geometry.exact_threads,
        subgroup_size=geometry.subgroup_size,
        dynamic_shared_bytes=geometry.dynamic_shared_bytes,
    )
    count = geometry.workgroup_count
    source = count.WhichOneof("source")
    if source == "extents":
        _pad(found.workgroup_count.extents.counts, count.extents.counts)
    elif source == "indirect":
        found.workgroup_count.indirect.source.CopyFrom(count.indirect.source)
        maxima = list(count.indirect.maximum_counts)
        found.workgroup_count.indirect.maximum_counts.extend((*maxima, *[1] * (AXES - len(maxima))))
    elif source == "elements":
        elements = count.elements.elements
        per = list(count.elements.elements_per_workgroup) or list(workgroup[: len(elements)])
        per += [1] * (AXES - len(per))
        if geometry.exact_threads or any(each.terms for each in elements):
            _pad(found.workgroup_count.elements.elements, elements)
            found.workgroup_count.elements.elements_per_workgroup.extend(per)
        else:
            numbers = [each.constant for each in elements] + [1] * (AXES - len(elements))
            for number, size in zip(numbers, per, strict=False):
                found.workgroup_count.extents.counts.add(constant=-(-number // max(size, 1)))
    return found


def _pad(into: object, extents: Iterable[type_pb2.Extent]) -> None:
    into.extend(extents)  # type: ignore[attr-defined]  # a repeated field
    for _ in range(AXES - len(into)):  # type: ignore[arg-type]
        into.add(constant=1)  # type: ignore[attr-defined]


class BoundSlot(NamedTuple):
    """A slot that a dispatch binds bytes to.

    ``largest`` is the most bytes that may be bound, ``offset`` where they start in the block of memory that
    they lie in; None where a parameter has no value.
    """

    resource: str
    role: int
    access: int
    is_full: bool
    elements: int
    largest: int | None
    offset: Affine | None


class Dispatches:
    """The dispatches of a graph, with what each binds."""

    def __init__(self, graph: GraphIndex) -> None:
        self.graph = graph
        self._bound: dict[int, dict[str, BoundSlot]] = {}
        self._sizes: dict[int, tuple[int, int | None, Affine | None]] = {}

    @cached_property
    def numbers(self) -> list[int]:
        """The dispatch nodes."""
        return list(self.graph.nodes.of_kind(NodeKind.DISPATCH))

    @cached_property
    def _accesses(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        accesses = self.graph.accesses
        for access, role in enumerate(accesses.role):
            if role == AccessRole.BINDING:
                found.setdefault(accesses.node[access], []).append(access)
        return found

    def message(self, node: int) -> dispatch_pb2.Dispatch:
        """Return the message of a dispatch."""
        found: dispatch_pb2.Dispatch = self.graph.nodes.messages[node].operation.dispatch
        return found

    def bound(self, node: int) -> dict[str, BoundSlot]:
        """Return the slots that a dispatch binds, by name. What selects nothing that exists is left out."""
        found = self._bound.get(node)
        if found is None:
            found = self._bound[node] = self._read(node)
        return found

    def _read(self, node: int) -> dict[str, BoundSlot]:
        graph, accesses = self.graph, self.graph.accesses
        bindings = self.message(node).bindings
        found = {}
        for binding, access in zip(bindings, self._accesses.get(node, ()), strict=True):
            number = accesses.selection[access]
            selection = graph.selections[number]
            if selection.resource is None:
                continue
            sizes = self._sizes.get(number)
            if sizes is None:
                sizes = (self._elements(selection), self._largest(selection), self._offset(selection))
                self._sizes[number] = sizes
            resource = graph.elements.resources[selection.resource]
            is_full = binding.coverage == _FULL
            found[binding.slot] = BoundSlot(resource.id, resource.role, binding.access, is_full, *sizes)
        return found

    def _elements(self, selection: Selection) -> int:
        """Return the most elements a selection has; at least 1."""
        tables = self.graph.elements
        resource = tables.resources[selection.resource or 0]
        shape: Sequence[Affine | None] = resource.shape
        if selection.arm == "view":
            shape = tables.views[selection.view or 0].shape
        elif selection.arm == "byte_range":
            return max(-(-(self._largest(selection) or 0) * 8 // max(resource.type.bits, 1)), 1)
        elif resource.layout is LayoutKind.IMAGE and not shape:
            image = self.graph.message.resources[resource.position].layout.image
            shape = [tables.affine(each) for each in image.extent]
        return max(prod(self.greatest(size) or 0 for size in shape), 1)

    def greatest(self, value: Affine | None) -> int | None:
        """Return the greatest value of an extent; None where a parameter has no value."""
        domains = self.graph.elements.domains
        if value is None or not is_bounded(value, domains):
            return None
        return bounds(value, domains).high

    def _largest(self, selection: Selection) -> int | None:
        size = getattr(selection.bytes, "payload", None)
        return None if size is None else bounds(size, self.graph.elements.domains).high

    def _offset(self, selection: Selection) -> Affine | None:
        low = getattr(selection.bytes, "low", None)
        placed = self.graph.elements.resources[selection.resource or 0].offset
        return add(low, placed) if isinstance(low, Affine) and placed is not None else None

    def elements(self, node: int, *, full_span: bool) -> int:
        """Return the number of logical elements that a dispatch covers.

        Where the dispatch derives its count from elements, it is those. Otherwise it is the most elements of
        anything written; of anything bound with ``full_span``, where nothing is written, or with an atomic
        access. A dispatch that binds nothing covers one.

        Raises:
            OverflowError: The number has more than 64 bits.
        """
        count = self.message(node).geometry.workgroup_count
        if count.WhichOneof("source") == "elements":
            sizes = [self.greatest(self.graph.elements.affine(each)) for each in count.elements.elements]
            return _checked(max(prod(max(size or 0, 0) for size in sizes), 1))
        slots = list(self.bound(node).values())
        atomic = any(slot.access == ATOMIC for slot in slots)
        written = [] if full_span or atomic else [slot.elements for slot in slots if slot.access in WRITING]
        return _checked(max(written or [slot.elements for slot in slots], default=1))

    def inline_bytes(self, node: int) -> int:
        """Return the bytes of the inline constants of a dispatch."""
        size = 0
        for constant in self.message(node).inline_constants:
            if constant.value.WhichOneof("value") == "literal":
                size += len(constant.value.literal.bits)
            else:
                size += -(-storage_bits(constant.value.parametric.element) // 8)
        return size

    def workgroup_counts(self, geometry: dispatch_pb2.Geometry) -> list[int]:
        """Return the greatest count along each axis of a realized geometry."""
        count, affine = geometry.workgroup_count, self.graph.elements.affine
        source = count.WhichOneof("source")
        if source == "extents":
            return [self.greatest(affine(each)) or 0 for each in count.extents.counts]
        if source == "elements":
            per = count.elements.elements_per_workgroup
            sizes = [self.greatest(affine(each)) or 0 for each in count.elements.elements]
            return [-(-size // max(each, 1)) for size, each in zip(sizes, per, strict=False)]
        return list(count.indirect.maximum_counts)


def _checked(number: int) -> int:
    if number > U64_MAX:
        raise OverflowError(f"{number} elements are more than 64 bits can count")
    return number


_FULL = access_pb2.COVERAGE_FULL
CONSTANT_ROLE = resource_pb2.RESOURCE_ROLE_CONSTANT
