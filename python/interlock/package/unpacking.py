"""Unpacking: a package as a folder that people can read and change, and that packs to the same package."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final, cast

from execgraph.v1.package_pb2 import Package
from interlock.document import Document
from interlock.package.listing import package_document
from interlock.package.references import blob_uses, chunks_at
from interlock.package.staging import staged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.package.container import Blobs, Container
    from interlock.package.references import Use

DOCUMENT_FILE: Final = "package.json"

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_]+")
_LONGEST: Final = 80
_SUFFIXES: Final = {
    "cuda-source": "cu",
    "dxil": "dxil",
    "glsl": "glsl",
    "hip-source": "hip",
    "hlsl": "hlsl",
    "metallib": "metallib",
    "msl": "metal",
    "ptx": "ptx",
    "spirv": "spv",
    "spirv-assembly": "spvasm",
    "wgsl": "wgsl",
}
"""Content type to the suffix that tools expect."""


def unpack(container: Container, folder: str | os.PathLike[str], *, replace: bool = False) -> Document:
    """Write a package as a folder: the document as `package.json`, with locations, and every blob as a file.

    The folder appears under its name only when it is complete. Packing it gives the same package.

    Args:
        container: An open container.
        folder: The product.
        replace: Whether an unpacked package that is there may be replaced. Anything else is never replaced.

    Returns:
        The document with locations.

    Raises:
        ContainerError: It holds no document, or a blob cannot be used; the path is that of the document.
        FileExistsError: Something of that name is there.
        OSError: The system refuses to write.
    """
    package = Package()
    package.CopyFrom(cast("Package", package_document(container).message))
    names: dict[str, str] = {}
    taken: dict[str, int] = {DOCUMENT_FILE: 1}
    uses = [*blob_uses(package)]
    for use, wanted in zip(uses, _names(package), strict=True):
        digest = use.reference.digest
        if digest not in names:
            names[digest] = _free(wanted, taken)
    kept = [(use, names[use.reference.digest]) for use in uses]
    with staged(os.fspath(folder), replace=replace, is_ours=_is_unpacked) as temporary:
        os.mkdir(temporary)  # noqa: PTH102  (pathlib costs start-up time)
        _write_blobs(kept, container.blobs, temporary)
        for use, name in kept:
            use.reference.location = name
        document = Document.from_message(package)
        with open(os.path.join(temporary, DOCUMENT_FILE), "xb") as stream:  # noqa: PTH118, PTH123
            stream.write(document.json())
    return document


def _is_unpacked(path: str) -> bool:
    return not os.path.islink(path) and os.path.isfile(os.path.join(path, DOCUMENT_FILE))  # noqa: PTH113, PTH114, PTH118


def _names(package: Package) -> Iterator[str]:
    """Yield a readable name for every place that refers to a blob, in the order of `blob_uses`."""
    for artifact in package.artifacts:
        for variant in artifact.variants:
            name = f".{_safe(variant.name)}" if variant.name else ""
            suffix = _SUFFIXES.get(variant.content_type.identity, "bin")
            yield f"artifacts/{_safe(artifact.id)}/{_safe(variant.target)}{name}.{suffix}"
    for graph in package.graphs:
        if graph.source.WhichOneof("source") == "reference":
            yield f"graphs/{_safe(graph.id)}.binpb"
    for payload in package.payloads:
        version = payload.format.version
        yield f"payloads/{_safe(payload.graph)}/{_safe(payload.format.identity)}.{version}.bin"


def _safe(name: str) -> str:
    return _UNSAFE.sub("-", name)[:_LONGEST] or "-"


def _free(wanted: str, taken: dict[str, int]) -> str:
    """Return a name that no other file has, not even where case does not count.

    Args:
        wanted: The name to start from.
        taken: Every name that is taken, with the last number that was put behind it.
    """
    stem, suffix = os.path.splitext(wanted)  # noqa: PTH122
    name, key = wanted, wanted.casefold()
    number = taken.get(key, 0)
    while name.casefold() in taken:
        number += 1
        name = f"{stem}-{number}{suffix}"
    taken[key] = max(number, 1)
    taken.setdefault(name.casefold(), 1)
    return name


def _write_blobs(kept: list[tuple[Use, str]], blobs: Blobs, folder: str) -> None:
    written: set[str] = set()
    for use, name in kept:
        if name in written:
            continue
        written.add(name)
        target = os.path.join(folder, name)  # noqa: PTH118
        os.makedirs(os.path.dirname(target), exist_ok=True)  # noqa: PTH103, PTH120
        with open(target, "xb") as stream:  # noqa: PTH123
            stream.writelines(chunks_at(use, blobs))
