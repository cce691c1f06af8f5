"""The elements a graph declares beside its nodes, as facts: parameters, allocations, resources, views.

References are resolved to positions in these tables; what does not resolve is None, and everything that
rests on it is None too. The first declaration of an id counts.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from interlock.diagnostic import ROOT, Path, Step
from interlock.graph.extents import ZERO, Affine, Domain, make_domain
from interlock.graph.nodes import NodeKind, NodeTable
from interlock.graph.types import BLOCK, INTEGER_RANGES, storage_bits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from execgraph.v1 import graph_pb2, resource_pb2, type_pb2


class LayoutKind(IntEnum):
    """How the elements of a resource lie in memory: the number of the layout's arm."""

    PACKED = 1
    STRIDED = 2
    OPAQUE = 3
    IMAGE = 4


_LAYOUTS = {
    "strided": LayoutKind.STRIDED,
    "opaque": LayoutKind.OPAQUE,
    "image": LayoutKind.IMAGE,
}


class Parameter(NamedTuple):
    """A parameter or an iteration index.

    ``domain`` is None if it can have no value. ``owner`` is the repeat that declares an iteration index, -1
    for a parameter of the graph.
    """

    id: str
    domain: Domain | None
    owner: int
    path: Path


class ElementType(NamedTuple):
    """A value type.

    ``bits`` is the storage of one element, for BLOCK that of one block; 0 if it is not known.
    """

    element: int
    bits: int
    format: str = ""

    @property
    def bytes(self) -> int:
        """The bytes from which one element takes whole ones: its storage, rounded up."""
        return -(-self.bits // 8)


class Use(NamedTuple):
    """A place of an extent that has terms or is negative; any other says one number for ever.

    ``node`` is -1 outside the nodes. ``value`` is None if a parameter is missing.
    """

    node: int
    path: Path
    value: Affine | None


class Allocation(NamedTuple):
    """An allocation. ``position`` is the one in its table."""

    id: str
    position: int
    size: Affine | None
    alignment: int

    @property
    def path(self) -> Path:
        """The path of the allocation."""
        return ROOT.element("allocations", self.position, self.id or None)


class Resource(NamedTuple):
    """A resource. ``position`` is the one in its table.

    ``strides`` are there for a strided layout only; ``allocation`` is None for one of its own.
    """

    id: str
    position: int
    role: int
    type: ElementType
    shape: tuple[Affine | None, ...]
    layout: LayoutKind
    strides: tuple[int, ...]
    size: Affine | None
    alignment: int
    allocation: str | None
    offset: Affine | None
    image_axes: int

    @property
    def path(self) -> Path:
        """The path of the resource."""
        return ROOT.element("resources", self.position, self.id or None)

    @property
    def is_whole(self) -> bool:
        """Whether the resource is accessed as a whole only: nobody but its kernels knows its layout."""
        return self.layout in (LayoutKind.OPAQUE, LayoutKind.IMAGE)


class View(NamedTuple):
    """A view. ``position`` is the one in its table.

    ``resource`` is None if it is missing; ``strides`` are empty for a packed one.
    """

    id: str
    position: int
    resource: int | None
    offset: Affine | None
    type: ElementType
    own_type: bool
    shape: tuple[Affine | None, ...]
    strides: tuple[int, ...]

    @property
    def path(self) -> Path:
        """The path of the view."""
        return ROOT.element("views", self.position, self.id or None)


class ElementTables:
    """What a graph declares beside its nodes.

    Attributes:
        parameters: Parameters, then iteration indices in the order of their repeats.
        domains: The domain of each parameter.
        uses: Extents that have terms or are negative, those within nodes behind the others.
    """

    def __init__(self, graph: graph_pb2.ExecutionGraph, nodes: NodeTable) -> None:
        self._nodes = nodes
        self.parameters: list[Parameter] = []
        self.parameter_by_id: dict[str, int] = {}
        self.uses: list[Use] = []
        self._read_parameters(graph.parameters)
        self._read_iteration_indices()
        self.domains = [parameter.domain for parameter in self.parameters]
        self.parameter_names = [parameter.id for parameter in self.parameters]
        self.allocations: list[Allocation] = []
        self.allocation_by_id: dict[str, int] = {}
        self.resources: list[Resource] = []
        self.resource_by_id: dict[str, int] = {}
        self.views: list[View] = []
        self.view_by_id: dict[str, int] = {}
        self._read_allocations(graph.allocations)
        self._read_resources(graph.resources)
        self._read_views(graph.views)

    def affine(self, message: type_pb2.Extent) -> Affine | None:
        """Return an extent with its parameters resolved, or None if one is missing."""
        terms = message.terms
        if not terms:
            constant = message.constant
            return Affine(constant) if constant else ZERO
        factors: dict[int, int] = {}
        for term in terms:
            parameter = self.parameter_by_id.get(term.parameter)
            if parameter is None:
                return None
            factors[parameter] = factors.get(parameter, 0) + term.coefficient
        resolved = tuple(
            (parameter, factors[parameter]) for parameter in sorted(factors) if factors[parameter]
        )
        return Affine(message.constant, resolved)

    def _extent(
        self, message: type_pb2.Extent, field: str, element: tuple[int, str], steps: tuple[Step, ...]
    ) -> Affine | None:
        """Return an extent of an element resolved, and keep in mind where it stands if that can matter."""
        value = self.affine(message)
        if value is None or value.terms or value.constant < 0:
            outer = ROOT.element(field, element[0], element[1] or None)
            self.uses.append(Use(-1, outer.extended(*steps), value))
        return value

    def _shape(
        self, messages: Iterable[type_pb2.Extent], field: str, element: tuple[int, str]
    ) -> tuple[Affine | None, ...]:
        return tuple(
            [
                self._extent(message, field, element, _axis("shape", axis))
                for axis, message in enumerate(messages)
            ]
        )

    def _read_parameters(self, messages: Iterable[resource_pb2.Parameter]) -> None:
        for index, message in enumerate(messages):
            low, high = message.minimum, message.maximum
            limits = INTEGER_RANGES.get(message.type)
            if limits is not None:
                low, high = max(low, limits[0]), min(high, limits[1])
            domain = make_domain(low, high, message.multiple_of)
            path = ROOT.element("parameters", index, message.id or None)
            self._add_parameter(Parameter(message.id, domain, -1, path))

    def _read_iteration_indices(self) -> None:
        for node in self._nodes.of_kind(NodeKind.REPEAT):
            repeat = self._nodes.messages[node].operation.repeat
            if repeat.iteration_index:
                domain = make_domain(0, repeat.maximum_trips - 1, 1)
                steps = (Step("operation"), Step("repeat"), Step("iteration_index"))
                self._add_parameter(
                    Parameter(repeat.iteration_index, domain, node, self._nodes.path(node, steps))
                )

    def _add_parameter(self, parameter: Parameter) -> None:
        self.parameter_by_id.setdefault(parameter.id, len(self.parameters))
        self.parameters.append(parameter)

    def _read_allocations(self, messages: Iterable[resource_pb2.Allocation]) -> None:
        for index, message in enumerate(messages):
            identity = message.id
            self.allocation_by_id.setdefault(identity, index)
            size = self._extent(message.size, "allocations", (index, identity), _SIZE)
            self.allocations.append(Allocation(identity, index, size, message.alignment))

    def _read_resources(self, messages: Iterable[resource_pb2.Resource]) -> None:
        for index, message in enumerate(messages):
            identity = message.id
            element = (index, identity)
            self.resource_by_id.setdefault(identity, index)
            layout, axes = LayoutKind.PACKED, 0
            strides: tuple[int, ...] = ()
            if message.HasField("layout"):
                layout, strides, axes = self._layout(message.layout, element)
            allocation: str | None = None
            offset: Affine | None = ZERO
            if message.HasField("placement"):
                placement = message.placement
                allocation = placement.allocation
                offset = self._extent(placement.offset, "resources", element, _PLACEMENT_OFFSET)
            self.resources.append(
                Resource(
                    identity,
                    index,
                    message.role,
                    value_type(message.type),
                    self._shape(message.shape, "resources", element),
                    layout,
                    strides,
                    self._extent(message.size, "resources", element, _SIZE),
                    message.alignment,
                    allocation,
                    offset,
                    axes,
                )
            )

    def _layout(
        self, message: resource_pb2.PhysicalLayout, element: tuple[int, str]
    ) -> tuple[LayoutKind, tuple[int, ...], int]:
        kind = _LAYOUTS.get(message.WhichOneof("layout") or "", LayoutKind.PACKED)
        if kind is LayoutKind.STRIDED:
            return kind, tuple(message.strided.byte_strides), 0
        if kind is not LayoutKind.IMAGE:
            return kind, (), 0
        extent = message.image.extent
        for axis, texels in enumerate(extent):
            self._extent(texels, "resources", element, (*_IMAGE, *_axis("extent", axis)))
        return kind, (), len(extent)

    def _read_views(self, messages: Iterable[resource_pb2.View]) -> None:
        for index, message in enumerate(messages):
            identity = message.id
            element = (index, identity)
            self.view_by_id.setdefault(identity, index)
            resource = self.resource_by_id.get(message.resource)
            own_type = message.HasField("type")
            if own_type:
                kind = value_type(message.type)
            else:
                kind = self.resources[resource].type if resource is not None else ElementType(0, 0)
            offset = self._extent(message.offset, "views", element, _OFFSET)
            shape = self._shape(message.shape, "views", element)
            strides = tuple(message.byte_strides)
            self.views.append(View(identity, index, resource, offset, kind, own_type, shape, strides))


_SIZE = (Step("size"),)
_OFFSET = (Step("offset"),)
_PLACEMENT_OFFSET = (Step("placement"), Step("offset"))
_IMAGE = (Step("layout"), Step("image"))


@cache
def _axis(field: str, axis: int) -> tuple[Step, ...]:
    """Return the step to one axis; elements share them."""
    return (Step(field, axis),)


def value_type(message: type_pb2.ValueType) -> ElementType:
    """Return a value type as a fact."""
    element = message.element
    if element == BLOCK:
        return ElementType(element, message.block.block_bytes * 8, message.block.format)
    return ElementType(element, storage_bits(element))
