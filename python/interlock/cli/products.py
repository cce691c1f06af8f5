"""What the commands share that make a document: its encoding, its destination, and who hears about it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from interlock.cli.failure import EXIT_ERRORS, EXIT_OK, EXIT_UNUSABLE, ToolFailure
from interlock.cli.files import STANDARD, print_report, read_input, write_output
from interlock.cli.reporting import (
    emit_diagnostics,
    emit_findings,
    failure_report,
    json_line,
    print_error,
    product_report,
)
from interlock.cli.settings import encoding_from, limits_from
from interlock.errors import InterlockError

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlock.codec.encoding import Encoding
    from interlock.diagnostic import Assumption, Diagnostic
    from interlock.document import Document


@dataclass(frozen=True, slots=True)
class Conversion:
    """The options of a command that writes a document in another encoding."""

    format_: str
    target: str | None
    output: str
    encoding: str | None
    kind: str | None
    limit: tuple[tuple[str, int], ...]
    canonicalize: bool = False


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


def refuse_input_as_output(output: str, *inputs: str | None) -> None:
    """Refuse to write what is made of files over one of them.

    Raises:
        ToolFailure: They are one file.
    """
    for name in inputs:
        if name is None or STANDARD in (name, output):
            continue
        try:
            same = os.path.samefile(name, output)  # noqa: PTH121  (pathlib costs start-up)
        except (OSError, ValueError):
            continue  # one of them does not exist; whoever opens it says so
        if same:
            raise ToolFailure(
                "usage.conflict", f"`{output}` is an input; name another file with `-o`", output
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
        emit_findings(diagnostics, source)
        for held in assumptions:
            print_error(f"{source}: {held.path}: assumption[{held.code}] {held.message}")
    return EXIT_OK


def report_refusal(source: str, format_: str, error: InterlockError, *, readable: bool) -> int:
    """Say why nothing was made.

    The exit code tells an input that cannot be read from one that cannot be mapped.
    """
    if format_ == "json":
        report = (
            product_report(source, None, error.diagnostics) if readable else failure_report(error, source)
        )
        print_report(json_line(report))
    else:
        emit_diagnostics(error, source)
    return EXIT_ERRORS if readable else EXIT_UNUSABLE


def rewrite(source: str, conversion: Conversion, default: Callable[[Encoding], str]) -> int:
    """Read a document, write it in an encoding, and report.

    Args:
        source: The input.
        conversion: The options of the command.
        default: The encoding of the output, given that of the input, where neither an option nor a suffix
            says it.
    """
    from interlock.api import loads  # noqa: PLC0415  (start-up)
    from interlock.codec.encoding import detect_encoding  # noqa: PLC0415

    check_destination(conversion.output, conversion.format_)
    limits = limits_from(conversion.limit)
    try:
        data = read_input(source, limits.document_bytes)
        encoding = encoding_from(conversion.encoding) or detect_encoding(data)
        document = loads(
            data,
            encoding=encoding,
            kind=conversion.kind,
            canonicalize=conversion.canonicalize,
            limits=limits,
        )
        target = target_encoding(conversion.target, conversion.output, default(encoding))
        write_document(document, target, conversion.output)
    except InterlockError as error:
        return report_refusal(source, conversion.format_, error, readable=False)
    return report_product(source, conversion.format_, document)
