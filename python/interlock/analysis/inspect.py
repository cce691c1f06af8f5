"""What a document holds, beside what verification says about it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from interlock.diagnostic import Evidence
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.rules.context import NOWHERE, Surroundings
from interlock.verification import as_judged, context_of, evidence_of, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from google.protobuf.message import Message

    from execgraph.v1 import envelope_pb2, graph_pb2, module_pb2, node_pb2, package_pb2, payload_pb2
    from interlock.document import Document
    from interlock.report.model import Report
    from interlock.rules.context import Context

Counts = tuple[tuple[str, int], ...]
"""Names with how many there are, in the order in which they are shown."""

_NODE_KINDS = ("dispatch", "copy", "fill", "barrier", "conditional", "repeat")
_TOO_LARGE = frozenset({"limit.nodes", "limit.edges", "limit.resources", "limit.control-nesting"})


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a document holds. Counts that mean nothing for its kind are empty.

    Attributes:
        report: What verification says about it.
        producer: The tool that wrote it, with its version.
        elements: Counts of its elements, such as nodes, edges and artifacts.
        nodes_by_kind: The nodes of a graph, all regions included, by kind.
        resources_by_role: The resources of a graph, by role.
        capabilities: The capabilities that the content of a graph needs; None if the graph is beyond the
            limits.
        maximum_node_executions: The greatest number of node executions of one invocation, computed from the
            content; 0 if there is no finite bound, None if the graph is beyond the limits.
    """

    report: Report
    producer: str = ""
    elements: Counts = ()
    nodes_by_kind: Counts = ()
    resources_by_role: Counts = ()
    capabilities: tuple[str, ...] | None = None
    maximum_node_executions: int | None = None

    @property
    def diagnostics_by_code(self) -> Counts:
        """How many findings there are of each code, by code; those that the report does not list included."""
        return tuple((rule.code, rule.findings) for rule in self.report.rules if rule.findings) or tuple(
            sorted(Counter(finding.code for finding in self.report.diagnostics).items())
        )


def inspect(
    document: Document | Message,
    *,
    limits: Limits = DEFAULT_LIMITS,
    offered: Collection[str] | None = None,
    require: Evidence | str = Evidence.ASSERTED,
    source: str = "",
    surroundings: Surroundings = NOWHERE,
) -> Inspection:
    """Count what a document holds, and verify it.

    Args:
        document: The document, or the message of one.
        limits: Bounds on what may be verified.
        offered: The names of the capabilities that are offered. Default: nobody asked.
        require: The weakest evidence to accept, as for `interlock.verify`.
        source: Where the document was read from, as the report shall name it.
        surroundings: What a package is judged against, as for `interlock.verify`.

    Raises:
        CodecError: The message is not one that a document can hold.
        TypeError, ValueError: As for `interlock.verify`.
    """
    document = as_judged(document, surroundings)
    floor = evidence_of(require)
    context = context_of(document, limits, offered, surroundings)
    report = judge(document, context, floor, source)
    message = document.message
    graphs = [cast("graph_pb2.ExecutionGraph", part.message) for part in context.graphs]
    kinds, roles, elements = _contents(graphs)
    if document.kind != "ExecutionGraph":
        own = _COUNTERS[document.kind](message)
        names = {name for name, _ in own}
        elements = (*own, *((name, count) for name, count in elements if count and name not in names))
    return Inspection(
        report,
        _producer(message),
        elements,
        kinds,
        roles,
        *_needs(report, context),
    )


