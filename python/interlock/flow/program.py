"""A graph prepared for the walk: accesses as columns, statements and control as the walk needs them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""Ranges of bytes of one memory, from the first to after the last, ascending and disjoint, none empty."""

USAGES = 9
ALL_TYPES = (1 << 3 * USAGES) - 1
"""Every type of access: for each usage reading, writing, and both at once."""
READING, WRITING, BOTH = 0, 1, 2


def access_type(usage: int, way: int) -> int:
    """Return a type of access as one bit: a usage, and READING, WRITING or BOTH."""
    return 1 << 3 * usage + way


class Footprint(NamedTuple):
    """The bytes of one memory that an access touches, and those of them that it overwrites for certain.

    ``certain`` says that it touches at least one byte for all values of the parameters.
    """

    memory: int
    touched: Ranges
    covered: Ranges
    certain: bool


class Access(NamedTuple):
    """One access.

    Attributes:
        node: The node.
        resource: The resource it names.
        usage: The usage, a number of ``Usage``.
        reads: Whether it reads.
        writes: Whether it writes.
        atomic: What it updates atomically, equal for accesses that do not conflict; None if it is not atomic.
        needs: The type of access, as `access_type` gives it.
    """

    node: int
    resource: int
    usage: int
    reads: bool
    writes: bool
    atomic: object
    needs: int


class Statement(NamedTuple):
    """A visibility statement.

    Attributes:
        number: Its number, by which `Program.statement_ranges` knows the bytes it names.
        usages: The usages whose writes it makes available, as bits.
        types: The types of access it makes writes visible to.
    """

    number: int
    usages: int
    types: int


@dataclass(frozen=True, slots=True)
class Loop:
    """How often a repeat runs, and what happens between its iterations.

    Attributes:
        trips: The number of iterations to walk.
        exits: After how many of them the loop may end because its count is reached.
        condition_exits: After how many of them it may end because its condition fails.
        condition: The access of the condition, or None.
        evaluated_from: The condition is evaluated before every iteration after this many.
        carried: The statements between iterations.
        index: The parameter that holds the number of the iteration, or None where no range needs it.
    """

    trips: int
    exits: range
    condition_exits: range
    condition: int | None
    evaluated_from: int
    carried: tuple[Statement, ...]
    index: int | None


class Opening(NamedTuple):
    """A span of a lifetime begins here: the resource, and which of its spans."""

    resource: int
    span: int


class Place(NamedTuple):
    """A part of a memory, from ``low`` up to ``high``."""

    memory: int
    low: int
    high: int


class Memory(NamedTuple):
    """An allocation, or a resource that has one of its own.

    Attributes:
        size: The size of the space its ranges are in.
        residents: The resources in it with their ranges, for each the bit that stands for it in the cells.
        written: Whether anything writes it.
    """

    size: int
    residents: Mapping[int, tuple[int, Ranges]]
    written: bool


@dataclass(slots=True)
class Program:
    """Everything the walk asks about a graph.

    Nodes, regions, accesses, memories and resources are dense numbers.

    Attributes:
        order: The nodes of each region in an order that dependencies allow.
        regions_of: The regions of each control node with their arms, 0 for a body, 1 and 2 for the arms of a
            conditional.
        accesses: All accesses.
        accesses_of: What each node accesses when it runs or is entered.
        footprints: The bytes of an access, given the numbers of the iterations around it by parameter.
        statement_ranges: The bytes that a statement names, by memory, given the numbers of the iterations.
        barriers: The statements of each barrier.
        edges: The statements on the edges to each node, by source.
        loops: The repeats.
        memories: The memories.
        touched_in: The parts of memories that anything within a control node accesses or speaks of.
        initialised: The resources that the start of the graph writes.
        outputs: The resources that the graph has to write.
        openings: The spans of lifetimes that begin at each node.
        homes: The resources whose lifetimes have a region as their home.
        asserted: Pairs of accesses of which the producer asserts that they never touch a common byte.
        unmade: Accesses that no execution makes.
        carry_all: Whether ordered means visible.
    """

    order: Sequence[Sequence[int]]
    regions_of: Mapping[int, Sequence[tuple[int, int]]]
    accesses: Sequence[Access]
    accesses_of: Mapping[int, Sequence[int]]
    footprints: Callable[[int, Mapping[int, int]], Sequence[Footprint]]
    statement_ranges: Callable[[int, Mapping[int, int]], Sequence[tuple[int, Ranges]]]
    barriers: Mapping[int, Sequence[Statement]]
    edges: Mapping[int, Sequence[tuple[int, Sequence[Statement]]]]
    loops: Mapping[int, Loop]
    memories: Sequence[Memory]
    touched_in: Mapping[int, Sequence[Place]]
    initialised: frozenset[int]
    outputs: frozenset[int]
    openings: Mapping[int, Sequence[Opening]] = field(default_factory=dict)
    homes: Mapping[int, Sequence[int]] = field(default_factory=dict)
    asserted: frozenset[frozenset[int]] = frozenset()
    unmade: frozenset[int] = frozenset()
    carry_all: bool = False
