"""Rules about whether what a graph binds lies in memory as the entries of a package see it."""

from __future__ import annotations

from interlock.rules.layout import contents, elements, sizes

RULES = (*elements.RULES, *sizes.RULES, *contents.RULES)
