"""What `verify` and `inspect` share: options, reading each input, and printing one result for each."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeVar

import click

from interlock.cli.failure import ToolFailure
from interlock.cli.files import STANDARD, print_report, read_input, write_output
from interlock.cli.options import encoding_from, limits_from
from interlock.cli.reporting import style_of, unreadable_report, worst
from interlock.errors import InterlockError
from interlock.report.style import PLAIN, Style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from interlock.document import Document
    from interlock.limits import Limits
    from interlock.report.model import Report

    Command = TypeVar("Command", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class Judging:
    """The options of a command that judges documents."""

    format_: str
    offer: tuple[str, ...]
    output: str
    verbose: bool
    encoding: str | None
    kind: str | None
    limit: tuple[tuple[str, int], ...]

    @property
    def limits(self) -> Limits:
        """The limits, with those that were overridden."""
        return limits_from(self.limit)

    @property
    def offered(self) -> frozenset[str] | None:
        """The names of the offered capabilities; nothing if all are."""
        return offered_from(self.offer)


class Presentable(Protocol):
    """A result that knows how it looks."""

    @property
    def exit_code(self) -> int:
        """What the command returns for it."""

    def text(self, style: Style, *, everything: bool) -> str:
        """Return it for people."""

    def json(self) -> bytes:
        """Return it for machines, without a line feed."""


def judging_options(command: Command) -> Command:
    """What is offered, where the report goes, and how much of it is shown."""
    command = click.option(
        "-v", "--verbose", is_flag=True, help="Show every assumption and every gap, not the first few of each kind."
    )(command)
    command = click.option(
        "-o",
        "--output",
        type=click.Path(allow_dash=True),
        default=STANDARD,
        show_default=True,
        help="The file the report goes to, complete or not at all; `-` is standard output.",
    )(command)
    return click.option(
        "--offer",
        multiple=True,
        metavar="CAPABILITY",
        shell_complete=_complete_capability,
        help="A capability that whoever runs the graph offers, such as `repeat`; `none` for none. May be given "
        "several times. Default: all.",
    )(command)


def judge_files(
    files: Sequence[str],
    judging: Judging,
    judge: Callable[[Document, str], Presentable],
    unreadable: Callable[[Report], Presentable],
) -> int:
    """Judge every input, print one result for each in the order they were named, and return the gravest exit code."""
    if list(files).count(STANDARD) > 1:
        raise ToolFailure("usage.conflict", "standard input can be read once only, but `-` is named twice")
    results = _results(files, judging, judge, unreadable)
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
    files: Sequence[str],
    judging: Judging,
    judge: Callable[[Document, str], Presentable],
    unreadable: Callable[[Report], Presentable],
) -> Iterator[Presentable]:
    limits = judging.limits
    judging.offered  # noqa: B018  (a wrong name is wrong usage, whatever the files hold)
    for name in files:
        try:
            document = read_document(name, encoding=judging.encoding, kind=judging.kind, limits=limits)
        except InterlockError as error:
            yield unreadable(unreadable_report(name, error))
        else:
            yield judge(document, name)


def _rendered(result: Presentable, judging: Judging, style: Style, *, first: bool) -> bytes:
    if judging.format_ == "json":
        return result.json() + b"\n"
    text = result.text(style, everything=judging.verbose)
    return (text if first else f"\n{text}").encode("utf-8", "backslashreplace")


def read_document(
    name: str, *, encoding: str | None, kind: str | None, limits: Limits, canonicalize: bool = False
) -> Document:
    """Read a document from a file or standard input.

    Raises:
        ToolFailure: The input cannot be read.
        CodecError: It is no document.
    """
    from interlock.api import loads  # noqa: PLC0415  (start-up)

    data = read_input(name, limits.document_bytes)
    return loads(
        data, encoding=encoding_from(encoding), kind=kind, canonicalize=canonicalize, limits=limits
    )


def named(report: Report, source: str) -> Report:
    """Return the report with the name of the input."""
    return replace(report, subject=replace(report.subject, source=source))


def offered_from(names: Sequence[str]) -> frozenset[str] | None:
    """Return the full names of capabilities; nothing where nothing was said, which means all.

    Raises:
        ToolFailure: A name is unknown.
    """
    if not names:
        return None
    known = _capabilities()
    offered = set()
    for name in names:
        if name.lower() == "none":
            if len(names) > 1:
                raise ToolFailure("usage.conflict", "`--offer none` stands alone")
            continue
        full = name.upper().replace("-", "_")
        full = full if full.startswith("CAPABILITY_") else f"CAPABILITY_{full}"
        if full not in known:
            short = ", ".join(other.removeprefix("CAPABILITY_").lower() for other in known)
            raise ToolFailure("usage.invalid-value", f"`{name}` is no capability; there are {short}")
        offered.add(full)
    return frozenset(offered)


def _capabilities() -> list[str]:
    from execgraph.v1.capability_pb2 import Capability  # noqa: PLC0415  (start-up)

    return [name for name, number in Capability.items() if number]


def _complete_capability(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[str]:
    names = ["none", *(name.removeprefix("CAPABILITY_").lower() for name in _capabilities())]
    return [name for name in names if name.startswith(incomplete.lower())]
