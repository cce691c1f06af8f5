"""Every rule of this release, in the order in which they run: a rule stands behind those it needs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from interlock.rules import (
    access,
    alias,
    artifact,
    barrier,
    capability,
    control,
    document,
    geometry,
    group,
    hazard,
    initialisation,
    interface,
    layout,
    lifetime,
    limit,
    module,
    nested,
    order,
    package,
    parameter,
    payload,
    placement,
    range,  # noqa: A004  (a family of rules)
    reference,
    role,
    specialization,
    type,  # noqa: A004  (a family of rules)
    visibility,
)

if TYPE_CHECKING:
    from interlock.rules.model import Rule

_SIZES = tuple(rule.code for rule in limit.SIZE_RULES)


def _after_sizes(rule: Rule) -> Rule:
    """Return a rule that does not run on a graph that is too large to be indexed."""
    return rule if rule.code in _SIZES else replace(rule, needs=(*_SIZES, *rule.needs))


RULES: tuple[Rule, ...] = tuple(
    _after_sizes(rule)
    for family in (
        limit,
        document,
        reference,
        order,
        parameter,
        type,
        range,
        access,
        geometry,
        control,
        capability,
        placement,
        lifetime,
        role,
        barrier,
        hazard,
        visibility,
        initialisation,
        alias,
        package,
        artifact,
        interface,
        specialization,
        layout,
        nested,
        payload,
        group,
        module,
    )
    for rule in family.RULES
)
RULES_BY_CODE = {rule.code: rule for rule in RULES}
