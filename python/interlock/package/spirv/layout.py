"""How the members of a block lie: offsets, strides, sizes, flattened to what the contract can say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interlock.package.spirv.decorations import ARRAY_STRIDE, MATRIX_STRIDE, OFFSET, ROW_MAJOR
from interlock.package.spirv.errors import SpirvError
from interlock.package.spirv.types import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from interlock.package.spirv.scan import Scan
    from interlock.package.spirv.types import Type

LARGEST = (1 << 64) - 1
_MOST_REPEATED = 64
"""Elements of an array that are listed one by one, where a member lies in several arrays."""
_POINTER_BYTES = 8
_NAMELESS = "\0"
"""Stands for the name of a member that has none: no name has it in it."""


@dataclass(frozen=True, slots=True)
class Member:
    """One scalar, vector or matrix of a block.

    Attributes:
        name: Its name, with those of the structures and the indices of the arrays around it; empty where the
            module does not keep all of them.
        offset: Where it starts, in bytes.
        size: The bytes of one element of it.
        scalar: The type of its scalars.
        components: The scalars of one vector; 0 for a single scalar.
        array_stride: From one element to the next; 0 if it is no array.
        array_count: The elements; 0 if it is no array, or as long as what is bound.
        matrix_stride: From one vector of a matrix to the next; 0 if it is none.
        is_runtime: Whether it is an array as long as what is bound.
        is_row_major: Whether the vectors of the matrix are its rows.
    """

    name: str
    offset: int
    size: int
    scalar: Type
    components: int = 0
    array_stride: int = 0
    array_count: int = 0
    matrix_stride: int = 0
    is_runtime: bool = False
    is_row_major: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """The layout of one block.

    Attributes:
        size: The bytes up to the end of its last member, without those of an array as long as what is bound;
            None if the block does not say where its members lie.
        members: Its members by offset; empty if they are not known. Equal ones are one object.
        runtime_stride: The stride of an array as long as what is bound; 0 if it has none.
        is_adjustable: Whether specialization constants change how long its arrays are.
        unknown: Why not all of this is known; empty if it is.
    """

    size: int | None
    members: tuple[Member, ...]
    runtime_stride: int
    is_adjustable: bool
    unknown: str


class _UnlaidError(Exception):
    """A block that does not say how its members lie."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A type at a place in a block, in arrays of (stride, count), outermost first; count 0 for runtime.

    ``names`` holds what its name is made of: a piece before the index in each array, and one behind them all.
    """

    names: tuple[str, ...]
    offset: int
    type: Type
    arrays: tuple[tuple[int, int], ...]
    matrix_stride: int
    is_row_major: bool


class Layouts:
    """The layouts of the blocks of a module, computed when they are asked for."""

    def __init__(self, scan: Scan) -> None:
        self._scan = scan
        self._sizes: dict[int, int | None] = {}
        self._blocks: dict[int, Block] = {}
        self._adjustable: set[int] = set()
        self._lists: dict[tuple[Member, ...], tuple[Member, ...]] = {}
        self._left = scan.limits.listed_members

    def block(self, of: Type) -> Block:
        """Return the layout of a structure.

        Raises:
            SpirvError: `spirv.size-overflow`.
        """
        if of.id not in self._blocks:
            self._blocks[of.id] = self._block(of)
        return self._blocks[of.id]

    def _block(self, of: Type) -> Block:
        self._measure()
        size = self._sizes.get(of.id)
        if size is None:
            return Block(
                None, (), 0, is_adjustable=False, unknown="its block does not say where its members lie"
            )
        runtime_stride = 0
        last = self._scan.types.get(of.members[-1]) if of.members else of
        if last.kind == Kind.RUNTIME_ARRAY:
            runtime_stride = self._stride(last.id)
        adjustable = self.is_adjustable(of.id)
        try:
            members = tuple(sorted(self._members(of), key=lambda member: (member.offset, member.name)))
        except _UnlaidError as error:
            return Block(size, (), runtime_stride, adjustable, str(error))
        unknown = "specialization constants set how long its arrays are" if adjustable else ""
        members = self._lists.setdefault(members, members)
        return Block(size, members, runtime_stride, adjustable, unknown)

    # Sizes.

    def _measure(self) -> None:
        """Compute the size of every type that has a layout, each after those it is made of."""
        if self._sizes:
            return
        self._sizes[0] = None
        for of in self._scan.types.by_id.values():
            if of.kind in (Kind.POINTER, Kind.UNTYPED_POINTER):  # they may be declared forward
                self._sizes[of.id] = _POINTER_BYTES
        for of in self._scan.types.by_id.values():
            self._sizes[of.id] = self._size(of)
            if self._is_adjusted(of):
                self._adjustable.add(of.id)

    def _size(self, of: Type) -> int | None:
        """Return the bytes up to the last of a type; None if it has no layout."""
        if of.kind in (Kind.INT, Kind.FLOAT):
            return (of.width + 7) // 8
        if of.kind in (Kind.POINTER, Kind.UNTYPED_POINTER):
            return self._sizes[of.id]
        if of.kind == Kind.VECTOR:
            inner = self._sizes.get(of.inner)
            return None if inner is None else inner * of.count
        if of.kind == Kind.RUNTIME_ARRAY:
            return 0 if self._scan.decorations.get(of.id, ARRAY_STRIDE) else None
        if of.kind == Kind.ARRAY:
            return self._array_size(of, self._sizes.get(of.inner))
        return self._struct_size(of) if of.kind == Kind.STRUCT else None

    def _array_size(self, of: Type, inner: int | None) -> int | None:
        stride = self._scan.decorations.get(of.id, ARRAY_STRIDE)
        count = self.length(of)
        if inner is None or not stride or count is None:
            return None
        return self._bounded(stride * (count - 1) + inner, of)

    def _struct_size(self, of: Type) -> int | None:
        size = 0
        for place, member in enumerate(of.members):
            offset = self._scan.decorations.get_member(of.id, place, OFFSET)
            extent = self._member_size(of, place, self._scan.types.get(member))
            if offset is None or extent is None:
                return None
            size = max(size, offset + extent)
        return self._bounded(size, of)

    def _member_size(self, of: Type, place: int, member: Type) -> int | None:
        """Return the size of a member, whose matrices are laid out by its own decorations."""
        arrays = []
        base = member
        while base.kind == Kind.ARRAY:
            arrays.append(base)
            base = self._scan.types.get(base.inner)
        if base.kind != Kind.MATRIX:
            return self._sizes.get(member.id)
        stride = self._scan.decorations.get_member(of.id, place, MATRIX_STRIDE)
        if not stride:
            return None
        is_row_major = self._scan.decorations.get_member(of.id, place, ROW_MAJOR) is not None
        vectors, vector = self._vectors(base, is_row_major)
        size: int | None = stride * (vectors - 1) + vector
        for array in reversed(arrays):
            size = self._array_size(array, size)
        return size

    def _vectors(self, matrix: Type, is_row_major: bool) -> tuple[int, int]:  # noqa: FBT001
        """Return how many vectors of a matrix lie in memory, and the bytes of one."""
        column = self._scan.types.get(matrix.inner)
        scalar = self._scan.types.get(column.inner)
        if is_row_major:
            return column.count, matrix.count * scalar.width // 8
        return matrix.count, column.count * scalar.width // 8

    def _bounded(self, size: int, of: Type) -> int:
        if size > LARGEST:
            raise SpirvError("spirv.size-overflow", f"type %{of.id} has more than 2^64 - 1 bytes")
        return size

    def length(self, of: Type, values: Mapping[int, Any] | None = None) -> int | None:
        """Return the elements of an array type; None if they are not known."""
        value = (self._scan.constants.values if values is None else values).get(of.count)
        return value if isinstance(value, int) and value > 0 else None

    def _stride(self, array: int) -> int:
        return self._scan.decorations.get(array, ARRAY_STRIDE) or 0

    def is_adjustable(self, type_id: int) -> bool:
        """Tell whether specialization constants set how long an array in a type is."""
        self._measure()
        return type_id in self._adjustable

    def _is_adjusted(self, of: Type) -> bool:
        if of.kind == Kind.ARRAY and of.count in self._scan.constants.adjustable:
            return True
        parts = (of.inner,) if of.kind in (Kind.ARRAY, Kind.RUNTIME_ARRAY) else of.members
        return not self._adjustable.isdisjoint(parts)

    # Members.

    def _members(self, block: Type) -> Iterator[Member]:
        limit = self._scan.limits.block_members
        waiting = list(reversed(self._parts(block, ("",), 0, ())))
        steps = 0
        while waiting:
            part = waiting.pop()
            steps += 1
            self._left -= 1
            if steps > limit or self._left < 0:
                what = "its block has" if steps > limit else "the blocks of its module have"
                most = limit if steps > limit else self._scan.limits.listed_members
                raise _UnlaidError(f"{what} more than {most} members")
            of = part.type
            if of.kind in (Kind.ARRAY, Kind.RUNTIME_ARRAY):
                count = self.length(of) or 0 if of.kind == Kind.ARRAY else 0
                arrays = (*part.arrays, (self._stride(of.id), count))
                inner = self._scan.types.get(of.inner)
                waiting.append(
                    _Part(
                        (*part.names, ""), part.offset, inner, arrays, part.matrix_stride, part.is_row_major
                    )
                )
            elif of.kind == Kind.STRUCT:
                names, arrays = _without_single(part)
                waiting += reversed(self._parts(of, names, part.offset, arrays))
            else:
                for number, leaf in enumerate(self._leaves(part)):
                    steps += min(number, 1)
                    yield leaf

    def _parts(
        self, of: Type, around: tuple[str, ...], offset: int, arrays: tuple[tuple[int, int], ...]
    ) -> Sequence[_Part]:
        decorations = self._scan.decorations
        known = self._scan.member_names.get(of.id, {})
        before = f"{around[-1]}." if any(around) else around[-1]
        left = self._scan.limits.name_characters - sum(map(len, around[:-1])) - len(before)
        return [
            _Part(
                (*around[:-1], before + _short(known.get(place), left)),
                offset + (decorations.get_member(of.id, place, OFFSET) or 0),
                self._scan.types.get(member),
                arrays,
                decorations.get_member(of.id, place, MATRIX_STRIDE) or 0,
                decorations.get_member(of.id, place, ROW_MAJOR) is not None,
            )
            for place, member in enumerate(of.members)
        ]

    def _leaves(self, part: _Part) -> Iterator[Member]:
        """Yield a member, or one for each element of all arrays around it but one."""
        arrays = _joined(part.arrays)
        kept = max(range(len(arrays)), key=lambda place: arrays[place][1] or LARGEST, default=0)
        others = [array for place, array in enumerate(arrays) if place != kept]
        total = 1
        for _, count, _ in others:
            total *= count
        if total > _MOST_REPEATED or (others and total == 0):
            raise _UnlaidError("one of its members lies in several arrays, which the contract cannot say")
        for number in range(total):
            offset, rest = part.offset, number
            names = list(part.names)
            for stride, count, place in reversed(others):
                names[place] += f"[{rest % count}]"
                offset += rest % count * stride
                rest //= count
            name = "".join(names)
            yield self._leaf(
                part, "" if _NAMELESS in name else name, offset, arrays[kept] if arrays else None
            )

    def _leaf(self, part: _Part, name: str, offset: int, array: tuple[int, int, int] | None) -> Member:
        of = part.type
        components, matrix_stride, row_major = 0, 0, False
        size = self._sizes.get(of.id) or 0
        if of.kind == Kind.MATRIX:
            column = self._scan.types.get(of.inner)
            matrix_stride, row_major = part.matrix_stride, part.is_row_major
            vectors, _ = self._vectors(of, row_major)
            size = vectors * matrix_stride
            components = of.count if row_major else column.count
            scalar = self._scan.types.get(column.inner)
        elif of.kind == Kind.VECTOR:
            components = of.count
            scalar = self._scan.types.get(of.inner)
        else:
            scalar = of
        stride, count, _ = array if array is not None else (0, 0, 0)
        is_runtime = array is not None and count == 0
        return Member(
            name, offset, size, scalar, components, stride, count, matrix_stride, is_runtime, row_major
        )


def _short(name: str | None, most: int) -> str:
    return name if name and len(name) <= most else _NAMELESS


def _without_single(part: _Part) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
    """Return names and arrays around a structure without arrays of one element, which repeat nothing."""
    names, arrays = [part.names[0]], []
    for array, name in zip(part.arrays, part.names[1:], strict=True):
        if array[1] == 1:
            names[-1] += name
        else:
            names.append(name)
            arrays.append(array)
    return tuple(names), tuple(arrays)


def _joined(arrays: tuple[tuple[int, int], ...]) -> list[tuple[int, int, int]]:
    """Return stride, count and position of arrays; those whose inner elements fill the outer ones are one."""
    found: list[tuple[int, int, int]] = []
    for place, (stride, count) in enumerate(arrays):
        if found and count and found[-1][0] == stride * count:
            _, times, first = found.pop()
            found.append((stride, times * count, first))
        else:
            found.append((stride, count, place))
    return found
