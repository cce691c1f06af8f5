"""The command line. `main` is the entry point; every command is a thin face of public functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Args:
        arguments: The arguments, without the name of the program. Default: those of the process.

    Returns:
        0 fine, 1 errors, 2 usage or unreadable input, 3 no errors but something required is unverified; 130 if the user
        interrupted the command.
    """
    from interlock.cli.run import run  # noqa: PLC0415  (importing the package alone stays free)

    return run(arguments)
