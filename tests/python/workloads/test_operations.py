"""Every operation is sound as it is, however it says order and visibility."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .convolutions import Images, unfolded_conv, winograd_conv
from .gradients import Donated, layer_norm_vjp
from .judging import assert_sound
from .pairs import races
from .products import attention, quantized_product, quantized_vector_product, split_k_matmul
from .recorder import Style
from .reductions import Columns, all_reduce, column_reduce
from .scans import masked_scatter, scan, scan_in_place, scan_of_a_copy, scatter
from .slices import concatenate_inner, concatenate_outer, dynamic_slice
from .sorting import sort
from .transforms import bluestein_fft, fft, hadamard

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlock.document import Document

IMAGES = Images(batch=5, height=30, width=29, channels=16, filters=32)

OPERATIONS: dict[str, Callable[[Style], Document]] = {
    "all reduce of one": lambda s: all_reduce(1, s),
    "all reduce in one pass": lambda s: all_reduce(4096, s),
    "all reduce in two passes": lambda s: all_reduce(4097, s),
    "all reduce of many": lambda s: all_reduce(20_000_000, s),
    "small columns": lambda s: column_reduce(Columns(8, 1000, 3), s),
    "long columns": lambda s: column_reduce(Columns(40_000, 8, 2), s),
    "columns in two passes": lambda s: column_reduce(Columns(1000, 512, 4), s),
    "columns of an input with gaps": lambda s: column_reduce(Columns(1000, 512, 2), s, strided_input=True),
    "looped columns": lambda s: column_reduce(Columns(100, 64, 2), s),
    "scan": lambda s: scan(3, 5000, s),
    "scan in place": lambda s: scan_in_place(3, 5000, s),
    "scan of a copy": lambda s: scan_of_a_copy(3, 500, s),
    "masked scatter": lambda s: masked_scatter(100_000, 50, s),
    "scatter": lambda s: scatter(1000, 64, (10, 20, 30), s),
    "sort of one block": lambda s: sort(1000, 7, s),
    "sort of two blocks": lambda s: sort(2049, 1, s),
    "sort of many blocks": lambda s: sort(1 << 20, 1, s),
    "argsort of wide elements": lambda s: sort(5000, 3, s, element="int64", indices=True),
    "fft in one launch": lambda s: fft(1024, 3, s),
    "fft in four steps": lambda s: fft(8192, 2, s),
    "fft of many points": lambda s: fft(1 << 20, 1, s),
    "bluestein fft": lambda s: bluestein_fft(5000, 3, s),
    "bluestein fft of one row": lambda s: bluestein_fft(100_003, 1, s),
    "inverse bluestein fft": lambda s: bluestein_fft(5000, 3, s, inverse=True),
    "bluestein fft with fill and copy": lambda s: bluestein_fft(5000, 3, s, kernels_only=False),
    "hadamard in one stage": lambda s: hadamard(4096, 2, s),
    "hadamard in two stages": lambda s: hadamard(16384, 2, s),
    "hadamard in three stages": lambda s: hadamard(20 * 32768, 2, s),
    "split-k product": lambda s: split_k_matmul(64, 64, 4096, s),
    "split-k product and sum": lambda s: split_k_matmul(30, 64, 4096, s, add=True),
    "quantized vector product": lambda s: quantized_vector_product(1, 4096, 4096, s),
    "quantized vector product in 32 parts": lambda s: quantized_vector_product(2, 4096, 16384, s),
    "quantized product": lambda s: quantized_product(16, 1024, 4096, s),
    "quantized product in one part": lambda s: quantized_product(16, 16384, 4096, s),
    "attention": lambda s: attention((32, 4), 16384, s),
    "attention of some queries": lambda s: attention((8, 8), 500, s, batch=2, queries=4),
    "unfolded convolution": lambda s: unfolded_conv(IMAGES, 1000, s),
    "unfolded convolution in one round": lambda s: unfolded_conv(IMAGES, 10_000, s),
    "winograd convolution": lambda s: winograd_conv(IMAGES, 2, s),
    "winograd convolution in one round": lambda s: winograd_conv(IMAGES, 8, s),
    "dynamic slice": lambda s: dynamic_slice(1000, 10, 32, s),
    "concatenate rows": lambda s: concatenate_outer([10, 20, 30], 64, s),
    "concatenate columns": lambda s: concatenate_inner([10, 20, 30], 64, s),
    "concatenate many columns": lambda s: concatenate_inner(list(range(1, 40)), 2000, s),
    **{
        f"layer norm vjp of {rows} rows, {donated.value} donated": (
            lambda s, rows=rows, donated=donated: layer_norm_vjp(rows, 512, donated, s)
        )
        for rows in (10, 100, 5000)
        for donated in Donated
    },
}


@pytest.mark.parametrize("style", Style)
@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_is_sound(name: str, style: Style):
    document = OPERATIONS[name](style)
    assert_sound(document)
    assert races(document) == {}
