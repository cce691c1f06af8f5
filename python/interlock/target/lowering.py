"""What a target compiler is told about one launch group, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from execgraph.v1 import dispatch_pb2, interface_pb2, module_pb2

if TYPE_CHECKING:
    from collections.abc import Iterable

Coordinate = tuple[int, int, int]
"""Group, index and array element."""


@dataclass(frozen=True, slots=True)
class TypedBytes:
    """Bytes of a content type."""

    identity: str
    version: int
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Constant:
    """The value of one specialization constant, in bits of an element type.

    ``constant_id`` is the number that the variant knows it by; None if nobody says. ``from_default`` tells
    that the dispatch does not state it.
    """

    name: str
    constant_id: int | None
    element: int
    bits: bytes
    from_default: bool


@dataclass(frozen=True, slots=True)
class Program:
    """The kernel of one member.

    Attributes:
        node: The dispatch.
        artifact: The logical artifact.
        entry: The logical entry.
        target_entry: The name of the entry in the bytes.
        variant: The target and the name of the variant that the bytes are of.
        code: The bytes, whose digest and size were proven.
        digest: Their digest.
        constants: The specialization constants, by name, then by number.
    """

    node: str
    artifact: str
    entry: str
    target_entry: str
    variant: tuple[str, str]
    code: TypedBytes
    digest: str
    constants: tuple[Constant, ...] = ()


@dataclass(frozen=True, slots=True)
class InterfaceSlot:
    """One slot of the group, of any kind: also shared memory, inline constants and those of the runtime.

    Attributes:
        name: The name in the module, prefixed by the node where the group has several members.
        node: The member whose slot it is.
        target_name: The name of the slot in the bytes.
        coordinate: Where the variant takes it; None if nobody says.
        facts: What is known of it, as the canonical binary of a `Slot`.
    """

    name: str
    node: str
    target_name: str
    coordinate: Coordinate | None
    facts: bytes = field(repr=False)

    @property
    def slot(self) -> interface_pb2.Slot:
        """What is known of it."""
        return interface_pb2.Slot.FromString(self.facts)

    def message(self) -> module_pb2.ModuleSlot:
        """Return it as a module states it."""
        found = module_pb2.ModuleSlot(name=self.name, slot=self.slot)
        if self.coordinate is not None:
            found.coordinate.CopyFrom(coordinate_message(self.coordinate))
        return found


@dataclass(frozen=True, slots=True)
class ProjectedBinding:
    """What the graph binds to a slot, as the target sees it. The numbers are those of the schema's enums."""

    node: str
    slot: str
    resource: str
    coordinate: Coordinate | None
    storage_class: int
    access: int


@dataclass(frozen=True, slots=True)
class GroupLowering:
    """One launch group, ready to be compiled. It never changes.

    Attributes:
        graph_digest: The digest of the graph.
        group: The id of the group.
        stage: Its stage.
        members: Its dispatches, sorted.
        programs: Their kernels, in the order of ``members``.
        interface: The slots of all members, by name; None if the package says nothing of a member's
            interface, and then the compiler says which slots the module has.
        bindings: What the graph binds, by node and slot; empty where ``interface`` is None.
        logical_elements: The number of logical elements that the launch covers, at least 1.
        workgroup_size: Three axes; None if the compiler is to choose.
        dependent_pairs: The pairs of members that the module has to order, and lists as internalized.
        inline_constants: The inline constants of the members: node, slot, the canonical binary of the value.
        dynamic_shared_bytes: The shared memory that the graph asks for beside what the kernels declare.
        static_shared_bytes: The shared memory that the kernels declare.
    """

    graph_digest: str
    group: str
    stage: int
    members: tuple[str, ...]
    programs: tuple[Program, ...]
    interface: tuple[InterfaceSlot, ...] | None
    bindings: tuple[ProjectedBinding, ...]
    logical_elements: int
    workgroup_size: tuple[int, int, int] | None
    dependent_pairs: tuple[tuple[str, str], ...] = ()
    inline_constants: tuple[tuple[str, str, bytes], ...] = ()
    dynamic_shared_bytes: int = 0
    static_shared_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Internalized:
    """A dependent pair that a module keeps in order, with the evidence for it (a number of ``Evidence``)."""

    from_node: str
    to_node: str
    evidence: int
    justification: str = ""


@dataclass(frozen=True, slots=True)
class EmittedModule:
    """What a compiler made of a launch group.

    Attributes:
        entry_point: The target's own name of the entry.
        code: The code.
        semantic: What the code was made from; None to state nothing.
        lowered: The form between both; None to state nothing.
        slots: The slots as the code has them, as canonical binaries of ``ModuleSlot``; None if they are those
            of the lowering. `slots_of` makes them of messages.
        workgroup_size: The workgroup size, where the lowering leaves it open or to confirm it.
        static_shared_bytes: The shared memory that the code declares; None if it is that of the lowering.
        internalized: The dependent pairs that the code keeps in order.
    """

    entry_point: str
    code: TypedBytes
    semantic: TypedBytes | None = None
    lowered: TypedBytes | None = None
    slots: tuple[bytes, ...] | None = None
    workgroup_size: tuple[int, int, int] | None = None
    static_shared_bytes: int | None = None
    internalized: tuple[Internalized, ...] = ()


def slots_of(messages: Iterable[module_pb2.ModuleSlot]) -> tuple[bytes, ...]:
    """Return slots as `EmittedModule` takes them."""
    return tuple(message.SerializeToString(deterministic=True) for message in messages)


def coordinate_message(coordinate: Coordinate) -> dispatch_pb2.Coordinate:
    """Return a coordinate as a message."""
    group, index, element = coordinate
    return dispatch_pb2.Coordinate(group=group, index=index, array_element=element)
