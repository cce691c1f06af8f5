"""Python and C++ write the same containers, byte for byte, and read each other's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cpp_packages import Made, cpp, empty, full, small, tree, two_megabyte_graph, written
from execgraph.v1.blob_pb2 import BlobReference
from interlock.package.oci import read_layout

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize("tag", [None, "v1.0", "registry.example/team/kernels:2024-01--rc1"])
@pytest.mark.parametrize("make", [empty, small, full, two_megabyte_graph])
def test_both_languages_write_the_same_bytes(
    make: Callable[[], Made], tag: str | None, tmp_path: Path
) -> None:
    made = make()
    manifest = written(made, tmp_path / "python", tag)
    assert written(made, tmp_path / "python.tar", tag) == manifest

    (tmp_path / "document.json").write_bytes(made.document.json())
    (tmp_path / "blobs").mkdir()
    for digest, data in made.contents.items():
        (tmp_path / "blobs" / digest[7:20]).write_bytes(data)
    for product in ("cpp", "cpp.tar"):
        words: list[str | Path] = ["--blobs", tmp_path / "blobs", "-o", tmp_path / product]
        run = cpp("pack", tmp_path / "document.json", *words, *(["--tag", tag] if tag else []))
        assert (run.returncode, run.stdout, run.stderr) == (0, f"{manifest}\n", "")

    assert tree(tmp_path / "cpp") == tree(tmp_path / "python")
    assert (tmp_path / "cpp.tar").read_bytes() == (tmp_path / "python.tar").read_bytes()


@pytest.mark.parametrize("make", [empty, small, full])
def test_each_language_reads_what_the_other_wrote(make: Callable[[], Made], tmp_path: Path) -> None:
    made = make()
    written(made, tmp_path / "python", "t")
    written(made, tmp_path / "python.tar", "t")
    total = sum(len(data) for data in made.contents.values())
    summary = f"{made.document.digest}  {len(made.contents)} blobs, {total} byte{'' if total == 1 else 's'}\n"
    for source, product in (("python", "cpp.tar"), ("python.tar", "cpp")):
        checked = cpp("check", tmp_path / source)
        assert (checked.returncode, checked.stdout, checked.stderr) == (0, summary, "")
        assert cpp("unpack", tmp_path / source, "-o", tmp_path / product).returncode == 0
        container = read_layout(tmp_path / product, tag="t")
        assert container.document == made.document
        for digest, data in made.contents.items():
            assert container.blobs.read(BlobReference(digest=digest, size=len(data))) == data
    assert tree(tmp_path / "cpp") == tree(tmp_path / "python")
    assert (tmp_path / "cpp.tar").read_bytes() == (tmp_path / "python.tar").read_bytes()
