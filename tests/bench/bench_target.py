"""Sealed bundles and envelopes: their size, against the bytes of their modules; their speed, against SHA-256.

The peer of sealing and of strict decoding is hashlib over the same bytes in the same process. Peak memory is
that of a process of its own beyond what it needs to start, with the bytes of the modules counted in.
"""

from __future__ import annotations

import gc
import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from execgraph.v1 import blob_pb2, module_pb2, package_pb2
from interlock.author import full
from interlock.author.builder import GraphBuilder
from interlock.document import Document
from interlock.package.profiles import profile
from interlock.target import (
    BlobStore,
    EmittedModule,
    Kernels,
    TypedBytes,
    attach_target,
    compile_launch_groups,
    decode_bundle,
    make_bundle,
    make_envelope,
    slots_of,
    typed_blob,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlock.target import GroupLowering, SealedDocument

MIB = 1 << 20
BUNDLE_BYTES = 64 * MIB
MODULES = 64
ROUNDS = 5
OVERHEAD, PER_MODULE = 1.02, 4 << 10
SLOWDOWN = 3.0
MEMORY = 2.5
SIZES = (1 << 10, 16 << 10, 1 << 20)
"""The bytes of one module of the envelopes that are measured."""

Measurement = tuple[str, float | None, float | None, float | None, str, bool | None]


def code(number: int, size: int) -> bytes:
    """Return the bytes of a module: all different, and quick to make."""
    start = hashlib.sha256(str(number).encode()).digest()
    return (start * (size // 32 + 1))[:size]


def modules(store: BlobStore) -> list[module_pb2.TargetModule]:
    """Return a module for each blob, found by the digest that the store has computed."""
    found = []
    for number, (digest, blob) in enumerate(store.items()):
        name = f"g{number:04}"
        module = module_pb2.TargetModule(stage=number // 8, group=name, members=[name], entry_point="main")
        module.code.content_type.identity, module.code.content_type.version = "spirv", 1
        module.code.blob.digest, module.code.blob.size = digest, blob.nbytes
        found.append(module)
    return found


def seal(blobs: list[bytes]) -> SealedDocument:
    """Seal bytes as a bundle."""
    store = BlobStore(blobs)
    return make_bundle(modules(store), store)


def graph(count: int) -> Document:
    """Return a chain of dispatches, each of which reads two buffers and overwrites one."""
    made = GraphBuilder("chain")
    before = made.input("x", "f32", [4096])
    scale = made.input("scale", "f32", [4096])
    kernel = made.artifact("k")
    ready: list[str] = []
    for number in range(count):
        last = number + 1 == count
        name, following = f"n{number:04}", f"n{number + 1:04}"
        out = (
            made.output("y", "f32", [4096])
            if last
            else made.temporary(f"t{number:04}", "f32", [4096], begins=[name], ends=[following])
        )
        made.dispatch(
            name,
            artifact=kernel,
            entry="main",
            reads={"x": before, "scale": scale},
            writes={"y": full(out)},
            groups=[64],
            workgroup_size=[64],
            after=ready,
        )
        if not last:
            made.barrier(f"b{number:04}", out, after=[name])
            ready, before = [f"b{number:04}"], out
    return made.build()


def kernels() -> Kernels:
    """Return a package of one kernel."""
    message = package_pb2.Package(id="kernels")
    variant = message.artifacts.add(id="k").variants.add(target="vulkan")
    variant.content_type.identity, variant.content_type.version = "glsl", 1
    variant.blob.CopyFrom(typed_blob("glsl", 1, b"k").blob)
    return Kernels(Document.from_message(message), BlobStore([b"k"]))


def envelope_bytes(count: int, size: int) -> int:
    """Return the size of an envelope of so many modules of so many bytes, with two inputs and an output."""
    names = {"x": "ACCESS_MODE_READ", "scale": "ACCESS_MODE_READ", "y": "ACCESS_MODE_WRITE"}
    slots = []
    for index, (name, access) in enumerate(names.items()):
        slot = module_pb2.ModuleSlot(name=name)
        slot.coordinate.index = index
        slot.slot.name, slot.slot.kind, slot.slot.access = name, "SLOT_KIND_STORAGE_BUFFER", access
        slot.slot.array_stride, slot.slot.runtime_sized = 4, True
        slots.append(slot)
    taken = slots_of(slots)
    made = iter(range(count))

    def emit(lowering: GroupLowering, _: object) -> EmittedModule:
        del lowering
        return EmittedModule("main", TypedBytes("spirv", 1, code(next(made), size)), slots=taken)

    document = graph(count)
    form = blob_pb2.ContentType(identity="vulkan-module", version=1)
    payload = compile_launch_groups(document, kernels(), form, profile("vulkan-1.1-minimum"), emit)
    return attach_target(make_envelope(document), payload).size


def seconds(action: Callable[[], object]) -> float:
    """Return the processor time of the fastest of some runs."""
    found = []
    for _ in range(ROUNDS):
        gc.collect()
        started = time.process_time()
        action()
        found.append(time.process_time() - started)
    return min(found)


def peak_of(what: str, data: bytes = b"") -> int:
    """Return by how much sealing or decoding raises the memory of a process of its own, in bytes."""
    done = subprocess.run([sys.executable, __file__, what], input=data, capture_output=True, check=True)
    return int(done.stdout)


def high_water() -> int:
    """Return the most memory that this process has had, in bytes, not counting who started it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM:"))


def measure_peak(what: str) -> int:
    """Seal or decode a bundle and return the memory that took, the modules and the frame included."""
    decode_bundle(seal([b"warm"]).binary())
    gc.collect()
    before = high_water()
    if what == "seal":
        size = BUNDLE_BYTES // MODULES
        with Path(os.devnull).open("wb") as stream:
            stream.writelines(seal([code(number, size) for number in range(MODULES)]).chunks())
    else:
        # The frame is made elsewhere, so that what is measured is reading and decoding alone.
        decode_bundle(sys.stdin.buffer.read())
    return high_water() - before


def run() -> list[Measurement]:
    """Measure."""
    rows: list[Measurement] = []
    for size in SIZES:
        count = 16
        found, allowed = envelope_bytes(count, size), OVERHEAD * count * size + count * PER_MODULE
        rows.append(
            (
                f"bytes of an envelope of {count} modules of {size >> 10} KiB",
                float(found),
                float(count * size),
                found / (count * size),
                f"<= {OVERHEAD} x modules + {PER_MODULE >> 10} KiB each = {allowed:.4g}",
                found <= allowed,
            )
        )
    size = BUNDLE_BYTES // MODULES
    blobs = [code(number, size) for number in range(MODULES)]
    frame = seal(blobs).binary()
    theirs = seconds(lambda: hashlib.sha256(frame).digest())
    timed: dict[str, Callable[[], object]] = {
        "seal": lambda: seal(blobs).binary(),
        "decode": lambda: decode_bundle(frame),
    }
    for name, action in timed.items():
        ours = seconds(action)
        rows.append(
            (
                f"{name} a bundle of {BUNDLE_BYTES >> 20} MiB, against SHA-256",
                ours,
                theirs,
                ours / theirs,
                f"<= {SLOWDOWN:g}",
                ours <= SLOWDOWN * theirs,
            )
        )
    for name, peak in (("seal", peak_of("seal")), ("decode", peak_of("decode", frame))):
        rows.append(
            (
                f"peak bytes to {name} a bundle of {BUNDLE_BYTES >> 20} MiB",
                float(peak),
                float(len(frame)),
                peak / len(frame),
                f"<= {MEMORY:g}",
                peak <= MEMORY * len(frame),
            )
        )
    return rows


if __name__ == "__main__":
    if sys.argv[1:]:
        print(measure_peak(sys.argv[1]))
    else:
        for row in run():
            print(row)
