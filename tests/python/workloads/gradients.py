"""The gradient of a layer norm, with inputs that give their memory away."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from interlock.author import typed

from .grids import round_up
from .recorder import Recorder, Style
from .reductions import Columns, sum_columns

if TYPE_CHECKING:
    from interlock.document import Document


class Donated(Enum):
    """Which inputs give their memory away."""

    NONE = "none"
    X = "x"
    G = "g"
    BOTH = "both"


def layer_norm_vjp(
    rows: int, axis: int, donated: Donated = Donated.NONE, style: Style = Style.EDGES
) -> Document:
    """Launch the gradients of input, weight and bias.

    The gradient of the input lies in `x` if that is given away, else in `g`. Rows of the gradient of the
    weight lie in `g` where it is given away and still free. Before `g` is overwritten, the gradient of the
    bias is summed from it.
    """
    assert axis <= 8192
    recorder = Recorder(f"layer_norm_vjp.{rows}x{axis}", style)
    graph = recorder.graph
    gives_x, gives_g = donated in (Donated.X, Donated.BOTH), donated in (Donated.G, Donated.BOTH)
    place = "x" if gives_x else "g" if gives_g else "gx"
    place_w = "g" if gives_x and gives_g else "gw_temp"
    own = {
        name: graph.allocation(f"{name}_memory", 4 * rows * axis, alignment=256)
        for name in sorted({"x", "g", place, place_w})
    }
    columns = Columns(rows, axis)
    x = graph.input(
        "x", "f32", [rows, axis], allocation=own["x"], consumed=gives_x, ends=["vjp"] if gives_x else []
    )
    g = graph.input(
        "g", "f32", [rows, axis], allocation=own["g"], consumed=gives_g, ends=["vjp"] if gives_g else []
    )
    w = graph.input("w", "f32", [axis])
    gx = graph.output("gx", "f32", [rows, axis], allocation=own[place], begins=["vjp"])
    gw_temp = graph.temporary(
        "gw_temp",
        "f32",
        [rows, axis],
        allocation=own[place_w],
        begins=["vjp"],
        ends=[f"weight_{columns.kind}"],
    )
    gw, gb = graph.output("gw", "f32", [axis]), graph.output("gb", "f32", [axis])
    summed = sum_columns(recorder, "bias", columns, g, gb)
    threads = round_up(-(-axis // 8), 32)
    in_place = [(place, "gx")] if place != "gx" else []
    in_place += [(place_w, "gw_temp")] if place_w != "gw_temp" else []
    vjp = recorder.run(
        "vjp",
        "vjp_layer_normfloat32",
        reads={"x": x, "w": w, "g": g},
        writes={"gx": gx, "gw_temp": gw_temp},
        after=summed[:1],
        threads=[rows * threads, 1, 1],
        size=[threads, 1, 1],
        in_place=in_place,
        specialization={20: True},
        inline={"eps": typed("f32", 1e-5), "axis_size": typed("u32", axis), "w_stride": typed("u32", 1)},
    )
    sum_columns(recorder, "weight", columns, gw_temp, gw, [vjp])
    return recorder.build()
