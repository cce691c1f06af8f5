"""Which accesses of a graph race, found by comparing every two of them.

For graphs without control nodes only. Nothing is shared with the rules: bytes are counted from the document,
and order is a closure of the dependencies.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING, Any, cast

from execgraph.options.v1 import options_pb2
from execgraph.v1 import access_pb2, graph_pb2, type_pb2

if TYPE_CHECKING:
    from collections.abc import Iterable

    from execgraph.v1 import node_pb2
    from interlock.document import Document
    from interlock.report.model import Report

Pair = frozenset[str]
Ranges = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Access:
    """What one node does to ranges of one allocation, at the largest values of all parameters."""

    node: str
    allocation: str
    ranges: tuple[tuple[int, int], ...]
    writes: bool
    atomic: bool


class Bytes:
    """Says which bytes of which allocation a selection names."""

    def __init__(self, graph: graph_pb2.ExecutionGraph) -> None:
        self.most = {parameter.id: parameter.maximum for parameter in graph.parameters}
        self.resources = {resource.id: resource for resource in graph.resources}
        self.views = {view.id: view for view in graph.views}

    def value(self, extent: type_pb2.Extent) -> int:
        return extent.constant + sum(term.coefficient * self.most[term.parameter] for term in extent.terms)

    def of(self, selection: type_pb2.ByteSelection) -> tuple[str, Ranges]:
        kind = selection.WhichOneof("selection")
        if kind == "resource":
            resource = self.resources[selection.resource]
            if resource.layout.HasField("strided"):
                ranges = self._strided(resource.type, resource.shape, resource.layout.strided.byte_strides)
            else:
                ranges = [(0, self.value(resource.size))]
        elif kind == "byte_range":
            resource, start = (
                self.resources[selection.byte_range.resource],
                self.value(selection.byte_range.offset),
            )
            ranges = [(start, start + self.value(selection.byte_range.size))]
        else:
            view = self.views[selection.view]
            resource = self.resources[view.resource]
            kind_of_element = view.type if view.HasField("type") else resource.type
            start = self.value(view.offset)
            ranges = [
                (start + a, start + b)
                for a, b in self._strided(kind_of_element, view.shape, view.byte_strides)
            ]
        placed = resource.HasField("placement")
        base = self.value(resource.placement.offset) if placed else 0
        name = f"allocation {resource.placement.allocation}" if placed else resource.id
        return name, [(base + low, base + high) for low, high in ranges if low < high]

    def _strided(
        self, value: type_pb2.ValueType, shape: Iterable[type_pb2.Extent], strides: Iterable[int]
    ) -> Ranges:
        option = type_pb2.ElementType.DESCRIPTOR.values_by_number[value.element].GetOptions()
        size = option.Extensions[cast("Any", options_pb2.value)].storage_bits // 8
        extents, steps = [self.value(extent) for extent in shape], list(strides)
        if not steps:
            return [(0, size * prod(extents))]
        starts = [0]
        for extent, step in sorted(zip(extents, steps, strict=True), key=lambda axis: axis[1]):
            if step == size:
                size *= extent
            else:
                starts = [start + step * number for start in starts for number in range(extent)]
        return [(start, start + size) for start in starts]


def graph_of(document: Document) -> graph_pb2.ExecutionGraph:
    message = document.message
    assert isinstance(message, graph_pb2.ExecutionGraph)
    return message


def accesses(graph: graph_pb2.ExecutionGraph) -> list[Access]:
    found, bytes_of = [], Bytes(graph)
    for node in graph.body.nodes:
        operation = node.operation
        named: list[tuple[type_pb2.ByteSelection, bool, bool]] = []
        if operation.HasField("dispatch"):
            for binding in operation.dispatch.bindings:
                atomic = binding.access == access_pb2.ACCESS_MODE_ATOMIC
                named.append((binding.target, binding.access != access_pb2.ACCESS_MODE_READ, atomic))
        elif operation.HasField("copy"):
            found += _copied(node.id, operation.copy, bytes_of)
        elif operation.HasField("fill"):
            named.append((operation.fill.destination, True, False))
        for selection, writes, atomic in named:
            allocation, ranges = bytes_of.of(selection)
            found.append(Access(node.id, allocation, tuple(ranges), writes, atomic))
    return found


def _copied(node: str, copy: node_pb2.Copy, bytes_of: Bytes) -> list[Access]:
    found = []
    region = copy.region
    for writes, selection, pitch in (
        (False, copy.source, region.source_row_pitch),
        (True, copy.destination, region.destination_row_pitch),
    ):
        allocation, ranges = bytes_of.of(selection)
        if region.rows.constant:
            start, size = ranges[0][0], region.row_bytes.constant
            ranges = [
                (start + row * pitch, start + row * pitch + size) for row in range(region.rows.constant)
            ]
        found.append(Access(node, allocation, tuple(ranges), writes, atomic=False))
    return found


def orders(graph: graph_pb2.ExecutionGraph) -> dict[str, int]:
    """Return for each node, as bits by position, the nodes before it."""
    nodes = {node.id: node for node in graph.body.nodes}
    bit = {name: 1 << number for number, name in enumerate(nodes)}
    before: dict[str, int] = {}
    for name in nodes:
        stack = [name]
        while stack:
            missing = [d for d in nodes[stack[-1]].depends_on if d not in before]
            if missing:
                stack += missing
                continue
            done = stack.pop()
            mask = 0
            for dependency in nodes[done].depends_on:
                mask |= bit[dependency] | before[dependency]
            before[done] = mask
    return before


def races(document: Document) -> dict[Pair, dict[str, Ranges]]:
    """Return the pairs of nodes that race, and on which bytes."""
    graph = graph_of(document)
    before = orders(graph)
    bit = {node.id: 1 << number for number, node in enumerate(graph.body.nodes)}
    by_allocation: dict[str, list[Access]] = {}
    for access in accesses(graph):
        by_allocation.setdefault(access.allocation, []).append(access)
    found: dict[Pair, dict[str, Ranges]] = {}
    for allocation, group in by_allocation.items():
        for one, other in combinations(group, 2):
            if one.node == other.node or not (one.writes or other.writes) or (one.atomic and other.atomic):
                continue
            if before[one.node] & bit[other.node] or before[other.node] & bit[one.node]:
                continue
            common = intersection(one.ranges, other.ranges)
            if common:
                place = allocation.removeprefix("allocation ")
                pair = found.setdefault(frozenset((one.node, other.node)), {})
                pair[place] = union([*pair.get(place, []), *common])
    return found


def intersection(one: Iterable[tuple[int, int]], other: Iterable[tuple[int, int]]) -> Ranges:
    left, right = union(one), union(other)
    found, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        low, high = max(left[i][0], right[j][0]), min(left[i][1], right[j][1])
        if low < high:
            found.append((low, high))
        if left[i][1] < right[j][1]:
            i += 1
        else:
            j += 1
    return found


def union(ranges: Iterable[tuple[int, int]]) -> Ranges:
    joined: Ranges = []
    for low, high in sorted(ranges):
        if joined and low <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], high)
        else:
            joined.append((low, high))
    return joined


def racing_bytes(found: dict[Pair, dict[str, Ranges]]) -> dict[str, Ranges]:
    """Return by allocation the bytes on which any pair races."""
    bytes_of: dict[str, Ranges] = {}
    for places in found.values():
        for allocation, ranges in places.items():
            bytes_of.setdefault(allocation, []).extend(ranges)
    return {allocation: union(ranges) for allocation, ranges in bytes_of.items()}


def reported_races(report: Report) -> dict[Pair, dict[str, Ranges]]:
    """Return what a report says about races, in the same form."""
    found: dict[Pair, dict[str, Ranges]] = {}
    for finding in report.diagnostics:
        if finding.code == "hazard.unordered-access":
            nodes = frozenset(element.id for element in finding.elements if element.id_space == "node")
            places = found.setdefault(nodes, {})
            for span in finding.bytes_concerned:
                places.setdefault(span.allocation, []).append((span.offset, span.offset + span.size))
    return {
        pair: {place: union(ranges) for place, ranges in places.items()} for pair, places in found.items()
    }
