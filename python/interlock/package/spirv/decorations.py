"""Decorations of a module, of ids and of members, directly and through groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.package.spirv.errors import SpirvError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SPEC_ID = 1
BLOCK = 2
BUFFER_BLOCK = 3
ROW_MAJOR = 4
ARRAY_STRIDE = 6
MATRIX_STRIDE = 7
BUILT_IN = 11
NON_WRITABLE = 24
NON_READABLE = 25
BINDING = 33
DESCRIPTOR_SET = 34
OFFSET = 35

_NAMES = {
    SPEC_ID: "SpecId",
    BLOCK: "Block",
    BUFFER_BLOCK: "BufferBlock",
    ROW_MAJOR: "RowMajor",
    ARRAY_STRIDE: "ArrayStride",
    MATRIX_STRIDE: "MatrixStride",
    BUILT_IN: "BuiltIn",
    NON_WRITABLE: "NonWritable",
    NON_READABLE: "NonReadable",
    BINDING: "Binding",
    DESCRIPTOR_SET: "DescriptorSet",
    OFFSET: "Offset",
}
"""The decorations that say something about an interface. All others are stepped over."""
_WITH_VALUE = frozenset({SPEC_ID, ARRAY_STRIDE, MATRIX_STRIDE, BUILT_IN, BINDING, DESCRIPTOR_SET, OFFSET})


class Decorations:
    """What is decorated how. A decoration without a value has the value 1."""

    __slots__ = ("_groups", "_ids", "_member_groups", "_members", "_used_groups", "_words")

    def __init__(self, words: Sequence[int]) -> None:
        self._words = words
        self._ids: dict[int, dict[int, int]] = {}
        self._members: dict[int, dict[tuple[int, int], int]] = {}
        self._groups: dict[int, dict[int, int]] = {}
        self._member_groups: dict[tuple[int, int], dict[int, int]] = {}
        self._used_groups: set[int] = set()

    def add(self, at: int, end: int) -> None:
        """Take an `OpDecorate`."""
        words = self._words
        if words[at + 1] in self._used_groups:
            message = f"`OpDecorate` decorates group %{words[at + 1]} after it was used, required is before"
            raise SpirvError("spirv.misplaced-instruction", message, 4 * at)
        self._put(self._ids.setdefault(words[at + 1], {}), words[at + 2], at, at + 3, end)

    def add_member(self, at: int, end: int) -> None:
        """Take an `OpMemberDecorate`."""
        words = self._words
        known = self._members.setdefault(words[at + 1], {})
        decoration = words[at + 3]
        if decoration in _NAMES:
            key = words[at + 2], decoration
            known[key] = self._value(known.get(key), decoration, at, at + 4, end)

    def add_group(self, at: int, end: int) -> None:
        """Take an `OpGroupDecorate`."""
        known = self._of_group(at)
        for target in self._words[at + 2 : end]:
            self._groups[target] = {**known, **self._groups.get(target, {})}

    def add_member_group(self, at: int, end: int) -> None:
        """Take an `OpGroupMemberDecorate`."""
        words = self._words
        known = self._of_group(at)
        for place in range(at + 2, end - 1, 2):
            key = words[place], words[place + 1]
            self._member_groups[key] = {**known, **self._member_groups.get(key, {})}

    def _of_group(self, at: int) -> dict[int, int]:
        """Return what a group is decorated with. All of it comes before the group, and so before its use."""
        group = self._words[at + 1]
        self._used_groups.add(group)
        return self._ids.get(group, {})

    def _put(self, known: dict[int, int], decoration: int, at: int, value: int, end: int) -> None:
        if decoration in _NAMES:
            known[decoration] = self._value(known.get(decoration), decoration, at, value, end)

    def _value(self, old: int | None, decoration: int, at: int, place: int, end: int) -> int:
        if decoration not in _WITH_VALUE:
            return 1
        name = _NAMES[decoration]
        if place >= end:
            message = f"decoration `{name}` has no value, but needs one"
            raise SpirvError("spirv.word-count", message, 4 * at)
        value = self._words[place]
        if old is not None and old != value:
            message = f"decoration `{name}` is stated with `{old}` and with `{value}`, required is one value"
            raise SpirvError("spirv.conflicting-decoration", message, 4 * at)
        return value

    def get(self, target: int, decoration: int) -> int | None:
        """Return the value of a decoration of an id; None if it has none."""
        value = self._ids.get(target, {}).get(decoration)
        return self._groups.get(target, {}).get(decoration) if value is None else value

    def get_member(self, target: int, member: int, decoration: int) -> int | None:
        """Return the value of a decoration of a member of a structure; None if it has none."""
        value = self._members.get(target, {}).get((member, decoration))
        return self._member_groups.get((target, member), {}).get(decoration) if value is None else value

    def is_on_all(self, target: int, members: int, decoration: int) -> bool:
        """Tell whether all members of a structure have a decoration."""
        return members > 0 and all(
            self.get_member(target, member, decoration) is not None for member in range(members)
        )

    def ids_with(self, decoration: int) -> Iterator[int]:
        """Yield the ids that have a decoration."""
        for target, known in self._ids.items():
            if decoration in known:
                yield target
        for target, known in self._groups.items():
            if decoration in known:
                yield target

    def member_uses(self) -> Iterator[tuple[int, int]]:
        """Yield every structure and member that is decorated."""
        for target, known in self._members.items():
            for member, _ in known:
                yield target, member
        yield from self._member_groups
