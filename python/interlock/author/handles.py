"""What the builder hands out: names that remember what they name.

Wherever a handle is taken, its id as a string is taken too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from execgraph.v1 import access_pb2, node_pb2, type_pb2
from interlock.author.affine import AffineLike, affine

if TYPE_CHECKING:
    from interlock.author.literals import Number


class Named(Protocol):
    """Anything with an id."""

    @property
    def id(self) -> str:
        """The id."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the graph."""

    id: str


@dataclass(frozen=True, slots=True)
class Artifact:
    """An artifact of the graph's table."""

    id: str


@dataclass(frozen=True, slots=True)
class Allocation:
    """A block of memory."""

    id: str


@dataclass(frozen=True, slots=True)
class View:
    """A view; ``element`` is the type of its elements."""

    id: str
    element: type_pb2.ElementType

    def selection(self) -> type_pb2.ByteSelection:
        """Return the bytes it names."""
        return type_pb2.ByteSelection(view=self.id)


@dataclass(frozen=True, slots=True)
class Bytes:
    """A contiguous range of the bytes of a resource; ``element`` is the type of the resource's elements."""

    resource: str
    offset: AffineLike
    size: AffineLike
    element: type_pb2.ElementType

    def selection(self) -> type_pb2.ByteSelection:
        """Return the bytes it names."""
        return type_pb2.ByteSelection(
            byte_range=type_pb2.ByteRange(
                resource=self.resource, offset=affine(self.offset).extent(), size=affine(self.size).extent()
            )
        )


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource; ``element`` is the type of its elements."""

    id: str
    element: type_pb2.ElementType

    def bytes(self, offset: AffineLike, size: AffineLike) -> Bytes:
        """Return ``size`` bytes of it, from byte ``offset``."""
        return Bytes(self.id, offset, size, self.element)

    def selection(self) -> type_pb2.ByteSelection:
        """Return the bytes it names: all of them."""
        return type_pb2.ByteSelection(resource=self.id)


Target = Resource | View | Bytes | str
"""What a binding, a copy, a fill, a predicate or a statement names.

A string is the id of a resource or a view.
"""


@dataclass(frozen=True, slots=True)
class Slot:
    """A target with what a binding says beside it. Made by `full`, `partial` and `bound`."""

    target: Target
    coverage: access_pb2.Coverage = access_pb2.COVERAGE_UNSPECIFIED
    usage: access_pb2.Usage = access_pb2.USAGE_UNSPECIFIED
    atomic_type: str | None = None
    group: int = 0
    index: int | None = None
    array_element: int = 0


def bound(
    target: Target,
    *,
    usage: access_pb2.Usage | None = None,
    atomic_type: str | None = None,
    group: int = 0,
    index: int | None = None,
    array_element: int = 0,
) -> Slot:
    """Say how a kernel reaches the target.

    What type it updates, or which coordinate the slot is pinned to.
    """
    return Slot(
        target,
        usage=access_pb2.USAGE_UNSPECIFIED if usage is None else usage,
        atomic_type=atomic_type,
        group=group,
        index=index,
        array_element=array_element,
    )


def full(target: Target) -> Slot:
    """Claim that a write overwrites every byte of the target."""
    return Slot(target, access_pb2.COVERAGE_FULL)


def partial(target: Target) -> Slot:
    """State that a write may leave bytes of the target as they were."""
    return Slot(target, access_pb2.COVERAGE_PARTIAL)


@dataclass(frozen=True, slots=True)
class Typed:
    """One or more numbers of one element type, by name."""

    element: str
    values: tuple[Number, ...]


def typed(element: str, *values: Number) -> Typed:
    """Return a literal, such as `typed("u32", 7)` or `typed("f32", -math.inf)`."""
    return Typed(element, values)


@dataclass(frozen=True, slots=True)
class Computed:
    """An integer computed from parameters, and the type a kernel receives."""

    element: str
    value: AffineLike


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of one element in memory with a literal.

    For a conditional or a `repeat` that goes on while it holds.
    """

    target: Target
    comparison: node_pb2.Comparison
    literal: Number | Typed


_COMPARISONS = {
    "==": node_pb2.COMPARISON_EQUAL,
    "!=": node_pb2.COMPARISON_NOT_EQUAL,
    "<": node_pb2.COMPARISON_LESS,
    "<=": node_pb2.COMPARISON_LESS_OR_EQUAL,
    ">": node_pb2.COMPARISON_GREATER,
    ">=": node_pb2.COMPARISON_GREATER_OR_EQUAL,
}


def when(target: Target, comparison: str, literal: Number | Typed) -> Condition:
    """Return a predicate, such as `when(flag, "==", True)`.

    Raises:
        KeyError: The comparison is none of `==`, `!=`, `<`, `<=`, `>`, `>=`.
    """
    return Condition(target, _COMPARISONS[comparison], literal)
