"""Tar files: what other tools write is read, and everything else is refused."""

from __future__ import annotations

import io
import tarfile
from typing import TYPE_CHECKING

import pytest

from interlock.errors import InterlockError
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.package.container import ContainerError
from interlock.package.opening import open_container
from interlock.package.tarball import END, LARGEST_MEMBER, header, padding, read_members
from package_support import small_package, write_small

if TYPE_CHECKING:
    from pathlib import Path


def member(name: str, data: bytes = b"", **changes: bytes) -> bytes:
    """Return a member whose header has some fields changed, with the right checksum."""
    block = bytearray(header("x", len(data)))
    block[0:100] = name.encode("utf-8", "surrogateescape").ljust(100, b"\0")
    for field, value in changes.items():
        at = {"size": 124, "kind": 156, "link": 157, "magic": 257, "prefix": 345}[field]
        block[at : at + len(value)] = value
    return sealed(block) + data + padding(len(data))


def sealed(block: bytearray) -> bytes:
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def pax(kind: bytes, **records: str) -> bytes:
    body = b""
    for key, value in records.items():
        text = f" {key}={value}\n".encode()
        size = len(text) + 1
        while len(str(size)) + len(text) != size:
            size = len(str(size)) + len(text)
        body += str(size).encode() + text
    return member("pax", body, kind=kind)


def names(data: bytes, limits: Limits = DEFAULT_LIMITS) -> list[str]:
    return list(read_members(io.BytesIO(data), limits))


def refusal(data: bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[str, str, int | None]:
    with pytest.raises(ContainerError) as refused:
        names(data, limits)
    return refused.value.code, str(refused.value.path), refused.value.byte_offset


@pytest.mark.parametrize("format_", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("dot", ["", "./"])
def test_what_other_tools_write_is_read(tmp_path: Path, format_: int, dot: str):
    write_small(tmp_path / "small")
    with tarfile.open(tmp_path / "x.tar", "w:", format=format_) as archive:
        archive.add(tmp_path / "small", "." if dot else "", recursive=False) if dot else None
        for path in sorted((tmp_path / "small").rglob("*")):
            archive.add(path, dot + str(path.relative_to(tmp_path / "small")), recursive=False)
    document = open_container(tmp_path / "x.tar").document
    assert document is not None
    assert document.digest == small_package().digest


def test_members_are_where_their_bytes_are():
    data = member("a", b"1234") + member("b/", kind=b"5") + member("b/c", b"5", prefix=b"") + END
    held = read_members(io.BytesIO(data), DEFAULT_LIMITS)
    assert {name: data[at.offset : at.offset + at.size] for name, at in held.items()} == {
        "a": b"1234",
        "b/c": b"5",
    }
    assert names(member("c", b"", prefix=b"a/b") + END) == ["a/b/c"]
    assert names(member("a", b"1", kind=b"\0") + END + bytes(8192)) == ["a"]


def test_pax_headers_that_change_nothing_are_read():
    data = pax(b"g", comment="hello") + pax(b"x", mtime="1.5", path="a", size="2") + member("a", b"12") + END
    assert names(data) == ["a"]


@pytest.mark.parametrize(
    ("record", "value"), [("path", "b"), ("size", "3"), ("linkpath", "b"), ("GNU.sparse.major", "1")]
)
@pytest.mark.parametrize("kind", [b"x", b"g"])
def test_pax_headers_that_change_a_member_are_refused(record: str, value: str, kind: bytes):
    data = pax(kind, **{record: value}) + member("a", b"12") + END
    assert refusal(data) == ("container.unsupported-member", "a", 1024)


@pytest.mark.parametrize(
    "body", [b"x", b"3 a\n", b"9 a=b\n", b"5 a=b", b"06 a=b\n", b"6 a=bc", b"4 ab\n", b"6 a=b\n6 a=c\n"]
)
def test_malformed_pax_headers(body: bytes):
    code, path, _ = refusal(member("pax", body, kind=b"x") + member("a") + END)
    assert (code, path) == ("container.malformed", "")


def test_a_pax_header_precedes_a_member():
    assert refusal(pax(b"x", mtime="1") + END) == ("container.malformed", "", 1024)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("/a", "/a"),
        ("../a", "../a"),
        ("a/../b", "a/../b"),
        ("a\\b", "a\\b"),
        ("C:a", "C:a"),
        ("a\nb", "a?b"),
        ("a\x7f", "a?"),
        ("a/", "a/"),
        ("a//b", "a//b"),
        ("a/./b", "a/./b"),
        ("", ""),
        ("././a", "./a"),
    ],
)
def test_unsafe_names(name: str, path: str):
    assert refusal(member(name) + END)[:2] == ("container.unsafe-path", path)


