"""What a CrossTL manifest says about the interface of one artifact, as facts about its module.

Resources are those of the whole module, so that each entry takes them all; in Metal they are parameters of
the entry that the manifest names. Names stay those of the artifact.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2, interface_pb2
from interlock.diagnostic import Evidence
from interlock.package.crosstl_layout import add_layout
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
    from collections.abc import Mapping

    from interlock.package.metadata import Record

SOURCE = "the CrossTL manifest"

_STAGES = {
    "compute": interface_pb2.STAGE_COMPUTE,
    "vertex": interface_pb2.STAGE_VERTEX,
    "fragment": interface_pb2.STAGE_FRAGMENT,
}
_KINDS = {
    "buffer": interface_pb2.SLOT_KIND_STORAGE_BUFFER,
    "constant-buffer": interface_pb2.SLOT_KIND_CONSTANT_BUFFER,
    "uniform": interface_pb2.SLOT_KIND_INLINE_CONSTANTS,
    "texture": interface_pb2.SLOT_KIND_SAMPLED_IMAGE,
    "storage-texture": interface_pb2.SLOT_KIND_STORAGE_IMAGE,
    "sampler": interface_pb2.SLOT_KIND_SAMPLER,
}
_ACCESS = {
    "read": access_pb2.ACCESS_MODE_READ,
    "write": access_pb2.ACCESS_MODE_WRITE,
    "read_write": access_pb2.ACCESS_MODE_READ_WRITE,
}
_AXES = ("numthreads", "local_size")
_NAMED_AXES = ("local_size_x", "local_size_y", "local_size_z")

_SPACES: Mapping[str, Mapping[int, str]] = {
    "metal": {
        interface_pb2.SLOT_KIND_STORAGE_BUFFER: "buffer",
        interface_pb2.SLOT_KIND_CONSTANT_BUFFER: "buffer",
        interface_pb2.SLOT_KIND_SAMPLED_IMAGE: "texture",
        interface_pb2.SLOT_KIND_STORAGE_IMAGE: "texture",
        interface_pb2.SLOT_KIND_SAMPLER: "sampler",
    },
    "opengl": {
        interface_pb2.SLOT_KIND_STORAGE_BUFFER: "buffer",
        interface_pb2.SLOT_KIND_CONSTANT_BUFFER: "uniform",
        interface_pb2.SLOT_KIND_SAMPLED_IMAGE: "texture",
        interface_pb2.SLOT_KIND_STORAGE_IMAGE: "image",
        interface_pb2.SLOT_KIND_SAMPLER: "texture",
    },
}
"""Targets that number kinds of slots apart, with what each numbering is called."""

_BLOCK_TARGETS = ("opengl", "vulkan")
"""Targets on which a buffer has two names: of its block, and of a variable."""


@dataclass(slots=True)
class _Gathered:
    interface: interface_pb2.Interface = field(default_factory=interface_pb2.Interface)
    places: dict[tuple[str, str], Place] = field(default_factory=dict)
    aliases: dict[tuple[str, str], str] = field(default_factory=dict)
    unknown: dict[tuple[str, str], str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Resource:
    """A slot, and what is known about it beside."""

    slot: interface_pb2.Slot
    place: Place | None
    aliases: tuple[str, ...]
    owner: str
    unknown: str


def read_facts(host_interface: Record, target: str, maximum_slots: int) -> ModuleFacts:
    """Return what a `hostInterface` of status `ready` says.

    Args:
        host_interface: The record.
        target: The target of its artifact, as this project calls it.
        maximum_slots: How many slots all its entries may have together.

    Raises:
        ContainerError: `container.malformed` at the first member that is not as it has to be.
    """
    gathered = _Gathered()
    constants: set[str] = set()
    for record in optional_records(host_interface, "specializationConstants"):
        _add_constant(gathered, record, constants)
    shared: list[_Resource] = []
    owned: dict[str, list[_Resource]] = {}
    for record in host_interface.records("resources"):
        resource = _resource(record, target)
        (owned.setdefault(resource.owner, []) if resource.owner else shared).append(resource)
    entries = host_interface.records("entryPoints")
    slots = sum(len(shared) + len(owned.get(some_text(record, "name"), ())) for record in entries)
    if slots > maximum_slots:
        message = f"the entry points have `{slots}` resources together; at most {maximum_slots} are read"
        raise malformed(message, host_interface.place("entryPoints"))
    names: set[str] = set()
    for record in entries:
        entry = _add_entry(gathered, record, names, constants)
        _add_slots(gathered, entry, [*shared, *owned.get(entry.name, ())])
    return ModuleFacts(
        gathered.interface,
        Evidence.DECLARED,
        SOURCE,
        gathered.places,
        gathered.aliases,
        knows_constants=optional(host_interface, "specializationConstants") is not None,
        unknown=gathered.unknown,
    )


# Entries.


def _add_entry(
    gathered: _Gathered, record: Record, entries: set[str], constants: set[str]
) -> interface_pb2.Entry:
    name = new_name(record, entries)
    stage = optional_text(record, "stage")
    entry = gathered.interface.entries.add(name=name, stage=_STAGES.get(stage or "", 0))
    config = optional_record(record, "executionConfig")
    axes = [] if config is None else _axes(config, constants)
    if axes:
        entry.workgroup_size.axes.extend(axes)
    return entry


def _axes(config: Record, constants: set[str]) -> list[interface_pb2.WorkgroupAxis]:
    """Return the workgroup size; nothing where an axis is an expression that nobody evaluates."""
    places = []
    for name in _AXES:
        if optional(config, name) is not None:
            values = config.array(name)
            if not 1 <= len(values) <= len(_NAMED_AXES):
                raise malformed(f"`{len(values)}` axes, where 1 to 3 are required", config.place(name))
            places = [(value, config.path.element(name, index)) for index, value in enumerate(values)]
    named = [(config.members[name], config.place(name)) for name in _NAMED_AXES if config.has(name)]
    axes = []
    for value, place in places or named:
        if isinstance(value, str) and value in constants:
            axes.append(interface_pb2.WorkgroupAxis(constant=value))
        elif isinstance(value, str):
            return []
        elif type(value) is int and 1 <= value <= LARGEST_INDEX:
            axes.append(interface_pb2.WorkgroupAxis(literal=value))
        else:
            raise malformed(f"a size from 1 to {LARGEST_INDEX} or a name is required", place)
    return axes


# Resources.


def _resource(record: Record, target: str) -> _Resource:
    name = some_text(record, "name")
    kind_name = record.text("kind")
    kind = _KINDS.get(kind_name, interface_pb2.SLOT_KIND_UNSPECIFIED)
    slot = interface_pb2.Slot(name=name, kind=kind, storage_class=_storage_class(kind))
    unknown = "" if kind else f"the manifest calls it a `{kind_name}`, which says nothing about what it takes"
    access = optional_text(record, "access")
    if access is not None and access not in _ACCESS:
        known = ", ".join(f"`{mode}`" for mode in _ACCESS)
        raise malformed(f"`{access}`, where one of {known} is required", record.place("access"))
    if access is not None and kind != interface_pb2.SLOT_KIND_SAMPLER:
        slot.access = _ACCESS[access]
    declared_type = optional_text(record, "type") or ""
    aliases = []
    layout = optional_record(record, "scalarLayout")
    if layout is not None:
        add_layout(slot, layout)
        if target == "opengl" and optional_text(layout, "memberName"):
            aliases.append(layout.text("memberName"))
    elif _is_buffer(kind):
        unknown = "the manifest has no `scalarLayout` for it"
    if target in _BLOCK_TARGETS and _is_buffer(kind) and declared_type:
        aliases.append(declared_type)
    return _Resource(
        slot,
        _place(record, target, slot, declared_type),
        tuple(alias for alias in dict.fromkeys(aliases) if alias != name),
        _owner(record) if target == "metal" else "",
        unknown,
    )


def _owner(record: Record) -> str:
    """Return the entry whose parameter a resource of Metal is."""
    metadata = optional_record(record, "metadata")
    return "" if metadata is None else optional_text(metadata, "entryPoint") or ""


def _storage_class(kind: int) -> interface_pb2.StorageClass:
    if kind == interface_pb2.SLOT_KIND_CONSTANT_BUFFER:
        return interface_pb2.STORAGE_CLASS_UNIFORM
    if kind == interface_pb2.SLOT_KIND_STORAGE_BUFFER:
        return interface_pb2.STORAGE_CLASS_GLOBAL
    return interface_pb2.STORAGE_CLASS_UNSPECIFIED


def _is_buffer(kind: int) -> bool:
    return kind in (interface_pb2.SLOT_KIND_STORAGE_BUFFER, interface_pb2.SLOT_KIND_CONSTANT_BUFFER)


def _place(record: Record, target: str, slot: interface_pb2.Slot, declared_type: str) -> Place | None:
    group, index = (optional_count(record, name, LARGEST_INDEX) for name in ("set", "binding"))
    if index is None:
        return None
    space = _SPACES.get(target, {}).get(slot.kind, "")
    if target == "directx":
        space = _register_kind(slot.kind, declared_type)
    return Place(group or 0, index, space)


def _register_kind(kind: int, declared_type: str) -> str:
    """Return the letter of the registers that HLSL keeps for what is declared with a type."""
    if kind == interface_pb2.SLOT_KIND_CONSTANT_BUFFER:
        return "b"
    if kind == interface_pb2.SLOT_KIND_SAMPLER:
        return "s"
    is_writable = declared_type.lower().startswith(("rw", "append", "consume", "rasterizerordered"))
    return "u" if is_writable else "t"


def _add_slots(gathered: _Gathered, entry: interface_pb2.Entry, resources: list[_Resource]) -> None:
    """Give an entry its slots. A name that two of them have says nothing about either."""
    names = Counter(each.slot.name for each in resources)
    taken = Counter(alias for each in resources for alias in each.aliases) + names
    for each in resources:
        name = each.slot.name
        if names[name] > 1:
            gathered.unknown[entry.name, name] = f"the manifest lists several resources of the name `{name}`"
            continue
        entry.slots.append(each.slot)
        if each.place is not None:
            gathered.places[entry.name, name] = each.place
        if each.unknown:
            gathered.unknown[entry.name, name] = each.unknown
        for alias in each.aliases:
            if taken[alias] == 1:
                gathered.aliases[entry.name, alias] = name


# Constants.


def _add_constant(gathered: _Gathered, record: Record, constants: set[str]) -> None:
    """Take over a specialization constant; one that was frozen at translation is no constant any more."""
    if record.flag("frozen", default=False):
        return
    name = new_name(record, constants)
    spelling = optional_text(record, "dtype") or ""
    element = element_of(spelling)
    constant = gathered.interface.constants.add(name=name, element=element)
    number = optional_count(record, "id", LARGEST_INDEX)
    if number is not None:
        constant.constant_id = number
    default = default_value(element, optional(record, "default"))
    if default is not None:
        constant.default_value.CopyFrom(default)
