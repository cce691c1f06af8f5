"""Rules about ids that clash, and references that nothing answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import NamedElement, Related
from interlock.rules.model import ANY_KIND, Finding, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.rules.context import Context


@rule("reference.duplicate-id", kinds=ANY_KIND)
def duplicate_id(context: Context) -> Iterator[Finding]:
    """Two elements of one space of names have the same id.

    What it checks:
        Ids are unique among parameters and iteration indices together, among allocations, resources, views
        and artifacts each, and among the nodes of all regions.

    Why:
        Everything refers by id. Where two elements answer to one, a reader would have to pick.

    Bad example:
        nodes { id: "loop" operation { repeat { body { nodes { id: "loop" operation { barrier {} } } } } } }

    Good example:
        nodes { id: "loop" operation { repeat { body { nodes { id: "step" operation { barrier {} } } } } } }
    """
    for first, second in context.sweep.duplicates:
        yield Finding(
            second.path,
            f"the {second.space} `{second.id}` is declared already",
            elements=(NamedElement(second.space, second.id),),
            related=(Related(first.path, f"`{first.id}` is declared here"),),
        )


def _unresolved(context: Context, space: str, noun: str) -> Iterator[Finding]:
    for place in context.sweep.unresolved.get(space, ()):
        yield Finding(
            place.path, f"there is no {noun} `{place.text}`", elements=(NamedElement(space, place.text),)
        )


@rule("reference.missing-parameter")
def missing_parameter(context: Context) -> Iterator[Finding]:
    """An extent names a parameter that the graph does not declare.

    What it checks:
        Every term of an extent names a parameter of the graph or the iteration index of a repeat.

    Why:
        Without the parameter nobody knows how large the extent is, and no range that depends on it can be
        judged.

    Bad example:
        resources { id: "x" size { terms { parameter: "n" coefficient: 4 } } }

    Good example:
        parameters { id: "n" type: ELEMENT_TYPE_U32 minimum: 1 maximum: 1024 }
        resources { id: "x" size { terms { parameter: "n" coefficient: 4 } } }
    """
    return _unresolved(context, "parameter", "parameter")


@rule("reference.missing-allocation")
def missing_allocation(context: Context) -> Iterator[Finding]:
    """A resource is placed in an allocation that the graph does not declare.

    What it checks:
        The allocation of every placement is one of the graph's allocations.

    Why:
        Resources share bytes exactly where they share an allocation; a missing one hides what overlaps.

    Bad example:
        resources { id: "x" placement { allocation: "arena" } }

    Good example:
        allocations { id: "arena" size { constant: 4096 } alignment: 256 }
        resources { id: "x" placement { allocation: "arena" } }
    """
    return _unresolved(context, "allocation", "allocation")


@rule("reference.missing-resource")
def missing_resource(context: Context) -> Iterator[Finding]:
    """Something names a resource that the graph does not declare.

    What it checks:
        Every binding, copy, fill, predicate, count, statement and view names resources of the graph.

    Why:
        An access to a resource nobody declared has neither bytes nor role, so no hazard with it can be
        found.

    Bad example:
        views { id: "row" resource: "matrix" }

    Good example:
        resources { id: "matrix" role: RESOURCE_ROLE_EXTERNAL_INPUT type { element: ELEMENT_TYPE_F32 } }
        views { id: "row" resource: "matrix" }
    """
    return _unresolved(context, "resource", "resource")


@rule("reference.missing-view")
def missing_view(context: Context) -> Iterator[Finding]:
    r"""Something names a view that the graph does not declare.

    What it checks:
        Every binding, copy, fill, predicate, count and statement that names a view names one of the graph's
        views.

    Why:
        An access through a view nobody declared has no bytes, so no hazard with it can be found.

    Bad example:
        fill { destination { view: "row" } pattern { element: ELEMENT_TYPE_U8 bits: "\000" } }

    Good example:
        views { id: "row" resource: "matrix" }
        fill { destination { view: "row" } pattern { element: ELEMENT_TYPE_U8 bits: "\000" } }
    """
    return _unresolved(context, "view", "view")


@rule("reference.missing-artifact")
def missing_artifact(context: Context) -> Iterator[Finding]:
    """A dispatch names an artifact that the graph's artifact table does not list.

    What it checks:
        The artifact of every dispatch has a row in the artifact table.

    Why:
        The table is where a package, a pin and a graph meet; an artifact beside it could be anything.

    Bad example:
        dispatch { artifact: "reduce" entry: "main" }

    Good example:
        artifacts { id: "reduce" }
        dispatch { artifact: "reduce" entry: "main" }
    """
    return _unresolved(context, "artifact", "artifact")


@rule("reference.missing-node")
def missing_node(context: Context) -> Iterator[Finding]:
    """Something names a node that the graph does not have.

    What it checks:
        Every dependency, edge statement, lifetime and disjointness assertion names nodes of the graph, in
        any region.

    Why:
        A dependency on a missing node orders nothing, and a lifetime that begins nowhere never begins.

    Bad example:
        nodes { id: "total" depends_on: "partial" operation { barrier {} } }

    Good example:
        nodes { id: "partial" operation { barrier {} } }
        nodes { id: "total" depends_on: "partial" operation { barrier {} } }
    """
    return _unresolved(context, "node", "node")


@rule("reference.missing-graph", kinds=frozenset({"Package"}))
def missing_graph(context: Context) -> Iterator[Finding]:
    """A packaged payload realizes a graph that the package does not hold.

    What it checks:
        The graph of every payload is one of the package's graphs.

    Why:
        A payload is bound to exactly one graph; without it nothing about the payload can be checked.

    Bad example:
        payloads { graph: "softmax" format { identity: "spirv" version: 1 } }

    Good example:
        graphs { id: "softmax" source { reference { size: 512 } } }
        payloads { graph: "softmax" format { identity: "spirv" version: 1 } }
    """
    return _unresolved(context, "graph", "graph")


@rule("reference.missing-launch-group", kinds=frozenset({"TargetPayload"}))
def missing_launch_group(context: Context) -> Iterator[Finding]:
    """A target entry belongs to a launch group that the payload does not declare.

    What it checks:
        The group of every target entry is one of the payload's groups.

    Why:
        An entry without a group has no members, so nobody knows which dispatches it realizes.

    Bad example:
        entries { group: "reduce" logical_elements: 1024 }

    Good example:
        groups { id: "reduce" members: "sum" }
        entries { group: "reduce" logical_elements: 1024 }
    """
    return _unresolved(context, "launch-group", "launch group")


RULES = (
    duplicate_id,
    missing_parameter,
    missing_allocation,
    missing_resource,
    missing_view,
    missing_artifact,
    missing_node,
    missing_graph,
    missing_launch_group,
)
