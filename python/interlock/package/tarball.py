"""Tar files: the one way they are written here (POSIX ustar), and strict reading of what other tools write.

Reading looks at headers only and keeps where the bytes of each member are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from os import SEEK_END
from typing import TYPE_CHECKING, Final

from interlock.package.blobs import Extent
from interlock.package.container import ContainerError
from interlock.package.metadata import check_metadata_size, malformed, place_of
from interlock.package.paths import safe_parts

if TYPE_CHECKING:
    from typing import BinaryIO

    from interlock.limits import Limits

BLOCK: Final = 512
"""Bytes of a header, and what everything is padded to."""

END: Final = bytes(2 * BLOCK)
"""What ends an archive."""

LARGEST_MEMBER: Final = (8 << 30) - 1
"""Bytes of the largest member that a ustar header can state."""

_LONGEST_NAME: Final = 100
_MAGIC: Final = b"ustar\x0000"
_GNU_MAGIC: Final = b"ustar  \x00"
_OCTAL: Final = re.compile(rb" *([0-7]+)[ \x00]*")
_PADDING: Final = 1 << 20
"""How many zeros may follow the end. Tools pad to the block size of tape drives, which is far less."""

_FILES: Final = frozenset({b"0", b"\x00"})
_FOLDER: Final = b"5"
_LINKS: Final = {b"1": "a hard link", b"2": "a symbolic link"}
_EXTENSIONS: Final = frozenset({b"x", b"g"})
_RECORD: Final = re.compile(rb"([1-9][0-9]{0,7}) ")


def header(name: str, size: int) -> bytes:
    """Return the one header of a regular file: mode 0644, owner and group 0 without names, time 0.

    Raises:
        ValueError: The name or the size does not fit.
    """
    encoded = name.encode("ascii")
    if len(encoded) > _LONGEST_NAME or not 0 <= size <= LARGEST_MEMBER:
        raise ValueError(f"a tar file cannot hold `{name}` with {size} bytes")
    block = bytearray(BLOCK)
    block[0 : len(encoded)] = encoded
    block[100:108] = b"0000644\x00"
    block[108:116] = b"0000000\x00"
    block[116:124] = b"0000000\x00"
    block[124:136] = b"%011o\x00" % size
    block[136:148] = b"00000000000\x00"
    block[148:156] = b" " * 8
    block[156:157] = b"0"
    block[257:265] = _MAGIC
    block[329:337] = b"0000000\x00"
    block[337:345] = b"0000000\x00"
    block[148:156] = b"%06o\x00 " % sum(block)
    return bytes(block)


def padding(size: int) -> bytes:
    """Return the zeros that follow a member of that size."""
    return bytes(-size % BLOCK)


def looks_like_tar(start: bytes) -> bool:
    """Tell whether the first block of a file is the header of a member."""
    return len(start) >= BLOCK and start[257:262] == b"ustar"


def read_members(stream: BinaryIO, limits: Limits) -> dict[str, Extent]:
    """Return the regular files of a tar file, by name, and where their bytes are.

    A leading `./` is dropped from names, as tools write it for the content of a folder.

    Args:
        stream: The archive, which can be positioned.
        limits: `archive_members` bounds the headers, `metadata_bytes` each pax header.

    Raises:
        ContainerError: `container.malformed`, `container.unsafe-path`, `container.link`,
        `container.duplicate-member`, `container.unsupported-member`, `limit.archive-members` or
        `limit.metadata-bytes`.
        OSError: The system refuses to read.
    """
    return _Reader(stream, stream.seek(0, SEEK_END), limits).read()


@dataclass(slots=True)
class _Reader:
    stream: BinaryIO
    length: int
    limits: Limits
    offset: int = 0
    headers: int = 0
    names: set[str] = field(default_factory=set)
    stated: dict[bytes, bytes] = field(default_factory=dict)
    """Records of the pax header that precedes the next member."""
    stated_for_all: dict[bytes, bytes] = field(default_factory=dict)

    def read(self) -> dict[str, Extent]:
        members: dict[str, Extent] = {}
        while True:
            block = self._bytes(self.offset, BLOCK)
            if not any(block):
                self._check_end()
                return members
            _check_header(block, self.offset)
            self.headers += 1
            if self.headers > self.limits.archive_members:
                message = f"the archive has more than {self.limits.archive_members} members, the limit"
                raise ContainerError("limit.archive-members", message)
            size = self._size(block)
            kind = block[156:157]
            if kind in _EXTENSIONS:
                self._extend(kind, size)
            else:
                self._member(block, kind, size, members)
            self.offset += BLOCK + size + len(padding(size))

    def _member(self, block: bytes, kind: bytes, size: int, members: dict[str, Extent]) -> None:
        name = _name(block, self.offset)
        self._check_unchanged(block, size, name)
        self._check_kind(kind, name)
        if kind == _FOLDER:
            if name in {".", "./"}:
                return
            name = name.removesuffix("/")
        name = name.removeprefix("./")
        safe_parts(name)
        path = place_of(name)
        if name in self.names:
            raise ContainerError("container.duplicate-member", f"`{name}` is there a second time", path)
        self.names.add(name)
        if kind == _FOLDER:
            if size:
                raise malformed("a folder has bytes of its own", path, self.offset)
        else:
            members[name] = Extent(self.offset + BLOCK, size)

    def _check_kind(self, kind: bytes, name: str) -> None:
        path = place_of(_shown(name))
        if kind in _LINKS:
            message = f"{_LINKS[kind]} stands in an archive; only files and folders may"
            raise ContainerError("container.link", message, path, self.offset)
        if kind not in _FILES and kind != _FOLDER:
            message = f"a member of type {kind.decode('latin-1')!a} is neither a file nor a folder"
            raise ContainerError("container.unsupported-member", message, path, self.offset)

    def _size(self, block: bytes) -> int:
        size = _octal(block[124:136], "size", self.offset)
        if self.offset + BLOCK + size + len(padding(size)) > self.length:
            raise malformed(
                f"a member of {size} bytes goes on after the end of the archive", byte_offset=self.offset
            )
        return size

    def _extend(self, kind: bytes, size: int) -> None:
        """Read a pax header. What it says of names and sizes must be what the ustar header says too."""
        check_metadata_size(size, place_of("pax header"), self.limits)
        records = _records(self._bytes(self.offset + BLOCK, size), self.offset + BLOCK)
        if kind == b"g":
            self.stated_for_all |= records
        else:
            self.stated = records

    def _check_unchanged(self, block: bytes, size: int, name: str) -> None:
        records = {**self.stated_for_all, **self.stated}
        self.stated = {}
        expected = {b"path": name.encode(), b"size": str(size).encode(), b"linkpath": _field(block[157:257])}
        for key, value in records.items():
            if key.startswith(b"GNU.sparse") or (key in expected and value != expected[key]):
                message = f"a pax header changes {key.decode('latin-1')!a} of a member"
                raise ContainerError(
                    "container.unsupported-member", message, place_of(_shown(name)), self.offset
                )

    def _check_end(self) -> None:
        rest = self.length - self.offset
        if rest < len(END):
            raise malformed("the archive ends without two blocks of zeros", byte_offset=self.offset)
        if rest > len(END) + _PADDING:
            raise malformed("more than padding follows the end of the archive", byte_offset=self.offset)
        if any(self._bytes(self.offset, rest)):
            raise malformed(
                "something other than zeros follows the end of the archive", byte_offset=self.offset
            )
        if self.stated:
            raise malformed("a pax header precedes no member", byte_offset=self.offset)

    def _bytes(self, offset: int, size: int) -> bytes:
        if offset + size > self.length:
            raise malformed("the archive ends without two blocks of zeros", byte_offset=offset)
        self.stream.seek(offset)
        data = self.stream.read(size)
        if len(data) < size:
            raise malformed("the archive became shorter while it was read", byte_offset=offset)
        return data


def _check_header(block: bytes, offset: int) -> None:
    if block[257:265] not in {_MAGIC, _GNU_MAGIC}:
        raise malformed("a header is not that of a ustar member", byte_offset=offset)
    stated = _octal(block[148:156], "checksum", offset)
    found = sum(block) - sum(block[148:156]) + 8 * 0x20
    if stated != found:
        raise malformed(f"a header has the checksum {found}, and states {stated}", byte_offset=offset)


def _octal(raw: bytes, what: str, offset: int) -> int:
    match = _OCTAL.fullmatch(raw)
    if match is None:
        raise malformed(f"the {what} of a header is no octal number", byte_offset=offset)
    return int(match.group(1), 8)


def _field(raw: bytes) -> bytes:
    return raw.partition(b"\x00")[0]


def _name(block: bytes, offset: int) -> str:
    name = _field(block[0:100])
    # GNU headers keep other things where ustar keeps the start of a long name.
    prefix = _field(block[345:500]) if block[257:265] == _MAGIC else b""
    try:
        return (prefix + b"/" + name if prefix else name).decode()
    except UnicodeDecodeError:
        raise malformed("the name of a member is not UTF-8", byte_offset=offset) from None


def _shown(name: str) -> str:
    return name if name.isprintable() else name.encode("ascii", "backslashreplace").decode()


def _records(data: bytes, offset: int) -> dict[bytes, bytes]:
    """Return the records of a pax header: length, space, key, `=`, value, line feed."""
    records: dict[bytes, bytes] = {}
    at = 0
    while at < len(data):
        match = _RECORD.match(data, at)
        end = at + int(match.group(1)) if match else 0
        if match is None or not match.end() < end <= len(data) or data[end - 1 : end] != b"\n":
            raise malformed("a record of a pax header is malformed", byte_offset=offset + at)
        key, separator, value = data[match.end() : end - 1].partition(b"=")
        if not separator or key in records:
            raise malformed("a record of a pax header is malformed", byte_offset=offset + at)
        records[key] = value
        at = end
    return records
