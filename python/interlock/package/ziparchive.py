"""Zip files whose members are stored as they are: strict reading, without the ways in which readers disagree.

One central directory at the end, no comment, nothing compressed or encrypted, no 64-bit extension, no
member twice, none overlapping another, and local headers that say what the directory says. So every member
is a range of bytes of the file, and no member can grow.
"""

from __future__ import annotations

import stat
import struct
from dataclasses import dataclass
from itertools import pairwise
from os import SEEK_END
from typing import TYPE_CHECKING, Final

from interlock.package.blobs import Extent
from interlock.package.container import ContainerError
from interlock.package.metadata import malformed, place_of
from interlock.package.paths import safe_parts

if TYPE_CHECKING:
    from typing import BinaryIO

    from interlock.diagnostic import Path
    from interlock.limits import Limits

_END: Final = struct.Struct("<4s4H2LH")
_ENTRY: Final = struct.Struct("<4s6H3L5H2L")
_LOCAL: Final = struct.Struct("<4s5H3L2H")
_END_MAGIC: Final = b"PK\x05\x06"
_ENTRY_MAGIC: Final = b"PK\x01\x02"
_LOCAL_MAGIC: Final = b"PK\x03\x04"

_ENCRYPTED: Final = 0x0001
_SIZES_FOLLOW: Final = 0x0008
_PATCHED: Final = 0x0020
_STRONGLY_ENCRYPTED: Final = 0x0040
_MASKED: Final = 0x2000
_REFUSED_FLAGS: Final = {
    _ENCRYPTED: "is encrypted",
    _SIZES_FOLLOW: "has its size behind its bytes",
    _PATCHED: "is a patch of another file",
    _STRONGLY_ENCRYPTED: "is encrypted",
    _MASKED: "has a masked header",
}
_UTF8: Final = 0x0800
_STORED: Final = 0
_FULL_16: Final = 0xFFFF
_FULL_32: Final = 0xFFFFFFFF
_UNIX: Final = 3
_ZIP64_FIELD: Final = 0x0001
_OTHER_NAME_FIELD: Final = 0x7075


@dataclass(frozen=True, slots=True)
class Member:
    """One file: where its bytes are, and the CRC-32 that the archive states for them."""

    extent: Extent
    crc: int


@dataclass(frozen=True, slots=True)
class _Entry:
    """What the central directory says of a member."""

    name: str
    raw_name: bytes
    flags: int
    crc: int
    size: int
    header: int


def read_zip_members(stream: BinaryIO, limits: Limits) -> dict[str, Member]:
    """Return the regular files of a zip file, by name.

    Args:
        stream: The archive, which can be positioned.
        limits: `archive_members` bounds the entries of the directory.

    Raises:
        ContainerError: `container.malformed`, `container.unsafe-path`, `container.link`,
            `container.duplicate-member`, `container.unsupported-member` or `limit.archive-members`.
        OSError: The system refuses to read.
    """
    count, start, end = _directory(stream, limits)
    members: dict[str, Member] = {}
    spans: list[tuple[int, int, str]] = []
    names: set[str] = set()
    stream.seek(start)
    entries = [_entry(stream, end) for _ in range(count)]
    if stream.tell() != end:
        raise malformed("the central directory has another size than it states", byte_offset=start)
    for entry in entries:
        name = entry.name.removesuffix("/")
        safe_parts(name)
        if name in names:
            message = f"`{name}` is there a second time"
            raise ContainerError("container.duplicate-member", message, place_of(name))
        names.add(name)
        first = _bytes_start(stream, entry)
        spans.append((entry.header, first + entry.size, name))
        if entry.name.endswith("/"):
            if entry.size:
                raise malformed("a folder has bytes of its own", place_of(name), entry.header)
        else:
            members[name] = Member(Extent(first, entry.size), entry.crc)
    _check_spans(sorted(spans), start)
    _check_parents(members)
    return members


def _directory(stream: BinaryIO, limits: Limits) -> tuple[int, int, int]:
    """Return the number of members, and where the central directory starts and ends."""
    length = stream.seek(0, SEEK_END)
    end = length - _END.size
    if end < 0:
        raise malformed("the file is shorter than the end of a zip file")
    stream.seek(end)
    magic, disk, first_disk, here, count, size, start, comment = _END.unpack(_read(stream, _END.size, end))
    if magic != _END_MAGIC or comment:
        message = "the file does not end with the end record of a zip file without a comment"
        raise malformed(message, byte_offset=end)
    if _FULL_16 in (here, count) or _FULL_32 in (size, start):
        message = "the archive needs the 64-bit extension of zip"
        raise ContainerError("container.unsupported-member", message, byte_offset=end)
    if disk or first_disk or here != count:
        raise malformed("the archive is spread over several files", byte_offset=end)
    if count > limits.archive_members:
        message = f"the archive has {count} members; the limit is {limits.archive_members}"
        raise ContainerError("limit.archive-members", message)
    if start + size != end or size < count * _ENTRY.size:
        raise malformed("the central directory does not end where the end record starts", byte_offset=end)
    return count, start, end


