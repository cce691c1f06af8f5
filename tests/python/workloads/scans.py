"""Scans, and what is made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.author import partial, typed

from .grids import block_of, ceil_div, line_of
from .recorder import Recorder, Style

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlock.author import Node
    from interlock.author.handles import Target
    from interlock.document import Document

_READS = 4
_LANES = 32


def scan_threads(size: int) -> int:
    """Return the invocations that scan one row of ``size`` elements of 4 bytes."""
    per_subgroup = _READS * _LANES
    if size <= _READS * 1024:
        return ceil_div(size, per_subgroup) * _LANES
    if size <= _READS * 2048:
        return ceil_div(size // 2, per_subgroup) * _LANES
    return 1024


def _scan(
    recorder: Recorder,
    node: str,
    kernel: str,
    shape: tuple[int, int],
    slots: tuple[Target, Target],
    after: Iterable[Node] = (),
    *,
    in_place: bool = False,
) -> Node:
    rows, size = shape
    threads = scan_threads(size)
    return recorder.run(
        node,
        kernel,
        reads={"in": slots[0]},
        writes={"out": slots[1]},
        after=after,
        threads=[threads, rows, 1],
        size=[threads, 1, 1],
        in_place=[("in", "out")] if in_place else [],
        inline={"axis_size": typed("u64", size)},
    )


def scan(rows: int, size: int, style: Style = Style.EDGES) -> Document:
    """Sum up each row into a buffer of its own."""
    recorder = Recorder(f"scan.{rows}x{size}", style)
    x = recorder.graph.input("x", "f32", [rows, size])
    out = recorder.graph.output("out", "f32", [rows, size])
    _scan(recorder, "scan", "contig_scan_inclusive_sum_float32_float32", (rows, size), (x, out))
    return recorder.build()


def scan_in_place(rows: int, size: int, style: Style = Style.EDGES) -> Document:
    """Sum up each row of an input that the caller gives away: the output takes its bytes."""
    recorder = Recorder(f"scan_in_place.{rows}x{size}", style)
    memory = recorder.graph.allocation("x_memory", 4 * rows * size, alignment=256)
    x = recorder.graph.input("x", "f32", [rows, size], allocation=memory, consumed=True, ends=["scan"])
    out = recorder.graph.output("out", "f32", [rows, size], allocation=memory, begins=["scan"])
    _scan(
        recorder, "scan", "contig_scan_inclusive_sum_float32_float32", (rows, size), (x, out), in_place=True
    )
    return recorder.build()


def scan_of_a_copy(rows: int, size: int, style: Style = Style.EDGES) -> Document:
    """Sum up each row of an input with gaps: it is copied, and the copy becomes the output."""
    recorder = Recorder(f"scan_of_a_copy.{rows}x{size}", style)
    pitch = 4 * (size + 1)
    x = recorder.graph.input("x", "f32", [rows, size], byte_strides=[pitch, 4], size=rows * pitch)
    out = recorder.graph.output("out", "f32", [rows, size])
    copy = recorder.run(
        "copy",
        "g2_copyfloat32float32",
        reads={"in": x},
        writes={"out": out},
        threads=[size, rows, 1],
        size=block_of(size, rows),
    )
    kernel = "contig_scan_inclusive_sum_float32_float32"
    _scan(recorder, "scan", kernel, (rows, size), (out, out), [copy], in_place=True)
    return recorder.build()


def masked_scatter(count: int, values: int, style: Style = Style.EDGES) -> Document:
    """Overwrite, in order, the elements that a mask selects: a copy, a scan of the mask, an assignment."""
    recorder = Recorder(f"masked_scatter.{count}", style)
    graph = recorder.graph
    x, mask = graph.input("x", "f32", [count]), graph.input("mask", "bool", [count])
    source, out = graph.input("src", "f32", [values]), graph.output("out", "f32", [count])
    offsets = graph.temporary("scatter_offsets", "u32", [1, count])
    per_thread = 1 if count < 1 << 16 else 2
    threads = ceil_div(count, per_thread)
    copy = recorder.run(
        "copy",
        "v_copyfloat32float32",
        reads={"in": x},
        writes={"out": out},
        threads=[threads, 1, 1],
        size=line_of(threads),
    )
    scanned = _scan(recorder, "scan", "contig_scan_exclusive_sum_bool_uint32", (1, count), (mask, offsets))
    recorder.run(
        "assign",
        "masked_assign_float32_true",
        reads={"mask": mask, "scatter_offsets": offsets, "src": source},
        writes={"out": partial(out)},
        after=[copy, scanned],
        threads=[count, 1, 1],
        size=block_of(count),
    )
    return recorder.build()


def scatter(rows: int, width: int, rounds: tuple[int, ...], style: Style = Style.EDGES) -> Document:
    """Add rows to rows that indices name: a copy, and one launch of atomic updates for each batch of indices.

    The batches are not ordered: their updates are atomic.
    """
    recorder = Recorder(f"scatter.{rows}x{width}", style)
    graph = recorder.graph
    x, out = graph.input("x", "f32", [rows, width]), graph.output("out", "f32", [rows, width])
    count = rows * width
    threads = ceil_div(count, 1 if count < 1 << 16 else 2)
    copy = recorder.run(
        "copy",
        "v_copyfloat32float32",
        reads={"in": x},
        writes={"out": out},
        threads=[threads, 1, 1],
        size=line_of(threads),
    )
    for number, updates in enumerate(rounds):
        recorder.run(
            f"scatter_{number}",
            "scatter_float32_sum_1_updc_true",
            reads={
                "updates": graph.input(f"updates_{number}", "f32", [updates, width]),
                "indices": graph.input(f"indices_{number}", "u32", [updates]),
            },
            atomics={"out": out},
            after=[copy],
            threads=[width, updates, 1],
            size=block_of(width, updates),
        )
    return recorder.build()
