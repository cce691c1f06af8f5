"""Damaged documents for both languages: neither may crash or hang, and they have to say the same.

Starts from the goldens and the inputs of tests/conformance. A request on which they differ is written to
build/fuzz, and what each of them said to standard error. The tool is the one INTERLOCK_CPP names, for
`make fuzz` the one with sanitizers.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(Path(__file__).parent)]

from conformance_suite import (  # noqa: E402 - the path to it is set above
    GOLDEN_BINARY,
    GOLDEN_JSON,
    SOURCE,
    CppTool,
    answer_without_rules,
    cpp_tool,
    root_class,
    verdict,
    walk,
)
from execgraph.conformance.v1 import conformance_pb2  # noqa: E402
from interlock.target.frame import KINDS, header_of  # noqa: E402
from mutate import damage_binary, damage_json, damage_text  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

Request = conformance_pb2.Request
Response = conformance_pb2.Response
PATIENCE = 10
"""Seconds after which an answer counts as a hang."""


def corpus() -> list[Request]:
    """Return what to start from: every golden in every encoding, and every input of a decode case."""
    requests = [case.request() for case in walk("decode")]
    for case in walk("encode"):
        root = case.proto.body.encode.root_message
        for name, form in (
            (GOLDEN_BINARY, conformance_pb2.FORMAT_BINARY),
            (GOLDEN_JSON, conformance_pb2.FORMAT_JSON),
            (SOURCE, conformance_pb2.FORMAT_TEXT),
        ):
            # The goldens are few and rich: they come up as often as all the small inputs together.
            data = (case.folder / name).read_bytes()
            requests += [Request(input=data, format=form, root_message=root)] * 20
    return [request for request in requests if len(request.input) < 20_000]


def damaged(random: Random, start: Request) -> Request:
    """Return a request with a damaged input."""
    request = Request()
    request.CopyFrom(start)
    if request.format == conformance_pb2.FORMAT_JSON:
        request.input = damage_json(random, start.input)
    elif request.format == conformance_pb2.FORMAT_TEXT:
        request.input = damage_text(random, start.input)
    elif request.format == conformance_pb2.FORMAT_FRAME:
        request.input = damage_frame(random, start.input)
    else:
        root = root_class(start.root_message or "execgraph.v1.ExecutionGraph")
        request.input = damage_binary(random, start.input, root.DESCRIPTOR)
        request.canonicalize = random.random() < 0.4
    if random.random() < 0.1:
        request.limits.repeated_elements = random.choice((1, 2, 3))
        request.limits.string_bytes = random.choice((8, 16, 64))
        request.limits.message_depth = random.choice((3, 5, 9))
    if random.random() < 0.05:
        request.format = conformance_pb2.FORMAT_UNSPECIFIED
    return request


def damage_frame(random: Random, data: bytes) -> bytes:
    """Return a damaged frame; in most cases its body is sealed anew, so that the damage is looked at."""
    end = 48 + int.from_bytes(data[8:16], "little")
    kind = next((kind for kind, letter in KINDS.items() if letter == data[5:6]), None)
    if kind is None or end > len(data) or random.random() < 0.2:
        return damage_binary(random, data, root_class("execgraph.v1.Envelope").DESCRIPTOR)
    body = damage_binary(random, data[48:end], root_class(f"execgraph.v1.{kind}").DESCRIPTOR)
    return header_of(kind, body) + body + data[end:]


def agree(one: Response, other: Response) -> bool:
    """Tell whether two answers are the same, apart from what is left to the protobuf libraries.

    Their parsers of the text format differ in details, such as octal numbers and unknown escapes; what only
    one of them refuses is no finding.
    """
    return one == other or "text.malformed" in (one.error.code, other.error.code)


@contextlib.contextmanager
def time_limit() -> Iterator[None]:
    """Raise `TimeoutError` in what takes too long, a blocked read of a pipe included."""

    def ring(*_: object) -> None:
        raise TimeoutError(f"nothing for {PATIENCE} seconds")

    signal.signal(signal.SIGALRM, ring)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)


class Fuzzer:
    """Asks both languages and keeps what they differ on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.findings = 0
        self.answers: Counter[str] = Counter()
        self._cpp = CppTool(cpp_tool())

    def try_one(self, request: Request, seed: str) -> None:
        """Ask both; write down a difference, a crash, or an answer that did not come in time."""
        try:
            with time_limit():
                python = verdict(answer_without_rules(request))
        except Exception as error:  # noqa: BLE001 - any exception but a refusal is what this looks for
            self._keep(request, seed, f"Python raised {type(error).__name__}: {error}")
            return
        try:
            with time_limit():
                cpp = verdict(self._cpp(request))
        except (RuntimeError, TimeoutError) as error:
            self._keep(request, seed, f"C++ gave no answer: {error}")
            self._cpp.kill()
            self._cpp = CppTool(cpp_tool())
            return
        if not agree(python, cpp):
            self._keep(request, seed, f"Python: {python}\nC++: {cpp}")
        self.answers[python.error.code or "accepted"] += 1

    def _keep(self, request: Request, seed: str, sentence: str) -> None:
        self.findings += 1
        self.folder.mkdir(parents=True, exist_ok=True)
        name = self.folder / f"{seed}.request"
        name.write_bytes(request.SerializeToString())
        print(f"{name.relative_to(ROOT)}: {sentence}\n{request}", file=sys.stderr)


def fuzz(seconds: float, seed: int, most: int) -> int:
    """Damage documents for some time, or until ``most`` findings; return how many there are."""
    starts = corpus()
    fuzzer = Fuzzer(ROOT / "build" / "fuzz")
    deadline = time.monotonic() + seconds
    count = 0
    while time.monotonic() < deadline and fuzzer.findings < most:
        random = Random(f"{seed}/{count}")
        fuzzer.try_one(damaged(random, random.choice(starts)), f"{seed}-{count}")
        count += 1
    for code, times in fuzzer.answers.most_common():
        print(f"{times:8} {code}")
    print(f"{count} inputs, {fuzzer.findings} findings (seed {seed})")
    return fuzzer.findings
