"""Makes most graphs sound: takes what the judge finds, and does about it what a person would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2

from .accesses import Catalogue, Template
from .arrange import link, live, lowest, position
from .judge import judge
from .lifetimes import Lifetimes
from .model import (
    IN_OUT,
    READ,
    STATE,
    WRITE,
    Barrier,
    Binding,
    Copy,
    Dispatch,
    Extent,
    Fill,
    Graph,
    Node,
    Region,
    Repeat,
    Selection,
    Statement,
)
from .verdict import (
    CLOBBERED,
    COPY_OVERLAP,
    INVISIBLE,
    MISALIGNED,
    MISPLACED,
    NOT_COVERED,
    NOT_WRITTEN,
    OUT_OF_BOUNDS,
    OUTSIDE,
    OVERLAPPING,
    PARTLY_INITIALISED,
    READ_ONLY,
    UNINITIALISED,
    UNORDERED,
    WITHIN_NODE,
    Finding,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

_FULL = access_pb2.COVERAGE_FULL


def repair(graph: Graph, rng: random.Random, *, rounds: int = 8, budget: int = 20_000) -> bool:
    """Change a graph until the judge is content, or the rounds are over; tell whether it is.

    Raises:
        TooManyError: The graph has too many executions to be judged.
    """
    for _ in range(rounds):
        verdict = judge(graph, budget=budget)
        if verdict.sound:
            return True
        mender = _Mender(graph, rng)
        first = (WITHIN_NODE, COPY_OVERLAP, READ_ONLY, OUT_OF_BOUNDS, MISALIGNED, UNORDERED)
        serious = [f for f in verdict.findings if f.code in first] or [
            f for f in verdict.findings if f.code in {OUTSIDE, MISPLACED, OVERLAPPING}
        ]
        for finding in serious or list(verdict.findings):
            if rng.random() < 0.9:
                mender.mend(finding)
        if mender.moved:
            live(graph, rng, [graph.resources[name] for name in sorted(mender.moved)])
    return judge(graph, budget=budget).sound


class _Mender:
    """Changes a graph, one finding at a time.

    The index may be stale after a change; the next round sees to that.
    """

    def __init__(self, graph: Graph, rng: random.Random) -> None:
        self.graph = graph
        self.rng = rng
        self.lifetimes = Lifetimes(graph)
        self.nodes = dict(self.lifetimes.nodes)
        self.templates = {".".join(t.key): t for t in Catalogue(graph).templates()}
        self.moved: set[str] = set()
        self._menders: dict[str, Callable[[tuple[str, ...]], None]] = {
            UNORDERED: self._order,
            INVISIBLE: self._show,
            UNINITIALISED: self._initialise,
            PARTLY_INITIALISED: self._cover_before,
            NOT_WRITTEN: self._write_output,
            NOT_COVERED: self._cover_output,
            CLOBBERED: self._keep_value,
            OVERLAPPING: self._part,
            READ_ONLY: self._allow,
            WITHIN_NODE: self._untangle,
            COPY_OVERLAP: lambda between: self._drop(f"{between[0]}.destination"),
            OUTSIDE: lambda between: self.moved.add(between[0]),
            MISPLACED: lambda between: self.moved.add(between[0]),
            OUT_OF_BOUNDS: lambda between: self._relocate(between[0]),
            MISALIGNED: lambda between: self._relocate(between[0]),
        }

    def mend(self, finding: Finding) -> None:
        """Do something about a finding, if it is one that matters."""
        if finding.code in self._menders:
            self._menders[finding.code](finding.between)

    def _order(self, between: tuple[str, ...]) -> None:
        first, second = (self.templates[name].node for name in between)
        regions, one, other = lowest(self.lifetimes, first, second)
        if one != other:
            link(regions[-1], one, other)

    # Visibility.

    def _show(self, between: tuple[str, ...]) -> None:
        write, access = (self.templates[name] for name in between)
        regions, one, other = lowest(self.lifetimes, write.node, access.node)
        region = regions[-1]
        if one != other and position(region, one) < position(region, other) and self.rng.random() < 0.8:
            self._show_on_path(region, one, self._node(region, other), write, access)
            return
        loop = self._loop_around(write, access)
        if loop is not None:
            self._state(loop.carried, write, access)
        elif one != other:
            self._show_on_path(region, one, self._node(region, other), write, access)

    def _loop_around(self, write: Template, access: Template) -> Repeat | None:
        """Return the innermost repeat whose boundary may lie between two accesses."""
        if access.slot == "while" and access.node != write.node:
            operation = self.nodes[access.node].operation
            around = [holder for holder, _ in self._around(write.node)]
            if isinstance(operation, Repeat) and self.nodes[access.node] in around:
                return operation
        shared = [h for h, _ in self._around(write.node) if h in [o for o, _ in self._around(access.node)]]
        loops = [holder.operation for holder in shared if isinstance(holder.operation, Repeat)]
        return (
            self.rng.choice(loops[-2:]) if loops and self.rng.random() < 0.2 else loops[-1] if loops else None
        )

    def _around(self, name: str) -> tuple[tuple[Node, Region], ...]:
        return next(around for node, around, _ in self.graph.walk() if node.id == name)

    def _node(self, region: Region, name: str) -> Node:
        return region.nodes[position(region, name)]

    def _show_on_path(
        self, region: Region, source: str, target: Node, write: Template, access: Template
    ) -> None:
        after = self.lifetimes.after_node(source)
        points = [d for d in target.depends_on if d == source or d in after]
        barriers = [d for d in points if isinstance(self._node(region, d).operation, Barrier)]
        if barriers and self.rng.random() < 0.7:
            barrier = self._node(region, self.rng.choice(barriers)).operation
            assert isinstance(barrier, Barrier)
            self._state(barrier.statements, write, access)
        elif points:
            edge = target.edge_statements.setdefault(self.rng.choice(points), [])
            self._state(edge, write, access)

    def _state(self, statements: list[Statement], write: Template, access: Template) -> None:
        """Add a statement that shows a write to an access, or widen one."""
        scopes = {(access.usage, READ)} if access.reads else set()
        if access.writes:
            scopes.add((access.usage, WRITE))
        named = [self.rng.choice([Selection(access.resource), Selection(write.resource)])]
        loop_index = any(
            isinstance(n.operation, Repeat) and n.operation.index for n, _, _ in self.graph.walk()
        )
        if self.rng.random() < 0.3 and not loop_index:
            named = [access.selection]
        near = [s for s in statements if s.selections == named or self.rng.random() < 0.4]
        if near:
            statement = self.rng.choice(near)
            resources = {self.graph.resource_of(s).id for s in statement.selections}
            statement.selections += [s for s in named if self.graph.resource_of(s).id not in resources]
            statement.available_from.add((write.usage, WRITE))
            statement.visible_to |= scopes
        else:
            statements.append(Statement(named, {(write.usage, WRITE)}, scopes))

    # Content.

    def _initialise(self, between: tuple[str, ...]) -> None:
        template = self.templates[between[0]]
        binding = self._binding(template)
        choice = self.rng.random()
        if binding is not None and choice < 0.35 and self._may_write(binding):
            binding.access, binding.coverage, binding.usage, binding.atomic_type = 2, _FULL, 0, 0
        elif template.usage == access_pb2.USAGE_CONTROL or choice < (
            0.4 if self.graph.resources[template.resource].allocation else 0.6
        ):
            self._become(template.resource, self.rng.choice([IN_OUT, STATE]))
        else:
            self._fill_first(template.resource)

    def _cover_before(self, between: tuple[str, ...]) -> None:
        resource = self.templates[between[0]].resource
        if not self._claim(resource):
            self._initialise(between)

    def _claim(self, resource: str) -> bool:
        """Claim full coverage of the writes to a resource, and that they happen."""
        changed = False
        for template in self.templates.values():
            binding = self._binding(template)
            if binding is None or template.resource != resource or not template.writes:
                continue
            operation = self.nodes[template.node].operation
            assert isinstance(operation, Dispatch)
            if template.atomic:
                continue
            if not template.covers:
                binding.coverage, changed = _FULL, True
                operation.indirect, operation.counts, operation.elements = None, (), ()
        return changed

    def _write_output(self, between: tuple[str, ...]) -> None:
        if self.rng.random() < (0.2 if self.graph.resources[between[0]].allocation else 0.5):
            self._become(between[0], self.rng.choice([IN_OUT, STATE]))
        else:
            self._fill_first(between[0])

    def _cover_output(self, between: tuple[str, ...]) -> None:
        if not self._claim(between[0]):
            self._fill_first(between[0])

    def _fill_first(self, resource: str) -> None:
        """Fill a resource in the beginning, before whatever accesses it at all."""
        used = {t.node for t in self.templates.values() if t.resource == resource} or {
            self.graph.body.nodes[0].id
        }
        if used - self.lifetimes.nodes.keys():
            return
        region = self.lifetimes.innermost(used)[-1] if self.rng.random() < 0.6 else self.graph.body
        name = f"z{len(self.nodes)}"
        if any(node.id == name for node, _, _ in self.graph.walk()) or len(self.nodes) > 14:
            return
        region.nodes.insert(0, Node(name, Fill(Selection(resource), self.graph.resources[resource].element)))
        self.nodes[name] = region.nodes[0]
        self.moved.add(resource)

    def _become(self, resource: str, role: int) -> None:
        changed = self.graph.resources[resource]
        changed.role, changed.lifetime = role, None
        self._relocate(resource)

    def _relocate(self, resource: str) -> None:
        """Move a resource to an allocation of its own."""
        moved = self.graph.resources[resource]
        moved.allocation, moved.offset = "", Extent()
        if not any(r.allocation for r in self.graph.resources.values()):
            self.graph.allocations.clear()

    # Aliases, roles, lifetimes.

    def _keep_value(self, between: tuple[str, ...]) -> None:
        binding = self._binding(self.templates[between[1]])
        if binding is not None and self.rng.random() < 0.4 and self._may_write(binding):
            binding.access, binding.coverage, binding.usage, binding.atomic_type = 2, _FULL, 0, 0
            return
        self._relocate(self.templates[self.rng.choice(between)].resource)

    def _part(self, between: tuple[str, ...]) -> None:
        first, second = between
        one, other = self.graph.resources[first].lifetime, self.graph.resources[second].lifetime
        if one and other and (not one[0].ends or not other[0].begins):
            first, second, one, other = second, first, other, one
        if one and other and one[0].ends and other[0].begins and self.rng.random() < 0.85:
            nodes = self.lifetimes.nodes
            for end in one[0].ends:
                for begin in other[0].begins:
                    if end in nodes and begin in nodes:
                        regions, before, after = lowest(self.lifetimes, end, begin)
                        if before != after:
                            link(regions[-1], before, after)
            self.moved |= {first, second}
        else:
            self._relocate(self.rng.choice(between))

    def _allow(self, between: tuple[str, ...]) -> None:
        name, resource = between
        template = self.templates[name]
        if template.resource != resource:
            if self.rng.random() < 0.4:
                self._relocate(template.resource)
            else:
                self._part((resource, template.resource))
        else:
            changed = self.graph.resources[resource]
            changed.consumed = False
            self._become(resource, IN_OUT)

    def _untangle(self, between: tuple[str, ...]) -> None:
        self._drop(f"{between[0]}.{self.rng.choice(between[1:])}")

    def _binding(self, template: Template) -> Binding | None:
        operation = self.nodes[template.node].operation
        if not isinstance(operation, Dispatch):
            return None
        return next((b for b in operation.bindings if b.slot == template.slot), None)

    def _may_write(self, binding: Binding) -> bool:
        """Tell whether the elements of a view lie apart, as those of one that is written have to."""
        return not binding.target.view or 0 not in self.graph.views[binding.target.view].strides

    def _drop(self, name: str) -> None:
        """Remove an access; of a node that is nothing without it, leave a barrier."""
        node_id, slot = name.rsplit(".", 1)
        operation = self.nodes[node_id].operation
        if isinstance(operation, Dispatch):
            operation.bindings = [b for b in operation.bindings if b.slot != slot]
            operation.tolerated = [pair for pair in operation.tolerated if slot not in pair]
            if slot == "indirect":
                operation.indirect = None
        elif isinstance(operation, Copy | Fill):
            self.nodes[node_id].operation = Barrier()
