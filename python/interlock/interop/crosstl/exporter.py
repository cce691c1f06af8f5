"""`export_crosstl`: an execution graph as a CrossTL graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from google.protobuf import json_format

from interlock.author.executions import node_executions
from interlock.diagnostic import ROOT, Diagnostic, Severity
from interlock.document import Document
from interlock.errors import ExportFailure
from interlock.interop.crosstl.expressible import report_inexpressible
from interlock.interop.crosstl.hints import names_hint, object_hint, read_hints
from interlock.interop.crosstl.json_text import document_bytes
from interlock.interop.crosstl.model import FreeObject, Graph
from interlock.interop.crosstl.names import inner_ids
from interlock.interop.crosstl.nodes_out import NodeWriter, controlled_nodes
from interlock.interop.crosstl.order import default_node_order, restored_order
from interlock.interop.crosstl.provenance_out import merged, own_provenance
from interlock.interop.crosstl.structure import DOCUMENT_KIND, SCHEMA_VERSION, Findings, normal_form
from interlock.interop.crosstl.views_out import ResourceWriter
from interlock.limits import DEFAULT_LIMITS
from interlock.package.crosstl_names import is_id

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from execgraph.v1 import graph_pb2


def export_crosstl(document: Document | Message) -> bytes:
    """Translate an execution graph into the JSON text of a CrossTL graph, in CrossTL's own normal form.

    What was imported comes back as it was. What the format cannot say is refused, never dropped: nothing of
    the document is lost but names of allocations of their own.

    Raises:
        ExportFailure: Everything of the document that the format cannot say. Paths lead into the document.
        TypeError: It is neither a document nor the message of one.
    """
    document = Document.of(document)
    if document.kind != "ExecutionGraph":
        message = f"a document of kind `{document.kind}`, where `ExecutionGraph` is required"
        raise ExportFailure(Diagnostic("crosstl.wrong-kind", Severity.ERROR, ROOT, message))
    graph = cast("graph_pb2.ExecutionGraph", document.message)
    findings = Findings(DEFAULT_LIMITS.json_depth)
    report_inexpressible(graph, ROOT, findings)
    result = _translate(graph, findings)
    if findings.errors:
        raise ExportFailure(*findings.errors)
    form, errors = normal_form(result, DEFAULT_LIMITS.json_depth)
    if errors:
        raise ExportFailure(*errors)
    return document_bytes(form)


def _translate(graph: graph_pb2.ExecutionGraph, findings: Findings) -> Graph:
    hints = read_hints(graph.provenance, ROOT, findings)
    outer_ids = controlled_nodes(graph.body)
    resources = ResourceWriter(graph, outer_ids, findings)
    written = resources.write(names_hint(hints, "resource-order"))
    expected = inner_ids({node.id for node in graph.body.nodes}, set(outer_ids.values()))
    nodes = NodeWriter(graph, resources.written, expected, findings)
    results = {}
    for i, node in enumerate(graph.body.nodes):
        results[node.id] = nodes.write(node, ROOT.field("body").element("nodes", i, node.id))
    order = restored_order(names_hint(hints, "node-order"), default_node_order(graph.body))
    _check_graph(graph, nodes.used_artifacts, findings)
    result = Graph(
        kind=DOCUMENT_KIND,
        schemaVersion=SCHEMA_VERSION,
        id=graph.id,
        resources=written,
        nodes=[results[name] for name in order],
    )
    provenance = merged(object_hint(hints, "provenance"), _own(graph), ROOT, findings)
    if provenance:
        result["provenance"] = provenance
    return result


def _check_graph(graph: graph_pb2.ExecutionGraph, used_artifacts: set[str], findings: Findings) -> None:
    if not is_id(graph.id):
        findings.add("crosstl.invalid-id", ROOT.field("id"), f"`{graph.id}` is no id in the format")
    for i, artifact in enumerate(graph.artifacts):
        if artifact.id not in used_artifacts:
            path = ROOT.element("artifacts", i, artifact.id)
            findings.add("crosstl.not-expressible", path, "an artifact that no dispatch names")
    bound = node_executions(graph.body)
    if graph.maximum_node_executions != bound:
        path = ROOT.field("maximum_node_executions")
        text = f"a bound of `{graph.maximum_node_executions}` executions, where the nodes make `{bound}`"
        findings.add("crosstl.not-expressible", path, text)


def _own(graph: graph_pb2.ExecutionGraph) -> FreeObject:
    """Return what the graph's and the artifacts' provenance say beside hints."""
    own: FreeObject = {}
    if graph.header.HasField("producer"):
        own["producer"] = json_format.MessageToDict(graph.header.producer)
    provenance = own_provenance(graph.provenance)
    if provenance:
        own["provenance"] = provenance
    artifacts = {}
    for artifact in graph.artifacts:
        kept = own_provenance(artifact.provenance)
        source = kept.get("source", {})
        source.pop("uri", None)
        if not source:
            kept.pop("source", None)
        if kept:
            artifacts[artifact.id] = kept
    if artifacts:
        own["artifacts"] = artifacts
    return own
