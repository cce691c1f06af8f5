"""Making and changing packages: each function returns a new package and leaves the old one as it is."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from execgraph.v1.blob_pb2 import BlobReference
from execgraph.v1.graph_pb2 import ExecutionGraph
from execgraph.v1.package_pb2 import Package
from interlock.diagnostic import ROOT, Diagnostic, Severity
from interlock.document import Document
from interlock.errors import TransformFailure
from interlock.limits import DEFAULT_LIMITS
from interlock.package.blobs import (
    CHUNK_BYTES,
    ChainedBlobs,
    FileFinder,
    ProvenBlobs,
    memory_blobs,
    named_by_digest,
)
from interlock.package.container import ContainerError
from interlock.package.entries import candidates
from interlock.package.paths import Root, unreadable
from interlock.package.references import blob_uses

if TYPE_CHECKING:
    from typing import BinaryIO

    from execgraph.v1.graph_pb2 import GraphArtifact
    from execgraph.v1.interface_pb2 import Interface
    from execgraph.v1.package_pb2 import Artifact, PackagedGraph, Variant
    from interlock.diagnostic import Path
    from interlock.limits import Limits
    from interlock.package.container import Blobs
    from interlock.package.references import Use

MOST_NAMED = 10
"""How many variants a sentence names."""
_EMPTY_DIGEST = f"sha256:{hashlib.sha256().hexdigest()}"


@dataclass(frozen=True, slots=True)
class Assembly:
    """A package document, and where the blobs are that it refers to."""

    document: Document
    blobs: Blobs

    @property
    def package(self) -> Package:
        """The message of the document, which is not to be changed."""
        return cast("Package", self.document.message)

    def copy(self) -> Package:
        """Return a message that may be changed."""
        package = Package()
        package.CopyFrom(self.package)
        return package


def created(package_id: str, limits: Limits = DEFAULT_LIMITS) -> Assembly:
    """Return a package of that name with nothing in it."""
    return Assembly(Document.from_message(Package(id=package_id)), memory_blobs({}, limits))


def packed(document: Document, folder: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> Assembly:
    """Return a package as a container holds it, of a document whose blobs are files.

    Where a reference states a location and no digest, both digest and size are those of the file. Locations
    are taken out: a container finds blobs by digest.

    Args:
        document: The document, of the kind `Package`.
        folder: What locations are relative to. A blob without one is looked for as `blobs/sha256/<hex>`.
        limits: What it may cost.

    Raises:
        ContainerError: A location is unsafe, or nothing usable is there; the path is that of the document.
        TypeError: The document is no package.
    """
    if not isinstance(document.message, Package):
        raise TypeError(f"a `Package` is required, not `{document.kind}`")
    package = Package()
    package.CopyFrom(document.message)
    root = Root.at(folder)
    locations: dict[str, tuple[str, ...]] = {}
    for use in blob_uses(package):
        reference = use.reference
        location = reference.location
        if location and (not reference.digest or _lacks_size(reference)):
            _measure(root, use, limits)
        _check_digest(use)
        if location and location not in locations.get(reference.digest, ()):
            locations[reference.digest] = (*locations.get(reference.digest, ()), location)
        reference.ClearField("location")

    def names(reference: BlobReference) -> tuple[str, ...]:
        return (*locations.get(reference.digest, ()), *named_by_digest(reference))

    return Assembly(Document.from_message(package), ProvenBlobs(FileFinder(root, names), limits))


def unlocated(document: Document) -> Document:
    """Return a package document without locations, as a container holds it.

    Raises:
        ContainerError: `container.missing-blob`: a reference states no digest; the path is that of the
        document.
        TypeError: The document is no package.
    """
    if not isinstance(document.message, Package):
        raise TypeError(f"a `Package` is required, not `{document.kind}`")
    package = Package()
    package.CopyFrom(document.message)
    for use in blob_uses(package):
        _check_digest(use)
        use.reference.ClearField("location")
    return Document.from_message(package)


def _check_digest(use: Use) -> None:
    if not use.reference.digest:
        message = "the reference states no digest, and no file from which it could be taken"
        raise ContainerError("container.missing-blob", message, use.path)


def _lacks_size(reference: BlobReference) -> bool:
    return reference.size == 0 and reference.digest != _EMPTY_DIGEST


def _measure(root: Root, use: Use, limits: Limits) -> None:
    """Fill in what a reference does not say of the file that it names."""
    reference = use.reference
    try:
        with _opened(root, reference.location) as stream:
            measured = measure(stream.fileno(), reference.location, limits)
    except ContainerError as error:
        raise ContainerError(error.code, error.diagnostics[0].message, use.path) from error
    reference.digest = reference.digest or measured.digest
    reference.size = measured.size


def _opened(root: Root, location: str) -> BinaryIO:
    stream = root.open(location)
    if stream is None:
        raise ContainerError("container.missing-blob", f"there is no file `{location}`")
    return stream


def measure(descriptor: int, name: str, limits: Limits) -> BlobReference:
    """Return the digest and size of an open file, from where it stands to its end.

    Raises:
        ContainerError: `container.unreadable` or `limit.blob-bytes`.
    """
    hashed = hashlib.sha256()
    size = 0
    try:
        while chunk := os.read(descriptor, CHUNK_BYTES):
            hashed.update(chunk)
            size += len(chunk)
            if size > limits.blob_bytes:
                message = f"`{name}` has more than {limits.blob_bytes} bytes, the limit"
                raise ContainerError("limit.blob-bytes", message)
    except OSError as error:
        raise unreadable(name, error, ROOT) from error
    return BlobReference(digest=f"sha256:{hashed.hexdigest()}", size=size)


def with_variant(
    assembly: Assembly,
    artifact_id: str,
    variant: Variant,
    blobs: Blobs,
    *,
    interface: Interface | None = None,
    replace: bool = False,
) -> Assembly:
    """Return a package with a variant added, and its artifact if there is none of that name.

    Args:
        assembly: The package.
        artifact_id: The artifact.
        variant: The variant, whose blob states digest and size.
        blobs: Where that blob is.
        interface: What the artifact offers. Default: what the package says of it.
        replace: Whether a variant of the same target and name may be replaced.

    Raises:
        CodecError: `canonical.duplicate-key`: there is a variant of that target and name.
    """
    package = assembly.copy()
    artifact = next((one for one in package.artifacts if one.id == artifact_id), None)
    if artifact is None:
        artifact = package.artifacts.add(id=artifact_id)
    if replace:
        key = (variant.target, variant.name)
        kept = [one for one in artifact.variants if (one.target, one.name) != key]
        del artifact.variants[:]
        artifact.variants.extend(kept)
    artifact.variants.append(variant)
    artifact.variants[-1].blob.ClearField("location")
    if interface is not None:
        artifact.interface.CopyFrom(interface)
    return Assembly(Document.from_message(package), ChainedBlobs((blobs, assembly.blobs)))


def parse_interface(data: bytes, limits: Limits = DEFAULT_LIMITS) -> Interface:
    """Return an interface that is written in protobuf text.

    It is read as that of the one artifact of a package, so that every check of documents applies.

    Raises:
        CodecError: It is refused; the paths are those of the package.
    """
    from interlock.codec import decode  # noqa: PLC0415  (only where an interface is given)
    from interlock.codec.encoding import Encoding  # noqa: PLC0415

    text = b'id: "x" artifacts { id: "x" interface {\n' + data + b"\n} }\n"
    package = Package.DESCRIPTOR.full_name
    document = decode(
        text, encoding=Encoding.TEXT, expected_kind="Package", limits=limits, root_message=package
    )
    return cast("Package", document.message).artifacts[0].interface


def with_graph(
    assembly: Assembly,
    graph: Document,
    *,
    embed: bool = False,
    replace: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> Assembly:
    """Return a package with a graph added: as a blob of its own, or embedded in the document.

    Raises:
        CodecError: `canonical.duplicate-key`: there is a graph of that id, and it is not to be replaced.
        TypeError: The document is no graph.
    """
    if not isinstance(graph.message, ExecutionGraph):
        raise TypeError(f"an `ExecutionGraph` is required, not `{graph.kind}`")
    package = assembly.copy()
    graph_id = graph.message.id
    if replace:
        kept = [one for one in package.graphs if one.id != graph_id]
        del package.graphs[:]
        package.graphs.extend(kept)
    entry = package.graphs.add(id=graph_id)
    _set_source(entry, graph, embed=embed)
    blobs = memory_blobs({graph.digest: graph.binary}, limits)
    return Assembly(Document.from_message(package), ChainedBlobs((blobs, assembly.blobs)))


def _set_source(entry: PackagedGraph, graph: Document, *, embed: bool) -> None:
    if embed:
        entry.source.embedded = graph.binary
    else:
        entry.source.reference.CopyFrom(BlobReference(digest=graph.digest, size=len(graph.binary)))


def packaged_graph(assembly: Assembly, index: int, limits: Limits = DEFAULT_LIMITS) -> Document:
    """Return the graph at a position of the package.

    Raises:
        ContainerError: Its bytes cannot be used.
        CodecError: They are no graph.
    """
    from interlock.codec import decode  # noqa: PLC0415  (only for packages that have graphs)
    from interlock.codec.encoding import Encoding  # noqa: PLC0415

    entry = assembly.package.graphs[index]
    path = ROOT.element("graphs", index, entry.id).field("source")
    if entry.source.WhichOneof("source") == "reference":
        try:
            data = assembly.blobs.read(entry.source.reference)
        except ContainerError as error:
            where = path.field("reference")
            raise ContainerError(error.code, error.diagnostics[0].message, where) from error
    else:
        data = entry.source.embedded
    return decode(data, encoding=Encoding.BINARY, expected_kind="ExecutionGraph", limits=limits)


def with_pins(assembly: Assembly, limits: Limits = DEFAULT_LIMITS) -> Assembly:
    """Return a package whose graphs pin the variants that it has. See `pinned`.

    Raises:
        ContainerError: The bytes of a graph cannot be used.
        CodecError: They are no graph.
        TransformFailure: As `pinned`; the paths are those of the graph.
    """
    package = assembly.copy()
    contents: dict[str, bytes] = {}
    for index, entry in enumerate(package.graphs):
        graph = pinned(packaged_graph(assembly, index, limits), assembly.package)
        embed = entry.source.WhichOneof("source") == "embedded"
        _set_source(entry, graph, embed=embed)
        contents[graph.digest] = graph.binary
    blobs = ChainedBlobs((memory_blobs(contents, limits), assembly.blobs))
    return Assembly(Document.from_message(package), blobs)


def pinned(graph: Document, package: Package) -> Document:
    """Return a graph whose artifact table pins the variants of a package, one a target.

    A target gets the pin of the variant that the graph runs there: the one that it pins already, or else the
    one without a name. All other pins that the graph has are replaced.

    Raises:
        TransformFailure: `pin.missing-artifact`: the package lacks an artifact of the graph;
        `pin.ambiguous-target`: it has several variants of one for one target, and nothing tells which. All
        of them are given.
        TypeError: The document is no graph.
    """
    if not isinstance(graph.message, ExecutionGraph):
        raise TypeError(f"an `ExecutionGraph` is required, not `{graph.kind}`")
    message = ExecutionGraph()
    message.CopyFrom(graph.message)
    artifacts = {artifact.id: artifact for artifact in package.artifacts}
    found: list[Diagnostic] = []
    for index, entry in enumerate(message.artifacts):
        path = ROOT.element("artifacts", index, entry.id)
        artifact = artifacts.get(entry.id)
        if artifact is None:
            text = f"the package has no artifact `{entry.id}`"
            found.append(Diagnostic("pin.missing-artifact", Severity.ERROR, path, text))
            continue
        chosen = _chosen(entry, artifact)
        del entry.pins[:]
        for target, variants in chosen.items():
            if len(variants) > 1:
                found.append(_ambiguity(entry.id, target, variants, path))
            entry.pins.add(target=target, digest=variants[0].blob.digest, size=variants[0].blob.size)
    if found:
        raise TransformFailure(*found)
    return Document.from_message(message)


def _chosen(entry: GraphArtifact, artifact: Artifact) -> dict[str, list[Variant]]:
    """Return the variants of an artifact that a graph may run, by target: one, unless nothing tells which."""
    digests = {pin.target: pin.digest for pin in entry.pins}
    positions: dict[str, list[int]] = {}
    for position, variant in enumerate(artifact.variants):
        positions.setdefault(variant.target, []).append(position)
    return {
        target: [
            artifact.variants[position]
            for position in candidates(artifact.variants, there, digests.get(target, ""))[0]
        ]
        for target, there in positions.items()
    }


def _ambiguity(artifact_id: str, target: str, variants: list[Variant], path: Path) -> Diagnostic:
    names = ", ".join(f"`{variant.name}`" for variant in variants[:MOST_NAMED])
    message = (
        f"`{artifact_id}` has {len(variants)} variants for the target `{target}`, {names}, and none without "
        f"a name; a graph pins one"
    )
    return Diagnostic("pin.ambiguous-target", Severity.ERROR, path, message)
