"""Holds a verifier against the oracle.

A verifier may refuse a graph that is fine only where docs/execution-semantics.md says so; it never accepts
one that is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from .judge import judge
from .model import Graph
from .over_rejections import OVER_REJECTIONS
from .translate import from_proto, to_proto
from .verdict import CLOBBERED, ERROR, UNINITIALISED, UNORDERED, UNVERIFIED, WARNING, Verdict, ones

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from execgraph.v1 import graph_pb2
    from interlock.report.model import Report

Verify: TypeAlias = "Callable[[graph_pb2.ExecutionGraph], Report]"
"""A verifier."""

FAMILIES = ("hazard", "visibility", "initialisation", "alias", "role", "lifetime", "placement", "range")
_EXCUSED_BY_RACES = ("visibility", "initialisation", "alias")


class Kind(Enum):
    """How a verifier can be wrong."""

    MISSED_ERROR = "an error of a family is missed"
    MISSED_GAP = "something unverified passes for proven"
    MISSED_RACE = "bytes that race are not reported"
    EXTRA_RACE = "bytes that do not race are reported"
    OVER_REJECTED = "a graph without an error is rejected, and no listed over-rejection explains it"
    MISSED_CODE = "the family is reported, but not the code"
    EXTRA_CODE = "a code is reported that is not there"
    MISSED_WARNING = "a warning is missed"


STRICT_ONLY = frozenset({Kind.MISSED_CODE, Kind.EXTRA_CODE, Kind.MISSED_WARNING})


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One way in which a verifier and the oracle differ.

    ``witness`` is an execution that shows it, where there is one.
    """

    kind: Kind
    what: str
    witness: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """What a verifier said, by severity, and the bytes it says race, by allocation.

    Bytes of spans that are marked as upper bounds stand in ``at_most`` only.
    """

    errors: frozenset[str]
    warnings: frozenset[str]
    gaps: frozenset[str]
    racing: Mapping[str, frozenset[int]]
    at_most: Mapping[str, frozenset[int]]


def said(report: Report) -> Said:
    """Read a report."""
    errors, warnings = set(), set()
    exact: dict[str, set[int]] = {}
    bound: dict[str, set[int]] = {}
    for diagnostic in report.diagnostics:
        if diagnostic.holds_under_assumption:
            continue
        severity = getattr(diagnostic.severity, "name", str(diagnostic.severity)).lower()
        if severity == "error":
            errors.add(diagnostic.code)
        elif severity == "warning":
            warnings.add(diagnostic.code)
        if diagnostic.code == UNORDERED:
            for span in diagnostic.bytes_concerned:
                target = bound if span.upper_bound else exact
                target.setdefault(span.allocation, set()).update(range(span.offset, span.offset + span.size))
    gaps = frozenset(gap.check for gap in report.unverified if gap.required)
    return Said(frozenset(errors), frozenset(warnings), gaps, _frozen(exact), _frozen(bound))


def _frozen(sets: Mapping[str, set[int]]) -> dict[str, frozenset[int]]:
    return {name: frozenset(values) for name, values in sets.items()}


def default_verify(message: graph_pb2.ExecutionGraph) -> Report:
    """Verify with Interlock itself."""
    from interlock.verification import verify  # noqa: PLC0415 - the oracle works without a verifier

    return verify(message)


def compare(
    graph: graph_pb2.ExecutionGraph | Graph,
    verify: Verify = default_verify,
    *,
    strict: bool = False,
    over_rejections: Mapping[str, Callable[[Graph], bool]] | None = None,
    budget: int = 200_000,
) -> list[Disagreement]:
    """Return where a verifier and the oracle disagree about a graph, beyond what is allowed.

    Args:
        graph: The graph.
        verify: The verifier.
        strict: Whether codes and warnings have to agree too, where no over-rejection is in play.
        over_rejections: What may explain a refusal. Default: `OVER_REJECTIONS`.
        budget: The events that the oracle may look at.

    Raises:
        TooManyError: The budget is spent.
        UnsupportedError: The graph uses something that the oracle does not model.
    """
    message = to_proto(graph) if isinstance(graph, Graph) else graph
    parsed = from_proto(message)
    found = differences(parsed, judge(parsed, budget=budget), said(verify(message)), over_rejections)
    return [d for d in found if strict or d.kind not in STRICT_ONLY]


