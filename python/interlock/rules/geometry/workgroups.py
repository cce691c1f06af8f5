"""How large the workgroups of a dispatch are on a target, and how many there may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from interlock.graph.extents import is_bounded, is_multiple
from interlock.graph.types import INTEGER_RANGES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from execgraph.v1.interface_pb2 import WorkgroupAxis
    from execgraph.v1.type_pb2 import TypedBits
    from interlock.graph.extents import Affine, Domains
    from interlock.package.merge import Facts
    from interlock.rules.launches import Launches

AXES = 3
AXIS_NAMES = "xyz"
NOWHERE = "its workgroup size is stated nowhere"

Workgroup = tuple[int, int, int]


class Sizes(NamedTuple):
    """The size of a workgroup, or why it is not known."""

    size: Workgroup | None = None
    reason: str = ""


def padded(axes: Sequence[int]) -> Workgroup:
    """Return three axes; those that are missing are 1, those beyond are left out."""
    x, y, z = (*axes, 1, 1, 1)[:AXES]
    return x, y, z


def sets_size_itself(target: str) -> bool:
    """Tell whether a dispatch sets the workgroup size on a target, so that a module need not fix it."""
    from interlock.package.profiles import canonical_target  # noqa: PLC0415  (packages only)

    return canonical_target(target) in {"metal", "cuda", "hip"}


def size_of_entry(launch: Launches) -> Sizes:
    """Return the workgroup size that the entry has with the constants of the dispatch.

    Where nobody states one, neither size nor reason is there.
    """
    entry = launch.where.entered
    if entry is None:
        return Sizes(reason=launch.where.reason)
    stated = entry.value("workgroup_size")
    if stated is None:
        return Sizes(reason=entry.unknown)
    sizes = []
    for axis in stated.axes[:AXES]:
        size = _axis(launch, axis)
        if size is None:
            name = axis.constant
            return Sizes(reason=f"its workgroup size depends on the constant `{name}`, which has no value")
        sizes.append(size)
    return Sizes(padded(sizes))


def size_of(launch: Launches) -> Sizes:
    """Return the workgroup size that runs: what the dispatch states, or else the entry."""
    if launch.geometry.workgroup_size:
        return Sizes(padded(launch.geometry.workgroup_size))
    sizes = size_of_entry(launch)
    return sizes if sizes.size or sizes.reason else Sizes(reason=NOWHERE)


def _axis(launch: Launches, axis: WorkgroupAxis) -> int | None:
    if axis.WhichOneof("size") == "literal":
        return axis.literal
    constant = _constant(launch, axis.constant)
    number = None if constant is None else constant.value("constant_id")
    name = axis.constant if constant is None else constant.name
    for value in launch.dispatch.specialization:
        is_named = value.name == name if value.name else False
        if is_named or (value.HasField("constant_id") and not value.name and value.constant_id == number):
            return _integer(value.value)
    default = None if constant is None else constant.value("default_value")
    return None if default is None else _integer(default)


def _constant(launch: Launches, name: str) -> Facts | None:
    """Return a constant by its logical name, or else by the one that the variant has for it."""
    constants = launch.where.interface.constants
    found = constants.get(name)
    return found or next((each for each in constants.values() if each.target_name == name), None)


def _integer(bits: TypedBits) -> int | None:
    """Return the number that bits of an integer type are; None for other types."""
    limits = INTEGER_RANGES.get(bits.element)
    if limits is None or not bits.bits:
        return None
    return int.from_bytes(bits.bits, "little", signed=limits[0] < 0)


def shared_bytes(launch: Launches) -> int | None:
    """Return the shared memory of the entry itself with the constants of the dispatch; None if not known."""
    entry = launch.where.entered
    if entry is None:
        return None
    constants = launch.where.interface.constants
    numbers = {constant.name: constant.value("constant_id") for constant in constants.values()}
    for facts in launch.where.interface.modules:
        if facts.shared_bytes is None or not launch.dispatch.specialization:
            continue
        if not any(each.name == entry.target_name for each in facts.interface.entries):
            continue
        values: dict[int, int] = {}
        for value in launch.dispatch.specialization:
            number = numbers.get(value.name) if value.name else value.constant_id
            if number is not None:
                values[number] = int.from_bytes(value.value.bits, "little")
        return facts.shared_bytes(entry.target_name, values)
    stated: int | None = entry.value("static_shared_bytes")
    return stated


def elements_of_workgroup(launch: Launches) -> tuple[tuple[int, ...] | None, str]:
    """Return the elements that a workgroup covers along each axis, by what the dispatch states; or why not.

    A dispatch that states neither elements nor a workgroup size leaves both to the entry.
    """
    geometry, entry = launch.geometry, launch.where.entered
    stated = geometry.elements_per_workgroup or geometry.workgroup_size
    fixed = None if stated or entry is None else entry.value("elements_per_workgroup")
    if stated or fixed:
        return tuple(stated or fixed or ()), ""
    size, reason = size_of(launch)
    return size, reason


def are_whole(counts: Sequence[Affine | None], per_workgroup: Sequence[int], domains: Domains) -> bool:
    """Tell whether elements fill whole workgroups for all values of the parameters."""
    return len(counts) <= len(per_workgroup) and all(
        count is not None and is_bounded(count, domains) and size > 0 and is_multiple(count, size, domains)
        for count, size in zip(counts, per_workgroup, strict=False)
    )
