"""Rules about slots: what is named is there and takes what it gets, and what is needed gets something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2, interface_pb2
from interlock.diagnostic import Step
from interlock.package.knowledge import PLACE
from interlock.rules.interface.words import listed, word
from interlock.rules.model import PACKAGE, Finding, Gap, rule
from interlock.rules.uses import blocked_by, entered_uses, named_slots, slot_failure, slot_uses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.package.knowledge import EntryFacts, Facts
    from interlock.rules.context import Context
    from interlock.rules.uses import SlotUse, Use

_SLOT = Step("slot")
_UNBOUND_CLASSES = (interface_pb2.STORAGE_CLASS_SHARED, interface_pb2.STORAGE_CLASS_SCRATCH)


@rule("interface.missing-slot", kinds=PACKAGE)
def missing_slot(context: Context) -> Iterator[Finding | Gap]:
    """A dispatch names a slot that its entry does not have.

    What it checks:
        Every binding and every inline constant of a dispatch names a slot of the entry.

    Why:
        What is bound to nothing is never used: the graph means another kernel, or another slot.

    Bad example:
        slots { name: "x" kind: SLOT_KIND_STORAGE_BUFFER }
        bindings { slot: "input" }

    Good example:
        slots { name: "x" kind: SLOT_KIND_STORAGE_BUFFER }
        bindings { slot: "x" }
    """
    for entered in entered_uses(context):
        if isinstance(entered, Gap):
            yield entered
            continue
        use, entry = entered.use, entered.entry
        for name, place, _ in named_slots(use):
            failure = slot_failure(use.interface, entry, name)
            if failure == "interface.missing-slot":
                there = listed(slot.name for slot in entry.slots.values())
                message = f"entry `{entry.name}` of {use.variant} has no slot `{name}`; it has {there}"
                yield from use.findings((*place, _SLOT), message, name)
            elif failure:
                yield from use.gaps(place, blocked_by(failure))
            elif use.slots[name] is None:
                yield from use.gaps(place, entry.unknown)


@rule("interface.unbound-slot", kinds=PACKAGE)
def unbound_slot(context: Context) -> Iterator[Finding | Gap]:
    """A slot that its entry needs gets nothing.

    What it checks:
        Every slot of the entry of a dispatch is bound or gets an inline constant: but for those that may
        stay unbound, those that the runtime binds, and memory of a workgroup or an invocation. A binding
        fills one descriptor; a slot that is an array of several stays unverified.

    Why:
        The kernel would read or write whatever is bound there by chance, or fault.

    Bad example:
        slots { name: "x" kind: SLOT_KIND_STORAGE_BUFFER }
        dispatch { artifact: "sum" entry: "main" }

    Good example:
        slots { name: "x" kind: SLOT_KIND_STORAGE_BUFFER }
        dispatch { artifact: "sum" entry: "main" bindings { slot: "x" } }
    """
    for entered in entered_uses(context):
        if isinstance(entered, Gap):
            yield entered
            continue
        use, entry = entered.use, entered.entry
        bound = {slot.name for slot in use.slots.values() if slot is not None}
        for name, place, _ in named_slots(use):
            slot = use.slots[name]
            if slot is not None:
                reason = _unbound_descriptors(slot)
                yield from use.gaps(place, reason) if reason else ()
        for slot in entry.slots.values():
            if slot.name not in bound and _is_needed(slot):
                own = "" if slot.target_name == slot.name else f" (`{slot.target_name}`)"
                message = f"slot `{slot.name}`{own} of {use.variant} gets nothing; a binding has to name it"
                yield from use.findings((Step("bindings"),), message, slot.name)
        if entry.unknown and not entry.slots:
            yield from use.gaps((Step("bindings"),), entry.unknown)


def _unbound_descriptors(slot: Facts) -> str:
    """Return why one binding may not be all that an array of descriptors needs; empty if it is."""
    count = slot.value("array_count")
    if count is None and "array_count" in slot.open:
        return slot.unknown
    if (count or 1) == 1:
        return ""
    return f"its slot takes `{count}` descriptors and gets one; which of them the kernel uses is not known"


def _is_needed(slot: Facts) -> bool:
    """Tell whether a graph has to bind a slot; not one that a mapping names and nobody knows."""
    return (
        bool(slot.known.keys() - {PLACE})
        and not slot.value("optional_binding")
        and slot.value("storage_class") not in _UNBOUND_CLASSES
        and slot.value("role") != interface_pb2.SLOT_ROLE_RUNTIME_DIAGNOSTIC
    )


@rule("interface.slot-bound-twice", kinds=PACKAGE)
def slot_bound_twice(context: Context) -> Iterator[Finding | Gap]:
    """A dispatch names one slot of a variant by two names.

    What it checks:
        The bindings and inline constants of a dispatch lead to different slots of the variant.

    Why:
        Some targets know a slot by several names. Only one thing can be bound to it.

    Bad example:
        # the block "XBlock" has the variable "x"
        bindings { slot: "XBlock" target { resource: "a" } }
        bindings { slot: "x" target { resource: "b" } }

    Good example:
        # the block "XBlock" has the variable "x"
        bindings { slot: "x" target { resource: "a" } }
    """
    for entered in entered_uses(context):
        if isinstance(entered, Gap):
            yield entered
            continue
        use, met = entered.use, dict[str, str]()
        for name, place, _ in named_slots(use):
            slot = use.slots[name]
            if slot is not None and slot.name in met:
                message = f"`{name}` is the slot that `{met[slot.name]}` names already, in {use.variant}"
                yield from use.findings((*place, _SLOT), message, name)
            elif slot is not None:
                met[slot.name] = name


@rule("interface.not-bindable", kinds=PACKAGE)
def not_bindable(context: Context) -> Iterator[Finding | Gap]:
    """A dispatch binds a slot that a graph never binds.

    What it checks:
        No binding and no inline constant names a slot in the memory of a workgroup or an invocation, or one
        that the runtime binds for its own diagnostics.

    Why:
        Such memory is the kernel's own, or the runtime's; what the graph binds there would be lost.

    Bad example:
        slots { name: "tile" kind: SLOT_KIND_STORAGE_BUFFER storage_class: STORAGE_CLASS_SHARED }
        bindings { slot: "tile" }

    Good example:
        slots { name: "tile" kind: SLOT_KIND_STORAGE_BUFFER storage_class: STORAGE_CLASS_GLOBAL }
        bindings { slot: "tile" }
    """
    for each in slot_uses(context):
        if isinstance(each, Gap):
            yield each
            continue
        storage, role = each.slot.known.get("storage_class"), each.slot.known.get("role")
        if storage is not None and storage.value in _UNBOUND_CLASSES:
            whose = f"{word('storage_class', storage.value)} memory, as {storage.source} says"
        elif role is not None and role.value == interface_pb2.SLOT_ROLE_RUNTIME_DIAGNOSTIC:
            whose = f"bound by the runtime, as {role.source} says"
        else:
            continue
        yield from each.findings((_SLOT,), f"{each.words} is {whose}; a graph never binds it")


@rule("interface.kind-mismatch", kinds=PACKAGE)
def kind_mismatch(context: Context) -> Iterator[Finding | Gap]:
    """What a dispatch gives to a slot is of another kind than the slot takes.

    What it checks:
        A buffer bound for SHADER_STORAGE goes to a storage buffer, one for SHADER_CONSTANT to a constant
        buffer; an image for SHADER_STORAGE to a storage image, one for SHADER_SAMPLED to a sampled image;
        an inline constant to a slot for inline constants.

    Why:
        Each kind is bound in a way of its own. No target takes one for the other.

    Bad example:
        slots { name: "params" kind: SLOT_KIND_CONSTANT_BUFFER }
        bindings { slot: "params" access: ACCESS_MODE_READ usage: USAGE_SHADER_STORAGE }

    Good example:
        slots { name: "params" kind: SLOT_KIND_CONSTANT_BUFFER }
        bindings { slot: "params" access: ACCESS_MODE_READ usage: USAGE_SHADER_CONSTANT }
    """
    for each in slot_uses(context):
        if isinstance(each, Gap):
            yield each
            continue
        kind = each.slot.known.get("kind")
        given = _given(each)
        if given is None:
            yield from each.gaps((), blocked_by("reference.missing-resource"))
        elif kind is None:
            yield from each.missing("of which kind is")
        elif given != kind.value:
            what = word("kind", given) if each.binding is None else f"a {word('kind', given)}"
            message = f"{each.words} is a {word('kind', kind.value)}, as {kind.source} says; it gets {what}"
            yield from each.findings((), message)


def _given(each: SlotUse) -> int | None:
    """Return the kind of slot that would take what is given; None if it is not known what that is."""
    if each.binding is None:
        return interface_pb2.SLOT_KIND_INLINE_CONSTANTS
    is_image = each.use.images.get(each.name)
    if is_image is None:
        return None
    if is_image:
        is_sampled = each.binding.usage == access_pb2.USAGE_SHADER_SAMPLED
        return interface_pb2.SLOT_KIND_SAMPLED_IMAGE if is_sampled else interface_pb2.SLOT_KIND_STORAGE_IMAGE
    is_constant = each.binding.usage == access_pb2.USAGE_SHADER_CONSTANT
    return interface_pb2.SLOT_KIND_CONSTANT_BUFFER if is_constant else interface_pb2.SLOT_KIND_STORAGE_BUFFER


@rule("interface.alias-not-declared", kinds=PACKAGE)
def alias_not_declared(context: Context) -> Iterator[Finding | Gap]:
    """A dispatch tolerates an alias that its entry does not.

    What it checks:
        Every pair of slots that a dispatch says may name the same bytes is one that the entry tolerates.

    Why:
        Whether a kernel still computes what it should when two of its slots overlap is a matter of the
        kernel: whoever wrote it has to say so.

    Bad example:
        entries { name: "main" stage: STAGE_COMPUTE }
        dispatch { entry: "main" tolerated_aliases { first: "x" second: "y" } }

    Good example:
        entries { name: "main" stage: STAGE_COMPUTE tolerated_aliases { first: "x" second: "y" } }
        dispatch { entry: "main" tolerated_aliases { first: "x" second: "y" } }
    """
    for entered in entered_uses(context):
        if isinstance(entered, Gap):
            yield entered
            continue
        use, entry = entered.use, entered.entry
        pairs = entry.known.get("tolerated_aliases")
        for index, pair in enumerate(use.dispatch.tolerated_aliases):
            place = (Step("tolerated_aliases", index),)
            if pairs is None:
                reason = entry.unknown or f"nothing says which slots of {use.variant} may overlap"
                yield from use.gaps(place, reason)
            elif _logical(use, entry, pair.first, pair.second) not in pairs.value:
                message = (
                    f"`{{node}}` tolerates that `{pair.first}` and `{pair.second}` overlap; entry "
                    f"`{entry.name}` of `{use.dispatch.artifact}` does not say that it does"
                )
                yield from use.findings(place, message)


def _logical(use: Use, entry: EntryFacts, *names: str) -> tuple[str, ...]:
    slots = ((name, use.slots.get(name) or entry.slot(name)) for name in names)
    return tuple(sorted(name if slot is None else slot.name for name, slot in slots))


RULES = (missing_slot, unbound_slot, slot_bound_twice, not_bindable, kind_mismatch, alias_not_declared)
