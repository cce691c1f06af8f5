"""Runs the rules: each once, in the order of the registry, and counts what each did not check."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interlock.diagnostic import ROOT, Diagnostic, Unverified
from interlock.report.model import Outcome, RuleOutcome
from interlock.rules.model import Gap

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from interlock.rules.context import Context
    from interlock.rules.model import Rule

SIZE_FAMILY = "limit"
"""Rules of this family that judge the mere size of a graph come first: where one finds something, nothing else runs."""


@dataclass(slots=True)
class Results:
    """What all rules found, in the order of the rules."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    unverified: list[Unverified] = field(default_factory=list)
    outcomes: list[RuleOutcome] = field(default_factory=list)
