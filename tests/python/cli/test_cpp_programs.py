"""The programs of the C++ library: what its quickstart builds is sound, and its tool prints the same."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import interlock
from conformance_suite import cpp_tool
from conformance_support import require_cpp, required

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Ran

GRAPH = Path(__file__).resolve().parents[2] / "conformance/encode/graph/two_dispatch/document.binpb"


def printed(*words: str | Path, code: int = 0) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout


def test_the_graph_that_the_quickstart_builds_is_sound(run: Callable[..., Ran], documents: Path):
    quickstart = required(cpp_tool().with_name("interlock-quickstart"), "`make build` builds it")
    binary, json = documents / "built.binpb", documents / "built.json"
    lines = printed(quickstart, GRAPH, binary, json).splitlines()
    document = interlock.load(binary)
    assert lines[-1] == f"built {document.digest}"
    assert json.read_bytes() == document.json()
    for path in (binary, json):
        ran = run("verify", str(path))
        assert ran.code == 0, ran.text
        assert ran.text.splitlines()[0].split(": ")[1].startswith("SOUND")
    report = interlock.verify(document)
    assert report.diagnostics == ()
    assert {assumption.code for assumption in report.assumptions} == {
        "assumption.caller-no-alias",
        "assumption.full-coverage",
    }


def test_both_tools_state_one_version():
    first = printed(require_cpp(), "--version").splitlines()[0]
    assert first.split(", ")[0] == f"interlock-cpp {interlock.__version__}"


def test_both_tools_print_the_same_digests(run: Callable[..., Ran]):
    words = ("digest", "tiny.json", "missing.json", "tiny.binpb", "dispatch.json")
    expected = run(*words)
    assert expected.code == 2
    assert expected.text.count("\n") == 3
    assert printed(require_cpp(), *words, code=2) == expected.text
    words = ("digest", "--semantic", "tiny.json")
    assert printed(require_cpp(), *words) == run(*words).text
