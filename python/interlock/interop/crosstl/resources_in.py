"""CrossTL resources as allocations, resources and views.

Externals of equal role that overlap in one allocation are views of one resource: the first of them that
covers all their bytes with elements as small as any, or else a resource of bytes made for the purpose. Ranges
of a view are ranges of its resource, so a resource of larger elements would call some of them misaligned.
Everything else is a resource of its own, placed in the allocation.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from execgraph.v1 import graph_pb2, resource_pb2, type_pb2
from interlock.diagnostic import Diagnostic, NamedElement, Severity
from interlock.interop.crosstl.hints import VIEW_PREFIX, Hints, write_hints
from interlock.interop.crosstl.json_text import canonical_text
from interlock.interop.crosstl.names import ROLES
from interlock.interop.crosstl.spelling import (
    ViewFacts,
    allocation_key,
    row_major_strides,
    view_hints,
    view_length,
)
from interlock.interop.crosstl.views_in import ForeignView, read_views
from interlock.package.crosstl_names import fresh_id, is_id

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlock.interop.crosstl.model import Resource
    from interlock.interop.crosstl.structure import Findings

_U8 = type_pb2.ELEMENT_TYPE_U8


@dataclass(frozen=True, slots=True)
class Target:
    """Where the bytes of a CrossTL resource are in the graph."""

    view: ForeignView
    resource: str
    view_id: str | None
    base: int
    """From the start of the resource."""
    is_whole: bool
    """Whether naming the resource or the view names exactly its bytes."""

    def selection(self) -> type_pb2.ByteSelection:
        """Return the whole of it."""
        if self.view_id is not None:
            return type_pb2.ByteSelection(view=self.view_id)
        return type_pb2.ByteSelection(resource=self.resource)

    def part(self, offset: int, length: int) -> type_pb2.ByteSelection:
        """Return ``length`` of its bytes, from byte ``offset``."""
        if self.is_whole and (offset, length) == (0, self.view.length):
            return self.selection()
        return type_pb2.ByteSelection(
            byte_range=type_pb2.ByteRange(
                resource=self.resource, offset=extent(self.base + offset), size=extent(length)
            )
        )


@dataclass(frozen=True, slots=True)
class Unit:
    """Views that become one resource; ``owner`` is the one that is it."""

    views: tuple[ForeignView, ...]
    owner: ForeignView | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ResourceTable:
    """What the nodes of a document may name."""

    targets: dict[str, Target]
    known: frozenset[str]
    """Every id that is declared, those without a target included."""


def extent(value: int) -> type_pb2.Extent | None:
    """Return a constant extent, None for zero."""
    return type_pb2.Extent(constant=value) if value else None


def import_resources(
    graph: graph_pb2.ExecutionGraph, resources: list[Resource], findings: Findings, notes: list[Diagnostic]
) -> ResourceTable:
    """Add the allocations, resources and views of a document to ``graph``."""
    known = frozenset(resource["id"] for resource in resources)
    groups: dict[str, list[ForeignView]] = {}
    for view in read_views(resources, findings):
        groups.setdefault(view.key, []).append(view)
    builder = _Builder(graph, set(known), notes)
    allocations = _allocation_ids(groups)
    for key, views in sorted(groups.items()):
        size = _allocation_size(views, findings)
        if size is not None:
            builder.add_group(allocations[key], views, size)
    return ResourceTable(builder.targets, known)


def _allocation_ids(groups: Iterable[str]) -> dict[str, str]:
    ids: dict[str, str] = {}
    taken: set[str] = set()
    for stated in (True, False):
        for key in sorted(groups):
            if is_id(key) == stated:
                ids[key] = fresh_id(key, taken)
                taken.add(ids[key])
    return ids


def _allocation_size(views: list[ForeignView], findings: Findings) -> int | None:
    """Return the size of the allocation that views share; None, with findings, where they disagree on it."""
    stated = [view for view in views if "allocationByteLength" in view.source["physicalLayout"]]
    end = max(view.end for view in views)
    if not stated:
        return end
    first, agreed = stated[0], True
    size = first.source["physicalLayout"]["allocationByteLength"]
    for view in stated[1:]:
        other = view.source["physicalLayout"]["allocationByteLength"]
        if other != size:
            agreed = False
            path = view.path.field("physicalLayout").field("allocationByteLength")
            message = f"`{other}` bytes for the allocation that `{first.id}` gives `{size}` bytes"
            findings.add("crosstl.allocation-size-conflict", path, message)
    for view in views:
        if view.end > size:
            agreed = False
            message = f"`{view.id}` ends at byte `{view.end}` of an allocation of `{size}` bytes"
            findings.add("crosstl.view-exceeds-allocation", view.path.field("physicalLayout"), message)
    return size if agreed else None


def units_of(views: list[ForeignView]) -> list[Unit]:
    """Join overlapping externals of equal role.

    The order depends on the bytes, not on that of the document.
    """
    units: list[Unit] = []
    by_role: dict[str, list[ForeignView]] = {}
    for view in views:
        if view.source["role"] == "temporary" or not view.length:
            units.append(Unit((view,), view, view.offset, view.end))
        else:
            by_role.setdefault(view.source["role"], []).append(view)
    for _, members in sorted(by_role.items()):
        run: list[ForeignView] = []
        end = 0
        for view in sorted(members, key=lambda view: view.offset):
            if run and view.offset >= end:
                units.append(_unit(run))
                run = []
            run.append(view)
            end = max(end, view.end) if len(run) > 1 else view.end
        units.append(_unit(run))
    return units


def _unit(run: list[ForeignView]) -> Unit:
    start, end = min(view.offset for view in run), max(view.end for view in run)
    members = sorted(run, key=lambda view: view.path.steps[0].index or 0)
    smallest = min(view.size for view in members)
    owners = (view for view in members if (view.offset, view.end, view.size) == (start, end, smallest))
    owner = next(owners, None)
    return Unit(tuple(members), owner, start, end)


class _Builder:
    def __init__(self, graph: graph_pb2.ExecutionGraph, taken: set[str], notes: list[Diagnostic]) -> None:
        self.targets: dict[str, Target] = {}
        self._graph = graph
        self._taken = taken
        self._notes = notes

    def add_group(self, allocation: str, views: list[ForeignView], size: int) -> None:
        """Add everything that lies in one CrossTL allocation."""
        units = units_of(views)
        shared = len(units) > 1 or units[0].start > 0 or size > units[0].end
        if not shared and not any(view.source.get("allocationId") for view in views):
            self._add_unit(units[0], None, None)
            return
        alignment = max(view.alignment or view.size for view in views)
        self._graph.allocations.add(id=allocation, size=extent(size), alignment=alignment)
        for unit in units:
            self._add_unit(unit, allocation, size)

    def _add_unit(self, unit: Unit, allocation: str | None, allocation_size: int | None) -> None:
        if unit.owner is None:
            resource = self._add_backing(unit, allocation)
        else:
            resource = self._add_resource(unit.owner, allocation, allocation_size)
        if allocation is not None:
            resource.placement.allocation = allocation
            if unit.start:
                resource.placement.offset.constant = unit.start
        for view in unit.views:
            if view is not unit.owner:
                name = allocation or allocation_key(resource.id, None)
                self._add_view(resource, view, unit, name, allocation_size)

    def _add_resource(
        self, view: ForeignView, allocation: str | None, allocation_size: int | None
    ) -> resource_pb2.Resource:
        resource = self._graph.resources.add(
            id=view.id,
            role=ROLES[view.source["role"]],
            type=type_pb2.ValueType(element=view.element),
            shape=[type_pb2.Extent(constant=extent) for extent in view.shape],
            size=extent(view.length),
            alignment=view.alignment,
        )
        if view.shape and view.stride != view.size:
            resource.layout.strided.byte_strides.extend(row_major_strides(view.shape, view.stride))
        written = None if allocation == allocation_key(view.id, None) else allocation
        facts = ViewFacts(
            view.element,
            view.shape,
            view.stride if view.shape else view.size,
            view.length,
            view.offset,
            view.alignment,
            written,
            allocation_size,
        )
        hints = view_hints(view.source, facts) | self._element_hints(view)
        lifetime = view.source.get("lifetime")
        if lifetime is not None and view.source["role"] == "temporary":
            resource.lifetime.spans.add(begins=[lifetime["firstNode"]], ends=[lifetime["lastNode"]])
        write_hints(resource.provenance, hints)
        self.targets[view.id] = Target(view, view.id, None, 0, view.is_packed)
        return resource

    def _add_backing(self, unit: Unit, allocation: str | None) -> resource_pb2.Resource:
        name = fresh_id(f"{allocation or unit.views[0].id}.bytes", self._taken)
        self._taken.add(name)
        size = unit.end - unit.start
        resource = self._graph.resources.add(
            id=name,
            role=ROLES[unit.views[0].source["role"]],
            type=type_pb2.ValueType(element=_U8),
            shape=[type_pb2.Extent(constant=size)],
            size=extent(size),
        )
        write_hints(resource.provenance, {"backing": True})
        members = ", ".join(f"`{view.id}`" for view in unit.views)
        message = f"{members} overlap, and none holds the others: they are views of the resource `{name}`"
        named = (NamedElement("resource", name),)
        note = Diagnostic("crosstl.backing-resource", Severity.NOTE, unit.views[0].path, message, named)
        self._notes.append(note)
        return resource

    def _add_view(
        self,
        resource: resource_pb2.Resource,
        view: ForeignView,
        unit: Unit,
        allocation: str,
        allocation_size: int | None,
    ) -> None:
        padded = view.length > prod(view.shape) * view.stride
        element, shape, size = (_U8, (view.length,), 1) if padded else (view.element, view.shape, view.size)
        stride = view.stride if view.shape and not padded else size
        message = self._graph.views.add(
            id=view.id,
            resource=resource.id,
            offset=extent(view.offset - unit.start),
            type=None if element == resource.type.element else type_pb2.ValueType(element=element),
            shape=[type_pb2.Extent(constant=extent) for extent in shape],
        )
        if stride != size:
            message.byte_strides.extend(row_major_strides(shape, stride))
        facts = ViewFacts(
            element,
            shape,
            stride,
            view_length(shape, stride, size, unit.end - view.offset),
            view.offset,
            0,
            None if allocation == allocation_key(view.id, None) else allocation,
            allocation_size,
            length_is_free=True,
        )
        kept = self._padding_hints(view, facts) if padded else view_hints(view.source, facts)
        hints = self._element_hints(view) | kept
        if hints:
            key = VIEW_PREFIX + view.id
            resource.provenance.attributes.add(key=key, value=canonical_text(hints))
        is_whole = padded or view.is_packed
        self.targets[view.id] = Target(view, resource.id, view.id, view.offset - unit.start, is_whole)

    def _padding_hints(self, view: ForeignView, facts: ViewFacts) -> Hints:
        """Return the elements of a view that became one of bytes."""
        text = f"`{view.id}` is longer than its elements: it is a view of `{view.length}` bytes"
        self._notes.append(Diagnostic("crosstl.padded-view", Severity.NOTE, view.path, text))
        layout = {name: part for name, part in view.source["physicalLayout"].items() if name != "byteOffset"}
        elements = {"dtype": view.source.get("dtype"), "shape": list(view.shape), "physicalLayout": layout}
        hints: Hints = {"elements": elements}
        if view.source.get("allocationId") != facts.allocation_id:
            hints["allocation-id"] = view.source.get("allocationId")
        return hints

    def _element_hints(self, view: ForeignView) -> Hints:
        """Return the hints that do not depend on what the view became."""
        hints: Hints = {}
        if "provenance" in view.source:
            hints["provenance"] = view.source["provenance"]
        if "lifetime" in view.source and view.source["role"] != "temporary":
            hints["lifetime"] = dict(view.source["lifetime"])
            message = f"the lifetime of `{view.id}` is kept, and means nothing: only a temporary has one"
            path = view.path.field("lifetime")
            self._notes.append(Diagnostic("crosstl.ignored-lifetime", Severity.NOTE, path, message))
        return hints
