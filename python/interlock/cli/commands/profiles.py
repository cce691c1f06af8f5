"""`interlock profiles`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from interlock.cli.failure import EXIT_OK, ToolFailure
from interlock.cli.files import print_report
from interlock.cli.options import format_option
from interlock.report.style import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from execgraph.v1.profile_pb2 import TargetProfile

EPILOG = """\b
Examples:
  interlock profiles
  interlock profiles vulkan-1.2-minimum
  interlock profiles vulkan-1.2-minimum > mine.txtpb
"""


def _complete_name(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    from interlock.package.profiles import names  # noqa: PLC0415  (only while completing)

    return [name for name in names() if name.startswith(incomplete)]


@click.command(epilog=EPILOG)
@click.argument("name", required=False, shell_complete=_complete_name)
@format_option
def command(name: str | None, format_: str) -> int:
    """List the target profiles, or print one.

    NAME is one of the list, or the file of a profile of your own. The text of a profile is its file, in which
    comments name the source of each number.
    """
    from interlock.package import profiles  # noqa: PLC0415  (start-up)

    try:
        chosen = [profiles.profile(known) for known in (profiles.names() if name is None else [name])]
        text = _table(chosen) if name is None else _lines(profiles.profile_text(name))
    except profiles.ProfileError as error:
        found = error.diagnostics[0]
        place = f"{found.path}: " if found.path.steps else ""
        raise ToolFailure(found.code, place + found.message, name or "") from None
    if format_ == "json":
        print_report(_json(chosen))
    else:
        print_report(text)
    return EXIT_OK


def _lines(text: str) -> str:
    """Return the text of a file, safe for any terminal."""
    return "\n".join(printable(line) for line in text.expandtabs().split("\n"))


def _table(profiles: Sequence[TargetProfile]) -> str:
    rows = [("profile", "target", "workgroup", "invocations", "shared bytes", "source")]
    for one in profiles:
        size = "x".join(map(str, one.maximum_workgroup_size))
        numbers = (str(one.maximum_workgroup_invocations), str(one.maximum_shared_bytes))
        rows.append((one.identity, one.target, size, *numbers, one.source.partition(",")[0]))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "".join(line.rstrip() + "\n" for line in lines)


def _json(profiles: Sequence[TargetProfile]) -> bytes:
    from interlock.codec import encode_json  # noqa: PLC0415  (only for JSON)

    return b"[" + b",".join(encode_json(one) for one in profiles) + b"]\n"
