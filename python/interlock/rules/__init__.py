"""The rules: one module a family, one function a rule, one code a rule.

A rule judges; it never walks the document. What it looks at was collected once, by the index of the graph or
by the sweep over the document. The rules are loaded by who asks for them: a report needs none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.rules.model import RULE_SET, Rule

if TYPE_CHECKING:
    RULES: tuple[Rule, ...]

__all__ = ["RULES", "RULE_SET", "Rule"]


def __getattr__(name: str) -> object:
    if name != "RULES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from interlock.rules.registry import all_rules  # noqa: PLC0415  (paid by who asks)

    return all_rules()
