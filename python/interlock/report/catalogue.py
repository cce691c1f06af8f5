"""Every code there is, with what it means: of rules, reading, authoring, interchange and the tool."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from interlock.author.codes import BUILD_CODES
from interlock.interop.crosstl.codes import (
    CROSSTL_ASSUMPTIONS,
    CROSSTL_ERRORS,
    CROSSTL_NOTES,
    CROSSTL_WARNINGS,
)
from interlock.package.codes import CONTAINER_CODES
from interlock.package.profiles.codes import PROFILE_CODES
from interlock.package.spirv.codes import SPIRV_CODES
from interlock.report.gap_codes import GAP_CODES
from interlock.report.reading_codes import READING_CODES
from interlock.report.tool_codes import TOOL_CODES
from interlock.rules import RULES
from interlock.rules.assumptions import ASSUMPTIONS
from interlock.target.codes import TARGET_CODES
from interlock.target.compiler_codes import COMPILER_CODES
from interlock.transform.codes import TRANSFORM_CODES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SOURCES = {
    "rule": "Rules",
    "assumption": "Assumptions",
    "gap": "What keeps a check from running",
    "reading": "Reading and writing documents",
    "authoring": "Authoring graphs in Python",
    "crosstl": "Interchange with CrossTL",
    "container": "Containers",
    "profile": "Target profiles",
    "spirv": "SPIR-V modules",
    "target": "Target modules",
    "compiler": "Target compilers",
    "transform": "Changing documents",
    "tool": "The command",
}
"""Where codes come from, with titles."""

_MEANINGS: Mapping[str, Mapping[str, str]] = {
    "assumption": ASSUMPTIONS,
    "gap": GAP_CODES,
    "reading": READING_CODES,
    "authoring": BUILD_CODES,
    "crosstl": {**CROSSTL_ERRORS, **CROSSTL_WARNINGS, **CROSSTL_NOTES, **CROSSTL_ASSUMPTIONS},
    "container": CONTAINER_CODES,
    "profile": PROFILE_CODES,
    "spirv": SPIRV_CODES,
    "target": TARGET_CODES,
    "compiler": COMPILER_CODES,
    "transform": TRANSFORM_CODES,
    "tool": TOOL_CODES,
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One code. ``page`` is Markdown that ends with a line feed; ``source`` is one of `SOURCES`."""

    code: str
    source: str
    summary: str
    page: str


@cache
def _entries() -> dict[str, Entry]:
    entries = {rule.code: Entry(rule.code, "rule", rule.summary, rule.page.rstrip() + "\n") for rule in RULES}
    for source, meanings in _MEANINGS.items():
        for code, meaning in meanings.items():  # what an import assumes may be what verification assumes
            summary = meaning.partition(". ")[0].rstrip(".") + "."
            entries.setdefault(code, Entry(code, source, summary, f"# `{code}`\n\n{meaning}\n"))
    return dict(sorted(entries.items()))


def codes() -> tuple[str, ...]:
    """Return every code, sorted."""
    return tuple(_entries())


def entry(code: str) -> Entry:
    """Return what is known about a code.

    Raises:
        KeyError: There is no such code.
    """
    return _entries()[code]


def explain(code: str) -> str:
    """Return the page of a code, as Markdown: what it means, why it matters, a bad and a good example.

    Raises:
        KeyError: There is no such code.
    """
    return entry(code).page


def similar(code: str) -> list[str]:
    """Return the codes that were probably meant, the likeliest first."""
    wanted = code.strip().lower()
    near = difflib.get_close_matches(wanted, codes(), n=3, cutoff=0.6)
    parts = [known for known in codes() if wanted and wanted in known and known not in near]
    return [*near, *parts][:3]


def entries_json(entries: Sequence[Entry]) -> bytes:
    """Return entries as canonical JSON, without a line feed."""
    plain = [
        {"code": one.code, "page": one.page, "source": one.source, "summary": one.summary} for one in entries
    ]
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
