"""Kernels as packages of sources, and the graphs that run them, for tests of target compilers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import interlock
from execgraph.v1 import blob_pb2, package_pb2
from interlock.author import full
from interlock.author.builder import GraphBuilder
from interlock.document import Document
from interlock.target.blobs import BlobStore, digest_of
from interlock.target.compiler import Kernels

if TYPE_CHECKING:
    from collections.abc import Mapping

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "reduction"
KERNELS = {name: (EXAMPLE / f"{name}.comp").read_bytes() for name in ("slice_totals", "grand_total")}

SCALE = b"""\
#version 450
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) readonly buffer Src { float src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Dst { float dst[]; };
void main() { dst[gl_GlobalInvocationID.x] = 2.0 * src[gl_GlobalInvocationID.x]; }
"""
ADD = b"""\
#version 450
layout(local_size_x = 32) in;
layout(std430, set = 0, binding = 3) readonly buffer Left { float left[]; };
layout(std430, set = 0, binding = 1) readonly buffer Right { float right[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Sum { float sum[]; };
void main() {
  uint at = gl_GlobalInvocationID.x;
  sum[at] = left[at] + right[at];
}
"""


def reduction() -> Document:
    """Return the graph of the example in the documentation: two dispatches, one with a constant."""
    return interlock.load(EXAMPLE / "graph.txtpb")


def sources(
    kernels: Mapping[str, bytes], *, target: str = "opengl", content: str = "glsl", **changes: object
) -> Kernels:
    """Return a package with the source of each kernel."""
    message = package_pb2.Package(id="kernels")
    for name, data in sorted(kernels.items()):
        variant = message.artifacts.add(id=name).variants.add(
            target=target,
            content_type=blob_pb2.ContentType(identity=content, version=1),
            blob=blob_pb2.BlobReference(digest=digest_of(data), size=len(data)),
        )
        entry = changes.get("entry")
        if entry is not None:
            variant.entries.add(entry="main", target_entry=entry)
    return Kernels(Document.from_message(message), BlobStore(kernels.values()))


def one_kernel(**changes: object) -> Document:
    """Return the graph of one dispatch of `scale`: reads `src`, overwrites `dst`."""
    graph = GraphBuilder("one")
    src = graph.input("x", "f32", [changes.get("elements", 1024)])
    dst = graph.output("y", "f32", [1024])
    values: dict[str, Any] = {
        "artifact": graph.artifact("scale"),
        "entry": changes.get("entry", "main"),
        "reads": {changes.get("slot", "src"): src},
        "writes": {"dst": full(dst)},
        "groups": [16],
        "workgroup_size": changes.get("workgroup_size", [64]),
    }
    graph.dispatch("scaling", **values)
    return graph.build()


def three_stages() -> Document:
    """Return a graph of four dispatches in three stages, in which order by id and by stage differ.

    `z-left` and `y-right` scale, `m-sum` adds both, and `a-last` scales the sum.
    """
    graph = GraphBuilder("stages")
    x = graph.input("x", "f32", [1024])
    left = graph.temporary("left", "f32", [1024], begins=["z-left"], ends=["m-sum"])
    right = graph.temporary("right", "f32", [1024], begins=["y-right"], ends=["m-sum"])
    total = graph.temporary("total", "f32", [1024], begins=["m-sum"], ends=["a-last"])
    y = graph.output("y", "f32", [1024])
    scale, add = graph.artifact("scale"), graph.artifact("add")
    wide: dict[str, Any] = {"artifact": scale, "entry": "main", "groups": [16], "workgroup_size": [64]}
    graph.dispatch("z-left", reads={"src": x}, writes={"dst": full(left)}, **wide)
    graph.dispatch("y-right", reads={"src": x}, writes={"dst": full(right)}, **wide)
    graph.barrier("both-ready", left, right, after=["z-left", "y-right"])
    graph.dispatch(
        "m-sum", artifact=add, entry="main", reads={"left": left, "right": right},
        writes={"sum": full(total)}, groups=[32], workgroup_size=[32], after=["both-ready"],
    )  # fmt: skip
    graph.barrier("sum-ready", total, after=["m-sum"])
    graph.dispatch("a-last", reads={"src": total}, writes={"dst": full(y)}, after=["sum-ready"], **wide)
    return graph.build()
