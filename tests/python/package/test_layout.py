"""What is written: the same bytes every time, in both forms, complete or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import tarfile
from typing import TYPE_CHECKING

import pytest

from execgraph.v1.package_pb2 import Package
from interlock.document import Document
from interlock.errors import InterlockError
from interlock.hashing import sha256_digest
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.package.blobs import memory_blobs
from interlock.package.container import ContainerError
from interlock.package.oci import open_layout, read_layout, write_layout
from package_support import (
    CONTENTS,
    KERNEL,
    KERNEL_DIGEST,
    SOURCE_DIGEST,
    files_below,
    small_blobs,
    small_package,
    write_small,
)

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENT_DIGEST = "sha256:88f96537cf65a5f5c9f13bf205cc630f65510f08c59266ee18420ec2b2f20299"
MANIFEST = (
    '{"artifactType":"application/vnd.execgraph.package.v1","config":{"digest":"' + DOCUMENT_DIGEST + '",'
    '"mediaType":"application/vnd.execgraph.package.v1+protobuf","size":221},"layers":['
    '{"digest":"' + min(CONTENTS) + '","mediaType":"application/vnd.execgraph.artifact.v1","size":7},'
    '{"digest":"' + max(CONTENTS) + '","mediaType":"application/vnd.execgraph.artifact.v1","size":14}],'
    '"mediaType":"application/vnd.oci.image.manifest.v1+json","schemaVersion":2}'
).encode()
MANIFEST_DIGEST = "sha256:04dd4088833dc0680407377cc73b1a2380d2c43c9e680bdfa827f03be907210b"
TAR_SHA256 = "faadcc5461324adac13315ed21ef01c6d2a13671bf9ac4af4cd718714cc9274e"


def test_the_layout_of_the_small_package_is_this(tmp_path: Path):
    assert write_small(tmp_path / "small", "1.0") == MANIFEST_DIGEST
    index = (
        '{"manifests":[{"annotations":{"org.opencontainers.image.ref.name":"1.0"},'
        '"artifactType":"application/vnd.execgraph.package.v1","digest":"' + MANIFEST_DIGEST + '",'
        '"mediaType":"application/vnd.oci.image.manifest.v1+json","size":' + str(len(MANIFEST)) + "}],"
        '"mediaType":"application/vnd.oci.image.index.v1+json","schemaVersion":2}'
    )
    assert files_below(tmp_path / "small") == {
        "oci-layout": b'{"imageLayoutVersion":"1.0.0"}',
        "index.json": index.encode(),
        f"blobs/sha256/{MANIFEST_DIGEST[7:]}": MANIFEST,
        f"blobs/sha256/{DOCUMENT_DIGEST[7:]}": small_package().binary,
        **{f"blobs/sha256/{digest[7:]}": data for digest, data in CONTENTS.items()},
    }


def test_the_tar_file_holds_the_same_in_bytewise_order(tmp_path: Path):
    write_small(tmp_path / "small", "1.0")
    write_small(tmp_path / "small.tar", "1.0")
    data = (tmp_path / "small.tar").read_bytes()
    assert hashlib.sha256(data).hexdigest() == TAR_SHA256
    with tarfile.open(tmp_path / "small.tar", "r:") as archive:
        members = archive.getmembers()
        held = {member.name: archive.extractfile(member).read() for member in members}  # type: ignore[union-attr]
    assert held == files_below(tmp_path / "small")
    assert list(held) == sorted(held)
    for member in members:
        assert (member.mode, member.uid, member.gid, member.uname, member.gname) == (0o644, 0, 0, "", "")
        assert (member.mtime, member.type, member.pax_headers) == (0, tarfile.REGTYPE, {})
    padded = sum(512 + -(-member.size // 512) * 512 for member in members)
    assert len(data) == padded + 1024


def test_two_runs_give_the_same_bytes(tmp_path: Path):
    write_small(tmp_path / "one.tar")
    write_small(tmp_path / "two.tar")
    assert (tmp_path / "one.tar").read_bytes() == (tmp_path / "two.tar").read_bytes()


@pytest.mark.parametrize("name", ["small", "small.tar"])
def test_what_was_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str):
    write_small(tmp_path / name, "1.0")
    monkeypatch.chdir(tmp_path)
    layout = open_layout(name)
    monkeypatch.chdir("/")  # an open container does not depend on the current directory
    assert (layout.manifest_digest, layout.tag, layout.is_alone) == (MANIFEST_DIGEST, "1.0", True)
    assert layout.is_archive == name.endswith(".tar")
    container = layout.container
    assert (container.format, container.source) == ("oci-layout", name)
    assert container.document is not None
    assert container.document.binary == small_package().binary
    for variant in container.document.message.artifacts[0].variants:  # type: ignore[attr-defined]
        container.blobs.probe(variant.blob)
        assert container.blobs.read(variant.blob) == CONTENTS[variant.blob.digest]


def test_a_package_without_blobs_has_the_empty_layer(tmp_path: Path):
    write_layout(Document.from_message(Package(id="none")), memory_blobs({}, DEFAULT_LIMITS), tmp_path / "x")
    digest = json.loads((tmp_path / "x" / "index.json").read_bytes())["manifests"][0]["digest"]
    manifest = json.loads((tmp_path / "x" / "blobs" / "sha256" / digest[7:]).read_bytes())
    empty = sha256_digest(b"{}")
    assert manifest["layers"] == [
        {"digest": empty, "mediaType": "application/vnd.oci.empty.v1+json", "size": 2}
    ]
    assert (tmp_path / "x" / "blobs" / "sha256" / empty[7:]).read_bytes() == b"{}"
    assert read_layout(tmp_path / "x").document is not None


def test_a_blob_is_there_once_with_the_media_type_that_stands_first(tmp_path: Path):
    package = Package()
    package.CopyFrom(small_package().message)
    graph = package.graphs.add(id="g")
    graph.source.reference.CopyFrom(package.artifacts[0].variants[0].blob)
    payload = package.payloads.add(graph="g")
    payload.format.identity = "f"
    payload.format.version = 1
    payload.frame.CopyFrom(package.artifacts[0].variants[1].blob)
    digest = write_layout(Document.from_message(package), small_blobs(), tmp_path / "x")
    manifest = json.loads((tmp_path / "x" / "blobs" / "sha256" / digest[7:]).read_bytes())
    assert {layer["digest"]: layer["mediaType"] for layer in manifest["layers"]} == {
        SOURCE_DIGEST: "application/vnd.execgraph.graph.v1+protobuf",
        KERNEL_DIGEST: "application/vnd.execgraph.payload.v1",
    }


@pytest.mark.parametrize("name", ["small", "small.tar"])
@pytest.mark.parametrize(
    ("contents", "code"),
    [
        ({KERNEL_DIGEST: KERNEL}, "container.missing-blob"),
        ({**CONTENTS, SOURCE_DIGEST: b"kernel Source\n"}, "container.digest-mismatch"),
        ({**CONTENTS, SOURCE_DIGEST: b"short"}, "container.size-mismatch"),
    ],
)
def test_nothing_is_left_where_a_blob_cannot_be_used(
    tmp_path: Path, name: str, contents: dict[str, bytes], code: str
):
    with pytest.raises(ContainerError) as refused:
        write_layout(small_package(), memory_blobs(contents, DEFAULT_LIMITS), tmp_path / name)
    assert refused.value.code == code
    assert str(refused.value.path) == 'artifacts["k"].variants[0].blob'
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["small", "small.tar"])
def test_what_is_there_stays_unless_it_is_a_layout_that_may_be_replaced(tmp_path: Path, name: str):
    write_small(tmp_path / name, "old")
    before = (tmp_path / name / "index.json" if name == "small" else tmp_path / name).read_bytes()
    with pytest.raises(FileExistsError):
        write_small(tmp_path / name, "new")
    empty = memory_blobs({}, DEFAULT_LIMITS)
    with pytest.raises(ContainerError):
        write_layout(small_package(), empty, tmp_path / name, replace=True)
    assert (tmp_path / name / "index.json" if name == "small" else tmp_path / name).read_bytes() == before
    write_layout(small_package(), small_blobs(), tmp_path / name, tag="new", replace=True)
    assert open_layout(tmp_path / name).tag == "new"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_nothing_but_a_layout_is_ever_replaced(tmp_path: Path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").write_text("dear")
    (tmp_path / "mine.tar").write_text("dear")
    (tmp_path / "link.tar").symlink_to("mine.tar")
    with tarfile.open(tmp_path / "backup.tar", "w:") as archive:
        archive.add(tmp_path / "mine", "mine")
    for name in ("mine", "mine.tar", "link.tar", "backup.tar"):
        with pytest.raises(FileExistsError):
            write_layout(small_package(), small_blobs(), tmp_path / name, replace=True)
    assert files_below(tmp_path / "mine") == {"letter": b"dear"}
    assert (tmp_path / "mine.tar").read_text() == "dear"


def test_an_empty_folder_counts_as_nothing(tmp_path: Path):
    (tmp_path / "small").mkdir()
    write_small(tmp_path / "small")
    assert open_layout(tmp_path / "small").tag is None


def test_permissions_are_those_that_the_system_gives_new_files(tmp_path: Path):
    before = os.umask(0o027)
    try:
        write_small(tmp_path / "small")
        write_small(tmp_path / "small.tar")
    finally:
        os.umask(before)
    modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "small").rglob("*") if path.is_file()}
    assert modes == {0o640}
    assert (tmp_path / "small").stat().st_mode & 0o777 == 0o750
    assert (tmp_path / "small.tar").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("tag", ["", "-x", "a b", "a\n", "é", "a..b", "x" * 256])
def test_a_tag_is_spelled_as_the_image_spec_says(tmp_path: Path, tag: str):
    with pytest.raises(ValueError, match="is no tag"):
        write_small(tmp_path / "small", tag)
    assert list(tmp_path.iterdir()) == []


def test_only_packages_are_written(tmp_path: Path):
    from execgraph.v1.graph_pb2 import ExecutionGraph  # noqa: PLC0415  (this test only)

    graph = Document.from_message(ExecutionGraph(id="g"))
    with pytest.raises(ValueError, match="`Package` is required"):
        write_layout(graph, small_blobs(), tmp_path / "x")


@pytest.mark.parametrize("digest", ["", "sha256:../../../x", "sha256:" + "A" * 64])
def test_a_digest_that_is_none_names_no_file(tmp_path: Path, digest: str):
    package = Package()
    package.CopyFrom(small_package().message)
    package.artifacts[0].variants[0].blob.digest = digest
    with pytest.raises(InterlockError) as refused:
        write_layout(Document.from_message(package), small_blobs(), tmp_path / "x")
    assert refused.value.code == "container.missing-blob"
    assert str(refused.value.path) == 'artifacts["k"].variants[0].blob'


def test_two_sizes_of_one_digest_contradict(tmp_path: Path):
    package = Package()
    package.CopyFrom(small_package().message)
    variant = package.artifacts.add(id="z").variants.add(target="metal")
    variant.CopyFrom(package.artifacts[0].variants[0])
    variant.blob.size += 1
    with pytest.raises(ContainerError) as refused:
        write_layout(Document.from_message(package), small_blobs(), tmp_path / "x")
    assert (refused.value.code, str(refused.value.path)) == (
        "container.size-mismatch",
        'artifacts["z"].variants[0].blob',
    )


def test_a_manifest_beyond_the_limit_is_not_written(tmp_path: Path):
    with pytest.raises(ContainerError) as refused:
        write_layout(small_package(), small_blobs(), tmp_path / "x", limits=Limits(metadata_bytes=100))
    assert refused.value.code == "limit.metadata-bytes"
    assert str(refused.value.path) == f"blobs/sha256/{MANIFEST_DIGEST[7:]}"


def test_no_answer_depends_on_how_the_path_is_spelled(tmp_path: Path):
    write_small(tmp_path / "small")
    (tmp_path / "link").symlink_to("small")
    for path in (tmp_path / "link", f"{tmp_path}/small/", tmp_path / "." / "small"):
        assert open_layout(path).manifest_digest == MANIFEST_DIGEST
