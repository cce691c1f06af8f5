"""One finding as text. Apart from the reports, so that an error can be printed without loading the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import Severity
from interlock.report.style import PLAIN, Style, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.diagnostic import Diagnostic, Fix, Path

_SEVERITY_COLOR = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "blue"}


def diagnostic_lines(diagnostic: Diagnostic, style: Style = PLAIN, root: str = "document") -> list[str]:
    """Return a finding as lines: its place, code and sentence, then what belongs to it, indented.

    ``root`` stands for the empty path. Bytes and dependencies that a sentence names are not repeated.
    """
    place = printable(str(diagnostic.path)) or root
    if diagnostic.byte_offset is not None:
        place += f" (byte {diagnostic.byte_offset:,})"
    held = diagnostic.holds_under_assumption
    label = f"{'held' if held else diagnostic.severity.name.lower()}[{diagnostic.code}]"
    color = "yellow" if held else _SEVERITY_COLOR[diagnostic.severity]
    target = f" on {printable(diagnostic.target)}:" if diagnostic.target else ""
    lines = [f"{style(place, 'bold')}: {style(label, color)}{target} {printable(diagnostic.message)}"]
    spans = [str(span) for span in diagnostic.bytes_concerned]
    lines += [f"    {printable(span)}" for span in spans if span not in diagnostic.message]
    lines += [f"    see {place_of(other.path)}: {printable(other.message)}" for other in diagnostic.related]
    if diagnostic.fix is not None:
        lines += [f"    {line}" for line in _fix(diagnostic.fix, style)]
    return lines


def _fix(fix: Fix, style: Style) -> Iterator[str]:
    yield f"{style('fix', 'green')}: {printable(fix.description)}"
    for edge in fix.dependencies:
        if not (f"`{edge.node}`" in fix.description and f"`{edge.depends_on}`" in fix.description):
            yield f"    `{printable(edge.node)}` depends on `{printable(edge.depends_on)}`"
    for added in fix.statements:
        point = f"from `{printable(added.source)}` " if added.source else ""
        yield (
            f"    {point}to `{printable(added.node)}`: `{printable(added.resource)}`, available from "
            f"{', '.join(added.available_from)}, visible to {', '.join(added.visible_to)}"
        )


def place_of(path: Path) -> str:
    """Return a path as text; the empty path is the document."""
    return printable(str(path)) or "document"
