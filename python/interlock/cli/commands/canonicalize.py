"""`interlock canonicalize`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from interlock.cli.options import file_argument, format_option, product_options, reading_options
from interlock.cli.products import Conversion, rewrite

if TYPE_CHECKING:
    from interlock.codec.encoding import Encoding

EPILOG = """\b
Examples:
  interlock canonicalize from_elsewhere.binpb -o graph.binpb
  interlock canonicalize edited.json -o graph.json

Without `--to` and without a suffix that says it, the output has the encoding of the input.
"""


@click.command(short_help="Write a document in canonical form.", epilog=EPILOG)
@file_argument
@product_options
@format_option
@reading_options
def command(file: str, **options: object) -> int:
    """Write a document in canonical form, also one whose binary is not canonical.

    Accepted and mended are the order of fields and sets, defaults that are spelled out, and the like;
    unknown content, duplicates and malformed bytes stay refused.
    """

    def default(encoding: Encoding) -> str:
        return encoding.name.lower()

    return rewrite(file, Conversion(**options, canonicalize=True), default)  # type: ignore[arg-type]  # as above
