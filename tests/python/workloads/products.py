"""Matrix products in parts: split along what is summed, plain or quantized, and attention in two passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.author import typed

from .grids import block_of, ceil_div, power_of_two_up
from .recorder import Recorder, Style
from .reductions import Columns, sum_columns

if TYPE_CHECKING:
    from interlock.author import Typed
    from interlock.document import Document


def split_parts(m: int, n: int, k: int) -> int:
    """Return into how many parts a product is split."""
    tiles = ceil_div(m, 32) * ceil_div(n, 32)
    return min(max(power_of_two_up((k // 16) // tiles), 2), 32)


def split_k_matmul(m: int, n: int, k: int, style: Style = Style.EDGES, *, add: bool = False) -> Document:
    """Multiply in two launches: partial products, and their sum, perhaps with a third matrix."""
    assert ceil_div(m, 16) * ceil_div(n, 16) <= 1024
    assert k // 16 >= 8
    assert k >= max(m, n)
    recorder = Recorder(f"split_k_matmul.{m}x{n}x{k}", style)
    graph = recorder.graph
    parts = split_parts(m, n, k)
    a, b = graph.input("a", "f16", [m, k]), graph.input("b", "f16", [k, n])
    split = graph.temporary("c_split", "f32", [parts, m, n])
    out = graph.output("out", "f16", [m, n])
    rows, columns = (16 if size < 40 else 32 for size in (m, n))
    first = recorder.run(
        "gemm",
        f"steel_gemm_splitk_nn_float16_float32_bm{rows}_bn{columns}_bk16_wm2_wn2",
        reads={"A": a, "B": b},
        writes={"C": split},
        groups=[ceil_div(n, columns), ceil_div(m, rows), parts],
        size=[32, 2, 2],
        inline={"split_k_partitions": typed("i32", parts), "split_k_partition_stride": typed("i32", m * n)},
    )
    reads = {"C_split": split}
    if add:
        reads["C"] = graph.input("c", "f16", [m, n])
    recorder.run(
        "accumulate",
        "steel_gemm_splitk_accum_float16_float32" + ("_axbpy" if add else ""),
        reads=reads,
        writes={"D": out},
        after=[first],
        threads=[n, m, 1],
        size=block_of(n, m),
    )
    return recorder.build()


def quantized_vector_product(
    m: int, n: int, k: int, style: Style = Style.EDGES, *, group: int = 64
) -> Document:
    """Multiply few rows with 4-bit weights, split along ``k``, and sum the parts."""
    assert m < 4
    assert k >= 1024
    recorder = Recorder(f"qvm_split_k.{m}x{n}x{k}", style)
    graph = recorder.graph
    parts = 32 if k > 8192 else 8
    partial = graph.temporary("intermediate", "f16", [parts, m, n])
    out = graph.output("out", "f16", [m, n])
    first = recorder.run(
        "qvm",
        f"affine_qvm_split_k_float16_t_gs_{group}_b_4_spk_{parts}",
        reads={
            "w": graph.input("w", "u32", [k, n // 8]),
            "scales": graph.input("scales", "f16", [k, n // group]),
            "biases": graph.input("biases", "f16", [k, n // group]),
            "x": graph.input("x", "f16", [m, k]),
        },
        writes={"y": partial},
        groups=[m, ceil_div(n, 2 * min(group, 32)), parts],
        size=[32, 2, 1],
    )
    sum_columns(recorder, "sum", Columns(parts, m * n, element="float16"), partial, out, [first])
    return recorder.build()


def quantized_split(m: int, n: int, k: int, group: int) -> int:
    """Return into how many parts a quantized product is split; 1: not at all."""
    align = max(group, 32)
    parts = min(max(1, 512 // (ceil_div(n, 32) * ceil_div(m, 32))), k // align)
    while parts > 1 and k % (parts * align):
        parts -= 1
    return max(parts, 1)


def quantized_product(m: int, n: int, k: int, style: Style = Style.EDGES, *, group: int = 64) -> Document:
    """Multiply with transposed 4-bit weights: plain, or split along ``k`` and summed."""
    recorder = Recorder(f"qmm_splitk.{m}x{n}x{k}", style)
    graph = recorder.graph
    parts = quantized_split(m, n, k, group)
    reads = {
        "w": graph.input("w", "u32", [n, k // 8]),
        "scales": graph.input("scales", "f16", [n, k // group]),
        "biases": graph.input("biases", "f16", [n, k // group]),
        "x": graph.input("x", "f16", [m, k]),
    }
    out = graph.output("out", "f16", [m, n])
    tiles = [ceil_div(n, 32), ceil_div(m, 32)]
    aligned = "alN_true" if n % 32 == 0 else "alN_false"
    label = f"float16_t_gs_{group}_b_4_{aligned}"
    if parts == 1:
        recorder.run(
            "qmm",
            f"affine_qmm_t_{label}_batch_0",
            reads=reads,
            writes={"y": out},
            groups=[*tiles, 1],
            size=[32, 2, 2],
        )
        return recorder.build()
    partial = graph.temporary("intermediate", "f16", [parts, m, n])
    first = recorder.run(
        "qmm",
        f"affine_qmm_t_splitk_{label}",
        reads=reads,
        writes={"y": partial},
        groups=[*tiles, parts],
        size=[32, 2, 2],
        inline={
            "k_partition_size": typed("i32", k // parts),
            "split_k_partition_stride": typed("i32", m * n),
        },
    )
    sum_columns(recorder, "sum", Columns(parts, m * n, element="float16"), partial, out, [first])
    return recorder.build()


def attention_blocks(keys: int, per_head: int, device: str) -> int:
    """Return into how many blocks the keys are split, by the class of device: `s`, `d` or another."""
    if device == "s":
        if keys <= 1024 or per_head <= 4:
            return 64
        return next((b for most, b in ((8192, 128), (32768, 256), (65536, 512)) if keys <= most), 1024)
    if device == "d":
        if per_head <= 2 and keys > 8192:
            return 256
        if per_head >= 6 and keys >= 16384:
            return 512 if keys < 65536 else 1024
        return 128
    return 64 if per_head >= 4 else 32


def attention(
    heads: tuple[int, int],
    keys: int,
    style: Style = Style.EDGES,
    *,
    batch: int = 1,
    queries: int = 1,
    width: int = 128,
    device: str = "d",
) -> Document:
    """Attend with few queries to many keys: blocks of keys in parallel, and their partial results together.

    ``heads`` are those of queries and of keys.
    """
    recorder = Recorder(f"attention.{heads[0]}x{keys}", style)
    graph = recorder.graph
    query_heads, key_heads = heads
    shared = query_heads // key_heads
    blocks = attention_blocks(keys, shared * queries, device)
    long = queries == 1 and shared == 8 and width in (64, 128) and keys >= 8192
    q = graph.input("q", "f16", [batch, query_heads, queries, width])
    k, v = (graph.input(name, "f16", [batch, key_heads, keys, width]) for name in "kv")
    out = graph.output("out", "f16", [batch, query_heads, queries, width])
    partial = graph.temporary("partial", "f16", [batch, query_heads, queries, blocks, width])
    sums, maxs = (
        graph.temporary(name, "f32", [batch, query_heads, queries, blocks]) for name in ("sums", "maxs")
    )
    flags = ("has_mask", "query_transposed", "do_causal", "bool_mask", "float_mask", "has_sinks")
    constants: dict[str | int, Typed | bool] = {**dict.fromkeys(flags, False), "blocks": typed("i32", blocks)}
    first = recorder.run(
        "pass_1",
        f"sdpa_vector_2pass_1{'_gqa' if long else ''}_float16_{width}_{width}",
        reads={"queries": q, "keys": k, "values": v},
        writes={"out": partial, "sums": sums, "maxs": maxs},
        groups=[key_heads, batch, blocks],
        size=[32, shared, queries],
        specialization=constants,
        inline={"scale": typed("f32", width**-0.5), "N": typed("i32", keys)},
    )
    recorder.run(
        "pass_2",
        f"sdpa_vector_2pass_2_float16_{width}",
        reads={"partials": partial, "sums": sums, "maxs": maxs},
        writes={"out": out},
        after=[first],
        groups=[batch * query_heads, queries, 1],
        size=[1024, 1, 1],
        inline={"blocks": typed("i32", blocks)},
    )
    return recorder.build()
