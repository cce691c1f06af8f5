"""What the commands share that make, change or move packages: options, inputs, the product, the report."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import click

from interlock.cli.failure import EXIT_OK, ToolFailure, output_failure
from interlock.cli.files import print_report
from interlock.cli.options import FileType, LimitType
from interlock.cli.products import report_refusal
from interlock.cli.reporting import json_line, product_report
from interlock.errors import InterlockError, TransformFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from interlock.document import Document
    from interlock.limits import Limits
    from interlock.package.edit import Assembly
    from interlock.package.oci import OpenLayout

    Command = TypeVar("Command", bound=Callable[..., object])


class Made(NamedTuple):
    """A product: its document, and a line for people on each thing that was made."""

    document: Document
    lines: tuple[str, ...]


class OpenPackage(NamedTuple):
    """A native container that is to be changed."""

    assembly: Assembly
    tag: str | None
    is_archive: bool


limit_option = click.option(
    "--limit", multiple=True, type=LimitType(), metavar="NAME=VALUE", help="Raise or lower a limit."
)
tag_option = click.option(
    "--tag", metavar="TAG", help="Which package, where an OCI image layout holds several."
)
insecure_option = click.option(
    "--insecure", is_flag=True, help="Speak to the registry without TLS, as one on this machine needs it."
)
client_option = click.option(
    "--client",
    type=click.Choice(("skopeo", "oras")),
    help="The client to use. Default: the first of these that is on the PATH.",
)


def destination_option(what: str) -> Callable[[Command], Command]:
    """Where a product that is no single document goes: ``output``."""
    return click.option(
        "-o",
        "--output",
        type=FileType(),
        required=True,
        help=f"{what} It appears complete or not at all.",
    )


def force_option(what: str) -> Callable[[Command], Command]:
    """Whether something that is there may be replaced: ``force``."""
    return click.option("--force", is_flag=True, help=f"Replace {what}.")


def is_misfit(error: InterlockError) -> bool:
    """Tell whether a change does not fit what it was to change."""
    return isinstance(error, TransformFailure)


def perform(
    source: str,
    format_: str,
    make: Callable[[], Made],
    is_refusal: Callable[[InterlockError], bool] = is_misfit,
) -> int:
    """Make something and say what; or say why not, with exit code 1 where the inputs could be read.

    Args:
        source: The input, as the report names it.
        format_: The form of the report.
        make: Makes it.
        is_refusal: Tells errors of inputs that could be read from those of inputs that could not.
    """
    try:
        made = make()
    except ToolFailure:
        raise
    except InterlockError as error:
        if error.code.startswith("tool."):
            raise ToolFailure(error.code, error.diagnostics[0].message) from error
        return report_refusal(source, format_, error, readable=is_refusal(error))
    if format_ == "json":
        print_report(json_line(product_report(source, made.document)))
    else:
        text = "".join(f"{line}\n" for line in made.lines)
        print_report(text.encode("utf-8", "surrogateescape"))
    return EXIT_OK


@contextmanager
def writing(output: str) -> Iterator[None]:
    """Give what goes wrong while a product is written its code.

    Raises:
        ToolFailure: The output cannot be written, or an argument is malformed.
    """
    try:
        yield
    except OSError as error:
        raise output_failure(output, error) from error
    except ValueError as error:
        raise ToolFailure("usage.invalid-value", f"{str(error)[:1].lower()}{str(error)[1:]}") from error


def read_native(path: str, tag: str | None, limits: Limits) -> OpenPackage:
    """Open a native container that is to be changed.

    Raises:
        ContainerError: It is none, or it cannot be used.
        CodecError: Its document is refused.
    """
    from interlock.package.edit import Assembly  # noqa: PLC0415  (start-up)
    from interlock.package.listing import package_document  # noqa: PLC0415
    from interlock.package.oci import open_layout  # noqa: PLC0415

    layout = open_layout(path, tag=tag, limits=limits)
    if not layout.is_alone:
        message = f"the index of `{path}` holds more than this package, and would lose it"
        raise ToolFailure("usage.conflict", message, path)
    assembly = Assembly(package_document(layout.container), layout.container.blobs)
    return OpenPackage(assembly, layout.tag, layout.is_archive)


def digest_line(document: Document, output: str) -> str:
    """Return what `interlock digest` would print."""
    return f"{document.digest}  {output}"


def layout_lines(layout: OpenLayout) -> tuple[str, ...]:
    """Return the digests of a package in a registry: its own, and the one that registries know it by."""
    document = layout.container.document
    package = document.digest if document is not None else ""
    return f"package   {package}", f"manifest  {layout.manifest_digest}"


def folder_of(name: str) -> str:
    """Return the folder that a file is in."""
    return os.path.dirname(os.path.abspath(name))  # noqa: PTH100, PTH120  (pathlib costs start-up time)
