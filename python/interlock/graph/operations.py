"""What the nodes do, as facts: geometry, copies, fills, literals, control, read once from the messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from execgraph.v1 import access_pb2
from interlock.diagnostic import Step
from interlock.graph.accesses import READ, WRITE, AccessRole, AccessTable, SelectionTable
from interlock.graph.elements import ElementTables, Use
from interlock.graph.extents import Affine
from interlock.graph.nodes import NodeKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from execgraph.v1 import dispatch_pb2, node_pb2, type_pb2
    from interlock.graph.nodes import NodeTable

FULL = access_pb2.COVERAGE_FULL
PARTIAL = access_pb2.COVERAGE_PARTIAL

Place = tuple[Step, ...]


def _steps(*names: str) -> Place:
    return tuple(Step(name) for name in names)


GEOMETRY = _steps("operation", "dispatch", "geometry")
_COUNTS = {
    "extents": (*GEOMETRY, *_steps("workgroup_count", "extents")),
    "elements": (*GEOMETRY, *_steps("workgroup_count", "elements")),
    "indirect": (*GEOMETRY, *_steps("workgroup_count", "indirect")),
}
INDIRECT_SOURCE = (*_COUNTS["indirect"], Step("source"))
COPY_SOURCE = _steps("operation", "copy", "source")
COPY_DESTINATION = _steps("operation", "copy", "destination")
COPY_REGION = _steps("operation", "copy", "region")
FILL_DESTINATION = _steps("operation", "fill", "destination")
FILL_PATTERN = _steps("operation", "fill", "pattern")
CONDITION = _steps("operation", "conditional", "predicate")
CONTINUE_WHILE = _steps("operation", "repeat", "continue_while")
COUNT_READ = _steps("operation", "repeat", "trips", "read")


class Geometry(NamedTuple):
    """The geometry of a dispatch.

    ``source`` is the arm of the count; ``counts`` are workgroups or elements, or the vouched maxima of an
    indirect count.
    """

    source: str
    counts: tuple[Affine | None, ...]
    elements_per_workgroup: tuple[int, ...]
    workgroup_size: tuple[int, ...]
    exact_threads: bool
    subgroup_size: int


class Literal(NamedTuple):
    """Bits of a stated type; ``single`` where exactly one element belongs."""

    element: int
    bits: bytes
    single: bool


class LiteralUse(NamedTuple):
    """Where a literal stands."""

    node: int
    place: Place
    literal: int


class ParametricUse(NamedTuple):
    """An inline value computed from parameters."""

    node: int
    place: Place
    element: int
    value: Affine | None


@dataclass(frozen=True, slots=True)
class CopyRows:
    """The rows of a copy.

    ``slices`` is None if the region states none; ``pitches`` are row and slice pitch of a side.
    """

    row_bytes: Affine | None
    rows: Affine | None
    has_slices: bool
    slices: Affine | None
    source_pitches: tuple[int, int]
    destination_pitches: tuple[int, int]


class Copy(NamedTuple):
    """A copy node; selections by number."""

    node: int
    source: int
    destination: int
    rows: CopyRows | None


class Fill(NamedTuple):
    """A fill node; ``pattern`` is a literal."""

    node: int
    destination: int
    pattern: int


class ControlRead(NamedTuple):
    """What a control node reads: a predicate or a trip count. ``comparison`` is 0 for a count.

    ``place`` leads to the message that holds the source.
    """

    node: int
    place: Place
    selection: int
    element: int
    comparison: int


class Repeat(NamedTuple):
    """A repeat node. ``literal`` and ``minimum`` are None where they are not stated."""

    node: int
    literal: int | None
    minimum: int | None
    maximum: int


class OperationTables:
    """What the nodes do.

    Attributes:
        geometries: Every distinct geometry.
        geometry_of: Dispatch nodes, each with the number of its geometry.
        literals: Every distinct literal.
        literal_uses: Where they stand.
        parametric_uses: Inline values computed from parameters.
        copies: The copies.
        fills: The fills.
        control_reads: Predicates and counts read from memory.
        repeats: The repeats.
        with_inline_constants: Dispatches that have inline constants.
        with_tolerated_aliases: Dispatches that tolerate aliases.
    """

    def __init__(self, nodes: NodeTable, tables: ElementTables, selections: SelectionTable) -> None:
        self._nodes = nodes
        self._tables = tables
        self._selections = selections
        self.accesses = AccessTable()
        self.geometries: list[Geometry] = []
        self.geometry_of: list[tuple[int, int]] = []
        self.literals: list[Literal] = []
        self.literal_uses: list[LiteralUse] = []
        self.parametric_uses: list[ParametricUse] = []
        self.copies: list[Copy] = []
        self.fills: list[Fill] = []
        self.control_reads: list[ControlRead] = []
        self.repeats: list[Repeat] = []
        self.with_inline_constants: list[int] = []
        self.with_tolerated_aliases: list[int] = []
        self._geometry_numbers: dict[Geometry, int] = {}
        self._literal_numbers: dict[Literal, int] = {}
        self._places: dict[tuple[str, int, str], Place] = {}
        self._binding_places: dict[tuple[int, str], tuple[Place, Place]] = {}
        self._read()

    def _read(self) -> None:
        readers: dict[int, Callable[[int, Any], None]] = {
            NodeKind.DISPATCH: self._dispatch,
            NodeKind.COPY: self._copy,
            NodeKind.FILL: self._fill,
            NodeKind.BARRIER: self._barrier,
            NodeKind.CONDITIONAL: self._conditional,
            NodeKind.REPEAT: self._repeat,
        }
        for node, kind in enumerate(self._nodes.kind):
            if kind:
                readers[kind](node, self._nodes.operations[node])
            message = self._nodes.messages[node]
            if message.edge_visibility:
                for index, edge in enumerate(message.edge_visibility):
                    outer = (Step("edge_visibility", index, edge.source or None),)
                    self._statements(node, edge.statements, outer, "statements")

    def _element(self, field: str, index: int, key: str) -> Place:
        """Return the steps to an element of a dispatch's set; nodes share most of them."""
        place = self._places.get((field, index, key))
        if place is None:
            place = (*_steps("operation", "dispatch"), Step(field, index, key or None))
            self._places[field, index, key] = place
        return place

    def _binding_place(self, index: int, slot: str) -> tuple[Place, Place]:
        """Return the steps to a binding and to its target."""
        place = self._element("bindings", index, slot)
        found = self._binding_places[index, slot] = (place, (*place, _TARGET))
        return found

    def _dispatch(self, node: int, message: dispatch_pb2.Dispatch) -> None:
        add, select, places = self.accesses.add, self._selections.number, self._binding_places
        for index, binding in enumerate(message.bindings):
            slot = binding.slot
            place, target = places.get((index, slot)) or self._binding_place(index, slot)
            add(
                node,
                AccessRole.BINDING,
                place,
                select(binding.target, node, self._nodes, target),
                binding.access,
                binding.usage or access_pb2.USAGE_SHADER_STORAGE,
                binding.coverage,
                binding.atomic_type,
            )
        if message.specialization:
            for index, value in enumerate(message.specialization):
                self._literal(
                    value.value, node, (*self._element("specialization", index, ""), _VALUE), single=True
                )
        if message.inline_constants:
            self.with_inline_constants.append(node)
            for index, constant in enumerate(message.inline_constants):
                self._inline(constant, node, self._element("inline_constants", index, constant.slot))
        if message.tolerated_aliases:
            self.with_tolerated_aliases.append(node)
        self._geometry(node, message.geometry)

    def _inline(self, message: dispatch_pb2.InlineConstant, node: int, place: Place) -> None:
        arm = message.value.WhichOneof("value")
        if arm == "literal":
            self._literal(message.value.literal, node, (*place, *_steps("value", "literal")), single=False)
        elif arm == "parametric":
            parametric = message.value.parametric
            inner = (*place, *_steps("value", "parametric"))
            value = self._extent(parametric.value, node, inner, "value")
            self.parametric_uses.append(ParametricUse(node, inner, parametric.element, value))

    def _extent(
        self, message: type_pb2.Extent, node: int, place: Place, field: str, axis: int | None = None
    ) -> Affine | None:
        """Return an extent resolved, and keep in mind where it stands if that can matter."""
        value = self._tables.affine(message)
        if value is None or value.terms or value.constant < 0:
            path = self._nodes.path(node, (*place, Step(field, axis)))
            self._tables.uses.append(Use(node, path, value))
        return value

    def _extents(
        self, messages: Iterable[type_pb2.Extent], node: int, place: Place, field: str
    ) -> tuple[Affine | None, ...]:
        return tuple(
            [self._extent(message, node, place, field, axis) for axis, message in enumerate(messages)]
        )

    def _geometry(self, node: int, message: dispatch_pb2.Geometry) -> None:
        count = message.workgroup_count
        source = count.WhichOneof("source") or ""
        counts: tuple[Affine | None, ...] = ()
        per_workgroup: tuple[int, ...] = ()
        if source == "extents":
            counts = self._extents(count.extents.counts, node, _COUNTS[source], "counts")
        elif source == "elements":
            counts = self._extents(count.elements.elements, node, _COUNTS[source], "elements")
            per_workgroup = tuple(count.elements.elements_per_workgroup)
        elif source == "indirect":
            counts = tuple(Affine(value) for value in count.indirect.maximum_counts)
            number = self._selections.number(count.indirect.source, node, self._nodes, INDIRECT_SOURCE)
            usage = access_pb2.USAGE_INDIRECT_COMMAND
            self.accesses.add(node, AccessRole.INDIRECT, INDIRECT_SOURCE, number, READ, usage)
        size = tuple(message.workgroup_size)
        geometry = Geometry(source, counts, per_workgroup, size, message.exact_threads, message.subgroup_size)
        known = self._geometry_numbers.get(geometry)
        if known is None:
            known = self._geometry_numbers[geometry] = len(self.geometries)
            self.geometries.append(geometry)
        self.geometry_of.append((node, known))

    def _literal(self, message: type_pb2.TypedBits, node: int, place: Place, *, single: bool) -> int:
        literal = Literal(message.element, message.bits, single)
        known = self._literal_numbers.get(literal)
        if known is None:
            known = self._literal_numbers[literal] = len(self.literals)
            self.literals.append(literal)
        self.literal_uses.append(LiteralUse(node, place, known))
        return known

    def _copy(self, node: int, message: node_pb2.Copy) -> None:
        source = self._selections.number(message.source, node, self._nodes, COPY_SOURCE)
        destination = self._selections.number(message.destination, node, self._nodes, COPY_DESTINATION)
        usage = access_pb2.USAGE_TRANSFER
        self.accesses.add(node, AccessRole.COPY_SOURCE, COPY_SOURCE, source, READ, usage)
        self.accesses.add(
            node, AccessRole.COPY_DESTINATION, COPY_DESTINATION, destination, WRITE, usage, FULL
        )
        rows = self._rows(message.region, node) if message.HasField("region") else None
        self.copies.append(Copy(node, source, destination, rows))

    def _rows(self, region: node_pb2.CopyRegion, node: int) -> CopyRows:
        def extent(name: str) -> Affine | None:
            return self._extent(getattr(region, name), node, COPY_REGION, name)

        has_slices = region.HasField("slices")
        return CopyRows(
            extent("row_bytes"),
            extent("rows"),
            has_slices,
            extent("slices") if has_slices else Affine(1),
            (region.source_row_pitch, region.source_slice_pitch),
            (region.destination_row_pitch, region.destination_slice_pitch),
        )

    def _fill(self, node: int, message: node_pb2.Fill) -> None:
        number = self._selections.number(message.destination, node, self._nodes, FILL_DESTINATION)
        usage = access_pb2.USAGE_FILL
        self.accesses.add(node, AccessRole.FILL, FILL_DESTINATION, number, WRITE, usage, FULL)
        pattern = self._literal(message.pattern, node, FILL_PATTERN, single=False)
        self.fills.append(Fill(node, number, pattern))

    def _barrier(self, node: int, message: node_pb2.Barrier) -> None:
        self._statements(node, message.statements, _steps("operation", "barrier"), "statements")

    def _statements(
        self, node: int, statements: Iterable[access_pb2.VisibilityStatement], outer: Place, field: str
    ) -> None:
        for index, statement in enumerate(statements):
            for position, selection in enumerate(statement.selections):
                place = (*outer, Step(field, index), Step("selections", position))
                number = self._selections.number(selection, node, self._nodes, place)
                self.accesses.add_statement(node, place, number)

    def _conditional(self, node: int, message: node_pb2.Conditional) -> None:
        self._predicate(message.predicate, node, CONDITION, AccessRole.PREDICATE)

    def _predicate(self, message: node_pb2.Predicate, node: int, place: Place, role: AccessRole) -> None:
        source = (*place, _SOURCE)
        number = self._selections.number(message.source, node, self._nodes, source)
        self.accesses.add(node, role, source, number, READ, access_pb2.USAGE_CONTROL)
        self._literal(message.literal, node, (*place, Step("literal")), single=True)
        self.control_reads.append(
            ControlRead(node, place, number, message.literal.element, message.comparison)
        )

    def _repeat(self, node: int, message: node_pb2.Repeat) -> None:
        arm = message.trips.WhichOneof("source")
        if arm == "read":
            read, source = message.trips.read, (*COUNT_READ, _SOURCE)
            number = self._selections.number(read.source, node, self._nodes, source)
            self.accesses.add(node, AccessRole.COUNT, source, number, READ, access_pb2.USAGE_CONTROL)
            self.control_reads.append(ControlRead(node, COUNT_READ, number, read.element, 0))
        if message.HasField("continue_while"):
            self._predicate(message.continue_while, node, CONTINUE_WHILE, AccessRole.CONTINUE_WHILE)
        self._statements(node, message.carried, _steps("operation", "repeat"), "carried")
        self.repeats.append(
            Repeat(
                node,
                message.trips.literal if arm == "literal" else None,
                message.minimum_trips if message.HasField("minimum_trips") else None,
                message.maximum_trips,
            )
        )


_TARGET = Step("target")
_VALUE = Step("value")
_SOURCE = Step("source")
