"""The checks of the contract that this release does not make yet.

They are required, so they show in every report.
"""

from __future__ import annotations

from interlock.diagnostic import Unverified

_FAMILIES: dict[str, dict[str, str]] = {
    "ExecutionGraph": {},
    "Package": {
        "artifact": "that variants and their bytes are there, and that graphs find their artifacts",
        "interface": "that graphs fit the interfaces of their artifacts",
        "graph": "that the graphs inside are sound",
        "payload": "that the payloads belong to the graphs",
    },
    "TargetModuleBundle": {"module": "that modules and their bytes are there and fit a graph"},
    "TargetPayload": {"payload": "that groups, entries and modules are those of the graph"},
    "Envelope": {
        "graph": "that the graph inside is sound",
        "payload": "that the payloads belong to the graph",
    },
}


def pending_of(kind: str) -> tuple[Unverified, ...]:
    """Return what is required of a kind of document and not checked by any rule yet, by family."""
    return tuple(
        Unverified(family, f"this release does not check {what}") for family, what in _FAMILIES[kind].items()
    )
