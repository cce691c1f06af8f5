"""Transforms of long rows: Fourier in four steps or by a longer one, and Hadamard in stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.author import typed

from .grids import block_of, ceil_div, power_of_two_up
from .recorder import Recorder, Style

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlock.author import Node, Resource
    from interlock.author.handles import Target
    from interlock.document import Document

_POINT = 8
"""The bytes of one complex number."""


def four_step_sizes(points: int) -> tuple[int, int]:
    """Return how many points the transforms of the two steps have."""
    second = 1024 if points > 65536 else 64
    return points // second, second


def transform_grid(
    points: int, total: int, *, step: bool = False
) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Return invocations and workgroup for as many transforms of ``points`` as ``total`` points make.

    A step of four takes at least four of them together, as long as they fit.
    """
    together = max(256 // points, 1, min(4, 4096 // points) if step else 1)
    per_transform = ceil_div(points, min(8, points))
    return (
        (ceil_div(total // points, together), together, per_transform),
        (1, together, per_transform),
    )


def _four_steps(
    recorder: Recorder,
    prefix: str,
    shape: tuple[int, int],
    ends: tuple[Target, Target],
    after: Iterable[Node] = (),
    *,
    inverse: bool = False,
) -> Node:
    """Launch both steps, through a buffer between them, and return the second."""
    batch, points = shape
    between = recorder.graph.temporary(f"{prefix}_temp", "c64", [batch, points])
    last, waits = ends[0], list(after)
    node = None
    for step, size in enumerate(four_step_sizes(points)):
        target = (between, ends[1])[step]
        threads, group = transform_grid(size, batch * points, step=True)
        node = recorder.run(
            f"{prefix}_step{step}",
            f"four_step_mem_{size}_float2_float2_{step}",
            reads={"in": last},
            writes={"out": target},
            after=waits,
            threads=threads,
            size=group,
            inline={"n": typed("i32", points), "batch": typed("i32", batch)},
            specialization={0: inverse, 1: True, 2: typed("i32", min(8, size))},
        )
        last, waits = target, [node]
    assert node is not None
    return node


def fft(points: int, batch: int = 1, style: Style = Style.EDGES) -> Document:
    """Transform rows of a power of two of points: up to 4096 in one launch, above in two."""
    recorder = Recorder(f"fft.{batch}x{points}", style)
    x = recorder.graph.input("x", "c64", [batch, points])
    out = recorder.graph.output("out", "c64", [batch, points])
    if points <= 4096:
        threads, group = transform_grid(points, batch * points)
        recorder.run(
            "fft",
            f"fft_mem_{points}_float2_float2",
            reads={"in": x},
            writes={"out": out},
            threads=threads,
            size=group,
        )
    else:
        _four_steps(recorder, "fft", (batch, points), (x, out))
    return recorder.build()


def bluestein_points(points: int) -> int:
    return power_of_two_up(2 * points - 1)


def bluestein_fft(
    points: int,
    batch: int = 1,
    style: Style = Style.EDGES,
    *,
    inverse: bool = False,
    kernels_only: bool = True,
) -> Document:
    """Transform rows of any number of points above 4096, by transforms of a power of two.

    The rows are multiplied, padded (a fill, and a copy into a part of what was filled), transformed,
    multiplied back into the padded buffer, and transformed back into the buffer of the first transform. The
    result is multiplied into the memory in which the first product was. ``kernels_only`` says whether kernels
    fill and copy.
    """
    recorder = Recorder(f"bluestein_fft.{batch}x{points}", style)
    graph = recorder.graph
    long = bluestein_points(points)
    row, pitch = _POINT * points, _POINT * long
    x = graph.input("x", "c64", [batch, points])
    chirp, filter_ = graph.input("w_k", "c64", [points]), graph.input("w_q", "c64", [long])
    pad, pad1 = (graph.temporary(name, "c64", [batch, long]) for name in ("pad_temp", "pad_temp1"))
    interior = graph.view("pad_interior", pad, [batch, points], byte_strides=[pitch, _POINT])
    result = graph.view(
        "result", pad1, [batch, points], offset=_POINT * (points - 1), byte_strides=[pitch, _POINT]
    )
    memory = graph.allocation("temp1_memory", batch * row, alignment=256)
    temp1 = graph.temporary(
        "temp1", "c64", [batch, points], allocation=memory, begins=["multiply_w_k"], ends=["copy_interior"]
    )
    grid = [points, batch, 1]

    def elementwise(
        node: str, kernel: str, operands: tuple[Target, ...], out: Target, after: Iterable[Node] = ()
    ) -> Node:
        across = long if node == "multiply_w_q" else points
        return recorder.run(
            node,
            kernel,
            reads=dict(zip(("a", "b"), operands, strict=False)),
            writes={"c": out},
            after=after,
            threads=[across, batch, 1],
            size=block_of(across, batch),
        )

    source: Resource = x
    start: list[Node] = []
    if inverse:
        source = graph.temporary("conjugate", "c64", [batch, points])
        start = [elementwise("conjugate_in", "v_Conjugatecomplex64complex64", (x,), source)]
    first = elementwise("multiply_w_k", "g2_Multiplycomplex64", (source, chirp), temp1, start)
    if kernels_only:
        count = batch * long
        fill = recorder.run(
            "fill_pad",
            "s_copycomplex64complex64",
            writes={"out": pad},
            threads=[count, 1, 1],
            size=[min(count, 1024), 1, 1],
        )
        copy = recorder.run(
            "copy_interior",
            "gg2_copycomplex64complex64",
            reads={"in": temp1},
            writes={"out": interior},
            after=[first, fill],
            threads=grid,
            size=block_of(*grid),
        )
    else:
        fill = recorder.clear("fill_pad", pad)
        part = pad.bytes(0, (batch - 1) * pitch + row)
        copy = recorder.move("copy_interior", temp1, part, rows=(batch, row, row, pitch), after=[first, fill])
    forth = _four_steps(recorder, "fft", (batch, long), (pad, pad1), [fill, copy])
    product = elementwise("multiply_w_q", "g2_Multiplycomplex64", (pad1, filter_), pad, [forth])
    back = _four_steps(recorder, "ifft", (batch, long), (pad, pad1), [product], inverse=True)
    if not inverse:
        out = graph.output("out", "c64", [batch, points], allocation=memory, begins=["multiply_w_k_again"])
        elementwise("multiply_w_k_again", "g2_Multiplycomplex64", (result, chirp), out, [back])
        return recorder.build()
    out = graph.output("out", "c64", [batch, points])
    temp2 = graph.temporary(
        "temp2",
        "c64",
        [batch, points],
        allocation=memory,
        begins=["multiply_w_k_again"],
        ends=["conjugate_out"],
    )
    temp3 = graph.temporary("temp3", "c64", [batch, points])
    scale = graph.input("inv_n", "c64", [1])
    again = elementwise("multiply_w_k_again", "g2_Multiplycomplex64", (result, chirp), temp2, [back])
    conjugate = elementwise("conjugate_out", "v_Conjugatecomplex64complex64", (temp2,), temp3, [again])
    elementwise("scale", "vs_Multiplycomplex64", (temp3, scale), out, [conjugate])
    return recorder.build()


def hadamard_sizes(size: int) -> tuple[int, int, int]:
    """Return the sizes of the three stages: the odd one, the strided and the contiguous power of two."""
    odd = next((m for m in (28, 20, 12) if size % m == 0 and (size // m).bit_count() == 1), 1)
    power = size // odd
    contiguous = power
    if power > 8192:
        contiguous = 2
        while contiguous * contiguous < power:
            contiguous *= 2
    return odd, power // contiguous, contiguous


def hadamard(size: int, rows: int = 1, style: Style = Style.EDGES) -> Document:
    """Transform rows in up to three stages, all but the first in place."""
    recorder = Recorder(f"hadamard.{rows}x{size}", style)
    x = recorder.graph.input("x", "f32", [rows, size])
    out = recorder.graph.output("out", "f32", [rows, size])
    odd, strided, contiguous = hadamard_sizes(size)
    total, power = rows * size, size // odd
    stages: list[tuple[str, list[int], int]] = []
    if strided > 1:
        lanes = strided // min(strided, 16)
        stages.append(("n1", [lanes, total // power, contiguous], lanes))
    lanes = contiguous // min(contiguous, 16)
    stages.append(("n2", [lanes, total // contiguous, 1], lanes))
    if odd > 1:
        width = 2 if odd == 28 else 4
        lanes = min(power // width, 256)
        stages.append(("m", [lanes, total // odd // width // lanes, 1], lanes))
    last: list[Node] = []
    for stage, threads, lanes in stages:
        node = recorder.run(
            stage,
            f"{stage}hadamard_{size}_float32",
            reads={"in": out if last else x},
            writes={"out": out},
            after=last,
            threads=threads,
            size=[lanes, 1, 1],
            in_place=[("in", "out")] if last else [],
        )
        last = [node]
    return recorder.build()
