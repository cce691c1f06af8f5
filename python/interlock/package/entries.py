"""What a package consists of, with where it stands: graphs, variants, and which runs for which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from execgraph.v1 import graph_pb2, node_pb2, package_pb2
    from interlock.diagnostic import Path
    from interlock.document import Document
    from interlock.errors import InterlockError


@dataclass(frozen=True, slots=True)
class GraphEntry:
    """A graph of the package. ``document`` is None where it could not be read, and ``failure`` says why.

    Where both are None, nobody says where its bytes are.

    ``path`` leads to what holds the graph; paths inside the graph go on from there.
    """

    id: str
    path: Path
    document: Document | None
    failure: InterlockError | None = None

    @property
    def graph(self) -> graph_pb2.ExecutionGraph | None:
        """The message of the graph."""
        return None if self.document is None else self.document.message  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class VariantEntry:
    """A variant with its artifact, and the path that leads to it."""

    artifact: package_pb2.Artifact
    variant: package_pb2.Variant
    path: Path

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells variants of a package apart: the artifact, the target and the name."""
        return self.artifact.id, self.variant.target, self.variant.name

    def __str__(self) -> str:
        name = f" `{self.variant.name}`" if self.variant.name else ""
        return f"the variant{name} of `{self.artifact.id}` for `{self.variant.target}`"


@dataclass(frozen=True, slots=True)
class Unresolved:
    """Why an artifact of a graph has no variant on a target: the code, a sentence, and the place."""

    code: str
    message: str
    path: Path


@dataclass(frozen=True, slots=True)
class Selected:
    """What became of one artifact of one graph on one target."""

    graph: GraphEntry
    artifact: str
    target: str
    variant: VariantEntry | Unresolved


def candidates(
    variants: Sequence[package_pb2.Variant], positions: Iterable[int], digest: str
) -> tuple[list[int], bool]:
    """Return which variants of an artifact a graph may run on one target: one, unless nothing tells which.

    Those that have the pinned bytes come before the others, and among them the one without a name.

    Args:
        variants: The variants of the artifact.
        positions: Which of them are for the target.
        digest: The digest that the graph pins; empty for none.

    Returns:
        Their positions, and whether they are those that are pinned.
    """
    fitting = list(positions)
    pinned = [position for position in fitting if digest and variants[position].blob.digest == digest]
    fitting = pinned or fitting
    return [position for position in fitting if not variants[position].name] or fitting, bool(pinned)


def runs_of(graph: graph_pb2.ExecutionGraph) -> Iterator[tuple[str, str]]:
    """Yield the artifact and the entry of every dispatch of a graph, in no order."""
    for node in dispatch_nodes(graph):
        yield node.operation.dispatch.artifact, node.operation.dispatch.entry


def dispatch_nodes(graph: graph_pb2.ExecutionGraph) -> Iterator[node_pb2.Node]:
    """Yield every dispatch node of a graph, in no order."""
    waiting = [graph.body]
    while waiting:
        for node in waiting.pop().nodes:
            kind = node.operation.WhichOneof("kind")
            if kind == "dispatch":
                yield node
            elif kind == "conditional":
                waiting += (node.operation.conditional.then_region, node.operation.conditional.else_region)
            elif kind == "repeat":
                waiting.append(node.operation.repeat.body)
