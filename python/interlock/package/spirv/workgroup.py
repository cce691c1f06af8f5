"""Sizes of one workgroup: its invocations, and the memory they share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interlock.package.spirv.decorations import BLOCK, BUILT_IN
from interlock.package.spirv.layout import LARGEST
from interlock.package.spirv.pointers import WORKGROUP
from interlock.package.spirv.types import Kind

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from interlock.package.spirv.layout import Layouts
    from interlock.package.spirv.scan import EntryPoint, Scan
    from interlock.package.spirv.types import Type

LOCAL_SIZE, LOCAL_SIZE_HINT, SUBGROUP_SIZE, LOCAL_SIZE_ID, LOCAL_SIZE_HINT_ID = 17, 18, 35, 38, 39
_WORKGROUP_SIZE = 25
_LARGEST = (1 << 32) - 1


@dataclass(frozen=True, slots=True)
class Axis:
    """Where the size along one axis comes from: the id of a constant, or a number if that is 0."""

    id: int
    literal: int = 0


@dataclass(frozen=True, slots=True)
class Sizes:
    """Where a workgroup size comes from.

    Attributes:
        axes: x, y and z; empty if the module does not say.
        composite: The constant that is the whole size, where the module has one; 0 otherwise.
    """

    axes: tuple[Axis, ...] = ()
    composite: int = 0

    def ids(self) -> tuple[int, ...]:
        """Return the constants the size rests on."""
        return tuple(axis.id for axis in self.axes if axis.id) or (
            (self.composite,) if self.composite else ()
        )

    def value(self, values: Mapping[int, Any]) -> tuple[int, int, int] | None:
        """Return the size where constants have these values; None if it is not known."""
        found: Any = tuple(values.get(axis.id) if axis.id else axis.literal for axis in self.axes)
        if not self.axes:
            found = values.get(self.composite)
        if not isinstance(found, tuple) or len(found) != 3:
            return None
        if any(isinstance(each, bool) or not isinstance(each, int) or each > _LARGEST for each in found):
            return None
        return found


def size_of_module(scan: Scan) -> Sizes | None:
    """Return the object decorated as `WorkgroupSize`; None without one. It counts before execution modes."""
    for ident in sorted(scan.decorations.ids_with(BUILT_IN)):
        if scan.decorations.get(ident, BUILT_IN) == _WORKGROUP_SIZE and ident in scan.constants.values:
            parts = scan.constants.constituents(ident)
            if len(parts) == 3:
                return Sizes(tuple(Axis(part) for part in parts))
            return Sizes(composite=ident)
    return None


def size_of_entry(scan: Scan, entry: EntryPoint) -> Sizes:
    """Return where the workgroup size of an entry point comes from by its execution modes."""
    modes = {mode: operands for mode, operands, _ in scan.modes.get(entry.function, ())}
    if len(modes.get(LOCAL_SIZE_ID, ())) == 3:
        return Sizes(tuple(Axis(ident) for ident in modes[LOCAL_SIZE_ID]))
    if len(modes.get(LOCAL_SIZE, ())) == 3:
        return Sizes(tuple(Axis(0, number) for number in modes[LOCAL_SIZE]))
    return Sizes()


class SharedMemory:
    """The memory that variables of a workgroup take, by the rules of std430 where they have no layout."""

    def __init__(self, scan: Scan, layouts: Layouts) -> None:
        self._scan = scan
        self._layouts = layouts
        self._defaults: dict[int, tuple[int, int] | None] = {}

    def variables(self, mentioned: Collection[int]) -> list[int]:
        """Return the variables of the workgroup among some ids."""
        variables = self._scan.variables
        return [ident for ident in sorted(mentioned) if variables[ident].storage_class == WORKGROUP]

    def is_adjustable(self, variables: Collection[int]) -> bool:
        """Tell whether specialization constants change what variables take."""
        return any(self._layouts.is_adjustable(self._scan.variables[ident].pointee) for ident in variables)

    def size(self, variables: Collection[int], values: Mapping[int, Any]) -> int | None:
        """Return the bytes that variables take where constants have these values; None if not known."""
        if not variables:
            return 0
        extents = self._extents(values)
        total = aliased = 0
        for ident in variables:
            pointee = self._scan.variables[ident].pointee
            if self._scan.decorations.get(pointee, BLOCK) is not None:
                # Blocks of shared memory have a layout of their own and lie over each other.
                block = self._layouts.block(self._scan.types.get(pointee))
                is_other = block.is_adjustable and values is not self._scan.constants.values
                if block.size is None or is_other:
                    return None
                aliased = max(aliased, block.size)
                continue
            extent = extents.get(pointee)
            if extent is None:
                return None
            size, alignment = extent
            total = _aligned(total, alignment) + size
        return total + aliased if total + aliased <= LARGEST else None

    def _extents(self, values: Mapping[int, Any]) -> Mapping[int, tuple[int, int] | None]:
        are_defaults = values is self._scan.constants.values
        if are_defaults and self._defaults:
            return self._defaults
        extents: dict[int, tuple[int, int] | None] = {}
        for of in self._scan.types.by_id.values():
            extents[of.id] = self._extent(of, extents, values)
        if are_defaults:
            self._defaults = extents
        return extents

    def _extent(
        self, of: Type, known: Mapping[int, tuple[int, int] | None], values: Mapping[int, Any]
    ) -> tuple[int, int] | None:
        """Return size and alignment of a type; None if it has none."""
        if of.kind == Kind.BOOL:
            return 4, 4
        if of.kind in (Kind.INT, Kind.FLOAT):
            return (of.width + 7) // 8, (of.width + 7) // 8
        if of.kind in (Kind.POINTER, Kind.UNTYPED_POINTER):
            return 8, 8
        if of.kind == Kind.STRUCT:
            return self._struct(of, known)
        inner = known.get(of.inner)
        if inner is None or inner[0] > LARGEST:
            return None
        size, alignment = inner
        if of.kind == Kind.VECTOR:
            return size * of.count, alignment * (2 if of.count == 2 else 4)
        if of.kind == Kind.MATRIX:
            return _aligned(size, alignment) * of.count, alignment
        if of.kind == Kind.ARRAY:
            count = self._layouts.length(of, values)
            return None if count is None else (_aligned(size, alignment) * count, alignment)
        return None

    def _struct(self, of: Type, known: Mapping[int, tuple[int, int] | None]) -> tuple[int, int] | None:
        size, largest = 0, 1
        for member in of.members:
            extent = known.get(member)
            if extent is None or size > LARGEST:
                return None
            size = _aligned(size, extent[1]) + extent[0]
            largest = max(largest, extent[1])
        return _aligned(size, largest), largest


def _aligned(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment
