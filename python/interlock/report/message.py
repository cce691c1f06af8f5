"""Reports as messages of `execgraph.report.v1`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.report.v1 import report_pb2
from interlock._version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlock.analysis.inspect import Inspection
    from interlock.diagnostic import Diagnostic, Evidence, Fix, Path
    from interlock.report.model import Report

REPORT_SCHEMA = (1, 0)
"""Major and minor version of `execgraph.report.v1` that this release writes."""

_UINT64_MAX = (1 << 64) - 1


def report_message(report: Report) -> report_pb2.Report:
    """Return a report as a message."""
    message = report_pb2.Report(
        header=_header(report.rule_set),
        verdict=f"VERDICT_{report.verdict.name}",
        required_evidence=_evidence(report.required_evidence),
        diagnostics=[_diagnostic(finding) for finding in report.diagnostics],
        assumptions=[
            report_pb2.Assumption(
                code=held.code,
                path=_text(str(held.path)),
                path_elements=_path(held.path),
                message=_text(held.message),
                evidence=_evidence(held.evidence),
                target=_text(held.target),
            )
            for held in report.assumptions
        ],
        unverified=[
            report_pb2.Unverified(
                check=gap.check,
                reason=_text(gap.reason),
                path=_text(str(gap.path)),
                required=gap.required,
                target=_text(gap.target),
            )
            for gap in report.unverified
        ],
        rules=[
            report_pb2.RuleOutcome(
                code=rule.code,
                outcome=f"OUTCOME_{rule.outcome.name}",
                findings=rule.findings,
            )
            for rule in report.rules
        ],
        readiness=[
            report_pb2.TargetReadiness(
                graph=_text(each.graph),
                target=_text(each.target),
                readiness=f"READINESS_{each.readiness.name}",
                reasons=_counts(each.reasons),
            )
            for each in report.readiness
        ],
    )
    subject = _subject(report)
    if subject.ByteSize():
        message.subject.CopyFrom(subject)
    return message


def inspection_message(inspection: Inspection) -> report_pb2.Inspection:
    """Return an inspection as a message."""
    return report_pb2.Inspection(
        elements=_counts(inspection.elements),
        nodes_by_kind=_counts(inspection.nodes_by_kind),
        resources_by_role=_counts(inspection.resources_by_role),
        capabilities=inspection.capabilities or (),
        maximum_node_executions=min(inspection.maximum_node_executions or 0, _UINT64_MAX),
        diagnostics_by_code=_counts(inspection.diagnostics_by_code),
        report=report_message(inspection.report),
    )


def _header(rule_set: int) -> report_pb2.ReportHeader:
    major, minor = REPORT_SCHEMA
    return report_pb2.ReportHeader(
        schema_major=major,
        schema_minor=minor,
        tool="interlock",
        tool_version=__version__,
        rule_set=rule_set,
    )


def _subject(report: Report) -> report_pb2.Subject:
    subject = report.subject
    return report_pb2.Subject(
        source=_text(subject.source),
        kind=subject.kind,
        id=_text(subject.id),
        digest=subject.digest,
        semantic_digest=subject.semantic_digest,
        schema_version=subject.schema_version,
        required_features=subject.required_features,
    )


def _diagnostic(finding: Diagnostic) -> report_pb2.Diagnostic:
    return report_pb2.Diagnostic(
        code=finding.code,
        severity=f"SEVERITY_{finding.severity.name}",
        path=_text(str(finding.path)),
        path_elements=_path(finding.path),
        message=_text(finding.message),
        elements=[
            report_pb2.NamedElement(id_space=element.id_space, id=_text(element.id))
            for element in finding.elements
        ],
        bytes_concerned=[
            report_pb2.ByteSpan(
                allocation=_text(span.allocation),
                offset=span.offset,
                size=span.size,
                upper_bound=span.upper_bound,
            )
            for span in finding.bytes_concerned
        ],
        related=[
            report_pb2.RelatedLocation(
                path=_text(str(other.path)), path_elements=_path(other.path), message=_text(other.message)
            )
            for other in finding.related
        ],
        fix=None if finding.fix is None else _fix(finding.fix),
        byte_offset=finding.byte_offset,
        holds_under_assumption=finding.holds_under_assumption,
        target=_text(finding.target),
    )


def _fix(fix: Fix) -> report_pb2.Fix:
    return report_pb2.Fix(
        description=_text(fix.description),
        dependencies=[
            report_pb2.AddedDependency(node=_text(added.node), depends_on=_text(added.depends_on))
            for added in fix.dependencies
        ],
        statements=[
            report_pb2.AddedStatement(
                node=_text(added.node),
                source=_text(added.source),
                resource=_text(added.resource),
                available_from=sorted(added.available_from),
                visible_to=sorted(added.visible_to),
            )
            for added in fix.statements
        ],
    )


def _path(path: Path) -> list[report_pb2.PathElement]:
    elements = []
    for step in path.steps:
        element = report_pb2.PathElement(field=_text(step.field))
        if step.key is not None:
            element.element.key = _text(step.key)
        elif step.index is not None:
            element.element.index = step.index
        elements.append(element)
    return elements


def _evidence(evidence: Evidence | None) -> str:
    return f"EVIDENCE_{'UNSPECIFIED' if evidence is None else evidence.name}"


def _counts(counts: Iterable[tuple[str, int]]) -> list[report_pb2.Count]:
    return [report_pb2.Count(name=name, count=count) for name, count in counts]


def _text(text: str) -> str:
    """Return ``text`` as a document may hold it.

    File names and hostile input can carry what no string field takes.
    """
    if text.isascii():
        return text
    return "".join(_replacement(character) for character in text)


def _replacement(character: str) -> str:
    point = ord(character)
    forbidden = 0xD800 <= point <= 0xDFFF or 0xFDD0 <= point <= 0xFDEF or point & 0xFFFE == 0xFFFE
    return "\N{REPLACEMENT CHARACTER}" if forbidden else character
