"""Rules about the bindings of a payload and those of the graph that it realizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2, interface_pb2
from interlock.diagnostic import NamedElement, Step
from interlock.graph.accesses import ATOMIC, READ, READ_WRITE, WRITE, WRITING
from interlock.graph.extents import describe, is_multiple
from interlock.graph.modules import CONSTANT, UNIFORM, projected_storage
from interlock.rules.model import Finding, rule
from interlock.rules.nested import REALIZED
from interlock.rules.payload.beside_graph import ENVELOPE, realized_entries
from interlock.rules.payload.profile import entry_path, named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from execgraph.v1 import payload_pb2
    from interlock.graph.realization import BoundSlot
    from interlock.rules.context import Context
    from interlock.rules.held import BindingPlace, Realization


def _bindings(context: Context) -> Iterator[BindingPlace]:
    for each in context.realizations:
        yield from each.bindings


def _elements(binding: payload_pb2.TargetBinding) -> tuple[NamedElement, ...]:
    return NamedElement("node", binding.node), NamedElement("slot", binding.slot)


@rule("payload.unknown-binding", kinds=ENVELOPE, needs=REALIZED)
def unknown_binding(context: Context) -> Iterator[Finding]:
    """An entry binds something that the graph does not bind.

    What it checks:
        Every binding of an entry is that of a slot that a member of the group binds in the graph.

    Why:
        What the graph does not bind has no bytes, no order and no visibility.

    Bad example:
        bindings { node: "stage-one" slot: "not-bound-there" resource: "samples" }

    Good example:
        bindings { node: "stage-one" slot: "samples" resource: "samples" }
    """
    for place in _bindings(context):
        binding, bound = place.message, place.bound
        if bound is None:
            message = f"no member `{binding.node}` of the group binds a slot `{binding.slot}` in the graph"
            yield Finding(place.path, message, _elements(binding))


@rule("payload.missing-binding", kinds=ENVELOPE, needs=REALIZED)
def missing_binding(context: Context) -> Iterator[Finding]:
    """A dispatch binds something that the entry of its group does not bind.

    What it checks:
        Every slot that a member of a group binds in the graph is bound by the entry of the group.

    Why:
        The kernel would run without bytes that the graph gives it.

    Bad example:
        entries { group: "sum" logical_elements: 1 }

    Good example:
        entries { group: "sum" bindings { node: "stage-one" slot: "samples" resource: "samples" } }
    """
    for each, index, entry, members in realized_entries(context):
        there = {(binding.node, binding.slot) for binding in entry.bindings}
        for node in members:
            identity = each.graph.nodes.ids[node]
            for slot in each.dispatches.bound(node):
                if (identity, slot) not in there:
                    yield Finding(
                        entry_path(each.payload, index, Step("bindings")),
                        f"`{identity}` binds slot `{slot}` in the graph; the entry does not",
                        (*named(entry.group), NamedElement("node", identity), NamedElement("slot", slot)),
                    )


@rule("payload.resource-mismatch", kinds=ENVELOPE, needs=REALIZED)
def resource_mismatch(context: Context) -> Iterator[Finding]:
    """A binding names another resource than the graph binds there.

    What it checks:
        The resource of a binding is the one that the graph binds to that slot of that node.

    Why:
        The kernel would read or write bytes that were ordered for somebody else.

    Bad example:
        bindings { node: "stage-one" slot: "samples" resource: "partials" }

    Good example:
        bindings { node: "stage-one" slot: "samples" resource: "samples" }
    """
    for place in _bindings(context):
        binding, bound = place.message, place.bound
        if bound is not None and binding.resource != bound.resource:
            message = f"the resource is `{binding.resource}`; the graph binds `{bound.resource}` there"
            yield Finding(place.path.field("resource"), message, _elements(binding))


@rule("payload.storage-class-mismatch", kinds=ENVELOPE, needs=REALIZED)
def storage_class_mismatch(context: Context) -> Iterator[Finding]:
    """A binding is in another memory than its resource.

    What it checks:
        A binding that is neither constant nor uniform by its slot is in constant memory exactly if its
        resource is a constant. What lies in constant or uniform memory is only read.

    Why:
        Constant memory is never written while the graph runs, and may be cached as such.

    Bad example:
        # of a temporary
        bindings { node: "stage-one" slot: "partials" storage_class: STORAGE_CLASS_CONSTANT }

    Good example:
        # of a temporary
        bindings { node: "stage-one" slot: "partials" storage_class: STORAGE_CLASS_GLOBAL }
    """
    for place in _bindings(context):
        binding, bound = place.message, place.bound
        slot = place.payload.module_slots.get(place.group, {}).get((binding.node, binding.slot))
        if binding.storage_class in (CONSTANT, UNIFORM) and binding.access in WRITING:
            stated = interface_pb2.StorageClass.Name(binding.storage_class)
            message = (
                f"the storage class is `{stated}`, but the binding is written; required is global memory"
            )
            yield Finding(place.path.field("storage_class"), message, _elements(binding))
            continue
        if bound is None or slot is None or slot.message.slot.storage_class in (CONSTANT, UNIFORM):
            continue
        wanted = projected_storage(slot.message.slot.storage_class, bound.role)
        if binding.storage_class != wanted:
            names = [interface_pb2.StorageClass.Name(kind) for kind in (binding.storage_class, wanted)]
            message = f"the storage class is `{names[0]}`; by slot and resource it is {names[1]}"
            yield Finding(place.path.field("storage_class"), message, _elements(binding))


_COMPATIBLE: dict[int, tuple[int, ...]] = {
    READ: (READ,),
    WRITE: (WRITE, READ_WRITE),
    READ_WRITE: (READ_WRITE, WRITE, READ),
    ATOMIC: (ATOMIC, READ_WRITE),
}
"""What a kernel may do to bytes, by what the graph declares."""


@rule("payload.access-mismatch", kinds=ENVELOPE, needs=REALIZED)
def access_mismatch(context: Context) -> Iterator[Finding]:
    """A binding does something else to its bytes than the graph declares.

    What it checks:
        What the graph declares as read is only read; what it declares as written is written, and so is what
        it declares as fully overwritten; what it declares as atomic is atomic, or read and written.

    Why:
        Order and visibility were proven for the accesses that the graph declares. One more was proven for
        nothing.

    Bad example:
        # of a binding with access: ACCESS_MODE_READ in the graph
        bindings { node: "stage-one" slot: "samples" access: ACCESS_MODE_READ_WRITE }

    Good example:
        # of a binding with access: ACCESS_MODE_READ in the graph
        bindings { node: "stage-one" slot: "samples" access: ACCESS_MODE_READ }
    """
    for place in _bindings(context):
        binding, bound = place.message, place.bound
        if bound is None or bound.access not in _COMPATIBLE:
            continue
        allowed = [mode for mode in _COMPATIBLE[bound.access] if not (bound.is_full and mode == READ)]
        if binding.access not in allowed:
            stated = access_pb2.AccessMode.Name(binding.access)
            declared = access_pb2.AccessMode.Name(bound.access)
            full = " FULL" if bound.is_full else ""
            message = f"the access is `{stated}`; the graph declares {declared}{full}"
            yield Finding(place.path.field("access"), message, _elements(binding))


@rule("payload.binding-beyond-profile", kinds=ENVELOPE, needs=REALIZED)
def binding_beyond_profile(context: Context) -> Iterator[Finding]:
    """A binding is larger than the profile allows, or starts where it must not.

    What it checks:
        No binding is larger, for any value of the parameters, than the profile's buffer range, where that is
        known; and every binding that is not constant starts at a multiple of the profile's alignment.

    Why:
        The binding would be refused by every device of the profile, or read from another place.

    Bad example:
        # of a resource of 8 GiB
        profile { maximum_buffer_range: 4294967295 }

    Good example:
        # of a resource of 8 MiB
        profile { maximum_buffer_range: 4294967295 }
    """
    for each in context.realizations:
        for place in each.bindings:
            if place.bound is not None:
                yield from _beyond(each, place, place.bound)


def _beyond(each: Realization, place: BindingPlace, bound: BoundSlot) -> Iterator[Finding]:
    profile, binding, elements = each.payload.message.profile, place.message, each.graph.elements
    if profile.maximum_buffer_range and (bound.largest or 0) > profile.maximum_buffer_range:
        message = f"it may be `{bound.largest}` bytes; the profile allows {profile.maximum_buffer_range}"
        yield Finding(place.path.field("resource"), message, _elements(binding))
    alignment = profile.storage_offset_alignment
    if (
        alignment > 1
        and bound.offset is not None
        and binding.storage_class != CONSTANT
        and not is_multiple(bound.offset, alignment, elements.domains)
    ):
        at = describe(bound.offset, elements.parameter_names)
        message = f"it starts at byte `{at}`; the profile demands a multiple of {alignment}"
        yield Finding(place.path.field("resource"), message, _elements(binding))


RULES = (
    unknown_binding,
    missing_binding,
    resource_mismatch,
    storage_class_mismatch,
    access_mismatch,
    binding_beyond_profile,
)
