"""The interface of a module: its entry points with what each takes and needs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from execgraph.v1 import capability_pb2, interface_pb2, type_pb2
from interlock.package.spirv.access import Access
from interlock.package.spirv.decorations import BUILT_IN
from interlock.package.spirv.effects import FLAG, LOST, Summary
from interlock.package.spirv.elements import element_of
from interlock.package.spirv.errors import SpirvError
from interlock.package.spirv.layout import Layouts
from interlock.package.spirv.model import ADDRESSING, FRAGMENT, GL_COMPUTE, KERNEL, ModuleEntry, Note
from interlock.package.spirv.naming import named
from interlock.package.spirv.pointers import PHYSICAL, UNKNOWN
from interlock.package.spirv.resources import Resources, merged
from interlock.package.spirv.types import Kind
from interlock.package.spirv.workgroup import (
    LOCAL_SIZE_HINT,
    LOCAL_SIZE_HINT_ID,
    SUBGROUP_SIZE,
    SharedMemory,
    Sizes,
    size_of_entry,
    size_of_module,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlock.package.spirv.model import Resource
    from interlock.package.spirv.scan import EntryPoint, Scan

SUBGROUP_CAPABILITIES = frozenset(
    {58, *range(61, 69), 4423, 4431, 5087, 5297, 5357, 5568, 5569, 6022, 6026, 6400, 6401}
)
"""Capabilities whose instructions work on subgroups: GroupNonUniform and its kin, ballots, votes, cooperative
matrices."""
_SUBGROUP_BUILT_INS = frozenset({*range(36, 42), *range(4416, 4421)})
_ATOMIC_CAPABILITIES: Mapping[int, int] = {
    type_pb2.ELEMENT_TYPE_I32: capability_pb2.CAPABILITY_ATOMIC_INT32,
    type_pb2.ELEMENT_TYPE_U32: capability_pb2.CAPABILITY_ATOMIC_INT32,
    type_pb2.ELEMENT_TYPE_I64: capability_pb2.CAPABILITY_ATOMIC_INT64,
    type_pb2.ELEMENT_TYPE_U64: capability_pb2.CAPABILITY_ATOMIC_INT64,
    type_pb2.ELEMENT_TYPE_F16: capability_pb2.CAPABILITY_ATOMIC_FLOAT16,
    type_pb2.ELEMENT_TYPE_BF16: capability_pb2.CAPABILITY_ATOMIC_FLOAT16,
    type_pb2.ELEMENT_TYPE_F32: capability_pb2.CAPABILITY_ATOMIC_FLOAT32,
    type_pb2.ELEMENT_TYPE_F64: capability_pb2.CAPABILITY_ATOMIC_FLOAT64,
}
Groups: TypeAlias = dict[tuple[int, int, int], list[int]]
"""The variables of one binding, by what tells bindings apart."""
_INTERFACE_LISTS_ALL = (1, 4)
"""From this version on an entry point lists all variables of the module that it names."""


class Entries:
    """The entry points of a module.

    Raises:
        SpirvError: `limit.spirv-slots`, or what layouts and accesses raise.
    """

    def __init__(self, scan: Scan) -> None:
        self._scan = scan
        self.layouts = Layouts(scan)
        self.shared = SharedMemory(scan, self.layouts)
        self._access = Access(scan)
        self._resources = Resources(scan, self.layouts)
        self._module_size = size_of_module(scan)
        self._built_ins = {
            ident: scan.decorations.get(ident, BUILT_IN)
            for ident in scan.decorations.ids_with(BUILT_IN)
            if ident in scan.variables
        }
        self._members_left = scan.limits.listed_members
        self.notes: list[Note] = []
        self.shared_variables: dict[EntryPoint, list[int]] = {}
        mentioned = {ident for entry in scan.entries for ident in self._mentioned(entry)}
        self._idle = [ident for ident in self._resources.declared if ident not in mentioned]
        groups = self._grouped()
        self.all = tuple(self._entry(entry, each) for entry, each in zip(scan.entries, groups, strict=True))

    @property
    def is_exhausted(self) -> bool:
        """Whether following pointers took more steps than the limit."""
        return self._access.is_exhausted

    def _mentioned(self, entry: EntryPoint) -> set[int]:
        effects = self._access.of(entry.function).effects
        found = {ident for ident in effects if ident in self._resources.declared}
        if self._scan.header.version >= _INTERFACE_LISTS_ALL or self._access.is_exhausted:
            found |= {ident for ident in entry.interface if ident in self._resources.declared}
        return found

    def _grouped(self) -> list[Groups]:
        """Return the variables of each binding, for each entry point; refuse too many before any is built."""
        keys = self._resources.keys
        found = []
        left = self._scan.limits.slots
        for entry in self._scan.entries:
            mentioned = self._mentioned(entry)
            left -= 1 + len(mentioned) + len(self._idle)
            if left < 0:
                most = self._scan.limits.slots
                message = f"the entry points and the variables in their slots are more than {most} together"
                raise SpirvError("limit.spirv-slots", message, 4 * entry.at)
            groups: Groups = {}
            for ident in (*sorted(mentioned), *self._idle):
                groups.setdefault(keys[ident], []).append(ident)
            found.append(groups)
        return found

    def _entry(self, entry: EntryPoint, groups: Groups) -> ModuleEntry:
        scan = self._scan
        summary = self._access.of(entry.function)
        unknown = self._entry_unknown(entry, summary)
        modes = {mode: operands for mode, operands, _ in scan.modes.get(entry.function, ())}
        resources = self._entry_resources(entry, summary, groups, "; ".join(unknown))
        subgroup_size = modes[SUBGROUP_SIZE][0] if modes.get(SUBGROUP_SIZE) else 0
        if entry.model not in (GL_COMPUTE, KERNEL):
            sizes = Sizes()
        else:
            sizes = self._module_size or size_of_entry(scan, entry)
        unknown += self._size_unknown(entry, sizes)
        shared = self.shared.variables([ident for ident in summary.effects if ident in scan.variables])
        self.shared_variables[entry] = shared
        left_open: set[str] = set()
        if self._access.is_exhausted:
            left_open |= {"static_shared_bytes", "required_capabilities"}
        shared_bytes = self.shared.size(shared, scan.constants.values)
        is_adjustable = self.shared.is_adjustable(shared)
        if shared_bytes is None:
            unknown.append("the size of its shared memory cannot be told")
            left_open.add("static_shared_bytes")
        elif is_adjustable:
            unknown.append(
                "specialization constants set how much shared memory it has; stated is the default"
            )
        capabilities = self._capabilities(summary, resources, subgroup_size, unknown)
        if capabilities is None:
            left_open.add("required_capabilities")
        return ModuleEntry(
            name=entry.name,
            model=entry.model,
            function=entry.function,
            sizes=sizes,
            size_hint=self._hint(modes),
            subgroup_size=subgroup_size,
            resources=resources,
            updates_atomically=summary.is_updating,
            uses_subgroups=self._uses_subgroups(summary),
            capabilities=capabilities or (),
            shared_bytes=shared_bytes or 0,
            is_shared_adjustable=is_adjustable,
            unknown=tuple(dict.fromkeys(unknown)),
            left_open=frozenset(left_open),
        )

    def _entry_unknown(self, entry: EntryPoint, summary: Summary) -> list[str]:
        """Return why nothing is known about what the entry point accesses."""
        addressing = self._scan.memory_model[0] if self._scan.memory_model else 0
        found = []
        if entry.model == KERNEL:
            found.append("it is a kernel of OpenCL, whose arguments are not read")
        if addressing in (1, 2):
            found.append(f"its memory is addressed by numbers (`{ADDRESSING[addressing]}`)")
        if self._access.is_exhausted:
            found.append("following its pointers takes more steps than the limit `access_steps_per_word`")
        if summary.effects.get(PHYSICAL, 0):
            found.append("it accesses memory by addresses (buffer references), which may lie in any buffer")
        if summary.effects.get(UNKNOWN, 0):
            found.append("it accesses memory through pointers, or runs code, that cannot be followed")
        return found

    def _size_unknown(self, entry: EntryPoint, sizes: Sizes) -> list[str]:
        if entry.model not in (GL_COMPUTE, KERNEL):
            return []
        constants = self._scan.constants
        if sizes.value(constants.values) is None:
            return [
                "the module does not say its workgroup size, or computes it in a way that is not followed"
            ]
        if any(ident in constants.adjustable and ident not in constants.specs for ident in sizes.ids()):
            return ["its workgroup size is computed out of specialization constants"]
        return []

    def _hint(self, modes: Mapping[int, tuple[int, ...]]) -> tuple[int, int, int] | None:
        found = modes.get(LOCAL_SIZE_HINT, ())
        if not found and LOCAL_SIZE_HINT_ID in modes:
            known = [self._scan.constants.values.get(ident) for ident in modes[LOCAL_SIZE_HINT_ID]]
            found = tuple(each for each in known if isinstance(each, int))
        return (found[0], found[1], found[2]) if len(found) == 3 else None

    # Slots.

    def _entry_resources(
        self, entry: EntryPoint, summary: Summary, groups: Groups, lost: str
    ) -> tuple[Resource, ...]:
        resources = self._resources
        effects, reasons = summary.effects, summary.reasons
        stored = self._access.initial
        initial = {ident: stored[ident] for ident in effects if ident in stored}
        if initial:
            effects = {**effects, **{ident: effects[ident] | LOST for ident in initial}}
            reasons = {**initial, **reasons}
        found = []
        told: list[list[str]] = []
        for key in sorted(groups):
            parts = [resources.declared[ident] for ident in sorted(groups[key])]
            resource, notes = merged(parts, effects, reasons, lost)
            found.append(self._bounded(resource))
            told.append(notes)
        slots = named(
            found,
            {ident: self._resources.declared[ident].names for each in groups.values() for ident in each},
        )
        for slot, notes in zip(slots, told, strict=True):
            self.notes += [Note(entry.name, slot.name, message) for message in notes]
        return tuple(sorted(slots, key=lambda slot: slot.name))

    def _bounded(self, resource: Resource) -> Resource:
        self._members_left -= len(resource.members)
        if self._members_left >= 0:
            return resource
        reason = f"the slots of its module have more than {self._scan.limits.listed_members} members"
        unknown = f"{resource.unknown}; {reason}" if resource.unknown else reason
        return replace(resource, members=(), unknown=unknown)

    # Traits.

    def _uses_subgroups(self, summary: Summary) -> bool:
        return (
            summary.is_grouped
            or not self._scan.capabilities.isdisjoint(SUBGROUP_CAPABILITIES)
            or any(self._built_ins.get(ident) in _SUBGROUP_BUILT_INS for ident in summary.effects)
        )

    def _capabilities(
        self, summary: Summary, resources: tuple[Resource, ...], subgroup_size: int, unknown: list[str]
    ) -> tuple[int, ...] | None:
        """Return what an entry point needs; None, with the reason added, where not all of it has a name."""
        found: set[int] = set()
        is_open = False
        for ident in sorted(summary.atomics):
            of = self._scan.types.get(ident)
            element = type_pb2.ELEMENT_TYPE_U32 if ident == FLAG else element_of(of)
            if element in _ATOMIC_CAPABILITIES:
                found.add(_ATOMIC_CAPABILITIES[element])
            elif (
                of.kind == Kind.VECTOR and element_of(self._scan.types.get(of.inner)) in _ATOMIC_CAPABILITIES
            ):
                found.add(_ATOMIC_CAPABILITIES[element_of(self._scan.types.get(of.inner))])
            else:
                is_open = True
                unknown.append(
                    "it updates values atomically of a type for which the contract has no capability"
                )
        kinds = {resource.kind for resource in resources if resource.is_mentioned}
        if interface_pb2.SLOT_KIND_STORAGE_IMAGE in kinds:
            found.add(capability_pb2.CAPABILITY_IMAGE)
        if interface_pb2.SLOT_KIND_SAMPLED_IMAGE in kinds:
            found.add(capability_pb2.CAPABILITY_SAMPLED_IMAGE)
        if subgroup_size:
            found.add(capability_pb2.CAPABILITY_SUBGROUP_SIZE)
        return None if is_open else tuple(sorted(found))


STAGE_OF_MODEL: Mapping[int, int] = {
    GL_COMPUTE: interface_pb2.STAGE_COMPUTE,
    KERNEL: interface_pb2.STAGE_COMPUTE,
    FRAGMENT: interface_pb2.STAGE_FRAGMENT,
    0: interface_pb2.STAGE_VERTEX,
}
"""What the contract calls the stages it knows."""
