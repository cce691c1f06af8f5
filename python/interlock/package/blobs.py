"""Blobs by digest and size, from wherever they lie. What is found is hashed while it is read.

A finder knows where bytes should be; `ProvenBlobs` proves that they are the right ones. Files are opened for
each read and closed after it.
"""

from __future__ import annotations

import hashlib
import io
import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from interlock.diagnostic import ROOT
from interlock.hashing import is_digest
from interlock.package.container import ContainerError
from interlock.package.metadata import place_of
from interlock.package.paths import unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from typing import BinaryIO

    from execgraph.v1.blob_pb2 import BlobReference
    from interlock.diagnostic import Path
    from interlock.limits import Limits
    from interlock.package.container import Blobs
    from interlock.package.paths import Root

CHUNK_BYTES = 1 << 20
"""How much is read at once."""

BLOBS_FOLDER = "blobs/sha256"
"""Where an OCI image layout keeps its blobs, by the hexadecimal of their digest."""


class Found(Protocol):
    """Bytes that may be those of a reference."""

    @property
    def path(self) -> Path:
        """Where they are in the container."""

    @property
    def size(self) -> int:
        """How many they are."""

    def open(self) -> AbstractContextManager[BinaryIO]:
        """Open them. The stream starts at their first byte and may go on after their last."""


class Finder(Protocol):
    """Knows where the bytes of a reference should be."""

    def find(self, reference: BlobReference) -> Found | None:
        """Return what is there; None where there is nothing.

        Raises:
            ContainerError: What keeps it from being used, such as a link.
        """


def blob_name(digest: str) -> str:
    """Return the name that a blob has in an OCI image layout."""
    return f"{BLOBS_FOLDER}/{digest.removeprefix('sha256:')}"


def named_by_digest(reference: BlobReference) -> tuple[str, ...]:
    """Return the name under which an OCI image layout has a blob."""
    return (blob_name(reference.digest),) if is_digest(reference.digest) else ()


def named_by_location(reference: BlobReference) -> tuple[str, ...]:
    """Return the location as a name, and then the name that an OCI image layout has for the blob."""
    location = (reference.location,) if reference.location else ()
    return (*location, *named_by_digest(reference))


@dataclass(frozen=True, slots=True)
class ProvenBlobs:
    """The `Blobs` of one finder: size and digest are proven here and nowhere else."""

    finder: Finder
    limits: Limits

    def chunks(self, reference: BlobReference) -> Iterator[bytes]:
        """Yield the bytes in pieces of bounded size; see `Blobs`."""
        found = self._found(reference)
        hashed = hashlib.sha256()
        left = reference.size
        try:
            with found.open() as stream:
                while left:
                    chunk = stream.read(min(CHUNK_BYTES, left))
                    if not chunk:
                        raise _wrong_size(reference, reference.size - left, found.path)
                    left -= len(chunk)
                    hashed.update(chunk)
                    yield chunk
        except OSError as error:
            raise unreadable(str(found.path), error, found.path) from error
        digest = f"sha256:{hashed.hexdigest()}"
        if digest != reference.digest:
            message = f"the bytes have the digest `{digest}`; `{reference.digest}` is required"
            raise ContainerError("container.digest-mismatch", message, found.path)

    def read(self, reference: BlobReference) -> bytes:
        """Return the bytes; see `Blobs`."""
        return b"".join(self.chunks(reference))

    def probe(self, reference: BlobReference) -> None:
        """Check that bytes of that size are there; see `Blobs`."""
        self._found(reference)

    def _found(self, reference: BlobReference) -> Found:
        if reference.size > self.limits.blob_bytes:
            message = f"the blob has {reference.size} bytes; the limit is {self.limits.blob_bytes}"
            raise ContainerError("limit.blob-bytes", message, _place(reference))
        found = self.finder.find(reference)
        if found is None:
            message = f"no bytes of the digest `{reference.digest}` are there"
            raise ContainerError("container.missing-blob", message, _place(reference))
        if found.size != reference.size:
            raise _wrong_size(reference, found.size, found.path)
        return found


def _place(reference: BlobReference) -> Path:
    names = named_by_digest(reference)
    return place_of(names[0]) if names else ROOT


def _wrong_size(reference: BlobReference, size: int, path: Path) -> ContainerError:
    message = f"`{size}` bytes are there; {reference.size} are required"
    return ContainerError("container.size-mismatch", message, path)


@dataclass(frozen=True, slots=True)
class MemoryFinder:
    """Bytes by digest."""

    contents: Mapping[str, bytes]

    def find(self, reference: BlobReference) -> Found | None:
        """Return the bytes that were given for the digest."""
        data = self.contents.get(reference.digest)
        return None if data is None else _Memory(data, _place(reference))


