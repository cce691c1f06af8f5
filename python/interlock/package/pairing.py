"""Which slot of a module is which logical slot: by the names that somebody stated, else by the place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from interlock.package.knowledge import PLACE, are_same_place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from execgraph.v1.interface_pb2 import Entry, Slot
    from interlock.package.facts import ModuleFacts, Place
    from interlock.package.knowledge import EntryFacts, Facts


@dataclass(frozen=True)
class Module:
    """What a source knows about one module, by entry."""

    facts: ModuleFacts

    @cached_property
    def aliases(self) -> dict[str, dict[str, list[str]]]:
        """Other names of slots: by entry, then by the name in the interface."""
        found: dict[str, dict[str, list[str]]] = {}
        for (owner, alias), own in self.facts.aliases.items():
            found.setdefault(owner, {}).setdefault(own, []).append(alias)
        return found

    @cached_property
    def unknown_slots(self) -> dict[str, list[str]]:
        """Slots about which something should be known and is not, by entry."""
        found: dict[str, list[str]] = {}
        for owner, name in self.facts.unknown:
            if name:
                found.setdefault(owner, []).append(name)
        return found


@dataclass(frozen=True, slots=True)
class Pair:
    """A slot of a module and the logical slot that it is; None where it is none that is known.

    Attributes:
        own: The name in the module.
        names: That name and its other names.
        logical: The logical slot.
        message: What the module says about it; None if nothing.
    """

    own: str
    names: tuple[str, ...]
    logical: Facts | None
    message: Slot | None


def paired(entry: EntryFacts, message: Entry, module: Module) -> Iterator[Pair]:
    """Yield the slots of an entry of a module beside the logical ones, each of which is met once at most.

    A place decides only where one logical slot alone is there: nothing is guessed.
    """
    own_slots: dict[str, Slot | None] = {slot.name: slot for slot in message.slots}
    for name in module.unknown_slots.get(message.name, ()):
        own_slots.setdefault(name, None)
    aliases = module.aliases.get(message.name, {})
    by_target = {slot.target_name: slot for slot in entry.slots.values()}
    left: list[Pair] = []
    met: set[str] = set()
    for own, slot in own_slots.items():
        names = (own, *aliases.get(own, ()))
        known = next((by_target[name] for name in names if name in by_target), None)
        if known is None or known.name in met:
            left.append(Pair(own, names, None, slot))
        else:
            met.add(known.name)
            yield Pair(own, names, known, slot)
    by_place: dict[tuple[int, int], list[Facts]] = {}
    for logical in entry.slots.values() if left else ():
        there: Place | None = logical.value(PLACE)
        if there is not None and logical.name not in met:
            by_place.setdefault((there.group, there.index), []).append(logical)
    for pair in left:
        place = module.facts.places.get((message.name, pair.own))
        known = None if place is None else _alone(by_place.get((place.group, place.index), ()), place, met)
        if known is not None:
            met.add(known.name)
        yield Pair(pair.own, pair.names, known, pair.message)


def _alone(candidates: list[Facts] | tuple[()], place: Place, met: set[str]) -> Facts | None:
    """Return the one logical slot that is at a place; None where there are several, or it was met."""
    fitting = [slot for slot in candidates if are_same_place(slot.value(PLACE), place)]
    return fitting[0] if len(fitting) == 1 and fitting[0].name not in met else None
