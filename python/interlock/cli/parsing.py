"""Parses the arguments with click, runs the command they name, and gives errors of usage their codes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from interlock.cli.app import application
from interlock.cli.failure import EXIT_OK, ToolFailure

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM = "interlock"
COMPLETION_VARIABLE = "_INTERLOCK_COMPLETE"


def parse_and_run(words: Sequence[str]) -> int:
    """Run the command that the arguments name and return its exit code.

    Raises:
        ToolFailure: Wrong usage.
        InterlockError: What the command raises.
        KeyboardInterrupt: The user interrupted it.
    """
    try:
        result = application.main(
            list(words), prog_name=PROGRAM, complete_var=COMPLETION_VARIABLE, standalone_mode=False
        )
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        raise usage_failure(error) from None
    return result if isinstance(result, int) else EXIT_OK


def usage_failure(error: click.ClickException) -> ToolFailure:
    """Return the structured form of an error of usage."""
    context = getattr(error, "ctx", None)
    program = context.command_path if context else PROGRAM
    hint = f"`{program} --help` shows how it is used"
    if isinstance(error, click.NoSuchOption):  # its own sentence differs from release to release
        near = " or ".join(f"`{name}`" for name in sorted(error.possibilities or ()))
        meant = f"; did you mean {near}?" if near else ""
        return ToolFailure("usage.unknown-option", f"no such option `{error.option_name}`{meant}", hint=hint)
    message = re.sub(r"'([^']*)'", r"`\1`", error.format_message()).rstrip(".")
    return ToolFailure(_code(error, message), message[:1].lower() + message[1:], hint=hint)


def _code(error: click.ClickException, message: str) -> str:
    if isinstance(error, click.MissingParameter):
        return "usage.missing-argument"
    if isinstance(error, click.BadParameter):
        return "usage.invalid-value"
    if isinstance(error, click.BadOptionUsage):
        return "usage.missing-argument" if "requires" in message else "usage.unexpected-argument"
    if message == "Missing command":
        return "usage.missing-argument"
    if message.lower().startswith("no such command"):
        return "usage.unknown-command"
    return "usage.unexpected-argument"
