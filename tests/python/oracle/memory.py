"""Bytes as bits: every allocation is a stretch of one integer, and a set of bytes is a mask."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import NamedTuple

from .model import ELEMENT_BYTES, CopyRegion, Env, Graph, Selection, UnsupportedError

_GAP = 1
"""Bits between allocations, so that a run of bits never joins two of them."""


@dataclass(frozen=True, slots=True)
class Space:
    """Where each allocation starts, and how many bytes it has at most.

    A resource of its own counts as an allocation.
    """

    starts: dict[str, int]
    sizes: dict[str, int]

    @staticmethod
    def of(graph: Graph) -> Space:
        environments = list(graph.environments())
        extents = {allocation.id: allocation.size for allocation in graph.allocations.values()}
        extents |= {
            resource.id: resource.size for resource in graph.resources.values() if not resource.allocation
        }
        sizes = {
            name: max((size.at(env) for env in environments), default=0) for name, size in extents.items()
        }
        starts, position = {}, 0
        for name, size in sorted(sizes.items()):
            starts[name] = position
            position += size + _GAP
        return Space(starts, sizes)

    def split(self, mask: int) -> dict[str, int]:
        """Return a set of bytes allocation by allocation, each part shifted to the allocation's start."""
        parts = {name: (mask >> start) & ((1 << self.sizes[name]) - 1) for name, start in self.starts.items()}
        return {name: part for name, part in parts.items() if part}


class Run(NamedTuple):
    """Bytes in a row, relative to a resource. ``element`` is the distance at which elements start in it."""

    start: int
    size: int
    element: int


class Memory:
    """Where everything lies for one value of the parameters."""

    def __init__(self, graph: Graph, space: Space, env: Env) -> None:
        self.graph = graph
        self.space = space
        self.env = env
        self.first: dict[str, int] = {}
        self.bytes: dict[str, int] = {}
        self._limits: dict[str, int] = {}
        for resource in graph.resources.values():
            name = resource.allocation or resource.id
            size = graph.allocations[name].size if resource.allocation else resource.size
            limit = ((1 << max(size.at(env), 0)) - 1) << space.starts[name]
            self._limits[resource.id] = limit
            self.first[resource.id] = space.starts[name] + resource.offset.at(env)
            self.bytes[resource.id] = self._mask(resource.id, 0, resource.size.at(env))

    def _mask(self, resource: str, start: int, size: int) -> int:
        if size <= 0:
            return 0
        return (((1 << size) - 1) << (self.first[resource] + start)) & self._limits[resource]

    def selected(self, selection: Selection, env: Env) -> int:
        """Return the bytes a selection names."""
        resource = self.graph.resource_of(selection).id
        if not selection.view and selection.size is None:
            return self.bytes[resource]
        mask = 0
        for run in self.runs(selection, env):
            mask |= self._mask(resource, run.start, run.size)
        return mask

    def copied(self, selection: Selection, region: CopyRegion, pitches: tuple[int, int], env: Env) -> int:
        """Return the bytes of the rows of one side of a copy."""
        resource = self.graph.resource_of(selection).id
        start = self.runs(selection, env)[0].start
        slices = region.slices.at(env) if region.slices is not None else 1
        mask = 0
        for index, row in product(range(slices), range(region.rows.at(env))):
            at = start + index * pitches[1] + row * pitches[0]
            mask |= self._mask(resource, at, region.row_bytes.at(env))
        return mask

    def runs(self, selection: Selection, env: Env) -> list[Run]:
        """Return what a selection names, run by run; the elements of strided views one by one."""
        resource = self.graph.resource_of(selection)
        if not selection.view:
            size = resource.size if selection.size is None else selection.size
            return [Run(selection.offset.at(env), size.at(env), ELEMENT_BYTES[resource.element])]
        view = self.graph.views[selection.view]
        width = ELEMENT_BYTES[view.element]
        start, shape = view.offset.at(env), [axis.at(env) for axis in view.shape]
        if not view.strides:
            return [Run(start, prod(shape) * width, width)]
        return [
            Run(start + sum(i * stride for i, stride in zip(place, view.strides, strict=True)), width, width)
            for place in product(*map(range, shape))
        ]

    def elements(self, selection: Selection, atomic: int, env: Env) -> dict[int, int]:
        """Return the elements that an atomic access updates: the mask of each by its first byte."""
        resource = self.graph.resource_of(selection).id
        width = ELEMENT_BYTES[atomic]
        found = {}
        for run in self.runs(selection, env):
            if run.size % width:
                raise UnsupportedError("atomic elements that do not fill what is bound")
            for start in range(run.start, run.start + run.size, width):
                found[self.first[resource] + start] = self._mask(resource, start, width)
        return found
