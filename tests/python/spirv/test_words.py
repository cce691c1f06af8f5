"""Hostile words: each ends with one code, at the byte of the instruction that is wrong, which it names."""

from __future__ import annotations

import re
from array import array
from pathlib import Path

import pytest

import interlock.package.spirv as package
from interlock.package.spirv.codes import SPIRV_CODES
from interlock.package.spirv.errors import SpirvError, SpirvLimits
from interlock.package.spirv.reader import read_spirv
from spirv_builder import (
    ACCESS_CHAIN,
    ARRAY_STRIDE,
    BINDING,
    CONSTANT,
    CONSTANT_COMPOSITE,
    DECORATE,
    ENTRY_POINT,
    EXECUTION_MODE,
    EXT_INST_IMPORT,
    EXTENSION,
    FUNCTION,
    FUNCTION_CALL,
    FUNCTION_END,
    FUNCTION_PARAMETER,
    LABEL,
    LOAD,
    MEMBER_DECORATE,
    MEMBER_NAME,
    MODEL,
    NAME,
    OFFSET,
    PREAMBLE,
    RETURN,
    SHADER,
    STORAGE_BUFFER,
    STORE,
    TYPE_ARRAY,
    TYPE_BOOL,
    TYPE_FLOAT,
    TYPE_FUNCTION,
    TYPE_INT,
    TYPE_MATRIX,
    TYPE_POINTER,
    TYPE_RUNTIME_ARRAY,
    TYPE_STRUCT,
    TYPE_VECTOR,
    TYPE_VOID,
    VARIABLE,
    module,
    offset_of,
    op,
    text,
)

U32 = op(TYPE_INT, 1, 32, 0)
VOID = op(TYPE_VOID, 2)
PLAIN_FUNCTION = op(TYPE_FUNCTION, 3, 2)
MAIN = (op(FUNCTION, 2, 4, 0, 3), op(LABEL, 5), op(RETURN), op(FUNCTION_END))
TYPES = (VOID, PLAIN_FUNCTION, U32)
LARGEST = 0xFFFFFFFF


def entry(name: str = "main", function: int = 4, *interface: int, model: int = 5) -> list[int]:
    return op(ENTRY_POINT, model, function, name, *interface)


def refused(data: bytes, **limits: int) -> SpirvError:
    with pytest.raises(SpirvError) as caught:
        read_spirv(data, limits=SpirvLimits(**limits))
    return caught.value


HEADERS = [
    (b"", "spirv.too-short", 0),
    (b"\x03\x02\x23", "spirv.too-short", 3),
    (module()[:16], "spirv.too-short", 16),
    (b"\x03\x02\x23\x08" + bytes(16), "spirv.wrong-magic", 0),
    (b"#version 450\nvoid main() {}", "spirv.wrong-magic", 0),
    (module() + b"\0", "spirv.not-whole-words", 20),
    (module() + b"\0\0\0", "spirv.not-whole-words", 20),
    (module(version=0x20000), "spirv.unknown-version", 4),
    (module(version=0x10700), "spirv.unknown-version", 4),
    (module(version=0x10301), "spirv.unknown-version", 4),
    (module(version=0x1010300), "spirv.unknown-version", 4),
    (module(bound=0), "spirv.bad-bound", 12),
    (module(bound=LARGEST), "limit.spirv-bound", 12),
    (module(bound=0x400000), "limit.spirv-bound", 12),
    (module()[:16] + b"\1\0\0\0", "spirv.unknown-schema", 16),
]


@pytest.mark.parametrize(("data", "code", "offset"), HEADERS)
def test_header(data: bytes, code: str, offset: int):
    error = refused(data)
    assert (error.code, error.byte_offset) == (code, offset)


def nested(depth: int) -> list[list[int]]:
    return [op(TYPE_STRUCT, 10, 1), *(op(TYPE_STRUCT, 10 + level, 9 + level) for level in range(1, depth))]


