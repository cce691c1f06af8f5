"""How many kernels the operations launch, and with which grids: counted by hand, from the sizes alone."""

from __future__ import annotations

import pytest

from .convolutions import Images, unfolded_conv, winograd_conv
from .gradients import Donated, layer_norm_vjp
from .grids import block_of
from .judging import Launches, launches
from .products import attention, quantized_product, quantized_split, quantized_vector_product, split_k_matmul
from .reductions import Columns, all_reduce, column_reduce
from .scans import masked_scatter, scan, scatter
from .slices import concatenate_inner, concatenate_outer, dynamic_slice
from .sorting import sort
from .transforms import bluestein_fft, bluestein_points, fft, four_step_sizes, hadamard

IMAGES = Images(batch=5, height=30, width=29, channels=16, filters=32)


def threads(*grid: int, size: tuple[int, ...]) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    return "threads", grid, size


def groups(*grid: int, size: tuple[int, ...]) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    return "groups", grid, size


@pytest.mark.parametrize(
    ("grid", "block"),
    [
        ((1,), (1, 1, 1)),
        ((1000,), (512, 1, 1)),
        ((5000,), (1024, 1, 1)),
        ((64, 64), (32, 32, 1)),
        ((10, 1000), (8, 128, 1)),
        ((464, 30, 2), (32, 16, 2)),
    ],
)
def test_a_workgroup_grows_in_turn_along_the_axes_that_it_fits(grid: tuple[int, ...], block: tuple[int, ...]):
    assert block_of(*grid) == block


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, {"reduce": threads(32, 1, 1, size=(32, 1, 1))}),
        (1000, {"reduce": threads(256, 1, 1, size=(256, 1, 1))}),
        (4096, {"reduce": threads(1024, 1, 1, size=(1024, 1, 1))}),
        (
            4097,
            {
                "reduce_rows": threads(32, 128, 1, size=(32, 1, 1)),
                "reduce_partials": threads(32, 1, 1, size=(32, 1, 1)),
            },
        ),
        (
            20_000_000,
            {
                "reduce_rows": threads(1024, 4096, 1, size=(1024, 1, 1)),
                "reduce_partials": threads(1024, 1, 1, size=(1024, 1, 1)),
            },
        ),
    ],
)
def test_all_reduce(count: int, expected: Launches):
    assert launches(all_reduce(count)) == expected


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (Columns(8, 1000, 3), {"reduce_small": groups(8, 3, 1, size=(32, 8, 1))}),
        (Columns(5, 6), {"reduce_small": groups(1, 1, 1, size=(2, 5, 1))}),
        (
            Columns(2000, 16, 2),
            {
                "reduce_longcolumn": groups(2, 1, 32, size=(16, 32, 1)),
                "reduce_partials": threads(256, 1, 1, size=(256, 1, 1)),
            },
        ),
        (
            Columns(40_000, 8),
            {
                "reduce_longcolumn": groups(1, 1, 128, size=(8, 32, 1)),
                "reduce_partials": threads(256, 1, 1, size=(256, 1, 1)),
            },
        ),
        (
            Columns(1000, 512, 4),
            {
                "reduce_2pass": threads(4096, 128, 1, size=(256, 1, 1)),
                "reduce_partials": threads(16384, 1, 1, size=(256, 1, 1)),
            },
        ),
        (Columns(100, 64, 2), {"reduce_looped": threads(512, 2, 1, size=(256, 1, 1))}),
        (Columns(1000, 40_000), {"reduce_looped": threads(320_000, 1, 1, size=(256, 1, 1))}),
    ],
)
def test_column_reduce(columns: Columns, expected: Launches):
    assert launches(column_reduce(columns)) == expected
    assert launches(column_reduce(columns, strided_input=True)).keys() == {"copy", *expected}


@pytest.mark.parametrize(
    ("size", "width"), [(1, 32), (1000, 256), (4096, 1024), (5000, 640), (100_000, 1024)]
)
def test_scan(size: int, width: int):
    assert launches(scan(3, size)) == {"scan": threads(width, 3, 1, size=(width, 1, 1))}


def test_masked_scatter():
    assert launches(masked_scatter(100_000, 50)) == {
        "copy": threads(50_000, 1, 1, size=(1024, 1, 1)),
        "scan": threads(1024, 1, 1, size=(1024, 1, 1)),
        "assign": threads(100_000, 1, 1, size=(1024, 1, 1)),
    }


def test_scatter():
    assert launches(scatter(1000, 64, (10, 20))) == {
        "copy": threads(64_000, 1, 1, size=(1024, 1, 1)),
        "scatter_0": threads(64, 10, 1, size=(64, 8, 1)),
        "scatter_1": threads(64, 20, 1, size=(64, 16, 1)),
    }


def test_a_short_row_is_sorted_in_one_launch():
    assert launches(sort(1000, 7)) == {"sort": groups(1, 7, 1, size=(256, 1, 1))}


