"""The command line. `program` is the entry point of the process, `main` that of other programs."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Args:
        arguments: The arguments, without the name of the program. Default: those of the process.

    Returns:
        0 fine, 1 errors, 2 usage or unreadable input, 3 no errors but something required is unverified;
        130 if the user interrupted the command.
    """
    try:
        from interlock.cli.run import run  # noqa: PLC0415  (importing the package alone stays free)

        return run(list(sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt:  # what `run` imports, and how it ends, may be interrupted too
        return 130


def program() -> NoReturn:
    """Run the command of this process, then end it without taking apart what the process built.

    Freeing every object of a large graph one by one can take as long as verifying it, for memory that the
    system takes back anyway. Collecting garbage is off for the same reason: one command makes next to none.
    """
    gc.disable()
    code = main()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError, ValueError):  # closed by its reader; the exit code still tells
                stream.flush()
    if sys.gettrace() is not None or sys.getprofile() is not None:
        sys.exit(code)  # whoever watches the process has something to write down at its end
    os._exit(code)
