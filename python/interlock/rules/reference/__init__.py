"""Rules about ids and the references to them."""

from __future__ import annotations

from interlock.rules.reference import names, places

RULES = (*names.RULES, *places.RULES)
