"""What `verify` and `inspect` do: read each input, judge it, print one result for each."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from interlock.cli.failure import EXIT_OK, EXIT_UNVERIFIED, ToolFailure
from interlock.cli.files import STANDARD, print_report, read_input, write_output
from interlock.cli.reporting import style_of, worst
from interlock.cli.settings import encoding_from, limits_from, offered_from, profiles_from
from interlock.cli.subjects import read_subject, refuse_what_is_no_document
from interlock.diagnostic import Evidence
from interlock.errors import InterlockError
from interlock.report.style import PLAIN, Style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from interlock.document import Document
    from interlock.limits import Limits
    from interlock.report.model import Report
    from interlock.rules.context import Surroundings
    from interlock.target.sealed import SealedDocument

    Judge = Callable[["Document | Report", str, "Request"], "Judged"]
    """Judges a document, or presents the report on an input that could not be read."""
    ShowModule = Callable[[str, Limits], "Judged | None"]
    """Shows a file of code; None for any other file."""


class Judging(NamedTuple):
    """The options of a command that judges documents."""

    format_: str = "text"
    offer: tuple[str, ...] = ()
    require: str = "asserted"
    output: str = STANDARD
    verbose: bool = False
    container: str | None = None
    targets: tuple[str, ...] = ()
    profiles: tuple[str, ...] = ()
    assembler: str = ""
    allow_unverified: bool = False
    encoding: str | None = None
    kind: str | None = None
    limit: tuple[tuple[str, int], ...] = ()


class Request(NamedTuple):
    """What a judge has to know beside the document.

    ``sealed`` is the frame around the document, and ``failure`` what a frame was refused for.
    """

    limits: Limits
    offered: frozenset[str] | None
    require: Evidence
    surroundings: Surroundings
    sealed: SealedDocument | None = None
    failure: InterlockError | None = None

    def with_frame(self, report: Report) -> Report:
        """Return a report with what the frame around its document adds."""
        if self.sealed is None and self.failure is None:
            return report
        from interlock.target.reporting import with_content, with_failure  # noqa: PLC0415  (frames only)

        if self.failure is not None:
            report = with_failure(report, self.failure)
        return report if self.sealed is None else with_content(report, self.sealed)


class Judged(NamedTuple):
    """A result and how it looks. The text takes colours, and whether to show everything."""

    exit_code: int
    text: Callable[[Style, bool], str]
    json: Callable[[], bytes]


def verify_files(files: Sequence[str], judging: Judging) -> int:
    """Verify every input and print the reports."""
    return judge_files(files, judging, _verified)


def _verified(subject: Document | Report, name: str, request: Request) -> Judged:
    from interlock.report.model import Report  # noqa: PLC0415  (start-up)
    from interlock.verification import verify  # noqa: PLC0415

    report = (
        subject
        if isinstance(subject, Report)
        else request.with_frame(
            verify(
                subject,
                limits=request.limits,
                offered=request.offered,
                require=request.require,
                source=name,
                surroundings=request.surroundings,
            )
        )
    )
    return presented(report)


def presented(report: Report) -> Judged:
    """Return a report as a result."""

    def text(style: Style, everything: bool) -> str:  # noqa: FBT001  (one of two forms)
        from interlock.report.text import report_text  # noqa: PLC0415  (start-up)

        return report_text(report, style, everything=everything)

    def json() -> bytes:
        from interlock.report.json import report_json  # noqa: PLC0415  (start-up)

        return report_json(report)

    return Judged(report.exit_code, text, json)


def judge_files(
    files: Sequence[str], judging: Judging, judge: Judge, show_module: ShowModule | None = None
) -> int:
    """Judge every input, print one result for each in the order they were named; return the gravest code.

    ``show_module`` shows a file of code, which nothing judges by itself; None for any other file.
    """
    if list(files).count(STANDARD) > 1:
        raise ToolFailure("usage.conflict", "standard input can be read once only, but `-` is named twice")
    results = _results(files, judging, judge, show_module)
    if judging.allow_unverified:
        results = (_allowing_unverified(result) for result in results)
    if judging.output != STANDARD:
        kept = list(results)
        rendered = [_rendered(result, judging, PLAIN, first=index == 0) for index, result in enumerate(kept)]
        write_output(judging.output, b"".join(rendered))
        return worst(result.exit_code for result in kept)
    codes = []
    style = style_of(sys.stdout)
    for index, result in enumerate(results):
        print_report(_rendered(result, judging, style, first=index == 0))
        codes.append(result.exit_code)
    return worst(codes)


def _results(
    files: Sequence[str], judging: Judging, judge: Judge, show_module: ShowModule | None
) -> Iterator[Judged]:
    from interlock.rules.context import NOWHERE, Surroundings  # noqa: PLC0415  (start-up)

    limits, offered = limits_from(judging.limit), offered_from(judging.offer)
    require, profiles = Evidence[judging.require.upper()], profiles_from(judging.profiles)
    for name in files:
        module = None if show_module is None else show_module(name, limits)
        if module is not None:
            yield module
            continue
        try:
            subject = read_subject(
                name,
                encoding=judging.encoding,
                kind=judging.kind,
                limits=limits,
                container=judging.container,
            )
        except InterlockError as error:
            from interlock.verification import unreadable_report  # noqa: PLC0415  (start-up)

            request = Request(limits, offered, require, NOWHERE)
            yield judge(unreadable_report(error, name), name, request)
        else:
            around = Surroundings(subject.container, judging.targets or None, profiles, judging.assembler)
            request = Request(limits, offered, require, around, subject.sealed, subject.failure)
            yield judge(subject.document, name, request)


def _allowing_unverified(result: Judged) -> Judged:
    return result._replace(exit_code=EXIT_OK) if result.exit_code == EXIT_UNVERIFIED else result


def _rendered(result: Judged, judging: Judging, style: Style, *, first: bool) -> bytes:
    if judging.format_ == "json":
        return result.json() + b"\n"
    text = result.text(style, judging.verbose)
    return (text if first else f"\n{text}").encode("utf-8", "backslashreplace")


def read_document(name: str, *, encoding: str | None, kind: str | None, limits: Limits) -> Document:
    """Read a document from a file or standard input.

    Raises:
        ToolFailure: The input cannot be read.
        CodecError: It is no document.
    """
    from interlock.api import loads  # noqa: PLC0415  (start-up)

    data = read_input(name, limits.document_bytes)
    refuse_what_is_no_document(name, data, frames=True)
    return loads(data, encoding=encoding_from(encoding), kind=kind, limits=limits)
