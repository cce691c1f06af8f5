"""Changes that leave what a graph means as it is. None of them changes the message that it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

from execgraph.v1 import graph_pb2, node_pb2, type_pb2
from interlock.codec.schema import Kind, StringKind, schema

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

    from google.protobuf.message import Message

    from interlock.codec.schema import FieldInfo, MessageInfo

    M = TypeVar("M", bound=Message)

Graph: TypeAlias = graph_pb2.ExecutionGraph
Names: TypeAlias = dict[str, str]


def copy_of(graph: Graph) -> Graph:
    twin = Graph()
    twin.CopyFrom(graph)
    return twin


def regions(graph: Graph) -> Iterator[tuple[node_pb2.Region, list[node_pb2.Node]]]:
    """Yield every region with the control nodes around it, outermost first."""

    def below(
        region: node_pb2.Region, around: list[node_pb2.Node]
    ) -> Iterator[tuple[node_pb2.Region, list[node_pb2.Node]]]:
        yield region, around
        for node in region.nodes:
            operation = node.operation
            inner = [*around, node]
            if operation.HasField("repeat"):
                yield from below(operation.repeat.body, inner)
            elif operation.HasField("conditional"):
                for name in ("then_region", "else_region"):
                    if operation.conditional.HasField(name):
                        yield from below(getattr(operation.conditional, name), inner)

    yield from below(graph.body, [])


def nodes(graph: Graph) -> Iterator[node_pb2.Node]:
    for region, _ in regions(graph):
        yield from region.nodes


# Spelling.


def fields(message: Message, info: MessageInfo | None = None) -> Iterator[tuple[Message, FieldInfo]]:
    """Yield every field that is set with the message that holds it, what is nested deeper first."""
    info = info or schema().message(message.DESCRIPTOR)
    for field in info.fields:
        if field.repeated and getattr(message, field.name):
            if field.kind is Kind.MESSAGE:
                for child in getattr(message, field.name):
                    yield from fields(child, field.message)
            yield message, field
        elif not field.repeated and field.kind is Kind.MESSAGE and message.HasField(field.name):
            yield from fields(getattr(message, field.name), field.message)
            yield message, field
        elif not field.repeated and field.kind is Kind.STRING and getattr(message, field.name):
            yield message, field


def shuffled(graph: Graph, rng: random.Random) -> Graph:
    """Return the graph with every set in another order."""
    twin = copy_of(graph)
    for message, field in list(fields(twin)):
        if field.repeated and field.is_set:
            elements = list(getattr(message, field.name))
            if field.kind is Kind.MESSAGE:
                elements = [_twin(element) for element in elements]
            rng.shuffle(elements)
            message.ClearField(field.name)
            getattr(message, field.name).extend(elements)
    return twin


def _twin(message: M) -> M:
    twin = type(message)()
    twin.CopyFrom(message)
    return twin


def renamed(graph: Graph, rng: random.Random) -> tuple[Graph, Names]:
    """Return the graph with other ids everywhere, in another order; and the new names by the old ones."""
    ids = {getattr(m, field.name) for m, field in fields(graph) if field.string_kind is StringKind.ID}
    new = [f"q{number:05}" for number in range(len(ids))]
    rng.shuffle(new)
    names = dict(zip(sorted(ids), new, strict=True))
    twin = copy_of(graph)
    for message, field in list(fields(twin)):
        if field.string_kind not in {StringKind.ID, StringKind.REFERENCE}:
            continue
        value = getattr(message, field.name)
        if field.repeated:
            other = [names[name] for name in value]
            message.ClearField(field.name)
            getattr(message, field.name).extend(other)
        else:
            setattr(message, field.name, names[value])
    return twin, names


# Order.


def ancestors(region: node_pb2.Region) -> dict[str, set[str]]:
    """Return the nodes before each node of a region, found by searching backwards from each."""
    direct = {node.id: set(node.depends_on) for node in region.nodes}
    found = {}
    for name in direct:
        seen, waiting = set(), [name]
        while waiting:
            for source in direct[waiting.pop()] - seen:
                seen.add(source)
                waiting.append(source)
        found[name] = seen
    return found


def with_redundant_edges(graph: Graph, rng: random.Random, share: float = 0.5) -> tuple[Graph, int]:
    """Return the graph with dependencies that others imply, and how many."""
    twin, added = copy_of(graph), 0
    for region, _ in regions(twin):
        before = ancestors(region)
        for node in region.nodes:
            for source in sorted(before[node.id] - set(node.depends_on)):
                if rng.random() < share:
                    node.depends_on.append(source)
                    added += 1
    return twin, added


def with_split_barriers(graph: Graph, rng: random.Random) -> tuple[Graph, int]:
    """Return the graph with two barriers in series in place of each, and how many there were.

    The statements stand at one of the two: in series they would build on each other.
    """
    twin, split = copy_of(graph), 0
    taken = {node.id for node in nodes(twin)}
    for region, around in list(regions(twin)):
        for node in list(region.nodes):
            if not node.operation.HasField("barrier"):
                continue
            second = region.nodes.add(id=_free(f"{node.id}.again", taken))
            second.operation.barrier.SetInParent()
            for other in region.nodes:
                _replace(other, node.id, second.id)
            second.depends_on.append(node.id)
            if rng.random() < 0.5:
                second.operation.barrier.CopyFrom(node.operation.barrier)
                node.operation.barrier.Clear()
                node.operation.barrier.SetInParent()
            _move(twin, "ends", lambda name, old=node.id, new=second.id: new if name == old else name)
            twin.maximum_node_executions += _executions(around)
            split += 1
    return twin, split


def _executions(around: list[node_pb2.Node]) -> int:
    product = 1
    for node in around:
        if node.operation.HasField("repeat"):
            product *= node.operation.repeat.maximum_trips
    return product


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "x"
    taken.add(name)
    return name


def _replace(node: node_pb2.Node, old: str, new: str) -> None:
    """Let a node depend on another node in place of one it depends on."""
    if old not in node.depends_on:
        return
    node.depends_on.remove(old)
    node.depends_on.append(new)
    for edge in node.edge_visibility:
        if edge.source == old:
            edge.source = new


def _move(graph: Graph, side: str, moved: Callable[[str], str], of: set[str] | None = None) -> None:
    """Move the begins or the ends of lifetimes, of some resources or of all."""
    for resource in graph.resources:
        if of is not None and resource.id not in of:
            continue
        for span in resource.lifetime.spans:
            names = list(dict.fromkeys(map(moved, getattr(span, side))))
            span.ClearField(side)  # type: ignore[arg-type]
            getattr(span, side).extend(names)


# Loops.


def made_one_trip(graph: Graph) -> tuple[Graph, list[str]]:
    """Return the graph with repeats that always make one trip, and their names."""
    twin, names = copy_of(graph), []
    for node in nodes(twin):
        if node.operation.HasField("repeat"):
            repeat = node.operation.repeat
            repeat.ClearField("continue_while")
            repeat.ClearField("minimum_trips")
            repeat.trips.literal = repeat.maximum_trips = 1
            names.append(node.id)
    return twin, names


def inlined(graph: Graph, name: str) -> Graph:
    """Return the graph with a repeat of one trip replaced by what is in it, between two barriers.

    The barriers are where it is entered and left; lifetimes to which the repeat counts as one node go from
    there to there.
    """
    twin = copy_of(graph)
    taken = {node.id for node in nodes(twin)}
    region, repeat = next((r, n) for r, _ in regions(twin) for n in r.nodes if n.id == name)
    nested = {
        node.id for inner, around in regions(twin) if name in {a.id for a in around} for node in inner.nodes
    }
    inside = {name, *nested}
    index = repeat.operation.repeat.iteration_index
    entry, leave = _twin(repeat), node_pb2.Node(id=_free(f"{name}.exit", taken))
    entry.operation.barrier.SetInParent()
    leave.operation.barrier.SetInParent()
    body = [_twin(node) for node in repeat.operation.repeat.body.nodes]
    region.nodes.remove(repeat)
    for node in region.nodes:
        _replace(node, name, leave.id)
    leave.depends_on.extend({node.id for node in body} - {d for node in body for d in node.depends_on})
    for node in body:
        if not node.depends_on:
            node.depends_on.append(name)
    region.nodes.extend([entry, *body, leave])
    if not body:
        leave.depends_on.append(name)
    outer = {
        resource.id
        for resource in twin.resources
        if any(n not in nested for span in resource.lifetime.spans for n in (*span.begins, *span.ends))
        or not all(span.begins and span.ends for span in resource.lifetime.spans)
    }
    _move(twin, "begins", lambda n: name if n in inside else n, outer)
    _move(twin, "ends", lambda n: leave.id if n in inside else n, outer)
    twin.maximum_node_executions *= 3
    if index:
        _at_zero(twin, index)
    return twin


def _at_zero(graph: Graph, parameter: str) -> None:
    """Put 0 in place of a parameter. An extent of 0 that stands alone is left out."""
    for message, field in list(fields(graph)):
        if isinstance(message, type_pb2.Extent):
            kept = [_twin(term) for term in message.terms if term.parameter != parameter]
            message.ClearField("terms")
            message.terms.extend(kept)
        elif field.kind is Kind.MESSAGE and not field.repeated:
            value = getattr(message, field.name)
            if isinstance(value, type_pb2.Extent) and not value.ListFields():
                message.ClearField(field.name)
