"""Runs one command and turns everything that can end it into an exit code and a structured error."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from interlock.cli.failure import EXIT_INTERRUPTED, EXIT_UNUSABLE, ToolFailure
from interlock.cli.reporting import emit_failure, print_error
from interlock.errors import InterlockError

if TYPE_CHECKING:
    from collections.abc import Sequence


def run(words: Sequence[str]) -> int:
    """Run one command; see `interlock.cli.main`."""
    try:
        if _is_plain_verify(words):
            from interlock.cli.judging import Judging, verify_files  # noqa: PLC0415  (start-up)

            return verify_files(words[1:], Judging())
        from interlock.cli.parsing import parse_and_run  # noqa: PLC0415  (start-up)

        return parse_and_run(words)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except InterlockError as error:
        failure = error
    except MemoryError:
        failure = ToolFailure("internal.out-of-memory", "there was not enough memory")
    except Exception as error:  # noqa: BLE001  (the last barrier: no input may ever show a traceback)
        failure = _internal(error)
    try:
        emit_failure(failure, as_json=wants_json(words))
    except Exception:  # noqa: BLE001  (what failed may be what reports need; the first failure is the news)
        print_error(f"interlock: {failure}")
    return EXIT_UNUSABLE


def _is_plain_verify(words: Sequence[str]) -> bool:
    """Tell whether the arguments are `verify` and files, and nothing else.

    Build systems run this by the thousand, and the parser would be a fifth of the time.
    """
    files = words[1:]
    are_files = bool(files) and all(word == "-" or not word.startswith("-") for word in files)
    return words[:1] == ["verify"] and are_files


def wants_json(words: Sequence[str]) -> bool:
    """Tell whether the arguments ask for JSON, even where they cannot be parsed."""
    for position, word in enumerate(words):
        if word == "--":
            return False
        if word == "--format=json" or (
            word == "--format" and list(words[position + 1 : position + 2]) == ["json"]
        ):
            return True
    return False


def _internal(error: Exception) -> ToolFailure:
    if os.environ.get("INTERLOCK_DEBUG"):
        import traceback  # noqa: PLC0415  (only for who asked for it)

        traceback.print_exception(error)
    return ToolFailure("internal.error", f"interlock failed: {type(error).__name__}: {error}")
