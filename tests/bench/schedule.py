"""A training step as a compiler schedules it: weights, and an arena whose bytes are used again and again.

A forward half keeps what the backward half reads in the opposite order; some dispatches update weights.
Memory is given out first-fit, and a dispatch depends on whatever touched its bytes before, as far as it
conflicts.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from shapes import READ_WRITE, TEMPORARY, Maker, Target, name_of

from execgraph.v1 import resource_pb2

if TYPE_CHECKING:
    from interlock.document import Document

STATE = resource_pb2.RESOURCE_ROLE_STATE
WEIGHT = 1 << 14


@dataclass(slots=True)
class Tensor:
    """What one dispatch writes to the arena: the place, who writes and who reads it."""

    offset: int
    size: int
    writer: int
    readers: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Step:
    """One dispatch: the tensors it reads and writes, and the weight it reads or updates."""

    reads: list[Tensor]
    writes: Tensor | None
    weight: int
    updates: bool = False
    after: set[int] = field(default_factory=set)


class Arena:
    """Gives out memory, first fit."""

    def __init__(self) -> None:
        self.size = 0
        self._used: list[tuple[int, int]] = []

    def take(self, size: int) -> int:
        place = 0
        for low, high in self._used:
            if low - place >= size:
                break
            place = max(place, high)
        insort(self._used, (place, place + size))
        self.size = max(self.size, place + size)
        return place

    def give_back(self, tensor: Tensor) -> None:
        self._used.remove((tensor.offset, tensor.offset + tensor.size))


class Touched:
    """Who wrote each byte last, and who read it since."""

    def __init__(self) -> None:
        self._starts = [0]
        self._state: list[tuple[int, tuple[int, ...]]] = [(-1, ())]

    def _split(self, at: int) -> int:
        place = bisect_left(self._starts, at)
        if place == len(self._starts) or self._starts[place] != at:
            self._starts.insert(place, at)
            self._state.insert(place, self._state[bisect_right(self._starts, at) - 2])
        return place

    def touch(self, low: int, high: int, number: int, *, writes: bool) -> set[int]:
        """Return what a dispatch has to come after for a range of bytes, and note that it touched it."""
        first = self._split(low)
        last = self._split(high)
        after: set[int] = set()
        for place in range(first, last):
            writer, readers = self._state[place]
            after |= {writer, *readers} if writes else {writer}
            self._state[place] = (number, ()) if writes else (writer, (*readers, number))
        return after - {-1, number}


def steps(count: int) -> tuple[list[Step], Arena]:
    """Plan the dispatches of a training step."""
    rng, arena, touched = Random(7), Arena(), Touched()
    kept: list[Tensor] = []
    current: Tensor | None = None
    planned: list[Step] = []
    weight_touched: dict[int, set[int]] = {}
    forward = count // 2
    for number in range(count):
        reads = [current] if current else []
        if number >= forward and kept and (saved := kept.pop()) is not current:
            reads.append(saved)
        size = 256 * rng.choice([1, 4, 16, 64, 64, 300])
        update = number >= forward and number % 3 == 0
        made = None if update else Tensor(arena.take(size), size, number)
        weight = min(number, count - 1 - number) // 3
        step = Step(reads, made, weight, updates=update)
        for tensor in reads:
            step.after |= touched.touch(tensor.offset, tensor.offset + tensor.size, number, writes=False)
            tensor.readers.append(number)
        if made:
            step.after |= touched.touch(made.offset, made.offset + made.size, number, writes=True)
        known = weight_touched.setdefault(weight, set())
        if update:
            step.after |= known
            weight_touched[weight] = {number}
        else:
            step.after |= {other for other in known if planned[other].updates}
            known.add(number)
        planned.append(step)
        if made:
            _release(arena, reads, kept)
            if number < forward:
                kept.append(made)
            current = made
    return planned, arena


def _release(arena: Arena, reads: list[Tensor], kept: list[Tensor]) -> None:
    for tensor in reads:
        if all(tensor is not other for other in kept):
            arena.give_back(tensor)


def schedule(nodes: int, *, tensors: bool) -> Document:
    """Return the graph; the arena is one temporary, or an allocation that holds one for each tensor."""
    planned, arena = steps(nodes)
    maker = Maker()
    made = [step.writes for step in planned if step.writes]
    if tensors:
        maker.graph.allocations.add(id="arena", alignment=256).size.constant = arena.size
        for tensor in made:
            _add_tensor(maker, tensor)
    else:
        maker.resource("arena", arena.size, TEMPORARY)
    for weight in sorted({step.weight for step in planned}):
        maker.resource(f"w{weight:06}", WEIGHT, STATE)

    def place(tensor: Tensor) -> Target:
        return f"t{tensor.writer:06}" if tensors else ("arena", tensor.offset, tensor.size)

    for number, step in enumerate(planned):
        weight = f"w{step.weight:06}"
        name, after = name_of(number), [name_of(other) for other in sorted(step.after)]
        reads = [place(tensor) for tensor in step.reads]
        if step.updates:
            maker.dispatch(name, after, reads=reads, writes=[weight], mode=READ_WRITE)
        else:
            maker.dispatch(name, after, reads=[*reads, weight], writes=[place(t) for t in [step.writes] if t])
    return maker.document()


def _add_tensor(maker: Maker, tensor: Tensor) -> None:
    found = maker.resource(f"t{tensor.writer:06}", tensor.size)
    found.placement.allocation = "arena"
    if tensor.offset:
        found.placement.offset.constant = tensor.offset
    ends = tensor.readers or [tensor.writer]
    found.lifetime.spans.add(begins=[name_of(tensor.writer)], ends=[name_of(reader) for reader in ends])
