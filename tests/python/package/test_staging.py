"""Products appear complete or not at all, also where several processes write one."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from execgraph.v1.package_pb2 import Package
from interlock.document import Document
from interlock.hashing import sha256_digest
from interlock.limits import DEFAULT_LIMITS
from interlock.package.blobs import memory_blobs
from interlock.package.container import Container
from interlock.package.opening import open_container
from interlock.package.staging import exclusive, staged
from interlock.package.unpacking import unpack


def folder(name: str, content: str) -> None:
    Path(name).mkdir()
    Path(name, "content").write_text(content, encoding="ascii")


def is_ours(_: str) -> bool:
    return True


def test_a_folder_that_another_process_publishes_meanwhile_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    target = str(tmp_path / "product")
    folder(target, "old")
    rename = os.rename

    def slow(source: str, name: str) -> None:
        rename(source, name)
        if source == target:  # between the two steps of replacing a folder
            folder(target, "theirs")

    monkeypatch.setattr(os, "rename", slow)
    with pytest.raises(OSError), staged(target, replace=True, is_ours=is_ours) as temporary:  # noqa: PT011
        folder(temporary, "ours")
    assert [each.name for each in tmp_path.iterdir()] == ["product"]
    assert (tmp_path / "product" / "content").read_text() == "theirs"


def test_an_empty_name_is_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError), staged("", replace=True, is_ours=is_ours):
        pass


def test_one_process_at_a_time_changes_a_product(tmp_path: Path):
    script = "import sys; from interlock.package.staging import exclusive\n"
    script += "with exclusive(sys.argv[1]): print(1, flush=True)"
    words = [sys.executable, "-c", script, str(tmp_path / "other")]
    with exclusive(str(tmp_path / "product")):
        waiting = subprocess.Popen(words, stdout=subprocess.PIPE)
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(0.5)
    assert waiting.communicate(timeout=30)[0] == b"1\n"
    with exclusive(str(tmp_path / "no" / "such" / "folder")):
        pass  # whoever writes there says what is wrong


def test_what_several_processes_add_at_once_is_all_there(tmp_path: Path):
    (tmp_path / "kernel").write_bytes(b"kernel")
    words = ["--target", "t", "--content-type", "spirv", "kernel"]
    for product in ("p.tar", "p"):
        add = [sys.executable, "-m", "interlock", "add", product]
        first = [*add, "--create", "p", "--artifact", "a", *words]
        subprocess.run(first, cwd=tmp_path, check=True, capture_output=True)
        running = [
            subprocess.Popen(
                [*add, "--artifact", name, *words],
                cwd=tmp_path,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            for name in "bcdefg"
        ]
        assert [each.communicate(timeout=60)[1] for each in running] == [b""] * 6
        document = open_container(tmp_path / product).document
        assert document is not None
        assert [each.id for each in document.message.artifacts] == list("abcdefg")  # type: ignore[attr-defined]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["kernel", "p", "p.tar"]


def test_many_names_that_look_alike_are_told_apart_soon(tmp_path: Path):
    package, contents = Package(id="p"), {}
    for number in range(4000):
        data = str(number).encode()
        contents[sha256_digest(data)] = data
        name = f"{number:012b}".replace("0", "!").replace("1", "?")
        variant = package.artifacts.add(id=f"x{name}").variants.add(target="t")
        variant.blob.digest, variant.blob.size = sha256_digest(data), len(data)
    document = Document.from_message(package)
    start = time.process_time()
    container = Container("oci-layout", "x", document, memory_blobs(contents, DEFAULT_LIMITS))
    unpack(container, tmp_path / "out")
    assert time.process_time() - start < 3
    assert len(list((tmp_path / "out" / "artifacts" / "x-").iterdir())) == 4000
