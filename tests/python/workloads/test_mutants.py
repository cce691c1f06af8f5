"""Every operation with something taken away is caught, with the right codes, nodes and bytes."""

from __future__ import annotations

import pytest

from execgraph.v1 import access_pb2
from interlock import verify
from interlock.document import Document
from interlock.report.model import Verdict

from .convolutions import Images, unfolded_conv, winograd_conv
from .gradients import Donated, layer_norm_vjp
from .judging import (
    ALIVE_AT_ONCE,
    INVISIBLE,
    OUTSIDE,
    RACE,
    assert_races,
    assert_sound,
    errors,
    pairs_of,
)
from .mutants import copy_of, with_dependency, without_barrier, without_dependency, without_statements
from .pairs import graph_of, reported_races
from .products import attention
from .recorder import Style
from .reductions import Columns, all_reduce
from .removal import complaint, removals
from .scans import masked_scatter, scatter
from .slices import concatenate_inner, concatenate_outer, dynamic_slice
from .sorting import sort
from .test_operations import OPERATIONS
from .transforms import bluestein_fft, fft, hadamard

IMAGES = Images(batch=5, height=30, width=29, channels=16, filters=32)

TWO_PASSES = {
    "all reduce in two passes": ("reduce_rows", "reduce_partials"),
    "long columns": ("reduce_longcolumn", "reduce_partials"),
    "columns in two passes": ("reduce_2pass", "reduce_partials"),
    "split-k product": ("gemm", "accumulate"),
    "split-k product and sum": ("gemm", "accumulate"),
    "quantized vector product": ("qvm", "sum_small"),
    "quantized vector product in 32 parts": ("qvm", "sum_looped"),
    "quantized product": ("qmm", "sum_small"),
    "attention": ("pass_1", "pass_2"),
    "fft in four steps": ("fft_step0", "fft_step1"),
    "hadamard in two stages": ("n1", "n2"),
    "scan of a copy": ("copy", "scan"),
}
"""Operations of two launches, of which the second reads what the first wrote."""


@pytest.mark.parametrize("name", TWO_PASSES)
def test_two_passes_without_the_barrier_race(name: str):
    whole = OPERATIONS[name](Style.BARRIERS)
    assert_races(without_barrier(whole, "barrier_1"), TWO_PASSES[name])


@pytest.mark.parametrize("style", [Style.EDGES, Style.STATEMENTS])
@pytest.mark.parametrize("name", TWO_PASSES)
def test_two_passes_without_the_dependency_race(name: str, style: Style):
    assert_races(without_dependency(OPERATIONS[name](style), *TWO_PASSES[name]), TWO_PASSES[name])


@pytest.mark.parametrize("style", [Style.BARRIERS, Style.STATEMENTS])
@pytest.mark.parametrize("name", TWO_PASSES)
def test_two_passes_that_are_only_ordered_do_not_see_each_other(name: str, style: Style):
    place = "barrier_1" if style is Style.BARRIERS else TWO_PASSES[name][1]
    report = verify(without_statements(OPERATIONS[name](style), place))
    assert errors(report) == {INVISIBLE}
    assert pairs_of(report, INVISIBLE) == {frozenset(TWO_PASSES[name])}


def test_the_race_of_partial_sums_is_on_all_of_them():
    report = assert_races(without_dependency(all_reduce(4097), "reduce_rows", "reduce_partials"))
    pair = frozenset({"reduce_rows", "reduce_partials"})
    assert reported_races(report) == {pair: {"intermediate": [(0, 512)]}}


# Sort.


def test_a_merge_that_skips_its_partitions_races_with_them():
    whole = sort(1 << 13)
    mutant = without_dependency(with_dependency(whole, "merge_0", "merge_1"), "partition_1", "merge_1")
    report = assert_races(mutant, ("partition_1", "merge_1"))
    assert set(reported_races(report)) == {frozenset({"partition_1", "merge_1"})}


def test_without_the_path_through_the_partitions_the_buffers_race():
    """Nothing else keeps a merge behind the one that wrote its input and reads what it overwrites."""
    whole = with_dependency(sort(1 << 13), "partition_0", "merge_1")
    report = assert_races(
        without_dependency(whole, "partition_1", "merge_1"),
        ("partition_1", "merge_1"),
        ("merge_0", "merge_1"),
    )
    places = reported_races(report)[frozenset({"merge_0", "merge_1"})]
    assert set(places) == {"vals_0", "vals_1", "idxs_0", "idxs_1"}


def test_a_merge_that_waits_for_nothing_races_with_all_before():
    report = assert_races(without_dependency(sort(1 << 14), "partition_1", "merge_1"))
    places = {place for found in reported_races(report).values() for place in found}
    assert places == {"partitions", "vals_0", "vals_1", "idxs_0", "idxs_1"}


@pytest.mark.parametrize(
    ("barrier", "pair"),
    [
        ("barrier_1", ("sort_blocks", "partition_0")),
        ("barrier_2", ("partition_0", "merge_0")),
        ("barrier_5", ("merge_1", "partition_2")),
        ("barrier_7", ("merge_2", "copy")),
    ],
)
def test_without_one_barrier_a_sort_races(barrier: str, pair: tuple[str, str]):
    assert_races(without_barrier(sort(1 << 14, 2, Style.BARRIERS), barrier), pair)


# Fourier transforms.


@pytest.mark.parametrize("kernels_only", [True, False])
@pytest.mark.parametrize("batch", [1, 3])
def test_the_interior_races_with_the_padding_on_the_interior_only(batch: int, kernels_only: bool):
    mutant = without_dependency(
        bluestein_fft(5000, batch, kernels_only=kernels_only), "fill_pad", "copy_interior"
    )
    report = assert_races(mutant, ("fill_pad", "copy_interior"))
    bytes_of = reported_races(report)
    assert set(bytes_of) == {frozenset({"fill_pad", "copy_interior"})}
    if batch == 1:
        assert bytes_of[frozenset({"fill_pad", "copy_interior"})] == {"pad_temp": [(0, 40_000)]}


def test_the_product_goes_back_into_a_buffer_that_is_still_read():
    mutant = without_dependency(bluestein_fft(5000, 2), "fft_step0", "fft_step1")
    assert_races(mutant, ("fft_step0", "fft_step1"), ("fft_step0", "multiply_w_q"), beside=[ALIVE_AT_ONCE])


def test_the_inverse_transform_overwrites_what_the_product_still_reads():
    mutant = without_dependency(bluestein_fft(5000, 2), "ifft_step0", "ifft_step1")
    assert_races(mutant, ("ifft_step0", "ifft_step1"), beside=[ALIVE_AT_ONCE])


def test_the_output_takes_over_memory_that_is_still_read():
    """The result lies where the first product was; only the way through both transforms keeps them apart."""
    whole = bluestein_fft(5000, 2)
    mutant = without_dependency(whole, "ifft_step1", "multiply_w_k_again")
    assert_races(mutant, ("copy_interior", "multiply_w_k_again"), beside=[ALIVE_AT_ONCE])


def test_the_last_stage_of_a_hadamard_transform_races_with_the_one_before():
    whole = with_dependency(hadamard(20 * 32768), "n1", "m")
    assert_races(without_dependency(whole, "n2", "m"), ("n2", "m"))


# Scatter.


def test_the_assignment_needs_the_copy_and_the_offsets():
    whole = masked_scatter(1000, 50)
    assert_races(without_dependency(whole, "copy", "assign"), ("copy", "assign"))
    assert_races(without_dependency(whole, "scan", "assign"), ("scan", "assign"))


def test_atomic_updates_race_with_the_copy_and_not_with_each_other():
    mutant = without_dependency(scatter(100, 64, (10, 20)), "copy", "scatter_1")
    assert set(reported_races(assert_races(mutant))) == {frozenset({"copy", "scatter_1"})}


def test_updates_that_are_not_atomic_race_with_each_other():
    message = copy_of(scatter(100, 64, (10, 20)))
    for node in message.body.nodes:
        for binding in node.operation.dispatch.bindings:
            if binding.access == access_pb2.ACCESS_MODE_ATOMIC:
                binding.access = access_pb2.ACCESS_MODE_READ_WRITE
    report = assert_races(Document.from_message(message))
    assert set(reported_races(report)) == {frozenset({"scatter_0", "scatter_1"})}


# Slices.


def test_the_memory_of_an_offset_is_reused_while_it_is_read():
    mutant = without_dependency(dynamic_slice(1000, 10, 32), "copy", "search")
    report = assert_races(mutant, ("copy", "search"), beside=[ALIVE_AT_ONCE])
    assert reported_races(report)[frozenset({"copy", "search"})] == {"offset_memory": [(0, 8)]}


def test_the_offset_is_read_before_it_is_computed():
    mutant = without_dependency(dynamic_slice(1000, 10, 32), "compute_offset", "copy")
    report = verify(mutant)
    assert frozenset({"compute_offset", "copy"}) in reported_races(report)
    assert errors(report) == {RACE, OUTSIDE}


def test_slices_of_rows_that_overlap_race_on_the_rows_they_share():
    report = assert_races(concatenate_outer([10, 20, 30], 64, overlap=1))
    assert reported_races(report) == {
        frozenset({"copy_0", "copy_1"}): {"out": [(2560, 2816)]},
        frozenset({"copy_1", "copy_2"}): {"out": [(7680, 7936)]},
    }


def test_slices_of_columns_that_overlap_race_on_the_columns_they_share():
    report = assert_races(concatenate_inner([10, 20], 5, overlap=1))
    column = [(120 * row + 40, 120 * row + 44) for row in range(5)]
    assert reported_races(report) == {frozenset({"copy_0", "copy_1"}): {"out": column}}


def test_slices_that_are_named_by_the_whole_buffer_race():
    """Such is the graph of whoever follows whole buffers; the bytes that it names do overlap."""
    report = assert_races(concatenate_outer([10, 20], 64, whole=True))
    assert set(reported_races(report)) == {frozenset({"copy_0", "copy_1"})}


