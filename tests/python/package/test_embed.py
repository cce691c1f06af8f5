"""Embedding a graph in a CrossGL package: one file and one key more, and every other byte as it was."""

from __future__ import annotations

import os
import stat
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from execgraph.v1 import graph_pb2, package_pb2
from foreign_packages import (
    NATIVE,
    SOURCE,
    UnexpectedKeyError,
    changed,
    copied,
    every_file,
    read_as_an_old_reader,
    refusal,
    remarks,
)
from interlock.cli import main
from interlock.document import Document
from interlock.errors import InterlockError, TransformFailure
from interlock.limits import DEFAULT_LIMITS
from interlock.package.cglb import read_cglb
from interlock.package.embed import GRAPH_FILE, embed_graph, with_graph_key


def graph(name: str = "g") -> Document:
    return Document.from_message(graph_pb2.ExecutionGraph(id=name))


def embedded(path: Path) -> list[tuple[str, bytes]]:
    document = read_cglb(path).document
    assert document is not None
    package = cast("package_pb2.Package", document.message)
    return [(held.id, held.source.embedded) for held in package.graphs]


@pytest.mark.parametrize("package", [NATIVE, SOURCE])
def test_a_copy_has_one_file_and_one_key_more(tmp_path: Path, package: Path):
    out = tmp_path / "out.cglb"
    embed_graph(graph(), package, out)
    before, after = every_file(package), every_file(out)
    assert after.pop(GRAPH_FILE) == graph().json()
    added = b'"executionGraph": "metadata/execution-graph.json",\n    '
    manifest = after.pop("manifest.json")
    assert manifest.count(added) == 1
    assert manifest.replace(added, b"") == before.pop("manifest.json")
    assert after == before
    assert remarks(read_cglb(out)) == []
    assert embedded(out) == [("g", graph().binary)]
    assert sorted(os.listdir(tmp_path)) == ["out.cglb"]  # noqa: PTH208


def test_old_readers_refuse_a_copy_with_a_graph_and_read_everything_else(tmp_path: Path):
    out = tmp_path / "out.cglb"
    embed_graph(graph(), NATIVE, out)
    with pytest.raises(UnexpectedKeyError):
        read_as_an_old_reader(out)
    assert len(read_as_an_old_reader(NATIVE)) == 3


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (
            b'{"artifacts":{"a":"x","b":"y"}}',
            b'{"artifacts":{"executionGraph":"metadata/execution-graph.json","a":"x","b":"y"}}',
        ),
        (
            b'{"artifacts": {"a": "x", "b": "y"}}',
            b'{"artifacts": {"executionGraph": "metadata/execution-graph.json", "a": "x", "b": "y"}}',
        ),
        (
            b'{\r\n\t"artifacts" : {\r\n\t\t"a" :"x"\r\n\t}\r\n}\r\n',
            (
                b'{\r\n\t"artifacts" : {\r\n\t\t"executionGraph" :"metadata/execution-graph.json",\r\n\t\t'
                b'"a" :"x"\r\n\t}\r\n}\r\n'
            ),
        ),
        (
            b'{"x":{"artifacts":{}},"artifacts":{"q\\"\\\\":"\\"artifacts\\":{"}}',
            (
                b'{"x":{"artifacts":{}},"artifacts":{"executionGraph":"metadata/execution-graph.json",'
                b'"q\\"\\\\":"\\"artifacts\\":{"}}'
            ),
        ),
        (
            '{"artifacts": {"é": "x"}}'.encode(),
            '{"artifacts": {"executionGraph": "metadata/execution-graph.json","é": "x"}}'.encode(),
        ),
    ],
)
def test_the_key_is_spaced_like_its_neighbours(manifest: bytes, expected: bytes):
    assert with_graph_key(manifest, DEFAULT_LIMITS) == expected


@pytest.mark.parametrize("manifest", [b"{}", b'{"artifacts": {}}', b'{"artifacts": []}'])
def test_a_manifest_without_artifacts_takes_no_key(manifest: bytes):
    found = refusal(with_graph_key, manifest, DEFAULT_LIMITS)
    assert found == ("container.malformed", "manifest.json.artifacts")


def test_a_graph_is_replaced_only_on_request(tmp_path: Path):
    first, second, third = (tmp_path / name for name in ("1.cglb", "2.cglb", "3.cglb"))
    embed_graph(graph(), NATIVE, first)
    with pytest.raises(TransformFailure) as failure:
        embed_graph(graph("h"), first, second)
    assert str(failure.value.path) == "manifest.json.artifacts.executionGraph"
    assert failure.value.code == "embed.existing-graph"
    assert not second.exists()
    embed_graph(graph("h"), first, second, replace=True)
    assert embedded(second) == [("h", graph("h").binary)]
    before, after = every_file(first), every_file(second)
    assert {name for name in after if after[name] != before[name]} == {GRAPH_FILE}
    (second / GRAPH_FILE).write_bytes(b"damaged")
    embed_graph(graph("i"), second, third, replace=True)
    assert embedded(third) == [("i", graph("i").binary)]


