"""What the rules say about the graphs within a package, told as of the package."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from interlock.rules.document_order import DocumentOrder
from interlock.rules.engine import Results, run
from interlock.rules.outcome import Outcome, RuleOutcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from interlock.diagnostic import Diagnostic, Path, Unverified
    from interlock.rules.context import Context
    from interlock.rules.model import Rule

_GRAVITY = (Outcome.NOT_ASKED, Outcome.PASSED, Outcome.UNVERIFIED, Outcome.FAILED)


def run_with_parts(context: Context, rules: Sequence[Rule]) -> Results:
    """Run rules over a document and over the graphs within it."""
    results = run(context, rules)
    if not context.parts:
        return results
    outcomes = [results.outcomes]
    for prefix, part in context.parts:
        inner = run(part, rules)
        results.diagnostics += [below(prefix, finding) for finding in inner.diagnostics]
        results.unverified += [_gap_below(prefix, gap) for gap in inner.unverified]
        outcomes.append(inner.outcomes)
    order = DocumentOrder(context.message)
    results.diagnostics.sort(key=lambda d: (order.key(d.path), d.code, d.target, d.message))
    results.outcomes = [_together(same) for same in zip(*outcomes, strict=True)]
    return results


def below(prefix: Path, finding: Diagnostic) -> Diagnostic:
    """Return a finding about a graph as one about the package that holds it."""
    return replace(
        finding,
        path=prefix.extended(*finding.path.steps),
        related=tuple(replace(other, path=prefix.extended(*other.path.steps)) for other in finding.related),
    )


def _gap_below(prefix: Path, gap: Unverified) -> Unverified:
    return replace(gap, path=prefix.extended(*gap.path.steps))


def _together(outcomes: Iterable[RuleOutcome]) -> RuleOutcome:
    """Return what became of a rule in several documents: the gravest, and all findings."""
    listed = list(outcomes)
    gravest = max((each.outcome for each in listed), key=_GRAVITY.index)
    return RuleOutcome(listed[0].code, gravest, sum(each.findings for each in listed))
