"""Reports as text: what a person has to know first, in the order in which they need it.

The verdict comes first, then the document, then every finding, then what the verdict rests on and what it
leaves open. The same report always gives the same text.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from interlock.diagnostic import Severity
from interlock.report.finding import diagnostic_lines, place_of
from interlock.report.model import Readiness, Verdict
from interlock.report.style import PLAIN, Style, plural, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from interlock.analysis.inspect import Inspection
    from interlock.diagnostic import Assumption, Diagnostic, Unverified
    from interlock.report.model import Report

_SHOWN_PER_CODE = 3
"""How many assumptions or gaps of one code are shown before the rest is only counted."""

_VERDICT_COLOR = {
    Verdict.SOUND: "green",
    Verdict.UNSOUND: "red",
    Verdict.UNVERIFIED: "yellow",
    Verdict.UNREADABLE: "red",
    Verdict.NOT_JUDGED: "yellow",
}
_OTHER_PLACES = re.compile(r" \(and \d+ other places?\)$")
_READINESS_COLOR = {
    Readiness.READY: "green",
    Readiness.NOT_READY: "red",
    Readiness.UNVERIFIED: "yellow",
}


def report_text(report: Report, style: Style = PLAIN, *, everything: bool = False) -> str:
    """Return a report as text that ends with a line feed.

    Args:
        report: The report.
        style: Whether to use colours.
        everything: Whether to show every assumption and every gap instead of the first few of each code.
    """
    lines = [verdict_line(report, style), *_subject(report, style)]
    lines += _readiness(report, style)
    lines += _findings(report.diagnostics, style)
    lines += _assumptions(report.assumptions, style, everything=everything)
    lines += _unverified(report.unverified, style, everything=everything)
    lines += _closing(report, style)
    return "\n".join(lines) + "\n"


def inspection_text(inspection: Inspection, style: Style = PLAIN, *, everything: bool = False) -> str:
    """Return an inspection as text that ends with a line feed.

    The verdict, what the document holds, the findings.
    """
    report = inspection.report
    lines = [verdict_line(report, style), *_subject(report, style)]
    if inspection.producer:
        lines.append(_fact("producer", inspection.producer, style))
    if report.subject.semantic_digest:
        lines.append(_fact("semantic", report.subject.semantic_digest, style))
    lines += _counts("contents", inspection.elements, style)
    lines += _counts("nodes by kind", inspection.nodes_by_kind, style)
    lines += _counts("resources by role", inspection.resources_by_role, style)
    if inspection.nodes_by_kind or report.subject.kind == "ExecutionGraph":
        lines += _needs(inspection, style)
    lines += _readiness(report, style)
    if report.subject.kind:  # of what could not be read there is one finding, which follows anyway
        lines += _counts("findings by code", inspection.diagnostics_by_code, style)
    lines += _findings(report.diagnostics, style)
    lines += _assumptions(report.assumptions, style, everything=everything)
    lines += _unverified(report.unverified, style, everything=everything)
    lines += _closing(report, style)
    return "\n".join(lines) + "\n"


def _needs(inspection: Inspection, style: Style) -> list[str]:
    needs, bound = inspection.capabilities, inspection.maximum_node_executions
    names = needs and ", ".join(name.removeprefix("CAPABILITY_").lower() for name in needs)
    capabilities = "not computed" if names is None else names or "none"
    executions = f"at most {bound:,} in one invocation" if bound else "no finite bound"
    return [
        "",
        style("needs", "bold"),
        f"  capabilities     {capabilities}",
        f"  node executions  {'not computed' if bound is None else executions}",
    ]


def verdict_line(report: Report, style: Style = PLAIN) -> str:
    """Return the verdict and the reason for it, in one line."""
    verdict = report.verdict
    name = style(verdict.name.replace("_", " "), "bold", _VERDICT_COLOR[verdict])
    source = f"{printable(report.subject.source)}: " if report.subject.source else ""
    return f"{source}{name}: {_reason(report)}"


def _reason(report: Report) -> str:
    counts = _severity_counts(report)
    if report.verdict is Verdict.UNSOUND:
        return counts
    if report.verdict is Verdict.UNREADABLE:
        return "not a document that this reader can read"
    if report.verdict is Verdict.NOT_JUDGED:
        return f"no rule looked at the document{f'; {counts}' if counts else ''}"
    gaps = len({gap.check for gap in report.unverified if gap.required})
    remarks = f", {counts}" if counts else ""
    if report.verdict is Verdict.UNVERIFIED:
        return f"no errors{remarks}, but {plural(gaps, 'required check')} not made"
    return f"no errors{remarks}, and every required check was made"


def _severity_counts(report: Report) -> str:
    counts = [(report.count(severity), severity.name.lower()) for severity in Severity]
    parts = [plural(count, name) for count, name in counts if count]
    if report.held:
        parts.append(f"{len(report.held):,} held under assumption")
    return ", ".join(parts)


def _subject(report: Report, style: Style) -> list[str]:
    subject = report.subject
    if not subject.kind:
        return []
    name = f" `{printable(subject.id)}`" if subject.id else ""
    features = (
        f" ({', '.join(map(printable, subject.required_features))})" if subject.required_features else ""
    )
    lines = [_fact("document", f"{subject.kind}{name}, schema {subject.schema_version}{features}", style)]
    if subject.digest:
        lines.append(_fact("digest", subject.digest, style))
    return lines


def _readiness(report: Report, style: Style) -> list[str]:
    if not report.readiness:
        return []
    graphs = max(len(printable(each.graph)) for each in report.readiness)
    targets = max(len(printable(each.target)) for each in report.readiness)
    lines = ["", style("readiness", "bold")]
    for each in report.readiness:
        word = style(f"{each.readiness.name.replace('_', ' '):<10}", _READINESS_COLOR[each.readiness])
        reasons = ", ".join(code if count == 1 else f"{code} ({count:,})" for code, count in each.reasons)
        name = f"{printable(each.graph):<{graphs}}  {printable(each.target):<{targets}}"
        lines.append(f"  {name}  {word}  {reasons}".rstrip())
    return lines


def _fact(name: str, value: str, style: Style) -> str:
    return f"  {style(f'{name:<9}', 'dim')} {printable(value)}"


def _findings(diagnostics: Sequence[Diagnostic], style: Style) -> list[str]:
    lines: list[str] = []
    for title, group in _grouped_findings(diagnostics):
        if group:
            lines += ["", style(f"{title} ({len(group):,})", "bold")]
            for finding in group:
                lines += [f"  {line}" for line in diagnostic_lines(finding, style)]
    return lines


def _grouped_findings(diagnostics: Sequence[Diagnostic]) -> Iterator[tuple[str, list[Diagnostic]]]:
    """Yield findings by severity, the gravest first; last and apart those that hold under assumption."""
    for severity in Severity:
        yield (
            f"{severity.name.lower()}s",
            [
                finding
                for finding in diagnostics
                if finding.severity is severity and not finding.holds_under_assumption
            ],
        )
    yield "holds under assumption", [finding for finding in diagnostics if finding.holds_under_assumption]


def _assumptions(assumptions: Sequence[Assumption], style: Style, *, everything: bool) -> list[str]:
    entries = [
        (
            held.code,
            f"{place_of(held.path)}: [{held.code}] {printable(held.message)}"
            + (f" (for {printable(held.target)})" if held.target else ""),
        )
        for held in assumptions
    ]
    return _grouped("assumptions", entries, style, everything=everything)


def _unverified(gaps: Sequence[Unverified], style: Style, *, everything: bool) -> list[str]:
    """Return what was not verified; checks that only wait for what is wrong elsewhere come last, counted."""
    lines: list[str] = []
    for title, wanted in (("unverified", True), ("unverified, not required", False)):
        found = [gap for gap in gaps if gap.required is wanted]
        waiting = [] if everything else [gap for gap in found if _waits(gap)]
        own = found if everything else [gap for gap in found if not _waits(gap)]
        section = _grouped(title, [(gap.check, _gap(gap)) for gap in own], style, everything=everything)
        if waiting:
            section = section or ["", ""]
            section[1] = style(f"{title} ({len(found):,})", "bold")
            counts = Counter(_OTHER_PLACES.sub("", gap.reason) for gap in waiting)
            section += [f"  {plural(count, 'check')} not made: {reason}" for reason, count in counts.items()]
        lines += section
    return lines


def _waits(gap: Unverified) -> bool:
    """Tell whether a check was not made only because something else is wrong, which the findings tell."""
    return _OTHER_PLACES.sub("", gap.reason).endswith(" first")


def _gap(gap: Unverified) -> str:
    place = f" at {place_of(gap.path)}" if gap.path.steps else ""
    target = f" for {printable(gap.target)}" if gap.target else ""
    return f"{gap.check}{target}{place}: {printable(gap.reason)}"


def _grouped(title: str, entries: Sequence[tuple[str, str]], style: Style, *, everything: bool) -> list[str]:
    """Return a section; of each group of entries the first few, then how many more there are."""
    if not entries:
        return []
    lines = ["", style(f"{title} ({len(entries):,})", "bold")]
    groups: dict[str, list[str]] = {}
    for group, line in entries:
        groups.setdefault(group, []).append(line)
    for members in groups.values():
        shown = members if everything else members[:_SHOWN_PER_CODE]
        lines += [f"  {line}" for line in shown]
        if len(shown) < len(members):
            lines.append(
                style(f"  ... and {len(members) - len(shown):,} more like it (--verbose shows them)", "dim")
            )
    return lines


def _counts(title: str, counts: Iterable[tuple[str, int]], style: Style) -> list[str]:
    entries = list(counts)
    if not entries:
        return []
    width = max(24, *(len(name) for name, _ in entries))
    return [
        "",
        style(title, "bold"),
        *(f"  {printable(name).replace('_', ' '):<{width}}  {count:>9,}" for name, count in entries),
    ]


def _closing(report: Report, style: Style) -> list[str]:
    if not report.rules:
        return _hint(report, style)
    outcomes: dict[str, int] = {}
    for rule in report.rules:
        name = rule.outcome.name.lower().replace("_", " ")
        outcomes[name] = outcomes.get(name, 0) + 1
    counts = ", ".join(f"{outcomes[name]} {name}" for name in sorted(outcomes, key=_outcome_order))
    return ["", f"{plural(len(report.rules), 'rule')}: {counts}", *_hint(report, style)]


def _outcome_order(name: str) -> tuple[int, str]:
    order = ("passed", "failed", "unverified", "not asked")
    return (order.index(name), name) if name in order else (len(order), name)


def _hint(report: Report, style: Style) -> list[str]:
    if not report.diagnostics:
        return []
    return [style(f"`interlock explain {report.diagnostics[0].code}` says more about a code", "dim")]
