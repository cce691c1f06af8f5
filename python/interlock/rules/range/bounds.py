"""Rules about the values of extents, and about staying within a resource."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import NamedElement
from interlock.graph.extents import U64_MAX, Affine, Interval, Quantity, bounds, describe, is_bounded, minus
from interlock.graph.footprints import MISSING_RESOURCE, NO_VALUE, Footprint, rows_needed
from interlock.graph.operations import COPY_DESTINATION, COPY_SOURCE
from interlock.rules.model import Finding, Gap, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.graph.accesses import Selection
    from interlock.graph.index import GraphIndex
    from interlock.rules.context import Context


@rule("range.negative-extent")
def negative_extent(context: Context) -> Iterator[Finding | Gap]:
    """An extent is negative for some value of its parameters.

    What it checks:
        The least value of every extent, over all values of its parameters, is at least 0.

    Why:
        Offsets, sizes and counts are unsigned where they are used. A negative one turns into a huge one.

    Bad example:
        parameters { id: "n" type: ELEMENT_TYPE_U32 maximum: 8 }
        resources { id: "x" size { constant: -4 terms { parameter: "n" coefficient: 4 } } }

    Good example:
        parameters { id: "n" type: ELEMENT_TYPE_U32 minimum: 1 maximum: 8 }
        resources { id: "x" size { constant: -4 terms { parameter: "n" coefficient: 4 } } }
    """
    elements = context.graph.elements
    for use in elements.uses:
        if use.value is None or not is_bounded(use.value, elements.domains):
            yield Gap(NO_VALUE.reason, use.path)
            continue
        low = bounds(use.value, elements.domains).low
        if low < 0:
            text = describe(use.value, elements.parameter_names)
            yield Finding(use.path, f"`{text}` can be {low}; required is at least 0")


@rule("range.overflow")
def overflow(context: Context) -> Iterator[Finding | Gap]:
    """An extent does not fit 64 bits for some value of its parameters.

    What it checks:
        The greatest value of every extent, over all values of its parameters, is less than 2^64. Ends and
        products are compared without any width, so that nothing wraps around while it is judged.

    Why:
        Targets compute with 64 bits. What wraps around names other bytes than it says.

    Bad example:
        parameters { id: "n" type: ELEMENT_TYPE_U64 maximum: 9223372036854775807 }
        resources { id: "x" size { terms { parameter: "n" coefficient: 4 } } }

    Good example:
        parameters { id: "n" type: ELEMENT_TYPE_U64 maximum: 1099511627776 }
        resources { id: "x" size { terms { parameter: "n" coefficient: 4 } } }
    """
    elements = context.graph.elements
    for use in elements.uses:
        if use.value is None or not is_bounded(use.value, elements.domains):
            yield Gap(NO_VALUE.reason, use.path)
            continue
        high = bounds(use.value, elements.domains).high
        if high > U64_MAX:
            text = describe(use.value, elements.parameter_names)
            yield Finding(use.path, f"`{text}` can be {high}; required is less than 2^64")


def _excess(graph: GraphIndex, high: Quantity, size: Quantity) -> str:
    """Return a sentence if the end of some bytes lies behind the size of what holds them, else nothing."""
    domains, names = graph.elements.domains, graph.elements.parameter_names
    spare = minus(size, high, domains)
    least = bounds(spare, domains).low
    if least >= 0:
        return ""
    by = f"by up to {-least} bytes" if bounds(spare, domains).high != least else f"by {-least} bytes"
    roughly = "; the end is an upper bound" if isinstance(high, Interval) else ""
    return f"end at byte `{describe(high, names)}`, {by} behind the end at `{describe(size, names)}`{roughly}"


def _resource_size(graph: GraphIndex, resource: int) -> Affine | None:
    size = graph.elements.resources[resource].size
    return size if size is not None and is_bounded(size, graph.elements.domains) else None


@rule("range.out-of-bounds")
def out_of_bounds(context: Context) -> Iterator[Finding | Gap]:
    """A view, a byte range or the rows of a copy leave what they are a part of.

    What it checks:
        For all values of the parameters, every view and every byte range lies within its resource, and the
        rows of a copy lie within the bytes of its source and of its destination. Ends are exact where only
        one extent of a shape varies; where several do, the product of their greatest values counts.

    Why:
        What lies behind the end belongs to another resource, or to nobody.

    Bad example:
        resources { id: "x" size { constant: 4096 } }
        views { id: "tail" resource: "x" offset { constant: 4000 } shape { constant: 32 } }

    Good example:
        resources { id: "x" size { constant: 4096 } }
        views { id: "tail" resource: "x" offset { constant: 3968 } shape { constant: 32 } }
    """
    graph = context.graph
    yield from _views_out_of_bounds(graph)
    yield from _ranges_out_of_bounds(graph)
    yield from _rows_out_of_bounds(graph)


def _views_out_of_bounds(graph: GraphIndex) -> Iterator[Finding | Gap]:
    elements, domains = graph.elements, graph.elements.domains
    for view, bytes_ in zip(elements.views, graph.selection_table.view_bytes, strict=True):
        if view.resource is None:
            yield Gap("its resource is missing", view.path)
            continue
        if not isinstance(bytes_, Footprint):
            yield Gap(bytes_.reason, view.path)
            continue
        size = _resource_size(graph, view.resource)
        if size is None:
            yield Gap(NO_VALUE.reason, view.path)
            continue
        least = bounds(bytes_.low, domains).low
        message = _excess(graph, bytes_.high, size)
        if least < 0 and view.strides:
            message = f"reach down to byte {least}, before the start"
        if message:
            resource = elements.resources[view.resource]
            yield Finding(
                view.path,
                f"the bytes of `{view.id}` {message} of `{resource.id}`",
                elements=(NamedElement("view", view.id), NamedElement("resource", resource.id)),
            )


def _ranges_out_of_bounds(graph: GraphIndex) -> Iterator[Finding | Gap]:
    judged: dict[int, str] = {}
    gaps: dict[int, str] = {}
    for number, selection in enumerate(graph.selections):
        if selection.arm == "byte_range":
            finding, gap = _range_verdict(graph, selection)
            if finding:
                judged[number] = finding
            elif gap:
                gaps[number] = gap
    if judged or gaps:
        for node, path, number in graph.selection_places({*judged, *gaps}):
            place = path.field("byte_range")
            if number in gaps:
                yield Gap(gaps[number], place)
                continue
            resource = graph.selections[number].name
            yield Finding(
                place,
                f"the bytes {judged[number]} of `{resource}`",
                elements=(NamedElement("node", graph.nodes.ids[node]), NamedElement("resource", resource)),
            )


def _range_verdict(graph: GraphIndex, selection: Selection) -> tuple[str, str]:
    bytes_ = selection.bytes
    if not isinstance(bytes_, Footprint) or selection.resource is None:
        return "", MISSING_RESOURCE.reason if isinstance(bytes_, Footprint) else bytes_.reason
    size = _resource_size(graph, selection.resource)
    if size is None:
        return "", NO_VALUE.reason
    return _excess(graph, bytes_.high, size), ""


def _rows_out_of_bounds(graph: GraphIndex) -> Iterator[Finding | Gap]:
    domains = graph.elements.domains
    for copy in graph.operations.copies:
        if copy.rows is None:
            continue
        sides = (
            (copy.source, COPY_SOURCE, copy.rows.source_pitches),
            (copy.destination, COPY_DESTINATION, copy.rows.destination_pitches),
        )
        for number, place, pitches in sides:
            path = graph.nodes.path(copy.node, place)
            needed = rows_needed(copy.rows, pitches, domains)
            bytes_ = graph.selections[number].bytes
            if not isinstance(bytes_, Footprint):
                yield Gap(bytes_.reason, path)
                continue
            if needed is None:
                yield Gap(NO_VALUE.reason, path)
                continue
            if not bytes_.contiguous:
                yield Gap("rows of a strided view are not followed", path)
                continue
            message = _excess(graph, needed, bytes_.payload)
            if message:
                identity = graph.nodes.ids[copy.node]
                yield Finding(
                    path,
                    f"the rows of the copy {message} of these bytes",
                    elements=(NamedElement("node", identity),),
                )


RULES = (negative_extent, overflow, out_of_bounds)
