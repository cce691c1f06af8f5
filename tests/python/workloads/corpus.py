"""Turns schedules that other compilers planned into graphs.

Two forms are read, both JSON: the captured kernels of a tinygrad model, and the dispatches of an IREE program
after its memory was planned. Each has resources, some of them an arena that the compiler planned itself;
nodes with the byte ranges they access; and the dependencies among them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

from interlock.author import GraphBuilder, Slot, full, partial
from interlock.author.affine import Affine, affine

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlock.author import Parameter, Resource
    from interlock.author.handles import Target
    from interlock.document import Document

    Json = Mapping[str, Any]

ELEMENTS = {
    "char": "u8",
    "float": "f32",
    "half": "f16",
    "int": "i32",
    "uint": "u32",
    "long": "i64",
    "bool": "bool",
}


class Arena(Enum):
    """What stands for memory that the compiler planned itself."""

    RANGES = "ranges"
    """One temporary; nodes access ranges of its bytes."""
    TENSORS = "tensors"
    """One temporary for each write, alive from there to its last reads, in one allocation."""


def read(schedule: Json, arena: Arena = Arena.RANGES, name: str = "") -> Iterator[Document]:
    """Yield the graphs of a file."""
    for number, part in enumerate(schedule.get("graphs", [schedule])):
        label = name or part.get("meta", {}).get("model") or "program"
        yield _Converter(part, arena, f"{label}.{number}" if number else label).document()


@dataclass(slots=True)
class _Tensor:
    """Bytes of an arena that one node writes: the temporary, the size, and who uses it."""

    resource: Resource
    size: Affine
    writers: list[str]
    readers: list[str] = field(default_factory=list)


class _Converter:
    def __init__(self, schedule: Json, arena: Arena, name: str) -> None:
        self.schedule, self.arena = schedule, arena
        self.graph = GraphBuilder(name)
        self.graph.edges_carry_all()
        self.kinds = {r["id"]: r["kind"] for r in schedule["resources"]}
        self.sizes = {r["id"]: r["bytes"] for r in schedule["resources"]}
        self.parameters: dict[str, tuple[Parameter, int]] = {}
        self.resources: dict[int, Resource] = {}
        self.live: dict[int, dict[tuple[int, int], Affine]] = defaultdict(dict)
        self.tensors: dict[int, dict[tuple[int, int], _Tensor]] = defaultdict(dict)
        self.finished: list[_Tensor] = []

    def document(self) -> Document:
        self._declare_parameters()
        self._declare_resources()
        programs = {key: self._program(key, program) for key, program in self.schedule["programs"].items()}
        for node in self.schedule["nodes"]:
            after = [f"n{number}" for number in node["deps"]]
            accesses = {
                f"arg{number}": self._access(node, argument) for number, argument in enumerate(node["args"])
            }
            if node["op"] == "copy":
                source, destination = (target for _, target in accesses.values())
                assert not isinstance(source, Slot)
                assert not isinstance(destination, Slot)
                self.graph.copy(f"n{node['i']}", source, destination, after=after)
                continue
            slots: dict[str, dict[str, Slot | Target]] = {"read": {}, "write": {}, "readwrite": {}}
            for slot, (mode, target) in accesses.items():
                slots[mode][slot] = target
            artifact, entry = programs[node["program"]]
            self.graph.dispatch(
                f"n{node['i']}",
                artifact=artifact,
                entry=entry,
                reads=slots["read"],
                writes=slots["write"],
                updates=slots["readwrite"],
                after=after,
                groups=[self._extent(count) for count in node.get("workgroups", [1])],
                workgroup_size=node.get("local", []),
            )
        for tensors in self.tensors.values():
            self.finished += tensors.values()
        for tensor in self.finished:
            self.graph.lifetime(
                tensor.resource, begins=tensor.writers[:1], ends=tensor.readers or tensor.writers
            )
        return self.graph.build()

    def _declare_parameters(self) -> None:
        for program in self.schedule["programs"].values():
            for variable in program.get("vars", []):
                name, least, most = variable["name"], variable["min"], variable["max"]
                if name not in self.parameters:
                    parameter = self.graph.parameter(name, "i32", minimum=least, maximum=most)
                    self.parameters[name] = (parameter, most)

    def _declare_resources(self) -> None:
        first: dict[int, str] = {}
        written, by_variable = set(), set()
        for node in self.schedule["nodes"]:
            for argument in node["args"]:
                number, mode = argument["r"], argument["acc"]
                first.setdefault(number, mode)
                if mode != "read":
                    written.add(number)
                    if node.get("vars"):
                        by_variable.add(number)
        for resource in self.schedule["resources"]:
            number, kind, size = resource["id"], resource["kind"], resource["bytes"]
            if self._planned(number):
                if self.arena is Arena.TENSORS:
                    self.graph.allocation(f"arena{number}", size, alignment=256)
                else:
                    self.resources[number] = self.graph.temporary(f"arena{number}", "u8", [size])
                continue
            if kind == "state" or (kind == "held" and number in by_variable):
                declare = self.graph.state
            elif kind == "constant" or number not in written:
                declare = self.graph.input
            elif first[number] == "write":
                declare = self.graph.output
            else:
                declare = self.graph.in_out
            element = ELEMENTS[resource.get("dtype", "char")]
            width = {"u8": 1, "bool": 1, "f16": 2, "i64": 8}.get(element, 4)
            self.resources[number] = declare(f"{kind}{number}", element, [size // width])

    def _planned(self, number: int) -> bool:
        return self.kinds[number] in {"arena", "transient"}

    def _program(self, key: str, program: Json) -> tuple[str, str]:
        """Return the artifact and the entry of a program."""
        if "name" in program:
            name = f"{program['name']}.{key[:8]}"
            self.graph.artifact(name)
            return name, program["name"]
        artifact, _, entry = key.replace("@", "").partition("::")
        self.graph.artifact(artifact)
        return artifact, entry

    def _extent(self, count: int | str) -> Affine:
        """Return a count: a number, or a sum of numbers and variables in parentheses."""
        if isinstance(count, int):
            return affine(count)
        total = Affine()
        for part in re.fullmatch(r"\((.*)\)", count)[1].split("+"):  # type: ignore[index]
            total += int(part) if part.isdecimal() else self.parameters[part][0]
        return total

    def _size(self, node: Json, argument: Json) -> Affine:
        """Return how many bytes an access touches.

        The range of a file is that of the largest values. Where a node writes a planned tensor with a grid
        that depends on a variable, it writes as many parts of it, and those who read the tensor read as many.
        """
        number, place = argument["r"], (argument["off"], argument["bytes"])
        if not self._planned(number):
            return affine(place[1])
        live = self.live[number]
        if argument["acc"] == "read":
            return live.get(place, affine(place[1]))
        for other in [o for o in live if o[0] < place[0] + place[1] and place[0] < o[0] + o[1]]:
            del live[other]
        live[place] = affine(place[1])
        for count in node.get("workgroups", []):
            grid = self._extent(count)
            if grid.terms:
                most = grid.constant + sum(k * self.parameters[v][1] for v, k in grid.terms.items())
                assert place[1] % most == 0
                live[place] = grid * (place[1] // most)
        return live[place]

    def _access(self, node: Json, argument: Json) -> tuple[str, Slot | Target]:
        number, mode, offset = argument["r"], argument["acc"], argument["off"]
        size = self._size(node, argument)
        if self._planned(number) and self.arena is Arena.TENSORS:
            target: Target = self._tensor(node, argument, size)
        elif offset == 0 and size == affine(self.sizes[number]):
            target = self.resources[number]
        else:
            target = self.resources[number].bytes(offset, size)
        if mode != "write" or node["op"] == "copy":
            return mode, target
        part_only = self.kinds[number] == "held" and bool(node.get("vars"))
        return mode, partial(target) if part_only else full(target)

    def _tensor(self, node: Json, argument: Json, size: Affine) -> Target:
        number, place = argument["r"], (argument["off"], argument["bytes"])
        tensors, name = self.tensors[number], f"n{node['i']}"
        if argument["acc"] != "write" and place in tensors:
            tensor = tensors[place]
            tensor.readers.append(name)
            return tensor.resource
        assert argument["acc"] == "write", "each read is of one tensor"
        for other in [o for o in tensors if o[0] < place[0] + place[1] and place[0] < o[0] + o[1]]:
            self.finished.append(tensors.pop(other))
        resource = self.graph.temporary(
            f"{name}.{place[0]}", "u8", [size], allocation=f"arena{number}", offset=place[0]
        )
        tensors[place] = _Tensor(resource, size, [name])
        return resource
