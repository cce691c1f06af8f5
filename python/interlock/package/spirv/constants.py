"""The constants of a module, their values, and how values of specialization constants change them.

A value is an integer of as many bits as its type has, without sign; True or False; a tuple of values; or None
if it is not known. Constants are made of constants defined before them, so that one pass evaluates all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interlock.package.spirv.decorations import SPEC_ID
from interlock.package.spirv.errors import SpirvError
from interlock.package.spirv.folding import COMPOSITE_OPERATIONS, fold, fold_composite
from interlock.package.spirv.grammar import operation_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlock.package.spirv.decorations import Decorations
    from interlock.package.spirv.types import Type, Types

TRUE, FALSE, CONSTANT, COMPOSITE, NULL = 41, 42, 43, 44, 46
SPEC_TRUE, SPEC_FALSE, SPEC_CONSTANT, SPEC_COMPOSITE, SPEC_OPERATION = 48, 49, 50, 51, 52
LARGEST_COMPOSITE = 64
"""Composites of more constituents are not evaluated: no size and no id rests on them."""

_BOOL, _VECTOR = 20, 23

OPCODES = (
    TRUE,
    FALSE,
    CONSTANT,
    COMPOSITE,
    NULL,
    SPEC_TRUE,
    SPEC_FALSE,
    SPEC_CONSTANT,
    SPEC_COMPOSITE,
    SPEC_OPERATION,
)


@dataclass(frozen=True, slots=True)
class SpecConstant:
    """A constant that can be set when a pipeline is made.

    Attributes:
        id: Its id in the module.
        number: The number it is set by.
        type: Its type.
        default: The value it has if nothing sets it.
    """

    id: int
    number: int
    type: Type
    default: int | bool


class Constants:
    """The constants of a module, by id."""

    __slots__ = (
        "_decorations",
        "_order",
        "_type_ids",
        "_types",
        "_unknown",
        "_words",
        "adjustable",
        "specs",
        "values",
    )

    def __init__(self, words: Sequence[int], decorations: Decorations, unknown: set[int]) -> None:
        self._words = words
        self._decorations = decorations
        self._unknown = unknown
        self._types: Types | None = None
        self._order: list[tuple[int, int, int]] = []
        self._type_ids: dict[int, int] = {}
        self.values: dict[int, Any] = {}
        """The value of every constant, with all specialization constants at their defaults."""
        self.specs: dict[int, SpecConstant] = {}
        """The specialization constants that have a number, by id."""
        self.adjustable: set[int] = set()
        """Constants whose value depends on specialization constants."""

    def bind(self, types: Types) -> None:
        """Name the types that constants are of."""
        self._types = types

    def add(self, opcode: int, at: int, end: int) -> None:
        """Take the instruction that defines a constant."""
        words = self._words
        self._order.append((opcode, at, end))
        result = words[at + 2]
        self._type_ids.setdefault(result, words[at + 1])
        value = self._value(opcode, at, end, self.values, {})
        self.values.setdefault(result, value)
        if opcode in (SPEC_TRUE, SPEC_FALSE, SPEC_CONSTANT):
            number = self._decorations.get(result, SPEC_ID)
            if number is not None and value is not None:
                self.specs[result] = SpecConstant(result, number, self._type(at), value)
                self.adjustable.add(result)
        elif opcode in (SPEC_COMPOSITE, SPEC_OPERATION) and not self.adjustable.isdisjoint(
            words[at + 3 : end]
        ):
            # Of an operation the literals are compared too: that can only call more adjustable than is.
            self.adjustable.add(result)

    def constituents(self, ident: int) -> Sequence[int]:
        """Return the ids a composite constant is made of; empty if it is none."""
        for opcode, at, end in self._order:
            if self._words[at + 2] == ident:
                return self._words[at + 3 : end] if opcode in (COMPOSITE, SPEC_COMPOSITE) else ()
        return ()

    def add_opaque(self, result: int) -> None:
        """Take an id that may stand where a constant does, and whose value is not known."""
        self.values.setdefault(result, None)

    def evaluate(self, chosen: Mapping[int, int | bool]) -> Mapping[int, Any]:
        """Return the value of every constant where specialization constants have these values, by number."""
        if not chosen:
            return self.values
        values: dict[int, Any] = dict.fromkeys(self.values.keys() - self._type_ids.keys())
        for opcode, at, end in self._order:
            values.setdefault(self._words[at + 2], self._value(opcode, at, end, values, chosen))
        return values

    def array_length(self, length: int, at: int) -> None:
        """Check the length of an array type.

        Raises:
            SpirvError: `spirv.bad-array-length`, or that it is no constant.
        """
        if length not in self.values:
            if length in self._unknown:
                return
            raise SpirvError(*self._missing(length, at))
        value = self.values[length]
        if value is None:
            return
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            message = (
                f"the length of `OpTypeArray` is `{value}`, required is a constant integer of at least 1"
            )
            raise SpirvError("spirv.bad-array-length", message, 4 * at)

    def _missing(self, wanted: int, at: int) -> tuple[str, str, int]:
        from interlock.package.spirv.checks import defined_at, id_fault  # noqa: PLC0415  (errors only)

        name = operation_name(self._words[at] & 0xFFFF)
        fault = id_fault(self._words, wanted, name)
        if fault is not None:
            return (*fault, 4 * at)
        place = defined_at(self._words, wanted)
        if place is None:
            return "spirv.undefined-id", f"`{name}` uses %{wanted}, which nothing defines", 4 * at
        other = operation_name(self._words[place] & 0xFFFF)
        if "Constant" in other:
            return "spirv.forward-reference", f"`{name}` uses %{wanted}, which is defined after it", 4 * at
        return "spirv.wrong-id-kind", f"`{name}` uses %{wanted}, which `{other}` defines: no constant", 4 * at

    def _type(self, at: int) -> Type:
        if self._types is None:
            raise AssertionError("constants come before types")
        return self._types.get(self._words[at + 1])

    def _value(
        self, opcode: int, at: int, end: int, values: Mapping[int, Any], chosen: Mapping[int, int | bool]
    ) -> Any:  # noqa: ANN401  (see the module)
        words = self._words
        if opcode in (SPEC_TRUE, SPEC_FALSE, SPEC_CONSTANT) and chosen:
            number = self._decorations.get(words[at + 2], SPEC_ID)
            if number is not None and number in chosen:
                return self._chosen(chosen[number], self._type(at))
        if opcode in (CONSTANT, SPEC_CONSTANT):
            return self._number(at, end)
        if opcode in (TRUE, SPEC_TRUE):
            return True
        if opcode in (FALSE, SPEC_FALSE):
            return False
        if opcode in (COMPOSITE, SPEC_COMPOSITE):
            if end - at > 3 + LARGEST_COMPOSITE:
                return None
            return tuple(self._constituent(each, at, values) for each in words[at + 3 : end])
        if opcode == NULL:
            return self._null(at)
        return self._operation(at, end, values)

    def _constituent(self, ident: int, at: int, values: Mapping[int, Any]) -> Any:  # noqa: ANN401
        value = values.get(ident, self)
        if value is self:
            if ident in self._unknown:
                return None
            raise SpirvError(*self._missing(ident, at))
        # Composites of composites are flat here: what is nested is never looked at, and could grow.
        return None if isinstance(value, tuple) else value

    def _number(self, at: int, end: int) -> int | None:
        of = self._type(at)
        if of.width == 0:
            if of.kind == 0:
                return None
            name = operation_name(self._words[at] & 0xFFFF)
            message = f"`{name}` is of a {of.kind.name.lower()}, required is a number"
            raise SpirvError("spirv.wrong-id-kind", message, 4 * at)
        size = (of.width + 31) // 32
        if end - at - 3 != size:
            name = operation_name(self._words[at] & 0xFFFF)
            message = f"`{name}` has {end - at - 3} words of value, required are {size} for {of.width} bits"
            raise SpirvError("spirv.bad-literal", message, 4 * at)
        value = self._words[at + 3] | (self._words[at + 4] << 32 if size == 2 else 0)
        return value & (1 << of.width) - 1

    def _chosen(self, value: int | bool, of: Type) -> int | bool:  # noqa: FBT001
        return int(value) & (1 << of.width) - 1 if of.width else bool(value)

    def _null(self, at: int) -> Any:  # noqa: ANN401
        of = self._type(at)
        if of.width:
            return 0
        return False if of.kind == _BOOL else None

    def _operation(self, at: int, end: int, values: Mapping[int, Any]) -> Any:  # noqa: ANN401
        words = self._words
        opcode = words[at + 3]
        if opcode in COMPOSITE_OPERATIONS:
            return fold_composite(opcode, words[at + 4 : end], values)
        operands = words[at + 4 : end]
        if len(operands) > 3:
            return None
        known = [values.get(each) for each in operands]
        of = self._type(at)
        width = of.width
        if of.kind == _VECTOR and self._types is not None:
            width = self._types.get(of.inner).width
        return fold(opcode, known, [self._width(each) for each in operands], width)

    def _width(self, ident: int) -> int:
        """Return the bits of the components of a constant; 0 if they are no numbers."""
        if self._types is None:
            return 0
        of = self._types.get(self._type_ids.get(ident, 0))
        return self._types.get(of.inner).width if of.kind == _VECTOR else of.width
