"""The verifier says what the oracle says: the share of the long run (`make fuzz`) that every run takes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings

from interlock.verification import verify

from . import translate
from .compare import compare, said
from .executions import TooManyError
from .fuzz import Survey, outcome_of, outcomes, survey
from .judge import judge
from .strategies import graphs
from .test_compare import silent
from .test_oracle import CASES

if TYPE_CHECKING:
    from .model import Graph

ROOT = Path(__file__).resolve().parents[3]
GRAPHS = 1_500
PART = 250
"""Graphs of one test, so that a failure says which and several workers share them."""


def complaints(total: Survey) -> list[str]:
    return [
        f"seed {outcome.seed}: {disagreement.kind.name} {disagreement.what}"
        for outcome in total.wrong
        for disagreement in outcome.disagreements
    ]


@pytest.mark.parametrize("first", range(0, GRAPHS, PART))
def test_random_graphs(first: int):
    total = Survey()
    for part in survey(range(first, first + PART)):
        total.merge(part)
    assert complaints(total) == []
    judged = total.graphs - total.too_large
    assert judged > 0.95 * PART
    assert 0.25 * judged < total.sound < 0.75 * judged  # neither all sound nor all wrong
    assert sum(total.refused.values()) < 0.02 * judged


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_hand_decided_cases(path: Path):
    assert compare(translate.from_text(path.read_text("utf-8")), strict=True) == []


@settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(graphs(nodes=8))
def test_graphs_that_hypothesis_draws(graph: Graph):
    message = translate.to_proto(graph)
    graph = translate.from_proto(message)
    try:
        verdict = judge(graph, budget=20_000)
    except TooManyError:
        return
    assert outcome_of(0, graph, verdict, said(verify(message))).disagreements == ()


def test_the_long_run_runs():
    parts = ["--seconds", "0", "--graphs", "250", "--modules", "0", "--jobs", "2"]
    command = [sys.executable, ROOT / "tests" / "fuzz" / "run.py", *parts]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.match(r" +250 graphs\n +\d+ too large .*\n +\d+ sound, \d+\.\d %\n", done.stdout)
    assert re.search(r"^ +0 disagreements$", done.stdout, re.MULTILINE)


def test_disagreements_are_counted_by_what_they_are_about():
    total = Survey()
    for outcome in outcomes(range(30), silent):
        total.add(outcome)
    lines = list(total.lines())
    assert lines[0].split() == ["30", "graphs"]
    assert f"{len(total.wrong):8} disagreements" in lines
    assert any("MISSED_ERROR: hazard.unordered-access" in line for line in lines)
    assert len(complaints(total)) >= len(total.wrong) > 0