def test_a_file_in_the_way_stays(tmp_path: Path):
    package = copied(NATIVE, tmp_path)
    (package / GRAPH_FILE).write_bytes(b"mine")
    with pytest.raises(TransformFailure) as failure:
        embed_graph(graph(), package, tmp_path / "out", replace=True)
    assert (failure.value.code, str(failure.value.path)) == ("embed.existing-graph", GRAPH_FILE)


def test_only_graphs_are_embedded_and_only_in_packages_without_errors(tmp_path: Path):
    other = Document.from_message(package_pb2.Package(id="p"))
    assert refusal(embed_graph, other, NATIVE, tmp_path / "out") == ("embed.wrong-kind", "")
    package = changed(NATIVE, tmp_path, "metadata/native-artifact.json", ("sizeBytes", 1))
    found = refusal(embed_graph, graph(), package, tmp_path / "out")
    assert found == ("container.size-mismatch", "metadata/native-artifact.json.artifactHash")
    assert refusal(embed_graph, graph(), tmp_path / "nothing", tmp_path / "out")[0] == "container.unreadable"


def test_nothing_is_overwritten_and_nothing_is_left(tmp_path: Path):
    out = tmp_path / "out"
    out.write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        embed_graph(graph(), NATIVE, out)
    assert out.read_bytes() == b"mine"
    package = copied(NATIVE, tmp_path)
    (package / "extra").symlink_to("/etc/hostname")
    with pytest.raises(InterlockError) as failure:
        embed_graph(graph(), package, tmp_path / "copy")
    assert (failure.value.code, str(failure.value.path)) == ("container.link", "extra")
    (package / "extra").unlink()
    os.mkfifo(package / "extra")
    with pytest.raises(InterlockError) as failure:
        embed_graph(graph(), package, tmp_path / "copy")
    assert failure.value.code == "container.unsupported-member"
    (package / "extra").unlink()
    with pytest.raises(InterlockError) as failure:
        embed_graph(graph(), package, tmp_path / "copy", limits=replace(DEFAULT_LIMITS, archive_members=3))
    assert failure.value.code == "limit.archive-members"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", NATIVE.name]


def test_files_that_the_manifest_does_not_know_are_copied_too(tmp_path: Path):
    package = copied(NATIVE, tmp_path)
    (package / "ir").mkdir()
    (package / "ir" / "empty").mkdir()
    (package / "ir" / "run.sh").write_bytes(b"#!")
    (package / "ir" / "run.sh").chmod(0o755)
    out = tmp_path / "out"
    embed_graph(graph(), package, out)
    assert (out / "ir" / "empty").is_dir()
    assert stat.S_IMODE((out / "ir" / "run.sh").stat().st_mode) == 0o755
    assert every_file(out).keys() - every_file(package).keys() == {GRAPH_FILE}


@pytest.mark.parametrize("prefix", ["", "p.cglb/"])
def test_an_archive_stays_one(tmp_path: Path, prefix: str):
    package, out = tmp_path / "in.cglb", tmp_path / "out.cglb"
    with zipfile.ZipFile(package, "w", zipfile.ZIP_STORED) as target:
        if prefix:
            target.writestr(zipfile.ZipInfo(prefix), b"")
        for name, data in reversed(every_file(NATIVE).items()):
            info = zipfile.ZipInfo(prefix + name, (2020, 2, 3, 4, 5, 6))
            info.external_attr = 0o100640 << 16
            target.writestr(info, data)
    embed_graph(graph(), package, out)
    assert remarks(read_cglb(out)) == []
    assert embedded(out) == [("g", graph().binary)]
    with zipfile.ZipFile(package) as old, zipfile.ZipFile(out) as new:
        known = [(member.filename, member.date_time, member.external_attr) for member in old.infolist()]
        *kept, added = new.infolist()
        assert [(member.filename, member.date_time, member.external_attr) for member in kept] == known
        assert (added.filename, added.date_time) == (prefix + GRAPH_FILE, (1980, 1, 1, 0, 0, 0))
        for name in old.namelist():
            if name != f"{prefix}manifest.json":
                assert new.read(name) == old.read(name)
    again = tmp_path / "again.cglb"
    embed_graph(graph(), package, again)
    assert again.read_bytes() == out.read_bytes()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("g.json").write_bytes(graph().json())
    assert main(["embed", "g.json", str(NATIVE), "-o", "out.cglb"]) == 0
    assert capsys.readouterr().out == f"{graph().digest}  out.cglb\n"
    assert main(["embed", "g.json", "out.cglb", "-o", "two.cglb"]) == 1
    assert "embed.existing-graph" in capsys.readouterr().err
    assert main(["embed", "--replace", "g.json", "out.cglb", "-o", "two.cglb"]) == 0
    assert main(["embed", "g.json", str(NATIVE), "-o", "two.cglb"]) == 2
    assert main(["embed", "g.json", "nothing", "-o", "three.cglb"]) == 2
    assert main(["embed", "nothing", str(NATIVE), "-o", "three.cglb"]) == 2
    assert not Path("three.cglb").exists()
