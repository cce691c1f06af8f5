"""A small package for tests: one kernel, one graph that runs it, and the bytes in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from google.protobuf import text_format

from execgraph.v1 import graph_pb2, package_pb2
from interlock.document import Document
from interlock.hashing import sha256_digest
from interlock.limits import DEFAULT_LIMITS
from interlock.package.blobs import memory_blobs
from interlock.package.container import Container

if TYPE_CHECKING:
    from collections.abc import Iterator

    from execgraph.v1.blob_pb2 import BlobReference
    from interlock.package.blobs import ProvenBlobs

KERNEL = b"kernel"
INTERFACE = """
  entries {
    name: "main" stage: STAGE_COMPUTE workgroup_size { axes { literal: 64 } }
    slots { name: "x" kind: SLOT_KIND_STORAGE_BUFFER access: ACCESS_MODE_READ
      element_type { element: ELEMENT_TYPE_F32 } array_stride: 4 runtime_sized: true }
    slots { name: "y" kind: SLOT_KIND_STORAGE_BUFFER access: ACCESS_MODE_WRITE
      element_type { element: ELEMENT_TYPE_F32 } array_stride: 4 runtime_sized: true }
  }
"""
RESOURCE = """resources {{ id: "{name}" role: RESOURCE_ROLE_EXTERNAL_{role}
  type {{ element: ELEMENT_TYPE_F32 }} shape {{ constant: 256 }} size {{ constant: 1024 }} }} """
NODE = """nodes {{ id: "run-{artifact}" operation {{ dispatch {{ artifact: "{artifact}" entry: "main"
  bindings {{ slot: "x" target {{ resource: "x" }} access: ACCESS_MODE_READ }}
  bindings {{ slot: "y" target {{ resource: "y-{artifact}" }} access: ACCESS_MODE_WRITE
    coverage: COVERAGE_FULL }}
  geometry {{ workgroup_count {{ extents {{ counts {{ constant: 4 }} }} }} workgroup_size: 64 }}
}} }} }} """


SOURCES = {"cuda": "cuda-source", "directx": "hlsl", "hip": "hip-source", "metal": "msl", "webgpu": "wgsl"}
"""The form of source text of targets that do not take GLSL."""


def artifact(name: str, *variants: str, interface: str = INTERFACE) -> str:
    stated = f"interface {{ {interface} }}" if interface else ""
    return f'artifacts {{ id: "{name}" {stated} {" ".join(variants)} }} '


def variant(target: str, data: bytes = KERNEL, *, name: str = "", more: str = "", content: str = "") -> str:
    blob = f'digest: "{sha256_digest(data)}" size: {len(data)}'
    content = content or SOURCES.get(target, "glsl")
    return (
        f'variants {{ target: "{target}" name: "{name}" content_type {{ identity: "{content}" version: 1 }} '
        f"blob {{ {blob} }} {more} }} "
    )


def pin(target: str, data: bytes = KERNEL) -> str:
    return f'pins {{ target: "{target}" digest: "{sha256_digest(data)}" size: {len(data)} }} '


def graph(name: str, pins: dict[str, str]) -> Document:
    """Return a graph that runs artifacts, each pinned as stated, from one input into an output of its own."""
    text = f'id: "{name}" ' + RESOURCE.format(name="x", role="INPUT")
    text += "".join(RESOURCE.format(name=f"y-{each}", role="OUTPUT") for each in pins)
    text += "".join(f'artifacts {{ id: "{each}" {stated} }} ' for each, stated in pins.items())
    nodes = "".join(NODE.format(artifact=each) for each in pins)
    text += f"body {{ {nodes} }} " if nodes else ""
    return Document.from_message(
        text_format.Parse(f"{text} maximum_node_executions: {len(pins)}", graph_pb2.ExecutionGraph())
    )


def package(artifacts: str, *graphs: Document) -> package_pb2.Package:
    message = text_format.Parse(f'id: "package" {artifacts}', package_pb2.Package())
    for each in graphs:
        message.graphs.add(id=each.message.id).source.embedded = each.binary  # type: ignore[attr-defined]
    return message


@dataclass
class CountedBlobs:
    """Bytes in memory that count how often they are read and looked for."""

    blobs: ProvenBlobs
    read_digests: list[str] = field(default_factory=list)
    probed_digests: list[str] = field(default_factory=list)

    def chunks(self, reference: BlobReference) -> Iterator[bytes]:
        self.read_digests.append(reference.digest)
        return self.blobs.chunks(reference)

    def read(self, reference: BlobReference) -> bytes:
        self.read_digests.append(reference.digest)
        return self.blobs.read(reference)

    def probe(self, reference: BlobReference) -> None:
        self.probed_digests.append(reference.digest)
        self.blobs.probe(reference)


def container(*contents: bytes, **more: object) -> tuple[Container, CountedBlobs]:
    blobs = CountedBlobs(memory_blobs({sha256_digest(data): data for data in contents}, DEFAULT_LIMITS))
    return Container("memory", "memory", None, blobs, **more), blobs  # type: ignore[arg-type]
