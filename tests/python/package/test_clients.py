"""Other tools carry our layouts: skopeo between directories and archives, and through a real registry."""

from __future__ import annotations

import http
import http.client
import os
import resource
import socket
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from interlock.errors import InterlockError
from interlock.package.clients import (
    Client,
    ClientError,
    find_client,
    is_reference,
    pull_package,
    push_package,
)
from interlock.package.oci import open_layout
from package_support import (
    CONTENTS,
    KERNEL_DIGEST,
    files_below,
    require_tool,
    small_package,
    write_small,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def skopeo(*words: str) -> subprocess.CompletedProcess[bytes]:
    program = require_tool("skopeo")
    return subprocess.run([program, *words], capture_output=True, check=False)


@pytest.mark.parametrize("source", ["oci", "oci-archive"])
@pytest.mark.parametrize("target", ["oci", "oci-archive"])
def test_skopeo_copies_a_layout_digest_by_digest(tmp_path: Path, source: str, target: str):
    names = {"oci": "dir", "oci-archive": "file.tar"}
    original, copy = tmp_path / names[source], tmp_path / f"copied-{names[target]}"
    manifest = write_small(original, "1.0")
    done = skopeo("copy", "--preserve-digests", f"{source}:{original}:1.0", f"{target}:{copy}:2.0")
    assert (done.returncode, done.stderr) == (0, b"")
    layout = open_layout(copy)
    assert (layout.manifest_digest, layout.tag, layout.is_archive) == (
        manifest,
        "2.0",
        target == "oci-archive",
    )
    document = layout.container.document
    assert document is not None
    assert document.digest == small_package().digest
    for variant in document.message.artifacts[0].variants:  # type: ignore[attr-defined]
        assert layout.container.blobs.read(variant.blob) == CONTENTS[variant.blob.digest]
    if target == "oci":
        write_small(tmp_path / "ours", "2.0")
        ours = {name: data for name, data in files_below(tmp_path / "ours").items() if "blobs" in name}
        theirs = {name: data for name, data in files_below(copy).items() if "blobs" in name}
        assert ours == theirs


def test_skopeo_copies_a_package_without_blobs(tmp_path: Path):
    from execgraph.v1.package_pb2 import Package  # noqa: PLC0415  (this test only)
    from interlock.document import Document  # noqa: PLC0415
    from interlock.limits import DEFAULT_LIMITS  # noqa: PLC0415
    from interlock.package.blobs import memory_blobs  # noqa: PLC0415
    from interlock.package.oci import write_layout  # noqa: PLC0415

    empty = Document.from_message(Package(id="none"))
    manifest = write_layout(empty, memory_blobs({}, DEFAULT_LIMITS), tmp_path / "none")
    done = skopeo("copy", "--preserve-digests", f"oci:{tmp_path}/none", f"oci:{tmp_path}/copy")
    assert done.returncode == 0
    assert open_layout(tmp_path / "copy").manifest_digest == manifest


@pytest.mark.parametrize("digest", [KERNEL_DIGEST, small_package().digest])
def test_skopeo_refuses_a_tampered_blob(tmp_path: Path, digest: str):
    write_small(tmp_path / "small", "1.0")
    path = tmp_path / "small" / "blobs" / "sha256" / digest[7:]
    data = bytearray(path.read_bytes())
    data[-2] ^= 1
    path.write_bytes(data)
    done = skopeo("copy", "--preserve-digests", f"oci:{tmp_path}/small:1.0", f"oci:{tmp_path}/copy:1.0")
    assert done.returncode != 0


def _port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        number: int = listener.getsockname()[1]
        return number


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[str]:
    """A registry on this machine; the start of references to it."""
    program = require_tool("docker-registry")
    require_tool("skopeo")
    address = f"127.0.0.1:{_port()}"
    (tmp_path / "registry.yml").write_text(
        f"version: 0.1\nstorage: {{filesystem: {{rootdirectory: {tmp_path}/registry}}}}\n"
        f"http: {{addr: '{address}'}}\n"
    )
    with (tmp_path / "registry.log").open("wb") as log:
        server = subprocess.Popen(
            [program, "serve", tmp_path / "registry.yml"], stdout=log, stderr=subprocess.STDOUT
        )
    try:
        _wait_for(address, server)
        yield address
    finally:
        server.kill()
        server.wait()


def _wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert server.poll() is None, "the registry ended"
        connection = http.client.HTTPConnection(address, timeout=5)
        try:
            connection.request("GET", "/v2/")
            assert connection.getresponse().status == http.HTTPStatus.OK
        except OSError:
            time.sleep(0.05)
        else:
            return
        finally:
            connection.close()
    pytest.fail("the registry does not answer")


@pytest.mark.parametrize("name", ["small", "small.tar"])
def test_a_package_goes_through_a_registry(tmp_path: Path, registry: str, name: str):
    client = find_client("skopeo")
    manifest = write_small(tmp_path / name, "1.0")
    pushed = push_package(str(tmp_path / name), f"{registry}/k/small:1.0", client=client, insecure=True)
    assert pushed.manifest_digest == manifest
    for reference in (f"{registry}/k/small:1.0", f"{registry}/k/small@{manifest}"):
        for output in ("back", "back.tar"):
            path = tmp_path / output
            pulled = pull_package(reference, str(path), client=client, insecure=True, replace=True)
            assert pulled.manifest_digest == manifest
            layout = open_layout(path)
            assert layout.is_archive == (output == "back.tar")
            assert layout.container.document is not None
            assert layout.container.document.digest == small_package().digest
    with pytest.raises(FileExistsError):
        pull_package(f"{registry}/k/small:1.0", str(tmp_path / "back"), client=client, insecure=True)
    with pytest.raises(ClientError) as refused:  # it does not speak TLS
        pull_package(f"{registry}/k/small:1.0", str(tmp_path / "other"), client=client)
    assert refused.value.code == "tool.client-failed"
    assert not (tmp_path / "other").exists()
    assert not list(tmp_path.glob(".*.part"))


def test_what_is_no_package_is_not_pulled(tmp_path: Path, registry: str):
    client = find_client("skopeo")
    manifest = write_small(tmp_path / "small")
    push_package(str(tmp_path / "small"), f"{registry}/k/small:1", client=client, insecure=True)
    held = tmp_path / "registry" / "docker" / "registry" / "v2" / "blobs" / "sha256"
    kernel = held / KERNEL_DIGEST[7:9] / KERNEL_DIGEST[7:] / "data"
    kernel.write_bytes(kernel.read_bytes().upper())  # the registry is not trusted
    with pytest.raises(InterlockError) as refused:
        pull_package(f"{registry}/k/small:1", str(tmp_path / "back"), client=client, insecure=True)
    assert refused.value.code == "tool.client-failed"
    assert not (tmp_path / "back").exists()
    assert manifest


def test_a_damaged_package_is_not_pushed(tmp_path: Path):
    write_small(tmp_path / "small")
    for digest in CONTENTS:
        (tmp_path / "small" / "blobs" / "sha256" / digest[7:]).unlink()
    nobody = Client("skopeo", "/nowhere/skopeo")  # it is never run
    with pytest.raises(InterlockError) as refused:
        push_package(str(tmp_path / "small"), "registry.example/k/small:1", client=nobody)
    assert [(found.code, str(found.path)) for found in refused.value.diagnostics] == [
        ("container.missing-blob", 'artifacts["k"].variants[0].blob'),
        ("container.missing-blob", 'artifacts["k"].variants[1].blob'),
    ]


def test_a_tampered_manifest_is_not_pushed(tmp_path: Path):
    """Skopeo would copy it, and give it the digest that it has become."""
    manifest = write_small(tmp_path / "small", "1.0")
    name = f"blobs/sha256/{manifest[7:]}"
    path = tmp_path / "small" / name
    path.write_bytes(path.read_bytes().replace(b"artifact.v1", b"artifact.v2"))
    nobody = Client("skopeo", "/nowhere/skopeo")
    with pytest.raises(InterlockError) as refused:
        push_package(str(tmp_path / "small"), "registry.example/k/small:1", client=nobody)
    assert (refused.value.code, str(refused.value.path)) == ("container.digest-mismatch", name)


FAKE = """\
#!/bin/sh
for word in "$@"; do echo "$word" >> "$LOG"; done
for last in "$@"; do :; done
[ -n "$COPY" ] && cp -r "$COPY" "${last#oci:}"
[ -z "$FAIL" ] || { echo first; echo "it went wrong" >&2; exit 7; }
"""


@pytest.fixture
def fakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with a skopeo and an oras that write down their arguments."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("skopeo", "oras"):
        (folder / name).write_text(FAKE)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    return folder


def said(tmp_path: Path) -> list[str]:
    lines = (tmp_path / "log").read_text().splitlines()
    (tmp_path / "log").unlink()
    return lines


def test_clients_get_these_arguments(tmp_path: Path, fakes: Path, monkeypatch: pytest.MonkeyPatch):
    manifest = write_small(tmp_path / "small", "1.0")
    write_small(tmp_path / "bare.tar")
    where = "registry.example/k/small:1"
    both = find_client("skopeo"), find_client("oras")
    assert [client.program for client in both] == [str(fakes / "skopeo"), str(fakes / "oras")]
    assert find_client() == both[0]
    push_package(str(tmp_path / "small"), where, client=both[0])
    assert said(tmp_path) == ["copy", "--preserve-digests", f"oci:{tmp_path}/small:1.0", f"docker://{where}"]
    push_package(str(tmp_path / "bare.tar"), where, client=both[0], insecure=True)
    assert said(tmp_path) == [
        "copy",
        "--preserve-digests",
        "--dest-tls-verify=false",
        f"oci-archive:{tmp_path}/bare.tar",
        f"docker://{where}",
    ]
    push_package(str(tmp_path / "small"), where, client=both[1], insecure=True)
    assert said(tmp_path) == [
        "cp",
        "--to-plain-http",
        "--from-oci-layout",
        f"{tmp_path}/small@{manifest}",
        where,
    ]
    monkeypatch.setenv("COPY", str(tmp_path / "small"))
    pull_package(where, str(tmp_path / "one"), client=both[0], insecure=True)
    words = said(tmp_path)
    assert words[:4] == ["copy", "--preserve-digests", "--src-tls-verify=false", f"docker://{where}"]
    assert words[4].startswith(f"oci:{tmp_path}/.one.")
    pull_package(where, str(tmp_path / "two"), client=both[1])
    words = said(tmp_path)
    assert words[:3] == ["cp", "--to-oci-layout", where]
    assert words[3].startswith(f"{tmp_path}/.two.")
    assert files_below(tmp_path / "one") == files_below(tmp_path / "small")
    with pytest.raises(ValueError, match="directories only"):
        pull_package(where, str(tmp_path / "three.tar"), client=both[1])


def test_what_a_client_brings_is_checked(tmp_path: Path, fakes: Path, monkeypatch: pytest.MonkeyPatch):
    del fakes
    write_small(tmp_path / "small", "1.0")
    path = tmp_path / "small" / "blobs" / "sha256" / KERNEL_DIGEST[7:]
    path.write_bytes(path.read_bytes().upper())
    monkeypatch.setenv("COPY", str(tmp_path / "small"))
    with pytest.raises(InterlockError) as refused:
        pull_package("registry.example/k/small:1", str(tmp_path / "back"), client=find_client())
    assert (refused.value.code, str(refused.value.path)) == (
        "container.digest-mismatch",
        'artifacts["k"].variants[1].blob',
    )
    assert not (tmp_path / "back").exists()
    assert not list(tmp_path.glob(".*.part"))


def test_a_client_that_fails(tmp_path: Path, fakes: Path, monkeypatch: pytest.MonkeyPatch):
    write_small(tmp_path / "small")
    monkeypatch.setenv("FAIL", "1")
    with pytest.raises(ClientError) as refused:
        push_package(str(tmp_path / "small"), "registry.example/k/small:1", client=find_client())
    assert refused.value.code == "tool.client-failed"
    assert refused.value.diagnostics[0].message == "`skopeo copy` failed with exit code 7: it went wrong"
    (fakes / "skopeo").write_text("no program")
    with pytest.raises(ClientError) as refused:
        push_package(str(tmp_path / "small"), "registry.example/k/small:1", client=find_client())
    assert refused.value.code == "tool.client-failed"


def test_no_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in (None, "skopeo", "oras"):
        with pytest.raises(ClientError) as refused:
            find_client(name)
        assert refused.value.code == "tool.missing-client"
        assert "install it" in refused.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("text", "fine"),
    [
        ("registry.example/k/sum:1.0", True),
        ("localhost:5000/k@sha256:" + "0" * 64, True),
        ("[::1]:5000/k:1", True),
        ("k:1", False),
        ("", False),
        ("-rf/x", False),
        ("--all/x", False),
        ("a/b c", False),
        ("a/b\nc", False),
        ("a/b;c", False),
        ("a/b\n", False),
        ("docker://a/$b", False),
    ],
)
def test_references(tmp_path: Path, text: str, fine: bool):
    assert is_reference(text) == fine
    if not fine:
        nobody = Client("skopeo", "/nowhere/skopeo")
        for use in (
            lambda: push_package(str(tmp_path), text, client=nobody),
            lambda: pull_package(text, str(tmp_path / "x"), client=nobody),
        ):
            with pytest.raises(ValueError, match="is no reference"):
                use()


