"""One interface of a variant, out of all that is known about it: in logical names, with the evidence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from execgraph.v1 import interface_pb2
from interlock.codec.schema import is_repeated
from interlock.diagnostic import Evidence
from interlock.package.facts import Place
from interlock.package.knowledge import (
    DOCUMENT,
    IMAGE_SHAPE,
    LISTED,
    PLACE,
    Contradiction,
    EntryFacts,
    Fact,
    Facts,
    VariantInterface,
)
from interlock.package.pairing import Module, paired

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from google.protobuf.descriptor import Descriptor
    from google.protobuf.message import Message

    from execgraph.v1.interface_pb2 import Entry, Interface, Slot
    from execgraph.v1.package_pb2 import EntryMapping, SlotMapping, Variant
    from interlock.package.facts import ModuleFacts
    from interlock.package.pairing import Pair

__all__ = [
    "DOCUMENT",
    "LISTED",
    "PLACE",
    "Contradiction",
    "EntryFacts",
    "Fact",
    "Facts",
    "VariantInterface",
    "merge",
]

_SLOT_FIELDS = (
    "kind",
    "storage_class",
    "role",
    "access",
    "element_type",
    "array_stride",
    "minimum_size",
    "alignment",
    "runtime_sized",
    "optional_binding",
    "packing",
    "image_format",
    "array_count",
    "members",
)
_ENTRY_FIELDS = (
    "stage",
    "elements_per_workgroup",
    "uses_atomics",
    "uses_subgroups",
    "exact_threads",
    "subgroup_size",
    "static_shared_bytes",
    "required_capabilities",
)
"""The fields that mean the same in every source. The rest holds names, which have to be translated."""
_CONSTANT_FIELDS = ("constant_id", "element", "default_value")

_SAID_BY_ALL = frozenset(
    {
        "minimum_size",
        "array_count",
        "uses_atomics",
        "uses_subgroups",
        "subgroup_size",
        "required_capabilities",
        "static_shared_bytes",
    }
)
_SAID_BY_DOCUMENT = _SAID_BY_ALL | {"optional_binding", "exact_threads", "tolerated_aliases"}
"""Fields that the package document states by leaving them out. The last three are about what a kernel is
meant for, which neither its bytes nor a manifest show."""
_SAID_BY_MODULE = _SAID_BY_ALL | {"runtime_sized"}
"""Fields that a source which knows everything states by leaving them out."""
_DEMANDS = frozenset({"optional_binding", "exact_threads", "tolerated_aliases", "minimum_size"})
"""Fields on which no verdict rests unless they are set."""

NOT_MAPPED = " (not mapped)"
"""Behind the name of a slot or constant of a module where a logical one has that name and is another."""


def merge(interface: Interface | None, variant: Variant, modules: Iterable[ModuleFacts]) -> VariantInterface:
    """Return what is known about a variant.

    Args:
        interface: That of its artifact in the package document; None if there is none.
        variant: The variant, with its mapping of names.
        modules: What others know about its bytes, in its own names.
    """
    found = VariantInterface(modules=tuple(sorted(modules, key=lambda facts: facts.evidence)))
    found.is_documented = interface is not None
    found.is_known = found.is_documented or any(
        facts.interface.entries or facts.is_complete for facts in found.modules
    )
    merging = _Merging(found, variant)
    if interface is not None:
        merging.add_document(interface)
    for facts in found.modules:
        merging.add_module(facts)
    merging.contradict()
    for constant in found.constants.values():
        if constant.value("constant_id") is not None:
            found.numbers.setdefault(constant.value("constant_id"), constant.name)
    return found


class _Merging:
    def __init__(self, found: VariantInterface, variant: Variant) -> None:
        self._found = found
        self._entries: dict[str, EntryMapping] = {mapping.entry: mapping for mapping in variant.entries}
        self._slots: dict[str, Mapping[str, SlotMapping]] = {}
        self._constants = {mapping.constant: mapping for mapping in variant.constants}
        self._lists: dict[str, list[_List]] = {}
        """By entry, who lists its slots, weakest first."""

    # The document.

    def add_document(self, interface: Interface) -> None:
        for message in interface.entries:
            entry = self._entry(message.name)
            entry.is_documented = True
            evidence = _claimed(message.evidence)
            self._take(entry, message, _ENTRY_FIELDS, evidence)
            if message.HasField("workgroup_size"):
                entry.add("workgroup_size", Fact(_trimmed(message.workgroup_size), evidence, DOCUMENT))
            pairs = tuple((pair.first, pair.second) for pair in message.tolerated_aliases)
            entry.add("tolerated_aliases", Fact(pairs, evidence, DOCUMENT, not pairs))
            for slot in message.slots:
                known = self._slot(entry, slot.name)
                known.is_documented = True
                self._take(known, slot, _SLOT_FIELDS, _claimed(slot.evidence) if slot.evidence else evidence)
            if message.slots:
                listed = frozenset(entry.slots)
                self._lists[message.name] = [_List(DOCUMENT, evidence, listed, is_complete=True, met=listed)]
        for constant in interface.constants:
            facts = self._constant(constant.name)
            facts.is_documented = True
            # The mapping of the variant decides about the number, so that its own is no contradiction.
            names = _CONSTANT_FIELDS if facts.value("constant_id") is None else _CONSTANT_FIELDS[1:]
            self._take(facts, constant, names, Evidence.ASSERTED)

    def _entry(self, name: str) -> EntryFacts:
        if name not in self._found.entries:
            target = self._entries[name].target_entry if name in self._entries else ""
            self._found.entries[name] = EntryFacts(name, target or name)
        return self._found.entries[name]

    def _slot_mappings(self, entry: str) -> Mapping[str, SlotMapping]:
        if entry not in self._slots:
            slots = self._entries[entry].slots if entry in self._entries else ()
            self._slots[entry] = {slot.slot: slot for slot in slots}
        return self._slots[entry]

    def _slot(self, entry: EntryFacts, name: str) -> Facts:
        if name not in entry.slots:
            mapping = self._slot_mappings(entry.name).get(name)
            slot = Facts(name, (mapping.target_slot if mapping else "") or name)
            if mapping is not None and mapping.HasField("coordinate"):
                place = Place(mapping.coordinate.group, mapping.coordinate.index)
                slot.known[PLACE] = Fact(place, Evidence.ASSERTED, DOCUMENT)
            entry.slots[name] = slot
        return entry.slots[name]

    def _constant(self, name: str) -> Facts:
        if name not in self._found.constants:
            mapping = self._constants.get(name)
            facts = Facts(name, (mapping.target_constant if mapping else "") or name)
            if mapping is not None and mapping.HasField("constant_id"):
                facts.known["constant_id"] = Fact(mapping.constant_id, Evidence.ASSERTED, DOCUMENT)
            self._found.constants[name] = facts
        return self._found.constants[name]

    def _take(
        self,
        facts: Facts,
        message: Message,
        names: tuple[str, ...],
        evidence: Evidence,
        module: ModuleFacts | None = None,
    ) -> None:
        """Take over what a message says: that of the document, or of a module."""
        source, by_absence = DOCUMENT, _SAID_BY_DOCUMENT
        if module is not None:
            source, by_absence = module.source, _SAID_BY_MODULE if module.is_complete else frozenset()
        for name, repeated, has_presence in _kinds(message.DESCRIPTOR, names):
            if has_presence and not message.HasField(name):
                continue
            value = getattr(message, name)
            if not value and not has_presence and name not in by_absence:
                continue
            is_default = (not value and name in _DEMANDS) or (name, value) == _USER
            facts.add(name, Fact(tuple(value) if repeated else value, evidence, source, is_default))

    # Modules.

    def add_module(self, facts: ModuleFacts) -> None:
        """Add what a source knows in the variant's own names."""
        module = Module(facts)
        constants = self._add_constants(facts)
        by_name = {entry.name: entry for entry in facts.interface.entries}
        for name in self._entries:
            self._entry(name)
        targets = {entry.target_name for entry in self._found.entries.values()}
        for name in by_name:
            if name not in targets:
                self._entry(name)
        for entry in self._found.entries.values():
            message = by_name.get(entry.target_name)
            if message is not None:
                self._found.unmapped_entries.pop(entry.name, None)
                self._add_entry(entry, message, facts, constants)
                self._add_slots(entry, message, module)
            elif by_name or facts.is_complete:
                self._found.unmapped_entries[entry.name] = facts.source

    def _add_entry(
        self, entry: EntryFacts, message: Entry, facts: ModuleFacts, constants: Mapping[str, str]
    ) -> None:
        entry.unknown = entry.unknown or facts.unknown.get((message.name, ""), "")
        entry.leave_open(facts.left_open.get((message.name, ""), ()))
        self._take(entry, message, _ENTRY_FIELDS, facts.evidence, facts)
        if message.HasField("workgroup_size"):
            size = _trimmed(message.workgroup_size)
            for axis in filter(lambda axis: axis.HasField("constant"), size.axes):
                axis.constant = constants.get(axis.constant, axis.constant)
            entry.add("workgroup_size", Fact(size, facts.evidence, facts.source))

    def _add_slots(self, entry: EntryFacts, message: Entry, module: Module) -> None:
        facts = module.facts
        for name in self._slot_mappings(entry.name):
            self._slot(entry, name)
        met: dict[str, bool] = {}
        for pair in paired(entry, message, module):
            known = pair.logical or self._new_slot(entry, pair)
            met[known.name] = _is_bound(pair.message)
            entry.aliases.update(dict.fromkeys(pair.names, known.name))
            known.unknown = known.unknown or facts.unknown.get((message.name, pair.own), "")
            if pair.message is not None:
                self._add_slot(entry, known, pair.message, facts)
        if message.tolerated_aliases:
            pairs = tuple(sorted(_logical(pair, entry.aliases) for pair in message.tolerated_aliases))
            entry.add("tolerated_aliases", Fact(pairs, facts.evidence, facts.source))
        unmapped = self._found.unmapped_slots
        for name in met:
            unmapped.pop((entry.name, name), None)
        if facts.is_complete or (message.name, "") not in facts.unknown:
            unmapped.update(((entry.name, name), facts.source) for name in entry.slots if name not in met)
            names = frozenset(name for name, is_bound in met.items() if is_bound)
            self._lists.setdefault(entry.name, []).append(
                _List(facts.source, facts.evidence, names, facts.is_complete, frozenset(met))
            )

    def _new_slot(self, entry: EntryFacts, pair: Pair) -> Facts:
        """Return a slot that no other source knows. A logical slot of that name is another one."""
        name = pair.own if pair.own not in entry.slots else f"{pair.own}{NOT_MAPPED}"
        entry.slots[name] = Facts(name, pair.own)
        return entry.slots[name]

    def _add_slot(self, entry: EntryFacts, known: Facts, slot: Slot, facts: ModuleFacts) -> None:
        key = entry.target_name, slot.name
        known.leave_open(facts.left_open.get(key, ()))
        self._take(known, slot, _SLOT_FIELDS, facts.evidence, facts)
        for name, values in ((PLACE, facts.places), (IMAGE_SHAPE, facts.image_shapes)):
            if key in values:
                known.add(name, Fact(values[key], facts.evidence, facts.source))

    def _add_constants(self, facts: ModuleFacts) -> dict[str, str]:
        """Add the constants of a module; return their logical names by its own."""
        known = self._found.constants
        named = {mapping.target_constant or name: name for name, mapping in self._constants.items()}
        numbered = {
            mapping.constant_id: name
            for name, mapping in self._constants.items()
            if mapping.HasField("constant_id")
        }
        for constant in known.values():
            named.setdefault(constant.target_name, constant.name)
            if constant.value("constant_id") is not None:
                numbered.setdefault(constant.value("constant_id"), constant.name)
        translation: dict[str, str] = {}
        for message in facts.interface.constants:
            name = named.get(message.name)
            if name is None and message.HasField("constant_id"):
                name = numbered.get(message.constant_id)
            if name is None:
                taken = message.name in known or message.name in self._constants
                name = f"{message.name}{NOT_MAPPED}" if taken else message.name
                known[name] = Facts(name, message.name)
            translation[message.name] = name
            self._take(self._constant(name), message, _CONSTANT_FIELDS, facts.evidence, facts)
            self._found.unmapped_constants.pop(name, None)
        if facts.is_complete or facts.knows_constants:
            missing = known.keys() - translation.values()
            self._found.unmapped_constants.update(dict.fromkeys(sorted(missing), facts.source))
        return translation

    # Contradictions.

    def contradict(self) -> None:
        """Keep what a source says otherwise than the one with the best evidence."""
        found = self._found.contradictions
        for entry in self._found.entries.values():
            found += entry.contradictions(entry.name, "")
            for slot in entry.slots.values():
                found += slot.contradictions(entry.name, slot.name)
            found += self._missing_slots(entry)
        for constant in self._found.constants.values():
            found += constant.contradictions("", constant.name)

    def _missing_slots(self, entry: EntryFacts) -> Iterator[Contradiction]:
        """Yield where a source lists a slot and another does not: the best that can tell is right."""
        lists = self._lists.get(entry.name, ())
        for name, slot in entry.slots.items() if len(lists) > 1 else ():
            telling = [each for each in lists if name in each.met or each.is_complete]
            best = telling[-1] if telling else None
            if best is None or best.source == DOCUMENT:
                continue
            is_there = name in best.met
            truth = Fact(slot.target_name if is_there else None, best.evidence, best.source)
            for each in lists[: lists.index(best)]:
                if is_there and name in best.bound and name not in each.met:
                    if each.source == DOCUMENT or (entry.name, name) not in self._found.unmapped_slots:
                        nothing = Fact(None, each.evidence, each.source)
                        yield Contradiction(entry.name, name, LISTED, nothing, truth)
                elif not is_there and name in each.met:
                    listed = Fact(slot.target_name, each.evidence, each.source)
                    yield Contradiction(entry.name, name, LISTED, listed, truth)


