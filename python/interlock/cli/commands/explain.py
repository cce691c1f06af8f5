"""`interlock explain`."""

from __future__ import annotations

import sys

import click

from interlock.cli.failure import EXIT_OK, ToolFailure
from interlock.cli.files import print_report
from interlock.cli.options import format_option
from interlock.cli.reporting import style_of

EPILOG = """\b
Examples:
  interlock explain order.dependency-cycle
  interlock explain --list
"""


def _complete_code(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    from interlock.report.catalogue import codes  # noqa: PLC0415  (only while completing)

    return [code for code in codes() if code.startswith(incomplete)]


@click.command(short_help="Print what a code means.", epilog=EPILOG)
@click.argument("code", required=False, shell_complete=_complete_code)
@click.option("--list", "list_", is_flag=True, help="List all codes with what they mean.")
@format_option
def command(code: str | None, list_: bool, format_: str) -> int:  # noqa: FBT001  (a flag of the command line)
    """Print the page of a code: what it means, why it matters, a bad and a good example."""
    from interlock.report import catalogue  # noqa: PLC0415  (start-up)

    if list_ == (code is not None):
        raise ToolFailure("usage.missing-argument", "either a code or `--list` is needed")
    if code is None:
        entries = [catalogue.entry(known) for known in catalogue.codes()]
        if format_ == "json":
            print_report(catalogue.entries_json(entries) + b"\n")
        else:
            width = max(len(entry.code) for entry in entries)
            print_report("".join(f"{entry.code:<{width}}  {entry.summary}\n" for entry in entries))
        return EXIT_OK
    if code not in catalogue.codes():
        near = catalogue.similar(code)
        meant = f"; did you mean {' or '.join(f'`{other}`' for other in near)}?" if near else ""
        raise ToolFailure("usage.unknown-code", f"there is no code `{code}`{meant}")
    entry = catalogue.entry(code)
    if format_ == "json":
        print_report(catalogue.entries_json([entry]) + b"\n")
    elif style_of(sys.stdout).color:
        _print_markdown(entry.page)
    else:
        print_report(entry.page)
    return EXIT_OK


def _print_markdown(page: str) -> None:
    from rich.console import Console  # noqa: PLC0415  (only on terminals: it costs more than all the rest)
    from rich.markdown import Markdown  # noqa: PLC0415

    Console().print(Markdown(page))
