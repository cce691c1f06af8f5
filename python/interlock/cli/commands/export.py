"""`interlock export`: documents become foreign formats."""

from __future__ import annotations

import click

from interlock.cli.files import STANDARD, write_output
from interlock.cli.judging import read_document
from interlock.cli.options import FileType, file_argument, format_option, reading_options
from interlock.cli.products import check_destination, report_product, report_refusal
from interlock.cli.settings import limits_from
from interlock.errors import ExportFailure, InterlockError

EPILOG = """\b
Examples:
  interlock export crosstl graph.json -o runtime_graph.json

Exit code 1 means that CrossTL's format cannot say what the graph says. Every reason is printed, and nothing
is written.
"""


@click.group(no_args_is_help=False)
def command() -> None:
    """Make another tool's format of a document. What the format cannot say is an error, never left out."""


@command.command(short_help="Export a graph for CrossTL.", epilog=EPILOG)
@file_argument
@click.option(
    "-o",
    "--output",
    type=FileType(),
    default=STANDARD,
    show_default=True,
    help="The file to write, complete or not at all; `-` is standard output.",
)
@format_option
@reading_options
def crosstl(
    file: str,
    output: str,
    format_: str,
    encoding: str | None,
    kind: str | None,
    limit: tuple[tuple[str, int], ...],
) -> int:
    """Export a graph as a runtime execution graph of CrossTL (schema version 1)."""
    from interlock.interop.crosstl import export_crosstl  # noqa: PLC0415  (start-up)

    check_destination(output, format_)
    try:
        document = read_document(file, encoding=encoding, kind=kind, limits=limits_from(limit))
        write_output(output, export_crosstl(document))
    except InterlockError as error:
        return report_refusal(file, format_, error, readable=isinstance(error, ExportFailure))
    return report_product(file, format_, document)
