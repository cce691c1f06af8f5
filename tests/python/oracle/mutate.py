"""Takes one thing away from a graph, or weakens one: what a producer might forget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2

from .model import (
    ELEMENT_BYTES,
    TEMPORARY,
    Barrier,
    Dispatch,
    Extent,
    Graph,
    Node,
    Repeat,
    Resource,
    Selection,
    Statement,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Callable


def mutate(graph: Graph, rng: random.Random) -> bool:
    """Weaken a graph in one place; tell whether there was one."""
    changes = _changes(graph, rng)
    if not changes:
        return False
    kind = rng.choice(sorted(changes))
    rng.choice(changes[kind])()
    return True


def _changes(graph: Graph, rng: random.Random) -> dict[str, list[Callable[[], None]]]:
    """Return what can be done, by kind, so that a kind of which there is much is not favoured."""
    changes: dict[str, list[Callable[[], None]]] = {}

    def offer(kind: str, change: Callable[[], None]) -> None:
        changes.setdefault(kind, []).append(change)

    for node, _, _ in graph.walk():
        for source in node.depends_on:
            offer("edge", lambda node=node, source=source: cut(node, source))
        for statements in statements_at(node):
            for statement in statements:
                offer("statement", lambda ss=statements, s=statement: ss.remove(s))
                offer("scope", lambda s=statement: _narrow(s, rng))
                offer("selection", lambda s=statement: _shrink(graph, s, rng))
        _offer_operation(graph, node, rng, offer)
    for resource in graph.resources.values():
        _offer_resource(graph, resource, rng, offer)
    return changes


def _offer_resource(
    graph: Graph, resource: Resource, rng: random.Random, offer: Callable[[str, Callable[[], None]], None]
) -> None:
    rarely = rng.random() < 0.1
    for span in resource.lifetime or []:
        for nodes in (span.begins, span.ends):
            if len(nodes) > 1:
                offer("span", lambda nodes=nodes: nodes.pop(rng.randrange(len(nodes))))
            elif nodes:
                names = [node.id for node, _, _ in graph.walk()]
                offer("span", lambda nodes=nodes, names=names: nodes.__setitem__(0, rng.choice(names)))
            both = span.begins and span.ends
            if rarely and both:
                offer("lifetime", nodes.clear)
    if resource.allocation and resource.role == TEMPORARY and not resource.offset.terms:
        width, offset = ELEMENT_BYTES[resource.element], resource.offset.constant
        moved = [offset // 4 * 2 // width * width, *([offset + 1, offset + 12] if rarely else [])]
        for place in moved:
            offer("offset", lambda p=place: setattr(resource, "offset", Extent(p)))


def _offer_operation(
    graph: Graph, node: Node, rng: random.Random, offer: Callable[[str, Callable[[], None]], None]
) -> None:
    operation = node.operation
    if isinstance(operation, Dispatch):
        for binding in operation.bindings:
            if binding.coverage == access_pb2.COVERAGE_FULL:
                offer("coverage", lambda b=binding: setattr(b, "coverage", access_pb2.COVERAGE_PARTIAL))
            resource = graph.resource_of(binding.target)
            whole = binding.target == Selection(resource.id)
            if whole and not resource.size.terms and binding.access != access_pb2.ACCESS_MODE_ATOMIC:
                half = resource.size.constant // 2 // 4 * 4
                if half:
                    target = Selection(resource.id, "", Extent(), Extent(half))
                    offer("binding", lambda b=binding, t=target: setattr(b, "target", t))
        for pair in operation.tolerated:
            offer("tolerated", lambda o=operation, p=pair: o.tolerated.remove(p))
    elif isinstance(operation, Repeat):
        if operation.least and (operation.proceed is not None or not isinstance(operation.count, int)):
            offer("minimum", lambda o=operation: setattr(o, "minimum", max(0, (o.minimum or 0) - 1)))
    elif isinstance(operation, Barrier) and rng.random() < 0.5:
        for source in node.depends_on:
            offer("barrier", lambda node=node, source=source: cut(node, source))


def statements_at(node: Node) -> list[list[Statement]]:
    """Return the lists of statements that stand at a node."""
    places = list(node.edge_statements.values())
    if isinstance(node.operation, Barrier):
        places.append(node.operation.statements)
    elif isinstance(node.operation, Repeat):
        places.append(node.operation.carried)
    return places


def cut(node: Node, source: str) -> None:
    """Remove a dependency, and what stands on it."""
    node.depends_on.remove(source)
    node.edge_statements.pop(source, None)


def _narrow(statement: Statement, rng: random.Random) -> None:
    scopes = rng.choice([statement.available_from, statement.visible_to])
    if len(scopes) > 1:
        scopes.remove(rng.choice(sorted(scopes)))
    else:
        usage, kind = scopes.pop()
        scopes.add(
            (access_pb2.USAGE_TRANSFER if usage != access_pb2.USAGE_TRANSFER else access_pb2.USAGE_FILL, kind)
        )


def _shrink(graph: Graph, statement: Statement, rng: random.Random) -> None:
    index = rng.randrange(len(statement.selections))
    if len(statement.selections) > 1 and rng.random() < 0.5:
        statement.selections.pop(index)
        return
    resource = graph.resource_of(statement.selections[index])
    width = ELEMENT_BYTES[resource.element]
    half = resource.size.constant // 2 // width * width
    if half and not resource.size.terms:
        smaller = Selection(resource.id, "", Extent(), Extent(half))
        if smaller not in statement.selections:
            statement.selections[index] = smaller
