"""`interlock pin`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from interlock.cli.judging import read_document
from interlock.cli.options import FileType, format_option, product_options, reading_options
from interlock.cli.packaging import tag_option
from interlock.cli.products import (
    Conversion,
    check_destination,
    report_product,
    report_refusal,
    target_encoding,
    write_document,
)
from interlock.cli.settings import limits_from
from interlock.errors import InterlockError, TransformFailure

if TYPE_CHECKING:
    from execgraph.v1.package_pb2 import Package

EPILOG = """\b
Examples:
  interlock pin graph.json --package sum.tar -o pinned.json
  interlock pin graph.json --package sum.tar | interlock verify -

Exit code 1 means that the package does not say which bytes the graph means. Nothing is written then.
"""


@click.command(short_help="Let a graph pin the bytes that a package has.", epilog=EPILOG)
@click.argument("graph", type=FileType())
@click.option(
    "--package", type=FileType(), required=True, metavar="PACKAGE", help="The package with the artifacts."
)
@tag_option
@product_options
@format_option
@reading_options
def command(
    graph: str,
    package: str,
    tag: str | None,
    **options: object,
) -> int:
    """Write into a graph which bytes its artifacts stand for: those that a package has, one pin a target."""
    from interlock.package.edit import pinned  # noqa: PLC0415  (start-up)
    from interlock.package.listing import package_document  # noqa: PLC0415
    from interlock.package.opening import open_container  # noqa: PLC0415

    pinning = Conversion(**options)  # type: ignore[arg-type]  # click gives each option the type it declares
    check_destination(pinning.output, pinning.format_)
    limits = limits_from(pinning.limit)
    source = package
    try:
        held = package_document(open_container(package, tag=tag, limits=limits))
        source = graph
        kind = pinning.kind or "ExecutionGraph"
        read = read_document(graph, encoding=pinning.encoding, kind=kind, limits=limits)
        document = pinned(read, cast("Package", held.message))
        write_document(document, target_encoding(pinning.target, pinning.output, "json"), pinning.output)
    except InterlockError as error:
        return report_refusal(source, pinning.format_, error, readable=isinstance(error, TransformFailure))
    return report_product(graph, pinning.format_, document)
