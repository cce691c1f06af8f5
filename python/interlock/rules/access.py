"""Rules about what a binding says of its access."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2
from interlock.diagnostic import NamedElement, Severity, Step
from interlock.graph.accesses import ATOMIC, READ, WRITING, AccessRole
from interlock.graph.elements import LayoutKind
from interlock.graph.operations import FULL
from interlock.rules.model import Finding, Gap, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.graph.index import GraphIndex
    from interlock.rules.context import Context

_STORAGE = access_pb2.USAGE_SHADER_STORAGE
_CONSTANT = access_pb2.USAGE_SHADER_CONSTANT
_SAMPLED = access_pb2.USAGE_SHADER_SAMPLED
_SHADER = frozenset({_STORAGE, _CONSTANT, _SAMPLED})


def _usage_name(usage: int) -> str:
    known = access_pb2.Usage.DESCRIPTOR.values_by_number.get(usage)
    return known.name.removeprefix("USAGE_") if known else str(usage)


def _finding(graph: GraphIndex, access: int, field: str, message: str) -> Finding:
    """Return a finding at a field of a binding."""
    accesses = graph.accesses
    return Finding(
        accesses.path(access, graph.nodes, Step(field)),
        message,
        elements=(NamedElement("node", graph.nodes.ids[accesses.node[access]]),),
    )


@rule("access.unsupported-binding-usage")
def unsupported_binding_usage(context: Context) -> Iterator[Finding]:
    """A binding claims a usage that kernels do not have.

    What it checks:
        The usage of every binding is SHADER_STORAGE, SHADER_CONSTANT or SHADER_SAMPLED.

    Why:
        The usage decides which visibility statements cover the access. A kernel that claims to be a copy
        would be judged by those of copies.

    Bad example:
        bindings { slot: "x" target { resource: "x" } access: ACCESS_MODE_READ usage: USAGE_TRANSFER }

    Good example:
        bindings { slot: "x" target { resource: "x" } access: ACCESS_MODE_READ usage: USAGE_SHADER_STORAGE }
    """
    graph = context.graph
    accesses = graph.accesses
    for access, (role, usage) in enumerate(zip(accesses.role, accesses.usage, strict=True)):
        if usage not in _SHADER and role == AccessRole.BINDING:
            name = _usage_name(usage)
            message = f"a binding cannot have the usage `{name}`; required is a SHADER usage"
            yield _finding(graph, access, "usage", message)


@rule("access.write-through-read-only-usage")
def write_through_read_only_usage(context: Context) -> Iterator[Finding]:
    """A binding writes through a usage that only reads.

    What it checks:
        Bindings with the usage SHADER_CONSTANT or SHADER_SAMPLED only read.

    Why:
        Kernels cannot store to constant buffers or sampled images. One of the two claims is wrong, and
        hazards are judged by both.

    Bad example:
        bindings { slot: "y" target { resource: "y" } access: ACCESS_MODE_WRITE usage: USAGE_SHADER_CONSTANT }

    Good example:
        bindings { slot: "y" target { resource: "y" } access: ACCESS_MODE_WRITE }
    """
    graph = context.graph
    accesses = graph.accesses
    for access, (usage, mode) in enumerate(zip(accesses.usage, accesses.mode, strict=True)):
        if usage in (_CONSTANT, _SAMPLED) and mode in WRITING:
            name = access_pb2.AccessMode.Name(mode).removeprefix("ACCESS_MODE_")
            message = (
                f"the usage `{_usage_name(usage)}` only reads; the access `{name}` needs `SHADER_STORAGE`"
            )
            yield _finding(graph, access, "usage", message)


@rule("access.usage-layout-mismatch")
def usage_layout_mismatch(context: Context) -> Iterator[Finding | Gap]:
    """A binding samples what is no image, or takes an image as a constant buffer.

    What it checks:
        The target of a binding with the usage SHADER_SAMPLED has an image layout, that of a binding with
        the usage SHADER_CONSTANT has not.

    Why:
        A target cannot make a sampled image of a buffer, nor a constant buffer of an image.

    Bad example:
        resources { id: "t" type { element: ELEMENT_TYPE_F32 } shape { constant: 64 } }
        bindings { slot: "t" target { resource: "t" } access: ACCESS_MODE_READ usage: USAGE_SHADER_SAMPLED }

    Good example:
        resources {
          id: "t"
          type { element: ELEMENT_TYPE_F32 }
          layout { image { format: IMAGE_FORMAT_R32_FLOAT extent { constant: 64 } } }
        }
        bindings { slot: "t" target { resource: "t" } access: ACCESS_MODE_READ usage: USAGE_SHADER_SAMPLED }
    """
    graph = context.graph
    accesses, resources = graph.accesses, graph.elements.resources
    for access, usage in enumerate(accesses.usage):
        if usage not in (_CONSTANT, _SAMPLED):
            continue
        resource = graph.selections[accesses.selection[access]].resource
        if resource is None:
            yield Gap("what it accesses is missing", accesses.path(access, graph.nodes, Step("usage")))
            continue
        is_image = resources[resource].layout is LayoutKind.IMAGE
        if is_image != (usage == _SAMPLED):
            what = "an image" if is_image else "no image"
            message = (
                f"`{resources[resource].id}` is {what}, which the usage `{_usage_name(usage)}` does not take"
            )
            yield _finding(graph, access, "usage", message)


@rule("access.part-of-opaque-layout")
def part_of_opaque_layout(context: Context) -> Iterator[Finding]:
    """Something names a part of a resource that is accessed as a whole.

    What it checks:
        No view and no byte range names a resource with an image layout or an opaque layout.

    Why:
        Only the target knows where the bytes of such a resource lie, so a part of it stands for no bytes
        that anybody could compare.

    Bad example:
        resources { id: "tiles" layout { opaque { format: "vendor-tiled" } } size { constant: 4096 } }
        views { id: "tile" resource: "tiles" shape { constant: 64 } }

    Good example:
        resources { id: "tiles" layout { opaque { format: "vendor-tiled" } } size { constant: 4096 } }
        bindings { slot: "tiles" target { resource: "tiles" } access: ACCESS_MODE_READ }
    """
    graph = context.graph
    resources = graph.elements.resources
    whole = {number for number, resource in enumerate(resources) if resource.is_whole}
    if not whole:
        return
    for view in graph.elements.views:
        if view.resource is not None and view.resource in whole:
            yield Finding(
                view.path.field("resource"),
                f"`{resources[view.resource].id}` is accessed as a whole; it cannot have views",
                elements=(
                    NamedElement("view", view.id),
                    NamedElement("resource", resources[view.resource].id),
                ),
            )
    ranges = {
        number: resources[selection.resource].id
        for number, selection in enumerate(graph.selections)
        if selection.arm == "byte_range" and selection.resource is not None and selection.resource in whole
    }
    for node, path, number in graph.selection_places(ranges):
        yield Finding(
            path.field("byte_range"),
            f"`{ranges[number]}` is accessed as a whole; required is the resource itself",
            elements=(NamedElement("node", graph.nodes.ids[node]), NamedElement("resource", ranges[number])),
        )


@rule("access.full-atomic")
def full_atomic(context: Context) -> Iterator[Finding]:
    """An atomic access claims to overwrite every byte.

    What it checks:
        No atomic binding has the coverage FULL.

    Why:
        An atomic update builds on what was there. It initialises nothing and kills no earlier write, so the
        claim would hide both.

    Bad example:
        bindings {
          slot: "bins"
          target { resource: "bins" }
          access: ACCESS_MODE_ATOMIC
          coverage: COVERAGE_FULL
        }

    Good example:
        bindings { slot: "bins" target { resource: "bins" } access: ACCESS_MODE_ATOMIC }
    """
    graph = context.graph
    accesses = graph.accesses
    for access, (mode, coverage) in enumerate(zip(accesses.mode, accesses.coverage, strict=True)):
        if mode == ATOMIC and coverage == FULL:
            yield _finding(
                graph, access, "coverage", "an atomic access is a partial write; `FULL` cannot be claimed"
            )


@rule("access.coverage-of-read", severity=Severity.WARNING)
def coverage_of_read(context: Context) -> Iterator[Finding]:
    """A binding that only reads states a coverage.

    What it checks:
        Bindings that only read state no coverage.

    Why:
        Coverage says how much a write overwrites. Beside a read it says nothing; perhaps the access should
        have been a write.

    Bad example:
        bindings { slot: "x" target { resource: "x" } access: ACCESS_MODE_READ coverage: COVERAGE_FULL }

    Good example:
        bindings { slot: "x" target { resource: "x" } access: ACCESS_MODE_READ }
    """
    graph = context.graph
    accesses = graph.accesses
    for access, (mode, coverage) in enumerate(zip(accesses.mode, accesses.coverage, strict=True)):
        if coverage and mode == READ:
            yield _finding(graph, access, "coverage", "a coverage is stated, but the binding only reads")


@rule("access.atomic-type-without-atomic")
def atomic_type_without_atomic(context: Context) -> Iterator[Finding]:
    """A binding that is not atomic states an atomic type.

    What it checks:
        Only bindings with the access ATOMIC state an atomic type.

    Why:
        Either the type is left over, or the access is atomic and was declared as something else, and then
        hazards are judged wrongly.

    Bad example:
        bindings {
          slot: "bins"
          target { resource: "bins" }
          access: ACCESS_MODE_READ_WRITE
          atomic_type: ELEMENT_TYPE_U32
        }

    Good example:
        bindings {
          slot: "bins"
          target { resource: "bins" }
          access: ACCESS_MODE_ATOMIC
          atomic_type: ELEMENT_TYPE_U32
        }
    """
    graph = context.graph
    accesses = graph.accesses
    for access, (mode, atomic) in enumerate(zip(accesses.mode, accesses.atomic, strict=True)):
        if atomic and mode != ATOMIC:
            yield _finding(
                graph, access, "atomic_type", "an atomic type is stated, but the access is not `ATOMIC`"
            )


RULES = (
    unsupported_binding_usage,
    write_through_read_only_usage,
    usage_layout_mismatch,
    part_of_opaque_layout,
    full_atomic,
    coverage_of_read,
    atomic_type_without_atomic,
)
