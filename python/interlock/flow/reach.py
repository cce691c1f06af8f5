"""Whether one node of a region happens before another one of the same region."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlock.graph.nodes import NodeTable
    from interlock.graph.topology import Rows, Topology

BITSET_REGION = 1 << 14
"""Regions of at most this many nodes answer far questions from sets of ancestors (32 MiB); others search."""


class Reach:
    """Order within regions.

    Nearly every pair that is asked about shares an edge or a barrier, so those are tried first.
    """

    def __init__(self, nodes: NodeTable, topology: Topology) -> None:
        self._region = nodes.region
        self._region_first = nodes.region_first
        self._predecessors = topology.predecessors
        self._successors = topology.successors
        self._level = topology.level
        self._order = topology.order
        self._direct: dict[int, frozenset[int]] = {}
        self._ancestors: dict[int, list[int]] = {}
        self._far: dict[tuple[int, int], bool] = {}

    def before(self, first: int, second: int) -> bool:
        """Tell whether ``first`` happens before ``second``, both of one region."""
        direct = self._direct.get(second)
        if direct is None:
            direct = self._direct[second] = frozenset(self._predecessors[second])
        if first in direct:
            return True
        level = self._level
        if level[first] + 2 > level[second]:
            return False
        region = self._region[second]
        start = self._region_first[region]
        if self._region_first[region + 1] - start <= BITSET_REGION:
            ancestors = self._ancestors.get(region)
            if ancestors is None:
                ancestors = self._ancestors[region] = self._collect(region)
            return bool(ancestors[second - start] >> (first - start) & 1)
        return self._search(first, second)

    def _collect(self, region: int) -> list[int]:
        """Return the ancestors of every node of a region, as sets of bits."""
        start, end = self._region_first[region], self._region_first[region + 1]
        sets = [0] * (end - start)
        level, predecessors = self._level, self._predecessors
        for node in sorted(range(start, end), key=level.__getitem__):
            found = 0
            for source in predecessors[node]:
                found |= sets[source - start] | 1 << (source - start)
            sets[node - start] = found
        return sets

    def _search(self, first: int, second: int) -> bool:
        """Search backwards among the nodes that lie on higher levels than ``first``."""
        known = self._far.get((first, second))
        if known is not None:
            return known
        level, lowest = self._level, self._level[first]
        seen, waiting = {second}, [second]
        found = False
        while waiting and not found:
            for source in self._predecessors[waiting.pop()]:
                if source == first:
                    found = True
                    break
                if level[source] > lowest and source not in seen:
                    seen.add(source)
                    waiting.append(source)
        self._far[first, second] = found
        return found

    def cuts(self, order: Sequence[int]) -> frozenset[int]:
        """Return the nodes of an order of a region that are ordered with all others of it."""
        after_all = self._after_all(order, self._predecessors)
        return frozenset(after_all) & frozenset(self._after_all(list(reversed(order)), self._successors))

    def _after_all(self, order: Sequence[int], sources: Rows) -> list[int]:
        """Return the nodes that a path leads to from every node before them in an order."""
        found, ends = [], set[int]()
        for node in order:
            ends.difference_update(sources[node])
            if not ends:
                found.append(node)
            ends.add(node)
        return found
