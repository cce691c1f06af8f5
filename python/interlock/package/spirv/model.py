"""What a module says about its interface, with every fact that the contract has no field for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from execgraph.v1 import type_pb2

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlock.package.facts import ImageShape
    from interlock.package.spirv.layout import Member
    from interlock.package.spirv.workgroup import Sizes

STAGES: Mapping[int, str] = {
    0: "vertex",
    1: "tessellation control",
    2: "tessellation evaluation",
    3: "geometry",
    4: "fragment",
    5: "compute",
    6: "OpenCL kernel",
    5267: "task",
    5268: "mesh",
    5313: "ray generation",
    5314: "intersection",
    5315: "any-hit",
    5316: "closest-hit",
    5317: "miss",
    5318: "callable",
    5364: "task",
    5365: "mesh",
}
"""Execution models, by what people call their stages."""
ADDRESSING = {0: "Logical", 1: "Physical32", 2: "Physical64", 5348: "PhysicalStorageBuffer64"}
MEMORY_MODELS = {0: "Simple", 1: "GLSL450", 2: "OpenCL", 3: "Vulkan"}
VERTEX, FRAGMENT, GL_COMPUTE, KERNEL = 0, 4, 5, 6


@dataclass(frozen=True, slots=True)
class Resource:
    """One thing that an entry point takes: all variables of one binding together.

    Attributes:
        name: Its name: that of its variable, else of its block, else of its place.
        variables: The ids of its variables.
        aliases: Its other names.
        kind: Which kind of slot it is; 0 if that cannot be told.
        group: Its descriptor set; None if it has none.
        index: Its binding; None if it has none.
        access: What the entry point does to it; 0 if that is not known.
        is_touched: Whether code accesses it at all.
        is_mentioned: Whether code of the entry point names it.
        minimum_size: The bytes of its block.
        members: Those of its block; empty if they are not known.
        array_stride: Of its elements; 0 if that is not known.
        element: The scalar type of its elements, as the contract calls it; 0 if it has several.
        is_runtime_sized: Whether its last array is as long as what is bound.
        array_count: The descriptors in it; 0 if it is no array of descriptors or as long as what is bound.
        image_format: As the contract calls it; 0 if none is stated.
        image_shape: Of its images; None if it takes none, or the contract has none of the kind.
        unknown: Why something of this is not known.
        left_open: What is 0 above because it is not known.
    """

    name: str
    variables: tuple[int, ...]
    aliases: tuple[str, ...] = ()
    kind: int = 0
    group: int | None = None
    index: int | None = None
    access: int = 0
    is_touched: bool = False
    is_mentioned: bool = False
    minimum_size: int = 0
    members: tuple[Member, ...] = ()
    array_stride: int = 0
    element: type_pb2.ElementType = type_pb2.ELEMENT_TYPE_UNSPECIFIED
    is_runtime_sized: bool = False
    array_count: int = 0
    image_format: int = 0
    image_shape: ImageShape | None = None
    unknown: str = ""
    left_open: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ModuleEntry:
    """One entry point.

    Attributes:
        name: Its name.
        model: Its execution model, as a number of SPIR-V.
        function: The id of its function.
        sizes: Where its workgroup size comes from.
        size_hint: Its `LocalSizeHint`; None if it has none.
        subgroup_size: The subgroup size it demands; 0 for any.
        resources: What it takes.
        updates_atomically: Whether it changes memory by atomic operations.
        uses_subgroups: Whether it, or its module, uses operations of subgroups.
        capabilities: What it needs, as the contract calls it.
        shared_bytes: Its static shared memory, with specialization constants at their defaults.
        is_shared_adjustable: Whether specialization constants change that.
        unknown: Why something of this is not known.
        left_open: What is 0 or empty above because it is not known.
    """

    name: str
    model: int
    function: int
    sizes: Sizes
    size_hint: tuple[int, int, int] | None = None
    subgroup_size: int = 0
    resources: tuple[Resource, ...] = ()
    updates_atomically: bool = False
    uses_subgroups: bool = False
    capabilities: tuple[int, ...] = ()
    shared_bytes: int = 0
    is_shared_adjustable: bool = False
    unknown: tuple[str, ...] = ()
    left_open: frozenset[str] = frozenset()

    @property
    def stage(self) -> str:
        """What people call its stage."""
        return STAGES.get(self.model, f"execution model {self.model}")


@dataclass(frozen=True, slots=True)
class Note:
    """Something about the module that a person should know: the entry and slot (or empty), and a sentence."""

    entry: str
    slot: str
    message: str
