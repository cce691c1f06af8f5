"""Graphs of many shapes and of any size, all of them sound: what verification is measured on."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, TypeAlias

from execgraph.v1 import access_pb2, graph_pb2, header_pb2, node_pb2, resource_pb2, type_pb2
from interlock.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

FULL, PARTIAL = access_pb2.COVERAGE_FULL, access_pb2.COVERAGE_PARTIAL
READ, WRITE = access_pb2.ACCESS_MODE_READ, access_pb2.ACCESS_MODE_WRITE
READ_WRITE, ATOMIC = access_pb2.ACCESS_MODE_READ_WRITE, access_pb2.ACCESS_MODE_ATOMIC
INPUT, OUTPUT = resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT, resource_pb2.RESOURCE_ROLE_EXTERNAL_OUTPUT
IN_OUT, TEMPORARY = resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT_OUTPUT, resource_pb2.RESOURCE_ROLE_TEMPORARY
U32 = type_pb2.ELEMENT_TYPE_U32
BLOCK = 256
"""Bytes of what one dispatch writes."""

Target: TypeAlias = str | tuple[str, int, int]
"""A resource, or a range of its bytes: resource, offset, size."""
Region: TypeAlias = node_pb2.Region


class Maker:
    """Makes one graph, node by node."""

    def __init__(self, *, carry_all: bool = True) -> None:
        self.graph = graph_pb2.ExecutionGraph(id="shape")
        self.graph.header.kind = header_pb2.DOCUMENT_KIND_EXECUTION_GRAPH
        self.graph.header.schema_major = 1
        self.graph.header.required_features.append("draft-1")
        self.graph.artifacts.add(id="kernel")
        self.graph.maximum_node_executions = 1 << 50
        if carry_all:
            self.graph.visibility_model = graph_pb2.VISIBILITY_MODEL_EDGES_CARRY_ALL
        self.body = self.graph.body

    def resource(self, name: str, size: int = BLOCK, role: int = TEMPORARY) -> resource_pb2.Resource:
        found = self.graph.resources.add(id=name, role=role)  # type: ignore[arg-type]
        found.type.element = U32
        found.shape.add(constant=size // 4)
        found.size.constant = size
        return found

    def node(self, name: str, after: Iterable[str] = (), region: Region | None = None) -> node_pb2.Node:
        return (self.body if region is None else region).nodes.add(id=name, depends_on=after)

    def dispatch(
        self,
        name: str,
        after: Iterable[str] = (),
        *,
        reads: Iterable[Target] = (),
        writes: Iterable[Target] = (),
        mode: int = WRITE,
        coverage: int = FULL,
        region: Region | None = None,
    ) -> None:
        dispatch = self.node(name, after, region).operation.dispatch
        dispatch.artifact, dispatch.entry = "kernel", "main"
        for number, target in enumerate(reads):
            select(dispatch.bindings.add(slot=f"in{number}", access=READ).target, target)
        for number, target in enumerate(writes):
            bound = dispatch.bindings.add(slot=f"out{number}", access=mode, coverage=coverage)  # type: ignore[arg-type]
            select(bound.target, target)
        dispatch.geometry.workgroup_count.extents.counts.add(constant=1)
        dispatch.geometry.workgroup_size.append(64)

    def barrier(
        self,
        name: str,
        after: Iterable[str],
        shown: Iterable[Target] = (),
        region: Region | None = None,
    ) -> None:
        """Add a barrier that shows all storage writes to what it names to all storage accesses."""
        barrier = self.node(name, after, region).operation.barrier
        barrier.SetInParent()
        statement = access_pb2.VisibilityStatement()
        for target in shown:
            select(statement.selections.add(), target)
        if statement.selections:
            storage = access_pb2.USAGE_SHADER_STORAGE
            statement.available_from.add(usage=storage, kind=access_pb2.ACCESS_KIND_WRITE)
            statement.visible_to.add(usage=storage, kind=access_pb2.ACCESS_KIND_READ)
            statement.visible_to.add(usage=storage, kind=access_pb2.ACCESS_KIND_WRITE)
            barrier.statements.append(statement)

    def repeat(self, name: str, after: Iterable[str] = (), region: Region | None = None) -> Region:
        """Add a loop that makes up to ten trips, as many as `flags` says, and return its body."""
        repeat = self.node(name, after, region).operation.repeat
        repeat.trips.read.element = U32
        select(repeat.trips.read.source, ("flags", 0, 4))
        repeat.maximum_trips = 10
        return repeat.body

    def conditional(
        self, name: str, after: Iterable[str] = (), region: Region | None = None
    ) -> tuple[Region, Region]:
        """Add a conditional and return its arms."""
        found = self.node(name, after, region).operation.conditional
        select(found.predicate.source, ("flags", 4, 4))
        found.predicate.comparison = node_pb2.COMPARISON_NOT_EQUAL
        found.predicate.literal.element = U32
        found.predicate.literal.bits = bytes(4)
        return found.then_region, found.else_region

    def document(self) -> Document:
        return Document.from_message(self.graph)


def select(selection: type_pb2.ByteSelection, target: Target) -> None:
    if isinstance(target, str):
        selection.resource = target
        return
    selection.byte_range.resource = target[0]
    if target[1]:
        selection.byte_range.offset.constant = target[1]
    selection.byte_range.size.constant = target[2]


def name_of(number: int) -> str:
    return f"n{number:06}"


def chain(nodes: int) -> Document:
    """Every dispatch reads what the one before it wrote."""
    maker = Maker()
    maker.resource("t000000", role=INPUT)
    for number in range(1, nodes + 1):
        last = number == nodes
        maker.resource(f"t{number:06}", role=OUTPUT if last else TEMPORARY)
        after = [name_of(number - 1)] if number > 1 else []
        maker.dispatch(name_of(number), after, reads=[f"t{number - 1:06}"], writes=[f"t{number:06}"])
    return maker.document()


def two_places(nodes: int) -> Document:
    """A chain whose results lie at two places of one allocation in turn, each alive while it is needed."""
    maker = Maker()
    maker.graph.allocations.add(id="arena", alignment=256).size.constant = 2 * BLOCK
    for number in range(nodes):
        made = maker.resource(f"t{number:06}")
        made.placement.allocation = "arena"
        if number % 2:
            made.placement.offset.constant = BLOCK
        end = name_of(min(number + 1, nodes - 1))
        made.lifetime.spans.add(begins=[name_of(number)], ends=[end])
        after, reads = ([name_of(number - 1)], [f"t{number - 1:06}"]) if number else ([], [])
        maker.dispatch(name_of(number), after, reads=reads, writes=[made.id])
    return maker.document()


def chain_with_barriers(nodes: int) -> Document:
    """Every dispatch reads what the one before it wrote, and a barrier in between shows it."""
    maker = Maker(carry_all=False)
    maker.resource("t000000", role=INPUT)
    for number in range(1, nodes // 2 + 1):
        made = f"t{number:06}"
        maker.resource(made)
        after = [f"b{number - 1:06}"] if number > 1 else []
        maker.dispatch(name_of(number), after, reads=[f"t{number - 1:06}"], writes=[made])
        maker.barrier(f"b{number:06}", [name_of(number)], [made])
    return maker.document()


def in_place(nodes: int) -> Document:
    """Every dispatch adds something to one buffer."""
    maker = Maker()
    maker.resource("sum", role=IN_OUT)
    for number in range(nodes):
        after = [name_of(number - 1)] if number else []
        maker.dispatch(name_of(number), after, writes=["sum"], mode=READ_WRITE, coverage=PARTIAL)
    return maker.document()


def fan(nodes: int) -> Document:
    """One dispatch, then very many that read its result and write a range each, then one that reads all."""
    maker = Maker()
    maker.resource("x")
    maker.resource("y", BLOCK * nodes)
    maker.resource("z", role=OUTPUT)
    maker.dispatch("first", writes=["x"])
    wide = [name_of(number) for number in range(nodes - 2)]
    for number, name in enumerate(wide):
        maker.dispatch(name, ["first"], reads=["x"], writes=[("y", BLOCK * number, BLOCK)])
    maker.dispatch("last", wide, reads=[("y", 0, BLOCK * len(wide))], writes=["z"])
    return maker.document()


def layers(nodes: int) -> Document:
    """As many layers as each is wide; whatever a layer wrote, every dispatch of the next one reads."""
    width = isqrt(nodes)
    maker = Maker()
    for layer in range(width):
        maker.resource(f"t{layer:06}", BLOCK * width)
        reads = [f"t{layer - 1:06}"] if layer else []
        after = [f"b{layer - 1:06}"] if layer else []
        names = [f"n{layer:06}.{number:06}" for number in range(width - 1)]
        for number, name in enumerate(names):
            size = BLOCK * (2 if number == width - 2 else 1)
            maker.dispatch(name, after, reads=reads, writes=[(f"t{layer:06}", BLOCK * number, size)])
        maker.barrier(f"b{layer:06}", names)
    return maker.document()


def views(nodes: int) -> Document:
    """Every dispatch writes a view of its own of one resource, and the next one reads it."""
    maker = Maker()
    maker.resource("all", BLOCK * nodes)
    for number in range(nodes):
        view = maker.graph.views.add(id=f"v{number:06}", resource="all")
        view.shape.add(constant=BLOCK // 4)
        if number:
            view.offset.constant = BLOCK * number
        maker.dispatch(name_of(number), [name_of(number - 1)] if number else [], writes=["all"])
        node = maker.body.nodes[number].operation.dispatch
        node.bindings[0].target.view = view.id
        if number:
            node.bindings.add(slot="in", access=READ).target.view = f"v{number - 1:06}"
    return maker.document()


def many_resources(nodes: int) -> Document:
    """Few dispatches that write very many resources each."""
    maker = Maker()
    for number in range(nodes):
        maker.resource(f"t{number:06}", role=OUTPUT)
    for first in range(0, nodes, 1000):
        names = [f"t{number:06}" for number in range(first, min(first + 1000, nodes))]
        maker.dispatch(name_of(first), writes=names)
    return maker.document()


def independent(nodes: int) -> Document:
    """Dispatches that have nothing to do with each other."""
    maker = Maker()
    for number in range(nodes):
        maker.resource(f"i{number:06}", role=INPUT)
        maker.resource(f"o{number:06}", role=OUTPUT)
        maker.dispatch(name_of(number), reads=[f"i{number:06}"], writes=[f"o{number:06}"])
    return maker.document()


def control(nodes: int) -> Document:
    """Loops that swap two buffers, and conditionals, one after the other."""
    maker = Maker()
    _buffers(maker)
    for number in range(0, nodes, 20):
        after = [f"c{number - 20:06}"] if number else []
        body = maker.repeat(f"l{number:06}", after)
        _swaps(maker, body, f"l{number:06}", 9)
        for arm, region in enumerate(maker.conditional(f"c{number:06}", [f"l{number:06}"])):
            _swaps(maker, region, f"c{number:06}.{arm}", 4 + arm)
    return maker.document()


def control_in_an_arena(nodes: int) -> Document:
    """Loops and conditionals, each at a place of its own in one buffer."""
    maker = Maker()
    maker.resource("arena", BLOCK * nodes, IN_OUT)
    maker.resource("flags", 8, INPUT)
    for number in range(0, nodes, 10):
        after = [f"c{number - 10:06}"] if number else []
        target = [("arena", BLOCK * number, BLOCK)]
        body = maker.repeat(f"c{number:06}", after)
        for step in range(9):
            name = f"c{number:06}.{step}"
            before = [f"c{number:06}.{step - 1}"] if step else []
            maker.dispatch(name, before, writes=target, mode=READ_WRITE, region=body)
    return maker.document()


def nested(nodes: int) -> Document:
    """Loops and conditionals in each other, sixteen deep, with work at every depth."""
    maker = Maker()
    _buffers(maker)
    region, depth = maker.body, 16
    for level in range(depth):
        _swaps(maker, region, f"d{level:02}", nodes // depth - 1)
        after = [f"d{level:02}.{nodes // depth - 2:06}"]
        if level % 4 == 0:
            region = maker.repeat(f"d{level:02}.loop", after, region)
        else:
            region, other = maker.conditional(f"d{level:02}.if", after, region)
            _swaps(maker, other, f"e{level:02}", 1)
    return maker.document()


def _buffers(maker: Maker) -> None:
    maker.resource("flags", 8, INPUT)
    maker.resource("a", role=IN_OUT)
    maker.resource("b", role=IN_OUT)


def _swaps(maker: Maker, region: Region, prefix: str, count: int) -> None:
    """Add dispatches, one after the other, that read one buffer and write the other one."""
    for number in range(count):
        after = [f"{prefix}.{number - 1:06}"] if number else []
        source, target = ("a", "b") if number % 2 else ("b", "a")
        maker.dispatch(f"{prefix}.{number:06}", after, reads=[source], writes=[target], region=region)


def disjoint_ranges(nodes: int) -> Document:
    """Dispatches that write small ranges of one buffer each; in the end some read it whole."""
    maker = Maker()
    maker.resource("all", 4 * nodes)
    readers = 8
    writers = [name_of(number) for number in range(nodes - readers)]
    for number, name in enumerate(writers):
        maker.dispatch(name, writes=[("all", 4 * number, 4)])
    for number in range(readers):
        maker.resource(f"o{number}", role=OUTPUT)
        maker.dispatch(f"r{number}", writers, reads=[("all", 0, 4 * len(writers))], writes=[f"o{number}"])
    return maker.document()


def readers_and_writers(nodes: int) -> Document:
    """Very many dispatches that read one buffer, then one that overwrites it, several times."""
    maker = Maker()
    maker.resource("x", role=IN_OUT)
    maker.resource("y", BLOCK * nodes, IN_OUT)
    before, rounds = ["first"], 10
    maker.dispatch("first", writes=["x"])
    for turn in range(rounds):
        names = [f"r{turn}.{number:06}" for number in range(nodes // rounds - 1)]
        for number, name in enumerate(names):
            place = BLOCK * (turn * len(names) + number)
            maker.dispatch(name, before, reads=["x"], writes=[("y", place, BLOCK)])
        maker.dispatch(f"w{turn}", names, writes=["x"])
        before = [f"w{turn}"]
    return maker.document()


def loops_in_loops(nodes: int) -> Document:
    """Loops in each other, eight deep, with work at every depth."""
    maker = Maker()
    _buffers(maker)
    region, depth = maker.body, 8
    for level in range(depth):
        _swaps(maker, region, f"d{level:02}", nodes // depth - 1)
        region = maker.repeat(f"d{level:02}.loop", [f"d{level:02}.{nodes // depth - 2:06}"], region)
    _swaps(maker, region, "inner", 2)
    return maker.document()


def atomics(nodes: int) -> Document:
    """Dispatches that add to one buffer atomically, in no order."""
    maker = Maker()
    maker.resource("sum", role=IN_OUT)
    maker.resource("out", role=OUTPUT)
    names = [name_of(number) for number in range(nodes - 1)]
    for name in names:
        maker.dispatch(name, writes=["sum"], mode=ATOMIC, coverage=0)
    maker.dispatch("read", names, reads=["sum"], writes=["out"])
    return maker.document()


def barriers_naming_all(nodes: int) -> Document:
    """Barriers between dispatches, each of which names everything that is alive."""
    maker = Maker(carry_all=False)
    alive = 32
    for number in range(alive):
        maker.resource(f"t{number:06}", role=IN_OUT)
    names = [f"t{number:06}" for number in range(alive)]
    for number in range(nodes // 2):
        after = [f"b{number - 1:06}"] if number else []
        source, target = names[number % alive], names[(number * 7 + 1) % alive]
        reads = [source] if source != target else []
        maker.dispatch(name_of(number), after, reads=reads, writes=[target])
        maker.barrier(f"b{number:06}", [name_of(number)], names)
    return maker.document()


SHAPES: dict[str, Callable[[int], Document]] = {
    "chain": chain,
    "chain, two places of memory": two_places,
    "chain, explicit barriers": chain_with_barriers,
    "in place on one buffer": in_place,
    "fan out and in": fan,
    "layers, all to all": layers,
    "views of one resource": views,
    "resources of few dispatches": many_resources,
    "independent dispatches": independent,
    "loops and conditionals": control,
    "loops in one buffer": control_in_an_arena,
    "nested sixteen deep": nested,
    "loops in loops": loops_in_loops,
    "readers and writers in turn": readers_and_writers,
    "small ranges, read whole": disjoint_ranges,
    "atomics on one buffer": atomics,
    "barriers naming everything": barriers_naming_all,
}
"""Name to what makes a graph of about so many nodes."""
