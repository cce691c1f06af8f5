"""Printing reports and failures, as text or as JSON, in one place for all commands."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

from interlock.cli.failure import EXIT_ERRORS, EXIT_OK, EXIT_UNUSABLE, EXIT_UNVERIFIED, ToolFailure
from interlock.cli.files import print_report
from interlock.report.style import Style, printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlock.diagnostic import Assumption, Diagnostic
    from interlock.document import Document
    from interlock.errors import InterlockError
    from interlock.report.model import Report

_GRAVITY = (EXIT_OK, EXIT_UNVERIFIED, EXIT_ERRORS, EXIT_UNUSABLE)


def worst(codes: Iterable[int]) -> int:
    """Return the gravest of several exit codes: unreadable, then errors, then unverified, then fine."""
    return max(codes, key=_GRAVITY.index, default=EXIT_OK)


def style_of(stream: TextIO | None) -> Style:
    """Return colours where the stream is a terminal and nobody asked for none (`NO_COLOR`, `TERM=dumb`)."""
    plain = stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return Style(not plain and stream is not None and stream.isatty())


def product_report(
    source: str,
    document: Document | None,
    diagnostics: Iterable[Diagnostic] = (),
    assumptions: Iterable[Assumption] = (),
) -> Report:
    """Return the report on a command that made a document, or would have: its subject is the document.

    It holds no verdict, because no rule looked at the document.
    """
    from interlock.report.model import Report, Subject  # noqa: PLC0415  (start-up)
    from interlock.rules import RULE_SET  # noqa: PLC0415
    from interlock.verification import subject_of  # noqa: PLC0415

    subject = Subject(source=source) if document is None else subject_of(document, source)
    return Report(subject, tuple(diagnostics), tuple(assumptions), rule_set=RULE_SET, judged=False)


def failure_report(error: InterlockError, source: str = "") -> Report:
    """Return the report on what ended a command.

    An input that could not be read is unreadable. Wrong usage, an output that could not be written and a
    failure of the tool itself say nothing of any document.
    """
    from interlock.verification import unreadable_report  # noqa: PLC0415  (start-up)

    if isinstance(error, ToolFailure):
        source = source or error.source
        if not error.code.startswith("input."):
            return product_report(source, None, error.diagnostics)
    return unreadable_report(error, source)


def json_line(report: Report) -> bytes:
    """Return a report as one line of JSON."""
    from interlock.report.json import report_json  # noqa: PLC0415  (start-up)

    return report_json(report) + b"\n"


def emit_failure(error: InterlockError, *, as_json: bool) -> None:
    """Print what ended a command: JSON on standard output, or text on standard error."""
    if as_json:
        print_report(json_line(failure_report(error)))
        return
    emit_diagnostics(error)
    if isinstance(error, ToolFailure) and error.hint:
        print_error(error.hint)


def emit_diagnostics(error: InterlockError, source: str = "") -> None:
    """Print on standard error why something was refused: by the tool, or for findings about a source."""
    if isinstance(error, ToolFailure):
        emit_findings(error.diagnostics, root="interlock")
    else:
        emit_findings(error.diagnostics, source)


def emit_findings(diagnostics: Iterable[Diagnostic], source: str = "", root: str = "document") -> None:
    """Print findings on standard error."""
    from interlock.report.finding import diagnostic_lines  # noqa: PLC0415  (start-up)

    style = style_of(sys.stderr)
    prefix = f"{printable(source)}: " if source else ""
    for diagnostic in diagnostics:
        print_error(prefix + "\n".join(diagnostic_lines(diagnostic, style, root)))


def print_error(text: str) -> None:
    """Print a line on standard error, if there is one."""
    if sys.stderr is None:
        return
    encoding = sys.stderr.encoding or "utf-8"
    try:
        sys.stderr.write(f"{text}\n".encode(encoding, "backslashreplace").decode(encoding))
        sys.stderr.flush()
    except OSError:
        return  # nobody is listening; the exit code still tells
