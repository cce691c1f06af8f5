"""Makes a graph smaller while something about it stays true: the rest of a disagreement is a test case."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy

from .model import (
    Barrier,
    Conditional,
    Dispatch,
    Extent,
    Graph,
    Node,
    Region,
    Repeat,
    Selection,
    Span,
)
from .mutate import cut, statements_at

Change = Callable[[Graph], None]


def shrink(graph: Graph, holds: Callable[[Graph], bool]) -> Graph:
    """Return the smallest graph that greedy removal finds for which ``holds`` is still true.

    An exception of ``holds`` counts as false: what is left may be nonsense on the way.
    """
    best = deepcopy(graph)
    progress = True
    while progress:
        progress = False
        for change in list(_changes(best)):
            smaller = deepcopy(best)
            try:
                change(smaller)
                _tidy(smaller)
                better = smaller != best and holds(smaller)
            except (LookupError, AttributeError, ValueError, AssertionError, StopIteration):
                continue
            if better:
                best, progress = smaller, True
    return best


def _changes(graph: Graph) -> Iterator[Change]:
    """Enumerate what may be taken away, what is large first.

    A change that no longer applies raises `LookupError`.
    """
    names = [node.id for node, _, _ in graph.walk()]
    for name in names:
        yield lambda g, n=name: _remove(g, n, keep=False)
        yield lambda g, n=name: _remove(g, n, keep=True)
        yield lambda g, n=name: _inline(g, n)
        yield lambda g, n=name: _empty(g, n)
    for resource in graph.resources:
        yield lambda g, r=resource: setattr(g.resources[r], "lifetime", None)
        yield lambda g, r=resource: _own(g, r)
    for node, _, _ in graph.walk():
        yield from _node_changes(node)
    for name in graph.parameters:
        for value in graph.parameters[name].values():
            yield lambda g, n=name, v=value: _fix(g, n, v)
    if not graph.carry_all:
        yield lambda g: setattr(g, "carry_all", True)


def _node_changes(node: Node) -> Iterator[Change]:
    for source in list(node.depends_on):
        yield lambda g, n=node.id, s=source: cut(_find(g, n), s)
    if isinstance(node.operation, Dispatch):
        for binding in node.operation.bindings:
            yield lambda g, n=node.id, s=binding.slot: _unbind(g, n, s)
        yield lambda g, n=node.id: _plain(g, n)
    yield from _loop_changes(node)
    for place, statements in enumerate(statements_at(node)):
        for index, statement in enumerate(statements):
            yield lambda g, n=node.id, p=place, i=index: statements_at(_find(g, n))[p].__delitem__(i)
            for side in ("available_from", "visible_to", "selections"):
                for item in list(getattr(statement, side)):
                    yield lambda g, n=node.id, p=place, i=index, s=side, x=item: _take(
                        statements_at(_find(g, n))[p][i], s, x
                    )


def _loop_changes(node: Node) -> Iterator[Change]:
    operation = node.operation
    if not isinstance(operation, Repeat):
        return
    for name in ("proceed", "minimum"):
        yield lambda g, n=node.id, a=name: setattr(_find(g, n).operation, a, None)
    yield lambda g, n=node.id: _count(_find(g, n).operation, 2)
    if operation.maximum > 1:
        yield lambda g, n=node.id: _count(_find(g, n).operation, -1)


def _find(graph: Graph, name: str) -> Node:
    for node, _, _ in graph.walk():
        if node.id == name:
            return node
    raise LookupError(name)


def _around(graph: Graph, name: str) -> Region:
    for node, _, region in graph.walk():
        if node.id == name:
            return region
    raise LookupError(name)


def _remove(graph: Graph, name: str, *, keep: bool) -> None:
    """Remove a node; what depends on it then depends on what it depended on, if order is to be kept."""
    region, node = _around(graph, name), _find(graph, name)
    region.nodes.remove(node)
    for other in region.nodes:
        if name in other.depends_on:
            cut(other, name)
            if keep:
                other.depends_on += [source for source in node.depends_on if source not in other.depends_on]


def _inline(graph: Graph, name: str) -> None:
    """Put the first region within a control node in its place."""
    region, node = _around(graph, name), _find(graph, name)
    inner = node.regions()[0].nodes
    for first in inner:
        if not first.depends_on:
            first.depends_on = list(node.depends_on)
    for other in region.nodes:
        if name in other.depends_on:
            cut(other, name)
            other.depends_on += [last.id for last in inner]
    region.nodes[region.nodes.index(node) : region.nodes.index(node) + 1] = inner


def _empty(graph: Graph, name: str) -> None:
    """Take what a node does from it, or from a conditional an arm."""
    node = _find(graph, name)
    if isinstance(node.operation, Conditional):
        node.operation.otherwise = None
    else:
        node.operation = Barrier()


def _unbind(graph: Graph, name: str, slot: str) -> None:
    operation = _find(graph, name).operation
    assert isinstance(operation, Dispatch)
    operation.bindings = [binding for binding in operation.bindings if binding.slot != slot]
    operation.tolerated = [pair for pair in operation.tolerated if slot not in pair]


def _plain(graph: Graph, name: str) -> None:
    """Make a grid one that certainly runs, and bindings whole."""
    operation = _find(graph, name).operation
    assert isinstance(operation, Dispatch)
    operation.indirect, operation.counts, operation.elements = None, (), ()
    for binding in operation.bindings:
        binding.target = Selection(graph.resource_of(binding.target).id)


def _own(graph: Graph, name: str) -> None:
    graph.resources[name].allocation, graph.resources[name].offset = "", Extent()


def _count(operation: object, trips: int) -> None:
    """Make a count literal, or smaller by one if ``trips`` is negative."""
    assert isinstance(operation, Repeat)
    operation.maximum = trips if trips > 0 else operation.maximum + trips
    if isinstance(operation.count, int) or trips > 0:
        operation.count, operation.minimum = operation.maximum, None


def _take(statement: object, side: str, item: object) -> None:
    values = getattr(statement, side)
    if len(values) < 2:
        raise LookupError(side)
    values.remove(item)


def _fix(graph: Graph, name: str, value: int) -> None:
    graph.parameters[name].minimum = graph.parameters[name].maximum = value


def _tidy(graph: Graph) -> None:
    """Drop what nothing names any more, and regions that hold nothing."""
    for node, _, region in list(graph.walk()):
        operation = node.operation
        if isinstance(operation, Conditional):
            operation.then = operation.then if operation.then and operation.then.nodes else None
            operation.otherwise = (
                operation.otherwise if operation.otherwise and operation.otherwise.nodes else None
            )
            if not node.regions():
                node.operation = Barrier()
        elif isinstance(operation, Repeat) and not operation.body.nodes:
            node.operation = Barrier()
        known = {other.id for other in region.nodes}
        for source in [s for s in node.depends_on if s not in known]:
            cut(node, source)
    nodes = {node.id for node, _, _ in graph.walk()}
    for resource in graph.resources.values():
        if resource.lifetime is not None:
            resource.lifetime = [_kept(span, nodes) for span in resource.lifetime]
    used, views = graph.mentions()
    graph.resources = {name: resource for name, resource in graph.resources.items() if name in used}
    graph.views = {name: view for name, view in graph.views.items() if name in views}
    placed = {resource.allocation for resource in graph.resources.values()}
    graph.allocations = {name: a for name, a in graph.allocations.items() if name in placed}


def _kept(span: Span, nodes: set[str]) -> Span:
    return Span([n for n in span.begins if n in nodes], [n for n in span.ends if n in nodes])
