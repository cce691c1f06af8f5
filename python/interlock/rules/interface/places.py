"""Rules about where slots are: group and index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2, interface_pb2
from interlock.diagnostic import NamedElement, Step
from interlock.package.facts import Place
from interlock.package.knowledge import PLACE
from interlock.rules.interface.accesses import access_of
from interlock.rules.interface.words import place_words
from interlock.rules.model import PACKAGE, Finding, Gap, rule
from interlock.rules.uses import slot_uses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.diagnostic import Path
    from interlock.package.entries import VariantEntry
    from interlock.package.knowledge import EntryFacts, Facts
    from interlock.rules.context import Context


@rule("interface.coordinate-mismatch", kinds=PACKAGE)
def coordinate_mismatch(context: Context) -> Iterator[Finding | Gap]:
    """A binding is pinned to another coordinate than its slot has.

    What it checks:
        Where a binding pins a coordinate, the slot of the variant is in that group, at that index, and the
        array of descriptors there has the element.

    Why:
        A runtime that follows the pin would bind to another slot, or to none.

    Bad example:
        slots { slot: "x" coordinate { group: 0 index: 1 } }
        bindings { slot: "x" coordinate { group: 0 index: 2 } }

    Good example:
        slots { slot: "x" coordinate { group: 0 index: 1 } }
        bindings { slot: "x" coordinate { group: 0 index: 1 } }
    """
    for each in slot_uses(context):
        if isinstance(each, Gap):
            yield each
            continue
        if each.binding is None or not each.binding.HasField("coordinate"):
            continue
        pinned, fact = each.binding.coordinate, each.slot.known.get(PLACE)
        place = (Step("coordinate"),)
        if fact is None:
            yield from each.missing("where a runtime finds")
            continue
        known: Place = fact.value
        if (pinned.group, pinned.index) != (known.group, known.index):
            message = (
                f"the binding is pinned to {place_words(Place(pinned.group, pinned.index))}; {each.words} is "
                f"at {place_words(known)}, as {fact.source} says"
            )
            yield from each.findings(place, message)
        count = each.slot.known.get("array_count")
        if count is not None and pinned.array_element >= (count.value or 1):
            message = (
                f"the binding is pinned to element `{pinned.array_element}`; {each.words} has "
                f"{count.value or 1}, as {count.source} says"
            )
            yield from each.findings((*place, Step("array_element")), message)


@rule("interface.duplicate-coordinate", kinds=PACKAGE)
def duplicate_coordinate(context: Context) -> Iterator[Finding | Gap]:
    """Two slots of an entry are at one place in a variant.

    What it checks:
        No two slots of an entry that a graph runs have the same group and index, in the same kind of
        register where a target numbers kinds apart; but for slots of which the entry says that they may
        overlap.

    Why:
        Only one thing can be bound to a place: the second would replace the first.

    Bad example:
        slots { slot: "x" coordinate { index: 0 } }
        slots { slot: "y" coordinate { index: 0 } }

    Good example:
        slots { slot: "x" coordinate { index: 0 } }
        slots { slot: "y" coordinate { index: 1 } }
    """
    package = context.package
    for target, variant in package.used_variants:
        interface = package.interface(variant)
        for name in package.used_entries[variant.key]:
            entry = interface.entries.get(name)
            if entry is not None:
                yield from _shared_places(target, variant, entry)


def _shared_places(target: str, variant: VariantEntry, entry: EntryFacts) -> Iterator[Finding | Gap]:
    tolerated = entry.value("tolerated_aliases") or ()
    paths = mapping_paths(variant, entry.name)
    at: dict[tuple[int, int, str], Facts] = {}
    for slot in entry.slots.values():
        fact = slot.known.get(PLACE)
        if fact is None:
            continue
        place: Place = fact.value
        space = place.space or _space(target, slot)
        if space is None:
            reason = slot.unknown or f"nothing says in which registers slot `{slot.name}` of {variant} is"
            yield Gap(reason, paths.get(slot.name, variant.path), target)
            continue
        other = at.setdefault((place.group, place.index, space), slot)
        if other is not slot and tuple(sorted((other.name, slot.name))) not in tolerated:
            message = f"`{other.name}` and `{slot.name}` of {variant} are both at {place_words(place)}"
            path = paths.get(slot.name, variant.path)
            yield Finding(path, message, (NamedElement("slot", slot.name),), target=target)


def mapping_paths(variant: VariantEntry, entry: str) -> dict[str, Path]:
    """Return the paths of how a variant maps the slots of an entry, by slot."""
    for index, mapping in enumerate(variant.variant.entries):
        if mapping.entry == entry:
            path = variant.path.extended(Step("entries", index, entry))
            return {
                slot.slot: path.extended(Step("slots", number, slot.slot))
                for number, slot in enumerate(mapping.slots)
            }
    return {}


_CLASSES = {
    "directx": {
        interface_pb2.SLOT_KIND_CONSTANT_BUFFER: "b",
        interface_pb2.SLOT_KIND_INLINE_CONSTANTS: "b",
        interface_pb2.SLOT_KIND_SAMPLED_IMAGE: "t",
        interface_pb2.SLOT_KIND_SAMPLER: "s",
    },
    "metal": {
        interface_pb2.SLOT_KIND_STORAGE_BUFFER: "buffer",
        interface_pb2.SLOT_KIND_CONSTANT_BUFFER: "buffer",
        interface_pb2.SLOT_KIND_INLINE_CONSTANTS: "buffer",
        interface_pb2.SLOT_KIND_SAMPLED_IMAGE: "texture",
        interface_pb2.SLOT_KIND_STORAGE_IMAGE: "texture",
        interface_pb2.SLOT_KIND_SAMPLER: "sampler",
    },
    "opengl": {
        interface_pb2.SLOT_KIND_STORAGE_BUFFER: "buffer",
        interface_pb2.SLOT_KIND_CONSTANT_BUFFER: "uniform",
        interface_pb2.SLOT_KIND_INLINE_CONSTANTS: "location",
        interface_pb2.SLOT_KIND_SAMPLED_IMAGE: "texture",
        interface_pb2.SLOT_KIND_STORAGE_IMAGE: "image",
        interface_pb2.SLOT_KIND_SAMPLER: "texture",
    },
}
"""Targets that number kinds of slots apart, with what each numbering is called. All others have one."""


def _space(target: str, slot: Facts) -> str | None:
    """Return the numbering in which a slot is; None if that is not known."""
    classes = _CLASSES.get(target)
    if classes is None:
        return ""
    kind = slot.value("kind")
    if target != "directx" or kind in classes or kind is None:
        return classes.get(kind)
    access = access_of(slot)
    if access is None:
        return None
    return "t" if access.value == access_pb2.ACCESS_MODE_READ else "u"


RULES = (coordinate_mismatch, duplicate_coordinate)
