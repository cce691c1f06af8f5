"""Reading inputs and writing outputs: bounded, atomic, and with one code for each way it fails."""

from __future__ import annotations

import errno
import os
import stat
import sys
from typing import TYPE_CHECKING

from interlock.api import read_bounded
from interlock.cli.failure import ToolFailure, input_failure, output_failure

if TYPE_CHECKING:
    from typing import BinaryIO

STANDARD = "-"
"""The name of standard input and of standard output."""


def read_input(name: str, limit: int) -> bytes:
    """Return the bytes of a file, or of standard input for ``-``; at most ``limit`` + 1 of them.

    Raises:
        ToolFailure: The input cannot be read.
    """
    try:
        if name == STANDARD:
            return read_bounded(_standard_input(), limit)
        with open(name, "rb") as stream:  # noqa: PTH123  (pathlib costs start-up time)
            return read_bounded(stream, limit)
    except OSError as error:
        raise input_failure(name, error) from error
    except ValueError as error:  # a name with a null character
        raise ToolFailure("input.not-found", f"cannot read {name!a}: {error}", name) from error


def _standard_input() -> BinaryIO:
    if sys.stdin is None:  # the process was started without one
        raise OSError(errno.EBADF, "standard input is closed")
    return sys.stdin.buffer


def write_output(name: str, data: bytes, *, binary: bool = False) -> None:
    """Write a product: all of it or nothing.

    A file appears under its name only when it is complete. Where ``name`` is no regular file, such as a
    device or a pipe, the bytes are written through it.

    Args:
        name: The file, or ``-`` for standard output.
        data: The bytes.
        binary: Whether the bytes are unfit for a terminal.

    Raises:
        ToolFailure: The output cannot be written.
    """
    if name == STANDARD:
        _write_standard(data, binary=binary)
        return
    try:
        target = os.path.realpath(name)
        mode = _mode(target)
        if mode is not None and stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "is a directory")
        if mode is None or stat.S_ISREG(mode):
            _replace(target, data, mode)
        else:
            with open(target, "wb") as stream:  # noqa: PTH123
                stream.write(data)
    except OSError as error:
        raise output_failure(name, error) from error
    except ValueError as error:  # a name with a null character
        raise ToolFailure("output.not-found", f"cannot write {name!a}: {error}", name) from error


def _mode(target: str) -> int | None:
    try:
        return os.stat(target).st_mode  # noqa: PTH116
    except FileNotFoundError:
        return None


def _replace(target: str, data: bytes, mode: int | None) -> None:
    """Write a temporary file beside the target and rename it; remove it whatever goes wrong."""
    import tempfile  # noqa: PLC0415  (paid only by who writes a file)

    folder, base = os.path.split(target)
    descriptor, temporary = tempfile.mkstemp(prefix=f".{base[:64]}.", suffix=".part", dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            os.fchmod(stream.fileno(), stat.S_IMODE(mode) if mode is not None else 0o666 & ~_umask())
        os.replace(temporary, target)  # noqa: PTH105
    except BaseException:
        os.unlink(temporary)  # noqa: PTH108
        raise


def _umask() -> int:
    current = os.umask(0o077)
    os.umask(current)
    return current


def _write_standard(data: bytes, *, binary: bool) -> None:
    if sys.stdout is None:
        raise output_failure(STANDARD, OSError(errno.EBADF, "standard output is closed"))
    terminal = sys.stdout.isatty()
    if binary and terminal:
        raise ToolFailure(
            "output.terminal", "binary output is not written to a terminal; name a file with `-o`"
        )
    sys.stdout.flush()
    try:
        _write_all(data + b"\n" if terminal and not data.endswith(b"\n") else data)
    except BrokenPipeError:
        silence_standard_output()
        raise ToolFailure("output.unwritable", "standard output was closed by its reader") from None
    except OSError as error:
        raise output_failure(STANDARD, error) from error


def _write_all(data: bytes) -> None:
    """Write all bytes to standard output, which takes only some at a time where it is not buffered."""
    left = memoryview(data)
    while left:
        left = left[sys.stdout.buffer.write(left) or 0 :]
    sys.stdout.buffer.flush()


def print_report(text: str | bytes) -> None:
    """Write a report to standard output, if there is one.

    A reader that closed it early is no error: the exit code still tells.
    """
    if sys.stdout is None:  # the process was started without one; the exit code still tells
        return
    data = (
        text if isinstance(text, bytes) else text.encode(sys.stdout.encoding or "utf-8", "backslashreplace")
    )
    try:
        sys.stdout.flush()
        _write_all(data)
    except BrokenPipeError:
        silence_standard_output()
    except OSError as error:
        silence_standard_output()
        raise output_failure(STANDARD, error) from error


def silence_standard_output() -> None:
    """Point standard output nowhere, so that the interpreter does not complain about it when it exits."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
