"""The oracle decides as people did, by hand, on small graphs, and keeps the laws that follow."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from execgraph.v1 import access_pb2

from . import translate
from .executions import TooManyError
from .generate import Maker, generate
from .judge import judge
from .lifetimes import Lifetimes
from .model import (
    TEMPORARY,
    Dispatch,
    Graph,
    Node,
    Region,
    Repeat,
    UnsupportedError,
)
from .mutate import cut
from .strategies import graphs
from .verdict import ERROR, UNORDERED, UNVERIFIED, Verdict

CASES = sorted(Path(__file__).with_name("cases").glob("*.txtpb"))


def load(name: str) -> Graph:
    return translate.from_text(Path(__file__).with_name("cases").joinpath(f"{name}.txtpb").read_text("utf-8"))


def expected(text: str) -> set[tuple[str, str]]:
    """Return the severities and codes that the leading comments of a case state."""
    lines = [line.removeprefix("# expect: ") for line in text.splitlines() if line.startswith("# expect: ")]
    return {(line.split()[0], line.split()[1]) for line in lines}


def found(verdict: Verdict) -> set[tuple[str, str]]:
    return {(finding.severity, finding.code) for finding in verdict.findings}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_hand_decided_case(path: Path):
    text = path.read_text("utf-8")
    assert found(judge(translate.from_text(text))) == expected(text)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_trip_count_says_what_the_judged_ones_say(path: Path):
    graph = translate.from_text(path.read_text("utf-8"))
    assert judge(graph, all_counts=True).findings == judge(graph).findings


def test_there_are_cases():
    assert len(CASES) > 100


def test_exactly_the_shared_bytes_race_and_both_accesses_are_named():
    verdict = judge(load("unordered-overlapping-ranges"))
    assert verdict.bytes(UNORDERED) == {"O": [8, 9, 10, 11]}
    assert verdict.between(UNORDERED) == {("w1.a", "w2.a")}


def test_racing_bytes_are_those_of_the_allocation():
    assert judge(load("placed-by-a-parameter")).bytes(UNORDERED) == {"heap": list(range(8, 16))}


def test_shifted_atomics_race_where_they_share_bytes():
    assert judge(load("atomics-shifted")).bytes(UNORDERED) == {"heap": [2, 3, 4, 5, 6, 7]}


def test_the_invisible_bytes_are_those_no_statement_names():
    verdict = judge(load("statement-names-half"))
    assert verdict.bytes("visibility.write-not-visible") == {"A": list(range(8, 16))}
    assert verdict.between("visibility.write-not-visible") == {("wA.a", "rA.a")}


def test_the_third_iteration_reads_what_the_first_wrote():
    verdict = judge(load("iteration-distance-two-invisible"))
    assert verdict.bytes("visibility.write-not-visible") == {"A": [8, 9, 10, 11]}


def test_only_the_untouched_part_of_an_output_is_partly_written():
    verdict = judge(load("output-partly-written-and-not-covered"))
    assert verdict.bytes("initialisation.output-partly-written", "warning") == {"O": list(range(8, 16))}
    assert verdict.bytes("initialisation.output-not-covered", UNVERIFIED) == {"O": list(range(8))}


def test_only_the_bytes_an_alias_overwrote_are_clobbered():
    verdict = judge(load("repeat-reads-what-its-alias-overwrote"))
    assert verdict.bytes("alias.clobbered-value") == {"heap": list(range(8, 16))}
    assert verdict.between("alias.clobbered-value") == {("wB.a", "rA.a")}


def test_a_killed_write_need_not_be_visible():
    graph = load("covered-write-needs-no-visibility")
    for node, _, _ in graph.walk():
        if node.id == "new":
            node.edge_statements.clear()
    # The fill is not visible to what overwrites it; of what reads the newer value nothing is said.
    assert judge(graph).between("visibility.write-not-visible") == {("old.destination", "new.a")}


def test_an_atomic_write_never_covers():
    graph = load("temporary-read-first")
    (node,) = graph.body.nodes
    assert isinstance(node.operation, Dispatch)
    node.operation.bindings[1].access = access_pb2.ACCESS_MODE_ATOMIC
    assert node.operation.bindings[1].coverage == access_pb2.COVERAGE_FULL
    assert judge(graph).between("initialisation.output-not-covered", UNVERIFIED) == {("O",)}


def test_a_witness_is_an_execution():
    verdict = judge(load("one-arm-writes-the-output"))
    assert verdict.witnesses[ERROR, "initialisation.output-not-written"] == ("if:else",)
    verdict = judge(load("parametric-offsets-meet"))
    assert verdict.witnesses[ERROR, UNORDERED] == ("m=1", "n=1")


@pytest.mark.parametrize(
    ("name", "executions"),
    [
        ("unordered-reads", 1),
        ("both-arms-write-the-output", 2),
        ("repeat-arm-writes-other-arm-reads", 4),  # two iterations, an arm each
        ("repeat-may-run-no-trip", 3),  # 0, 1 and 2 trips
        ("repeat-runs-at-least-once", 2),  # 1 and 2 trips decide, though 3 are legal
        ("carried-statement-before-the-evaluation", 4),  # stopped after 0, 1 and 2 trips, and 2 by count
        ("evaluation-after-the-minimum", 3),  # stopped after 1 and 2 trips, and 2 by count
        ("iterations-cover-only-the-minimum", 3),  # 2, 3 and 4 trips: the range uses the index
        ("parametric-offsets-meet", 6),
    ],
)
def test_number_of_executions(name: str, executions: int):
    assert judge(load(name)).executions == executions


def test_a_cycle_is_refused():
    graph = load("unordered-reads")
    first, second = graph.body.nodes
    first.depends_on, second.depends_on = [second.id], [first.id]
    with pytest.raises(ValueError, match="cycle"):
        judge(graph)


def test_the_budget_bounds_the_work():
    with pytest.raises(TooManyError):
        judge(load("repeat-arm-writes-other-arm-reads"), budget=5)


def test_asserted_disjointness_is_not_modelled():
    message = translate.to_proto(load("unordered-reads"))
    message.disjointness_assertions.add(justification="x")
    with pytest.raises(UnsupportedError):
        translate.from_proto(message)


# Random graphs.

SAMPLE = 400


@pytest.fixture(scope="module")
def sample() -> list[tuple[Graph, Verdict]]:
    made = []
    for seed in range(SAMPLE):
        try:
            graph = generate(random.Random(seed))
            made.append((graph, judge(graph, budget=20_000)))
        except TooManyError:
            continue
    return made


def test_nearly_every_graph_is_small_enough(sample: list[tuple[Graph, Verdict]]):
    assert len(sample) > 0.98 * SAMPLE


def test_a_good_share_is_sound_and_a_good_share_is_not(sample: list[tuple[Graph, Verdict]]):
    sound = sum(verdict.sound for _, verdict in sample)
    unsafe = sum(bool(verdict.errors) for _, verdict in sample)
    assert sound > 0.25 * len(sample)
    assert unsafe > 0.25 * len(sample)


def test_random_graphs_have_every_defect(sample: list[tuple[Graph, Verdict]]):
    seen = {finding.code for _, verdict in sample for finding in verdict.findings}
    everything = {code for path in CASES for _, code in expected(path.read_text("utf-8"))}
    # What is rare, and the sides of a copy, which the generator keeps apart.
    rare = {"placement.out-of-bounds", "placement.misaligned", "lifetime.misplaced", "range.copy-overlap"}
    assert everything - seen <= rare


def test_random_graphs_survive_translation(sample: list[tuple[Graph, Verdict]]):
    for graph, verdict in sample:
        once = translate.from_proto(translate.to_proto(graph))
        assert translate.from_text(translate.to_text(once)) == once
        assert judge(once).findings == verdict.findings


def test_two_trips_decide_on_random_graphs():
    """Three trips may add an unverified clobber to an error that two trips show; nothing else."""
    looped = 0
    for seed in range(300):
        graph = Maker(random.Random(seed), 8).make()
        if not any(isinstance(node.operation, Repeat) for node, _, _ in graph.walk()):
            continue
        try:
            judged, every = judge(graph, budget=20_000), judge(graph, all_counts=True)
        except TooManyError:
            continue
        looped += 1
        assert every.errors == judged.errors
        assert every.racing == judged.racing
        assert every.unverified - every.errors == judged.unverified - judged.errors
    assert looped > 100


def reversed_nodes(graph: Graph) -> Graph:
    def region(inside: Region) -> Region:
        for node in inside.nodes:
            for inner in node.regions():
                region(inner)
        inside.nodes.reverse()
        return inside

    region(graph.body)
    return graph


def test_the_order_of_lists_means_nothing(sample: list[tuple[Graph, Verdict]]):
    for graph, verdict in sample[:100]:
        copy = reversed_nodes(translate.from_proto(translate.to_proto(graph)))
        assert judge(copy).findings == verdict.findings


def test_a_redundant_edge_means_nothing(sample: list[tuple[Graph, Verdict]]):
    added = 0
    for graph, verdict in sample[:100]:
        lifetimes = Lifetimes(graph)
        for node, _, region in list(graph.walk()):
            for later in region.nodes:
                if later.id in lifetimes.after_node(node.id) and node.id not in later.depends_on:
                    later.depends_on.append(node.id)
                    added += 1
        assert judge(graph).findings == verdict.findings
    assert added > 50


def test_an_edge_less_never_removes_a_race(sample: list[tuple[Graph, Verdict]]):
    for graph, verdict in sample[:40]:
        edges = [(node.id, source) for node, _, _ in graph.walk() for source in node.depends_on]
        for name, source in edges:
            copy = translate.from_proto(translate.to_proto(graph))
            cut(next(node for node, _, _ in copy.walk() if node.id == name), source)
            assert verdict.racing & ~judge(copy).racing == 0


def test_carrying_all_on_edges_makes_everything_ordered_visible(sample: list[tuple[Graph, Verdict]]):
    invisible = "visibility.write-not-visible"
    for graph, verdict in sample:
        carrying = judge(replace(graph, carry_all=True))
        assert carrying.errors == verdict.errors - {invisible}
        assert {f: m for f, m in verdict.findings.items() if f.code != invisible} == carrying.findings


def test_memory_of_its_own_never_makes_a_graph_worse(sample: list[tuple[Graph, Verdict]]):
    """What is sound packed is sound unpacked."""
    for graph, verdict in sample:
        if verdict.sound and graph.allocations:
            copy = translate.from_proto(translate.to_proto(graph))
            for resource in copy.resources.values():
                if resource.role == TEMPORARY:
                    resource.allocation = ""
            assert judge(copy).sound


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graph=graphs(nodes=6))
def test_hypothesis_draws_the_same_kind_of_graphs(graph: Graph):
    assert graph.body.nodes
    assert all(isinstance(node, Node) for node, _, _ in graph.walk())
    judge(graph)
