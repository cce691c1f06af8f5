"""The payloads of a package: each frame opened, and judged beside its graph as an envelope is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from execgraph.v1 import envelope_pb2
from interlock.diagnostic import ROOT, Assumption, Diagnostic, Path, Severity, Step, Unverified
from interlock.document import Document
from interlock.errors import InterlockError
from interlock.rules.assumptions import assumptions_of
from interlock.rules.context import Context
from interlock.rules.parts import run_with_parts
from interlock.rules.registry import rules_of
from interlock.target.claims import contradicted_claims
from interlock.target.code_rules import code_findings
from interlock.target.content import check_content
from interlock.target.opening import open_document
from interlock.target.reporting import VERIFIERS
from interlock.target.sealed import PAYLOAD, SealedDocument

if TYPE_CHECKING:
    from collections.abc import Iterable

    from execgraph.v1 import package_pb2
    from interlock.package.index import GraphEntry

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
        return PayloadFindings(tuple(_at(place, each) for each in error.diagnostics))
    inner = Context(envelope.message, envelope.kind, context.limits, context.offered)
    sealed = SealedDocument(envelope, blobs, inner)
    results = run_with_parts(inner, rules_of(inner.kind))
    content, code = check_content(sealed, VERIFIERS), code_findings(sealed)
    claims = contradicted_claims(sealed)
    diagnostics = (*results.diagnostics, *content.diagnostics, *claims, *code.diagnostics)
    return PayloadFindings(
        tuple(replace(each, path=_moved(place, each.path)) for each in _about_payload(diagnostics)),
        tuple(
            replace(each, path=_moved(place, each.path))
            for each in _about_payload((*results.unverified, *content.unverified, *code.unverified))
        ),
        tuple(replace(each, path=_moved(place, each.path)) for each in _about_payload(assumptions_of(inner))),
    )


def _envelope(graph: Document, payload: Document, entry: package_pb2.PackagedPayload) -> Document:
    message = envelope_pb2.Envelope()
    message.graph.digest, message.graph.body = graph.digest, graph.binary
    added = message.payloads.add(format=entry.format)
    added.payload.digest, added.payload.body = payload.digest, payload.binary
    return Document.from_message(message)


def _about_payload(found: Iterable[Any]) -> list[Any]:
    """Leave out what is said of the graph, which the package is judged for anyway."""
    return [each for each in found if not each.path.steps or each.path.steps[0].field != _GRAPH]


def _moved(place: Path, path: Path) -> Path:
    """Return a path of the envelope as one of the package."""
    return Path((*place.steps, *path.steps[_INSIDE:]))


def _at(place: Path, finding: Diagnostic) -> Diagnostic:
    return replace(finding, path=Path((*place.steps, *finding.path.steps)), severity=Severity.ERROR)
