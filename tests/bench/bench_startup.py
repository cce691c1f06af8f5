"""Whole processes: `interlock verify` of a real two-dispatch graph, against CrossTL validating the same one.

The peer is tests/fixtures/two_stage_sum/crosstl_validate.py, run by the interpreter that the variable
INTERLOCK_CROSSTL_PYTHON names, or by this one, if it has crosstl. Both run from compiled bytecode, as after
an ordinary installation; an editable one compiles nothing, so this does it first.
"""

from __future__ import annotations

import compileall
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIXTURE = ROOT / "tests" / "fixtures" / "two_stage_sum"
GRAPH = FIXTURE / "two_stage_sum.json"
PEER_GRAPH = FIXTURE / "graphs" / "two_stage_sum.vulkan.json"
TARGET = 0.25
ROUNDS = 15
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

Measurement = tuple[str, float | None, float | None, float | None, str, bool | None]
"""Name, ours and the peer's in seconds, ours / peer's, the target, whether it is met; None: not measured."""


def command() -> list[str]:
    """Return the command as a user runs it: the installed script, else the module."""
    script = shutil.which("interlock", path=str(Path(sys.executable).parent))
    return [script] if script else [sys.executable, "-m", "interlock"]


def peer_command() -> list[str] | None:
    """Return the command of the peer, or nothing where crosstl is not installed."""
    python = os.environ.get("INTERLOCK_CROSSTL_PYTHON", sys.executable)
    probe = "import importlib.util, sys; sys.exit(importlib.util.find_spec('crosstl') is None)"
    if subprocess.run([python, "-c", probe], check=False).returncode != 0:
        return None
    return [python, str(FIXTURE / "crosstl_validate.py"), str(PEER_GRAPH)]


def seconds(words: list[str], accepted: tuple[int, ...]) -> float:
    """Return how long one process takes; it has to end with one of the accepted exit codes."""
    started = time.perf_counter()
    done = subprocess.run(words, check=False, capture_output=True, env=ENVIRONMENT)
    took = time.perf_counter() - started
    if done.returncode not in accepted:
        raise RuntimeError(f"{words} ended with {done.returncode}: {done.stderr.decode()}")
    return took


def interleaved(first: list[str], second: list[str] | None) -> tuple[float, float | None]:
    """Return the medians of both, run in turns so that a busy moment hits both."""
    ours, theirs = [], []
    for turn in range(ROUNDS + 1):
        mine = seconds(first, (0, 3))
        other = seconds(second, (0,)) if second else None
        if turn:  # the first turn fills caches
            ours.append(mine)
            if other is not None:
                theirs.append(other)
    return statistics.median(ours), statistics.median(theirs) if theirs else None


def run() -> list[Measurement]:
    """Measure."""
    for folder in ("python", "gen/python"):
        compileall.compile_dir(ROOT / folder, quiet=1)
    ours, theirs = interleaved([*command(), "verify", str(GRAPH)], peer_command())
    ratio = None if theirs is None else ours / theirs
    met = None if ratio is None else ratio <= TARGET
    name = "verify of two dispatches, whole process, against crosstl 3.4.0"
    return [(name, ours, theirs, ratio, f"<= {TARGET}", met)]


if __name__ == "__main__":
    for measurement in run():
        print(*measurement, sep="  ")
