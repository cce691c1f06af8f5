"""Rules about the geometry of dispatches: what the graph says alone, and what entries and targets take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.rules.geometry import graph

if TYPE_CHECKING:
    from interlock.rules.model import Rule

    RULES: tuple[Rule, ...]

GRAPH_RULES = graph.RULES
"""Those about a graph alone."""


def __getattr__(name: str) -> object:
    if name != "RULES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from interlock.rules.geometry import entry, profile  # noqa: PLC0415  (packages only)

    return (*GRAPH_RULES, *entry.RULES, *profile.RULES)
