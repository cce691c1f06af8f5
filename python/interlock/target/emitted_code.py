"""Code that a compiler made of one dispatch, held against what the graph binds and the package declares."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, cast

from execgraph.v1 import interface_pb2, module_pb2, package_pb2, type_pb2
from interlock.codec.schema import is_repeated
from interlock.diagnostic import Evidence, NamedElement, Path, Step
from interlock.graph.modules import place, takes_bytes
from interlock.graph.types import storage_bits
from interlock.package.knowledge import PLACE
from interlock.package.merge import merge
from interlock.target.errors import EmissionError, UnsupportedError
from interlock.target.lowering import slots_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from google.protobuf.descriptor import FieldDescriptor

    from execgraph.v1 import capability_pb2, dispatch_pb2, profile_pb2
    from interlock.graph.realization import Dispatches
    from interlock.package.facts import ModuleFacts
    from interlock.package.knowledge import EntryFacts, Facts, VariantInterface
    from interlock.target.errors import TargetError
    from interlock.target.lowering import Coordinate, GroupLowering, Program

_DISPATCH = (Step("operation"), Step("dispatch"))
_DECIDING = frozenset(
    {PLACE, "kind", "array_count", "image_format", "array_stride", "stage", "element", "default_value"}
)
"""Facts that what binds and launches code goes by. The package must not say otherwise than the bytes."""
_SLOT_FIELDS = interface_pb2.Slot.DESCRIPTOR.fields_by_name
_SIGNED = frozenset(
    type_pb2.ElementType.Value(f"ELEMENT_TYPE_{name}") for name in ("I8", "I16", "I32", "I64")
)
_UNSIGNED = frozenset(
    type_pb2.ElementType.Value(f"ELEMENT_TYPE_{name}") for name in ("U8", "U16", "U32", "U64")
)
_BOOLEAN = type_pb2.ELEMENT_TYPE_BOOL


@dataclass(frozen=True)
class Launch:
    """One launch group of one dispatch, with the artifact that it runs."""

    lowering: GroupLowering
    dispatches: Dispatches
    artifact: package_pb2.Artifact

    @property
    def program(self) -> Program:
        """The kernel."""
        return self.lowering.programs[0]

    @property
    def source(self) -> package_pb2.Variant:
        """The variant that is compiled."""
        return self.artifact.variants[0]

    @cached_property
    def number(self) -> int:
        """The number of the dispatch."""
        return self.dispatches.graph.nodes.by_id[self.program.node]

    @cached_property
    def dispatch(self) -> dispatch_pb2.Dispatch:
        """The dispatch."""
        return self.dispatches.message(self.number)

    def path(self, *steps: Step) -> Path:
        """Return the path of a place of the dispatch in the graph."""
        return self.dispatches.graph.nodes.path(self.number, (*_DISPATCH, *steps))

    def refuse(
        self, code: str, text: str, *steps: Step, kind: type[TargetError] = EmissionError, slot: str = ""
    ) -> NoReturn:
        """Refuse the launch group, at a place of the dispatch.

        Raises:
            TargetError: Of the kind that is given.
        """
        elements = [NamedElement("launch-group", self.lowering.group)]
        if slot:
            elements.append(NamedElement("slot", slot))
        raise kind.of(
            code, f"launch group `{self.lowering.group}`: {text}", self.path(*steps), None, tuple(elements)
        )

    def check_constants(self, facts: ModuleFacts) -> Mapping[int, int | bool]:
        """Return the values of the constants that the dispatch sets, by number; not those of fractions.

        Raises:
            EmissionError: ``compiler.unknown-constant`` or ``compiler.constant-mismatch``.
        """
        by_name = {each.name: each for each in facts.interface.constants}
        by_number = {each.constant_id: each for each in facts.interface.constants}
        values: dict[int, int | bool] = {}
        for index, each in enumerate(self.program.constants):
            declared = by_name.get(each.name) if each.constant_id is None else by_number.get(each.constant_id)
            if each.from_default:
                continue
            step = Step("specialization", index)
            shown = f"`{each.name}`" if each.name else f"of number `{each.constant_id}`"
            if declared is None:
                self.refuse(
                    "compiler.unknown-constant", f"the code has no specialization constant {shown}", step
                )
            if declared.element != each.element:
                wanted, given = map(type_pb2.ElementType.Name, (declared.element, each.element))
                text = f"the specialization constant {shown} is set as `{given}`; the code declares {wanted}"
                self.refuse("compiler.constant-mismatch", text, step)
            if each.element == _BOOLEAN:
                values[declared.constant_id] = any(each.bits)
            elif each.element in _SIGNED | _UNSIGNED:
                signed = each.element in _SIGNED
                values[declared.constant_id] = int.from_bytes(each.bits, "little", signed=signed)
        return values

    def check_capabilities(
        self, needed: list[capability_pb2.Capability], profile: profile_pb2.TargetProfile
    ) -> None:
        """Check that a profile offers what the code needs.

        Raises:
            UnsupportedError: ``compiler.capability-not-offered``.
        """
        from execgraph.v1 import capability_pb2  # noqa: PLC0415  (only here)
        from interlock.graph.capabilities import short_name  # noqa: PLC0415

        for each in needed:
            if each not in profile.capabilities:
                name = short_name(capability_pb2.Capability.Name(each))
                text = f"the code needs `{name}`, which the profile `{profile.identity}` does not offer"
                self.refuse("compiler.capability-not-offered", text, kind=UnsupportedError)

    def slots(
        self, facts: ModuleFacts, target_entry: str, *, proven: bool, placed: bool
    ) -> tuple[bytes, ...]:
        """Return the slots of code in the names that the graph has for them.

        Args:
            facts: What is known about the code.
            target_entry: The name of the entry in the code.
            proven: Whether it was read from the bytes themselves: then the package must not contradict it.
            placed: Whether coordinates are those of the source, so that what is said of them holds.

        Raises:
            EmissionError: The code does not take what the dispatch binds.
        """
        known = merge(
            self.artifact.interface if self.artifact.HasField("interface") else None,
            self._variant(target_entry, with_places=placed),
            [facts],
        )
        entry = known.entries.get(self.program.entry)
        if entry is None or entry.name in known.unmapped_entries:
            there = ", ".join(f"`{each.name}`" for each in facts.interface.entries) or "none"
            self.refuse(
                "compiler.missing-entry",
                f"the code has no entry `{target_entry}`; it has {there}",
                Step("entry"),
            )
        if proven:
            self._check_contradictions(known)
        return _Slots(self, known, entry, proven=proven, placed=placed).messages()

    def _variant(self, target_entry: str, *, with_places: bool) -> package_pb2.Variant:
        """Return the variant that the code is: the mapping of the source, with the entry of the code."""
        found = package_pb2.Variant(constants=self.source.constants)
        mapping = found.entries.add(entry=self.program.entry, target_entry=target_entry)
        for each in self.source.entries:
            if each.entry == self.program.entry:
                mapping.slots.extend(each.slots)
        if not with_places:
            for slot in mapping.slots:
                slot.ClearField("coordinate")
        return found

    def _check_contradictions(self, known: VariantInterface) -> None:
        for each in known.contradictions:
            if each.entry in ("", self.program.entry) and each.field in _DECIDING:
                where = f"`{each.slot}`" if each.slot else f"the entry `{each.entry}`"
                code = "coordinate-mismatch" if each.field == PLACE else "interface-contradicted"
                text = (
                    f"the package says that the {each.field} of {where} is "
                    f"`{_shown(each.weaker.value)}`; the code has {_shown(each.stronger.value)}"
                )
                self.refuse(f"compiler.{code}", text, slot=each.slot)


class _Slots:
    """The slots of one entry, paired with what the dispatch binds."""

    def __init__(
        self, launch: Launch, known: VariantInterface, entry: EntryFacts, *, proven: bool, placed: bool
    ) -> None:
        self._launch = launch
        self._known = known
        self._entry = entry
        self._proven = proven
        self._placed = placed
        self._names: dict[str, str] = {}

    def messages(self) -> tuple[bytes, ...]:
        launch = self._launch
        dispatch, bound = launch.dispatch, launch.dispatches.bound(launch.number)
        for index, binding in enumerate(dispatch.bindings):
            step = Step("bindings", index, binding.slot or None)
            slot = self._pair(binding.slot, step)
            here = bound.get(binding.slot)
            self._check_size(slot, None if here is None else here.largest, step)
            pinned = place(binding.coordinate) if binding.HasField("coordinate") else None
            self._check_place(slot, pinned if self._placed else None, step)
        for index, constant in enumerate(dispatch.inline_constants):
            step = Step("inline_constants", index, constant.slot or None)
            literal = constant.value.WhichOneof("value") == "literal"
            size = (
                len(constant.value.literal.bits)
                if literal
                else -(-storage_bits(constant.value.parametric.element) // 8)
            )
            self._check_size(self._pair(constant.slot, step), size, step)
        found = []
        for slot in self._entry.slots.values():
            self._check_set(slot)
            message = self._message(slot)
            if message is not None:
                found.append(message)
        return slots_of(found)

    def _pair(self, name: str, step: Step) -> Facts:
        slot = self._entry.slot(name)
        if slot is None or (self._entry.name, slot.name) in self._known.unmapped_slots:
            missing = {slot for entry, slot in self._known.unmapped_slots if entry == self._entry.name}
            there = ", ".join(f"`{each}`" for each in self._entry.slots if each not in missing) or "none"
            text = f"the code has no slot `{name}`; it has {there}"
            self._launch.refuse("compiler.missing-slot", text, step, slot=name)
        if slot.name in self._names:
            text = f"`{name}` and `{self._names[slot.name]}` are one slot of the code"
            self._launch.refuse("compiler.slot-bound-twice", text, step, slot=name)
        self._names[slot.name] = name
        return slot

    def _check_size(self, slot: Facts, size: int | None, step: Step) -> None:
        least = slot.value("minimum_size") or 0
        if size is not None and size < least:
            text = f"the code takes `{least}` bytes of `{self._names[slot.name]}`; {size} are bound"
            self._launch.refuse("compiler.too-little-bound", text, step, slot=self._names[slot.name])

    def _check_place(self, slot: Facts, pinned: Coordinate | None, step: Step) -> None:
        there = slot.value(PLACE)
        if pinned is not None and there is not None and pinned[:2] != (there.group, there.index):
            text = (
                f"the graph pins `{self._names[slot.name]}` to group {pinned[0]}, index {pinned[1]}; the "
                f"code takes it at group {there.group}, index {there.index}"
            )
            self._launch.refuse(
                "compiler.coordinate-mismatch", text, step, Step("coordinate"), slot=self._names[slot.name]
            )

    def _check_set(self, slot: Facts) -> None:
        inline = slot.value("kind") == interface_pb2.SLOT_KIND_INLINE_CONSTANTS
        if inline and slot.name not in self._names and not slot.value("optional_binding"):
            text = f"the code takes inline constants in `{slot.name}`; the dispatch sets none"
            self._launch.refuse(
                "compiler.unset-inline-constants", text, Step("inline_constants"), slot=slot.name
            )

    def _message(self, slot: Facts) -> module_pb2.ModuleSlot | None:
        """Return a slot of the module; None for one that takes bytes in the package only."""
        name = self._names.get(slot.name, slot.name)
        facts = interface_pb2.Slot(name=name)
        evidence = [Evidence.PROVEN if self._proven else Evidence.DECLARED]
        for field, fact in slot.known.items():
            if field == PLACE or not fact.value:
                continue
            _set(facts, field, fact.value)
            if not fact.is_default:
                evidence.append(fact.evidence)
        facts.evidence = int(min(evidence))  # type: ignore[assignment]  # the same numbers
        if takes_bytes(facts) and (self._entry.name, slot.name) in self._known.unmapped_slots:
            return None
        found = module_pb2.ModuleSlot(name=name, slot=facts)
        there = slot.value(PLACE)
        if there is not None:
            found.coordinate.group, found.coordinate.index = there.group, there.index
        return found


def _set(message: interface_pb2.Slot, name: str, value: Any) -> None:  # noqa: ANN401  (that of the field)
    field = _SLOT_FIELDS[name]
    if is_repeated(cast("FieldDescriptor", field)):
        getattr(message, name).extend(value)
    elif field.message_type is not None:
        getattr(message, name).CopyFrom(value)
    else:
        setattr(message, name, value)


def _shown(value: object) -> str:
    return " ".join(str(value).split())[:80]
