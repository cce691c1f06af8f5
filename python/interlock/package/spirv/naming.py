"""Names for slots and constants: those the bytes keep, and never one for two things."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from execgraph.v1 import interface_pb2

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlock.package.spirv.constants import SpecConstant
    from interlock.package.spirv.model import Resource


def place_name(resource: Resource) -> str:
    """Return a name for a slot out of where it is, or out of what it is if it is at no binding."""
    if resource.group is not None and resource.index is not None:
        return f"set{resource.group}.binding{resource.index}"
    if resource.kind == interface_pb2.SLOT_KIND_INLINE_CONSTANTS:
        return "push_constants"
    return f"variable{resource.variables[0]}"


def named(resources: Sequence[Resource], names: Mapping[int, Sequence[str]]) -> list[Resource]:
    """Return resources with their names and aliases.

    Args:
        resources: The resources, in an order that does not depend on names.
        names: For each variable its own name, then that of its block, then that of its only member.
    """
    wanted = [_candidates(resource, names) for resource in resources]
    counts = Counter(name for each in wanted for name in dict.fromkeys(each))
    taken: set[str] = set()
    chosen = []
    for resource, candidates in zip(resources, wanted, strict=True):
        fallback = f"variable{resource.variables[0]}"
        name = next((each for each in (*candidates, fallback) if each not in taken), "")
        while not name or name in taken:
            fallback += "_"
            name = fallback
        taken.add(name)
        chosen.append(name)
    return [
        replace(
            resource,
            name=name,
            aliases=tuple(
                each
                for each in dict.fromkeys(candidates)
                if each != name and each not in taken and counts[each] == 1
            ),
        )
        for resource, name, candidates in zip(resources, chosen, wanted, strict=True)
    ]


def _candidates(resource: Resource, names: Mapping[int, Sequence[str]]) -> list[str]:
    depth = max((len(names[variable]) for variable in resource.variables), default=0)
    own = [
        names[variable][place]
        for place in range(depth)
        for variable in resource.variables
        if place < len(names[variable])
    ]
    return [*own, place_name(resource)]


def constant_names(specs: Sequence[SpecConstant], names: Mapping[int, str]) -> dict[int, str]:
    """Return a name for each specialization constant, by id."""
    found: dict[int, str] = {}
    taken: set[str] = set()
    for spec in specs:
        name = names.get(spec.id, "")
        if not name or name in taken:
            name = f"spec{spec.number}"
        if name in taken:  # ids differ even where numbers do not, so that few names are tried
            name = f"spec{spec.number}.{spec.id}"
        while name in taken:
            name += "_"
        taken.add(name)
        found[spec.id] = name
    return found
