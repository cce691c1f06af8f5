"""The rule about geometry as targets take it."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from interlock.diagnostic import Step
from interlock.package.grid import greatest_grid
from interlock.rules.geometry.workgroups import AXIS_NAMES, shared_bytes, size_of
from interlock.rules.launches import GEOMETRY
from interlock.rules.model import PACKAGE, Finding, Gap, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from execgraph.v1.profile_pb2 import TargetProfile
    from interlock.graph.operations import Place
    from interlock.rules.context import Context
    from interlock.rules.launches import Launches

_COUNT = (GEOMETRY, Step("workgroup_count"))
_SHARED = (GEOMETRY, Step("dynamic_shared_bytes"))
_SUBGROUP = (GEOMETRY, Step("subgroup_size"))


@rule("geometry.exceeds-profile", kinds=PACKAGE)
def exceeds_profile(context: Context) -> Iterator[Finding | Gap]:
    """A dispatch is larger than the target takes.

    What it checks:
        On every target, the workgroup of a dispatch is within the profile along each axis and in all, its
        count along each axis for all values of the parameters, an indirect count by its bound, the shared
        memory of entry and dispatch together, and the subgroup size of either is one that the target runs.
        What needs a number that the profile leaves open stays unverified.

    Why:
        A device refuses what is larger, or runs a part of it.

    Bad example:
        # on a target whose workgroups have at most 128 invocations
        geometry { workgroup_size: 16 workgroup_size: 16 }

    Good example:
        # on a target whose workgroups have at most 128 invocations
        geometry { workgroup_size: 16 workgroup_size: 8 }
    """
    yield from context.launches.unlaunched()
    for launch in context.launches.launches:
        profile = context.launches.profiles[launch.where.target]
        if profile is None:
            yield from launch.gaps((GEOMETRY,), f"no profile of target `{launch.where.target}` is known")
            continue
        yield from _workgroup(launch, profile)
        yield from _counts(launch, profile)
        yield from _shared(launch, profile)
        yield from _subgroup(launch, profile)


def _workgroup(launch: Launches, profile: TargetProfile) -> Iterator[Finding | Gap]:
    place: Place = (GEOMETRY, Step("workgroup_size")) if launch.geometry.workgroup_size else (GEOMETRY,)
    size, reason = size_of(launch)
    if size is None:
        yield from launch.gaps(place, reason)
        return
    for axis, (found, most) in enumerate(zip(size, profile.maximum_workgroup_size, strict=False)):
        if found > most:
            text = f"the workgroup has `{found}` invocations along {AXIS_NAMES[axis]}"
            yield from launch.findings(place, _more(text, profile, most))
    most = profile.maximum_workgroup_invocations
    if prod(size) > most:
        yield from launch.findings(
            place, _more(f"the workgroup has `{prod(size)}` invocations", profile, most)
        )


def _more(text: str, profile: TargetProfile, most: int) -> str:
    return f"{text}; `{profile.identity}` takes at most {most}"


def _counts(launch: Launches, profile: TargetProfile) -> Iterator[Finding | Gap]:
    entry, domains = launch.where.entered, launch.where.part.graph.elements.domains
    fixed = None if entry is None else entry.value("elements_per_workgroup")
    grid = greatest_grid(launch.geometry, domains, size_of(launch).size or (), fixed or ())
    for axis, (found, most) in enumerate(zip(grid.counts, profile.maximum_workgroup_count, strict=False)):
        if found is None:
            reason = f"how many workgroups there are along {AXIS_NAMES[axis]} is not known"
            yield from launch.gaps(_COUNT, reason)
        elif found > most:
            text = f"there are up to `{found}` workgroups along {AXIS_NAMES[axis]}"
            yield from launch.findings(_COUNT, _more(text, profile, most))


def _shared(launch: Launches, profile: TargetProfile) -> Iterator[Finding | Gap]:
    most, dynamic = profile.maximum_shared_bytes, launch.dispatch.geometry.dynamic_shared_bytes
    place: Place = _SHARED if dynamic else (GEOMETRY,)
    entry = launch.where.entered
    static = shared_bytes(launch)
    total = dynamic + (static or 0)
    if total > most > 0:
        text = f"a workgroup takes `{total}` bytes of shared memory"
        yield from launch.findings(place, _more(text, profile, most))
    elif entry is None:
        yield from launch.gaps(place, launch.where.reason)
    elif static is None:
        reason = "how much shared memory its entry declares is not known"
        yield from launch.gaps(place, entry.unknown or reason)
    elif total and not most:
        reason = f"how much shared memory `{profile.identity}` has is not known"
        yield from launch.gaps(place, reason)


def _subgroup(launch: Launches, profile: TargetProfile) -> Iterator[Finding | Gap]:
    asked, entry = launch.geometry.subgroup_size, launch.where.entered
    needed = 0 if entry is None else entry.value("subgroup_size") or 0
    if asked:
        yield from _one_subgroup(launch, profile, asked, _SUBGROUP, "the dispatch asks for")
    if needed not in (0, asked):
        yield from _one_subgroup(launch, profile, needed, (GEOMETRY,), "its entry needs")


def _one_subgroup(
    launch: Launches, profile: TargetProfile, size: int, place: Place, who: str
) -> Iterator[Finding | Gap]:
    sizes = profile.subgroup_sizes
    if not sizes:
        yield from launch.gaps(place, f"which subgroup sizes `{profile.identity}` runs is not known")
    elif size not in sizes:
        listed = ", ".join(map(str, sizes))
        text = f"{who} subgroups of `{size}` invocations; `{profile.identity}` runs {listed}"
        yield from launch.findings(place, text)


RULES = (exceeds_profile,)
