"""docs/graph-builder.md lists every method and helper with its arguments, and its program runs."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

import interlock
from interlock import author
from interlock.author.declarations import ResourceOptions
from interlock.author.operations import LaunchOptions

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "graph-builder.md").read_text(encoding="utf-8")
OPTIONS = [
    *((name, "a resource") for name in ResourceOptions.__annotations__),
    *((name, "a dispatch") for name in LaunchOptions.__annotations__),
]
SAVE = "import pathlib\npathlib.Path('graph.json').write_bytes(document.json())\n"
Signature: TypeAlias = tuple[str, list[str]]


def listed() -> list[Signature]:
    found = re.findall(r"^\| `([\w.]+)\(([^)]*)\)`", PAGE, re.MULTILINE)
    return [(name, [part.lstrip("*") for part in arguments.split(", ") if part]) for name, arguments in found]


def methods() -> dict[str, Callable[..., object]]:
    found = {
        name: method
        for name, method in inspect.getmembers(author.GraphBuilder, callable)
        if not name.startswith("_")
    }
    helpers = {
        name: getattr(author, name) for name in ("bound", "full", "partial", "typed", "when", "Computed")
    }
    return {**found, **helpers, "loop.carry": author.Loop.carry}


@pytest.mark.parametrize(("name", "arguments"), listed(), ids=[name for name, _ in listed()])
def test_the_arguments_are_those_of_the_method(name: str, arguments: list[str]):
    parameters = list(inspect.signature(methods()[name]).parameters)
    if parameters[:1] == ["self"]:
        parameters = parameters[1:]
    if "options" in arguments:
        table = LaunchOptions if name == "dispatch" else ResourceOptions
        parameters = [
            *(p for p in parameters if p not in table.__annotations__ and p != "options"),
            "options",
        ]
    assert arguments == parameters


def test_every_method_and_helper_is_listed_once():
    assert sorted(name for name, _ in listed()) == sorted(methods())


@pytest.mark.parametrize("name", author.__all__)
def test_every_name_of_the_module_is_on_the_page(name: str):
    assert re.search(rf"\b{name}\b", PAGE)


@pytest.mark.parametrize(("option", "what"), OPTIONS)
def test_every_option_is_in_its_table(option: str, what: str):
    table = PAGE.partition(f"| option of {what} |")[2].partition("\n\n")[0]
    assert re.search(rf"^\| [^|]*`{option}`", table, re.MULTILINE)


def test_its_program_runs_and_its_graph_is_sound(tmp_path: Path):
    code = "".join(re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code + SAVE],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    report = interlock.verify(interlock.load(tmp_path / "graph.json"))
    assert done.stdout == f"{report}\n"
    assert report.verdict is interlock.Verdict.SOUND
    assert [finding.code for finding in report.diagnostics] == ["hazard.unordered-access"]
    assert report.held == report.diagnostics
