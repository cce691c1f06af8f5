"""Every execution of a graph, event by event, with happens-before closed transitively.

The explorer walks all executions depth first: a visitor is told each event as it joins an execution, that an
execution is complete, and how many events are taken back before the next alternative. Executions with a
common beginning share it.

An exit needs no event of its own: it neither accesses nor makes visible, so the set of what precedes it
stands for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from .accesses import Access, Catalogue
from .memory import Memory, Space
from .model import (
    Barrier,
    Conditional,
    Extent,
    Graph,
    Node,
    Region,
    Repeat,
    Selection,
    Statement,
    View,
)

Continuation: TypeAlias = Callable[[int], None]
"""What follows, given the events that have happened by then."""


class TooManyError(Exception):
    """The graph has more executions than the oracle is willing to look at."""


@dataclass(slots=True)
class Event:
    """One event of an execution.

    ``before`` is the set of events that happen before it, as bits by ``index``. ``runs`` names the runs of
    the regions around it, outermost first: two events are in the same run of a region exactly if they agree
    there.
    """

    index: int
    kind: str
    node: str
    before: int
    runs: tuple[int, ...]
    accesses: list[Access] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    env: Mapping[str, int] = field(default_factory=dict)


class Visitor(Protocol):
    """What the explorer talks to."""

    def begin(self, memory: Memory) -> None: ...
    def push(self, event: Event) -> None: ...
    def pop(self) -> None: ...
    def end(self) -> None: ...


class Explorer:
    """Walks the executions of one acyclic graph.

    Args:
        graph: The graph.
        all_counts: Whether every legal trip count is run. Otherwise a body whose ranges do not depend on the
            iteration runs the legal counts up to max(minimum, 2). budget: The greatest number of events to
            look at.
    """

    def __init__(self, graph: Graph, *, all_counts: bool = False, budget: int = 200_000) -> None:
        self.graph = graph
        self.trail: list[str] = []
        self._all_counts = all_counts
        self._budget = budget
        self._catalogue = Catalogue(graph)
        self._orders: dict[int, list[Node]] = {}
        self._judged: dict[str, int] = {}
        self._events = 0
        self._runs = 0

    def walk(self, visitor: Visitor) -> None:
        """Tell a visitor every execution.

        Raises:
            TooManyError: The budget is spent.
        """
        space = Space.of(self.graph)
        self._visitor = visitor
        for env in self.graph.environments():
            self._catalogue.enter(Memory(self.graph, space, env))
            visitor.begin(self._catalogue.memory)
            self.trail = [f"{name}={value}" for name, value in env.items()]
            self._region(self.graph.body, 0, env, (0,), lambda _: visitor.end())

    def _push(self, event: Event) -> int:
        """Let an event happen, and return the events that have happened once it has."""
        self._budget -= 1
        if self._budget < 0:
            raise TooManyError
        self._events += 1
        self._visitor.push(event)
        return event.before | 1 << event.index

    def _pop(self) -> None:
        self._events -= 1
        self._visitor.pop()

    def _order(self, region: Region) -> list[Node]:
        """Return the nodes of a region, each after those it depends on."""
        if (known := self._orders.get(id(region))) is not None:
            return known
        waiting = list(region.nodes)
        ordered: list[Node] = []
        done: set[str] = set()
        while waiting:
            ready = [node for node in waiting if done.issuperset(node.depends_on)]
            if not ready:
                raise ValueError("the graph has a cycle")
            ordered += ready
            done.update(node.id for node in ready)
            waiting = [node for node in waiting if node.id not in done]
        self._orders[id(region)] = ordered
        return ordered

    def _region(
        self, region: Region, entry: int, env: Mapping[str, int], runs: tuple[int, ...], then: Continuation
    ) -> None:
        nodes = self._order(region)
        exits: dict[str, int] = {}

        def step(position: int) -> None:
            if position == len(nodes):
                done = entry
                for past in exits.values():
                    done |= past
                then(done)
                return
            node = nodes[position]

            def proceed(past: int) -> None:
                exits[node.id] = past
                step(position + 1)

            self._edges(node, entry, exits, env, runs, proceed)

        step(0)

    def _edges(
        self,
        node: Node,
        entry: int,
        exits: Mapping[str, int],
        env: Mapping[str, int],
        runs: tuple[int, ...],
        then: Continuation,
    ) -> None:
        """Pass the edges to a node, those with statements as events of their own, then run the node."""
        before, pushed = entry, 0
        for source in node.depends_on:
            past = exits[source]
            if statements := node.edge_statements.get(source):
                event = Event(self._events, "edge", f"{source}->{node.id}", past, runs, [], statements, env)
                past = self._push(event)
                pushed += 1
            before |= past
        self._node(node, before, env, runs, then)
        for _ in range(pushed):
            self._pop()

    def _node(
        self, node: Node, before: int, env: Mapping[str, int], runs: tuple[int, ...], then: Continuation
    ) -> None:
        operation = node.operation
        statements = operation.statements if isinstance(operation, Barrier) else []
        accesses = self._catalogue.accesses(node.id, env)
        past = self._push(Event(self._events, "run", node.id, before, runs, accesses, statements, env))
        if isinstance(operation, Conditional):
            for name, arm in (("then", operation.then), ("else", operation.otherwise)):
                self.trail.append(f"{node.id}:{name}")
                if arm is None:
                    then(past)
                else:
                    self._runs += 1
                    self._region(arm, past, env, (*runs, self._runs), then)
                self.trail.pop()
        elif isinstance(operation, Repeat):
            self._iterate(node, operation, 0, past, env, runs, then)
        else:
            then(past)
        self._pop()

    def _iterate(
        self,
        node: Node,
        loop: Repeat,
        trips: int,
        past: int,
        env: Mapping[str, int],
        runs: tuple[int, ...],
        then: Continuation,
    ) -> None:
        """Go on after a number of trips, in every way that is possible then."""
        judged = self._judged_count(node.id, loop)
        least, most = loop.least, loop.most
        by_count = trips >= least if not isinstance(loop.count, int) else trips == most
        if loop.proceed is not None and trips == judged:
            # The last judged count stands for all greater ones, the greatest included.
            by_count = True
        if by_count:
            self.trail.append(f"{node.id}:{trips} trips")
            then(past)
            self.trail.pop()
        pushed = 0
        may_fail = loop.proceed is not None and least <= trips < most
        if not (may_fail or trips < judged):
            return
        if trips:
            event = Event(self._events, "boundary", node.id, past, runs, [], loop.carried, env)
            past = self._push(event)
            pushed += 1
        if loop.proceed is not None and trips >= least:
            accesses = self._catalogue.evaluation(node.id, env)
            past = self._push(Event(self._events, "evaluation", node.id, past, runs, accesses, [], env))
            pushed += 1
            if may_fail:
                self.trail.append(f"{node.id}:{trips} trips, then stopped")
                then(past)
                self.trail.pop()
        if trips < judged:
            self._runs += 1
            inner = {**env, loop.index: trips} if loop.index else env

            def proceed(done: int) -> None:
                self._iterate(node, loop, trips + 1, done, env, runs, then)

            self._region(loop.body, past, inner, (*runs, self._runs), proceed)
        for _ in range(pushed):
            self._pop()

    def _judged_count(self, name: str, loop: Repeat) -> int:
        """Return the greatest number of trips to look at."""
        if name not in self._judged:
            invariant = not loop.index or not _names(self.graph, loop.body, loop.index)
            few = max(loop.least, 2)
            self._judged[name] = min(loop.most, few) if invariant and not self._all_counts else loop.most
        return self._judged[name]


def _names(graph: Graph, value: object, parameter: str) -> bool:
    """Tell whether a parameter stands anywhere in a part of the graph."""
    if isinstance(value, Extent):
        return any(name == parameter for name, _ in value.terms)
    if isinstance(value, Selection) and value.view:
        view = graph.views[value.view]
        return any(_names(graph, extent, parameter) for extent in (view.offset, *view.shape))
    if isinstance(value, list | tuple):
        return any(_names(graph, part, parameter) for part in value)
    if isinstance(value, dict):
        return _names(graph, list(value.values()), parameter)
    if isinstance(value, str | int | set | View | None):
        return False
    parts = [getattr(value, name) for name in value.__slots__]
    return _names(graph, parts, parameter)
