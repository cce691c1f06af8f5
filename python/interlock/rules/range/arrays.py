"""Rules about shapes, strides and alignments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import NamedElement, Path, Step
from interlock.graph.accesses import ATOMIC, WRITING, AccessRole
from interlock.graph.elements import LayoutKind
from interlock.graph.extents import ZERO, Affine, bounds, describe, is_bounded, is_multiple, minus
from interlock.graph.footprints import NO_VALUE, Footprint, array_footprint, elements_meet
from interlock.graph.types import storage_bits
from interlock.rules.model import Finding, Gap, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.graph.accesses import Selection
    from interlock.graph.index import GraphIndex
    from interlock.rules.context import Context

_RESOURCE_STRIDES = (Step("layout"), Step("strided"))


@rule("range.rank-mismatch")
def rank_mismatch(context: Context) -> Iterator[Finding]:
    """A shape and its strides differ in number.

    What it checks:
        A view with strides and a resource with a strided layout have one stride for each axis of the shape.

    Why:
        Without a stride for each axis nobody knows where the elements lie.

    Bad example:
        views { id: "rows" resource: "x" shape { constant: 4 } shape { constant: 8 } byte_strides: 64 }

    Good example:
        views {
          id: "rows"
          resource: "x"
          shape { constant: 4 }
          shape { constant: 8 }
          byte_strides: 64
          byte_strides: 4
        }
    """
    elements = context.graph.elements
    for view in elements.views:
        if view.strides and len(view.strides) != len(view.shape):
            yield Finding(
                view.path.field("byte_strides"),
                f"{len(view.strides)} strides for {len(view.shape)} axes; required is one each",
                elements=(NamedElement("view", view.id),),
            )
    for resource in elements.resources:
        if resource.layout is LayoutKind.STRIDED and len(resource.strides) != len(resource.shape):
            yield Finding(
                resource.path.field("layout").field("strided"),
                f"{len(resource.strides)} strides for {len(resource.shape)} axes; required is one each",
                elements=(NamedElement("resource", resource.id),),
            )


@rule("range.image-rank")
def image_rank(context: Context) -> Iterator[Finding]:
    """An image has more than three axes.

    What it checks:
        The extent of an image has one to three axes: width, height, depth.

    Why:
        No target has images of four axes; layers and mip levels have fields of their own.

    Bad example:
        layout {
          image {
            format: IMAGE_FORMAT_R32_FLOAT
            extent { constant: 8 }
            extent { constant: 8 }
            extent { constant: 8 }
            extent { constant: 2 }
          }
        }

    Good example:
        layout {
          image { format: IMAGE_FORMAT_R32_FLOAT extent { constant: 8 } array_layers: 2 }
        }
    """
    for resource in context.graph.elements.resources:
        if resource.image_axes > 3:
            yield Finding(
                resource.path.field("layout").field("image").field("extent"),
                f"{resource.image_axes} axes; required are at most 3",
                elements=(NamedElement("resource", resource.id),),
            )


@rule("range.shape-exceeds-size")
def shape_exceeds_size(context: Context) -> Iterator[Finding | Gap]:
    """The elements of a resource take more bytes than the resource has.

    What it checks:
        For all values of the parameters, the elements of a resource with a packed or strided layout lie
        within its size. The last element needs no padding behind it. Images and opaque layouts are not
        judged.

    Why:
        The size is what gets allocated; elements behind it are somebody else's bytes.

    Bad example:
        resources { id: "x" type { element: ELEMENT_TYPE_F32 } shape { constant: 64 } size { constant: 252 } }

    Good example:
        resources { id: "x" type { element: ELEMENT_TYPE_F32 } shape { constant: 64 } size { constant: 256 } }
    """
    elements = context.graph.elements
    domains, names = elements.domains, elements.parameter_names
    for resource in elements.resources:
        if resource.is_whole:
            continue
        bytes_ = array_footprint(ZERO, resource.shape, resource.strides, resource.type, domains)
        size = resource.size
        if not isinstance(bytes_, Footprint) or size is None or not is_bounded(size, domains):
            reason = NO_VALUE.reason if isinstance(bytes_, Footprint) else bytes_.reason
            yield Gap(reason, resource.path)
            continue
        least = bounds(bytes_.low, domains).low
        spare = bounds(minus(size, bytes_.high, domains), domains).low
        message = ""
        if least < 0:
            message = f"reach down to byte {least}, before the start of the resource"
        elif spare < 0:
            stated = f"the size is `{describe(size, names)}`" if size != ZERO else "no size is stated"
            message = f"end at byte `{describe(bytes_.high, names)}`; {stated}"
        if message:
            yield Finding(
                resource.path.field("size"),
                f"the elements of `{resource.id}` {message}",
                elements=(NamedElement("resource", resource.id),),
            )


@rule("range.misaligned")
def misaligned(context: Context) -> Iterator[Finding | Gap]:
    """Bytes do not start, step or end at whole elements.

    What it checks:
        For all values of the parameters: the offset and the strides of a view are multiples of its
        element's size; so are the strides of a strided resource; the offset and the size of a byte range
        are multiples of the size of an element of its resource; what an atomic access or a control node
        reads starts at a multiple of the size of what is read there.

    Why:
        Half an element is no element, and devices read and update aligned words only.

    Bad example:
        views { id: "tail" resource: "x" offset { constant: 6 } type { element: ELEMENT_TYPE_F32 } }

    Good example:
        views { id: "tail" resource: "x" offset { constant: 8 } type { element: ELEMENT_TYPE_F32 } }
    """
    graph = context.graph
    yield from _misaligned_arrays(graph)
    yield from _misaligned_ranges(graph)
    yield from _misaligned_words(graph)


def _misaligned_arrays(graph: GraphIndex) -> Iterator[Finding | Gap]:
    elements = graph.elements
    for view in elements.views:
        size = view.type.bytes
        yield from _misaligned_strides(view.path, view.strides, size)
        if not size or view.offset is None or not is_bounded(view.offset, elements.domains):
            yield Gap("its element type or a parameter in it is missing", view.path.field("offset"))
        elif not is_multiple(view.offset, size, elements.domains):
            text = describe(view.offset, elements.parameter_names)
            yield Finding(
                view.path.field("offset"),
                f"`{text}` is not always a multiple of {size}, the size of one element",
                elements=(NamedElement("view", view.id),),
            )
    for resource in elements.resources:
        outer = resource.path.extended(*_RESOURCE_STRIDES)
        yield from _misaligned_strides(outer, resource.strides, resource.type.bytes)


def _misaligned_strides(outer: Path, strides: tuple[int, ...], size: int) -> Iterator[Finding]:
    for axis, stride in enumerate(strides if size else ()):
        if stride % size:
            yield Finding(
                outer.element("byte_strides", axis),
                f"{stride} is no multiple of {size}, the size of one element",
            )


def _misaligned_ranges(graph: GraphIndex) -> Iterator[Finding | Gap]:
    elements = graph.elements
    bad: dict[int, list[tuple[str, str]]] = {}
    for number, selection in enumerate(graph.selections):
        bytes_, resource = selection.bytes, selection.resource
        if selection.arm != "byte_range" or resource is None or not isinstance(bytes_, Footprint):
            continue
        size = elements.resources[resource].type.bytes
        if elements.resources[resource].is_whole or not size:
            continue
        for field, value in (("offset", bytes_.low), ("size", bytes_.payload)):
            if not is_multiple(value, size, elements.domains):
                text = describe(value, elements.parameter_names)
                message = (
                    f"`{text}` is not always a multiple of {size}, the element size of `{selection.name}`"
                )
                bad.setdefault(number, []).append((field, message))
    for node, path, number in graph.selection_places(bad) if bad else ():
        for field, message in bad[number]:
            yield Finding(
                path.field("byte_range").field(field),
                message,
                elements=(NamedElement("node", graph.nodes.ids[node]),),
            )


def _misaligned_words(graph: GraphIndex) -> Iterator[Finding | Gap]:
    accesses, nodes = graph.accesses, graph.nodes
    for access, mode in enumerate(accesses.mode):
        if mode == ATOMIC:
            selection = graph.selections[accesses.selection[access]]
            element = accesses.atomic[access] or (selection.type.element if selection.type else 0)
            path = accesses.path(access, nodes, Step("target"))
            yield from _misaligned_word(graph, accesses.node[access], path, selection, element)
    for read in graph.operations.control_reads:
        path = nodes.path(read.node, (*read.place, Step("source")))
        yield from _misaligned_word(graph, read.node, path, graph.selections[read.selection], read.element)


def _misaligned_word(
    graph: GraphIndex, node: int, path: Path, selection: Selection, element: int
) -> Iterator[Finding | Gap]:
    size, bytes_ = storage_bits(element) // 8, selection.bytes
    if not isinstance(bytes_, Footprint):
        yield Gap(bytes_.reason, path)
    elif size > 1 and not is_multiple(bytes_.low, size, graph.elements.domains):
        text = describe(bytes_.low, graph.elements.parameter_names)
        yield Finding(
            path,
            f"the bytes start at `{text}`, not always a multiple of {size}, the size of what is read there",
            elements=(NamedElement("node", graph.nodes.ids[node]),),
        )


@rule("range.self-overlapping-write")
def self_overlapping_write(context: Context) -> Iterator[Finding | Gap]:
    """Something is written whose elements share bytes with each other.

    What it checks:
        No two elements of a view or of a strided resource that is written, atomically too, share a byte for
        some value of the parameters. Small arrays are compared element by element at their greatest sizes;
        large ones whose strides interleave stay unverified.

    Why:
        Two invocations then write one byte, and which of them wins differs from run to run. A stride of
        zero is for reading one value many times.

    Bad example:
        views { id: "all" resource: "x" shape { constant: 64 } byte_strides: 0 }
        bindings { slot: "y" target { view: "all" } access: ACCESS_MODE_WRITE }

    Good example:
        views { id: "all" resource: "x" shape { constant: 64 } byte_strides: 0 }
        bindings { slot: "x" target { view: "all" } access: ACCESS_MODE_READ }
    """
    graph = context.graph
    accesses = graph.accesses
    meet = {}
    for number, selection in enumerate(graph.selections):
        shape_and_strides = _strided(graph, selection)
        if shape_and_strides is not None and isinstance(selection.bytes, Footprint):
            shape, strides, size = shape_and_strides
            known = [extent for extent in shape if extent is not None]
            if size and len(known) == len(strides):
                meet[number] = elements_meet(known, strides, size, graph.elements.domains)
    if all(answer is False for answer in meet.values()):
        return
    for access, (number, mode) in enumerate(zip(accesses.selection, accesses.mode, strict=True)):
        answer = meet.get(number, False)
        if mode not in WRITING or answer is False:
            continue
        is_binding = accesses.role[access] == AccessRole.BINDING
        path = accesses.path(access, graph.nodes, *((Step("target"),) if is_binding else ()))
        if answer is None:
            yield Gap("its strides interleave, and it has too many elements to compare", path)
            continue
        yield Finding(
            path,
            f"elements of `{graph.selections[number].name}` share bytes, so it cannot be written",
            elements=(NamedElement("node", graph.nodes.ids[accesses.node[access]]),),
        )


def _strided(
    graph: GraphIndex, selection: Selection
) -> tuple[tuple[Affine | None, ...], tuple[int, ...], int] | None:
    """Return shape, strides and element size of what a selection names, if it has strides."""
    if selection.view is not None:
        view = graph.elements.views[selection.view]
        return (view.shape, view.strides, view.type.bytes) if view.strides else None
    if selection.arm == "resource" and selection.resource is not None:
        resource = graph.elements.resources[selection.resource]
        return (resource.shape, resource.strides, resource.type.bytes) if resource.strides else None
    return None


@rule("range.alignment-not-power-of-two")
def alignment_not_power_of_two(context: Context) -> Iterator[Finding]:
    """An alignment is no power of two.

    What it checks:
        The alignments of allocations and resources, where stated, are powers of two.

    Why:
        Addresses are aligned by their lowest bits; no allocator knows another alignment.

    Bad example:
        allocations { id: "arena" size { constant: 4096 } alignment: 48 }

    Good example:
        allocations { id: "arena" size { constant: 4096 } alignment: 64 }
    """
    elements = context.graph.elements
    spaces = (("allocation", elements.allocations), ("resource", elements.resources))
    for space, facts in spaces:
        for fact in facts:
            if fact.alignment & (fact.alignment - 1):
                yield Finding(
                    fact.path.field("alignment"),
                    f"{fact.alignment} is no power of two",
                    elements=(NamedElement(space, fact.id),),
                )


RULES = (
    rank_mismatch,
    image_rank,
    shape_exceeds_size,
    misaligned,
    self_overlapping_write,
    alignment_not_power_of_two,
)
