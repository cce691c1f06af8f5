"""The order of CrossTL's arrays, where the contract has sets."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from interlock.interop.crosstl.hints import PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterable

    from execgraph.v1 import graph_pb2, node_pb2, resource_pb2

_BACKING = PREFIX + "backing"


def is_backing(resource: resource_pb2.Resource) -> bool:
    """Tell whether a resource was made by an import to hold views, and has no counterpart of its own."""
    return any(attribute.key == _BACKING for attribute in resource.provenance.attributes)


def default_resource_order(graph: graph_pb2.ExecutionGraph) -> list[str]:
    """Return the ids of resources by id, each followed by those of its views by id."""
    views: dict[str, list[str]] = {}
    for view in graph.views:
        views.setdefault(view.resource, []).append(view.id)
    order: list[str] = []
    for resource in sorted(graph.resources, key=lambda resource: resource.id):
        if not is_backing(resource):
            order.append(resource.id)
        order.extend(sorted(views.get(resource.id, [])))
    return order


def default_node_order(body: node_pb2.Region) -> list[str]:
    """Return the ids of nodes, dependencies first and otherwise by id.

    What lies on a cycle comes last, by id.
    """
    waiting = {node.id: len(set(node.depends_on)) for node in body.nodes}
    dependents: dict[str, list[str]] = {}
    for node in body.nodes:
        for dependency in set(node.depends_on):
            dependents.setdefault(dependency, []).append(node.id)
    ready = [name for name, count in waiting.items() if count == 0]
    heapq.heapify(ready)
    order: list[str] = []
    while ready:
        name = heapq.heappop(ready)
        order.append(name)
        del waiting[name]
        for dependent in dependents.get(name, []):
            waiting[dependent] -= 1
            if waiting[dependent] == 0:
                heapq.heappush(ready, dependent)
    return order + sorted(waiting)


def restored_order(hinted: Iterable[str], default: list[str]) -> list[str]:
    """Return the ids of ``default`` in the order of ``hinted``.

    Those it does not name come after, as they were.
    """
    known = set(default)
    first = [name for name in dict.fromkeys(hinted) if name in known]
    named = set(first)
    return first + [name for name in default if name not in named]
