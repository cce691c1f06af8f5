"""Resources and views as CrossTL resources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from execgraph.v1 import graph_pb2, resource_pb2, type_pb2
from interlock.author.literals import element_name
from interlock.diagnostic import ROOT, Path
from interlock.interop.crosstl.hints import Hints, object_hint, read_hints, text_hint
from interlock.interop.crosstl.model import Lifetime, PhysicalLayout, Resource
from interlock.interop.crosstl.names import DTYPE_NAMES, ROLE_NAMES, element_bytes
from interlock.interop.crosstl.order import default_resource_order, is_backing, restored_order
from interlock.interop.crosstl.provenance_out import free_provenance
from interlock.interop.crosstl.resources_in import Unit, units_of
from interlock.interop.crosstl.spelling import (
    ViewFacts,
    allocation_key,
    row_major_strides,
    view_length,
    write_view,
)
from interlock.interop.crosstl.structure import LIFETIME, RESOURCE, Findings, has_structure
from interlock.interop.crosstl.views_in import read_views
from interlock.package.crosstl_names import is_id

_U8 = type_pb2.ELEMENT_TYPE_U8


@dataclass(frozen=True, slots=True)
class Written:
    """Where a written CrossTL resource lies: ``base`` and ``length`` are in bytes of the graph's resource."""

    resource: str
    base: int
    length: int
    element: type_pb2.ElementType


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory that CrossTL resources share: a declared allocation, or that of a resource of its own."""

    id: str
    is_declared: bool


class ResourceWriter:
    """Writes the resources of one graph."""

    def __init__(
        self, graph: graph_pb2.ExecutionGraph, outer_ids: dict[str, str], findings: Findings
    ) -> None:
        self.written: dict[str, Written] = {}
        self._graph = graph
        self._outer_ids = outer_ids
        self._findings = findings
        self._allocations = {allocation.id: allocation for allocation in graph.allocations}
        self._resources = {resource.id: resource for resource in graph.resources}
        self._hints: dict[str, Hints] = {}
        self._results: dict[str, Resource] = {}
        self._owners: dict[str, str] = {}
        self._memory: dict[str, Memory] = {}

    def write(self, order: list[str]) -> list[Resource]:
        """Return the resources, in ``order`` as far as it names them."""
        for i, resource in enumerate(self._graph.resources):
            path = ROOT.element("resources", i, resource.id)
            self._hints[resource.id] = read_hints(resource.provenance, path, self._findings)
            if not is_backing(resource):
                self._write_resource(resource, path)
        for i, view in enumerate(self._graph.views):
            self._write_view(view, ROOT.element("views", i, view.id))
        self._drop_ambiguous_allocation_ids()
        self._check_allocations()
        names = restored_order(order, default_resource_order(self._graph))
        return [self._results[name] for name in names if name in self._results]

    def _write_resource(self, resource: resource_pb2.Resource, path: Path) -> None:
        role = ROLE_NAMES.get(resource.role)
        if role is None:
            text = (
                f"the role `{resource_pb2.ResourceRole.Name(resource.role)}` has no counterpart in the format"
            )
            self._findings.add("crosstl.not-expressible", path.field("role"), text)
        hints = self._hints[resource.id]
        allocation, offset, size = self._placement(resource, path)
        stride = self._stride(resource.shape, resource.layout.strided.byte_strides, resource.type, path)
        if stride is None:
            return
        facts = ViewFacts(
            resource.type.element,
            _constants(resource.shape),
            stride,
            resource.size.constant,
            offset,
            resource.alignment,
            None if allocation == allocation_key(resource.id, None) else allocation,
            size,
        )
        result = self._result(resource.id, role or "", facts, hints, path)
        self._add_lifetime(result, resource, hints, path)
        provenance = free_provenance(resource.provenance, hints, path, self._findings)
        if provenance:
            result["provenance"] = provenance
        self._remember(result, resource.id, 0, path, _memory(resource))

    def _write_view(self, view: resource_pb2.View, path: Path) -> None:
        resource = self._resources.get(view.resource)
        if resource is None:
            self._findings.add(
                "crosstl.missing-reference", path.field("resource"), f"there is no `{view.resource}`"
            )
            return
        if resource.role == resource_pb2.RESOURCE_ROLE_TEMPORARY:
            text = "a view of a temporary, which the format takes for another temporary"
            self._findings.add("crosstl.not-expressible", path.field("resource"), text)
        hints = object_hint(self._hints.get(resource.id, {}), f"view.{view.id}")
        allocation, start, size = self._placement(resource, path)
        value_type = view.type if view.HasField("type") else resource.type
        stride = self._stride(view.shape, view.byte_strides, value_type, path)
        if stride is None:
            return
        shape, base = _constants(view.shape), view.offset.constant
        room = resource.size.constant - base
        shared = allocation or allocation_key(resource.id, None)
        facts = ViewFacts(
            value_type.element,
            shape,
            stride,
            view_length(shape, stride, element_bytes(value_type.element), room),
            start + base,
            0,
            None if shared == allocation_key(view.id, None) else shared,
            size,
            length_is_free=True,
        )
        role = ROLE_NAMES.get(resource.role, "")
        result = self._padded_result(view.id, role, facts, hints) or self._result(
            view.id, role, facts, hints, path
        )
        if "provenance" in hints:
            result["provenance"] = object_hint(hints, "provenance")
        if has_structure(hints.get("lifetime"), LIFETIME):
            result["lifetime"] = cast("Lifetime", hints["lifetime"])
        self._remember(result, resource.id, base, path, _memory(resource))

    def _result(self, name: str, role: str, facts: ViewFacts, hints: Hints, path: Path) -> Resource:
        if not is_id(name):
            self._findings.add("crosstl.invalid-id", path.field("id"), f"`{name}` is no id in the format")
        dtype, layout, allocation_id = write_view(facts, hints)
        return _resource(name, role, dtype, list(facts.shape), layout, allocation_id)

    def _padded_result(self, name: str, role: str, facts: ViewFacts, hints: Hints) -> Resource | None:
        """Return a view of bytes with the elements it was made from, if they still fit it."""
        elements = object_hint(hints, "elements")
        if not elements or facts.element != _U8 or len(facts.shape) != 1:
            return None
        layout = cast(
            "PhysicalLayout", {"byteOffset": facts.offset} | object_hint(elements, "physicalLayout")
        )
        allocation_id = facts.allocation_id
        if "allocation-id" in hints:
            allocation_id = text_hint(hints, "allocation-id")
        dtype = text_hint(elements, "dtype") or ""
        result = _resource(name, role, dtype, elements.get("shape", []), layout, allocation_id)
        views = read_views([result], Findings(0)) if has_structure(result, RESOURCE) else []
        return result if views and views[0].length == facts.shape[0] else None

    def _remember(self, result: Resource, resource: str, base: int, path: Path, memory: Memory) -> None:
        name = result["id"]
        if name in self._results:
            text = f"`{name}` is a resource and a view, which the format does not tell apart"
            self._findings.add("crosstl.duplicate-id", path.field("id"), text)
        self._results[name] = result
        self._owners[name] = resource
        self._memory[name] = memory
        trial = Findings(0)
        views = read_views([result], trial)
        if result["role"] and is_id(name):
            for error in trial.errors:
                self._findings.add("crosstl.not-expressible", path, f"no view of the format: {error.message}")
        if views:
            self.written[name] = Written(resource, base, views[0].length, views[0].element)

    def _placement(self, resource: resource_pb2.Resource, path: Path) -> tuple[str | None, int, int | None]:
        """Return allocation, offset and size of the allocation."""
        if not resource.HasField("placement"):
            return None, 0, None
        name = resource.placement.allocation
        allocation = self._allocations.get(name)
        if allocation is None:
            text = f"there is no allocation `{name}`"
            self._findings.add("crosstl.missing-reference", path.field("placement").field("allocation"), text)
            return name, resource.placement.offset.constant, None
        return name, resource.placement.offset.constant, allocation.size.constant

    def _stride(
        self, extents: object, strides: object, value_type: type_pb2.ValueType, path: Path
    ) -> int | None:
        """Return the distance between elements; None, with a finding, where there is no single one."""
        if value_type.element not in DTYPE_NAMES:
            text = f"the element type `{element_name(value_type.element)}` has no dtype in the format"
            self._findings.add("crosstl.not-expressible", path.field("type"), text)
            return None
        size, given = element_bytes(value_type.element), list(cast("list[int]", strides))
        if not given:
            return size
        if given[-1] < size or given != row_major_strides(_constants(extents), given[-1]):
            text = f"the strides `{given}` are not those of equally spaced elements in row-major order"
            self._findings.add("crosstl.not-expressible", path, text)
            return None
        return given[-1]

    def _add_lifetime(
        self, result: Resource, resource: resource_pb2.Resource, hints: Hints, path: Path
    ) -> None:
        spans = resource.lifetime.spans
        if not resource.HasField("lifetime"):
            is_temporary = resource.role == resource_pb2.RESOURCE_ROLE_TEMPORARY
            if not is_temporary and has_structure(hints.get("lifetime"), LIFETIME):
                result["lifetime"] = cast("Lifetime", hints["lifetime"])
            return
        begins, ends = list(spans[0].begins) if spans else [], list(spans[0].ends) if spans else []
        temporary = resource.role == resource_pb2.RESOURCE_ROLE_TEMPORARY
        if not temporary or (len(spans), len(begins), len(ends)) != (1, 1, 1):
            text = "a lifetime other than that of a temporary with one first and one last node"
            self._findings.add("crosstl.not-expressible", path.field("lifetime"), text)
            return
        first, last = (self._outer_ids.get(node, node) for node in (begins[0], ends[0]))
        result["lifetime"] = Lifetime(firstNode=first, lastNode=last)

    def _drop_ambiguous_allocation_ids(self) -> None:
        """Write allocation ids as they are in the graph.

        Where the hinted ones would share memory otherwise.
        """
        if self._partition_is_kept():
            return
        for name, result in self._results.items():
            memory = self._memory[name]
            key = memory.id if memory.is_declared else allocation_key(memory.id, None)
            result.pop("allocationId", None)
            if key != allocation_key(name, None):
                result["allocationId"] = key
        if not self._partition_is_kept():
            text = "an allocation has the name that the format gives to the memory of a resource of its own"
            self._findings.add("crosstl.not-expressible", ROOT.field("allocations"), text)

    def _partition_is_kept(self) -> bool:
        pairs = {
            (allocation_key(name, result.get("allocationId")), self._memory[name])
            for name, result in self._results.items()
        }
        return len(pairs) == len({foreign for foreign, _ in pairs}) == len({own for _, own in pairs})

    def _check_allocations(self) -> None:
        """Report what an import of the written resources would not make the same of."""
        groups: dict[Memory, list[Resource]] = {}
        for name, result in self._results.items():
            groups.setdefault(self._memory[name], []).append(result)
        for i, allocation in enumerate(self._graph.allocations):
            path = ROOT.element("allocations", i, allocation.id)
            if Memory(allocation.id, is_declared=True) not in groups:
                self._findings.add("crosstl.not-expressible", path, "an allocation that holds nothing")
        for memory, results in groups.items():
            views = read_views(results, Findings(0))
            for unit in units_of(views):
                self._check_unit(unit)
            self._check_size(memory, results)

    def _check_unit(self, unit: Unit) -> None:
        owners = sorted({self._owners[view.id] for view in unit.views})
        resource = self._resources[owners[0]]
        if len(owners) == 1 and unit.owner is not None and unit.owner.id == resource.id:
            return
        if resource.role == resource_pb2.RESOURCE_ROLE_TEMPORARY:
            return  # its views are refused one by one
        is_held = unit.owner is None and is_backing(resource)
        if len(owners) == 1 and is_held and unit.end - unit.start == resource.size.constant:
            return
        named = ", ".join(f"`{name}`" for name in owners)
        text = f"the format would make other resources of the bytes of {named} and of their views"
        self._findings.add("crosstl.not-expressible", ROOT.field("resources"), text)

    def _check_size(self, memory: Memory, results: list[Resource]) -> None:
        """State the size of an allocation where it does not follow from its contents."""
        allocation = self._allocations.get(memory.id)
        if allocation is None or not memory.is_declared:
            return
        views = read_views(results, Findings(0))
        stated = any("allocationByteLength" in result["physicalLayout"] for result in results)
        if not stated and views and max(view.end for view in views) != allocation.size.constant:
            for result in results:
                result["physicalLayout"]["allocationByteLength"] = allocation.size.constant
        implied = max((view.alignment or view.size for view in views), default=1)
        if allocation.alignment > implied:
            text = (
                f"an alignment of `{allocation.alignment}` bytes, more than what lies in the allocation needs"
            )
            self._findings.add("crosstl.not-expressible", ROOT.field("allocations"), text)


def _resource(
    name: str, role: str, dtype: str, shape: list[int], layout: PhysicalLayout, allocation_id: str | None
) -> Resource:
    result = Resource(id=name, role=role, kind="buffer", dtype=dtype, shape=shape, physicalLayout=layout)
    if allocation_id is not None:
        result["allocationId"] = allocation_id
    return result


def _memory(resource: resource_pb2.Resource) -> Memory:
    if resource.HasField("placement"):
        return Memory(resource.placement.allocation, is_declared=True)
    return Memory(resource.id, is_declared=False)


def _constants(extents: object) -> tuple[int, ...]:
    return tuple(extent.constant for extent in cast("list[type_pb2.Extent]", extents))
