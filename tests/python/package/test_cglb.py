"""CrossGL packages as directories: what they amount to, what is refused, what is checked."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest
from google.protobuf import text_format

from execgraph.v1 import graph_pb2, interface_pb2
from foreign_packages import DIGITS, NATIVE, SOURCE, changed, copied, every_file, refusal, remarks
from interlock.diagnostic import Evidence
from interlock.document import Document
from interlock.errors import InterlockError
from interlock.hashing import sha256_digest
from interlock.limits import DEFAULT_LIMITS
from interlock.package.cglb import read_cglb
from interlock.package.cglb_facts import read_reflection
from interlock.package.facts import ModuleFacts, Place
from interlock.package.metadata import Record, place_of
from interlock.package.opening import open_container

if TYPE_CHECKING:
    from pathlib import Path

    from execgraph.v1 import package_pb2
    from interlock.package.container import Container

MALFORMED = "container.malformed"
DESCRIPTOR = "metadata/native-artifact.json"
BINARY = "backend/vulkan/scale_bias.spv"
ASSEMBLY = "backend/vulkan/scale_bias.spvasm"
GLSL = "backend/opengl/scale_bias.glsl"


def package_of(container: Container) -> package_pb2.Package:
    assert container.document is not None
    return cast("package_pb2.Package", container.document.message)


def variants(container: Container) -> list[tuple[str, str, str, str, str]]:
    return [
        (artifact.id, variant.target, variant.name, variant.content_type.identity, variant.blob.location)
        for artifact in package_of(container).artifacts
        for variant in artifact.variants
    ]


def test_a_native_package_is_its_binary_and_beside_it_its_assembly():
    container = open_container(NATIVE)
    assert (container.format, container.diagnostics) == ("cglb", ())
    assert variants(container) == [
        ("scale_bias", "vulkan", "", "spirv", BINARY),
        ("scale_bias", "vulkan", "source", "spirv-assembly", ASSEMBLY),
    ]
    for variant in package_of(container).artifacts[0].variants:
        data = (NATIVE / variant.blob.location).read_bytes()
        assert (variant.blob.digest, variant.blob.size) == (sha256_digest(data), len(data))
        assert container.blobs.read(variant.blob) == data
        assert container.declared[variant.blob.digest] == next(iter(container.declared.values()))
    assert [(gap.check, gap.required) for gap in container.unverified] == [("container.unpinned", False)]


def test_a_source_package_is_its_source_as_long_as_its_binary_is_planned():
    container = open_container(SOURCE)
    assert (container.format, container.diagnostics) == ("cglb", ())
    assert variants(container) == [("scale_bias", "opengl", "", "glsl", GLSL)]


@pytest.mark.parametrize("status", ["emitted", "validated"])
def test_a_source_package_with_a_binary_runs_the_binary(tmp_path: Path, status: str):
    package = changed(SOURCE, tmp_path, "manifest.json", ("artifacts/nativeBinaryStatus", status))
    binary = package / "backend/opengl/scale_bias.glpkg"
    binary.write_bytes(b"program")
    assert [each[2:] for each in variants(read_cglb(package))] == [
        ("", "opengl-program", "backend/opengl/scale_bias.glpkg"),
        ("source", "glsl", GLSL),
    ]
    binary.unlink()
    container = read_cglb(package)
    assert remarks(container) == [("container.missing-file", "backend/opengl/scale_bias.glpkg")]
    assert [each[2:4] for each in variants(container)] == [("", "glsl")]


INTERFACE = r"""
entries {
  name: "main"
  stage: STAGE_COMPUTE
  slots {
    name: "ValuesBlock" kind: SLOT_KIND_STORAGE_BUFFER storage_class: STORAGE_CLASS_GLOBAL
    element_type { element: ELEMENT_TYPE_F32 } array_stride: 4 alignment: 4 packing: BUFFER_PACKING_STD430
    members { size: 4 element: ELEMENT_TYPE_F32 array_stride: 4 }
  }
  slots {
    name: "ScaledBlock" kind: SLOT_KIND_STORAGE_BUFFER storage_class: STORAGE_CLASS_GLOBAL
    element_type { element: ELEMENT_TYPE_F32 } array_stride: 4 alignment: 4 packing: BUFFER_PACKING_STD430
    members { size: 4 element: ELEMENT_TYPE_F32 array_stride: 4 }
  }
  slots {
    name: "Parameters" kind: SLOT_KIND_CONSTANT_BUFFER storage_class: STORAGE_CLASS_UNIFORM
    access: ACCESS_MODE_READ
  }
  workgroup_size { axes { literal: 64 } axes { literal: 1 } axes { literal: 1 } }
}
"""
CONSTANT = r"""
constants {
  name: "factor" constant_id: 0 element: ELEMENT_TYPE_F32
  default_value { element: ELEMENT_TYPE_F32 bits: "\000\000\000@" }
}
"""


def test_the_reflection_gives_facts_but_no_access_to_buffers():
    for package, constant, place in (
        (NATIVE, CONSTANT, Place(0, 2)),
        (SOURCE, "", Place(0, 0, "uniform")),
    ):
        (facts,) = next(iter(read_cglb(package).declared.values()))
        assert facts.interface == text_format.Parse(INTERFACE + constant, interface_pb2.Interface())
        assert (facts.evidence, facts.source) == (Evidence.DECLARED, "the CrossGL reflection")
        assert facts.places[("main", "Parameters")] == place
        reason = "the format does not say whether a buffer is read or written"
        assert facts.unknown == {("main", "ValuesBlock"): reason, ("main", "ScaledBlock"): reason}
        assert (facts.is_complete, facts.knows_constants) == (False, True)
    assert not read("vulkan").knows_constants


# What is refused.

MANIFEST: list[tuple[str, object, str, str]] = [
    ("artifacts/backendAssembly", 3, MALFORMED, "manifest.json.artifacts.backendAssembly"),
    ("artifacts/backendAssembly", ..., MALFORMED, "manifest.json.artifacts"),
    ("artifacts/nativeBinary", None, MALFORMED, "manifest.json.artifacts.nativeBinary"),
    (
        "artifacts/nativeBinary",
        "/etc/hostname",
        "container.unsafe-path",
        "manifest.json.artifacts.nativeBinary",
    ),
    ("artifacts/nativeBinary", "../a.spv", "container.unsafe-path", "manifest.json.artifacts.nativeBinary"),
    ("artifacts/nativeBinary", "a\\b", "container.unsafe-path", "manifest.json.artifacts.nativeBinary"),
    ("artifacts/nativeBinary", "nothing.spv", "container.missing-file", "nothing.spv"),
    ("artifacts/nativeBinary", "backend", MALFORMED, "backend"),
    ("artifacts/debugMetadata", BINARY, MALFORMED, "manifest.json.artifacts.debugMetadata"),
    ("artifacts/debugMetadata", {"path": "a"}, MALFORMED, "manifest.json.artifacts.debugMetadata"),
    ("artifacts/nativeBinaryStatus", "emitted", MALFORMED, "manifest.json.artifacts.nativeBinaryStatus"),
    ("artifacts/nativeArtifactDescriptor", "nothing", "container.missing-file", "nothing"),
]


@pytest.mark.parametrize(("place", "value", "code", "path"), MANIFEST)
def test_whatever_is_wrong_in_a_manifest_is_told_at_its_place(
    tmp_path: Path, place: str, value: object, code: str, path: str
):
    package = changed(NATIVE, tmp_path, "manifest.json", (place, value))
    without = [("artifacts/nativeArtifactDescriptor", ...)] if "Descriptor" not in place else []
    if without:
        shutil.rmtree(package)
        package = changed(NATIVE, tmp_path, "manifest.json", *without, (place, value))
    assert remarks(read_cglb(package)) == [(code, path)]


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (..., "manifest.json.artifacts"),
        ("done", "manifest.json.artifacts.nativeBinaryStatus"),
        (1, "manifest.json.artifacts.nativeBinaryStatus"),
    ],
)
def test_a_source_package_states_what_became_of_its_binary(tmp_path: Path, value: object, path: str):
    package = changed(SOURCE, tmp_path, "manifest.json", ("artifacts/nativeBinaryStatus", value))
    container = read_cglb(package)
    assert remarks(container) == [(MALFORMED, path)]
    assert len(variants(container)) == 1


FATAL: list[tuple[str, str, object, str]] = [
    ("manifest.json", "schemaVersion", 2, "manifest.json.schemaVersion"),
    ("manifest.json", "schemaVersion", "1", "manifest.json.schemaVersion"),
    ("manifest.json", "module", "", "manifest.json.module"),
    ("manifest.json", "module", ..., "manifest.json"),
    ("manifest.json", "target", "webgpu", "manifest.json.target"),
    ("manifest.json", "artifacts", [], "manifest.json.artifacts"),
    ("reflection.json", "schemaVersion", 7, "reflection.json.schemaVersion"),
    ("reflection.json", "module", "other", "reflection.json.module"),
    ("reflection.json", "target", "metal", "reflection.json.target"),
    ("diagnostics.json", "schemaVersion", 3, "diagnostics.json.schemaVersion"),
]


@pytest.mark.parametrize(("name", "place", "value", "path"), FATAL)
def test_what_is_no_package_is_refused(tmp_path: Path, name: str, place: str, value: object, path: str):
    assert refusal(read_cglb, changed(NATIVE, tmp_path, name, (place, value))) == (MALFORMED, path)


@pytest.mark.parametrize("name", ["manifest.json", "reflection.json", "diagnostics.json"])
def test_root_files_are_there_and_are_strict_json(tmp_path: Path, name: str):
    package = copied(NATIVE, tmp_path)
    path = package / name
    text = path.read_bytes()
    for data, code in (
        (text.replace(b'"schemaVersion": 1', b'"schemaVersion": 1, "schemaVersion": 1'), MALFORMED),
        (text + b"x", MALFORMED),
        (b"[]", MALFORMED),
        (text.replace(b"1", b"\xff", 1), MALFORMED),
        (b'{"a":' * 300 + b"1" + b"}" * 300, "limit.json-depth"),
    ):
        path.write_bytes(data)
        found = refusal(read_cglb, package)
        assert (found[0], found[1].split(".schema")[0]) == (code, name)
    path.unlink()
    assert refusal(read_cglb, package) == ("container.missing-file", name)
    path.symlink_to(NATIVE / name)
    assert refusal(read_cglb, package) == ("container.link", name)
    path.unlink()
    path.mkdir()
    assert refusal(read_cglb, package) == (MALFORMED, name)


def test_links_lead_nowhere(tmp_path: Path):
    package = copied(NATIVE, tmp_path)
    (package / BINARY).unlink()
    (package / BINARY).symlink_to(NATIVE / BINARY)
    assert remarks(read_cglb(package)) == [("container.link", BINARY), ("container.link", BINARY)]


def test_bytes_that_change_after_opening_are_refused(tmp_path: Path):
    package = copied(NATIVE, tmp_path)
    container = read_cglb(package)
    blob = package_of(container).artifacts[0].variants[0].blob
    data = (package / BINARY).read_bytes()
    (package / BINARY).write_bytes(b"!" + data[1:])
    assert refusal(container.blobs.read, blob) == ("container.digest-mismatch", BINARY)


def test_limits_hold():
    size = (NATIVE / ASSEMBLY).stat().st_size
    assert remarks(read_cglb(NATIVE, replace(DEFAULT_LIMITS, blob_bytes=size))) == []
    container = read_cglb(NATIVE, replace(DEFAULT_LIMITS, blob_bytes=size - 1))
    assert remarks(container)[0] == ("limit.blob-bytes", ASSEMBLY)
    size = (NATIVE / "reflection.json").stat().st_size
    assert remarks(read_cglb(NATIVE, replace(DEFAULT_LIMITS, metadata_bytes=size))) == []
    tight = replace(DEFAULT_LIMITS, metadata_bytes=size - 1)
    assert refusal(read_cglb, NATIVE, tight) == ("limit.metadata-bytes", "reflection.json")


# The descriptor.


@pytest.mark.parametrize(
    ("place", "value", "code", "member"),
    [
        ("artifactHash/value", DIGITS, "container.digest-mismatch", "artifactHash"),
        ("sourceHash/value", DIGITS, "container.digest-mismatch", "sourceHash"),
        ("sizeBytes", 5, "container.size-mismatch", "artifactHash"),
        ("artifactPath", "reflection.json", MALFORMED, "artifactHash"),
        ("artifactHash/value", DIGITS[1:], MALFORMED, "artifactHash.value"),
        ("artifactHash/algorithm", "sha1", MALFORMED, "artifactHash.algorithm"),
        ("artifactHash", "x", MALFORMED, "artifactHash"),
        ("sizeBytes", -5, MALFORMED, "sizeBytes"),
        ("kind", "x", MALFORMED, "kind"),
        ("contractVersion", "native-artifact-v1", MALFORMED, "contractVersion"),
        ("schemaVersion", 2, MALFORMED, "schemaVersion"),
        ("target", "metal", MALFORMED, "target"),
        ("binaryKind", "metal.metallib", MALFORMED, "binaryKind"),
        ("validationStatus", "failed", MALFORMED, "validationStatus"),
    ],
)
def test_what_a_descriptor_states_is_checked(
    tmp_path: Path, place: str, value: object, code: str, member: str
):
    package = changed(NATIVE, tmp_path, DESCRIPTOR, (place, value))
    assert remarks(read_cglb(package)) == [(code, f"{DESCRIPTOR}.{member}")]


def test_a_damaged_artifact_contradicts_its_descriptor(tmp_path: Path):
    package = copied(NATIVE, tmp_path)
    data = (package / BINARY).read_bytes()
    for damaged, code in ((data[:-1], "digest-mismatch"), (b"!" + data[1:], "digest-mismatch")):
        (package / BINARY).write_bytes(damaged)
        assert remarks(read_cglb(package)) == [(f"container.{code}", f"{DESCRIPTOR}.artifactHash")]


def test_a_descriptor_tells_what_the_binary_is(tmp_path: Path):
    source = (SOURCE / GLSL).read_bytes()
    record = {"algorithm": "sha256", "value": sha256_digest(source).removeprefix("sha256:")}
    descriptor = {
        "schemaVersion": 1,
        "kind": "crossgl.nativeArtifact",
        "contractVersion": "native-artifact-v0",
        "target": "opengl",
        "binaryKind": "opengl.source",
        "sourcePath": GLSL,
        "sourceHash": record,
    }
    changes = [("artifacts/nativeBinaryStatus", "emitted"), ("artifacts/nativeArtifactDescriptor", "d.json")]
    package = changed(SOURCE, tmp_path, "manifest.json", *changes)
    (package / "backend/opengl/scale_bias.glpkg").write_bytes(b"#version 430")
    (package / "d.json").write_text(json.dumps(descriptor))
    container = read_cglb(package)
    assert remarks(container) == []
    assert [each[2:4] for each in variants(container)] == [("", "glsl"), ("source", "glsl")]


# The reflection.


def read(target: str, **members: object) -> ModuleFacts:
    entry = {"stage": "compute", "sourceName": "k", "backendName": "compute_k"}
    return read_reflection(Record({"entryPoints": [entry], **members}, place_of("r")), target, 64)


def bound(name: str = "b", kind: str = "buffer", **members: object) -> dict[str, object]:
    return {"name": name, "kind": kind, **members}


@pytest.mark.parametrize(
    ("target", "members", "place"),
    [
        ("vulkan", {"abi": "descriptor", "set": 1, "binding": 2}, Place(1, 2)),
        ("vulkan", {"abi": {"set": 1, "binding": 2}}, Place(1, 2)),
        ("vulkan", {"abi": "descriptor"}, None),
        ("directx", {"abi": {"space": 3, "register": "u4"}}, Place(3, 4, "u")),
        ("directx", {"abi": {"register": "b0"}, "addressSpace": "constant"}, Place(0, 0, "b")),
        (
            "directx",
            {"abi": "registerBinding", "hlslType": "RWStructuredBuffer<float>", "set": 0, "binding": 1},
            Place(0, 1, "u"),
        ),
        (
            "directx",
            {"abi": "registerBinding", "hlslType": "StructuredBuffer<float>", "binding": 1},
            Place(0, 1, "t"),
        ),
        ("directx", {"abi": "registerBinding", "kind": "sampler", "binding": 1}, Place(0, 1, "s")),
        ("directx", {"abi": "registerBinding", "binding": 1}, Place(0, 1)),
        ("metal", {"abi": "kernelArgument", "argumentIndex": 5}, Place(0, 5, "buffer")),
        ("metal", {"abi": "kernelArgument", "argumentIndex": 5, "kind": "texture"}, Place(0, 5, "texture")),
        ("metal", {"abi": {"index": 5}, "kind": "sampler"}, Place(0, 5, "sampler")),
        ("opengl", {"abi": "programResourceBinding", "set": 7, "binding": 1}, Place(0, 1, "buffer")),
        ("opengl", {"binding": 1, "kind": "storage_image"}, Place(0, 1, "image")),
        ("opengl", {"binding": 1, "kind": "texture"}, Place(0, 1, "texture")),
    ],
)
def test_both_forms_of_an_abi_give_places(target: str, members: dict[str, object], place: Place | None):
    found = read(target, targetResourceBindings=[bound() | members]).places
    assert found == ({} if place is None else {("compute_k", "b"): place})


def test_memory_of_a_workgroup_is_bound_by_nobody():
    for abi in ("threadgroupLocal", "groupsharedLocal", "workgroupLocal"):
        facts = read("metal", targetResourceBindings=[bound(abi=abi, argumentIndex=0)])
        (slot,) = facts.interface.entries[0].slots
        assert slot.storage_class == interface_pb2.STORAGE_CLASS_SHARED
        assert (facts.places, facts.unknown) == ({}, {})


def test_images_have_the_access_of_the_source():
    resources = [{"stage": "compute", "name": "img", "kind": "storage_image", "storageImageAccess": "write"}]
    bindings = [bound("img", "storage_image", stage="compute"), bound("tex", "texture", arraySize=4)]
    facts = read("vulkan", resources=resources, targetResourceBindings=bindings)
    expected = """
        slots { name: "img" kind: SLOT_KIND_STORAGE_IMAGE access: ACCESS_MODE_WRITE }
        slots { name: "tex" kind: SLOT_KIND_SAMPLED_IMAGE access: ACCESS_MODE_READ array_count: 4 }
    """
    found = interface_pb2.Entry(slots=facts.interface.entries[0].slots)
    assert found == text_format.Parse(expected, interface_pb2.Entry())


def test_bindings_belong_to_the_entry_they_name():
    entries = [
        {"stage": "compute", "sourceName": "a", "backendName": "compute_a"},
        {"stage": "vertex", "sourceName": "a", "backendName": "vertex_a"},
    ]
    bindings = [
        bound("x", entryPoint="compute_a", stage="compute"),
        bound("y", entryPoint="a", stage="vertex"),
        bound("z"),
        bound("v", stage="vertex"),
        bound("other", target="metal"),
    ]
    facts = read("vulkan", entryPoints=entries, targetResourceBindings=bindings)
    assert {entry.name: [slot.name for slot in entry.slots] for entry in facts.interface.entries} == {
        "compute_a": ["x", "z"],
        "vertex_a": ["y", "z", "v"],
    }


def test_structures_and_vectors():
    layout = {
        "elementType": "Particle",
        "elementSizeBytes": 48,
        "arrayStrideBytes": 48,
        "layout": "metal device",
        "alignmentBytes": 16,
        "fields": [
            {"name": "flag", "type": "bool", "offsetBytes": 44, "sizeBytes": 1},
            {"name": "at", "type": "vec3", "offsetBytes": 0, "sizeBytes": 12, "storageSizeBytes": 16},
            {
                "name": "weights",
                "type": "float",
                "offsetBytes": 16,
                "sizeBytes": 16,
                "arrayElementCount": 4,
                "arrayStrideBytes": 4,
            },
            {"name": "odd", "type": "mat3x2", "offsetBytes": 32, "sizeBytes": 12},
        ],
    }
    vectors = {"elementType": "uvec4", "elementSizeBytes": 16, "arrayStrideBytes": 16, "layout": "std430"}
    bindings = [bound("p", storageBufferLayout=layout), bound("q", storageBufferLayout=vectors)]
    expected = """
        slots {
          name: "p" kind: SLOT_KIND_STORAGE_BUFFER storage_class: STORAGE_CLASS_GLOBAL
          array_stride: 48 alignment: 16 packing: BUFFER_PACKING_METAL
          members { name: "at" size: 12 element: ELEMENT_TYPE_F32 vector_components: 3 }
          members {
            name: "weights" offset: 16 size: 4 element: ELEMENT_TYPE_F32 array_stride: 4 array_count: 4
          }
          members { name: "odd" offset: 32 size: 12 }
          members { name: "flag" offset: 44 size: 1 element: ELEMENT_TYPE_BOOL }
        }
        slots {
          name: "q" kind: SLOT_KIND_STORAGE_BUFFER storage_class: STORAGE_CLASS_GLOBAL
          element_type { element: ELEMENT_TYPE_U32 } array_stride: 16 packing: BUFFER_PACKING_STD430
          members { size: 16 element: ELEMENT_TYPE_U32 vector_components: 4 array_stride: 16 }
        }
    """
    facts = read("metal", targetResourceBindings=bindings)
    found = interface_pb2.Entry(slots=facts.interface.entries[0].slots)
    assert found == text_format.Parse(expected, interface_pb2.Entry())


@pytest.mark.parametrize(
    ("size", "axes"),
    [
        ({"x": "8", "y": "4", "z": "1"}, [8, 4, 1]),
        ({"x": 8, "y": 4}, [8, 4, 1]),
        ({"x": "WIDTH", "y": "1", "z": "1"}, ["WIDTH", 1, 1]),
        ({"x": "2 * WIDTH", "y": "1", "z": "1"}, []),
        ({"x": "TILE", "y": "1", "z": "1"}, []),
    ],
)
def test_workgroup_sizes_are_numbers_or_constants(size: dict[str, object], axes: list[str | int]):
    constants = [{"name": "WIDTH", "type": "uint", "value": "64", "specializationId": 1}]
    facts = read("vulkan", functionConstants=constants, workgroupSizes=[size])
    found = facts.interface.entries[0].workgroup_size.axes
    assert [axis.constant or axis.literal for axis in found] == axes
    assert facts.interface.constants[0].default_value.bits == b"\x40\0\0\0"


@pytest.mark.parametrize(
    ("value", "bits"),
    [("3", b"\3\0\0\0"), ("-1", None), ("1 + 2", None), ("9" * 30, None), (None, None), ("true", None)],
)
def test_defaults_are_values_or_nothing(value: str | None, bits: bytes | None):
    facts = read("vulkan", functionConstants=[{"name": "c", "type": "uint", "value": value}])
    constant = facts.interface.constants[0]
    assert (constant.default_value.bits if constant.HasField("default_value") else None) == bits


def test_push_constants_are_inline():
    facts = read("vulkan", pushConstants=[{"name": "pc", "sizeBytes": 16}])
    (slot,) = facts.interface.entries[0].slots
    assert (slot.kind, slot.minimum_size) == (interface_pb2.SLOT_KIND_INLINE_CONSTANTS, 16)


REFLECTION: list[tuple[str, object, str]] = [
    ("entryPoints", ..., ""),
    ("entryPoints", {}, ".entryPoints"),
    ("entryPoints/0/backendName", "", ".entryPoints[0].backendName"),
    ("entryPoints/1", {"stage": "compute", "backendName": "main"}, ".entryPoints[1].backendName"),
    ("workgroupSizes/0/x", "0", ".workgroupSizes[0].x"),
    ("workgroupSizes/0/x", -1, ".workgroupSizes[0].x"),
    ("workgroupSizes/0/x", True, ".workgroupSizes[0].x"),
    ("workgroupSizes/0/x", "5000000000", ".workgroupSizes[0].x"),
    ("workgroupSizes/0/entryPoint", "other", ".workgroupSizes[0].entryPoint"),
    ("targetResourceBindings", 1, ".targetResourceBindings"),
    ("targetResourceBindings/0", "x", ".targetResourceBindings[0]"),
    ("targetResourceBindings/0/abi", 3, ".targetResourceBindings[0].abi"),
    ("targetResourceBindings/0/abi", {"register": "q1"}, ".targetResourceBindings[0].abi.register"),
    ("targetResourceBindings/0/abi", {"set": -1}, ".targetResourceBindings[0].abi.set"),
    ("targetResourceBindings/0/binding", "0", ".targetResourceBindings[0].binding"),
    ("targetResourceBindings/0/entryPoint", "other", ".targetResourceBindings[0].entryPoint"),
    ("targetResourceBindings/1/name", "ValuesBlock", ".targetResourceBindings[1].name"),
    (
        "targetResourceBindings/0/storageBufferLayout",
        [],
        ".targetResourceBindings[0].storageBufferLayout",
    ),
    (
        "targetResourceBindings/0/storageBufferLayout/arrayStrideBytes",
        2,
        ".targetResourceBindings[0].storageBufferLayout.arrayStrideBytes",
    ),
    (
        "targetResourceBindings/0/storageBufferLayout/alignmentBytes",
        12,
        ".targetResourceBindings[0].storageBufferLayout.alignmentBytes",
    ),
    (
        "targetResourceBindings/0/storageBufferLayout/fields",
        [{"name": "a", "type": "T", "offsetBytes": 0}],
        ".targetResourceBindings[0].storageBufferLayout.fields[0]",
    ),
    ("functionConstants/0/specializationId", "0", ".functionConstants[0].specializationId"),
    ("functionConstants/1", {"name": "factor"}, ".functionConstants[1].name"),
    ("functionConstants/0/value", 2.0, ".functionConstants[0].value"),
    ("resources/0/storageImageAccess", "all", ".resources[0].storageImageAccess"),
    ("pushConstants", [{}], ".pushConstants[0]"),
]


@pytest.mark.parametrize(("place", "value", "path"), REFLECTION)
def test_whatever_is_wrong_in_a_reflection_is_told_at_its_place(
    tmp_path: Path, place: str, value: object, path: str
):
    container = read_cglb(changed(NATIVE, tmp_path, "reflection.json", (place, value)))
    assert remarks(container) == [(MALFORMED, f"reflection.json{path}")]
    assert (container.declared, len(variants(container))) == ({}, 2)


def test_records_times_entries_are_bounded():
    entries = [{"stage": "compute", "backendName": f"e{number}"} for number in range(8)]
    bindings = [bound(f"b{number}") for number in range(7)]
    sizes: list[dict[str, object]] = [{"x": 1}]
    members = {"entryPoints": entries, "targetResourceBindings": bindings, "workgroupSizes": sizes}
    record = Record(members, place_of("r"))
    assert len(read_reflection(record, "vulkan", 64).interface.entries) == 8
    assert refusal(read_reflection, record, "vulkan", 63) == (MALFORMED, "r.targetResourceBindings[6]")
    sizes += [{"x": 1}] * 8
    assert refusal(read_reflection, record, "vulkan", 64) == (MALFORMED, "r.workgroupSizes[8]")


# The graph that a package may hold.


def with_graph(tmp_path: Path, data: bytes) -> Path:
    package = changed(NATIVE, tmp_path, "manifest.json", ("artifacts/executionGraph", "metadata/g.json"))
    (package / "metadata/g.json").write_bytes(data)
    return package


def graph() -> Document:
    return Document.from_message(graph_pb2.ExecutionGraph(id="g"))


def test_a_graph_under_its_key_is_in_the_document(tmp_path: Path):
    container = read_cglb(with_graph(tmp_path, graph().json()))
    assert remarks(container) == []
    (held,) = package_of(container).graphs
    assert (held.id, held.source.embedded) == ("g", graph().binary)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        graph().json() + b"\n",
        graph().json().replace(b'"id":', b'"id": '),
        graph().json().replace(b"EXECUTION_GRAPH", b"PACKAGE"),
        graph().binary,
    ],
)
def test_a_graph_that_is_no_canonical_json_is_refused(tmp_path: Path, data: bytes):
    container = read_cglb(with_graph(tmp_path, data))
    ((code, path),) = remarks(container)
    assert (code, path.startswith("metadata/g.json")) == ("package.unreadable-graph", True)
    assert (len(package_of(container).graphs), len(variants(container))) == (0, 2)


def test_a_graph_that_is_not_there_is_told(tmp_path: Path):
    package = with_graph(tmp_path, b"")
    (package / "metadata/g.json").unlink()
    assert remarks(read_cglb(package)) == [("container.missing-file", "metadata/g.json")]


# All of it at once.


@pytest.mark.parametrize("name", ["manifest.json", "reflection.json", "diagnostics.json", DESCRIPTOR])
def test_no_flipped_byte_of_metadata_passes_for_something_else(tmp_path: Path, name: str):
    package = copied(NATIVE, tmp_path)
    text = (package / name).read_bytes()
    known = {sha256_digest(data) for data in every_file(NATIVE).values()}
    opened = 0
    for position in range(len(text)):
        flipped = bytearray(text)
        flipped[position] ^= 0x01
        (package / name).write_bytes(flipped)
        try:
            container = read_cglb(package)
        except InterlockError as error:
            assert error.code == MALFORMED  # noqa: PT017  (not every one is refused)
            continue
        opened += 1
        for artifact in package_of(container).artifacts:
            for variant in artifact.variants:
                assert sha256_digest(container.blobs.read(variant.blob)) in known
    assert opened > 0


@pytest.mark.parametrize("name", sorted(every_file(NATIVE)))
def test_every_file_that_is_missing_cut_or_a_folder_is_told(tmp_path: Path, name: str):
    package = copied(NATIVE, tmp_path)
    path = package / name
    data = path.read_bytes()

    def outcome() -> set[str]:
        try:
            return {code for code, _ in remarks(read_cglb(package))}
        except InterlockError as error:
            return {error.code}

    path.write_bytes(data[: len(data) // 2])
    assert outcome() & {MALFORMED, "container.digest-mismatch"}
    path.unlink()
    assert outcome() == {"container.missing-file"}
    path.mkdir()
    assert outcome() == {MALFORMED}
