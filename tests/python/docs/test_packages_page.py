"""The commands and the program of docs/packages.md work, in the order in which they stand there."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from interlock.cli import main

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "packages.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"^\$ interlock (.+)$", PAGE, re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the document of the page, kernels and a graph."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kernels").mkdir()
    for name in ("slice_totals.spv", "grand_total.spv", "slice_totals.metal"):
        (tmp_path / "kernels" / name).write_bytes(name.encode())
    document = PAGE.partition("## Write the document")[2].partition("```\n")[2].partition("```\n")[0]
    (tmp_path / "package.txtpb").write_text(document)
    graph = ROOT / "tests" / "fixtures" / "two_stage_sum" / "two_stage_sum.json"
    shutil.copy(graph, tmp_path / "graph.json")
    return tmp_path


def test_the_commands_work_one_after_the_other(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert len(CONSOLE) == 10
    for words in CONSOLE:
        assert main(words.split()) == 0, words
    assert capsys.readouterr().err == ""
    assert (folder / "again.tar").read_bytes() == (folder / "sum.tar").read_bytes()
    assert (folder / "sum_files" / "artifacts" / "slice_totals" / "vulkan.spv").is_file()


def test_the_program_works(folder: Path):
    program = PAGE.partition("```python\n")[2].partition("```\n")[0]
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stdout == "grand_total vulkan 15\nslice_totals vulkan 16\n"


def test_every_code_of_containers_is_on_the_page_about_the_container():
    from interlock.package.codes import CONTAINER_CODES  # noqa: PLC0415  (this test only)

    page = (ROOT / "docs" / "package-container.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `((?:container|limit)\.[a-z-]+)` \|", page, re.MULTILINE))
    assert listed <= set(CONTAINER_CODES)
