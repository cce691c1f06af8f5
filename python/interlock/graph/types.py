"""Element types and image formats in numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from execgraph.v1 import type_pb2
from interlock.codec.schema import schema

if TYPE_CHECKING:
    from execgraph.v1.type_pb2 import ElementType

BLOCK = type_pb2.ELEMENT_TYPE_BLOCK
BOOL = type_pb2.ELEMENT_TYPE_BOOL

_SIGNED = {"I4": 4, "I8": 8, "I16": 16, "I32": 32, "I64": 64}
_UNSIGNED = {"U4": 4, "U8": 8, "U16": 16, "U32": 32, "U64": 64}

INTEGER_RANGES: dict[int, tuple[int, int]] = {
    **{
        type_pb2.ElementType.Value(f"ELEMENT_TYPE_{n}"): (-(1 << b - 1), (1 << b - 1) - 1)
        for n, b in _SIGNED.items()
    },
    **{type_pb2.ElementType.Value(f"ELEMENT_TYPE_{n}"): (0, (1 << b) - 1) for n, b in _UNSIGNED.items()},
}
"""The least and the greatest value of each integer type, by its number."""

WHOLE_BYTE_INTEGERS = frozenset(
    type_pb2.ElementType.Value(f"ELEMENT_TYPE_{name}")
    for name, bits in (_SIGNED | _UNSIGNED).items()
    if bits >= 8
)
"""The integer types from 8 to 64 bits, by number."""


@lru_cache(maxsize=1)
def _storage_bits() -> dict[int, int]:
    info = schema().enum(type_pb2.ElementType.DESCRIPTOR)
    return {value.number: value.storage_bits for value in info.values}


def storage_bits(element: int) -> int:
    """Return the bits one element takes in memory; 0 for BLOCK and for numbers that are no type."""
    return _storage_bits().get(element, 0)


def element_name(element: int | ElementType) -> str:
    """Return the name of an element type as people write it, such as ``F32``."""
    info = schema().enum(type_pb2.ElementType.DESCRIPTOR).by_number.get(int(element))
    return info.name.removeprefix("ELEMENT_TYPE_") if info else str(element)
