"""A graph and a container that was made without it, as one package document."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from execgraph.v1 import package_pb2
from interlock.document import Document

if TYPE_CHECKING:
    from execgraph.v1.graph_pb2 import ExecutionGraph
    from interlock.package.container import Container


def joined(graph: Document, container: Container) -> Document:
    """Return the package of a container with one graph, in place of those it holds.

    Raises:
        CodecError: The graph's id is none that a package may hold.
    """
    package = package_pb2.Package(id="folder")
    if container.document is not None:
        package.CopyFrom(cast("package_pb2.Package", container.document.message))
        package.ClearField("graphs")
        package.ClearField("payloads")
    identity = cast("ExecutionGraph", graph.message).id
    package.graphs.add(id=identity, source=package_pb2.GraphSource(embedded=graph.binary))
    return Document.from_message(package)
