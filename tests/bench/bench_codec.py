"""Speed of the codec on a graph of 100,000 dispatches, against the protobuf library in the same process.

Times are processor seconds, of this process and of the C++ tool, because other programs take their share
of wall-clock time. ``run`` returns what it measured; ``python tests/bench/bench_codec.py`` prints it.
"""

from __future__ import annotations

import os
import resource
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from google.protobuf import json_format

from execgraph.v1 import access_pb2, graph_pb2, resource_pb2, type_pb2
from interlock.codec import Encoding, decode, encode, encode_json

if TYPE_CHECKING:
    from collections.abc import Callable

DISPATCHES = 100_000
CPP_TOOL = os.environ.get("INTERLOCK_CPP", "build/release/bin/interlock-cpp")


class Measurement(NamedTuple):
    """Seconds of ours and of the peer, their ratio, the ratio that is wanted, and whether it is reached."""

    name: str
    ours: float
    peer: float
    ratio: float
    target: str
    ok: bool


def build_graph(dispatches: int = DISPATCHES) -> graph_pb2.ExecutionGraph:
    """Return a chain of layers as a translator writes them: four kernels a layer, three bindings a kernel."""
    graph = graph_pb2.ExecutionGraph(id="bench", visibility_model=graph_pb2.VISIBILITY_MODEL_EDGES_CARRY_ALL)
    graph.header.producer.name = "bench"
    graph.header.producer.version = "1.0"
    graph.maximum_node_executions = dispatches
    graph.parameters.add(id="batch", type=type_pb2.ELEMENT_TYPE_U32, minimum=1, maximum=64)
    for name in ("matmul", "reduce", "scale", "softmax"):
        graph.artifacts.add(id=name).pins.add(target="vulkan", digest="sha256:" + "0" * 64, size=4096)
    graph.resources.add(id="input", role=resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT)
    for index in range(dispatches):
        _add_resource(graph, index)
        _add_node(graph, index)
    graph.resources.add(id="weights", role=resource_pb2.RESOURCE_ROLE_CONSTANT)
    return graph


def _add_resource(graph: graph_pb2.ExecutionGraph, index: int) -> None:
    if index % 2:
        return
    resource = graph.resources.add(
        id=f"t{index:06}", role=resource_pb2.RESOURCE_ROLE_TEMPORARY, alignment=256
    )
    resource.type.element = type_pb2.ELEMENT_TYPE_F16
    for size in (128, 1024):
        resource.shape.add(constant=size)
    resource.size.constant = 262_144
    span = resource.lifetime.spans.add()
    span.begins.append(f"n{index:06}")
    span.ends.append(f"n{index + 2:06}")


def _add_node(graph: graph_pb2.ExecutionGraph, index: int) -> None:
    node = graph.body.nodes.add(id=f"n{index:06}")
    node.depends_on.extend(f"n{earlier:06}" for earlier in (index - 4, index - 1) if earlier >= 0)
    dispatch = node.operation.dispatch
    dispatch.artifact = ("matmul", "reduce", "scale", "softmax")[index % 4]
    dispatch.entry = "main"
    left = dispatch.bindings.add(slot="left", access=access_pb2.ACCESS_MODE_READ)
    left.target.resource = f"t{(index - 2) // 2 * 2:06}" if index > 1 else "input"
    out = dispatch.bindings.add(
        slot="out", access=access_pb2.ACCESS_MODE_WRITE, coverage=access_pb2.COVERAGE_FULL
    )
    out.target.resource = f"t{index // 2 * 2:06}"
    right = dispatch.bindings.add(slot="right", access=access_pb2.ACCESS_MODE_READ)
    right.target.byte_range.resource = "weights"
    right.target.byte_range.offset.constant = 256 + index * 4096
    right.target.byte_range.size.constant = 4096
    right.coordinate.index = 2
    constant = dispatch.inline_constants.add(slot="count")
    constant.value.literal.element = type_pb2.ELEMENT_TYPE_U32
    constant.value.literal.bits = (index * 7).to_bytes(4, "little")
    geometry = dispatch.geometry
    count = geometry.workgroup_count.extents.counts.add(constant=4)
    count.terms.add(parameter="batch", coefficient=2)
    geometry.workgroup_count.extents.counts.add(constant=8)
    geometry.workgroup_size.extend((16, 16))


def best(function: Callable[[], object], rounds: int) -> float:
    """Return the least processor time that a call takes, its child processes included, in seconds."""
    times = []
    for _ in range(rounds):
        start = _processor_time()
        function()
        times.append(_processor_time() - start)
    return min(times)


def _processor_time() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def run(dispatches: int = DISPATCHES) -> list[tuple[str, float, float, float, str, bool]]:
    """Measure everything; each row is (name, ours, peer, ratio, target, reached), times in seconds."""
    graph = build_graph(dispatches)
    binary = encode(graph)
    message = graph_pb2.ExecutionGraph.FromString(binary)
    text = encode_json(message)
    plain = _write_and_read(message)
    peer_encode = best(lambda: json_format.MessageToJson(message, indent=None), 1)
    peer_decode = best(lambda: json_format.Parse(text, graph_pb2.ExecutionGraph()), 1)
    rows = [
        _at_least("JSON encode", best(lambda: encode_json(message), 3), peer_encode, 4),
        _at_least("JSON decode", best(lambda: decode(text, encoding=Encoding.JSON), 3), peer_decode, 5),
        _at_most("binary encode with proof", best(lambda: encode(message), 3), plain, 4),
        _at_most(
            "binary encode with proof, as authored", best(lambda: encode(graph), 3), _write_and_read(graph), 4
        ),
        _at_most("binary decode", best(lambda: decode(binary), 3), plain, 4),
    ]
    tool = Path(CPP_TOOL)
    if tool.exists():
        cpp = best(lambda: _convert(tool, binary, text), 3)
        rows.append(_at_least("C++ tool, binary to JSON", cpp, peer_encode, 10))
    return [tuple(row) for row in rows]


def _write_and_read(message: graph_pb2.ExecutionGraph) -> float:
    """Measure the protobuf library alone."""
    return best(lambda: graph_pb2.ExecutionGraph.FromString(message.SerializeToString()), 3)


def _at_least(name: str, ours: float, peer: float, factor: float) -> Measurement:
    return Measurement(name, ours, peer, peer / ours, f">= {factor}", peer / ours >= factor)


def _at_most(name: str, ours: float, peer: float, factor: float) -> Measurement:
    return Measurement(name, ours, peer, ours / peer, f"<= {factor}", ours / peer <= factor)


def _convert(tool: Path, binary: bytes, expected: bytes) -> None:
    """Convert with the C++ tool, as a whole process."""
    output = subprocess.run(
        [tool, "convert", "-", "--to", "json"], input=binary, stdout=subprocess.PIPE, check=True
    )
    if output.stdout != expected:
        raise AssertionError("the C++ tool writes other bytes")


def main() -> None:
    """Print a table."""
    for name, ours, peer, ratio, target, reached in run():
        verdict = "ok" if reached else "MISSED"
        print(f"{name:45} {ours:7.3f} s  peer {peer:7.3f} s  ratio {ratio:5.2f}  wanted {target:6} {verdict}")


if __name__ == "__main__":
    main()
