"""What a container holds, as plain values, and whether its bytes are what the document pins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from interlock.diagnostic import Diagnostic, Severity
from interlock.hashing import sha256_digest
from interlock.package.container import ContainerError
from interlock.package.references import blob_uses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from execgraph.v1.blob_pb2 import BlobReference
    from execgraph.v1.package_pb2 import Package, PackagedGraph
    from interlock.document import Document
    from interlock.package.container import Blobs, Container


def package_document(container: Container) -> Document:
    """Return the document of a container.

    Raises:
        ContainerError: `container.unknown-format`: it is a plain folder, which has none.
    """
    if container.document is None:
        message = "a plain folder holds no package document; `interlock pack` makes a package of one"
        raise ContainerError("container.unknown-format", message)
    return container.document


def damage(package: Package, blobs: Blobs) -> Iterator[Diagnostic]:
    """Hash every blob that a document refers to, once each; yield what is wrong where it is referred to."""
    proven: set[tuple[str, int]] = set()
    for use in blob_uses(package):
        key = (use.reference.digest, use.reference.size)
        if key in proven:
            continue
        try:
            for _ in blobs.chunks(use.reference):
                pass
        except ContainerError as error:
            yield Diagnostic(error.code, Severity.ERROR, use.path, error.diagnostics[0].message)
        else:
            proven.add(key)


def listing(container: Container) -> dict[str, Any]:
    """Return what a container holds, without reading its blobs: names, targets, digests, sizes.

    Raises:
        ContainerError: It is a plain folder.
    """
    document = package_document(container)
    package = cast("Package", document.message)
    return {
        "artifacts": [
            {
                "id": artifact.id,
                "variants": [
                    {
                        "contentType": {
                            "identity": variant.content_type.identity,
                            "version": variant.content_type.version,
                        },
                        "name": variant.name,
                        "target": variant.target,
                        **_blob(variant.blob),
                    }
                    for variant in artifact.variants
                ],
            }
            for artifact in package.artifacts
        ],
        "diagnostics": [plain_finding(one) for one in container.diagnostics],
        "digest": document.digest,
        "format": container.format,
        "graphs": [{"id": graph.id, **_graph(graph)} for graph in package.graphs],
        "id": package.id,
        "payloads": [
            {
                "format": {"identity": payload.format.identity, "version": payload.format.version},
                "graph": payload.graph,
                **_blob(payload.frame),
            }
            for payload in package.payloads
        ],
        "source": container.source,
    }


def plain_finding(found: Diagnostic) -> dict[str, Any]:
    """Return a finding as plain values."""
    return {
        "code": found.code,
        "message": found.message,
        "path": str(found.path),
        "severity": found.severity.name.lower(),
    }


def _graph(graph: PackagedGraph) -> dict[str, Any]:
    if graph.source.WhichOneof("source") == "reference":
        return {"embedded": False, **_blob(graph.source.reference)}
    data = graph.source.embedded
    return {"digest": sha256_digest(data), "embedded": True, "size": len(data)}


def _blob(reference: BlobReference) -> dict[str, Any]:
    return {"digest": reference.digest, "size": reference.size}
