"""Random blocks as shader text, and the layouts that a compiler gives them, read from its assembly."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from execgraph.v1 import type_pb2
from interlock.package.packing import SCALAR, STD140, STD430, MemberShape
from package_support import require_tool

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from random import Random

TOOLS = ("glslangValidator", "spirv-dis")
LAYOUT_NAMES = {STD140: "std140", STD430: "std430", SCALAR: "scalar"}

_SCALARS = {
    "I8": ("int8_t", "i8vec"),
    "U8": ("uint8_t", "u8vec"),
    "I16": ("int16_t", "i16vec"),
    "U16": ("uint16_t", "u16vec"),
    "F16": ("float16_t", "f16vec"),
    "I32": ("int", "ivec"),
    "U32": ("uint", "uvec"),
    "F32": ("float", "vec"),
    "I64": ("int64_t", "i64vec"),
    "U64": ("uint64_t", "u64vec"),
    "F64": ("double", "dvec"),
}
_MATRICES = {"F16": "f16mat", "F32": "mat", "F64": "dmat"}
_HLSL_NAMES = {"I32": "int", "U32": "uint", "F32": "float", "F64": "double"}
_HEAD = """\
#version 460
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
"""


@dataclass(frozen=True, slots=True)
class Found:
    """What a compiler says of one member: offset, stride of its array, stride of its matrix."""

    offset: int
    array_stride: int
    matrix_stride: int


@dataclass(frozen=True, slots=True)
class FoundBlock:
    """What a compiler says of a structure: its members, its size rounded up, and its alignment."""

    members: tuple[Found, ...]
    size: int
    alignment: int


def element(name: str) -> int:
    return type_pb2.ElementType.Value(f"ELEMENT_TYPE_{name}")


def require_tools() -> None:
    """Skip without the compiler, unless the environment says that it must be there."""
    for tool in TOOLS:
        require_tool(tool)


def random_shapes(random: Random, *, arrays: bool = True, names: Sequence[str] = ()) -> list[MemberShape]:
    """Return one to six members of any kind."""
    return [_random_shape(random, arrays=arrays, names=names) for _ in range(random.randint(1, 6))]


def _random_shape(random: Random, *, arrays: bool, names: Sequence[str]) -> MemberShape:
    name = random.choice(list(names or _SCALARS))
    count = random.randint(1, 4) if arrays and random.random() < 0.3 else None
    if arrays and name in _MATRICES and random.random() < 0.4:
        return MemberShape(element(name), random.randint(2, 4), random.randint(2, 4), count)
    return MemberShape(element(name), random.randint(1, 4), 0, count)


def glsl_member(shape: MemberShape, name: str, *, rows: bool) -> str:
    """Return the declaration of a member; ``rows`` tells what of a matrix lies one after the other."""
    kind = type_pb2.ElementType.Name(shape.element).removeprefix("ELEMENT_TYPE_")
    array = "" if shape.count is None else f"[{shape.count}]"
    if shape.vectors:
        columns, height = (shape.components, shape.vectors) if rows else (shape.vectors, shape.components)
        return f"{_MATRICES[kind]}{columns}x{height} {name}{array};"
    scalar, vector = _SCALARS[kind]
    return f"{scalar if shape.components == 1 else f'{vector}{shape.components}'} {name}{array};"


def glsl_text(cases: Sequence[tuple[int, Sequence[MemberShape]]], random: Random) -> str:
    """Return a shader with a structure for each case, in a block that shows its size and alignment."""
    parts = [_HEAD]
    for number, (packing, shapes) in enumerate(cases):
        rows = random.random() < 0.5
        members = "\n".join(f"  {glsl_member(one, f'm{at}', rows=rows)}" for at, one in enumerate(shapes))
        parts.append(f"struct S{number} {{\n{members}\n}};")
        kind = "uniform" if packing == STD140 else "buffer"
        major = "row_major" if rows else "column_major"
        parts.append(
            f"layout({LAYOUT_NAMES[packing]}, {major}, set = 0, binding = {number}) {kind} B{number}"
            f" {{ int8_t first; S{number} s[2]; }} b{number};"
        )
    uses = "\n".join(f"  sum += int(b{number}.first);" for number in range(len(cases)))
    parts.append(f"shared int sum;\nvoid main() {{\n{uses}\n}}\n")
    return "\n".join(parts)


def hlsl_text(cases: Sequence[Sequence[MemberShape]]) -> str:
    """Return a shader with a constant buffer for each case."""
    parts = []
    for number, shapes in enumerate(cases):
        members = []
        for at, one in enumerate(shapes):
            kind = type_pb2.ElementType.Name(one.element).removeprefix("ELEMENT_TYPE_")
            width = "" if one.components == 1 else str(one.components)
            array = "" if one.count is None else f"[{one.count}]"
            members.append(f"  {_HLSL_NAMES[kind]}{width} m{number}_{at}{array};")
        parts.append(f"cbuffer B{number} : register(b{number}) {{\n" + "\n".join(members) + "\n};")
    parts.append("RWByteAddressBuffer result : register(u0);\n[numthreads(1, 1, 1)] void main() {")
    for number, shapes in enumerate(cases):
        index = "[0]" if shapes[0].count is not None else ""
        parts.append(
            f"  result.Store({4 * number}, uint(m{number}_0{index}{'.x' * (shapes[0].components > 1)}));"
        )
    parts.append("}\n")
    return "\n".join(parts)


def compile_to_assembly(text: str, folder: Path, *options: str) -> str:
    """Compile a compute shader and return its assembly."""
    source, binary = folder / "shader.comp", folder / "shader.spv"
    source.write_text(text)
    compiler = [TOOLS[0], "-V", "--target-env", "vulkan1.2", "-S", "comp", *options]
    done = subprocess.run(
        [*compiler, str(source), "-o", str(binary)], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    listed = subprocess.run(
        [TOOLS[1], "--raw-id", str(binary)], capture_output=True, text=True, check=True, timeout=120
    )
    return listed.stdout


class Assembly:
    """The decorations and types of a module that concern layouts."""

    def __init__(self, text: str) -> None:
        self._ids = {name: one for one, name in re.findall(r'OpName (%\d+) "(\w+)"', text)}
        self._members = {one: parts.split() for one, parts in re.findall(r"(%\d+) = OpTypeStruct (.*)", text)}
        self._array_strides = {
            one: int(stride) for one, stride in re.findall(r"OpDecorate (%\d+) ArrayStride (\d+)", text)
        }
        self._decorations = {
            (one, int(member), name): int(value)
            for one, member, name, value in re.findall(
                r"OpMemberDecorate (%\d+) (\d+) (Offset|MatrixStride) (\d+)", text
            )
        }

    def struct(self, name: str) -> tuple[Found, ...]:
        """Return the members of a structure."""
        one = self._ids[name]
        return tuple(
            Found(
                self._decorations[one, position, "Offset"],
                self._array_strides.get(kind, 0),
                self._decorations.get((one, position, "MatrixStride"), 0),
            )
            for position, kind in enumerate(self._members[one])
        )

    def block(self, number: int) -> FoundBlock:
        """Return the structure of a case of `glsl_text`."""
        outer = self.struct(f"B{number}")[1]
        return FoundBlock(self.struct(f"S{number}"), outer.array_stride, outer.offset)
