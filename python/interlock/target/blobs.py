"""The bytes beside a document: found by digest, right by construction."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from execgraph.v1 import blob_pb2, module_pb2
from interlock.package.container import ContainerError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from execgraph.v1.blob_pb2 import BlobReference

    Bytes: TypeAlias = bytes | memoryview

CHUNK = 1 << 20


def digest_of(data: Bytes) -> str:
    """Return the digest of bytes, as documents spell it."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


class BlobStore(Mapping[str, memoryview]):
    """Blobs by digest, which never change. It is one of the `Blobs` of `interlock.package.container` too."""

    __slots__ = ("_blobs",)

    def __init__(self, blobs: Iterable[Bytes] = ()) -> None:
        """Hash each of them; bytes that may change are copied first."""
        self._blobs: dict[str, memoryview] = {}
        for blob in blobs:
            view = memoryview(blob).cast("B")
            if not view.readonly:
                view = memoryview(bytes(view))
            self._blobs[digest_of(view)] = view

    @classmethod
    def proven(cls, blobs: Mapping[str, memoryview]) -> BlobStore:
        """Make a store of blobs whose digests were computed from their bytes already."""
        store = cls()
        store._blobs = dict(blobs)
        return store

    def __getitem__(self, digest: str) -> memoryview:
        return self._blobs[digest]

    def __iter__(self) -> Iterator[str]:
        return iter(self._blobs)

    def __len__(self) -> int:
        return len(self._blobs)

    def __or__(self, other: BlobStore) -> BlobStore:
        return BlobStore.proven({**self._blobs, **other._blobs})

    def _find(self, reference: BlobReference) -> memoryview:
        found = self._blobs.get(reference.digest)
        if found is None:
            raise ContainerError(
                "container.missing-blob", f"there are no bytes of digest `{reference.digest}`"
            )
        if found.nbytes != reference.size:
            message = f"the blob is {found.nbytes} bytes long; `{reference.size}` are stated"
            raise ContainerError("container.size-mismatch", message)
        return found

    def read(self, reference: BlobReference) -> bytes:
        """Return the bytes of a reference.

        Raises:
            ContainerError: They are not here, or not of that size.
        """
        return bytes(self._find(reference))

    def chunks(self, reference: BlobReference) -> Iterator[bytes]:
        """Yield the bytes of a reference in pieces.

        Raises:
            ContainerError: They are not here, or not of that size.
        """
        view = self._find(reference)
        for start in range(0, view.nbytes, CHUNK):
            yield bytes(view[start : start + CHUNK])

    def probe(self, reference: BlobReference) -> None:
        """Check that bytes of that digest and size are here.

        Raises:
            ContainerError: They are not.
        """
        self._find(reference)


class BlobCollector:
    """Collects the blobs of modules, hashing each once."""

    def __init__(self) -> None:
        self._blobs: dict[str, memoryview] = {}

    def add(self, identity: str, version: int, data: Bytes) -> module_pb2.TypedBlob:
        """Keep bytes of a content type, and return what a module says of them."""
        view = memoryview(data).cast("B")
        if not view.readonly:
            view = memoryview(bytes(view))
        typed = typed_blob(identity, version, view)
        self._blobs[typed.blob.digest] = view
        return typed

    @property
    def store(self) -> BlobStore:
        """All that was kept."""
        return BlobStore.proven(self._blobs)


def store_of(blobs: BlobStore | Iterable[Bytes]) -> BlobStore:
    """Return a store as it is, or make one of bytes."""
    return blobs if isinstance(blobs, BlobStore) else BlobStore(blobs)


def typed_blob(identity: str, version: int, data: Bytes) -> module_pb2.TypedBlob:
    """Return what a module says of bytes of a content type."""
    view = memoryview(data)
    return module_pb2.TypedBlob(
        content_type=blob_pb2.ContentType(identity=identity, version=version),
        blob=blob_pb2.BlobReference(digest=digest_of(data), size=view.nbytes),
    )
