"""Damaged SPIR-V modules: reading one ends with its interface or with a structured error, and soon.

Starts from the modules of tests/fixtures/spirv. A module that ends otherwise is written to build/fuzz.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
import traceback
from array import array
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from interlock.errors import InterlockError
from interlock.package.spirv.describe import lines
from interlock.package.spirv.reader import read_spirv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ROOT = Path(__file__).resolve().parents[2]
SEEDS = ROOT / "tests" / "fixtures" / "spirv"
SECONDS = 1.0
"""How long one small module may take."""
HEADER = 5
_WORDS = (0, 1, 2, 3, 4, 7, 11, 28, 30, 59, 63, 64, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


def seeds() -> list[list[int]]:
    """Return what to start from: small modules as words."""
    found = [array("I", path.read_bytes()).tolist() for path in sorted(SEEDS.glob("*.spv"))]
    if not found:
        raise FileNotFoundError(f"{SEEDS} holds no modules")
    return found


def starts_of(words: Sequence[int]) -> list[int]:
    """Return the first words of the instructions, as far as they can be told apart."""
    found, at = [], HEADER
    while at < len(words) and words[at] >> 16:
        found.append(at)
        at += words[at] >> 16
    return found


def _span(random: Random, words: Sequence[int]) -> tuple[int, int]:
    starts = starts_of(words) or [HEADER]
    start = random.choice(starts)
    size = words[start] >> 16 if start < len(words) else 0
    return start, min(len(words), start + size)


def flip(random: Random, words: list[int]) -> None:
    words[random.randrange(len(words))] ^= 1 << random.randrange(32)


def replace(random: Random, words: list[int]) -> None:
    words[random.randrange(len(words))] = random.choice((*_WORDS, words[3], words[3] - 1 & 0xFFFFFFFF))


def other_id(random: Random, words: list[int]) -> None:
    """Put one id in the place of another: most damage that gets past the framing."""
    start, end = _span(random, words)
    if end > start + 1:
        words[random.randrange(start + 1, end)] = random.randrange(words[3] or 1) if words[3] < 1 << 20 else 1


def swap_words(random: Random, words: list[int]) -> None:
    one, other = random.randrange(len(words)), random.randrange(len(words))
    words[one], words[other] = words[other], words[one]


def drop(random: Random, words: list[int]) -> None:
    start, end = _span(random, words)
    del words[start:end]


def duplicate(random: Random, words: list[int]) -> None:
    start, end = _span(random, words)
    words[end:end] = words[start:end]


def move(random: Random, words: list[int]) -> None:
    start, end = _span(random, words)
    piece = words[start:end]
    del words[start:end]
    place = random.choice(starts_of(words) or [len(words)])
    words[place:place] = piece


def truncate(random: Random, words: list[int]) -> None:
    del words[random.randrange(len(words)) :]


def insert(random: Random, words: list[int]) -> None:
    place = random.randrange(len(words) + 1)
    words[place:place] = [random.choice((*_WORDS, words[3]))] * random.randrange(1, 4)


def other_opcode(random: Random, words: list[int]) -> None:
    start, _ = _span(random, words)
    if start < len(words):
        opcode = random.choice((random.randrange(450), random.randrange(6600), random.randrange(1 << 16)))
        words[start] = words[start] & 0xFFFF0000 | opcode


def resize(random: Random, words: list[int]) -> None:
    """Change the length of an instruction, and its words with it or not."""
    start, end = _span(random, words)
    if start >= len(words):
        return
    by = random.choice((-2, -1, 1, 2))
    size = max(0, (words[start] >> 16) + by) & 0xFFFF
    words[start] = size << 16 | words[start] & 0xFFFF
    if random.random() < 0.7:
        if by > 0:
            words[end:end] = [random.randrange(words[3] or 1) if words[3] < 1 << 20 else 1] * by
        else:
            del words[max(start + 1, end + by) : end]


MUTATIONS: Sequence[Callable[[Random, list[int]], None]] = (
    flip,
    replace,
    other_id,
    other_id,
    other_id,
    other_id,
    swap_words,
    drop,
    duplicate,
    move,
    truncate,
    insert,
    other_opcode,
    other_opcode,
    resize,
)


def damaged(random: Random, start: Sequence[int]) -> bytes:
    """Return a module with a few things wrong."""
    words = list(start)
    for _ in range(random.choice((1, 1, 1, 2, 3, 5))):
        if len(words) > HEADER:
            random.choice(MUTATIONS)(random, words)
    data = array("I", words)
    if random.random() < 0.02:
        data.byteswap()
    raw = data.tobytes()
    return raw[: len(raw) - random.randrange(4)] if random.random() < 0.01 else raw


def outcome(data: bytes) -> tuple[str, str]:
    """Return the code that reading ends with, or `read`; and what is wrong with that, if anything."""
    start = time.perf_counter()
    try:
        module = read_spirv(data)
        module.facts()
        for entry in module.entries:
            module.workgroup_size(entry.name, {0: 3, 1: 0xFFFFFFFF})
        lines(module)
        code = "read"
    except InterlockError as error:
        code = error.code
        if error.byte_offset is not None and not 0 <= error.byte_offset <= len(data):
            return code, f"byte offset {error.byte_offset} of {len(data)}"
    except Exception:  # noqa: BLE001 - whatever it is, it is what we look for
        return "crash", traceback.format_exc()
    took = time.perf_counter() - start
    return code, f"{took:.1f} seconds" if took > SECONDS else ""


def run(seed: int, count: int) -> tuple[Counter[str], list[tuple[bytes, str]]]:
    """Read some damaged modules; return how they ended, and those that ended wrongly, with the reason."""
    random = Random(seed)
    starts = seeds()
    codes: Counter[str] = Counter()
    findings = []
    for _ in range(count):
        data = damaged(random, random.choice(starts))
        code, wrong = outcome(data)
        codes[code] += 1
        if wrong:
            findings.append((data, wrong))
    return codes, findings[:20]


def _share(task: tuple[int, int]) -> tuple[Counter[str], list[tuple[bytes, str]]]:
    return run(*task)


def fuzz(modules: int, seed: int, jobs: int = 1) -> int:
    """Read damaged modules and print how they ended; return how many ended wrongly."""
    piece = 10_000
    tasks = [(seed * 1_000_003 + place, min(piece, modules - place)) for place in range(0, modules, piece)]
    begun = time.perf_counter()
    codes: Counter[str] = Counter()
    findings: list[tuple[bytes, str]] = []
    with multiprocessing.Pool(max(1, jobs)) as pool:
        results: Iterable[tuple[Counter[str], list[tuple[bytes, str]]]] = pool.imap_unordered(_share, tasks)
        for counted, found in results:
            codes += counted
            findings += found
    seconds = time.perf_counter() - begun
    print(f"{modules} damaged modules in {seconds:.0f} s ({modules / max(seconds, 1e-9):.0f}/s)")
    for code, count in sorted(codes.items()):
        print(f"  {count:>8}  {code}")
    folder = ROOT / "build" / "fuzz"
    for number, (data, wrong) in enumerate(findings[:20]):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"module-{number}.spv").write_bytes(data)
        print(f"build/fuzz/module-{number}.spv: {wrong}", file=sys.stderr)
    return len(findings)
