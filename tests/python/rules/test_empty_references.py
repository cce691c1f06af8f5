"""A reference that stands there names something: the empty name is that of nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compiled_samples import reduction
from interlock.graph.sweep import SMALL
from interlock.verification import verify

if TYPE_CHECKING:
    from collections.abc import Callable

    from execgraph.v1 import graph_pb2

    Change = Callable[[graph_pb2.ExecutionGraph], None]


def _selection(graph: graph_pb2.ExecutionGraph) -> None:
    graph.body.nodes[1].edge_visibility[0].statements[0].selections[0].resource = ""


def _target(graph: graph_pb2.ExecutionGraph) -> None:
    graph.body.nodes[0].operation.dispatch.bindings[0].target.resource = ""


def _span(graph: graph_pb2.ExecutionGraph) -> None:
    graph.resources[0].lifetime.spans[0].begins[0] = ""


CASES: dict[str, tuple[Change, str, str]] = {
    "selection": (
        _selection,
        "reference.missing-resource",
        'body.nodes["total"].edge_visibility["slices"].statements[0].selections[0].resource',
    ),
    "target": (
        _target,
        "reference.missing-resource",
        'body.nodes["slices"].operation.dispatch.bindings["partials"].target.resource',
    ),
    "span": (_span, "reference.missing-node", 'resources["partials"].lifetime.spans[0].begins[0]'),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("many", [False, True], ids=["small", "large"])
def test_an_empty_name_resolves_to_nothing(case: str, many: bool) -> None:
    change, code, path = CASES[case]
    document = reduction().message
    graph = type(document).FromString(document.SerializeToString())
    for number in range(SMALL // 8 if many else 0):
        graph.artifacts.add(id=f"unused-{number}")
    change(graph)
    assert [(each.code, str(each.path)) for each in verify(graph).diagnostics] == [(code, path)]
