"""Rules about the geometry of dispatches: what the graph says alone, and what entries and targets take."""

from __future__ import annotations

from interlock.rules.geometry import entry, graph, profile

RULES = (*graph.RULES, *entry.RULES, *profile.RULES)