@dataclass(frozen=True, slots=True)
class _Memory:
    data: bytes
    path: Path

    @property
    def size(self) -> int:
        return len(self.data)

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        yield io.BytesIO(self.data)


@dataclass(frozen=True, slots=True)
class NamedFileFinder:
    """Files that the user named, by digest. ``files`` are absolute names, which may be links."""

    files: Mapping[str, str]

    def find(self, reference: BlobReference) -> Found | None:
        """Return the file that was given for the digest."""
        name = self.files.get(reference.digest)
        if name is None:
            return None
        try:
            return _Range(name, name, Extent(0, os.stat(name).st_size))  # noqa: PTH116
        except OSError as error:
            raise unreadable(name, error, _place(reference)) from error


@dataclass(frozen=True, slots=True)
class FileFinder:
    """Files below a directory, by the first name of a reference that one of them has."""

    root: Root
    names: Callable[[BlobReference], tuple[str, ...]]

    def find(self, reference: BlobReference) -> Found | None:
        """Return the file, opened once to see that it may be used."""
        for name in self.names(reference):
            stream = self.root.open(name)
            if stream is not None:
                with stream:
                    return _File(self.root, name, stream.seek(0, os.SEEK_END))
        return None


@dataclass(frozen=True, slots=True)
class _File:
    root: Root
    name: str
    size: int

    @property
    def path(self) -> Path:
        return place_of(self.name)

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        stream = self.root.open(self.name)
        if stream is None:
            raise ContainerError("container.missing-blob", "the file was removed meanwhile", self.path)
        with stream:
            yield stream


@dataclass(frozen=True, slots=True)
class Extent:
    """A contiguous range of bytes of an archive file."""

    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class RangeFinder:
    """Members of an archive that are stored as they are, by the first name of a reference that one has.

    ``archive`` is an absolute file name.
    """

    archive: str
    members: Mapping[str, Extent]
    names: Callable[[BlobReference], tuple[str, ...]]

    def find(self, reference: BlobReference) -> Found | None:
        """Return the range of the member."""
        for name in self.names(reference):
            extent = self.members.get(name)
            if extent is not None:
                return _Range(self.archive, name, extent)
        return None


@dataclass(frozen=True, slots=True)
class _Range:
    archive: str
    name: str
    extent: Extent

    @property
    def path(self) -> Path:
        return place_of(self.name)

    @property
    def size(self) -> int:
        return self.extent.size

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        with open(self.archive, "rb") as stream:  # noqa: PTH123  (pathlib costs start-up time)
            stream.seek(self.extent.offset)
            yield stream


@dataclass(frozen=True, slots=True)
class ChainedBlobs:
    """Several `Blobs`: the first in which the bytes are not missing answers."""

    links: tuple[Blobs, ...]

    def chunks(self, reference: BlobReference) -> Iterator[bytes]:
        """Yield the bytes in pieces of bounded size; see `Blobs`."""
        return self._holder(reference).chunks(reference)

    def read(self, reference: BlobReference) -> bytes:
        """Return the bytes; see `Blobs`."""
        return self._holder(reference).read(reference)

    def probe(self, reference: BlobReference) -> None:
        """Check that bytes of that size are there; see `Blobs`."""
        self._holder(reference)

    def _holder(self, reference: BlobReference) -> Blobs:
        missing = ContainerError(
            "container.missing-blob",
            f"no bytes of the digest `{reference.digest}` are there",
            _place(reference),
        )
        for link in self.links:
            try:
                link.probe(reference)
            except ContainerError as error:
                if error.code != "container.missing-blob":
                    raise
                missing = error
            else:
                return link
        raise missing


def memory_blobs(contents: Mapping[str, bytes], limits: Limits) -> ProvenBlobs:
    """Return blobs in memory, by digest."""
    return ProvenBlobs(MemoryFinder(contents), limits)


def file_blobs(files: Mapping[str, str], limits: Limits) -> ProvenBlobs:
    """Return files by digest; their names are absolute."""
    return ProvenBlobs(NamedFileFinder(files), limits)


def layout_blobs(root: Root, limits: Limits) -> ProvenBlobs:
    """Return the blobs of an OCI image layout that is a directory."""
    return ProvenBlobs(FileFinder(root, named_by_digest), limits)


def folder_blobs(root: Root, limits: Limits) -> ProvenBlobs:
    """Return the files of a folder: by location, then where an OCI image layout has blobs."""
    return ProvenBlobs(FileFinder(root, named_by_location), limits)
