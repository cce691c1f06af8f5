"""What tests of both languages share: packages, their files, and what each language says of a container."""

from __future__ import annotations

import functools
import json
import struct
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from conformance_support import require_cpp
from execgraph.v1 import graph_pb2, package_pb2
from execgraph.v1.blob_pb2 import BlobReference
from interlock import DEFAULT_LIMITS, Document, InterlockError
from interlock.hashing import sha256_digest
from interlock.package.blobs import memory_blobs
from interlock.package.oci import read_layout, write_layout

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from google.protobuf.message import Message

PACKAGE_TYPE = "application/vnd.execgraph.package.v1"
DOCUMENT_TYPE = "application/vnd.execgraph.package.v1+protobuf"
GRAPH_TYPE = "application/vnd.execgraph.graph.v1+protobuf"
ARTIFACT_TYPE = "application/vnd.execgraph.artifact.v1"
MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json"
INDEX_TYPE = "application/vnd.oci.image.index.v1+json"

LARGE = b"".join(struct.pack("<I", number * 2654435761 % (1 << 32)) for number in range(600_000))
"""More than is read at once, and no multiple of it."""


def cpp(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run `interlock-cpp package`."""
    command = [require_cpp(), "package", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@dataclass
class Made:
    """A package document and its blobs."""

    message: package_pb2.Package
    contents: dict[str, bytes] = field(default_factory=dict)

    def refer(self, data: bytes) -> BlobReference:
        """Add a blob, and return the reference to it."""
        self.contents[sha256_digest(data)] = data
        return BlobReference(digest=sha256_digest(data), size=len(data))

    def variant(self, artifact: str, target: str, data: bytes, name: str = "") -> None:
        """Add a variant to the last artifact if it is that one, else to a new one."""
        artifacts = self.message.artifacts
        holder = artifacts[-1] if artifacts and artifacts[-1].id == artifact else artifacts.add(id=artifact)
        variant = holder.variants.add(target=target, name=name, blob=self.refer(data))
        variant.content_type.identity = "spirv"
        variant.content_type.version = 1

    @property
    def document(self) -> Document:
        """The document."""
        return Document.from_message(self.message)


def graph_bytes(name: str) -> bytes:
    return Document.from_message(graph_pb2.ExecutionGraph(id=name)).binary


def empty() -> Made:
    return Made(package_pb2.Package(id="empty"))


def small() -> Made:
    made = Made(package_pb2.Package(id="small"))
    made.variant("k", "vulkan", b"the code")
    source = made.message.graphs.add(id="g").source
    source.reference.CopyFrom(made.refer(graph_bytes("g")))
    return made


def full() -> Made:
    """Every role, blobs of several roles and places, none and many bytes, a location."""
    made = small()
    made.variant("l", "metal", b"", name="a")
    made.variant("l", "metal", LARGE, name="b")
    made.variant("l", "vulkan", b"sealed")
    made.variant("m", "vulkan", graph_bytes("g"))
    made.message.artifacts[0].variants[0].blob.location = "kernels/k.spv"
    made.message.graphs.add(id="h").source.embedded = graph_bytes("h")
    payload = made.message.payloads.add(graph="g", frame=made.refer(b"sealed"))
    payload.format.identity = "vulkan-module"
    payload.format.version = 1
    return made


def two_megabyte_graph() -> Made:
    made = empty()
    graph = graph_pb2.ExecutionGraph(id="g")
    for number in range(20_000):
        graph.body.nodes.add(id=f"a-node-with-a-rather-long-name-and-a-number-{number:05d}" + "x" * 80)
    data = Document.from_message(graph).binary
    made.message.graphs.add(id="g").source.reference.CopyFrom(made.refer(data))
    return made


def written(made: Made, path: Path, tag: str | None = None) -> str:
    return write_layout(made.document, memory_blobs(made.contents, DEFAULT_LIMITS), path, tag=tag)


def tree(root: Path) -> dict[str, bytes]:
    """Return the files below a directory by name."""
    return {
        str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()
    }


Finding = tuple[str, str]


def python_findings(path: Path, tag: str | None) -> list[Finding]:
    """Return the code and path of everything that is wrong with a container and the blobs of its package."""
    try:
        container = read_layout(path, tag=tag)
    except InterlockError as error:
        return [(error.code, str(error.path))]
    assert container.document is not None
    found = []
    for reference in references_of(container.document.message):
        try:
            container.blobs.read(reference)
        except InterlockError as error:
            found.append((error.code, str(error.path)))
    return found


def references_of(message: Message) -> list[BlobReference]:
    """Return the references of a package, one a digest, in ascending order."""
    assert isinstance(message, package_pb2.Package)
    all_of_them = [variant.blob for artifact in message.artifacts for variant in artifact.variants]
    all_of_them += [graph.source.reference for graph in message.graphs if graph.source.HasField("reference")]
    all_of_them += [payload.frame for payload in message.payloads]
    distinct = {reference.digest: reference for reference in all_of_them}
    return [distinct[digest] for digest in sorted(distinct)]


def assert_same_findings(path: Path, expected: list[Finding] | str, tag: str | None = None) -> None:
    """Compare both languages, and with what is expected: all findings, or the code of the only one."""
    found = python_findings(path, tag)
    run = cpp("check", path, *(["--tag", tag] if tag is not None else []))
    lines = run.stderr.splitlines()
    assert len(lines) == len(found), (found, run.stderr)
    for (code, place), line in zip(found, lines, strict=True):
        assert line.startswith(f"{code} {place or '-'} "), (found, run.stderr)
    if isinstance(expected, str):
        assert [code for code, _ in found] == ([expected] if expected else [])
    else:
        assert found == expected
    assert (run.returncode == 0) == (not found)


def blob_name(data: bytes) -> str:
    return "blobs/sha256/" + sha256_digest(data).removeprefix("sha256:")


@functools.cache
def small_files() -> Mapping[str, bytes]:
    """The files of the small package, by what they are."""
    made = small()
    document = made.document.binary
    graph, code = sorted(made.contents.values(), key=len, reverse=True)

    def descriptor(media_type: str, data: bytes) -> dict[str, Any]:
        return {"digest": sha256_digest(data), "mediaType": media_type, "size": len(data)}

    layers = [
        descriptor(GRAPH_TYPE, graph),
        descriptor(ARTIFACT_TYPE, code),
    ]
    manifest = dump(
        {
            "artifactType": PACKAGE_TYPE,
            "config": descriptor(DOCUMENT_TYPE, document),
            "layers": sorted(layers, key=lambda layer: str(layer["digest"])),
            "mediaType": MANIFEST_TYPE,
            "schemaVersion": 2,
        }
    )
    index = dump(
        {
            "manifests": [
                {
                    **descriptor(MANIFEST_TYPE, manifest),
                    "artifactType": PACKAGE_TYPE,
                }
            ],
            "mediaType": INDEX_TYPE,
            "schemaVersion": 2,
        }
    )
    return {
        "layout": b'{"imageLayoutVersion":"1.0.0"}',
        "index": index,
        "manifest": manifest,
        "document": document,
        "graph": graph,
        "code": code,
    }


def dump(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


def name_of(part: str) -> str:
    """Return the name of a file of the small package."""
    return {"layout": "oci-layout", "index": "index.json"}.get(part) or blob_name(small_files()[part])


def put(root: Path, files: Mapping[str, bytes]) -> Path:
    """Write files below a new directory."""
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return root


def layout(**changed: bytes | None) -> dict[str, bytes]:
    """Return the files of the small package by name; those that are changed keep their names."""
    parts = {**small_files(), **changed}
    return {name_of(part): data for part, data in parts.items() if data is not None}


def indexed(*manifests: object, **members: object) -> bytes:
    return dump({"schemaVersion": 2, "manifests": list(manifests), **members})


def described(data: bytes | None = None, **members: object) -> dict[str, Any]:
    """Return a descriptor of a manifest; a member that is None is left out."""
    data = small_files()["manifest"] if data is None else data
    found = {
        "mediaType": MANIFEST_TYPE,
        "digest": sha256_digest(data),
        "size": len(data),
        **members,
    }
    return {name: value for name, value in found.items() if value is not None}
