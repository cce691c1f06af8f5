"""Blobs by digest and size: folders, archives, memory and chains of them, and names that lead nowhere."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from execgraph.v1.blob_pb2 import BlobReference
from interlock.hashing import sha256_digest
from interlock.limits import DEFAULT_LIMITS
from interlock.package.blobs import (
    CHUNK_BYTES,
    ChainedBlobs,
    Extent,
    ProvenBlobs,
    RangeFinder,
    file_blobs,
    memory_blobs,
    named_by_location,
)
from interlock.package.container import ContainerError
from interlock.package.opening import open_container
from interlock.package.paths import Root, safe_parts

if TYPE_CHECKING:
    from pathlib import Path

    from interlock.package.container import Blobs

DATA = b"kernel\n"


def reference(data: bytes = DATA, location: str = "") -> BlobReference:
    return BlobReference(digest=sha256_digest(data), size=len(data), location=location)


def refusal(blobs: Blobs, wanted: BlobReference) -> tuple[str, str]:
    with pytest.raises(ContainerError) as refused:
        blobs.read(wanted)
    return refused.value.code, str(refused.value.path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "f" / "a").mkdir(parents=True)
    (tmp_path / "f" / "a" / "b.spv").write_bytes(DATA)
    (tmp_path / "outside").write_bytes(DATA)
    return tmp_path / "f"


def test_a_folder_has_blobs_by_location(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(folder.parent)
    container = open_container("f")
    monkeypatch.chdir("/")
    assert (container.format, container.source, container.document) == ("folder", "f", None)
    assert container.blobs.read(reference(location="a/b.spv")) == DATA
    container.blobs.probe(reference(location="a/b.spv"))
    digest = sha256_digest(DATA)[7:]
    assert refusal(container.blobs, reference(location="a/c")) == (
        "container.missing-blob",
        f"blobs/sha256/{digest}",
    )
    (folder / "blobs" / "sha256").mkdir(parents=True)
    (folder / "blobs" / "sha256" / digest).write_bytes(DATA)
    assert container.blobs.read(reference()) == DATA
    assert container.blobs.read(reference(location="gone")) == DATA


def test_what_a_location_leads_to_is_hashed(folder: Path):
    blobs = open_container(folder).blobs
    assert refusal(blobs, reference(b"KERNEL\n", "a/b.spv")) == ("container.digest-mismatch", "a/b.spv")
    assert refusal(blobs, reference(b"longer than that", "a/b.spv")) == (
        "container.size-mismatch",
        "a/b.spv",
    )


@pytest.mark.parametrize(
    ("location", "path"),
    [
        ("/etc/passwd", "/etc/passwd"),
        ("../outside", "../outside"),
        ("a/../../outside", "a/../../outside"),
        ("a/../a/b.spv", "a/../a/b.spv"),
        ("a\\b.spv", "a\\b.spv"),
        ("c:/x", "c:/x"),
        ("a/b.spv\0", "a/b.spv?"),
        ("a/\x1b[2J", "a/?[2J"),
        ("a//b.spv", "a//b.spv"),
        ("./a/b.spv", "./a/b.spv"),
        ("a/b.spv/", "a/b.spv/"),
        (".", "."),
    ],
)
def test_locations_that_could_lead_out(folder: Path, location: str, path: str):
    assert refusal(open_container(folder).blobs, reference(location=location)) == (
        "container.unsafe-path",
        path,
    )


def test_an_unsafe_name_is_told_where_it_is_stated():
    with pytest.raises(ContainerError) as refused:
        safe_parts("../x")
    assert str(refused.value.path) == "../x"
    with pytest.raises(ContainerError) as refused:
        safe_parts("\udcff")
    assert (refused.value.code, str(refused.value.path)) == ("container.unsafe-path", "?")
    assert safe_parts("a/b c/\u00e9.spv") == ("a", "b c", "\u00e9.spv")


def test_links_are_not_followed(folder: Path):
    blobs = open_container(folder).blobs
    (folder / "link").symlink_to("a/b.spv")
    (folder / "out").symlink_to(folder.parent)
    (folder / "loop").symlink_to("loop")
    for location in ("link", "out/outside", "loop", "loop/x"):
        assert refusal(blobs, reference(location=location)) == ("container.link", location)
    os.link(folder / "a" / "b.spv", folder / "hard")
    assert blobs.read(reference(location="hard")) == DATA


def test_what_is_no_file(folder: Path):
    blobs = open_container(folder).blobs
    os.mkfifo(folder / "pipe")
    assert refusal(blobs, reference(location="pipe")) == ("container.unsupported-member", "pipe")
    assert refusal(blobs, reference(location="a")) == ("container.malformed", "a")
    assert refusal(blobs, reference(location="a/b.spv/c"))[0] == "container.missing-blob"
    assert refusal(blobs, reference(location="x" * 300))[0] == "container.missing-blob"


def test_what_the_system_does_not_let_read(folder: Path, monkeypatch: pytest.MonkeyPatch):
    blobs = open_container(folder).blobs

    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("interlock.package.paths.os.open", refuse)
    with pytest.raises(ContainerError) as refused:
        blobs.read(reference(location="a/b.spv"))
    monkeypatch.undo()
    assert (refused.value.code, str(refused.value.path)) == ("container.unreadable", "a/b.spv")
    assert refused.value.diagnostics[0].message == "cannot read `a/b.spv`: permission denied"


def test_large_blobs_come_in_pieces(folder: Path):
    data = bytes(range(256)) * (CHUNK_BYTES // 128) + b"end"
    (folder / "large").write_bytes(data)
    chunks = list(open_container(folder).blobs.chunks(reference(data, "large")))
    assert [len(chunk) for chunk in chunks] == [CHUNK_BYTES, CHUNK_BYTES, 3]
    assert b"".join(chunks) == data


def test_an_empty_blob(folder: Path):
    (folder / "empty").touch()
    blobs = open_container(folder).blobs
    assert blobs.read(reference(b"", "empty")) == b""
    wrong = BlobReference(digest=sha256_digest(DATA), location="empty")
    assert refusal(blobs, wrong) == ("container.digest-mismatch", "empty")


def test_members_of_an_archive_are_ranges_of_it(tmp_path: Path):
    (tmp_path / "archive").write_bytes(b"head" + DATA + b"tail")
    members = {"a": Extent(4, len(DATA)), "cut": Extent(10, 50)}
    blobs = ProvenBlobs(RangeFinder(str(tmp_path / "archive"), members, named_by_location), DEFAULT_LIMITS)
    assert blobs.read(reference(location="a")) == DATA
    blobs.probe(reference(location="a"))
    assert refusal(blobs, reference(b"x" * 50, "cut")) == ("container.size-mismatch", "cut")
    assert refusal(blobs, reference(location="b"))[0] == "container.missing-blob"
    (tmp_path / "archive").unlink()
    assert refusal(blobs, reference(location="a")) == ("container.unreadable", "a")


def test_a_chain_asks_one_after_the_other(folder: Path):
    empty = memory_blobs({}, DEFAULT_LIMITS)
    damaged = memory_blobs({sha256_digest(DATA): b"KERNEL\n"}, DEFAULT_LIMITS)
    files = file_blobs({sha256_digest(DATA): str(folder.parent / "outside")}, DEFAULT_LIMITS)
    name = f"blobs/sha256/{sha256_digest(DATA)[7:]}"
    assert ChainedBlobs((empty, files)).read(reference()) == DATA
    assert list(ChainedBlobs((files, empty)).chunks(reference())) == [DATA]
    assert refusal(ChainedBlobs((empty, damaged, files)), reference()) == (
        "container.digest-mismatch",
        name,
    )
    short = memory_blobs({sha256_digest(DATA): b"short"}, DEFAULT_LIMITS)
    assert refusal(ChainedBlobs((empty, short, files)), reference()) == ("container.size-mismatch", name)
    for chain in (ChainedBlobs((empty, empty)), ChainedBlobs(())):
        assert refusal(chain, reference()) == ("container.missing-blob", name)
        with pytest.raises(ContainerError):
            chain.probe(reference())


def test_a_file_that_vanished(folder: Path):
    blobs = open_container(folder).blobs
    chunks = blobs.chunks(reference(location="a/b.spv"))
    (folder / "a" / "b.spv").unlink()
    with pytest.raises(ContainerError) as refused:
        next(iter(chunks))
    assert refused.value.code == "container.missing-blob"
    root = Root.at(folder)
    assert root.open("a/b.spv") is None
    assert root.read_metadata("gone", DEFAULT_LIMITS) is None
