"""Layouts that are refused: the exact code and place of each."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

import pytest

from execgraph.v1.blob_pb2 import BlobReference
from execgraph.v1.graph_pb2 import ExecutionGraph
from interlock.document import Document
from interlock.errors import CodecError, InterlockError
from interlock.hashing import sha256_digest
from interlock.limits import Limits
from interlock.package.container import ContainerError
from interlock.package.layout import TAG_KEY
from interlock.package.oci import open_layout, read_layout
from interlock.package.opening import open_container
from package_support import KERNEL, KERNEL_DIGEST, files_below, small_package, write_small

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OURS = "application/vnd.execgraph.package.v1"
KERNEL_NAME = f"blobs/sha256/{KERNEL_DIGEST[7:]}"
DOCUMENT_NAME = f"blobs/sha256/{small_package().digest[7:]}"


@pytest.fixture
def layout(tmp_path: Path) -> Path:
    write_small(tmp_path / "small", "1.0")
    return tmp_path / "small"


def kernel() -> BlobReference:
    return BlobReference(digest=KERNEL_DIGEST, size=len(KERNEL))


def index_of(layout: Path) -> dict[str, Any]:
    index: dict[str, Any] = json.loads((layout / "index.json").read_bytes())
    return index


def write_index(layout: Path, index: object) -> None:
    (layout / "index.json").write_text(json.dumps(index))


def change_manifest(layout: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the manifest, and let the index pin what it became."""
    index = index_of(layout)
    descriptor = index["manifests"][0]
    manifest = json.loads((layout / "blobs" / "sha256" / descriptor["digest"][7:]).read_bytes())
    change(manifest)
    data = json.dumps(manifest).encode()
    descriptor.update(digest=sha256_digest(data), size=len(data))
    (layout / "blobs" / "sha256" / descriptor["digest"][7:]).write_bytes(data)
    write_index(layout, index)


def refusal(layout: Path, tag: str | None = None, limits: Limits | None = None) -> tuple[str, str]:
    with pytest.raises(InterlockError) as refused:
        open_container(layout, tag=tag, limits=limits or Limits())
    assert len(refused.value.diagnostics) == 1
    return refused.value.code, str(refused.value.path)


def manifest_name(layout: Path) -> str:
    return f"blobs/sha256/{index_of(layout)['manifests'][0]['digest'][7:]}"


def test_foreign_spelling_and_keys_are_read(layout: Path):
    index = index_of(layout)
    index["annotations"] = {"x": 1.5}
    del index["mediaType"]
    del index["manifests"][0]["artifactType"]  # as skopeo writes it
    index["manifests"].append(
        {"mediaType": "application/vnd.oci.image.index.v1+json", "digest": KERNEL_DIGEST, "size": 7}
    )
    index["manifests"].append(
        {**index["manifests"][0], "digest": KERNEL_DIGEST, "size": 7, "artifactType": "application/other"}
    )
    (layout / "index.json").write_text(json.dumps(index, indent=2))
    (layout / "extra").write_text("is not looked at")
    opened = open_layout(layout)
    assert (opened.tag, opened.is_alone) == ("1.0", False)


def test_a_manifest_is_also_found_by_the_type_of_its_config(layout: Path):
    change_manifest(layout, lambda manifest: manifest.pop("artifactType"))
    index = index_of(layout)
    del index["manifests"][0]["artifactType"]
    write_index(layout, index)
    assert read_layout(layout).document is not None


def test_one_manifest_with_two_tags_is_one_package(layout: Path):
    index = index_of(layout)
    second = json.loads(json.dumps(index["manifests"][0]))
    second["annotations"]["org.opencontainers.image.ref.name"] = "2.0"
    write_index(layout, {**index, "manifests": [*index["manifests"], second]})
    assert open_layout(layout).tag == "1.0"
    assert open_layout(layout, tag="2.0").tag == "2.0"


def test_a_manifest_that_one_of_its_descriptors_calls_a_package_is_one(layout: Path):
    change_manifest(
        layout, lambda manifest: (manifest.pop("artifactType"), manifest["config"].update(mediaType="x"))
    )
    index = index_of(layout)
    silent = {**index["manifests"][0]}
    del silent["artifactType"]
    write_index(layout, {**index, "manifests": [silent]})
    assert refusal(layout) == ("container.missing-manifest", "index.json")
    write_index(layout, {**index, "manifests": [silent, index["manifests"][0]]})
    assert refusal(layout) == ("container.malformed", f"{manifest_name(layout)}.config.mediaType")


@pytest.fixture
def two(layout: Path) -> Path:
    """A layout with two packages."""
    before = index_of(layout)["manifests"][0]
    change_manifest(layout, lambda manifest: manifest.update(annotations={"a": "b"}))
    index = index_of(layout)
    index["manifests"].insert(0, before)
    index["manifests"][1]["annotations"]["org.opencontainers.image.ref.name"] = "2.0"
    write_index(layout, index)
    return layout


