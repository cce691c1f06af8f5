"""Runs one command and turns everything that can end it into an exit code and, where due, a structured error."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from interlock.cli.app import application
from interlock.cli.failure import EXIT_INTERRUPTED, EXIT_OK, EXIT_UNUSABLE, ToolFailure
from interlock.cli.reporting import emit_failure
from interlock.errors import InterlockError

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM = "interlock"
COMPLETION_VARIABLE = "_INTERLOCK_COMPLETE"


def run(arguments: Sequence[str] | None) -> int:
    """Run one command; see `interlock.cli.main`."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    as_json = wants_json(words)
    hint = None
    try:
        result = application.main(
            words, prog_name=PROGRAM, complete_var=COMPLETION_VARIABLE, standalone_mode=False
        )
    except (click.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    except click.ClickException as error:
        failure: InterlockError = usage_failure(error)
        context = getattr(error, "ctx", None)
        hint = f"`{context.command_path if context else PROGRAM} --help` shows how it is used"
    except InterlockError as error:
        failure = error
    except MemoryError:
        failure = ToolFailure("internal.out-of-memory", "there was not enough memory")
    except Exception as error:  # noqa: BLE001  (the last barrier: no input may ever show a traceback)
        failure = _internal(error)
    else:
        return result if isinstance(result, int) else EXIT_OK
    emit_failure(failure, as_json=as_json, hint=hint)
    return EXIT_UNUSABLE


def wants_json(words: Sequence[str]) -> bool:
    """Tell whether the arguments ask for JSON, even where they cannot be parsed."""
    for position, word in enumerate(words):
        if word == "--":
            return False
        if word == "--format=json" or (word == "--format" and list(words[position + 1 : position + 2]) == ["json"]):
            return True
    return False


def usage_failure(error: click.ClickException) -> ToolFailure:
    """Return the structured form of an error of usage."""
    message = error.format_message().replace("'", "`").rstrip(".")
    message = message[:1].lower() + message[1:]
    if isinstance(error, click.NoSuchOption):
        return ToolFailure("usage.unknown-option", message)
    if isinstance(error, click.MissingParameter):
        return ToolFailure("usage.missing-argument", message)
    if isinstance(error, click.BadParameter):
        return ToolFailure("usage.invalid-value", message)
    if isinstance(error, click.BadOptionUsage):
        code = "usage.missing-argument" if "requires" in message else "usage.unexpected-argument"
        return ToolFailure(code, message)
    if message.startswith("no such command"):
        return ToolFailure("usage.unknown-command", message)
    return ToolFailure("usage.unexpected-argument", message)


def _internal(error: Exception) -> ToolFailure:
    if os.environ.get("INTERLOCK_DEBUG"):
        import traceback  # noqa: PLC0415  (only for who asked for it)

        traceback.print_exception(error)
    return ToolFailure("internal.error", f"interlock failed: {type(error).__name__}: {error}")
