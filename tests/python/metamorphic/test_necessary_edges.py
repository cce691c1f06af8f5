"""Taking a dependency away is noticed exactly if it was needed.

The oracle says whether it was: it tries every execution. A dependency that another path implies, and that
makes nothing visible, is never needed.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from interlock.report.model import Verdict
from interlock.verification import verify
from oracle import translate
from oracle.executions import TooManyError
from oracle.judge import judge
from oracle.model import UnsupportedError
from oracle.verdict import UNORDERED

from . import changes
from .samples import fixed_graphs, random_graphs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from execgraph.v1 import graph_pb2

GRAPHS = 80


def without_edge(graph: graph_pb2.ExecutionGraph, target: str, source: str) -> graph_pb2.ExecutionGraph:
    twin = changes.copy_of(graph)
    node = next(node for node in changes.nodes(twin) if node.id == target)
    node.depends_on.remove(source)
    kept = [edge for edge in node.edge_visibility if edge.source != source]
    del node.edge_visibility[:]
    node.edge_visibility.extend(kept)
    return twin


@cache
def sound_graphs() -> list[tuple[str, graph_pb2.ExecutionGraph]]:
    found = [(f"seed {seed}", graph) for seed, graph in random_graphs(5_000, GRAPHS)]
    found += fixed_graphs().items()
    return [(name, graph) for name, graph in found if verify(graph).verdict is Verdict.SOUND]


def edges() -> Iterator[tuple[str, graph_pb2.ExecutionGraph, str, str, bool]]:
    """Yield the dependencies of all graphs: target, source, and whether others and no statement imply it."""
    for name, graph in sound_graphs():
        for region, _ in changes.regions(graph):
            before = changes.ancestors(region)
            for node in region.nodes:
                stated = {edge.source for edge in node.edge_visibility}
                for source in node.depends_on:
                    implied = any(source in before[other] for other in node.depends_on)
                    yield name, graph, node.id, source, implied and source not in stated


def test_an_edge_is_missed_exactly_if_it_was_needed():
    needed = spared = 0
    for name, graph, target, source, implied in edges():
        other = without_edge(graph, target, source)
        report = verify(other)
        what = f"{name}: {target} without {source}"
        if implied:
            assert report.verdict is Verdict.SOUND, what
            spared += 1
            continue
        try:
            verdict = judge(translate.from_proto(other), budget=50_000)
        except (UnsupportedError, TooManyError):
            continue
        assert (report.verdict is Verdict.SOUND) == verdict.sound, what
        codes = {finding.code for finding in report.diagnostics}
        assert (UNORDERED in codes) == (UNORDERED in verdict.errors), what
        needed += not verdict.sound
        spared += verdict.sound
    assert needed > 2 * GRAPHS
    assert spared > GRAPHS
