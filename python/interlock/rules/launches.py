"""What the dispatches of a package amount to on each target, with like ones together.

Most dispatches of a graph repeat few kernels over few distinct bytes. A rule judges each distinct case once
and speaks about every place where it stands. A dispatch whose artifact has no variant on a target is not
launched there; the rules about artifacts say so.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from interlock.diagnostic import NamedElement, Path, Step
from interlock.graph.accesses import AccessRole
from interlock.graph.types import storage_bits
from interlock.package.index import VariantEntry
from interlock.rules.model import Finding, Gap
from interlock.rules.uses import Use, alike_uses, blocked, blocked_by, entry_failure, slot_failure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from execgraph.v1.dispatch_pb2 import Dispatch, InlineConstant
    from execgraph.v1.profile_pb2 import TargetProfile
    from interlock.graph.accesses import Selection
    from interlock.graph.index import GraphIndex
    from interlock.graph.operations import Geometry, Place
    from interlock.package.index import GraphEntry, PackageIndex
    from interlock.package.knowledge import EntryFacts, Facts, VariantInterface
    from interlock.rules.context import Context
    from interlock.rules.uses import EnteredUse, SlotUse

DISPATCH = (Step("operation"), Step("dispatch"))
GEOMETRY = Step("geometry")
TARGET = Step("target")


@dataclass(frozen=True, slots=True)
class Part:
    """A graph of the package, indexed."""

    entry: GraphEntry
    graph: GraphIndex

    def path(self, node: int, steps: Place = ()) -> Path:
        """Return the path of a place of a node, from the package."""
        return self.entry.path.extended(*self.graph.nodes.path(node, steps).steps)


@dataclass(frozen=True, slots=True)
class Where:
    """One variant on one target, run from one graph through one entry.

    ``entry`` is None where nothing is known about it. ``failure`` is the code of the rule that says so, or
    that what is known is not about this entry; empty where the entry is there.
    """

    part: Part
    target: str
    variant: VariantEntry
    interface: VariantInterface
    entry: EntryFacts | None
    entry_name: str

    @property
    def failure(self) -> str:
        """The code of what keeps the entry from being found."""
        return entry_failure(self.interface, self.entry_name)

    @property
    def entered(self) -> EntryFacts | None:
        """The entry; None where it was not found."""
        return None if self.failure else self.entry

    @property
    def reason(self) -> str:
        """Why the entry was not found."""
        return blocked_by(self.failure)

    def finding(self, node: int, steps: Place, message: str, *elements: NamedElement) -> Finding:
        """Return a finding at a place of a node."""
        named = NamedElement("node", self.part.graph.nodes.ids[node])
        return Finding(self.part.path(node, steps), message, (named, *elements), target=self.target)

    def gap(self, node: int, steps: Place, reason: str) -> Gap:
        """Return a gap at a place of a node."""
        return Gap(reason, self.part.path(node, steps), self.target)


@dataclass(frozen=True, slots=True)
class Launches:
    """Dispatches that are alike: same kernel, geometry, specialization, and sizes of inline constants.

    Attributes:
        where: The variant, the target, the graph.
        geometry: The geometry, resolved.
        dispatch: The message of one of them.
        inline: The inline constants: slot and bytes.
        nodes: The nodes.
    """

    where: Where
    geometry: Geometry
    dispatch: Dispatch
    inline: tuple[tuple[str, int], ...]
    nodes: Sequence[int]

    def findings(self, steps: Place, message: str) -> Iterator[Finding]:
        """Yield a finding at a place below each dispatch."""
        for node in self.nodes:
            yield self.where.finding(node, (*DISPATCH, *steps), message)

    def gaps(self, steps: Place, reason: str) -> Iterator[Gap]:
        """Yield a gap at a place below each dispatch."""
        for node in self.nodes:
            yield self.where.gap(node, (*DISPATCH, *steps), reason)


@dataclass(frozen=True, slots=True)
class Bindings:
    """Bindings that are alike: same bytes to the same slot of the same kernel.

    ``slot`` is None where nothing is known about it, for the ``reason``; ``atomic`` is the type that the
    accesses update where they state one.
    """

    where: Where
    slot: Facts | None
    slot_name: str
    selection: Selection
    atomic: int
    accesses: Sequence[int]

    @property
    def reason(self) -> str:
        """Why nothing is known about the slot."""
        return slot_reason(self.where, self.slot_name)

    def findings(self, message: str) -> Iterator[Finding]:
        """Yield a finding at what each of them binds."""
        table = self.where.part.graph.accesses
        for access in self.accesses:
            place = (*table.place[access], TARGET)
            yield self.where.finding(table.node[access], place, message)

    def gaps(self, reason: str) -> Iterator[Gap]:
        """Yield a gap at what each of them binds."""
        table = self.where.part.graph.accesses
        for access in self.accesses:
            yield self.where.gap(table.node[access], (*table.place[access], TARGET), reason)


@dataclass(frozen=True, slots=True)
class InlineConstants:
    """Inline constants that are alike: same value to the same slot of the same kernel.

    ``places`` are nodes with the positions of the constants there.
    """

    where: Where
    slot: Facts | None
    slot_name: str
    message: InlineConstant
    places: Sequence[tuple[int, int]]

    @property
    def reason(self) -> str:
        """Why nothing is known about the slot."""
        return slot_reason(self.where, self.slot_name)

    def _place(self, index: int) -> Place:
        return (*DISPATCH, Step("inline_constants", index, self.slot_name), Step("value"))

    def findings(self, message: str) -> Iterator[Finding]:
        """Yield a finding at the value of each of them."""
        for node, index in self.places:
            yield self.where.finding(node, self._place(index), message)

    def gaps(self, reason: str) -> Iterator[Gap]:
        """Yield a gap at the value of each of them."""
        for node, index in self.places:
            yield self.where.gap(node, self._place(index), reason)


class LaunchTable:
    """The dispatches of all graphs of a package on all targets, with like ones together.

    Attributes:
        package: The index of the package.
        parts: The graphs that can be indexed.
        beyond_limits: Paths of graphs that are too large for that; their own rules say so.
        entered_uses: What `interlock.rules.uses` finds of that name, once it did.
        slot_uses: The same.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self.package: PackageIndex = context.package
        self.parts: list[Part] = []
        self.beyond_limits: list[Path] = []
        self.entered_uses: Sequence[EnteredUse | Gap] | None = None
        self.slot_uses: Sequence[SlotUse | Gap] | None = None
        self._where: dict[tuple[int, str, str, str], Where | None] = {}
        readable = [entry for entry in self.package.graphs if entry.document is not None]
        for entry, (path, inside) in zip(readable, context.parts, strict=True):
            if inside.is_indexable:
                self.parts.append(Part(entry, inside.graph))
            else:
                self.beyond_limits.append(path)

    def unindexed(self) -> Iterator[Gap]:
        """Yield a gap for each graph that cannot be looked into."""
        for path in self.beyond_limits:
            yield Gap("the graph is beyond the limits", path)

    def unlaunched(self) -> Iterator[Gap]:
        """Yield a gap for what no dispatch speaks of: graphs beyond the limits, artifacts without variant."""
        yield from self.unindexed()
        for each in self.package.selections:
            if not isinstance(each.variant, VariantEntry):
                path = self.package.row(each.graph, each.artifact)
                yield blocked(each.variant.code, path, each.target)

    @cached_property
    def profiles(self) -> Mapping[str, TargetProfile | None]:
        """The profile of each target; None where nobody has one."""
        return {target: self._context.profile(target) for target in self.package.targets}

    @cached_property
    def launches(self) -> tuple[Launches, ...]:
        """The dispatches, by graph, then in the order in which each first stands, then by target."""
        found: list[Launches] = []
        for number, part in enumerate(self.parts):
            for (artifact, entry, geometry, *_), nodes in _alike_dispatches(part.graph).items():
                first: Dispatch = part.graph.nodes.operations[nodes[0]]  # type: ignore[assignment]
                sizes = tuple((each.slot, inline_bytes(each)) for each in first.inline_constants)
                for where in self._on_targets(number, artifact, entry):
                    resolved = part.graph.operations.geometries[geometry]
                    found.append(Launches(where, resolved, first, sizes, nodes))
        return tuple(found)

    @cached_property
    def bindings(self) -> tuple[Bindings, ...]:
        """The bindings, by graph, then in the order in which each first stands, then by target."""
        found: list[Bindings] = []
        for number, part in enumerate(self.parts):
            for (artifact, entry, slot, selection, atomic), accesses in _alike_bindings(part.graph).items():
                bytes_ = part.graph.selections[selection]
                found += [
                    Bindings(where, _slot(where, slot), slot, bytes_, atomic, accesses)
                    for where in self._on_targets(number, artifact, entry)
                ]
        return tuple(found)

    @cached_property
    def inline_constants(self) -> tuple[InlineConstants, ...]:
        """The inline constants, by graph, then in the order in which each first stands, then by target."""
        found: list[InlineConstants] = []
        for number, part in enumerate(self.parts):
            for (artifact, entry, slot, _), (message, places) in _alike_constants(part.graph).items():
                found += [
                    InlineConstants(where, _slot(where, slot), slot, message, places)
                    for where in self._on_targets(number, artifact, entry)
                ]
        return tuple(found)

    @cached_property
    def uses(self) -> tuple[Use, ...]:
        """The dispatches by how they use an interface, by graph, then in order, then by target."""
        return tuple(
            Use(where, dispatch, nodes, images)
            for number, part in enumerate(self.parts)
            for dispatch, nodes, images in alike_uses(part.graph)
            for where in self._on_targets(number, dispatch.artifact, dispatch.entry)
        )

    @cached_property
    def entries(self) -> tuple[Where, ...]:
        """The distinct entries that run, each once for every target, without regard to the graph."""
        found: dict[tuple[str, str, str], Where] = {}
        for launch in self.launches:
            where = launch.where
            found.setdefault((str(where.variant.path), where.target, where.entry_name), where)
        return tuple(found.values())

    def _on_targets(self, part: int, artifact: str, entry: str) -> Iterator[Where]:
        for target in self.package.targets_of(self.parts[part].entry):
            key = part, artifact, entry, target
            if key not in self._where:
                self._where[key] = self._resolve(self.parts[part], artifact, entry, target)
            where = self._where[key]
            if where is not None:
                yield where

    def _resolve(self, part: Part, artifact: str, entry: str, target: str) -> Where | None:
        variant = self.package.select(part.entry, artifact, target)
        if not isinstance(variant, VariantEntry):
            return None
        interface = self.package.interface(variant)
        return Where(part, target, variant, interface, interface.entries.get(entry), entry)


