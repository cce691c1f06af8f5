"""`interlock inspect`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from interlock.analysis.inspect import Inspection, inspect
from interlock.cli.judging import Judging, judge_files, judging_options, named
from interlock.cli.options import files_argument, format_option, reading_options

if TYPE_CHECKING:
    from interlock.document import Document
    from interlock.report.model import Report
    from interlock.report.style import Style

EPILOG = """\b
Examples:
  interlock inspect graph.json
  interlock inspect --format json graph.json | python3 -m json.tool

The findings and the exit code are those of `interlock verify`.
"""


@dataclass(frozen=True, slots=True)
class _Inspected:
    inspection: Inspection

    @property
    def exit_code(self) -> int:
        return self.inspection.report.exit_code

    def text(self, style: Style, *, everything: bool) -> str:
        from interlock.report.text import inspection_text  # noqa: PLC0415  (start-up)

        return inspection_text(self.inspection, style, everything=everything)

    def json(self) -> bytes:
        from interlock.report.json import inspection_json  # noqa: PLC0415  (start-up)

        return inspection_json(self.inspection)


@click.command(epilog=EPILOG)
@files_argument
@format_option
@judging_options
@reading_options
def command(files: tuple[str, ...], **options: object) -> int:
    """Show what documents hold: counts, digests, needs, assumptions and findings."""
    judging = Judging(**options)  # type: ignore[arg-type]  # click gives each option the type it declares

    def judge(document: Document, name: str) -> _Inspected:
        inspection = inspect(document, limits=judging.limits, offered=judging.offered)
        return _Inspected(replace(inspection, report=named(inspection.report, name)))

    def unreadable(report: Report) -> _Inspected:
        return _Inspected(Inspection(report))

    return judge_files(files, judging, judge, unreadable)
