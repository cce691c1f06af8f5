"""What a builder knows of its graph so far: names, types, and everything found wrong with the calls."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

from execgraph.v1 import type_pb2
from interlock.author.affine import Affine, AffineLike, affine
from interlock.author.handles import Bytes, Resource, Target, Typed, View
from interlock.author.literals import LiteralError, Number, element_names, storage_bits, typed_bits
from interlock.diagnostic import Diagnostic, NamedElement, Path, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEAST, _GREATEST = -(1 << 63), (1 << 63) - 1


class Resolver:
    """Resolves what calls name, and collects findings instead of raising them."""

    def __init__(self) -> None:
        self.findings: list[Diagnostic] = []
        self._declared: set[tuple[str, str]] = set()
        self._targets: dict[str, list[Resource | View]] = {}

    def report(self, code: str, path: Path, message: str, *elements: NamedElement) -> None:
        """Keep a finding for `build`."""
        self.findings.append(Diagnostic(f"build.{code}", Severity.ERROR, path, message, elements))

    def declare(self, id_space: str, identifier: str, path: Path) -> bool:
        """Enter an id; False, with a finding, if it is taken."""
        name = (id_space, identifier)
        if name in self._declared:
            message = f"the {id_space} `{identifier}` is declared twice"
            self.report("duplicate-id", path, message, NamedElement(id_space, identifier))
            return False
        self._declared.add(name)
        return True

    def add_target(self, handle: Resource | View) -> None:
        """Make a resource or view known by its id."""
        self._targets.setdefault(handle.id, []).append(handle)

    def target(self, target: Target, path: Path) -> Resource | View | Bytes:
        """Return the handle of a target. An unknown name is a finding, and taken for a resource."""
        if not isinstance(target, str):
            return target
        found = self._targets.get(target, [])
        if len(found) == 1:
            return found[0]
        if found:
            self.report(
                "ambiguous-target", path, f"`{target}` is a resource and a view; pass the handle of one"
            )
            return found[0]
        self.report("unknown-target", path, f"`{target}` is neither a resource nor a view declared so far")
        return Resource(target, type_pb2.ELEMENT_TYPE_UNSPECIFIED)

    def selection(self, target: Target, path: Path) -> type_pb2.ByteSelection:
        """Return the bytes that a target names."""
        handle = self.target(target, path)
        if isinstance(handle, Bytes):
            self.extent(handle.offset, path.field("byte_range").field("offset"))
            self.extent(handle.size, path.field("byte_range").field("size"))
        return handle.selection()

    def element(self, name: str, path: Path) -> type_pb2.ElementType:
        """Return an element type by name; an unknown one is a finding."""
        number = element_names().get(name)
        if number is None:
            self.report("unknown-element-type", path, f"`{name}` is no element type, such as `f32` or `u8`")
            return type_pb2.ELEMENT_TYPE_UNSPECIFIED
        return number

    def literal(self, value: Number | Typed, element: type_pb2.ElementType, path: Path) -> type_pb2.TypedBits:
        """Return a literal of the type it states, or else of ``element``."""
        numbers = value.values if isinstance(value, Typed) else (value,)
        number = self.element(value.element, path) if isinstance(value, Typed) else element
        if number == type_pb2.ELEMENT_TYPE_UNSPECIFIED:
            return type_pb2.TypedBits()
        try:
            return typed_bits(number, *numbers)
        except LiteralError as error:
            self.report(f"literal-{error.code}", path, str(error))
            return type_pb2.TypedBits()

    def extent(self, value: AffineLike, path: Path) -> type_pb2.Extent | None:
        """Return an extent, None for zero; one beyond 64 bits is a finding."""
        number = affine(value)
        if not all(_LEAST <= part <= _GREATEST for part in (number.constant, *number.terms.values())):
            self.report("out-of-range", path, "the extent does not fit 64 bits")
            return None
        return number.extent()

    def element_extent(self, value: AffineLike, path: Path) -> type_pb2.Extent:
        """Return an extent as an element of a list."""
        return self.extent(value, path) or type_pb2.Extent()

    def unsigned(self, value: int, bits: int, path: Path) -> int:
        """Return a number that has to fit an unsigned field; another one is a finding, and 0."""
        value = index(value)
        if 0 <= value < 1 << bits:
            return value
        self.report("out-of-range", path, f"`{value}` is not from 0 to 2^{bits} - 1")
        return 0

    def signed(self, value: int, path: Path) -> int:
        """Return a number that has to fit a signed field of 64 bits; another one is a finding, and 0."""
        value = index(value)
        if _LEAST <= value <= _GREATEST:
            return value
        self.report("out-of-range", path, f"`{value}` is not from -2^63 to 2^63 - 1")
        return 0

    def packed_size(
        self, element: type_pb2.ElementType, shape: Sequence[AffineLike], path: Path
    ) -> AffineLike | None:
        """Return the bytes of packed elements.

        Or None, with a finding, where that is no sum of parameters.
        """
        try:
            bits = affine(storage_bits(element))
            for extent in shape:
                bits = bits * affine(extent)
            if not bits.terms:
                return Affine(-(-bits.constant // 8))
            return bits // 8
        except ValueError as error:
            self.report(
                "size-not-affine", path, f"the size does not follow from the shape ({error}); give `size`"
            )
            return None
