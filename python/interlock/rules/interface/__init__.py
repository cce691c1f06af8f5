"""Rules about interfaces: graphs name entries and slots that are there, and use them as they are meant."""

from __future__ import annotations

from interlock.rules.interface import accesses, entries, places, slots, sources

RULES = (*entries.RULES, *slots.RULES, *accesses.RULES, *places.RULES, *sources.RULES)
