"""What `verify` and `inspect` judge: a document in a file, or the package in a container."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from interlock.cli.failure import ToolFailure
from interlock.cli.files import STANDARD, read_input
from interlock.cli.settings import encoding_from
from interlock.errors import CodecError

if TYPE_CHECKING:
    from interlock.document import Document
    from interlock.errors import InterlockError
    from interlock.limits import Limits
    from interlock.package.container import Container
    from interlock.target.sealed import SealedDocument

_ARCHIVE_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
_TAR_MAGIC = slice(257, 262), b"ustar"
_CROSSTL_KIND = b'"crosstl-runtime-package"'
_START = 512
_FRAME_START = b"\x89XGF"
SPIRV_STARTS = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")
"""The magic number of SPIR-V, in either byte order."""


class Subject(NamedTuple):
    """A document, and the container that it was found in or that lies around it.

    ``sealed`` is the frame that it was found in, with its blobs. ``failure`` is what a frame was refused for
    whose document can be read all the same.
    """

    document: Document
    container: Container | None
    sealed: SealedDocument | None = None
    failure: InterlockError | None = None


def read_subject(
    name: str, *, encoding: str | None, kind: str | None, limits: Limits, container: str | None
) -> Subject:
    """Read what a name stands for.

    A directory or an archive is a container, and the package in it the document. The blobs of a package
    document are in the container that is named, else in the folder of the document. A sealed frame holds a
    document and its blobs.

    Raises:
        ToolFailure: The input cannot be read.
        CodecError: It is no document.
        ContainerError: It is no container, or a broken one.
        FrameError: It is a broken frame.
    """
    around = _opened(container, limits) if container is not None else None
    start = b"" if name == STANDARD else start_of(name)
    if name != STANDARD and _is_container(name, start):
        return _within(name, limits, around)
    is_frame = start.startswith(_FRAME_START)
    data = read_input(name, limits.frame_bytes if is_frame else limits.document_bytes)
    if data.startswith(_FRAME_START):
        if around is not None:
            message = f"`{name}` holds its own blobs, so `--container` has nothing to add"
            raise ToolFailure("usage.conflict", message, name)
        return _unsealed(data, kind, limits)
    refuse_what_is_no_document(name, data)
    from interlock.api import loads  # noqa: PLC0415  (start-up)

    try:
        document = loads(data, encoding=encoding_from(encoding), kind=kind, limits=limits)
    except CodecError:
        if name != STANDARD and _CROSSTL_KIND in data[: limits.metadata_bytes]:
            return _within(name, limits, around)
        raise
    if around is None and document.kind == "Package" and name != STANDARD:
        around = _opened(os.path.dirname(os.path.abspath(name)), limits, plain=True)  # noqa: PTH100, PTH120
    return Subject(document, around)


def refuse_what_is_no_document(name: str, data: bytes, *, frames: bool = False) -> None:
    """Refuse what is plainly something else, and say which command reads it; with ``frames``, frames too.

    Raises:
        ToolFailure: It is.
    """
    what = ""
    if data.startswith(SPIRV_STARTS):
        what = "a SPIR-V module, which `interlock inspect` shows"
    elif frames and data.startswith(_FRAME_START):
        what = "a sealed frame, which `verify`, `inspect`, `digest` and `attach` read"
    if what:
        raise ToolFailure("input.no-document", f"`{name}` is {what}", name)


def _unsealed(data: bytes, kind: str | None, limits: Limits) -> Subject:
    """Read a sealed frame. A document that breaks rules is judged like any other, without its blobs."""
    from interlock.codec import decode  # noqa: PLC0415  (start-up)
    from interlock.codec.encoding import Encoding  # noqa: PLC0415
    from interlock.target.errors import FrameError, TargetError  # noqa: PLC0415
    from interlock.target.frame import open_frame  # noqa: PLC0415
    from interlock.target.sealed import decode_sealed  # noqa: PLC0415

    try:
        sealed = decode_sealed(data, kind=kind, limits=limits)
    except FrameError:
        raise
    except TargetError as error:
        frame = open_frame(data, kind, limits)
        document = decode(frame.body, encoding=Encoding.BINARY, expected_kind=frame.kind, limits=limits)
        return Subject(document, None, failure=error)
    return Subject(sealed.document, None, sealed)


def start_of(name: str) -> bytes:
    """Return the first bytes of a file; none where it cannot be read, which reading it explains."""
    try:
        if not os.path.isfile(name):  # noqa: PTH113  (a pipe can be read once only)
            return b""
        with open(name, "rb") as stream:  # noqa: PTH123  (pathlib costs start-up time)
            return stream.read(_START)
    except (OSError, ValueError):
        return b""


def _is_container(name: str, start: bytes) -> bool:
    if os.path.isdir(name):  # noqa: PTH112  (pathlib costs start-up time)
        return True
    where, magic = _TAR_MAGIC
    return start.startswith(_ARCHIVE_STARTS) or start[where] == magic


def _within(name: str, limits: Limits, around: Container | None) -> Subject:
    if around is not None:
        raise ToolFailure(
            "usage.conflict", f"`{name}` is a container itself, so `--container` has nothing to add", name
        )
    found = _opened(name, limits)
    if found.document is None:
        raise ToolFailure(
            "input.no-document",
            f"`{name}` is a plain folder: name the document, and `--container {name}` if its blobs are there",
            name,
        )
    return Subject(found.document, found)


def _opened(name: str, limits: Limits, *, plain: bool = False) -> Container:
    if plain:
        from interlock.package.folder import read_folder  # noqa: PLC0415  (start-up)

        return read_folder(name, limits)
    from interlock.package.opening import open_container  # noqa: PLC0415  (start-up)

    return open_container(name, limits=limits)
