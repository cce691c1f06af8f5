"""What an OCI image layout of a package consists of: its metadata, and the order of its members.

See `docs/package-container.md`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from interlock.hashing import is_digest, sha256_digest
from interlock.package.blobs import BLOBS_FOLDER, blob_name
from interlock.package.container import ContainerError
from interlock.package.metadata import check_metadata_size, place_of
from interlock.package.references import MEDIA_TYPES, blob_uses

if TYPE_CHECKING:
    from collections.abc import Iterable

    from execgraph.v1.blob_pb2 import BlobReference
    from execgraph.v1.package_pb2 import Package
    from interlock.document import Document
    from interlock.limits import Limits
    from interlock.package.references import Use

LAYOUT_FILE: Final = "oci-layout"
INDEX_FILE: Final = "index.json"
LAYOUT_VERSION: Final = "1.0.0"
PACKAGE_TYPE: Final = "application/vnd.execgraph.package.v1"
DOCUMENT_TYPE: Final = "application/vnd.execgraph.package.v1+protobuf"
MANIFEST_TYPE: Final = "application/vnd.oci.image.manifest.v1+json"
INDEX_TYPE: Final = "application/vnd.oci.image.index.v1+json"
EMPTY_TYPE: Final = "application/vnd.oci.empty.v1+json"
TAG_KEY: Final = "org.opencontainers.image.ref.name"
SCHEMA_VERSION: Final = 2

_EMPTY: Final = b"{}"
_TAG: Final = re.compile(r"[A-Za-z0-9]+(?:(?:[-._:@+/]|--)[A-Za-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Layout:
    """All members of a layout: small ones as bytes, blobs as the place that refers to them.

    Members are in bytewise order of their names, which is the order of a tar file.
    """

    members: tuple[tuple[str, bytes | Use], ...]
    manifest_digest: str


def is_tag(text: str) -> bool:
    """Tell whether a text may be the tag of a package, as the image-spec spells `ref.name`."""
    return len(text) <= 255 and _TAG.fullmatch(text) is not None


def plan_layout(document: Document, package: Package, tag: str | None, limits: Limits) -> Layout:
    """Return the layout of a package.

    Raises:
        ContainerError: `container.missing-blob`: a place states no digest; `container.size-mismatch`: two
        places state different sizes for one digest;
        `limit.metadata-bytes`: there are too many blobs for one manifest.
    """
    uses = _distinct(blob_uses(package))
    layers = [_descriptor(use.media_type, use.reference.digest, use.reference.size) for use in uses]
    small = {blob_name(document.digest): document.binary}
    if not layers:
        layers = [_descriptor(EMPTY_TYPE, sha256_digest(_EMPTY), len(_EMPTY))]
        small[blob_name(sha256_digest(_EMPTY))] = _EMPTY
    manifest = _canonical_json(
        {
            "artifactType": PACKAGE_TYPE,
            "config": _descriptor(DOCUMENT_TYPE, document.digest, len(document.binary)),
            "layers": layers,
            "mediaType": MANIFEST_TYPE,
            "schemaVersion": SCHEMA_VERSION,
        }
    )
    digest = sha256_digest(manifest)
    check_metadata_size(len(manifest), place_of(blob_name(digest)), limits)
    small[blob_name(digest)] = manifest
    small[INDEX_FILE] = _index(digest, len(manifest), tag)
    small[LAYOUT_FILE] = _canonical_json({"imageLayoutVersion": LAYOUT_VERSION})
    members: dict[str, bytes | Use] = {blob_name(use.reference.digest): use for use in uses}
    members.update(small)
    return Layout(tuple(sorted(members.items(), key=lambda member: member[0])), digest)


def _index(digest: str, size: int, tag: str | None) -> bytes:
    descriptor = {**_descriptor(MANIFEST_TYPE, digest, size), "artifactType": PACKAGE_TYPE}
    if tag is not None:
        descriptor["annotations"] = {TAG_KEY: tag}
    return _canonical_json(
        {"manifests": [descriptor], "mediaType": INDEX_TYPE, "schemaVersion": SCHEMA_VERSION}
    )


def _distinct(uses: Iterable[Use]) -> list[Use]:
    """Return one use of each digest, in ascending order, with the media type that stands first."""
    distinct: dict[str, Use] = {}
    for use in uses:
        if not is_digest(use.reference.digest):
            message = f"`{use.reference.digest[:100]}` is no digest, so that no bytes have it"
            raise ContainerError("container.missing-blob", message, use.path)
        known = distinct.setdefault(use.reference.digest, use)
        if known.reference.size != use.reference.size:
            raise _contradiction(known.reference, use)
        if MEDIA_TYPES.index(use.media_type) < MEDIA_TYPES.index(known.media_type):
            distinct[use.reference.digest] = use
    return [distinct[digest] for digest in sorted(distinct)]


def _contradiction(known: BlobReference, use: Use) -> ContainerError:
    message = (
        f"`{use.reference.size}` bytes are stated for `{known.digest}`; another place states {known.size}"
    )
    return ContainerError("container.size-mismatch", message, use.path)


def _descriptor(media_type: str, digest: str, size: int) -> dict[str, Any]:
    return {"digest": digest, "mediaType": media_type, "size": size}


def _canonical_json(value: Any) -> bytes:  # noqa: ANN401  (any JSON value)
    """Return canonical JSON (RFC 8785). All names and strings of a layout are ASCII, all numbers whole."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode("ascii")


FOLDERS: Final = ("blobs", BLOBS_FOLDER)
"""The folders of a layout that is a directory, in the order in which they are made."""
