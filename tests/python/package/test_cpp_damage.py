"""What Python and C++ say of the same damage to a directory, and of blobs that cannot be used."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from cpp_archives import archive, member
from cpp_packages import (
    Finding,
    assert_same_findings,
    blob_name,
    cpp,
    described,
    dump,
    graph_bytes,
    indexed,
    layout,
    name_of,
    put,
    python_findings,
    small,
    small_files,
    tree,
    written,
)
from execgraph.v1.blob_pb2 import BlobReference
from interlock import InterlockError
from interlock.hashing import sha256_digest
from interlock.package.oci import read_layout, write_layout

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_the_small_package_is_what_is_written(tmp_path: Path) -> None:
    written(small(), tmp_path / "written")
    assert tree(tmp_path / "written") == layout()
    assert_same_findings(tmp_path / "written", [])


@pytest.mark.parametrize("as_tar", [False, True])
@pytest.mark.parametrize("part", ["layout", "index", "manifest", "document", "graph", "code"])
def test_a_damaged_file(part: str, as_tar: bool, tmp_path: Path) -> None:
    metadata = part in {"layout", "index"}
    where = name_of(part)
    data = small_files()[part]
    flipped = bytes([data[0] ^ 1]) + data[1:]
    expected = {
        "removed": (None, "container.malformed" if metadata else "container.missing-blob"),
        "cut": (data[:-1], "container.malformed" if metadata else "container.size-mismatch"),
        "longer": (data + b"}", "container.malformed" if metadata else "container.size-mismatch"),
        "flipped": (flipped, "container.malformed" if metadata else "container.digest-mismatch"),
        "emptied": (b"", "container.malformed" if metadata else "container.size-mismatch"),
    }
    for name, (content, code) in expected.items():
        files = layout(**{part: content})
        path = put(tmp_path / name, files) if not as_tar else tmp_path / f"{name}.tar"
        if as_tar:
            path.write_bytes(archive(*(member(name, data) for name, data in sorted(files.items()))))
        assert_same_findings(path, [(code, where)])


def test_every_byte_of_the_index(tmp_path: Path) -> None:
    """Whatever one byte becomes, both languages say the same; and some changes are harmless."""
    index = small_files()["index"]
    root = put(tmp_path, layout())
    codes = set()
    for at in range(len(index)):
        (root / "index.json").write_bytes(index[:at] + bytes([index[at] ^ 1]) + index[at + 1 :])
        found = python_findings(root, None)
        codes |= {code for code, _ in found}
        assert_same_findings(root, found)
    assert codes == {
        "container.malformed",
        "container.missing-blob",
        "container.missing-manifest",
        "container.size-mismatch",
    }


def repacked(document: bytes) -> dict[str, bytes]:
    """Return the files of a layout with another document, and the blobs of the small package."""
    manifest = json.loads(small_files()["manifest"])
    manifest["config"].update(digest=sha256_digest(document), size=len(document))
    text = dump(manifest)
    return {
        **layout(index=indexed(described(text))),
        blob_name(text): text,
        blob_name(document): document,
    }


def test_a_document_that_is_none(tmp_path: Path) -> None:
    good = small().document.binary
    for name, document, expected in (
        ("cut", good[:-1], "wire.truncated"),
        ("twice", good + good, "header.duplicate"),
        ("graph", graph_bytes("g"), "header.kind-mismatch"),
        ("empty", b"", "header.missing"),
    ):
        found = python_findings(put(tmp_path / name, repacked(document)), None)
        assert [code for code, _ in found] == [expected]
        assert_same_findings(tmp_path / name, found)


@pytest.mark.parametrize(
    ("digest", "size", "code"),
    [
        ("sha256:../../../index.json", 5, "container.missing-blob"),
        ("sha256:", 0, "container.missing-blob"),
        ("sha256:" + "0" * 64, 5, "container.missing-blob"),
        ("sha256:" + "0" * 64, 8 << 30, "limit.blob-bytes"),
        (sha256_digest(b"the code"), 9, "container.size-mismatch"),
    ],
)
def test_a_reference(digest: str, size: int, code: str, tmp_path: Path) -> None:
    made = small()
    made.message.artifacts[0].variants[0].blob.CopyFrom(BlobReference(digest=digest, size=size))
    container = read_layout(put(tmp_path, repacked(made.document.binary)))
    with pytest.raises(InterlockError) as caught:
        container.blobs.read(BlobReference(digest=digest, size=size))
    assert caught.value.code == code
    run = cpp("check", tmp_path)
    assert run.returncode == 1
    assert run.stderr.startswith(f"{code} "), run.stderr
    for product in ("again", "again.tar"):
        refused = cpp("unpack", tmp_path, "-o", tmp_path / product)
        assert refused.returncode == 2
        assert refused.stderr.startswith(f'artifacts["k"].variants[0].blob: error[{code}] '), refused.stderr
        with pytest.raises(InterlockError) as caught:
            write_layout(made.document, container.blobs, tmp_path / product)
        assert (caught.value.code, str(caught.value.path)) == (code, 'artifacts["k"].variants[0].blob')
        assert sorted(path.name for path in tmp_path.iterdir()) == ["blobs", "index.json", "oci-layout"]


def replace_by_link(path: Path) -> None:
    elsewhere = path.with_name(f"{path.name}.away")
    path.rename(elsewhere)
    path.symlink_to(elsewhere.name)


def replace_by_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def replace_by_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def replace_by_file(path: Path) -> None:
    path.rename(path.with_name("away"))
    path.write_bytes(b"")


def replace_by_dangling_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


CODE_FILE = blob_name(b"the code")


@pytest.mark.parametrize(
    ("change", "where", "expected"),
    [
        (replace_by_link, "index.json", [("container.link", "index.json")]),
        (replace_by_link, "oci-layout", [("container.link", "oci-layout")]),
        (replace_by_link, CODE_FILE, [("container.link", CODE_FILE)]),
        (replace_by_dangling_link, CODE_FILE, [("container.link", CODE_FILE)]),
        (replace_by_link, "blobs", "container.link"),
        (replace_by_link, "blobs/sha256", "container.link"),
        (replace_by_folder, "index.json", [("container.malformed", "index.json")]),
        (replace_by_folder, CODE_FILE, [("container.malformed", CODE_FILE)]),
        (replace_by_pipe, "oci-layout", [("container.unsupported-member", "oci-layout")]),
        (replace_by_pipe, CODE_FILE, [("container.unsupported-member", CODE_FILE)]),
        (replace_by_file, "blobs", "container.missing-blob"),
        (replace_by_file, "blobs/sha256", "container.missing-blob"),
    ],
)
def test_something_else_in_the_place_of_a_file(
    change: Callable[[Path], None], where: str, expected: list[Finding] | str, tmp_path: Path
) -> None:
    change(put(tmp_path, layout()) / where)
    assert_same_findings(tmp_path, expected)


def test_a_container_that_a_link_names(tmp_path: Path) -> None:
    put(tmp_path / "there", layout())
    (tmp_path / "here").symlink_to("there")
    assert_same_findings(tmp_path / "here", [])
    (tmp_path / "nothing").symlink_to("nowhere")
    assert_same_findings(tmp_path / "nothing", [("container.unreadable", "")])


def test_a_path_that_is_nothing(tmp_path: Path) -> None:
    assert_same_findings(tmp_path / "missing", [("container.unreadable", "")])
    assert_same_findings(tmp_path, [("container.malformed", "oci-layout")])
