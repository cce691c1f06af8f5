"""Edges and lifetimes for a graph whose nodes stand in program order: what a careful producer would write,
mostly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .accesses import Catalogue, Template
from .lifetimes import Lifetimes
from .memory import Memory, Space
from .model import INPUT, OUTPUT, TEMPORARY, Graph, Node, Region, Resource, Span

if TYPE_CHECKING:
    import random


def arrange(graph: Graph, rng: random.Random) -> None:
    """Add dependencies, in place of what is there, and lifetimes to a graph."""
    depend(graph, graph.body, rng, _footprints(graph))
    live(graph, rng, list(graph.resources.values()))


def _footprints(graph: Graph) -> dict[str, tuple[int, int]]:
    """Return what each node reads and writes, nested nodes included, roughly: as if every access were of a
    whole resource.
    """
    space = Space.of(graph)
    memory = Memory(graph, space, next(graph.environments()))
    found: dict[str, tuple[int, int]] = {}
    around = {node.id: [holder.id for holder, _ in path] for node, path, _ in graph.walk()}
    for template in Catalogue(graph).templates():
        mask = memory.bytes[template.resource]
        for name in (template.node, *around[template.node]):
            reads, writes = found.get(name, (0, 0))
            found[name] = (reads | mask * template.reads, writes | mask * template.writes)
    return found


def depend(graph: Graph, region: Region, rng: random.Random, footprints: dict[str, tuple[int, int]]) -> None:
    """Order the nodes of a region where they touch the same resources."""
    reached: dict[str, set[str]] = {}
    direct = rng.random() < 0.3
    for position, node in enumerate(region.nodes):
        node.depends_on = []
        mine: set[str] = set()
        reads, writes = footprints.get(node.id, (0, 0))
        for earlier in reversed(region.nodes[:position]):
            if earlier.id in mine and not direct:
                continue
            others = footprints.get(earlier.id, (0, 0))
            conflict = reads & others[1] or writes & (others[0] | others[1])
            barrier = node.id not in footprints or earlier.id not in footprints
            if rng.random() < (0.88 if conflict else 0.6 if barrier else 0.1):
                node.depends_on.append(earlier.id)
                mine |= {earlier.id} | reached[earlier.id]
        reached[node.id] = mine
        for inner in node.regions():
            depend(graph, inner, rng, footprints)


def live(graph: Graph, rng: random.Random, resources: list[Resource]) -> None:
    """State lifetimes that hold the accesses of resources, where their role asks for them and mostly."""
    lifetimes = Lifetimes(graph)
    templates = Catalogue(graph).templates()
    for resource in resources:
        resource.lifetime = None
        accesses = [template for template in templates if template.resource == resource.id]
        wanted = rng.random() < (0.99 if resource.allocation else 0.4)
        stated = resource.role in {TEMPORARY, OUTPUT} or (resource.role == INPUT and resource.consumed)
        if not accesses or not wanted or not stated:
            continue
        spans = _spans(graph, rng, lifetimes, resource, accesses)
        if resource.role == OUTPUT:
            spans = [Span(spans[0].begins, [])]
        elif resource.role == INPUT:
            spans = [Span([], spans[0].ends)]
        resource.lifetime = spans


def _spans(
    graph: Graph, rng: random.Random, lifetimes: Lifetimes, resource: Resource, accesses: list[Template]
) -> list[Span]:
    nodes = {template.node for template in accesses}
    home = [graph.body]
    if resource.role == TEMPORARY and rng.random() < 0.85:
        home = lifetimes.innermost(nodes)
    places = {name: lifetimes.lifted(name, home) for name in nodes}
    held = {place for place in places.values() if place is not None}
    groups = [held]
    if resource.role == TEMPORARY and rng.random() < 0.4:
        groups = _split(rng, lifetimes, held, {t.node for t in accesses if t.writes and not t.reads})
    spans = []
    for group in groups:
        first = {n for n in group if not any(n in lifetimes.after_node(m) for m in group)}
        last = {n for n in group if not lifetimes.after_node(n) & group}
        spans.append(Span(sorted(first), sorted(last)))
    if len(home) == 1 and len(spans) == 1 and rng.random() < 0.3:
        spans[0].ends = sorted({_deeper(rng, name, places) for name in spans[0].ends})
    return spans


def _split(rng: random.Random, lifetimes: Lifetimes, held: set[str], writers: set[str]) -> list[set[str]]:
    """Split the accesses of a resource in two, the second part beginning with a write."""
    for name in rng.sample(sorted(held & writers), len(held & writers)):
        late = {name} | lifetimes.after_node(name) & held
        early = held - late
        if early and all(
            late <= lifetimes.after_node(other) for other in early if not lifetimes.after_node(other) & early
        ):
            return [early, late]
    return [held]


def _deeper(rng: random.Random, name: str, places: dict[str, str | None]) -> str:
    """Return a node, or one within it that accesses too: it counts as the node."""
    return rng.choice(sorted({name, *(inner for inner, place in places.items() if place == name)}))


def lowest(lifetimes: Lifetimes, first: str, second: str) -> tuple[list[Region], str, str]:
    """Return the regions around two nodes, and what holds the nodes in the innermost."""
    regions = lifetimes.innermost({first, second})
    one, other = lifetimes.lifted(first, regions), lifetimes.lifted(second, regions)
    assert one is not None
    assert other is not None
    return regions, one, other


def position(region: Region, name: str) -> int:
    """Return where a node stands in its region."""
    return next(index for index, node in enumerate(region.nodes) if node.id == name)


def link(region: Region, first: str, second: str) -> Node:
    """Make the later of two nodes of a region, in program order, depend on the earlier; return the later."""
    if position(region, first) > position(region, second):
        first, second = second, first
    node = region.nodes[position(region, second)]
    if first not in node.depends_on:
        node.depends_on.append(first)
    return node
