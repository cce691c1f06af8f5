"""Random CrossTL documents: nearly always ones that can be imported, in every spelling that CrossTL reads."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from random import Random

Json = dict[str, object]

DTYPES = {
    "bool": 1,
    "char": 1,
    "uint8": 1,
    "int16_t": 2,
    "half": 2,
    "bfloat16": 2,
    "float": 4,
    "float32": 4,
    "Int32": 4,
    " uint32 ": 4,
    "uint": 4,
    "double": 8,
    "int64_t": 8,
}
ROLES = ("external-input", "external-output", "external-input-output", "temporary")
ACCESSES = ("read", "write", "read-write", " Read ", "readWrite", "WRITE_READ")


@dataclass
class Buffer:
    source: Json
    length: int
    dtype: str

    @property
    def size(self) -> int:
        return DTYPES[self.dtype]

    @property
    def is_scalar_integer(self) -> bool:
        name = self.dtype.strip().lower()
        return self.source["shape"] in ([], [1]) and ("int" in name or name in ("bool", "char"))


class Writer:
    """Writes one document with the choices of a random source."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.target = random.choice(["a", "b c", " ", "vulkan"])

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def document(self) -> Json:
        random = self.random
        groups = (None, None, "h", "g one", "resource:r0")
        buffers = {
            f"r{i}": self.buffer(f"r{i}", random.choice(groups)) for i in range(random.randrange(1, 7))
        }
        self.state_allocation_sizes(list(buffers.values()))
        names = [f"n{i}" for i in range(random.randrange(1, 6))] + ["n0.body"] * self.chance(20)
        random.shuffle(names)
        nodes = [self.node(name, names[:i], buffers) for i, name in enumerate(names)]
        for buffer in buffers.values():
            if self.chance(30):
                lifetime = {"firstNode": random.choice(names), "lastNode": random.choice(names)}
                buffer.source["lifetime"] = lifetime
        document: Json = {
            "nodes": nodes,
            "kind": "crosstl-runtime-execution-graph",
            "resources": [buffer.source for buffer in buffers.values()],
            "schemaVersion": 1,
            "id": "g",
        }
        return self.with_provenance(document)

    def buffer(self, name: str, group: str | None) -> Buffer:
        random = self.random
        dtype = random.choice(list(DTYPES))
        size = DTYPES[dtype]
        shape = [random.choice([0, 1, 1, 2, 3, 4]) for _ in range(random.randrange(3))]
        stride = size * random.choice([1, 1, 1, 2])
        count = prod(shape)
        length = count * stride
        layout: Json = {"storageLayout": random.choice(["contiguous", "contiguous", "std430"])}
        offsets = [0, 0, 8] if group is None else [0, 0, 4, 8, 16]
        self.maybe(layout, "byteOffset", random.choice(offsets), 60)
        self.maybe(layout, "elementSizeBytes", size, 30)
        self.maybe(layout, "elementStrideBytes", stride, 100 if stride != size else 30)
        if self.chance(50):
            tail = (count - 1) * stride + size if count else 0
            length = random.choice([length, length, tail, length + 4, length + 16])
            layout["byteLength"] = length
        self.maybe(layout, "alignmentBytes", random.choice([1, 4, 16, 3]), 30)
        self.maybe(layout, "metadata", self.members(), 10)
        source: Json = {"id": name, "role": random.choice(ROLES), "dtype": dtype, "shape": shape}
        source["physicalLayout"] = layout
        self.maybe(source, "kind", "buffer", 30)
        if group is not None:
            source["allocationId"] = group
        else:
            own = ["", f"alloc{name}", "we ird é", f"resource:{name}", None]
            self.maybe(source, "allocationId", random.choice(own), 40)
        return Buffer(self.with_provenance(source), length, dtype)

    def state_allocation_sizes(self, buffers: list[Buffer]) -> None:
        """State a common size in some of the allocations, by some of their buffers."""
        groups: dict[object, list[Buffer]] = {}
        for buffer in buffers:
            key = buffer.source.get("allocationId") or f"resource:{buffer.source['id']}"
            groups.setdefault(key, []).append(buffer)
        for members in groups.values():
            layouts = [(buffer.source["physicalLayout"], buffer.length) for buffer in members]
            size = max(layout.get("byteOffset", 0) + length for layout, length in layouts)
            size += self.random.choice([0, 0, 16])
            if self.chance(20):
                for layout, _ in layouts:
                    self.maybe(layout, "allocationByteLength", size, 70)

    def node(self, name: str, before: list[str], buffers: dict[str, Buffer]) -> Json:
        kind = self.random.choice(["dispatch", "dispatch", "copy", "fill", "barrier"])
        node: Json = {"id": name, "kind": kind}
        self.maybe(node, "dependsOn", self.random.sample(before, self.random.randrange(len(before) + 1)), 70)
        filled = [name for name, buffer in buffers.items() if buffer.length >= buffer.size] or list(buffers)
        if kind == "dispatch":
            node["dispatch"] = self.dispatch(list(buffers))
        elif kind == "copy":
            source, destination = self.random.choice(filled), self.random.choice(filled)
            node["copy"] = {"source": source, "destination": destination}
            node["copy"]["sourceRange"] = self.part(buffers[source])
            node["copy"]["destinationRange"] = self.part(buffers[destination])
        elif kind == "fill":
            target = self.random.choice(filled)
            node["fill"] = {"resource": target, "range": self.part(buffers[target])}
            node["fill"]["value"] = self.value(buffers[target])
        else:
            listed = self.random.sample(list(buffers), self.random.randrange(1, len(buffers) + 1))
            node["barrier"] = {
                "resources": listed,
                "beforeAccess": self.access(),
                "afterAccess": self.access(),
            }
        if kind != "barrier" and self.chance(40):
            self.control(
                node, [name for name, buffer in buffers.items() if buffer.is_scalar_integer], buffers
            )
        return self.with_provenance(node)

    def dispatch(self, buffers: list[str]) -> Json:
        random = self.random
        size = [random.choice([1, 2, 8]) for _ in range(3)]
        counts = [random.choice([1, 2]) for _ in range(3)]
        total = [width * count for width, count in zip(size, counts, strict=True)]
        form = random.randrange(6)
        geometry: Json = {}
        self.maybe(geometry, "workgroupCount", counts, 100 if form < 3 else 0)
        self.maybe(geometry, "workgroupSize", size, 60)
        self.maybe(geometry, "globalSize", total, 100 if form in (2, 3, 5) else 0)
        self.maybe(geometry, "gridSize", total, 100 if form in (2, 4, 5) else 0)
        parts = ("id", "source", "target", "variant", "stage", "path")
        values = ["", "a", "kernels/a.hlsl", "vulkan", "b c", " ", None]
        selector = {part: random.choice(values) for part in parts if self.chance(40)}
        if selector.get("target"):
            selector["target"] = self.target
        if not any((value or "").strip() for value in selector.values()):
            selector["id"] = "k"
        names = ["a", "b.c", "é", "z", " ", 'q"\\']
        bindings = {
            random.choice(names): {"resource": random.choice(buffers), "access": self.access()}
            for _ in range(random.randrange(3))
        }
        dispatch: Json = {"artifactSelector": selector, "geometry": geometry, "bindings": bindings}
        dispatch["entryPoint"] = random.choice(["main", "é", "a b"])
        numbers = [True, False, 1, -1, 1.0, -0.0, 0.1, 1e300, 1 << 31, 1 << 63, -(1 << 63)]
        constants = {random.choice(["a", "b", "é"]): random.choice(numbers)}
        self.maybe(dispatch, "constants", constants, 30)
        self.maybe(dispatch, "targetProfile", random.choice(["", "p", None]), 20)
        self.maybe(dispatch, "validationStatus", random.choice(["", "passed", "not run"]), 20)
        return self.with_provenance(dispatch)

    def control(self, node: Json, scalars: list[str], buffers: dict[str, Buffer]) -> None:
        random = self.random
        if self.chance(25):
            node["repeat"] = {"count": 2, "maxIterations": random.choice([2, 5])}
            self.maybe(node["repeat"], "controlInput", "", 20)
        elif scalars and self.chance(30):
            node["repeat"] = {"controlInput": random.choice(scalars), "maxIterations": 3}
        elif scalars:
            name = random.choice(scalars)
            node["condition"] = {"controlInput": name, "maxEvaluations": random.choice([1, 1, 4])}
            if buffers[name].dtype == "bool":
                self.maybe(node["condition"], "equals", self.chance(50), 60)
            else:
                node["condition"]["equals"] = random.choice([0, 1, 5])

    def part(self, buffer: Buffer) -> Json:
        if self.chance(50) or buffer.length < buffer.size:
            return {"byteOffset": 0, "byteLength": max(buffer.length, 1)}
        first = self.random.randrange(buffer.length // buffer.size)
        count = self.random.randrange(1, buffer.length // buffer.size - first + 1)
        return {"byteOffset": first * buffer.size, "byteLength": count * buffer.size}

    def value(self, buffer: Buffer) -> object:
        name = buffer.dtype.strip().lower()
        if name == "bool":
            return self.chance(50)
        if "int" in name or name == "char":
            return self.random.choice([0, 1, 100])
        return self.random.choice([0, 1, 7, 0.1, -0.0, 1.5, 1e-3])

    def access(self) -> str:
        return self.random.choice(ACCESSES)

    def members(self, depth: int = 0) -> Json:
        names = ["a", "b", "Z", "execgraph", "é", "", "1"]
        return {self.random.choice(names): self.free(depth + 1) for _ in range(self.random.randrange(3))}

    def free(self, depth: int) -> object:
        kind = self.random.randrange(6 if depth < 4 else 4)
        if kind == 4:
            return [self.free(depth + 1) for _ in range(self.random.randrange(3))]
        if kind == 5:
            return self.members(depth)
        values = (None, True, False, 0, 1, -1, 1 << 70, 0.0, -0.0, 1.0, 0.1, 1e300, "", "é", "\ufffe", 'a"b')
        return self.random.choice(values)

    def with_provenance(self, owner: Json) -> Json:
        self.maybe(owner, "provenance", self.members(), 20)
        return owner

    def maybe(self, owner: Json, name: str, value: object, percent: int) -> None:
        if self.chance(percent):
            owner[name] = value


def documents() -> st.SearchStrategy[Json]:
    """Documents that CrossTL can read."""
    return st.randoms(use_true_random=False).map(lambda random: Writer(random).document())
