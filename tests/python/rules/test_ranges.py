"""Range rules say what listing bytes for every value of the parameters says."""

from __future__ import annotations

from itertools import product as combinations
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from execgraph.v1 import graph_pb2, resource_pb2, type_pb2
from interlock.report.model import Outcome, Report
from interlock.verification import verify

SIZE = 96


def outcome(report: Report, code: str) -> Outcome:
    return next(rule.outcome for rule in report.rules if rule.code == code)


def empty_graph() -> graph_pb2.ExecutionGraph:
    graph = graph_pb2.ExecutionGraph(id="graph", maximum_node_executions=1)
    resource = graph.resources.add(id="x", role=resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT_OUTPUT)
    resource.type.element = type_pb2.ELEMENT_TYPE_U8
    resource.shape.add(constant=SIZE)
    resource.size.constant = SIZE
    return graph


# Rows of a copy within one resource


class Rows(NamedTuple):
    source: int
    destination: int
    row_bytes: int
    rows: int
    slices: int
    source_pitches: tuple[int, int]
    destination_pitches: tuple[int, int]

    def bytes_of(self, start: int, pitches: tuple[int, int]) -> list[int]:
        return [
            start + s * pitches[1] + r * pitches[0] + byte
            for s, r, byte in combinations(range(self.slices), range(self.rows), range(self.row_bytes))
        ]


pitches = st.tuples(st.integers(4, 12), st.integers(12, 40))
copies = st.builds(
    Rows, st.integers(0, 24), st.integers(0, 24), st.integers(1, 6), st.integers(1, 3), st.integers(1, 2),
    pitches, pitches,
)  # fmt: skip
same_pitches = st.builds(lambda rows: rows._replace(destination_pitches=rows.source_pitches), copies)


def copy_report(rows: Rows) -> Report:
    graph = empty_graph()
    copy = graph.body.nodes.add(id="move").operation.copy
    for side, start in ((copy.source, rows.source), (copy.destination, rows.destination)):
        side.byte_range.resource = "x"
        if start:
            side.byte_range.offset.constant = start
        side.byte_range.size.constant = SIZE - start
    region = copy.region
    region.row_bytes.constant, region.rows.constant = rows.row_bytes, rows.rows
    region.source_row_pitch, region.destination_row_pitch = (
        rows.source_pitches[0],
        rows.destination_pitches[0],
    )
    if rows.slices > 1:
        region.slices.constant = rows.slices
        region.source_slice_pitch, region.destination_slice_pitch = (
            rows.source_pitches[1],
            rows.destination_pitches[1],
        )
    return verify(graph)


@settings(max_examples=300)
@given(st.one_of(copies, same_pitches))
def test_rows_of_a_copy_are_compared_byte_by_byte(rows: Rows) -> None:
    source = rows.bytes_of(rows.source, rows.source_pitches)
    destination = rows.bytes_of(rows.destination, rows.destination_pitches)
    report = copy_report(rows)
    judged = outcome(report, "range.copy-overlap")
    if outcome(report, "range.copy-pitch") is Outcome.PASSED:
        overlap = not set(source).isdisjoint(destination)
        assert judged is not (Outcome.PASSED if overlap else Outcome.FAILED)
        if rows.source_pitches == rows.destination_pitches and rows.slices == 1:
            assert judged is (Outcome.FAILED if overlap else Outcome.PASSED)
    leaves = max(source) >= SIZE or max(destination) >= SIZE
    assert outcome(report, "range.out-of-bounds") is (Outcome.FAILED if leaves else Outcome.PASSED)
    is_doubled = any(
        len(set(rows.bytes_of(0, each))) < rows.slices * rows.rows * rows.row_bytes
        for each in (rows.source_pitches, rows.destination_pitches)
    )
    if is_doubled:
        assert outcome(report, "range.copy-pitch") is Outcome.FAILED


# Contiguous copies and views whose ends depend on a parameter


class Line(NamedTuple):
    """A number that depends on the parameter: ``constant`` + ``factor`` x n."""

    constant: int
    factor: int

    def at(self, n: int) -> int:
        return self.constant + self.factor * n

    def write(self, extent: type_pb2.Extent) -> None:
        if self.constant:
            extent.constant = self.constant
        if self.factor:
            extent.terms.add(parameter="n", coefficient=self.factor)


lines = st.builds(Line, st.integers(0, 40), st.integers(0, 6))
parameters = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 2)).map(
    lambda drawn: (drawn[0] * drawn[2], (drawn[0] + drawn[1]) * drawn[2], drawn[2])
)


def declare(graph: graph_pb2.ExecutionGraph, domain: tuple[int, int, int]) -> range:
    low, high, step = domain
    graph.parameters.add(id="n", type=type_pb2.ELEMENT_TYPE_U32, minimum=low, maximum=high, multiple_of=step)
    return range(low, high + 1, step)


@given(lines, lines, lines, parameters)
def test_contiguous_copies_are_refused_if_they_overlap_for_some_value(
    source: Line, destination: Line, size: Line, domain: tuple[int, int, int]
) -> None:
    graph = empty_graph()
    values = declare(graph, domain)
    copy = graph.body.nodes.add(id="move").operation.copy
    for side, start in ((copy.source, source), (copy.destination, destination)):
        side.byte_range.resource = "x"
        start.write(side.byte_range.offset)
        size.write(side.byte_range.size)
    report = verify(graph)
    overlaps = any(
        max(source.at(n), destination.at(n)) < min(source.at(n), destination.at(n)) + size.at(n)
        for n in values
    )
    if overlaps:
        assert outcome(report, "range.copy-overlap") is Outcome.FAILED
    ordered = {source.at(n) <= destination.at(n) for n in values}
    if not overlaps and len(ordered) == 1 and all(size.at(n) for n in values):
        assert outcome(report, "range.copy-overlap") is Outcome.PASSED


axes = st.lists(
    st.tuples(st.builds(Line, st.integers(1, 4), st.integers(0, 1)), st.integers(-9, 9)), max_size=2
)


@given(lines, axes, st.booleans(), parameters)
def test_a_view_is_refused_if_an_element_leaves_the_resource_for_some_value(
    offset: Line, given_axes: list[tuple[Line, int]], packed: bool, domain: tuple[int, int, int]
) -> None:
    graph = empty_graph()
    values = declare(graph, domain)
    view = graph.views.add(id="v", resource="x")
    if offset != (0, 0):
        offset.write(view.offset)
    for size, stride in given_axes:
        size.write(view.shape.add())
        if not packed:
            view.byte_strides.append(stride)
    leaves = False
    for n in values:
        shape = [size.at(n) for size, _ in given_axes]
        strides = [stride for _, stride in given_axes]
        if packed:
            strides = [1] if len(shape) == 1 else [shape[1], 1] if shape else []
        for point in combinations(*map(range, shape)):
            at = offset.at(n) + sum(i * stride for i, stride in zip(point, strides, strict=True))
            leaves = leaves or not 0 <= at < SIZE
    judged = outcome(verify(graph), "range.out-of-bounds")
    if leaves:
        assert judged is Outcome.FAILED
    varying = sum(size.factor != 0 for size, _ in given_axes)
    if not leaves and not (packed and varying > 1):
        assert judged is Outcome.PASSED
