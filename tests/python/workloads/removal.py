"""What taking single dependencies away does to a graph.

It races exactly where no other way orders the two nodes and they conflict, or others whose only way that was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from interlock import verify
from interlock.report.model import Verdict

from .judging import RACE
from .mutants import without_dependency
from .pairs import graph_of, orders, races, racing_bytes, reported_races

if TYPE_CHECKING:
    import random

    from interlock.document import Document


@dataclass(frozen=True, slots=True)
class Removal:
    """A dependency, and whether another way leads from its source to its target."""

    source: str
    target: str
    is_redundant: bool


def removals(document: Document, most: int | None = None, rng: random.Random | None = None) -> list[Removal]:
    """Return the dependencies of the body of a graph, at most ``most`` of them, chosen at random."""
    message = graph_of(document)
    before = orders(message)
    bit = {node.id: 1 << number for number, node in enumerate(message.body.nodes)}
    found = [
        Removal(source, node.id, any(before[other] & bit[source] for other in node.depends_on))
        for node in message.body.nodes
        for source in node.depends_on
    ]
    if most is not None and rng is not None and len(found) > most:
        return rng.sample(found, most)
    return found


def complaint(document: Document, removal: Removal) -> str:
    """Return what is wrong with the verdict on the graph without a dependency, or an empty string."""
    mutant = without_dependency(document, removal.source, removal.target)
    report = verify(mutant)
    found, name = reported_races(report), f"{removal.source} -> {removal.target}"
    if removal.is_redundant:
        is_fine = report.verdict is not Verdict.UNSOUND
        return "" if is_fine else f"{name}: another way orders the two, yet {report.verdict.name}"
    expected = races(mutant)
    wrong = [sorted(pair) for pair in found if pair not in expected]
    if wrong:
        return f"{name}: no race of {wrong[0]}"
    if not graph_of(mutant).parameters and racing_bytes(found) != racing_bytes(expected):
        return f"{name}: a race on {racing_bytes(found)} instead of {racing_bytes(expected)}"
    if bool(found) != bool(expected):
        return f"{name}: {'no race is' if expected else 'a race is'} reported"
    if found and not any(finding.code == RACE and finding.fix is not None for finding in report.diagnostics):
        return f"{name}: no race has a fix"
    return ""
