"""What means the same is judged the same: other spellings, names, implied order, loops of one trip."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

import pytest

from interlock.document import Document
from interlock.verification import verify

from . import changes
from .samples import fixed_graphs, random_graphs
from .verdicts import RACE, judgement, judgement_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from execgraph.v1 import graph_pb2

GRAPHS = 150


@cache
def graphs() -> list[tuple[str, graph_pb2.ExecutionGraph]]:
    found = [(f"seed {seed}", graph) for seed, graph in random_graphs(0, GRAPHS)]
    return [*found, *fixed_graphs().items()]


@cache
def reports() -> dict[str, object]:
    return {name: verify(Document.from_message(graph)) for name, graph in graphs()}


def samples() -> Iterator[tuple[str, graph_pb2.ExecutionGraph, random.Random]]:
    for name, graph in graphs():
        yield name, graph, random.Random(name)


def test_the_samples_have_all_verdicts_and_races():
    verdicts = {judgement_of(report).verdict for report in reports().values()}
    assert verdicts == {"SOUND", "UNSOUND", "UNVERIFIED"}
    assert sum(bool(judgement_of(report).racing) for report in reports().values()) > 20


def test_lists_in_another_order():
    changed = 0
    for name, graph, rng in samples():
        other = changes.shuffled(graph, rng)
        changed += other.SerializeToString() != graph.SerializeToString()
        document = Document.from_message(other)
        assert document.binary == Document.from_message(graph).binary, name
    assert changed > GRAPHS


def test_other_names_in_another_order():
    for name, graph, rng in samples():
        other, names = changes.renamed(graph, rng)
        assert [node.id for node in other.body.nodes] != [node.id for node in graph.body.nodes]
        expected = judgement_of(reports()[name], names).without("document")
        assert judgement(other).without("document") == expected, name


def test_dependencies_that_others_imply():
    added = 0
    for name, graph, rng in samples():
        other, count = changes.with_redundant_edges(graph, rng)
        if count:
            expected = judgement_of(reports()[name])
            assert judgement(other) == expected, name
        added += count
    assert added > GRAPHS


def test_two_barriers_in_series():
    split = 0
    for name, graph, rng in samples():
        other, count = changes.with_split_barriers(graph, rng)
        if count:
            expected = judgement_of(reports()[name])
            assert judgement(other) == expected, name
        split += count
    assert split > GRAPHS / 2


def test_loops_of_one_trip_inlined():
    # Statements that are carried to no other iteration have no effect; a grid of 0 is a literal afterwards.
    loops = 0
    for name, graph, _ in samples():
        once, names = changes.made_one_trip(graph)
        for repeat in names:
            expected = judgement(once).without("barrier", "geometry")
            assert judgement(changes.inlined(once, repeat)).without("barrier", "geometry") == expected, name
            loops += 1
    assert loops > GRAPHS / 2


@pytest.mark.parametrize("change", ["rename", "order"])
def test_a_change_that_matters_is_seen(change: str):
    """What the tests above compare tells graphs apart."""
    name = "unordered-write-and-read"
    graph = fixed_graphs()[name]
    before = judgement_of(reports()[name])
    assert ("ERROR", RACE) in before.findings
    if change == "rename":
        other, names = changes.renamed(graph, random.Random(0))
        assert judgement(other) == judgement(graph, names)
        assert judgement(other) != before
    else:
        other = changes.copy_of(graph)
        first, second = other.body.nodes[0], other.body.nodes[1]
        second.depends_on.append(first.id)
        assert judgement(other) != before
