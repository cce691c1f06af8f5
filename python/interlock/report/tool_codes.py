"""The codes of what goes wrong around a document: the command, its files, its output."""

from __future__ import annotations

TOOL_CODES: dict[str, str] = {
    "input.is-directory": "The path names a directory where a file was expected.",
    "input.no-document": (
        "Something else was named where a document is needed, and the message says what it is. A folder may "
        "hold the blobs of a package, but says nothing of what they are; a SPIR-V module is what packages "
        "refer to; a sealed frame holds a document and its blobs."
    ),
    "input.not-found": "There is no file of that name.",
    "input.permission-denied": "The file exists, and the system does not allow reading it.",
    "input.unreadable": "The system could not read the file; the message says what it answered.",
    "input.wrong-kind": "The input holds another kind of document than the command takes.",
    "internal.error": (
        "Interlock itself failed. The input is not to blame, and nothing was proven about it. Please report "
        "it, with the command and the file; `INTERLOCK_DEBUG=1` in the environment shows where it happened."
    ),
    "internal.out-of-memory": (
        "There was not enough memory. A lower `--limit` refuses such an input before it is read."
    ),
    "output.exists": (
        "Something of that name is there already. `--force` replaces a product of the same kind, and nothing "
        "else."
    ),
    "output.is-directory": "The output path names a directory where a file was expected.",
    "output.not-found": "The folder the output should be written to does not exist.",
    "output.permission-denied": "The system does not allow writing the output there.",
    "output.terminal": (
        "Binary output would be written to a terminal. Name a file with `-o`, or redirect the output."
    ),
    "output.unwritable": "The output could not be written; the message says what the system answered.",
    "tool.client-failed": (
        "The client that speaks to the registry failed; the message ends with what it said. Nothing was "
        "written here."
    ),
    "tool.missing-client": (
        "Packages are pushed and pulled by a client, skopeo or oras, and none is on the PATH. Install one."
    ),
    "usage.conflict": "Two options of the command contradict each other.",
    "usage.invalid-value": "An option or argument has a value it does not take.",
    "usage.missing-argument": "The command needs an argument or option that was not given.",
    "usage.unknown-code": "No rule and no reader has that code.",
    "usage.unknown-command": "There is no such command.",
    "usage.unknown-option": "The command has no such option.",
    "usage.unexpected-argument": (
        "The command was given more arguments than it takes, or a value for an option that takes none."
    ),
}
"""Code to meaning. Every one of them ends a command with exit code 2."""
