"""The tiny form of a graph that the oracle works on, read from the messages of ``execgraph.v1``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias

from execgraph.v1 import access_pb2, resource_pb2, type_pb2

Env: TypeAlias = Mapping[str, int]

READ, WRITE = access_pb2.ACCESS_KIND_READ, access_pb2.ACCESS_KIND_WRITE

INPUT = resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT
OUTPUT = resource_pb2.RESOURCE_ROLE_EXTERNAL_OUTPUT
IN_OUT = resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT_OUTPUT
TEMPORARY = resource_pb2.RESOURCE_ROLE_TEMPORARY
STATE = resource_pb2.RESOURCE_ROLE_STATE
CONSTANT = resource_pb2.RESOURCE_ROLE_CONSTANT


_BITS = {
    8: "BOOL I8 U8 F8_E4M3 F8_E5M2 F8_E4M3_FNUZ F8_E5M2_FNUZ F8_E8M0",
    16: "I16 U16 F16 BF16",
    32: "I32 U32 F32",
    64: "I64 U64 F64 C64",
    128: "C128",
}
ELEMENT_BYTES = {
    type_pb2.ElementType.Value(f"ELEMENT_TYPE_{name}"): bits // 8
    for bits, names in _BITS.items()
    for name in names.split()
}


class UnsupportedError(Exception):
    """The graph uses something that the oracle does not model."""


@dataclass(slots=True, frozen=True)
class Extent:
    """``constant`` plus the sum of coefficient x parameter."""

    constant: int = 0
    terms: tuple[tuple[str, int], ...] = ()

    def at(self, env: Env) -> int:
        value = self.constant
        for name, coefficient in self.terms:
            value += coefficient * env[name]
        return value


@dataclass(slots=True, frozen=True)
class Selection:
    """Bytes: of a view if ``view`` is set, else a range of ``resource``; ``size`` None means the whole
    resource.
    """

    resource: str = ""
    view: str = ""
    offset: Extent = Extent()
    size: Extent | None = None


@dataclass(slots=True, frozen=True)
class View:
    id: str
    resource: str
    offset: Extent = Extent()
    element: int = 0
    shape: tuple[Extent, ...] = ()
    strides: tuple[int, ...] = ()


@dataclass(slots=True)
class Span:
    begins: list[str] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Resource:
    """``allocation`` is empty for a resource in an allocation of its own."""

    id: str
    role: int
    element: int
    shape: tuple[Extent, ...] = ()
    size: Extent = Extent()
    allocation: str = ""
    offset: Extent = Extent()
    alignment: int = 0
    consumed: bool = False
    lifetime: list[Span] | None = None


@dataclass(slots=True)
class Allocation:
    id: str
    size: Extent
    alignment: int = 0


@dataclass(slots=True)
class Statement:
    """Scopes are pairs of usage and kind."""

    selections: list[Selection]
    available_from: set[tuple[int, int]]
    visible_to: set[tuple[int, int]]


@dataclass(slots=True)
class Binding:
    slot: str
    target: Selection
    access: int
    coverage: int = 0
    usage: int = 0
    atomic_type: int = 0


@dataclass(slots=True)
class Dispatch:
    """Exactly one of ``counts``, ``elements`` and ``indirect`` says how large the grid is."""

    bindings: list[Binding] = field(default_factory=list)
    tolerated: list[tuple[str, str]] = field(default_factory=list)
    counts: tuple[Extent, ...] = ()
    elements: tuple[Extent, ...] = ()
    indirect: Selection | None = None


@dataclass(slots=True, frozen=True)
class CopyRegion:
    row_bytes: Extent
    rows: Extent
    slices: Extent | None
    source_pitches: tuple[int, int]
    destination_pitches: tuple[int, int]


@dataclass(slots=True)
class Copy:
    source: Selection
    destination: Selection
    region: CopyRegion | None = None


@dataclass(slots=True)
class Fill:
    destination: Selection
    element: int


@dataclass(slots=True)
class Barrier:
    statements: list[Statement] = field(default_factory=list)


@dataclass(slots=True)
class Conditional:
    predicate: Selection
    element: int
    then: Region | None = None
    otherwise: Region | None = None


@dataclass(slots=True)
class Repeat:
    """``count`` is a literal or what is read; ``minimum`` None takes the default."""

    body: Region
    count: int | Selection
    maximum: int
    minimum: int | None = None
    count_element: int = 0
    proceed: Selection | None = None
    proceed_element: int = 0
    carried: list[Statement] = field(default_factory=list)
    index: str = ""

    @property
    def least(self) -> int:
        """The least number of trips. A literal count is exact, whatever bounds stand beside it."""
        if isinstance(self.count, int) and self.proceed is None:
            return min(self.count, self.maximum)
        return self.minimum or 0

    @property
    def most(self) -> int:
        """The greatest number of trips."""
        return min(self.count, self.maximum) if isinstance(self.count, int) else self.maximum


Operation: TypeAlias = Dispatch | Copy | Fill | Barrier | Conditional | Repeat


@dataclass(slots=True)
class Node:
    id: str
    operation: Operation
    depends_on: list[str] = field(default_factory=list)
    edge_statements: dict[str, list[Statement]] = field(default_factory=dict)

    def regions(self) -> list[Region]:
        """Return the regions within, in the order then, else."""
        operation = self.operation
        if isinstance(operation, Conditional):
            return [region for region in (operation.then, operation.otherwise) if region is not None]
        return [operation.body] if isinstance(operation, Repeat) else []


@dataclass(slots=True)
class Region:
    nodes: list[Node] = field(default_factory=list)

    def executions(self) -> int:
        """Return the greatest number of node executions of one run."""
        total = 0
        for node in self.nodes:
            factor = node.operation.maximum if isinstance(node.operation, Repeat) else 1
            total += 1 + factor * sum(inner.executions() for inner in node.regions())
        return total


@dataclass(slots=True)
class Parameter:
    id: str
    minimum: int
    maximum: int
    multiple_of: int = 1

    def values(self) -> list[int]:
        return [v for v in range(self.minimum, self.maximum + 1) if v % self.multiple_of == 0]


@dataclass(slots=True)
class Graph:
    parameters: dict[str, Parameter] = field(default_factory=dict)
    allocations: dict[str, Allocation] = field(default_factory=dict)
    resources: dict[str, Resource] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    body: Region = field(default_factory=Region)
    carry_all: bool = False

    def environments(self) -> Iterator[dict[str, int]]:
        """Enumerate the values of the parameters."""
        names = list(self.parameters)
        for values in product(*(self.parameters[name].values() for name in names)):
            yield dict(zip(names, values, strict=True))

    def walk(self) -> Iterator[tuple[Node, tuple[tuple[Node, Region], ...], Region]]:
        """Enumerate all nodes, each with the control nodes and arms around it, outermost first, and its
        region.
        """

        def region(
            inside: Region, around: tuple[tuple[Node, Region], ...]
        ) -> Iterator[tuple[Node, tuple[tuple[Node, Region], ...], Region]]:
            for node in inside.nodes:
                yield node, around, inside
                for inner in node.regions():
                    yield from region(inner, (*around, (node, inner)))

        yield from region(self.body, ())

    def resource_of(self, selection: Selection) -> Resource:
        name = self.views[selection.view].resource if selection.view else selection.resource
        return self.resources[name]

    def mentions(self) -> tuple[set[str], set[str]]:
        """Return the resources and the views that nodes name."""
        resources: set[str] = set()
        views: set[str] = set()

        def note(value: object) -> None:
            if isinstance(value, Selection):
                resources.add(self.resource_of(value).id)
                if value.view:
                    views.add(value.view)
            elif isinstance(value, list | tuple | set):
                for part in value:
                    note(part)
            elif isinstance(value, dict):
                note(list(value.values()))
            elif hasattr(value, "__slots__") and not isinstance(value, Extent):
                for name in value.__slots__:
                    note(getattr(value, name))

        note(self.body)
        return resources, views
