"""Target profiles: every number against a table with its source, and files that are refused."""

from __future__ import annotations

import json
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import pytest

from execgraph.v1 import capability_pb2, profile_pb2
from interlock import cli, codec
from interlock.package import profiles
from interlock.report import catalogue

if TYPE_CHECKING:
    from pathlib import Path


class Row(NamedTuple):
    """The numbers of a profile in the order of the schema. Capabilities are those beyond `BASE`."""

    size: tuple[int, int, int]
    invocations: int
    count: tuple[int, int, int]
    shared: int
    subgroups: tuple[int, ...]
    buffer_range: int
    alignment: int
    inline: int
    capabilities: frozenset[str]


COUNT = (65535, 65535, 65535)
BASE = frozenset({"ATOMIC_INT32", "IMAGE", "SAMPLED_IMAGE"})
INDIRECT = BASE | {"INDIRECT_DISPATCH"}
METAL = INDIRECT | {"ATOMIC_FLOAT32", "EXACT_THREADS", "DYNAMIC_SHARED_MEMORY"}
CUDA = BASE | {"ATOMIC_INT64", "ATOMIC_FLOAT32", "SUBGROUP_SIZE", "DYNAMIC_SHARED_MEMORY"}
KB = 1024

# Vulkan 1.4.360, Limits, table Required Limits, core and (behind the slash) Vulkan 1.4 and Roadmap 2022:
# maxComputeWorkGroupSize 128,128,64 / 256,256,64; maxComputeWorkGroupInvocations 128 / 256;
# maxComputeWorkGroupCount 65535; maxComputeSharedMemorySize 16384; maxStorageBufferRange 2^27;
# minStorageBufferOffsetAlignment 256; maxPushConstantsSize 128 / 256 in Vulkan 1.4 only.
VULKAN = Row((128, 128, 64), 128, COUNT, 16384, (), 1 << 27, 256, 128, INDIRECT)
# Metal Feature Set Tables, GPU implementation limits by family, columns Metal3, Apple7 and Mac: 1024 threads
# per threadgroup, 32 KB of threadgroup memory, 4 KB of a constant buffer argument.
METAL_3 = Row((1024, 1024, 1024), 1024, (0xFFFFFFFF,) * 3, 32 * KB, (), 0, 16, 4 * KB, METAL)
# d3d12.h: D3D12_CS_THREAD_GROUP_MAX_X, _Y, _Z 1024, 1024, 64; _MAX_THREADS_PER_GROUP 1024;
# D3D12_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION 65535; D3D12_CS_TGSM_REGISTER_COUNT 8192;
# D3D12_REQ_RESOURCE_SIZE_IN_MEGABYTES_EXPRESSION_A_TERM 128; D3D12_RAW_UAV_SRV_BYTE_ALIGNMENT 16;
# D3D12_MAX_ROOT_COST 64.
DIRECTX = Row((1024, 1024, 64), 1024, COUNT, 8192 * 4, (), 128 << 20, 16, 64 * 4, INDIRECT)
# OpenGL and OpenGL ES, Implementation Dependent Values: MAX_COMPUTE_WORK_GROUP_SIZE, _INVOCATIONS, _COUNT,
# MAX_COMPUTE_SHARED_MEMORY_SIZE, MAX_SHADER_STORAGE_BLOCK_SIZE, SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT,
# MAX_COMPUTE_UNIFORM_COMPONENTS.
OPENGL = Row((1024, 1024, 64), 1024, COUNT, 32 * KB, (), 1 << 24, 256, 512 * 4, INDIRECT)
# WebGPU, Limits: maxComputeWorkgroupSizeX to Z, maxComputeInvocationsPerWorkgroup,
# maxComputeWorkgroupsPerDimension, maxComputeWorkgroupStorageSize, maxStorageBufferBindingSize,
# minStorageBufferOffsetAlignment, maxImmediateSize.
WEBGPU = Row((256, 256, 64), 256, COUNT, 16384, (), 134217728, 256, 64, INDIRECT)
# CUDA programming guides, Compute Capabilities: blocks of 1024, 1024, 64 and 1024 threads in all, grids of
# 2^31-1, 65535, 65535, warp size 32, shared memory per thread block; Function Parameters: 4096 bytes.
SM50 = Row((1024, 1024, 64), 1024, (2**31 - 1, 65535, 65535), 48 * KB, (32,), 0, 0, 4096, CUDA)

