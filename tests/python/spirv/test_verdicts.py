"""Packages of compiled kernels: what is READY must be right to run, and what is right must be READY."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from google.protobuf import text_format

import interlock
from execgraph.v1 import capability_pb2, graph_pb2, package_pb2, profile_pb2
from interlock.document import Document
from interlock.hashing import sha256_digest
from interlock.limits import DEFAULT_LIMITS
from interlock.package.blobs import memory_blobs
from interlock.package.container import Container
from interlock.package.profiles import profile
from interlock.rules.context import Surroundings

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlock.report.model import Report

    Compiler = Callable[..., bytes]

HEAD = """#version 450
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_atomic_float : enable
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) writeonly buffer Y { float y[]; };
"""
X = "layout(set = 0, binding = 0) readonly buffer X { float x[]; };"
COPY = "void main() { uint i = gl_GlobalInvocationID.x; y[i] = float(x[i]); }"
FLOATS = "type { element: ELEMENT_TYPE_F32 } shape { constant: 256 } size { constant: 1024 }"
BYTES = "type { element: ELEMENT_TYPE_U8 } shape { constant: 1024 } size { constant: 1024 } alignment: 16"
INTERFACE = """entries { name: "main" stage: STAGE_COMPUTE workgroup_size { axes { literal: 64 } } %s
  slots { name: "x" kind: SLOT_KIND_STORAGE_BUFFER access: ACCESS_MODE_READ %s }
  slots { name: "y" kind: SLOT_KIND_STORAGE_BUFFER access: ACCESS_MODE_WRITE
    array_stride: 4 runtime_sized: true element_type { element: ELEMENT_TYPE_F32 } } %s }"""
READ_FLOATS = "array_stride: 4 runtime_sized: true element_type { element: ELEMENT_TYPE_F32 }"


@dataclass(frozen=True)
class Run:
    """A graph that runs one kernel: what it binds to `x`, and what the package says of the kernel."""

    resource: str = FLOATS
    x: str = 'bindings { slot: "x" target { resource: "x" } access: ACCESS_MODE_READ }'
    more: str = ""
    interface: str = ""
    requirements: str = ""
    role: str = "INPUT"

    def judged(self, kernel: bytes, *profiles: profile_pb2.TargetProfile) -> Report:
        """Return the report on the package of the graph and the kernel."""
        digest = sha256_digest(kernel)
        graph = text_format.Parse(
            f"""id: "graph" maximum_node_executions: 1
            resources {{ id: "x" role: RESOURCE_ROLE_EXTERNAL_{self.role} {self.resource} }}
            resources {{ id: "y" role: RESOURCE_ROLE_EXTERNAL_OUTPUT {FLOATS} }}
            artifacts {{ id: "k" pins {{ target: "vulkan" digest: "{digest}" size: {len(kernel)} }} }}
            body {{ nodes {{ id: "run" operation {{ dispatch {{ artifact: "k" entry: "main" {self.x}
              bindings {{ slot: "y" target {{ resource: "y" }} access: ACCESS_MODE_WRITE
                coverage: COVERAGE_FULL }} {self.more}
              geometry {{ workgroup_count {{ extents {{ counts {{ constant: 4 }} }} }} }} }} }} }} }}""",
            graph_pb2.ExecutionGraph(),
        )
        package = package_pb2.Package(id="package")
        artifact = package.artifacts.add(id="k")
        if self.interface:
            text_format.Parse(self.interface, artifact.interface)
        text_format.Parse(
            f"""target: "vulkan" content_type {{ identity: "spirv" version: 1 }} {self.requirements}
            blob {{ digest: "{digest}" size: {len(kernel)} }}""",
            artifact.variants.add(),
        )
        package.graphs.add(id="graph").source.embedded = Document.from_message(graph).binary
        blobs = memory_blobs({digest: kernel}, DEFAULT_LIMITS)
        around = Surroundings(Container("memory", "memory", None, blobs), profiles=profiles)
        return interlock.verify(Document.from_message(package), surroundings=around)


def outcome(report: Report) -> tuple[str, list[str]]:
    """Return the readiness and the codes that are the reason."""
    (found,) = report.readiness
    return found.readiness.name, [code for code, _ in found.reasons]


def value(name: str, number: int) -> str:
    bits = "".join(f"\\{byte:03o}" for byte in number.to_bytes(4, "little"))
    return f'specialization {{ name: "{name}" value {{ element: ELEMENT_TYPE_U32 bits: "{bits}" }} }}'


def byte_range(offset: int, size: int, more: str = "") -> str:
    return (
        f'bindings {{ slot: "x" access: ACCESS_MODE_READ {more} target {{ byte_range {{ resource: "x" '
        f"offset {{ constant: {offset} }} size {{ constant: {size} }} }} }} }}"
    )


def test_what_is_right_is_ready(glsl: Compiler) -> None:
    assert outcome(Run().judged(glsl(HEAD + X + COPY))) == ("READY", [])


# What the bytes do not tell is not what their default says.


@pytest.mark.parametrize("interface", ["", INTERFACE % ("", READ_FLOATS.replace("true", "false"), "")])
def test_the_size_of_a_block_that_constants_set_is_not_none(glsl: Compiler, interface: str) -> None:
    source = "layout(constant_id = 0) const uint N = 64; " + X.replace("x[]", "x[N]") + COPY
    report = Run(interface=interface).judged(glsl(HEAD + source))
    assert outcome(report) == ("UNVERIFIED", ["layout.too-small"])


@pytest.mark.parametrize(
    ("length", "reason"),
    [
        ("4", "its slot takes `4` descriptors and gets one; which of them the kernel uses is not known"),
        ("N", "specialization constants set how many descriptors it has"),
        ("", "its array of descriptors is as long as what is bound"),
    ],
)
@pytest.mark.parametrize("interface", ["", INTERFACE % ("", READ_FLOATS, "")])
def test_one_binding_does_not_fill_an_array_of_descriptors(
    glsl: Compiler, length: str, reason: str, interface: str
) -> None:
    if interface and length == "4":
        interface = INTERFACE % ("", f"{READ_FLOATS} array_count: 4", "")
    source = "layout(constant_id = 0) const uint N = 4; " + X[:-1] + f" x[{length}];"
    source += "void main() { uint i = gl_GlobalInvocationID.x; y[i] = x[i % 3].x[i]; }"
    report = Run(interface=interface).judged(glsl(HEAD + source, "vulkan1.2"))
    assert outcome(report) == ("UNVERIFIED", ["interface.unbound-slot"])
    assert [gap.reason for gap in report.unverified] == [reason]


SHARED = (
    "layout(constant_id = 0) const uint N = 64; shared float t[N];"
    "void main() { uint i = gl_GlobalInvocationID.x; t[i % N] = x[i]; barrier(); y[i] = t[(i + 1) % N]; }"
)


@pytest.mark.parametrize("interface", ["", INTERFACE % ("static_shared_bytes: 256", READ_FLOATS, "")])
@pytest.mark.parametrize(
    ("number", "expected"),
    [(None, ("READY", [])), (4096, ("READY", [])), (4097, ("NOT_READY", ["geometry.exceeds-profile"]))],
)
def test_shared_memory_is_that_of_the_values_set(
    glsl: Compiler, number: int | None, expected: tuple[str, list[str]], interface: str
) -> None:
    more = "" if number is None else value("N", number)
    assert outcome(Run(more=more, interface=interface).judged(glsl(HEAD + X + SHARED))) == expected


def test_slots_are_all_listed_although_something_else_is_not_known(glsl: Compiler) -> None:
    kernel = glsl(HEAD + X + SHARED)
    other = READ_FLOATS.join(
        ('slots { name: "z" kind: SLOT_KIND_STORAGE_BUFFER access: ACCESS_MODE_READ ', "}")
    )
    bound = 'bindings { slot: "z" target { resource: "x" } access: ACCESS_MODE_READ }'
    run = Run(more=bound, interface=INTERFACE % ("static_shared_bytes: 256", READ_FLOATS, other))
    assert outcome(run.judged(kernel)) == ("NOT_READY", ["interface.unmapped"])
    assert outcome(Run(more=bound).judged(kernel)) == ("NOT_READY", ["interface.missing-slot"])
    less = INTERFACE % ("static_shared_bytes: 256", READ_FLOATS, "")
    run = Run(interface=less.replace('name: "x"', 'name: "y2" optional_binding: true'))
    assert "interface.understated" in outcome(run.judged(kernel))[1]


# Members of different types.

HEADED = "layout(set = 0, binding = 0) readonly buffer X { uint n; float x[]; };"
PAIRS = "struct S { uint a; float b; }; layout(set = 0, binding = 0) readonly buffer X { S x[]; };"
PADDED = (
    "struct S { vec3 a; float16_t h[3]; uint8_t c; };"
    "layout(set = 0, binding = 0, std430) readonly buffer X { S x[4]; };"
)
BOUND_BLOCK = 'bindings { slot: "X" target { resource: "x" } access: ACCESS_MODE_READ }'


@pytest.mark.parametrize(
    ("block", "element", "floats"),
    [
        (HEADED, "x[i] * n", ("UNVERIFIED", ["layout.element-mismatch"])),
        (PAIRS, "x[i].a * x[i].b", ("UNVERIFIED", ["layout.element-mismatch"])),
        (PADDED, "x[i].a.x + x[i].c", ("NOT_READY", ["layout.stride-mismatch"])),
    ],
)
def test_members_of_different_types_take_bytes(
    glsl: Compiler, block: str, element: str, floats: tuple[str, list[str]]
) -> None:
    source = f"{block} void main() {{ uint i = gl_GlobalInvocationID.x; y[i] = float({element}); }}"
    kernel = glsl(HEAD + source)
    assert outcome(Run(x=BOUND_BLOCK, resource=BYTES).judged(kernel)) == ("READY", [])
    assert outcome(Run(x=BOUND_BLOCK).judged(kernel)) == floats


def test_a_document_does_not_make_members_of_one_type(glsl: Compiler) -> None:
    interface = INTERFACE % ("", READ_FLOATS.replace("array_stride: 4", "array_stride: 8"), "")
    source = "void main() { uint i = gl_GlobalInvocationID.x; y[i] = float(x[i].a) * x[i].b; }"
    report = Run(interface=interface).judged(glsl(HEAD + PAIRS + source))
    assert outcome(report) == ("UNVERIFIED", ["layout.element-mismatch"])


@pytest.mark.parametrize(
    "block",
    [
        "struct S { vec2 a; float b; float c; }; %s { S s[1]; vec4 x[]; };",
        "struct S { float a; float b[5]; }; %s { S s[1]; float x[]; };",
        "struct S { float a[3]; }; %s { S s; S x[]; };",
    ],
)
def test_dense_floats_fit_however_structures_are_nested(glsl: Compiler, block: str) -> None:
    element = "x[i].x" if "vec4" in block else "x[i].a[2]" if "S x" in block else "x[i]"
    source = block % "layout(set = 0, binding = 0) readonly buffer X"
    source += f"void main() {{ uint i = gl_GlobalInvocationID.x; y[i] = {element}; }}"
    run = Run(x=BOUND_BLOCK, resource=f"{FLOATS} alignment: 16")
    assert outcome(run.judged(glsl(HEAD + source))) == ("READY", [])


# Atomics, constant buffers, requirements.


@pytest.mark.parametrize("updated", ["U32", "F32"])
@pytest.mark.parametrize("declared", ["U32", "F32"])
def test_atomics_update_what_they_are_declared_to(glsl: Compiler, updated: str, declared: str) -> None:
    offers = profile("vulkan-1.0-minimum")
    offers.capabilities.append(capability_pb2.CAPABILITY_ATOMIC_FLOAT32)
    type_, one = {"U32": ("uint", "1u"), "F32": ("float", "1.0")}[updated]
    source = f"layout(set = 0, binding = 0) buffer X {{ {type_} x[]; }};"
    source += f"void main() {{ atomicAdd(x[0], {one}); y[gl_GlobalInvocationID.x] = 0.0; }}"
    bound = f'atomic_type: ELEMENT_TYPE_{declared} target {{ resource: "x" }}'
    run = Run(
        resource=FLOATS.replace("F32", updated),
        x=f'bindings {{ slot: "x" {bound} access: ACCESS_MODE_ATOMIC }}',
        role="INPUT_OUTPUT",
    )
    expected = ("READY", []) if updated == declared else ("NOT_READY", ["layout.element-mismatch"])
    assert outcome(run.judged(glsl(HEAD + source), offers)) == expected


@pytest.mark.parametrize(
    ("offset", "size", "expected"),
    [
        (256, 16384, ("READY", [])),
        (16, 16384, ("UNVERIFIED", ["layout.misaligned"])),
        (256, 16388, ("UNVERIFIED", ["layout.range-exceeds-profile"])),
    ],
)
def test_constant_buffers_are_held_to_what_every_target_takes(
    glsl: Compiler, offset: int, size: int, expected: tuple[str, list[str]]
) -> None:
    source = "layout(set = 0, binding = 0) uniform X { vec4 x[1024]; };"
    source += "void main() { uint i = gl_GlobalInvocationID.x; y[i] = x[i].x; }"
    resource = "type { element: ELEMENT_TYPE_F32 } shape { constant: 16384 } size { constant: 65536 }"
    bound = byte_range(offset, size, "usage: USAGE_SHADER_CONSTANT")
    assert outcome(Run(resource=resource, x=bound).judged(glsl(HEAD + source))) == expected


@pytest.mark.parametrize("stated", ['minimum_version: "1.3"', 'features: "shaderFloat64"'])
def test_requirements_in_the_words_of_a_target_are_not_known_to_be_met(glsl: Compiler, stated: str) -> None:
    run = Run(requirements=f"requirements {{ {stated} }}")
    assert outcome(run.judged(glsl(HEAD + X + COPY))) == (
        "UNVERIFIED",
        ["capability.not-offered-by-target"],
    )


IMAGE = (
    "type { element: ELEMENT_TYPE_F32 } size { constant: 4194304 }"
    "layout { image { format: IMAGE_FORMAT_RGBA32_FLOAT %s } }"
)
PLANE, VOLUME = "extent { constant: 64 } " * 2, "extent { constant: 64 } " * 3


@pytest.mark.parametrize(
    ("kind", "bound", "usage"),
    [
        ("image1D", "extent { constant: 64 }", "STORAGE"),
        ("image2D", PLANE, "STORAGE"),
        ("image2DArray", PLANE + "array_layers: 3", "STORAGE"),
        ("image3D", VOLUME, "STORAGE"),
        ("sampler2D", PLANE, "SAMPLED"),
        ("samplerCube", PLANE + "array_layers: 6", "SAMPLED"),
    ],
)
def test_an_image_has_the_shape_that_its_slot_takes(
    glsl: Compiler, kind: str, bound: str, usage: str
) -> None:
    how = "layout(set = 0, binding = 0, rgba32f) readonly" if usage == "STORAGE" else "layout(binding = 0)"
    size = "textureSize(x, 0)" if usage == "SAMPLED" else "imageSize(x)"
    source = f"{how} uniform {kind} x; void main() {{ y[0] = float({size}{'' if '1D' in kind else '.x'}); }}"
    kernel = glsl(HEAD + source)
    access = f"access: ACCESS_MODE_READ usage: USAGE_SHADER_{usage}"
    x = f'bindings {{ slot: "x" target {{ resource: "x" }} {access} }}'
    shapes = [PLANE, VOLUME, "extent { constant: 64 }", PLANE + "array_layers: 3", PLANE + "array_layers: 6"]
    ready = [each for each in shapes if outcome(Run(x=x, resource=IMAGE % each).judged(kernel))[0] == "READY"]
    expected = [each for each in shapes if ("array" in bound) == ("array" in each)]
    assert ready == [each for each in expected if each.count("extent") == bound.count("extent")]


@pytest.mark.parametrize(
    ("declared", "expected"),
    [("U32", ("READY", [])), ("I32", ("NOT_READY", ["layout.image-format-mismatch"]))],
)
def test_atomics_of_texels_are_declared_of_their_type(
    glsl: Compiler, declared: str, expected: tuple[str, list[str]]
) -> None:
    source = "layout(set = 0, binding = 0, r32ui) uniform uimage2D x;"
    source += "void main() { imageAtomicAdd(x, ivec2(0), 1u); y[gl_GlobalInvocationID.x] = 0.0; }"
    bound = f'atomic_type: ELEMENT_TYPE_{declared} target {{ resource: "x" }}'
    run = Run(
        resource=(IMAGE % PLANE).replace("RGBA32_FLOAT", "R32_UINT").replace("F32", "U32"),
        x=f'bindings {{ slot: "x" {bound} access: ACCESS_MODE_ATOMIC }}',
        role="INPUT_OUTPUT",
    )
    assert outcome(run.judged(glsl(HEAD + source))) == expected
