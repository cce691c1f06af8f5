"""Look for what no test has thought of: damaged documents, and graphs that the verifier judges wrongly.

    run.py --seconds 60 --graphs 100000 --modules 1000000 --seed 1

Damaged documents go to both languages for some seconds (documents.py). Random graphs go to the verifier and
to the oracle, which tries every execution (tests/python/oracle); a graph on which they disagree is printed,
made as small as it gets. Damaged SPIR-V modules are read (spirv_words.py). Each part is left out with 0.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "python"), str(Path(__file__).parent)]

SEEDS = 1_000_000
"""Graphs of one seed of the command line; those of another one are others."""


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="damage documents this long (default: 60)"
    )
    parser.add_argument(
        "--graphs", type=int, default=100_000, help="judge this many graphs (default: 100000)"
    )
    parser.add_argument(
        "--modules", type=int, default=1_000_000, help="read this many SPIR-V modules (default: 1000000)"
    )
    parser.add_argument("--seed", type=int, default=1, help="what to begin with (default: 1)")
    parser.add_argument(
        "--findings", type=int, default=20, help="stop after this many documents (default: 20)"
    )
    parser.add_argument("--cases", type=int, default=3, help="print this many graphs (default: 3)")
    parser.add_argument("--strict", action="store_true", help="compare every code about graphs, and warnings")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes for all but documents"
    )
    arguments = parser.parse_args()
    findings = 0
    if arguments.seconds > 0:
        import documents  # noqa: PLC0415 - needs the tool, which graphs do not

        findings += documents.fuzz(arguments.seconds, arguments.seed, arguments.findings)
    if arguments.graphs > 0:
        from oracle import fuzz  # noqa: PLC0415 - needs none of the above

        first = arguments.seed * SEEDS
        findings += fuzz.report(
            range(first, first + arguments.graphs),
            strict=arguments.strict,
            jobs=arguments.jobs,
            cases=arguments.cases,
        )
    if arguments.modules > 0:
        import spirv_words  # noqa: PLC0415 - needs neither

        findings += spirv_words.fuzz(arguments.modules, arguments.seed, arguments.jobs)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
