"""The types of a module, each defined after those it is made of, so that none can be made of itself."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar

from interlock.package.spirv.errors import SpirvError, SpirvLimits
from interlock.package.spirv.grammar import operation_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from interlock.package.spirv.constants import Constants

PHYSICAL_STORAGE_BUFFER = 5349


class Kind(IntEnum):
    """What a type is. The numbers are the opcodes that define it."""

    VOID = 19
    BOOL = 20
    INT = 21
    FLOAT = 22
    VECTOR = 23
    MATRIX = 24
    IMAGE = 25
    SAMPLER = 26
    SAMPLED_IMAGE = 27
    ARRAY = 28
    RUNTIME_ARRAY = 29
    STRUCT = 30
    POINTER = 32
    FUNCTION = 33
    UNTYPED_POINTER = 4417
    OTHER = 0


OPAQUE = frozenset({Kind.IMAGE, Kind.SAMPLER, Kind.SAMPLED_IMAGE, Kind.OTHER})
_KINDS = {kind.value: kind for kind in Kind}
_FORWARD_POINTER = 39


class Type:
    """One type.

    Attributes:
        id: Its id.
        kind: What it is.
        inner: The type it is made of: component, column, element, pointee, image, sampled type; 0 for none.
        count: Components, columns; the id of the length of an array; the storage class of a pointer.
        width: Of a scalar, in bits.
        signed: Whether an integer is signed.
        encoding: Of a float that is not IEEE 754; None otherwise.
        members: Of a structure.
        image: Dimension, `Sampled`, format, `Arrayed` and `MS` of an image.
        depth: How deep types nest below, pointers apart.
    """

    __slots__ = ("count", "depth", "encoding", "id", "image", "inner", "kind", "members", "signed", "width")

    def __init__(self, ident: int, kind: Kind, *, inner: int = 0, count: int = 0, depth: int = 1) -> None:
        self.id = ident
        self.kind = kind
        self.inner = inner
        self.count = count
        self.depth = depth
        self.width = 0
        self.signed = False
        self.encoding: int | None = None
        self.members: Sequence[int] = ()
        self.image = (0, 0, 0, 0, 0)


_SCALARS = frozenset({Kind.BOOL, Kind.INT, Kind.FLOAT, Kind.OTHER})
_VECTORS = frozenset({Kind.VECTOR, Kind.OTHER})
_IMAGES = frozenset({Kind.IMAGE, Kind.OTHER})
_SAMPLED = frozenset({Kind.VOID, Kind.INT, Kind.FLOAT, Kind.OTHER})
_DATA = frozenset(set(Kind) - {Kind.VOID, Kind.FUNCTION})


class Types:
    """The types of a module, by id, in the order of their definition."""

    __slots__ = (
        "_constants",
        "_forward",
        "_limits",
        "_unknown",
        "_words",
        "aggregates",
        "by_id",
        "pointerish",
    )

    def __init__(
        self, words: Sequence[int], constants: Constants, limits: SpirvLimits, unknown: set[int]
    ) -> None:
        self._words = words
        self._constants = constants
        self._limits = limits
        self._unknown = unknown
        self._forward: set[int] = set()
        self.by_id: dict[int, Type] = {}
        self.pointerish: set[int] = set()
        """Types of pointers and of opaque objects: what leads to memory."""
        self.aggregates: set[int] = set()
        """Arrays and structures with opaque objects in them."""

    def get(self, ident: int) -> Type:
        """Return a type; one about which nothing is known if an unknown instruction may define it."""
        return self.by_id.get(ident) or Type(ident, Kind.OTHER)

    def add(self, opcode: int, at: int, end: int) -> None:
        """Take the instruction that defines a type."""
        words = self._words
        if opcode == _FORWARD_POINTER:
            self._forward.add(words[at + 1])
            return
        kind = _KINDS.get(opcode, Kind.OTHER)
        new = Type(words[at + 1], kind)
        reader = self._READERS.get(kind)
        if reader is not None:
            reader(self, new, at, end)
        if new.depth > self._limits.type_nesting:
            most = self._limits.type_nesting
            message = f"`{operation_name(opcode)}` nests {new.depth} types, at most {most} are read"
            raise SpirvError("limit.spirv-nesting", message, 4 * at)
        self.by_id.setdefault(new.id, new)
        if kind in OPAQUE or kind in (Kind.POINTER, Kind.UNTYPED_POINTER):
            self.pointerish.add(new.id)
        elif kind in (Kind.ARRAY, Kind.RUNTIME_ARRAY, Kind.STRUCT) and any(
            self.by_id[each].kind in OPAQUE or each in self.aggregates
            for each in (new.members or (new.inner,))
            if each in self.by_id
        ):
            self.aggregates.add(new.id)

    def _inner(self, new: Type, place: int, at: int, allowed: frozenset[Kind] | None = None) -> Type:
        inner = self.by_id.get(self._words[place])
        if inner is None:
            return self._missing(self._words[place], at)
        if allowed is not None and inner.kind not in allowed:
            name = operation_name(self._words[at] & 0xFFFF)
            message = (
                f"`{name}` is made of %{inner.id}, a {inner.kind.name.lower()}, which it cannot be made of"
            )
            raise SpirvError("spirv.wrong-id-kind", message, 4 * at)
        if inner.kind not in (Kind.POINTER, Kind.UNTYPED_POINTER):
            new.depth = max(new.depth, inner.depth + 1)
        return inner

    def _missing(self, wanted: int, at: int) -> Type:
        """Return a type that is defined later or by an unknown instruction; raise if it cannot be one."""
        if wanted in self._forward:
            return Type(wanted, Kind.POINTER, count=PHYSICAL_STORAGE_BUFFER)
        if wanted in self._unknown:
            return Type(wanted, Kind.OTHER)
        raise SpirvError(*missing_type(self._words, wanted, at))

    # What each instruction has behind its result.

    def _int(self, new: Type, at: int, _: int) -> None:
        new.width = self._words[at + 2]
        new.signed = self._words[at + 3] == 1
        if not 1 <= new.width <= 64:
            raise _literal(at, "OpTypeInt", "bits", new.width, "8, 16, 32 or 64")

    def _float(self, new: Type, at: int, end: int) -> None:
        new.width = self._words[at + 2]
        new.encoding = self._words[at + 3] if end > at + 3 else None
        if new.width not in (8, 16, 32, 64):
            raise _literal(at, "OpTypeFloat", "bits", new.width, "8, 16, 32 or 64")

    def _vector(self, new: Type, at: int, _: int) -> None:
        inner = self._inner(new, at + 2, at, _SCALARS)
        new.inner, new.count = inner.id, self._words[at + 3]
        if not 2 <= new.count <= 16:
            raise _literal(at, "OpTypeVector", "components", new.count, "2 to 16")

    def _matrix(self, new: Type, at: int, _: int) -> None:
        inner = self._inner(new, at + 2, at, _VECTORS)
        new.inner, new.count = inner.id, self._words[at + 3]
        if not 2 <= new.count <= 4:
            raise _literal(at, "OpTypeMatrix", "columns", new.count, "2 to 4")

    def _image(self, new: Type, at: int, _: int) -> None:
        words = self._words
        new.inner = self._inner(new, at + 2, at, _SAMPLED).id
        new.image = words[at + 3], words[at + 7], words[at + 8], words[at + 5], words[at + 6]

    def _sampled_image(self, new: Type, at: int, _: int) -> None:
        new.inner = self._inner(new, at + 2, at, _IMAGES).id

    def _array(self, new: Type, at: int, _: int) -> None:
        new.inner = self._inner(new, at + 2, at, _DATA).id
        new.count = self._words[at + 3]
        self._constants.array_length(new.count, at)

    def _runtime_array(self, new: Type, at: int, _: int) -> None:
        new.inner = self._inner(new, at + 2, at, _DATA).id

    def _struct(self, new: Type, at: int, end: int) -> None:
        new.members = self._words[at + 2 : end]
        for place in range(at + 2, end):
            self._inner(new, place, at, _DATA)

    def _pointer(self, new: Type, at: int, _: int) -> None:
        new.count = self._words[at + 2]
        new.inner = self._words[at + 3]
        if new.inner not in self.by_id:
            self._missing(new.inner, at)

    def _untyped_pointer(self, new: Type, at: int, _: int) -> None:
        new.count = self._words[at + 2]

    def _function(self, new: Type, at: int, end: int) -> None:
        new.inner = self._words[at + 2]
        new.members = self._words[at + 3 : end]

    _READERS: ClassVar[Mapping[Kind, Callable[[Types, Type, int, int], None]]] = {
        Kind.INT: _int,
        Kind.FLOAT: _float,
        Kind.VECTOR: _vector,
        Kind.MATRIX: _matrix,
        Kind.IMAGE: _image,
        Kind.SAMPLED_IMAGE: _sampled_image,
        Kind.ARRAY: _array,
        Kind.RUNTIME_ARRAY: _runtime_array,
        Kind.STRUCT: _struct,
        Kind.POINTER: _pointer,
        Kind.UNTYPED_POINTER: _untyped_pointer,
        Kind.FUNCTION: _function,
    }


def _literal(at: int, name: str, what: str, found: int, required: str) -> SpirvError:
    message = f"`{name}` has `{found}` {what}, required is {required}"
    return SpirvError("spirv.bad-literal", message, 4 * at)


def missing_type(words: Sequence[int], wanted: int, at: int) -> tuple[str, str, int]:
    """Return code, message and byte offset for a type that is not defined where another is made of it."""
    from interlock.package.spirv.checks import cycle_through, defined_at, id_fault  # noqa: PLC0415  (errors only)

    name = operation_name(words[at] & 0xFFFF)
    fault = id_fault(words, wanted, name)
    if fault is not None:
        return (*fault, 4 * at)
    place = defined_at(words, wanted)
    if place is None:
        return "spirv.undefined-id", f"`{name}` uses %{wanted}, which nothing defines", 4 * at
    other = operation_name(words[place] & 0xFFFF)
    if not other.startswith("OpType"):
        return (
            "spirv.wrong-id-kind",
            f"`{name}` is made of %{wanted}, which `{other}` defines: no type",
            4 * at,
        )
    if cycle_through(words, at):
        return "spirv.type-cycle", f"`{name}` is made of %{wanted}, which is made of it", 4 * at
    return "spirv.forward-reference", f"`{name}` is made of %{wanted}, which is defined after it", 4 * at
