"""Readiness of each graph on each target: what is wrong at one place says nothing about the others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from interlock.diagnostic import ROOT, Diagnostic, Path, Severity, Step, Unverified
from interlock.limits import DEFAULT_LIMITS
from interlock.report.model import Outcome, Report, Verdict
from interlock.rules.context import Surroundings
from interlock.verification import verify
from package_documents import INTERFACE, KERNEL, artifact, container, graph, package, pin, variant

if TYPE_CHECKING:
    from execgraph.v1 import interface_pb2, package_pb2
    from interlock.document import Document

OTHER, THIRD = b"other kernel", b"third kernel"
PINS = pin("metal") + pin("vulkan")
BOTH = (variant("metal"), variant("vulkan"))


def judged(message: package_pb2.Package | Document, *contents: bytes, **more: object) -> Report:
    held, _ = container(*(contents or (KERNEL,)), **more)
    return verify(message, surroundings=Surroundings(held))


def table(report: Report) -> dict[tuple[str, str], str]:
    return {
        (each.graph, each.target): " ".join(
            [each.readiness.name, *(f"{code}={count}" for code, count in each.reasons)]
        )
        for each in report.readiness
    }


def test_everything_is_ready() -> None:
    message = package(artifact("a", *BOTH), graph("one", {"a": PINS}), graph("two", {"a": PINS}))
    report = judged(message)
    assert table(report) == dict.fromkeys(
        [("one", "metal"), ("one", "vulkan"), ("two", "metal"), ("two", "vulkan")], "READY"
    )
    assert report.verdict is Verdict.SOUND


def test_a_damaged_variant_concerns_its_target_and_the_graphs_that_run_it() -> None:
    kernels = artifact("a", variant("metal", OTHER), variant("vulkan")) + artifact("b", *BOTH)
    pins = pin("metal", OTHER) + pin("vulkan")
    message = package(kernels, graph("one", {"a": pins}), graph("two", {"b": PINS}))
    assert table(judged(message)) == {
        ("one", "metal"): "NOT_READY artifact.missing-blob=1",
        ("one", "vulkan"): "READY",
        ("two", "metal"): "READY",
        ("two", "vulkan"): "READY",
    }


def test_two_graphs_may_run_two_variants_of_one_artifact() -> None:
    kernels = artifact("a", variant("vulkan"), variant("vulkan", OTHER, name="fast"))
    message = package(kernels, graph("one", {"a": pin("vulkan")}), graph("two", {"a": pin("vulkan", OTHER)}))
    assert table(judged(message)) == {
        ("one", "vulkan"): "READY",
        ("two", "vulkan"): "NOT_READY artifact.missing-blob=1",
    }


def test_every_graph_has_its_own_gaps() -> None:
    message = package(
        artifact("a", *BOTH),
        graph("none", {"a": ""}),
        graph("one", {"a": pin("vulkan")}),
        graph("two", {"a": PINS}),
    )
    report = judged(message)
    assert table(report) == {
        ("none", "metal"): "UNVERIFIED artifact.unpinned=1",
        ("none", "vulkan"): "UNVERIFIED artifact.unpinned=1",
        ("one", "metal"): "UNVERIFIED artifact.unpinned=1",
        ("one", "vulkan"): "READY",
        ("two", "metal"): "READY",
        ("two", "vulkan"): "READY",
    }
    assert report.verdict is Verdict.UNVERIFIED


def test_what_is_wrong_in_a_graph_concerns_that_graph_on_all_targets() -> None:
    bad = graph("bad", {"a": PINS})
    bad.message.ClearField("maximum_node_executions")
    report = judged(
        package(artifact("a", *BOTH), type(bad).from_message(bad.message), graph("good", {"a": PINS}))
    )
    assert table(report) == {
        ("bad", "metal"): "NOT_READY control.missing-execution-bound=1",
        ("bad", "vulkan"): "NOT_READY control.missing-execution-bound=1",
        ("good", "metal"): "READY",
        ("good", "vulkan"): "READY",
    }


def test_a_graph_that_cannot_be_read_is_not_ready_anywhere() -> None:
    message = package(artifact("a", *BOTH), graph("good", {"a": PINS}))
    message.graphs.add(id="bad").source.embedded = b"\n"
    report = judged(message)
    assert table(report)["bad", "vulkan"] == "NOT_READY package.unreadable-graph=1"
    assert table(report)["good", "vulkan"] == "READY"


def test_opening_errors_keep_everything_from_being_ready_and_notes_nothing() -> None:
    message = package(artifact("a", *BOTH), graph("one", {"a": PINS}))
    place = Path((Step("manifest.json"), Step("artifacts", 3)))
    error = Diagnostic("container.malformed", Severity.ERROR, place, "an object is required")
    report = judged(message, diagnostics=(error,))
    assert report.diagnostics == (error,)
    assert set(table(report).values()) == {"NOT_READY container.malformed=1"}
    report = judged(message, diagnostics=(replace(error, severity=Severity.NOTE),))
    assert set(table(report).values()) == {"READY"}
    gap = Unverified("container.no-digests", "the format has no digests")
    report = judged(message, unverified=(gap,))
    assert set(table(report).values()) == {"UNVERIFIED container.no-digests=1"}


def test_a_target_that_nobody_has_is_wrong_for_every_graph() -> None:
    message = package(artifact("a", *BOTH), graph("one", {"a": PINS}))
    held, _ = container(KERNEL)
    report = verify(message, surroundings=Surroundings(held, {"cuda", "vulkan"}))
    assert table(report) == {
        ("one", "cuda"): "NOT_READY package.missing-target=1",
        ("one", "vulkan"): "READY",
    }
    assert [(str(each.path), each.target) for each in report.diagnostics] == [("", "cuda")]


def test_errors_beyond_the_cap_keep_everything_from_being_ready() -> None:
    kernels = artifact("a", variant("vulkan", OTHER)) + artifact("b", variant("vulkan", THIRD))
    graphs = graph("one", {"a": pin("vulkan", OTHER)}), graph("two", {"b": pin("vulkan", THIRD)})
    held, _ = container(KERNEL)
    limits = replace(DEFAULT_LIMITS, findings_per_rule=1)
    report = verify(package(kernels, *graphs), surroundings=Surroundings(held), limits=limits)
    assert [str(each.path) for each in report.diagnostics] == ['artifacts["a"].variants[0].blob']
    assert table(report) == {
        ("one", "vulkan"): "NOT_READY artifact.missing-blob=1",
        ("two", "vulkan"): "UNVERIFIED artifact.digest-mismatch=1 artifact.missing-blob=1 "
        "artifact.size-mismatch=1 artifact.unreadable-blob=1",
    }
    outcome = next(each for each in report.rules if each.code == "artifact.missing-blob")
    assert (outcome.outcome, outcome.findings) == (Outcome.FAILED, 2)


def test_evidence_that_is_not_enough_leaves_a_target_unverified() -> None:
    declared = INTERFACE.replace('name: "main"', 'name: "main" evidence: EVIDENCE_DECLARED')
    kernels = artifact("a", *BOTH, interface=declared)
    message = package(kernels, graph("one", {"a": PINS}))
    held, _ = container(KERNEL)
    codes = {
        floor: sorted(
            {gap.check for gap in verify(message, surroundings=Surroundings(held), require=floor).unverified}
        )
        for floor in ("asserted", "declared", "proven")
    }
    assert codes == {
        "asserted": [],
        "declared": ["assumption.full-coverage"],
        "proven": ["assumption.full-coverage", "assumption.interface-facts"],
    }


@pytest.mark.parametrize("role", ["written only", "read too"])
def test_a_slot_that_is_read_too_and_declared_as_written_is_an_assumption(role: str) -> None:
    message = package(artifact("a", *BOTH), graph("one", {"a": PINS}))
    if role == "read too":
        entry: interface_pb2.Entry = message.artifacts[0].interface.entries[0]
        entry.slots[1].access = 3  # type: ignore[assignment]
    report = judged(message)
    held = [(each.code, str(each.path), each.target) for each in report.assumptions]
    place = 'graphs["one"].source.embedded.body.nodes["run-a"].operation.dispatch.bindings["y"].access'
    expected = [("assumption.reads-nothing-unwritten", place, target) for target in ("metal", "vulkan")]
    assert [each for each in held if "unwritten" in each[0]] == (expected if role == "read too" else [])
    assert [each for each in held if "facts" in each[0]] == [
        ("assumption.interface-facts", 'artifacts["a"].variants[0]', "metal"),
        ("assumption.interface-facts", 'artifacts["a"].variants[1]', "vulkan"),
    ]
    assert report.ok


def test_a_graph_beside_a_container_is_a_part_of_its_package() -> None:
    document = package(artifact("a", *BOTH), graph("unrelated", {"a": ""}))
    held, _ = container(KERNEL)
    held = replace(held, document=type(graph("x", {"a": ""})).from_message(document))
    report = verify(graph("mine", {"a": PINS}), surroundings=Surroundings(held))
    assert report.subject.kind == "Package"
    assert table(report) == {("mine", "metal"): "READY", ("mine", "vulkan"): "READY"}


def test_a_graph_beside_a_folder_has_no_artifacts() -> None:
    report = judged(graph("mine", {"a": PINS}))
    assert [(each.code, each.path, each.target) for each in report.diagnostics] == [
        (
            "artifact.not-packaged",
            ROOT.extended(
                Step("graphs", 0, "mine"), Step("source"), Step("embedded"), Step("artifacts", 0, "a")
            ),
            "",
        )
    ]
    assert report.verdict is Verdict.UNSOUND
