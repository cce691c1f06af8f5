"""`interlock inspect`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from interlock.analysis.inspect import Inspection, inspect
from interlock.cli.judging import Judged, Judging, Request, judge_files
from interlock.cli.options import files_argument, format_option, judging_options, reading_options
from interlock.report.json import inspection_json
from interlock.report.model import Report
from interlock.report.text import inspection_text

if TYPE_CHECKING:
    from interlock.document import Document

EPILOG = """\b
Examples:
  interlock inspect graph.json
  interlock inspect --format json graph.json | python3 -m json.tool

The findings and the exit code are those of `interlock verify`.
"""


@click.command(epilog=EPILOG)
@files_argument
@format_option
@judging_options
@reading_options
def command(files: tuple[str, ...], **options: object) -> int:
    """Show what documents hold: counts, digests, needs, assumptions and findings."""
    return judge_files(files, Judging(**options), _inspected)  # type: ignore[arg-type]  # click types each option


def _inspected(subject: Document | Report, name: str, request: Request) -> Judged:
    inspection = (
        Inspection(subject)
        if isinstance(subject, Report)
        else inspect(
            subject,
            limits=request.limits,
            offered=request.offered,
            require=request.require,
            source=name,
        )
    )
    return Judged(
        inspection.report.exit_code,
        lambda style, everything: inspection_text(inspection, style, everything=everything),
        lambda: inspection_json(inspection),
    )
