"""What verification says about one document, as plain data.

A report never changes and holds no reference to the document it speaks of. Rendering it is somebody else's
work.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from interlock.diagnostic import Assumption, Diagnostic, Evidence, Severity, Unverified
from interlock.rules.outcome import Outcome, RuleOutcome

__all__ = ["Outcome", "Readiness", "Report", "RuleOutcome", "Subject", "TargetReadiness", "Verdict"]


class Verdict(IntEnum):
    """The verdict on a document. The numbers are those of ``execgraph.report.v1.Verdict``."""

    SOUND = 1
    UNSOUND = 2
    UNVERIFIED = 3
    UNREADABLE = 4
    NOT_JUDGED = 5
    """No rule looked at the document."""

    def __str__(self) -> str:
        return self.name


_EXIT_CODES = {Verdict.SOUND: 0, Verdict.UNSOUND: 1, Verdict.UNREADABLE: 2, Verdict.UNVERIFIED: 3}


@dataclass(frozen=True, slots=True)
class Subject:
    """The document a report speaks of. Empty strings stand for what is not known.

    ``source`` is where the document was read from, as the caller named it; ``schema_version`` is such as
    ``1.0``.
    """

    source: str = ""
    kind: str = ""
    id: str = ""
    digest: str = ""
    semantic_digest: str = ""
    schema_version: str = ""
    required_features: tuple[str, ...] = ()


class Readiness(IntEnum):
    """Whether a graph may run on a target. The numbers are those of ``execgraph.report.v1.Readiness``."""

    READY = 1
    NOT_READY = 2
    UNVERIFIED = 3

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class TargetReadiness:
    """Whether one graph of a package may run on one target.

    ``reasons`` are the codes of errors, or of required checks that were not made, with how many there are.
    """

    graph: str
    target: str
    readiness: Readiness
    reasons: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What verification says about one document.

    Diagnostics stand in the order of the document, then by code; assumptions and gaps in the order of the
    document too. ``rules`` names every rule of this release, by code. ``required_evidence`` is the weakest
    evidence that was accepted; None where nothing was verified. ``readiness`` tells of a package whether each
    graph may run on each target, by graph, then by target. ``judged`` says that rules looked at the
    document; without that there is no verdict on it. As a string it is what `interlock verify` prints.
    """

    subject: Subject
    diagnostics: tuple[Diagnostic, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    unverified: tuple[Unverified, ...] = ()
    rules: tuple[RuleOutcome, ...] = ()
    rule_set: int = 0
    readable: bool = True
    judged: bool = True
    required_evidence: Evidence | None = None
    readiness: tuple[TargetReadiness, ...] = ()
    verdict: Verdict = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "verdict", self._verdict())

    def _verdict(self) -> Verdict:
        if not self.readable:
            return Verdict.UNREADABLE
        if not self.judged:
            return Verdict.NOT_JUDGED
        if self.count(Severity.ERROR):
            return Verdict.UNSOUND
        if any(gap.required for gap in self.unverified):
            return Verdict.UNVERIFIED
        return Verdict.SOUND

    @property
    def ok(self) -> bool:
        """Whether there are no errors and nothing that is required was left unverified."""
        return self.verdict is Verdict.SOUND

    @property
    def exit_code(self) -> int:
        """What a program that only reports this returns: 0 sound, 1 unsound, 2 unreadable, 3 unverified.

        Where nothing was judged, 1 if there are errors, else 3 if something is unverified, else 0.
        """
        if self.verdict is Verdict.NOT_JUDGED:
            return 1 if self.count(Severity.ERROR) else 3 if self.unverified else 0
        return _EXIT_CODES[self.verdict]

    def text(self, *, everything: bool = False) -> str:
        """Return the report as text that ends with a line feed, as `interlock verify` prints it.

        ``everything`` shows every assumption and every gap instead of the first few of each code.
        """
        from interlock.report.text import report_text  # noqa: PLC0415  (only for who reads it)

        return report_text(self, everything=everything)

    def __str__(self) -> str:
        return self.text().removesuffix("\n")

    def count(self, severity: Severity) -> int:
        """Return the number of listed findings of one severity, without those that hold under assumption."""
        return sum(
            finding.severity is severity and not finding.holds_under_assumption
            for finding in self.diagnostics
        )

    @property
    def held(self) -> tuple[Diagnostic, ...]:
        """The findings that hold under an assumption of the producer, and so do not decide the verdict."""
        return tuple(finding for finding in self.diagnostics if finding.holds_under_assumption)
