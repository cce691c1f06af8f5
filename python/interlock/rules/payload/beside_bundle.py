"""Rules about a payload and the bundle in it, which are paired by launch group and never by position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2, interface_pb2
from interlock.diagnostic import NamedElement, Step
from interlock.graph.modules import place, shown
from interlock.rules.model import Finding, rule
from interlock.rules.nested import READABLE
from interlock.rules.payload.profile import PAYLOAD, entry_path, named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from execgraph.v1 import module_pb2, payload_pb2
    from interlock.graph.modules import ModuleSlot
    from interlock.rules.context import Context
    from interlock.rules.held import PayloadView


@rule("payload.missing-module", kinds=PAYLOAD, needs=READABLE)
def missing_module(context: Context) -> Iterator[Finding]:
    """A launch group has no module.

    What it checks:
        The bundle of a payload holds a module for every launch group.

    Why:
        A group without a module has no code to launch.

    Bad example:
        groups { id: "sum" members: "stage-one" }

    Good example:
        groups { id: "sum" members: "stage-one" }
        bundle { digest: "sha256:3ba67f95e9cf424ea694849107840a2c3f0fc3cf9dc27f7ba1d16d9523862d1d" body: "…" }
    """
    for payload in context.payloads:
        for index, group in enumerate(payload.message.groups if payload.bundle is not None else ()):
            if group.id not in payload.modules:
                path = payload.path(Step("groups", index, group.id or None))
                yield Finding(
                    path, f"the bundle has no module for the launch group `{group.id}`", named(group.id)
                )


@rule("payload.foreign-module", kinds=PAYLOAD, needs=READABLE)
def foreign_module(context: Context) -> Iterator[Finding]:
    """The bundle holds a module of a launch group that the payload does not have.

    What it checks:
        Every module of the bundle belongs to a launch group of the payload.

    Why:
        Code that nothing launches is a sign that the bundle belongs to another payload.

    Bad example:
        modules { group: "left-over" members: "stage-one" entry_point: "main" }

    Good example:
        modules { group: "sum" members: "stage-one" entry_point: "main" }
    """
    for payload in context.payloads:
        groups = {group.id for group in payload.message.groups}
        for index, module in enumerate(payload.bundle.modules if payload.bundle is not None else ()):
            if module.group not in groups:
                yield Finding(
                    payload.module_path(index, Step("group")),
                    f"the payload has no launch group `{module.group}`",
                    named(module.group),
                )


@rule("payload.module-mismatch", kinds=PAYLOAD, needs=READABLE)
def module_mismatch(context: Context) -> Iterator[Finding]:
    """A module and its launch group disagree about stage or members.

    What it checks:
        The module of a launch group has the stage and exactly the members of the group.

    Why:
        The module is code for these dispatches. Under other ones it does something else.

    Bad example:
        modules { stage: 1 group: "sum" members: "stage-two" entry_point: "main" }

    Good example:
        modules { stage: 0 group: "sum" members: "stage-one" entry_point: "main" }
    """
    for payload in context.payloads:
        for group in payload.message.groups:
            index, module = payload.modules.get(group.id, (0, None))
            if module is None:
                continue
            if module.stage != group.stage:
                yield Finding(
                    payload.module_path(index, Step("stage")),
                    f"the module of `{group.id}` is of stage `{module.stage}`; the group is of {group.stage}",
                    named(group.id),
                )
            if list(module.members) != list(group.members):
                yield Finding(
                    payload.module_path(index, Step("members")),
                    f"the module of `{group.id}` has the members {_listed(module.members)}; the group has "
                    f"{_listed(group.members)}",
                    named(group.id),
                )


def _listed(names: object) -> str:
    items = [f"`{name}`" for name in names]  # type: ignore[attr-defined]  # a repeated field
    return ", ".join(items[:8]) + ", …" * (len(items) > 8) if items else "none"


_Pairs = tuple[
    "PayloadView",
    int,
    "payload_pb2.TargetEntry",
    dict[tuple[str, str], "ModuleSlot"],
    "module_pb2.TargetModule",
]


def _paired(context: Context) -> Iterator[_Pairs]:
    """Yield each entry whose group has a module, with the slots of the module that take bytes."""
    for payload in context.payloads:
        for group, (index, entry) in payload.entries.items():
            _, module = payload.modules.get(group, (0, None))
            if module is not None:
                yield payload, index, entry, payload.module_slots[group], module


def _slot_elements(entry: payload_pb2.TargetEntry, node: str, slot: str) -> tuple[NamedElement, ...]:
    return (*named(entry.group), NamedElement("node", node), NamedElement("slot", slot))


@rule("payload.binding-without-slot", kinds=PAYLOAD, needs=READABLE)
def binding_without_slot(context: Context) -> Iterator[Finding]:
    """An entry binds something that its module does not take.

    What it checks:
        Every binding of an entry belongs to a slot of the group's module, by node and logical slot, that
        takes bytes; and no slot is bound twice.

    Why:
        What is bound where no slot is, is lost, or overwrites what belongs there.

    Bad example:
        bindings { coordinate { index: 0 } node: "stage-one" slot: "no-such-slot" resource: "samples" }

    Good example:
        bindings { coordinate { index: 0 } node: "stage-one" slot: "samples" resource: "samples" }
    """
    for payload, index, entry, slots, _ in _paired(context):
        bound: set[tuple[str, str]] = set()
        for position, binding in enumerate(entry.bindings):
            key = binding.node, binding.slot
            path = entry_path(payload, index, Step("bindings", position))
            if key not in slots:
                yield Finding(
                    path,
                    f"the module of `{entry.group}` has no slot `{binding.slot}` of `{binding.node}` that "
                    "takes bytes",
                    _slot_elements(entry, *key),
                )
            elif key in bound:
                yield Finding(
                    path,
                    f"slot `{binding.slot}` of `{binding.node}` is bound already",
                    _slot_elements(entry, *key),
                )
            bound.add(key)


@rule("payload.slot-without-binding", kinds=PAYLOAD, needs=READABLE)
def slot_without_binding(context: Context) -> Iterator[Finding]:
    """A module takes something that its entry does not bind.

    What it checks:
        Every slot of a module that takes bytes, unless it may be left unbound, has a binding in the entry of
        its group.

    Why:
        A kernel that reads what nobody bound reads anything.

    Bad example:
        entries { group: "sum" logical_elements: 1 }

    Good example:
        entries {
          group: "sum"
          bindings { coordinate { index: 0 } node: "stage-one" slot: "samples" resource: "samples" }
          logical_elements: 1
        }
    """
    for payload, index, entry, slots, _ in _paired(context):
        bound = {(binding.node, binding.slot) for binding in entry.bindings}
        for key, slot in slots.items():
            if key not in bound and not slot.message.slot.optional_binding:
                yield Finding(
                    entry_path(payload, index, Step("bindings")),
                    f"slot `{slot.slot}` of `{slot.node}` is not bound",
                    _slot_elements(entry, *key),
                )


@rule("payload.binding-mismatch", kinds=PAYLOAD, needs=READABLE)
def binding_mismatch(context: Context) -> Iterator[Finding]:
    """A binding and its slot disagree about coordinate, access or memory.

    What it checks:
        A binding states the coordinate and the access of its slot in the module, where the slot states them.
        It is in the slot's storage class; constant memory may also be bound to a slot of global memory.

    Why:
        Entry and module are two views of one thing. Where they differ, one of them was made for other code.

    Bad example:
        bindings { coordinate { index: 7 } node: "stage-one" slot: "samples" }

    Good example:
        bindings { coordinate { index: 0 } node: "stage-one" slot: "samples" }
    """
    for payload, index, entry, slots, _ in _paired(context):
        for position, binding in enumerate(entry.bindings):
            slot = slots.get((binding.node, binding.slot))
            if slot is None:
                continue
            path = entry_path(payload, index, Step("bindings", position))
            elements = _slot_elements(entry, binding.node, binding.slot)
            wanted = slot.message.coordinate
            if slot.message.HasField("coordinate") and _at(binding) != place(wanted):
                there = shown(binding.coordinate) if binding.HasField("coordinate") else "no coordinate"
                message = f"it is bound at {there}; the module takes it at {shown(wanted)}"
                yield Finding(path.field("coordinate"), message, elements)
            access = slot.message.slot.access
            if access and binding.access != access:
                message = f"the access is `{_access(binding.access)}`; that of the slot is {_access(access)}"
                yield Finding(path.field("access"), message, elements)
            allowed = _ALLOWED.get(slot.message.slot.storage_class, _GLOBALS)
            if binding.storage_class not in allowed:
                stated = interface_pb2.StorageClass.Name(binding.storage_class)
                names = " or ".join(interface_pb2.StorageClass.Name(each) for each in allowed)
                message = f"the storage class is `{stated}`; that of the slot makes it {names}"
                yield Finding(path.field("storage_class"), message, elements)


def _at(binding: payload_pb2.TargetBinding) -> tuple[int, int, int] | None:
    return place(binding.coordinate) if binding.HasField("coordinate") else None


_GLOBALS = (interface_pb2.STORAGE_CLASS_GLOBAL, interface_pb2.STORAGE_CLASS_CONSTANT)
_ALLOWED = {
    interface_pb2.STORAGE_CLASS_CONSTANT: (interface_pb2.STORAGE_CLASS_CONSTANT,),
    interface_pb2.STORAGE_CLASS_UNIFORM: (interface_pb2.STORAGE_CLASS_UNIFORM,),
}


def _access(number: access_pb2.AccessMode) -> str:
    return access_pb2.AccessMode.Name(number)


RULES = (
    missing_module,
    foreign_module,
    module_mismatch,
    binding_without_slot,
    slot_without_binding,
    binding_mismatch,
)
