"""Parts of buffers: at a place that only the device knows, and side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.author import typed

from .grids import block_of
from .recorder import Recorder, Style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlock.document import Document


def dynamic_slice(length: int, rows: int, width: int, style: Style = Style.EDGES) -> Document:
    """Copy ``rows`` rows from a place that the device computes.

    Which bytes of the source are copied is not known before it runs, so all of them are read. The memory of
    the offset is taken over by the flag of a later operation.
    """
    recorder = Recorder(f"dynamic_slice.{length}x{width}", style)
    graph = recorder.graph
    memory = graph.allocation("offset_memory", 8, alignment=8)
    x, start = graph.input("x", "f32", [length, width]), graph.input("start", "i32", [1])
    out, found = graph.output("out", "f32", [rows, width]), graph.output("found", "u32", [2])
    offset = graph.temporary("offset", "i64", allocation=memory, begins=["compute_offset"], ends=["copy"])
    flag = graph.temporary("flag", "u32", [2], allocation=memory, begins=["search"], ends=["publish"])
    computed = recorder.run(
        "compute_offset",
        "compute_dynamic_offset_int32",
        reads={"indices": start},
        writes={"offset": offset},
        threads=[1, 1, 1],
        size=[1, 1, 1],
        inline={"n_axes": typed("i32", 1)},
    )
    copied = recorder.run(
        "copy",
        "gg1_dynamic_copyfloat32float32",
        reads={"src": x, "src_offset": offset},
        writes={"dst": out},
        after=[computed],
        threads=[rows * width, 1, 1],
        size=block_of(rows * width),
    )
    searched = recorder.run(
        "search",
        "search",
        reads={"x": x},
        writes={"flag": flag},
        after=[copied],
        threads=[2, 1, 1],
        size=[2, 1, 1],
    )
    recorder.run(
        "publish",
        "v_copyuint32uint32",
        reads={"in": flag},
        writes={"out": found},
        after=[searched],
        threads=[2, 1, 1],
        size=[2, 1, 1],
    )
    return recorder.build()


def concatenate_outer(
    lengths: Sequence[int], width: int, style: Style = Style.EDGES, *, overlap: int = 0, whole: bool = False
) -> Document:
    """Put blocks of rows one after the other into one buffer, all at the same time.

    ``overlap`` rows of each block but the last are written into the next. ``whole`` names the whole buffer in
    each copy.
    """
    recorder = Recorder("concatenate_outer", style)
    graph = recorder.graph
    out = graph.output("out", "f32", [sum(lengths), width])
    start = 0
    for number, length in enumerate(lengths):
        rows = length + (overlap if number + 1 < len(lengths) else 0)
        source = graph.input(f"x{number}", "f32", [rows, width])
        target = out if whole else graph.view(f"slice_{number}", out, [rows, width], offset=4 * start * width)
        recorder.run(
            f"copy_{number}",
            "gg1_copyfloat32float32",
            reads={"in": source},
            writes={"out": target},
            threads=[rows * width, 1, 1],
            size=block_of(rows * width),
        )
        start += length
    return recorder.build()


def concatenate_inner(
    widths: Sequence[int], rows: int, style: Style = Style.EDGES, *, overlap: int = 0
) -> Document:
    """Put blocks of columns side by side into one buffer, all at the same time.

    ``overlap`` columns of each block but the last are written into the next.
    """
    recorder = Recorder("concatenate_inner", style)
    graph = recorder.graph
    pitch = 4 * sum(widths)
    out = graph.output("out", "f32", [rows, sum(widths)])
    start = 0
    for number, given in enumerate(widths):
        width = given + (overlap if number + 1 < len(widths) else 0)
        source = graph.input(f"x{number}", "f32", [rows, width])
        target = graph.view(f"slice_{number}", out, [rows, width], offset=4 * start, byte_strides=[pitch, 4])
        recorder.run(
            f"copy_{number}",
            "gg2_copyfloat32float32",
            reads={"in": source},
            writes={"out": target},
            threads=[width, rows, 1],
            size=block_of(width, rows),
        )
        start += given
    return recorder.build()
