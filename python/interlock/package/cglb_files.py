"""The files of a CrossGL package, whether it is a directory or a stored zip file, by their names in it."""

from __future__ import annotations

import hashlib
import os
import stat
import zlib
from contextlib import contextmanager
from dataclasses import dataclass, replace
from os import SEEK_END
from typing import TYPE_CHECKING, Final, Protocol

from interlock.diagnostic import ROOT
from interlock.package.blobs import CHUNK_BYTES, FileFinder, ProvenBlobs, RangeFinder
from interlock.package.container import ContainerError
from interlock.package.metadata import check_metadata_size, malformed, place_of
from interlock.package.paths import Root, safe_parts, unreadable
from interlock.package.ziparchive import read_zip_members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import BinaryIO

    from execgraph.v1.blob_pb2 import BlobReference
    from interlock.limits import Limits
    from interlock.package.ziparchive import Member

    Names = Callable[[BlobReference], tuple[str, ...]]

MANIFEST: Final = "manifest.json"
REFLECTION: Final = "reflection.json"
DIAGNOSTICS: Final = "diagnostics.json"
ROOT_FILES: Final = (MANIFEST, REFLECTION, DIAGNOSTICS)


class Files(Protocol):
    """The files of a package. Every method raises what opening the file raises."""

    def read(self, name: str, limits: Limits) -> bytes | None:
        """Return the bytes of a metadata file; None where there is none."""

    def holds(self, name: str) -> bool:
        """Tell whether there is a file of that name."""

    def read_document(self, name: str, limits: Limits) -> bytes | None:
        """Return the bytes of a document, which may be larger; None where there is none."""

    def measure(self, name: str, limits: Limits) -> tuple[str, int] | None:
        """Return the digest and the size of a file; None where there is none."""

    def blobs(self, names: Names, limits: Limits) -> ProvenBlobs:
        """Return the files as blobs; ``names`` tells where the bytes of a reference may be."""


def open_files(path: str | os.PathLike[str], limits: Limits) -> Files:
    """Open a package.

    Raises:
        ContainerError: It is not there, or no zip file that is read here.
    """
    source = os.fspath(path)
    try:
        if stat.S_ISDIR(os.stat(source).st_mode):  # noqa: PTH116  (pathlib costs start-up time)
            return FolderFiles(Root.at(source))
        with open(source, "rb") as stream:  # noqa: PTH123
            members = read_zip_members(stream, limits)
    except OSError as error:
        raise unreadable(source, error, ROOT) from error
    except ValueError as error:  # a name with a null character
        raise ContainerError("container.unreadable", f"cannot read {source!a}: {error}") from None
    return ArchiveFiles(os.path.abspath(source), members, _prefix(members))  # noqa: PTH100


def _prefix(members: Mapping[str, Member]) -> str:
    """Return the folder of an archive that the package is: the root, or the one folder that holds one."""
    if all(name in members for name in ROOT_FILES):
        return ""
    folders = {name.partition("/")[0] for name in members if "/" in name}
    fitting = [
        folder for folder in folders if all(f"{folder}/{name}" in members for name in (MANIFEST, REFLECTION))
    ]
    if len(fitting) > 1:
        listed = ", ".join(f"`{folder[:80]}`" for folder in sorted(fitting)[:4])
        raise malformed(f"several folders of the archive are packages: {listed}")
    return f"{fitting[0]}/" if fitting else ""


