"""`interlock digest`."""

from __future__ import annotations

from dataclasses import dataclass

import click

from interlock.cli.failure import EXIT_OK, EXIT_UNVERIFIED, ToolFailure
from interlock.cli.files import STANDARD, print_report, read_input
from interlock.cli.options import files_argument, format_option, reading_options
from interlock.cli.products import report_refusal
from interlock.cli.reporting import emit_diagnostics, json_line, product_report, worst
from interlock.cli.settings import encoding_from, limits_from
from interlock.errors import CodecError, InterlockError
from interlock.hashing import sha256_digest

EPILOG = """\b
Examples:
  interlock digest graph.json graph.binpb
  interlock digest --semantic graph.json
  interlock convert graph.json --to binary | sha256sum

The digest is that of the canonical binary, whatever the encoding of the file. A binary document of a newer
minor version of the schema is hashed without being read; the exit code is then 3.
"""


@dataclass(frozen=True, slots=True)
class _Reading:
    """The options that say how each file is read."""

    semantic: bool
    encoding: str | None
    kind: str | None
    limit: tuple[tuple[str, int], ...]


@click.command(short_help="Print the digests of documents.", epilog=EPILOG)
@files_argument
@click.option("--semantic", is_flag=True, help="Leave out who made the document and from what.")
@format_option
@reading_options
def command(files: tuple[str, ...], format_: str, **options: object) -> int:
    """Print the digest of documents, one a line: the digest, two spaces, the file."""
    if files.count(STANDARD) > 1:
        raise ToolFailure("usage.conflict", "standard input can be read once only, but `-` is named twice")
    reading = _Reading(**options)  # type: ignore[arg-type]  # click gives each option the type it declares
    return worst([_one(name, format_, reading) for name in files])


def _one(name: str, format_: str, reading: _Reading) -> int:
    from interlock.api import loads  # noqa: PLC0415  (start-up)

    limits = limits_from(reading.limit)
    data = b""
    try:
        data = read_input(name, limits.document_bytes)
        encoding = encoding_from(reading.encoding)
        document = loads(data, encoding=encoding, kind=reading.kind, limits=limits)
        digest = document.semantic_digest if reading.semantic else document.digest
    except CodecError as error:
        if error.code == "version.newer-minor" and not reading.semantic and _is_binary(data, reading):
            return _unread(name, format_, data, error)
        return report_refusal(name, format_, error, readable=False)
    except InterlockError as error:
        return report_refusal(name, format_, error, readable=False)
    if format_ == "json":
        print_report(json_line(product_report(name, document)))
    else:
        print_report(_line(digest, name))
    return EXIT_OK


def _is_binary(data: bytes, reading: _Reading) -> bool:
    from interlock.codec.encoding import Encoding, detect_encoding  # noqa: PLC0415  (start-up)

    return (encoding_from(reading.encoding) or detect_encoding(data)) is Encoding.BINARY


def _unread(name: str, format_: str, data: bytes, error: CodecError) -> int:
    """Print the digest of bytes that this reader is too old to read, and that it did not."""
    digest = sha256_digest(data)
    if format_ == "json":
        from interlock.diagnostic import Unverified  # noqa: PLC0415  (start-up)
        from interlock.report.model import Report, Subject  # noqa: PLC0415
        from interlock.rules.model import RULE_SET  # noqa: PLC0415

        gap = Unverified(error.code, error.diagnostics[0].message, error.path)
        subject = Subject(name, digest=digest)
        print_report(json_line(Report(subject, unverified=(gap,), rule_set=RULE_SET, judged=False)))
    else:
        print_report(_line(digest, name))
        emit_diagnostics(error, name)
    return EXIT_UNVERIFIED


def _line(digest: str, name: str) -> bytes:
    return f"{digest}  {name}\n".encode("utf-8", "surrogateescape")
