"""Rules about where resources lie in allocations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import NamedElement, Related, Step
from interlock.graph.extents import ZERO, add, bounds, describe, is_multiple, subtract
from interlock.rules.basis import ELEMENTS
from interlock.rules.model import Finding, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.graph.elements import Allocation, Resource
    from interlock.rules.context import Context

_OFFSET = (Step("placement"), Step("offset"))


def _placed(context: Context) -> Iterator[tuple[Resource, Allocation]]:
    tables = context.graph.elements
    for resource in tables.resources:
        if resource.allocation is not None:
            yield resource, tables.allocations[tables.allocation_by_id[resource.allocation]]


def _elements(resource: Resource, allocation: Allocation) -> tuple[NamedElement, ...]:
    return NamedElement("resource", resource.id), NamedElement("allocation", allocation.id)


def _natural_alignment(resource: Resource) -> int:
    """Return the alignment of one element: its size, if that is a power of two."""
    size = resource.type.bytes
    return size if size and size & (size - 1) == 0 else 1


@rule("placement.out-of-bounds", needs=ELEMENTS)
def out_of_bounds(context: Context) -> Iterator[Finding]:
    """A resource does not lie within its allocation.

    What it checks:
        For all values of the parameters, the offset of a resource and its size together are at most the size
        of its allocation.

    Why:
        Accesses beyond the end touch memory of somebody else.

    Bad example:
        allocations { id: "arena" size { constant: 64 } }
        resources { id: "x" placement { allocation: "arena" offset { constant: 32 } } size { constant: 64 } }

    Good example:
        allocations { id: "arena" size { constant: 96 } }
        resources { id: "x" placement { allocation: "arena" offset { constant: 32 } } size { constant: 64 } }
    """
    tables = context.graph.elements
    names, domains = tables.parameter_names, tables.domains
    for resource, allocation in _placed(context):
        end, size = add(resource.offset or ZERO, resource.size or ZERO), allocation.size or ZERO
        if bounds(subtract(size, end), domains).low < 0:
            yield Finding(
                resource.path.extended(*_OFFSET),
                f"`{resource.id}` ends at byte {describe(end, names)} of `{allocation.id}`, "
                f"which has {describe(size, names)} bytes",
                elements=_elements(resource, allocation),
                related=(Related(allocation.path, f"`{allocation.id}` is declared here"),),
            )


@rule("placement.misaligned", needs=(*ELEMENTS, "range.alignment-not-power-of-two"))
def misaligned(context: Context) -> Iterator[Finding]:
    """A resource lies at an offset, or in an allocation, that does not keep its alignment.

    What it checks:
        The offset of a resource is a multiple of its alignment for all values of the parameters, and its
        allocation is aligned at least as strictly where it states an alignment.

    Why:
        Devices refuse to bind misaligned buffers, or read something else.

    Bad example:
        allocations { id: "arena" size { constant: 96 } alignment: 256 }
        resources { id: "x" placement { allocation: "arena" offset { constant: 4 } } alignment: 16 }

    Good example:
        allocations { id: "arena" size { constant: 96 } alignment: 256 }
        resources { id: "x" placement { allocation: "arena" offset { constant: 16 } } alignment: 16 }
    """
    tables = context.graph.elements
    for resource, allocation in _placed(context):
        needed = resource.alignment or _natural_alignment(resource)
        offset = resource.offset or ZERO
        if not is_multiple(offset, needed, tables.domains):
            yield Finding(
                resource.path.extended(*_OFFSET),
                f"`{resource.id}` lies at byte {describe(offset, tables.parameter_names)} of "
                f"`{allocation.id}`; required is a multiple of {needed}",
                elements=_elements(resource, allocation),
            )
        elif allocation.alignment and allocation.alignment < needed:
            yield Finding(
                resource.path.extended(Step("alignment")),
                f"`{resource.id}` needs an alignment of {needed} bytes; `{allocation.id}` has "
                f"{allocation.alignment}",
                elements=_elements(resource, allocation),
                related=(Related(allocation.path, f"`{allocation.id}` is declared here"),),
            )


RULES = (out_of_bounds, misaligned)
