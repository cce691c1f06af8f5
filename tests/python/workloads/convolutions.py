"""Convolutions that work through buffers they use again and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from interlock.author import typed

from .grids import block_of, ceil_div
from .recorder import Recorder, Style

if TYPE_CHECKING:
    from interlock.author import Node
    from interlock.document import Document


@dataclass(frozen=True, slots=True)
class Images:
    """A 2-D convolution with stride 1, of images that are padded on each side."""

    batch: int
    height: int
    width: int
    channels: int
    filters: int
    taps: int = 3
    padding: int = 1

    @property
    def out_height(self) -> int:
        return self.height + 2 * self.padding - self.taps + 1

    @property
    def out_width(self) -> int:
        return self.width + 2 * self.padding - self.taps + 1


def unfolded_conv(images: Images, most_rows: int, style: Style = Style.EDGES) -> Document:
    """Convolve by unfolding at most ``most_rows`` rows at a time into one buffer, and multiplying them."""
    recorder = Recorder("unfolded_conv", style)
    graph = recorder.graph
    rows = images.batch * images.out_height * images.out_width
    depth = images.taps * images.taps * images.channels
    step = min(most_rows, rows)
    x = graph.input("x", "f32", [images.batch, images.height, images.width, images.channels])
    weights = graph.input("w", "f32", [images.filters, depth])
    out = graph.output("out", "f32", [rows, images.filters])
    unfolded = graph.temporary("in_unfolded", "f32", [step, depth])
    across = 32 * ceil_div(min(images.channels, 64), 32)
    size = [min(across, images.channels), min(256 // across, depth // images.channels), 1]
    last: list[Node] = []
    for number, start in enumerate(range(0, rows, step)):
        count = min(step, rows - start)
        tile = unfolded if count == step else graph.view("in_tile", unfolded, [count, depth])
        target = out.bytes(4 * start * images.filters, 4 * count * images.filters)
        unfold = recorder.run(
            f"unfold_{number}",
            "naive_unfold_nd_float32_2",
            reads={"in": x},
            writes={"out": tile},
            after=last,
            threads=[images.channels, depth // images.channels, count],
            size=size,
            inline={"filter_offset": typed("i32", start)},
        )
        gemm = recorder.run(
            f"gemm_{number}",
            "steel_gemm_fused_nt_float32_float32_bm64_bn64_bk16_wm2_wn2",
            reads={"A": tile, "B": weights},
            writes={"D": target},
            after=[unfold],
            groups=[ceil_div(images.filters, 64), ceil_div(count, 64), 1],
            size=[32, 2, 2],
        )
        last = [gemm]
    return recorder.build()


def winograd_conv(images: Images, step: int, style: Style = Style.EDGES) -> Document:
    """Convolve ``step`` images at a time by transforms of 8 by 8 tiles, always through the same buffers."""
    recorder = Recorder("winograd_conv", style)
    graph = recorder.graph
    channels, filters = images.channels, images.filters
    down, across = ceil_div(images.out_height, 6), ceil_div(images.out_width, 6)
    height, width = 6 * down + 2, 6 * across + 2
    x = graph.input("x", "f32", [images.batch, images.height, images.width, channels])
    weights = graph.input("w", "f32", [filters, 3, 3, channels])
    out = graph.output("out", "f32", [images.batch, images.out_height, images.out_width, filters])
    transformed = graph.temporary("filt_wg", "f32", [64, channels, filters])
    padded = graph.temporary("in_padded", "f32", [step, height, width, channels])
    tiles_in = graph.temporary("inp_wg", "f32", [64, step * down * across, channels])
    tiles_out = graph.temporary("out_wg", "f32", [64, step * down * across, filters])
    transform = recorder.run(
        "weight_transform",
        "winograd_conv_2d_weight_transform_float32_bc32",
        reads={"wt_in": weights},
        writes={"wt_out": transformed},
        groups=[filters // 4, 1, 1],
        size=[32, 4, 1],
    )
    count = step * height * width * channels
    filled = recorder.run(
        "fill_padded",
        "s_copyfloat32float32",
        writes={"out": padded},
        threads=[count, 1, 1],
        size=[min(count, 1024), 1, 1],
    )
    pitch = 4 * width * channels
    image, image_out = (
        images.height * images.width * channels * 4,
        images.out_height * images.out_width * filters * 4,
    )
    copied: Node = filled
    multiplied, finished = transform, None
    for number, start in enumerate(range(0, images.batch, step)):
        some = min(step, images.batch - start)
        tiles = some * down * across
        interior = graph.view(
            f"interior_{number}",
            padded,
            [some, images.height, images.width * channels],
            offset=images.padding * pitch + images.padding * 4 * channels,
            byte_strides=[height * pitch, pitch, 4],
        )
        source, target = x.bytes(start * image, some * image), out.bytes(start * image_out, some * image_out)
        part_in = tiles_in.bytes(0, 4 * 64 * tiles * channels)
        part_out = tiles_out.bytes(0, 4 * 64 * tiles * filters)
        grid = [images.width * channels, images.height, some]
        copied = recorder.run(
            f"copy_{number}",
            "gg3_copyfloat32float32",
            reads={"in": source},
            writes={"out": interior},
            after=[copied],
            threads=grid,
            size=block_of(*grid),
        )
        copied = recorder.run(
            f"input_transform_{number}",
            "winograd_conv_2d_input_transform_float32_bc32",
            reads={"inp_in": padded.bytes(0, some * height * pitch)},
            writes={"inp_out": part_in},
            after=[copied, *([multiplied] if number else [filled])],
            groups=[across, down, some],
            size=[32, 2, 2],
        )
        multiplied = recorder.run(
            f"gemm_{number}",
            "steel_gemm_fused_nn_float32_float32_bm64_bn64_bk16_wm2_wn2",
            reads={"A": part_in, "B": transformed},
            writes={"D": part_out},
            after=[copied, *([transform] if finished is None else [finished])],
            groups=[ceil_div(filters, 64), ceil_div(tiles, 64), 64],
            size=[32, 2, 2],
        )
        finished = recorder.run(
            f"output_transform_{number}",
            "winograd_conv_2d_output_transform_float32_bo32",
            reads={"out_in": part_out},
            writes={"out_out": target},
            after=[multiplied],
            groups=[across, down, some],
            size=[32, 2, 2],
        )
    return recorder.build()
