"""Stored zip files: what is read, and every way in which readers could disagree, refused."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from foreign_packages import NATIVE, every_file, refusal, remarks
from interlock.limits import DEFAULT_LIMITS
from interlock.package.cglb import read_cglb
from interlock.package.opening import open_container
from interlock.package.ziparchive import Member, read_zip_members

if TYPE_CHECKING:
    from pathlib import Path

    from execgraph.v1 import package_pb2

MALFORMED = "container.malformed"
UNSUPPORTED = "container.unsupported-member"
END = 22
ENTRY = 46
LOCAL = 30


def archive(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytearray:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as target:
        for name, data in members:
            target.writestr(name, data)
    return bytearray(stream.getvalue())


def members(data: bytes, limits: object = DEFAULT_LIMITS) -> dict[str, Member]:
    return read_zip_members(io.BytesIO(data), limits)  # type: ignore[arg-type]


def code(data: bytes) -> str:
    return refusal(members, bytes(data))[0]


def patched(data: bytearray, offset: int, form: str, value: int) -> bytearray:
    changed = bytearray(data)
    struct.pack_into(form, changed, offset, value)
    return changed


ONE = archive(("a", b"hello"))
START = len(ONE) - END - ENTRY - 1
"""Where the central directory of `ONE` starts."""


def test_members_are_ranges_of_the_file():
    data = archive(("a/b", b"one"), ("c", b""), ("d/", b""), ("é", b"two"))
    found = members(data)
    assert sorted(found) == ["a/b", "c", "é"]
    for name, expected in (("a/b", b"one"), ("c", b""), ("é", b"two")):
        extent = found[name].extent
        assert data[extent.offset : extent.offset + extent.size] == expected


def test_an_empty_archive_has_no_members():
    assert members(archive()) == {}


@pytest.mark.parametrize(
    ("offset", "form", "value", "expected"),
    [
        (len(ONE) - END, "<L", 0, MALFORMED),  # no end record
        (len(ONE) - 2, "<H", 1, MALFORMED),  # a comment that is not there
        (len(ONE) - END + 4, "<H", 1, MALFORMED),  # another disk
        (len(ONE) - END + 8, "<H", 2, MALFORMED),  # fewer members here than in all
        (len(ONE) - END + 8, "<L", 0x20002, MALFORMED),  # more members than entries
        (len(ONE) - END + 8, "<L", 0, MALFORMED),  # fewer
        (len(ONE) - END + 8, "<L", 0xFFFFFFFF, UNSUPPORTED),  # zip64
        (len(ONE) - END + 12, "<L", 46, MALFORMED),  # the directory ends elsewhere
        (len(ONE) - END + 16, "<L", 0, MALFORMED),  # the directory starts elsewhere
        (START, "<L", 0, MALFORMED),  # no entry
        (START + 8, "<H", 0x0001, UNSUPPORTED),  # encrypted
        (START + 8, "<H", 0x0008, UNSUPPORTED),  # the size follows
        (START + 8, "<H", 0x0040, UNSUPPORTED),  # strongly encrypted
        (START + 8, "<H", 0x0800, MALFORMED),  # another encoding than the local header says
        (START + 10, "<H", 8, UNSUPPORTED),  # deflated
        (START + 10, "<H", 12, UNSUPPORTED),  # bzip2
        (START + 16, "<L", 0, MALFORMED),  # another CRC-32 than the local header says
        (START + 20, "<L", 4, MALFORMED),  # two sizes
        (START + 20, "<Q", 0x300000003, MALFORMED),  # another size than the local header says
        (START + 20, "<L", 0xFFFFFFFF, UNSUPPORTED),  # zip64
        (START + 28, "<H", 2, MALFORMED),  # a longer name than there is
        (START + 30, "<H", 9, MALFORMED),  # extra fields beyond the directory
        (START + 34, "<H", 1, MALFORMED),  # another disk
        (START + 42, "<L", 1, MALFORMED),  # another place
        (START + 42, "<L", 0xFFFFFFF0, MALFORMED),  # a place beyond the file
        (0, "<L", 0, MALFORMED),  # no local header
        (6, "<H", 1, MALFORMED),  # other flags
        (8, "<H", 8, MALFORMED),  # another method
        (14, "<L", 0, MALFORMED),  # another CRC-32
        (18, "<L", 9, MALFORMED),  # another size
        (26, "<H", 0, MALFORMED),  # another name
        (28, "<H", 3, MALFORMED),  # extra fields that are the bytes
    ],
)
def test_every_lie_of_a_header_is_refused(offset: int, form: str, value: int, expected: str):
    assert code(patched(ONE, offset, form, value)) == expected


def test_bytes_that_belong_to_no_member_are_refused():
    assert code(b"MZ" + bytes(ONE)) == MALFORMED
    assert code(bytes(ONE) + b"\0") == MALFORMED
    assert code(ONE[:-1]) == MALFORMED
    assert code(b"") == MALFORMED
    commented = patched(ONE, len(ONE) - 2, "<H", 4)
    assert code(bytes(commented) + b"note") == MALFORMED


def named(name: str, mode: int = 0) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, mode << 16
    return info


@pytest.mark.parametrize(
    ("name", "mode", "expected"),
    [
        ("a", stat.S_IFLNK | 0o777, "container.link"),
        ("a", stat.S_IFIFO | 0o644, UNSUPPORTED),
        ("a", stat.S_IFCHR | 0o644, UNSUPPORTED),
        ("../a", 0, "container.unsafe-path"),
        ("/a", 0, "container.unsafe-path"),
        ("a//b", 0, "container.unsafe-path"),
        ("C:a", 0, "container.unsafe-path"),
        ("a/./b", 0, "container.unsafe-path"),
    ],
)
def test_members_that_are_no_plain_files_are_refused(name: str, mode: int, expected: str):
    assert code(archive((named(name, mode), b"x"))) == expected


def test_names_stand_once_and_are_text():
    with pytest.warns(UserWarning, match="Duplicate"):
        twice = archive(("a", b"x"), ("a", b"y"))
    assert code(twice) == "container.duplicate-member"
    assert code(archive(("a", b"x"), ("a/b", b"y"))) == "container.duplicate-member"
    assert code(archive(("a.b", b"x"), ("a", b"x"), ("a/b", b"y"))) == "container.duplicate-member"
    assert code(archive(("a", b"x"), ("a/", b""))) == "container.duplicate-member"
    assert code(archive(("a/", b"x"))) == MALFORMED
    latin = bytes(archive(("ab", b""))).replace(b"ab", b"\xe9b")
    assert code(latin) == MALFORMED


def test_extra_fields_change_nothing():
    times = named("a")
    times.extra = struct.pack("<HHL", 0x5455, 4, 1)
    assert list(members(archive((times, b"x")))) == ["a"]
    for kind, payload in ((0x0001, b"\0" * 8), (0x7075, b"\1\0\0\0\0b")):
        info = named("a")
        info.extra = struct.pack("<HH", kind, len(payload)) + payload
        assert code(archive((info, b"x"))) == UNSUPPORTED
    cut = named("a")
    cut.extra = struct.pack("<HH", 0x5455, 4)
    assert code(archive((cut, b"x"))) == MALFORMED


def assembled(local: bytes, directory: bytes, count: int) -> bytes:
    """An archive of local members and a central directory that follows them."""
    fields = (b"PK\x05\x06", 0, 0, count, count, len(directory), len(local), 0)
    return local + directory + struct.pack("<4s4H2LH", *fields)


def parts(data: bytearray) -> tuple[bytearray, bytearray]:
    """The local members of an archive, and its central directory."""
    size, start = struct.unpack_from("<LL", data, len(data) - END + 12)
    return data[:start], data[start : start + size]


def test_bytes_between_members_are_refused():
    (one, first), (two, second) = parts(ONE), parts(archive(("b", b"world")))
    for gap, last in ((b"", b""), (b"?", b""), (b"", b"?")):
        moved = patched(second, 42, "<L", len(one) + len(gap))
        data = assembled(bytes(one + gap + two + last), bytes(first + moved), 2)
        if gap or last:
            assert code(data) == MALFORMED
        else:
            assert sorted(members(data)) == ["a", "b"]


def test_a_member_in_another_is_refused():
    inner, entry = parts(archive(("b", b"world")))
    outer, first = parts(archive(("a", bytes(inner))))
    nested = patched(entry, 42, "<L", LOCAL + 1)
    assert code(assembled(bytes(outer), bytes(first + nested), 2)) == MALFORMED


def test_the_number_of_members_is_bounded():
    data = bytes(archive(("a", b""), ("b", b"")))
    assert len(members(data, replace(DEFAULT_LIMITS, archive_members=2))) == 2
    found = refusal(members, data, replace(DEFAULT_LIMITS, archive_members=1))
    assert found == ("limit.archive-members", "")


def test_no_cut_archive_is_read():
    data = bytes(archive(("a/b", b"hello"), ("c", b"world")))
    for length in range(len(data)):
        assert code(data[:length]) in (MALFORMED, UNSUPPORTED)


# A CrossGL package in an archive.


def zipped(tmp_path: Path, prefix: str = "", *more: tuple[str, bytes]) -> Path:
    path = tmp_path / "p.cglb"
    files = [(prefix + name, data) for name, data in every_file(NATIVE).items()]
    path.write_bytes(archive(*files, *more))
    return path


@pytest.mark.parametrize("prefix", ["", "scale_bias.vulkan.cglb/"])
def test_a_package_in_an_archive_is_the_one_in_a_folder(tmp_path: Path, prefix: str):
    container, folder = open_container(zipped(tmp_path, prefix)), open_container(NATIVE)
    assert (container.format, container.diagnostics) == ("cglb", ())
    assert container.document is not None
    assert container.document == folder.document
    assert container.declared == folder.declared
    package = cast("package_pb2.Package", container.document.message)
    for variant in package.artifacts[0].variants:
        assert container.blobs.read(variant.blob) == (NATIVE / variant.blob.location).read_bytes()


def test_two_packages_in_an_archive_are_none(tmp_path: Path):
    more = [(f"other/{name}", data) for name, data in every_file(NATIVE).items()]
    assert refusal(read_cglb, zipped(tmp_path, "one/", *more)) == (MALFORMED, "")
    (tmp_path / "n.cglb").write_bytes(archive(("a", b"x")))
    assert refusal(read_cglb, tmp_path / "n.cglb") == ("container.missing-file", "manifest.json")


def test_a_deflated_package_is_refused(tmp_path: Path):
    path = tmp_path / "p.cglb"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in every_file(NATIVE).items():
            target.writestr(name, data)
    assert refusal(open_container, path)[0] == UNSUPPORTED


def test_every_flipped_byte_of_an_artifact_is_noticed(tmp_path: Path):
    path = zipped(tmp_path)
    data = path.read_bytes()
    module = (NATIVE / "backend/vulkan/scale_bias.spvasm").read_bytes()
    at = data.index(module)
    for position in range(at, at + len(module), 97):
        flipped = bytearray(data)
        flipped[position] ^= 1
        path.write_bytes(flipped)
        assert ("container.digest-mismatch", "backend/vulkan/scale_bias.spvasm") in remarks(read_cglb(path))
    at = data.index((NATIVE / "reflection.json").read_bytes())
    path.write_bytes(data[:at] + b" " + data[at + 1 :])
    assert refusal(read_cglb, path) == ("container.digest-mismatch", "reflection.json")
