"""Imported graphs against a CrossTL package that was changed in one way: never ready by mistake."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

import pytest

import interlock
from execgraph.v1 import graph_pb2
from foreign_packages import CROSSTL, PACKAGES, Json, changed, copied, spoiled
from interlock.diagnostic import Severity
from interlock.document import Document
from interlock.hashing import sha256_digest
from interlock.interop.crosstl import import_crosstl
from interlock.package.opening import open_container
from interlock.rules.context import Surroundings

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST = "runtime-package.json"
DISPATCH = "nodes/0/dispatch"


def graph(target: str, *changes: tuple[str, object]) -> Document:
    path = PACKAGES.parent / "two_stage_sum" / "graphs" / f"two_stage_sum.{target}.json"
    source: Json = json.loads(path.read_text())
    return import_crosstl(spoiled(source, *changes)).document


def errors(document: Document, package: Path, target: str) -> set[str]:
    report = interlock.verify(document, surroundings=Surroundings(open_container(package), {target}))
    assert report.verdict is not interlock.Verdict.SOUND
    return {found.code for found in report.diagnostics if found.severity is Severity.ERROR}


@pytest.mark.parametrize("target", ["directx", "metal", "opengl"])
def test_the_graph_of_a_target_fits_the_package(target: str):
    assert errors(graph(target), CROSSTL, target) == set()


def test_the_manifest_says_that_vulkan_writes_its_inputs():
    # Its assembly says NonWritable; as long as nobody reads it, what the manifest declares counts.
    assert errors(graph("vulkan"), CROSSTL, "vulkan") == {"interface.access-understated"}


def test_a_graph_does_not_fit_another_target():
    assert "interface.unmapped" in errors(graph("metal"), CROSSTL, "directx")


def test_an_access_that_is_understated_is_found():
    document = graph("directx", (f"{DISPATCH}/bindings/partials/access", "read"))
    assert "interface.access-understated" in errors(document, CROSSTL, "directx")


def test_elements_of_another_type_are_found():
    layout = "resources/0/physicalLayout"
    changes = [
        ("resources/0/dtype", "float16"),
        (f"{layout}/elementSizeBytes", 2),
        (f"{layout}/elementStrideBytes", 2),
        (f"{layout}/byteLength", 2048),
        (f"{layout}/allocationByteLength", 2048),
    ]
    assert "layout.element-mismatch" in errors(graph("directx", *changes), CROSSTL, "directx")


def test_another_workgroup_size_is_found():
    document = graph("directx", (f"{DISPATCH}/geometry/workgroupSize", [64, 1, 1]))
    assert "geometry.workgroup-mismatch" in errors(document, CROSSTL, "directx")


def test_a_kernel_that_was_swapped_with_its_record_is_found_by_a_pin(tmp_path: Path):
    manifest = json.loads((CROSSTL / MANIFEST).read_text())
    (number,) = (
        position
        for position, record in enumerate(manifest["artifacts"])
        if (record["source"], record["target"]) == ("kernels/slice_totals.hlsl", "directx")
    )
    record = manifest["artifacts"][number]
    data = (CROSSTL / record["packagePath"]).read_bytes() + b"// swapped\n"
    package = changed(
        CROSSTL,
        tmp_path,
        MANIFEST,
        (f"artifacts/{number}/hash/value", sha256_digest(data).removeprefix("sha256:")),
        (f"artifacts/{number}/sizeBytes", len(data)),
    )
    (package / record["packagePath"]).write_bytes(data)
    document = graph("directx")
    report = interlock.verify(document, surroundings=Surroundings(open_container(package), {"directx"}))
    assert report.verdict is interlock.Verdict.UNVERIFIED
    assert "artifact.unpinned" in {gap.check for gap in report.unverified if gap.required}
    message = graph_pb2.ExecutionGraph()
    message.CopyFrom(cast("graph_pb2.ExecutionGraph", document.message))
    (row,) = (artifact for artifact in message.artifacts if artifact.id == "slice_totals")
    row.pins.add(target="directx", digest=f"sha256:{record['hash']['value']}", size=record["sizeBytes"])
    found = errors(Document.from_message(message), package, "directx")
    assert {code.partition(".")[0] for code in found} == {"artifact"}


def test_a_damaged_kernel_is_found(tmp_path: Path):
    package = copied(CROSSTL, tmp_path)
    path = package / "artifacts/translated/directx/kernels/slice_totals.hlsl"
    path.write_bytes(path.read_bytes()[::-1])
    assert errors(graph("directx"), package, "directx")
    assert errors(graph("metal"), package, "metal") == set()


@pytest.mark.parametrize(
    ("place", "value", "code"),
    [
        ("packageRoot", "/somewhere/else", "container.redirected-root"),
        ("success", False, "container.not-packaged"),
        ("artifacts/0/packagePath", "../a", "container.unsafe-path"),
        ("artifacts/0/hash", "x", "container.malformed"),
        ("artifacts/0/sizeBytes", -1, "container.malformed"),
        ("artifacts/0/hostInterface", {"status": "ready"}, "container.malformed"),
    ],
)
def test_what_is_wrong_with_a_manifest_keeps_everything_from_being_ready(
    tmp_path: Path, place: str, value: object, code: str
):
    package = changed(CROSSTL, tmp_path, MANIFEST, (place, value))
    assert code in errors(graph("metal"), package, "metal")


def test_an_interface_that_nobody_describes_is_an_error(tmp_path: Path):
    nothing = [(f"artifacts/{number}/hostInterface", None) for number in range(8)]
    package = changed(CROSSTL, tmp_path, MANIFEST, *nothing)
    assert errors(graph("metal"), package, "metal") == {"interface.missing"}
