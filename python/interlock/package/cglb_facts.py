"""What the reflection of a CrossGL package says about the interface of its module.

Bindings state kinds and places but no access to buffers, which therefore stays unknown. Constants are those
of the module; bindings belong to the entry point they name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from execgraph.v1 import access_pb2, interface_pb2
from interlock.diagnostic import Evidence
from interlock.package.cglb_layout import add_buffer_layout
from interlock.package.facts import ModuleFacts, Place
from interlock.package.literals import default_value, element_of
from interlock.package.metadata import malformed
from interlock.package.records import (
    LARGEST_INDEX,
    new_name,
    optional,
    optional_count,
    optional_record,
    optional_records,
    optional_text,
    some_text,
)

if TYPE_CHECKING:
    from interlock.package.metadata import Record

SOURCE: Final = "the CrossGL reflection"

_STAGES: Final = {
    "compute": interface_pb2.STAGE_COMPUTE,
    "vertex": interface_pb2.STAGE_VERTEX,
    "fragment": interface_pb2.STAGE_FRAGMENT,
}
_KINDS: Final = {
    "buffer": interface_pb2.SLOT_KIND_STORAGE_BUFFER,
    "storageBuffer": interface_pb2.SLOT_KIND_STORAGE_BUFFER,
    "storage_buffer": interface_pb2.SLOT_KIND_STORAGE_BUFFER,
    "constantBuffer": interface_pb2.SLOT_KIND_CONSTANT_BUFFER,
    "constant_buffer": interface_pb2.SLOT_KIND_CONSTANT_BUFFER,
    "uniformBuffer": interface_pb2.SLOT_KIND_CONSTANT_BUFFER,
    "uniform_buffer": interface_pb2.SLOT_KIND_CONSTANT_BUFFER,
    "texture": interface_pb2.SLOT_KIND_SAMPLED_IMAGE,
    "storage_image": interface_pb2.SLOT_KIND_STORAGE_IMAGE,
    "sampler": interface_pb2.SLOT_KIND_SAMPLER,
}
_IMAGE_ACCESS: Final = {
    "read": access_pb2.ACCESS_MODE_READ,
    "write": access_pb2.ACCESS_MODE_WRITE,
    "read_write": access_pb2.ACCESS_MODE_READ_WRITE,
}
_CONSTANT_SPACES: Final = frozenset({"constant", "uniform"})
_LOCAL_ABIS: Final = frozenset({"threadgroupLocal", "groupsharedLocal", "workgroupLocal"})
"""How bindings are spelled that are memory of a workgroup, which nobody binds."""

_METAL_SPACES: Final = {
    interface_pb2.SLOT_KIND_SAMPLED_IMAGE: "texture",
    interface_pb2.SLOT_KIND_STORAGE_IMAGE: "texture",
    interface_pb2.SLOT_KIND_SAMPLER: "sampler",
}
_OPENGL_SPACES: Final = {
    interface_pb2.SLOT_KIND_CONSTANT_BUFFER: "uniform",
    interface_pb2.SLOT_KIND_SAMPLED_IMAGE: "texture",
    interface_pb2.SLOT_KIND_SAMPLER: "texture",
    interface_pb2.SLOT_KIND_STORAGE_IMAGE: "image",
}
_REGISTER_LETTERS: Final = {
    interface_pb2.SLOT_KIND_CONSTANT_BUFFER: "b",
    interface_pb2.SLOT_KIND_SAMPLED_IMAGE: "t",
    interface_pb2.SLOT_KIND_SAMPLER: "s",
    interface_pb2.SLOT_KIND_STORAGE_IMAGE: "u",
}
"""Kinds of slots that HLSL keeps in registers of one letter, whatever their type."""

_STORAGE_CLASSES: Final = {
    interface_pb2.SLOT_KIND_STORAGE_BUFFER: interface_pb2.STORAGE_CLASS_GLOBAL,
    interface_pb2.SLOT_KIND_CONSTANT_BUFFER: interface_pb2.STORAGE_CLASS_UNIFORM,
}
_READ_ONLY_KINDS: Final = frozenset(
    {interface_pb2.SLOT_KIND_CONSTANT_BUFFER, interface_pb2.SLOT_KIND_SAMPLED_IMAGE}
)
_REGISTER: Final = re.compile("([bstu])([0-9]{1,9})")
_NUMBER: Final = re.compile("[0-9]{1,10}")


@dataclass(slots=True)
class _Gathered:
    interface: interface_pb2.Interface = field(default_factory=interface_pb2.Interface)
    entries: dict[str, interface_pb2.Entry] = field(default_factory=dict)
    """By own name."""
    groups: dict[tuple[str, str], list[interface_pb2.Entry]] = field(default_factory=dict)
    """By name in the source and stage; an empty name stands for any, an empty stage for all."""
    constants: set[str] = field(default_factory=set)
    images: dict[tuple[str, str], str] = field(default_factory=dict)
    """The access to storage images, by stage and name."""
    places: dict[tuple[str, str], Place] = field(default_factory=dict)
    unknown: dict[tuple[str, str], str] = field(default_factory=dict)
    slots: set[tuple[str, str]] = field(default_factory=set)
    left: int = 0
    """How often more may be said about an entry: records times entries are far more than is written."""


def read_reflection(reflection: Record, target: str, maximum_slots: int) -> ModuleFacts:
    """Return what `reflection.json` says.

    Args:
        reflection: The file.
        target: The target of the package.
        maximum_slots: How many slots and sizes all entries may have together.

    Raises:
        ContainerError: `container.malformed` at the first member that is not as it has to be.
    """
    gathered = _Gathered(left=maximum_slots)
    for record in optional_records(reflection, "functionConstants"):
        _add_constant(gathered, record)
    for record in reflection.records("entryPoints"):
        _add_entry(gathered, record)
    for record in optional_records(reflection, "workgroupSizes"):
        _add_workgroup_size(gathered, record)
    for record in optional_records(reflection, "resources"):
        access = optional_text(record, "storageImageAccess")
        if access is not None:
            if access not in _IMAGE_ACCESS:
                raise malformed(
                    f"`{access[:80]}` is no access to an image", record.place("storageImageAccess")
                )
            gathered.images[some_text(record, "stage"), some_text(record, "name")] = access
    for record in optional_records(reflection, "targetResourceBindings"):
        _add_binding(gathered, record, target)
    for record in optional_records(reflection, "pushConstants"):
        for entry in _owners(gathered, record):
            _add_slot(gathered, entry, _inline_constants(record), None, record)
    return ModuleFacts(
        gathered.interface,
        Evidence.DECLARED,
        SOURCE,
        gathered.places,
        knows_constants=optional(reflection, "functionConstants") is not None,
        unknown=gathered.unknown,
    )


# Entries and constants.


def _add_entry(gathered: _Gathered, record: Record) -> None:
    name = some_text(record, "backendName")
    if name in gathered.entries:
        raise malformed(f"the entry point `{name[:200]}` is listed twice", record.place("backendName"))
    stage = some_text(record, "stage")
    entry = gathered.interface.entries.add(name=name, stage=_STAGES.get(stage, 0))
    gathered.entries[name] = entry
    source = optional_text(record, "sourceName") or name
    for key in ((source, stage), ("", stage), ("", "")):
        gathered.groups.setdefault(key, []).append(entry)


def _owners(gathered: _Gathered, record: Record) -> list[interface_pb2.Entry]:
    """Return the entries that a record is about: the one it names, or those of its stage, or all."""
    name, stage = optional_text(record, "entryPoint"), optional_text(record, "stage")
    if name is None:
        found = gathered.groups.get(("", stage or ""), [])
    elif name in gathered.entries:
        found = [gathered.entries[name]]
    else:
        found = gathered.groups.get((name, stage or ""), [])
        if not found:
            raise malformed(f"`{name[:200]}` is no entry point of the package", record.place("entryPoint"))
    gathered.left -= len(found)
    if gathered.left < 0:
        raise malformed("the entry points have too many bindings and sizes together", record.path)
    return found


def _add_workgroup_size(gathered: _Gathered, record: Record) -> None:
    """Take over a size whose axes are numbers or constants; other text is evaluated by nobody."""
    axes = []
    for name in ("x", "y", "z"):
        value = optional(record, name)
        if not isinstance(value, str):
            value = str(optional_count(record, name, LARGEST_INDEX) or 0) if value is not None else "1"
        if value in gathered.constants:
            axes.append(interface_pb2.WorkgroupAxis(constant=value))
        elif _NUMBER.fullmatch(value):
            if not 1 <= int(value) <= LARGEST_INDEX:
                raise malformed(f"`{value}` is no size of a workgroup", record.place(name))
            axes.append(interface_pb2.WorkgroupAxis(literal=int(value)))
        else:
            return
    for entry in _owners(gathered, record):
        entry.workgroup_size.CopyFrom(interface_pb2.WorkgroupSize(axes=axes))


def _add_constant(gathered: _Gathered, record: Record) -> None:
    name = new_name(record, gathered.constants)
    element = element_of(optional_text(record, "type") or "")
    constant = gathered.interface.constants.add(name=name, element=element)
    number = optional_count(record, "specializationId", LARGEST_INDEX)
    if number is not None:
        constant.constant_id = number
    default = default_value(element, optional_text(record, "value"))
    if default is not None:
        constant.default_value.CopyFrom(default)


# Slots.


def _add_binding(gathered: _Gathered, record: Record, target: str) -> None:
    stated = optional_text(record, "target")
    if stated not in (None, target):
        return  # the bindings of another target
    for entry in _owners(gathered, record):
        slot, place = _slot(gathered, record, target)
        _add_slot(gathered, entry, slot, place, record)


def _add_slot(
    gathered: _Gathered,
    entry: interface_pb2.Entry,
    slot: interface_pb2.Slot,
    place: Place | None,
    record: Record,
) -> None:
    key = entry.name, slot.name
    if key in gathered.slots:
        message = f"`{slot.name[:200]}` is bound twice in `{entry.name[:200]}`"
        raise malformed(message, record.place("name"))
    gathered.slots.add(key)
    entry.slots.append(slot)
    if place is not None:
        gathered.places[key] = place
    if slot.kind == interface_pb2.SLOT_KIND_STORAGE_BUFFER and not _is_local(slot):
        gathered.unknown[key] = "the format does not say whether a buffer is read or written"


def _is_local(slot: interface_pb2.Slot) -> bool:
    return slot.storage_class == interface_pb2.STORAGE_CLASS_SHARED


def _slot(gathered: _Gathered, record: Record, target: str) -> tuple[interface_pb2.Slot, Place | None]:
    name, kind_name = some_text(record, "name"), some_text(record, "kind")
    abi = optional(record, "abi")
    if abi is not None and not isinstance(abi, str | dict):
        raise malformed("a string or an object is required", record.place("abi"))
    kind = _KINDS.get(kind_name, interface_pb2.SLOT_KIND_UNSPECIFIED)
    space = optional_text(record, "addressSpace") or ""
    if kind == interface_pb2.SLOT_KIND_STORAGE_BUFFER and space in _CONSTANT_SPACES:
        kind = interface_pb2.SLOT_KIND_CONSTANT_BUFFER
    slot = interface_pb2.Slot(name=name, kind=kind)
    if isinstance(abi, str) and abi in _LOCAL_ABIS:
        slot.storage_class = interface_pb2.STORAGE_CLASS_SHARED
        return slot, None
    slot.storage_class = _STORAGE_CLASSES.get(kind, interface_pb2.STORAGE_CLASS_UNSPECIFIED)
    access = gathered.images.get((optional_text(record, "stage") or "", name))
    if access is not None and kind == interface_pb2.SLOT_KIND_STORAGE_IMAGE:
        slot.access = _IMAGE_ACCESS[access]
    elif kind in _READ_ONLY_KINDS:
        slot.access = access_pb2.ACCESS_MODE_READ
    count = optional_count(record, "arrayElementCount", LARGEST_INDEX)
    slot.array_count = count or optional_count(record, "arraySize", LARGEST_INDEX) or 0
    layout = optional_record(record, "storageBufferLayout")
    if layout is not None:
        add_buffer_layout(slot, layout)
    stated = record.record("abi") if isinstance(abi, dict) else record
    return slot, _place(stated, target, kind, _register_letter(record))


def _place(stated: Record, target: str, kind: interface_pb2.SlotKind, letter: str) -> Place | None:
    """Return where a slot is, from the members of a binding or of its `abi`."""
    group = optional_count(stated, "set", LARGEST_INDEX)
    if group is None:
        group = optional_count(stated, "space", LARGEST_INDEX)
    index = None
    for name in ("binding", "argumentIndex", "index"):
        if index is None:
            index = optional_count(stated, name, LARGEST_INDEX)
    space = ""
    register = optional(stated, "register")
    if isinstance(register, str):
        match = _REGISTER.fullmatch(register)
        if match is None:
            raise malformed(f"`{register[:80]}` is no register of HLSL", stated.place("register"))
        space, index = match.group(1), int(match.group(2))
    elif register is not None:
        index = stated.count("register")
    if index is None:
        return None
    if target == "directx":
        space = space or letter or _REGISTER_LETTERS.get(kind, "")
    elif target == "metal":
        group, space = 0, _METAL_SPACES.get(kind, "buffer")
    elif target == "opengl":
        group, space = 0, _OPENGL_SPACES.get(kind, "buffer")
    return Place(group or 0, index, space)


def _register_letter(record: Record) -> str:
    """Return the letter of the registers that a type of HLSL takes; nothing where no type is stated."""
    spelling = (optional_text(record, "hlslType") or "").lower()
    if spelling.startswith(("rw", "append", "consume", "rasterizerordered")):
        return "u"
    return "t" if spelling.startswith(("structuredbuffer", "byteaddressbuffer", "buffer", "texture")) else ""


def _inline_constants(record: Record) -> interface_pb2.Slot:
    kind = interface_pb2.SLOT_KIND_INLINE_CONSTANTS
    size = optional_count(record, "sizeBytes") or 0
    name = some_text(record, "name")
    return interface_pb2.Slot(name=name, kind=kind, access=access_pb2.ACCESS_MODE_READ, minimum_size=size)
