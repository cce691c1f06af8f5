"""The checks of the contract that this release does not make yet.

They are required, so they show in every report.
"""

from __future__ import annotations

from interlock.diagnostic import Unverified

_CONTENT = "that the bytes of modules hold what their content types promise"
_FAMILIES: dict[str, dict[str, str]] = {
    "ExecutionGraph": {},
    "Package": {},
    "TargetModuleBundle": {"module": _CONTENT},
    "TargetPayload": {
        "module": _CONTENT,
        "payload": "that it fits its graph, which only an envelope holds beside it",
    },
    "Envelope": {"module": _CONTENT},
}


def pending_of(kind: str) -> tuple[Unverified, ...]:
    """Return what is required of a kind of document and not checked by any rule yet, by family."""
    return tuple(
        Unverified(family, f"this release does not check {what}") for family, what in _FAMILIES[kind].items()
    )
