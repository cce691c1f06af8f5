"""`interlock pack`."""

from __future__ import annotations

from typing import NamedTuple

import click

from interlock.cli.failure import ToolFailure
from interlock.cli.files import STANDARD, read_input
from interlock.cli.options import FileType, file_argument, format_option
from interlock.cli.packaging import (
    Made,
    destination_option,
    digest_line,
    folder_of,
    force_option,
    limit_option,
    perform,
    writing,
)
from interlock.cli.settings import ENCODINGS, encoding_from, limits_from

EPILOG = """\b
Examples:
  interlock pack package.txtpb -o sum.tar
  interlock pack package.json -o sum --tag 1.0 --pin

A reference to a blob that states a `location` and no digest gets both from the file. The output is an OCI
image layout: a tar file if its name ends with `.tar`, else a directory. The same input gives the same
bytes.
"""


class _Packing(NamedTuple):
    """The options that say what is packed, and where to."""

    output: str
    blobs: str | None
    tag: str | None
    pin: bool
    force: bool
    encoding: str | None


@click.command(short_help="Put a package document and its blobs into one container.", epilog=EPILOG)
@file_argument
@destination_option("The OCI image layout to write.")
@click.option(
    "--blobs",
    type=FileType(),
    metavar="DIR",
    help="What locations are relative to. Default: the folder of the document.",
)
@click.option("--tag", metavar="TAG", help="The tag that the index of the layout states.")
@click.option("--pin", is_flag=True, help="Let the graphs in the package pin its variants first.")
@force_option("a layout that is there; nothing else is ever replaced")
@click.option(
    "--from",
    "encoding",
    type=click.Choice(ENCODINGS),
    help="The encoding of the document. Default: detected from the content.",
)
@format_option
@limit_option
def command(
    file: str,
    format_: str,
    limit: tuple[tuple[str, int], ...],
    **options: object,
) -> int:
    """Put a package document and the blobs it refers to into one container, and print its digest."""
    packing = _Packing(**options)  # type: ignore[arg-type]  # click gives each option the type it declares
    if file == STANDARD and packing.blobs is None:
        raise ToolFailure("usage.missing-argument", "a document from standard input needs `--blobs DIR`")
    limits = limits_from(limit)

    def make() -> Made:
        from interlock.api import loads  # noqa: PLC0415  (start-up)
        from interlock.package.edit import packed, with_pins  # noqa: PLC0415
        from interlock.package.oci import write_layout  # noqa: PLC0415

        data = read_input(file, limits.document_bytes)
        document = loads(data, encoding=encoding_from(packing.encoding), kind="Package", limits=limits)
        assembly = packed(document, packing.blobs or folder_of(file), limits)
        if packing.pin:
            assembly = with_pins(assembly, limits)
        output = packing.output
        with writing(output):
            write_layout(
                assembly.document,
                assembly.blobs,
                output,
                tag=packing.tag,
                replace=packing.force,
                limits=limits,
            )
        return Made(assembly.document, (digest_line(assembly.document, output),))

    return perform(file, format_, make)
