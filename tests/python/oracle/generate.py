"""Random graphs of up to a dozen nodes, in all the shapes that the definitions speak of.

A graph is made in program order, so that many are nearly sound; `repair` then makes most of those sound, and
`mutate` takes one thing away from half of them. Everything that is not about order, bytes and time
(references, types, ranges, bounds) is always well formed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2, type_pb2

from .arrange import arrange
from .choose import Chooser, meets
from .model import (
    CONSTANT,
    ELEMENT_BYTES,
    IN_OUT,
    INPUT,
    OUTPUT,
    STATE,
    TEMPORARY,
    Allocation,
    Barrier,
    Binding,
    Conditional,
    Copy,
    CopyRegion,
    Dispatch,
    Extent,
    Fill,
    Graph,
    Node,
    Operation,
    Parameter,
    Region,
    Repeat,
    Resource,
    Selection,
    Statement,
)
from .mutate import mutate, statements_at
from .repair import repair

if TYPE_CHECKING:
    import random

U8, U16, U32 = type_pb2.ELEMENT_TYPE_U8, type_pb2.ELEMENT_TYPE_U16, type_pb2.ELEMENT_TYPE_U32
I32 = type_pb2.ELEMENT_TYPE_I32
_FULL, _PARTIAL = access_pb2.COVERAGE_FULL, access_pb2.COVERAGE_PARTIAL
_MODE = {"r": 1, "w": 2, "x": 3, "a": 4}
_HEAP = 24


class Maker:
    """Makes one graph."""

    def __init__(self, rng: random.Random, nodes: int) -> None:
        self.rng = rng
        self.graph = Graph(carry_all=rng.random() < 0.5)
        self.at = Chooser(rng, self.graph, nodes)
        self._left = nodes
        self._loops = 0
        if self.at.chance(0.2):
            low, high, step = rng.choice([(0, 2, 1), (1, 2, 1), (1, 3, 2), (2, 4, 2), (0, 3, 3)])
            self.graph.parameters["n"] = Parameter("n", low, high, step)

    def make(self) -> Graph:
        self._resources()
        self.graph.body = self._region(0)
        self._finish()
        arrange(self.graph, self.rng)
        return self.graph

    # Resources.

    def _resources(self) -> None:
        rng = self.rng
        sharing = self.at.chance(0.75)
        if sharing:
            self.graph.allocations["heap"] = Allocation("heap", Extent(_HEAP), 16)
        for number in range(rng.randint(2, 6)):
            roles = [TEMPORARY, OUTPUT, IN_OUT, STATE, INPUT, CONSTANT]
            role = rng.choices(roles, [48, 20, 8, 6, 14, 4] if number else [60, 30, 10, 0, 0, 0])[0]
            resource = self._resource(f"{_LETTER[role]}{number}", role)
            resource.consumed = role == INPUT and self.at.chance(0.5)
            shares = role in {TEMPORARY, OUTPUT} or resource.consumed or self.at.chance(0.03)
            if sharing and shares and role != STATE and self.at.chance(0.9):
                self._place(resource)
            self.graph.resources[resource.id] = resource
            if role not in {TEMPORARY, OUTPUT}:
                self.at.ready.add(resource.id)
        self.graph.resources["flag"] = Resource("flag", INPUT, U32, (Extent(1),), Extent(4))
        self.at.ready.add("flag")

    def _resource(self, name: str, role: int) -> Resource:
        element = self.rng.choices([U32, U16, U8], [6, 2, 2])[0]
        width = ELEMENT_BYTES[element]
        if "n" in self.graph.parameters and role != CONSTANT and self.at.chance(0.3):
            count = Extent(self.rng.randint(0, 1), (("n", 1),))
        else:
            count = Extent(self.rng.choice([4, 8, 12, 16]) // width)
        return Resource(name, role, element, (count,), _times(count, width))

    def _place(self, resource: Resource) -> None:
        resource.allocation = "heap"
        if self.at.chance(0.9):
            self.at.phases[resource.id] = (
                0 if resource.consumed else 2 if resource.role == OUTPUT else self.rng.randrange(3)
            )
        room = _HEAP - self.at.most(resource.size)
        offsets = [0, 0, 0, 0, 0, 0, 4, 8, 8, 12, 16]
        offset = self.rng.choice([o for o in offsets if o <= room])
        resource.offset = Extent(offset)
        if "n" in self.graph.parameters and self.at.chance(0.15):
            moved = Extent(offset, (("n", 4),))
            if self.at.most(moved) <= room:
                resource.offset = moved

    # Regions and nodes.

    def _region(self, depth: int) -> Region:
        region = Region()
        count = self._left if depth == 0 else self.rng.randint(1, min(3, max(self._left, 1)))
        while count > 0 and (self._left > 0 or not region.nodes):
            count -= 1
            self._left -= 1
            region.nodes.append(self._node(depth))
        return region

    def _node(self, depth: int) -> Node:
        self.at.number += 1
        name = f"n{self.at.number}"
        kinds = ["dispatch", "copy", "fill", "barrier", "if", "loop"]
        control = 9 if depth < 3 and self._left > 0 else 0
        kind = self.rng.choices(kinds, [58, 7, 10, 8, control, control])[0]
        if kind == "if":
            return Node(name, self._conditional(depth))
        if kind == "loop":
            return Node(name, self._loop(name, depth))
        made: Operation | None = None
        if kind == "copy":
            made = self._copy()
        elif kind == "fill":
            made = self._fill()
        elif kind == "barrier":
            made = Barrier()
        return Node(name, made or self._dispatch())

    def _conditional(self, depth: int) -> Conditional:
        predicate, element = self._control()
        before = set(self.at.ready)
        then = self._region(depth + 1)
        after_then, self.at.ready = self.at.ready, set(before)
        otherwise = self._region(depth + 1) if self._left > 0 and self.at.chance(0.55) else None
        self.at.ready &= after_then
        if otherwise is not None and self.at.chance(0.1):
            then = None
        return Conditional(predicate, element, then, otherwise)

    def _loop(self, name: str, depth: int) -> Repeat:
        read, goes_on = self.at.chance(0.4), self.at.chance(0.3)
        index = f"{name}.i" if self.at.chance(0.35) else ""
        maximum = self.rng.choice([2, 2, 3, 3, 4] if not index else [2, 3])
        if self._loops and maximum > 2:
            maximum = 2
        count: int | Selection = maximum
        element = 0
        minimum: int | None = None
        if read:
            count, element = self._control()
        if read or goes_on:
            minimum = self.rng.choice([None, 0, 1, 1, 1, 2, min(3, maximum)])
        proceed, proceed_element = self._control() if goes_on else (None, 0)
        before = set(self.at.ready)
        self._loops += 1
        if index:
            self.at.indices.append((index, maximum))
        body = self._region(depth + 1)
        self._loops -= 1
        if index:
            self.at.indices.pop()
        loop = Repeat(body, count, maximum, minimum, element, proceed, proceed_element, [], index)
        if loop.least == 0:
            self.at.ready = before & self.at.ready
        return loop

    def _control(self) -> tuple[Selection, int]:
        """Return an element that a control node may read, mostly one that is initialised."""
        fit = [
            r
            for r in self.graph.resources.values()
            if r.element in {U8, U32} and not r.size.terms and r.size.constant
        ]
        good = [r for r in fit if r.id in self.at.ready]
        resource = self.rng.choice(good if good and self.at.chance(0.9) else fit)
        if resource.id != "flag" and self.at.chance(0.4):
            resource = self.graph.resources["flag"]
        width = ELEMENT_BYTES[resource.element]
        offset = self.rng.randrange(resource.size.constant // width) * width
        return Selection(resource.id, "", Extent(offset), Extent(width)), resource.element

    # Accesses.

    def _dispatch(self) -> Dispatch:
        made = Dispatch()
        for slot in "abcd"[: self.rng.choices([1, 2, 3, 4], [25, 45, 22, 8])[0]]:
            mode = self.rng.choices("rwxa", [42, 42, 10, 6])[0]
            binding = self._binding(slot, mode)
            if self.at.chance(0.05) or not meets(self.graph, binding, made.bindings):
                made.bindings.append(binding)
        if self.at.chance(0.06):
            self._in_place(made)
        if self.at.chance(0.06):
            large = [
                r
                for r in self.graph.resources.values()
                if r.size.constant >= 12 and r.element == U32 and not r.size.terms
            ]
            if large:
                source = self.rng.choice(large)
                made.indirect = Selection(source.id, "", Extent(0), Extent(12))
        elif "n" in self.graph.parameters and self.at.chance(0.15):
            made.counts = (Extent(self.rng.randint(0, 1), (("n", 1),)),)
        elif self.at.indices and self.at.chance(0.1):
            made.elements = (Extent(self.rng.randint(0, 1), ((self.at.indices[-1][0], 1),)),)
        if made.indirect is None and self._certain(made):
            for binding in made.bindings:
                self._wrote(binding)
        return made

    def _certain(self, made: Dispatch) -> bool:
        return all(not extent.terms or extent.constant for extent in (*made.counts, *made.elements))

    def _binding(self, slot: str, mode: str) -> Binding:
        resource = self.at.pick(written=mode != "r")
        if mode == "a" and resource.element != U32:
            mode = "x"
        selection = self.at.select(resource, written=mode != "r")
        coverage = 0
        if mode in "wx":
            coverage = self.rng.choices([_FULL, _PARTIAL, 0], [75, 15, 10])[0]
        usage = access_pb2.USAGE_SHADER_CONSTANT if mode == "r" and self.at.chance(0.1) else 0
        atomic = 0
        if mode == "a" and (selection.size is not None or self.at.chance(0.3)):  # a byte range has no type
            atomic = I32 if self.at.chance(0.15) else U32
        return Binding(slot, selection, _MODE[mode], coverage, usage, atomic)

    def _in_place(self, made: Dispatch) -> None:
        """Bind the same bytes twice, through one resource or through two that lie in the same place."""
        first = self._binding("y", "r")
        resource = self.graph.resource_of(first.target)
        twins = [
            r
            for r in self.graph.resources.values()
            if r.allocation
            and (r.allocation, r.offset, r.size, r.element)
            == (resource.allocation, resource.offset, resource.size, resource.element)
        ]
        target = first.target
        if twins and not target.view:
            target = Selection(self.rng.choice(twins).id, "", target.offset, target.size)
        if target.view and 0 in self.graph.views[target.view].strides:
            return
        made.bindings += [first, Binding("z", target, _MODE["w"], _FULL)]
        if self.at.chance(0.9):
            made.tolerated.append(("y", "z"))

    def _wrote(self, binding: Binding) -> None:
        """Note that a resource is initialised; what it shares bytes with no longer is."""
        if binding.access not in {2, 3} or binding.coverage != _FULL:
            return
        resource = self.graph.resource_of(binding.target)
        if binding.target != Selection(resource.id) and self.at.chance(0.7):
            return
        if resource.allocation:
            others = [r.id for r in self.graph.resources.values() if r.allocation == resource.allocation]
            self.at.ready -= {o for o in others if self.graph.resources[o].role in {TEMPORARY, OUTPUT}}
        self.at.ready.add(resource.id)

    def _copy(self) -> Copy | None:
        source, target = self.at.pick(written=False), self.at.pick(written=True)
        if source.id == target.id or (source.allocation and source.allocation == target.allocation):
            return None
        if source.size.terms or target.size.terms:
            if source.size == target.size and source.element == target.element:
                return Copy(Selection(source.id), Selection(target.id))
            return None
        width = max(ELEMENT_BYTES[source.element], ELEMENT_BYTES[target.element])
        least = min(source.size.constant, target.size.constant)
        if least >= 2 * width and self.at.chance(0.2):
            row = Extent(width)
            pitch_in, pitch_out = (
                least // 2 // width * width,
                width * (1 if self.at.chance(0.5) else least // 2 // width),
            )
            region = CopyRegion(row, Extent(2), None, (pitch_in, 0), (pitch_out, 0))
            return Copy(Selection(source.id), Selection(target.id), region)
        size = least if self.at.chance(0.7) else width
        made = Copy(self.at.part(source, size), self.at.part(target, size))
        if size == target.size.constant:
            self._wrote(Binding("", Selection(target.id), 2, _FULL))
        return made

    def _fill(self) -> Fill:
        resource = self.at.pick(written=True)
        selection = self.at.select(resource, written=True)
        self._wrote(Binding("", selection, 2, _FULL))
        return Fill(selection, resource.element)

    def _finish(self) -> None:
        """Drop what nothing names, and what lies in an allocation alone."""
        used, views = self.graph.mentions()
        self.graph.views = {name: view for name, view in self.graph.views.items() if name in views}
        outputs = {r.id for r in self.graph.resources.values() if r.role == OUTPUT and self.at.chance(0.1)}
        self.graph.resources = {n: r for n, r in self.graph.resources.items() if n in used | outputs}
        if not any(resource.allocation for resource in self.graph.resources.values()):
            self.graph.allocations.clear()


_LETTER = {TEMPORARY: "t", OUTPUT: "o", INPUT: "i", IN_OUT: "x", STATE: "s", CONSTANT: "k"}


def _times(extent: Extent, factor: int) -> Extent:
    return Extent(extent.constant * factor, tuple((name, c * factor) for name, c in extent.terms))


def generate(rng: random.Random, *, nodes: int = 12) -> Graph:
    """Make a graph: most of them sound, some of them nearly so, some of them anything.

    Raises:
        TooManyError: The graph has too many executions to be judged.
    """
    graph = Maker(rng, max(rng.randint(1, nodes), rng.randint(1, nodes))).make()
    if rng.random() < 0.8:
        repair(graph, rng)
        if rng.random() < 0.65:
            mutate(graph, rng)
    for node, _, _ in graph.walk():
        for statements in statements_at(node):
            distinct = {_identity(statement): statement for statement in statements}
            statements[:] = distinct.values()
    return graph


def _identity(statement: Statement) -> tuple[frozenset[object], ...]:
    return tuple(map(frozenset, (statement.selections, statement.available_from, statement.visible_to)))
