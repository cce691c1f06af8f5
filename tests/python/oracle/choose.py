"""Which bytes a random access touches: mostly such as make sense at that place of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2

from .model import CONSTANT, ELEMENT_BYTES, INPUT, Binding, Extent, Graph, Resource, Selection, View

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

_READ = access_pb2.ACCESS_MODE_READ


class Chooser:
    """Chooses resources and parts of them.

    Attributes:
        ready: The resources that hold something by now.
        indices: The iteration indices in scope, each with the number of its values.
        phases: The third of the program in which a resource that shares bytes is used.
        number: How many nodes have been made.
    """

    def __init__(self, rng: random.Random, graph: Graph, nodes: int) -> None:
        self.rng = rng
        self.graph = graph
        self.ready: set[str] = set()
        self.indices: list[tuple[str, int]] = []
        self.phases: dict[str, int] = {}
        self.number = 0
        self._nodes = nodes

    def chance(self, probability: float) -> bool:
        """Toss a coin."""
        return self.rng.random() < probability

    def _in_phase(self, resource: Resource) -> bool:
        """Tell whether it is the turn of a resource that shares bytes: which are dead by then, and which to
        come.
        """
        phase = self.phases.get(resource.id)
        return phase is None or phase == 3 * self.number // (self._nodes + 1)

    def most(self, extent: Extent) -> int:
        return max(extent.at({"n": value}) for value in self.values())

    def values(self) -> Sequence[int]:
        return self.graph.parameters["n"].values() if "n" in self.graph.parameters else [0]

    def pick(self, *, written: bool) -> Resource:
        rng = self.rng
        resources = [r for r in self.graph.resources.values() if self._in_phase(r)]
        if written:
            fit = [r for r in resources if r.role not in {INPUT, CONSTANT}]
            return rng.choice(fit if fit and self.chance(0.99) else resources)
        good = [r for r in resources if r.id in self.ready]
        return rng.choice(good) if good and self.chance(0.92) else rng.choice(resources)

    def select(self, resource: Resource, *, written: bool) -> Selection:
        rng, width = self.rng, ELEMENT_BYTES[resource.element]
        if resource.size.terms or resource.size.constant < width or self.chance(0.5):
            return Selection(resource.id)
        count = resource.size.constant // width
        if self.indices and self.chance(0.6):
            index, maximum = rng.choice(self.indices)
            step = count // maximum
            if step:
                start = rng.randint(0, count - step * maximum)
                coefficient = step if self.chance(0.7) else rng.randint(0, step) or step
                terms = ((index, coefficient * width),)
                return Selection(resource.id, "", Extent(start * width, terms), Extent(coefficient * width))
        if "n" in self.graph.parameters and self.chance(0.4):
            most = max(self.values())
            if most <= count:
                terms = (("n", width),)
                if self.chance(0.5):
                    return Selection(resource.id, "", Extent(), Extent(0, terms))
                if most < count:
                    return Selection(resource.id, "", Extent(0, terms), Extent(width))
        if count >= 3 and self.chance(0.35):
            return self._view(resource, count, written=written)
        first = rng.randrange(count)
        last = rng.randint(first + 1, count)
        if self.chance(0.6):  # halves meet and add up more often than arbitrary ranges
            first, last = rng.choice([(0, (count + 1) // 2), (count // 2, count)])
        return Selection(resource.id, "", Extent(first * width), Extent((last - first) * width))

    def _view(self, resource: Resource, count: int, *, written: bool) -> Selection:
        rng, width = self.rng, ELEMENT_BYTES[resource.element]
        known = [view for view in self.graph.views.values() if view.resource == resource.id]
        known = [view for view in known if not written or 0 not in view.strides]
        if known and self.chance(0.4):
            return Selection(view=rng.choice(known).id)
        step = rng.choice([2, 2, 3])
        start = rng.randrange(min(step, count))
        items = (count - start + step - 1) // step
        strides: tuple[int, ...] = (step * width,)
        shape = [items]
        if self.chance(0.2):
            start, strides = start + (items - 1) * step, (-step * width,)
        elif not written and self.chance(0.15):
            strides = (0,)
        elif count >= 8 and self.chance(0.4):
            # Its elements are 0, 2, 3, 4, 5 and 7: they do not overlap, but the strides do not nest.
            start, shape, strides = 0, [3, 2], (2 * width, 3 * width)
        elif count >= 6 and self.chance(0.3):
            start, shape = 0, [2, 2]
            strides = rng.choice([(4 * width, width), (width, 3 * width), (2 * width, 3 * width)])
        name = f"v{len(self.graph.views)}"
        axes = tuple(map(Extent, shape))
        self.graph.views[name] = View(
            name, resource.id, Extent(start * width), resource.element, axes, strides
        )
        return Selection(view=name)

    def part(self, resource: Resource, size: int) -> Selection:
        if size == resource.size.constant:
            return Selection(resource.id)
        room = (resource.size.constant - size) // 4
        return Selection(resource.id, "", Extent(self.rng.randint(0, room) * 4), Extent(size))


def meets(graph: Graph, binding: Binding, others: Sequence[Binding]) -> bool:
    """Tell whether a binding may share bytes with others of its dispatch, one of them written; roughly."""
    resource = graph.resource_of(binding.target)
    for other in others:
        near = graph.resource_of(other.target)
        shares = near.id == resource.id or (near.allocation and near.allocation == resource.allocation)
        if (
            shares
            and {binding.access, other.access} != {_READ}
            and not _disjoint(resource, near, binding, other)
        ):
            return True
    return False


def _disjoint(one: Resource, other: Resource, first: Binding, second: Binding) -> bool:
    ends = []
    for resource, binding in ((one, first), (other, second)):
        target = binding.target
        size = resource.size if target.size is None else target.size
        if target.view or any(extent.terms for extent in (resource.offset, target.offset, size)):
            return False
        start = resource.offset.constant + target.offset.constant
        ends.append((start, start + size.constant))
    return ends[0][1] <= ends[1][0] or ends[1][1] <= ends[0][0]
