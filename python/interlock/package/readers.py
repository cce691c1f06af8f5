"""Who reads the interface of a module out of its bytes, by the content type of the bytes.

A reader is imported when bytes of its type are first read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlock.package.facts import ModuleFacts


def _spirv(data: bytes, _assembler: str) -> ModuleFacts:
    from interlock.package.spirv.reader import spirv_facts  # noqa: PLC0415  (modules only)

    return spirv_facts(data)


def _spirv_assembly(data: bytes, assembler: str) -> ModuleFacts | None:
    from interlock.package.spirv.assembly import assembly_facts  # noqa: PLC0415  (modules only)

    return assembly_facts(data, assembler) if assembler else None


READERS: Mapping[str, Callable[[bytes, str], ModuleFacts | None]] = {
    "spirv": _spirv,
    "spirv-assembly": _spirv_assembly,
}
"""Content types whose bytes are read. A reader takes the bytes and the name of an assembler."""

_NEEDS_ASSEMBLER = frozenset({"spirv-assembly"})


def is_readable(content_type: str, *, assembler: str = "") -> bool:
    """Tell whether bytes of a content type are read.

    Args:
        content_type: The identity of the content type.
        assembler: The program that may assemble SPIR-V assembly; empty for none.
    """
    return content_type in READERS and (bool(assembler) or content_type not in _NEEDS_ASSEMBLER)


def unread_reason(content_type: str, *, assembler: str = "") -> str:
    """Return why bytes of a content type are not read, for people; empty if they are.

    Args:
        content_type: The identity of the content type.
        assembler: The program that may assemble SPIR-V assembly; empty for none.
    """
    if is_readable(content_type, assembler=assembler):
        return ""
    if content_type in _NEEDS_ASSEMBLER:
        return "evidence from SPIR-V assembly needs an assembler, and none was named"
    return f"nothing here reads `{content_type}`"


def facts_of_bytes(content_type: str, data: bytes, *, assembler: str = "") -> ModuleFacts | None:
    """Return what bytes prove about their interface; None if bytes of this type are not read.

    Args:
        content_type: The identity of their content type.
        data: The bytes, whose digest was proven.
        assembler: The program that may assemble SPIR-V assembly, such as `spirv-as`; empty for none.

    Raises:
        InterlockError: The bytes are no module of their type: the codes of `interlock.package.spirv.codes`.
    """
    reader = READERS.get(content_type)
    return None if reader is None else reader(data, assembler)
