"""What the slots of a target module are: whose, and whether anything is bound to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from execgraph.v1 import interface_pb2, resource_pb2

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from execgraph.v1 import dispatch_pb2, module_pb2

CONSTANT = interface_pb2.STORAGE_CLASS_CONSTANT
UNIFORM = interface_pb2.STORAGE_CLASS_UNIFORM
GLOBAL = interface_pb2.STORAGE_CLASS_GLOBAL
_UNBOUND_CLASSES = {interface_pb2.STORAGE_CLASS_SHARED, interface_pb2.STORAGE_CLASS_SCRATCH}
_BOUND_KINDS = {
    interface_pb2.SLOT_KIND_STORAGE_BUFFER,
    interface_pb2.SLOT_KIND_CONSTANT_BUFFER,
    interface_pb2.SLOT_KIND_SAMPLED_IMAGE,
    interface_pb2.SLOT_KIND_STORAGE_IMAGE,
}


class ModuleSlot(NamedTuple):
    """A slot of a module that bytes are bound to. ``position`` is the one in the module."""

    position: int
    node: str
    slot: str
    message: module_pb2.ModuleSlot


def takes_bytes(slot: interface_pb2.Slot) -> bool:
    """Tell whether the graph binds bytes to a slot: not to shared, scratch or diagnostic ones."""
    return (
        slot.kind in _BOUND_KINDS
        and slot.storage_class not in _UNBOUND_CLASSES
        and slot.role != interface_pb2.SLOT_ROLE_RUNTIME_DIAGNOSTIC
    )


def slot_name(node: str, slot: str, members: Collection[str]) -> str:
    """Return the name of a slot in a module: prefixed by its node if the group has several members."""
    return slot if len(members) == 1 else f"{node}/{slot}"


def node_of(slot: module_pb2.ModuleSlot, members: Collection[str]) -> str | None:
    """Return the member whose slot this is; None if the name tells of none."""
    logical = slot.slot.name
    if len(members) == 1:
        return next(iter(members)) if slot.name == logical else None
    node = slot.name.removesuffix(f"/{logical}")
    return node if slot.name != node and node in members else None


def bound_slots(module: module_pb2.TargetModule) -> Iterator[ModuleSlot]:
    """Yield the slots of a module that bytes are bound to, without those that belong to no member."""
    members = set(module.members)
    for position, slot in enumerate(module.slots):
        node = node_of(slot, members)
        if node is not None and takes_bytes(slot.slot):
            yield ModuleSlot(position, node, slot.slot.name, slot)


def projected_storage(slot_class: int, resource_role: int) -> int:
    """Return the storage class of a binding: that of a constant resource is constant memory."""
    if slot_class in (CONSTANT, UNIFORM):
        return slot_class
    return CONSTANT if resource_role == resource_pb2.RESOURCE_ROLE_CONSTANT else GLOBAL


def place(coordinate: dispatch_pb2.Coordinate) -> tuple[int, int, int]:
    """Return a coordinate as numbers: group, index, array element."""
    return coordinate.group, coordinate.index, coordinate.array_element


def shown(coordinate: dispatch_pb2.Coordinate) -> str:
    """Return a coordinate for a sentence."""
    element = f", element {coordinate.array_element}" if coordinate.array_element else ""
    return f"group {coordinate.group}, index {coordinate.index}{element}"
