"""`interlock convert`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from interlock.cli.options import file_argument, format_option, product_options, reading_options
from interlock.cli.products import Conversion, rewrite

if TYPE_CHECKING:
    from interlock.codec.encoding import Encoding

EPILOG = """\b
Examples:
  interlock convert graph.json -o graph.binpb
  interlock convert graph.binpb --to text
  interlock convert - --to json < graph.binpb

Without `--to` and without a suffix that says it, JSON becomes binary and everything else becomes JSON.
"""


@click.command(short_help="Convert between binary, JSON and text, without loss.", epilog=EPILOG)
@file_argument
@product_options
@format_option
@reading_options
def command(file: str, **options: object) -> int:
    """Convert a document between binary, JSON and text, without loss.

    The output is canonical: the same document is the same bytes.
    """

    def default(encoding: Encoding) -> str:
        return "binary" if encoding.name == "JSON" else "json"

    return rewrite(file, Conversion(**options), default)  # type: ignore[arg-type]  # click types each option
