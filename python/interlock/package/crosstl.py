"""CrossTL runtime packages, read-only: a folder with `runtime-package.json` and the files that it lists."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from execgraph.v1 import package_pb2
from interlock.diagnostic import Diagnostic, Path, Severity
from interlock.document import Document
from interlock.errors import CodecError
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.package.blobs import FileFinder, ProvenBlobs
from interlock.package.container import Container, ContainerError
from interlock.package.crosstl_facts import read_facts
from interlock.package.crosstl_names import TARGETS, as_id, content_identity, fresh_id, source_ids
from interlock.package.metadata import Record, malformed, place_of
from interlock.package.paths import Root, safe_parts
from interlock.package.records import optional_record, optional_text, some_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from execgraph.v1.blob_pb2 import BlobReference
    from interlock.package.facts import ModuleFacts

FORMAT = "crosstl"
MANIFEST = "runtime-package.json"
KIND = "crosstl-runtime-package"
SCHEMA_VERSION = 1

_SHA256 = re.compile("[0-9a-f]{64}")
_MAXIMUM_SLOTS = 1 << 18
"""Slots of all entries of a package together: entry points times resources, far more than is written."""


@dataclass(frozen=True, slots=True)
class _Artifact:
    """One record of the manifest that holds everything that is needed."""

    id: str
    source: str
    target: str
    variant: str
    location: str
    digest: str
    size: int


@dataclass(slots=True)
class _Reading:
    diagnostics: list[Diagnostic] = field(default_factory=list)
    artifacts: list[_Artifact] = field(default_factory=list)
    declared: dict[str, list[ModuleFacts]] = field(default_factory=dict)
    slots_left: int = _MAXIMUM_SLOTS
    errors: int = 0
    notes: int = 0

    def add(self, code: str, severity: Severity, path: Path, message: str) -> None:
        self.diagnostics.append(Diagnostic(code, severity, path, message))
        self.errors += severity is Severity.ERROR
        self.notes += severity is not Severity.ERROR

    def fail(self, error: ContainerError) -> None:
        self.diagnostics += error.diagnostics
        self.errors += 1


def read_crosstl(path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> Container:
    """Open a CrossTL runtime package.

    What is wrong with single records of the manifest is in the diagnostics of the container; a record with
    an error is not in its document. `packageRoot` is never followed: files lie beside the manifest.

    Args:
        path: The folder, or the manifest in it.
        limits: `metadata_bytes` and `json_depth` bound the manifest, `archive_members` its artifacts and
            `blob_bytes` each of their files.

    Raises:
        ContainerError: The manifest is not there or no manifest: `container.malformed`,
            `container.missing-file`, `container.link`, `container.unreadable`, `limit.metadata-bytes`,
            `limit.archive-members` or `limit.json-depth`.
    """
    root, name = _split(path)
    data = root.read_metadata(name, limits)
    if data is None:
        message = f"there is no `{name}`, which a CrossTL runtime package has"
        raise ContainerError("container.missing-file", message, place_of(name))
    manifest = Record.parse(data, name, limits)
    manifest.require("kind", KIND)
    manifest.require("schemaVersion", SCHEMA_VERSION)
    reading = _Reading()
    _judge_package(manifest, root, reading)
    _read_artifacts(manifest, reading, limits)
    document = _document(manifest, reading.artifacts)
    locations: dict[str, list[str]] = {}
    for artifact in reading.artifacts:
        locations.setdefault(artifact.digest, []).append(artifact.location)
    return Container(
        FORMAT,
        os.fspath(path),
        document,
        ProvenBlobs(FileFinder(root, partial(_names, locations)), limits),
        {digest: tuple(facts) for digest, facts in reading.declared.items()},
        tuple(reading.diagnostics),
    )


def _split(path: str | os.PathLike[str]) -> tuple[Root, str]:
    """Return the folder of a package and the name of its manifest, of which the caller named either."""
    source = os.fspath(path)
    try:
        is_folder = stat.S_ISDIR(os.stat(source).st_mode)  # noqa: PTH116  (pathlib costs start-up time)
    except (OSError, ValueError) as error:
        raise _unreadable(source, error) from error
    folder, name = os.path.split(source)
    if is_folder and name != MANIFEST:
        return Root.at(source), MANIFEST
    return Root.at(folder or os.curdir), name


def _unreadable(name: str, error: OSError | ValueError) -> ContainerError:
    reason = (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
    return ContainerError("container.unreadable", f"cannot read {name!a}: {reason[:1].lower()}{reason[1:]}")


def _names(locations: Mapping[str, list[str]], reference: BlobReference) -> tuple[str, ...]:
    stated = [reference.location] if reference.location else []
    return tuple(dict.fromkeys([*stated, *locations.get(reference.digest, ())]))


# The package.


def _judge_package(manifest: Record, root: Root, reading: _Reading) -> None:
    try:
        if not manifest.flag("success"):
            message = "the translator says that the package is incomplete"
            reading.add("container.not-packaged", Severity.ERROR, manifest.place("success"), message)
    except ContainerError as error:
        reading.fail(error)
    try:
        stated = optional_text(manifest, "packageRoot") or ""
    except ContainerError as error:
        reading.fail(error)
        return
    # A relative root is one of the translator's current directory then, and says nothing about a place now.
    if _is_absolute(stated) and os.path.normpath(stated) not in _own_places(root):
        message = f"{stated[:200]!a} is not where the manifest lies; files are taken from beside it only"
        reading.add("container.redirected-root", Severity.ERROR, manifest.place("packageRoot"), message)


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "\\")) or re.match("[A-Za-z]:", path) is not None


def _own_places(root: Root) -> tuple[str, str]:
    return os.path.normpath(root.folder), os.path.realpath(root.folder)


# The artifacts.


def _read_artifacts(manifest: Record, reading: _Reading, limits: Limits) -> None:
    """Read every record; one that is wrong is told of, and left out."""
    values = manifest.array("artifacts")
    if len(values) > limits.archive_members:
        message = f"`{len(values)}` artifacts; the limit is {limits.archive_members}"
        raise ContainerError("limit.archive-members", message, manifest.place("artifacts"))
    known: dict[str, int] = {}
    for index, value in enumerate(values):
        if reading.errors > limits.findings_per_rule:
            break  # none of this is ready, and the rest says nothing new
        path = manifest.path.element("artifacts", index)
        try:
            if not isinstance(value, dict):
                raise malformed("an object is required", path)
            artifact = _artifact(Record(value, path), reading)
            if artifact is None:
                continue
            if artifact.id in known:
                message = f"`{artifact.id[:200]}` is the id of artifacts[{known[artifact.id]}] too"
                raise malformed(message, path.field("id"))
            known[artifact.id] = index
            reading.artifacts.append(artifact)
            _read_interface(Record(value, path), artifact, reading, limits)
        except ContainerError as error:
            reading.fail(error)


def _artifact(record: Record, reading: _Reading) -> _Artifact | None:
    identity, status = some_text(record, "id"), record.text("status")
    if status != "packaged":
        message = f"the artifact is `{status[:80]}`, not `packaged`"
        reading.add("container.not-packaged", Severity.ERROR, record.place("status"), message)
        return None
    target = some_text(record, "target")
    location = some_text(record, "packagePath")
    safe_parts(location, record.place("packagePath"))
    if target not in TARGETS:
        message = f"`{target[:80]}` is no target of CrossTL 3.4.0"
        reading.add("container.unknown-target", Severity.WARNING, record.place("target"), message)
    hashed = record.record("hash")
    hashed.require("algorithm", "sha256")
    value = hashed.text("value")
    if not _SHA256.fullmatch(value):
        raise malformed("64 lower-case hexadecimal digits are required", hashed.place("value"))
    size = record.count("sizeBytes")
    source, variant = optional_text(record, "source") or "", optional_text(record, "variant") or ""
    return _Artifact(
        identity, source, TARGETS.get(target, target), variant, location, f"sha256:{value}", size
    )


def _read_interface(record: Record, artifact: _Artifact, reading: _Reading, limits: Limits) -> None:
    """Keep what the manifest says about the interface of an artifact, if it says anything."""
    path = record.place("hostInterface")
    interface = optional_record(record, "hostInterface")
    reason = "the manifest describes no interface"
    if interface is not None:
        status, path = interface.text("status"), interface.place("status")
        reason = f"reading the interface ended with `{status[:80]}`"
        if status == "ready":
            facts = read_facts(interface, artifact.target, reading.slots_left)
            reading.slots_left -= sum(len(entry.slots) for entry in facts.interface.entries)
            reading.declared.setdefault(artifact.digest, []).append(facts)
            return
    if reading.notes < limits.findings_per_rule:
        message = f"artifact for `{artifact.target}`: {reason}"
        reading.add("container.no-interface", Severity.NOTE, path, message)


# The document.


def _document(manifest: Record, artifacts: Iterable[_Artifact]) -> Document:
    """Return the package document that the manifest amounts to: names map to themselves.

    Records of one source are the variants of one artifact. Where two of them have the same target and the
    same variant, each is an artifact of its own, by its own id.
    """
    grouped: dict[str, dict[tuple[str, str], list[_Artifact]]] = {}
    for artifact in artifacts:
        key = artifact.target, artifact.variant
        grouped.setdefault(artifact.source, {}).setdefault(key, []).append(artifact)
    shared = {
        source: [each for sharing in variants.values() for each in sharing]
        for source, variants in grouped.items()
        if not source or any(len(sharing) > 1 for sharing in variants.values())
    }
    ids = source_ids(source for source in grouped if source)
    package = package_pb2.Package(id=_package_id(manifest))
    taken = set(ids.values())
    for source, variants in grouped.items():
        if source not in shared:
            _add_artifact(package, ids[source], (each for sharing in variants.values() for each in sharing))
    for alone in (each for sharing in shared.values() for each in sharing):
        identity = fresh_id(alone.id, taken)
        taken.add(identity)
        _add_artifact(package, identity, (alone,))
    try:
        return Document.from_message(package)
    except CodecError as error:
        message = f"names that no document may hold: {error.diagnostics[0].message}"
        raise malformed(message, manifest.place("artifacts")) from error


def _package_id(manifest: Record) -> str:
    root = manifest.members.get("packageRoot")
    return as_id(re.split(r"[/\\]", root.rstrip("/\\"))[-1]) if isinstance(root, str) and root else KIND


def _add_artifact(package: package_pb2.Package, identity: str, variants: Iterable[_Artifact]) -> None:
    message = package.artifacts.add(id=identity)
    for each in variants:
        if each.source:
            message.provenance.source.uri = each.source
        variant = message.variants.add(target=each.target, name=each.variant)
        variant.content_type.identity = content_identity(each.target, each.location) or "unknown"
        variant.content_type.version = 1
        variant.blob.digest, variant.blob.size, variant.blob.location = each.digest, each.size, each.location
