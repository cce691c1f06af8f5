"""`interlock add`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import click

from interlock.cli.failure import ToolFailure, input_failure
from interlock.cli.files import read_input
from interlock.cli.judging import read_document
from interlock.cli.options import FileType, format_option
from interlock.cli.packaging import (
    Made,
    OpenPackage,
    digest_line,
    limit_option,
    perform,
    read_native,
    tag_option,
    writing,
)
from interlock.cli.settings import limits_from

if TYPE_CHECKING:
    from execgraph.v1.blob_pb2 import ContentType
    from execgraph.v1.interface_pb2 import Interface
    from interlock.limits import Limits
    from interlock.package.edit import Assembly

EPILOG = """\b
Examples:
  interlock add sum.tar --create sum --artifact total --target vulkan --content-type spirv total.spv
  interlock add sum.tar --artifact total --target vulkan --content-type spirv --name fast fast.spv
  interlock add sum.tar --graph graph.json

The package is written again, complete or not at all.
"""


class _Addition(NamedTuple):
    """The options that say what to add."""

    file: str | None
    artifact: str | None
    target: str | None
    content_type: str | None
    name: str
    interface: str | None
    graph: str | None
    embed: bool
    force: bool


@click.command(short_help="Add a variant or a graph to a package.", epilog=EPILOG)
@click.argument("package", type=FileType())
@click.argument("file", type=FileType(), required=False)
@click.option("--artifact", metavar="ID", help="The artifact that FILE is a variant of.")
@click.option("--target", metavar="TARGET", help="The target of the variant, such as `vulkan`.")
@click.option(
    "--content-type",
    metavar="NAME[:VERSION]",
    help="What the bytes are, such as `spirv` or `dxil:1`. The version is 1 unless it is said.",
)
@click.option("--name", default="", metavar="NAME", help="Tells variants of one target apart.")
@click.option(
    "--interface", type=FileType(), metavar="FILE", help="What the artifact offers, as protobuf text."
)
@click.option("--graph", type=FileType(), metavar="FILE", help="A graph to add.")
@click.option("--embed", is_flag=True, help="Embed the graph in the document; else it is a blob of its own.")
@click.option("--force", is_flag=True, help="Replace a variant or graph of that name.")
@click.option("--create", metavar="ID", help="Make a package of that name; there must be none yet.")
@click.option("-o", "--output", type=FileType(), help="Where to write the package. Default: in its place.")
@tag_option
@format_option
@limit_option
def command(
    package: str,
    output: str | None,
    create: str | None,
    tag: str | None,
    format_: str,
    limit: tuple[tuple[str, int], ...],
    **options: object,
) -> int:
    """Add a variant or a graph to a package, and print the new digest."""
    addition = _Addition(**options)  # type: ignore[arg-type]  # click gives each option the type it declares
    _check(addition)
    limits = limits_from(limit)
    target = package if output is None else output

    def make() -> Made:
        from interlock.package.oci import write_layout  # noqa: PLC0415  (start-up)
        from interlock.package.staging import exclusive  # noqa: PLC0415

        with exclusive(target):
            held = _opened(package, create, tag, limits)
            assembly = _with_graph(held.assembly, addition, limits)
            assembly = _with_variant(assembly, addition, limits)
            with writing(target):
                write_layout(
                    assembly.document,
                    assembly.blobs,
                    target,
                    tag=held.tag,
                    archive=held.is_archive if output is None and create is None else None,
                    replace=output is None and create is None,
                    limits=limits,
                )
        return Made(assembly.document, (digest_line(assembly.document, target),))

    return perform(package, format_, make)


def _check(addition: _Addition) -> None:
    variant = (addition.file, addition.artifact, addition.target, addition.content_type)
    if any(variant) and not all(variant):
        message = "a variant needs FILE, `--artifact`, `--target` and `--content-type`"
        raise ToolFailure("usage.missing-argument", message)
    if not any(variant):
        if addition.graph is None:
            message = "nothing to add: name a FILE with `--artifact`, or a `--graph`"
            raise ToolFailure("usage.missing-argument", message)
        if addition.name or addition.interface:
            message = "`--name` and `--interface` belong to a variant, and none is added"
            raise ToolFailure("usage.conflict", message)
    if addition.embed and addition.graph is None:
        raise ToolFailure("usage.conflict", "`--embed` belongs to `--graph`, and none is added")


def _opened(package: str, create: str | None, tag: str | None, limits: Limits) -> OpenPackage:
    if create is None:
        return read_native(package, tag, limits)
    from interlock.package.edit import created  # noqa: PLC0415  (start-up)

    return OpenPackage(created(create, limits), tag, package.endswith(".tar"))


def _with_graph(assembly: Assembly, addition: _Addition, limits: Limits) -> Assembly:
    if addition.graph is None:
        return assembly
    from interlock.package.edit import with_graph  # noqa: PLC0415  (start-up)

    graph = read_document(addition.graph, encoding=None, kind="ExecutionGraph", limits=limits)
    return with_graph(assembly, graph, embed=addition.embed, replace=addition.force, limits=limits)


def _with_variant(assembly: Assembly, addition: _Addition, limits: Limits) -> Assembly:
    if addition.file is None or addition.artifact is None:
        return assembly
    from execgraph.v1.package_pb2 import Variant  # noqa: PLC0415  (start-up)
    from interlock.package.blobs import file_blobs  # noqa: PLC0415
    from interlock.package.edit import measure, with_variant  # noqa: PLC0415

    try:
        with open(addition.file, "rb") as stream:  # noqa: PTH123  (pathlib costs start-up time)
            blob = measure(stream.fileno(), addition.file, limits)
    except OSError as error:
        raise input_failure(addition.file, error) from error
    variant = Variant(
        target=addition.target or "",
        name=addition.name,
        content_type=_content_type(addition.content_type or ""),
        blob=blob,
    )
    blobs = file_blobs({blob.digest: os.path.abspath(addition.file)}, limits)  # noqa: PTH100
    interface = None if addition.interface is None else _interface(addition.interface, limits)
    return with_variant(
        assembly, addition.artifact, variant, blobs, interface=interface, replace=addition.force
    )


def _content_type(text: str) -> ContentType:
    from execgraph.v1.blob_pb2 import ContentType  # noqa: PLC0415  (start-up)

    identity, separator, version = text.partition(":")
    number = int(version) if version.isascii() and version.isdigit() and len(version) < 10 else 0
    if not identity or (separator and not number):
        message = f"`{text}` is no content type, such as `spirv` or `spirv:1`"
        raise ToolFailure("usage.invalid-value", message)
    return ContentType(identity=identity, version=number or 1)


def _interface(name: str, limits: Limits) -> Interface:
    """Read an interface by what reads documents: as that of an artifact in a package with nothing else."""
    from interlock.package.edit import parse_interface  # noqa: PLC0415  (start-up)

    return parse_interface(read_input(name, limits.document_bytes), limits)
