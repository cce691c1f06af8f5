"""Graphs that are changed: random ones, those that were decided by hand, and real ones."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from google.protobuf import text_format

from execgraph.v1 import graph_pb2
from interlock import import_crosstl, load
from interlock.document import Document
from interlock.errors import InterlockError
from oracle import translate
from oracle.executions import TooManyError
from oracle.generate import generate

if TYPE_CHECKING:
    from collections.abc import Iterator

TESTS = Path(__file__).resolve().parents[2]
CASES = TESTS / "python" / "oracle" / "cases"
FIXTURES = TESTS / "fixtures"


def random_graphs(first: int, count: int) -> Iterator[tuple[int, graph_pb2.ExecutionGraph]]:
    for seed in range(first, first + count):
        try:
            yield seed, canonical(translate.to_proto(generate(random.Random(seed))))
        except TooManyError:
            continue


def canonical(graph: graph_pb2.ExecutionGraph) -> graph_pb2.ExecutionGraph:
    message = Document.from_message(graph).message
    assert isinstance(message, graph_pb2.ExecutionGraph)
    return message


@cache
def fixed_graphs() -> dict[str, graph_pb2.ExecutionGraph]:
    """Return the graphs decided by hand, and those of the fixtures that import, by name."""
    found = {}
    for path in sorted(CASES.glob("*.txtpb")):
        found[path.stem] = canonical(text_format.Parse(path.read_text("utf-8"), graph_pb2.ExecutionGraph()))
    for path in [FIXTURES / "two_stage_sum" / "two_stage_sum.json"]:
        message = load(path).message
        assert isinstance(message, graph_pb2.ExecutionGraph)
        found[path.stem] = message
    for path in sorted((FIXTURES / "crosstl").glob("*.normal.json")):
        try:
            message = import_crosstl(path.read_bytes()).document.message
        except InterlockError:
            continue  # what cannot be imported has tests of its own
        assert isinstance(message, graph_pb2.ExecutionGraph)
        found[path.name.removesuffix(".normal.json")] = message
    return found
