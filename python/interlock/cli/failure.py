"""What ends a command before it has a report: one code, one sentence, exit code 2."""

from __future__ import annotations

import errno

from interlock.diagnostic import ROOT, Diagnostic, Severity
from interlock.errors import InterlockError

EXIT_OK = 0
EXIT_ERRORS = 1
EXIT_UNUSABLE = 2
EXIT_UNVERIFIED = 3
EXIT_INTERRUPTED = 130
"""128 + SIGINT, as shells expect it."""

_INPUT_CODES = {
    errno.ENOENT: "input.not-found",
    errno.ENOTDIR: "input.not-found",
    errno.EISDIR: "input.is-directory",
    errno.EACCES: "input.permission-denied",
    errno.EPERM: "input.permission-denied",
}
_OUTPUT_CODES = {
    errno.EEXIST: "output.exists",
    errno.ENOENT: "output.not-found",
    errno.ENOTDIR: "output.not-found",
    errno.EISDIR: "output.is-directory",
    errno.EACCES: "output.permission-denied",
    errno.EPERM: "output.permission-denied",
    errno.EROFS: "output.permission-denied",
}


class ToolFailure(InterlockError):  # noqa: N818  (it says what happened, as its siblings do)
    """The command cannot go on.

    ``source`` is the file concerned, and ``hint`` a line for people; both may be empty.
    """

    def __init__(self, code: str, message: str, source: str = "", hint: str = "") -> None:
        super().__init__(Diagnostic(code, Severity.ERROR, ROOT, message))
        self.source = source
        self.hint = hint


def input_failure(name: str, error: OSError) -> ToolFailure:
    """Return the failure that says why an input could not be read."""
    code = _INPUT_CODES.get(error.errno or 0, "input.unreadable")
    return ToolFailure(code, f"cannot read `{name}`: {_reason(error)}", name)


def output_failure(name: str, error: OSError) -> ToolFailure:
    """Return the failure that says why an output could not be written."""
    code = _OUTPUT_CODES.get(error.errno or 0, "output.unwritable")
    hint = "`--force` replaces a product of the same kind" if code == "output.exists" else ""
    return ToolFailure(code, f"cannot write `{name}`: {_reason(error)}", name, hint)


def _reason(error: OSError) -> str:
    text = error.strerror or str(error) or type(error).__name__
    return text[:1].lower() + text[1:]
