"""The capabilities a graph needs, computed from its content.

Which field and which enum value needs which capability stands in the options of the schema. Atomic updates
are the exception: theirs depends on the element type.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from execgraph.v1 import capability_pb2, type_pb2
from interlock.codec.schema import Kind, schema
from interlock.diagnostic import ROOT, Path
from interlock.graph.accesses import ATOMIC
from interlock.graph.index import GraphIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.descriptor import Descriptor
    from google.protobuf.message import Message

    from execgraph.v1 import graph_pb2
    from interlock.codec.schema import FieldInfo, MessageInfo

_PREFIX = "CAPABILITY_"
_ATOMIC_TYPES = {
    "INT32": ("I32", "U32"),
    "INT64": ("I64", "U64"),
    "FLOAT32": ("F32",),
    "FLOAT64": ("F64",),
    "FLOAT16": ("F16", "BF16"),
}
ATOMIC_CAPABILITIES: dict[int, str] = {
    type_pb2.ElementType.Value(f"ELEMENT_TYPE_{element}"): f"CAPABILITY_ATOMIC_{name}"
    for name, elements in _ATOMIC_TYPES.items()
    for element in elements
}
"""The capability that atomic updates of an element type need, by the number of the type."""
OFFERED_BY_RUNTIMES = frozenset({"CAPABILITY_CONDITIONAL", "CAPABILITY_REPEAT", "CAPABILITY_WHILE"})
"""What a runtime does on the host: no profile of a device offers it."""


def capability_name(name: str) -> str:
    """Return the name that the schema has for a capability, such as ``CAPABILITY_REPEAT`` for ``repeat``.

    Raises:
        TypeError: It is no string.
        ValueError: There is no such capability.
    """
    if not isinstance(name, str):
        raise TypeError(f"a capability is named by a string, not by `{name!r}`")
    full = name.upper().replace("-", "_")
    full = full if full.startswith(_PREFIX) else _PREFIX + full
    if full not in capabilities():
        raise ValueError(f"`{name}` is no capability; there are {', '.join(map(short_name, capabilities()))}")
    return full


def short_name(capability: str) -> str:
    """Return a capability as people write it, such as ``repeat``."""
    return capability.removeprefix(_PREFIX).lower()


def capabilities() -> list[str]:
    """Return the full names of all capabilities."""
    return [name for name, number in capability_pb2.Capability.items() if number]


class Need(NamedTuple):
    """A capability, the first place that needs it, and how many places do."""

    capability: str
    path: Path
    places: int


class _Values(NamedTuple):
    """An enum field some of whose values need a capability."""

    name: str
    needs: dict[int, str]


@dataclass(slots=True)
class _Probe:
    """What to look at in the messages of one type.

    ``busy`` tells whether there is anything, here or below.
    """

    info: MessageInfo
    present: list[tuple[str, str]] = field(default_factory=list)
    set: list[tuple[str, str]] = field(default_factory=list)
    values: list[_Values] = field(default_factory=list)
    children: list[tuple[FieldInfo, _Probe]] = field(default_factory=list)
    busy: bool = False


def computed_capabilities(graph: graph_pb2.ExecutionGraph | GraphIndex) -> tuple[str, ...]:
    """Return the names of the capabilities that a graph needs, in the order of the schema."""
    index = graph if isinstance(graph, GraphIndex) else GraphIndex(graph)
    return tuple(need.capability for need in needed_capabilities(index))


def needed_capabilities(graph: GraphIndex) -> list[Need]:
    """Return the capabilities that a graph needs, in the order of the schema, each with its first place."""
    found: dict[str, Need] = {}
    for capability, path in (*_from_options(graph.message), *_from_atomics(graph)):
        known = found.get(capability)
        found[capability] = (
            Need(capability, path, 1) if known is None else known._replace(places=known.places + 1)
        )
    return sorted(found.values(), key=lambda need: capability_pb2.Capability.Value(need.capability))


def _from_atomics(graph: GraphIndex) -> Iterator[tuple[str, Path]]:
    accesses = graph.accesses
    for access, mode in enumerate(accesses.mode):
        if mode == ATOMIC:
            selection = graph.selections[accesses.selection[access]]
            element = accesses.atomic[access] or (selection.type.element if selection.type else 0)
            if element in ATOMIC_CAPABILITIES:
                yield ATOMIC_CAPABILITIES[element], accesses.path(access, graph.nodes)


def _from_options(root: Message) -> Iterator[tuple[str, Path]]:
    """Yield what the options say about every field that is set; parts without a need cost no path."""
    waiting: deque[tuple[Message, _Probe, Path]] = deque([(root, _probe_of(root.DESCRIPTOR), ROOT)])
    while waiting:
        message, probe, path = waiting.popleft()
        for capability, name in _own_needs(message, probe):
            yield capability, path.field(name)
        for child, inner in probe.children:
            if not child.repeated:
                if message.HasField(child.name):
                    waiting.append((getattr(message, child.name), inner, path.field(child.name)))
                continue
            key = child.string_key
            for index, element in enumerate(getattr(message, child.name)):
                if _has_need(element, inner):
                    place = path.element(child.name, index, (getattr(element, key) or None) if key else None)
                    waiting.append((element, inner, place))


def _own_needs(message: Message, probe: _Probe) -> Iterator[tuple[str, str]]:
    """Yield what the fields of a message itself need, with the name of the field."""
    for name, capability in probe.present:
        if message.HasField(name):
            yield capability, name
    for name, capability in probe.set:
        if getattr(message, name):
            yield capability, name
    for name, needs in probe.values:
        value = getattr(message, name)
        if value in needs:
            yield needs[value], name


def _has_need(message: Message, probe: _Probe) -> bool:
    """Tell whether a message or one below it needs a capability.

    What holds regions does, so this never goes deep.
    """
    if next(_own_needs(message, probe), None) is not None:
        return True
    for child, inner in probe.children:
        if child.repeated:
            if any(_has_need(element, inner) for element in getattr(message, child.name)):
                return True
        elif message.HasField(child.name) and _has_need(getattr(message, child.name), inner):
            return True
    return False


@cache
def _probe_of(descriptor: Descriptor) -> _Probe:
    """Return the probe of a message type, without those below it in which there is nothing to look at."""
    probes: dict[str, _Probe] = {}
    root = _build(schema().message(descriptor), probes)
    changed = True
    while changed:
        changed = False
        for probe in probes.values():
            if not probe.busy and any(inner.busy for _, inner in probe.children):
                probe.busy = changed = True
    for probe in probes.values():
        probe.children = [(child, inner) for child, inner in probe.children if inner.busy]
    return root


def _build(info: MessageInfo, probes: dict[str, _Probe]) -> _Probe:
    known = probes.get(info.full_name)
    if known is not None:
        return known
    probe = probes[info.full_name] = _Probe(info)
    for item in info.fields:
        if item.capability is not None:
            (probe.present if item.explicit else probe.set).append((item.name, item.capability))
        if item.kind is Kind.ENUM:
            needs = {value.number: value.capability for value in item.enum.values if value.capability}
            if needs and not item.repeated:
                probe.values.append(_Values(item.name, needs))
        if item.kind is Kind.MESSAGE:
            probe.children.append((item, _build(item.message, probes)))
    probe.busy = bool(probe.present or probe.set or probe.values)
    return probe
