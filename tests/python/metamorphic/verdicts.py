"""What of a report a change that means nothing must keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from interlock.diagnostic import Severity
from interlock.document import Document
from interlock.verification import verify

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from execgraph.v1 import graph_pb2
    from interlock.diagnostic import Diagnostic
    from interlock.report.model import Report

RACE = "hazard.unordered-access"
OMITTED = ("visibility", "initialisation", "alias", "barrier")
"""Families whose findings may be left out on bytes that race."""


@dataclass(frozen=True)
class Judgement:
    """What a verdict says, whatever the ids.

    ``findings`` are severities and codes; ``racing`` the bytes that race, by allocation, exact ones and
    upper bounds apart.
    """

    verdict: str
    findings: frozenset[tuple[str, str]]
    gaps: frozenset[str]
    racing: frozenset[tuple[str, int, bool]]

    def without(self, *families: str) -> Judgement:
        """Return what is left if some families of codes do not count."""
        return Judgement(
            "",
            frozenset((s, code) for s, code in self.findings if code.partition(".")[0] not in families),
            frozenset(code for code in self.gaps if code.partition(".")[0] not in families),
            self.racing,
        )


def judgement(graph: graph_pb2.ExecutionGraph, names: Mapping[str, str] | None = None) -> Judgement:
    """Verify a graph; ``names`` are new ids by old ones, and the judgement is in the new ones."""
    return judgement_of(verify(Document.from_message(graph)), names)


def judgement_of(report: Report, names: Mapping[str, str] | None = None) -> Judgement:
    racing = {
        (name, byte, upper_bound)
        for finding in report.diagnostics
        if finding.code == RACE
        for name, byte, upper_bound in _bytes(finding)
    }
    plain = {(name, byte) for name, byte, _ in racing}
    kept = [finding for finding in report.diagnostics if not (racing and _may_be_left_out(finding, plain))]
    findings = {(Severity(finding.severity).name, finding.code) for finding in kept}
    gaps = {gap.check for gap in report.unverified if gap.required}
    if racing:
        gaps = {code for code in gaps if code.partition(".")[0] not in OMITTED}
    named = names or {}
    return Judgement(
        report.verdict.name,
        frozenset(findings),
        frozenset(gaps),
        frozenset((named.get(name, name), byte, upper_bound) for name, byte, upper_bound in racing),
    )


def _bytes(finding: Diagnostic) -> list[tuple[str, int, bool]]:
    return [
        (span.allocation, byte, span.upper_bound)
        for span in finding.bytes_concerned
        for byte in range(span.offset, span.offset + span.size)
    ]


def _may_be_left_out(finding: Diagnostic, racing: Collection[tuple[str, int]]) -> bool:
    if finding.code.partition(".")[0] not in OMITTED:
        return False
    return all((name, byte) in racing for name, byte, _ in _bytes(finding))
