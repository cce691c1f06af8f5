"""`interlock wrap`."""

from __future__ import annotations

from typing import NamedTuple

import click

from interlock.cli.failure import ToolFailure
from interlock.cli.options import FileType, format_option, product_options
from interlock.cli.packaging import limit_option, tag_option
from interlock.cli.products import (
    check_destination,
    report_product,
    report_refusal,
    target_encoding,
    write_document,
)
from interlock.cli.settings import limits_from
from interlock.errors import InterlockError, TransformFailure

EPILOG = """\b
Examples:
  interlock wrap scale.cglb --artifact scale_bias --entry main --count 16 \\
      --bytes ValuesBlock=4096 --bytes ScaledBlock=4096 --bytes Parameters=8 \\
      --access ValuesBlock=read --access ScaledBlock=write --full ScaledBlock -o scale.json
  interlock verify scale.json

The package stays as it is; the graph pins its bytes. Exit code 1 means that the package does not say
enough, or something else, and every reason is printed.
"""

_MODES = ("read", "write", "read-write")


class _Request(NamedTuple):
    """The options."""

    artifact: str
    entry: str
    workgroups: str
    bytes_: tuple[str, ...]
    full: tuple[str, ...]
    access: tuple[str, ...]
    on: str | None
    output: str
    target: str | None


@click.command(short_help="Make a graph of one dispatch of a packaged entry.", epilog=EPILOG)
@click.argument("package", type=FileType())
@click.option("--artifact", required=True, metavar="ID", help="The artifact, as `interlock ls` lists it.")
@click.option("--entry", required=True, metavar="NAME", help="The entry, by its logical name.")
@click.option("--count", "workgroups", required=True, metavar="X[,Y[,Z]]", help="The number of workgroups.")
@click.option(
    "--bytes",
    "bytes_",
    multiple=True,
    metavar="SLOT=N",
    help="The bytes that a slot gets. May be given several times.",
)
@click.option(
    "--full",
    multiple=True,
    metavar="SLOT",
    help="A slot of which every byte is overwritten and none is read. May be given several times. "
    "Default: none, and what is written keeps what the caller put there.",
)
@click.option(
    "--access",
    multiple=True,
    metavar="SLOT=MODE",
    help="What the entry does to a slot of which the package does not say it: read, write or read-write.",
)
@click.option(
    "--on",
    metavar="TARGET",
    help="The target whose variant describes the entry. Default: the first that has the entry.",
)
@tag_option
@product_options
@format_option
@limit_option
def command(
    package: str,
    tag: str | None,
    format_: str,
    limit: tuple[tuple[str, int], ...],
    **options: object,
) -> int:
    """Make a graph of one dispatch that runs one entry of a packaged artifact, which stays as it is."""
    request = _Request(**options)  # type: ignore[arg-type]  # click gives each option the type it declares
    check_destination(request.output, format_)
    limits = limits_from(limit)
    from interlock.interop.crosstl.names import ACCESS_MODES  # noqa: PLC0415  (start-up)
    from interlock.package.opening import open_container  # noqa: PLC0415
    from interlock.package.wrap import Wrapping, wrap  # noqa: PLC0415

    access = {
        slot: ACCESS_MODES[_one_of(mode, _MODES, "--access")]
        for slot, mode in _pairs(request.access, "--access")
    }
    wrapping = Wrapping(
        [_number(text, "--count") for text in request.workgroups.split(",")],
        {slot: _number(text, "--bytes") for slot, text in _pairs(request.bytes_, "--bytes")},
        request.full,
        access,
        request.on,
    )
    try:
        container = open_container(package, tag=tag, limits=limits)
        document = wrap(container, request.artifact, request.entry, wrapping, limits=limits)
        write_document(document, target_encoding(request.target, request.output, "json"), request.output)
    except InterlockError as error:
        return report_refusal(package, format_, error, readable=isinstance(error, TransformFailure))
    return report_product(package, format_, document)


def _pairs(values: tuple[str, ...], option: str) -> list[tuple[str, str]]:
    pairs = []
    for value in values:
        slot, separator, rest = value.rpartition("=")
        if not separator or not slot:
            raise ToolFailure("usage.invalid-value", f"`{value}` of `{option}` is not SLOT=VALUE")
        pairs.append((slot, rest))
    return pairs


def _number(text: str, option: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 20:
        return int(text)
    raise ToolFailure("usage.invalid-value", f"`{text}` of `{option}` is not a whole number of at least 0")


def _one_of(text: str, known: tuple[str, ...], option: str) -> str:
    if text not in known:
        raise ToolFailure("usage.invalid-value", f"`{text}` of `{option}` is none of {', '.join(known)}")
    return text
