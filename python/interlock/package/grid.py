"""How large the grid of a dispatch can get, over all values of the parameters.

An element-derived count needs the workgroup size that the variant settles, so that is an argument: a graph
alone may leave it open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from interlock.graph.extents import bounds, is_bounded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlock.graph.extents import Affine, Domains
    from interlock.graph.operations import Geometry

AXES = 3


class Grid(NamedTuple):
    """The greatest workgroup count along x, y and z.

    An axis is None if it is not known: a parameter has no value, a workgroup size is missing, or the count
    has no source. ``vouched`` tells that the counts are read from memory, and the numbers are the bound that
    the producer vouches for.
    """

    counts: tuple[int | None, int | None, int | None]
    vouched: bool = False


def greatest_grid(
    geometry: Geometry,
    domains: Domains,
    workgroup_size: Sequence[int] = (),
    elements_per_workgroup: Sequence[int] = (),
) -> Grid:
    """Return the greatest workgroup count of a dispatch along each axis, over all values of its parameters.

    Along one axis it is met: ceiling division grows with the elements, and the bounds of an extent are exact.
    Axes that share a parameter need not all reach it together.

    Args:
        geometry: The geometry that the graph states.
        domains: The values of the parameters, by their dense numbers.
        workgroup_size: The size that the artifact's variant settles, where the graph leaves it open; axes
            that are missing are 1, none at all means that it is not known.
        elements_per_workgroup: The elements that one workgroup covers, where the kernel fixes them and the
            graph does not state them.
    """
    if not geometry.source:
        return Grid((None, None, None))
    divisors: tuple[int | None, ...] = (1, 1, 1)
    if geometry.source == "elements":
        divisors = elements_of_a_workgroup(geometry, workgroup_size, elements_per_workgroup)
    counts = [_greatest(count, domains) for count in geometry.counts[:AXES]]
    counts += [1] * (AXES - len(counts))
    x, y, z = (_divided(count, divisor) for count, divisor in zip(counts, divisors, strict=True))
    return Grid((x, y, z), geometry.source == "indirect")


def elements_of_a_workgroup(
    geometry: Geometry, workgroup_size: Sequence[int] = (), elements_per_workgroup: Sequence[int] = ()
) -> tuple[int | None, int | None, int | None]:
    """Return how many elements a workgroup covers along each axis; None where nobody says it.

    The graph's own statement comes first, then what the kernel fixes, then the workgroup size: that of the
    graph, else that of the variant. Axes that a statement leaves out are 1.
    """
    stated = (
        geometry.elements_per_workgroup or elements_per_workgroup or geometry.workgroup_size or workgroup_size
    )
    if not stated:
        return None, None, None
    x, y, z = (*stated, 1, 1)[:AXES]
    return x or None, y or None, z or None


def _greatest(count: Affine | None, domains: Domains) -> int | None:
    """Return the greatest value; one that is negative counts as 0, because other rules refuse it."""
    if count is None or not is_bounded(count, domains):
        return None
    return max(bounds(count, domains).high, 0)


def _divided(count: int | None, divisor: int | None) -> int | None:
    if count is None or divisor is None:
        return count if count in (0, 1) else None  # whatever the divisor is
    return -(-count // divisor)
