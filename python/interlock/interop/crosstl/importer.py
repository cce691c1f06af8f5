"""`import_crosstl`: a CrossTL graph as an execution graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from execgraph.v1 import graph_pb2
from interlock.author.executions import node_executions
from interlock.diagnostic import ROOT, Assumption, Diagnostic, NamedElement, Path, Related, Severity
from interlock.document import Document
from interlock.errors import ImportFailure
from interlock.interop.crosstl.context import ImportContext
from interlock.interop.crosstl.dispatch_in import import_artifacts, selectors_of
from interlock.interop.crosstl.hints import Hints, write_hints
from interlock.interop.crosstl.json_text import parse
from interlock.interop.crosstl.nodes_in import import_nodes
from interlock.interop.crosstl.order import default_node_order, default_resource_order
from interlock.interop.crosstl.resources_in import import_resources
from interlock.interop.crosstl.structure import Findings, normal_form
from interlock.interop.crosstl.views_in import check_id
from interlock.limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlock.interop.crosstl.model import Graph, Node, Resource

_LARGEST_COUNT = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class CrossTLImport:
    """An imported graph.

    ``diagnostics`` are warnings and notes about the import, and ``assumptions`` what the CrossTL document
    leaves unsaid; the paths of both lead into the CrossTL document.
    """

    document: Document
    diagnostics: tuple[Diagnostic, ...]
    assumptions: tuple[Assumption, ...]


def import_crosstl(
    data: bytes | str | Mapping[str, Any], *, limits: Limits = DEFAULT_LIMITS
) -> CrossTLImport:
    """Translate a document of the kind `crosstl-runtime-execution-graph`, schema version 1.

    Args:
        data: The JSON text, or what `json.loads` makes of it.
        limits: Bounds on the size of the text and on how deep its values nest.

    Raises:
        ImportFailure: The text is no JSON (one finding), the structure is not that of the format (every
        violation), or
            something cannot be mapped (every such thing). Paths lead into the CrossTL document.
        TypeError: It is neither.
    """
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    if isinstance(data, bytes | bytearray | memoryview):
        document = parse(bytes(data), limits)
    elif isinstance(data, Mapping):
        document = data
    else:
        raise TypeError(f"the JSON text or a mapping is required, not `{type(data).__name__}`")
    try:
        form, errors = normal_form(document, limits.json_depth)
    except RecursionError:
        message = f"values nested deeper than `{limits.json_depth}`"
        raise ImportFailure(Diagnostic("limit.json-depth", Severity.ERROR, ROOT, message)) from None
    if errors:
        raise ImportFailure(*errors)
    return _translate(cast("Graph", form), limits)


def _translate(source: Graph, limits: Limits) -> CrossTLImport:
    findings, notes = Findings(limits.json_depth), cast("list[Diagnostic]", [])
    check_id(source["id"], ROOT.field("id"), findings)
    graph = graph_pb2.ExecutionGraph(id=source["id"])
    table = import_resources(graph, source["resources"], findings, notes)
    selectors = selectors_of(source["nodes"])
    context = ImportContext(table, import_artifacts(graph, selectors), findings, notes)
    import_nodes(context, graph, source["nodes"])
    _check_lifetimes(context, source)
    _judge_targets(context, source["nodes"])
    bound = node_executions(graph.body)
    if bound > _LARGEST_COUNT:
        findings.add("crosstl.value-out-of-range", ROOT.field("nodes"), "more than 2^64 - 1 node executions")
    if findings.errors:
        raise ImportFailure(*_named(findings.errors, source))
    graph.maximum_node_executions = bound
    write_hints(graph.provenance, _graph_hints(graph, source))
    document = Document.from_message(graph)
    return CrossTLImport(document, tuple(_named(notes, source)), tuple(context.assumptions))


def _named(diagnostics: list[Diagnostic], source: Graph) -> list[Diagnostic]:
    """Return findings in the order of the document, with the resource or node that each is about."""
    spaces: dict[str, tuple[str, Sequence[Resource | Node]]] = {
        "resources": ("resource", source["resources"]),
        "nodes": ("node", source["nodes"]),
    }
    named: list[Diagnostic] = []
    for diagnostic in sorted(diagnostics, key=_position):
        first = diagnostic.path.steps[0]
        if first.field in spaces and first.index is not None:
            space, elements = spaces[first.field]
            about = NamedElement(space, elements[first.index]["id"])
            named.append(replace(diagnostic, elements=(about, *diagnostic.elements)))
        else:
            named.append(diagnostic)
    return named


def _position(diagnostic: Diagnostic) -> tuple[int, int]:
    first = diagnostic.path.steps[0]
    return ("id", "resources", "nodes").index(first.field), -1 if first.index is None else first.index


def _check_lifetimes(context: ImportContext, source: Graph) -> None:
    known = {node["id"] for node in source["nodes"]}
    for i, resource in enumerate(source["resources"]):
        for name, node in cast("dict[str, str]", resource.get("lifetime", {})).items():
            if node not in known:
                path = ROOT.element("resources", i).field("lifetime").field(name)
                context.findings.add(
                    "crosstl.missing-reference", path, f"`{node}` is no node of the document"
                )


def _judge_targets(context: ImportContext, nodes: list[Node]) -> None:
    """Refuse artifacts for several targets: a graph is neutral, and runs on one target at a time."""
    places: dict[str, Path] = {}
    for i, node in enumerate(nodes):
        selector = node["dispatch"]["artifactSelector"] if "dispatch" in node else {}
        if selector.get("target"):
            path = ROOT.element("nodes", i).field("dispatch").field("artifactSelector").field("target")
            places.setdefault(selector["target"], path)
    (first, place), *others = places.items() or [("", ROOT)]
    for target, path in others:
        message = f"an artifact for `{target}`, where another is for `{first}`: a graph runs on one target"
        related = (Related(place, f"an artifact for `{first}`"),)
        context.findings.errors.append(
            Diagnostic("crosstl.mixed-targets", Severity.ERROR, path, message, related=related)
        )


def _graph_hints(graph: graph_pb2.ExecutionGraph, source: Graph) -> Hints:
    hints: Hints = {}
    if "provenance" in source:
        hints["provenance"] = source["provenance"]
    resources = [resource["id"] for resource in source["resources"]]
    if resources != default_resource_order(graph):
        hints["resource-order"] = resources
    nodes: list[Node] = source["nodes"]
    if [node["id"] for node in nodes] != default_node_order(graph.body):
        hints["node-order"] = [node["id"] for node in nodes]
    return hints
