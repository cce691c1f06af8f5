"""Extents in Python: integers, parameters, and sums of parameters times integers."""

from __future__ import annotations

from dataclasses import dataclass, field

from execgraph.v1 import type_pb2


@dataclass(frozen=True, slots=True)
class Affine:
    """``constant`` + the sum of coefficient x parameter, with no zero coefficient.

    Adds, subtracts and multiplies with integers; two of them multiply where one is constant.
    """

    constant: int = 0
    terms: dict[str, int] = field(default_factory=dict)

    def __add__(self, other: AffineLike) -> Affine:
        right = affine(other)
        terms = dict(self.terms)
        for name, coefficient in right.terms.items():
            terms[name] = terms.get(name, 0) + coefficient
        return Affine(self.constant + right.constant, {name: c for name, c in terms.items() if c})

    __radd__ = __add__

    def __sub__(self, other: AffineLike) -> Affine:
        return self + affine(other) * -1

    def __rsub__(self, other: AffineLike) -> Affine:
        return affine(other) + self * -1

    def __mul__(self, other: AffineLike) -> Affine:
        right = affine(other)
        if self.terms and right.terms:
            raise ValueError("the product of two parameters is no extent")
        left, factor = (right, self.constant) if right.terms else (self, right.constant)
        return Affine(
            left.constant * factor, {name: c * factor for name, c in left.terms.items() if c * factor}
        )

    __rmul__ = __mul__

    def __floordiv__(self, divisor: int) -> Affine:
        """Divide where the division leaves no remainder in any part."""
        parts = (self.constant, *self.terms.values())
        if any(part % divisor for part in parts):
            raise ValueError(f"not every part is a multiple of {divisor}")
        return Affine(self.constant // divisor, {name: c // divisor for name, c in self.terms.items()})

    def extent(self) -> type_pb2.Extent | None:
        """Return the message, or None for zero, which the schema spells by absence."""
        if not self.constant and not self.terms:
            return None
        terms = [type_pb2.ExtentTerm(parameter=name, coefficient=c) for name, c in sorted(self.terms.items())]
        return type_pb2.Extent(constant=self.constant, terms=terms)

    def element(self) -> type_pb2.Extent:
        """Return the message as an element of a list, where zero has to be written."""
        return self.extent() or type_pb2.Extent()


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter or an iteration index; use it like a number wherever an extent is taken."""

    id: str

    def __add__(self, other: AffineLike) -> Affine:
        return affine(self) + other

    __radd__ = __add__

    def __sub__(self, other: AffineLike) -> Affine:
        return affine(self) - other

    def __rsub__(self, other: AffineLike) -> Affine:
        return affine(other) - self

    def __mul__(self, other: AffineLike) -> Affine:
        return affine(self) * other

    __rmul__ = __mul__


AffineLike = int | Affine | Parameter


def affine(value: AffineLike) -> Affine:
    """Return any extent as a sum."""
    if isinstance(value, Affine):
        return value
    if isinstance(value, Parameter):
        return Affine(0, {value.id: 1})
    return Affine(value)
