"""Writing a package in one call."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from interlock.limits import DEFAULT_LIMITS
from interlock.package.edit import packed, unlocated
from interlock.package.oci import write_layout

if TYPE_CHECKING:
    from interlock.document import Document
    from interlock.limits import Limits
    from interlock.package.container import Blobs


def write_package(
    document: Document,
    path: str | os.PathLike[str],
    *,
    blobs: Blobs | str | os.PathLike[str],
    tag: str | None = None,
    replace: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> Document:
    """Put a package document and the blobs it refers to into one container: an OCI image layout.

    Args:
        document: The document, of the kind `Package`.
        path: The container: a tar file if the name ends with `.tar`, else a directory. It appears only when
            it is complete.
        blobs: The folder that locations in the document are relative to, where digests and sizes that it does
            not state are taken from the files; or an object that has the blobs, such as ``.blobs`` of an open
            container.
        tag: The tag, such as `1.0`.
        replace: Whether a layout that is there may be replaced.
        limits: What it may cost.

    Returns:
        The document as it is in the container: with digests, without locations.

    Raises:
        ContainerError: A blob cannot be used; the path is that of the document.
        FileExistsError: Something of that name is there.
        OSError: The system refuses to write.
        TypeError: The document is no package.
        ValueError: The tag is malformed.
    """
    if isinstance(blobs, str | os.PathLike):
        assembly = packed(document, blobs, limits)
        document, blobs = assembly.document, assembly.blobs
    else:
        document = unlocated(document)
    write_layout(document, blobs, path, tag=tag, replace=replace, limits=limits)
    return document
