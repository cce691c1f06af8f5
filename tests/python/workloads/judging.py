"""What tests ask of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock import verify
from interlock.diagnostic import Severity
from interlock.report.model import Verdict

from .pairs import Pair, Ranges, graph_of, intersection, races, racing_bytes, reported_races

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlock.diagnostic import Diagnostic
    from interlock.document import Document
    from interlock.report.model import Report

RACE = "hazard.unordered-access"
INVISIBLE = "visibility.write-not-visible"
OUTSIDE = "lifetime.access-outside"
ALIVE_AT_ONCE = "lifetime.overlapping"
READ_ONLY = "role.read-only-written"

ASSUMED = {
    "assumption.caller-no-alias",
    "assumption.full-coverage",
    "assumption.parameter-range",
    "assumption.state-initialised",
    "assumption.tolerated-alias",
}


def assert_sound(document: Document) -> Report:
    """Assert that a graph is sound, without any finding, on no assumption but the usual claims."""
    report = verify(document)
    assert [str(finding) for finding in report.diagnostics] == []
    assert [gap for gap in report.unverified if gap.required] == []
    assert report.verdict is Verdict.SOUND
    assert report.exit_code == 0
    assumed = {assumption.code for assumption in report.assumptions}
    assert assumed <= ASSUMED, assumed - ASSUMED
    return report


def errors(report: Report) -> set[str]:
    """Return the codes of all errors, warnings and required gaps."""
    found = {finding.code for finding in report.diagnostics if finding.severity is not Severity.NOTE}
    return found | {gap.check for gap in report.unverified if gap.required}


def assert_races(document: Document, *pairs: Iterable[str], beside: Iterable[str] = ()) -> Report:
    """Assert that a graph is unsound for its races, of which each of ``pairs`` is one.

    Every race that is reported is one, and together they concern exactly the bytes of all races. ``beside``
    are the codes of everything else that is wrong. What a byte that races holds may be found wrong, or left
    out.
    """
    report, expected = verify(document), races(document)
    racing = racing_bytes(expected)
    found = {finding.code for finding in report.diagnostics if not _is_about(finding, racing)}
    found |= {gap.check for gap in report.unverified if gap.required}
    assert found == {RACE, *beside}, found
    assert report.exit_code == 1
    reported = reported_races(report)
    for pair in pairs:
        assert frozenset(pair) in reported, sorted(map(sorted, reported))
    for pair, places in reported.items():
        assert pair in expected, sorted(pair)
        for place, ranges in places.items():
            assert intersection(ranges, expected[pair].get(place, [])) == ranges, (
                sorted(pair),
                place,
                ranges,
            )
    assert racing_bytes(reported) == racing, (racing_bytes(reported), racing)
    return report


def _is_about(finding: Diagnostic, racing: dict[str, Ranges]) -> bool:
    """Tell whether a finding is about the content of bytes, all of which race."""
    return finding.code.startswith(("initialisation.", "alias.clobbered", "visibility.")) and all(
        intersection([(span.offset, span.offset + span.size)], racing.get(span.allocation, []))
        == [(span.offset, span.offset + span.size)]
        for span in finding.bytes_concerned
    )


def pairs_of(report: Report, code: str) -> set[Pair]:
    """Return the nodes of the findings with a code."""
    return {
        frozenset(element.id for element in finding.elements if element.id_space == "node")
        for finding in report.diagnostics
        if finding.code == code
    }


Launches = dict[str, tuple[str, tuple[int, ...], tuple[int, ...]]]


def launches(document: Document) -> Launches:
    """Return for each dispatch how it says its grid, the grid, and the size of a workgroup."""
    found: Launches = {}
    for node in graph_of(document).body.nodes:
        if node.operation.HasField("dispatch"):
            geometry = node.operation.dispatch.geometry
            kind = geometry.workgroup_count.WhichOneof("source")
            counts = (
                geometry.workgroup_count.elements.elements
                if kind == "elements"
                else geometry.workgroup_count.extents.counts
            )
            assert geometry.exact_threads == (kind == "elements")
            found[node.id] = (
                "threads" if kind == "elements" else "groups",
                tuple(count.constant for count in counts),
                tuple(geometry.workgroup_size),
            )
    return found
