"""How the dispatches of a package use the interfaces of their artifacts, with like ones together.

Two dispatches are alike if they run one entry with the same bindings but for the bytes, the same inline
constants but for their values, and the same specialization. A rule judges each once on every target.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interlock.diagnostic import NamedElement, Step
from interlock.errors import WorkExceededError
from interlock.graph.accesses import AccessRole
from interlock.graph.elements import LayoutKind
from interlock.package.index import VariantEntry
from interlock.rules.model import Gap

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from execgraph.v1.dispatch_pb2 import Binding, Dispatch
    from interlock.diagnostic import Path
    from interlock.graph.index import GraphIndex
    from interlock.graph.operations import Place
    from interlock.package.knowledge import EntryFacts, Facts, VariantInterface
    from interlock.rules.context import Context
    from interlock.rules.launches import Where
    from interlock.rules.model import Finding

_DISPATCH = (Step("operation"), Step("dispatch"))
_BLOCKED = "has to find nothing here first"
BLOCKED = re.compile(rf"`([a-z.-]+)` {_BLOCKED}( \(and \d+ other places?\))?")
"""The reason of a gap at a place where another rule found something."""


@dataclass(frozen=True, slots=True)
class Use:
    """Dispatches of one graph that are alike, on one target.

    Attributes:
        where: The variant, the target, the graph.
        dispatch: One of them.
        nodes: All of them.
        images: Of each slot whether an image is bound to it; nothing where it is not known what is.
        slots: What is known about each slot that they name, by its name; None where it is nothing.
    """

    where: Where
    dispatch: Dispatch
    nodes: Sequence[int]
    images: Mapping[str, bool]
    slots: Mapping[str, Facts | None] = field(init=False)

    def __post_init__(self) -> None:
        entry = self.where.entry
        named = [each.slot for each in self.dispatch.bindings]
        named += [each.slot for each in self.dispatch.inline_constants]
        slots = {name: None if entry is None else entry.slot(name) for name in named}
        object.__setattr__(self, "slots", slots)

    @property
    def interface(self) -> VariantInterface:
        """What is known about the variant."""
        return self.where.interface

    @property
    def variant(self) -> str:
        """The variant, in words."""
        return str(self.where.variant)

    def findings(self, steps: Place, message: str, *slots: str) -> Iterator[Finding]:
        """Yield a finding at a place below each dispatch. ``{node}`` in the message stands for its id."""
        elements = [NamedElement("slot", slot) for slot in slots]
        for node in self.nodes:
            said = message.replace("{node}", self.where.part.graph.nodes.ids[node])
            yield self.where.finding(node, (*_DISPATCH, *steps), said, *elements)

    def gaps(self, steps: Place, reason: str) -> Iterator[Gap]:
        """Yield a gap at a place below each dispatch."""
        for node in self.nodes:
            yield self.where.gap(node, (*_DISPATCH, *steps), reason)


@dataclass(frozen=True, slots=True)
class EnteredUse:
    """A use whose entry is known."""

    use: Use
    entry: EntryFacts


@dataclass(frozen=True, slots=True)
class SlotUse:
    """A slot that dispatches name, and about which something is known.

    Attributes:
        use: The dispatches.
        entry: Their entry.
        slot: The slot.
        name: What the dispatches call it.
        place: The binding or inline constant, below the dispatch.
        binding: The binding; None for an inline constant.
    """

    use: Use
    entry: EntryFacts
    slot: Facts
    name: str
    place: Place
    binding: Binding | None

    @property
    def words(self) -> str:
        """The slot, in words."""
        own = "" if self.slot.target_name == self.name else f" (`{self.slot.target_name}`)"
        return f"slot `{self.name}`{own} of {self.use.variant}"

    def findings(self, steps: Place, message: str) -> Iterator[Finding]:
        """Yield a finding at a place below what names the slot."""
        return self.use.findings((*self.place, *steps), message, self.name)

    def gaps(self, steps: Place, reason: str) -> Iterator[Gap]:
        """Yield a gap at a place below what names the slot."""
        return self.use.gaps((*self.place, *steps), reason)

    def missing(self, what: str) -> Iterator[Gap]:
        """Yield a gap for a fact that nobody states, with the reason if there is one."""
        return self.gaps((), self.slot.unknown or f"nothing says {what} {self.words}")


def blocked(code: str, path: Path, target: str = "") -> Gap:
    """Return a gap at a place where a rule found something that has to be right before anything else is."""
    return Gap(blocked_by(code), path, target)


def blocked_by(code: str) -> str:
    """Return the reason of such a gap."""
    return f"`{code}` {_BLOCKED}"


def uses(context: Context) -> Iterator[Use | Gap]:
    """Yield the uses of all graphs on all targets, and a gap where a graph has no variant to use.

    Raises:
        WorkExceededError: There is more to judge than `Limits.proof_work`.
    """
    yield from context.launches.unindexed()
    for each in context.package.selections:
        if not isinstance(each.variant, VariantEntry):
            yield blocked(each.variant.code, context.package.row(each.graph, each.artifact), each.target)
    work = 0
    for use in context.launches.uses:
        # What a rule does for a use grows with what its entry takes, not with what the use names alone.
        work += 1 + len(use.interface.constants) + (len(use.where.entry.slots) if use.where.entry else 0)
        if work > context.limits.proof_work:
            raise WorkExceededError(context.limits.proof_work)
        yield use


def entered_uses(context: Context) -> Sequence[EnteredUse | Gap]:
    """Return the uses whose entry is known, and a gap for any other.

    Raises:
        WorkExceededError: As for `uses`.
    """
    table = context.launches
    if table.entered_uses is None:
        table.entered_uses = tuple(_entered_uses(context))
    return table.entered_uses


def _entered_uses(context: Context) -> Iterator[EnteredUse | Gap]:
    for use in uses(context):
        if isinstance(use, Gap):
            yield use
            continue
        failure = entry_failure(use.interface, use.where.entry_name)
        if failure or use.where.entry is None:
            yield from use.gaps((), blocked_by(failure))
        else:
            yield EnteredUse(use, use.where.entry)


def named_slots(use: Use) -> Iterator[tuple[str, Place, Binding | None]]:
    """Yield the slots that a use names: the name, the place, and the binding, if it is one."""
    for index, binding in enumerate(use.dispatch.bindings):
        yield binding.slot, (Step("bindings", index, binding.slot),), binding
    for index, constant in enumerate(use.dispatch.inline_constants):
        yield constant.slot, (Step("inline_constants", index, constant.slot),), None


def slot_uses(context: Context) -> Sequence[SlotUse | Gap]:
    """Return the slots that dispatches name and that are known, and a gap for any other.

    Raises:
        WorkExceededError: As for `uses`.
    """
    table = context.launches
    if table.slot_uses is None:
        table.slot_uses = tuple(_slot_uses(context))
    return table.slot_uses


def _slot_uses(context: Context) -> Iterator[SlotUse | Gap]:
    for entered in entered_uses(context):
        if isinstance(entered, Gap):
            yield entered
            continue
        use, entry = entered.use, entered.entry
        for name, place, binding in named_slots(use):
            slot = use.slots[name]
            failure = slot_failure(use.interface, entry, name)
            if failure or slot is None:
                yield from use.gaps(place, blocked_by(failure) if failure else entry.unknown)
            else:
                yield SlotUse(use, entry, slot, name, place, binding)


def entry_failure(interface: VariantInterface, name: str) -> str:
    """Return the code of what keeps an entry of a variant from being found; empty if it is there."""
    if not interface.is_known:
        return "interface.missing"
    entry = interface.entries.get(name)
    if entry is not None and (name in interface.unmapped_entries):
        return "interface.unmapped"
    if entry is not None and (entry.is_documented or not interface.is_documented):
        return ""
    return "interface.missing-entry" if interface.is_complete else "interface.unmapped"


def slot_failure(interface: VariantInterface, entry: EntryFacts, name: str) -> str:
    """Return the code of what keeps a slot of an entry from being found; empty if it is there.

    It is empty too where some source says that it does not know the slots of the entry.
    """
    slot = entry.slot(name)
    if slot is not None:
        return "interface.unmapped" if (entry.name, slot.name) in interface.unmapped_slots else ""
    is_complete = any(facts.is_complete for facts in interface.modules)
    if entry.unknown and not is_complete:
        return ""
    if entry.is_documented and any(each.is_documented for each in entry.slots.values()):
        return "interface.missing-slot"
    is_complete = is_complete or not interface.modules
    return "interface.missing-slot" if is_complete else "interface.unmapped"


def alike_uses(graph: GraphIndex) -> list[tuple[Dispatch, list[int], dict[str, bool]]]:
    """Return the dispatches of a graph by how they use an interface: one, the nodes, what is an image."""
    found: dict[tuple[object, ...], tuple[Dispatch, list[int], dict[str, bool]]] = {}
    images = _images(graph)
    for node, _ in graph.operations.geometry_of:
        dispatch: Dispatch = graph.nodes.operations[node]  # type: ignore[assignment]
        bound = images.get(node, {})
        key = (
            dispatch.artifact,
            dispatch.entry,
            *((each.slot, each.access, each.usage, bound.get(each.slot)) for each in dispatch.bindings),
            *(each.coordinate.SerializeToString(deterministic=True) for each in dispatch.bindings),
            len(dispatch.bindings),
            *(each.slot for each in dispatch.inline_constants),
            *((each.first, each.second) for each in dispatch.tolerated_aliases),
            *(each.SerializeToString(deterministic=True) for each in dispatch.specialization),
        )
        found.setdefault(key, (dispatch, [], bound))[1].append(node)
    return list(found.values())


def _images(graph: GraphIndex) -> dict[int, dict[str, bool]]:
    """Return of every bound slot whether an image is bound to it, by node; not where it is not known."""
    found: dict[int, dict[str, bool]] = {}
    accesses, resources = graph.accesses, graph.elements.resources
    for access, role in enumerate(accesses.role):
        if role == AccessRole.BINDING:
            resource = graph.selections[accesses.selection[access]].resource
            if resource is not None:
                slot = accesses.place[access][-1].key or ""
                is_image = resources[resource].layout is LayoutKind.IMAGE
                found.setdefault(accesses.node[access], {})[slot] = is_image
    return found
