"""Holds a verifier against the oracle on many random graphs, and makes a small case of each disagreement."""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from interlock.errors import CodecError

from . import translate
from .compare import STRICT_ONLY, Disagreement, Verify, default_verify, differences, said
from .executions import TooManyError
from .generate import generate
from .judge import judge
from .over_rejections import OVER_REJECTIONS
from .shrink import shrink

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .compare import Said
    from .model import Graph
    from .verdict import Verdict

BUDGET = 20_000
"""Events that the oracle looks at before it gives a graph up."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one seed.

    ``graph`` is None where there were too many executions. ``explained`` names the listed over-rejections
    that may be in play where a graph without an error was refused.
    """

    seed: int
    graph: Graph | None
    sound: bool = False
    disagreements: tuple[Disagreement, ...] = ()
    explained: tuple[str, ...] = ()


def outcomes(
    seeds: Iterable[int], verify: Verify = default_verify, *, strict: bool = False
) -> Iterator[Outcome]:
    """Enumerate what becomes of seeds."""
    for seed in seeds:
        try:
            message = translate.to_proto(generate(random.Random(seed)))
            graph = translate.from_proto(message)
            verdict = judge(graph, budget=BUDGET)
        except TooManyError:
            yield Outcome(seed, None)
            continue
        yield outcome_of(seed, graph, verdict, said(verify(message)), strict=strict)


def outcome_of(seed: int, graph: Graph, verdict: Verdict, answer: Said, *, strict: bool = False) -> Outcome:
    """Return what became of a graph, given what the oracle and the verifier say."""
    found = tuple(d for d in differences(graph, verdict, answer) if strict or d.kind not in STRICT_ONLY)
    refused = verdict.sound and (answer.errors or answer.gaps)
    names = [name for name, applies in OVER_REJECTIONS.items() if applies(graph)] if refused else []
    return Outcome(seed, graph, verdict.sound, found, tuple(names))


@dataclass(slots=True)
class Survey:
    """What became of many seeds.

    ``refused`` counts the graphs without an error that were refused, under the over-rejections that may
    explain it; ``wrong`` holds what was found of each graph on which the two disagree.
    """

    graphs: int = 0
    too_large: int = 0
    sound: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    wrong: list[Outcome] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Count one more."""
        self.graphs += 1
        self.too_large += outcome.graph is None
        self.sound += outcome.sound
        if outcome.explained:
            self.refused[" or ".join(outcome.explained)] += 1
        if outcome.disagreements:
            self.wrong.append(outcome)

    def merge(self, other: Survey) -> None:
        """Count what another survey counted."""
        self.graphs += other.graphs
        self.too_large += other.too_large
        self.sound += other.sound
        self.refused.update(other.refused)
        self.wrong += other.wrong

    def lines(self) -> Iterator[str]:
        """Yield the counts for people."""
        yield f"{self.graphs:8} graphs"
        yield f"{self.too_large:8} too large for the oracle"
        yield f"{self.sound:8} sound, {100 * self.sound / max(self.graphs - self.too_large, 1):.1f} %"
        for names, count in sorted(self.refused.items()):
            yield f"{count:8} sound but refused, explained by: {names}"
        yield f"{len(self.wrong):8} disagreements"
        kinds = Counter(f"{d.kind.name}: {d.what}" for outcome in self.wrong for d in outcome.disagreements)
        for kind, count in sorted(kinds.items()):
            yield f"{count:8}   {kind}"


CHUNK = 200
"""Seeds that a process looks at before it reports."""


def _survey_chunk(seeds: range, *, strict: bool) -> Survey:
    survey = Survey()
    for outcome in outcomes(seeds, strict=strict):
        survey.add(outcome)
    return survey


def survey(seeds: range, *, strict: bool = False, jobs: int = 1) -> Iterator[Survey]:
    """Look at seeds, in as many processes as ``jobs`` says, and yield what was found, part by part."""
    chunks = [seeds[start : start + CHUNK] for start in range(0, len(seeds), CHUNK)]
    look = partial(_survey_chunk, strict=strict)
    if jobs == 1:
        yield from map(look, chunks)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(look, chunks)


def report(seeds: range, *, strict: bool = False, jobs: int = 1, cases: int = 3) -> int:
    """Look at seeds; print the counts, and the first disagreements made small; return how many there are."""
    total = Survey()
    for part in survey(seeds, strict=strict, jobs=jobs):
        for outcome in part.wrong[: max(0, cases - len(total.wrong))]:
            print(f"# seed {outcome.seed}")
            for disagreement in outcome.disagreements:
                print(f"# {disagreement.kind.name}: {disagreement.what} {' '.join(disagreement.witness)}")
            print(translate.to_text(smallest(outcome, strict=strict)), flush=True)
        total.merge(part)
    print("\n".join(total.lines()))
    return len(total.wrong)


def smallest(outcome: Outcome, verify: Verify = default_verify, *, strict: bool = False) -> Graph:
    """Return a small graph about which the first disagreement of an outcome is still there."""
    assert outcome.graph is not None
    wanted = outcome.disagreements[0]

    def holds(graph: Graph) -> bool:
        try:
            answer = said(verify(translate.to_proto(graph)))
        except CodecError:
            return False  # shrunk until it is no document any more
        found = differences(graph, judge(graph, budget=BUDGET), answer)
        return any(d.kind is wanted.kind and (not strict or d.what == wanted.what) for d in found)

    return shrink(outcome.graph, holds)


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line; return 1 if there is a disagreement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000, help="how many graphs")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--strict", action="store_true", help="compare codes and warnings too")
    parser.add_argument("--cases", type=int, default=3, help="how many disagreements to shrink and print")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes look at them")
    options = parser.parse_args(arguments)
    seeds = range(options.seed, options.seed + options.count)
    return bool(report(seeds, strict=options.strict, jobs=options.jobs, cases=options.cases))


if __name__ == "__main__":
    sys.exit(main())
