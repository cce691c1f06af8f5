"""Numbers become the bits of their element type, exactly as the type defines them."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from execgraph.v1 import type_pb2
from interlock.author.literals import (
    LiteralError,
    decode_number,
    element_name,
    element_names,
    encode_number,
    storage_bits,
)

FLOATS = [
    "f16",
    "bf16",
    "f32",
    "f64",
    "f8_e4m3",
    "f8_e5m2",
    "f8_e4m3_fnuz",
    "f8_e5m2_fnuz",
    "f4_e2m1",
    "f8_e8m0",
]


def bits(name: str, value: bool | complex) -> str:
    return encode_number(element_names()[name], value).hex()


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("bool", True, "01"),
        ("bool", False, "00"),
        ("i4", -8, "08"),
        ("i4", 7, "07"),
        ("u4", 15, "0f"),
        ("i8", -1, "ff"),
        ("u16", 258, "0201"),
        ("i32", -2, "feffffff"),
        ("u64", (1 << 64) - 1, "ffffffffffffffff"),
        ("f16", 1.0, "003c"),
        ("f16", 65504, "ff7b"),
        ("f16", 2**-24, "0100"),
        ("bf16", 1.0, "803f"),
        ("bf16", 1 + 2**-8, "803f"),
        ("bf16", 1 + 3 * 2**-8, "823f"),
        ("f32", -math.inf, "000080ff"),
        ("f32", math.nan, "0000c07f"),
        ("f32", -0.0, "00000080"),
        ("f32", (1 << 24) + 1, "0000804b"),
        ("f64", 0.1, "9a9999999999b93f"),
        ("f8_e4m3", 448, "7e"),
        ("f8_e4m3", math.nan, "7f"),
        ("f8_e4m3_fnuz", -0.0, "00"),
        ("f8_e4m3_fnuz", math.nan, "80"),
        ("f8_e4m3_fnuz", 240, "7f"),
        ("f8_e5m2", math.inf, "7c"),
        ("f8_e5m2_fnuz", 57344, "7f"),
        ("f8_e8m0", 1, "7f"),
        ("f8_e8m0", 2.0**-127, "00"),
        ("f4_e2m1", -6, "0f"),
        ("f4_e2m1", 0.5, "01"),
        ("c64", 1 - 2j, "0000803f000000c0"),
        ("c128", 2, "0000000000000040" + 16 * "0"),
    ],
)
def test_a_number_has_these_bits(name: str, value: complex, expected: str):
    assert bits(name, value) == expected


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("bool", 1, "type-mismatch"),
        ("i32", True, "type-mismatch"),
        ("f32", True, "type-mismatch"),
        ("i32", 1.0, "type-mismatch"),
        ("f32", 1j, "type-mismatch"),
        ("block", 1, "type-mismatch"),
        ("u32", -1, "out-of-range"),
        ("i4", 8, "out-of-range"),
        ("u8", 1 << 300, "out-of-range"),
        ("f16", 65520, "out-of-range"),
        ("f32", 10**39, "out-of-range"),
        ("f8_e4m3", math.inf, "out-of-range"),
        ("f8_e8m0", 3, "out-of-range"),
        ("f8_e8m0", 0, "out-of-range"),
        ("f4_e2m1", math.nan, "out-of-range"),
    ],
)
def test_a_number_that_a_type_has_no_value_for_is_refused(name: str, value: complex, code: str):
    with pytest.raises(LiteralError) as failure:
        bits(name, value)
    assert failure.value.code == code


@given(st.floats(width=32))
def test_f32_agrees_with_the_struct_module(value: float):
    if not math.isnan(value):
        assert bits("f32", value) == struct.pack("<f", value).hex()


@given(st.floats(min_value=-65504, max_value=65504))
def test_f16_rounds_as_the_struct_module_does(value: float):
    assert bits("f16", value) == struct.pack("<e", value).hex()


@given(st.floats())
def test_f64_agrees_with_the_struct_module(value: float):
    if not math.isnan(value):
        assert bits("f64", value) == struct.pack("<d", value).hex()


@pytest.mark.parametrize("name", FLOATS)
def test_every_pattern_of_a_small_type_reads_back_as_itself(name: str):
    element = element_names()[name]
    width = storage_bits(element)
    for code in range(1 << min(width, 16)):
        pattern = code.to_bytes(max(1, width // 8), "little")
        value = decode_number(element, pattern)
        if not (isinstance(value, float) and math.isnan(value)):
            assert encode_number(element, value) == pattern, (name, code)


@pytest.mark.parametrize("name", ["i4", "u4", "i8", "u8", "i16"])
def test_every_integer_reads_back_as_itself(name: str):
    element = element_names()[name]
    width = storage_bits(element)
    values = [
        decode_number(element, code.to_bytes(max(1, width // 8), "little")) for code in range(1 << width)
    ]
    assert sorted(values) == list(range(min(values), max(values) + 1))
    assert all(
        encode_number(element, value) == code.to_bytes(max(1, width // 8), "little")
        for code, value in enumerate(values)
    )


def test_bits_that_are_not_one_element_are_refused():
    with pytest.raises(LiteralError):
        decode_number(type_pb2.ELEMENT_TYPE_F32, b"\0\0")
    with pytest.raises(LiteralError):
        decode_number(type_pb2.ELEMENT_TYPE_BOOL, b"\2")
    with pytest.raises(LiteralError):
        decode_number(type_pb2.ELEMENT_TYPE_U4, b"\x10")


def test_every_element_type_has_its_name():
    names = element_names()
    assert {names[element_name(number)] for number in names.values()} == set(names.values())
    assert names["float32"] == names["f32"]
    assert names["uint8"] == names["u8"]
    assert "f128" not in names
    assert element_name(99) == "99"