def test_with_several_packages_the_tag_says_which(two: Path):
    assert refusal(two) == ("container.ambiguous-manifest", "index.json")
    assert open_layout(two, tag="1.0").manifest_digest != open_layout(two, tag="2.0").manifest_digest
    assert refusal(two, "3.0") == ("container.missing-manifest", "index.json")


def test_what_is_said_to_be_a_package_is_not_passed_over(two: Path):
    name = f"blobs/sha256/{index_of(two)['manifests'][0]['digest'][7:]}"
    (two / name).unlink()
    assert refusal(two) == ("container.missing-blob", name)
    assert open_layout(two, tag="2.0").tag == "2.0"
    index = index_of(two)
    del index["manifests"][0]["artifactType"]  # now it may be an image whose blobs are elsewhere
    write_index(two, index)
    assert open_layout(two).tag == "2.0"


def test_a_tag_that_two_packages_have_says_nothing(two: Path):
    index = index_of(two)
    index["manifests"][1]["annotations"]["org.opencontainers.image.ref.name"] = "1.0"
    write_index(two, index)
    assert refusal(two, "1.0") == ("container.ambiguous-manifest", "index.json")


def test_an_index_without_a_package(layout: Path):
    write_index(layout, {"schemaVersion": 2, "manifests": []})
    assert refusal(layout) == ("container.missing-manifest", "index.json")
    change = {"mediaType": "application/vnd.oci.image.manifest.v1+json", "digest": KERNEL_DIGEST, "size": 7}
    write_index(layout, {"schemaVersion": 2, "manifests": [{**change, "artifactType": "other"}]})
    assert refusal(layout) == ("container.missing-manifest", "index.json")


INDEX_CASES: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda index: index.pop("schemaVersion"), "index.json"),
    (lambda index: index.update(schemaVersion=1), "index.json.schemaVersion"),
    (lambda index: index.update(schemaVersion="2"), "index.json.schemaVersion"),
    (lambda index: index.update(schemaVersion=True), "index.json.schemaVersion"),
    (lambda index: index.update(mediaType="x"), "index.json.mediaType"),
    (lambda index: index.pop("manifests"), "index.json"),
    (lambda index: index.update(manifests={}), "index.json.manifests"),
    (lambda index: index.update(manifests=None), "index.json.manifests"),
    (lambda index: index["manifests"].append(1), "index.json.manifests[1]"),
    (lambda index: index["manifests"][0].pop("mediaType"), "index.json.manifests[0]"),
    (lambda index: index["manifests"][0].update(digest="sha256:ab"), "index.json.manifests[0].digest"),
    (
        lambda index: index["manifests"][0].update(digest="sha256:../../index.json"),
        "index.json.manifests[0].digest",
    ),
    (lambda index: index["manifests"][0].update(size=-1), "index.json.manifests[0].size"),
    (lambda index: index["manifests"][0].update(size=1.0), "index.json.manifests[0].size"),
    (lambda index: index["manifests"][0].update(size=1 << 63), "index.json.manifests[0].size"),
    (lambda index: index["manifests"][0].update(artifactType=1), "index.json.manifests[0].artifactType"),
    (lambda index: index["manifests"][0].update(annotations=[]), "index.json.manifests[0].annotations"),
    (
        lambda index: index["manifests"][0]["annotations"].update({"org.opencontainers.image.ref.name": 1}),
        "index.json.manifests[0].annotations.org.opencontainers.image.ref.name",
    ),
]


@pytest.mark.parametrize(("change", "path"), INDEX_CASES)
def test_a_malformed_index(layout: Path, change: Callable[[dict[str, Any]], object], path: str):
    index = index_of(layout)
    change(index)
    write_index(layout, index)
    assert refusal(layout) == ("container.malformed", path)


MANIFEST_CASES: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda manifest: manifest.update(schemaVersion=3), ".schemaVersion"),
    (lambda manifest: manifest.pop("config"), ""),
    (lambda manifest: manifest.update(config=[]), ".config"),
    (lambda manifest: manifest["config"].update(mediaType="application/json"), ".config.mediaType"),
    (lambda manifest: manifest["config"].update(digest="x"), ".config.digest"),
    (lambda manifest: manifest["config"].pop("size"), ".config"),
]


