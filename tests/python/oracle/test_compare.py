"""The harness notices every way in which a verifier can be wrong, and forgives only what is listed."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from interlock.diagnostic import ROOT, ByteSpan, Diagnostic, Severity, Unverified
from interlock.report.model import Report, Subject

from . import translate
from .compare import Kind, Verify, compare
from .executions import TooManyError
from .fuzz import outcomes, smallest
from .generate import generate
from .judge import judge
from .model import Graph, Repeat
from .over_rejections import OVER_REJECTIONS, long_loops, tangled_strides, varying_extents
from .shrink import shrink
from .test_oracle import load
from .verdict import UNORDERED, Verdict

if TYPE_CHECKING:
    from execgraph.v1 import graph_pb2

SEVERITIES = {"error": Severity.ERROR, "warning": Severity.WARNING}


def report(verdict: Verdict, *, without: str = "", extra: tuple[Diagnostic, ...] = ()) -> Report:
    """Return a report that says what a verdict says."""
    diagnostics, gaps = list(extra), []
    for finding in verdict.findings:
        if finding.code == without:
            continue
        if finding.severity == "unverified":
            gaps.append(Unverified(finding.code, "x"))
            continue
        spans = []
        if finding.code == UNORDERED:
            bytes_by_name = verdict.bytes(UNORDERED)
            spans = [ByteSpan(name, at, 1) for name, where in bytes_by_name.items() for at in where]
        severity = SEVERITIES[finding.severity]
        diagnostics.append(Diagnostic(finding.code, severity, ROOT, "x", bytes_concerned=tuple(spans)))
    return Report(Subject(), tuple(diagnostics), unverified=tuple(gaps))


def honest(message: graph_pb2.ExecutionGraph) -> Report:
    return report(judge(translate.from_proto(message)))


def silent(_: graph_pb2.ExecutionGraph) -> Report:
    return Report(Subject())


def forgetting(code: str) -> Verify:
    return lambda message: report(judge(translate.from_proto(message)), without=code)


def adding(diagnostic: Diagnostic) -> Verify:
    return lambda message: report(judge(translate.from_proto(message)), extra=(diagnostic,))


def error(code: str, *spans: ByteSpan) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, ROOT, "x", bytes_concerned=spans)


def kinds(name: str, verify: Verify, *, strict: bool = False) -> list[Kind]:
    return [d.kind for d in compare(load(name), verify, strict=strict)]


def test_an_honest_verifier_never_disagrees():
    for seed in range(100):
        try:
            graph = generate(random.Random(seed))
        except TooManyError:
            continue
        assert compare(graph, honest, strict=True) == []


def test_a_missed_error_names_the_code_and_an_execution():
    (found,) = compare(load("one-arm-writes-the-output"), silent)
    assert found.kind is Kind.MISSED_ERROR
    assert found.what == "initialisation.output-not-written"
    assert found.witness == ("if:else",)


def test_a_silent_verifier_misses_race_and_bytes():
    assert kinds("unordered-write-and-read", silent) == [Kind.MISSED_ERROR, Kind.MISSED_RACE]


def test_unverified_must_not_pass_for_proven():
    assert kinds("output-not-covered", silent) == [Kind.MISSED_GAP]


def test_an_error_where_the_oracle_is_unsure_is_too_much():
    refuse = adding(error("initialisation.read-before-write"))
    assert kinds("output-not-covered", refuse) == [Kind.OVER_REJECTED]


def test_a_sound_graph_must_not_be_rejected():
    assert kinds("barrier-in-both-arms", adding(error("barrier.empty"))) == [Kind.OVER_REJECTED]


def test_a_sound_graph_must_not_be_left_unverified():
    def unsure(_: graph_pb2.ExecutionGraph) -> Report:
        return Report(Subject(), unverified=(Unverified("limit.proof-work", "x"),))

    assert kinds("barrier-in-both-arms", unsure) == [Kind.OVER_REJECTED]


def test_a_gap_that_nobody_requires_is_no_refusal():
    def pinned(_: graph_pb2.ExecutionGraph) -> Report:
        return Report(Subject(), unverified=(Unverified("artifact.unpinned", "x", required=False),))

    assert kinds("barrier-in-both-arms", pinned) == []


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        (ByteSpan("O", 8, 4), []),
        (ByteSpan("O", 8, 3), [Kind.MISSED_RACE]),
        (ByteSpan("O", 7, 5), [Kind.EXTRA_RACE]),
        (ByteSpan("P", 8, 4), [Kind.MISSED_RACE, Kind.EXTRA_RACE]),
        (ByteSpan("O", 8, 8, upper_bound=True), [Kind.EXTRA_RACE]),
    ],
)
def test_racing_bytes_are_exact(span: ByteSpan, expected: list[Kind]):
    def claim(_: graph_pb2.ExecutionGraph) -> Report:
        return Report(Subject(), (error(UNORDERED, span),))

    assert kinds("unordered-overlapping-ranges", claim) == expected


def test_upper_bounds_are_forgiven_where_an_over_rejection_is_in_play():
    def claim(_: graph_pb2.ExecutionGraph) -> Report:
        spans = (ByteSpan("S", 0, 16, upper_bound=True),)
        return Report(Subject(), (error(UNORDERED, *spans),))

    assert kinds("parametric-offsets-meet", claim) == []


def test_a_finding_that_holds_under_assumption_is_no_error():
    def assumed(_: graph_pb2.ExecutionGraph) -> Report:
        held = Diagnostic("role.read-only-written", Severity.ERROR, ROOT, "x", holds_under_assumption=True)
        return Report(Subject(), (held,))

    assert kinds("input-written", assumed) == [Kind.MISSED_ERROR]


def test_a_clobber_need_not_be_told_of_a_value_that_never_was():
    assert kinds("read-after-only-the-alias-was-written", forgetting("alias.clobbered-value")) == []
    assert kinds("clobbered-by-an-alias", forgetting("alias.clobbered-value")) == [Kind.MISSED_ERROR]


def test_on_racing_bytes_other_findings_may_be_omitted():
    graph = load("unordered-write-and-read")
    for resource in graph.resources.values():
        resource.role = 4  # a temporary: what the read reads was never certainly written
    assert "initialisation.read-before-write" in judge(graph).errors
    assert compare(graph, forgetting("initialisation.read-before-write"), strict=True) == []


def test_strict_asks_for_each_code_and_warning():
    assert kinds("output-partly-written", silent) == []
    assert kinds("output-partly-written", silent, strict=True) == [Kind.MISSED_WARNING]
    assert kinds("consumed-input-reused-early", adding(error("placement.misaligned"))) == []
    strict = kinds("consumed-input-reused-early", adding(error("placement.misaligned")), strict=True)
    assert strict == [Kind.EXTRA_CODE]


def test_listed_over_rejections_are_forgiven():
    graph = load("iterations-do-not-race")
    assert long_loops(graph)
    assert compare(graph, adding(error("initialisation.output-not-written"))) == []
    for node, _, _ in graph.walk():
        if isinstance(node.operation, Repeat):
            node.operation.count = node.operation.maximum = 2
    assert [d.kind for d in compare(graph, adding(error("x.y")))] == [Kind.OVER_REJECTED]
    assert compare(graph, adding(error("x.y")), over_rejections={"always": lambda _: True}) == []


def test_strides_that_nest_explain_nothing():
    assert not tangled_strides(load("strided-views-interleave"))
    assert not tangled_strides(load("negative-stride"))


@pytest.mark.parametrize(
    ("name", "varies"),
    [
        ("parametric-offsets-meet", True),
        ("parametric-offsets-never-meet", False),
        ("parametric-write-and-read", True),
        ("iterations-cover-together", True),
        ("two-halves-initialise", False),
        ("placed-by-a-parameter", True),
    ],
)
def test_extents_vary_where_their_difference_does(name: str, varies: bool):
    assert varying_extents(load(name)) is varies


def test_every_listed_over_rejection_has_a_predicate():
    assert set(OVER_REJECTIONS) == {"trips", "strides", "parameters", "spans"}


def races(graph: Graph) -> bool:
    return UNORDERED in judge(graph, budget=20_000).errors


def test_shrinking_leaves_what_matters():
    shrunk = 0
    for seed in range(40):
        graph = generate(random.Random(seed))
        if not races(graph):
            continue
        small = shrink(graph, races)
        shrunk += 1
        nodes = [node for node, _, _ in small.walk()]
        assert races(small)
        assert len(nodes) == 2
        assert translate.from_text(translate.to_text(small)).body.nodes
    assert shrunk


def test_fuzzing_agrees_with_an_honest_verifier():
    found = list(outcomes(range(60), honest, strict=True))
    assert [outcome.seed for outcome in found] == list(range(60))
    assert not any(outcome.disagreements for outcome in found)
    assert any(outcome.sound for outcome in found)


def test_fuzzing_finds_what_a_silent_verifier_misses_and_makes_it_small():
    found = next(o for o in outcomes(range(60), silent) if any(d.what == UNORDERED for d in o.disagreements))
    small = smallest(found, silent)
    assert len(list(small.walk())) <= 2
    assert compare(small, silent)


def test_fuzzing_tells_what_explains_a_refusal():
    refuse = adding(error("x.y"))
    explained = {name for outcome in outcomes(range(250), refuse) for name in outcome.explained}
    assert explained == set(OVER_REJECTIONS)
