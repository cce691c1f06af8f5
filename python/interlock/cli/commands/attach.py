"""`interlock attach`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from interlock.cli.frames import frame_lines, is_refusal, read_frame, write_frame
from interlock.cli.options import FileType, format_option
from interlock.cli.packaging import Made, destination_option, limit_option, perform
from interlock.cli.products import check_destination
from interlock.cli.settings import limits_from

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.target.sealed import SealedDocument

EPILOG = """\b
Examples:
  interlock attach sum.vulkan sum.metal -o sum.envelope
  interlock attach sum.envelope sum.payload -o sum.envelope

Both have to be of the same graph, and no format may be there twice. Everything is checked before the output
is written, and the inputs stay as they are.
"""


@click.command(short_help="Add a payload to an envelope.", epilog=EPILOG)
@click.argument("envelope", type=FileType())
@click.argument("payload", type=FileType())
@destination_option("The envelope to write.")
@format_option
@limit_option
def command(
    envelope: str, payload: str, output: str, format_: str, limit: tuple[tuple[str, int], ...]
) -> int:
    """Add a payload to an envelope: PAYLOAD is a sealed payload, or an envelope with some."""
    check_destination(output, format_)
    limits = limits_from(limit)

    def make() -> Made:
        from interlock.target.envelope import attach_target  # noqa: PLC0415  (start-up)

        found = read_frame(envelope, ("Envelope",), limits)
        for each in _payloads(read_frame(payload, ("TargetPayload", "Envelope"), limits)):
            found = attach_target(found, each)
        write_frame(output, found)
        return Made(found.document, () if output == "-" else frame_lines(found, output))

    return perform(payload, format_, make, is_refusal)


def _payloads(sealed: SealedDocument) -> Iterator[SealedDocument]:
    """Yield a payload, or those of an envelope."""
    from interlock.target.envelope import find_payload, formats_of  # noqa: PLC0415  (start-up)

    if sealed.kind == "TargetPayload":
        yield sealed
        return
    for each in formats_of(sealed):
        yield find_payload(sealed, each)