@pytest.mark.parametrize(("change", "path"), MANIFEST_CASES)
def test_a_malformed_manifest(layout: Path, change: Callable[[dict[str, Any]], object], path: str):
    change_manifest(layout, change)
    assert refusal(layout) == ("container.malformed", manifest_name(layout) + path)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("", "oci-layout"),
        ("[]", "oci-layout"),
        ('{"imageLayoutVersion":"1.0.0"', "oci-layout"),
        ('{"imageLayoutVersion":"1.0.0","imageLayoutVersion":"1.0.0"}', "oci-layout"),
        ('{"imageLayoutVersion":"2.0.0"}', "oci-layout.imageLayoutVersion"),
        ("{}", "oci-layout"),
        ("\ufeff{}", "oci-layout"),
    ],
)
def test_a_malformed_layout_file(layout: Path, text: str, path: str):
    (layout / "oci-layout").write_text(text, encoding="utf-8")
    assert refusal(layout) == ("container.malformed", path)


def test_missing_files(layout: Path):
    (layout / "index.json").rename(layout / "moved")
    assert refusal(layout) == ("container.malformed", "index.json")
    (layout / "moved").rename(layout / "index.json")
    name = manifest_name(layout)
    (layout / name).unlink()
    assert refusal(layout) == ("container.missing-blob", name)


def test_a_damaged_manifest_is_told_though_nothing_says_that_it_is_one(layout: Path):
    index = index_of(layout)
    del index["manifests"][0]["artifactType"]
    write_index(layout, index)
    name = manifest_name(layout)
    data = (layout / name).read_bytes()
    (layout / name).write_bytes(data.replace(b"schemaVersion", b"schemaversion"))
    assert refusal(layout) == ("container.digest-mismatch", name)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (KERNEL.upper(), "container.digest-mismatch"),
        (KERNEL[:-1], "container.size-mismatch"),
        (KERNEL + b"\0", "container.size-mismatch"),
        (b"", "container.size-mismatch"),
        (None, "container.missing-blob"),
    ],
)
def test_a_damaged_blob(layout: Path, data: bytes | None, code: str):
    blobs = read_layout(layout).blobs
    (layout / KERNEL_NAME).unlink() if data is None else (layout / KERNEL_NAME).write_bytes(data)
    with pytest.raises(ContainerError) as refused:
        blobs.read(kernel())
    assert (refused.value.code, str(refused.value.path)) == (code, KERNEL_NAME)
    if code != "container.digest-mismatch":
        with pytest.raises(ContainerError) as refused:
            blobs.probe(kernel())
        assert refused.value.code == code


def test_a_damaged_document(layout: Path):
    (layout / DOCUMENT_NAME).write_bytes(small_package().binary[:-1] + b"x")
    assert refusal(layout) == ("container.digest-mismatch", DOCUMENT_NAME)


def test_the_document_is_canonical_binary_of_a_package(layout: Path):
    def config(data: bytes) -> None:
        (layout / "blobs" / "sha256" / sha256_digest(data)[7:]).write_bytes(data)
        change_manifest(
            layout, lambda manifest: manifest["config"].update(digest=sha256_digest(data), size=len(data))
        )

    config(small_package().json())
    with pytest.raises(CodecError):
        read_layout(layout)
    config(Document.from_message(ExecutionGraph(id="g")).binary)
    assert refusal(layout) == ("header.kind-mismatch", "header.kind")
    config(b"")
    assert refusal(layout) == ("header.missing", "header")


@pytest.mark.parametrize("name", ["oci-layout", "index.json", "blobs", "blobs/sha256", DOCUMENT_NAME])
def test_links_are_not_followed(layout: Path, name: str):
    opened = manifest_name(layout) if name.startswith("blobs") and name != DOCUMENT_NAME else name
    moved = layout.parent / "outside"
    (layout / name).rename(moved)
    (layout / name).symlink_to(moved)
    assert refusal(layout) == ("container.link", opened)


def test_a_hard_link_of_a_plain_file_is_a_file(layout: Path):
    os.link(layout / "index.json", layout.parent / "other")
    assert read_layout(layout).document is not None


@pytest.mark.parametrize("name", ["index.json", DOCUMENT_NAME])
def test_a_pipe_stops_nobody(layout: Path, name: str):
    (layout / name).unlink()
    os.mkfifo(layout / name)
    assert refusal(layout) == ("container.unsupported-member", name)


def test_a_folder_in_the_place_of_a_file(layout: Path):
    (layout / "index.json").unlink()
    (layout / "index.json").mkdir()
    assert refusal(layout) == ("container.malformed", "index.json")


def test_a_file_in_the_place_of_a_folder(layout: Path):
    name = manifest_name(layout)
    (layout / "blobs").rename(layout / "moved")
    (layout / "blobs").write_text("")
    assert refusal(layout) == ("container.missing-blob", name)


