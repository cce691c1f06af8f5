"""Rules about the size of a graph. Where the first four find something, nothing else is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import ROOT, NamedElement, Step
from interlock.graph.nodes import NodeKind
from interlock.rules.model import Finding, Gap, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.diagnostic import Path
    from interlock.rules.context import Context

_BODY = ROOT.field("body")


def _over(count: int, limit: int, what: str, path: Path) -> Iterator[Finding]:
    if count > limit:
        yield Finding(path, f"the graph has {count} {what}; the limit is {limit}")


@rule("limit.nodes")
def nodes(context: Context) -> Iterator[Finding]:
    """The graph has more nodes than the limit allows.

    What it checks:
        The nodes of all regions together are at most `nodes`, 4,000,000 unless the caller sets another
        limit.

    Why:
        Memory and time of verification grow with the nodes; on input nobody vouches for they have to be
        bounded.

    Bad example:
        # verified with the limit nodes = 1
        nodes { id: "a" operation { barrier {} } }
        nodes { id: "b" operation { barrier {} } }

    Good example:
        # verified with the limit nodes = 1
        nodes { id: "a" operation { barrier {} } }
    """
    yield from _over(context.size.nodes, context.limits.nodes, "nodes", _BODY)


@rule("limit.edges")
def edges(context: Context) -> Iterator[Finding]:
    """The graph has more dependencies than the limit allows.

    What it checks:
        The dependencies of all nodes together are at most `edges`, 32,000,000 unless the caller sets
        another limit.

    Why:
        Memory and time of verification grow with the dependencies; a small file can hold very many.

    Bad example:
        # verified with the limit edges = 1
        nodes { id: "c" depends_on: "a" depends_on: "b" operation { barrier {} } }

    Good example:
        # verified with the limit edges = 1
        nodes { id: "c" depends_on: "b" operation { barrier {} } }
    """
    yield from _over(context.size.edges, context.limits.edges, "dependencies", _BODY)


@rule("limit.resources")
def resources(context: Context) -> Iterator[Finding]:
    """The graph has more resources than the limit allows.

    What it checks:
        The resources are at most `resources`, 4,000,000 unless the caller sets another limit.

    Why:
        Memory and time of verification grow with the resources.

    Bad example:
        # verified with the limit resources = 1
        resources { id: "x" }
        resources { id: "y" }

    Good example:
        # verified with the limit resources = 1
        resources { id: "x" }
    """
    yield from _over(context.size.resources, context.limits.resources, "resources", ROOT.field("resources"))


@rule("limit.control-nesting")
def control_nesting(context: Context) -> Iterator[Finding]:
    """Regions lie deeper within each other than the limit allows.

    What it checks:
        At most `control_nesting` regions lie within each other, 16 unless the caller sets another limit;
        the body of the graph is not counted.

    Why:
        Readers in many languages enter regions by recursion and break at some depth.

    Bad example:
        # verified with the limit control_nesting = 0
        nodes { id: "loop" operation { repeat { body { nodes { id: "step" operation { barrier {} } } } } } }

    Good example:
        # verified with the limit control_nesting = 1
        nodes { id: "loop" operation { repeat { body { nodes { id: "step" operation { barrier {} } } } } } }
    """
    depth, limit = context.size.nesting, context.limits.control_nesting
    if depth > limit:
        yield Finding(_BODY, f"{depth} regions lie within each other; the limit is {limit}")


@rule("limit.bindings")
def bindings(context: Context) -> Iterator[Finding]:
    """A dispatch has more bindings than the limit allows.

    What it checks:
        Every dispatch has at most `bindings` bindings, 4,096 unless the caller sets another limit.

    Why:
        All accesses of a node are compared with each other.

    Bad example:
        # verified with the limit bindings = 1
        bindings { slot: "x" }
        bindings { slot: "y" }

    Good example:
        # verified with the limit bindings = 1
        bindings { slot: "x" }
    """
    table, limit = context.graph.nodes, context.limits.bindings
    for node in table.of_kind(NodeKind.DISPATCH):
        count = len(table.messages[node].operation.dispatch.bindings)
        if count > limit:
            yield Finding(
                table.path(node, (Step("operation"), Step("dispatch"), Step("bindings"))),
                f"the dispatch has {count} bindings; the limit is {limit}",
                elements=(NamedElement("node", table.ids[node]),),
            )


@rule("limit.node-executions")
def node_executions(context: Context) -> Iterator[Finding | Gap]:
    """The graph can execute more nodes than the limit allows.

    What it checks:
        The greatest number of node executions of one invocation is at most `node_executions`, 2^53 unless
        the caller sets another limit.

    Why:
        A graph within it ends in a time somebody can wait for, and numbers up to 2^53 are exact everywhere.

    Bad example:
        # verified with the limit node_executions = 8
        repeat {
          body { nodes { id: "step" operation { barrier {} } } }
          trips { literal: 8 }
          maximum_trips: 8
        }

    Good example:
        # verified with the limit node_executions = 9
        repeat {
          body { nodes { id: "step" operation { barrier {} } } }
          trips { literal: 8 }
          maximum_trips: 8
        }
    """
    total, limit = context.graph.node_executions, context.limits.node_executions
    if total is None:
        yield Gap("a repeat has no maximum", _BODY)
    elif total > limit:
        yield Finding(_BODY, f"up to {total} node executions are possible; the limit is {limit}")


SIZE_RULES = (nodes, edges, resources, control_nesting)
RULES = (*SIZE_RULES, bindings, node_executions)
