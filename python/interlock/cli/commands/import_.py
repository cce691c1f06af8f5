"""`interlock import`: foreign formats become documents."""

from __future__ import annotations

import click

from interlock.cli.files import read_input
from interlock.cli.options import (
    LimitType,
    file_argument,
    format_option,
    product_options,
)
from interlock.cli.products import (
    check_destination,
    report_product,
    report_refusal,
    target_encoding,
    write_document,
)
from interlock.cli.settings import limits_from
from interlock.errors import ImportFailure, InterlockError

EPILOG = """\b
Examples:
  interlock import crosstl runtime_graph.json -o graph.json
  interlock import crosstl runtime_graph.json | interlock verify -

Exit code 1 means that the input is a graph that cannot be mapped, 2 that it cannot be read at all. Either
way every reason is printed, and nothing is written.
"""


@click.group(no_args_is_help=False)
def command() -> None:
    """Make a document of another tool's format. What cannot be mapped is an error, never a guess."""


@command.command(short_help="Import a runtime execution graph of CrossTL.", epilog=EPILOG)
@file_argument
@product_options
@format_option
@click.option(
    "--limit", multiple=True, type=LimitType(), metavar="NAME=VALUE", help="Raise or lower a limit."
)
def crosstl(
    file: str, target: str | None, output: str, format_: str, limit: tuple[tuple[str, int], ...]
) -> int:
    """Import a runtime execution graph of CrossTL (`crosstl-runtime-execution-graph`, schema version 1).

    What CrossTL leaves unsaid becomes an assumption, which is printed and kept in the document's provenance.
    """
    from interlock.interop.crosstl import import_crosstl  # noqa: PLC0415  (start-up)

    check_destination(output, format_)
    try:
        imported = import_crosstl(read_input(file, limits_from(limit).document_bytes))
        write_document(imported.document, target_encoding(target, output, "json"), output)
    except InterlockError as error:
        return report_refusal(file, format_, error, readable=_was_read(error))
    return report_product(file, format_, imported.document, imported.diagnostics, imported.assumptions)


def _was_read(error: InterlockError) -> bool:
    """Tell a graph that cannot be mapped from an input that is no JSON, or too large."""
    unread = ("json.", "limit.")
    return isinstance(error, ImportFailure) and not any(
        finding.code.startswith(unread) for finding in error.diagnostics
    )