WRONG = {
    "zero length": ((SHADER, [17], MODEL), 1, "spirv.zero-word-count", "OpCapability"),
    "cut off": ((*PREAMBLE, [9 << 16 | NAME, 1, 0]), 2, "spirv.truncated-instruction", "OpName"),
    "longer than anything": ((*PREAMBLE, [0xFFFF << 16 | 61]), 2, "spirv.truncated-instruction", "OpLoad"),
    "unknown and cut off": ((*PREAMBLE, [5 << 16 | 6600]), 2, "spirv.truncated-instruction", "opcode 6600"),
    "unknown without length": ((*PREAMBLE, [6600]), 2, "spirv.zero-word-count", "opcode 6600"),
    "too few words": ((*PREAMBLE, op(TYPE_INT, 1, 32)), 2, "spirv.word-count", "OpTypeInt"),
    "too many words": ((*PREAMBLE, op(TYPE_INT, 1, 32, 0, 0)), 2, "spirv.word-count", "OpTypeInt"),
    "decoration without value": (
        (SHADER, MODEL, op(DECORATE, 1, BINDING), U32),
        2,
        "spirv.word-count",
        "Binding",
    ),
    "id 0 defined": ((*PREAMBLE, op(TYPE_INT, 0, 32, 0)), 2, "spirv.id-zero", "OpTypeInt"),
    "id 0 used": ((*PREAMBLE, op(NAME, 0, "x")), 2, "spirv.id-zero", "OpName"),
    "id 0 in a type": ((*PREAMBLE, op(TYPE_VECTOR, 1, 0, 2)), 2, "spirv.id-zero", "OpTypeVector"),
    "id at the bound": ((*PREAMBLE, op(TYPE_INT, 100, 32, 0)), 2, "spirv.id-out-of-bound", "OpTypeInt"),
    "id far out": ((*PREAMBLE, op(DECORATE, LARGEST, 2)), 2, "spirv.id-out-of-bound", "OpDecorate"),
    "id out of bound in a type": (
        (*PREAMBLE, op(TYPE_STRUCT, 1, 500)),
        2,
        "spirv.id-out-of-bound",
        "OpTypeStruct",
    ),
    "interface out of bound": (
        (SHADER, MODEL, entry("main", 4, 100), *TYPES, *MAIN),
        2,
        "spirv.id-out-of-bound",
        "OpEntryPoint",
    ),
    "defined twice": ((*PREAMBLE, U32, op(TYPE_FLOAT, 1, 32)), 3, "spirv.duplicate-id", "OpTypeFloat"),
    "defined by nobody": ((*PREAMBLE, op(NAME, 7, "x")), 2, "spirv.undefined-id", "%7"),
    "length defined by nobody": (
        (*PREAMBLE, U32, op(TYPE_ARRAY, 8, 1, 9)),
        3,
        "spirv.undefined-id",
        "OpTypeArray",
    ),
    "made of what comes later": (
        (*PREAMBLE, op(TYPE_VECTOR, 8, 1, 2), U32),
        2,
        "spirv.forward-reference",
        "OpTypeVector",
    ),
    "length that comes later": (
        (*PREAMBLE, U32, op(TYPE_ARRAY, 8, 1, 9), op(CONSTANT, 1, 9, 4)),
        3,
        "spirv.forward-reference",
        "OpTypeArray",
    ),
    "composite of what comes later": (
        (
            *PREAMBLE,
            U32,
            op(TYPE_VECTOR, 8, 1, 2),
            op(CONSTANT_COMPOSITE, 8, 9, 10, 10),
            op(CONSTANT, 1, 10, 4),
        ),
        4,
        "spirv.forward-reference",
        "OpConstantComposite",
    ),
    "made of itself": ((*PREAMBLE, op(TYPE_STRUCT, 8, 8)), 2, "spirv.type-cycle", "OpTypeStruct"),
    "made of each other": (
        (*PREAMBLE, op(TYPE_STRUCT, 8, 9), op(TYPE_STRUCT, 9, 8)),
        2,
        "spirv.type-cycle",
        "OpTypeStruct",
    ),
    "a pointer to itself": (
        (*PREAMBLE, op(TYPE_POINTER, 8, STORAGE_BUFFER, 8)),
        2,
        "spirv.type-cycle",
        "OpTypePointer",
    ),
    "deep": ((*PREAMBLE, U32, *nested(255)), 3 + 254, "limit.spirv-nesting", "OpTypeStruct"),
    "string without end": (
        (*PREAMBLE, op(EXT_INST_IMPORT, 1, 0x61616161)),
        2,
        "spirv.unterminated-string",
        "OpExtInstImport",
    ),
    "name without end": ((*PREAMBLE, U32, op(NAME, 1, 0x41414141)), 3, "spirv.unterminated-string", "OpName"),
    "entry point without end": (
        (*PREAMBLE, op(ENTRY_POINT, 5, 4, 0x41414141)),
        2,
        "spirv.unterminated-string",
        "OpEntryPoint",
    ),
    "no UTF-8": ((*PREAMBLE, U32, op(NAME, 1, *text(b"\xff"))), 3, "spirv.invalid-utf8", "0xff"),
    "surrogate": (
        (*PREAMBLE, U32, op(MEMBER_NAME, 1, 0, *text(b"\xed\xa0\x80"))),
        3,
        "spirv.invalid-utf8",
        "0xed",
    ),
    "overlong": ((SHADER, op(EXTENSION, *text(b"\xc0\x80")), MODEL), 1, "spirv.invalid-utf8", "OpExtension"),
    "width 0": ((*PREAMBLE, op(TYPE_INT, 1, 0, 0)), 2, "spirv.bad-literal", "OpTypeInt"),
    "width beyond": ((*PREAMBLE, op(TYPE_INT, 1, 128, 0)), 2, "spirv.bad-literal", "OpTypeInt"),
    "odd float": ((*PREAMBLE, op(TYPE_FLOAT, 1, 24)), 2, "spirv.bad-literal", "OpTypeFloat"),
    "one component": ((*PREAMBLE, U32, op(TYPE_VECTOR, 8, 1, 1)), 3, "spirv.bad-literal", "OpTypeVector"),
    "many components": (
        (*PREAMBLE, U32, op(TYPE_VECTOR, 8, 1, LARGEST)),
        3,
        "spirv.bad-literal",
        "OpTypeVector",
    ),
    "many columns": (
        (*PREAMBLE, op(TYPE_FLOAT, 1, 32), op(TYPE_VECTOR, 8, 1, 2), op(TYPE_MATRIX, 9, 8, 5)),
        4,
        "spirv.bad-literal",
        "OpTypeMatrix",
    ),
    "constant of two words": (
        (*PREAMBLE, U32, op(CONSTANT, 1, 8, 4, 4)),
        3,
        "spirv.bad-literal",
        "OpConstant",
    ),
    "constant of half its words": (
        (*PREAMBLE, op(TYPE_INT, 1, 64, 0), op(CONSTANT, 1, 8, 4)),
        3,
        "spirv.bad-literal",
        "OpConstant",
    ),
    "length 0": (
        (*PREAMBLE, U32, op(CONSTANT, 1, 8, 0), op(TYPE_ARRAY, 9, 1, 8)),
        4,
        "spirv.bad-array-length",
        "OpTypeArray",
    ),
    "length of truth": (
        (*PREAMBLE, U32, op(TYPE_BOOL, 7), op(41, 7, 8), op(TYPE_ARRAY, 9, 1, 8)),
        5,
        "spirv.bad-array-length",
        "True",
    ),
    "length by a type": ((*PREAMBLE, U32, op(TYPE_ARRAY, 9, 1, 1)), 3, "spirv.wrong-id-kind", "OpTypeInt"),
    "vector of nothing": ((*PREAMBLE, VOID, op(TYPE_VECTOR, 8, 2, 2)), 3, "spirv.wrong-id-kind", "void"),
    "vector of a constant": (
        (*PREAMBLE, U32, op(CONSTANT, 1, 8, 4), op(TYPE_VECTOR, 9, 8, 2)),
        4,
        "spirv.wrong-id-kind",
        "OpConstant",
    ),
    "constant of no type": (
        (*PREAMBLE, U32, op(CONSTANT, 1, 8, 4), op(CONSTANT, 8, 9, 4)),
        4,
        "spirv.wrong-id-kind",
        "OpConstant",
    ),
    "number of a vector": (
        (*PREAMBLE, U32, op(TYPE_VECTOR, 8, 1, 2), op(CONSTANT, 8, 9, 4)),
        4,
        "spirv.wrong-id-kind",
        "vector",
    ),
    "variable of no pointer": (
        (*PREAMBLE, U32, op(VARIABLE, 1, 8, STORAGE_BUFFER)),
        3,
        "spirv.wrong-id-kind",
        "OpVariable",
    ),
    "entry point of no function": (
        (*PREAMBLE, entry("main", 1), U32),
        2,
        "spirv.wrong-id-kind",
        "OpEntryPoint",
    ),
    "execution mode of no entry point": (
        (*PREAMBLE, op(EXECUTION_MODE, 4, 17, 1, 1, 1), *TYPES, *MAIN),
        2,
        "spirv.wrong-id-kind",
        "OpExecutionMode",
    ),
    "call of no function": (
        (*PREAMBLE, entry(), *TYPES, *MAIN[:2], op(FUNCTION_CALL, 2, 9, 1), *MAIN[2:]),
        8,
        "spirv.wrong-id-kind",
        "OpFunctionCall",
    ),
    "call with another number of arguments": (
        (*PREAMBLE, entry(), *TYPES, *MAIN[:2], op(FUNCTION_CALL, 2, 9, 4, 4), *MAIN[2:]),
        8,
        "spirv.word-count",
        "OpFunctionCall",
    ),
    "load from a number": (
        (*PREAMBLE, entry(), *TYPES, op(CONSTANT, 1, 8, 4), *MAIN[:2], op(LOAD, 1, 9, 8), *MAIN[2:]),
        9,
        "spirv.wrong-id-kind",
        "OpLoad",
    ),
    "store to a label": (
        (*PREAMBLE, entry(), *TYPES, *MAIN[:2], op(STORE, 5, 5), *MAIN[2:]),
        8,
        "spirv.wrong-id-kind",
        "OpStore",
    ),
    "chain from a type": (
        (*PREAMBLE, entry(), *TYPES, *MAIN[:2], op(ACCESS_CHAIN, 1, 9, 1), *MAIN[2:]),
        8,
        "spirv.wrong-id-kind",
        "OpAccessChain",
    ),
    "function in a function": (
        (*PREAMBLE, *TYPES, MAIN[0], MAIN[1], op(FUNCTION, 2, 8, 0, 3)),
        7,
        "spirv.misplaced-instruction",
        "OpFunction",
    ),
    "end of no function": ((*PREAMBLE, op(FUNCTION_END)), 2, "spirv.misplaced-instruction", "OpFunctionEnd"),
    "parameter of no function": (
        (*PREAMBLE, U32, op(FUNCTION_PARAMETER, 1, 8)),
        3,
        "spirv.misplaced-instruction",
        "OpFunctionParameter",
    ),
    "store outside of functions": (
        (*PREAMBLE, U32, op(STORE, 1, 1)),
        3,
        "spirv.misplaced-instruction",
        "OpStore",
    ),
    "no end of a function": (
        (*PREAMBLE, *TYPES, *MAIN[:3]),
        5,
        "spirv.misplaced-instruction",
        "OpFunctionEnd",
    ),
    "two memory models": ((*PREAMBLE, MODEL), 2, "spirv.duplicate-memory-model", "OpMemoryModel"),
    "no memory model": ((SHADER, U32), None, "spirv.missing-memory-model", "OpMemoryModel"),
    "two entry points of one name": (
        (*PREAMBLE, entry(), entry(), *TYPES, *MAIN),
        3,
        "spirv.duplicate-entry",
        "main",
    ),
    "two bindings": (
        (*PREAMBLE, op(DECORATE, 1, BINDING, 0), op(DECORATE, 1, BINDING, 1), U32),
        3,
        "spirv.conflicting-decoration",
        "Binding",
    ),
    "two offsets": (
        (*PREAMBLE, op(MEMBER_DECORATE, 8, 0, OFFSET, 0), op(MEMBER_DECORATE, 8, 0, OFFSET, 4), U32),
        3,
        "spirv.conflicting-decoration",
        "Offset",
    ),
    "decorated member that is none": (
        (*PREAMBLE, op(MEMBER_DECORATE, 8, LARGEST, OFFSET, 0), U32, op(TYPE_STRUCT, 8, 1)),
        None,
        "spirv.bad-literal",
        "member 4294967295",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong(name: str):
    instructions, number, code, said = WRONG[name]
    data = module(*instructions, bound=300 if name == "deep" else 100)
    error = refused(data)
    assert (error.code, error.byte_offset) == (code, None if number is None else offset_of(data, number))
    assert said in str(error)


def test_huge_arrays_take_no_memory_and_overflow_is_said():
    length = op(CONSTANT, 1, 10, LARGEST)
    strides = [op(DECORATE, 20 + level, ARRAY_STRIDE, LARGEST) for level in range(4)]
    arrays = [
        op(TYPE_ARRAY, 20, 1, 10),
        *(op(TYPE_ARRAY, 20 + level, 19 + level, 10) for level in range(1, 4)),
    ]
    variable = [
        op(TYPE_STRUCT, 30, 23),
        op(TYPE_POINTER, 31, STORAGE_BUFFER, 30),
        op(VARIABLE, 31, 32, STORAGE_BUFFER),
    ]
    data = module(
        *PREAMBLE,
        entry("main", 4, 32),
        *strides,
        op(MEMBER_DECORATE, 30, 0, OFFSET, 0),
        *TYPES,
        length,
        *arrays,
        *variable,
        *MAIN,
    )
    error = refused(data)
    assert error.code == "spirv.size-overflow"
    assert "2^64 - 1 bytes" in str(error)


def test_limits_of_the_caller():
    assert refused(module(*PREAMBLE), module_bytes=39).code == "limit.spirv-bytes"
    assert refused(module(*PREAMBLE, bound=9), bound=8).code == "limit.spirv-bound"
    assert refused(module(*PREAMBLE, U32, *nested(2)), type_nesting=2).code == "limit.spirv-nesting"
    assert read_spirv(module(*PREAMBLE, bound=8), limits=SpirvLimits(bound=8)).bound == 8


def test_more_slots_than_the_limit():
    variables = [op(VARIABLE, 31, 40 + number, STORAGE_BUFFER) for number in range(3)]
    data = module(
        *PREAMBLE,
        entry(),
        entry("other"),
        *TYPES,
        op(TYPE_STRUCT, 30, 1),
        op(TYPE_POINTER, 31, STORAGE_BUFFER, 30),
        *variables,
        *MAIN,
    )
    error = refused(data, slots=7)
    assert (error.code, error.byte_offset) == ("limit.spirv-slots", offset_of(data, 3))
    assert sum(len(each.resources) for each in read_spirv(data, limits=SpirvLimits(slots=8)).entries) == 6


def test_big_endian_reads_the_same():
    data = module(*PREAMBLE, entry(), op(NAME, 4, "naïve name"), *TYPES, *MAIN)
    words = array("I", data)
    words.byteswap()
    one, other = read_spirv(data), read_spirv(words.tobytes())
    assert one.facts() == other.facts()
    assert one.entries == other.entries


def test_errors_of_big_endian_modules_name_the_same_byte():
    words = array("I", module(*PREAMBLE, op(NAME, 1, *text(b"\xff")), U32))
    words.byteswap()
    assert (refused(words.tobytes()).code, refused(words.tobytes()).byte_offset) == ("spirv.invalid-utf8", 40)


def test_unknown_instructions_are_stepped_over():
    known = module(*PREAMBLE, entry(), *TYPES, *MAIN)
    more = module(
        *PREAMBLE, entry(), op(6600, 1, 2, 3), *TYPES, op(7000), MAIN[0], MAIN[1], op(65535, 77), *MAIN[2:]
    )
    assert read_spirv(more).facts().interface == read_spirv(known).facts().interface
    assert read_spirv(known).is_complete
    assert not read_spirv(more).is_complete


def test_what_an_unknown_instruction_may_define_is_not_missing():
    data = module(*PREAMBLE, op(NAME, 9, "new"), op(6600, 9, 2), op(TYPE_RUNTIME_ARRAY, 10, 9))
    assert not read_spirv(data).is_complete


def test_a_module_without_entry_points_is_a_library():
    module_ = read_spirv(module(*PREAMBLE, *TYPES, *MAIN))
    assert module_.entries == ()
    assert module_.facts().is_complete


def test_every_code_is_described_and_every_described_code_is_used():
    folder = Path(package.__path__[0])
    used = {
        code
        for path in folder.glob("*.py")
        if path.name != "codes.py"
        for code in re.findall(r'"((?:spirv|limit\.spirv)[.-][a-z0-9-]+)"', path.read_text(encoding="utf-8"))
    }
    assert used == set(SPIRV_CODES)
