"""Reading SPIR-V: one module of 100 KiB, and a package of 200 of them.

The goals are absolute processor times. `spirv-cross --reflect` reads the same module in a process of its own,
for comparison. Needs `glslangValidator`.
"""

from __future__ import annotations

import gc
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from execgraph.v1 import package_pb2
from interlock import DEFAULT_LIMITS, Document, verify
from interlock.author import full
from interlock.author.builder import GraphBuilder
from interlock.hashing import sha256_digest
from interlock.package.blobs import memory_blobs
from interlock.package.container import Container
from interlock.package.edit import pinned
from interlock.package.spirv.reader import spirv_facts
from interlock.rules.context import Surroundings

if TYPE_CHECKING:
    from collections.abc import Callable

MODULE_BYTES = 100 << 10
MODULES = 200
READ_SECONDS, PACKAGE_SECONDS = 0.020, 5.0
ROUNDS = 5
STATEMENTS = 340
"""Statements of the kernel; enough for a module of 100 KiB."""

Measurement = tuple[str, float | None, float | None, float | None, str, bool | None]


def kernel() -> str:
    """Return the source of a kernel that compiles to a large module."""
    lines = "\n".join(
        f"  y[i + {n}u] = x[i + {n}u] * {n + 1}.0 + x[(i ^ {n}u) % 64u];" for n in range(STATEMENTS)
    )
    return f"""#version 450
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) readonly buffer X {{ float x[]; }};
layout(std430, set = 0, binding = 1) writeonly buffer Y {{ float y[]; }};
void main() {{
  uint i = gl_GlobalInvocationID.x;
{lines}
}}
"""


def compiled(folder: Path) -> bytes:
    """Return the module."""
    source, output = folder / "kernel.comp", folder / "kernel.spv"
    source.write_text(kernel())
    words = ["glslangValidator", "--target-env", "vulkan1.1", "-o", str(output), str(source)]
    subprocess.run(words, check=True, capture_output=True)
    data = output.read_bytes()
    if len(data) < MODULE_BYTES:
        raise RuntimeError(f"the module has {len(data):,} bytes only")
    return data


def seconds(action: Callable[[], object]) -> float:
    """Return the processor time of the fastest of some runs."""
    found = []
    for _ in range(ROUNDS):
        gc.collect()
        started = time.process_time()
        action()
        found.append(time.process_time() - started)
    return min(found)


def package(module: bytes) -> tuple[Document, Container]:
    """Return a package of modules that differ in who says they made them, and a graph that runs each."""
    graph = GraphBuilder("chain")
    message = package_pb2.Package(id="bench")
    blobs = {}
    before = graph.input("r000", "f32", [1 << 16])
    for number in range(MODULES):
        data = module[:8] + number.to_bytes(4, "little") + module[12:]
        blobs[sha256_digest(data)] = data
        name = f"kernel{number:03}"
        variant = message.artifacts.add(id=name).variants.add(target="vulkan")
        variant.content_type.identity, variant.content_type.version = "spirv", 1
        variant.blob.digest, variant.blob.size = sha256_digest(data), len(data)
        graph.artifact(name)
        node = f"n{number:03}"
        after = graph.output(f"r{number + 1:03}", "f32", [1 << 16])
        graph.dispatch(
            node, artifact=name, entry="main", reads={"x": before}, writes={"y": full(after)},
            groups=[16], workgroup_size=[64],
        )  # fmt: skip
    document = pinned(graph.build(), message)
    message.graphs.add(id="chain").source.embedded = document.binary
    whole = Document.from_message(message)
    return whole, Container("memory", "bench", whole, memory_blobs(blobs, DEFAULT_LIMITS))


def verified(document: Document, container: Container) -> None:
    """Verify the package, as its user does."""
    report = verify(document, surroundings=Surroundings(container))
    if not report.ok:
        raise RuntimeError(f"{report}")


def peer(folder: Path) -> float | None:
    """Return how long `spirv-cross --reflect` takes, or nothing where it is not installed."""
    if shutil.which("spirv-cross") is None:
        return None
    words = ["spirv-cross", str(folder / "kernel.spv"), "--reflect"]
    found = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        subprocess.run(words, check=True, capture_output=True)
        found.append(time.perf_counter() - started)
    return min(found)


def run() -> list[Measurement]:
    """Measure."""
    if shutil.which("glslangValidator") is None:
        return [("reading SPIR-V", None, None, None, "needs glslangValidator", None)]
    with tempfile.TemporaryDirectory() as name:
        module = compiled(Path(name))
        theirs = peer(Path(name))
    ours = seconds(lambda: spirv_facts(module)) * MODULE_BYTES / len(module)
    document, container = package(module)
    whole = seconds(lambda: verified(document, container))
    ratio = ours / theirs if theirs else None
    return [
        (
            "read 100 KiB of SPIR-V, against `spirv-cross --reflect`",
            ours,
            theirs,
            ratio,
            f"<= {1000 * READ_SECONDS:g} ms",
            ours <= READ_SECONDS,
        ),
        (
            f"verify a package of {MODULES} modules of {len(module) >> 10} KiB",
            whole,
            None,
            None,
            f"<= {PACKAGE_SECONDS:g} s",
            whole <= PACKAGE_SECONDS,
        ),
    ]


if __name__ == "__main__":
    for row in run():
        print(row)
