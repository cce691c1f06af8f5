"""Where pointers and handles lead."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from interlock.package.spirv.checks import instructions, wrong_kind
from interlock.package.spirv.grammar import ANY, operation_name, operations
from interlock.package.spirv.shapes import Op
from interlock.package.spirv.types import OPAQUE, PHYSICAL_STORAGE_BUFFER, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from interlock.package.spirv.scan import Function, Scan

Roots: TypeAlias = frozenset[int]

UNIFORM_CONSTANT, UNIFORM, PUSH_CONSTANT, STORAGE_BUFFER, WORKGROUP = 0, 2, 9, 12, 4
RESOURCES = frozenset({UNIFORM_CONSTANT, UNIFORM, PUSH_CONSTANT, STORAGE_BUFFER})
"""Storage classes of what is bound."""
_OWN = frozenset({1, 3, 4, 6, 7, 4172})
"""Storage classes of memory that nothing bound lies in: input, output, workgroup, private, function, tile."""

PHYSICAL = -1
"""The root of addresses: memory that may lie anywhere."""
UNKNOWN = -2
"""The root of pointers that come from where nobody follows them."""
EMPTY: Roots = frozenset()
_STORED = 8
"""Steps that a root costs which is stored for one pointer, so that memory is bounded as well as time."""
_PHYSICAL_ROOTS: Roots = frozenset({PHYSICAL})
_UNKNOWN_ROOTS: Roots = frozenset({UNKNOWN})
_POINTERS = (Kind.POINTER, Kind.UNTYPED_POINTER)


class Pointers:
    """The roots of every pointer and handle, by id."""

    def __init__(self, scan: Scan, spend: Callable[[int], None]) -> None:
        self._scan = scan
        self._spend = spend
        self._definitions: dict[int, int] | None = None
        self.is_waiting = False
        """Whether a pointer was asked for before its instruction, since this was last cleared."""
        self.is_patient = True
        """Whether a pointer of a later instruction leads nowhere for the time being."""
        self.has_grown = False
        """Whether the roots of a pointer grew since this was last cleared."""
        self.roots: dict[int, Roots] = {
            ident: frozenset((ident,)) if variable.storage_class in RESOURCES else EMPTY
            for ident, variable in scan.variables.items()
        }
        for ident, variable in scan.variables.items():
            if variable.storage_class == PHYSICAL_STORAGE_BUFFER:
                self.roots[ident] = _PHYSICAL_ROOTS
            elif variable.storage_class not in RESOURCES and variable.storage_class not in _OWN:
                self.roots[ident] = _UNKNOWN_ROOTS
        self.roots.update(dict.fromkeys(scan.nowhere, EMPTY))

    def put(self, ident: int, roots: Roots) -> None:
        """Note where a pointer leads. What is known only grows."""
        old = self.roots.get(ident)
        if old is None:
            self.roots[ident] = roots
            self.has_grown = True
        elif old is not roots:
            self._spend(len(old) + len(roots))
            if not roots <= old:
                # What holds all of the old is kept as it is: many pointers can share it.
                self.roots[ident] = roots if old <= roots else old | roots
                self.has_grown = True

    def put_new(self, ident: int, roots: Iterable[int]) -> None:
        """Note where a pointer leads that shares its roots with no other; they take memory, and cost more."""
        own = frozenset(roots)
        self._spend(_STORED * len(own))
        self.put(ident, own)

    def of(self, ident: int, at: int) -> Roots:
        """Return where a pointer leads that an instruction follows.

        Raises:
            SpirvError: `spirv.wrong-id-kind` if it is neither a pointer nor a handle.
        """
        known = self.roots.get(ident)
        return self._elsewhere(ident, at) if known is None else known

    def awaited(self, ident: int, at: int) -> Roots:
        """Return where a pointer leads that a later instruction may make."""
        place = self._defined().get(ident)
        if self.is_patient and place is not None and place > at:
            self.is_waiting = True
            return EMPTY
        return self._elsewhere(ident, at)

    def _elsewhere(self, ident: int, at: int) -> Roots:
        """Return where a pointer leads that no instruction which is followed makes."""
        place = self._defined().get(ident)
        if place is None:
            return _UNKNOWN_ROOTS
        words = self._scan.words
        known = operations()[words[place] & 0xFFFF]
        of = self._scan.types.by_id.get(words[place + 1]) if known.result_type else None
        if of is None:
            raise wrong_kind(words, at, ident, "a pointer")
        if of.kind in _POINTERS:
            return self._by_class(of.count)
        if of.kind in OPAQUE:
            return _UNKNOWN_ROOTS
        raise wrong_kind(words, at, ident, "a pointer")

    def _by_class(self, storage_class: int) -> Roots:
        if storage_class == PHYSICAL_STORAGE_BUFFER:
            return _PHYSICAL_ROOTS
        return EMPTY if storage_class in _OWN else _UNKNOWN_ROOTS

    def from_memory(self, type_id: int) -> Roots:
        """Return where a pointer of a type leads that was loaded from memory."""
        of = self._scan.types.get(type_id)
        return _PHYSICAL_ROOTS if of.count == PHYSICAL_STORAGE_BUFFER else EMPTY

    def from_integer(self, type_id: int) -> Roots:
        """Return where a pointer of a type leads that was made out of a number."""
        of = self._scan.types.get(type_id)
        if of.kind in _POINTERS:
            return self._by_class(of.count)
        return _UNKNOWN_ROOTS

    def type_of(self, ident: int) -> int:
        """Return the type of a value; 0 if it is not known."""
        place = self._defined().get(ident)
        if place is None or not operations()[self._scan.words[place] & 0xFFFF].result_type:
            return 0
        return self._scan.words[place + 1]

    def _defined(self) -> dict[int, int]:
        """Return the first word of the instruction that defines each id; gathered once, if at all."""
        if self._definitions is None:
            words = self._scan.words
            found = {}
            for at, _ in instructions(words):
                known = operations().get(words[at] & 0xFFFF)
                if known is not None and known.result:
                    found[words[at + known.result]] = at
            self._definitions = found
        return self._definitions

    def users(self, function: Function, lost: Iterable[int]) -> dict[int, str]:
        """Return the name of an instruction of a function that computes with each id."""
        wanted = set(lost)
        found: dict[int, str] = {}
        words = self._scan.words
        at = function.at
        while words[at] & 0xFFFF != Op.FUNCTION_END and wanted:
            end = at + (words[at] >> 16)
            known = operations().get(words[at] & 0xFFFF)
            if known is not None:
                head = end if known.head >= ANY else at + known.head
                ids = words[at + 1 + known.result : head] + (
                    words[at + known.tail : end] if known.tail else []
                )
                for each in ids:
                    if each in wanted:
                        wanted.discard(each)
                        found[each] = operation_name(words[at] & 0xFFFF)
            at = end
        return found