@pytest.mark.parametrize(
    ("size", "element", "blocks", "expected"),
    [
        (2049, "float32", 2, 4),
        (5000, "int64", 5, 8),
        (100_000, "float16", 49, 14),
        (1 << 20, "float32", 512, 20),
        ((1 << 20) + 1, "float32", 513, 22),
    ],
)
def test_a_long_row_is_sorted_in_two_launches_and_two_for_each_doubling_of_the_blocks(
    size: int, element: str, blocks: int, expected: int
):
    found = launches(sort(size, 3, element=element))
    block = 256 if element == "int64" else 512
    merges = expected // 2 - 1
    assert len(found) == expected
    assert found["sort_blocks"] == groups(blocks, 3, 1, size=(block, 1, 1))
    for number in range(merges):
        assert found[f"partition_{number}"] == groups(1, 3, 1, size=(blocks + 1, 1, 1))
        assert found[f"merge_{number}"] == groups(blocks, 3, 1, size=(block, 1, 1))


@pytest.mark.parametrize(
    ("points", "batch", "expected"),
    [
        (1024, 3, {"fft": threads(3, 1, 128, size=(1, 1, 128))}),
        (16, 100, {"fft": threads(7, 16, 2, size=(1, 16, 2))}),
        (
            8192,
            2,
            {
                "fft_step0": threads(32, 4, 16, size=(1, 4, 16)),
                "fft_step1": threads(64, 4, 8, size=(1, 4, 8)),
            },
        ),
        (
            1 << 20,
            1,
            {
                "fft_step0": threads(256, 4, 128, size=(1, 4, 128)),
                "fft_step1": threads(256, 4, 128, size=(1, 4, 128)),
            },
        ),
        (
            1 << 22,
            1,
            {
                "fft_step0": threads(1024, 1, 512, size=(1, 1, 512)),
                "fft_step1": threads(1024, 4, 128, size=(1, 4, 128)),
            },
        ),
    ],
)
def test_fft_of_a_power_of_two(points: int, batch: int, expected: Launches):
    assert launches(fft(points, batch)) == expected


def test_the_steps_of_a_long_fft():
    assert four_step_sizes(8192) == (128, 64)
    assert four_step_sizes(65536) == (1024, 64)
    assert four_step_sizes(1 << 17) == (128, 1024)


@pytest.mark.parametrize(("points", "long"), [(5000, 16384), (8193, 32768), (100_000, 1 << 18)])
def test_bluestein_fft(points: int, long: int):
    assert bluestein_points(points) == long
    forward = launches(bluestein_fft(points, 2))
    assert len(forward) == 9
    assert forward["fill_pad"] == threads(2 * long, 1, 1, size=(1024, 1, 1))
    assert forward["copy_interior"] == threads(points, 2, 1, size=(512, 2, 1))
    assert forward["multiply_w_q"] == threads(long, 2, 1, size=(512, 2, 1))
    assert forward["fft_step0"] == forward["ifft_step0"]
    assert len(launches(bluestein_fft(points, 2, inverse=True))) == 12
    assert len(launches(bluestein_fft(points, 2, kernels_only=False))) == 7


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (4096, {"n2": threads(256, 2, 1, size=(256, 1, 1))}),
        (8, {"n2": threads(1, 2, 1, size=(1, 1, 1))}),
        (
            12 * 4096,
            {"n2": threads(256, 24, 1, size=(256, 1, 1)), "m": threads(256, 8, 1, size=(256, 1, 1))},
        ),
        (
            16384,
            {"n1": threads(8, 2, 128, size=(8, 1, 1)), "n2": threads(8, 256, 1, size=(8, 1, 1))},
        ),
        (
            20 * 32768,
            {
                "n1": threads(8, 40, 256, size=(8, 1, 1)),
                "n2": threads(16, 5120, 1, size=(16, 1, 1)),
                "m": threads(256, 64, 1, size=(256, 1, 1)),
            },
        ),
    ],
)
def test_hadamard(size: int, expected: Launches):
    assert launches(hadamard(size, 2)) == expected


@pytest.mark.parametrize(
    ("sizes", "gemm", "accumulate"),
    [
        ((64, 64, 4096), (2, 2, 32), ((64, 64, 1), (32, 32, 1))),
        ((30, 64, 4096), (2, 2, 32), ((64, 30, 1), (64, 16, 1))),
        ((128, 128, 1024), (4, 4, 4), ((128, 128, 1), (32, 32, 1))),
        ((256, 512, 512), (16, 8, 2), ((512, 256, 1), (32, 32, 1))),
    ],
)
def test_split_k_matmul(
    sizes: tuple[int, int, int], gemm: tuple[int, ...], accumulate: tuple[tuple[int, ...], tuple[int, ...]]
):
    expected = {"gemm": ("groups", gemm, (32, 2, 2)), "accumulate": ("threads", *accumulate)}
    assert launches(split_k_matmul(*sizes)) == launches(split_k_matmul(*sizes, add=True)) == expected


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        (
            (1, 4096, 4096),
            {"qvm": groups(1, 64, 8, size=(32, 2, 1)), "sum_small": groups(32, 1, 1, size=(32, 8, 1))},
        ),
        (
            (2, 4096, 16384),
            {"qvm": groups(2, 64, 32, size=(32, 2, 1)), "sum_looped": threads(65536, 1, 1, size=(256, 1, 1))},
        ),
    ],
)
def test_quantized_vector_product(sizes: tuple[int, int, int], expected: Launches):
    assert launches(quantized_vector_product(*sizes)) == expected