@dataclass(frozen=True, slots=True)
class _List:
    """The slots of one entry that a source lists: those that a graph has to bind, and all of them."""

    source: str
    evidence: Evidence
    bound: frozenset[str]
    is_complete: bool
    met: frozenset[str]


_USER = ("role", interface_pb2.SLOT_ROLE_USER)


@cache
def _kinds(descriptor: Descriptor, names: tuple[str, ...]) -> tuple[tuple[str, bool, bool], ...]:
    """Return fields of a message, each with whether it is repeated and whether it has presence."""
    fields = (descriptor.fields_by_name[name] for name in names)
    return tuple((field.name, is_repeated(field), field.has_presence) for field in fields)


def _claimed(evidence: int) -> Evidence:
    """Return how well a fact in a document is known: a document cannot prove what its bytes hold."""
    return min(Evidence(evidence), Evidence.DECLARED) if evidence else Evidence.ASSERTED


def _trimmed(size: interface_pb2.WorkgroupSize) -> interface_pb2.WorkgroupSize:
    """Return a workgroup size without axes of 1 at its end, which say nothing."""
    found = interface_pb2.WorkgroupSize()
    found.CopyFrom(size)
    while (
        len(found.axes) > 1
        and found.axes[-1].WhichOneof("size") != "constant"
        and found.axes[-1].literal == 1
    ):
        del found.axes[-1]
    return found


def _logical(pair: interface_pb2.ToleratedSlotPair, names: Mapping[str, str]) -> tuple[str, str]:
    """Return a pair of slots of a module in logical names, the smaller first."""
    first, second = sorted(names.get(name, name) for name in (pair.first, pair.second))
    return first, second


def _is_bound(slot: Slot | None) -> bool:
    """Tell whether a graph has to bind a slot: memory of a workgroup and what the runtime binds are not."""
    return slot is None or (
        slot.storage_class not in (interface_pb2.STORAGE_CLASS_SHARED, interface_pb2.STORAGE_CLASS_SCRATCH)
        and slot.role != interface_pb2.SLOT_ROLE_RUNTIME_DIAGNOSTIC
        and not slot.optional_binding
    )
