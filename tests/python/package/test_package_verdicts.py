"""A CrossTL graph, imported, pinned and verified on the command line, against a package altered in one way.

What each alteration is, and which test of this file, or of `test_crosstl_package.py`, shows the verdict:

====  ==========================================  ==================================================
  00  nothing, for each target                    `test_the_graph_of_each_target`
  02  the selector names a stage                  `test_a_selector_with_a_stage`
  04  the graph understates an access             `test_graphs_that_do_not_fit`, `access`
  06  the graph has other elements                `test_graphs_that_do_not_fit`, `elements`
  08  unknown constant, profile, failed status    `test_graphs_that_do_not_fit`, `constant` and
                                                  `constant and profile`; `test_a_failed_status`
  10  the root is elsewhere                       `test_packages_that_are_not_used`, `root`
  12  two targets in one graph                    `test_two_targets`
  14  the manifest nests deeply                   `test_packages_that_are_not_opened`, `deep`
  16  kernel and record replaced together         `test_a_kernel_replaced_with_its_record`
  18  no dispatch                                 `test_a_graph_without_dispatches`
  20  a path leads out                            `test_packages_that_are_not_used`, `path`
  22  hash and size of another type               `test_packages_that_are_not_used`, `hash` and `size`
  24  malformed interface                         `test_packages_that_are_not_used`, `interface` and
                                                  `constants`
  26  the manifest is a folder                    `test_packages_that_are_not_opened`, `folder`
====  ==========================================  ==================================================

Every other place of a manifest that may be spoiled is in `test_whatever_is_wrong_is_told_at_its_place` there.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from foreign_packages import CROSSTL, PACKAGES, Json, changed, copied, spoiled
from interlock.cli import main
from interlock.hashing import sha256_digest

ERROR = "SEVERITY_ERROR"
MANIFEST = "runtime-package.json"
DISPATCH = "nodes/0/dispatch"
GAPS = {"capability.not-offered-by-target", "geometry.exceeds-profile"}
"""What a manifest of CrossTL never tells: capabilities that a kernel needs, and its shared memory."""
READY_BUT_FOR_GAPS = ("verify", 3, "UNVERIFIED", frozenset(GAPS))


class Result(NamedTuple):
    """What the last command said that ran: of its findings the errors, or else the gaps."""

    command: str
    code: int
    readiness: str
    said: frozenset[str]


Judge = Callable[..., Result]


def source(target: str, *changes: tuple[str, object]) -> Json:
    path = PACKAGES.parent / "two_stage_sum" / "graphs" / f"two_stage_sum.{target}.json"
    document: Json = json.loads(path.read_text())
    return spoiled(document, *changes)


def unready(*codes: str) -> Result:
    """An answer to a graph or package that is wrong."""
    return Result("verify", 1, "NOT_READY", frozenset(codes))


@pytest.fixture
def judge(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> Judge:
    """`interlock import crosstl`, `interlock pin` and `interlock verify --container`, each if the last ran.

    Pins are those of the package as it was made.
    """

    def run(name: str, *words: str) -> Result:
        capsysbinary.readouterr()
        code = main((*words, "--format", "json"))
        report = json.loads(capsysbinary.readouterr().out)
        errors = {each["code"] for each in report.get("diagnostics", ()) if each["severity"] == ERROR}
        gaps = {each["check"] for each in report.get("unverified", ()) if each["required"]}
        ready = " ".join(each["readiness"].removeprefix("READINESS_") for each in report.get("readiness", ()))
        return Result(name, code, ready, frozenset(errors or gaps))

    def judge_(graph: Json, package: Path = CROSSTL, target: str = "directx", *, pin: bool = True) -> Result:
        given, imported, pinned = (str(tmp_path / f"{name}.json") for name in ("given", "imported", "pinned"))
        Path(given).write_text(json.dumps(graph))
        found = run("import", "import", "crosstl", given, "-o", imported)
        if not found.code and pin:
            found = run("pin", "pin", imported, "--package", str(CROSSTL), "-o", pinned)
        if not found.code:
            subject = pinned if pin else imported
            found = run("verify", "verify", "--container", str(package), "--target", target, subject)
        return found

    return judge_


@pytest.mark.parametrize("target", ["directx", "metal", "opengl"])
def test_the_graph_of_each_target(judge: Judge, target: str):
    assert judge(source(target), CROSSTL, target) == READY_BUT_FOR_GAPS
    assert judge(source(target), CROSSTL, target, pin=False) == (
        "verify",
        3,
        "UNVERIFIED",
        GAPS | {"artifact.unpinned"},
    )


def test_the_graph_of_vulkan_whose_manifest_claims_writes_to_inputs(judge: Judge):
    assert judge(source("vulkan"), CROSSTL, "vulkan") == unready("interface.access-understated")


def test_a_selector_with_a_stage(judge: Judge):
    """The package states no stage; one in the selector selects nothing else."""
    changes = [(f"nodes/{number}/dispatch/artifactSelector/stage", "compute") for number in (0, 2)]
    assert judge(source("directx", *changes)) == READY_BUT_FOR_GAPS


HALVES = [
    ("resources/1/dtype", "float16"),
    *(
        (f"resources/1/physicalLayout/{name}", value)
        for name, value in {
            "elementSizeBytes": 2,
            "elementStrideBytes": 2,
            "byteLength": 16,
            "allocationByteLength": 16,
        }.items()
    ),
]
PROFILE = [(f"{DISPATCH}/targetProfile", "cs_99_9")]
UNKNOWN = [(f"{DISPATCH}/constants", {"nope": 1})]
MISFITS: dict[str, tuple[list[tuple[str, object]], set[str]]] = {
    "access": (
        [(f"{DISPATCH}/bindings/partials/access", "read")],
        {"interface.access-understated", "initialisation.read-before-write"},
    ),
    "elements": (HALVES, {"layout.element-mismatch"}),
    "constant": (UNKNOWN, {"specialization.unknown-constant"}),
    "constant of another type": (
        [(f"{DISPATCH}/constants", {"nope": True, "more": 0.5})],
        {"specialization.unknown-constant"},
    ),
    "constant and profile": (UNKNOWN + PROFILE, {"specialization.unknown-constant"}),
}


@pytest.mark.parametrize(("changes", "codes"), MISFITS.values(), ids=MISFITS)
def test_graphs_that_do_not_fit(judge: Judge, changes: list[tuple[str, object]], codes: set[str]):
    assert judge(source("directx", *changes)) == unready(*codes)
    unpinned = judge(source("directx", *changes), pin=False)
    assert unpinned == unready(*codes)


def test_a_profile_is_kept_and_compared_with_nothing(judge: Judge):
    assert judge(source("directx", *PROFILE)) == READY_BUT_FOR_GAPS


def test_a_failed_status(judge: Judge):
    status = (f"{DISPATCH}/validationStatus", "failed")
    assert judge(source("directx", status)) == ("import", 1, "", {"crosstl.failed-validation"})
    status = (f"{DISPATCH}/validationStatus", "passed")
    assert judge(source("directx", status)) == READY_BUT_FOR_GAPS


def test_constants_of_the_manifest_take_numbers_of_their_type(judge: Judge, tmp_path: Path):
    constants = [
        {"name": "width", "id": 1, "dtype": "uint", "default": 32},
        {"name": "scale", "id": 2, "dtype": "float", "default": 1.0},
        {"name": "fast", "id": 3, "dtype": "bool", "default": False},
    ]
    names = [(f"artifacts/{number}/hostInterface/specializationConstants", constants) for number in range(8)]
    package = changed(CROSSTL, tmp_path, MANIFEST, *names)

    def given(**values: object) -> Result:
        return judge(source("directx", (f"{DISPATCH}/constants", values)), package)

    assert given(width=64, scale=0.1, fast=True) == READY_BUT_FOR_GAPS
    assert given(width=(1 << 32) - 1) == READY_BUT_FOR_GAPS
    for wrong in ({"width": -1}, {"width": 1.0}, {"width": 1 << 32}, {"scale": 1}, {"fast": 1}):
        assert given(**wrong) == unready("specialization.type-mismatch")


def test_two_targets(judge: Judge):
    graph = source("directx", ("nodes/2/dispatch/artifactSelector/target", "metal"))
    assert judge(graph) == ("import", 1, "", {"crosstl.mixed-targets"})


def test_a_graph_without_dispatches(judge: Judge):
    fill = {"resource": "total", "range": {"byteOffset": 0, "byteLength": 4}, "value": 0}
    node = {"id": "zero", "kind": "fill", "dependsOn": [], "fill": fill}
    graph = source("directx", ("nodes", [node]), ("resources/0", ...), ("resources/0", ...))
    assert judge(graph) == ("verify", 0, "READY", set())


def test_a_kernel_replaced_with_its_record(judge: Judge, tmp_path: Path):
    records = json.loads((CROSSTL / MANIFEST).read_text())["artifacts"]
    (number,) = (
        position
        for position, record in enumerate(records)
        if (record["source"], record["target"]) == ("kernels/slice_totals.hlsl", "directx")
    )
    data = (CROSSTL / records[number]["packagePath"]).read_bytes() + b"// replaced\n"
    package = changed(
        CROSSTL,
        tmp_path,
        MANIFEST,
        (f"artifacts/{number}/hash/value", sha256_digest(data).removeprefix("sha256:")),
        (f"artifacts/{number}/sizeBytes", len(data)),
    )
    (package / records[number]["packagePath"]).write_bytes(data)
    assert judge(source("directx"), package) == unready("artifact.pin-mismatch")
    # Nothing but a pin could tell.
    assert judge(source("directx"), package, pin=False).said == GAPS | {"artifact.unpinned"}


UNUSED: dict[str, tuple[str, object, str]] = {
    "root": ("packageRoot", "/somewhere/else", "container.redirected-root"),
    "path": ("artifacts/0/packagePath", "../../outside.hlsl", "container.unsafe-path"),
    "hash": ("artifacts/0/hash", "0" * 64, "container.malformed"),
    "size": ("artifacts/0/sizeBytes", -1, "container.malformed"),
    "interface": ("artifacts/0/hostInterface", [], "container.malformed"),
    "constants": ("artifacts/0/hostInterface/specializationConstants", "x", "container.malformed"),
}


@pytest.mark.parametrize(("place", "value", "code"), UNUSED.values(), ids=UNUSED)
def test_packages_that_are_not_used(judge: Judge, tmp_path: Path, place: str, value: object, code: str):
    """Also by the graph of a target whose own records are in order."""
    package = changed(CROSSTL, tmp_path, MANIFEST, (place, value))
    assert judge(source("metal"), package, "metal") == unready(code)


@pytest.mark.parametrize(("kind", "code"), [("deep", "limit.json-depth"), ("folder", "container.malformed")])
def test_packages_that_are_not_opened(judge: Judge, tmp_path: Path, kind: str, code: str):
    package = copied(CROSSTL, tmp_path)
    manifest = package / MANIFEST
    manifest.unlink()
    if kind == "deep":
        manifest.write_text('{"a":' * 5000 + "1" + "}" * 5000)
    else:
        manifest.mkdir()
    assert judge(source("directx"), package) == ("verify", 2, "", {code})
