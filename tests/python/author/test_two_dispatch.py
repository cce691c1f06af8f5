"""A graph of two dispatches takes 25 lines of Python.

And is the graph that the same words in text form are.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import interlock

HERE = Path(__file__).resolve().parent
SCRIPT, TEXT = HERE / "two_dispatch.py", HERE / "two_dispatch.txtpb"


def run_script() -> bytes:
    return subprocess.run(
        [sys.executable, "-W", "error", str(SCRIPT)], capture_output=True, check=True
    ).stdout


def test_the_script_has_at_most_25_lines():
    assert len(SCRIPT.read_text(encoding="utf-8").splitlines()) <= 25


def test_the_script_writes_the_bytes_of_the_same_graph_in_text_form():
    assert run_script() == interlock.loads(TEXT.read_bytes()).binary


def test_the_graph_has_no_errors():
    assert interlock.verify(interlock.loads(run_script())).diagnostics == ()
