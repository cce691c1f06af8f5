"""The blobs that a package document refers to, with where it does and what they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from interlock.diagnostic import ROOT
from interlock.package.container import ContainerError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from execgraph.v1.blob_pb2 import BlobReference
    from execgraph.v1.package_pb2 import Package
    from interlock.diagnostic import Path
    from interlock.package.container import Blobs

GRAPH_TYPE: Final = "application/vnd.execgraph.graph.v1+protobuf"
PAYLOAD_TYPE: Final = "application/vnd.execgraph.payload.v1"
ARTIFACT_TYPE: Final = "application/vnd.execgraph.artifact.v1"
MEDIA_TYPES: Final = (GRAPH_TYPE, PAYLOAD_TYPE, ARTIFACT_TYPE)
"""A blob that is several of these has the type that stands first."""


@dataclass(frozen=True, slots=True)
class Use:
    """One place of a package document that refers to a blob."""

    path: Path
    reference: BlobReference
    media_type: str


def blob_uses(package: Package) -> Iterator[Use]:
    """Yield every place that refers to a blob, in the order of the document."""
    for at, artifact in enumerate(package.artifacts):
        path = ROOT.element("artifacts", at, artifact.id)
        for index, variant in enumerate(artifact.variants):
            where = path.element("variants", index).field("blob")
            yield Use(where, variant.blob, ARTIFACT_TYPE)
    for at, graph in enumerate(package.graphs):
        if graph.source.WhichOneof("source") == "reference":
            where = ROOT.element("graphs", at, graph.id).field("source").field("reference")
            yield Use(where, graph.source.reference, GRAPH_TYPE)
    for at, payload in enumerate(package.payloads):
        yield Use(ROOT.element("payloads", at).field("frame"), payload.frame, PAYLOAD_TYPE)


def chunks_at(use: Use, blobs: Blobs) -> Iterator[bytes]:
    """Yield the bytes of a blob. What is wrong with them is told at the place that refers to them.

    Raises:
        ContainerError: As `Blobs.chunks`.
    """
    chunks = iter(blobs.chunks(use.reference))
    while True:
        try:
            chunk = next(chunks, None)
        except ContainerError as error:
            found = error.diagnostics[0]
            message = f"{found.message} (`{found.path}`)" if found.path.steps else found.message
            raise ContainerError(error.code, message, use.path) from error
        if chunk is None:
            return
        yield chunk
