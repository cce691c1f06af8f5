"""Every rule of this release, in the order in which they run: a rule stands behind those it needs.

A family is imported when a document is judged that it has rules for.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from interlock.rules import limit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.rules.model import Rule

_GRAPH = (
    "limit",
    "document",
    "reference",
    "order",
    "parameter",
    "type",
    "range",
    "access",
    "geometry",
    "control",
    "capability",
    "placement",
    "lifetime",
    "role",
    "barrier",
    "hazard",
    "visibility",
    "initialisation",
    "alias",
)
_PACKAGE = ("package", "artifact", "interface", "specialization", "layout")
_TARGET = ("nested", "payload", "group", "module")
FAMILIES = (*_GRAPH, *_PACKAGE, *_TARGET)
"""The modules of the families, in their order."""

_WITHIN = {
    "ExecutionGraph": {"ExecutionGraph"},
    "Package": {"Package", "ExecutionGraph"},
    "TargetModuleBundle": {"TargetModuleBundle"},
    "TargetPayload": {"TargetPayload", "TargetModuleBundle"},
    "Envelope": {"Envelope", "ExecutionGraph", "TargetPayload", "TargetModuleBundle"},
}
"""The kinds of documents that are judged with one of a kind: itself, and those within it."""
_SIZES = tuple(rule.code for rule in limit.SIZE_RULES)


def _after_sizes(rule: Rule) -> Rule:
    """Return a rule that does not run on a graph that is too large to be indexed."""
    return rule if rule.code in _SIZES else replace(rule, needs=(*_SIZES, *rule.needs))


@cache
def rules_of(kind: str) -> tuple[Rule, ...]:
    """Return the rules that judge documents of a kind and the documents within them."""
    within = _WITHIN[kind]
    return tuple(rule for rule in _rules(kind) if not rule.kinds.isdisjoint(within))


def _rules(kind: str) -> Iterator[Rule]:
    others = {"ExecutionGraph": (), "Package": _PACKAGE}.get(kind, _TARGET)
    for family in (*_GRAPH, *others):
        module = import_module(f"interlock.rules.{family}")
        # Some families judge graphs alone by a part of them, which does without the rest.
        graph_rules = getattr(module, "GRAPH_RULES", None) if kind == "ExecutionGraph" else None
        yield from map(_after_sizes, module.RULES if graph_rules is None else graph_rules)


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return every rule."""
    modules = (import_module(f"interlock.rules.{family}") for family in FAMILIES)
    return tuple(_after_sizes(rule) for module in modules for rule in module.RULES)
