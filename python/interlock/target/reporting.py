"""What reports say of sealed frames beside what the rules say of their documents: the bytes of modules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from interlock.diagnostic import ROOT
from interlock.errors import InterlockError
from interlock.target.claims import contradicted_claims
from interlock.target.code_rules import code_findings
from interlock.target.content import ContentReport, ContentVerdict, check_content

if TYPE_CHECKING:
    from interlock.limits import Limits
    from interlock.report.model import Report
    from interlock.target.content import Verifiers
    from interlock.target.sealed import SealedDocument

_PENDING = "module"
"""The check of the bytes of modules, which a document alone leaves open."""


def _spirv(data: memoryview, _limits: Limits) -> ContentVerdict:
    from interlock.package.spirv.reader import read_spirv  # noqa: PLC0415  (modules only)

    try:
        module = read_spirv(bytes(data))
    except InterlockError as error:
        return ContentVerdict(tuple(f"{each.message} (`{each.code}`)" for each in error.diagnostics))
    return ContentVerdict(entry_points=frozenset(entry.name for entry in module.entries))


VERIFIERS: Verifiers = {("spirv", 1): _spirv}
"""What looks into bytes of modules here."""


def frame_findings(sealed: SealedDocument, verifiers: Verifiers = VERIFIERS) -> ContentReport:
    """Return what the blobs of a frame add to what the rules say of its document.

    Args:
        sealed: The frame.
        verifiers: What looks into the bytes.
    """
    found, code = check_content(sealed, verifiers), code_findings(sealed)
    return ContentReport(
        (*found.diagnostics, *contradicted_claims(sealed), *code.diagnostics),
        (*found.unverified, *code.unverified),
    )


def with_content(report: Report, sealed: SealedDocument, verifiers: Verifiers = VERIFIERS) -> Report:
    """Return the report on the document of a frame with what its blobs add: `frame_findings`."""
    found = frame_findings(sealed, verifiers)
    gaps = [gap for gap in report.unverified if gap.check != _PENDING or gap.path != ROOT]
    return replace(
        report,
        diagnostics=(*report.diagnostics, *found.diagnostics),
        unverified=(*gaps, *found.unverified),
    )


def with_failure(report: Report, failure: InterlockError) -> Report:
    """Return the report on a document with what its frame was refused for, where the report lacks it."""
    known = {(each.code, str(each.path)) for each in report.diagnostics}
    added = [each for each in failure.diagnostics if (each.code, str(each.path)) not in known]
    return replace(report, diagnostics=(*report.diagnostics, *added))
