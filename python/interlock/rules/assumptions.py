"""What a verdict rests on and no rule can prove."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from execgraph.v1 import resource_pb2
from interlock.diagnostic import ROOT, Assumption, Step
from interlock.flow.reach import Reach
from interlock.graph.accesses import READ_WRITE, WRITE, WRITING, AccessRole
from interlock.graph.extents import ZERO, Affine, add, bounds, is_bounded
from interlock.graph.footprints import Footprint
from interlock.graph.operations import FULL, GEOMETRY
from interlock.rules.document_order import DocumentOrder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.graph.index import GraphIndex
    from interlock.rules.context import Context

ASSUMPTIONS = {
    "assumption.full-coverage": (
        "A binding claims that its kernel overwrites every byte. Kernels are not read, so the claim is "
        "believed: what was there before counts as gone, and what is there then as initialised."
    ),
    "assumption.indirect-bound": (
        "A dispatch reads its workgroup count from memory. The greatest counts that the producer states are "
        "believed."
    ),
    "assumption.caller-no-alias": (
        "The caller passes memory for the external resources. Two that do not share an allocation of the "
        "graph are believed to share no byte. That is an obligation of the caller, whatever evidence is "
        "required."
    ),
    "assumption.parameter-range": (
        "The caller sets a parameter. Each value is believed to lie in the declared range and to be a "
        "multiple of what is declared. That is an obligation of the caller, whatever evidence is required."
    ),
    "assumption.disjoint-accesses": (
        "The producer asserts that two accesses never touch a common byte, although their ranges overlap. "
        "The assertion is believed."
    ),
    "assumption.tolerated-alias": (
        "A dispatch binds the same bytes to two slots, writes through one of them, and says that its kernel "
        "tolerates that. Kernels are not read, so it is believed."
    ),
    "assumption.declared-minimum": (
        "A repeat reads its count from memory and states how often it runs at least. It is believed that the "
        "count is never less."
    ),
    "assumption.interface-facts": (
        "A graph is judged by what is known about the interfaces of the variants that it runs. That is no "
        "better than its weakest source: the package document, a manifest, or the bytes themselves. What "
        "they say is believed to be true of the bytes."
    ),
    "assumption.reads-nothing-unwritten": (
        "A binding declares to write a slot that the kernel both reads and writes. It is believed that the "
        "kernel reads no byte there that it has not written itself before, in the same dispatch."
    ),
    "assumption.internalized-dependency": (
        "A module runs dispatches of which one depends on another in one launch, and states that it keeps "
        "their order and makes the writes of the one visible to the other. It is believed, with the evidence "
        "that the module states."
    ),
    "assumption.state-initialised": (
        "A state without initial content is read before the graph has overwritten it. An earlier invocation "
        "is believed to have filled it. That is an obligation of the caller, whatever evidence is required."
    ),
}
"""What each assumption means, by code."""

_EXTERNAL = frozenset(
    {
        resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT,
        resource_pb2.RESOURCE_ROLE_EXTERNAL_OUTPUT,
        resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT_OUTPUT,
    }
)
_DISPATCH = (Step("operation"), Step("dispatch"))
_MINIMUM = (Step("operation"), Step("repeat"), Step("minimum_trips"))
_MAXIMA = (*GEOMETRY, Step("workgroup_count"), Step("indirect"), Step("maximum_counts"))


def assumptions_of(context: Context) -> list[Assumption]:
    """Return what the verdict on a document rests on, in the order of the document."""
    if context.kind == "Package":
        from interlock.rules.package_assumptions import assumptions_of_package  # noqa: PLC0415  (start-up)

        return assumptions_of_package(context)
    if context.kind == "Envelope":
        from interlock.rules.target_assumptions import assumptions_of_envelope  # noqa: PLC0415  (start-up)

        return assumptions_of_envelope(context)
    if context.kind != "ExecutionGraph" or not context.is_indexable:
        return []
    order = DocumentOrder(context.message)
    graph = context.graph
    found = [
        *_externals(graph),
        *_parameters(graph),
        *_claims(graph),
        *_asserted(graph),
        *_tolerated(graph),
        *_minima(graph),
        *_states(graph),
    ]
    return sorted(found, key=lambda assumption: (order.key(assumption.path), assumption.code))


def assumptions_within(context: Context) -> list[Assumption]:
    """Return what the verdicts on the documents within a document rest on, as told of the outer one."""
    return [
        replace(held, path=prefix.extended(*held.path.steps))
        for prefix, part in context.parts
        for held in assumptions_of(part)
    ]


def _externals(graph: GraphIndex) -> Iterator[Assumption]:
    resources = [resource for resource in graph.elements.resources if resource.role in _EXTERNAL]
    homes = {
        (resource.allocation, "") if resource.allocation is not None else ("", resource.id)
        for resource in resources
    }
    if len(homes) > 1:
        yield Assumption(
            "assumption.caller-no-alias",
            ROOT.field("resources"),
            f"{len(resources)} external resources lie in {len(homes)} blocks of memory that share no byte",
            evidence=None,
        )


def _parameters(graph: GraphIndex) -> Iterator[Assumption]:
    for parameter in graph.elements.parameters:
        if parameter.owner < 0 and parameter.domain is not None:
            low, high, step = parameter.domain
            multiple = f", a multiple of {step}" if step > 1 else ""
            yield Assumption(
                "assumption.parameter-range",
                parameter.path,
                f"`{parameter.id}` lies in {low} to {high}{multiple}",
                evidence=None,
            )


def _claims(graph: GraphIndex) -> Iterator[Assumption]:
    accesses, nodes = graph.accesses, graph.nodes
    coverage = Step("coverage")
    columns = zip(accesses.role, accesses.coverage, accesses.mode, strict=True)
    for access, (role, covered, mode) in enumerate(columns):
        if role == AccessRole.BINDING and covered == FULL and mode in WRITING:
            slot = accesses.place[access][-1].key
            yield Assumption(
                "assumption.full-coverage",
                accesses.path(access, nodes, coverage),
                f"`{nodes.ids[accesses.node[access]]}` overwrites every byte of slot `{slot}`",
            )
        elif role == AccessRole.INDIRECT:
            node = accesses.node[access]
            yield Assumption(
                "assumption.indirect-bound",
                nodes.path(node, _MAXIMA),
                f"`{nodes.ids[node]}` never runs more workgroups than it states",
            )


def _asserted(graph: GraphIndex) -> Iterator[Assumption]:
    for index, assertion in enumerate(graph.message.disjointness_assertions):
        first, second = (
            f"`{access.node}`" + (f" slot `{access.slot}`" if access.slot else "")
            for access in (assertion.first, assertion.second)
        )
        yield Assumption(
            "assumption.disjoint-accesses",
            ROOT.element("disjointness_assertions", index),
            f"{first} and {second} never touch a common byte: {assertion.justification}",
        )


def _tolerated(graph: GraphIndex) -> Iterator[Assumption]:
    """Yield the tolerated pairs that are in use: one slot writes, and both name the same bytes."""
    tolerating = set(graph.operations.with_tolerated_aliases)
    accesses = graph.accesses
    bound: dict[tuple[int, str], int] = {}
    for access, (node, role) in enumerate(zip(accesses.node, accesses.role, strict=True)):
        if node in tolerating and role == AccessRole.BINDING:
            bound[node, accesses.place[access][-1].key or ""] = access
    for node in sorted(tolerating):
        pairs = graph.nodes.operations[node].tolerated_aliases  # type: ignore[union-attr]
        for index, pair in enumerate(pairs):
            first, second = bound.get((node, pair.first)), bound.get((node, pair.second))
            if first is None or second is None:
                continue
            writes = accesses.mode[first] in WRITING or accesses.mode[second] in WRITING
            if writes and _same_bytes(graph, first, second):
                yield Assumption(
                    "assumption.tolerated-alias",
                    graph.nodes.path(node, (*_DISPATCH, Step("tolerated_aliases", index))),
                    f"`{graph.nodes.ids[node]}` tolerates the same bytes in its slots `{pair.first}` and "
                    f"`{pair.second}`",
                )


def _same_bytes(graph: GraphIndex, first: int, second: int) -> bool:
    """Tell whether two accesses name the same bytes, as the dispatch that tolerates them has to."""
    accesses = graph.accesses
    if accesses.selection[first] == accesses.selection[second]:
        return True
    place = _place(graph, first)
    return place is not None and place == _place(graph, second)


def _place(graph: GraphIndex, access: int) -> tuple[tuple[str, str], Affine, Affine] | None:
    """Return the memory of an access, its first byte and the one after its last; None if not affine."""
    selection = graph.selections[graph.accesses.selection[access]]
    if selection.resource is None or not isinstance(selection.bytes, Footprint):
        return None
    low, high = selection.bytes.low, selection.bytes.high
    if not (isinstance(low, Affine) and isinstance(high, Affine)):
        return None
    resource = graph.elements.resources[selection.resource]
    if resource.allocation is None:
        return ("", resource.id), low, high
    base = resource.offset or ZERO
    return (resource.allocation, ""), add(base, low), add(base, high)


def _minima(graph: GraphIndex) -> Iterator[Assumption]:
    for repeat in graph.operations.repeats:
        if repeat.literal is None and repeat.minimum:
            yield Assumption(
                "assumption.declared-minimum",
                graph.nodes.path(repeat.node, _MINIMUM),
                f"the count that `{graph.nodes.ids[repeat.node]}` reads is never less than {repeat.minimum}",
            )


def _states(graph: GraphIndex) -> Iterator[Assumption]:
    """Yield the states that are read where no write over all of them certainly came before."""
    messages = graph.message.resources
    states = {
        number
        for number, resource in enumerate(graph.elements.resources)
        if resource.role == resource_pb2.RESOURCE_ROLE_STATE and not messages[number].HasField("content")
    }
    if not states:
        return
    accesses, nodes = graph.accesses, graph.nodes
    certain = _certain_dispatches(graph)
    reads: dict[int, list[int]] = {}
    fills: dict[int, list[int]] = {}
    for access, (node, mode, number) in enumerate(
        zip(accesses.node, accesses.mode, accesses.selection, strict=True)
    ):
        resource = graph.selections[number].resource
        if resource in states:
            if mode != WRITE:
                reads.setdefault(resource, []).append(nodes.lifted(node, 0))
            if nodes.region[node] == 0 and _overwrites_all(graph, access, certain):
                fills.setdefault(resource, []).append(node)
    before = Reach(nodes, graph.topology).before
    for resource, readers in sorted(reads.items()):
        if any(not any(before(fill, reader) for fill in fills.get(resource, ())) for reader in readers):
            found = graph.elements.resources[resource]
            yield Assumption(
                "assumption.state-initialised",
                found.path,
                f"`{found.id}` holds what an earlier invocation left in it",
                evidence=None,
            )


def _certain_dispatches(graph: GraphIndex) -> frozenset[int]:
    """Return the dispatches that run at least one workgroup for all values of the parameters."""
    domains, operations = graph.elements.domains, graph.operations
    certain = {
        number
        for number, geometry in enumerate(operations.geometries)
        if geometry.source != "indirect"
        and all(
            count is not None and is_bounded(count, domains) and bounds(count, domains).low > 0
            for count in geometry.counts
        )
    }
    return frozenset(node for node, geometry in operations.geometry_of if geometry in certain)


def _overwrites_all(graph: GraphIndex, access: int, certain: frozenset[int]) -> bool:
    """Tell whether an access certainly overwrites all bytes of the resource that it names as a whole."""
    accesses = graph.accesses
    role, node = accesses.role[access], accesses.node[access]
    if graph.selections[accesses.selection[access]].arm != "resource":
        return False
    if role == AccessRole.BINDING:
        is_full = accesses.coverage[access] == FULL and accesses.mode[access] in (WRITE, READ_WRITE)
        return is_full and node in certain
    return role == AccessRole.FILL
