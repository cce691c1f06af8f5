"""Tar files made by hand, with whatever may be wrong with them."""

from __future__ import annotations

BLOCK = 512
END = bytes(2 * BLOCK)


def member(name: str | bytes, data: bytes = b"", kind: bytes = b"0", **changed: bytes) -> bytes:
    """Return a member of a tar file: header, content, padding. ``changed`` replaces fields of the header."""
    encoded = name if isinstance(name, bytes) else name.encode()
    fields = {
        "name": (0, encoded),
        "mode": (100, b"0000644\0"),
        "size": (124, b"%011o\0" % len(data)),
        "time": (136, b"00000000000\0"),
        "kind": (156, kind),
        "link": (157, b""),
        "magic": (257, b"ustar\x0000"),
        "prefix": (345, b""),
    }
    block = bytearray(BLOCK)
    for name_of_field, (at, usual) in fields.items():
        value = changed.get(name_of_field, usual)
        block[at : at + len(value)] = value
    block[148:156] = b" " * 8
    block[148:156] = changed.get("checksum", b"%06o\0 " % sum(block))
    return bytes(block) + data + bytes(-len(data) % BLOCK)


def archive(*members: bytes, end: bytes = END) -> bytes:
    return b"".join(members) + end


def pax(*records: tuple[str, str], kind: bytes = b"x") -> bytes:
    """Return a pax header."""
    text = b""
    for key, value in records:
        body = f" {key}={value}\n".encode()
        length = len(body) + 1
        while len(str(length)) + len(body) != length:
            length += 1
        text += str(length).encode() + body
    return member("PaxHeaders/x", text, kind)
