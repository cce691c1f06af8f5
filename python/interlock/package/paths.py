"""Names of files in containers, and opening files by them without ever leaving the container.

A name is made of parts with `/` between them. Nothing is read through a symbolic link below the root, which
the user named and which may be one. A plain file with several hard links is as good as any other.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from interlock.package.container import ContainerError
from interlock.package.metadata import check_metadata_size, malformed, place_of

if TYPE_CHECKING:
    from typing import BinaryIO

    from interlock.diagnostic import Path
    from interlock.limits import Limits

_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters, and halves of surrogate pairs, which no name in UTF-8 has."""
_DRIVE: Final = re.compile("[A-Za-z]:")
_ABSENT: Final = frozenset({errno.ENOENT, errno.ENAMETOOLONG})
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""Without waiting, so that a pipe in the place of a file stops nobody."""


def safe_parts(name: str, path: Path | None = None) -> tuple[str, ...]:
    """Return the parts of a relative name.

    Args:
        name: The name, such as `blobs/sha256/ab`.
        path: Where the name is stated. Default: the name itself.

    Raises:
        ContainerError: `container.unsafe-path`: the name is empty or absolute, has a part that is empty, `.`
        or `..`, a backslash, a drive or a control character.
    """
    parts = tuple(name.split("/"))
    reason = _danger(name, parts)
    if reason:
        where = place_of(_CONTROL.sub("?", name)) if path is None else path
        raise ContainerError("container.unsafe-path", f"the name {name[:200]!a} {reason}", where)
    return parts


def _danger(name: str, parts: tuple[str, ...]) -> str:
    if not name:
        return "is empty"
    if name.startswith("/"):
        return "is absolute; it has to be relative to the container"
    if "\\" in name:
        return "has a backslash; parts are separated by `/`"
    if _DRIVE.match(name):
        return "starts with a drive; it has to be relative to the container"
    if _CONTROL.search(name):
        return "has a control character"
    if ".." in parts:
        return "has `..`, which leads out of a folder"
    if "" in parts or "." in parts:
        return "has an empty part or `.`"
    return ""


@dataclass(frozen=True, slots=True)
class Root:
    """A directory, below which files are opened by name. Its own name is made absolute once."""

    folder: str

    @classmethod
    def at(cls, folder: str | os.PathLike[str]) -> Root:
        """Return the root at a path that is relative to the current directory of this moment."""
        return cls(os.path.abspath(os.fspath(folder)))  # noqa: PTH100  (pathlib costs start-up time)

    def open(self, name: str) -> BinaryIO | None:
        """Open a regular file; None where there is none of that name.

        Raises:
            ContainerError: `container.unsafe-path`, `container.link`, `container.unsupported-member`,
            `container.malformed` for a folder, or `container.unreadable`.
        """
        parts = safe_parts(name)
        path = place_of(name)
        try:
            return self._open(parts, path)
        except OSError as error:
            if error.errno in _ABSENT:
                return None
            raise unreadable(name, error, path) from error

    def _open(self, parts: tuple[str, ...], path: Path) -> BinaryIO | None:
        # The system's own encoding of names may not be UTF-8, which is what the formats demand.
        encoded = [part.encode() for part in parts]
        held = os.open(self.folder, _FOLDER)
        try:
            for part in encoded[:-1]:
                deeper = _open_folder(part, held, path)
                if deeper is None:
                    return None
                os.close(held)
                held = deeper
            return _open_file(encoded[-1], held, path)
        finally:
            os.close(held)

    def read_metadata(self, name: str, limits: Limits) -> bytes | None:
        """Return the bytes of a metadata file; None where there is none.

        Raises:
            ContainerError: As `open`, and `limit.metadata-bytes`.
        """
        stream = self.open(name)
        if stream is None:
            return None
        path = place_of(name)
        with stream:
            try:
                check_metadata_size(os.fstat(stream.fileno()).st_size, path, limits)
                data = stream.read(limits.metadata_bytes + 1)
            except OSError as error:
                raise unreadable(name, error, path) from error
        check_metadata_size(len(data), path, limits)
        return data


def unreadable(name: str, error: OSError, path: Path) -> ContainerError:
    """Return the error that says what the system answered."""
    reason = error.strerror or type(error).__name__
    message = f"cannot read `{name}`: {reason[:1].lower()}{reason[1:]}"
    return ContainerError("container.unreadable", message, path)


def _open_folder(part: bytes, held: int, path: Path) -> int | None:
    try:
        return os.open(part, _FOLDER | os.O_NOFOLLOW, dir_fd=held)
    except OSError as error:
        if error.errno in {errno.ENOTDIR, errno.ELOOP}:
            _refuse_link(part, held, path)
            return None  # a file, below which nothing is
        raise


def _open_file(part: bytes, held: int, path: Path) -> BinaryIO:
    try:
        descriptor = os.open(part, _FILE, dir_fd=held)
    except OSError as error:
        if error.errno == errno.ELOOP:
            _refuse_link(part, held, path)
        if error.errno == errno.ENXIO:  # a socket, or a device that is not there
            raise _not_a_file(path) from None
        raise
    try:
        _check_regular(os.fstat(descriptor).st_mode, path)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _check_regular(mode: int, path: Path) -> None:
    if stat.S_ISDIR(mode):
        raise malformed("a folder stands where a file is required", path)
    if not stat.S_ISREG(mode):
        raise _not_a_file(path)


def _not_a_file(path: Path) -> ContainerError:
    message = "a device, pipe or socket stands where a file is required"
    return ContainerError("container.unsupported-member", message, path)


def _refuse_link(part: bytes, held: int, path: Path) -> None:
    if stat.S_ISLNK(os.stat(part, dir_fd=held, follow_symlinks=False).st_mode):
        message = "a symbolic link is on the way to a file; links are not followed"
        raise ContainerError("container.link", message, path)