@dataclass(frozen=True, slots=True)
class FolderFiles:
    """A package that is a directory."""

    root: Root

    def read(self, name: str, limits: Limits) -> bytes | None:
        """See `Files`."""
        return self.root.read_metadata(name, limits)

    def holds(self, name: str) -> bool:
        """See `Files`."""
        stream = self.root.open(name)
        if stream is None:
            return False
        stream.close()
        return True

    def read_document(self, name: str, limits: Limits) -> bytes | None:
        """See `Files`."""
        return self.root.read_metadata(name, _for_documents(limits))

    def measure(self, name: str, limits: Limits) -> tuple[str, int] | None:
        """See `Files`."""
        stream = self.root.open(name)
        if stream is None:
            return None
        with stream:
            try:
                size = stream.seek(0, SEEK_END)
                check_blob_size(size, name, limits)
                stream.seek(0)
                digest, _ = _hashed(stream, size, name)
            except OSError as error:
                raise unreadable(name, error, place_of(name)) from error
        return digest, size

    def blobs(self, names: Names, limits: Limits) -> ProvenBlobs:
        """See `Files`."""
        return ProvenBlobs(FileFinder(self.root, names), limits)


@dataclass(frozen=True, slots=True)
class ArchiveFiles:
    """A package that is a zip file. ``prefix`` is its folder in it, which ends with `/` or is empty."""

    archive: str
    members: Mapping[str, Member]
    prefix: str

    def read(self, name: str, limits: Limits) -> bytes | None:
        """See `Files`."""
        safe_parts(name)
        member = self.members.get(self.prefix + name)
        if member is None:
            return None
        check_metadata_size(member.extent.size, place_of(name), limits)
        with self._open(name, member) as stream:
            data = stream.read(member.extent.size)
        _check_member(len(data), zlib.crc32(data), member, name)
        return data

    def holds(self, name: str) -> bool:
        """See `Files`."""
        return self.prefix + name in self.members

    def read_document(self, name: str, limits: Limits) -> bytes | None:
        """See `Files`."""
        return self.read(name, _for_documents(limits))

    def measure(self, name: str, limits: Limits) -> tuple[str, int] | None:
        """See `Files`."""
        safe_parts(name)
        member = self.members.get(self.prefix + name)
        if member is None:
            return None
        check_blob_size(member.extent.size, name, limits)
        with self._open(name, member) as stream:
            digest, crc = _hashed(stream, member.extent.size, name)
        _check_member(member.extent.size, crc, member, name)
        return digest, member.extent.size

    def blobs(self, names: Names, limits: Limits) -> ProvenBlobs:
        """See `Files`."""
        extents = {
            name.removeprefix(self.prefix): member.extent
            for name, member in self.members.items()
            if name.startswith(self.prefix)
        }
        return ProvenBlobs(RangeFinder(self.archive, extents, names), limits)

    @contextmanager
    def _open(self, name: str, member: Member) -> Iterator[BinaryIO]:
        try:
            with open(self.archive, "rb") as stream:  # noqa: PTH123
                stream.seek(member.extent.offset)
                yield stream
        except OSError as error:
            raise unreadable(name, error, place_of(name)) from error


def _for_documents(limits: Limits) -> Limits:
    return replace(limits, metadata_bytes=limits.document_bytes)


def check_blob_size(size: int, name: str, limits: Limits) -> None:
    """Refuse a file before it is hashed.

    Raises:
        ContainerError: `limit.blob-bytes`.
    """
    if size > limits.blob_bytes:
        message = f"the file has {size} bytes; the limit is {limits.blob_bytes}"
        raise ContainerError("limit.blob-bytes", message, place_of(name))


def _hashed(stream: BinaryIO, size: int, name: str) -> tuple[str, int]:
    """Return the digest and the CRC-32 of so many bytes."""
    hashed, crc, left = hashlib.sha256(), 0, size
    while left:
        chunk = stream.read(min(CHUNK_BYTES, left))
        if not chunk:
            raise malformed("the file became shorter while it was read", place_of(name))
        left -= len(chunk)
        hashed.update(chunk)
        crc = zlib.crc32(chunk, crc)
    return f"sha256:{hashed.hexdigest()}", crc


def _check_member(size: int, crc: int, member: Member, name: str) -> None:
    if size != member.extent.size or crc != member.crc:
        message = f"the bytes have the CRC-32 `{crc:08x}`; the archive states {member.crc:08x}"
        raise ContainerError("container.digest-mismatch", message, place_of(name))
