"""Order among the nodes: adjacency in compressed rows, a topological order with levels, cycles.

Dependencies stay within a region, so the regions need no treatment of their own: their nodes are disjoint
parts of one adjacency. Edges whose source is missing, lies in another region or is the node itself are kept
apart, for the rules that judge them.
"""

from __future__ import annotations

from array import array
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interlock.graph.nodes import NodeTable

CYCLE_WORK = 4_000_000
"""Edges looked at in search of the shortest cycle, after which the best found so far has to do."""


class Edge(NamedTuple):
    """An edge that stands apart: ``target`` names ``source`` at ``position`` of its ``depends_on``."""

    target: int
    position: int
    source: int


class Cycle(NamedTuple):
    """A cycle: each node depends on the next, the last on the first.

    ``shortest`` tells whether none is shorter.
    """

    nodes: tuple[int, ...]
    shortest: bool


class Rows:
    """Adjacency in compressed rows."""

    __slots__ = ("_first", "_values")

    def __init__(self, first: array[int], values: array[int]) -> None:
        self._first = first
        self._values = values

    def __getitem__(self, node: int) -> Sequence[int]:
        return self._values[self._first[node] : self._first[node + 1]]

    def __len__(self) -> int:
        return len(self._values)

    def degree(self, node: int) -> int:
        """Return the length of one row."""
        return self._first[node + 1] - self._first[node]

    def transposed(self) -> Rows:
        """Return the rows of the reversed edges, each ascending."""
        count = len(self._first) - 1
        first = array("l", bytes(self._first.itemsize * (count + 2)))
        for value in self._values:
            first[value + 2] += 1
        for node in range(2, count + 2):
            first[node] += first[node - 1]
        values = array("l", bytes(self._values.itemsize * len(self._values)))
        for node in range(count):
            for value in self._values[self._first[node] : self._first[node + 1]]:
                values[first[value + 1]] = node
                first[value + 1] += 1
        return Rows(first[: count + 1], values)


class Topology:
    """The order of the nodes.

    Attributes:
        predecessors: What each node depends on, within its region, itself excluded.
        successors: The reverse.
        self_edges: Nodes that depend on themselves.
        cross_edges: Edges from a node of another region.
        order: The nodes such that each follows its predecessors; nodes on or after a cycle are left out.
        level: The length of the longest path to each node within its region; -1 where it is left out.
    """

    def __init__(self, nodes: NodeTable) -> None:
        self.self_edges: list[Edge] = []
        self.cross_edges: list[Edge] = []
        self.predecessors = self._read(nodes)
        self.successors = self.predecessors.transposed()
        self.order, self.level = self._sort(len(nodes))

    def _read(self, nodes: NodeTable) -> Rows:
        first, values = array("l", [0]), array("l")
        find, region = nodes.by_id.get, nodes.region
        for target, message in enumerate(nodes.messages):
            for position, identity in enumerate(message.depends_on):
                source = find(identity)
                if source is None:
                    continue
                if source == target:
                    self.self_edges.append(Edge(target, position, source))
                elif region[source] != region[target]:
                    self.cross_edges.append(Edge(target, position, source))
                else:
                    values.append(source)
            first.append(len(values))
        return Rows(first, values)

    def _sort(self, count: int) -> tuple[array[int], array[int]]:
        missing = array("l", [self.predecessors.degree(node) for node in range(count)])
        level = array("l", [-1]) * count
        order = array("l")
        reached = array("l", bytes(level.itemsize * count))
        ready = deque(node for node in range(count) if not missing[node])
        while ready:
            node = ready.popleft()
            order.append(node)
            level[node] = depth = reached[node]
            for successor in self.successors[node]:
                if reached[successor] <= depth:
                    reached[successor] = depth + 1
                missing[successor] -= 1
                if not missing[successor]:
                    ready.append(successor)
        return order, level

    @property
    def acyclic(self) -> bool:
        """Whether no node depends on itself, directly or through others."""
        return len(self.order) == len(self.level) and not self.self_edges

    def cycles(self) -> Iterator[Cycle]:
        """Yield one cycle of each set of nodes that all depend on each other, by the set's least node."""
        left = [node for node, level in enumerate(self.level) if level < 0]
        for component in sorted(self._components(left)):
            yield self._shortest_cycle(component)

    def _components(self, left: list[int]) -> Iterator[list[int]]:
        """Yield the strongly connected components of two nodes or more.

        This is Tarjan's algorithm without recursion.
        """
        index: dict[int, int] = {}
        low: dict[int, int] = {}
        stack: list[int] = []
        on_stack: set[int] = set()
        for root in left:
            if root in index:
                continue
            work = [(root, iter(self.predecessors[root]))]
            index[root] = low[root] = len(index)
            stack.append(root)
            on_stack.add(root)
            while work:
                node, edges = work[-1]
                for source in edges:
                    if source not in index:
                        index[source] = low[source] = len(index)
                        stack.append(source)
                        on_stack.add(source)
                        work.append((source, iter(self.predecessors[source])))
                        break
                    if source in on_stack:
                        low[node] = min(low[node], index[source])
                else:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[node])
                    if low[node] == index[node]:
                        component: list[int] = []
                        while not component or component[-1] != node:
                            component.append(stack.pop())
                            on_stack.discard(component[-1])
                        if len(component) > 1:
                            yield sorted(component)

    def _shortest_cycle(self, component: list[int]) -> Cycle:
        members, work = set(component), 0
        best: tuple[int, ...] = ()
        for start in component:
            found, looked = self._cycle_through(start, members, len(best) or len(component) + 1)
            work += looked
            if found:
                best = found
            if len(best) == 2 or work > CYCLE_WORK:
                break
        else:
            return Cycle(best, shortest=True)
        return Cycle(best, shortest=len(best) == 2)

    def _cycle_through(self, start: int, members: set[int], below: int) -> tuple[tuple[int, ...], int]:
        """Return the shortest cycle through a node, and the number of edges looked at.

        The cycle is empty if it would have ``below`` nodes or more.
        """
        came_from, distance, waiting, looked = {start: -1}, {start: 1}, deque([start]), 0
        while waiting:
            node = waiting.popleft()
            if distance[node] >= below:
                break
            for source in self.predecessors[node]:
                looked += 1
                if source == start:
                    chain = [node]
                    while chain[-1] != start:
                        chain.append(came_from[chain[-1]])
                    return tuple(reversed(chain)), looked
                if source in members and source not in distance:
                    came_from[source], distance[source] = node, distance[node] + 1
                    waiting.append(source)
        return (), looked
