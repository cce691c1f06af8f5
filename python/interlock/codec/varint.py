"""Varints and tags, as the wire spells them."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from interlock.codec.kinds import Kind

MAXIMUM_TAG: Final = (1 << 32) - 1


class WireType(IntEnum):
    """How long a value is. 6 and 7 do not exist."""

    VARINT = 0
    I64 = 1
    LEN = 2
    GROUP_START = 3
    GROUP_END = 4
    I32 = 5


class VarintError(ValueError):
    """Bytes that are no varint; ``code`` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def read_varint(data: bytes, at: int, end: int) -> tuple[int, int]:
    """Read a varint of up to 64 bits.

    Args:
        data: The bytes.
        at: Where it starts.
        end: Where the bytes end that it may use.

    Returns:
        The value and the position after it.

    Raises:
        VarintError: It has a tenth byte above 1 (``wire.varint-overflow``), or ``end`` comes first
            (``wire.truncated``).
    """
    value = shift = 0
    while at < end:
        byte = data[at]
        at += 1
        if shift == 63 and byte > 1:
            raise VarintError("wire.varint-overflow")
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise VarintError("wire.truncated")


def is_overlong(data: bytes, at: int, after: int) -> bool:
    """Tell whether the varint from ``at`` to ``after`` has more bytes than it needs."""
    return after - at > 1 and data[after - 1] == 0


def write_varint(value: int) -> bytes:
    """Return the minimal varint of a number from 0 to 2^64 - 1."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number_of(kind: Kind, raw: int) -> int:
    """Read the 64 bits of a varint as a number of a kind, whether it fits the kind or not."""
    if kind in {Kind.SINT32, Kind.SINT64}:
        return (raw >> 1) ^ -(raw & 1)
    if kind in {Kind.INT32, Kind.INT64, Kind.ENUM}:
        return raw - (1 << 64) if raw >> 63 else raw
    return raw