def _contents(graphs: Sequence[graph_pb2.ExecutionGraph]) -> tuple[Counts, Counts, Counts]:
    """Return what graphs hold together: nodes by kind, resources by role, and other counts."""
    kinds, roles = Counter[str](), Counter[str]()
    edges = statements = 0
    for message in graphs:
        for node in _nodes(message.body):
            kinds[node.operation.WhichOneof("kind") or "none"] += 1
            edges += len(node.depends_on)
            statements += _statements(node)
        roles.update(_role(resource.role) for resource in message.resources)
    elements = (
        ("graphs", len(graphs)),
        ("nodes", kinds.total()),
        ("edges", edges),
        ("visibility_statements", statements),
        ("parameters", sum(len(message.parameters) for message in graphs)),
        ("allocations", sum(len(message.allocations) for message in graphs)),
        ("resources", sum(len(message.resources) for message in graphs)),
        ("views", sum(len(message.views) for message in graphs)),
        ("artifacts", sum(len(message.artifacts) for message in graphs)),
        ("artifact_pins", sum(len(artifact.pins) for message in graphs for artifact in message.artifacts)),
    )
    by_kind = tuple((kind, kinds[kind]) for kind in (*_NODE_KINDS, "none") if kinds[kind])
    return by_kind, tuple(sorted(roles.items())), elements


def _needs(report: Report, context: Context) -> tuple[tuple[str, ...] | None, int | None]:
    """Return the capabilities that graphs need together, and the executions of the one that has most."""
    if not context.graphs or any(finding.code in _TOO_LARGE for finding in report.diagnostics):
        return None, None
    from interlock.graph.capabilities import needed_capabilities  # noqa: PLC0415  (graphs only)

    capabilities = {need.capability for part in context.graphs for need in needed_capabilities(part.graph)}
    executions = [part.graph.node_executions for part in context.graphs]
    return tuple(sorted(capabilities)), max(e or 0 for e in executions) if all(executions) else 0


def _nodes(region: node_pb2.Region) -> Iterator[node_pb2.Node]:
    """Yield the nodes of a region and of all regions within it; nesting is as deep as the input says."""
    pending = [region]
    while pending:
        for node in pending.pop().nodes:
            yield node
            arm = node.operation.WhichOneof("kind")
            if arm == "repeat":
                pending.append(node.operation.repeat.body)
            elif arm == "conditional":
                pending += [node.operation.conditional.then_region, node.operation.conditional.else_region]


def _statements(node: node_pb2.Node) -> int:
    count = sum(len(edge.statements) for edge in node.edge_visibility)
    arm = node.operation.WhichOneof("kind")
    if arm == "barrier":
        count += len(node.operation.barrier.statements)
    elif arm == "repeat":
        count += len(node.operation.repeat.carried)
    return count


def _role(number: int) -> str:
    from execgraph.v1 import resource_pb2  # noqa: PLC0415  (graphs only)

    return resource_pb2.ResourceRole.Name(number).removeprefix("RESOURCE_ROLE_").lower()


def _producer(message: Message) -> str:
    producer = cast("graph_pb2.ExecutionGraph", message).header.producer  # every document has a header
    return f"{producer.name} {producer.version}".strip()


def _package(message: package_pb2.Package) -> Counts:
    return (
        ("graphs", len(message.graphs)),
        ("artifacts", len(message.artifacts)),
        ("variants", sum(len(artifact.variants) for artifact in message.artifacts)),
        ("entries", sum(len(artifact.interface.entries) for artifact in message.artifacts)),
        ("payloads", len(message.payloads)),
    )


def _bundle(message: module_pb2.TargetModuleBundle) -> Counts:
    return (
        ("modules", len(message.modules)),
        ("stages", len({module.stage for module in message.modules})),
        ("members", sum(len(module.members) for module in message.modules)),
    )


def _payload(message: payload_pb2.TargetPayload) -> Counts:
    return (
        ("launch_groups", len(message.groups)),
        ("members", sum(len(group.members) for group in message.groups)),
        ("entries", len(message.entries)),
        ("bindings", sum(len(entry.bindings) for entry in message.entries)),
        ("bundles", int(message.HasField("bundle"))),
    )


def _envelope(message: envelope_pb2.Envelope) -> Counts:
    return (("graphs", int(message.HasField("graph"))), ("payloads", len(message.payloads)))


_COUNTERS: dict[str, Callable[[Any], Counts]] = {
    "Package": _package,
    "TargetModuleBundle": _bundle,
    "TargetPayload": _payload,
    "Envelope": _envelope,
}
