"""What a rule may look at: the document, its index, the limits, what a target offers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from interlock.graph.index import GraphIndex
    from interlock.graph.size import GraphSize
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
        from interlock.graph.size import measure  # noqa: PLC0415  (graphs only)

        return measure(self.message)

    @cached_property
    def sweep(self) -> Sweep:
        """What the schema's options alone say about the document."""
        from interlock.graph.sweep import sweep  # noqa: PLC0415

        return sweep(self.message)

    @cached_property
    def graph(self) -> GraphIndex:
        """The index of a graph."""
        from interlock.graph.index import GraphIndex  # noqa: PLC0415  (graphs only)

        return GraphIndex(self.message)
