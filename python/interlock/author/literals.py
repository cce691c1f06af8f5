"""Element types by name, and numbers as the bits of one element.

Bits are little-endian, as `TypedBits` spells them. Numbers round to the nearest value of a type, ties to
even; what lies beyond the type's largest value is refused, never turned into infinity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, cast

from execgraph.options.v1 import options_pb2
from execgraph.v1 import type_pb2

Number = bool | int | float | complex

_PREFIX = "ELEMENT_TYPE_"
_LONG_NAMES = {"float": "f", "bfloat": "bf", "int": "i", "uint": "u", "complex": "c"}


class LiteralError(ValueError):
    """A number that a type cannot hold. ``code`` ends the code of a finding, such as `out-of-range`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class _FloatFormat:
    """A binary floating-point format; codes are those of the magnitude, without the sign bit."""

    exponent_bits: int
    fraction_bits: int
    bias: int
    largest: int
    """The code of the largest finite magnitude."""
    infinity: int | None = None
    nan: int | None = None
    """The whole code of the NaN that is written."""
    negative_zero: bool = True

    @property
    def sign(self) -> int:
        return 1 << (self.exponent_bits + self.fraction_bits)


def _ieee(exponent_bits: int, fraction_bits: int) -> _FloatFormat:
    infinity = ((1 << exponent_bits) - 1) << fraction_bits
    return _FloatFormat(
        exponent_bits,
        fraction_bits,
        bias=(1 << (exponent_bits - 1)) - 1,
        largest=infinity - 1,
        infinity=infinity,
        nan=infinity | 1 << (fraction_bits - 1),
    )


_FLOATS = {
    type_pb2.ELEMENT_TYPE_F16: _ieee(5, 10),
    type_pb2.ELEMENT_TYPE_BF16: _ieee(8, 7),
    type_pb2.ELEMENT_TYPE_F32: _ieee(8, 23),
    type_pb2.ELEMENT_TYPE_F64: _ieee(11, 52),
    type_pb2.ELEMENT_TYPE_F8_E5M2: _ieee(5, 2),
    type_pb2.ELEMENT_TYPE_F8_E4M3: _FloatFormat(4, 3, bias=7, largest=0x7E, nan=0x7F),
    type_pb2.ELEMENT_TYPE_F8_E4M3_FNUZ: _FloatFormat(
        4, 3, bias=8, largest=0x7F, nan=0x80, negative_zero=False
    ),
    type_pb2.ELEMENT_TYPE_F8_E5M2_FNUZ: _FloatFormat(
        5, 2, bias=16, largest=0x7F, nan=0x80, negative_zero=False
    ),
    type_pb2.ELEMENT_TYPE_F4_E2M1: _FloatFormat(2, 1, bias=1, largest=0x7),
}
_COMPLEX = {
    type_pb2.ELEMENT_TYPE_C64: type_pb2.ELEMENT_TYPE_F32,
    type_pb2.ELEMENT_TYPE_C128: type_pb2.ELEMENT_TYPE_F64,
}


@cache
def element_names() -> dict[str, type_pb2.ElementType]:
    """Return every accepted name: the short one, such as `f32`, and the long one, such as `float32`."""
    names: dict[str, type_pb2.ElementType] = {}
    for full_name, value in type_pb2.ElementType.DESCRIPTOR.values_by_name.items():
        if value.number != type_pb2.ELEMENT_TYPE_UNSPECIFIED:
            names[full_name.removeprefix(_PREFIX).lower()] = cast("type_pb2.ElementType", value.number)
    for long, short in _LONG_NAMES.items():
        for bits in (4, 8, 16, 32, 64, 128):
            if f"{short}{bits}" in names:
                names[f"{long}{bits}"] = names[f"{short}{bits}"]
    return names


@cache
def element_name(element: type_pb2.ElementType) -> str:
    """Return the short name of an element type, such as `f32`; for a number that is none, the number."""
    value = type_pb2.ElementType.DESCRIPTOR.values_by_number.get(element)
    return str(element) if value is None else str(value.name).removeprefix(_PREFIX).lower()


@cache
def storage_bits(element: type_pb2.ElementType) -> int:
    """Return the storage size of one element in bits, as the schema states it.

    0 for BLOCK and for no type.
    """
    value = type_pb2.ElementType.DESCRIPTOR.values_by_number.get(element)
    extension = cast("Any", options_pb2.value)
    return 0 if value is None else int(value.GetOptions().Extensions[extension].storage_bits)


def integer_range(element: type_pb2.ElementType) -> tuple[int, int] | None:
    """Return the least and the greatest value of an integer type, or None for another type."""
    name = element_name(element)
    if name[0] not in "iu":
        return None
    bits = storage_bits(element)
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if name[0] == "i" else (0, (1 << bits) - 1)


