"""CrossGL packages (`.cglb`), read-only: a directory or a stored zip file with one module for one target.

The format pins none of its files but the source, so their digests are those of what is there when it is
opened; only a native artifact descriptor states digests, and what it states is checked.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from execgraph.v1 import package_pb2
from interlock.diagnostic import Diagnostic, Path, Severity, Unverified
from interlock.document import Document
from interlock.errors import CodecError, InterlockError
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.package.cglb_descriptor import Descriptor, Pin, read_descriptor
from interlock.package.cglb_facts import read_reflection
from interlock.package.cglb_files import DIAGNOSTICS, MANIFEST, REFLECTION, ROOT_FILES, Files, open_files
from interlock.package.container import Container, ContainerError
from interlock.package.crosstl_names import as_id
from interlock.package.metadata import Record, malformed, place_of
from interlock.package.paths import safe_parts
from interlock.package.records import some_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from execgraph.v1.blob_pb2 import BlobReference
    from interlock.package.facts import ModuleFacts

FORMAT: Final = "cglb"
SCHEMA_VERSION: Final = 1
GRAPH_KEY: Final = "executionGraph"
"""The key of `artifacts` under which a package holds an execution graph."""

SOURCE_VARIANT: Final = "source"
"""The name of the variant that holds source or assembly, where the native binary is the one to run."""

_STATUS: Final = "nativeBinaryStatus"
_STATUSES: Final = ("planned", "emitted", "validated")
_NATIVE_TARGETS: Final = frozenset({"metal", "vulkan"})
_FORMS: Final = {
    "directx": {"backendSource": "hlsl", "nativeBinary": "dxil"},
    "metal": {"backendSource": "msl", "nativeBinary": "metallib"},
    "opengl": {"backendSource": "glsl", "nativeBinary": "opengl-program"},
    "vulkan": {"backendAssembly": "spirv-assembly", "nativeBinary": "spirv"},
}
"""Target to the keys of `artifacts` that are variants, with what their bytes are."""

_MAXIMUM_SLOTS: Final = 1 << 18


_UNPINNED: Final = (
    "a CrossGL package pins none of its files, so that the digests are those of what was there when it was "
    "opened; a graph that pins its artifacts proves that they are the right ones"
)

_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class _File:
    """A file that the manifest declares, as it is."""

    location: str
    digest: str
    size: int


@dataclass(slots=True)
class _Reading:
    files: Files
    limits: Limits
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def error(self, code: str, path: Path, message: str) -> None:
        self.diagnostics.append(Diagnostic(code, Severity.ERROR, path, message))


def read_cglb(path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> Container:
    """Open a CrossGL package.

    Every declared file that is a variant is hashed. What is wrong with single members is in the diagnostics
    of the container.

    Args:
        path: The directory or the zip file.
        limits: `metadata_bytes` and `json_depth` bound each metadata file, `blob_bytes` each artifact,
            `archive_members` the members of a zip file, and `document_bytes` an embedded graph.

    Raises:
        ContainerError: It is no CrossGL package: `container.malformed`, `container.missing-file`,
            `container.link`, `container.unreadable`, what a zip file is refused for, or a limit.
    """
    reading = _Reading(open_files(path, limits), limits)
    roots = {name: _root_file(reading, name) for name in ROOT_FILES}
    manifest, reflection = roots[MANIFEST], roots[REFLECTION]
    for name in (MANIFEST, REFLECTION, DIAGNOSTICS):
        roots[name].require("schemaVersion", SCHEMA_VERSION)
    module, target = some_text(manifest, "module"), _target(manifest)
    reflection.require("module", module)
    reflection.require("target", target)
    locations = _locations(manifest, reading)
    status = _status(manifest, target, reading)
    files = _measured(manifest, target, status, locations, reading)
    descriptor = _descriptor(reading, locations, files, target)
    package = _package(module, target, files, descriptor)
    _add_graph(package, reading, locations)
    declared = _declared(reading, reflection, target, files)
    where: dict[str, list[str]] = {}
    for file in files.values():
        where.setdefault(file.digest, []).append(file.location)
    return Container(
        FORMAT,
        os.fspath(path),
        _document(package, manifest),
        reading.files.blobs(partial(_names, where), limits),
        declared,
        tuple(reading.diagnostics),
        (Unverified("container.unpinned", _UNPINNED, required=False),),
    )


def _root_file(reading: _Reading, name: str) -> Record:
    data = reading.files.read(name, reading.limits)
    if data is None:
        message = f"there is no `{name}`, which a CrossGL package has"
        raise ContainerError("container.missing-file", message, place_of(name))
    return Record.parse(data, name, reading.limits)


def _target(manifest: Record) -> str:
    target = manifest.text("target")
    if target not in _FORMS:
        known = ", ".join(f"`{name}`" for name in _FORMS)
        raise malformed(f"`{target[:80]}`, where one of {known} is required", manifest.place("target"))
    return target


def _names(locations: Mapping[str, list[str]], reference: BlobReference) -> tuple[str, ...]:
    stated = [reference.location] if reference.location else []
    return tuple(dict.fromkeys([*stated, *locations.get(reference.digest, ())]))


# The manifest.


def _locations(manifest: Record, reading: _Reading) -> dict[str, str]:
    """Return the paths that the manifest declares, by key; one that is wrong is told of, and left out."""
    artifacts = manifest.record("artifacts")
    found: dict[str, str] = {}
    owners: dict[str, str] = {}
    for key in artifacts.members:
        if key == _STATUS:
            continue
        if len(reading.diagnostics) > reading.limits.findings_per_rule:
            break  # none of this is ready, and the rest says nothing new
        try:
            location = artifacts.text(key)
            safe_parts(location, artifacts.place(key))
            if location in owners:
                raise malformed(f"the path is that of `{owners[location][:80]}` too", artifacts.place(key))
        except ContainerError as error:
            reading.diagnostics += error.diagnostics
            continue
        owners[location] = key
        found[key] = location
    return found


def _status(manifest: Record, target: str, reading: _Reading) -> str:
    """Return the status of the native binary; for targets without one, that of any that is there."""
    artifacts = manifest.record("artifacts")
    path = artifacts.place(_STATUS)
    try:
        if target in _NATIVE_TARGETS:
            if artifacts.has(_STATUS):
                raise malformed(f"a package for `{target}` states no status of its binary", path)
            return "emitted"
        status = artifacts.text(_STATUS)
        if status not in _STATUSES:
            known = ", ".join(f"`{name}`" for name in _STATUSES)
            raise malformed(f"`{status[:80]}`, where one of {known} is required", path)
    except ContainerError as error:
        reading.diagnostics += error.diagnostics
        return "planned"
    return status


def _measured(
    manifest: Record, target: str, status: str, locations: Mapping[str, str], reading: _Reading
) -> dict[str, _File]:
    """Hash the files that are variants. A native binary that is only planned need not be there."""
    artifacts = manifest.record("artifacts")
    found: dict[str, _File] = {}
    for key in _FORMS[target]:
        location = locations.get(key)
        if location is None and not artifacts.has(key):
            reading.error("container.malformed", artifacts.path, f"the member `{key}` is missing")
        if location is None or (key == "nativeBinary" and status == "planned"):
            continue
        try:
            digest, size = _present(reading.files.measure(location, reading.limits), location)
        except ContainerError as error:
            reading.diagnostics += error.diagnostics
            continue
        found[key] = _File(location, digest, size)
    return found


def _descriptor(
    reading: _Reading, locations: Mapping[str, str], files: Mapping[str, _File], target: str
) -> Descriptor | None:
    """Return what the native artifact descriptor says, after its digests were compared with the files."""
    location = locations.get("nativeArtifactDescriptor")
    if location is None:
        return None
    try:
        data = _present(reading.files.read(location, reading.limits), location)
        descriptor = read_descriptor(Record.parse(data, location, reading.limits), target)
        known = {file.location: (file.digest, file.size) for file in files.values()}
        for pin in descriptor.pins:
            if pin.location not in locations.values():
                message = f"`{pin.location[:200]}` is none of the artifacts that the manifest declares"
                reading.error("container.malformed", pin.path, message)
                continue
            found = known.get(pin.location) or reading.files.measure(pin.location, reading.limits)
            _compare(pin, _present(found, pin.location), reading)
    except ContainerError as error:
        reading.diagnostics += error.diagnostics
        return None
    return descriptor


def _present(found: _Found | None, location: str) -> _Found:
    if found is None:
        message = f"there is no `{location[:200]}`, which the manifest declares"
        raise ContainerError("container.missing-file", message, place_of(location))
    return found


def _compare(pin: Pin, found: tuple[str, int], reading: _Reading) -> None:
    digest, size = found
    if digest != pin.digest:
        message = f"`{pin.location[:200]}` has the digest `{digest}`; `{pin.digest}` is required"
        reading.error("container.digest-mismatch", pin.path, message)
    elif pin.size not in (None, size):
        message = f"`{pin.location[:200]}` has `{size}` bytes; {pin.size} are required"
        reading.error("container.size-mismatch", pin.path, message)


# What it amounts to.


def _package(
    module: str, target: str, files: Mapping[str, _File], descriptor: Descriptor | None
) -> package_pb2.Package:
    """Return the package: one artifact, whose variant without a name is the one to run.

    That is the native binary, if it is there and the target has one, or else the source. The source beside a
    native binary has a name, so that nothing selects it by default; it is the same kernel in another form.
    """
    package = package_pb2.Package(id=as_id(module))
    if not files:
        return package
    artifact = package.artifacts.add(id=as_id(module))
    is_native = "nativeBinary" in files or target in _NATIVE_TARGETS
    for key, file in files.items():
        form = _FORMS[target][key]
        if key == "nativeBinary" and descriptor is not None:
            form = descriptor.form or form
        name = SOURCE_VARIANT if is_native and key != "nativeBinary" else ""
        variant = artifact.variants.add(target=target, name=name)
        variant.content_type.identity, variant.content_type.version = form, 1
        variant.blob.digest, variant.blob.size, variant.blob.location = file.digest, file.size, file.location
    return package


def _add_graph(package: package_pb2.Package, reading: _Reading, locations: Mapping[str, str]) -> None:
    """Take over the execution graph that is embedded under the key of its own, if there is one."""
    location = locations.get(GRAPH_KEY)
    if location is None:
        return
    try:
        document = _graph(reading, location)
    except InterlockError as error:
        reading.diagnostics += error.diagnostics
        return
    package.graphs.add(id=document.message.id).source.embedded = document.binary  # type: ignore[attr-defined]


def _graph(reading: _Reading, location: str) -> Document:
    from interlock.api import loads  # noqa: PLC0415  (packages with a graph only)
    from interlock.codec.encoding import Encoding  # noqa: PLC0415

    path = place_of(location)
    data = _present(reading.files.read_document(location, reading.limits), location)
    try:
        document = loads(data, encoding=Encoding.JSON, kind="ExecutionGraph", limits=reading.limits)
    except CodecError as error:
        found = error.diagnostics[0]
        message = f"the embedded graph is refused: [{found.code}] {found.message}"
        where = path.extended(*found.path.steps)
        raise ContainerError("package.unreadable-graph", message, where, found.byte_offset) from error
    if document.json() != data:
        raise ContainerError("package.unreadable-graph", "the embedded graph is no canonical JSON", path)
    return document


def _declared(
    reading: _Reading, reflection: Record, target: str, files: Mapping[str, _File]
) -> dict[str, tuple[ModuleFacts, ...]]:
    """Return what the reflection says: the same about each form of the module."""
    try:
        facts = read_reflection(reflection, target, _MAXIMUM_SLOTS)
    except ContainerError as error:
        reading.diagnostics += error.diagnostics
        return {}
    return {file.digest: (facts,) for file in files.values()}


def _document(package: package_pb2.Package, manifest: Record) -> Document:
    try:
        return Document.from_message(package)
    except CodecError as error:
        message = f"names that no document may hold: {error.diagnostics[0].message}"
        raise malformed(message, manifest.path) from error
