"""Measure against the stated goals, print every ratio, and exit with 1 unless each is met.

    run.py [NAME...]     the benchmarks whose module names contain one of the names; all without names

A benchmark is a module `bench_*.py` beside this file with a function `run()` that returns rows of
(name, ours, peer, ratio, target, met). None for a peer or a ratio says that it could not be measured here,
which is printed and does not count as met.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).resolve().parent


def benchmarks(names: list[str]) -> Iterator[Path]:
    """Yield the chosen benchmarks in the order of their names."""
    for path in sorted(FOLDER.glob("bench_*.py")):
        if not names or any(name in path.stem for name in names):
            yield path


def measure(path: Path) -> list[tuple[object, ...]]:
    """Run one benchmark."""
    specification = importlib.util.spec_from_file_location(path.stem, path)
    if specification is None or specification.loader is None:
        raise ImportError(f"{path} cannot be loaded")
    module = importlib.util.module_from_spec(specification)
    sys.modules[path.stem] = module
    specification.loader.exec_module(module)
    rows: list[tuple[object, ...]] = module.run()
    return rows


def shown(value: object) -> str:
    """Return a number as text."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return "not measured" if value is None else str(value)


def main() -> int:
    """Run the command line."""
    sys.path.insert(0, str(FOLDER))
    missed = 0
    for path in benchmarks(sys.argv[1:]):
        print(path.stem)
        for name, ours, peer, ratio, target, met in measure(path):
            state = "ok  " if met else "MISS" if met is not None else "????"
            missed += not met
            print(f"  {state}  {name}")
            numbers = (
                f"ours {shown(ours)}",
                f"peer {shown(peer)}",
                f"ratio {shown(ratio)}",
                f"target {target}",
            )
            print("        " + ", ".join(numbers), flush=True)
    print("every target is met" if not missed else f"{missed} not met or not measured")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
