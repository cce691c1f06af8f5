"""What every container is to its readers: a document, blobs by digest and size, and what it declares.

The formats live in modules of their own; `interlock.package.opening` tells them apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from interlock.diagnostic import ROOT, Diagnostic, Path, Severity
from interlock.errors import InterlockError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from execgraph.v1.blob_pb2 import BlobReference
    from interlock.diagnostic import Unverified
    from interlock.document import Document
    from interlock.package.facts import ModuleFacts


class ContainerError(InterlockError):
    """A container, or a blob in it, that cannot be used: exactly one finding."""

    def __init__(self, code: str, message: str, path: Path = ROOT, byte_offset: int | None = None) -> None:
        super().__init__(Diagnostic(code, Severity.ERROR, path, message, byte_offset=byte_offset))


class Blobs(Protocol):
    """Bytes by digest and size. A location is a hint at most; what it leads to is hashed like anything else.

    Every method raises `ContainerError`: `container.missing-blob`, `container.size-mismatch`,
    `container.digest-mismatch`, `container.unsafe-path`, `container.link`, `container.unreadable` or
    `limit.blob-bytes`.
    """

    def chunks(self, reference: BlobReference) -> Iterator[bytes]:
        """Yield the bytes in pieces of bounded size. The digest is proven when the last was yielded."""

    def read(self, reference: BlobReference) -> bytes:
        """Return the bytes, whose digest and size were proven."""

    def probe(self, reference: BlobReference) -> None:
        """Check that bytes of that size are there, without reading them."""


@dataclass(frozen=True, slots=True)
class Container:
    """An open container.

    Attributes:
        format: Which one: ``oci-layout``, ``folder``, ``cglb``, ``crosstl``.
        source: Where it is, as the caller named it.
        document: The package document it holds, or for a foreign format the one that its manifest amounts to,
            in which all names map to themselves; None for a plain folder.
        blobs: The bytes in it.
        declared: For a foreign format, what its manifest says about the interface of the bytes of a digest,
            in their own names; more than one where several records of the manifest speak of one digest.
        diagnostics: What opening it found beside that. An error keeps everything in it from being ready.
        unverified: What its format cannot prove, with the reason.
    """

    format: str
    source: str
    document: Document | None
    blobs: Blobs
    declared: Mapping[str, tuple[ModuleFacts, ...]] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    unverified: tuple[Unverified, ...] = ()
