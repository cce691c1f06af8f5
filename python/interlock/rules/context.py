"""What a rule may look at: the document, its index, the limits, what a target offers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import le
from typing import TYPE_CHECKING, cast

from interlock.graph.size import GraphSize, measure

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from execgraph.v1.graph_pb2 import ExecutionGraph
    from interlock.flow.analysis import Flow
    from interlock.graph.index import GraphIndex
    from interlock.graph.sweep import Sweep
    from interlock.limits import Limits


@dataclass(frozen=True)
class Context:
    """One document under verification.

    Attributes:
        message: The root message, in canonical order.
        kind: The kind of the document, such as ``ExecutionGraph``.
        limits: Bounds on what may be verified.
        offered: The names of the capabilities that are offered; None if nobody asked.
    """

    message: Message
    kind: str
    limits: Limits
    offered: frozenset[str] | None = None

    @cached_property
    def size(self) -> GraphSize:
        """The size of a graph, known before anything is built in proportion to it."""
        return measure(self._graph)

    @cached_property
    def is_indexable(self) -> bool:
        """Whether the document is a graph within the limits of size, so that it may be indexed."""
        limits = self.limits
        most = GraphSize(limits.nodes, limits.edges, limits.resources, limits.control_nesting)
        return self.kind == "ExecutionGraph" and all(map(le, self.size, most))

    @cached_property
    def sweep(self) -> Sweep:
        """What the schema's options alone say about the document."""
        from interlock.graph.sweep import sweep  # noqa: PLC0415

        return sweep(self.message)

    @property
    def _graph(self) -> ExecutionGraph:
        return cast("ExecutionGraph", self.message)

    @cached_property
    def graph(self) -> GraphIndex:
        """The index of a graph."""
        from interlock.graph.index import GraphIndex  # noqa: PLC0415  (graphs only)

        return GraphIndex(self._graph)

    @cached_property
    def flow(self) -> Flow:
        """What happens to the bytes of a graph, once the rules in `interlock.rules.basis` find nothing."""
        from interlock.flow.analysis import Flow  # noqa: PLC0415  (graphs only)

        return Flow(self.graph, self.limits.proof_work)
