"""CrossTL's untyped values as bits of the type they are used with."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from execgraph.v1 import type_pb2
from interlock.author.literals import LiteralError, decode_number, typed_bits
from interlock.diagnostic import Path, Severity
from interlock.interop.crosstl.json_text import JsonValue, canonical_text

if TYPE_CHECKING:
    from interlock.interop.crosstl.context import ImportContext

_INTEGERS = (
    type_pb2.ELEMENT_TYPE_I32,
    type_pb2.ELEMENT_TYPE_U32,
    type_pb2.ELEMENT_TYPE_I64,
    type_pb2.ELEMENT_TYPE_U64,
)
_FLOATS = (type_pb2.ELEMENT_TYPE_F32, type_pb2.ELEMENT_TYPE_F64)
"""The types of numbers that state none: a number is of the first that holds it."""


def assumed_bits(value: JsonValue) -> type_pb2.TypedBits | None:
    """Return a value that states no type as bits of the type it is taken to have; None where there is none.

    A boolean is a `bool`. An integer is of the first of `i32`, `u32`, `i64` and `u64` that holds it, a float
    the nearest `f32`, or an `f64` where it is beyond the largest of those.
    """
    if isinstance(value, bool):
        return typed_bits(type_pb2.ELEMENT_TYPE_BOOL, value)
    if not isinstance(value, int | float) or (isinstance(value, float) and not math.isfinite(value)):
        return None
    for element in _INTEGERS if isinstance(value, int) else _FLOATS:
        try:
            return typed_bits(element, value)
        except LiteralError:
            continue
    return None


def import_literal(
    context: ImportContext, value: JsonValue, element: type_pb2.ElementType, path: Path, what: str
) -> type_pb2.TypedBits | None:
    """Return one element; None, with a finding, where the value is none.

    Integers are values of integer and floating-point types, floats of floating-point types, booleans of
    `bool`. The findings are `crosstl.<what>-type-mismatch` and `crosstl.<what>-out-of-range`; what has to be
    rounded is noted.
    """
    if not isinstance(value, bool | int | float):
        message = f"`{canonical_text(value)}` is no number and no boolean"
        context.findings.add(f"crosstl.{what}-type-mismatch", path, message)
        return None
    try:
        bits = typed_bits(element, value)
    except LiteralError as error:
        context.findings.add(f"crosstl.{what}-{error.code}", path, str(error))
        return None
    held = decode_number(element, bits.bits)
    if held != value:
        message = f"`{canonical_text(value)}` is rounded to `{canonical_text(held)}`"
        context.remark(f"crosstl.{what}-rounded", Severity.NOTE, path, message)
    return bits


def written_number(bits: type_pb2.TypedBits) -> JsonValue:
    """Return the value that is written for one element without hints; None where JSON has none.

    Raises:
        LiteralError: The bits are not those of one element.
    """
    value = decode_number(bits.element, bits.bits)
    return value if not isinstance(value, complex) and math.isfinite(value) else None
