"""Rules about a payload and the graph that it realizes. What can be recomputed is, and compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import capability_pb2, dispatch_pb2
from interlock.diagnostic import NamedElement, Path, Step
from interlock.graph.capabilities import OFFERED_BY_RUNTIMES, needed_capabilities, short_name
from interlock.graph.realization import realized, stated_workgroup
from interlock.rules.model import Finding, rule
from interlock.rules.nested import READABLE, REALIZED
from interlock.rules.payload.profile import entry_path, named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from execgraph.v1 import payload_pb2
    from interlock.rules.context import Context
    from interlock.rules.held import Realization

ENVELOPE = frozenset({"Envelope"})
_GEOMETRY = Step("geometry")


@rule("payload.format-mismatch", kinds=ENVELOPE, needs=READABLE)
def format_mismatch(context: Context) -> Iterator[Finding]:
    """An envelope lists a payload under another format than its own.

    What it checks:
        The format beside each payload of an envelope is the one in it.

    Why:
        Payloads are found by their format, exactly. One under a false name is loaded by who cannot run it.

    Bad example:
        payloads { format { identity: "vulkan-module" version: 2 } }

    Good example:
        payloads { format { identity: "vulkan-module" version: 1 } }
    """
    envelope = context.message
    for held in context.held:
        if held.kind != "TargetPayload" or held.document is None:
            continue
        index = held.path.steps[0].index or 0
        outer = envelope.payloads[index].format  # type: ignore[attr-defined]  # an envelope
        inner = held.document.message.format  # type: ignore[attr-defined]  # a payload
        if (outer.identity, outer.version) != (inner.identity, inner.version):
            yield Finding(
                Path((held.path.steps[0], Step("format"))),
                f"the format is stated as `{outer.identity} {outer.version}`; the payload is of "
                f"{inner.identity} {inner.version}",
            )


@rule("payload.graph-mismatch", kinds=ENVELOPE)
def graph_mismatch(context: Context) -> Iterator[Finding]:
    """A payload realizes another graph than the one in the envelope.

    What it checks:
        The graph digest of every payload is that of the graph beside it.

    Why:
        A payload was compiled for one graph. With any other, order, bindings and geometry are wrong in ways
        that nothing else would show.

    Bad example:
        graph_digest: "sha256:0000000000000000000000000000000000000000000000000000000000000000"

    Good example:
        graph_digest: "sha256:1129a7b50d3cb4c3a2031c016a9a4db4fb4cb227d77d9c222721fab4cea7aee9"
    """
    graph = next((held for held in context.held if held.kind == "ExecutionGraph"), None)
    for payload in context.payloads:
        if graph is not None and payload.message.graph_digest != graph.actual_digest:
            yield Finding(
                payload.path(Step("graph_digest")),
                f"the payload realizes the graph `{payload.message.graph_digest}`; that of the envelope is "
                f"{graph.actual_digest}",
            )


@rule("payload.capability-not-offered", kinds=ENVELOPE, needs=REALIZED)
def capability_not_offered(context: Context) -> Iterator[Finding]:
    """The graph needs a capability that the profile of a payload does not offer.

    What it checks:
        Every capability that the content of the graph needs is among those of the profile. Conditionals and
        repeats are the business of the runtime, not of the device.

    Why:
        A target that lacks a capability cannot run the graph, and must not skip what it does not know.

    Bad example:
        # of a graph with an indirect dispatch
        profile { identity: "small-device" generation: 1 }

    Good example:
        # of a graph with an indirect dispatch
        profile { identity: "small-device" generation: 1 capabilities: CAPABILITY_INDIRECT_DISPATCH }
    """
    for each in context.realizations:
        offered = {
            capability_pb2.Capability.Name(value) for value in each.payload.message.profile.capabilities
        }
        for need in needed_capabilities(each.graph):
            if need.capability not in offered | OFFERED_BY_RUNTIMES:
                yield Finding(
                    each.payload.path(Step("profile"), Step("capabilities")),
                    f"the graph needs `{short_name(need.capability)}`, which the profile does not offer",
                )


def realized_entries(
    context: Context,
) -> Iterator[tuple[Realization, int, payload_pb2.TargetEntry, list[int]]]:
    """Yield every entry whose group has members in the graph, with them."""
    for each in context.realizations:
        for _, group, members in each.members:
            index, entry = each.payload.entries.get(group, (0, None))
            if entry is not None and members:
                yield each, index, entry, members


@rule("payload.geometry-mismatch", kinds=ENVELOPE, needs=REALIZED)
def geometry_mismatch(context: Context) -> Iterator[Finding]:
    """The geometry of an entry is not that of its dispatches.

    What it checks:
        The geometry of an entry is that of each member of its group, realized: the workgroup size that the
        dispatch states, if it does, and its counts, written out for three axes.

    Why:
        The graph is the one authority about how much runs. A launch of another size leaves elements out, or
        runs past the end.

    Bad example:
        # of a dispatch of 8 workgroups
        geometry { workgroup_count { extents { counts { constant: 4 } } } }

    Good example:
        # of a dispatch of 8 workgroups
        geometry {
          workgroup_count { extents { counts { constant: 8 } counts { constant: 1 } counts { constant: 1 } } }
        }
    """
    for each, index, entry, members in realized_entries(context):
        size = stated_workgroup(entry.geometry)
        if size is None or len(entry.geometry.workgroup_size) != len(size):
            continue
        for node in members:
            geometry = each.dispatches.message(node).geometry
            stated = stated_workgroup(geometry)
            wanted = realized(geometry, stated or size)
            differing = [name for name in _PARTS if getattr(wanted, name) != getattr(entry.geometry, name)]
            if differing:
                identity = each.graph.nodes.ids[node]
                yield Finding(
                    entry_path(each.payload, index, _GEOMETRY, Step(differing[0])),
                    f"`{differing[0]}` is not that of the dispatch `{identity}`, realized: "
                    f"`{_shown(entry.geometry, differing[0])}` instead of {_shown(wanted, differing[0])}",
                    (*named(entry.group), NamedElement("node", identity)),
                )


_PARTS = [field.name for field in dispatch_pb2.Geometry.DESCRIPTOR.fields]


def _shown(geometry: dispatch_pb2.Geometry, name: str) -> str:
    """Return one field of a geometry for a sentence."""
    one = dispatch_pb2.Geometry()
    one.MergeFrom(geometry)
    for other in _PARTS:
        if other != name:
            one.ClearField(other)
    return " ".join(str(one).split()) or "nothing"


@rule("payload.grid-beyond-profile", kinds=ENVELOPE, needs=REALIZED)
def grid_beyond_profile(context: Context) -> Iterator[Finding]:
    """A launch has more workgroups than the profile allows.

    What it checks:
        Along no axis, and for no value of the parameters, an entry has more workgroups than the profile
        allows. Equal is legal.

    Why:
        The launch would be refused by every device of the profile, perhaps only for some inputs.

    Bad example:
        # with maximum_workgroup_count: 65535
        geometry { workgroup_count { extents { counts { constant: 65536 } } } }

    Good example:
        # with maximum_workgroup_count: 65535
        geometry { workgroup_count { extents { counts { constant: 256 } counts { constant: 256 } } } }
    """
    for each, index, entry, _ in realized_entries(context):
        most = each.payload.message.profile.maximum_workgroup_count
        counts = each.dispatches.workgroup_counts(entry.geometry)
        for axis, (count, limit) in enumerate(zip(counts, most, strict=False)):
            if count > limit:
                yield Finding(
                    entry_path(each.payload, index, _GEOMETRY, Step("workgroup_count")),
                    f"there may be `{count}` workgroups along {'xyz'[axis]}; the profile allows {limit}",
                    named(entry.group),
                )


@rule("payload.element-count-mismatch", kinds=ENVELOPE, needs=REALIZED)
def element_count_mismatch(context: Context) -> Iterator[Finding]:
    """The number of logical elements of an entry is not that of its dispatches.

    What it checks:
        The logical elements are what the graph says: the elements that the dispatch derives its count from,
        else those of the largest thing written, else of the largest thing bound. Where atomics or subgroups
        may need it, the largest thing bound counts in any case.

    Why:
        Who cuts a launch to its elements relies on the number. One that is too small leaves elements out.

    Bad example:
        # of a dispatch that writes 1024 elements
        entries { group: "sum" logical_elements: 1 }

    Good example:
        # of a dispatch that writes 1024 elements
        entries { group: "sum" logical_elements: 1024 }
    """
    for each, index, entry, members in realized_entries(context):
        path = entry_path(each.payload, index, Step("logical_elements"))
        try:
            least, most = (
                max(each.dispatches.elements(node, full_span=full) for node in members)
                for full in (False, True)
            )
        except OverflowError as error:
            yield Finding(path, str(error), named(entry.group))
            continue
        if entry.logical_elements not in (least, most):
            wanted = str(least) if least == most else f"{least}, or {most} for atomics and subgroups"
            message = f"the entry covers `{entry.logical_elements}` elements; by the graph they are {wanted}"
            yield Finding(path, message, named(entry.group))


@rule("payload.shared-memory-understated", kinds=ENVELOPE, needs=REALIZED)
def shared_memory_understated(context: Context) -> Iterator[Finding]:
    """An entry states less shared memory than its dispatches ask for.

    What it checks:
        The shared bytes of an entry, which are all there are, are at least the dynamic shared memory of each
        member.

    Why:
        A kernel that is given less than it asked for writes beyond it.

    Bad example:
        # of a dispatch with dynamic_shared_bytes: 1024
        entries { group: "sum" shared_bytes: 512 }

    Good example:
        # of a dispatch with dynamic_shared_bytes: 1024
        entries { group: "sum" shared_bytes: 1024 }
    """
    for each, index, entry, members in realized_entries(context):
        wanted = max(each.dispatches.message(node).geometry.dynamic_shared_bytes for node in members)
        if entry.shared_bytes < wanted:
            yield Finding(
                entry_path(each.payload, index, Step("shared_bytes")),
                f"the entry states `{entry.shared_bytes}` bytes; its dispatches ask for {wanted}",
                named(entry.group),
            )


@rule("payload.inline-constants-beyond-profile", kinds=ENVELOPE, needs=REALIZED)
def inline_constants_beyond_profile(context: Context) -> Iterator[Finding]:
    """A dispatch has more inline constants than the profile allows.

    What it checks:
        The inline constants of all members of a group together take at most the bytes that the profile
        allows.

    Why:
        The launch would be refused by every device of the profile.

    Bad example:
        # with two inline constants of 4 bytes
        profile { maximum_inline_constant_bytes: 4 }

    Good example:
        # with two inline constants of 4 bytes
        profile { maximum_inline_constant_bytes: 128 }
    """
    for each, index, entry, members in realized_entries(context):
        most = each.payload.message.profile.maximum_inline_constant_bytes
        size = sum(each.dispatches.inline_bytes(node) for node in members)
        if size > most:
            yield Finding(
                entry_path(each.payload, index),
                f"the inline constants of `{entry.group}` take `{size}` bytes; the profile allows {most}",
                named(entry.group),
            )


RULES = (
    graph_mismatch,
    format_mismatch,
    capability_not_offered,
    geometry_mismatch,
    grid_beyond_profile,
    element_count_mismatch,
    shared_memory_understated,
    inline_constants_beyond_profile,
)