def test_whole_buffers_that_are_asserted_to_be_written_apart_hold_under_assumption():
    message = copy_of(concatenate_outer([10, 20], 64, whole=True))
    assertion = message.disjointness_assertions.add(justification="each copy writes rows of its own")
    assertion.first.node, assertion.first.slot = "copy_0", "out"
    assertion.second.node, assertion.second.slot = "copy_1", "out"
    report = verify(Document.from_message(message))
    assert [(finding.code, finding.holds_under_assumption) for finding in report.diagnostics] == [
        (RACE, True)
    ]
    assert report.verdict is not Verdict.UNSOUND


# Donated memory.


@pytest.mark.parametrize("rows", [10, 100, 5000])
@pytest.mark.parametrize("donated", [Donated.G, Donated.BOTH])
def test_donated_memory_is_overwritten_while_the_gradient_of_the_bias_reads_it(donated: Donated, rows: int):
    kind = Columns(rows, 512).kind
    whole = layer_norm_vjp(rows, 512, donated)
    report = assert_races(
        without_dependency(whole, f"bias_{kind}", "vjp"), (f"bias_{kind}", "vjp"), beside=[OUTSIDE]
    )
    assert set(reported_races(report)) == {frozenset({f"bias_{kind}", "vjp"})}


@pytest.mark.parametrize("donated", [Donated.NONE, Donated.X])
def test_without_a_donation_of_it_the_gradient_needs_no_barrier(donated: Donated):
    assert_sound(without_dependency(layer_norm_vjp(100, 512, donated), "bias_looped", "vjp"))


def test_an_output_in_memory_that_was_not_given_away_is_refused():
    message = copy_of(layer_norm_vjp(100, 512, Donated.X))
    for resource in message.resources:
        if resource.id == "x":
            resource.consumed = False
            resource.ClearField("lifetime")
    report = verify(Document.from_message(message))
    assert errors(report) == {"role.read-only-written", ALIVE_AT_ONCE}


# Buffers that are used again and again.


def test_a_ring_that_does_not_wait_for_its_reader_races():
    whole = with_dependency(unfolded_conv(IMAGES, 1000), "unfold_1", "unfold_2")
    report = assert_races(without_dependency(whole, "gemm_1", "unfold_2"), ("gemm_1", "unfold_2"))
    tile = 4 * 1000 * 144
    assert reported_races(report)[frozenset({"gemm_1", "unfold_2"})] == {"in_unfolded": [(0, tile)]}


def test_a_ring_without_any_wait_races_on_the_whole_buffer():
    report = assert_races(without_dependency(unfolded_conv(IMAGES, 1000), "gemm_1", "unfold_2"))
    assert {place for places in reported_races(report).values() for place in places} == {"in_unfolded"}


def test_a_ring_that_does_not_wait_for_its_writer_races():
    whole = with_dependency(unfolded_conv(IMAGES, 1000), "gemm_3", "gemm_4")
    report = assert_races(without_dependency(whole, "unfold_4", "gemm_4"), ("unfold_4", "gemm_4"))
    assert reported_races(report) == {
        frozenset({"unfold_4", "gemm_4"}): {"in_unfolded": [(0, 4 * 350 * 144)]}
    }


def test_the_next_images_are_copied_over_what_is_still_transformed():
    whole = with_dependency(winograd_conv(IMAGES, 2), "copy_0", "copy_1")
    mutant = without_dependency(whole, "input_transform_0", "copy_1")
    assert set(reported_races(assert_races(mutant))) == {frozenset({"input_transform_0", "copy_1"})}


@pytest.mark.parametrize(
    "pair",
    [
        ("gemm_0", "input_transform_1"),
        ("output_transform_0", "gemm_1"),
        ("fill_padded", "copy_0"),
        ("weight_transform", "gemm_0"),
    ],
)
def test_scratch_buffers_of_a_convolution_are_reused_too_early(pair: tuple[str, str]):
    assert_races(without_dependency(winograd_conv(IMAGES, 2), *pair), pair)


def test_a_strided_copy_races_on_its_rows_only():
    mutant = without_dependency(winograd_conv(IMAGES, 2), "copy_0", "input_transform_0")
    assert_races(mutant, ("copy_0", "input_transform_0"))


@pytest.mark.parametrize("style", [Style.EDGES, Style.STATEMENTS])
@pytest.mark.parametrize("name", OPERATIONS)
def test_without_a_dependency_an_operation_races_exactly_where_nothing_else_orders_the_two(
    name: str, style: Style
):
    document = OPERATIONS[name](style)
    assert [text for one in removals(document) if (text := complaint(document, one))] == []


def test_helpers_keep_what_they_do_not_take_away():
    whole = attention((8, 8), 500)
    assert (
        with_dependency(without_dependency(whole, "pass_1", "pass_2"), "pass_1", "pass_2").digest
        == whole.digest
    )
    whole = fft(8192, 1, Style.BARRIERS)
    assert [node.id for node in graph_of(without_barrier(whole, "barrier_1")).body.nodes] == [
        "fft_step0",
        "fft_step1",
    ]