def inline_bytes(message: InlineConstant) -> int:
    """Return the bytes of an inline constant."""
    value = message.value
    if value.WhichOneof("value") == "literal":
        return len(value.literal.bits)
    return storage_bits(value.parametric.element) // 8


def _slot(where: Where, name: str) -> Facts | None:
    """Return what is known about a slot; None where it was not found."""
    entry = where.entered
    return None if entry is None or slot_failure(where.interface, entry, name) else entry.slot(name)


def slot_reason(where: Where, name: str) -> str:
    """Return why a slot was not found."""
    entry = where.entered
    return where.reason if entry is None else blocked_by(slot_failure(where.interface, entry, name))


def _alike_dispatches(graph: GraphIndex) -> dict[tuple[str, str, int, int, bytes, bytes], list[int]]:
    """Return the dispatches by all that geometry rules ask of them."""
    found: dict[tuple[str, str, int, int, bytes, bytes], list[int]] = {}
    for node, geometry in graph.operations.geometry_of:
        message: Dispatch = graph.nodes.operations[node]  # type: ignore[assignment]
        values = b"".join(each.SerializeToString(deterministic=True) for each in message.specialization)
        inline = b"".join(b"%s\0%d\0" % (e.slot.encode(), inline_bytes(e)) for e in message.inline_constants)
        shared = message.geometry.dynamic_shared_bytes
        key = message.artifact, message.entry, geometry, shared, values, inline
        found.setdefault(key, []).append(node)
    return found


