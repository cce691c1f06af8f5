"""docs/crosstl.md speaks of every member, every attribute and every remark there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interlock.interop.crosstl import structure
from interlock.interop.crosstl.codes import (
    CROSSTL_ASSUMPTIONS,
    CROSSTL_ERRORS,
    CROSSTL_NOTES,
    CROSSTL_WARNINGS,
)
from interlock.interop.crosstl.structure import ListOf, MapOf, Object, Shape
from interop.test_crosstl_property import HINTS

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "crosstl.md").read_text(encoding="utf-8")


def members(shape: Shape) -> set[str]:
    if isinstance(shape, ListOf | MapOf):
        return members(shape.element)
    if not isinstance(shape, Object):
        return set()
    return {member.name for member in shape.members}.union(*(members(m.shape) for m in shape.members))


@pytest.mark.parametrize("name", sorted(members(structure.GRAPH)))
def test_every_member_is_mapped(name: str):
    words = {"schemaVersion": "schema version 1", "resources": "## Resources", "nodes": "## Nodes"}
    assert re.search(words.get(name, rf"`[^`\n]*\b{name}\b[^`\n]*`"), PAGE)


@pytest.mark.parametrize("key", [key for key in HINTS if not key.startswith("crosstl.view.")])
def test_every_attribute_is_explained(key: str):
    assert f"`{key.removeprefix('crosstl.')}`" in PAGE


@pytest.mark.parametrize("code", [*CROSSTL_WARNINGS, *CROSSTL_NOTES, *CROSSTL_ASSUMPTIONS])
def test_every_remark_and_every_assumption_is_listed(code: str):
    assert f"`{code}`" in PAGE


def test_the_meaning_of_every_code_is_a_sentence():
    meanings = CROSSTL_ERRORS | CROSSTL_WARNINGS | CROSSTL_NOTES | CROSSTL_ASSUMPTIONS
    assert all(text[0].isupper() or text[0] == "`" for text in meanings.values())
    assert all(text.endswith(".") for text in meanings.values())
