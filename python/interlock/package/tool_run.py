"""Programs that compile or assemble, run with bounded time, memory and output, with no shell and no input."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import FrameType

MEMORY_BYTES = 4 << 30
"""The most memory that a program may have, where the system lets that be set."""
PRINTED_BYTES = 1 << 20
"""The most that a program may print. One that prints more is stopped."""
_SHOWN_BYTES = 16 << 10
_PRINTED = "printed"
_ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")
_POLL_SECONDS = 0.02
_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


@dataclass(frozen=True, slots=True)
class Finished:
    """What became of a run: the exit code, and the first of what was printed.

    ``stopped`` is ``timeout`` or ``output`` where the program was stopped, and ``missing`` where it could not
    be started; else empty.
    """

    code: int
    printed: str
    stopped: str = ""

    @property
    def ok(self) -> bool:
        """Whether the program ended by itself, with the exit code 0."""
        return not self.code and not self.stopped


def run_tool(
    command: Sequence[str],
    folder: str,
    *,
    seconds: float,
    product: str = "",
    product_bytes: int = 0,
    environment: Mapping[str, str] | None = None,
) -> Finished:
    """Run a program in a folder of its own. It inherits next to nothing of the environment.

    Args:
        command: The program and its arguments.
        folder: The folder, in which the file ``printed`` is written.
        seconds: How long it may take.
        product: The file in the folder that it writes; it is stopped once this is too large.
        product_bytes: How large that may be.
        environment: Variables to set beside the few that are kept.

    Raises:
        SystemExit: Somebody ended this process. The program has ended too.
    """
    kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    printed = Path(folder, _PRINTED)
    bounds = [(printed, PRINTED_BYTES)]
    if product:
        bounds.append((Path(folder, product), product_bytes))
    with printed.open("wb") as stream, _ending_in_order():
        try:
            # The program is the caller's choice; what comes from a package is only ever a file that it reads.
            process = subprocess.Popen(  # noqa: S603
                command,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env={**kept, "LC_ALL": "C", **(environment or {})},
                start_new_session=True,
            )
        except OSError as error:
            return Finished(127, str(error.strerror), "missing")
        try:
            _limit_memory(process.pid)
            stopped = _watch(process, time.monotonic() + seconds, bounds)
        finally:
            _stop(process)
    text = ""
    with suppress(OSError), printed.open("rb") as stream:  # the program may have removed it
        text = stream.read(_SHOWN_BYTES).decode(errors="replace")
    return Finished(process.returncode, text, stopped)


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """Leave by an exception where this process is told to end, so that the program does not go on alone.

    Where the caller decided what a signal does, that holds. Only the main thread may decide anything.
    """
    mine = []
    if threading.current_thread() is threading.main_thread():
        mine = [number for number in _ENDING if signal.getsignal(number) == signal.SIG_DFL]
    for number in mine:
        signal.signal(number, _leave)
    try:
        yield
    finally:
        for number in mine:
            signal.signal(number, signal.SIG_DFL)


def _leave(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _watch(process: subprocess.Popen[bytes], end: float, bounds: Sequence[tuple[Path, int]]) -> str:
    """Wait for the end of a program; return why it has to be stopped instead."""
    while True:
        try:
            process.wait(_POLL_SECONDS)
        except subprocess.TimeoutExpired:
            running = True
        else:
            running = False
        for path, most in bounds:
            with suppress(FileNotFoundError):
                if path.stat().st_size > most:
                    return "output"
        if not running:
            return ""
        if time.monotonic() > end:
            return "timeout"


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a program and whatever it started, which may go on after a program that ended by itself."""
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    if process.poll() is None:
        process.kill()
        process.wait()


def _limit_memory(process: int) -> None:
    import resource  # noqa: PLC0415  (only where something is compiled)

    limit = getattr(resource, "prlimit", None)
    if limit is not None:
        with suppress(OSError, ValueError):
            limit(process, resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
