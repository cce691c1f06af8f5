"""Where the bytes of a place of a document are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.codec.varint import WireType, read_varint

if TYPE_CHECKING:
    from interlock.codec.schema import MessageInfo
    from interlock.diagnostic import Path


def start_of(data: bytes, info: MessageInfo, path: Path) -> int | None:
    """Return the offset of the first byte of the value at a path of length-delimited fields.

    The bytes are canonical. None where no such value is written, as that of empty bytes is not.
    """
    start, end = 0, len(data)
    for step in path.steps:
        field = info.by_name[step.field]
        found = _element(data, start, end, field.number, step.index or 0)
        if found is None:
            return None
        start, end = found
        if step is not path.steps[-1]:
            info = field.message
    return start


def _element(data: bytes, at: int, end: int, number: int, index: int) -> tuple[int, int] | None:
    """Return the extent of the value of one element of a field; None if there is none."""
    seen = 0
    while at < end:
        tag, at = read_varint(data, at, end)
        size, after = read_varint(data, at, end)
        if tag & 7 == WireType.VARINT:
            at = after
            continue
        if tag >> 3 == number:
            if seen == index:
                return after, after + size
            seen += 1
        at = after + size
    return None
