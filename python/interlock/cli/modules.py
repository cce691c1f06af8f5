"""Modules that `inspect` shows by themselves: no documents, but what documents refer to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.cli.failure import EXIT_OK
from interlock.cli.files import STANDARD, read_input
from interlock.cli.subjects import SPIRV_STARTS, start_of
from interlock.errors import InterlockError
from interlock.report.style import printable

if TYPE_CHECKING:
    from interlock.cli.judging import Judged
    from interlock.limits import Limits


def is_module(name: str) -> bool:
    """Tell whether a file begins like a module. Standard input is not looked at."""
    return name != STANDARD and start_of(name).startswith(SPIRV_STARTS)


def inspected_module(name: str, limits: Limits) -> Judged:
    """Return what a SPIR-V module offers, or the report on one that cannot be read.

    Raises:
        ToolFailure: The file cannot be read.
    """
    from interlock.cli.judging import Judged  # noqa: PLC0415  (it imports this module's users)
    from interlock.hashing import sha256_digest  # noqa: PLC0415  (start-up)
    from interlock.package.spirv.describe import describe, lines  # noqa: PLC0415
    from interlock.package.spirv.reader import read_spirv  # noqa: PLC0415

    data = read_input(name, limits.document_bytes)
    try:
        module = read_spirv(data)
    except InterlockError as error:
        return _unreadable(error, name)
    digest = sha256_digest(data)
    heading = f"{printable(name)}: {digest}, {len(data):,} bytes"

    def json() -> bytes:
        import orjson  # noqa: PLC0415  (start-up)

        found = {"digest": digest, "module": describe(module), "size": str(len(data)), "source": name}
        return orjson.dumps(found, option=orjson.OPT_SORT_KEYS)

    return Judged(EXIT_OK, lambda _style, _everything: "\n".join([heading, *lines(module)]) + "\n", json)


def _unreadable(error: InterlockError, name: str) -> Judged:
    from interlock.cli.judging import Judged  # noqa: PLC0415  (as above)
    from interlock.report.json import report_json  # noqa: PLC0415  (start-up)
    from interlock.report.text import report_text  # noqa: PLC0415
    from interlock.verification import unreadable_report  # noqa: PLC0415

    report = unreadable_report(error, name)
    return Judged(
        report.exit_code,
        lambda style, everything: report_text(report, style, everything=everything),
        lambda: report_json(report),
    )