def test_limits(layout: Path):
    assert refusal(layout, limits=Limits(metadata_bytes=20)) == ("limit.metadata-bytes", "oci-layout")
    name = manifest_name(layout)
    at = len((layout / name).read_bytes())
    assert refusal(layout, limits=Limits(metadata_bytes=at - 1))[0] == "limit.metadata-bytes"
    assert open_container(layout, limits=Limits(metadata_bytes=at)).document is not None
    assert refusal(layout, limits=Limits(document_bytes=100)) == ("limit.document-bytes", "")
    size = len(small_package().binary)
    blobs = open_container(layout, limits=Limits(blob_bytes=max(at, size))).blobs
    with pytest.raises(ContainerError) as refused:
        blobs.read(BlobReference(digest=KERNEL_DIGEST, size=1 << 40))
    assert (refused.value.code, str(refused.value.path)) == ("limit.blob-bytes", KERNEL_NAME)
    (layout / "oci-layout").write_text('{"imageLayoutVersion":' + '{"a":' * 40)
    assert refusal(layout, limits=Limits(json_depth=32)) == ("limit.json-depth", "oci-layout")


def test_a_huge_metadata_file_is_not_read(layout: Path):
    with (layout / "index.json").open("r+b") as stream:
        stream.truncate(1 << 40)
    assert refusal(layout) == ("limit.metadata-bytes", "index.json")


def test_what_cannot_be_read(tmp_path: Path):
    assert refusal(tmp_path / "gone") == ("container.unreadable", "")
    with pytest.raises(ContainerError) as refused:
        open_container("nul\0l")
    assert refused.value.code == "container.unreadable"


@pytest.mark.parametrize(
    "data",
    [b"", b"x", b"{}", b'{"kind":"other"}', bytes(1024), b"\x1f\x8b\x08" + bytes(600), b"BZh9", b"\x7fELF"],
)
def test_an_unknown_format(tmp_path: Path, data: bytes):
    (tmp_path / "file").write_bytes(data)
    assert refusal(tmp_path / "file") == ("container.unknown-format", "")


def test_a_pipe_is_no_container(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    assert refusal(tmp_path / "pipe") == ("container.unknown-format", "")


def test_every_byte_of_the_metadata_flipped_in_turn(layout: Path):
    """The answer is a structured error, or the same document."""
    files = files_below(layout)
    digest = small_package().digest
    equal = 0
    for name in ("oci-layout", "index.json", manifest_name(layout), DOCUMENT_NAME):
        for at in range(len(files[name])):
            damaged = bytearray(files[name])
            damaged[at] ^= 1 << at % 8
            (layout / name).write_bytes(damaged)
            try:
                document = open_container(layout).document
            except InterlockError:
                continue  # it carries a code, as all of these do
            assert document is not None
            assert document.digest == digest
            equal += 1
        (layout / name).write_bytes(files[name])
    assert equal > 0  # the tag, and names that nobody looks at


@pytest.mark.parametrize("name", sorted({"oci-layout", "index.json", DOCUMENT_NAME}))
def test_every_truncation(layout: Path, name: str):
    data = (layout / name).read_bytes()
    for size in range(len(data)):
        (layout / name).write_bytes(data[:size])
        code, _ = refusal(layout)
        assert code in {"container.malformed", "container.size-mismatch"}


def test_an_index_that_names_one_manifest_many_times_costs_nothing(layout: Path):
    index = index_of(layout)
    del index["manifests"][0]["artifactType"]
    change_manifest(layout, lambda manifest: manifest.update(annotations={"a": "x" * (1 << 20)}))
    large = {**index_of(layout)["manifests"][0]}
    del large["artifactType"]
    write_index(layout, {**index, "manifests": [large] * 20_000})
    started = time.process_time()
    assert open_layout(layout).manifest_digest == large["digest"]
    assert time.process_time() - started < 5


def test_a_sentence_names_ten_tags(two: Path):
    index = index_of(two)
    first = index["manifests"][0]
    tags = [f"{at:02}" + "t" * 300 for at in range(12)]
    blobs = two / "blobs" / "sha256"
    manifest = json.loads((blobs / first["digest"].removeprefix("sha256:")).read_bytes())
    listed = []
    for tag in tags:
        data = json.dumps({**manifest, "note": tag}).encode()
        digest = sha256_digest(data)
        (blobs / digest.removeprefix("sha256:")).write_bytes(data)
        listed.append({**first, "digest": digest, "size": len(data), "annotations": {TAG_KEY: tag}})
    write_index(two, {**index, "manifests": listed})
    shown = ", ".join(f"`{tag[:255]}`" for tag in tags[:10])
    assert refusal(two)[0] == "container.ambiguous-manifest"
    with pytest.raises(ContainerError) as caught:
        open_layout(two)
    assert caught.value.diagnostics[0].message == (
        f"the index holds 12 packages; name the tag of one: {shown} and 2 more"
    )
