"""One graph for four targets: a mapping document says what each target of a foreign package calls things."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, cast

import pytest

import interlock
from foreign_packages import CROSSTL, PACKAGES
from interlock.diagnostic import Severity
from interlock.package.edit import pinned
from interlock.package.opening import open_container
from interlock.rules.context import Surroundings
from package_support import require_tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from execgraph.v1.package_pb2 import Package
    from interlock.report.model import Report

GRAPH = PACKAGES.parent / "two_stage_sum" / "two_stage_sum.json"
READY = ("READY", {})
ARTIFACTS = ("grand_total", "slice_totals")
DISPATCHES = 'graphs["two-stage-sum"].source.embedded.body.nodes["%s"].operation.dispatch.bindings["%s"]'
INPUTS = [DISPATCHES % pair for pair in (("stage-one", "samples"), ("stage-two", "partials"))]


def mapped() -> interlock.Document:
    """The mapping document with the graph, pinned to the variants that it lists."""
    return interlock.load(PACKAGES / "crosstl_two_stage.package.json", kind="Package")


def judged(document: interlock.Document, assembler: str = "", *targets: str) -> Report:
    held = open_container(CROSSTL)
    return interlock.verify(document, surroundings=Surroundings(held, set(targets), assembler=assembler))


def readiness(report: Report) -> Mapping[str, tuple[str, dict[str, int]]]:
    return {each.target: (each.readiness.name, dict(each.reasons)) for each in report.readiness}


def found(report: Report, severity: Severity) -> list[tuple[str, str, str]]:
    return [
        (each.code, str(each.path), each.target) for each in report.diagnostics if each.severity is severity
    ]


def test_the_package_is_the_mapping_with_the_graph():
    done = subprocess.run(
        [sys.executable, PACKAGES / "make_mapping.py", "--check"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_one_graph_serves_four_targets_and_the_manifest_is_believed():
    report = judged(mapped())
    assert readiness(report) == {
        "directx": READY,
        "metal": READY,
        "opengl": READY,
        "vulkan": ("NOT_READY", {"interface.access-understated": 2}),
    }
    assert [(each.code, str(each.path), each.target) for each in report.diagnostics] == [
        ("interface.access-understated", f"{place}.access", "vulkan") for place in INPUTS
    ]


def test_an_assembler_shows_that_the_manifest_claims_more_than_the_code_does():
    require_tool("spirv-as")
    report = judged(mapped(), "spirv-as")
    assert readiness(report) == dict.fromkeys(("directx", "metal", "opengl", "vulkan"), READY)
    assert report.verdict is interlock.Verdict.SOUND
    notes = [("interface.overstated", f'artifacts["{name}"].variants[3]', "vulkan") for name in ARTIFACTS]
    # The manifest says read-write of both slots, the mapping of the output.
    assert found(report, Severity.NOTE) == [note for note in notes for _ in range(3)]
    assert len(report.diagnostics) == 6


@pytest.mark.parametrize(("target", "wrong"), [("directx", 2), ("opengl", 2), ("metal", 0)])
def test_without_the_mapping_the_names_are_another_targets(target: str, wrong: int):
    """Only the targets that call things as the graph does can do without it."""
    graph = pinned(interlock.load(GRAPH), cast("Package", open_container(CROSSTL).document.message))
    report = judged(graph, "", target)
    unmapped = [path for code, path, _ in found(report, Severity.ERROR) if code == "interface.unmapped"]
    assert len([path for path in unmapped if path.endswith(".entry")]) == wrong


def test_metal_states_no_workgroup_size_so_that_of_the_mapping_counts():
    package = cast("Package", mapped().message)
    for artifact in package.artifacts:
        artifact.interface.entries[0].workgroup_size.axes[0].literal = 64
    report = judged(interlock.Document.from_message(package), "", "metal")
    assert readiness(report) == {"metal": ("NOT_READY", {"geometry.workgroup-mismatch": 2})}
