"""Rules about a payload alone: its profile, and that its entries fit it."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from interlock.diagnostic import NamedElement, Step
from interlock.graph.realization import AXES
from interlock.rules.model import Finding, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from execgraph.v1 import payload_pb2
    from interlock.diagnostic import Path
    from interlock.rules.context import Context
    from interlock.rules.held import PayloadView

PAYLOAD = frozenset({"TargetPayload"})
_GEOMETRY = Step("geometry")
_PROFILE_AXES = ("maximum_workgroup_size", "maximum_workgroup_count")


def entry_path(payload: PayloadView, index: int, *steps: Step) -> Path:
    """Return the path of a place in an entry."""
    group = payload.message.entries[index].group
    return payload.path(Step("entries", index, group or None), *steps)


def named(group: str) -> tuple[NamedElement, ...]:
    """Return a launch group as what a finding names."""
    return (NamedElement("launch-group", group),)


def _entries(context: Context) -> Iterator[tuple[PayloadView, int, payload_pb2.TargetEntry]]:
    for payload in context.payloads:
        for index, entry in enumerate(payload.message.entries):
            yield payload, index, entry


@rule("payload.malformed-profile", kinds=PAYLOAD)
def malformed_profile(context: Context) -> Iterator[Finding]:
    """A number of a profile cannot be what it says.

    What it checks:
        The greatest workgroup size and count have three axes, none 0; subgroup sizes and the alignment of
        storage offsets are powers of two.

    Why:
        A payload is compared with its profile. A profile that no device could have compares with nothing.

    Bad example:
        profile { maximum_workgroup_size: 1024 subgroup_sizes: 3 }

    Good example:
        profile {
          maximum_workgroup_size: 1024
          maximum_workgroup_size: 1024
          maximum_workgroup_size: 64
          subgroup_sizes: 32
        }
    """
    for payload in context.payloads:
        profile, path = payload.message.profile, payload.path(Step("profile"))
        for name in _PROFILE_AXES:
            axes = list(getattr(profile, name))
            if axes and len(axes) != AXES:
                yield Finding(path.field(name), f"it has {len(axes)} axes; required are {AXES}")
            for axis, size in enumerate(axes):
                if not size:
                    yield Finding(path.element(name, axis), "the axis is 0; required is at least 1")
        for index, size in enumerate(profile.subgroup_sizes):
            if not _is_power(size):
                message = f"`{size}` is no power of two, as subgroup sizes are"
                yield Finding(path.element("subgroup_sizes", index), message)
        if profile.storage_offset_alignment and not _is_power(profile.storage_offset_alignment):
            yield Finding(
                path.field("storage_offset_alignment"),
                f"`{profile.storage_offset_alignment}` is no power of two, as alignments are",
            )


def _is_power(number: int) -> bool:
    return number > 0 and number & (number - 1) == 0


@rule("payload.missing-entry", kinds=PAYLOAD)
def missing_entry(context: Context) -> Iterator[Finding]:
    """A launch group has no entry.

    What it checks:
        Every launch group of a payload has an entry.

    Why:
        The entry says how large the launch is and what it takes. A group without one cannot be launched.

    Bad example:
        groups { id: "sum" members: "stage-one" }

    Good example:
        groups { id: "sum" members: "stage-one" }
        entries { group: "sum" logical_elements: 1024 }
    """
    for payload in context.payloads:
        for index, group in enumerate(payload.message.groups):
            if group.id not in payload.entries:
                path = payload.path(Step("groups", index, group.id or None))
                yield Finding(path, f"the launch group `{group.id}` has no entry", named(group.id))


@rule("payload.unrealized-geometry", kinds=PAYLOAD)
def unrealized_geometry(context: Context) -> Iterator[Finding]:
    """The geometry of an entry leaves something open.

    What it checks:
        An entry states three axes of the workgroup size, none 0, and three of the counts, whatever they come
        from.

    Why:
        A runtime launches exactly what the entry says. What a graph may leave to a variant is decided here.

    Bad example:
        geometry { workgroup_count { extents { counts { constant: 8 } } } }

    Good example:
        geometry {
          workgroup_count { extents { counts { constant: 8 } counts { constant: 1 } counts { constant: 1 } } }
          workgroup_size: 64
          workgroup_size: 1
          workgroup_size: 1
        }
    """
    for payload, index, entry in _entries(context):
        path, size = entry_path(payload, index, _GEOMETRY), list(entry.geometry.workgroup_size)
        if len(size) != AXES:
            message = f"it has {len(size)} axes; required are {AXES}"
            yield Finding(path.field("workgroup_size"), message, named(entry.group))
        for axis, each in enumerate(size):
            if not each:
                message = "the axis is 0; required is at least 1"
                yield Finding(path.element("workgroup_size", axis), message, named(entry.group))
        count = entry.geometry.workgroup_count
        axes = {
            "extents": len(count.extents.counts),
            "elements": len(count.elements.elements),
            "indirect": len(count.indirect.maximum_counts),
        }.get(count.WhichOneof("source") or "", AXES)
        if axes != AXES:
            message = f"the count has {axes} axes; required are {AXES}"
            yield Finding(path.field("workgroup_count"), message, named(entry.group))


@rule("payload.workgroup-beyond-profile", kinds=PAYLOAD)
def workgroup_beyond_profile(context: Context) -> Iterator[Finding]:
    """A workgroup is larger than the profile allows.

    What it checks:
        No axis of a workgroup is greater than the profile's, and neither is the product of all axes than the
        invocations of a workgroup. Equal is legal.

    Why:
        The launch would be refused by every device of the profile.

    Bad example:
        # with maximum_workgroup_invocations: 256
        geometry { workgroup_size: 32 workgroup_size: 32 workgroup_size: 1 }

    Good example:
        # with maximum_workgroup_invocations: 256
        geometry { workgroup_size: 16 workgroup_size: 16 workgroup_size: 1 }
    """
    for payload, index, entry in _entries(context):
        profile, path = payload.message.profile, entry_path(payload, index, _GEOMETRY)
        size = list(entry.geometry.workgroup_size)
        for axis, (stated, most) in enumerate(zip(size, profile.maximum_workgroup_size, strict=False)):
            if stated > most:
                message = f"the axis is `{stated}`; the profile allows {most}"
                yield Finding(path.element("workgroup_size", axis), message, named(entry.group))
        if prod(size) > profile.maximum_workgroup_invocations:
            yield Finding(
                path.field("workgroup_size"),
                f"a workgroup has `{prod(size)}` invocations; the profile allows "
                f"{profile.maximum_workgroup_invocations}",
                named(entry.group),
            )


@rule("payload.shared-memory-beyond-profile", kinds=PAYLOAD)
def shared_memory_beyond_profile(context: Context) -> Iterator[Finding]:
    """An entry takes more shared memory than the profile allows.

    What it checks:
        The shared bytes of an entry are at most those of the profile.

    Why:
        The launch would be refused by every device of the profile.

    Bad example:
        # with maximum_shared_bytes: 16384
        entries { group: "sum" shared_bytes: 32768 }

    Good example:
        # with maximum_shared_bytes: 16384
        entries { group: "sum" shared_bytes: 16384 }
    """
    for payload, index, entry in _entries(context):
        most = payload.message.profile.maximum_shared_bytes
        if entry.shared_bytes > most:
            yield Finding(
                entry_path(payload, index, Step("shared_bytes")),
                f"the entry takes `{entry.shared_bytes}` bytes; the profile allows {most}",
                named(entry.group),
            )


@rule("payload.subgroup-beyond-profile", kinds=PAYLOAD)
def subgroup_beyond_profile(context: Context) -> Iterator[Finding]:
    """An entry needs a subgroup size that the profile does not have.

    What it checks:
        A subgroup size that an entry needs is among those of the profile, where the profile knows them.

    Why:
        A kernel written for one subgroup size computes something else with another.

    Bad example:
        # with subgroup_sizes: 32
        geometry { subgroup_size: 64 }

    Good example:
        # with subgroup_sizes: 32
        geometry { subgroup_size: 32 }
    """
    for payload, index, entry in _entries(context):
        sizes, size = payload.message.profile.subgroup_sizes, entry.geometry.subgroup_size
        if size and sizes and size not in sizes:
            yield Finding(
                entry_path(payload, index, _GEOMETRY, Step("subgroup_size")),
                f"the entry needs subgroups of `{size}`; the profile has {', '.join(map(str, sizes))}",
                named(entry.group),
            )


RULES = (
    malformed_profile,
    missing_entry,
    unrealized_geometry,
    workgroup_beyond_profile,
    shared_memory_beyond_profile,
    subgroup_beyond_profile,
)
