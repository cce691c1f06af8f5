"""A small package with one fault: always a verdict, and ready only where nothing of it has changed."""

from __future__ import annotations

import shutil
import tarfile
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from execgraph.v1 import package_pb2
from interlock import DEFAULT_LIMITS, Document, InterlockError, Verdict, verify
from interlock.api import loads
from interlock.hashing import sha256_digest
from interlock.package.blobs import memory_blobs
from interlock.package.oci import write_layout
from interlock.package.opening import open_container
from interlock.report.model import Readiness
from interlock.rules.context import Surroundings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KERNEL = b"void main() {}\n"
BLOCK = 512
UNUSED = b"no graph names these bytes\n"
GRAPH = """
# proto-message: execgraph.v1.ExecutionGraph
header { kind: DOCUMENT_KIND_EXECUTION_GRAPH schema_major: 1 required_features: "draft-1" }
id: "g"
resources {
  id: "x" role: RESOURCE_ROLE_EXTERNAL_OUTPUT
  type { element: ELEMENT_TYPE_U32 } shape { constant: 4 } size { constant: 16 }
}
artifacts { id: "k" pins { target: "vulkan" digest: "KERNEL_DIGEST" size: KERNEL_SIZE } }
body { nodes { id: "n" operation { dispatch {
  artifact: "k" entry: "main"
  bindings { slot: "x" target { resource: "x" } access: ACCESS_MODE_WRITE coverage: COVERAGE_FULL }
  geometry { workgroup_count { extents { counts { constant: 1 } } } workgroup_size: 4 }
} } } }
maximum_node_executions: 1
"""
PACKAGE = """
# proto-message: execgraph.v1.Package
header { kind: DOCUMENT_KIND_PACKAGE schema_major: 1 required_features: "draft-1" }
id: "p"
artifacts {
  id: "k"
  interface { entries {
    name: "main" stage: STAGE_COMPUTE evidence: EVIDENCE_DECLARED
    slots {
      name: "x" kind: SLOT_KIND_STORAGE_BUFFER access: ACCESS_MODE_WRITE
      element_type { element: ELEMENT_TYPE_U32 } array_stride: 4
    }
    workgroup_size { axes { literal: 4 } }
  } }
  variants {
    target: "vulkan" content_type { identity: "glsl" version: 1 }
    blob { digest: "KERNEL_DIGEST" size: KERNEL_SIZE }
  }
}
artifacts {
  id: "spare"
  variants {
    target: "vulkan" content_type { identity: "glsl" version: 1 }
    blob { digest: "UNUSED_DIGEST" size: UNUSED_SIZE }
  }
}
"""


def filled(text: str) -> Document:
    """Return the document of a text with the digests and sizes in it."""
    for name, data in (("KERNEL", KERNEL), ("UNUSED", UNUSED)):
        text = text.replace(f"{name}_DIGEST", sha256_digest(data)).replace(f"{name}_SIZE", str(len(data)))
    return loads(text)


def made(folder: Path, name: str) -> Path:
    """Write the package, and return where it is."""
    graph = filled(GRAPH)
    package = package_pb2.Package()
    package.CopyFrom(filled(PACKAGE).message)
    reference = package.graphs.add(id="g").source.reference
    reference.digest, reference.size = graph.digest, len(graph.binary)
    blobs = {sha256_digest(data): data for data in (KERNEL, UNUSED, graph.binary)}
    write_layout(Document.from_message(package), memory_blobs(blobs, DEFAULT_LIMITS), folder / name)
    return folder / name


def judged(path: Path) -> tuple[str, str, frozenset[str]]:
    """Return the verdict, the digest of the document, and the codes of all findings."""
    try:
        container = open_container(path)
        if container.document is None:
            return "NO DOCUMENT", "", frozenset()
        report = verify(container.document, surroundings=Surroundings(container))
    except InterlockError as error:
        return "REFUSED", "", frozenset(finding.code for finding in error.diagnostics)
    ready = [each.readiness for each in report.readiness]
    assert (ready == [Readiness.READY]) == (report.verdict is Verdict.SOUND)
    return report.verdict.name, report.subject.digest, frozenset(f.code for f in report.diagnostics)


def files(root: Path) -> Iterator[Path]:
    return iter(sorted(path for path in root.rglob("*") if path.is_file()))


