"""`interlock inspect`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from interlock.analysis.inspect import Inspection, inspect
from interlock.cli.judging import Judged, Judging, Request, judge_files
from interlock.cli.modules import inspected_module
from interlock.cli.options import (
    files_argument,
    format_option,
    judging_options,
    package_options,
    reading_options,
)
from interlock.report.json import inspection_json
from interlock.report.model import Report
from interlock.report.style import printable
from interlock.report.text import inspection_text

if TYPE_CHECKING:
    from interlock.document import Document

EPILOG = """\b
Examples:
  interlock inspect graph.json
  interlock inspect --format json graph.json | python3 -m json.tool
  interlock inspect graph.envelope
  interlock inspect kernel.spv

The findings and the exit code are those of `interlock verify`.
"""


@click.command(short_help="Show what documents hold, and the same findings.", epilog=EPILOG)
@files_argument
@format_option
@judging_options
@package_options
@reading_options
def command(files: tuple[str, ...], **options: object) -> int:
    """Show what documents hold: counts, digests, needs, assumptions and findings.

    Of a sealed bundle, payload or envelope it lists the modules too. Of a SPIR-V module it shows the
    interface as its bytes have it.
    """
    return judge_files(files, Judging(**options), _inspected, inspected_module)  # type: ignore[arg-type]  # click does


def _inspected(subject: Document | Report, name: str, request: Request) -> Judged:
    if isinstance(subject, Report):
        inspection = Inspection(subject)
    else:
        found = inspect(
            subject,
            limits=request.limits,
            offered=request.offered,
            require=request.require,
            source=name,
            surroundings=request.surroundings,
        )
        inspection = replace(found, report=request.with_frame(found.report))
    return Judged(
        inspection.report.exit_code,
        lambda style, everything: inspection_text(inspection, style, everything=everything) + _held(request),
        lambda: inspection_json(inspection),
    )


def _held(request: Request) -> str:
    """Return what a sealed frame holds, in lines of their own; empty for a document without a frame."""
    if request.sealed is None:
        return ""
    from interlock.target.listing import listing  # noqa: PLC0415  (frames only)

    return "\n" + "".join(f"{printable(line)}\n" for line in listing(request.sealed))