@pytest.mark.parametrize("name", ["/", "..", "../", "a//"])
def test_unsafe_names_of_folders(name: str):
    assert refusal(member(name, kind=b"5") + END)[0] == "container.unsafe-path"


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (b"1", "container.link"),
        (b"2", "container.link"),
        (b"3", "container.unsupported-member"),
        (b"4", "container.unsupported-member"),
        (b"6", "container.unsupported-member"),
        (b"7", "container.unsupported-member"),
        (b"L", "container.unsupported-member"),
        (b"S", "container.unsupported-member"),
        (b"\xff", "container.unsupported-member"),
    ],
)
def test_members_that_are_neither_file_nor_folder(kind: bytes, code: str):
    assert refusal(member("first") + member("a", kind=kind, link=b"first") + END) == (code, "a", 512)


@pytest.mark.parametrize("again", [member("a", b"2"), member("./a"), member("a/", kind=b"5")])
def test_duplicates(again: bytes):
    assert refusal(member("a", b"1") + again + END)[:2] == ("container.duplicate-member", "a")


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        (b"", 0),
        (member("a"), 512),
        (member("a") + bytes(512), 512),
        (member("a", b"1")[:600], 0),
        (member("a", size=b"77777777777\0") + END, 0),
        (member("a", size=b"\x80\0\0\0\0\0\0\0\0\0\0\1") + END, 0),
        (member("a", size=b"           \0") + END, 0),
        (member("a", magic=b"ustar\x0099") + END, 0),
        (member("a", magic=b"nothing ") + END, 0),
        (member("a").replace(b"a", b"b", 1) + END, 0),
        (member("a") + END + b"x", 512),
        (member("a") + END + bytes(1 << 21), 512),
        (member("a\udcff") + END, 0),
        (member("a/", b"1", kind=b"5") + END, 0),
    ],
)
def test_malformed_archives(data: bytes, offset: int):
    code, _, found = refusal(data)
    assert (code, found) == ("container.malformed", offset)


def test_limits():
    data = member("a") + member("b") + pax(b"x", mtime="1") + member("c") + END
    assert names(data, Limits(archive_members=4)) == ["a", "b", "c"]
    assert refusal(data, Limits(archive_members=3)) == ("limit.archive-members", "", None)
    assert refusal(data, Limits(metadata_bytes=5)) == ("limit.metadata-bytes", "pax header", None)


def test_a_header_states_what_ustar_can():
    with pytest.raises(ValueError, match="cannot hold"):
        header("a", LARGEST_MEMBER + 1)
    with pytest.raises(ValueError, match="cannot hold"):
        header("a" * 101, 0)


def test_every_byte_of_a_small_tar_flipped_in_turn(tmp_path: Path):
    """The answer is a structured error, or the same document."""
    write_small(tmp_path / "x.tar", "1.0")
    original = (tmp_path / "x.tar").read_bytes()
    digest = small_package().digest
    refused = 0
    with (tmp_path / "x.tar").open("r+b", buffering=0) as stream:
        for at in range(len(original)):
            stream.seek(at)
            stream.write(bytes([original[at] ^ (1 << at % 8)]))
            try:
                document = open_container(tmp_path / "x.tar").document
            except InterlockError:
                refused += 1
            else:
                assert document is not None
                assert document.digest == digest
            stream.seek(at)
            stream.write(original[at : at + 1])
    # All of the headers and the end, at least.
    assert refused >= 6 * 512 + len(END)


def test_every_truncation_of_a_small_tar(tmp_path: Path):
    write_small(tmp_path / "x.tar", "1.0")
    data = (tmp_path / "x.tar").read_bytes()
    for size in range(0, len(data), 64):
        (tmp_path / "x.tar").write_bytes(data[:size])
        with pytest.raises(ContainerError) as refused:
            open_container(tmp_path / "x.tar")
        assert refused.value.code in {"container.malformed", "container.unknown-format"}