def test_without_a_fault_it_is_ready(tmp_path: Path):
    path = made(tmp_path, "p")
    verdict, digest, codes = judged(path)
    assert (verdict, codes) == ("SOUND", frozenset())
    assert judged(made(tmp_path, "p.tar")) == (verdict, digest, codes)
    assert len(list(files(path))) == 7


def test_every_byte_of_the_directory_flipped(tmp_path: Path):
    path = made(tmp_path, "p")
    _, digest, _ = judged(path)
    spare = path / "blobs" / "sha256" / sha256_digest(UNUSED).removeprefix("sha256:")
    seen: Counter[str] = Counter()
    for file in files(path):
        data = file.read_bytes()
        for position in range(len(data)):
            changed = bytearray(data)
            changed[position] ^= 0x01
            file.write_bytes(changed)
            verdict, found, _ = judged(path)
            seen[verdict] += 1
            # Only names that say nothing of the content may change: other bytes are hashed, or never read.
            if verdict == "SOUND":
                assert found == digest
                assert file == spare or file.name == "index.json", (file.name, position)
        file.write_bytes(data)
    # The names of two members of the index that may be left out, so that other names may stand there.
    optional = len("artifactType") + len("mediaType")
    assert seen == {
        "REFUSED": 1404,
        "UNSOUND": len(KERNEL) + len(filled(GRAPH).binary),
        "SOUND": len(UNUSED) + optional,
    }
    assert judged(path)[0] == "SOUND"


def positions(path: Path) -> Iterator[tuple[str, int]]:
    """Yield every byte of a header, and both ends of every content, padding and of the end of the archive.

    A byte within a content is one of a file of the directory, where every one is flipped.
    """
    end = path.stat().st_size
    with tarfile.open(path) as archive:
        members = archive.getmembers()
    for member in members:
        yield from (("header", position) for position in range(member.offset, member.offset_data))
        behind = member.offset_data + member.size
        yield from (("content", position) for position in (member.offset_data, behind - 1))
        yield from (("padding", position) for position in (behind, -(-behind // BLOCK) * BLOCK - 1))
    last = -(-behind // BLOCK) * BLOCK
    yield from (("end", position) for position in (last, end - 1))


def test_bytes_of_the_tar_file_flipped(tmp_path: Path):
    path = made(tmp_path, "p.tar")
    _, digest, _ = judged(path)
    data = path.read_bytes()
    seen: Counter[tuple[str, str]] = Counter()
    for kind, position in positions(path):
        changed = bytearray(data)
        changed[position] ^= 0x40
        path.write_bytes(changed)
        verdict, found, _ = judged(path)
        seen[kind, verdict] += 1
        assert verdict != "SOUND" or found == digest
    assert seen == {
        ("header", "REFUSED"): 7 * BLOCK,
        ("content", "REFUSED"): 8,
        ("content", "UNSOUND"): 4,
        ("content", "SOUND"): 2,
        ("padding", "SOUND"): 14,
        ("end", "REFUSED"): 2,
    }


@pytest.mark.parametrize("fault", ["removed", "emptied", "cut", "longer", "another", "linked", "a folder"])
def test_every_file_in_turn(tmp_path: Path, fault: str):
    whole = made(tmp_path, "whole")
    outside = tmp_path / "outside"
    spare = sha256_digest(UNUSED).removeprefix("sha256:")
    for file in [path.relative_to(whole) for path in files(whole)]:
        path = tmp_path / "p"
        shutil.copytree(whole, path)
        target = path / file
        data = target.read_bytes()
        target.unlink()
        if fault == "linked":
            outside.write_bytes(data)
            target.symlink_to(outside)
        elif fault == "a folder":
            target.mkdir()
        elif fault != "removed":
            new = {"emptied": b"", "cut": data[:-1], "longer": data + b"\n", "another": data[::-1]}[fault]
            target.write_bytes(new)
        verdict, _, codes = judged(path)
        if file.name == spare:
            assert verdict == "SOUND", fault
            assert codes == (set() if fault == "another" else {"artifact.damaged-unused"}), fault
        elif verdict == "SOUND":
            # A line feed after JSON is white space, and says nothing.
            assert fault == "longer", (file, fault)
            assert file.name in {"index.json", "oci-layout"}
        shutil.rmtree(path)
        outside.unlink(missing_ok=True)