def differences(
    graph: Graph,
    verdict: Verdict,
    answer: Said,
    over_rejections: Mapping[str, Callable[[Graph], bool]] | None = None,
) -> list[Disagreement]:
    """Return every difference between a verdict and what a verifier said, the strict ones included."""
    table = OVER_REJECTIONS if over_rejections is None else over_rejections
    explained = any(applies(graph) for applies in table.values())
    found = [*_missed(verdict, answer), *_races(verdict, answer, explained=explained)]
    return found if explained else [*found, *_refused(verdict, answer)]


def _missed(verdict: Verdict, answer: Said) -> Iterator[Disagreement]:
    """Enumerate what the verifier should have said and did not."""
    witnesses = verdict.witnesses
    reported = {_family(code) for code in answer.errors}
    for code in sorted(_required(verdict, ERROR) - answer.errors):
        kind = Kind.MISSED_CODE if _family(code) in reported else Kind.MISSED_ERROR
        yield Disagreement(kind, code, witnesses.get((ERROR, code), ()))
    for code in sorted(_required(verdict, UNVERIFIED) - answer.gaps - answer.errors):
        kind = Kind.MISSED_CODE if answer.errors or answer.gaps else Kind.MISSED_GAP
        yield Disagreement(kind, code, witnesses.get((UNVERIFIED, code), ()))
    for code in sorted(verdict.warnings - answer.warnings):
        yield Disagreement(Kind.MISSED_WARNING, code, witnesses.get((WARNING, code), ()))


def _refused(verdict: Verdict, answer: Said) -> Iterator[Disagreement]:
    """Enumerate what the verifier said for no reason."""
    if answer.errors and not verdict.errors:
        yield Disagreement(Kind.OVER_REJECTED, f"errors: {', '.join(sorted(answer.errors))}")
    elif answer.gaps and verdict.sound:
        yield Disagreement(Kind.OVER_REJECTED, f"unverified: {', '.join(sorted(answer.gaps))}")
    # What rests on a check that failed is rightly left unverified.
    gaps = answer.gaps - verdict.unverified if not verdict.errors else frozenset()
    for code in sorted((answer.errors - verdict.errors) | gaps):
        if _family(code) in FAMILIES:
            yield Disagreement(Kind.EXTRA_CODE, code)


def _family(code: str) -> str:
    return code.split(".", maxsplit=1)[0]


def _required(verdict: Verdict, severity: str) -> set[str]:
    """Return the codes that have to be reported.

    On bytes that race other findings may be omitted; of a value that was never there, nobody has to say that
    it was also clobbered.
    """
    racing = verdict.racing
    missing = {finding.between[0]: mask for finding, mask in verdict.of(ERROR, UNINITIALISED)}
    required = set()
    for finding, mask in verdict.of(severity):
        excused = racing if _family(finding.code) in _EXCUSED_BY_RACES else 0
        if finding.code == CLOBBERED:
            excused |= missing.get(finding.between[1], 0)
        outputs = finding.code.startswith("initialisation.output")
        if mask == 0 or outputs or finding.code == UNORDERED or mask & ~excused:
            required.add(finding.code)
    return required


def _races(verdict: Verdict, answer: Said, *, explained: bool) -> Iterator[Disagreement]:
    parts = verdict.space.split(verdict.racing)
    for name in sorted(parts.keys() | answer.racing.keys() | answer.at_most.keys()):
        truth = set(ones(parts.get(name, 0)))
        exact, bound = answer.racing.get(name, frozenset()), answer.at_most.get(name, frozenset())
        if missed := truth - exact - bound:
            witness = verdict.witnesses.get((ERROR, UNORDERED), ())
            yield Disagreement(Kind.MISSED_RACE, f"bytes {sorted(missed)} of {name}", witness)
        if not explained and (extra := (exact | bound) - truth):
            yield Disagreement(Kind.EXTRA_RACE, f"bytes {sorted(extra)} of {name}")
