"""Wire bytes, spelled by hand."""

from __future__ import annotations

VARINT, I64, LEN, GROUP, END_GROUP, I32 = range(6)


def varint(value: int, width: int = 1) -> bytes:
    """Return a varint, overlong if it needs less than `width` bytes."""
    out = bytearray()
    while value > 0x7F or len(out) + 1 < width:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def tag(number: int, wire_type: int) -> bytes:
    """Return the tag of a field."""
    return varint(number << 3 | wire_type)


def number(field: int, value: int) -> bytes:
    """Return a field that holds a varint."""
    return tag(field, VARINT) + varint(value)


def text(field: int, value: str | bytes) -> bytes:
    """Return a field that holds a string, bytes or a message."""
    content = value.encode() if isinstance(value, str) else value
    return tag(field, LEN) + varint(len(content)) + content


def header(
    kind: int = 1, major: int = 1, *, minor: int = 0, features: tuple[str, ...] = ("draft-1",)
) -> bytes:
    """Return the header field of a document."""
    content = number(1, kind) + number(2, major) + (number(3, minor) if minor else b"")
    return text(1, content + b"".join(text(5, feature) for feature in features))
