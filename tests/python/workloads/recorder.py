"""Records the launches of an operation, in one of three styles of saying order and visibility."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from execgraph.v1 import node_pb2, type_pb2
from interlock.author import GraphBuilder, Node, Slot, full

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from interlock.author import Typed
    from interlock.author.handles import Target
    from interlock.document import Document

    Bindings = Mapping[str, Slot | Target]


class Style(Enum):
    """How order and visibility are said."""

    EDGES = "edges"
    """Dependencies, which make everything visible."""
    STATEMENTS = "statements"
    """Dependencies, each with a statement about what its source wrote."""
    BARRIERS = "barriers"
    """Barriers between runs of launches that are concurrent: one encoder, as on Metal."""


class Recorder:
    """A graph under construction.

    Resources are declared through ``graph``; what runs goes through `run`, `clear` and `move`. With barriers,
    one is put in front of whatever depends on a launch that no barrier follows yet.
    """

    def __init__(self, name: str, style: Style = Style.EDGES) -> None:
        self.graph = GraphBuilder(name)
        self._style = style
        self._kernels = self.graph.artifact("kernels")
        self._written: dict[str, list[Target]] = {}
        self._open: list[Node] = []
        self._barriers: list[Node] = []
        if style is Style.EDGES:
            self.graph.edges_carry_all()

    def run(
        self,
        node: str,
        kernel: str,
        *,
        reads: Bindings | None = None,
        writes: Bindings | None = None,
        atomics: Bindings | None = None,
        after: Iterable[Node] = (),
        groups: Sequence[int] | None = None,
        threads: Sequence[int] | None = None,
        size: Sequence[int],
        in_place: Iterable[tuple[str, str]] = (),
        inline: Mapping[str, Typed | bool] | None = None,
        specialization: Mapping[str | int, Typed | bool] | None = None,
    ) -> Node:
        """Launch a kernel over workgroups, or over single invocations; ``size`` is that of a workgroup.

        A write overwrites all that it names unless it says otherwise. ``in_place`` names pairs of slots that
        may be the same bytes.
        """
        given = {
            slot: target if isinstance(target, Slot) else full(target)
            for slot, target in (writes or {}).items()
        }
        shape = {"groups": groups} if groups is not None else {"elements": threads, "exact_threads": True}
        dependencies = self._dependencies(after)
        made = self.graph.dispatch(
            node,
            artifact=self._kernels,
            entry=kernel,
            reads=reads or {},
            writes=given,
            atomics=atomics or {},
            after=dependencies,
            workgroup_size=size,
            tolerated_aliases=in_place,
            inline=inline or {},
            specialization=specialization or {},
            **shape,
        )
        targets = [slot.target for slot in given.values()]
        targets += [slot.target if isinstance(slot, Slot) else slot for slot in (atomics or {}).values()]
        return self._made(made, dependencies, targets)

    def clear(self, node: str, target: Target, *, after: Iterable[Node] = ()) -> Node:
        """Fill with zeros, without a kernel."""
        dependencies = self._dependencies(after)
        return self._made(self.graph.fill(node, target, 0, after=dependencies), dependencies, [target])

    def move(
        self,
        node: str,
        source: Target,
        destination: Target,
        *,
        rows: tuple[int, int, int, int],
        after: Iterable[Node],
    ) -> Node:
        """Copy rows, without a kernel.

        ``rows`` says how many, of how many bytes, and how far apart they are at source and destination.
        """
        count, size, there, here = rows
        region = node_pb2.CopyRegion(
            row_bytes=type_pb2.Extent(constant=size),
            rows=type_pb2.Extent(constant=count),
            source_row_pitch=there,
            destination_row_pitch=here,
        )
        dependencies = self._dependencies(after)
        made = self.graph.copy(node, source, destination, region=region, after=dependencies)
        return self._made(made, dependencies, [destination])

    def build(self) -> Document:
        return self.graph.build()

    def _dependencies(self, after: Iterable[Node]) -> list[Node]:
        wanted = list(dict.fromkeys(after))
        if self._style is not Style.BARRIERS:
            return wanted
        if any(node in self._open for node in wanted):
            targets = [target for node in self._open for target in self._written[node.id]]
            number = len(self._barriers) + 1
            self._barriers.append(self.graph.barrier(f"barrier_{number}", *targets, after=self._open))
            self._open = []
        return self._barriers[-1:]

    def _made(self, node: Node, dependencies: Iterable[Node], written: list[Target]) -> Node:
        self._written[node.id] = written
        if self._style is Style.BARRIERS:
            self._open.append(node)
        elif self._style is Style.STATEMENTS:
            for source in dependencies:
                self.graph.edge(source, node, *self._written[source.id])
        return node
