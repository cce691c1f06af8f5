"""The payloads of a package: each frame opened, and judged beside its graph as an envelope is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from execgraph.v1 import envelope_pb2
from interlock.diagnostic import ROOT, Assumption, Diagnostic, Path, Step, Unverified
from interlock.document import Document
from interlock.errors import InterlockError
from interlock.rules.assumptions import assumptions_of
from interlock.rules.context import Context
from interlock.rules.parts import below, run_with_parts
from interlock.rules.registry import rules_of
from interlock.target.opening import open_document
from interlock.target.reporting import frame_findings
from interlock.target.sealed import PAYLOAD, SealedDocument

if TYPE_CHECKING:
    from collections.abc import Iterable

    from execgraph.v1 import package_pb2
    from interlock.package.index import GraphEntry

_Said = TypeVar("_Said", Diagnostic, Unverified, Assumption)
_GRAPH, _PAYLOADS = "graph", "payloads"
_INSIDE = 3
"""The steps of an envelope's path that lead into its payload: `payloads[0].payload.body`."""


class PayloadFindings(NamedTuple):
    """What there is to say about the payloads of a package."""

    diagnostics: tuple[Diagnostic, ...] = ()
    unverified: tuple[Unverified, ...] = ()
    assumptions: tuple[Assumption, ...] = ()


def payload_findings(context: Context) -> PayloadFindings:
    """Judge the payloads of a package whose graphs could be read.

    Args:
        context: The package under verification.
    """
    package = cast("package_pb2.Package", context.message)
    graphs = {graph.id: graph for graph in context.package.graphs}
    found = PayloadFindings()
    for position, entry in enumerate(package.payloads):
        graph = graphs.get(entry.graph)
        if graph is None or graph.document is None:
            continue  # other rules say so
        place = ROOT.extended(Step(_PAYLOADS, position), Step("frame"))
        one = _judge(context, entry, graph, place)
        found = PayloadFindings(
            (*found.diagnostics, *one.diagnostics),
            (*found.unverified, *one.unverified),
            (*found.assumptions, *one.assumptions),
        )
    return found


def _judge(
    context: Context, entry: package_pb2.PackagedPayload, graph: GraphEntry, place: Path
) -> PayloadFindings:
    if context.package.container is None:
        gap = Unverified("payload", "no container was named in which the frame could be", place)
        return PayloadFindings(unverified=(gap,))
    try:
        frame = context.package.read(entry.frame)
    except InterlockError as error:  # its path is one within the container
        return PayloadFindings(tuple(replace(each, path=place) for each in error.diagnostics))
    try:
        payload, blobs = open_document(frame, kind=PAYLOAD, limits=context.limits)
        envelope = _envelope(cast("Document", graph.document), payload, entry)
    except InterlockError as error:
        return PayloadFindings(tuple(below(place, each) for each in error.diagnostics))
    inner = Context(envelope.message, envelope.kind, context.limits, context.offered)
    results = run_with_parts(inner, rules_of(inner.kind))
    bytes_say = frame_findings(SealedDocument(envelope, blobs, inner))
    return PayloadFindings(
        _of_package(place, (*results.diagnostics, *bytes_say.diagnostics)),
        _of_package(place, (*results.unverified, *bytes_say.unverified)),
        _of_package(place, assumptions_of(inner)),
    )


def _envelope(graph: Document, payload: Document, entry: package_pb2.PackagedPayload) -> Document:
    message = envelope_pb2.Envelope()
    message.graph.digest, message.graph.body = graph.digest, graph.binary
    added = message.payloads.add(format=entry.format)
    added.payload.digest, added.payload.body = payload.digest, payload.binary
    return Document.from_message(message)


def _of_package(place: Path, found: Iterable[_Said]) -> tuple[_Said, ...]:
    """Return what is said of an envelope as said of the package, without what is said of the graph.

    The package is judged for its graphs anyway.
    """
    return tuple(
        replace(each, path=place.extended(*each.path.steps[_INSIDE:]))
        for each in found
        if not each.path.steps or each.path.steps[0].field != _GRAPH
    )
