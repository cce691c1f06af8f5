"""What can go wrong around target code, by kind.

The list is open: a later release may add kinds, so who tells them apart needs a branch for the others. The
code of the first finding is what is stable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from interlock.diagnostic import ROOT, Diagnostic, Severity
from interlock.errors import InterlockError

if TYPE_CHECKING:
    from interlock.diagnostic import NamedElement, Path


class TargetError(InterlockError):
    """Something about target code that was refused, with all findings of the step that refused it."""

    kind: ClassVar[str] = "target"

    @classmethod
    def of(
        cls,
        code: str,
        message: str,
        path: Path = ROOT,
        byte_offset: int | None = None,
        elements: tuple[NamedElement, ...] = (),
    ) -> TargetError:
        """Return the error of one finding."""
        return cls(Diagnostic(code, Severity.ERROR, path, message, elements, byte_offset=byte_offset))


class FrameError(TargetError):
    """Bytes that are no sealed frame of the kind that was asked for."""

    kind = "frame"


class BundleError(TargetError):
    """A bundle whose modules break a rule."""

    kind = "bundle"


class PayloadError(TargetError):
    """A payload that breaks a rule, alone, beside its bundle or beside the graph."""

    kind = "payload"


class EnvelopeError(TargetError):
    """An envelope that does not hold what was asked for, or cannot take what is to be attached."""

    kind = "envelope"


class InvalidArtifactError(TargetError):
    """A graph, its launch groups or its package, that cannot be compiled as they are."""

    kind = "invalid-artifact"


class UnsupportedError(TargetError):
    """A graph that is legal, and that this compiler or this target cannot realize."""

    kind = "unsupported"


class EmissionError(TargetError):
    """A compiler that failed on a launch group, or returned what does not fit it."""

    kind = "emission"
