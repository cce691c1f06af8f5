"""The messages of single nodes, from what a builder's methods take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from execgraph.v1 import access_pb2, dispatch_pb2, node_pb2, type_pb2
from interlock.author.handles import Computed, Condition, Slot, Target, Typed
from interlock.author.listing import Scope, Scopes, extents_of, numbers_of, pairs_of, scopes_of
from interlock.author.literals import Number, typed_bits

if TYPE_CHECKING:
    from interlock.author.listing import Numbers, Pairs, Shape
    from interlock.author.resolver import Resolver
    from interlock.diagnostic import Path


class _Spelled(NamedTuple):
    """A scope that shows as what it is in help texts, instead of two numbers."""

    usage: access_pb2.Usage
    kind: access_pb2.AccessKind

    def __repr__(self) -> str:
        return f"({access_pb2.Usage.Name(self.usage)}, {access_pb2.AccessKind.Name(self.kind)})"


DEVICE_WRITES: tuple[Scope, ...] = tuple(
    _Spelled(usage, access_pb2.ACCESS_KIND_WRITE)
    for usage in (access_pb2.USAGE_SHADER_STORAGE, access_pb2.USAGE_TRANSFER, access_pb2.USAGE_FILL)
)
"""Every way in which nodes write."""

DEVICE_READS: tuple[Scope, ...] = tuple(
    _Spelled(usage, access_pb2.ACCESS_KIND_READ)
    for usage in (
        access_pb2.USAGE_SHADER_STORAGE,
        access_pb2.USAGE_SHADER_CONSTANT,
        access_pb2.USAGE_TRANSFER,
        access_pb2.USAGE_INDIRECT_COMMAND,
        access_pb2.USAGE_CONTROL,
    )
)
"""Every way in which nodes read buffers."""

Bindings = Mapping[str, Slot | Target]
SpecializationKey = str | int
Literal = Typed | Number
"""A literal of a stated type, or a bool; another number has no type of its own, which is a finding."""


class LaunchOptions(TypedDict, total=False):
    """What a dispatch may state beside its artifact, its bindings and its dependencies.

    Exactly one of ``groups`` (workgroups along x, y, z), ``elements`` (to be covered, by ceiling division by
    ``elements_per_group`` or the workgroup size) and ``indirect`` (three U32 counts in memory, at most
    ``maximum_groups``).
    """

    groups: Shape
    elements: Shape
    elements_per_group: Numbers
    indirect: Target
    maximum_groups: Numbers
    workgroup_size: Numbers
    exact_threads: bool
    subgroup_size: int
    dynamic_shared_bytes: int
    specialization: Mapping[SpecializationKey, Literal]
    inline: Mapping[str, Literal | Computed]
    tolerated_aliases: Pairs


@dataclass(frozen=True, slots=True)
class Launch:
    """The arguments of one dispatch, as `GraphBuilder.dispatch` describes them."""

    artifact: str
    entry: str
    accesses: Sequence[tuple[access_pb2.AccessMode, Bindings]]
    groups: Shape | None = None
    elements: Shape | None = None
    elements_per_group: Numbers = ()
    indirect: Target | None = None
    maximum_groups: Numbers = ()
    workgroup_size: Numbers = ()
    exact_threads: bool = False
    subgroup_size: int = 0
    dynamic_shared_bytes: int = 0
    specialization: Mapping[SpecializationKey, Literal] = field(default_factory=dict)
    inline: Mapping[str, Literal | Computed] = field(default_factory=dict)
    tolerated_aliases: Pairs = ()


def dispatch(resolver: Resolver, path: Path, launch: Launch) -> dispatch_pb2.Dispatch:
    """Return the message of a dispatch."""
    message = dispatch_pb2.Dispatch(
        artifact=launch.artifact,
        entry=launch.entry,
        geometry=_geometry(resolver, path.field("geometry"), launch),
        tolerated_aliases=[
            dispatch_pb2.SlotPair(first=min(pair), second=max(pair))
            for pair in pairs_of(launch.tolerated_aliases)
        ],
    )
    for mode, bindings in launch.accesses:
        for slot, given in bindings.items():
            _add_binding(
                resolver, path, message, slot, mode, given if isinstance(given, Slot) else Slot(given)
            )
    for key, value in launch.specialization.items():
        place = path.element("specialization", len(message.specialization))
        named = message.specialization.add(value=_typed(resolver, value, place.field("value")))
        if isinstance(key, str):
            named.name = key
        else:
            named.constant_id = resolver.unsigned(key, 32, place.field("constant_id"))
    for slot, constant in launch.inline.items():
        place = path.element("inline_constants", len(message.inline_constants), slot)
        inline = message.inline_constants.add(slot=slot)
        inline.value.CopyFrom(_inline(resolver, constant, place.field("value")))
    return message


def _add_binding(
    resolver: Resolver,
    path: Path,
    message: dispatch_pb2.Dispatch,
    slot: str,
    mode: access_pb2.AccessMode,
    given: Slot,
) -> None:
    place = path.element("bindings", len(message.bindings), slot)
    if any(binding.slot == slot for binding in message.bindings):
        resolver.report("duplicate-slot", place, f"the slot `{slot}` is bound twice")
        return
    binding = message.bindings.add(
        slot=slot,
        target=resolver.selection(given.target, place.field("target")),
        access=mode,
        coverage=given.coverage,
        usage=given.usage,
    )
    if given.atomic_type is not None:
        binding.atomic_type = resolver.element(given.atomic_type, place.field("atomic_type"))
    if given.index is not None:
        coordinate = place.field("coordinate")
        binding.coordinate.group = resolver.unsigned(given.group, 32, coordinate.field("group"))
        binding.coordinate.index = resolver.unsigned(given.index, 32, coordinate.field("index"))
        binding.coordinate.array_element = resolver.unsigned(
            given.array_element, 32, coordinate.field("array_element")
        )


def _geometry(resolver: Resolver, path: Path, launch: Launch) -> dispatch_pb2.Geometry:
    geometry = dispatch_pb2.Geometry(
        workgroup_size=_counts(resolver, launch.workgroup_size, path, "workgroup_size"),
        exact_threads=launch.exact_threads,
        subgroup_size=resolver.unsigned(launch.subgroup_size, 32, path.field("subgroup_size")),
        dynamic_shared_bytes=resolver.unsigned(
            launch.dynamic_shared_bytes, 64, path.field("dynamic_shared_bytes")
        ),
    )
    count, place = geometry.workgroup_count, path.field("workgroup_count")
    given = [source for source in (launch.groups, launch.elements, launch.indirect) if source is not None]
    if len(given) != 1:
        resolver.report(
            "workgroup-count", place, "exactly one of `groups`, `elements` and `indirect` is needed"
        )
    elif launch.groups is not None:
        place = place.field("extents")
        count.extents.counts.extend(
            resolver.element_extent(value, place.element("counts", i))
            for i, value in enumerate(extents_of(launch.groups))
        )
    elif launch.elements is not None:
        place = place.field("elements")
        count.elements.elements.extend(
            resolver.element_extent(value, place.element("elements", i))
            for i, value in enumerate(extents_of(launch.elements))
        )
        count.elements.elements_per_workgroup.extend(
            _counts(resolver, launch.elements_per_group, place, "elements_per_workgroup")
        )
    elif launch.indirect is not None:
        place = place.field("indirect")
        count.indirect.source.CopyFrom(resolver.selection(launch.indirect, place.field("source")))
        count.indirect.maximum_counts.extend(
            _counts(resolver, launch.maximum_groups, place, "maximum_counts")
        )
    return geometry


def _counts(resolver: Resolver, values: Numbers, path: Path, name: str) -> list[int]:
    return [resolver.unsigned(value, 32, path.element(name, i)) for i, value in enumerate(numbers_of(values))]


def _typed(resolver: Resolver, value: Literal, path: Path) -> type_pb2.TypedBits:
    """Return a literal that states its type; a bool is its own."""
    if isinstance(value, bool):
        return typed_bits(type_pb2.ELEMENT_TYPE_BOOL, value)
    if not isinstance(value, Typed):
        message = (
            f'`{value}` has no type of its own; write it as `typed("i32", {value})` with the type it has'
        )
        resolver.report("untyped-literal", path, message)
        return type_pb2.TypedBits()
    return resolver.literal(value, type_pb2.ELEMENT_TYPE_UNSPECIFIED, path)


def _inline(resolver: Resolver, value: Literal | Computed, path: Path) -> dispatch_pb2.InlineValue:
    if not isinstance(value, Computed):
        return dispatch_pb2.InlineValue(literal=_typed(resolver, value, path.field("literal")))
    place = path.field("parametric")
    return dispatch_pb2.InlineValue(
        parametric=dispatch_pb2.ParametricValue(
            element=resolver.element(value.element, place.field("element")),
            value=resolver.extent(value.value, place.field("value")),
        )
    )


def statement(
    resolver: Resolver,
    path: Path,
    targets: Iterable[Target],
    available_from: Scopes,
    visible_to: Scopes,
) -> access_pb2.VisibilityStatement:
    """Return the message of a visibility statement."""
    return access_pb2.VisibilityStatement(
        selections=[
            resolver.selection(target, path.element("selections", i)) for i, target in enumerate(targets)
        ],
        available_from=[
            access_pb2.AccessScope(usage=usage, kind=kind) for usage, kind in scopes_of(available_from)
        ],
        visible_to=[access_pb2.AccessScope(usage=usage, kind=kind) for usage, kind in scopes_of(visible_to)],
    )


def fill(resolver: Resolver, path: Path, destination: Target, value: Number | Typed) -> node_pb2.Fill:
    """Return the message of a fill; a number without a type is one of the destination's elements."""
    handle = resolver.target(destination, path.field("destination"))
    return node_pb2.Fill(
        destination=resolver.selection(handle, path.field("destination")),
        pattern=resolver.literal(value, handle.element, path.field("pattern")),
    )


def predicate(resolver: Resolver, path: Path, condition: Condition) -> node_pb2.Predicate:
    """Return the message of a predicate; a literal without a type is one of the target's elements."""
    handle = resolver.target(condition.target, path.field("source"))
    return node_pb2.Predicate(
        source=resolver.selection(handle, path.field("source")),
        comparison=condition.comparison,
        literal=resolver.literal(condition.literal, handle.element, path.field("literal")),
    )


def trip_count(resolver: Resolver, path: Path, trips: int | Target) -> node_pb2.TripCount:
    """Return the message of a trip count: a number, or where one is read."""
    if isinstance(trips, int):
        return node_pb2.TripCount(literal=resolver.unsigned(trips, 64, path.field("literal")))
    place = path.field("read")
    handle = resolver.target(trips, place.field("source"))
    source = resolver.selection(handle, place.field("source"))
    return node_pb2.TripCount(read=node_pb2.CountRead(source=source, element=handle.element))
