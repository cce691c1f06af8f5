"""CrossTL's untyped values as bits of the type they are used with."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from interlock.author.literals import LiteralError, decode_number, typed_bits
from interlock.diagnostic import Path, Severity
from interlock.interop.crosstl.json_text import JsonValue, canonical_text

if TYPE_CHECKING:
    from execgraph.v1 import type_pb2
    from interlock.interop.crosstl.context import ImportContext


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
