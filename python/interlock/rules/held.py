"""Documents within documents of target code: the graph of an envelope, its payloads, their bundles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from interlock.codec import decode
from interlock.codec.encoding import Encoding
from interlock.diagnostic import ROOT, Path, Step
from interlock.errors import CodecError
from interlock.graph.launch_groups import Contraction
from interlock.graph.modules import bound_slots
from interlock.graph.realization import Dispatches
from interlock.hashing import sha256_digest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from execgraph.v1 import module_pb2, payload_pb2
    from interlock.document import Document
    from interlock.graph.index import GraphIndex
    from interlock.graph.modules import ModuleSlot
    from interlock.graph.realization import BoundSlot
    from interlock.limits import Limits
    from interlock.rules.context import Context


@dataclass(frozen=True)
class Held:
    """A document that another one holds in bytes. It is read when it is first asked for.

    Attributes:
        path: The message with the digest and the body, in the outer document.
        kind: The kind it has to have.
        digest: The digest that the outer document states.
        body: Its bytes.
    """

    path: Path
    kind: str
    digest: str
    body: bytes
    limits: Limits

    @cached_property
    def actual_digest(self) -> str:
        """The digest of the bytes."""
        return sha256_digest(self.body)

    @cached_property
    def _read(self) -> Document | CodecError:
        try:
            return decode(self.body, encoding=Encoding.BINARY, expected_kind=self.kind, limits=self.limits)
        except CodecError as error:
            return error

    @property
    def document(self) -> Document | None:
        """The document; None if it cannot be read."""
        return None if isinstance(self._read, CodecError) else self._read

    @property
    def error(self) -> CodecError | None:
        """Why it cannot be read."""
        return self._read if isinstance(self._read, CodecError) else None

    @property
    def inside(self) -> Path:
        """The path that leads into it."""
        return self.path.field("body")


def held_by(message: Message, kind: str, limits: Limits) -> tuple[Held, ...]:
    """Return the documents that a document holds itself; an absent one is not among them."""
    root: Any = message
    if kind == "TargetPayload":
        found = [(ROOT.field("bundle"), "TargetModuleBundle", root, "bundle")]
    elif kind == "Envelope":
        found = [(ROOT.field("graph"), "ExecutionGraph", root, "graph")]
        for index, each in enumerate(root.payloads):
            found.append((ROOT.element("payloads", index).field("payload"), "TargetPayload", each, "payload"))
    else:
        return ()
    return tuple(
        Held(path, inner, getattr(holder, name).digest, getattr(holder, name).body, limits)
        for path, inner, holder, name in found
        if holder.HasField(name)
    )


@dataclass(frozen=True)
class PayloadView:
    """One payload, where it stands, and the bundle in it.

    Attributes:
        prefix: The path that leads into the payload; empty for one that is a document of its own.
        message: The payload.
        bundle: The bundle; None if it is absent or cannot be read.
    """

    prefix: Path
    message: payload_pb2.TargetPayload
    bundle: module_pb2.TargetModuleBundle | None

    def path(self, *steps: Step) -> Path:
        """Return the path of a place in the payload."""
        return self.prefix.extended(*steps)

    def module_path(self, index: int, *steps: Step) -> Path:
        """Return the path of a place in a module of the bundle."""
        return self.prefix.extended(Step("bundle"), Step("body"), Step("modules", index), *steps)

    @cached_property
    def entries(self) -> dict[str, tuple[int, payload_pb2.TargetEntry]]:
        """The entries by group, with their positions."""
        return {entry.group: (index, entry) for index, entry in enumerate(self.message.entries)}

    @cached_property
    def modules(self) -> dict[str, tuple[int, module_pb2.TargetModule]]:
        """The first module of each group, with its position."""
        found: dict[str, tuple[int, module_pb2.TargetModule]] = {}
        for index, module in enumerate(self.bundle.modules if self.bundle is not None else ()):
            found.setdefault(module.group, (index, module))
        return found

    @cached_property
    def module_slots(self) -> dict[str, dict[tuple[str, str], ModuleSlot]]:
        """The slots of each group's module that take bytes, by node and logical slot."""
        return {
            group: {(slot.node, slot.slot): slot for slot in bound_slots(module)}
            for group, (_, module) in self.modules.items()
        }


