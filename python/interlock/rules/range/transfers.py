"""Rules about the bytes of copies and fills."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import NamedElement, Step
from interlock.graph.extents import (
    Affine,
    Quantity,
    add,
    bounds,
    describe,
    is_bounded,
    is_multiple,
    minus,
    plus,
)
from interlock.graph.footprints import NO_VALUE, Footprint, rows_needed
from interlock.graph.operations import COPY_REGION, FILL_DESTINATION
from interlock.rules.model import Finding, Gap, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.graph.extents import Domains
    from interlock.graph.index import GraphIndex
    from interlock.graph.operations import Copy, CopyRows
    from interlock.rules.context import Context

_COPY = (Step("operation"), Step("copy"))


@rule("range.copy-size-mismatch")
def copy_size_mismatch(context: Context) -> Iterator[Finding | Gap]:
    """Source and destination of a copy have different numbers of bytes.

    What it checks:
        The source and the destination of a copy without rows have equally many bytes for all values of the
        parameters; of a view those of its elements count.

    Why:
        Bytes are copied in order and as they are. Where one side is longer, the rest is left to guess.

    Bad example:
        copy {
          source { byte_range { resource: "x" size { constant: 64 } } }
          destination { byte_range { resource: "y" size { constant: 32 } } }
        }

    Good example:
        copy {
          source { byte_range { resource: "x" size { constant: 64 } } }
          destination { byte_range { resource: "y" size { constant: 64 } } }
        }
    """
    graph = context.graph
    domains, names = graph.elements.domains, graph.elements.parameter_names
    for copy in graph.operations.copies:
        if copy.rows is not None:
            continue
        path = graph.nodes.path(copy.node, _COPY)
        source, destination = graph.selections[copy.source].bytes, graph.selections[copy.destination].bytes
        if not isinstance(source, Footprint):
            yield Gap(source.reason, path)
        elif not isinstance(destination, Footprint):
            yield Gap(destination.reason, path)
        elif bounds(minus(source.payload, destination.payload, domains), domains) != (0, 0):
            yield Finding(
                path,
                f"the source has `{describe(source.payload, names)}` bytes, the destination "
                f"`{describe(destination.payload, names)}`; required are equally many",
                elements=(NamedElement("node", graph.nodes.ids[copy.node]),),
            )


@rule("range.copy-pitch")
def copy_pitch(context: Context) -> Iterator[Finding | Gap]:
    """The rows or slices of a copy overlap each other.

    What it checks:
        Each row pitch is at least the bytes of a row, and where there are slices, each slice pitch is at
        least what the rows of a slice span, for all values of the parameters.

    Why:
        Rows that overlap in the destination are written twice, in no order.

    Bad example:
        region {
          row_bytes { constant: 64 }
          rows { constant: 4 }
          source_row_pitch: 256
          destination_row_pitch: 32
        }

    Good example:
        region {
          row_bytes { constant: 64 }
          rows { constant: 4 }
          source_row_pitch: 256
          destination_row_pitch: 64
        }
    """
    graph = context.graph
    domains, names = graph.elements.domains, graph.elements.parameter_names
    for copy in graph.operations.copies:
        rows = copy.rows
        if rows is None:
            continue
        sides = (("source", rows.source_pitches), ("destination", rows.destination_pitches))
        for side, (row_pitch, slice_pitch) in sides:
            wanted = [(f"{side}_row_pitch", row_pitch, rows.row_bytes, "the bytes of a row")]
            if rows.has_slices:
                span = _slice_span(rows, row_pitch)
                wanted.append(
                    (f"{side}_slice_pitch", slice_pitch, span, "the bytes that the rows of a slice span")
                )
            for field, pitch, least, what in wanted:
                path = graph.nodes.path(copy.node, (*COPY_REGION, Step(field)))
                if least is None or not is_bounded(least, domains):
                    yield Gap(NO_VALUE.reason, path)
                elif bounds(least, domains).high > pitch:
                    yield Finding(
                        path,
                        f"the pitch is {pitch}; required is at least `{describe(least, names)}`, {what}",
                        elements=(NamedElement("node", graph.nodes.ids[copy.node]),),
                    )


def _slice_span(rows: CopyRows, row_pitch: int) -> Affine | None:
    if rows.row_bytes is None or rows.rows is None:
        return None
    last = Affine(
        (rows.rows.constant - 1) * row_pitch,
        tuple((p, c * row_pitch) for p, c in rows.rows.terms if row_pitch),
    )
    return add(rows.row_bytes, last)


@rule("range.copy-overlap")
def copy_overlap(context: Context) -> Iterator[Finding | Gap]:
    """Source and destination of a copy share bytes.

    What it checks:
        The source and the destination of a copy within one resource do not overlap for any value of the
        parameters. Rows of equal pitch are compared row by row; other strided parts whose hulls overlap
        stay unverified. Different resources in the same bytes are judged together with all other accesses.

    Why:
        A target may copy in any order and in parallel, so what is read may have been overwritten already.

    Bad example:
        copy {
          source { byte_range { resource: "x" size { constant: 64 } } }
          destination { byte_range { resource: "x" offset { constant: 32 } size { constant: 64 } } }
        }

    Good example:
        copy {
          source { byte_range { resource: "x" size { constant: 64 } } }
          destination { byte_range { resource: "x" offset { constant: 64 } size { constant: 64 } } }
        }
    """
    graph = context.graph
    for copy in graph.operations.copies:
        source, destination = graph.selections[copy.source], graph.selections[copy.destination]
        path = graph.nodes.path(copy.node, _COPY)
        for side in (source, destination):
            if not isinstance(side.bytes, Footprint):
                yield Gap(side.bytes.reason, path)
        if source.resource is None or source.resource != destination.resource:
            continue
        if not isinstance(source.bytes, Footprint) or not isinstance(destination.bytes, Footprint):
            continue
        meets = _meets(graph, copy, source.bytes, destination.bytes)
        if meets is None:
            yield Gap("its strided parts interleave", path)
        elif meets:
            identity = graph.elements.resources[source.resource].id
            yield Finding(
                path,
                f"source and destination share bytes of `{identity}`",
                elements=(
                    NamedElement("node", graph.nodes.ids[copy.node]),
                    NamedElement("resource", identity),
                ),
            )


def _meets(graph: GraphIndex, copy: Copy, source: Footprint, destination: Footprint) -> bool | None:
    """Tell whether source and destination share a byte for some value of the parameters, if known."""
    domains, rows = graph.elements.domains, copy.rows
    source_end, destination_end = source.high, destination.high
    if rows is not None:
        spans = [
            rows_needed(rows, pitches, domains) for pitches in (rows.source_pitches, rows.destination_pitches)
        ]
        if spans[0] is None or spans[1] is None:
            return None
        source_end = plus(source.low, spans[0], domains)
        destination_end = plus(destination.low, spans[1], domains)
    if _is_before(source_end, destination.low, domains) or _is_before(destination_end, source.low, domains):
        return False
    if _is_empty(source, domains) or _is_empty(destination, domains):
        return False
    if not (source.contiguous and destination.contiguous):
        return None
    return True if rows is None else _rows_meet(rows, source, destination, domains)


def _rows_meet(rows: CopyRows, source: Footprint, destination: Footprint, domains: Domains) -> bool | None:
    """Tell whether two rows share a byte, where both sides have the same pitches and a fixed distance."""
    pitch, slice_pitch = rows.source_pitches
    distance = minus(destination.low, source.low, domains)
    low, high = bounds(distance, domains)
    if rows.source_pitches != rows.destination_pitches or low != high or not pitch:
        return None
    if rows.row_bytes is None or rows.rows is None:
        return None
    length, count = bounds(rows.row_bytes, domains).high, bounds(rows.rows, domains).high
    rest = low % pitch
    if slice_pitch % pitch == 0 and length <= rest <= pitch - length:
        return False
    if rows.has_slices:
        return None
    steps = low // pitch, low // pitch + 1
    return any(
        step * pitch - low < length and low - step * pitch < length for step in steps if abs(step) < count
    )


def _is_before(end: Quantity, start: Quantity, domains: Domains) -> bool:
    return bounds(minus(start, end, domains), domains).low >= 0


def _is_empty(bytes_: Footprint, domains: Domains) -> bool:
    return bounds(bytes_.payload, domains).high == 0


@rule("range.fill-size-mismatch")
def fill_size_mismatch(context: Context) -> Iterator[Finding | Gap]:
    r"""A fill does not end at the end of its pattern.

    What it checks:
        The bytes of a fill's destination, of a view those of its elements, are a multiple of the bytes of
        its pattern for all values of the parameters.

    Why:
        Whether the last pattern is cut or left out would differ between targets.

    Bad example:
        fill {
          destination { byte_range { resource: "x" size { constant: 10 } } }
          pattern { element: ELEMENT_TYPE_F32 bits: "\000\000\200\377" }
        }

    Good example:
        fill {
          destination { byte_range { resource: "x" size { constant: 12 } } }
          pattern { element: ELEMENT_TYPE_F32 bits: "\000\000\200\377" }
        }
    """
    graph = context.graph
    for fill in graph.operations.fills:
        path = graph.nodes.path(fill.node, FILL_DESTINATION)
        bytes_, pattern = graph.selections[fill.destination].bytes, graph.operations.literals[fill.pattern]
        if not isinstance(bytes_, Footprint):
            yield Gap(bytes_.reason, path)
        elif not pattern.bits:
            yield Gap("its pattern is missing", path)
        elif not is_multiple(bytes_.payload, len(pattern.bits), graph.elements.domains):
            text = describe(bytes_.payload, graph.elements.parameter_names)
            yield Finding(
                path,
                f"`{text}` bytes are not always a multiple of {len(pattern.bits)}, the bytes of the pattern",
                elements=(NamedElement("node", graph.nodes.ids[fill.node]),),
            )


RULES = (copy_size_mismatch, copy_pitch, copy_overlap, fill_size_mismatch)