F64 = CUDA | {"ATOMIC_FLOAT64"}
F16 = F64 | {"ATOMIC_FLOAT16"}

TABLE = {
    "cuda-sm50": SM50,
    "cuda-sm60": SM50._replace(capabilities=F64),
    "cuda-sm70": SM50._replace(shared=96 * KB, capabilities=F64),
    "cuda-sm75": SM50._replace(shared=64 * KB, capabilities=F64),
    "cuda-sm80": SM50._replace(shared=163 * KB, capabilities=F16),
    "cuda-sm86": SM50._replace(shared=99 * KB, capabilities=F16),
    "cuda-sm90": SM50._replace(shared=227 * KB, capabilities=F16),
    "directx-12-fl11_0": DIRECTX,
    "directx-12-fl12_0": DIRECTX,
    "directx-12-fl12_2": DIRECTX,
    "metal-3": METAL_3,
    "metal-apple7": METAL_3,
    "metal-mac2": METAL_3,
    "opengl-4.3-minimum": OPENGL,
    "opengl-4.6-minimum": OPENGL._replace(buffer_range=1 << 27, inline=1024 * 4),
    "opengl-es-3.1-minimum": OPENGL._replace(
        size=(128, 128, 64), invocations=128, shared=16 * KB, buffer_range=1 << 27
    ),
    "vulkan-1.0-minimum": VULKAN,
    "vulkan-1.1-minimum": VULKAN,
    "vulkan-1.2-minimum": VULKAN,
    "vulkan-1.3-minimum": VULKAN,
    "vulkan-1.4-minimum": VULKAN._replace(size=(256, 256, 64), invocations=256, inline=256),
    "vulkan-roadmap-2022": VULKAN._replace(size=(256, 256, 64), invocations=256),
    "webgpu-compatibility": WEBGPU._replace(size=(128, 128, 64), invocations=128),
    "webgpu-default": WEBGPU,
}

GOOD = """\
identity: "mine"
generation: 1
target: "vulkan"
maximum_workgroup_size: [512, 512, 64]
maximum_workgroup_invocations: 512
maximum_workgroup_count: [65535, 65535, 65535]
subgroup_sizes: [16, 32]
capabilities: [CAPABILITY_REPEAT, CAPABILITY_ATOMIC_INT32, CAPABILITY_CONDITIONAL]
"""


def row_of(profile: profile_pb2.TargetProfile) -> Row:
    return Row(
        tuple(profile.maximum_workgroup_size),
        profile.maximum_workgroup_invocations,
        tuple(profile.maximum_workgroup_count),
        profile.maximum_shared_bytes,
        tuple(profile.subgroup_sizes),
        profile.maximum_buffer_range,
        profile.storage_offset_alignment,
        profile.maximum_inline_constant_bytes,
        frozenset(capability_pb2.Capability.Name(one)[len("CAPABILITY_") :] for one in profile.capabilities),
    )


def refused(text: str | bytes, folder: Path) -> tuple[str, str, str]:
    path = folder / "mine.txtpb"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(profiles.ProfileError) as caught:
        profiles.profile(path)
    assert len(caught.value.diagnostics) == 1
    found = caught.value.diagnostics[0]
    return found.code, str(found.path), found.message


# The profiles


def test_the_table_has_every_profile():
    assert profiles.names() == tuple(TABLE)
    shipped = [entry.name for entry in files("interlock.package.profiles").iterdir()]
    assert sorted(name for name in shipped if name.endswith(".txtpb")) == [f"{name}.txtpb" for name in TABLE]


@pytest.mark.parametrize("name", TABLE)
def test_every_number_is_that_of_its_source(name: str):
    profile = profiles.profile(name)
    assert row_of(profile) == TABLE[name]
    assert (profile.identity, profile.generation) == (name, 1)
    assert name.startswith(f"{profile.target}-")
    assert len(profile.source) > 20


@pytest.mark.parametrize("name", TABLE)
def test_every_number_of_a_file_has_a_comment_above_it(name: str):
    lines = profiles.profile_text(name).splitlines()
    assert lines[0] == "# proto-message: execgraph.v1.TargetProfile"
    for above, line in pairwise(lines):
        field = line.partition(":")[0]
        if field in {"identity", "generation", "target", "source"} or line.startswith(("#", " ")) or not line:
            continue
        assert above.startswith("# ") or above.partition(":")[0] == field, line
    assert max(map(len, lines)) <= 110


