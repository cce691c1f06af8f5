"""`interlock verify`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from interlock.cli.judging import Judging, judge_files, judging_options, named
from interlock.cli.options import files_argument, format_option, reading_options

if TYPE_CHECKING:
    from interlock.document import Document
    from interlock.report.model import Report
    from interlock.report.style import Style

EPILOG = """\b
Examples:
  interlock verify graph.json
  interlock verify --offer repeat --offer atomic-int32 graph.binpb
  interlock verify --format json graphs/*.json > reports.jsonl
  interlock import crosstl runtime_graph.json | interlock verify -

With several files the exit code is the gravest one: 2, then 1, then 3, then 0.
"""


@dataclass(frozen=True, slots=True)
class _Verified:
    report: Report

    @property
    def exit_code(self) -> int:
        return self.report.exit_code

    def text(self, style: Style, *, everything: bool) -> str:
        from interlock.report.text import report_text  # noqa: PLC0415  (start-up)

        return report_text(self.report, style, everything=everything)

    def json(self) -> bytes:
        from interlock.report.json import report_json  # noqa: PLC0415  (start-up)

        return report_json(self.report)


@click.command(epilog=EPILOG)
@files_argument
@format_option
@judging_options
@reading_options
def command(files: tuple[str, ...], **options: object) -> int:
    """Judge documents and report everything that is found.

    Every finding has a code, a place and a sentence. What could not be verified is listed with the reason, and never
    counts as passed.
    """
    judging = Judging(**options)  # type: ignore[arg-type]  # click gives each option the type it declares

    def judge(document: Document, name: str) -> _Verified:
        from interlock.rules import verify  # noqa: PLC0415  (start-up)

        return _Verified(named(verify(document, limits=judging.limits, offered=judging.offered), name))

    return judge_files(files, judging, judge, _Verified)
