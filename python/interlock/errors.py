"""The exceptions of the public functions. Each carries its findings."""

from __future__ import annotations

from interlock.diagnostic import ROOT, Diagnostic, Path, Severity


class InterlockError(Exception):
    """An operation that was refused, with the findings that say why. At least one."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("\n".join(str(diagnostic) for diagnostic in diagnostics))
        self.diagnostics = diagnostics

    @property
    def code(self) -> str:
        """The code of the first finding."""
        return self.diagnostics[0].code

    @property
    def path(self) -> Path:
        """The path of the first finding."""
        return self.diagnostics[0].path

    @property
    def byte_offset(self) -> int | None:
        """The byte offset of the first finding, if it is about a byte of the input."""
        return self.diagnostics[0].byte_offset


class CodecError(InterlockError):
    """An input that is no document, or a message that is not one: exactly one finding."""

    def __init__(self, code: str, message: str, path: Path = ROOT, byte_offset: int | None = None) -> None:
        super().__init__(Diagnostic(code, Severity.ERROR, path, message, byte_offset=byte_offset))


class ImportFailure(InterlockError):  # noqa: N818 - the public name says what failed
    """A foreign document that cannot be mapped, with everything that stands in the way."""


class ExportFailure(InterlockError):  # noqa: N818 - as above
    """A document that the foreign format cannot say, with everything that stands in the way."""


class TransformFailure(InterlockError):  # noqa: N818 - as above
    """A change that does not fit a document, with everything that stands in the way."""


class WorkExceededError(Exception):
    """A proof that would take more steps than `Limits.proof_work` allows. What rests on it is unverified."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"it takes more than {limit} steps (`limit.proof-work`)")
