"""Operations on constants, as far as sizes and ids may rest on them: integers, truth values, short vectors.

Operands are integers without sign, True or False, or tuples of them; None is not known and makes the result
unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

VECTOR_SHUFFLE, COMPOSITE_EXTRACT, COMPOSITE_INSERT = 79, 81, 82
COMPOSITE_OPERATIONS = frozenset({VECTOR_SHUFFLE, COMPOSITE_EXTRACT, COMPOSITE_INSERT})
_SELECT = 169
_MOST_COMPONENTS = 16
_UNDEFINED_COMPONENT = 0xFFFF_FFFF


def _signed(value: int, width: int) -> int:
    return value - (1 << width) if width and value >> (width - 1) & 1 else value


def _divided(one: int, other: int) -> int | None:
    """Return the quotient rounded to zero; None where it is not defined."""
    if other == 0:
        return None
    return abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)


def _remainder(one: int, other: int) -> int | None:
    quotient = _divided(one, other)
    return None if quotient is None else one - quotient * other


def _signed_modulo(one: int, other: int) -> int | None:
    return None if other == 0 else one % other


_UNSIGNED: dict[int, Callable[[int, int], Any]] = {
    128: lambda a, b: a + b,
    130: lambda a, b: a - b,
    132: lambda a, b: a * b,
    134: lambda a, b: a // b if b else None,
    137: lambda a, b: a % b if b else None,
    164: lambda a, b: bool(a) == bool(b),
    165: lambda a, b: bool(a) != bool(b),
    166: lambda a, b: bool(a) or bool(b),
    167: lambda a, b: bool(a) and bool(b),
    170: lambda a, b: a == b,
    171: lambda a, b: a != b,
    172: lambda a, b: a > b,
    174: lambda a, b: a >= b,
    176: lambda a, b: a < b,
    178: lambda a, b: a <= b,
    197: lambda a, b: a | b,
    198: lambda a, b: a ^ b,
    199: lambda a, b: a & b,
}
_SIGNED: dict[int, Callable[[int, int], Any]] = {
    135: _divided,
    138: _remainder,
    139: _signed_modulo,
    173: lambda a, b: a > b,
    175: lambda a, b: a >= b,
    177: lambda a, b: a < b,
    179: lambda a, b: a <= b,
}
_SHIFTS = frozenset({194, 195, 196})
_ONE_OPERAND: dict[int, Callable[[int, int], Any]] = {
    113: lambda a, _: a,
    114: _signed,
    124: lambda a, _: a,
    126: lambda a, _: -a,
    168: lambda a, _: not a,
    200: lambda a, _: ~a,
}


def fold(opcode: int, operands: Sequence[Any], widths: Sequence[int], width: int) -> Any:  # noqa: ANN401
    """Return the result of an operation; None if it is not known or not defined.

    Args:
        opcode: The operation.
        operands: The values of its operands.
        widths: The bits of the components of each operand; 0 for truth values.
        width: The bits of the components of the result; 0 for truth values.
    """
    if any(each is None for each in operands):
        return None
    sizes = {len(each) for each in operands if isinstance(each, tuple)}
    if not sizes:
        return _scalar(opcode, operands, widths, width)
    size = max(sizes)
    if len(sizes) > 1 or size > _MOST_COMPONENTS:
        return None
    spread = [each if isinstance(each, tuple) else (each,) * size for each in operands]
    if opcode == 124 and len(set(widths)) == 1 and widths[0] != width:
        return None  # a bit cast that changes the number of components
    return tuple(_scalar(opcode, parts, widths, width) for parts in zip(*spread, strict=True))


def _scalar(opcode: int, operands: Sequence[Any], widths: Sequence[int], width: int) -> Any:  # noqa: ANN401
    if any(each is None for each in operands):
        return None
    result: Any = None
    if len(operands) == 1 and opcode in _ONE_OPERAND:
        result = _ONE_OPERAND[opcode](operands[0], widths[0])
    elif len(operands) == 3 and opcode == _SELECT:
        result = operands[1] if operands[0] else operands[2]
    elif len(operands) == 2 and opcode in _SHIFTS:
        result = _shifted(opcode, operands[0], operands[1], widths[0])
    elif len(operands) == 2 and opcode in _UNSIGNED:
        result = _UNSIGNED[opcode](*operands)
    elif len(operands) == 2 and opcode in _SIGNED:
        result = _SIGNED[opcode](_signed(operands[0], widths[0]), _signed(operands[1], widths[1]))
    if result is None or isinstance(result, bool):
        return result
    return result & (1 << width) - 1 if width else None


def _shifted(opcode: int, value: int, by: int, width: int) -> int | None:
    if by >= width:
        return None  # the specification leaves it undefined
    if opcode == 194:
        return value >> by
    return _signed(value, width) >> by if opcode == 195 else value << by


def fold_composite(opcode: int, operands: Sequence[int], values: Mapping[int, Any]) -> Any:  # noqa: ANN401
    """Return the result of taking a composite apart or putting it together; None if it is not known."""
    if opcode == COMPOSITE_EXTRACT:
        value = values.get(operands[0]) if len(operands) == 2 else None
        return value[operands[1]] if isinstance(value, tuple) and operands[1] < len(value) else None
    if opcode == COMPOSITE_INSERT:
        if len(operands) != 3:
            return None
        part, value, place = values.get(operands[0]), values.get(operands[1]), operands[2]
        if not isinstance(value, tuple) or place >= len(value) or len(value) > _MOST_COMPONENTS:
            return None
        # Values are flat, as in composites: nested ones would be no operands, and could grow without end.
        return (*value[:place], None if isinstance(part, tuple) else part, *value[place + 1 :])
    if len(operands) < 2 or len(operands) > 2 + _MOST_COMPONENTS:
        return None
    one, other = values.get(operands[0]), values.get(operands[1])
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return None
    both = (*one, *other)
    return tuple(
        both[place] if place != _UNDEFINED_COMPONENT and place < len(both) else None for place in operands[2:]
    )
