"""The one error of the reader, and the limits it keeps."""

from __future__ import annotations

from dataclasses import dataclass

from interlock.diagnostic import ROOT, Diagnostic, Severity
from interlock.errors import InterlockError


class SpirvError(InterlockError):
    """Bytes that are no SPIR-V module, or one that nothing can be said about: exactly one finding.

    The codes are those of `interlock.package.spirv.codes`. The byte offset is that of the instruction, or of
    the word of the header, that is wrong; None where it is about the module as a whole.
    """

    def __init__(self, code: str, message: str, byte_offset: int | None = None) -> None:
        super().__init__(Diagnostic(code, Severity.ERROR, ROOT, message, byte_offset=byte_offset))


@dataclass(frozen=True, slots=True)
class SpirvLimits:
    """Upper bounds of reading one module, all inclusive."""

    module_bytes: int = 16 << 20
    """Size of a module, or of its assembly, in bytes. Reading takes some ten times as much memory."""
    bound: int = 0x3F_FFFF
    """Ids of a module; the default is the universal limit of SPIR-V."""
    type_nesting: int = 255
    """Types within each other; the default is what SPIR-V allows structures."""
    slots: int = 1 << 14
    """Variables in the slots of all entry points together, and the entry points themselves."""
    name_characters: int = 1024
    """Of the name of an entry point. Longer names of anything else count as none."""
    block_members: int = 1024
    """Scalars, vectors and matrices of one block, arrays counted once. A larger one has no members listed."""
    listed_members: int = 1 << 16
    """Members of all slots together. Those of further slots are not listed."""
    least_access_steps: int = 100_000
    access_steps_per_word: int = 32
    """Steps of following pointers through functions, beside those for a module. Beyond them, access is not
    known."""


DEFAULT_SPIRV_LIMITS = SpirvLimits()
