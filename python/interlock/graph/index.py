"""The index of one execution graph: built once, asked by every rule, changed by none."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from interlock.diagnostic import Step
from interlock.graph.accesses import AccessRole, SelectionTable
from interlock.graph.elements import ElementTables
from interlock.graph.lifetimes import read_lifetimes
from interlock.graph.nodes import NodeKind, NodeTable
from interlock.graph.operations import OperationTables
from interlock.graph.topology import Topology

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from execgraph.v1 import access_pb2, graph_pb2
    from interlock.diagnostic import Path
    from interlock.graph.accesses import AccessTable, Selection
    from interlock.graph.lifetimes import Lifetime


class SelectionPlace(NamedTuple):
    """A place of a node where bytes are selected: the path leads to the ``ByteSelection``."""

    node: int
    path: Path
    selection: int


class StatementPlace(NamedTuple):
    """A visibility statement: its node, its path, its message, and the source if it is on an edge."""

    node: int
    path: Path
    message: access_pb2.VisibilityStatement
    source: str | None


_BARRIER = (Step("operation"), Step("barrier"))
_REPEAT = (Step("operation"), Step("repeat"))


class GraphIndex:
    """Everything about a graph that rules ask for, by dense numbers.

    A broken document has an index too: what does not resolve is None or kept apart, and nothing is raised.

    Attributes:
        message: The graph, in canonical order.
        nodes: The nodes and regions.
        elements: Parameters, allocations, resources and views.
        selection_table: The bytes that nodes name.
        operations: What the nodes do.
    """

    def __init__(self, message: graph_pb2.ExecutionGraph) -> None:
        self.message = message
        self.nodes = NodeTable(message)
        self.elements = ElementTables(message, self.nodes)
        self.selection_table = SelectionTable(self.elements)
        self.operations = OperationTables(self.nodes, self.elements, self.selection_table)

    @property
    def accesses(self) -> AccessTable:
        """The accesses of all nodes."""
        return self.operations.accesses

    @property
    def selections(self) -> list[Selection]:
        """The distinct selections of bytes, by number."""
        return self.selection_table.selections

    def selection_places(self, numbers: Container[int]) -> Iterator[SelectionPlace]:
        """Yield every place where one of the given selections stands: first accesses, then statements."""
        accesses, nodes = self.accesses, self.nodes
        for access, number in enumerate(accesses.selection):
            if number in numbers:
                is_binding = accesses.role[access] == AccessRole.BINDING
                path = accesses.path(access, nodes, *((_TARGET,) if is_binding else ()))
                yield SelectionPlace(accesses.node[access], path, number)
        for entry, number in enumerate(accesses.statement_selection):
            if number in numbers:
                node = accesses.statement_node[entry]
                yield SelectionPlace(node, nodes.path(node, accesses.statement_place[entry]), number)

    @cached_property
    def topology(self) -> Topology:
        """The order of the nodes."""
        return Topology(self.nodes)

    @cached_property
    def lifetimes(self) -> list[Lifetime]:
        """When each resource is alive."""
        return read_lifetimes(self.message, self.nodes)

    @cached_property
    def statements(self) -> list[StatementPlace]:
        """Every visibility statement: by node, those of a node itself before those on the edges to it."""
        nodes = self.nodes
        found = []
        for node, message in enumerate(nodes.messages):
            kind, path = nodes.kind[node], nodes.path(node)
            if kind == NodeKind.BARRIER:
                for position, statement in enumerate(message.operation.barrier.statements):
                    place = path.extended(*_BARRIER, Step("statements", position))
                    found.append(StatementPlace(node, place, statement, None))
            elif kind == NodeKind.REPEAT:
                for position, statement in enumerate(message.operation.repeat.carried):
                    place = path.extended(*_REPEAT, Step("carried", position))
                    found.append(StatementPlace(node, place, statement, None))
            for number, edge in enumerate(message.edge_visibility):
                outer = path.extended(Step("edge_visibility", number, edge.source or None))
                for position, statement in enumerate(edge.statements):
                    place = outer.extended(Step("statements", position))
                    found.append(StatementPlace(node, place, statement, edge.source))
        return found

    @cached_property
    def node_executions(self) -> int | None:
        """The greatest number of node executions of one invocation; None if a repeat has no bound."""
        trips = {repeat.node: repeat.maximum for repeat in self.operations.repeats}
        nodes = self.nodes
        factor: list[int] = []
        total = 0
        for region, owner in enumerate(nodes.region_owner):
            times = 1 if owner < 0 else factor[nodes.region[owner]] * trips.get(owner, 1)
            factor.append(times)
            if not times:
                return None
            total += times * len(nodes.nodes_of(region))
        return total


_TARGET = Step("target")