@pytest.mark.parametrize("name", TABLE)
def test_a_profile_is_canonical(name: str):
    profile = profiles.profile(name)
    assert profile.SerializeToString(deterministic=True) == codec.encode(profile)


def test_a_profile_belongs_to_who_asked_for_it():
    profiles.profile("metal-3").maximum_shared_bytes = 0
    assert profiles.profile("metal-3").maximum_shared_bytes == 32 * KB


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("cuda", "cuda-sm50"),
        ("directx", "directx-12-fl11_0"),
        ("d3d12", "directx-12-fl11_0"),
        ("metal", "metal-3"),
        ("opengl", "opengl-4.3-minimum"),
        ("vulkan", "vulkan-1.0-minimum"),
        ("spirv", "vulkan-1.0-minimum"),
        ("webgpu", "webgpu-default"),
        ("wgsl", "webgpu-default"),
        ("hip", None),
        ("", None),
    ],
)
def test_a_target_has_a_lowest_level(target: str, name: str | None):
    profile = profiles.default_for(target)
    assert (profile and profile.identity) == name


# Files of one's own


def test_a_file_is_read_and_its_sets_are_sorted(tmp_path: Path):
    path = tmp_path / "mine.txtpb"
    path.write_text(GOOD)
    profile = profiles.profile(str(path))
    assert profile == profiles.profile(path)
    assert profile.identity == "mine"
    assert list(profile.capabilities) == [
        capability_pb2.CAPABILITY_CONDITIONAL,
        capability_pb2.CAPABILITY_REPEAT,
        capability_pb2.CAPABILITY_ATOMIC_INT32,
    ]
    assert profiles.profile_text(path) == GOOD


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ('"mine"', '""', "identity", "the profile has no `identity`"),
        ('target: "vulkan"', "", "target", "the profile has no `target`"),
        ("generation: 1", "", "generation", "the generation is `0`; required is at least 1"),
        (
            "[512, 512, 64]",
            "[512, 512]",
            "maximum_workgroup_size",
            "`2` numbers; required are three, for x, y and z",
        ),
        (
            "[65535, 65535, 65535]",
            "[65535, 0, 65535]",
            "maximum_workgroup_count[1]",
            "the axis is `0`; required is at least 1",
        ),
        (
            "invocations: 512",
            "invocations: 0",
            "maximum_workgroup_invocations",
            "the greatest number of invocations is `0`; required is at least 1",
        ),
        (
            "[512, 512, 64]",
            "[8, 8, 4]",
            "maximum_workgroup_invocations",
            "`512` invocations do not fit into the greatest workgroup, which has 256",
        ),
        ("[16, 32]", "[16, 24]", "subgroup_sizes[1]", "`24` is no power of two"),
        ("[16, 32]", "[0]", "subgroup_sizes[0]", "`0` is no power of two"),
        ("[16, 32]", "[32, 16]", "subgroup_sizes[1]", "`16` follows 32; required are ascending sizes"),
        ("[16, 32]", "[32, 32]", "subgroup_sizes[1]", "`32` follows 32; required are ascending sizes"),
        (
            "subgroup_sizes",
            "storage_offset_alignment: 48 subgroup_sizes",
            "storage_offset_alignment",
            "`48` is no power of two",
        ),
        (
            "CAPABILITY_REPEAT",
            "CAPABILITY_UNSPECIFIED",
            "capabilities[0]",
            "`CAPABILITY_UNSPECIFIED` is no capability",
        ),
        ("CAPABILITY_REPEAT", "99", "capabilities[0]", "`99` is no value of `execgraph.v1.Capability`"),
        (
            "CAPABILITY_REPEAT",
            "CAPABILITY_ATOMIC_INT32",
            "capabilities[1]",
            "the value of this element equals an earlier one's",
        ),
    ],
)
def test_a_profile_that_contradicts_itself_is_refused(
    old: str, new: str, place: str, message: str, tmp_path: Path
):
    assert GOOD.count(old) == 1
    assert refused(GOOD.replace(old, new), tmp_path) == ("profile.malformed", place, message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\xff", "the file is not UTF-8"),
        ("identity", "the protobuf text format cannot be parsed: "),
        ("identity: 7", "the protobuf text format cannot be parsed: "),
        ("limits { }", "the protobuf text format cannot be parsed: "),
        ("x {" * 20_000, "the protobuf text format cannot be parsed: "),
        ("generation: -1", "the protobuf text format cannot be parsed: "),
        ("maximum_workgroup_size: 4294967296", "the protobuf text format cannot be parsed: "),
        ("capabilities: CAPABILITY_MAGIC", "the protobuf text format cannot be parsed: "),
        ("generation: 1 generation: 2", "the protobuf text format cannot be parsed: "),
        ("", "the profile has no `identity`"),
        (
            "#" * (profiles.MAXIMUM_FILE_BYTES + 1),
            "is larger than 65536 bytes, which is the limit for a profile",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_file_that_is_no_profile_is_refused(text: str | bytes, message: str, tmp_path: Path):
    code, _, found = refused(text, tmp_path)
    assert code == "profile.malformed"
    assert message in found


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "vulkan-1.2",
            (
                "there is no profile `vulkan-1.2`; did you mean one of `vulkan-1.2-minimum`,"
                " `vulkan-1.4-minimum`, `vulkan-1.3-minimum`?"
            ),
        ),
        (
            "wgsl",
            "there is no profile `wgsl`; did you mean one of `webgpu-compatibility`, `webgpu-default`?",
        ),
        ("", f"there is no profile ``; there are {', '.join(f'`{name}`' for name in TABLE)}"),
    ],
)
def test_an_unknown_name_says_what_there_is(name: str, message: str):
    with pytest.raises(profiles.ProfileError) as caught:
        profiles.profile(name)
    assert (caught.value.code, caught.value.diagnostics[0].message) == ("profile.unknown", message)


