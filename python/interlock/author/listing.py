"""One where a list is taken: an id, a handle, a number, a scope or a pair alone is a list of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from execgraph.v1 import access_pb2
from interlock.author.affine import Affine, AffineLike, Parameter
from interlock.author.handles import Named

Nodes = Named | str | Iterable[Named | str]
"""Nodes, or one."""

Shape = AffineLike | Iterable[AffineLike]
"""Numbers of elements or workgroups along each axis, outermost first for a shape; or one."""

Numbers = int | Iterable[int]
"""Integers, or one."""

Scope = tuple[access_pb2.Usage, access_pb2.AccessKind]
Scopes = Scope | Iterable[Scope]
"""Usages with kinds of access, or one."""

Pair = tuple[str, str]
Pairs = Pair | Iterable[Pair]
"""Pairs of slots, or one."""


def id_of(named: Named | str) -> str:
    """Return the id of a handle, or the string itself."""
    return named if isinstance(named, str) else named.id


def ids_of(nodes: Nodes) -> list[str]:
    """Return the ids of nodes."""
    if isinstance(nodes, str) or hasattr(nodes, "id"):
        return [id_of(cast("Named | str", nodes))]
    return [id_of(node) for node in nodes]


def extents_of(shape: Shape) -> tuple[AffineLike, ...]:
    """Return the extents of a shape."""
    return (shape,) if isinstance(shape, int | Affine | Parameter) else tuple(shape)


def numbers_of(numbers: Numbers) -> tuple[int, ...]:
    """Return integers."""
    return (numbers,) if isinstance(numbers, int) else tuple(numbers)


def scopes_of(scopes: Scopes) -> tuple[Scope, ...]:
    """Return scopes."""
    given = tuple(scopes)
    return cast("tuple[Scope, ...]", (given,) if given and isinstance(given[0], int) else given)


def pairs_of(pairs: Pairs) -> tuple[Pair, ...]:
    """Return pairs."""
    given = tuple(pairs)
    return cast("tuple[Pair, ...]", (given,) if given and isinstance(given[0], str) else given)
