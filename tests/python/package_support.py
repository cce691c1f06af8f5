"""Small packages, written out, and what tests of containers share."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from execgraph.v1.package_pb2 import Package
from interlock.document import Document
from interlock.hashing import sha256_digest
from interlock.limits import DEFAULT_LIMITS
from interlock.package.blobs import memory_blobs
from interlock.package.oci import write_layout

if TYPE_CHECKING:
    from pathlib import Path

    from interlock.package.blobs import ProvenBlobs

KERNEL = b"kernel\n"
SOURCE = b"kernel source\n"
CONTENTS = {sha256_digest(data): data for data in (KERNEL, SOURCE)}
KERNEL_DIGEST, SOURCE_DIGEST = CONTENTS


def small_package() -> Document:
    """Return a package of one artifact with two variants."""
    package = Package(id="small")
    artifact = package.artifacts.add(id="k")
    for target, form, data in (("metal", "msl", SOURCE), ("vulkan", "spirv", KERNEL)):
        variant = artifact.variants.add(target=target)
        variant.content_type.identity = form
        variant.content_type.version = 1
        variant.blob.digest = sha256_digest(data)
        variant.blob.size = len(data)
    return Document.from_message(package)


def small_blobs() -> ProvenBlobs:
    return memory_blobs(CONTENTS, DEFAULT_LIMITS)


def write_small(path: Path, tag: str | None = None) -> str:
    """Write the small package and return the digest of its manifest."""
    return write_layout(small_package(), small_blobs(), path, tag=tag)


def files_below(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def require_tool(name: str) -> str:
    """Return the path of a program, or skip the test; where `INTERLOCK_REQUIRE_TOOLS` is 1, fail it."""
    found = shutil.which(name)
    if found is None:
        reason = f"`{name}` is not on the PATH; Debian has a package of that name"
        if os.environ.get("INTERLOCK_REQUIRE_TOOLS") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return found
