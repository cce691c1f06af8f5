"""`interlock unpack`."""

from __future__ import annotations

import click

from interlock.cli.options import FileType, format_option
from interlock.cli.packaging import (
    Made,
    destination_option,
    digest_line,
    force_option,
    limit_option,
    perform,
    tag_option,
    writing,
)
from interlock.cli.settings import limits_from

EPILOG = """\b
Examples:
  interlock unpack sum.tar -o sum_files
  interlock pack sum_files/package.json -o sum_again.tar

The digest that is printed is that of the package: packing the folder gives the same.
"""


@click.command(short_help="Write a package as a folder of files with names.", epilog=EPILOG)
@click.argument("package", type=FileType())
@destination_option("The folder to write.")
@force_option("an unpacked package that is there; nothing else is ever replaced")
@tag_option
@format_option
@limit_option
def command(
    package: str,
    output: str,
    force: bool,  # noqa: FBT001  (as click calls it)
    tag: str | None,
    format_: str,
    limit: tuple[tuple[str, int], ...],
) -> int:
    """Write a package as a folder: the document as `package.json`, and every blob as a file with a name."""

    def make() -> Made:
        from interlock.package.edit import unlocated  # noqa: PLC0415  (start-up)
        from interlock.package.opening import open_container  # noqa: PLC0415
        from interlock.package.unpacking import unpack  # noqa: PLC0415

        container = open_container(package, tag=tag, limits=limits_from(limit))
        with writing(output):
            document = unlocated(unpack(container, output, replace=force))
        return Made(document, (digest_line(document, output),))

    return perform(package, format_, make)
