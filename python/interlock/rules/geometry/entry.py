"""Rules about geometry as the entries of a package take it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import Step
from interlock.rules.geometry.workgroups import (
    AXES,
    AXIS_NAMES,
    NOWHERE,
    are_whole,
    elements_of_workgroup,
    padded,
    sets_size_itself,
    size_of_entry,
)
from interlock.rules.launches import GEOMETRY
from interlock.rules.model import PACKAGE, Finding, Gap, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.rules.context import Context
    from interlock.rules.geometry.workgroups import Workgroup
    from interlock.rules.launches import Launches

_SIZE = (GEOMETRY, Step("workgroup_size"))
_ELEMENTS = (GEOMETRY, Step("workgroup_count"), Step("elements"))
_SUBGROUP = (GEOMETRY, Step("subgroup_size"))


def described(size: Workgroup) -> str:
    """Return a workgroup as people write it, such as ``8 x 8 x 1``."""
    return " x ".join(map(str, size))


@rule("geometry.workgroup-mismatch", kinds=PACKAGE)
def workgroup_mismatch(context: Context) -> Iterator[Finding | Gap]:
    """A dispatch states another workgroup size than its entry has.

    What it checks:
        The workgroup size of a dispatch, where it states one, is that of the entry on every axis, missing
        axes being 1. An axis that the entry takes from a specialization constant has the value that the
        dispatch sets, or else its default. On Metal, CUDA and HIP the dispatch sets the size, so an entry
        without one takes any.

    Why:
        The count of workgroups was computed for the size that the dispatch states. With another one, parts
        of the data are left out or visited twice.

    Bad example:
        geometry { workgroup_size: 64 }
        entries { name: "main" stage: STAGE_COMPUTE workgroup_size { axes { literal: 128 } } }

    Good example:
        geometry { workgroup_size: 64 }
        entries { name: "main" stage: STAGE_COMPUTE workgroup_size { axes { literal: 64 } } }
    """
    yield from context.launches.unlaunched()
    for launch in context.launches.launches:
        stated = launch.geometry.workgroup_size
        place = _SIZE if stated else (GEOMETRY,)
        size, reason = size_of_entry(launch)
        if size is None:
            if not (stated and not reason and sets_size_itself(launch.where.target)):
                nothing = "the workgroup size of its entry is not known" if stated else NOWHERE
                yield from launch.gaps(place, reason or nothing)
        elif stated and padded(stated) != size:
            found, required = described(padded(stated)), described(size)
            name = launch.where.entry_name
            yield from launch.findings(place, f"the workgroup is `{found}`; entry `{name}` has {required}")
        elif not stated and min(size) <= 0:
            axis = AXIS_NAMES[next(axis for axis in range(AXES) if size[axis] <= 0)]
            text = f"the entry's workgroup is `{described(size)}`; required is at least 1 along {axis}"
            yield from launch.findings(place, text)


@rule("geometry.elements-mismatch", kinds=PACKAGE)
def elements_mismatch(context: Context) -> Iterator[Finding | Gap]:
    """A dispatch covers its elements with other workgroups than its entry does.

    What it checks:
        Where the count of a dispatch is derived from elements and the entry fixes how many elements one
        workgroup covers, both have the same number on every axis, missing axes being 1. A dispatch that
        states only a workgroup size covers as many as that has invocations; one that states neither leaves
        both to the entry.

    Why:
        The number of workgroups is elements divided by that. An entry that covers fewer leaves elements out.

    Bad example:
        elements { elements { constant: 4096 } elements_per_workgroup: 256 }
        entries { name: "main" stage: STAGE_COMPUTE elements_per_workgroup: 1024 }

    Good example:
        elements { elements { constant: 4096 } elements_per_workgroup: 1024 }
        entries { name: "main" stage: STAGE_COMPUTE elements_per_workgroup: 1024 }
    """
    yield from context.launches.unlaunched()
    for launch in context.launches.launches:
        if launch.geometry.source != "elements":
            continue
        entry = launch.where.entered
        if entry is None:
            yield from launch.gaps(_ELEMENTS, launch.where.reason)
            continue
        fixed = entry.value("elements_per_workgroup")
        if not fixed:
            continue
        covered, reason = elements_of_workgroup(launch)
        if covered is None:
            yield from launch.gaps(_ELEMENTS, reason)
        elif padded(covered) != padded(fixed):
            found, required = described(padded(covered)), described(padded(fixed))
            name = launch.where.entry_name
            text = f"a workgroup covers `{found}` elements; entry `{name}` covers {required}"
            yield from launch.findings(_ELEMENTS, text)


@rule("geometry.exact-threads-mismatch", kinds=PACKAGE)
def exact_threads_mismatch(context: Context) -> Iterator[Finding | Gap]:
    """An entry that must run exact threads is dispatched in whole workgroups.

    What it checks:
        A dispatch of an entry that must run exactly the threads it asks for says so too, or its elements
        fill whole workgroups for all values of the parameters. Where nobody says what the entry must, a
        count that may be rounded up stays unverified.

    Why:
        Such an entry does not guard itself. The threads that rounding up adds touch bytes behind the end.

    Bad example:
        geometry { workgroup_count { elements { elements { constant: 1000 } } } workgroup_size: 64 }
        entries { name: "main" stage: STAGE_COMPUTE exact_threads: true }

    Good example:
        geometry {
          workgroup_count { elements { elements { constant: 1000 } } }
          workgroup_size: 64
          exact_threads: true
        }
        entries { name: "main" stage: STAGE_COMPUTE exact_threads: true }
    """
    yield from context.launches.unlaunched()
    for launch in context.launches.launches:
        entry = launch.where.entered
        if entry is None:
            yield from launch.gaps((GEOMETRY,), launch.where.reason)
            continue
        needs_exact = entry.value("exact_threads")
        if needs_exact is False or launch.geometry.exact_threads or _is_whole(launch):
            continue
        is_rounded = launch.geometry.source == "elements"
        if needs_exact:
            counted = (
                "the count is rounded up to whole workgroups"
                if is_rounded
                else f"the count comes from `{launch.geometry.source}`, in whole workgroups"
            )
            text = f"{counted}; entry `{launch.where.entry_name}` must run exact threads"
            yield from launch.findings((GEOMETRY,), text)
        elif is_rounded:
            reason = entry.unknown or "whether its entry must run exact threads is not known"
            yield from launch.gaps((GEOMETRY,), reason)


def _is_whole(launch: Launches) -> bool:
    if launch.geometry.source != "elements":
        return False
    covered, _ = elements_of_workgroup(launch)
    domains = launch.where.part.graph.elements.domains
    return covered is not None and are_whole(launch.geometry.counts, covered, domains)


@rule("geometry.subgroup-mismatch", kinds=PACKAGE)
def subgroup_mismatch(context: Context) -> Iterator[Finding | Gap]:
    """A dispatch asks for another subgroup size than its entry needs.

    What it checks:
        Where a dispatch asks for a subgroup size and the entry needs one, the two are the same.

    Why:
        An entry that was compiled for subgroups of one size computes something else in others.

    Bad example:
        geometry { workgroup_size: 64 subgroup_size: 32 }
        entries { name: "main" stage: STAGE_COMPUTE subgroup_size: 64 }

    Good example:
        geometry { workgroup_size: 64 subgroup_size: 64 }
        entries { name: "main" stage: STAGE_COMPUTE subgroup_size: 64 }
    """
    yield from context.launches.unlaunched()
    for launch in context.launches.launches:
        asked = launch.geometry.subgroup_size
        if not asked:
            continue
        entry = launch.where.entered
        if entry is None:
            yield from launch.gaps(_SUBGROUP, launch.where.reason)
            continue
        needed = entry.value("subgroup_size") or asked
        if needed != asked:
            name = launch.where.entry_name
            text = f"subgroups of `{asked}` invocations are asked for; entry `{name}` needs {needed}"
            yield from launch.findings(_SUBGROUP, text)


RULES = (workgroup_mismatch, elements_mismatch, exact_threads_mismatch, subgroup_mismatch)
