"""The native container: an OCI image layout, as a directory or as one tar file.

`docs/package-container.md` says what is written and what is read.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

from interlock.diagnostic import ROOT
from interlock.errors import CodecError
from interlock.hashing import is_digest
from interlock.limits import DEFAULT_LIMITS
from interlock.package.blobs import ProvenBlobs, RangeFinder, layout_blobs, named_by_digest
from interlock.package.container import Container, ContainerError
from interlock.package.layout import (
    DOCUMENT_TYPE,
    FOLDERS,
    INDEX_FILE,
    INDEX_TYPE,
    LAYOUT_FILE,
    LAYOUT_VERSION,
    MANIFEST_TYPE,
    PACKAGE_TYPE,
    SCHEMA_VERSION,
    TAG_KEY,
    is_tag,
    plan_layout,
)
from interlock.package.metadata import Record, check_metadata_size, malformed, place_of
from interlock.package.paths import Root, unreadable
from interlock.package.references import chunks_at
from interlock.package.staging import staged
from interlock.package.tarball import END, header, looks_like_tar, padding, read_members

if TYPE_CHECKING:
    from typing import BinaryIO

    from execgraph.v1.blob_pb2 import BlobReference
    from execgraph.v1.package_pb2 import Package
    from interlock.document import Document
    from interlock.limits import Limits
    from interlock.package.blobs import Extent
    from interlock.package.container import Blobs
    from interlock.package.layout import Layout
    from interlock.package.references import Use

FORMAT = "oci-layout"

_SHOWN_TAGS = 10
_SHOWN_CHARACTERS = 255
"""How much a sentence shows of the tags of an index, which may have any length."""

_FIRST_MEMBERS = (b"blobs/", b"index.json\0", b"oci-layout\0")
"""What the first name in the tar file of a layout starts with."""


class _Files(Protocol):
    """The metadata files of a layout, whether it is a directory or an archive."""

    def read_metadata(self, name: str, limits: Limits) -> bytes | None:
        """Return the bytes of a file; None where there is none."""


@dataclass(frozen=True, slots=True)
class _Archive:
    name: str
    members: dict[str, Extent]

    def read_metadata(self, name: str, limits: Limits) -> bytes | None:
        extent = self.members.get(name)
        if extent is None:
            return None
        check_metadata_size(extent.size, place_of(name), limits)
        try:
            with open(self.name, "rb") as stream:  # noqa: PTH123  (pathlib costs start-up time)
                stream.seek(extent.offset)
                return stream.read(extent.size)
        except OSError as error:
            raise unreadable(self.name, error, place_of(name)) from error


@dataclass(frozen=True, slots=True)
class Descriptor:
    """What an index or a manifest says of a blob."""

    media_type: str
    reference: BlobReference
    artifact_type: str
    tag: str | None
    record: Record


@dataclass(frozen=True, slots=True)
class OpenLayout:
    """An open layout.

    Attributes:
        container: The package in it.
        manifest_digest: The digest of the manifest, by which registries know the package.
        tag: The tag of the package, if it has one.
        is_archive: Whether it is a tar file.
        is_alone: Whether the index holds nothing else.
    """

    container: Container
    manifest_digest: str
    tag: str | None
    is_archive: bool
    is_alone: bool


def read_layout(
    path: str | os.PathLike[str], *, tag: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> Container:
    """Open an OCI image layout. Its document is read and hashed; the other blobs are when they are used.

    Args:
        path: The directory or the tar file.
        tag: Which package, where the index holds several.
        limits: What it may cost.

    Raises:
        ContainerError: A code of `docs/package-container.md`.
        CodecError: The document in it is refused.
    """
    return open_layout(path, tag=tag, limits=limits).container


def open_layout(
    path: str | os.PathLike[str], *, tag: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> OpenLayout:
    """Open an OCI image layout, and tell what its index says of the package; see `read_layout`."""
    source = os.fspath(path)
    files, blobs = _open(source, limits)
    _check_layout_file(files, limits)
    index = _index(files, limits)
    descriptor, manifest = _manifest(index, blobs, tag, limits)
    container = Container(FORMAT, source, _document(manifest, blobs, limits), blobs)
    return OpenLayout(
        container,
        manifest_digest=descriptor.reference.digest,
        tag=descriptor.tag,
        is_archive=isinstance(files, _Archive),
        is_alone=len(index.array("manifests")) == 1,
    )


def _open(source: str, limits: Limits) -> tuple[_Files, Blobs]:
    if os.path.isdir(source):  # noqa: PTH112  (pathlib costs start-up time)
        root = Root.at(source)
        return root, layout_blobs(root, limits)
    absolute = os.path.abspath(source)  # noqa: PTH100
    try:
        with open(absolute, "rb") as stream:  # noqa: PTH123
            if not looks_like_tar(stream.read(512)):
                raise ContainerError("container.unknown-format", "the file is no tar file")
            members = read_members(stream, limits)
    except OSError as error:
        raise unreadable(source, error, ROOT) from error
    return _Archive(absolute, members), ProvenBlobs(RangeFinder(absolute, members, named_by_digest), limits)


def _check_layout_file(files: _Files, limits: Limits) -> None:
    record = Record.parse(_required(files, LAYOUT_FILE, limits), LAYOUT_FILE, limits)
    record.require("imageLayoutVersion", LAYOUT_VERSION)


def _required(files: _Files, name: str, limits: Limits) -> bytes:
    data = files.read_metadata(name, limits)
    if data is None:
        raise malformed(f"the file `{name}` is missing", place_of(name))
    return data


def _index(files: _Files, limits: Limits) -> Record:
    index = Record.parse(_required(files, INDEX_FILE, limits), INDEX_FILE, limits)
    index.require("schemaVersion", SCHEMA_VERSION)
    if index.has("mediaType"):
        index.require("mediaType", INDEX_TYPE)
    return index


def _manifest(index: Record, blobs: Blobs, tag: str | None, limits: Limits) -> tuple[Descriptor, Record]:
    """Return the one manifest of a package, or of the package of that tag."""
    # An index can name one manifest many times, which is read once.
    named: dict[tuple[str, int], list[Descriptor]] = {}
    for one in [descriptor_of(record) for record in index.records("manifests")]:
        if _may_be_package(one, tag):
            named.setdefault((one.reference.digest, one.reference.size), []).append(one)
    found: list[tuple[Descriptor, Record]] = []
    damage: ContainerError | None = None
    for descriptors in named.values():
        is_stated = any(one.artifact_type for one in descriptors)
        try:
            manifest = _read_manifest(descriptors[0], blobs, limits)
        except ContainerError as error:
            if is_stated:  # it is said to be a package
                raise
            damage = damage or error
        else:
            if is_stated or _is_package(manifest):
                found.append((descriptors[0], manifest))
    if not found and damage is not None:
        raise damage
    return _only(found, tag)


def _may_be_package(descriptor: Descriptor, tag: str | None) -> bool:
    is_named = tag is None or descriptor.tag == tag
    is_manifest = descriptor.media_type == MANIFEST_TYPE
    return is_named and is_manifest and descriptor.artifact_type in {"", PACKAGE_TYPE}


def _read_manifest(descriptor: Descriptor, blobs: Blobs, limits: Limits) -> Record:
    reference = descriptor.reference
    name = named_by_digest(reference)[0]
    check_metadata_size(reference.size, place_of(name), limits)
    return Record.parse(blobs.read(reference), name, limits)


def _is_package(manifest: Record) -> bool:
    config = manifest.members.get("config")
    stated = config.get("mediaType") if isinstance(config, dict) else None
    return manifest.members.get("artifactType") == PACKAGE_TYPE or stated == DOCUMENT_TYPE


def _only(found: list[tuple[Descriptor, Record]], tag: str | None) -> tuple[Descriptor, Record]:
    where = "" if tag is None else f" with the tag `{tag}`"
    if not found:
        message = f"the index holds no manifest of a package{where}"
        raise ContainerError("container.missing-manifest", message, place_of(INDEX_FILE))
    if len(found) > 1:
        stated = [f"`{one.tag[:_SHOWN_CHARACTERS]}`" for one, _ in found if one.tag is not None]
        tags = ", ".join(stated[:_SHOWN_TAGS])
        tags += f" and {len(stated) - _SHOWN_TAGS} more" if len(stated) > _SHOWN_TAGS else ""
        advice = "" if tag is not None or not tags else f"; name the tag of one: {tags}"
        message = f"the index holds {len(found)} packages{where}{advice}"
        raise ContainerError("container.ambiguous-manifest", message, place_of(INDEX_FILE))
    return found[0]


def descriptor_of(record: Record) -> Descriptor:
    """Read a descriptor.

    Raises:
        ContainerError: `container.malformed`.
    """
    from execgraph.v1.blob_pb2 import BlobReference  # noqa: PLC0415  (start-up)

    digest = record.text("digest")
    if not is_digest(digest):
        message = f"`{digest[:100]}` is no digest; `sha256:` and 64 hexadecimal digits are required"
        raise malformed(message, record.place("digest"))
    annotations = record.optional_record("annotations")
    tag = annotations.text(TAG_KEY) if annotations is not None and annotations.has(TAG_KEY) else None
    reference = BlobReference(digest=digest, size=record.count("size"))
    artifact_type = record.text("artifactType", "")
    return Descriptor(record.text("mediaType"), reference, artifact_type, tag, record)


def _document(manifest: Record, blobs: Blobs, limits: Limits) -> Document:
    from interlock.codec import decode  # noqa: PLC0415  (start-up)
    from interlock.codec.encoding import Encoding  # noqa: PLC0415

    manifest.require("schemaVersion", SCHEMA_VERSION)
    config = descriptor_of(manifest.record("config"))
    config.record.require("mediaType", DOCUMENT_TYPE)
    size = config.reference.size
    if size > limits.document_bytes:
        text = f"the document is {size} bytes long; the limit is {limits.document_bytes}"
        raise CodecError("limit.document-bytes", text)
    data = blobs.read(config.reference)
    return decode(data, encoding=Encoding.BINARY, expected_kind="Package", limits=limits)


def write_layout(
    document: Document,
    blobs: Blobs,
    path: str | os.PathLike[str],
    *,
    tag: str | None = None,
    archive: bool | None = None,
    replace: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> str:
    """Write a package as an OCI image layout.

    It appears under its name only when it is complete. Every blob is copied and hashed.

    Args:
        document: The document, of the kind `Package`.
        blobs: Where the blobs are that it refers to.
        path: The product.
        tag: The tag, in the spelling that the image-spec has for names of references.
        archive: Whether to write a tar file. Default: if the name ends with `.tar`.
        replace: Whether a layout that is there may be replaced. Anything else is never replaced.
        limits: What it may cost.

    Returns:
        The digest of the manifest, by which registries know the package.

    Raises:
        ContainerError: A blob cannot be used; the path is that of the document.
        FileExistsError: Something of that name is there.
        OSError: The system refuses to write.
        ValueError: The document is no package, or the tag is malformed.
    """
    if document.kind != "Package":
        raise ValueError(f"a `Package` is required, not `{document.kind}`")
    if tag is not None and not is_tag(tag):
        raise ValueError(f"`{tag}` is no tag: letters and digits with one of `-._:@+/` between them")
    layout = plan_layout(document, cast("Package", document.message), tag, limits)
    target = os.fspath(path)
    with staged(target, replace=replace, is_ours=is_layout) as temporary:
        if target.endswith(".tar") if archive is None else archive:
            _write_tar(layout, blobs, temporary)
        else:
            _write_folder(layout, blobs, temporary)
    return layout.manifest_digest


def is_layout(path: str) -> bool:
    """Tell whether a layout is there, as far as a first look goes."""
    if os.path.islink(path):  # noqa: PTH114
        return False
    if os.path.isdir(path):  # noqa: PTH112
        return os.path.isfile(os.path.join(path, LAYOUT_FILE))  # noqa: PTH113, PTH118
    if not os.path.isfile(path):  # noqa: PTH113
        return False
    with open(path, "rb") as stream:  # noqa: PTH123
        start = stream.read(512)
    return looks_like_tar(start) and start.startswith(_FIRST_MEMBERS)


def _write_folder(layout: Layout, blobs: Blobs, target: str) -> None:
    for folder in ("", *FOLDERS):
        os.mkdir(os.path.join(target, folder) if folder else target)  # noqa: PTH102, PTH118
    for name, content in layout.members:
        with open(os.path.join(target, name), "xb") as stream:  # noqa: PTH118, PTH123
            _write_content(stream, content, blobs)


def _write_tar(layout: Layout, blobs: Blobs, target: str) -> None:
    with open(target, "xb") as stream:  # noqa: PTH123
        for name, content in layout.members:
            size = len(content) if isinstance(content, bytes) else content.reference.size
            try:
                stream.write(header(name, size))
            except ValueError as error:
                path = place_of(name) if isinstance(content, bytes) else content.path
                raise ContainerError("limit.blob-bytes", str(error), path) from None
            _write_content(stream, content, blobs)
            stream.write(padding(size))
        stream.write(END)


def _write_content(stream: BinaryIO, content: bytes | Use, blobs: Blobs) -> None:
    if isinstance(content, bytes):
        stream.write(content)
        return
    stream.writelines(chunks_at(content, blobs))
