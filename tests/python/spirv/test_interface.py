"""Slots, names, layouts and constants of compiled modules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf import text_format

from execgraph.v1 import access_pb2, interface_pb2, resource_pb2, type_pb2
from interlock.diagnostic import Evidence
from interlock.package.facts import Place
from interlock.package.spirv.errors import SpirvLimits
from interlock.package.spirv.layout import Member
from interlock.package.spirv.reader import read_spirv, spirv_facts
from spirv_builder import (
    ARRAY_STRIDE,
    BLOCK,
    DECORATE,
    ENTRY_POINT,
    FUNCTION,
    FUNCTION_END,
    LABEL,
    MEMBER_DECORATE,
    NAME,
    OFFSET,
    PREAMBLE,
    RETURN,
    STORAGE_BUFFER,
    TYPE_FLOAT,
    TYPE_FUNCTION,
    TYPE_POINTER,
    TYPE_RUNTIME_ARRAY,
    TYPE_STRUCT,
    TYPE_VOID,
    VARIABLE,
    module,
    op,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlock.package.facts import ModuleFacts

    Compiler = Callable[..., bytes]

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "spirv"
TARGETS = ["vulkan1.0", "vulkan1.1", "vulkan1.2", "vulkan1.3"]


def slot(facts: ModuleFacts, name: str, entry: int = 0) -> interface_pb2.Slot:
    return next(each for each in facts.interface.entries[entry].slots if each.name == name)


def members(facts: ModuleFacts, name: str) -> list[tuple[Any, ...]]:
    """Return name, offset, size, components, array stride and count, matrix stride of each member."""
    return [
        (m.name, m.offset, m.size, m.vector_components, m.array_stride, m.array_count, m.matrix_stride)
        for m in slot(facts, name).members
    ]


@pytest.mark.parametrize("target", TARGETS)
def test_the_whole_interface(glsl: Compiler, target: str):
    source = """#version 450
    layout(local_size_x=32, local_size_y=2) in;
    layout(set=0, binding=1) readonly buffer Samples { uint samples[]; };
    layout(set=2, binding=0) buffer Totals { uint count; float totals[8]; } result;
    layout(push_constant) uniform Settings { uint shift; float scale; } settings;
    shared uint partial[32];
    void main() {
        partial[gl_LocalInvocationIndex] = samples[gl_GlobalInvocationID.x] << settings.shift;
        barrier();
        result.totals[gl_WorkGroupID.x] = partial[0] * settings.scale;
    }"""
    facts = spirv_facts(glsl(source, target))
    assert facts.interface == text_format.Parse(
        """
        entries {
          name: "main"
          stage: STAGE_COMPUTE
          slots {
            name: "Samples"
            kind: SLOT_KIND_STORAGE_BUFFER
            storage_class: STORAGE_CLASS_GLOBAL
            access: ACCESS_MODE_READ
            element_type { element: ELEMENT_TYPE_U32 }
            array_stride: 4
            runtime_sized: true
            members { name: "samples" size: 4 element: ELEMENT_TYPE_U32 array_stride: 4 }
          }
          slots {
            name: "result"
            kind: SLOT_KIND_STORAGE_BUFFER
            storage_class: STORAGE_CLASS_GLOBAL
            access: ACCESS_MODE_WRITE
            minimum_size: 36
            members { name: "count" size: 4 element: ELEMENT_TYPE_U32 }
            members {
              name: "totals" offset: 4 size: 4 element: ELEMENT_TYPE_F32 array_stride: 4 array_count: 8
            }
          }
          slots {
            name: "settings"
            kind: SLOT_KIND_INLINE_CONSTANTS
            access: ACCESS_MODE_READ
            minimum_size: 8
            members { name: "shift" size: 4 element: ELEMENT_TYPE_U32 }
            members { name: "scale" offset: 4 size: 4 element: ELEMENT_TYPE_F32 }
          }
          workgroup_size { axes { literal: 32 } axes { literal: 2 } axes { literal: 1 } }
          static_shared_bytes: 128
        }
        """,
        interface_pb2.Interface(),
    )
    assert facts.evidence is Evidence.PROVEN
    assert facts.source == "its SPIR-V"
    assert facts.is_complete
    assert facts.unknown == {}
    assert facts.places == {("main", "Samples"): Place(0, 1), ("main", "result"): Place(2, 0)}
    assert facts.aliases == {
        ("main", "samples"): "Samples",
        ("main", "set0.binding1"): "Samples",
        ("main", "Totals"): "result",
        ("main", "set2.binding0"): "result",
        ("main", "Settings"): "settings",
        ("main", "push_constants"): "settings",
    }


SHAPES = """
    struct Item { vec3 at; float weight; vec2 pair; };
    layout(<layout>, set=0, binding=0) <kind> Block {
        float first;
        vec3 direction;
        mat3 turn;
        layout(row_major) mat4x2 map;
        float few[3];
        vec2 pairs[2][3];
        Item item;
        Item items[2];
    } block;"""


def laid_out(glsl: Compiler, layout: str, kind: str) -> ModuleFacts:
    head = "#version 450\n#extension GL_EXT_scalar_block_layout : require\n"
    body = "\nlayout(set=1, binding=0) buffer Out { float x; } o;\nvoid main() { o.x = block.first; }"
    return spirv_facts(
        glsl(head + SHAPES.replace("<layout>", layout).replace("<kind>", kind) + body, "vulkan1.2")
    )


def test_std140(glsl: Compiler):
    facts = laid_out(glsl, "std140", "uniform")
    assert members(facts, "block") == [
        ("first", 0, 4, 0, 0, 0, 0),
        ("direction", 16, 12, 3, 0, 0, 0),
        ("turn", 32, 48, 3, 0, 0, 16),
        ("map", 80, 32, 4, 0, 0, 16),
        ("few", 112, 4, 0, 16, 3, 0),
        ("pairs", 160, 8, 2, 16, 6, 0),
        ("item.at", 256, 12, 3, 0, 0, 0),
        ("item.weight", 268, 4, 0, 0, 0, 0),
        ("item.pair", 272, 8, 2, 0, 0, 0),
        ("items.at", 288, 12, 3, 32, 2, 0),
        ("items.weight", 300, 4, 0, 32, 2, 0),
        ("items.pair", 304, 8, 2, 32, 2, 0),
    ]
    assert slot(facts, "block").minimum_size == 288 + 32 + 24
    assert slot(facts, "block").kind == interface_pb2.SLOT_KIND_CONSTANT_BUFFER
    assert slot(facts, "block").storage_class == interface_pb2.STORAGE_CLASS_UNIFORM


def test_std430(glsl: Compiler):
    facts = laid_out(glsl, "std430", "buffer")
    assert members(facts, "block") == [
        ("first", 0, 4, 0, 0, 0, 0),
        ("direction", 16, 12, 3, 0, 0, 0),
        ("turn", 32, 48, 3, 0, 0, 16),
        ("map", 80, 32, 4, 0, 0, 16),
        ("few", 112, 4, 0, 4, 3, 0),
        ("pairs", 128, 8, 2, 8, 6, 0),
        ("item.at", 176, 12, 3, 0, 0, 0),
        ("item.weight", 188, 4, 0, 0, 0, 0),
        ("item.pair", 192, 8, 2, 0, 0, 0),
        ("items.at", 208, 12, 3, 32, 2, 0),
        ("items.weight", 220, 4, 0, 32, 2, 0),
        ("items.pair", 224, 8, 2, 32, 2, 0),
    ]


def test_scalar(glsl: Compiler):
    facts = laid_out(glsl, "scalar", "buffer")
    assert members(facts, "block") == [
        ("first", 0, 4, 0, 0, 0, 0),
        ("direction", 4, 12, 3, 0, 0, 0),
        ("turn", 16, 36, 3, 0, 0, 12),
        ("map", 52, 32, 4, 0, 0, 16),
        ("few", 84, 4, 0, 4, 3, 0),
        ("pairs", 96, 8, 2, 8, 6, 0),
        ("item.at", 144, 12, 3, 0, 0, 0),
        ("item.weight", 156, 4, 0, 0, 0, 0),
        ("item.pair", 160, 8, 2, 0, 0, 0),
        ("items.at", 168, 12, 3, 24, 2, 0),
        ("items.weight", 180, 4, 0, 24, 2, 0),
        ("items.pair", 184, 8, 2, 24, 2, 0),
    ]
    assert slot(facts, "block").minimum_size == 216


def test_arrays_in_arrays(glsl: Compiler):
    source = """#version 450
    struct Row { uint tag; float cells[3]; };
    layout(set=0, binding=0, std430) buffer Table { uint rows_used; Row rows[]; } table;
    layout(set=0, binding=1, std140) uniform Grid { Row rows[2]; vec2 points[2][2]; } grid;
    void main() { table.rows[0].cells[1] = grid.rows[1].cells[2] + grid.points[0][1].x; }"""
    facts = spirv_facts(glsl(source))
    assert members(facts, "table") == [
        ("rows_used", 0, 4, 0, 0, 0, 0),
        ("rows.tag", 4, 4, 0, 16, 0, 0),
        ("rows.cells[0]", 8, 4, 0, 16, 0, 0),
        ("rows.cells[1]", 12, 4, 0, 16, 0, 0),
        ("rows.cells[2]", 16, 4, 0, 16, 0, 0),
    ]
    assert slot(facts, "table").array_stride == 16
    assert slot(facts, "table").minimum_size == 4
    assert not slot(facts, "table").HasField("element_type")
    assert members(facts, "grid") == [
        ("rows.tag", 0, 4, 0, 64, 2, 0),
        ("rows[0].cells", 16, 4, 0, 16, 3, 0),
        ("rows[1].cells", 80, 4, 0, 16, 3, 0),
        ("points", 128, 8, 2, 16, 4, 0),
    ]


def test_more_members_than_can_be_said(glsl: Compiler):
    source = """#version 450
    struct Cell { float a; float deep[70]; };
    layout(set=0, binding=0, std430) buffer Table { Cell cells[80]; } table;
    void main() { table.cells[0].a = 1; }"""
    facts = spirv_facts(glsl(source))
    assert members(facts, "table") == []
    assert slot(facts, "table").minimum_size == 79 * 284 + 284
    reason = "one of its members lies in several arrays, which the contract cannot say"
    assert facts.unknown == {("main", "table"): reason}


def test_blocks_with_more_members_than_the_limit(glsl: Compiler):
    source = """#version 450
    layout(set=0, binding=0, std430) buffer Table { float a; float b; float c; } table;
    void main() { table.a = 1; }"""
    module = glsl(source)
    facts = spirv_facts(module, limits=SpirvLimits(block_members=2))
    assert facts.unknown == {("main", "table"): "its block has more than 2 members"}
    facts = spirv_facts(module, limits=SpirvLimits(listed_members=2))
    assert facts.unknown == {("main", "table"): "the blocks of its module have more than 2 members"}
    assert (
        len(spirv_facts(module, limits=SpirvLimits(block_members=3)).interface.entries[0].slots[0].members)
        == 3
    )


def test_small_and_large_types(glsl: Compiler):
    source = """#version 450
    #extension GL_EXT_shader_explicit_arithmetic_types : require
    #extension GL_EXT_shader_16bit_storage : require
    #extension GL_EXT_shader_8bit_storage : require
    layout(set=0, binding=0) buffer All {
        int8_t a; uint8_t b; int16_t c; uint16_t d; int e; uint f; int64_t g; uint64_t h;
        float16_t i; double j;
        f16vec4 k[];
    } all;
    void main() { all.e = 1; }"""
    facts = spirv_facts(glsl(source, "vulkan1.2"))
    names = [type_pb2.ElementType.Name(member.element) for member in slot(facts, "all").members]
    expected = "I8 U8 I16 U16 I32 U32 I64 U64 F16 F64 F16"
    assert " ".join(name.removeprefix("ELEMENT_TYPE_") for name in names) == expected
    assert slot(facts, "all").array_stride == 8
    assert slot(facts, "all").runtime_sized
    assert slot(facts, "all").minimum_size == 48


def test_bfloat_and_eight_bit_floats():
    """No compiler of Debian writes them yet."""
    for width, encoding, expected in (
        (16, 0, "BF16"),
        (8, 4214, "F8_E4M3"),
        (8, 4215, "F8_E5M2"),
        (8, 9, None),
    ):
        data = module(
            *PREAMBLE,
            op(ENTRY_POINT, 5, 4, "main"),
            op(NAME, 12, "x"),
            op(DECORATE, 8, ARRAY_STRIDE, width // 8),
            op(DECORATE, 10, BLOCK),
            op(MEMBER_DECORATE, 10, 0, OFFSET, 0),
            op(TYPE_VOID, 2),
            op(TYPE_FUNCTION, 3, 2),
            op(TYPE_FLOAT, 1, width, encoding),
            op(TYPE_RUNTIME_ARRAY, 8, 1),
            op(TYPE_STRUCT, 10, 8),
            op(TYPE_POINTER, 11, STORAGE_BUFFER, 10),
            op(VARIABLE, 11, 12, STORAGE_BUFFER),
            op(FUNCTION, 2, 4, 0, 3),
            op(LABEL, 5),
            op(RETURN),
            op(FUNCTION_END),
        )
        found = slot(spirv_facts(data), "x")
        assert found.array_stride == width // 8
        assert found.HasField("element_type") == (expected is not None)
        if expected is not None:
            assert type_pb2.ElementType.Name(found.element_type.element) == f"ELEMENT_TYPE_{expected}"


FORMATS = {
    "rgba32f": ("image2D", "RGBA32_FLOAT"),
    "rgba16f": ("image2D", "RGBA16_FLOAT"),
    "r32f": ("image2D", "R32_FLOAT"),
    "rgba8": ("image2D", "RGBA8_UNORM"),
    "rgba8_snorm": ("image2D", "RGBA8_SNORM"),
    "rg32f": ("image2D", "RG32_FLOAT"),
    "rg16f": ("image2D", "RG16_FLOAT"),
    "r16f": ("image2D", "R16_FLOAT"),
    "rgba32i": ("iimage2D", "RGBA32_SINT"),
    "rgba16i": ("iimage2D", "RGBA16_SINT"),
    "rgba8i": ("iimage2D", "RGBA8_SINT"),
    "rg32i": ("iimage2D", "RG32_SINT"),
    "r32i": ("iimage2D", "R32_SINT"),
    "rgba32ui": ("uimage2D", "RGBA32_UINT"),
    "rgba16ui": ("uimage2D", "RGBA16_UINT"),
    "rgba8ui": ("uimage2D", "RGBA8_UINT"),
    "rg32ui": ("uimage2D", "RG32_UINT"),
    "r32ui": ("uimage2D", "R32_UINT"),
}


def test_formats_of_images(glsl: Compiler):
    lines = [f"layout(set=0, binding={n}, {f}) uniform {FORMATS[f][0]} i_{f};" for n, f in enumerate(FORMATS)]
    reads = "".join(f"x += uint(imageLoad(i_{f}, ivec2(0)).x);" for f in FORMATS)
    body = "layout(set=1, binding=0) buffer Out { uint x; } o;"
    source = "\n".join(["#version 450", *lines, body, f"void main() {{ uint x = 0; {reads} o.x = x; }}"])
    facts = spirv_facts(glsl(source))
    for name, (_, expected) in FORMATS.items():
        stated = resource_pb2.ImageFormat.Name(slot(facts, f"i_{name}").image_format)
        assert stated == f"IMAGE_FORMAT_{expected}", name
        assert slot(facts, f"i_{name}").kind == interface_pb2.SLOT_KIND_STORAGE_IMAGE
    assert facts.unknown == {}


def test_a_format_that_the_contract_does_not_have(glsl: Compiler):
    source = """#version 450
    layout(set=0, binding=0, rgb10_a2) uniform image2D odd;
    layout(set=0, binding=1) uniform writeonly image2D open;
    void main() { imageStore(open, ivec2(0), imageLoad(odd, ivec2(0))); }"""
    facts = spirv_facts(glsl(source))
    reason = "its texel format is number 11 of SPIR-V, for which the contract has no name"
    assert facts.unknown == {("main", "odd"): reason}
    assert slot(facts, "open").image_format == 0


def test_kinds_that_the_contract_does_not_have(glsl: Compiler):
    source = """#version 460
    #extension GL_EXT_ray_query : require
    layout(set=0, binding=0) uniform accelerationStructureEXT scene;
    layout(set=0, binding=1) buffer Out { uint hit; } o;
    void main() {
        rayQueryEXT query;
        rayQueryInitializeEXT(query, scene, 0, 255, vec3(0), 0, vec3(1), 9);
        o.hit = rayQueryProceedEXT(query) ? 1u : 0u;
    }"""
    facts = spirv_facts(glsl(source, "vulkan1.2"))
    assert slot(facts, "scene").kind == interface_pb2.SLOT_KIND_UNSPECIFIED
    reason = "it is of type other and storage class 0, for which the contract has no kind of slot"
    assert facts.unknown["main", "scene"].startswith(reason)
    assert [name for _, name in facts.unknown] == ["scene"]


def test_arrays_of_descriptors(glsl: Compiler):
    source = """#version 450
    #extension GL_EXT_nonuniform_qualifier : require
    layout(constant_id=5) const int N = 3;
    layout(set=0, binding=0) buffer Fixed { uint x; } fixed_[2][3];
    layout(set=0, binding=1) uniform texture2D sized[N];
    layout(set=0, binding=2) uniform texture2D all[];
    layout(set=0, binding=3) uniform sampler how;
    void main() {
        vec4 v = texture(sampler2D(sized[1], how), vec2(0));
        v += texture(sampler2D(all[gl_WorkGroupID.x], how), vec2(0));
        fixed_[1][2].x = uint(v.x);
    }"""
    facts = spirv_facts(glsl(source, "vulkan1.2"))
    assert slot(facts, "fixed_").array_count == 6
    assert slot(facts, "sized").array_count == slot(facts, "all").array_count == 0
    assert facts.unknown == {
        ("main", "all"): "its array of descriptors is as long as what is bound",
        ("main", "sized"): "specialization constants set how many descriptors it has",
    }


def test_blocks_as_long_as_constants_say(glsl: Compiler):
    source = """#version 450
    layout(constant_id=5) const int N = 3;
    layout(set=0, binding=0) buffer Sized { uint x; uint y[N]; } sized;
    void main() { sized.x = 1; }"""
    facts = spirv_facts(glsl(source))
    assert slot(facts, "sized").minimum_size == 0
    assert members(facts, "sized") == []
    assert facts.unknown == {("main", "sized"): "specialization constants set how long its arrays are"}


def test_specialization_constants(glsl: Compiler):
    source = """#version 450
    #extension GL_EXT_shader_explicit_arithmetic_types : require
    layout(constant_id=9) const bool on = true;
    layout(constant_id=1) const bool off = false;
    layout(constant_id=2) const int less = -2;
    layout(constant_id=3) const uint more = 7u;
    layout(constant_id=4) const float half_ = 0.5;
    layout(constant_id=5) const double twice = 2.0;
    layout(constant_id=6) const int64_t far = -1l;
    layout(constant_id=7) const uint16_t small = 65535us;
    layout(set=0, binding=0) buffer Out { float x; } o;
    void main() {
        o.x = (on ? 1 : 0) + (off ? 1 : 0) + less + more + half_ + float(twice) + float(far) + float(small);
    }"""
    facts = spirv_facts(glsl(source))
    assert (
        facts.interface.constants
        == text_format.Parse(
            r"""
        constants { name: "far" constant_id: 6 element: ELEMENT_TYPE_I64
          default_value { element: ELEMENT_TYPE_I64 bits: "\377\377\377\377\377\377\377\377" } }
        constants { name: "half_" constant_id: 4 element: ELEMENT_TYPE_F32
          default_value { element: ELEMENT_TYPE_F32 bits: "\000\000\000?" } }
        constants { name: "less" constant_id: 2 element: ELEMENT_TYPE_I32
          default_value { element: ELEMENT_TYPE_I32 bits: "\376\377\377\377" } }
        constants { name: "more" constant_id: 3 element: ELEMENT_TYPE_U32
          default_value { element: ELEMENT_TYPE_U32 bits: "\007\000\000\000" } }
        constants { name: "off" constant_id: 1 element: ELEMENT_TYPE_BOOL
          default_value { element: ELEMENT_TYPE_BOOL bits: "\000" } }
        constants { name: "on" constant_id: 9 element: ELEMENT_TYPE_BOOL
          default_value { element: ELEMENT_TYPE_BOOL bits: "\001" } }
        constants { name: "small" constant_id: 7 element: ELEMENT_TYPE_U16
          default_value { element: ELEMENT_TYPE_U16 bits: "\377\377" } }
        constants { name: "twice" constant_id: 5 element: ELEMENT_TYPE_F64
          default_value { element: ELEMENT_TYPE_F64 bits: "\000\000\000\000\000\000\000@" } }
        """,
            interface_pb2.Interface(),
        ).constants
    )


def test_names_are_never_one_for_two(glsl: Compiler):
    source = """#version 450
    layout(set=0, binding=0) buffer Same { uint x[]; } a;
    layout(set=0, binding=1) buffer a_ { uint x[]; } Same_;
    layout(set=0, binding=2) buffer Third { uint only; };
    layout(set=0, binding=3) buffer Fourth { uint p; uint q; };
    void main() { a.x[0] = Same_.x[0] + only + q; }"""
    facts = spirv_facts(glsl(source))
    assert [each.name for each in facts.interface.entries[0].slots] == ["Fourth", "Same_", "Third", "a"]
    assert facts.aliases == {
        ("main", "Same"): "a",
        ("main", "a_"): "Same_",
        ("main", "only"): "Third",
        ("main", "set0.binding0"): "a",
        ("main", "set0.binding1"): "Same_",
        ("main", "set0.binding2"): "Third",
        ("main", "set0.binding3"): "Fourth",
    }


def test_made_up_names_are_no_aliases_of_others():
    """The second variable has the name that is made up for the first, which has the place of the second."""
    names = {20: "set0.binding1", 22: "variable21"}
    data = module(
        *PREAMBLE,
        op(ENTRY_POINT, 5, 4, "main"),
        *(op(NAME, number, name) for number, name in names.items()),
        *(op(DECORATE, number, 34, 0) for number in (20, 21, 22)),
        *(op(DECORATE, number, 33, number - 20) for number in (20, 21, 22)),
        op(TYPE_VOID, 2),
        op(TYPE_FUNCTION, 3, 2),
        op(TYPE_FLOAT, 1, 32),
        op(TYPE_STRUCT, 10, 1),
        op(TYPE_POINTER, 11, STORAGE_BUFFER, 10),
        *(op(VARIABLE, 11, number, STORAGE_BUFFER) for number in (20, 21, 22)),
        op(FUNCTION, 2, 4, 0, 3),
        op(LABEL, 5),
        op(RETURN),
        op(FUNCTION_END),
    )
    facts = spirv_facts(data)
    assert {place.index: name for (_, name), place in facts.places.items()} == {
        0: "set0.binding1",
        1: "variable21",
        2: "set0.binding2",
    }
    assert facts.aliases == {("main", "set0.binding0"): "set0.binding1"}


def test_without_names_places_are_names(glsl: Compiler):
    source = """#version 450
    layout(constant_id=4) const uint N = 1;
    layout(set=0, binding=0) buffer A { uint x[]; } a;
    layout(set=3, binding=7) buffer B { uint y; } b;
    layout(push_constant) uniform P { uint z; } p;
    void main() { a.x[0] = b.y + p.z + N; }"""
    facts = spirv_facts(glsl(source, "vulkan1.1", "-g0"))
    slots = facts.interface.entries[0].slots
    assert [each.name for each in slots] == ["push_constants", "set0.binding0", "set3.binding7"]
    assert [member.name for each in slots for member in each.members] == ["", "", ""]
    assert [each.name for each in facts.interface.constants] == ["spec4"]
    assert facts.aliases == {}


def test_two_variables_on_one_binding():
    read = read_spirv((FIXTURES / "aliased.spv").read_bytes())
    facts = read.facts()
    shared = slot(facts, "__resource_var_0_0_")
    assert [each.name for each in facts.interface.entries[0].slots] == [
        "__resource_var_0_0_",
        "__resource_var_0_1_",
    ]
    assert (shared.minimum_size, shared.array_stride, len(shared.members)) == (4096, 0, 0)
    assert shared.kind == interface_pb2.SLOT_KIND_STORAGE_BUFFER
    assert facts.aliases["dispatch_0", "__resource_var_0_0__0"] == "__resource_var_0_0_"
    assert facts.places["dispatch_0", "__resource_var_0_0_"] == Place(0, 0)
    assert [note.message for note in read.notes] == ["2 variables of different layout share its binding"]


@pytest.mark.parametrize(
    ("first", "second", "expected"), [("a", "b", "READ_WRITE"), ("a", "a", "READ_WRITE")]
)
def test_aliases_take_the_access_of_all(glsl: Compiler, first: str, second: str, expected: str):
    source = f"""#version 450
    layout(set=0, binding=0) buffer A {{ uint x[]; }} a;
    layout(set=0, binding=0) buffer B {{ uint x[]; }} b;
    void main() {{ {first}.x[0] = {second}.x[1]; }}"""
    facts = spirv_facts(glsl(source))
    assert len(facts.interface.entries[0].slots) == 1
    merged = facts.interface.entries[0].slots[0]
    assert access_pb2.AccessMode.Name(merged.access) == f"ACCESS_MODE_{expected}"
    assert merged.array_stride == 4
    assert len(merged.members) == 1


def test_variables_of_several_kinds_on_one_binding(glsl: Compiler):
    source = """#version 450
    layout(set=0, binding=0) buffer A { uint x; } a;
    layout(set=0, binding=0) uniform B { uint x; } b;
    void main() { a.x = b.x; }"""
    facts = spirv_facts(glsl(source))
    assert facts.interface.entries[0].slots[0].kind == interface_pb2.SLOT_KIND_UNSPECIFIED
    assert facts.unknown == {("main", "a"): "variables of several kinds share its binding"}


@pytest.mark.parametrize(
    ("body", "extension", "expected", "grouped"),
    [
        ("o.u = 1u;", "", [], False),
        ("atomicAdd(o.u, 1u);", "", [5], False),
        ("atomicAdd(o.i, 1);", "", [5], False),
        ("atomicAdd(s, 1u);", "", [5], False),
        ("atomicAdd(o.l, 1ul);", "GL_EXT_shader_atomic_int64", [6], False),
        ("atomicAdd(o.f, 1.0);", "GL_EXT_shader_atomic_float", [7], False),
        ("atomicAdd(o.d, 1.0lf);", "GL_EXT_shader_atomic_float", [8], False),
        ("atomicAdd(o.h, 1.0hf);", "GL_EXT_shader_atomic_float2", [9], False),
        ("o.u = subgroupAdd(o.u);", "GL_KHR_shader_subgroup_arithmetic", [], True),
        ("o.u = subgroupBallotBitCount(subgroupBallot(true));", "GL_KHR_shader_subgroup_ballot", [], True),
        ("o.u = gl_SubgroupSize;", "GL_KHR_shader_subgroup_basic", [], True),
        ("subgroupBarrier();", "GL_KHR_shader_subgroup_basic", [], True),
        ("imageStore(w, ivec2(0), vec4(1));", "", [10], False),
        ("o.f = texture(t, vec2(0)).x;", "", [11], False),
    ],
)
def test_what_an_entry_needs(glsl: Compiler, body: str, extension: str, expected: list[int], grouped: bool):
    source = f"""#version 450
    {f"#extension {extension} : require" if extension else ""}
    #extension GL_EXT_shader_explicit_arithmetic_types : require
    layout(set=0, binding=0) buffer Out {{ uint u; int i; uint64_t l; float f; double d; float16_t h; }} o;
    layout(set=0, binding=1, rgba8) uniform writeonly image2D w;
    layout(set=0, binding=2) uniform sampler2D t;
    shared uint s;
    void main() {{ {body} }}"""
    facts = spirv_facts(glsl(source, "vulkan1.2"))
    entry = facts.interface.entries[0]
    assert list(entry.required_capabilities) == expected
    assert entry.uses_atomics == bool(set(expected) & {5, 6, 7, 8, 9})
    assert entry.uses_subgroups == grouped


def test_stages(asm: Compiler):
    text = """OpCapability Shader
    OpCapability Geometry
    OpMemoryModel Logical GLSL450
    OpEntryPoint Vertex %main "corner"
    OpEntryPoint Fragment %main "pixel"
    OpEntryPoint Geometry %main "shape"
    OpEntryPoint GLCompute %main "work"
    OpEntryPoint Fragment %main "work"
    OpExecutionMode %main LocalSize 3 1 1
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %main = OpFunction %void None %fn
    %entry = OpLabel
    OpReturn
    OpFunctionEnd"""
    module = read_spirv(asm(text))
    facts = module.facts()
    assert [(entry.name, entry.stage) for entry in module.entries] == [
        ("corner", "vertex"),
        ("pixel", "fragment"),
        ("shape", "geometry"),
        ("work", "compute"),
        ("work", "fragment"),
    ]
    assert [(entry.name, entry.stage) for entry in facts.interface.entries] == [
        ("corner", interface_pb2.STAGE_VERTEX),
        ("pixel", interface_pb2.STAGE_FRAGMENT),
        ("work", interface_pb2.STAGE_COMPUTE),
    ]
    assert [entry.HasField("workgroup_size") for entry in facts.interface.entries] == [False, False, True]
    assert facts.unknown == {("shape", ""): "its stage is geometry, for which the contract has no name"}


def test_row_major_is_kept(glsl: Compiler):
    source = """#version 450
    layout(set=0, binding=0) uniform U { layout(row_major) mat3x2 m; } u;
    layout(set=0, binding=1) buffer Out { float x; } o;
    void main() { o.x = u.m[0].x; }"""
    block = next(each for each in read_spirv(glsl(source)).entry("main").resources if each.name == "u")
    (member,) = block.members
    assert isinstance(member, Member)
    assert (member.is_row_major, member.components, member.matrix_stride, member.size) == (True, 3, 16, 32)
    assert block.minimum_size == 28
