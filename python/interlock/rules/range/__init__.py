"""Rules about extents and the bytes they name."""

from __future__ import annotations

from interlock.rules.range import arrays, bounds, transfers

RULES = (*bounds.RULES, *arrays.RULES, *transfers.RULES)
