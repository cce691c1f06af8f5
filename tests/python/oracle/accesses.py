"""What the nodes of a graph access, once extents have values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2

from .model import (
    READ,
    WRITE,
    Binding,
    Conditional,
    Copy,
    CopyRegion,
    Dispatch,
    Extent,
    Fill,
    Graph,
    Node,
    Repeat,
    Selection,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .memory import Memory

STORAGE = access_pb2.USAGE_SHADER_STORAGE
TRANSFER = access_pb2.USAGE_TRANSFER
FILL = access_pb2.USAGE_FILL
INDIRECT = access_pb2.USAGE_INDIRECT_COMMAND
CONTROL = access_pb2.USAGE_CONTROL

_READS = {access_pb2.ACCESS_MODE_READ, access_pb2.ACCESS_MODE_READ_WRITE, access_pb2.ACCESS_MODE_ATOMIC}
_WRITES = {access_pb2.ACCESS_MODE_WRITE, access_pb2.ACCESS_MODE_READ_WRITE, access_pb2.ACCESS_MODE_ATOMIC}


@dataclass(slots=True, frozen=True)
class Template:
    """An access before its extents have values.

    ``covers`` tells whether it overwrites every byte, and certainly runs.
    """

    node: str
    slot: str
    resource: str
    selection: Selection
    usage: int
    reads: bool
    writes: bool
    covers: bool = False
    atomic: int = 0
    region: CopyRegion | None = None

    @property
    def key(self) -> tuple[str, str]:
        return self.node, self.slot


@dataclass(slots=True)
class Access:
    """An access of certain bytes. ``scopes`` is what has to stand in ``visible_to`` of one statement."""

    template: Template
    bytes: int
    cover: int
    scopes: frozenset[tuple[int, int]]
    elements: dict[int, int] | None = None

    def shared(self, other: Access) -> int:
        """Return the bytes in which two accesses conflict, one of which writes."""
        common = self.bytes & other.bytes
        if self.elements is None or other.elements is None or self.template.atomic != other.template.atomic:
            return common
        for start in self.elements.keys() & other.elements.keys():
            common &= ~self.elements[start]
        return common


class Catalogue:
    """The accesses of every node, for the values at hand."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.memory: Memory
        self._runs: dict[str, list[Template]] = {}
        self._evaluations: dict[str, list[Template]] = {}
        for node, around, _ in graph.walk():
            self._runs[node.id], self._evaluations[node.id] = self._templates(node, self._domains(around))
        indices = {n.operation.index for n, _, _ in graph.walk() if isinstance(n.operation, Repeat)} - {""}
        self._indices = sorted(indices)
        self._known: dict[tuple[object, ...], list[Access]] = {}

    def templates(self) -> list[Template]:
        """Return all accesses of all nodes."""
        return [
            t for known in (self._runs, self._evaluations) for templates in known.values() for t in templates
        ]

    def enter(self, memory: Memory) -> None:
        """Take other values of the parameters."""
        self.memory = memory
        self._known.clear()

    def accesses(self, node: str, env: Mapping[str, int]) -> list[Access]:
        """Return what a node accesses when it runs or is entered."""
        return self._instances("run", node, self._runs[node], env)

    def evaluation(self, node: str, env: Mapping[str, int]) -> list[Access]:
        """Return what a repeat accesses to decide whether it goes on."""
        return self._instances("evaluation", node, self._evaluations[node], env)

    def _instances(
        self, kind: str, node: str, templates: list[Template], env: Mapping[str, int]
    ) -> list[Access]:
        key = (kind, node, *(env.get(name) for name in self._indices))
        if key not in self._known:
            accesses = [self._instance(template, env) for template in templates]
            self._known[key] = [access for access in accesses if access.bytes]
        return self._known[key]

    def _instance(self, template: Template, env: Mapping[str, int]) -> Access:
        if template.region is not None:
            source = template.slot == "source"
            pitches = template.region.source_pitches if source else template.region.destination_pitches
            mask = self.memory.copied(template.selection, template.region, pitches, env)
        else:
            mask = self.memory.selected(template.selection, env)
        kinds = [READ] * template.reads + [WRITE] * template.writes
        elements = self.memory.elements(template.selection, template.atomic, env) if template.atomic else None
        scopes = frozenset((template.usage, kind) for kind in kinds)
        return Access(template, mask, mask if template.covers else 0, scopes, elements)

    def _domains(self, around: tuple[tuple[Node, object], ...]) -> dict[str, list[int]]:
        domains = {parameter.id: parameter.values() for parameter in self.graph.parameters.values()}
        for node, _ in around:
            if isinstance(node.operation, Repeat) and node.operation.index:
                domains[node.operation.index] = list(range(node.operation.maximum))
        return domains

    def _templates(
        self, node: Node, domains: Mapping[str, list[int]]
    ) -> tuple[list[Template], list[Template]]:
        operation = node.operation
        if isinstance(operation, Dispatch):
            counts = (*operation.counts, *operation.elements)
            certain = operation.indirect is None and all(_least(count, domains) > 0 for count in counts)
            found = [self._bound(node.id, binding, certain=certain) for binding in operation.bindings]
            if operation.indirect is not None:
                found.append(self._read(node.id, "indirect", operation.indirect, INDIRECT))
            return found, []
        if isinstance(operation, Copy):
            source = self._read(node.id, "source", operation.source, TRANSFER, operation.region)
            return [source, self._write(node.id, operation.destination, TRANSFER, operation.region)], []
        if isinstance(operation, Fill):
            return [self._write(node.id, operation.destination, FILL)], []
        if isinstance(operation, Conditional):
            return [self._read(node.id, "predicate", operation.predicate, CONTROL)], []
        if isinstance(operation, Repeat):
            count, proceed = operation.count, operation.proceed
            entered = [] if isinstance(count, int) else [self._read(node.id, "count", count, CONTROL)]
            return entered, [] if proceed is None else [self._read(node.id, "while", proceed, CONTROL)]
        return [], []

    def _bound(self, node: str, binding: Binding, *, certain: bool) -> Template:
        resource = self.graph.resource_of(binding.target)
        atomic = 0
        if binding.access == access_pb2.ACCESS_MODE_ATOMIC:
            view = self.graph.views.get(binding.target.view)
            atomic = binding.atomic_type or (view.element if view is not None else resource.element)
        return Template(
            node,
            binding.slot,
            resource.id,
            binding.target,
            binding.usage or STORAGE,
            binding.access in _READS,
            binding.access in _WRITES,
            certain and binding.coverage == access_pb2.COVERAGE_FULL and not atomic,
            atomic,
        )

    def _read(
        self, node: str, slot: str, selection: Selection, usage: int, region: CopyRegion | None = None
    ) -> Template:
        resource = self.graph.resource_of(selection).id
        return Template(node, slot, resource, selection, usage, reads=True, writes=False, region=region)

    def _write(
        self, node: str, selection: Selection, usage: int, region: CopyRegion | None = None
    ) -> Template:
        resource = self.graph.resource_of(selection).id
        return Template(
            node,
            "destination",
            resource,
            selection,
            usage,
            reads=False,
            writes=True,
            covers=True,
            region=region,
        )


def _least(extent: Extent, domains: Mapping[str, list[int]]) -> int:
    """Return the least value of an extent."""
    value = extent.constant
    for name, coefficient in extent.terms:
        value += min(coefficient * v for v in domains[name])
    return value
