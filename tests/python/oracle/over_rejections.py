"""The listed over-rejections of docs/execution-semantics.md: whether one can be in play for a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .accesses import Catalogue
from .model import ELEMENT_BYTES, OUTPUT, Extent, Graph, Repeat, Resource, Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def long_loops(graph: Graph) -> bool:
    """Tell whether a loop always makes more than two trips."""
    return any(isinstance(node.operation, Repeat) and node.operation.least > 2 for node, _, _ in graph.walk())


def tangled_strides(graph: Graph) -> bool:
    """Tell whether the strides of a view do not nest: a step along one axis lands within the reach of the
    smaller ones.
    """
    greatest = {parameter.id: parameter.maximum for parameter in graph.parameters.values()}
    for view in graph.views.values():
        reach = ELEMENT_BYTES[view.element]
        axes = [(abs(s), axis.at(greatest)) for s, axis in zip(view.strides, view.shape, strict=False)]
        for stride, count in sorted(axes):
            if count > 1 and stride:
                if stride < reach:
                    return True
                reach += stride * (count - 1)
    return False


def varying_extents(graph: Graph) -> bool:
    """Tell whether two bounds of accesses or resources of one allocation differ by no constant."""
    bounds: dict[str, set[tuple[tuple[str, int], ...]]] = {}
    shared = [resource.allocation for resource in graph.resources.values() if resource.allocation]
    for resource in graph.resources.values():
        if resource.role == OUTPUT or shared.count(resource.allocation) > 1:
            _note(bounds, resource, Extent(), resource.size)
    for template in Catalogue(graph).templates():
        resource = graph.resources[template.resource]
        _note_selection(graph, bounds, resource, template.selection)
        if template.region is not None:
            region = template.region
            _note(bounds, resource, region.row_bytes, region.rows)
            _note(bounds, resource, region.slices or Extent(), Extent())
    return any(len(terms) > 1 for terms in bounds.values())


def _note_selection(
    graph: Graph,
    bounds: dict[str, set[tuple[tuple[str, int], ...]]],
    resource: Resource,
    selection: Selection,
) -> None:
    if selection.view:
        view = graph.views[selection.view]
        for axis in view.shape:
            _note(bounds, resource, view.offset, axis)
    else:
        _note(bounds, resource, selection.offset, resource.size if selection.size is None else selection.size)


def _note(
    bounds: dict[str, set[tuple[tuple[str, int], ...]]], resource: Resource, offset: Extent, size: Extent
) -> None:
    known = bounds.setdefault(resource.allocation or resource.id, set())
    start = _sum(resource.offset.terms, offset.terms)
    known |= {start, _sum(start, size.terms)}


def _sum(
    first: tuple[tuple[str, int], ...], second: tuple[tuple[str, int], ...]
) -> tuple[tuple[str, int], ...]:
    total = dict(first)
    for name, coefficient in second:
        total[name] = total.get(name, 0) + coefficient
    return tuple(sorted((name, c) for name, c in total.items() if c))


def several_spans(graph: Graph) -> bool:
    """Tell whether a resource has several spans, which might not follow one after the other."""
    return any(len(resource.lifetime or ()) > 1 for resource in graph.resources.values())


OVER_REJECTIONS: Mapping[str, Callable[[Graph], bool]] = {
    "trips": long_loops,
    "strides": tangled_strides,
    "parameters": varying_extents,
    "spans": several_spans,
}
"""The entries of the last section of docs/execution-semantics.md, by name: whether a graph can fall under
one.
"""
