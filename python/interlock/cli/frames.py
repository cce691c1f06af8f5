"""What the commands about target code share: sealed frames in files, and who compiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.cli.failure import ToolFailure
from interlock.cli.files import read_input, write_output

if TYPE_CHECKING:
    from interlock.errors import InterlockError
    from interlock.limits import Limits
    from interlock.target.sealed import SealedDocument

_TOOL_CODES = frozenset({"compiler.missing-tool", "compiler.missing-library", "compiler.unknown-version"})
"""What is wrong with this machine, not with the input."""


def read_frame(name: str, kinds: tuple[str, ...], limits: Limits) -> SealedDocument:
    """Read a sealed frame from a file or standard input.

    Raises:
        ToolFailure: The input cannot be read, or holds another kind of document.
        FrameError, CodecError, TargetError: It is refused.
    """
    from interlock.target.sealed import decode_sealed  # noqa: PLC0415  (start-up)

    sealed = decode_sealed(read_input(name, limits.frame_bytes), limits=limits)
    if sealed.kind not in kinds:
        wanted = " or ".join(kinds)
        raise ToolFailure("input.wrong-kind", f"`{name}` holds a `{sealed.kind}`; required is {wanted}", name)
    return sealed


def write_frame(name: str, sealed: SealedDocument) -> None:
    """Write a sealed frame, complete or not at all."""
    write_output(name, sealed.binary(), binary=True)


def is_refusal(error: InterlockError) -> bool:
    """Tell whether inputs could be read and do not fit: exit code 1. Broken frames cannot be read."""
    from interlock.target.errors import FrameError, TargetError  # noqa: PLC0415  (start-up)

    return isinstance(error, TargetError) and not isinstance(error, FrameError)


def as_tool_failure(error: InterlockError) -> InterlockError:
    """Return what this machine lacks as a failure of the command, and any other error as it is."""
    if error.code in _TOOL_CODES:
        return ToolFailure(error.code, error.diagnostics[0].message)
    return error


def frame_lines(sealed: SealedDocument, output: str) -> tuple[str, ...]:
    """Return what `interlock digest` would print of the document, and what the frame holds."""
    from interlock.target.listing import listing  # noqa: PLC0415  (start-up)

    return f"{sealed.digest}  {output}", *listing(sealed)
