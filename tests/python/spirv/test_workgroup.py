"""Workgroup sizes in every form that SPIR-V has for them, and what shared memory takes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from interlock.package.spirv.reader import read_spirv

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlock.package.spirv.reader import SpirvModule

    Compiler = Callable[..., bytes]

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "spirv"

HEAD = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
<modes>
<decorations>
%void = OpTypeVoid
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%i32 = OpTypeInt 32 1
%u16 = OpTypeInt 16 0
%u64 = OpTypeInt 64 0
%f32 = OpTypeFloat 32
%v3 = OpTypeVector %u32 3
%one = OpConstant %u32 1
%two = OpConstant %u32 2
%four = OpConstant %u32 4
%minus = OpConstant %i32 -7
%three = OpConstant %i32 3
<constants>
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"""


def module(asm: Compiler, modes: str, constants: str = "", decorations: str = "") -> SpirvModule:
    text = HEAD.replace("<modes>", modes).replace("<constants>", constants)
    return read_spirv(
        asm("OpCapability Int64\nOpCapability Int16\n" + text.replace("<decorations>", decorations))
    )


def axes(read: SpirvModule) -> list[int | str]:
    size = read.facts().interface.entries[0].workgroup_size
    return [axis.constant if axis.WhichOneof("size") == "constant" else axis.literal for axis in size.axes]


def test_literals(asm: Compiler):
    read = module(asm, "OpExecutionMode %main LocalSize 8 4 2")
    assert axes(read) == [8, 4, 2]
    assert read.workgroup_size("main") == (8, 4, 2)


def test_ids(asm: Compiler):
    """The mode that other readers answer with (0, 0, 0)."""
    read = module(asm, "OpExecutionModeId %main LocalSizeId %four %two %one")
    assert axes(read) == [4, 2, 1]
    assert read.facts().unknown == {}


@pytest.mark.parametrize("target", ["vulkan1.0", "vulkan1.1", "vulkan1.2", "vulkan1.3"])
def test_ids_of_a_compiler(glsl: Compiler, target: str):
    source = """#version 450
    layout(local_size_x_id=3, local_size_y=5, local_size_z_id=4) in;
    void main() {}"""
    read = read_spirv(glsl(source, target))
    assert axes(read) == ["spec3", 5, "spec4"]
    assert read.workgroup_size("main") == (1, 5, 1)
    assert read.workgroup_size("main", {3: 64}) == (64, 5, 1)
    assert read.workgroup_size("main", {3: 64, 4: 2, 77: 9}) == (64, 5, 2)
    assert read.facts().unknown == {}


def test_a_named_constant(asm: Compiler):
    decorations = 'OpName %wide "wide"\nOpDecorate %wide SpecId 7'
    read = module(
        asm,
        "OpExecutionModeId %main LocalSizeId %wide %one %one",
        "%wide = OpSpecConstant %u32 16",
        decorations,
    )
    assert axes(read) == ["wide", 1, 1]
    assert [(each.name, each.constant_id) for each in read.facts().interface.constants] == [("wide", 7)]


def test_a_constant_without_a_number_is_fixed(asm: Compiler):
    read = module(
        asm, "OpExecutionModeId %main LocalSizeId %fixed %one %one", "%fixed = OpSpecConstant %u32 16"
    )
    assert axes(read) == [16, 1, 1]


def test_workgroup_size_counts_before_modes(asm: Compiler):
    constants = "%size = OpConstantComposite %v3 %two %four %one"
    decorations = "OpDecorate %size BuiltIn WorkgroupSize"
    assert axes(module(asm, "OpExecutionMode %main LocalSize 9 9 9", constants, decorations)) == [2, 4, 1]
    read = module(asm, "OpExecutionModeId %main LocalSizeId %four %four %four", constants, decorations)
    assert axes(read) == [2, 4, 1]


def test_workgroup_size_of_constants(asm: Compiler):
    constants = "%n = OpSpecConstant %u32 16\n%size = OpSpecConstantComposite %v3 %n %four %n"
    decorations = "OpDecorate %size BuiltIn WorkgroupSize\nOpDecorate %n SpecId 2"
    read = module(asm, "OpExecutionMode %main LocalSize 16 4 16", constants, decorations)
    assert axes(read) == ["spec2", 4, "spec2"]
    assert read.workgroup_size("main", {2: 3}) == (3, 4, 3)


def test_workgroup_size_that_is_computed(asm: Compiler):
    constants = """%n = OpSpecConstant %u32 16
    %base = OpSpecConstantComposite %v3 %n %n %n
    %ones = OpConstantComposite %v3 %one %two %four
    %size = OpSpecConstantOp %v3 UDiv %base %ones"""
    decorations = "OpDecorate %size BuiltIn WorkgroupSize\nOpDecorate %n SpecId 2"
    read = module(asm, "OpExecutionMode %main LocalSize 16 8 4", constants, decorations)
    assert axes(read) == []
    assert read.workgroup_size("main") == (16, 8, 4)
    assert read.workgroup_size("main", {2: 64}) == (64, 32, 16)
    assert read.facts().unknown == {
        ("main", ""): "its workgroup size is computed out of specialization constants"
    }


