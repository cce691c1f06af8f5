"""Opening a container of any format: the one place that tells formats apart.

A directory is an OCI image layout if it holds `oci-layout`, a CrossGL package if it holds `manifest.json` and
`reflection.json`, a CrossTL runtime package if it holds a JSON file of that kind, and else a plain folder. A
file is a tar file, a zip file or JSON.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Final

from interlock.diagnostic import ROOT
from interlock.limits import DEFAULT_LIMITS
from interlock.package.container import Container, ContainerError
from interlock.package.layout import LAYOUT_FILE
from interlock.package.paths import unreadable
from interlock.package.tarball import looks_like_tar

if TYPE_CHECKING:
    from interlock.limits import Limits

CROSSTL_FILE: Final = "runtime-package.json"
CROSSTL_KIND: Final = b"crosstl-runtime-package"
CGLB_FILES: Final = ("manifest.json", "reflection.json")

_START: Final = 512
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_COMPRESSED: Final = {
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\xfd7zXZ\x00": "xz",
    b"BZh": "bzip2",
}


def open_container(
    path: str | os.PathLike[str], *, tag: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> Container:
    """Open a container of any known format.

    Nothing stays open: files are opened for each read. Blobs are looked for and hashed when they are used.

    Args:
        path: A directory or a file.
        tag: Which package, where an OCI image layout holds several.
        limits: What it may cost.

    Raises:
        ContainerError: A code of `docs/package-container.md`.
        CodecError: The package document in it is refused.
    """
    source = os.fspath(path)
    try:
        if os.path.isdir(source):  # noqa: PTH112  (pathlib costs start-up time)
            return _open_folder(source, tag, limits)
        if not stat.S_ISREG(os.stat(source).st_mode):  # noqa: PTH116
            message = "a device, pipe or socket stands where a container is required"
            raise ContainerError("container.unknown-format", message)
        with open(source, "rb") as stream:  # noqa: PTH123
            start = stream.read(_START)
    except OSError as error:
        raise unreadable(source, error, ROOT) from error
    except ValueError as error:  # a name with a null character
        raise ContainerError("container.unreadable", f"cannot read {source!a}: {error}") from None
    return _open_file(source, start, tag, limits)


def _open_folder(source: str, tag: str | None, limits: Limits) -> Container:
    def has(name: str) -> bool:
        return os.path.lexists(os.path.join(source, name))  # noqa: PTH118

    if has(LAYOUT_FILE):
        from interlock.package.oci import read_layout  # noqa: PLC0415  (start-up)

        return read_layout(source, tag=tag, limits=limits)
    if all(map(has, CGLB_FILES)):
        from interlock.package.cglb import read_cglb  # noqa: PLC0415  (start-up)

        return read_cglb(source, limits)
    if has(CROSSTL_FILE):
        from interlock.package.crosstl import read_crosstl  # noqa: PLC0415  (start-up)

        return read_crosstl(source, limits)
    from interlock.package.folder import read_folder  # noqa: PLC0415  (start-up)

    return read_folder(source, limits)


def _open_file(source: str, start: bytes, tag: str | None, limits: Limits) -> Container:
    if looks_like_tar(start):
        from interlock.package.oci import read_layout  # noqa: PLC0415  (start-up)

        return read_layout(source, tag=tag, limits=limits)
    if start.startswith(_ZIP):
        from interlock.package.cglb import read_cglb  # noqa: PLC0415  (start-up)

        return read_cglb(source, limits)
    if start.lstrip(b" \t\r\n").startswith(b"{") and _says_crosstl(source, limits):
        from interlock.package.crosstl import read_crosstl  # noqa: PLC0415  (start-up)

        return read_crosstl(source, limits)
    compression = next((name for magic, name in _COMPRESSED.items() if start.startswith(magic)), None)
    if compression is not None:
        message = f"the file is compressed with {compression}; decompress it first"
    else:
        message = (
            "the file is none of the containers that are known: a tar file of an OCI image layout, a CrossGL "
            "package, a CrossTL runtime package"
        )
    raise ContainerError("container.unknown-format", message)


def _says_crosstl(source: str, limits: Limits) -> bool:
    """Tell whether a JSON file speaks of the kind, in whatever order its members are."""
    with open(source, "rb") as stream:  # noqa: PTH123
        return CROSSTL_KIND in stream.read(limits.metadata_bytes + 1)
