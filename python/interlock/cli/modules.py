"""Modules that `inspect` shows by themselves: no documents, but what documents refer to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.cli.failure import EXIT_OK
from interlock.cli.files import STANDARD, read_input
from interlock.cli.judging import Judged, presented
from interlock.cli.subjects import SPIRV_STARTS, start_of
from interlock.errors import InterlockError
from interlock.report.style import printable

if TYPE_CHECKING:
    from interlock.limits import Limits


def inspected_module(name: str, limits: Limits) -> Judged | None:
    """Return what a SPIR-V module offers, or the report on one that cannot be read.

    It is None for a file that begins otherwise, and for standard input.

    Raises:
        ToolFailure: The file cannot be read.
    """
    if name == STANDARD or not start_of(name).startswith(SPIRV_STARTS):
        return None
    from interlock.hashing import sha256_digest  # noqa: PLC0415  (start-up)
    from interlock.package.spirv.describe import describe, lines  # noqa: PLC0415
    from interlock.package.spirv.reader import read_spirv  # noqa: PLC0415

    data = read_input(name, limits.document_bytes)
    try:
        module = read_spirv(data)
    except InterlockError as error:
        from interlock.verification import unreadable_report  # noqa: PLC0415  (start-up)

        return presented(unreadable_report(error, name))
    digest = sha256_digest(data)
    heading = f"{printable(name)}: {digest}, {len(data):,} bytes"

    def json() -> bytes:
        import orjson  # noqa: PLC0415  (start-up)

        found = {"digest": digest, "module": describe(module), "size": str(len(data)), "source": name}
        return orjson.dumps(found, option=orjson.OPT_SORT_KEYS)

    return Judged(EXIT_OK, lambda _style, _everything: "\n".join([heading, *lines(module)]) + "\n", json)
