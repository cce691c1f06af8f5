"""What a rule may look at: the document, its index, the limits, what a target offers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import le
from typing import TYPE_CHECKING, cast

from interlock.graph.size import GraphSize, measure

if TYPE_CHECKING:
    from collections.abc import Collection

    from google.protobuf.message import Message

    from execgraph.v1.graph_pb2 import ExecutionGraph
    from execgraph.v1.package_pb2 import Package
    from execgraph.v1.profile_pb2 import TargetProfile
    from interlock.diagnostic import Path
    from interlock.flow.analysis import Flow
    from interlock.graph.index import GraphIndex
    from interlock.graph.sweep import Sweep
    from interlock.limits import Limits
    from interlock.package.container import Container
    from interlock.package.index import PackageIndex
    from interlock.rules.held import Held, PayloadView, Realization
    from interlock.rules.launches import LaunchTable


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a package is judged against.

    Attributes:
        container: Where its blobs are; None if nobody said.
        targets: The targets to judge; None for all that any variant is for.
        profiles: The profiles of targets, instead of the default ones.
        assembler: The program that may assemble SPIR-V assembly, such as ``spirv-as``; empty for none.
    """

    container: Container | None = None
    targets: Collection[str] | None = None
    profiles: Collection[TargetProfile] = ()
    assembler: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.targets, str):
            raise TypeError(
                f"`targets` is a collection of names, such as `{{'vulkan'}}`, not `{self.targets!r}`"
            )


NOWHERE = Surroundings()


@dataclass(frozen=True)
class Context:
    """One document under verification.

    Attributes:
        message: The root message, in canonical order.
        kind: The kind of the document, such as ``ExecutionGraph``.
        limits: Bounds on what may be verified.
        offered: The names of the capabilities that are offered; None if nobody asked.
        surroundings: Of a package: where its bytes are, and for which targets it is judged.
    """

    message: Message
    kind: str
    limits: Limits
    offered: frozenset[str] | None = None
    surroundings: Surroundings = NOWHERE

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
    def package(self) -> PackageIndex:
        """The index of a package."""
        from interlock.package.index import PackageIndex  # noqa: PLC0415  (packages only)

        around = self.surroundings
        message = cast("Package", self.message)
        return PackageIndex(message, around.container, around.targets, self.limits, around.assembler)

    def profile(self, target: str) -> TargetProfile | None:
        """Return the profile of a target that counts here; None if there is none."""
        from interlock.package.profiles import default_for  # noqa: PLC0415  (packages only)

        given = next((each for each in self.surroundings.profiles if each.target == target), None)
        return given or default_for(target)

    @cached_property
    def launches(self) -> LaunchTable:
        """The dispatches of a package on each target, with like ones together."""
        from interlock.rules.launches import LaunchTable  # noqa: PLC0415  (packages only)

        return LaunchTable(self)

    @cached_property
    def parts(self) -> tuple[tuple[Path, Context], ...]:
        """The documents within this one that could be read, with the paths that lead to them."""
        if self.kind in ("TargetPayload", "Envelope"):
            from interlock.rules.held import parts_of  # noqa: PLC0415  (target code only)

            return parts_of(self)
        if self.kind != "Package":
            return ()
        return tuple(
            (entry.path, Context(entry.document.message, entry.document.kind, self.limits, self.offered))
            for entry in self.package.graphs
            if entry.document is not None
        )

    @cached_property
    def held(self) -> tuple[Held, ...]:
        """The documents that target code holds in bytes, whether they can be read or not."""
        from interlock.rules.held import held_by  # noqa: PLC0415  (target code only)

        return held_by(self.message, self.kind, self.limits)

    @cached_property
    def payloads(self) -> tuple[PayloadView, ...]:
        """The payload that this is, or those of an envelope that could be read."""
        from interlock.rules.held import payload_views  # noqa: PLC0415  (target code only)

        return tuple(payload_views(self))

    @cached_property
    def realizations(self) -> tuple[Realization, ...]:
        """The payloads of an envelope beside the graph, where they name it and it can be indexed."""
        from interlock.rules.held import realizations_of  # noqa: PLC0415  (target code only)

        return tuple(realizations_of(self))

    @property
    def graphs(self) -> tuple[Context, ...]:
        """The graph that this is, or the graphs within it that could be read."""
        if self.kind == "ExecutionGraph":
            return (self,)
        return tuple(part for _, part in self.parts if part.kind == "ExecutionGraph")

    @cached_property
    def flow(self) -> Flow:
        """What happens to the bytes of a graph, once the rules in `interlock.rules.basis` find nothing."""
        from interlock.flow.analysis import Flow  # noqa: PLC0415  (graphs only)

        return Flow(self.graph, self.limits.proof_work)
