"""The rules: one module a family, one function a rule, one code a rule.

A rule judges; it never walks the document. What it looks at was collected once, by the index of the graph or
by the sweep over the document. The rules are loaded by who asks for them: a report needs none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.rules.model import RULE_SET, Rule

if TYPE_CHECKING:
    from interlock.rules.registry import RULES, RULES_BY_CODE

__all__ = ["RULES", "RULES_BY_CODE", "RULE_SET", "Rule"]


def __getattr__(name: str) -> object:
    if name not in ("RULES", "RULES_BY_CODE"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from interlock.rules import registry  # noqa: PLC0415  (paid by who asks)

    return getattr(registry, name)
