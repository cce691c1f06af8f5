"""gen/docs is rendered from the schema and the rules, the same every time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from execgraph.v1 import envelope_pb2, graph_pb2, package_pb2, payload_pb2
from interlock.report import catalogue

ROOT = Path(__file__).resolve().parents[3]
GEN = ROOT / "gen"


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def render(folder: Path, seed: str) -> dict[str, bytes]:
    shutil.copytree(GEN / "descriptors", folder / "descriptors")
    shutil.copytree(GEN / "python", folder / "python", ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(
        [sys.executable, str(ROOT / "tools" / "render_docs.py"), str(folder)],
        env={**os.environ, "PYTHONHASHSEED": seed},
        check=True,
    )
    return files(folder / "docs")


def test_the_same_sources_give_the_same_pages_and_those_that_are_committed(tmp_path: Path):
    first = render(tmp_path / "a", "1")
    second = render(tmp_path / "b", "2")
    assert first == second
    assert first == files(GEN / "docs")


def test_pages_of_removed_rules_do_not_stay(tmp_path: Path):
    stale = tmp_path / "gen" / "docs" / "rules" / "gone.rule.md"
    stale.parent.mkdir(parents=True)
    stale.write_text("old", encoding="utf-8")
    assert "rules/gone.rule.md" not in render(tmp_path / "gen", "3")


def test_every_message_field_and_enum_value_is_on_the_page_with_a_meaning():
    page = (GEN / "docs" / "schema.md").read_text(encoding="utf-8")
    sections = {part.partition("\n")[0]: part for part in page.split("\n### ")[1:]}
    for module in (envelope_pb2, graph_pb2, package_pb2, payload_pb2):
        for message in module.DESCRIPTOR.message_types_by_name.values():
            for field in message.fields:
                (row,) = [
                    line
                    for line in sections[message.name].splitlines()
                    if line.startswith(f"| `{field.name}` |")
                ]
                assert row.split(" | ")[1] == str(field.number)
                assert len(row.split(" | ")[-1].rstrip(" |")) > 5
        for enum in module.DESCRIPTOR.enum_types_by_name.values():
            for value in enum.values:
                assert f"| `{value.name}` | {value.number} |" in sections[enum.name]


@pytest.mark.parametrize(
    "code", [code for code in catalogue.codes() if catalogue.entry(code).source == "rule"]
)
def test_every_rule_has_the_page_that_explain_prints(code: str):
    page = (GEN / "docs" / "rules" / f"{code}.md").read_text(encoding="utf-8")
    assert page.partition("\n\n")[2] == catalogue.explain(code)


def test_every_code_is_in_the_index():
    index = (GEN / "docs" / "rules" / "README.md").read_text(encoding="utf-8")
    assert [code for code in catalogue.codes() if f"`{code}`" not in index] == []