def encode_number(element: type_pb2.ElementType, value: Number) -> bytes:
    """Return the bits of one element.

    A bool is a value of BOOL only; a float is no value of an integer type, not even `1.0`.

    Raises:
        LiteralError: `type-mismatch` or `out-of-range`.
    """
    size = max(1, storage_bits(element) // 8)
    if isinstance(value, bool) or element == type_pb2.ELEMENT_TYPE_BOOL:
        if element != type_pb2.ELEMENT_TYPE_BOOL or not isinstance(value, bool):
            raise _mismatch(element, value)
        return bytes([value])
    bounds = integer_range(element)
    if bounds is not None:
        if not isinstance(value, int):
            raise _mismatch(element, value)
        if not bounds[0] <= value <= bounds[1]:
            raise LiteralError(
                "out-of-range",
                f"`{element_name(element)}` holds {bounds[0]} to {bounds[1]}, not `{_shown(value)}`",
            )
        return (value & ((1 << storage_bits(element)) - 1)).to_bytes(size, "little")
    part = _COMPLEX.get(element)
    if part is not None:
        parts = (value.real, value.imag) if isinstance(value, complex) else (value, 0.0)
        return encode_number(part, parts[0]) + encode_number(part, parts[1])
    if isinstance(value, complex):
        raise _mismatch(element, value)
    return _encode_float(element, value).to_bytes(size, "little")


def decode_number(element: type_pb2.ElementType, bits: bytes) -> Number:
    """Return the number that the bits of one element stand for.

    Raises:
        LiteralError: `type-mismatch`: the bits are not those of one element of a type with numbers.
    """
    size = max(1, storage_bits(element) // 8)
    if storage_bits(element) == 0 or len(bits) != size:
        raise LiteralError(
            "type-mismatch", f"{len(bits)} bytes are not one element of `{element_name(element)}`"
        )
    code = int.from_bytes(bits, "little")
    if code >> storage_bits(element):
        raise LiteralError(
            "type-mismatch", f"`{code}` is no `{element_name(element)}` with its upper half zero"
        )
    if element == type_pb2.ELEMENT_TYPE_BOOL:
        if code > 1:
            raise LiteralError("type-mismatch", f"`bool` holds 0 or 1, not `{code}`")
        return code == 1
    bounds = integer_range(element)
    if bounds is not None:
        return code - (bounds[1] + 1 << 1) if bounds[0] < 0 and code > bounds[1] else code
    part = _COMPLEX.get(element)
    if part is not None:
        return complex(_decode_float(part, bits[: size // 2]), _decode_float(part, bits[size // 2 :]))
    return _decode_float(element, bits)


def typed_bits(element: type_pb2.ElementType, *values: Number) -> type_pb2.TypedBits:
    """Return the bits of one or more elements of one type.

    Raises:
        LiteralError: A value that the type cannot hold.
    """
    return type_pb2.TypedBits(
        element=element,
        bits=b"".join(encode_number(element, value) for value in values),
    )


def _encode_float(element: type_pb2.ElementType, value: float) -> int:
    if element == type_pb2.ELEMENT_TYPE_F8_E8M0:
        return _encode_scale(value)
    form = _FLOATS.get(element)
    if form is None:
        raise LiteralError("type-mismatch", f"`{element_name(element)}` has no numbers; give its bits")
    special = _special_code(form, value)
    if special is None:
        raise LiteralError("out-of-range", f"`{element_name(element)}` has no value for `{value}`")
    if special >= 0:
        return special
    magnitude = abs(Fraction(value))
    exponent = max(_floor_log2(magnitude), 1 - form.bias) if magnitude else 1 - form.bias
    steps = round(magnitude / Fraction(2) ** (exponent - form.fraction_bits))
    code = ((exponent + form.bias - 1) << form.fraction_bits) + steps
    if code > form.largest:
        raise LiteralError(
            "out-of-range", f"`{_shown(value)}` is beyond the largest `{element_name(element)}`"
        )
    negative = math.copysign(1, value) < 0 if value == 0 else value < 0
    return code | form.sign if negative and (code or form.negative_zero) else code


def _special_code(form: _FloatFormat, value: float) -> int | None:
    """Return the code of a NaN or an infinity, None where the format has none, and -1 for a finite number."""
    if isinstance(value, int) or math.isfinite(value):
        return -1
    if math.isnan(value):
        return form.nan
    if form.infinity is None:
        return None
    return form.infinity | (form.sign if value < 0 else 0)


def _encode_scale(value: float) -> int:
    if math.isnan(value):
        return 0xFF
    if value in (math.inf, -math.inf) or value <= 0:
        raise LiteralError("out-of-range", f"`f8_e8m0` holds powers of two, not `{_shown(value)}`")
    exponent = _floor_log2(Fraction(value))
    if Fraction(2) ** exponent != Fraction(value) or not -127 <= exponent <= 127:
        raise LiteralError("out-of-range", f"`f8_e8m0` holds 2^-127 to 2^127, not `{_shown(value)}`")
    return exponent + 127


def _decode_float(element: type_pb2.ElementType, bits: bytes) -> float:
    code = int.from_bytes(bits, "little")
    if element == type_pb2.ELEMENT_TYPE_F8_E8M0:
        return math.nan if code == 0xFF else 2.0 ** (code - 127)
    form = _FLOATS[element]
    magnitude, sign = code & (form.sign - 1), -1.0 if code & form.sign else 1.0
    if code == form.nan:
        return math.nan
    if magnitude > form.largest:
        return sign * math.inf if magnitude == form.infinity else math.nan
    exponent, fraction = magnitude >> form.fraction_bits, magnitude & ((1 << form.fraction_bits) - 1)
    if exponent == 0:
        return sign * math.ldexp(fraction, 1 - form.bias - form.fraction_bits)
    return sign * math.ldexp((1 << form.fraction_bits) + fraction, exponent - form.bias - form.fraction_bits)


def _floor_log2(value: Fraction) -> int:
    estimate = value.numerator.bit_length() - value.denominator.bit_length()
    return estimate if Fraction(2) ** estimate <= value else estimate - 1


def _mismatch(element: type_pb2.ElementType, value: Number) -> LiteralError:
    return LiteralError("type-mismatch", f"`{_shown(value)}` is no value of `{element_name(element)}`")


def _shown(value: Number) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() > 256:
        return f"a number of {value.bit_length()} bits"
    return str(value)
