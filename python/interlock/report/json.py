"""Reports as canonical JSON of `execgraph.report.v1`, without a trailing newline.

The encoder is that of documents, so the same report is the same bytes on every machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock import codec
from interlock.report.message import inspection_message, report_message

if TYPE_CHECKING:
    from interlock.analysis.inspect import Inspection
    from interlock.report.model import Report


def report_json(report: Report) -> bytes:
    """Return a report as canonical JSON of `execgraph.report.v1.Report`."""
    return codec.encode_json(report_message(report))


def inspection_json(inspection: Inspection) -> bytes:
    """Return an inspection as canonical JSON of `execgraph.report.v1.Inspection`."""
    return codec.encode_json(inspection_message(inspection))