def test_an_axis_that_is_computed(asm: Compiler):
    constants = "%n = OpSpecConstant %u32 16\n%half = OpSpecConstantOp %u32 UDiv %n %two"
    modes = "OpExecutionModeId %main LocalSizeId %n %half %one"
    read = module(asm, modes, constants, "OpDecorate %n SpecId 2")
    assert axes(read) == []
    assert read.workgroup_size("main", {2: 64}) == (64, 32, 1)
    assert read.facts().unknown == {
        ("main", ""): "its workgroup size is computed out of specialization constants"
    }


def test_a_computed_size_that_nothing_changes_is_fixed(asm: Compiler):
    constants = "%eight = OpSpecConstantOp %u32 IMul %two %four"
    assert axes(module(asm, "OpExecutionModeId %main LocalSizeId %eight %one %one", constants)) == [8, 1, 1]


def test_a_size_that_nothing_states(asm: Compiler):
    read = module(asm, "")
    assert axes(read) == []
    assert read.workgroup_size("main") is None
    assert read.facts().unknown == {
        (
            "main",
            "",
        ): "the module does not say its workgroup size, or computes it in a way that is not followed"
    }


def test_hints_and_subgroup_sizes(asm: Compiler):
    modes = """OpExecutionMode %main LocalSizeHint 32 2 1
    OpExecutionMode %main LocalSize 4 4 4
    OpExecutionMode %main SubgroupSize 16"""
    read = module(asm, modes)
    entry = read.entry("main")
    assert (entry.size_hint, entry.subgroup_size, axes(read)) == ((32, 2, 1), 16, [4, 4, 4])
    assert list(read.facts().interface.entries[0].required_capabilities) == [13]
    assert read.facts().interface.entries[0].subgroup_size == 16


OPERATIONS = [
    ("%x = OpSpecConstantOp %u32 IAdd %n %two", 18, 5),
    ("%x = OpSpecConstantOp %u32 ISub %two %n", 0xFFFFFFF2, 0xFFFFFFFF),
    ("%x = OpSpecConstantOp %u32 IMul %n %n", 256, 9),
    ("%x = OpSpecConstantOp %u32 UDiv %n %two", 8, 1),
    ("%x = OpSpecConstantOp %u32 UMod %n %two", 0, 1),
    ("%x = OpSpecConstantOp %u32 ShiftLeftLogical %n %two", 64, 12),
    ("%x = OpSpecConstantOp %u32 ShiftRightLogical %n %one", 8, 1),
    ("%x = OpSpecConstantOp %u32 BitwiseAnd %n %two", 0, 2),
    ("%x = OpSpecConstantOp %u32 BitwiseOr %n %two", 18, 3),
    ("%x = OpSpecConstantOp %u32 BitwiseXor %n %two", 18, 1),
    ("%x = OpSpecConstantOp %u32 Not %n", 0xFFFFFFEF, 0xFFFFFFFC),
    ("%x = OpSpecConstantOp %u32 SDiv %minus %three", 0xFFFFFFFE, 0xFFFFFFFE),
    ("%x = OpSpecConstantOp %u32 SRem %minus %three", 0xFFFFFFFF, 0xFFFFFFFF),
    ("%x = OpSpecConstantOp %u32 SMod %minus %three", 2, 2),
    ("%x = OpSpecConstantOp %u32 SNegate %minus", 7, 7),
    ("%x = OpSpecConstantOp %u32 ShiftRightArithmetic %minus %one", 0xFFFFFFFC, 0xFFFFFFFC),
    (
        "%b = OpSpecConstantOp %bool UGreaterThan %n %four\n%x = OpSpecConstantOp %u32 Select %b %two %one",
        2,
        1,
    ),
    (
        "%b = OpSpecConstantOp %bool SLessThan %minus %three\n%x = OpSpecConstantOp %u32 Select %b %two %one",
        2,
        2,
    ),
    ("%b = OpSpecConstantOp %bool IEqual %n %three\n%x = OpSpecConstantOp %u32 Select %b %two %one", 1, 2),
    (
        (
            "%b = OpSpecConstantOp %bool ULessThan %n %four\n%c = OpSpecConstantOp %bool LogicalNot %b\n"
            "%d = OpSpecConstantOp %bool LogicalAnd %b %c\n%x = OpSpecConstantOp %u32 Select %d %two %one"
        ),
        1,
        1,
    ),
    ("%s = OpSpecConstantOp %u16 UConvert %n\n%x = OpSpecConstantOp %u32 UConvert %s", 16, 3),
    (
        "%s = OpSpecConstantOp %u64 SConvert %minus\n%x = OpSpecConstantOp %u32 UConvert %s",
        0xFFFFFFF9,
        0xFFFFFFF9,
    ),
    (
        "%v = OpSpecConstantComposite %v3 %n %two %one\n%x = OpSpecConstantOp %u32 CompositeExtract %v 0",
        16,
        3,
    ),
    (
        (
            "%v = OpConstantComposite %v3 %one %two %one\n%w = OpSpecConstantOp %v3 CompositeInsert %n %v 1\n"
            "%x = OpSpecConstantOp %u32 CompositeExtract %w 1"
        ),
        16,
        3,
    ),
    (
        (
            "%v = OpSpecConstantComposite %v3 %one %two %n\n"
            "%w = OpSpecConstantOp %v3 VectorShuffle %v %v 5 0 1\n"
            "%x = OpSpecConstantOp %u32 CompositeExtract %w 0"
        ),
        16,
        3,
    ),
]