def payload_views(context: Context) -> Iterator[PayloadView]:
    """Yield the payloads of a document that could be read: itself, or those of an envelope."""
    if context.kind == "TargetPayload":
        payload: Any = context.message
        yield PayloadView(ROOT, payload, _bundle_of(context.held))
    for held in context.held if context.kind == "Envelope" else ():
        if held.kind == "TargetPayload" and held.document is not None:
            message: Any = held.document.message
            inner = held_by(message, "TargetPayload", held.limits)
            yield PayloadView(held.inside, message, _bundle_of(inner))


def _bundle_of(held: tuple[Held, ...]) -> Any:  # noqa: ANN401 - the message of a bundle, or None
    document = held[0].document if held else None
    return None if document is None else document.message


class BindingPlace(NamedTuple):
    """A binding of an entry, and what the graph binds to that slot of that member; None if nothing."""

    payload: PayloadView
    entry: int
    position: int
    message: payload_pb2.TargetBinding
    bound: BoundSlot | None

    @property
    def group(self) -> str:
        """The launch group."""
        return self.payload.message.entries[self.entry].group

    @property
    def path(self) -> Path:
        """The path of the binding."""
        entry = Step("entries", self.entry, self.group or None)
        return self.payload.path(entry, Step("bindings", self.position))


@dataclass(frozen=True)
class Realization:
    """A payload of an envelope beside the graph that it realizes."""

    payload: PayloadView
    graph: GraphIndex
    dispatches: Dispatches
    limits: Limits

    @cached_property
    def members(self) -> list[tuple[int, str, list[int]]]:
        """The groups: position, id, and those members that are dispatches and in no group before."""
        by_id, kinds, taken = self.graph.nodes.by_id, set(self.dispatches.numbers), set[int]()
        found = []
        for index, group in enumerate(self.payload.message.groups):
            numbers = [by_id[name] for name in group.members if by_id.get(name) in kinds]
            numbers = [number for number in numbers if number not in taken]
            taken.update(numbers)
            found.append((index, group.id, numbers))
        return found

    @cached_property
    def bindings(self) -> list[BindingPlace]:
        """Every binding of an entry whose group has members, with what the graph binds to that slot."""
        found = []
        ids = self.graph.nodes.ids
        for _, group, members in self.members:
            index, entry = self.payload.entries.get(group, (0, None))
            bound = {ids[node]: self.dispatches.bound(node) for node in members}
            for position, binding in enumerate(entry.bindings if entry is not None and members else ()):
                slot = bound.get(binding.node, {}).get(binding.slot)
                found.append(BindingPlace(self.payload, index, position, binding, slot))
        return found

    @cached_property
    def order(self) -> Contraction | None:
        """The order among the groups; None while the graph has none itself."""
        if not self.graph.topology.acyclic:
            return None
        groups = [members for _, _, members in self.members]
        return Contraction(self.graph.nodes, self.graph.topology, groups, self.limits.proof_work)


def realizations_of(context: Context) -> Iterator[Realization]:
    """Yield every payload of an envelope that names the graph beside it, where that can be indexed."""
    held = next((each for each in context.held if each.kind == "ExecutionGraph"), None)
    inside = None if held is None else next((c for p, c in context.parts if p == held.inside), None)
    if held is None or inside is None or not inside.is_indexable:
        return
    dispatches = Dispatches(inside.graph)
    for view in context.payloads:
        if view.message.graph_digest == held.actual_digest:
            yield Realization(view, inside.graph, dispatches, context.limits)


def parts_of(context: Context) -> tuple[tuple[Path, Context], ...]:
    """Return every document within a document that could be read, outer first, with the path into it."""
    make = type(context)
    found = []
    for held in context.held:
        if held.document is None:
            continue
        part = make(held.document.message, held.kind, context.limits, context.offered)
        found.append((held.inside, part))
        found += [(held.inside.extended(*path.steps), inner) for path, inner in part.parts]
    return tuple(found)