@pytest.mark.parametrize("name", ["none.txtpb", "./none", "a\0.txtpb"])
def test_a_file_that_cannot_be_read_says_so(name: str):
    with pytest.raises(profiles.ProfileError) as caught:
        profiles.profile(name)
    assert caught.value.code == "profile.unreadable"
    with pytest.raises(profiles.ProfileError) as caught:
        profiles.profile_text(name)
    assert caught.value.code == "profile.unreadable"


def test_a_folder_is_no_profile(tmp_path: Path):
    with pytest.raises(profiles.ProfileError) as caught:
        profiles.profile(tmp_path)
    assert caught.value.code == "profile.unreadable"


def test_codes_have_pages():
    for code in profiles.PROFILE_CODES:
        assert catalogue.entry(code).source == "profile"


# The command


def test_the_command_lists_profiles(capsysbinary: pytest.CaptureFixture[bytes]):
    assert cli.main(["profiles"]) == 0
    lines = capsysbinary.readouterr().out.decode().splitlines()
    assert [line.split()[0] for line in lines] == ["profile", *TABLE]
    assert lines[-1].split()[:5] == ["webgpu-default", "webgpu", "256x256x64", "256", "16384"]


def test_the_command_prints_the_file_of_a_profile(capsysbinary: pytest.CaptureFixture[bytes]):
    assert cli.main(["profiles", "cuda-sm80"]) == 0
    assert capsysbinary.readouterr().out.decode() == profiles.profile_text("cuda-sm80")


def test_the_command_prints_json(capsysbinary: pytest.CaptureFixture[bytes]):
    assert cli.main(["profiles", "--format", "json"]) == 0
    found = json.loads(capsysbinary.readouterr().out)
    assert [one["identity"] for one in found] == list(TABLE)
    assert cli.main(["profiles", "cuda-sm80", "--format", "json"]) == 0
    (one,) = json.loads(capsysbinary.readouterr().out)
    assert (one["maximumSharedBytes"], one["subgroupSizes"]) == ("166912", [32])


def test_the_command_escapes_what_a_terminal_would_obey(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
):
    path = tmp_path / "mine.txtpb"
    path.write_text(f"# \x1b[31m\n{GOOD}")
    assert cli.main(["profiles", str(path)]) == 0
    assert capsysbinary.readouterr().out.decode() == f"# \\x1b[31m\n{GOOD}"


def test_the_command_refuses_an_unknown_name(capsysbinary: pytest.CaptureFixture[bytes]):
    assert cli.main(["profiles", "vulkan-9", "--format", "json"]) == 2
    report = json.loads(capsysbinary.readouterr().out)
    assert report["verdict"] == "VERDICT_NOT_JUDGED"
    assert [one["code"] for one in report["diagnostics"]] == ["profile.unknown"]
