"""`interlock push`."""

from __future__ import annotations

import click

from interlock.cli.options import FileType, format_option
from interlock.cli.packaging import (
    Made,
    client_option,
    insecure_option,
    layout_lines,
    limit_option,
    perform,
    tag_option,
    writing,
)
from interlock.cli.settings import limits_from

EPILOG = """\b
Examples:
  interlock push sum.tar registry.example/kernels/sum:1.0
  interlock push sum localhost:5000/kernels/sum:1.0 --insecure

Every blob is hashed before it is sent. Who may write there, and how that is proven, is a matter of the
client: `skopeo login` or `oras login`.
"""


@click.command(short_help="Copy a package to a registry.", epilog=EPILOG)
@click.argument("package", type=FileType())
@click.argument("reference")
@tag_option
@client_option
@insecure_option
@format_option
@limit_option
def command(
    package: str,
    reference: str,
    tag: str | None,
    client: str | None,
    insecure: bool,  # noqa: FBT001  (as click calls it)
    format_: str,
    limit: tuple[tuple[str, int], ...],
) -> int:
    """Copy a package to a registry, through skopeo or oras; print the digests it has there."""

    def make() -> Made:
        from interlock.package.clients import find_client, push_package  # noqa: PLC0415  (start-up)
        from interlock.package.listing import package_document  # noqa: PLC0415

        found = find_client(client)
        with writing(reference):
            layout = push_package(
                package, reference, client=found, tag=tag, insecure=insecure, limits=limits_from(limit)
            )
        return Made(package_document(layout.container), layout_lines(layout))

    return perform(package, format_, make)
