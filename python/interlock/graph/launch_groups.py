"""Order among launch groups: the nodes of a graph with the dispatches of each group taken for one.

Every region is flattened: a control node is an enter and an exit, and its nodes run in between. A barrier
only relays order, so one that stands between members of a group does not part them.
"""

from __future__ import annotations

from array import array
from collections import deque
from functools import cached_property
from typing import TYPE_CHECKING

from interlock.errors import WorkExceededError
from interlock.graph.nodes import NodeKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interlock.graph.nodes import NodeTable
    from interlock.graph.topology import Topology


class Contraction:
    """The flattened graph with each group contracted to one vertex.

    Args:
        nodes: The nodes of the graph.
        topology: Their order, in which there is no cycle.
        groups: The members of each group, by dense number; no node in two.
        work: The most steps to take in search of dependent pairs.
    """

    def __init__(
        self, nodes: NodeTable, topology: Topology, groups: Sequence[Sequence[int]], work: int
    ) -> None:
        self._nodes = nodes
        self._topology = topology
        self._groups = groups
        self._work = work
        self._vertex = array("l", [-1]) * len(nodes)
        self._owner: list[int] = []
        for number, members in enumerate(groups):
            self._owner.append(-1)
            for member in members:
                self._vertex[member] = number
        for node in range(len(nodes)):
            if self._vertex[node] < 0:
                self._vertex[node] = len(self._owner)
                self._owner.append(node)
        # The exit of a control node is a vertex of its own, behind all others.
        self._exit = {node: len(self._owner) + at for at, node in enumerate(sorted(nodes.regions_of))}
        self._owner += sorted(nodes.regions_of)

    @cached_property
    def _successors(self) -> list[set[int]]:
        vertex, leave, nodes = self._vertex, self._exit, self._nodes
        found: list[set[int]] = [set() for _ in self._owner]
        for node in range(len(nodes)):
            for source in self._topology.predecessors[node]:
                found[leave.get(source, vertex[source])].add(vertex[node])
        for owner, regions in nodes.regions_of.items():
            enter, end = vertex[owner], leave[owner]
            found[enter].add(end)
            for region in regions:
                for node in nodes.nodes_of(region):
                    if not self._topology.predecessors.degree(node):
                        found[enter].add(vertex[node])
                    if not self._topology.successors.degree(node):
                        found[leave.get(node, vertex[node])].add(end)
        for number, after in enumerate(found):
            after.discard(number)
        return found

    def _relays(self, vertex: int) -> bool:
        owner = self._owner[vertex]
        return owner >= 0 and self._nodes.kind[owner] == NodeKind.BARRIER

    def _weight(self, vertex: int) -> int:
        owner = self._owner[vertex]
        return int(owner < 0 or self._nodes.kind[owner] == NodeKind.DISPATCH)

    def _levels(self, merged: dict[int, int]) -> dict[int, int]:
        """Return the level of every vertex that a topological order reaches, some taken for others."""
        after: dict[int, set[int]] = {}
        missing: dict[int, int] = {}
        for number, successors in enumerate(self._successors):
            mine = merged.get(number, number)
            row = after.setdefault(mine, set())
            row.update(merged.get(other, other) for other in successors)
            row.discard(mine)
            missing.setdefault(mine, 0)
        for row in after.values():
            for other in row:
                missing[other] += 1
        level = {number: 0 for number, count in missing.items() if not count}
        reached: dict[int, int] = {}
        ready = deque(level)
        while ready:
            number = ready.popleft()
            level[number] = depth = reached.get(number, 0)
            depth += self._weight(number)
            for other in after[number]:
                reached[other] = max(reached.get(other, 0), depth)
                missing[other] -= 1
                if not missing[other]:
                    level[other] = 0
                    ready.append(other)
        return level

    @cached_property
    def _settled(self) -> tuple[dict[int, int], tuple[tuple[int, ...], ...]]:
        """The levels, and the sets of groups and nodes that lie on a common cycle."""
        level = self._levels({})
        left = {number for number in range(len(self._owner)) if number not in level}
        if not left:
            return level, ()
        merged: dict[int, int] = {}
        cycles = []
        for component in _components(left, self._successors):
            standing = sorted(number for number in component if not self._relays(number))
            if len(standing) > 1:
                cycles.append(tuple(standing))
            merged.update(dict.fromkeys(component, standing[0]))
        return self._levels(merged), tuple(sorted(cycles))

    @property
    def cyclic_groups(self) -> tuple[tuple[int, ...], ...]:
        """The groups on each common cycle; without nodes that are in no group."""
        return tuple(tuple(each for each in cycle if self._owner[each] < 0) for cycle in self._settled[1])

    def stages(self) -> list[int]:
        """Return the stage of each group: the most groups on a path to it. Nothing else weighs anything.

        Where groups lie on a cycle, no stage means anything.
        """
        level = self._settled[0]
        return [level.get(number, 0) for number in range(len(self._groups))]

    def dependent_pairs(self, group: int) -> list[tuple[int, int]]:
        """Return the pairs of members of which one depends on the other, directly or through barriers only.

        Raises:
            WorkExceededError: There is too much to follow.
        """
        mine = set(self._groups[group])
        if len(mine) < 2:
            return []
        found: set[tuple[int, int]] = set()
        spent = 0
        kind, successors = self._nodes.kind, self._topology.successors
        for member in self._groups[group]:
            seen: set[int] = set()
            waiting = [member]
            while waiting:
                for other in successors[waiting.pop()]:
                    spent += 1
                    if spent > self._work:
                        raise WorkExceededError(self._work)
                    if other in mine:
                        found.add((member, other))
                    elif kind[other] == NodeKind.BARRIER and other not in seen:
                        seen.add(other)
                        waiting.append(other)
        return sorted(found)


def _components(left: set[int], successors: Sequence[set[int]]) -> Iterator[list[int]]:
    """Yield the strongly connected components of two vertices or more: Tarjan, without recursion."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    for root in sorted(left):
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        work = [(root, iter(sorted(successors[root] & left)))]
        while work:
            vertex, edges = work[-1]
            for other in edges:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(sorted(successors[other] & left))))
                    break
                if other in on_stack:
                    low[vertex] = min(low[vertex], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[vertex])
                if low[vertex] == index[vertex]:
                    component: list[int] = []
                    while not component or component[-1] != vertex:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    if len(component) > 1:
                        yield component
