"""What the commands share that make a document: its encoding, its destination, and who hears about it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from interlock.cli.failure import EXIT_ERRORS, EXIT_OK, EXIT_UNUSABLE, ToolFailure
from interlock.cli.files import STANDARD, print_report, write_output
from interlock.cli.reporting import (
    emit_diagnostics,
    json_line,
    print_error,
    product_report,
    unreadable_report,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlock.diagnostic import Assumption, Diagnostic
    from interlock.document import Document
    from interlock.errors import InterlockError

_SUFFIXES = {
    ".json": "json",
    ".binpb": "binary",
    ".bin": "binary",
    ".pb": "binary",
    ".txtpb": "text",
    ".textproto": "text",
}


def check_destination(output: str, format_: str) -> None:
    """Refuse to mix a document and a report on standard output.

    Raises:
        ToolFailure: Both would go there.
    """
    if format_ == "json" and output == STANDARD:
        raise ToolFailure(
            "usage.conflict",
            "with `--format json` standard output holds the report; name a file for the document with `-o`",
        )


def target_encoding(target: str | None, output: str, default: str) -> str:
    """Return the encoding of a product: as asked for, as the suffix of the file says, or the default."""
    if target is not None:
        return target
    return _SUFFIXES.get(os.path.splitext(output)[1].lower(), default)  # noqa: PTH122  (pathlib costs start-up)


def write_document(document: Document, encoding: str, output: str) -> None:
    """Write a document in an encoding."""
    if encoding == "binary":
        write_output(output, document.binary, binary=True)
    elif encoding == "json":
        write_output(output, document.json())
    else:
        from interlock.api import encode_text  # noqa: PLC0415  (start-up)

        write_output(output, encode_text(document).encode())


def report_product(
    source: str,
    format_: str,
    document: Document,
    diagnostics: tuple[Diagnostic, ...] = (),
    assumptions: tuple[Assumption, ...] = (),
) -> int:
    """Say what was made: as JSON on standard output, or findings and assumptions on standard error."""
    if format_ == "json":
        print_report(json_line(product_report(source, document, diagnostics, assumptions)))
    else:
        emit_diagnostics(diagnostics, source)
        for held in assumptions:
            print_error(f"{source}: {held.path}: assumption[{held.code}] {held.message}")
    return EXIT_OK


def report_refusal(source: str, format_: str, error: InterlockError, *, readable: bool) -> int:
    """Say why nothing was made; the exit code tells an input that cannot be read from one that cannot be mapped."""
    if format_ == "json":
        report = (
            product_report(source, None, error.diagnostics) if readable else unreadable_report(source, error)
        )
        print_report(json_line(report))
    else:
        emit_diagnostics(error.diagnostics, "" if isinstance(error, ToolFailure) else source)
    return EXIT_ERRORS if readable else EXIT_UNUSABLE


def make_document(
    source: str, format_: str, encoding: Callable[[Document], str], output: str, read: Callable[[], Document]
) -> int:
    """Read a document, write it again, and report."""
    from interlock.errors import InterlockError  # noqa: PLC0415  (a name only used here)

    check_destination(output, format_)
    try:
        document = read()
        write_document(document, encoding(document), output)
    except InterlockError as error:
        return report_refusal(source, format_, error, readable=False)
    return report_product(source, format_, document)
