"""What became of a rule, in one word and one number."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Outcome(IntEnum):
    """What became of one rule. The numbers are those of ``execgraph.report.v1.Outcome``."""

    PASSED = 1
    FAILED = 2
    UNVERIFIED = 3
    NOT_ASKED = 4


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """What became of one rule.

    ``findings`` counts all findings, those that a report does not list included.
    """

    code: str
    outcome: Outcome
    findings: int = 0
