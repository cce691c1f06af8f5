"""Packing: our layouts are those of a compiler, and every number that breaks a rule is found."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from execgraph.v1 import interface_pb2
from interlock.package.packing import (
    HLSL,
    METAL,
    SCALAR,
    STD140,
    STD430,
    BlockLayout,
    MemberShape,
    element_alignment,
    element_size,
    natural_layout,
    natural_stride,
)
from interlock.package.packing_check import WHOLE_BLOCK, PackingFault, packing_faults
from shader_layouts import (
    Assembly,
    Found,
    compile_to_assembly,
    element,
    glsl_text,
    hlsl_text,
    random_shapes,
    require_tools,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

BLOCKS_PER_MODULE = 60
GLSL_PACKINGS = {"std140": STD140, "std430": STD430, "scalar": SCALAR}
I8, U16, F16, I32, F32, I64, F64 = (element(n) for n in ("I8", "U16", "F16", "I32", "F32", "I64", "F64"))


def members_of(shapes: Sequence[MemberShape], layout: BlockLayout) -> list[interface_pb2.BlockMember]:
    return [
        interface_pb2.BlockMember(
            name=f"m{position}",
            offset=placed.offset,
            size=placed.size,
            element=shape.element,
            vector_components=shape.components,
            array_stride=placed.array_stride,
            array_count=shape.count or 0,
            matrix_stride=placed.matrix_stride,
        )
        for position, (shape, placed) in enumerate(zip(shapes, layout.members, strict=True))
    ]


def found_of(layout: BlockLayout) -> tuple[Found, ...]:
    return tuple(Found(one.offset, one.array_stride, one.matrix_stride) for one in layout.members)


# Against a compiler


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", GLSL_PACKINGS)
def test_layouts_are_those_of_glslang(name: str, seed: int, tmp_path: Path):
    require_tools()
    packing = GLSL_PACKINGS[name]
    random = Random(f"{name} {seed}")
    cases = [(packing, random_shapes(random)) for _ in range(BLOCKS_PER_MODULE)]
    assembly = Assembly(compile_to_assembly(glsl_text(cases, random), tmp_path))
    for number, (_, shapes) in enumerate(cases):
        ours, theirs = natural_layout(shapes, packing), assembly.block(number)
        assert found_of(ours) == theirs.members, shapes
        assert (ours.size, ours.alignment) == (theirs.size, theirs.alignment), shapes
        assert packing_faults(members_of(shapes, ours), packing, ours.size, ours.alignment) == []


@pytest.mark.parametrize("seed", range(3))
def test_constant_buffers_without_arrays_are_those_of_glslang(seed: int, tmp_path: Path):
    """It starts vectors of 24 and 32 bytes at every second register, so there are no doubles here."""
    require_tools()
    random = Random(seed)
    kinds = ("I32", "U32", "F32")
    cases = [random_shapes(random, arrays=False, names=kinds) for _ in range(BLOCKS_PER_MODULE)]
    assembly = Assembly(compile_to_assembly(hlsl_text(cases), tmp_path, "-D", "-e", "main"))
    for number, shapes in enumerate(cases):
        ours = natural_layout(shapes, HLSL)
        assert found_of(ours) == assembly.struct(f"B{number}"), shapes
        assert packing_faults(members_of(shapes, ours), HLSL) == []


def test_constant_buffers_with_arrays_as_glslang_places_them_keep_the_rules(tmp_path: Path):
    """It rounds the end of an array up to a register, which the rules allow and do not ask for."""
    require_tools()
    shapes = [MemberShape(F32, 1, 0, 3), MemberShape(F32), MemberShape(F32, 3, 0, 2), MemberShape(F32)]
    assembly = Assembly(compile_to_assembly(hlsl_text([shapes]), tmp_path, "-D", "-e", "main"))
    theirs = assembly.struct("B0")
    assert [one.offset for one in theirs] == [0, 48, 64, 96]
    members = members_of(shapes, natural_layout(shapes, HLSL))
    for member, one in zip(members, theirs, strict=True):
        member.offset, member.array_stride = one.offset, one.array_stride
    assert packing_faults(members, HLSL) == []


# Tables, checked by hand


@pytest.mark.parametrize(
    ("shapes", "offsets", "size"),
    [  # the examples of "Packing rules for constant variables", with the number of registers it states
        ([MemberShape(F32, 4), MemberShape(F32, 2), MemberShape(F32, 2)], [0, 16, 24], 32),
        ([MemberShape(F32, 2), MemberShape(F32, 4), MemberShape(F32, 2)], [0, 16, 32], 48),
        ([MemberShape(F32), MemberShape(F32), MemberShape(F32, 2)], [0, 4, 8], 16),
        ([MemberShape(F32), MemberShape(F32, 2), MemberShape(F32)], [0, 4, 12], 16),
        ([MemberShape(F32)] * 3 + [MemberShape(F32, 2)], [0, 4, 8, 16], 32),
        ([MemberShape(F32, 3), MemberShape(F32)], [0, 12], 16),
        ([MemberShape(F32), MemberShape(F32, 3)], [0, 4], 16),
        ([MemberShape(F32), MemberShape(F32), MemberShape(F32, 3)], [0, 4, 16], 32),
        ([MemberShape(F32, 2, 0, 32)], [0], 512),
        # the member behind an array or a matrix uses the rest of its last register
        ([MemberShape(F32, 1, 0, 3), MemberShape(F32)], [0, 36], 48),
        ([MemberShape(F32), MemberShape(F32, 2, 3), MemberShape(F32, 2)], [0, 16, 56], 64),
        ([MemberShape(F64), MemberShape(F64, 3), MemberShape(F32)], [0, 16, 40], 48),
        ([MemberShape(F16, 3), MemberShape(F16, 3), MemberShape(F16, 3)], [0, 6, 16], 32),
    ],
)
def test_constant_buffers_follow_the_documented_rules(
    shapes: list[MemberShape], offsets: list[int], size: int
):
    layout = natural_layout(shapes, HLSL)
    assert [one.offset for one in layout.members] == offsets
    assert (layout.size, layout.alignment) == (size, 16)
    assert packing_faults(members_of(shapes, layout), HLSL, size, 16) == []


METAL_VECTORS = {  # Metal Shading Language specification: size and alignment of vector types
    (I8, 1): (1, 1), (I8, 2): (2, 2), (I8, 3): (4, 4), (I8, 4): (4, 4),
    (U16, 1): (2, 2), (U16, 2): (4, 4), (U16, 3): (8, 8), (U16, 4): (8, 8),
    (F16, 1): (2, 2), (F16, 2): (4, 4), (F16, 3): (8, 8), (F16, 4): (8, 8),
    (I32, 1): (4, 4), (I32, 2): (8, 8), (I32, 3): (16, 16), (I32, 4): (16, 16),
    (F32, 1): (4, 4), (F32, 2): (8, 8), (F32, 3): (16, 16), (F32, 4): (16, 16),
    (I64, 1): (8, 8), (I64, 2): (16, 16), (I64, 3): (32, 32), (I64, 4): (32, 32),
}  # fmt: skip


@pytest.mark.parametrize(("vector", "numbers"), METAL_VECTORS.items())
def test_vectors_of_metal_have_the_documented_size_and_alignment(
    vector: tuple[int, int], numbers: tuple[int, int]
):
    kind, components = vector
    size, alignment = numbers
    assert element_size(kind, components, METAL) == size
    assert element_alignment(kind, components, METAL) == alignment
    assert natural_stride(kind, components, METAL) == size


METAL_MATRICES = {  # the same, for matrices: element, rows, columns: size and alignment
    (F16, 2, 2): (8, 4), (F16, 3, 2): (16, 8), (F16, 4, 2): (16, 8),
    (F16, 2, 3): (12, 4), (F16, 3, 3): (24, 8), (F16, 4, 3): (24, 8),
    (F16, 2, 4): (16, 4), (F16, 3, 4): (32, 8), (F16, 4, 4): (32, 8),
    (F32, 2, 2): (16, 8), (F32, 3, 2): (32, 16), (F32, 4, 2): (32, 16),
    (F32, 2, 3): (24, 8), (F32, 3, 3): (48, 16), (F32, 4, 3): (48, 16),
    (F32, 2, 4): (32, 8), (F32, 3, 4): (64, 16), (F32, 4, 4): (64, 16),
}  # fmt: skip


@pytest.mark.parametrize(("matrix", "numbers"), METAL_MATRICES.items())
def test_matrices_of_metal_have_the_documented_size_and_alignment(
    matrix: tuple[int, int, int], numbers: tuple[int, int]
):
    kind, rows, columns = matrix
    layout = natural_layout([MemberShape(kind, rows, columns)], METAL)
    assert (layout.size, layout.alignment) == numbers


def test_packed_vectors_of_metal_are_known_by_their_size():
    shapes = [MemberShape(F32), MemberShape(F32, 3, packed=True), MemberShape(F32)]
    layout = natural_layout(shapes, METAL)
    assert [one.offset for one in layout.members] == [0, 4, 16]
    assert [one.size for one in layout.members] == [4, 12, 4]
    assert packing_faults(members_of(shapes, layout), METAL) == []


@pytest.mark.parametrize(("packing", "size"), [(STD140, 4), (STD430, 4), (HLSL, 4), (SCALAR, 1), (METAL, 1)])
def test_truth_values_take_what_their_language_gives_them(packing: int, size: int):
    assert element_size(element("BOOL"), 1, packing) == size


# What breaks the rules


def member(offset: int, size: int, kind: int = F32, components: int = 1, **fields: int):
    return interface_pb2.BlockMember(
        offset=offset, size=size, element=kind, vector_components=components, **fields
    )


def told(faults: Sequence[PackingFault]) -> list[tuple[int, str, int, int]]:
    return [(one.member, one.property, one.found, one.required) for one in faults]


@pytest.mark.parametrize(
    ("packing", "members", "expected"),
    [
        (STD430, [member(0, 4), member(4, 12, F32, 3)], [(1, "offset", 4, 16)]),
        (STD140, [member(0, 4), member(8, 4, array_stride=16, array_count=2)], [(1, "offset", 8, 16)]),
        (STD140, [member(0, 4, array_stride=4, array_count=8)], [(0, "array_stride", 4, 16)]),
        (STD430, [member(0, 4, array_stride=16, array_count=8)], [(0, "array_stride", 16, 4)]),
        (STD430, [member(0, 12, F32, 3, array_stride=12, array_count=8)], [(0, "array_stride", 12, 16)]),
        (SCALAR, [member(0, 12, F32, 3, array_stride=16, array_count=8)], [(0, "array_stride", 16, 12)]),
        (STD140, [member(0, 16, F32, 2, matrix_stride=8)], [(0, "matrix_stride", 8, 16)]),
        (STD430, [member(0, 32, F32, 2, matrix_stride=16)], [(0, "matrix_stride", 16, 8)]),
        (STD430, [member(0, 16, F32, 3)], [(0, "size", 16, 12)]),
        (METAL, [member(0, 8, F32, 3)], [(0, "size", 8, 16)]),
        (STD430, [member(0, 8, F64), member(4, 4)], [(1, "offset", 4, 8)]),
        (SCALAR, [member(0, 4), member(6, 4)], [(1, "offset", 6, 8)]),
        (SCALAR, [member(0, 4), member(4, 8, F64)], [(1, "offset", 4, 8)]),
        (HLSL, [member(0, 4), member(8, 12, F32, 3)], [(1, "offset", 8, 16)]),
        (HLSL, [member(0, 8, F64), member(8, 24, F64, 3)], [(1, "offset", 8, 16)]),
        (HLSL, [member(0, 4), member(4, 4, array_stride=16, array_count=2)], [(1, "offset", 4, 16)]),
        (METAL, [member(0, 4), member(4, 16, F32, 3)], [(1, "offset", 4, 16)]),
        (METAL, [member(0, 16, F32, 3), member(12, 4)], [(1, "offset", 12, 16)]),
        (STD430, [member(4, 4), member(0, 4)], [(1, "offset", 0, 8)]),
        (STD430, [member(0, 4, array_stride=4), member(64, 4)], [(0, "array_count", 0, 1)]),
        (STD430, [member(0, 4, array_count=8)], [(0, "array_stride", 0, 4)]),
        (STD430, [member(0, 20, F32, 5)], [(0, "vector_components", 5, 4)]),
        # the padding behind an array and behind a matrix belongs to it, but for HLSL
        (STD140, [member(0, 4, array_stride=16, array_count=2), member(20, 4)], [(1, "offset", 20, 32)]),
        (STD430, [member(0, 44, F32, 3, matrix_stride=16), member(44, 4)], [(1, "offset", 44, 48)]),
        (HLSL, [member(0, 4, array_stride=16, array_count=2), member(20, 4)], []),
        (HLSL, [member(0, 48, F32, 3, matrix_stride=16), member(44, 4)], []),
        # more room than needed is a choice of the producer
        (STD430, [member(0, 4), member(64, 12, F32, 3), member(128, 4, array_stride=4)], []),
        # of a type that is not stated only the bytes count
        (STD430, [member(1, 7, 0), member(8, 4)], []),
        (STD430, [member(1, 7, 0, array_stride=10, array_count=2), member(12, 4)], [(1, "offset", 12, 18)]),
        (0, [member(1, 4), member(3, 4)], [(1, "offset", 3, 5)]),
        (99, [member(1, 4), member(5, 4)], []),
    ],
)
def test_every_number_that_breaks_a_rule_is_found(
    packing: int,
    members: list[interface_pb2.BlockMember],
    expected: list[tuple[int, str, int, int]],
):
    assert told(packing_faults(members, packing)) == expected


def test_a_block_is_as_large_and_as_aligned_as_its_members_need():
    members = [member(0, 4), member(16, 12, F32, 3)]
    assert packing_faults(members, STD430, 28, 16) == []
    assert told(packing_faults(members, STD430, 27, 8)) == [
        (WHOLE_BLOCK, "size", 27, 28),
        (WHOLE_BLOCK, "alignment", 8, 16),
    ]
    assert told(packing_faults(members[:1], STD140, 4, 4)) == [(WHOLE_BLOCK, "alignment", 4, 16)]


def test_faults_are_sentences():
    members = [member(0, 4), member(8, 12, F32, 3), member(18, 4, array_stride=4, array_count=2)]
    assert [one.message for one in packing_faults(members, HLSL, 8)] == [
        "the 12 bytes from `8` on cross a register of 16 bytes; required is to start at 16",
        "the elements of the array lie `4` bytes apart; required are 16",
        "the member starts at `18`; required is a multiple of 16",
        "the member starts at `18`, within one before it, which ends at 20",
        "the block has `8` bytes; required are 26, where its last member ends",
    ]


@pytest.mark.parametrize("packing", [STD140, STD430, SCALAR, HLSL, METAL])
def test_a_moved_member_is_found_in_any_layout(packing: int):
    random = Random(packing)
    for _ in range(200):
        shapes = random_shapes(random)
        layout = natural_layout(shapes, packing)
        members = members_of(shapes, layout)
        assert packing_faults(members, packing, layout.size, layout.alignment) == []
        moved = random.randrange(len(members))
        if moved == 0:
            continue
        back = next(m for m in range(1, layout.members[moved].offset + 1) if m & (m - 1) == 0)
        members[moved].offset -= back
        assert [one for one in packing_faults(members, packing) if one.member == moved], (shapes, moved)


def test_numbers_of_any_size_cost_nothing():
    most = 2**64 - 1
    huge = member(most, most, array_stride=most, array_count=most, matrix_stride=1)
    for packing in (STD140, STD430, SCALAR, HLSL, METAL):
        assert packing_faults([huge, member(most, most)], packing, most, most)
