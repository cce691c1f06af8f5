"""`interlock embed`."""

from __future__ import annotations

import click

from interlock.cli.options import FileType, format_option
from interlock.cli.packaging import (
    Made,
    destination_option,
    digest_line,
    limit_option,
    perform,
    writing,
)
from interlock.cli.settings import limits_from

EPILOG = """\b
Examples:
  interlock embed graph.json scale.cglb -o scale_graph.cglb
  interlock verify scale_graph.cglb --target vulkan

One file is added to the copy, and one key to its manifest; every other file is the same byte for byte.
Readers with a closed list of keys refuse the copy. A graph that stays beside the package and pins its
artifacts (`interlock pin`) needs none.
"""


@click.command(short_help="Put a graph into a copy of a CrossGL package.", epilog=EPILOG)
@click.argument("graph", type=FileType())
@click.argument("package", type=FileType())
@destination_option("The copy to write; it must not exist.")
@click.option("--replace", is_flag=True, help="Replace a graph that the package holds already.")
@format_option
@limit_option
def command(
    graph: str,
    package: str,
    output: str,
    replace: bool,  # noqa: FBT001  (as click calls it)
    format_: str,
    limit: tuple[tuple[str, int], ...],
) -> int:
    """Put an execution graph into a copy of a CrossGL package (`.cglb`, a directory or stored zip file)."""
    limits = limits_from(limit)

    def make() -> Made:
        from interlock.cli.judging import read_document  # noqa: PLC0415  (start-up)
        from interlock.package.embed import embed_graph  # noqa: PLC0415

        document = read_document(graph, encoding=None, kind="ExecutionGraph", limits=limits)
        with writing(output):
            embed_graph(document, package, output, replace=replace, limits=limits)
        return Made(document, (digest_line(document, output),))

    return perform(package, format_, make)