def _alike_bindings(graph: GraphIndex) -> dict[tuple[str, str, str, int, int], list[int]]:
    """Return the bindings by kernel, slot, selection and atomic type."""
    found: dict[tuple[str, str, str, int, int], list[int]] = {}
    accesses, operations = graph.accesses, graph.nodes.operations
    for access, role in enumerate(accesses.role):
        if role == AccessRole.BINDING:
            message: Dispatch = operations[accesses.node[access]]  # type: ignore[assignment]
            slot = accesses.place[access][-1].key or ""
            key = message.artifact, message.entry, slot, accesses.selection[access], accesses.atomic[access]
            found.setdefault(key, []).append(access)
    return found


def _alike_constants(
    graph: GraphIndex,
) -> dict[tuple[str, str, str, bytes], tuple[InlineConstant, list[tuple[int, int]]]]:
    """Return the inline constants by kernel, slot and value."""
    found: dict[tuple[str, str, str, bytes], tuple[InlineConstant, list[tuple[int, int]]]] = {}
    for node in graph.operations.with_inline_constants:
        dispatch: Dispatch = graph.nodes.operations[node]  # type: ignore[assignment]
        for index, message in enumerate(dispatch.inline_constants):
            value = message.value.SerializeToString(deterministic=True)
            key = dispatch.artifact, dispatch.entry, message.slot, value
            found.setdefault(key, (message, []))[1].append((node, index))
    return found
