"""The result of the walk over a graph, in the words of the document."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from execgraph.v1 import dispatch_pb2
from interlock.diagnostic import ByteSpan, NamedElement, Path, Related, Step
from interlock.errors import WorkExceededError
from interlock.flow.build import Preparation
from interlock.flow.fixes import Fixes
from interlock.flow.overlaps import Shared, shared_by_resources, writes_to
from interlock.flow.reach import Reach
from interlock.flow.walk import walk
from interlock.graph.accesses import AccessRole
from interlock.graph.spans import Apart

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from interlock.flow.facts import Facts
    from interlock.graph.index import GraphIndex

_NOUNS = {
    AccessRole.INDIRECT: "reads its workgroup count from",
    AccessRole.COPY_SOURCE: "copies from",
    AccessRole.COPY_DESTINATION: "copies to",
    AccessRole.FILL: "fills",
    AccessRole.PREDICATE: "reads its predicate from",
    AccessRole.CONTINUE_WHILE: "reads its condition from",
    AccessRole.COUNT: "reads its count from",
}


class Flow:
    """What happens to the bytes of a graph: the findings of the walk, and the places they speak of."""

    def __init__(self, index: GraphIndex, work: int) -> None:
        self.index = index
        self.preparation = Preparation(index)
        self.reach = Reach(index.nodes, index.topology)
        self._work = work

    @cached_property
    def _walked(self) -> Facts | None:
        try:
            return walk(self.preparation.program, self.reach, self._work)
        except WorkExceededError:
            return None

    @property
    def facts(self) -> Facts:
        """What the walk met.

        Raises:
            WorkExceededError: The walk would take more steps than it may.
        """
        if self._walked is None:
            raise WorkExceededError(self._work)
        return self._walked

    @cached_property
    def fixes(self) -> Fixes:
        """Suggests changes that remove what the walk met."""
        return Fixes(self)

    def is_asserted(self, first: int, second: int) -> bool:
        """Tell whether the producer asserts that two accesses never touch a common byte."""
        return frozenset((first, second)) in self.preparation.program.asserted

    def path(self, access: int) -> Path:
        """Return the path of an access; of the start's write to a resource, the path of the resource."""
        if access < 0:
            return self.index.elements.resources[-1 - access].path
        return self.index.accesses.path(access, self.index.nodes)

    def node(self, access: int) -> int:
        """Return the node of an access."""
        return self.preparation.program.accesses[access].node

    def node_id(self, access: int) -> str:
        """Return the id of the node of an access."""
        return self.index.nodes.ids[self.node(access)]

    def resource_id(self, access: int) -> str:
        """Return the id of the resource that an access names."""
        number = -1 - access if access < 0 else self.preparation.program.accesses[access].resource
        return self.index.elements.resources[number].id

    def describe(self, access: int) -> str:
        """Return what an access does, such as ``writes `partials` (slot `out`)``."""
        if access < 0:
            return f"the start of the graph fills `{self.resource_id(access)}`"
        role = AccessRole(self.index.accesses.role[access])
        node, resource = self.node_id(access), self.resource_id(access)
        if role is not AccessRole.BINDING:
            return f"`{node}` {_NOUNS[role]} `{resource}`"
        found = self.preparation.program.accesses[access]
        verb = (
            "updates"
            if found.atomic is not None
            else "writes"
            if found.writes and not found.reads
            else "reads"
        )
        if found.writes and found.reads and found.atomic is None:
            verb = "reads and writes"
        return f"`{node}` {verb} `{resource}` through slot `{self.slot(access)}`"

    def slot(self, access: int) -> str:
        """Return the slot of a binding; empty for other accesses."""
        if AccessRole(self.index.accesses.role[access]) is not AccessRole.BINDING:
            return ""
        step: Step = self.index.accesses.place[access][-1]
        return step.key or ""

    def elements(self, *accesses: int) -> tuple[NamedElement, ...]:
        """Return the nodes and resources of accesses, each once."""
        found: dict[NamedElement, None] = {}
        for access in accesses:
            if access >= 0:
                found[NamedElement("node", self.node_id(access))] = None
        for access in accesses:
            found[NamedElement("resource", self.resource_id(access))] = None
        return tuple(found)

    def related(self, access: int) -> tuple[Related, ...]:
        """Return an access as another place that a finding speaks of."""
        return (Related(self.path(access), self.describe(access)),)

    def tolerated_pairs(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of accesses that dispatches tolerate as aliases."""
        for node in self.index.operations.with_tolerated_aliases:
            yield from self.tolerated_pairs_of(node)

    def tolerated_pairs_of(self, node: int) -> Iterator[tuple[int, int]]:
        """Yield the pairs of accesses that one node tolerates as aliases."""
        dispatch = self.index.nodes.operations[node]
        if not isinstance(dispatch, dispatch_pb2.Dispatch):
            return
        by_slot = {self.slot(access): access for access in self.preparation.program.accesses_of.get(node, ())}
        for pair in dispatch.tolerated_aliases:
            if pair.first in by_slot and pair.second in by_slot:
                yield by_slot[pair.first], by_slot[pair.second]

    @cached_property
    def _tolerated(self) -> frozenset[frozenset[int]]:
        return frozenset(frozenset(pair) for pair in self.tolerated_pairs() if self._same_elements(*pair))

    def tolerates(self, first: int, second: int) -> bool:
        """Tell whether a dispatch tolerates two accesses of the same elements as aliases."""
        return frozenset((first, second)) in self._tolerated

    def _same_elements(self, first: int, second: int) -> bool:
        """Tell whether two accesses name the same bytes, with the same strides and element size."""
        selections, numbers = self.index.selections, self.index.accesses.selection
        one, other = selections[numbers[first]].type, selections[numbers[second]].type
        return self.preparation.patterns[first] == self.preparation.patterns[second] and (
            one is None or other is None or one.bits == other.bits
        )

    @cached_property
    def apart(self) -> Apart:
        """Compares lifetimes."""
        return Apart(self.index.nodes, self.reach.before)

    def resources_in_doubt(self) -> list[Shared]:
        """Return the pairs of resources with common bytes of which it is not clear that they take turns."""
        position = [0] * len(self.index.nodes)
        for place, node in enumerate(self.index.topology.order):
            position[node] = place
        lifetimes = self.index.lifetimes
        return shared_by_resources(
            self.preparation, lambda group: self.apart.take_turns([lifetimes[r] for r in group], position)
        )

    def are_apart(
        self, first: int, second: int, ranges: Mapping[int, Iterable[tuple[int, int]]], *, arms: bool
    ) -> bool:
        """Tell whether two resources that have bytes in common are never alive at once.

        With ``arms``, an end and a begin in different arms of a conditional are apart.
        """
        lifetimes = self.index.lifetimes
        return self.apart.lifetimes_apart(
            lifetimes[first],
            lifetimes[second],
            arms=arms,
            handed_over=lambda node: self._hands_over(node, first, second, ranges),
        )

    def _hands_over(
        self, node: int, first: int, second: int, ranges: Mapping[int, Iterable[tuple[int, int]]]
    ) -> bool:
        """Tell whether a dispatch tolerates slots of two resources over all bytes that these share."""
        accesses = self.preparation.program.accesses
        for pair in self.tolerated_pairs_of(node):
            if {accesses[access].resource for access in pair} == {first, second}:
                touched = {f.memory: f.touched for f in self.preparation.program.footprints(pair[0], {})}
                if all(
                    any(start <= low and high <= end for start, end in touched.get(memory, ()))
                    for memory, common in ranges.items()
                    for low, high in common
                ):
                    return True
        return False

    def writes_to(self, owners: set[int]) -> Iterator[tuple[int, int, dict[int, set[tuple[int, int]]]]]:
        """Yield the accesses that write bytes of some resources: the access, the resource, and the bytes."""
        return writes_to(self.preparation, owners)

    def ineffective_statements(self) -> Iterator[Path]:
        """Yield the statements without an effect."""
        if not self.preparation.program.carry_all:
            for number in self.preparation.statements.ineffective(self.preparation.program, self.reach):
                yield self.index.statements[number].path

    def spans(self, ranges: Mapping[int, Iterable[tuple[int, int]]]) -> tuple[ByteSpan, ...]:
        """Return ranges of memories as bytes of allocations, those that touch as one."""
        found: dict[str, set[tuple[int, int, bool]]] = {}
        for plan in self.preparation.memories.plans:
            for offset, space in enumerate(plan.spaces):
                for low, high in ranges.get(plan.first + offset, ()):
                    span = space.span(low, high)
                    if span.size:
                        found.setdefault(plan.name, set()).add(
                            (span.offset, span.offset + span.size, span.upper_bound)
                        )
        return tuple(
            ByteSpan(name, low, high - low, upper_bound)
            for name in sorted(found)
            for low, high, upper_bound in _joined(found[name])
        )


def describe_spans(spans: Iterable[ByteSpan]) -> str:
    """Return bytes as people write them, such as ``bytes 0 to 15 of `arena```."""
    words = [str(span) for span in spans]
    shown = words[:3]
    more = f" and {len(words) - len(shown)} more ranges" if len(words) > len(shown) else ""
    return ", ".join(shown) + more


def _joined(spans: set[tuple[int, int, bool]]) -> list[tuple[int, int, bool]]:
    joined: list[tuple[int, int, bool]] = []
    for low, high, upper_bound in sorted(spans):
        if joined and low <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], high), joined[-1][2] or upper_bound
        else:
            joined.append((low, high, upper_bound))
    return joined