def test_a_path_that_clients_would_take_apart(tmp_path: Path):
    (tmp_path / "a:b").mkdir()
    write_small(tmp_path / "a:b" / "small")
    nobody = Client("skopeo", "/nowhere/skopeo")
    with pytest.raises(ValueError, match="separate a tag"):
        push_package(str(tmp_path / "a:b" / "small"), "registry.example/k:1", client=nobody)
    with pytest.raises(ValueError, match="separate a tag"):
        pull_package("registry.example/k:1", str(tmp_path / "a:b" / "x"), client=nobody)


def fake(folder: Path, script: str) -> Client:
    path = folder / "skopeo"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return Client("skopeo", str(path))


def test_another_manifest_than_the_one_that_was_named_is_refused(tmp_path: Path):
    manifest = write_small(tmp_path / "there")
    client = fake(tmp_path, f'for last; do :; done; cp -r {tmp_path}/there "${{last#oci:}}"')
    other = "sha256:" + "0" * 64
    with pytest.raises(InterlockError) as caught:
        pull_package(f"registry.example/sum@{other}", str(tmp_path / "here"), client=client)
    assert (caught.value.code, str(caught.value.diagnostics[0].path)) == (
        "container.digest-mismatch",
        "index.json",
    )
    assert sorted(each.name for each in tmp_path.iterdir()) == ["skopeo", "there"]
    pulled = pull_package(f"registry.example/sum@{manifest}", str(tmp_path / "here"), client=client)
    assert pulled.manifest_digest == manifest


def test_a_client_that_writes_nothing(tmp_path: Path):
    with pytest.raises(InterlockError) as caught:
        pull_package("registry.example/sum:1", str(tmp_path / "here"), client=fake(tmp_path, "exit 0"))
    assert caught.value.code == "container.unreadable"


def test_only_the_last_of_what_a_client_prints_is_kept(tmp_path: Path):
    client = fake(tmp_path, "head -c 300000000 /dev/zero; echo; echo no such image; exit 1")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ClientError) as caught:
        pull_package("registry.example/sum:1", str(tmp_path / "here"), client=client)
    assert caught.value.diagnostics[0].message.endswith("failed with exit code 1: no such image")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000
