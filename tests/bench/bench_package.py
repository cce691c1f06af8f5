"""A package of 1,000 artifacts: opened and verified, against hashing the blobs it refers to with hashlib.

Ours reads the OCI image layout from disk; the peer reads and hashes the same blobs. The goal is twice the
peer and a millisecond for each artifact. Blobs that no graph refers to are in the layout too, and none of
their bytes may be read.
"""

from __future__ import annotations

import gc
import hashlib
import os
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2, blob_pb2, graph_pb2, interface_pb2, package_pb2, resource_pb2, type_pb2
from interlock import DEFAULT_LIMITS, Document, Verdict, verify
from interlock.package.blobs import memory_blobs
from interlock.package.oci import write_layout
from interlock.package.opening import open_container
from interlock.rules.context import Surroundings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ARTIFACTS, UNUSED = 1_000, 200
BLOB_BYTES = 64 << 10
ROUNDS = 5
TIMES, PER_ARTIFACT = 2, 0.001
"""The goal: so many times the peer, and so many seconds for each artifact."""

Measurement = tuple[str, float | None, float | None, float | None, str, bool | None]


def blob(number: int) -> bytes:
    """Return the bytes of an artifact: what they are does not matter, that they differ does."""
    return hashlib.sha256(str(number).encode()).digest() * (BLOB_BYTES // 32)


def reference(number: int) -> blob_pb2.BlobReference:
    """Return the reference to the bytes of an artifact."""
    data = blob(number)
    return blob_pb2.BlobReference(digest=f"sha256:{hashlib.sha256(data).hexdigest()}", size=len(data))


def artifact(number: int) -> package_pb2.Artifact:
    """Return an artifact with one entry of two slots."""
    u32 = type_pb2.ValueType(element=type_pb2.ELEMENT_TYPE_U32)
    entry = interface_pb2.Entry(name="main", stage=interface_pb2.STAGE_COMPUTE, evidence="EVIDENCE_DECLARED")
    entry.workgroup_size.axes.add(literal=64)
    for name, access in (("x", access_pb2.ACCESS_MODE_READ), ("y", access_pb2.ACCESS_MODE_WRITE)):
        entry.slots.add(
            name=name,
            kind=interface_pb2.SLOT_KIND_STORAGE_BUFFER,
            access=access,
            element_type=u32,
            array_stride=4,
            runtime_sized=True,
        )
    made = package_pb2.Artifact(id=f"kernel{number:04}", interface=interface_pb2.Interface(entries=[entry]))
    variant = made.variants.add(target="vulkan", blob=reference(number))
    variant.content_type.identity, variant.content_type.version = "glsl", 1
    return made


def graph() -> Document:
    """Return a chain of dispatches, each of an artifact of its own."""
    message = graph_pb2.ExecutionGraph(
        id="chain", visibility_model="VISIBILITY_MODEL_EDGES_CARRY_ALL", maximum_node_executions=ARTIFACTS
    )
    for number in range(ARTIFACTS + 1):
        role = (
            resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT
            if number == 0
            else resource_pb2.RESOURCE_ROLE_EXTERNAL_OUTPUT
            if number == ARTIFACTS
            else resource_pb2.RESOURCE_ROLE_TEMPORARY
        )
        resource = message.resources.add(id=f"r{number:04}", role=role)
        resource.type.element = type_pb2.ELEMENT_TYPE_U32
        resource.shape.add(constant=64)
        resource.size.constant = 256
        if role == resource_pb2.RESOURCE_ROLE_TEMPORARY:
            resource.lifetime.spans.add(begins=[f"n{number - 1:04}"], ends=[f"n{number:04}"])
    for number in range(ARTIFACTS):
        pinned = message.artifacts.add(id=f"kernel{number:04}")
        where = reference(number)
        pinned.pins.add(target="vulkan", digest=where.digest, size=where.size)
        node = message.body.nodes.add(id=f"n{number:04}", depends_on=[f"n{number - 1:04}"] if number else [])
        dispatch = node.operation.dispatch
        dispatch.artifact, dispatch.entry = f"kernel{number:04}", "main"
        read = dispatch.bindings.add(slot="x", access=access_pb2.ACCESS_MODE_READ)
        read.target.resource = f"r{number:04}"
        write = dispatch.bindings.add(
            slot="y", access=access_pb2.ACCESS_MODE_WRITE, coverage=access_pb2.COVERAGE_FULL
        )
        write.target.resource = f"r{number + 1:04}"
        dispatch.geometry.workgroup_size.append(64)
        dispatch.geometry.workgroup_count.extents.counts.add(constant=1)
    return Document.from_message(message)


def write(path: str) -> None:
    """Write the package."""
    package = package_pb2.Package(id="bench", artifacts=[artifact(n) for n in range(ARTIFACTS + UNUSED)])
    package.graphs.add(id="chain").source.embedded = graph().binary
    blobs = {reference(n).digest: blob(n) for n in range(ARTIFACTS + UNUSED)}
    write_layout(Document.from_message(package), memory_blobs(blobs, DEFAULT_LIMITS), path)


def verified(path: str) -> None:
    """Open and verify the package, as its user does."""
    container = open_container(path)
    assert container.document is not None
    report = verify(container.document, surroundings=Surroundings(container))
    if report.verdict is not Verdict.SOUND:
        raise RuntimeError(f"{report.verdict}: {report}")


def hashed(path: str) -> None:
    """Read and hash the blobs of the artifacts that the graph uses."""
    for number in range(ARTIFACTS):
        name = os.path.join(path, "blobs", "sha256", reference_names[number])  # noqa: PTH118
        with open(name, "rb") as stream:  # noqa: PTH123
            hashlib.sha256(stream.read()).hexdigest()


reference_names = [hashlib.sha256(blob(number)).hexdigest() for number in range(ARTIFACTS + UNUSED)]


def seconds(action: Callable[[str], None], path: str) -> float:
    """Return the processor time of the fastest of some runs."""
    found = []
    for _ in range(ROUNDS):
        gc.collect()
        started = time.process_time()
        action(path)
        found.append(time.process_time() - started)
    return min(found)


@contextmanager
def opened_files() -> Iterator[set[str]]:
    """Collect the names of the files that are opened."""
    names: set[str] = set()
    active = [True]

    def listen(event: str, arguments: tuple[object, ...]) -> None:
        if active and event == "open":
            names.add(os.path.basename(str(arguments[0])))  # noqa: PTH119

    sys.addaudithook(listen)
    try:
        yield names
    finally:
        active.clear()


def run() -> list[Measurement]:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "package")
        write(path)
        with opened_files() as names:
            verified(path)
        unused = set(reference_names[ARTIFACTS:]) & names
        theirs, ours = seconds(hashed, path), seconds(verified, path)
    allowed = TIMES * theirs + PER_ARTIFACT * ARTIFACTS
    size = f"{ARTIFACTS:,} artifacts of {BLOB_BYTES >> 10} KiB"
    return [
        (
            f"verify a package of {size}, against hashing its blobs",
            ours,
            theirs,
            ours / theirs,
            f"<= {TIMES} x peer + {1000 * PER_ARTIFACT:g} ms each = {allowed:.3g} s",
            ours <= allowed,
        ),
        (
            f"blobs that are read of {UNUSED} that no graph uses",
            float(len(unused)),
            None,
            None,
            "0",
            not unused,
        ),
    ]


if __name__ == "__main__":
    for row in run():
        print(row)
