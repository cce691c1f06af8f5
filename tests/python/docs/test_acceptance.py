"""docs/acceptance.md leads from every line of what was asked for to tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "acceptance.md").read_text(encoding="utf-8")
LINES = [
    *(f"E{number}" for number in range(1, 9)),
    *(f"A{number}" for number in range(1, 7)),
    "D1",
    "D2",
    "T1",
    "T2",
    "T3",
    "S1",
    "S2",
    "S3",
    "S4",
]


def rows() -> list[tuple[str, str, str]]:
    found = re.findall(r"^\| ([EADTS]\d) \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)
    return [(identity, what, where) for identity, what, where in found]


def named_tests() -> list[str]:
    return sorted({name for _, _, where in rows() for name in re.findall(r"`(tests/[^`]+)`", where)})


def test_every_line_has_one_row():
    assert [identity for identity, _, _ in rows()] == LINES


@pytest.mark.parametrize(("identity", "where"), [(row[0], row[2]) for row in rows()])
def test_a_line_names_tests_or_says_that_it_is_not_built_yet(identity: str, where: str):
    assert re.search(r"`tests/[^`]+`", where) or "not built yet" in where, identity


@pytest.mark.parametrize("name", named_tests())
def test_a_named_test_exists(name: str):
    path, _, function = name.partition("::")
    if "*" in path:
        assert list(ROOT.glob(path)), f"nothing matches {path}"
        return
    assert (ROOT / path).exists(), path
    if function:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert function in functions
