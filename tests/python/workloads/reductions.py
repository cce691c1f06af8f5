"""Reductions: of everything to one element, and of columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from interlock.author import typed

from .grids import ceil_div, round_up
from .recorder import Recorder, Style

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlock.author import Node
    from interlock.author.handles import Target
    from interlock.document import Document


def all_reduce(count: int, style: Style = Style.EDGES) -> Document:
    """Sum ``count`` floats: in one launch up to 4096 of them, else in two through a row of partial sums."""
    recorder = Recorder(f"all_reduce.{count}", style)
    graph = recorder.graph
    x, out = graph.input("x", "f32", [count]), graph.output("out", "f32")
    kernel = "all_reduce_sumfloat32"
    if count <= 4096:
        threads = round_up(ceil_div(count, 4), 32)
        recorder.run(
            "reduce",
            kernel,
            reads={"in": x},
            writes={"out": out},
            threads=[threads, 1, 1],
            size=[threads, 1, 1],
        )
        return recorder.build()
    rows = 128 if 4 * count <= 1 << 26 else 4096
    row = ceil_div(count, rows)
    threads = round_up(min(ceil_div(row, 4), 1024), 32)
    partial = graph.temporary("intermediate", "f32", [rows])
    first = recorder.run(
        "reduce_rows",
        kernel,
        reads={"in": x},
        writes={"out": partial},
        threads=[threads, rows, 1],
        size=[threads, 1, 1],
        inline={"in_size": typed("u64", count), "row_size": typed("u64", row)},
    )
    recorder.run(
        "reduce_partials",
        kernel,
        reads={"in": partial},
        writes={"out": out},
        after=[first],
        threads=[rows // 4, 1, 1],
        size=[rows // 4, 1, 1],
        inline={"in_size": typed("u64", rows), "row_size": typed("u64", rows)},
    )
    return recorder.build()


@dataclass(frozen=True, slots=True)
class Columns:
    """What is summed: ``outer`` matrices of ``rows`` by ``columns``, each to one row.

    ``element`` is the type of the elements.
    """

    rows: int
    columns: int
    outer: int = 1
    element: str = "float32"

    @property
    def kind(self) -> str:
        """Which of the four ways of summing is chosen."""
        if self.rows < 32:
            return "small"
        if self.columns < 32 and self.rows >= 1024:
            return "longcolumn"
        if self.rows > 256 and self.outer * self.columns // 32 < 1024:
            return "2pass"
        return "looped"


def sum_columns(
    recorder: Recorder, prefix: str, columns: Columns, source: Target, out: Target, after: Iterable[Node] = ()
) -> list[Node]:
    """Launch a sum of columns, and return its nodes in order."""
    kind, element = columns.kind, columns.element
    width, outer, rows = columns.columns, columns.outer, columns.rows
    inline = {"reduction_size": typed("u64", rows), "reduction_stride": typed("i64", width)}
    if kind == "small":
        quads = ceil_div(width, 4)
        across = min(quads, 32)
        down = min(8, 1024 // across, rows)
        return [
            recorder.run(
                f"{prefix}_small",
                f"col_reduce_small_1_reduce_sum{element}",
                reads={"in": source},
                writes={"out": out},
                after=after,
                groups=[ceil_div(quads, across), outer, 1],
                size=[across, down, 1],
                inline=inline,
            )
        ]
    if kind == "looped":
        return [
            recorder.run(
                f"{prefix}_looped",
                f"col_reduce_looped_1_32_32_reduce_sum{element}",
                reads={"in": source},
                writes={"out": out},
                after=after,
                threads=[256 * ceil_div(width, 32), outer, 1],
                size=[256, 1, 1],
                inline=inline,
            )
        ]
    blocks = 128 if kind == "longcolumn" and rows >= 32768 else 32
    partial = recorder.graph.temporary(f"{prefix}_intermediate", element, [blocks, outer, width])
    if kind == "longcolumn":
        first = recorder.run(
            f"{prefix}_longcolumn",
            f"col_reduce_longcolumn_1_reduce_sum{element}",
            reads={"in": source},
            writes={"out": partial},
            after=after,
            groups=[outer, 1, blocks],
            size=[width, min(32, ceil_div(rows, blocks)), 1],
            inline=inline,
        )
    else:
        first = recorder.run(
            f"{prefix}_2pass",
            f"col_reduce_2pass_1_32_32_reduce_sum{element}",
            reads={"in": source},
            writes={"out": partial},
            after=after,
            threads=[256 * ceil_div(width, 32), outer * blocks, 1],
            size=[256, 1, 1],
            inline=inline,
        )
    second = recorder.run(
        f"{prefix}_partials",
        f"col_reduce_looped_1_32_32_reduce_sum{element}",
        reads={"in": partial},
        writes={"out": out},
        after=[first],
        threads=[256 * ceil_div(outer * width, 32), 1, 1],
        size=[256, 1, 1],
        inline={"reduction_size": typed("u64", blocks), "reduction_stride": typed("i64", outer * width)},
    )
    return [first, second]


def column_reduce(columns: Columns, style: Style = Style.EDGES, *, strided_input: bool = False) -> Document:
    """Sum columns; an input whose rows do not follow each other is copied first."""
    recorder = Recorder(f"column_reduce.{columns.kind}", style)
    graph = recorder.graph
    shape = [columns.outer, columns.rows, columns.columns]
    out = graph.output("out", columns.element, [columns.outer, columns.columns])
    after: list[Node] = []
    if strided_input:
        pitch = 4 * (columns.columns + 3)
        x = graph.input(
            "x",
            columns.element,
            shape,
            byte_strides=[columns.rows * pitch, pitch, 4],
            size=columns.outer * columns.rows * pitch,
        )
        source = graph.temporary("in_copy", columns.element, shape)
        grid = [columns.columns, columns.rows, columns.outer]
        after = [
            recorder.run(
                "copy",
                f"g3_copy{columns.element}{columns.element}",
                reads={"in": x},
                writes={"out": source},
                threads=grid,
                size=[min(columns.columns, 32), 1, 1],
            )
        ]
    else:
        source = graph.input("x", columns.element, shape)
    sum_columns(recorder, "reduce", columns, source, out, after)
    return recorder.build()
