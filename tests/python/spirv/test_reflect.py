"""The same facts by SPIRV-Cross, where it is right. LocalSizeId, for one, it does not know."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from execgraph.v1 import interface_pb2
from interlock.package.spirv.reader import read_spirv
from package_support import require_tool

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Compiler = Callable[..., bytes]

SOURCES = {
    "buffers": """#version 450
    layout(local_size_x=16, local_size_y=2) in;
    struct Item { vec4 at; uvec2 tag; };
    layout(set=0, binding=3, std430) readonly buffer In { uint n; Item items[]; } input_;
    layout(set=1, binding=0, std430) writeonly buffer Out { float values[]; } output_;
    layout(set=1, binding=1, std140) uniform Settings { mat4 turn; vec4 scale; uint rows[6]; } settings;
    layout(push_constant) uniform Push { uint from; uint to; } push;
    void main() {
        output_.values[push.from] = input_.items[push.to].at.x * settings.turn[0].x + settings.rows[2];
    }
    """,
    "images": """#version 450
    layout(set=0, binding=0, rgba16f) uniform readonly image2D source;
    layout(set=0, binding=1, r32ui) uniform uimage3D target[3];
    layout(set=0, binding=2) uniform sampler2D both;
    layout(set=2, binding=4) uniform texture2DArray apart;
    layout(set=2, binding=5) uniform sampler how;
    void main() {
        vec4 v = imageLoad(source, ivec2(0)) + texture(both, vec2(0));
        v += texture(sampler2DArray(apart, how), vec3(0));
        imageStore(target[1], ivec3(0), uvec4(v));
    }""",
    "constants": """#version 450
    layout(local_size_x_id=1, local_size_y=4) in;
    layout(constant_id=2) const float scale = 1.5;
    layout(constant_id=3) const bool on = true;
    layout(set=0, binding=0) buffer Out { float x; } o;
    void main() { o.x = on ? scale : float(gl_WorkGroupSize.x); }
    """,
}
GROUPS = {
    "ssbos": interface_pb2.SLOT_KIND_STORAGE_BUFFER,
    "ubos": interface_pb2.SLOT_KIND_CONSTANT_BUFFER,
    "push_constants": interface_pb2.SLOT_KIND_INLINE_CONSTANTS,
    "images": interface_pb2.SLOT_KIND_STORAGE_IMAGE,
    "textures": interface_pb2.SLOT_KIND_SAMPLED_IMAGE,
    "separate_images": interface_pb2.SLOT_KIND_SAMPLED_IMAGE,
    "separate_samplers": interface_pb2.SLOT_KIND_SAMPLER,
}


def reflected(data: bytes, folder: Path) -> dict[str, Any]:
    reflector = require_tool("spirv-cross")
    path = folder / "module.spv"
    path.write_bytes(data)
    done = subprocess.run([reflector, str(path), "--reflect"], capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("target", ["vulkan1.0", "vulkan1.1", "vulkan1.2"])
def test_agrees(glsl: Compiler, tmp_path: Path, name: str, target: str):
    data = glsl(SOURCES[name], target)
    other = reflected(data, tmp_path)
    module = read_spirv(data)
    entry = module.entry("main")
    expected = set()
    for group, kind in GROUPS.items():
        for each in other.get(group, ()):
            names = {slot.name for slot in entry.resources} | {
                alias for slot in entry.resources for alias in slot.aliases
            }
            assert each["name"] in names
            count = each["array"][0] if "array" in each else 0
            expected.add((kind, each.get("set"), each.get("binding"), count))
    assert {(slot.kind, slot.group, slot.index, slot.array_count) for slot in entry.resources} == expected
    readonly = {
        each["name"]: each.get("readonly", False)
        for group in ("ssbos", "images")
        for each in other.get(group, ())
    }
    for slot in entry.resources:
        if readonly.get(slot.name):
            assert slot.access == 1
    constants = {each["id"]: each["default_value"] for each in other.get("specialization_constants", ())}
    assert {spec.number for spec in module.constants.values()} == set(constants)


@pytest.mark.parametrize("target", ["vulkan1.0", "vulkan1.1", "vulkan1.2"])
def test_members_agree(glsl: Compiler, tmp_path: Path, target: str):
    data = glsl(SOURCES["buffers"], target)
    types = reflected(data, tmp_path)["types"]
    by_name = {each["name"]: {m["name"]: m for m in each["members"]} for each in types.values()}
    blocks = {
        slot.name: {m.name: m for m in slot.members} for slot in read_spirv(data).entry("main").resources
    }
    for block, slot in (("Settings", "settings"), ("Push", "push"), ("Out", "output_")):
        for name, member in by_name[block].items():
            ours = blocks[slot][name]
            assert ours.offset == member["offset"]
            assert ours.matrix_stride == member.get("matrix_stride", 0)
            assert ours.array_stride == member.get("array_stride", 0)
            assert ours.array_count == member.get("array", [0])[0]
    for name, member in by_name["Item"].items():
        assert blocks["input_"][f"items.{name}"].offset == 16 + member["offset"]


def test_sizes_of_workgroups_agree(glsl: Compiler, tmp_path: Path):
    """Up to SPIR-V 1.5, with literal sizes and constants; LocalSizeId is checked by hand elsewhere."""
    for name, expected in (("buffers", (16, 2, 1)), ("constants", (1, 4, 1))):
        data = glsl(SOURCES[name], "vulkan1.2")
        stated = reflected(data, tmp_path)["entryPoints"][0]["workgroup_size"]
        assert read_spirv(data).workgroup_size("main") == tuple(stated) == expected
