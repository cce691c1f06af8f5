"""Sorting of rows: in one workgroup each, or in blocks that are merged back and forth between two buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.author import typed

from .grids import ceil_div, line_of
from .recorder import Recorder, Style

if TYPE_CHECKING:
    from interlock.document import Document

_PER_THREAD = 4
_BYTES = {"float32": 4, "int64": 8, "float16": 2}


def block_threads(size: int, element: str) -> int:
    """Return the invocations of a workgroup that sorts one block."""
    wanted = ceil_div(size, _PER_THREAD)
    threads = next((t for t in (32, 64, 128, 256) if wanted <= t), 512)
    return min(threads, 256) if _BYTES[element] > 4 else threads


def block_count(size: int, element: str) -> int:
    return ceil_div(size, _PER_THREAD * block_threads(size, element))


def sort(
    size: int, rows: int = 1, style: Style = Style.EDGES, *, element: str = "float32", indices: bool = False
) -> Document:
    """Sort rows of ``size`` elements, or find the indices that sort them.

    With several blocks, each merge reads what the one before it wrote, and writes what that one read. The
    writing is kept behind the reading by the partitions of the blocks alone: each merge waits for its
    partitions, and they for the merge before. No dependency joins two merges.
    """
    recorder = Recorder(f"sort.{rows}x{size}", style)
    graph = recorder.graph
    threads, blocks = block_threads(size, element), block_count(size, element)
    x = graph.input("x", element, [rows, size])
    out = graph.output("out", "u32" if indices else element, [rows, size])
    label = f"{element}_uint32_bn{threads}_tn{_PER_THREAD}"
    if blocks == 1:
        recorder.run(
            "sort",
            f"carg_block_sort_{label}" if indices else f"c_block_sort_{label}",
            reads={"in": x},
            writes={"out": out},
            groups=[1, rows, 1],
            size=[threads, 1, 1],
        )
        return recorder.build()
    values = [graph.temporary(f"vals_{i}", element, [rows, size]) for i in (0, 1)]
    places = [graph.temporary(f"idxs_{i}", "u32", [rows, size]) for i in (0, 1)]
    partitions = graph.temporary("partitions", "u32", [rows, blocks + 1])
    last = recorder.run(
        "sort_blocks",
        f"sort_mbsort_{label}",
        reads={"in": x},
        writes={"out_vals": values[0], "out_idxs": places[0]},
        groups=[blocks, rows, 1],
        size=[threads, 1, 1],
    )
    tiles, turn = 2, 0
    while tiles // 2 < blocks:
        inline = {"merge_tiles": typed("i32", tiles), "n_blocks": typed("i32", blocks)}
        reads = {"in_vals": values[turn % 2], "in_idxs": places[turn % 2]}
        split = recorder.run(
            f"partition_{turn}",
            f"partition_mbsort_{label}",
            reads=reads,
            writes={"partitions": partitions},
            after=[last],
            groups=[1, rows, 1],
            size=[min(blocks + 1, 1024), 1, 1],
            inline=inline,
        )
        last = recorder.run(
            f"merge_{turn}",
            f"merge_mbsort_{label}",
            reads={"partitions": partitions, **reads},
            writes={"out_vals": values[1 - turn % 2], "out_idxs": places[1 - turn % 2]},
            after=[split],
            groups=[blocks, rows, 1],
            size=[threads, 1, 1],
            inline=inline,
        )
        tiles, turn = tiles * 2, turn + 1
    count = rows * size
    copies = ceil_div(count, 1 if count < 1 << 16 else max(1, 8 // _BYTES[element]))
    recorder.run(
        "copy",
        "v_copy",
        reads={"in": (places if indices else values)[turn % 2]},
        writes={"out": out},
        after=[last],
        threads=[copies, 1, 1],
        size=line_of(copies),
    )
    return recorder.build()
