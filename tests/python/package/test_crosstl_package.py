"""CrossTL runtime packages: what they amount to, what is refused, and that nothing leads out of them."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import pytest

from foreign_packages import CROSSTL, DIGITS, PACKAGES, changed, copied, every_file, refusal, remarks
from interlock.errors import InterlockError
from interlock.hashing import sha256_digest
from interlock.interop.crosstl import import_crosstl
from interlock.limits import DEFAULT_LIMITS
from interlock.package.crosstl import read_crosstl
from interlock.package.opening import open_container

if TYPE_CHECKING:
    from pathlib import Path

    from execgraph.v1 import package_pb2
    from interlock.package.container import Container

MANIFEST = "runtime-package.json"
FIRST = f"{MANIFEST}.artifacts[0]"
LINKED_TO = "/etc/hostname"


def package_of(container: Container) -> package_pb2.Package:
    assert container.document is not None
    return cast("package_pb2.Package", container.document.message)


def variants(container: Container) -> list[tuple[str, str, str, str, str]]:
    return [
        (artifact.id, variant.target, variant.name, variant.content_type.identity, variant.blob.location)
        for artifact in package_of(container).artifacts
        for variant in artifact.variants
    ]


def readable(container: Container) -> int:
    """Read every variant, and count those that are what they have to be."""
    return sum(
        len(container.blobs.read(variant.blob)) > 0
        for artifact in package_of(container).artifacts
        for variant in artifact.variants
    )


def test_a_package_is_its_artifacts_by_source_with_a_variant_for_each_target():
    container = read_crosstl(CROSSTL)
    assert (container.format, container.diagnostics, container.unverified) == ("crosstl", (), ())
    assert package_of(container).id == "crosstl_two_stage"
    folder = "artifacts/translated"
    assert variants(container) == [
        (kernel, target, "", form, f"{folder}/{target}/kernels/{kernel}.{suffix}")
        for kernel in ("grand_total", "slice_totals")
        for target, form, suffix in (
            ("directx", "hlsl", "hlsl"),
            ("metal", "msl", "metal"),
            ("opengl", "glsl", "glsl"),
            ("vulkan", "spirv-assembly", "spvasm"),
        )
    ]
    sources = [artifact.provenance.source.uri for artifact in package_of(container).artifacts]
    assert sources == ["kernels/grand_total.hlsl", "kernels/slice_totals.hlsl"]
    assert not any(artifact.HasField("interface") for artifact in package_of(container).artifacts)
    for artifact in package_of(container).artifacts:
        for variant in artifact.variants:
            data = (CROSSTL / variant.blob.location).read_bytes()
            assert (variant.blob.digest, variant.blob.size) == (sha256_digest(data), len(data))
            assert container.blobs.read(variant.blob) == data


def test_the_manifest_and_its_folder_open_the_same_package():
    by_folder, by_manifest = open_container(CROSSTL), open_container(CROSSTL / MANIFEST)
    assert package_of(by_folder) == package_of(by_manifest)
    assert by_folder.declared == by_manifest.declared


def test_a_manifest_may_have_another_name(tmp_path: Path):
    package = copied(CROSSTL, tmp_path)
    (package / MANIFEST).rename(package / "manifest of mine.json")
    assert readable(open_container(package / "manifest of mine.json")) == 8


@pytest.mark.parametrize("target", ["directx", "metal", "opengl", "vulkan"])
def test_an_imported_graph_finds_its_artifacts(target: str):
    graph = PACKAGES.parent / "two_stage_sum" / "graphs" / f"two_stage_sum.{target}.json"
    imported = cast("Any", import_crosstl(graph.read_bytes()).document.message)
    held = {artifact.id for artifact in package_of(read_crosstl(CROSSTL)).artifacts}
    assert {artifact.id for artifact in imported.artifacts} == held


# The document.


def renamed(*sources: str | None) -> list[tuple[str, object]]:
    """Give the first artifacts other sources."""
    return [(f"artifacts/{position}/source", source) for position, source in enumerate(sources)]


def test_sources_of_one_name_are_artifacts_by_their_whole_path(tmp_path: Path):
    # A graph that selects one of them has the id `k`, which says nothing about which one it means.
    package = changed(CROSSTL, tmp_path, MANIFEST, *renamed("a/k.hlsl", "b/k.metal", "c/l.hlsl", None))
    ids = {(artifact, target) for artifact, target, *_ in variants(read_crosstl(package))}
    assert {("a/k.hlsl", "directx"), ("b/k.metal", "metal"), ("l", "opengl")} <= ids
    assert "k" not in {artifact for artifact, _ in ids}
    identity = "kernels/grand_total.hlsl_vulkan_default_translated/vulkan/kernels/grand_total.spvasm"
    assert (identity, "vulkan") in ids


def test_variants_of_one_source_keep_their_names(tmp_path: Path):
    changes = [("artifacts/1/target", "directx"), ("artifacts/1/variant", "fast")]
    found = variants(read_crosstl(changed(CROSSTL, tmp_path, MANIFEST, *changes)))
    assert [each[:3] for each in found if each[1] == "directx"] == [
        ("grand_total", "directx", ""),
        ("grand_total", "directx", "fast"),
        ("slice_totals", "directx", ""),
    ]


def test_equal_variants_of_one_source_are_artifacts_by_their_own_ids(tmp_path: Path):
    package = changed(CROSSTL, tmp_path, MANIFEST, ("artifacts/1/target", "directx"), ("artifacts/1/id", "b"))
    found = {each[0]: each[1] for each in variants(read_crosstl(package)) if "slice" not in each[0]}
    prefix = "kernels/grand_total.hlsl_"
    assert found == {
        "b": "directx",
        f"{prefix}directx_default_translated/directx/kernels/grand_total.hlsl": "directx",
        f"{prefix}opengl_default_translated/opengl/kernels/grand_total.glsl": "opengl",
        f"{prefix}vulkan_default_translated/vulkan/kernels/grand_total.spvasm": "vulkan",
    }


@pytest.mark.parametrize(
    ("target", "path", "expected"),
    [
        ("wgsl", "a.wgsl", ("webgpu", "wgsl")),
        ("cuda", "a.cu", ("cuda", "cuda-source")),
        ("cuda", "a.ptx", ("cuda", "ptx")),
        ("hip", "a.hip", ("hip", "hip-source")),
        ("vulkan", "a.spv", ("vulkan", "spirv")),
        ("vulkan", "a.SPVASM", ("vulkan", "spirv-assembly")),
        ("directx", "a.dxil", ("directx", "dxil")),
        ("metal", "a.metallib", ("metal", "metallib")),
        ("webgl", "a.frag", ("webgl", "glsl")),
        ("slang", "a", ("slang", "slang")),
    ],
)
def test_targets_and_files_have_their_names_in_the_contract(
    tmp_path: Path, target: str, path: str, expected: tuple[str, str]
):
    changes = [
        ("artifacts/0/target", target),
        ("artifacts/0/packagePath", path),
        ("artifacts/0/source", "x.y"),
    ]
    container = read_crosstl(changed(CROSSTL, tmp_path, MANIFEST, *changes))
    assert [(each[1], each[3]) for each in variants(container) if each[0] == "x"] == [expected]
    assert remarks(container) == []


def test_a_target_that_crosstl_does_not_have_is_warned_of(tmp_path: Path):
    package = changed(CROSSTL, tmp_path, MANIFEST, ("artifacts/0/target", "amiga"))
    assert remarks(read_crosstl(package)) == [("container.unknown-target", f"{FIRST}.target")]


# What is refused.

HOST = "artifacts/0/hostInterface"
RESOURCE = f"{HOST}/resources/0"
LAYOUT = f"{RESOURCE}/scalarLayout"
AT_HOST = f"{FIRST}.hostInterface"
AT_RESOURCE = f"{AT_HOST}.resources[0]"
AT_LAYOUT = f"{AT_RESOURCE}.scalarLayout"
MALFORMED = "container.malformed"

SPOILED: list[tuple[str, object, str, str]] = [
    ("success", False, "container.not-packaged", f"{MANIFEST}.success"),
    ("success", "true", MALFORMED, f"{MANIFEST}.success"),
    ("success", ..., MALFORMED, MANIFEST),
    ("packageRoot", 3, MALFORMED, f"{MANIFEST}.packageRoot"),
    ("packageRoot", "/somewhere/else", "container.redirected-root", f"{MANIFEST}.packageRoot"),
    ("packageRoot", "C:\\packages\\p", "container.redirected-root", f"{MANIFEST}.packageRoot"),
    ("packageRoot", "\\\\server\\p", "container.redirected-root", f"{MANIFEST}.packageRoot"),
    ("artifacts/0", "x", MALFORMED, FIRST),
    ("artifacts/0/id", ..., MALFORMED, FIRST),
    ("artifacts/0/id", 7, MALFORMED, f"{FIRST}.id"),
    ("artifacts/0/id", "", MALFORMED, f"{FIRST}.id"),
    ("artifacts/0/status", "failed", "container.not-packaged", f"{FIRST}.status"),
    ("artifacts/0/status", None, MALFORMED, f"{FIRST}.status"),
    ("artifacts/0/target", "", MALFORMED, f"{FIRST}.target"),
    ("artifacts/0/target", None, MALFORMED, f"{FIRST}.target"),
    ("artifacts/0/source", 1, MALFORMED, f"{FIRST}.source"),
    ("artifacts/0/variant", ["a"], MALFORMED, f"{FIRST}.variant"),
    ("artifacts/0/packagePath", None, MALFORMED, f"{FIRST}.packagePath"),
    ("artifacts/0/packagePath", "../a", "container.unsafe-path", f"{FIRST}.packagePath"),
    ("artifacts/0/packagePath", "/etc/hostname", "container.unsafe-path", f"{FIRST}.packagePath"),
    ("artifacts/0/packagePath", "a\\b", "container.unsafe-path", f"{FIRST}.packagePath"),
    ("artifacts/0/packagePath", "C:/a", "container.unsafe-path", f"{FIRST}.packagePath"),
    ("artifacts/0/packagePath", "a/./b", "container.unsafe-path", f"{FIRST}.packagePath"),
    ("artifacts/0/hash", ..., MALFORMED, FIRST),
    ("artifacts/0/hash", None, MALFORMED, f"{FIRST}.hash"),
    ("artifacts/0/hash", DIGITS, MALFORMED, f"{FIRST}.hash"),
    ("artifacts/0/hash/algorithm", "md5", MALFORMED, f"{FIRST}.hash.algorithm"),
    ("artifacts/0/hash/algorithm", ..., MALFORMED, f"{FIRST}.hash"),
    ("artifacts/0/hash/value", DIGITS.replace("0", "A"), MALFORMED, f"{FIRST}.hash.value"),
    ("artifacts/0/hash/value", "abc", MALFORMED, f"{FIRST}.hash.value"),
    ("artifacts/0/hash/value", 5, MALFORMED, f"{FIRST}.hash.value"),
    ("artifacts/0/sizeBytes", ..., MALFORMED, FIRST),
    ("artifacts/0/sizeBytes", -1, MALFORMED, f"{FIRST}.sizeBytes"),
    ("artifacts/0/sizeBytes", "372", MALFORMED, f"{FIRST}.sizeBytes"),
    ("artifacts/0/sizeBytes", True, MALFORMED, f"{FIRST}.sizeBytes"),
    ("artifacts/0/sizeBytes", 1.5, MALFORMED, f"{FIRST}.sizeBytes"),
    ("artifacts/0/sizeBytes", 1 << 63, MALFORMED, f"{FIRST}.sizeBytes"),
    (HOST, [], MALFORMED, AT_HOST),
    (f"{HOST}/status", 1, MALFORMED, f"{AT_HOST}.status"),
    (f"{HOST}/entryPoints", ..., MALFORMED, AT_HOST),
    (f"{HOST}/entryPoints", {}, MALFORMED, f"{AT_HOST}.entryPoints"),
    (f"{HOST}/entryPoints/0", "main", MALFORMED, f"{AT_HOST}.entryPoints[0]"),
    (f"{HOST}/entryPoints/0/name", "", MALFORMED, f"{AT_HOST}.entryPoints[0].name"),
    (f"{HOST}/entryPoints/0/stage", 3, MALFORMED, f"{AT_HOST}.entryPoints[0].stage"),
    (f"{HOST}/entryPoints/1", {"name": "CSMain"}, MALFORMED, f"{AT_HOST}.entryPoints[1].name"),
    (
        f"{HOST}/entryPoints/0/executionConfig",
        [8, 1, 1],
        MALFORMED,
        f"{AT_HOST}.entryPoints[0].executionConfig",
    ),
    (
        f"{HOST}/entryPoints/0/executionConfig/numthreads",
        [],
        MALFORMED,
        f"{AT_HOST}.entryPoints[0].executionConfig.numthreads",
    ),
    (
        f"{HOST}/entryPoints/0/executionConfig/numthreads",
        [8, 0, 1],
        MALFORMED,
        f"{AT_HOST}.entryPoints[0].executionConfig.numthreads[1]",
    ),
    (
        f"{HOST}/entryPoints/0/executionConfig",
        {"local_size_x": True},
        MALFORMED,
        f"{AT_HOST}.entryPoints[0].executionConfig.local_size_x",
    ),
    (f"{HOST}/resources", 3, MALFORMED, f"{AT_HOST}.resources"),
    (RESOURCE, None, MALFORMED, AT_RESOURCE),
    (f"{RESOURCE}/name", None, MALFORMED, f"{AT_RESOURCE}.name"),
    (f"{RESOURCE}/kind", ..., MALFORMED, AT_RESOURCE),
    (f"{RESOURCE}/access", "readwrite", MALFORMED, f"{AT_RESOURCE}.access"),
    (f"{RESOURCE}/access", ["read"], MALFORMED, f"{AT_RESOURCE}.access"),
    (f"{RESOURCE}/set", -1, MALFORMED, f"{AT_RESOURCE}.set"),
    (f"{RESOURCE}/binding", "0", MALFORMED, f"{AT_RESOURCE}.binding"),
    (f"{RESOURCE}/binding", 1 << 32, MALFORMED, f"{AT_RESOURCE}.binding"),
    (LAYOUT, "packed", MALFORMED, AT_LAYOUT),
    (f"{LAYOUT}/elementType", "uint31", MALFORMED, f"{AT_LAYOUT}.elementType"),
    (f"{LAYOUT}/elementSizeBytes", 0, MALFORMED, f"{AT_LAYOUT}.elementStrideBytes"),
    (f"{LAYOUT}/elementStrideBytes", 2, MALFORMED, f"{AT_LAYOUT}.elementStrideBytes"),
    (f"{LAYOUT}/elementStrideBytes", ..., MALFORMED, AT_LAYOUT),
    (f"{LAYOUT}/alignmentBytes", 3, MALFORMED, f"{AT_LAYOUT}.alignmentBytes"),
    (f"{LAYOUT}/runtimeSized", "yes", MALFORMED, f"{AT_LAYOUT}.runtimeSized"),
    (f"{LAYOUT}/structMembers", [{"name": "a"}], MALFORMED, f"{AT_LAYOUT}.structMembers[0]"),
    (
        f"{LAYOUT}/structMembers",
        [{"name": "a", "physicalType": "quux", "offsetBytes": 0}],
        MALFORMED,
        f"{AT_LAYOUT}.structMembers[0]",
    ),
    (f"{HOST}/specializationConstants", {}, MALFORMED, f"{AT_HOST}.specializationConstants"),
    (f"{HOST}/specializationConstants", [{}], MALFORMED, f"{AT_HOST}.specializationConstants[0]"),
    (
        f"{HOST}/specializationConstants",
        [{"name": "a"}, {"name": "a"}],
        MALFORMED,
        f"{AT_HOST}.specializationConstants[1].name",
    ),
    (
        f"{HOST}/specializationConstants",
        [{"name": "a", "id": -1}],
        MALFORMED,
        f"{AT_HOST}.specializationConstants[0].id",
    ),
]


@pytest.mark.parametrize(("place", "value", "code", "path"), SPOILED)
def test_whatever_is_wrong_is_told_at_its_place(
    tmp_path: Path, place: str, value: object, code: str, path: str
):
    container = read_crosstl(changed(CROSSTL, tmp_path, MANIFEST, (place, value)))
    assert remarks(container) == [(code, path)]
    left_out = place.startswith("artifacts/0") and not place.startswith(HOST)
    assert readable(container) == (7 if left_out else 8)


def test_two_artifacts_of_one_id_are_refused(tmp_path: Path):
    manifest = json.loads((CROSSTL / MANIFEST).read_text())
    package = changed(CROSSTL, tmp_path, MANIFEST, ("artifacts/2/id", manifest["artifacts"][0]["id"]))
    assert remarks(read_crosstl(package)) == [(MALFORMED, f"{MANIFEST}.artifacts[2].id")]


def test_everything_wrong_is_told_at_once(tmp_path: Path):
    changes: list[tuple[str, object]] = [
        ("success", False),
        ("packageRoot", "/elsewhere"),
        ("artifacts/0/hash", "x"),
        ("artifacts/1/sizeBytes", -1),
        ("artifacts/2/hostInterface", 1),
    ]
    assert remarks(read_crosstl(changed(CROSSTL, tmp_path, MANIFEST, *changes))) == [
        ("container.not-packaged", f"{MANIFEST}.success"),
        ("container.redirected-root", f"{MANIFEST}.packageRoot"),
        (MALFORMED, f"{FIRST}.hash"),
        (MALFORMED, f"{MANIFEST}.artifacts[1].sizeBytes"),
        (MALFORMED, f"{MANIFEST}.artifacts[2].hostInterface"),
    ]


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        (b'{"kind": "crosstl-runtime-package\xff"}', MALFORMED, MANIFEST),
        (b"", MALFORMED, MANIFEST),
        (b"[]", MALFORMED, MANIFEST),
        (b'{"kind": 1}', MALFORMED, f"{MANIFEST}.kind"),
        (b'{"kind": "crosstl-package"}', MALFORMED, f"{MANIFEST}.kind"),
        (b'{"kind": "crosstl-runtime-package"}', MALFORMED, MANIFEST),
        (b'{"kind": "crosstl-runtime-package", "schemaVersion": 2}', MALFORMED, f"{MANIFEST}.schemaVersion"),
        (
            b'{"kind": "crosstl-runtime-package", "schemaVersion": "1"}',
            MALFORMED,
            f"{MANIFEST}.schemaVersion",
        ),
        (b'{"kind": "crosstl-runtime-package", "schemaVersion": 1, "success": true}', MALFORMED, MANIFEST),
        (b'{"a":' * 5000 + b"1" + b"}" * 5000, "limit.json-depth", MANIFEST),
    ],
)
def test_what_is_no_manifest_is_refused(tmp_path: Path, text: bytes, code: str, path: str):
    package = copied(CROSSTL, tmp_path)
    (package / MANIFEST).write_bytes(text)
    assert refusal(read_crosstl, package) == (code, path)


def test_a_name_that_stands_twice_in_an_object_is_refused(tmp_path: Path):
    package = copied(CROSSTL, tmp_path)
    text = (package / MANIFEST).read_bytes()
    (package / MANIFEST).write_bytes(text.replace(b'"success": true', b'"success": false, "success": true'))
    code, path = refusal(read_crosstl, package)
    assert (code, path.split(".success")[0]) == (MALFORMED, MANIFEST)


def test_a_manifest_that_is_missing_or_a_folder_is_refused(tmp_path: Path):
    package = copied(CROSSTL, tmp_path)
    (package / MANIFEST).unlink()
    assert refusal(read_crosstl, package) == ("container.missing-file", MANIFEST)
    (package / MANIFEST).mkdir()
    assert refusal(read_crosstl, package) == (MALFORMED, MANIFEST)
    assert refusal(read_crosstl, package / MANIFEST) == (MALFORMED, MANIFEST)
    assert refusal(read_crosstl, tmp_path / "nothing") == ("container.unreadable", "")
    assert refusal(read_crosstl, "a\0b") == ("container.unreadable", "")


def test_limits_hold():
    size = (CROSSTL / MANIFEST).stat().st_size
    exact = replace(DEFAULT_LIMITS, metadata_bytes=size, archive_members=8)
    assert readable(read_crosstl(CROSSTL, exact)) == 8
    assert refusal(read_crosstl, CROSSTL, replace(exact, metadata_bytes=size - 1)) == (
        "limit.metadata-bytes",
        MANIFEST,
    )
    assert refusal(read_crosstl, CROSSTL, replace(exact, archive_members=7)) == (
        "limit.archive-members",
        f"{MANIFEST}.artifacts",
    )
    container = read_crosstl(CROSSTL, replace(exact, blob_bytes=100))
    blob = package_of(container).artifacts[0].variants[0].blob
    assert refusal(container.blobs.read, blob)[0] == "limit.blob-bytes"


def test_entries_times_resources_are_bounded(tmp_path: Path):
    manifest = json.loads((CROSSTL / MANIFEST).read_text())
    resource = manifest["artifacts"][0]["hostInterface"]["resources"][0]
    many = [{**resource, "name": f"r{number}"} for number in range(600)]
    entries = [{"name": f"e{number}", "stage": "compute"} for number in range(500)]
    package = changed(
        CROSSTL, tmp_path, MANIFEST, (f"{HOST}/resources", many), (f"{HOST}/entryPoints", entries)
    )
    assert remarks(read_crosstl(package)) == [(MALFORMED, f"{AT_HOST}.entryPoints")]


def test_findings_are_bounded(tmp_path: Path):
    tight = replace(DEFAULT_LIMITS, findings_per_rule=3)
    package = changed(CROSSTL, tmp_path, MANIFEST, ("artifacts", [0] * 50))
    assert remarks(read_crosstl(package, tight)) == [
        (MALFORMED, f"{MANIFEST}.artifacts[{number}]") for number in range(4)
    ]
    nothing = [(f"artifacts/{number}/hostInterface", None) for number in range(8)]
    shutil.rmtree(package)
    container = read_crosstl(changed(CROSSTL, tmp_path, MANIFEST, *nothing), tight)
    assert (len(container.diagnostics), readable(container)) == (3, 8)


# Where bytes come from.


def test_the_current_directory_and_the_stated_root_decide_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    package = copied(CROSSTL, tmp_path / "here")
    decoy = copied(CROSSTL, tmp_path / "there")
    location = "artifacts/translated/directx/kernels/grand_total.hlsl"
    genuine = (package / location).read_bytes()
    (package / location).write_bytes(genuine[::-1])  # the decoy, which CrossTL would take, is intact
    (decoy / "unused").touch()
    monkeypatch.chdir(tmp_path / "there")
    container = read_crosstl(os.path.relpath(package))
    monkeypatch.chdir("/")
    reference = package_of(container).artifacts[0].variants[0].blob
    assert reference.location == location
    assert refusal(container.blobs.read, reference) == ("container.digest-mismatch", location)


@pytest.mark.parametrize("root", ["crosstl_two_stage", "../other", "a/b", ".", "", None])
def test_a_relative_root_says_nothing(tmp_path: Path, root: str | None):
    package = changed(CROSSTL, tmp_path, MANIFEST, ("packageRoot", root))
    container = read_crosstl(package)
    assert (remarks(container), readable(container)) == ([], 8)


def test_an_absolute_root_may_be_the_folder_itself(tmp_path: Path):
    package = changed(CROSSTL, tmp_path, MANIFEST, ("packageRoot", f"{tmp_path}/x/../crosstl_two_stage/"))
    assert remarks(read_crosstl(package)) == []
    (tmp_path / "link").symlink_to(package)
    assert remarks(read_crosstl(tmp_path / "link")) == []
    shutil.move(package, tmp_path / "moved")
    moved = read_crosstl(tmp_path / "moved")
    assert remarks(moved) == [("container.redirected-root", f"{MANIFEST}.packageRoot")]


def test_links_are_not_followed(tmp_path: Path):
    package = copied(CROSSTL, tmp_path)
    container = read_crosstl(package)
    blob = package_of(container).artifacts[0].variants[0].blob
    (package / blob.location).unlink()
    (package / blob.location).symlink_to(CROSSTL / blob.location)
    assert refusal(container.blobs.read, blob) == ("container.link", blob.location)
    shutil.rmtree(package / "artifacts")
    (package / "artifacts").symlink_to(CROSSTL / "artifacts")
    assert refusal(container.blobs.read, blob) == ("container.link", blob.location)
    (package / MANIFEST).unlink()
    (package / MANIFEST).symlink_to(CROSSTL / MANIFEST)
    assert refusal(read_crosstl, package) == ("container.link", MANIFEST)


def test_damaged_files_are_told_when_they_are_read(tmp_path: Path):
    package = copied(CROSSTL, tmp_path)
    container = read_crosstl(package)
    blobs = [variant.blob for variant in package_of(container).artifacts[0].variants]
    (package / blobs[0].location).unlink()
    data = (package / blobs[1].location).read_bytes()
    (package / blobs[1].location).write_bytes(data[:-1])
    data = (package / blobs[2].location).read_bytes()
    (package / blobs[2].location).write_bytes(b"!" + data[1:])
    assert [refusal(container.blobs.read, blob)[0] for blob in blobs[:3]] == [
        "container.missing-blob",
        "container.size-mismatch",
        "container.digest-mismatch",
    ]
    assert len(container.blobs.read(blobs[3])) == blobs[3].size


def test_no_flipped_byte_of_a_manifest_passes_for_something_else(tmp_path: Path):
    # Whatever a byte becomes, what can be read has the digest that it had, or reading it says why not.
    package = copied(CROSSTL, tmp_path)
    manifest = json.loads((CROSSTL / MANIFEST).read_text())
    kept = ("kind", "schemaVersion", "success", "packageRoot", "artifacts")
    manifest = {name: manifest[name] for name in kept}
    del manifest["artifacts"][1:], manifest["artifacts"][0]["sourceRemap"]
    text = json.dumps(manifest, separators=(",", ":")).encode()
    known = {sha256_digest(data) for data in every_file(CROSSTL).values()}
    read, codes = 0, set()
    for position in range(len(text)):
        for mask in (0x01, 0x80):
            flipped = bytearray(text)
            flipped[position] ^= mask
            (package / MANIFEST).write_bytes(flipped)
            try:
                container = read_crosstl(package)
                for artifact in package_of(container).artifacts:
                    for variant in artifact.variants:
                        assert sha256_digest(container.blobs.read(variant.blob)) in known
                        read += 1
            except InterlockError as error:
                codes.update(found.code for found in error.diagnostics)
    assert codes == {
        "container.digest-mismatch",
        "container.malformed",
        "container.missing-blob",
        "container.size-mismatch",
    }
    assert read > len(text) / 2  # the others are in names that nobody reads, and in the digest


# The old reader.


def test_crosstl_itself_still_reads_a_package_that_was_used(tmp_path: Path):
    package = copied(CROSSTL, tmp_path)
    before = every_file(package)
    container = open_container(package)
    assert readable(container) == 8
    assert every_file(package) == before == every_file(CROSSTL)
    from crosstl.project import inspect_runtime_graph_package  # noqa: PLC0415  (slow to load)

    for target in ("directx", "opengl"):
        graph = json.loads(
            (PACKAGES.parent / "two_stage_sum" / "graphs" / f"two_stage_sum.{target}.json").read_text()
        )
        for node in graph["nodes"]:
            node.get("dispatch", {}).get("artifactSelector", {}).pop("path", None)
        result = inspect_runtime_graph_package(graph, package / MANIFEST)
        assert (result["success"], result["diagnostics"]) == (True, [])