def _entry(stream: BinaryIO, end: int) -> _Entry:
    at = stream.tell()
    if at + _ENTRY.size > end:
        raise malformed("the central directory ends within an entry", byte_offset=at)
    fields = _ENTRY.unpack(_read(stream, _ENTRY.size, at))
    magic, made_by, _needed, flags, method, _time, _date, crc, packed, size = fields[:10]
    name_length, extra_length, comment_length, disk, _internal, attributes, header = fields[10:]
    if magic != _ENTRY_MAGIC:
        raise malformed("an entry of the central directory is none", byte_offset=at)
    if at + _ENTRY.size + name_length + extra_length + comment_length > end:
        raise malformed("the central directory ends within an entry", byte_offset=at)
    raw_name = _read(stream, name_length, at)
    extra = _read(stream, extra_length, at)
    _read(stream, comment_length, at)
    name = _decoded(raw_name, flags, at)
    path = place_of(name if name.isprintable() else repr(name))
    _check_extra(extra, path, at)
    _check_kind(attributes >> 16 if made_by >> 8 == _UNIX else 0, path, at)
    _check_stored(flags, method, path, at)
    if _FULL_32 in (packed, size, header):
        message = "the member needs the 64-bit extension of zip"
        raise ContainerError("container.unsupported-member", message, path, at)
    if packed != size or disk:
        raise malformed("a stored member has two sizes, or lies in another file", path, at)
    return _Entry(name, raw_name, flags, crc, size, header)


def _decoded(raw: bytes, flags: int, at: int) -> str:
    try:
        return raw.decode("utf-8" if flags & _UTF8 else "ascii")
    except UnicodeDecodeError:
        raise malformed("the name of a member is neither ASCII nor marked as UTF-8", byte_offset=at) from None


def _check_extra(extra: bytes, path: Path, at: int) -> None:
    """Refuse extra fields that change the name or the sizes of a member."""
    position = 0
    while position + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, position)
        if kind in (_ZIP64_FIELD, _OTHER_NAME_FIELD):
            message = "an extra field changes the name or the size of the member"
            raise ContainerError("container.unsupported-member", message, path, at)
        position += 4 + size
    if position != len(extra):
        raise malformed("the extra fields of a member are cut off", path, at)


def _check_kind(mode: int, path: Path, at: int) -> None:
    kind = stat.S_IFMT(mode)
    if kind == stat.S_IFLNK:
        message = "a symbolic link stands in an archive; only files and folders may"
        raise ContainerError("container.link", message, path, at)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        message = "a device, pipe or socket stands in an archive; only files and folders may"
        raise ContainerError("container.unsupported-member", message, path, at)


def _check_stored(flags: int, method: int, path: Path, at: int) -> None:
    for flag, what in _REFUSED_FLAGS.items():
        if flags & flag:
            message = f"the member {what}; it has to be stored as it is"
            raise ContainerError("container.unsupported-member", message, path, at)
    if method != _STORED:
        message = f"the member is compressed by method `{method}`; it has to be stored as it is"
        raise ContainerError("container.unsupported-member", message, path, at)


def _bytes_start(stream: BinaryIO, entry: _Entry) -> int:
    """Return where the bytes of a member start, after its local header has said what the directory says."""
    at = entry.header
    stream.seek(at)
    fields = _LOCAL.unpack(_read(stream, _LOCAL.size, at))
    magic, _needed, flags, method, _time, _date, crc, packed, size, name_length, extra_length = fields
    stated = (magic, flags, method, crc, packed, size, _read(stream, name_length, at))
    required = (_LOCAL_MAGIC, entry.flags, _STORED, entry.crc, entry.size, entry.size, entry.raw_name)
    if stated != required:
        message = "a local header does not say what the central directory says"
        raise malformed(message, place_of(entry.name.removesuffix("/")), at)
    _check_extra(_read(stream, extra_length, at), place_of(entry.name), at)
    return at + _LOCAL.size + int(name_length) + int(extra_length)


def _check_spans(spans: list[tuple[int, int, str]], directory: int) -> None:
    """Refuse members that overlap, bytes that belong to nobody, and members behind the directory."""
    position = 0
    for first, after, name in spans:
        if first != position:
            message = "members overlap, or bytes between them belong to none"
            raise malformed(message, place_of(name), first)
        position = after
    if position != directory:
        raise malformed("the central directory does not follow the last member", byte_offset=directory)


def _check_parents(members: dict[str, Member]) -> None:
    """Refuse a file that is also the folder of another. In this order the other would come right after it."""
    ordered = sorted(members, key=lambda name: name.replace("/", "\0"))
    for name, following in pairwise(ordered):
        if following.startswith(f"{name}/"):
            message = f"`{name}` is a file and a folder"
            raise ContainerError("container.duplicate-member", message, place_of(name))


def _read(stream: BinaryIO, size: int, at: int) -> bytes:
    data = stream.read(size)
    if len(data) != size:
        raise malformed("the archive ends within a header", byte_offset=at)
    return data
