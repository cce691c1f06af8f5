"""The lifetimes of resources: their homes, and where their spans begin and end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from execgraph.v1 import graph_pb2, resource_pb2
    from interlock.graph.nodes import NodeTable


@dataclass(frozen=True, slots=True)
class Span:
    """One span of a lifetime, as stated: the nodes at which it may begin, and those at which it ends."""

    begins: tuple[int, ...]
    ends: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lifetime:
    """When a resource is alive.

    ``home`` is the innermost region that contains every begin and end; a span that begins or ends with the
    graph has the body of the graph as its home. ``stated`` tells whether the document states a lifetime;
    otherwise the resource is alive during the whole graph, and there are no spans.
    """

    home: int
    spans: tuple[Span, ...]
    stated: bool


WHOLE_GRAPH = Lifetime(0, (), stated=False)


def read_lifetimes(graph: graph_pb2.ExecutionGraph, nodes: NodeTable) -> list[Lifetime]:
    """Return the lifetime of every resource. Missing nodes are left out: another rule reports them."""
    return [
        _read(message.lifetime.spans, nodes) if message.HasField("lifetime") else WHOLE_GRAPH
        for message in graph.resources
    ]


def _read(messages: Iterable[resource_pb2.LifetimeSpan], nodes: NodeTable) -> Lifetime:
    spans = tuple(Span(_known(message.begins, nodes), _known(message.ends, nodes)) for message in messages)
    home = 0
    if all(span.begins and span.ends for span in spans):
        home = innermost_region([node for span in spans for node in (*span.begins, *span.ends)], nodes)
    return Lifetime(home, spans, stated=True)


def _known(ids: Iterable[str], nodes: NodeTable) -> tuple[int, ...]:
    return tuple(nodes.by_id[identity] for identity in ids if identity in nodes.by_id)


def innermost_region(members: list[int], nodes: NodeTable) -> int:
    """Return the innermost region that contains all of some nodes; for none, the body of the graph."""
    common: list[int] | None = None
    for node in members:
        chain = nodes.regions_around(node)
        common = chain if common is None else [region for region in common if region in chain]
    return common[0] if common else 0
