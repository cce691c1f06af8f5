"""Modules word by word, for what no compiler and no assembler writes."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

Operand: TypeAlias = "int | str"

(
    NAME,
    MEMBER_NAME,
    EXTENSION,
    EXT_INST_IMPORT,
    EXT_INST,
    MEMORY_MODEL,
    ENTRY_POINT,
    EXECUTION_MODE,
    CAPABILITY,
    TYPE_VOID,
    TYPE_BOOL,
    TYPE_INT,
    TYPE_FLOAT,
    TYPE_VECTOR,
    TYPE_MATRIX,
    TYPE_ARRAY,
    TYPE_RUNTIME_ARRAY,
    TYPE_STRUCT,
    TYPE_POINTER,
    TYPE_FUNCTION,
    CONSTANT_TRUE,
    CONSTANT,
    CONSTANT_COMPOSITE,
    FUNCTION,
    FUNCTION_PARAMETER,
    FUNCTION_END,
    FUNCTION_CALL,
    VARIABLE,
    LOAD,
    STORE,
    ACCESS_CHAIN,
    DECORATE,
    MEMBER_DECORATE,
    SELECT,
    PHI,
    LABEL,
    BRANCH,
    RETURN,
) = (
    *(5, 6, 10, 11, 12, 14, 15, 16, 17),
    *(19, 20, 21, 22, 23, 24, 28, 29, 30, 32, 33),
    *(41, 43, 44, 54, 55, 56, 57, 59, 61, 62, 65, 71, 72, 169, 245, 248, 249, 253),
)
STORAGE_BUFFER, UNIFORM, FUNCTION_CLASS = 12, 2, 7
BLOCK, ARRAY_STRIDE, BINDING, DESCRIPTOR_SET, OFFSET = 2, 6, 33, 34, 35


def text(string: str | bytes) -> list[int]:
    """Return a string as words, with its zero byte."""
    raw = string.encode() if isinstance(string, str) else string
    raw += b"\0" * (4 - len(raw) % 4)
    return [int.from_bytes(raw[place : place + 4], "little") for place in range(0, len(raw), 4)]


def op(opcode: int, *operands: Operand) -> list[int]:
    """Return an instruction."""
    words: list[int] = []
    for operand in operands:
        words += text(operand) if isinstance(operand, str) else [operand]
    return [len(words) + 1 << 16 | opcode, *words]


def module(*instructions: Sequence[int], bound: int = 100, version: int = 0x10300) -> bytes:
    """Return a module of instructions."""
    words = [0x07230203, version, 0, bound, 0]
    for instruction in instructions:
        words += instruction
    return array("I", words).tobytes()


MODEL = op(MEMORY_MODEL, 0, 1)
SHADER = op(CAPABILITY, 1)
PREAMBLE = (SHADER, MODEL)


def offset_of(data: bytes, number: int) -> int:
    """Return the byte offset of the instruction of that number, the first being 0."""
    words = array("I", data)
    at = 5
    for _ in range(number):
        at += words[at] >> 16
    return 4 * at