@pytest.mark.parametrize(("constants", "by_default", "with_three"), OPERATIONS)
def test_operations(asm: Compiler, constants: str, by_default: int, with_three: int):
    read = module(
        asm,
        "OpExecutionModeId %main LocalSizeId %x %one %one",
        f"%n = OpSpecConstant %u32 16\n{constants}",
        "OpDecorate %n SpecId 0",
    )
    assert read.workgroup_size("main") == (by_default, 1, 1)
    assert read.workgroup_size("main", {0: 3}) == (with_three, 1, 1)


@pytest.mark.parametrize(
    "constants",
    [
        "%zero = OpSpecConstantOp %u32 ISub %n %n\n%x = OpSpecConstantOp %u32 UDiv %n %zero",
        "%x = OpSpecConstantOp %u32 ShiftLeftLogical %n %big",
        "%x = OpSpecConstantOp %u32 ConvertFToU %f",
    ],
)
def test_operations_without_a_result(asm: Compiler, constants: str):
    head = "%n = OpSpecConstant %u32 16\n%big = OpConstant %u32 32\n%f = OpConstant %f32 2.5\n"
    read = module(
        asm, "OpExecutionModeId %main LocalSizeId %x %one %one", head + constants, "OpDecorate %n SpecId 0"
    )
    assert read.workgroup_size("main") is None
    assert axes(read) == []


def test_truth_values_choose(asm: Compiler):
    read = module(
        asm,
        "OpExecutionModeId %main LocalSizeId %x %one %one",
        "%b = OpSpecConstantFalse %bool\n%x = OpSpecConstantOp %u32 Select %b %four %two",
        "OpDecorate %b SpecId 3",
    )
    assert [read.workgroup_size("main", values) for values in ({}, {3: True}, {3: 1}, {3: 0})] == [
        (2, 1, 1),
        (4, 1, 1),
        (4, 1, 1),
        (2, 1, 1),
    ]


@pytest.mark.parametrize(
    ("declaration", "body", "size"),
    [
        ("shared uint s;", "s = 1u;", 4),
        ("shared bool s[3];", "s[0] = true;", 12),
        ("shared vec3 s[5];", "s[0].x = 1;", 80),
        ("shared vec3 s; shared float t;", "s.x = 1; t = 2;", 16),
        ("struct P { vec3 a; float b; vec2 c; }; shared P s[2];", "s[0].b = 1;", 64),
        ("shared mat3 s;", "s[0].x = 1;", 48),
        ("shared float s[4][8];", "s[0][0] = 1;", 128),
        ("shared float s; shared vec4 t;", "s = 1; t.x = 2;", 32),
    ],
)
def test_shared_memory(glsl: Compiler, declaration: str, body: str, size: int):
    read = read_spirv(glsl(f"#version 450\n{declaration}\nvoid main() {{ {body} }}"))
    assert read.shared_bytes("main") == size
    assert read.facts().interface.entries[0].static_shared_bytes == size


def test_shared_memory_that_nobody_uses_does_not_count(glsl: Compiler):
    read = read_spirv(
        glsl("#version 450\nshared uint used; shared uint other[100];\nvoid main() { used = 1u; }")
    )
    assert read.shared_bytes("main") == 4


def test_shared_blocks_lie_over_each_other(glsl: Compiler):
    source = """#version 450
    #extension GL_EXT_shared_memory_block : require
    shared First { uint a[8]; } first;
    shared Second { uint b[5]; uint c; } second;
    void main() { first.a[0] = 1u; second.c = 2u; }"""
    assert read_spirv(glsl(source, "vulkan1.2")).shared_bytes("main") == 32


def test_shared_memory_as_long_as_constants_say():
    read = read_spirv((FIXTURES / "local_size_id.spv").read_bytes())
    assert read.shared_bytes("main") == 64
    assert read.shared_bytes("main", {7: 100}) == 400
    assert read.shared_bytes("main", {7: 100, 8: False}) == 200
    assert read.facts().interface.entries[0].static_shared_bytes == 64
    assert "specialization constants set how much shared memory it has" in read.facts().unknown["main", ""]


def test_there_is_no_such_entry(asm: Compiler):
    with pytest.raises(KeyError):
        module(asm, "").workgroup_size("other")
