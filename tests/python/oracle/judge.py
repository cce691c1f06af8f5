"""The definitions of docs/execution-semantics.md, evaluated byte by byte over every execution."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from .executions import Event, Explorer
from .lifetimes import Lifetimes
from .memory import Memory, Space
from .model import CONSTANT, ELEMENT_BYTES, INPUT, OUTPUT, TEMPORARY, WRITE, Copy, Dispatch, Graph, Selection
from .verdict import (
    CLOBBERED,
    COPY_OVERLAP,
    ERROR,
    INVISIBLE,
    MISALIGNED,
    NOT_COVERED,
    NOT_WRITTEN,
    OUT_OF_BOUNDS,
    OUTSIDE,
    OVERLAPPING,
    PARTLY_INITIALISED,
    PARTLY_WRITTEN,
    READ_ONLY,
    UNINITIALISED,
    UNORDERED,
    UNVERIFIED,
    WARNING,
    WITHIN_NODE,
    Verdict,
)

if TYPE_CHECKING:
    from .accesses import Access, Template

Scopes: TypeAlias = set[tuple[int, int]]


def judge(graph: Graph, *, all_counts: bool = False, budget: int = 200_000) -> Verdict:
    """Judge an acyclic graph.

    Args:
        graph: The graph.
        all_counts: Whether to run every legal trip count, and not only those that decide.
        budget: The greatest number of events to look at.

    Raises:
        TooManyError: The budget is spent.
        UnsupportedError: The graph uses something that the oracle does not model.
    """
    explorer = Explorer(graph, all_counts=all_counts, budget=budget)
    judgement = _Judgement(graph, explorer)
    explorer.walk(judgement)
    judgement.close()
    return judgement.verdict


class _Judgement:
    """The visitor that judges each event when it joins an execution: by then, all that could precede it has
    joined.
    """

    def __init__(self, graph: Graph, explorer: Explorer) -> None:
        self.graph = graph
        self.explorer = explorer
        self.verdict = Verdict(Space.of(graph))
        self.lifetimes = Lifetimes(graph)
        self.memory: Memory
        self._events: list[Event] = []
        self._accesses: list[tuple[Event, Access]] = []
        self._covers: list[tuple[Event, Access]] = []
        self._points: list[tuple[Event, list[tuple[int, Scopes, Scopes]]]] = []
        self._marks: list[tuple[int, int, int]] = []
        self._selected: dict[tuple[Selection, tuple[int, ...]], int] = {}
        self._shared: set[tuple[str, str]] = set()
        self._used: dict[int, Template] = {}
        self._outputs = [r.id for r in graph.resources.values() if r.role == OUTPUT]
        self._unwritten = {r.id for r in graph.resources.values() if r.role in {OUTPUT, TEMPORARY}}

    # What the explorer tells.

    def begin(self, memory: Memory) -> None:
        self.memory = memory
        self._selected.clear()
        self._place()

    def push(self, event: Event) -> None:
        self._marks.append((len(self._accesses), len(self._covers), len(self._points)))
        self._events.append(event)
        if event.accesses:
            self._judge(event)
            for access in event.accesses:
                self._used[id(access.template)] = access.template
                self._accesses.append((event, access))
                if access.cover:
                    self._covers.append((event, access))
        if event.statements:
            named = [
                (self._named(s.selections, event), s.available_from, s.visible_to) for s in event.statements
            ]
            self._points.append((event, named))

    def pop(self) -> None:
        accesses, covers, points = self._marks.pop()
        self._events.pop()
        del self._accesses[accesses:], self._covers[covers:], self._points[points:]

    def end(self) -> None:
        self.verdict.executions += 1
        for output in self._outputs:
            whole = self.memory.bytes[output]
            written = covered = 0
            for _, access in self._accesses:
                if access.template.resource == output and access.template.writes:
                    written |= access.bytes
                    covered |= access.cover
            if not whole:
                continue
            if not written:
                self._add(ERROR, NOT_WRITTEN, (output,), whole)
                continue
            if whole & ~written:
                self._add(WARNING, PARTLY_WRITTEN, (output,), whole & ~written)
            if written & ~covered:
                self._add(UNVERIFIED, NOT_COVERED, (output,), written & ~covered)

    def close(self) -> None:
        """Judge what is about no single execution: lifetimes, and roles that depend on them."""
        self.lifetimes.misplaced(self.verdict)
        written = {template.resource for template in self._used.values() if template.writes}
        for template in self._used.values():
            if self.lifetimes.spans_of(template.resource, template.node) == []:
                self.verdict.add(ERROR, OUTSIDE, (template.resource, _name(template)), 0, [])
        for first, second in sorted(self._shared):
            if {first, second} & written and not self.lifetimes.apart(first, second, self._tolerates):
                self.verdict.add(ERROR, OVERLAPPING, (first, second), 0, [])

    # One event.

    def _add(self, severity: str, code: str, between: tuple[str, ...], mask: int) -> None:
        self.verdict.add(severity, code, between, mask, self.explorer.trail)

    def _named(self, selections: list[Selection], event: Event) -> int:
        mask = 0
        for selection in selections:
            key = (selection, tuple(event.env.values()))
            if key not in self._selected:
                self._selected[key] = self.memory.selected(selection, event.env)
            mask |= self._selected[key]
        return mask

    def _judge(self, event: Event) -> None:
        before = event.before
        covers = [
            (1 << past.index, past.before, cover.cover)
            for past, cover in self._covers
            if before >> past.index & 1
        ]
        for access in event.accesses:
            self._judge_order(event, access, covers)
            if access.template.reads:
                self._judge_content(event, access, covers)
            if access.template.writes:
                self._judge_role(access)
        if len(event.accesses) > 1:
            self._judge_within(event)

    def _killed(self, past: Event, covers: list[tuple[int, int, int]]) -> int:
        """Return the bytes that were covered after an event and before the one being judged."""
        mask = 0
        for _, before, cover in covers:
            if before >> past.index & 1:
                mask |= cover
        return mask

    def _judge_order(self, event: Event, access: Access, covers: list[tuple[int, int, int]]) -> None:
        template, before = access.template, event.before
        for past, other in self._accesses:
            if not access.bytes & other.bytes or not (template.writes or other.template.writes):
                continue
            mask = access.shared(other)
            if not before >> past.index & 1:
                if mask:
                    self._add(ERROR, UNORDERED, tuple(sorted((_name(template), _name(other.template)))), mask)
            elif other.template.writes and not self.graph.carry_all:
                mask &= ~self._killed(past, covers)
                if mask:
                    mask &= ~self._visible(past, other, event, access)
                if mask:
                    self._add(ERROR, INVISIBLE, (_name(other.template), _name(template)), mask)

    def _visible(self, past: Event, write: Access, event: Event, access: Access) -> int:
        """Return the bytes of which a write is visible to a later access."""
        scope = (write.template.usage, WRITE)
        available: list[tuple[int, int]] = []
        visible = 0
        for point, statements in self._points:
            if not point.before >> past.index & 1:
                continue
            chained = 0
            for index, mask in available:
                if point.before >> index & 1:
                    chained |= mask
            seen = bool(event.before >> point.index & 1)
            own = 0
            for named, from_scopes, to_scopes in statements:
                if scope in from_scopes:
                    own |= named
                if seen and access.scopes <= to_scopes:
                    visible |= named if scope in from_scopes else named & chained
            if own:
                available.append((point.index, own))
        return visible

    def _judge_content(self, event: Event, access: Access, covers: list[tuple[int, int, int]]) -> None:
        template, before = access.template, event.before
        resource = template.resource
        covered = touched = foreign = reaching = 0
        foreigners: list[tuple[Access, int]] = []
        for past, other in self._accesses:
            mask = access.bytes & other.bytes
            if not mask or not other.template.writes or not before >> past.index & 1:
                continue
            own = other.template.resource == resource
            if own and self._same_content(past, event, template):
                covered |= other.cover
                touched |= mask
            live = mask & ~self._killed(past, covers)
            if own:
                reaching |= live & ~other.cover
            elif live:
                foreign |= live
                foreigners.append((other, live))
        if resource in self._unwritten:
            missing = access.bytes & ~covered
            if missing & ~touched:
                self._add(ERROR, UNINITIALISED, (_name(template),), missing & ~touched)
            if missing & touched:
                self._add(UNVERIFIED, PARTLY_INITIALISED, (_name(template),), missing & touched)
        for other, live in foreigners:
            between = (_name(other.template), _name(template))
            if live & ~reaching:
                self._add(ERROR, CLOBBERED, between, live & ~reaching)
            if live & reaching:
                self._add(UNVERIFIED, CLOBBERED, between, live & reaching)

    def _same_content(self, past: Event, event: Event, template: Template) -> bool:
        """Tell whether content written at one event is still content at another: in one run of one span."""
        resource = self.graph.resources[template.resource]
        if resource.lifetime is None:
            return True
        mine = self.lifetimes.spans_of(resource.id, event.node)
        other = self.lifetimes.spans_of(resource.id, past.node)
        if not mine or not other:
            return True  # An access outside every span is an error of its own; it is not judged twice.
        depth = self.lifetimes.depth(resource.id)
        return past.runs[depth] == event.runs[depth] and bool(set(mine) & set(other))

    def _judge_role(self, access: Access) -> None:
        written = access.template.resource
        for resource in self.graph.resources.values():
            if resource.role not in {INPUT, CONSTANT}:
                continue
            if mask := access.bytes & self.memory.bytes[resource.id]:
                allowed = resource.consumed and self.lifetimes.after(resource.id, written, self._tolerates)
                if not allowed:
                    self._add(ERROR, READ_ONLY, (_name(access.template), resource.id), mask)

    def _judge_within(self, event: Event) -> None:
        operation = self.lifetimes.nodes[event.node].operation
        tolerated = set(operation.tolerated) if isinstance(operation, Dispatch) else set()
        code = COPY_OVERLAP if isinstance(operation, Copy) else WITHIN_NODE
        for first, second in combinations(event.accesses, 2):
            mask = first.bytes & second.bytes
            if not mask or not (first.template.writes or second.template.writes):
                continue
            slots = tuple(sorted((first.template.slot, second.template.slot)))
            if slots not in tolerated or not self._alike(first, second, event):
                self._add(ERROR, code, (event.node, *slots), mask)

    def _alike(self, first: Access, second: Access, event: Event) -> bool:
        """Tell whether two accesses name the same bytes with the same strides and element size."""
        if first.bytes != second.bytes:
            return False
        shapes = []
        for access in (first, second):
            selection, origin = access.template.selection, self.memory.first[access.template.resource]
            runs = self.memory.runs(selection, event.env)
            shapes.append([(origin + run.start, run.size, run.element) for run in runs])
        return shapes[0] == shapes[1]

    # One value of the parameters.

    def _place(self) -> None:
        for resource in self.graph.resources.values():
            name = resource.allocation
            if not name:
                continue
            allocation = self.graph.allocations[name]
            offset, size = resource.offset.at(self.memory.env), resource.size.at(self.memory.env)
            if offset < 0 or offset + size > allocation.size.at(self.memory.env):
                self._add(ERROR, OUT_OF_BOUNDS, (resource.id,), 0)
            alignment = resource.alignment or ELEMENT_BYTES[resource.element]
            if offset % alignment:
                self._add(ERROR, MISALIGNED, (resource.id,), 0)
        for first, second in combinations(sorted(self.graph.resources), 2):
            if self.memory.bytes[first] & self.memory.bytes[second]:
                self._shared.add((first, second))

    def _tolerates(self, node: str, first: str, second: str) -> bool:
        """Tell whether a node tolerates an alias of two resources over all the bytes they ever share."""
        operation = self.lifetimes.nodes[node].operation
        if not isinstance(operation, Dispatch):
            return False
        bound = {binding.slot: binding.target for binding in operation.bindings}
        for pair in operation.tolerated:
            targets = [bound[slot] for slot in pair if slot in bound]
            names = {self.graph.resource_of(target).id for target in targets}
            if names == {first, second} and self._spanned(targets, first, second):
                return True
        return False

    def _spanned(self, targets: list[Selection], first: str, second: str) -> bool:
        for env in self.graph.environments():
            memory = Memory(self.graph, self.verdict.space, env)
            common = memory.bytes[first] & memory.bytes[second]
            if any(common & ~memory.selected(target, env) for target in targets):
                return False
        return True


def _name(template: Template) -> str:
    return f"{template.node}.{template.slot}"
