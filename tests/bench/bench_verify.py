"""Speed of verification: how it grows with the graph, for many shapes, and on a training step.

``run`` returns what it measured; ``python tests/bench/bench_verify.py [NAME...]`` prints it, for some shapes
or all. Growth is the time at 10,000 nodes over the time at 1,000, both of the verification alone. The peer of
the training step is the standard library reading the same graph from JSON. All times are those of this
process, so that a busy machine does not count.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

from schedule import schedule
from shapes import SHAPES

from interlock.report.model import Verdict
from interlock.verification import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from interlock.document import Document

SMALL, LARGE = 1_000, 10_000
GROWTH = 12.0
"""The most that ten times the nodes may cost."""
DISPATCHES = 1_292
SECONDS = 0.2
"""The most that the verification of the schedule may take."""


class Measurement(NamedTuple):
    """Seconds of ours and of the peer, their ratio, what is wanted, and whether it is reached."""

    name: str
    ours: float
    peer: float
    ratio: float
    target: str
    ok: bool


def best(function: Callable[[], object], rounds: int) -> float:
    """Return the least processor time that a call takes, in seconds."""
    times = []
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def judged(document: Document) -> None:
    """Verify a graph that is sound: a verdict that gives up early would be no measurement."""
    report = verify(document)
    if report.verdict is not Verdict.SOUND:
        found = [str(finding) for finding in report.diagnostics[:3]] or [str(report.unverified[:3])]
        raise AssertionError(f"a graph that is sound is judged {report.verdict.name}: {found}")


def growth(name: str, make: Callable[[int], Document]) -> Measurement:
    """Measure what ten times the nodes cost."""
    small, large = make(SMALL), make(LARGE)
    fast = best(lambda: judged(small), 5)
    slow = best(lambda: judged(large), 2)
    ratio = slow / fast
    return Measurement(f"growth: {name}", slow, fast, ratio, f"<= {GROWTH:g}", ratio <= GROWTH)


def training_step(name: str, *, tensors: bool) -> Measurement:
    """Measure the schedule, against reading it at all."""
    document = schedule(DISPATCHES, tensors=tensors)
    text = document.json()
    ours, peer = best(lambda: judged(document), 7), best(lambda: json.loads(text), 7)
    target = f"ours <= {SECONDS:g} s"
    return Measurement(
        f"training step, {DISPATCHES} dispatches, {name}", ours, peer, ours / peer, target, ours <= SECONDS
    )


def measurements(wanted: list[str]) -> Iterator[Measurement]:
    """Measure what is wanted, or everything."""
    shapes: dict[str, Callable[[int], Document]] = {
        **SHAPES,
        "training step, ranges of an arena": lambda nodes: schedule(nodes, tensors=False),
        "training step, tensors in an arena": lambda nodes: schedule(nodes, tensors=True),
    }
    for name, make in shapes.items():
        if not wanted or any(word in name for word in wanted):
            yield growth(name, make)
    for name in ("ranges", "tensors"):
        if not wanted or name in wanted:
            yield training_step(f"{name} of an arena", tensors=name == "tensors")


def run() -> list[tuple[str, float, float, float, str, bool]]:
    """Measure everything; each row is (name, ours, peer, ratio, target, reached), times in seconds.

    The peer of a growth is the verification of the smaller graph.
    """
    return [tuple(row) for row in measurements([])]


def main() -> None:
    """Print a table, row by row."""
    for name, ours, peer, ratio, target, reached in measurements(sys.argv[1:]):
        state = "ok" if reached else "MISSED"
        print(f"{name:48} {ours:9.4f} s {peer:9.4f} s {ratio:8.2f}  {target:14} {state}", flush=True)


if __name__ == "__main__":
    main()
