"""Runs of elements in a large message, shown to be canonical together instead of being read one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from interlock.codec.keys import key_function
from interlock.codec.kinds import Kind
from interlock.codec.varint import VarintError, WireType, read_varint

if TYPE_CHECKING:
    from interlock.codec.schema import FieldInfo, MessageInfo

_RUN_BYTES: Final = 1 << 17


@dataclass(frozen=True, slots=True)
class Run:
    """Elements of one list that follow each other.

    The list, where each element starts and ends, and where the last one ends.
    """

    info: FieldInfo
    elements: list[tuple[int, int]]
    end: int

    def keys(self, data: bytes, *, all_of_them: bool) -> list[object]:
        """Return the keys of all elements of a set, or of the first and the last; they must be canonical."""
        elements = self.elements if all_of_them else [self.elements[0], self.elements[-1]]
        values = [data[start:end] for start, end in elements]
        if self.info.kind is not Kind.MESSAGE:
            return list(values)
        parse = self.info.message.message_class.FromString
        return list(map(key_function(self.info), map(parse, values)))


def find_run(data: bytes, at: int, end: int, info: MessageInfo) -> Run | None:
    """Return the run of elements of one list of messages, strings or bytes that starts here, if there is one.

    Args:
        data: The input.
        at: Where the tag of a field starts.
        end: Where its message ends.
        info: The type of the message.
    """
    elements: list[tuple[int, int]] = []
    last = at
    try:
        first, after = read_varint(data, at, end)
        item = info.by_number.get(first >> 3)
        if item is None or not item.repeated or item.kind.is_scalar or first & 7 != WireType.LEN:
            return None
        spelled = data[at:after]
        while last - at < _RUN_BYTES and data.startswith(spelled, last, end):
            length, value = read_varint(data, last + len(spelled), end)
            if length > end - value:
                break
            last = value + length
            elements.append((value, last))
    except VarintError:
        # The reader that reports will meet it.
        return None
    return Run(item, elements, last) if elements else None
