"""What Python and C++ say of the same tar files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cpp_archives import BLOCK, END, archive, member, pax
from cpp_packages import assert_same_findings, layout

if TYPE_CHECKING:
    from pathlib import Path


def archives() -> dict[str, tuple[bytes, str]]:
    """Return archives, with the code that each is refused with."""
    files = sorted(layout().items())
    whole = [member(name, data) for name, data in files]
    head, *rest = whole
    first = files[0][0]
    size = str(len(files[0][1]))
    wrong = "container.malformed"
    unsupported = "container.unsupported-member"
    unsafe = "container.unsafe-path"
    dotted = [member(f"./{name}", data) for name, data in files]
    folders = [member(name, kind=b"5") for name in ("blobs/", "blobs/sha256/")]

    def with_more(*members: bytes) -> bytes:
        return archive(*whole, *members)

    return {
        "as it is written": (archive(*whole), ""),
        "in other order": (archive(*reversed(whole)), ""),
        "with folders": (archive(*folders, *whole), ""),
        "as tar writes a folder": (archive(member("./", kind=b"5"), *dotted), ""),
        "a folder that is a dot": (archive(member(".", kind=b"5"), *dotted), ""),
        "padded for a tape": (archive(*whole, end=bytes(20 * BLOCK)), ""),
        "padded by a byte": (archive(*whole, end=END + b"\0"), ""),
        "padded by a megabyte": (archive(*whole, end=END + bytes(1 << 20)), ""),
        "padded by more": (archive(*whole, end=END + bytes((1 << 20) + 1)), wrong),
        "of GNU": (archive(*[member(name, data, magic=b"ustar  \0") for name, data in files]), ""),
        "of GNU, with a time in the prefix": (
            archive(*[member(name, data, magic=b"ustar  \0", prefix=b"12345") for name, data in files]),
            "",
        ),
        "with prefixes": (
            archive(
                *[
                    member(name[13:], data, prefix=b"blobs/sha256") if "/" in name else member(name, data)
                    for name, data in files
                ]
            ),
            "",
        ),
        "with a contiguous file": (with_more(member("x", b"y", b"7")), unsupported),
        "with an old file": (with_more(member("x", b"y", b"\0")), ""),
        "with other files": (with_more(member("README", b"y"), member("d/e/f", b"")), ""),
        "harmless pax header": (archive(pax(("mtime", "1.5"), ("comment", "=\n")), *whole), ""),
        "harmless pax header for all": (archive(pax(("comment", "x"), kind=b"g"), *whole), ""),
        "pax header that repeats": (archive(pax(("path", first), ("size", size)), *whole), ""),
        "pax header that renames": (archive(pax(("path", "x")), *whole), unsupported),
        "pax header that resizes": (archive(pax(("size", "1")), *whole), unsupported),
        "pax header that links": (archive(pax(("linkpath", "x")), *whole), unsupported),
        "pax header of a sparse file": (archive(pax(("GNU.sparse.major", "1")), *whole), unsupported),
        "pax header that renames all": (archive(pax(("path", first), kind=b"g"), *whole), unsupported),
        "pax header for all, taken back": (
            archive(pax(("size", "1"), kind=b"g"), pax(("size", size)), head),
            wrong,
        ),
        "pax header for nothing": (archive(*whole, pax(("mtime", "1"))), wrong),
        "pax header with a key twice": (archive(pax(("mtime", "1"), ("mtime", "2")), *whole), wrong),
        "pax header without equals sign": (archive(member("p", b"6 abc\n", b"x"), *whole), wrong),
        "pax header without line feed": (archive(member("p", b"6 a=bc", b"x"), *whole), wrong),
        "pax header that is long": (archive(member("p", b"7 a=bc\n8 ", b"x"), *whole), wrong),
        "pax record of no length": (archive(member("p", b"0 a=b\n", b"x"), *whole), wrong),
        "pax record too short for itself": (archive(member("p", b"2 a=b\n", b"x"), *whole), wrong),
        "pax record of spaces": (archive(member("p", b" 6 a=b\n", b"x"), *whole), wrong),
        "a hard link": (with_more(member("x", kind=b"1", link=b"index.json")), "container.link"),
        "a symbolic link": (with_more(member("x", kind=b"2", link=b"index.json")), "container.link"),
        "a device": (with_more(member("x", kind=b"3")), unsupported),
        "a block device": (with_more(member("x", kind=b"4")), unsupported),
        "a pipe": (with_more(member("x", kind=b"6")), unsupported),
        "a long name of GNU": (archive(member("././@LongLink", b"x\0", b"L"), *whole), unsupported),
        "a sparse file of GNU": (with_more(member("x", b"y", b"S")), unsupported),
        "an unknown kind": (with_more(member("x", kind=b"Z")), unsupported),
        "an absolute name": (with_more(member("/x")), unsafe),
        "an absolute name behind a dot": (with_more(member(".//x")), unsafe),
        "a name that leads out": (with_more(member("../x")), unsafe),
        "a name that leads out later": (with_more(member("a/../../x")), unsafe),
        "a folder that leads out": (with_more(member("..", kind=b"5")), unsafe),
        "a name with a backslash": (with_more(member("a\\b")), unsafe),
        "a name with a drive": (with_more(member("c:x")), unsafe),
        "a name with a control character": (with_more(member("a\x01b")), unsafe),
        "a name with a late control character": (with_more(member("a\u0085b")), unsafe),
        "a name with a deletion": (with_more(member("a\x7fb")), unsafe),
        "a name of Unicode": (with_more(member("\u00a0\u00e9\u20ac")), ""),
        "an empty name": (with_more(member("")), unsafe),
        "a name that is a dot": (with_more(member("./.")), unsafe),
        "a name with an empty part": (with_more(member("a//b")), unsafe),
        "a file that is a folder by its name": (with_more(member("a/")), unsafe),
        "a folder with two slashes": (with_more(member("a//", kind=b"5")), unsafe),
        "a folder that is the root": (with_more(member("/", kind=b"5")), unsafe),
        "a name that is not UTF-8": (with_more(member(b"a\xff")), wrong),
        "a name twice": (with_more(head), "container.duplicate-member"),
        "a name twice, spelled otherwise": (with_more(member("./index.json")), "container.duplicate-member"),
        "a folder that is a file too": (
            with_more(member("index.json", kind=b"5")),
            "container.duplicate-member",
        ),
        "a folder twice": (archive(*folders, *folders, *whole), "container.duplicate-member"),
        "a folder with bytes": (with_more(member("x", b"y", b"5")), wrong),
        "a wrong checksum": (with_more(member("x", checksum=b"000000\0 ")), wrong),
        "a checksum that is none": (with_more(member("x", checksum=b"hello\0 \0")), wrong),
        "a size of spaces": (with_more(member("x", size=b" " * 12)), wrong),
        "a size with spaces": (with_more(member("x", b"y", size=b"         1 \0")), ""),
        "a size in base 256": (with_more(member("x", b"y", size=b"\x80" + bytes(10) + b"\x01")), wrong),
        "a size of all digits": (with_more(member("x", size=b"7" * 12)), wrong),
        "a negative size": (with_more(member("x", size=b"-0000000001\0")), wrong),
        "not ustar": (with_more(member("x", magic=b"USTAR\x0000")), wrong),
        "cut in a header": (archive(*whole, end=b"")[:-BLOCK] + b"x", wrong),
        "cut in a member": (archive(*whole, member("x", bytes(2000)), end=b"")[:-1024], wrong),
        "without an end": (archive(*whole, end=b""), wrong),
        "with half an end": (archive(*whole, end=bytes(BLOCK)), wrong),
        "something behind the end": (archive(*whole, end=END + head), wrong),
        "something in the end": (archive(*whole, end=bytes(BLOCK) + head), wrong),
        "nothing": (END, "container.unknown-format"),
        "empty": (b"", "container.unknown-format"),
        "short": (head[:511], "container.unknown-format"),
        "zip": (b"PK\x03\x04" + bytes(1000), "container.unknown-format"),
        "gzip": (b"\x1f\x8b" + bytes(1000), "container.unknown-format"),
        "only a file": (archive(member("x")), wrong),
        "without a file": (archive(*rest), "container.missing-blob"),
    }


@pytest.mark.parametrize("case", archives())
def test_an_archive(case: str, tmp_path: Path) -> None:
    data, code = archives()[case]
    path = tmp_path / "package.tar"
    path.write_bytes(data)
    assert_same_findings(path, code)
