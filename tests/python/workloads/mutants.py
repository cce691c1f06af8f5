"""Graphs with something taken away, or added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import graph_pb2
from interlock.document import Document

from .pairs import graph_of

if TYPE_CHECKING:
    from execgraph.v1 import node_pb2


def copy_of(document: Document) -> graph_pb2.ExecutionGraph:
    """Return a message to change."""
    message = graph_pb2.ExecutionGraph()
    message.CopyFrom(graph_of(document))
    return message


def _copy(document: Document) -> tuple[graph_pb2.ExecutionGraph, dict[str, node_pb2.Node]]:
    message = copy_of(document)
    return message, {node.id: node for node in message.body.nodes}


def without_dependency(document: Document, source: str, target: str) -> Document:
    """Return the graph without a dependency, and without what it made visible."""
    message, nodes = _copy(document)
    node = nodes[target]
    node.depends_on.remove(source)
    kept = [edge for edge in node.edge_visibility if edge.source != source]
    del node.edge_visibility[:]
    node.edge_visibility.extend(kept)
    return Document.from_message(message)


def with_dependency(document: Document, source: str, target: str) -> Document:
    message, nodes = _copy(document)
    nodes[target].depends_on.append(source)
    return Document.from_message(message)


def without_barrier(document: Document, barrier: str) -> Document:
    """Return the graph without a barrier: what waited for it waits for the one before it, if there is one."""
    message, nodes = _copy(document)
    gone = nodes[barrier]
    before = {
        dependency
        for source in gone.depends_on
        for dependency in nodes[source].depends_on
        if dependency in nodes
    }
    for node in message.body.nodes:
        if barrier in node.depends_on:
            kept = {*node.depends_on, *before} - {barrier}
            del node.depends_on[:]
            node.depends_on.extend(sorted(kept))
    message.body.nodes.remove(gone)
    message.maximum_node_executions -= 1
    return Document.from_message(message)


def without_statements(document: Document, node: str) -> Document:
    """Return the graph with a barrier that only orders, or with dependencies of a node that only order."""
    message, nodes = _copy(document)
    del nodes[node].edge_visibility[:]
    if nodes[node].operation.HasField("barrier"):
        del nodes[node].operation.barrier.statements[:]
    return Document.from_message(message)
