"""Rules about geometry as the graph states it. Each distinct geometry is judged once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import NamedElement, Step
from interlock.graph.accesses import AccessRole
from interlock.graph.extents import Affine, bounds, describe, is_bounded, is_multiple
from interlock.graph.footprints import Footprint
from interlock.graph.operations import GEOMETRY
from interlock.rules.model import Finding, Gap, rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from interlock.graph.operations import Geometry, Place
    from interlock.rules.context import Context

_COUNT_FIELDS = {"extents": "counts", "elements": "elements", "indirect": "maximum_counts"}
INDIRECT_BYTES = 12
"""Three U32 counts."""


def _count_place(geometry: Geometry, *steps: Step) -> Place:
    return (*GEOMETRY, Step("workgroup_count"), Step(geometry.source), *steps)


def _judge(context: Context, judge: Callable[[Geometry], list[tuple[Place, str]]]) -> Iterator[Finding]:
    """Judge each distinct geometry, and yield what is wrong at every dispatch that has it."""
    operations, nodes = context.graph.operations, context.graph.nodes
    verdicts = [judge(geometry) for geometry in operations.geometries]
    if not any(verdicts):
        return
    for node, number in operations.geometry_of:
        for place, message in verdicts[number]:
            yield Finding(nodes.path(node, place), message, elements=(NamedElement("node", nodes.ids[node]),))


@rule("geometry.rank")
def rank(context: Context) -> Iterator[Finding]:
    """A geometry has more than three axes, or axes that do not match.

    What it checks:
        Workgroup sizes, counts, element numbers and indirect maxima have at most three axes; the elements
        of a workgroup, where stated, have as many axes as the elements.

    Why:
        A grid has the axes x, y and z. What a fourth would mean, or which axis is left out, nobody says.

    Bad example:
        workgroup_count {
          elements { elements { constant: 64 } elements { constant: 64 } elements_per_workgroup: 256 }
        }

    Good example:
        workgroup_count {
          elements {
            elements { constant: 64 }
            elements { constant: 64 }
            elements_per_workgroup: 16
            elements_per_workgroup: 16
          }
        }
    """

    def judge(geometry: Geometry) -> list[tuple[Place, str]]:
        found = []
        if len(geometry.workgroup_size) > 3:
            axes = len(geometry.workgroup_size)
            found.append(((*GEOMETRY, Step("workgroup_size")), f"{axes} axes; required are at most 3"))
        counts, per_workgroup = len(geometry.counts), len(geometry.elements_per_workgroup)
        if counts > 3:
            field = Step(_COUNT_FIELDS[geometry.source])
            found.append((_count_place(geometry, field), f"{counts} axes; required are at most 3"))
        if per_workgroup and counts and per_workgroup != counts:
            place = _count_place(geometry, Step("elements_per_workgroup"))
            found.append((place, f"{per_workgroup} axes; required are {counts}, as many as `elements` has"))
        return found

    yield from _judge(context, judge)


@rule("geometry.zero-count")
def zero_count(context: Context) -> Iterator[Finding]:
    """A dispatch never has a workgroup.

    What it checks:
        No count, number of elements or indirect maximum is 0 for every value of its parameters. One that
        can be 0 is legal.

    Why:
        A dispatch without workgroups does nothing, so nobody meant it; some targets refuse it when it runs.

    Bad example:
        workgroup_count { extents { counts { constant: 0 } } }

    Good example:
        workgroup_count { extents { counts { constant: 1 } } }
    """
    domains = context.graph.elements.domains

    def judge(geometry: Geometry) -> list[tuple[Place, str]]:
        found = []
        for axis, count in enumerate(geometry.counts):
            if count is not None and is_bounded(count, domains) and bounds(count, domains).high == 0:
                place = _count_place(geometry, Step(_COUNT_FIELDS[geometry.source], axis))
                found.append(
                    (place, "the count is always 0; required is at least 1 for some value of the parameters")
                )
        return found

    yield from _judge(context, judge)


@rule("geometry.zero-workgroup")
def zero_workgroup(context: Context) -> Iterator[Finding]:
    """A workgroup is empty along an axis.

    What it checks:
        No axis of a workgroup size, and none of the elements of a workgroup, is 0.

    Why:
        A workgroup without invocations does nothing, and a number of elements cannot be divided by 0.

    Bad example:
        geometry { workgroup_size: 64 workgroup_size: 0 }

    Good example:
        geometry { workgroup_size: 64 workgroup_size: 1 }
    """

    def judge(geometry: Geometry) -> list[tuple[Place, str]]:
        message = "the axis is 0; required is at least 1"
        found = [
            ((*GEOMETRY, Step("workgroup_size", axis)), message)
            for axis, size in enumerate(geometry.workgroup_size)
            if size == 0
        ]
        return found + [
            (_count_place(geometry, Step("elements_per_workgroup", axis)), message)
            for axis, size in enumerate(geometry.elements_per_workgroup)
            if size == 0
        ]

    yield from _judge(context, judge)


@rule("geometry.subgroup-size")
def subgroup_size(context: Context) -> Iterator[Finding]:
    """A subgroup size is no power of two.

    What it checks:
        The subgroup size of a dispatch, where stated, is a power of two.

    Why:
        No device has subgroups of another size, so the dispatch could run nowhere.

    Bad example:
        geometry { workgroup_size: 96 subgroup_size: 24 }

    Good example:
        geometry { workgroup_size: 96 subgroup_size: 32 }
    """

    def judge(geometry: Geometry) -> list[tuple[Place, str]]:
        size = geometry.subgroup_size
        if size & (size - 1) == 0:
            return []
        return [((*GEOMETRY, Step("subgroup_size")), f"{size} is no power of two")]

    yield from _judge(context, judge)


@rule("geometry.exact-threads-without-elements")
def exact_threads_without_elements(context: Context) -> Iterator[Finding]:
    """A dispatch must run exact threads, but its count does not come from elements.

    What it checks:
        Only dispatches whose count is derived from a number of elements ask for exact threads.

    Why:
        Exact threads means that as many run as there are elements. Without elements there is nothing to be
        exact about.

    Bad example:
        geometry { workgroup_count { extents { counts { constant: 4 } } } exact_threads: true }

    Good example:
        geometry { workgroup_count { elements { elements { constant: 1000 } } } exact_threads: true }
    """

    def judge(geometry: Geometry) -> list[tuple[Place, str]]:
        if not geometry.exact_threads or geometry.source in ("elements", ""):
            return []
        found = f"exact threads need a count derived from elements; this one comes from `{geometry.source}`"
        return [((*GEOMETRY, Step("exact_threads")), found)]

    yield from _judge(context, judge)


@rule("geometry.indirect-range")
def indirect_range(context: Context) -> Iterator[Finding | Gap]:
    """The source of an indirect count is not 12 aligned bytes.

    What it checks:
        The bytes an indirect count is read from are 12, one after the other, and start at a multiple of 4
        of the resource.

    Why:
        The device reads three 32-bit counts there. Fewer bytes would let it read a neighbour, and targets
        refuse an offset that is not aligned.

    Bad example:
        indirect { source { byte_range { resource: "counts" offset { constant: 2 } size { constant: 12 } } } }

    Good example:
        indirect { source { byte_range { resource: "counts" offset { constant: 4 } size { constant: 12 } } } }
    """
    graph = context.graph
    accesses, elements = graph.accesses, graph.elements
    for access, role in enumerate(accesses.role):
        if role != AccessRole.INDIRECT:
            continue
        path = accesses.path(access, graph.nodes)
        bytes_ = graph.selections[accesses.selection[access]].bytes
        if not isinstance(bytes_, Footprint):
            yield Gap(bytes_.reason, path)
            continue
        size = describe(bytes_.payload, elements.parameter_names)
        message = ""
        if bytes_.payload != Affine(INDIRECT_BYTES) or not bytes_.contiguous:
            message = f"the counts are `{size}` bytes; required are {INDIRECT_BYTES} contiguous ones"
        elif not is_multiple(bytes_.low, 4, elements.domains):
            start = describe(bytes_.low, elements.parameter_names)
            message = f"the counts start at `{start}`; required is a multiple of 4"
        if message:
            identity = graph.nodes.ids[accesses.node[access]]
            yield Finding(path, message, elements=(NamedElement("node", identity),))


RULES = (
    rank,
    zero_count,
    zero_workgroup,
    subgroup_size,
    exact_threads_without_elements,
    indirect_range,
)