@pytest.mark.parametrize(
    ("sizes", "parts", "expected"),
    [
        (
            (16, 1024, 4096),
            16,
            {"qmm": groups(32, 1, 16, size=(32, 2, 2)), "sum_small": groups(128, 1, 1, size=(32, 8, 1))},
        ),
        (
            (16, 1024, 4160),
            13,
            {"qmm": groups(32, 1, 13, size=(32, 2, 2)), "sum_small": groups(128, 1, 1, size=(32, 8, 1))},
        ),
        (
            (8, 512, 4096),
            32,
            {"qmm": groups(16, 1, 32, size=(32, 2, 2)), "sum_looped": threads(32768, 1, 1, size=(256, 1, 1))},
        ),
        ((16, 16384, 4096), 1, {"qmm": groups(512, 1, 1, size=(32, 2, 2))}),
    ],
)
def test_quantized_product(sizes: tuple[int, int, int], parts: int, expected: Launches):
    assert quantized_split(*sizes, 64) == parts
    assert launches(quantized_product(*sizes)) == expected


@pytest.mark.parametrize(
    ("heads", "keys", "queries", "device", "expected"),
    [
        ((32, 4), 16384, 1, "d", {"pass_1": (4, 2, 512), "pass_2": (64, 1, 1)}),
        ((32, 4), 1 << 17, 1, "s", {"pass_1": (4, 2, 1024), "pass_2": (64, 1, 1)}),
        ((8, 8), 10_000, 1, "d", {"pass_1": (8, 2, 256), "pass_2": (16, 1, 1)}),
        ((8, 8), 500, 4, "s", {"pass_1": (8, 2, 64), "pass_2": (16, 4, 1)}),
        ((8, 8), 500, 1, "p", {"pass_1": (8, 2, 32), "pass_2": (16, 1, 1)}),
    ],
)
def test_attention(
    heads: tuple[int, int], keys: int, queries: int, device: str, expected: dict[str, tuple[int, ...]]
):
    found = launches(attention(heads, keys, batch=2, queries=queries, device=device))
    assert found == {
        "pass_1": groups(*expected["pass_1"], size=(32, heads[0] // heads[1], queries)),
        "pass_2": groups(*expected["pass_2"], size=(1024, 1, 1)),
    }


def test_unfolded_conv():
    found = launches(unfolded_conv(IMAGES, 1000))
    assert len(found) == 10
    for number, rows in enumerate((1000, 1000, 1000, 1000, 350)):
        assert found[f"unfold_{number}"] == threads(16, 9, rows, size=(16, 8, 1))
        assert found[f"gemm_{number}"] == groups(1, -(-rows // 64), 1, size=(32, 2, 2))
    assert len(launches(unfolded_conv(IMAGES, 10_000))) == 2


@pytest.mark.parametrize(("step", "count"), [(1, 22), (2, 14), (5, 6), (8, 6)])
def test_winograd_conv(step: int, count: int):
    found = launches(winograd_conv(IMAGES, step))
    some = min(step, 5)
    assert len(found) == count
    assert found["weight_transform"] == groups(8, 1, 1, size=(32, 4, 1))
    assert found["fill_padded"] == threads(step * 32 * 32 * 16, 1, 1, size=(1024, 1, 1))
    assert found["copy_0"][:2] == ("threads", (29 * 16, 30, some))
    assert found["input_transform_0"] == groups(5, 5, some, size=(32, 2, 2))
    assert found["gemm_0"] == groups(1, -(-25 * some // 64), 64, size=(32, 2, 2))
    assert found["output_transform_0"] == groups(5, 5, some, size=(32, 2, 2))


def test_dynamic_slice():
    found = launches(dynamic_slice(1000, 10, 32))
    assert found["compute_offset"] == threads(1, 1, 1, size=(1, 1, 1))
    assert found["copy"] == threads(320, 1, 1, size=(256, 1, 1))


def test_concatenate():
    assert launches(concatenate_outer([10, 20], 64)) == {
        "copy_0": threads(640, 1, 1, size=(512, 1, 1)),
        "copy_1": threads(1280, 1, 1, size=(1024, 1, 1)),
    }
    assert launches(concatenate_inner([10, 20], 64)) == {
        "copy_0": threads(10, 64, 1, size=(8, 64, 1)),
        "copy_1": threads(20, 64, 1, size=(16, 64, 1)),
    }


@pytest.mark.parametrize("donated", Donated)
@pytest.mark.parametrize(
    ("rows", "axis", "count"), [(10, 512, 3), (100, 512, 3), (5000, 512, 5), (2000, 16, 5)]
)
def test_layer_norm_vjp(rows: int, axis: int, count: int, donated: Donated):
    found = launches(layer_norm_vjp(rows, axis, donated))
    width = 64 if axis == 512 else 32
    assert len(found) == count
    assert found["vjp"] == threads(rows * width, 1, 1, size=(width, 1, 1))
