"""Barrier access modes as sets of access scopes, both ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

Scope = tuple[access_pb2.Usage, access_pb2.AccessKind]

READ, WRITE = access_pb2.ACCESS_KIND_READ, access_pb2.ACCESS_KIND_WRITE

_READS: frozenset[Scope] = frozenset(
    (usage, READ)
    for usage in (access_pb2.USAGE_SHADER_STORAGE, access_pb2.USAGE_TRANSFER, access_pb2.USAGE_CONTROL)
)
_WRITES: frozenset[Scope] = frozenset(
    (usage, WRITE)
    for usage in (access_pb2.USAGE_SHADER_STORAGE, access_pb2.USAGE_TRANSFER, access_pb2.USAGE_FILL)
)
SCOPES = _READS | _WRITES
"""Every access that a CrossTL graph can have."""

_MODES: dict[access_pb2.AccessMode, frozenset[Scope]] = {
    access_pb2.ACCESS_MODE_READ: _READS,
    access_pb2.ACCESS_MODE_WRITE: _WRITES,
    access_pb2.ACCESS_MODE_READ_WRITE: SCOPES,
}


def scopes_of(mode: access_pb2.AccessMode) -> list[access_pb2.AccessScope]:
    """Return the accesses that a mode of a barrier stands for."""
    return [access_pb2.AccessScope(usage=usage, kind=kind) for usage, kind in sorted(_MODES[mode])]


def mode_of(
    scopes: Iterable[access_pb2.AccessScope], occurring: Collection[Scope]
) -> access_pb2.AccessMode | None:
    """Return the mode that stands for a set of scopes, or None.

    Scopes that no access of the graph has make no difference: only those in ``occurring`` are compared.
    """
    given = {(scope.usage, scope.kind) for scope in scopes} & SCOPES
    kinds = {kind for _, kind in given}
    if not kinds:
        return None
    both = len(kinds) == 2
    mode = (
        access_pb2.ACCESS_MODE_READ_WRITE
        if both
        else (access_pb2.ACCESS_MODE_WRITE if WRITE in kinds else access_pb2.ACCESS_MODE_READ)
    )
    missing = (_MODES[mode] - given) & set(occurring)
    return None if missing else mode
