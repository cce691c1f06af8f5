"""Runs the rules: each once, in the order of the registry, and counts what each did not check."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from interlock.diagnostic import Diagnostic, Path, Severity, Unverified
from interlock.errors import WorkExceededError
from interlock.rules.document_order import DocumentOrder
from interlock.rules.model import Gap, counted
from interlock.rules.outcome import Outcome, RuleOutcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interlock.diagnostic import Step
    from interlock.rules.context import Context
    from interlock.rules.model import Finding, Rule


@dataclass(slots=True)
class Results:
    """What the rules found.

    Diagnostics stand in the order of the document, the rest in the order of the rules.
    """

    diagnostics: list[Diagnostic] = field(default_factory=list)
    unverified: list[Unverified] = field(default_factory=list)
    outcomes: list[RuleOutcome] = field(default_factory=list)


_Alike: TypeAlias = tuple[str, str, tuple["Step", ...]]
"""Gaps that a report tells together: the reason, the target, and in a package the graph or variant."""
_SUBJECT_STEPS = 2
"""How many steps of a path in a package name the graph or the variant, whose readiness is its own."""


@dataclass(slots=True)
class _Tally:
    """What one rule said."""

    listed: list[Diagnostic] = field(default_factory=list)
    findings: int = 0
    gaps: Counter[_Alike] = field(default_factory=Counter)
    first_gap: dict[_Alike, Path] = field(default_factory=dict)


def run(context: Context, rules: Sequence[Rule]) -> Results:
    """Run rules over one document. A rule stands behind those it needs."""
    results = Results()
    failed: set[str] = set()
    for rule in rules:
        if context.kind not in rule.kinds or not rule.asked(context):
            results.outcomes.append(RuleOutcome(rule.code, Outcome.NOT_ASKED))
            continue
        broken = next((need for need in rule.needs if need in failed), None)
        if broken is not None:
            results.unverified.append(_unverified(rule, f"`{broken}` has to find nothing first"))
            results.outcomes.append(RuleOutcome(rule.code, Outcome.UNVERIFIED))
            continue
        tally = _listen(rule, context)
        if tally.findings:
            failed.add(rule.code)
        results.diagnostics += tally.listed
        results.unverified += _gaps(rule, tally)
        results.outcomes.append(RuleOutcome(rule.code, _outcome(tally), tally.findings))
    order = DocumentOrder(context.message)
    results.diagnostics.sort(key=lambda d: (order.key(d.path), d.code, d.message))
    return results


def _listen(rule: Rule, context: Context) -> _Tally:
    tally, most = _Tally(), context.limits.findings_per_rule
    subject = _SUBJECT_STEPS if context.kind == "Package" else 0
    for said in _said(rule, context):
        if isinstance(said, Gap):
            key = said.reason, said.target, said.path.steps[:subject]
            tally.gaps[key] += 1
            tally.first_gap.setdefault(key, said.path)
            continue
        tally.findings += 1
        if tally.findings <= most:
            tally.listed.append(
                Diagnostic(
                    rule.code,
                    rule.severity,
                    said.path,
                    said.message,
                    said.elements,
                    said.bytes_concerned,
                    said.related,
                    said.fix,
                    holds_under_assumption=said.holds_under_assumption,
                    target=said.target,
                )
            )
    return tally


def _said(rule: Rule, context: Context) -> Iterator[Finding | Gap]:
    try:
        yield from rule.check(context)
    except WorkExceededError as error:
        yield Gap(str(error))


def _outcome(tally: _Tally) -> Outcome:
    if tally.findings:
        return Outcome.FAILED
    return Outcome.UNVERIFIED if tally.gaps else Outcome.PASSED


def _gaps(rule: Rule, tally: _Tally) -> list[Unverified]:
    gaps = []
    for alike, places in tally.gaps.items():
        reason, target, _ = alike
        more = f" (and {counted(places - 1, 'other place')})" if places > 1 else ""
        gaps.append(_unverified(rule, reason + more, tally.first_gap[alike], target))
    if tally.findings > len(tally.listed):
        found = counted(tally.findings, "place")
        reason = f"it found {found}, of which this report lists {len(tally.listed)}"
        gaps.append(Unverified(rule.code, reason, required=False))
    return gaps


def _unverified(rule: Rule, reason: str, path: Path | None = None, target: str = "") -> Unverified:
    required = rule.severity is Severity.ERROR
    return Unverified(rule.code, reason, path or Path(), required, target)
