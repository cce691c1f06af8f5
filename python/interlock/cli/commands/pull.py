"""`interlock pull`."""

from __future__ import annotations

import click

from interlock.cli.options import format_option
from interlock.cli.packaging import (
    Made,
    client_option,
    destination_option,
    force_option,
    insecure_option,
    layout_lines,
    limit_option,
    perform,
    writing,
)
from interlock.cli.settings import limits_from

EPILOG = """\b
Examples:
  interlock pull registry.example/kernels/sum:1.0 -o sum.tar
  interlock pull localhost:5000/kernels/sum@sha256:... -o sum --insecure

The output appears only after every blob in it was hashed. Whose package it is, is a matter of signatures,
which clients check.
"""


@click.command(short_help="Copy a package from a registry.", epilog=EPILOG)
@click.argument("reference")
@destination_option("The OCI image layout to write.")
@force_option("a layout that is there; nothing else is ever replaced")
@client_option
@insecure_option
@format_option
@limit_option
def command(
    reference: str,
    output: str,
    force: bool,  # noqa: FBT001  (as click calls it)
    client: str | None,
    insecure: bool,  # noqa: FBT001
    format_: str,
    limit: tuple[tuple[str, int], ...],
) -> int:
    """Copy a package from a registry, through skopeo or oras; print its digests."""

    def make() -> Made:
        from interlock.package.clients import find_client, pull_package  # noqa: PLC0415  (start-up)
        from interlock.package.listing import package_document  # noqa: PLC0415

        found = find_client(client)
        with writing(output):
            layout = pull_package(
                reference, output, client=found, replace=force, insecure=insecure, limits=limits_from(limit)
            )
        return Made(package_document(layout.container), layout_lines(layout))

    return perform(reference, format_, make)
