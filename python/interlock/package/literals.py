"""How translators spell element types and the defaults of constants."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

from execgraph.v1 import type_pb2
from interlock.graph.types import INTEGER_RANGES, storage_bits

if TYPE_CHECKING:
    from collections.abc import Mapping

ELEMENTS = {
    "bool": type_pb2.ELEMENT_TYPE_BOOL,
    "int8": type_pb2.ELEMENT_TYPE_I8,
    "uint8": type_pb2.ELEMENT_TYPE_U8,
    "int16": type_pb2.ELEMENT_TYPE_I16,
    "uint16": type_pb2.ELEMENT_TYPE_U16,
    "int32": type_pb2.ELEMENT_TYPE_I32,
    "uint32": type_pb2.ELEMENT_TYPE_U32,
    "int64": type_pb2.ELEMENT_TYPE_I64,
    "uint64": type_pb2.ELEMENT_TYPE_U64,
    "float16": type_pb2.ELEMENT_TYPE_F16,
    "bfloat16": type_pb2.ELEMENT_TYPE_BF16,
    "float32": type_pb2.ELEMENT_TYPE_F32,
    "float64": type_pb2.ELEMENT_TYPE_F64,
}
_SPELLINGS = {
    **ELEMENTS,
    "char": type_pb2.ELEMENT_TYPE_I8,
    "uchar": type_pb2.ELEMENT_TYPE_U8,
    "short": type_pb2.ELEMENT_TYPE_I16,
    "ushort": type_pb2.ELEMENT_TYPE_U16,
    "int": type_pb2.ELEMENT_TYPE_I32,
    "uint": type_pb2.ELEMENT_TYPE_U32,
    "long": type_pb2.ELEMENT_TYPE_I64,
    "ulong": type_pb2.ELEMENT_TYPE_U64,
    "half": type_pb2.ELEMENT_TYPE_F16,
    "bfloat": type_pb2.ELEMENT_TYPE_BF16,
    "float": type_pb2.ELEMENT_TYPE_F32,
    "double": type_pb2.ELEMENT_TYPE_F64,
} | {f"{name}_t": element for name, element in ELEMENTS.items() if name.startswith(("int", "uint", "float"))}
"""The names that shading languages have for scalar types."""

_FLOAT_CODES: Mapping[int, str] = {
    type_pb2.ELEMENT_TYPE_F16: "e",
    type_pb2.ELEMENT_TYPE_F32: "f",
    type_pb2.ELEMENT_TYPE_F64: "d",
}
_INTEGER = re.compile("-?[0-9]{1,20}")
_FLOAT = re.compile(r"-?[0-9]{1,40}(\.[0-9]{0,40})?([eE][+-]?[0-9]{1,4})?")


def element_of(spelling: str) -> type_pb2.ElementType:
    """Return the element type that a shading language calls so; UNSPECIFIED if none."""
    return _SPELLINGS.get(spelling.lower(), type_pb2.ELEMENT_TYPE_UNSPECIFIED)


def default_value(element: type_pb2.ElementType, value: object) -> type_pb2.TypedBits | None:
    """Return a default that is a value of the type, as a number or as its text; None for other text."""
    if isinstance(value, str):
        value = _number(value)
    bits = None
    if element == type_pb2.ELEMENT_TYPE_BOOL and isinstance(value, bool):
        bits = bytes([value])
    elif isinstance(value, bool):
        return None
    elif element in INTEGER_RANGES and isinstance(value, int):
        least, greatest = INTEGER_RANGES[element]
        if least <= value <= greatest:
            bits = value.to_bytes(storage_bits(element) // 8, "little", signed=least < 0)
    elif element in _FLOAT_CODES and isinstance(value, int | float):
        bits = _float_bits(_FLOAT_CODES[element], value)
    return None if bits is None else type_pb2.TypedBits(element=element, bits=bits)


def _float_bits(code: str, value: float) -> bytes | None:
    try:
        return struct.pack(f"<{code}", value)
    except (OverflowError, struct.error):
        return None


def _number(text: str) -> bool | int | float | None:
    """Return what a text spells; None for an expression, which nobody evaluates here."""
    if text in ("true", "false"):
        return text == "true"
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else None
