"""Verifies every planned schedule in a folder, whole and with single dependencies taken away.

    python tests/python/workloads/check_corpus.py FOLDER [--most N] [--seed N]

The folder has `tinygrad` and `iree` folders with the JSON files that `corpus` reads. Every graph has to be
sound; without a dependency, it has to race exactly where no other way orders two nodes that conflict. Exits
with 1 where a verdict is wrong.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from interlock import loads, verify
from workloads.corpus import Arena, read
from workloads.pairs import graph_of, races
from workloads.removal import complaint, removals

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlock.document import Document


def best_milliseconds(action: Callable[[Any], object], make: Callable[[], object], times: int = 5) -> float:
    """Return the processor time of the fastest of some runs, each with something new to work on."""
    found = []
    for _ in range(times):
        given = make()
        gc.collect()
        start = time.process_time()
        action(given)
        found.append(time.process_time() - start)
    return 1000 * min(found)


def check(document: Document, most: int, rng: random.Random) -> list[str]:
    """Return what is wrong with the verdicts on a graph and on those without one of its dependencies."""
    report = verify(document)
    wrong = [f"{report.verdict.name}: {finding}" for finding in report.diagnostics]
    wrong += [f"unverified: {gap.check}: {gap.reason}" for gap in report.unverified if gap.required]
    if races(document):
        wrong.append("the dependencies of the file do not order everything")
    chosen = removals(document, most, rng) if most else []
    return wrong + [text for removal in chosen if (text := complaint(document, removal))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=200, help="dependencies to take away from one graph")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    failed = False
    print(f"{'file':34} {'arena':8} {'nodes':>6} {'edges':>6} {'load ms':>8} {'verify ms':>9}  verdict")
    for path in sorted([*options.folder.glob("tinygrad/*.json"), *options.folder.glob("iree/*.json")]):
        schedule = json.loads(path.read_bytes())
        for arena in Arena:
            for document in read(schedule, arena):
                data = document.binary
                loading = best_milliseconds(loads, partial(bytes, data))
                verifying = best_milliseconds(verify, partial(loads, data))
                most = options.most if arena is Arena.RANGES else options.most // 4
                wrong = check(document, most, random.Random(options.seed))
                verdict = verify(document).verdict.name.lower()
                nodes = graph_of(document).body.nodes
                edges = sum(len(node.depends_on) for node in nodes)
                if wrong:
                    verdict += f", {len(wrong)} wrong"
                print(
                    f"{path.name:34} {arena.value:8} {len(nodes):6} {edges:6}",
                    f"{loading:8.1f} {verifying:9.1f} ",
                    verdict,
                    flush=True,
                )
                for text in wrong[:5]:
                    print(f"    {text}")
                failed |= bool(wrong)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
