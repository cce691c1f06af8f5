"""A module as a person reads it, and the same as plain data for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from execgraph.v1 import access_pb2, capability_pb2, interface_pb2, resource_pb2, type_pb2
from interlock.package.spirv.elements import element_of
from interlock.package.spirv.model import ADDRESSING, MEMORY_MODELS

if TYPE_CHECKING:
    from interlock.package.spirv.constants import SpecConstant
    from interlock.package.spirv.layout import Member
    from interlock.package.spirv.model import ModuleEntry, Resource
    from interlock.package.spirv.reader import SpirvModule
    from interlock.package.spirv.workgroup import Axis


def _word(name: str, prefix: str) -> str:
    return name.removeprefix(prefix).lower().replace("_", " ")


def _kind(resource: Resource) -> str:
    if not resource.kind:
        return "unknown kind"
    return _word(interface_pb2.SlotKind.Name(interface_pb2.SlotKind.ValueType(resource.kind)), "SLOT_KIND_")


def _access(resource: Resource) -> str:
    if not resource.access:
        return "unknown"
    if not resource.is_touched:
        return "unused"
    return _word(
        access_pb2.AccessMode.Name(access_pb2.AccessMode.ValueType(resource.access)), "ACCESS_MODE_"
    ).replace(" ", "-")


def _element(element: int) -> str:
    if not element:
        return ""
    return type_pb2.ElementType.Name(type_pb2.ElementType.ValueType(element)).removeprefix("ELEMENT_TYPE_")


def _member(member: Member) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": member.name,
        "offset": member.offset,
        "size": member.size,
        "element": _element(element_of(member.scalar)) or None,
    }
    if member.components:
        found["components"] = member.components
    if member.matrix_stride:
        found["matrixStride"] = member.matrix_stride
        found["rowMajor"] = member.is_row_major
    if member.array_stride:
        found["arrayStride"] = member.array_stride
        found["arrayCount"] = None if member.is_runtime else member.array_count
    return found


def _resource(resource: Resource) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": resource.name,
        "kind": _kind(resource),
        "set": resource.group,
        "binding": resource.index,
        "access": _access(resource),
        "aliases": list(resource.aliases),
        "minimumSize": resource.minimum_size,
        "runtimeSized": resource.is_runtime_sized,
        "members": [_member(member) for member in resource.members],
    }
    if resource.element:
        found["element"] = _element(resource.element)
    if resource.array_stride:
        found["arrayStride"] = resource.array_stride
    if resource.array_count:
        found["descriptors"] = resource.array_count
    if resource.image_format:
        named = resource_pb2.ImageFormat.Name(resource_pb2.ImageFormat.ValueType(resource.image_format))
        found["imageFormat"] = named.removeprefix("IMAGE_FORMAT_")
    if resource.unknown:
        found["unknown"] = resource.unknown
    return found


def _axis(module: SpirvModule, axis: Axis) -> int | str | None:
    if not axis.id:
        return axis.literal
    return module.axis_constant(axis.id) or module.constant_value(axis.id)


def _entry(module: SpirvModule, entry: ModuleEntry) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": entry.name,
        "stage": entry.stage,
        "workgroupSize": [_axis(module, axis) for axis in entry.sizes.axes],
        "workgroupSizeByDefault": list(entry.sizes.value(module.default_values()) or ()),
        "sharedBytes": entry.shared_bytes,
        "usesAtomics": entry.updates_atomically,
        "usesSubgroups": entry.uses_subgroups,
        "subgroupSize": entry.subgroup_size,
        "capabilities": [
            capability_pb2.Capability.Name(capability_pb2.Capability.ValueType(each)).removeprefix(
                "CAPABILITY_"
            )
            for each in entry.capabilities
        ],
        "slots": [_resource(resource) for resource in entry.resources],
        "unknown": list(entry.unknown),
    }
    if entry.size_hint is not None:
        found["workgroupSizeHint"] = list(entry.size_hint)
    return found


def _constant(name: str, spec: SpecConstant) -> dict[str, Any]:
    return {
        "name": name,
        "id": spec.number,
        "element": _element(element_of(spec.type)) or None,
        "default": spec.default if isinstance(spec.default, bool) else f"{spec.default:#x}",
    }


def describe(module: SpirvModule) -> dict[str, Any]:
    """Return a module as plain data: strings, numbers, truth values, lists and dictionaries."""
    return {
        "format": "spirv",
        "version": "{}.{}".format(*module.version),
        "generator": module.generator,
        "words": module.words,
        "bound": module.bound,
        "capabilities": list(module.capabilities),
        "extensions": list(module.extensions),
        "addressing": ADDRESSING.get(module.addressing, str(module.addressing)),
        "memoryModel": MEMORY_MODELS.get(module.memory_model, str(module.memory_model)),
        "entries": [_entry(module, entry) for entry in module.entries],
        "constants": [_constant(name, spec) for name, spec in module.constants.items()],
        "complete": module.is_complete,
        "notes": [{"entry": note.entry, "slot": note.slot, "message": note.message} for note in module.notes],
    }


def lines(module: SpirvModule) -> list[str]:
    """Return a module as lines of text. Characters in names that are not printable are escaped."""
    plain = describe(module)
    found = [
        (
            f"SPIR-V {plain['version']}, {plain['words']} words, {plain['addressing']} addressing,"
            f" {plain['memoryModel']} memory model"
        )
    ]
    if plain["extensions"]:
        found.append(f"  extensions  {', '.join(plain['extensions'])}")
    for entry in plain["entries"]:
        found += _entry_lines(entry)
    for constant in plain["constants"]:
        kind = constant["element"] or "of an unknown type"
        found.append(
            f"constant `{constant['name']}`: id {constant['id']}, {kind}, {constant['default']} by default"
        )
    for note in plain["notes"]:
        place = f"`{note['entry']}`" + (f", slot `{note['slot']}`" if note["slot"] else "")
        found.append(f"note on {place}: {note['message']}")
    if not plain["complete"]:
        found.append("not all of it was understood: what is not listed may still exist")
    return [_printable(line) for line in found]


def _printable(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in line
    )


def _entry_lines(entry: dict[str, Any]) -> list[str]:
    found = [f"entry `{entry['name']}`: {entry['stage']}"]
    if entry["workgroupSizeByDefault"]:
        size = " x ".join(str(each) for each in entry["workgroupSizeByDefault"])
        chosen = [f"`{each}`" for each in entry["workgroupSize"] if isinstance(each, str)]
        found.append(f"  workgroup size  {size}" + (f", set by {', '.join(chosen)}" if chosen else ""))
    if entry["sharedBytes"]:
        found.append(f"  shared memory   {entry['sharedBytes']} bytes")
    traits = [
        name
        for name, holds in (("atomics", entry["usesAtomics"]), ("subgroups", entry["usesSubgroups"]))
        if holds
    ]
    if traits:
        found.append(f"  uses            {', '.join(traits)}")
    if entry["capabilities"]:
        found.append(f"  needs           {', '.join(entry['capabilities'])}")
    for slot in entry["slots"]:
        found += _slot_lines(slot)
    found += [f"  not known: {reason}" for reason in entry["unknown"]]
    return found


def _slot_lines(slot: dict[str, Any]) -> list[str]:
    place = (
        ""
        if slot["binding"] is None or slot["set"] is None
        else f", set {slot['set']} binding {slot['binding']}"
    )
    size = f", {slot['minimumSize']} bytes" if slot["minimumSize"] else ""
    more = " and an array as long as what is bound" if slot["runtimeSized"] else ""
    count = f"{slot['descriptors']} of " if "descriptors" in slot else ""
    found = [f"  slot `{slot['name']}`: {count}{slot['kind']}{place}, {slot['access']}{size}{more}"]
    for member in slot["members"]:
        shape = member["element"] or "?"
        shape += f" x {member['components']}" if "components" in member else ""
        if "arrayStride" in member:
            times = "" if member["arrayCount"] is None else str(member["arrayCount"])
            shape += f" [{times}], stride {member['arrayStride']}"
        name = f"`{member['name']}`: " if member["name"] else ""
        found.append(f"    {member['offset']:>6}  {name}{shape}")
    return [*found, *([f"    not known: {slot['unknown']}"] if "unknown" in slot else [])]
