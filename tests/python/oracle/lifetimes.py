"""When resources are alive: homes, spans, and which of two resources is gone before the other comes.

Lifetimes speak of nodes and regions and not of executions, so they are judged on the dependencies of one
region at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from .model import INPUT, OUTPUT, TEMPORARY, Conditional, Graph, Node, Region, Repeat, Span
from .verdict import ERROR, MISPLACED, Verdict

Tolerates: TypeAlias = Callable[[str, str, str], bool]


class Lifetimes:
    """Answers about the lifetimes of one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes: dict[str, Node] = {}
        self._paths: dict[str, tuple[tuple[Region, str], ...]] = {}
        """For each node the regions around it, outermost first, each with the node of it that holds the
        node.
        """
        self._after: dict[str, set[str]] = {}
        for node, around, _ in graph.walk():
            self.nodes[node.id] = node
            regions = [graph.body, *(inner for _, inner in around)]
            holders = [*(holder.id for holder, _ in around), node.id]
            self._paths[node.id] = tuple(zip(regions, holders, strict=True))
        for node in self.nodes.values():
            self._after[node.id] = self._descendants(node.id)
        self._homes = {resource: self._home(resource) for resource in graph.resources}
        self._spans: dict[tuple[str, str], list[int] | None] = {}

    def _descendants(self, name: str) -> set[str]:
        region = self._paths[name][-1][0]
        found: set[str] = set()
        frontier = {name}
        while frontier:
            frontier = {n.id for n in region.nodes if frontier & set(n.depends_on)} - found
            found |= frontier
        return found

    def _home(self, name: str) -> tuple[Region, ...]:
        """Return the regions around a lifetime, the home last.

        What is stated by the graph's start or end is in its body.
        """
        resource = self.graph.resources[name]
        spans = resource.lifetime or []
        stated = [node for span in spans for node in (*span.begins, *span.ends)]
        if not stated or any(not span.begins or not span.ends for span in spans):
            return (self.graph.body,)
        return tuple(self.innermost(stated))

    def innermost(self, nodes: Iterable[str]) -> list[Region]:
        """Return the regions around all of some nodes, the innermost last."""
        names = list(nodes)
        common: Sequence[Region] = [region for region, _ in self._paths[names[0]]]
        for name in names[1:]:
            common = _common(common, [region for region, _ in self._paths[name]])
        return list(common)

    def after_node(self, node: str) -> set[str]:
        """Return the nodes of its region that come after a node."""
        return self._after[node]

    def depth(self, resource: str) -> int:
        """Return how many regions are around a resource's home."""
        return len(self._homes[resource]) - 1

    def lifted(self, node: str, home: Sequence[Region]) -> str | None:
        """Return the node of a region that holds a node, or None if it is not in the region."""
        path = self._paths[node]
        if len(path) < len(home) or path[len(home) - 1][0] is not home[-1]:
            return None
        return path[len(home) - 1][1]

    def spans_of(self, resource: str, node: str) -> list[int] | None:
        """Return the spans that an access at a node lies in; None where the resource states no lifetime."""
        key = (resource, node)
        if key not in self._spans:
            self._spans[key] = self._find_spans(resource, node)
        return self._spans[key]

    def _find_spans(self, resource: str, node: str) -> list[int] | None:
        lifetime = self.graph.resources[resource].lifetime
        if lifetime is None:
            return None
        home = self._homes[resource]
        place = self.lifted(node, home)
        if place is None:
            return []

        def holds(span: Span) -> bool:
            begins = [self.lifted(begin, home) for begin in span.begins]
            ends = [self.lifted(end, home) for end in span.ends]
            begun = not begins or any(
                begin is not None and self._at_or_after(begin, place) for begin in begins
            )
            return begun and (
                not ends or any(end is not None and self._at_or_after(place, end) for end in ends)
            )

        return [index for index, span in enumerate(lifetime) if holds(span)]

    def _at_or_after(self, first: str, second: str) -> bool:
        return first == second or second in self._after[first]

    def misplaced(self, verdict: Verdict) -> None:
        """Report lifetimes that a role does not allow."""
        for resource in self.graph.resources.values():
            for span in resource.lifetime or []:
                if resource.role == TEMPORARY:
                    wrong = not span.begins or not span.ends
                elif resource.role == OUTPUT:
                    wrong = bool(span.ends)
                else:
                    wrong = bool(span.begins) or not (resource.role == INPUT and resource.consumed)
                if wrong:
                    verdict.add(ERROR, MISPLACED, (resource.id,), 0, [])

    def apart(self, first: str, second: str, tolerates: Tolerates) -> bool:
        """Tell whether two resources that share bytes are never alive at once: no span of one meets a span
        of the other.
        """
        one, other = self.graph.resources[first].lifetime, self.graph.resources[second].lifetime
        if one is None or other is None:
            return False
        return all(
            self._ends_before(first, a, second, b, tolerates)
            or self._ends_before(second, b, first, a, tolerates)
            for a in one
            for b in other
        )

    def after(self, consumed: str, writer: str, tolerates: Tolerates) -> bool:
        """Tell whether a resource begins strictly after a consumed input ends, or at its end through a
        tolerated pair.
        """
        one, other = self.graph.resources[consumed].lifetime, self.graph.resources[writer].lifetime
        if not one or not other:
            return False
        return all(
            self._ends_before(consumed, a, writer, b, tolerates, arms=False) for a in one for b in other
        )

    def _ends_before(
        self, first: str, one: Span, second: str, other: Span, tolerates: Tolerates, *, arms: bool = True
    ) -> bool:
        """Tell whether every end of a span of one resource precedes every begin of a span of the other, or
        excludes it.
        """
        if not one.ends or not other.begins:
            return False
        region = _common(self._homes[first], self._homes[second])
        for end in one.ends:
            for begin in other.begins:
                before, after = self.lifted(end, region), self.lifted(begin, region)
                assert before is not None
                assert after is not None
                if after in self._after[before]:
                    continue
                if arms and self._exclusive(end, begin, len(region) - 1):
                    continue
                if end == begin and tolerates(end, first, second):
                    continue
                return False
        return True

    def _exclusive(self, first: str, second: str, depth: int) -> bool:
        """Tell whether two nodes never run in one run of a region: they part at the arms of a conditional,
        and no loop is between.
        """
        one, other = self._paths[first], self._paths[second]
        while True:
            holder, same = one[depth][1], other[depth][1]
            if holder != same or isinstance(self.nodes[holder].operation, Repeat):
                return False
            depth += 1
            if depth >= len(one) or depth >= len(other):
                return False
            if one[depth][0] is not other[depth][0]:
                return isinstance(self.nodes[holder].operation, Conditional)


def _common(first: Sequence[Region], second: Sequence[Region]) -> Sequence[Region]:
    same = 0
    while same < min(len(first), len(second)) and first[same] is second[same]:
        same += 1
    return first[:same]
