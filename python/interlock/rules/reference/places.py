"""Rules about references that reach something, but not from where they stand; and about slots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import ROOT, NamedElement, Path, Related, Step
from interlock.rules.model import Finding, Gap, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.rules.context import Context


@rule("reference.parameter-out-of-scope")
def parameter_out_of_scope(context: Context) -> Iterator[Finding]:
    """An extent uses an iteration index outside the body of its repeat.

    What it checks:
        A term that names an iteration index stands in a node within the body of the repeat that declares
        it, however deep. What the repeat itself reads, its carried statements, and all that is declared
        beside the nodes is outside.

    Why:
        Outside the body there is no iteration, so the index has no value.

    Bad example:
        resources { id: "x" size { terms { parameter: "step" coefficient: 4 } } }
        nodes { id: "loop" operation { repeat { iteration_index: "step" maximum_trips: 8 } } }

    Good example:
        nodes {
          id: "loop"
          operation {
            repeat {
              iteration_index: "step"
              maximum_trips: 8
              body {
                nodes {
                  id: "clear"
                  operation {
                    fill {
                      destination {
                        byte_range {
                          resource: "x"
                          offset { terms { parameter: "step" coefficient: 64 } }
                          size { constant: 64 }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
    """
    elements, nodes = context.graph.elements, context.graph.nodes
    if all(parameter.owner < 0 for parameter in elements.parameters):
        return
    for use in elements.uses:
        for number, _ in use.value.terms if use.value else ():
            parameter = elements.parameters[number]
            if parameter.owner < 0 or (use.node >= 0 and nodes.lies_in(use.node, parameter.owner)):
                continue
            owner = nodes.ids[parameter.owner]
            yield Finding(
                use.path,
                f"`{parameter.id}` is the iteration index of `{owner}`; it has a value in its body only",
                elements=(
                    NamedElement("parameter", parameter.id),
                    NamedElement("node", owner),
                ),
                related=(Related(parameter.path, f"`{parameter.id}` is declared here"),),
            )


@rule("reference.node-in-other-region")
def node_in_other_region(context: Context) -> Iterator[Finding]:
    """A node depends on a node of another region.

    What it checks:
        Every dependency stays within one region. A node that has to wait for what happens inside a control
        node depends on the control node.

    Why:
        A node inside a repeat runs any number of times, one in an arm perhaps never. Waiting for it from
        outside has no meaning, and waiting inside for a node outside is what entering the region means
        already.

    Bad example:
        nodes { id: "loop" operation { repeat { body { nodes { id: "step" operation { barrier {} } } } } } }
        nodes { id: "after" depends_on: "step" operation { barrier {} } }

    Good example:
        nodes { id: "loop" operation { repeat { body { nodes { id: "step" operation { barrier {} } } } } } }
        nodes { id: "after" depends_on: "loop" operation { barrier {} } }
    """
    nodes = context.graph.nodes
    for edge in context.graph.topology.cross_edges:
        source = nodes.ids[edge.source]
        yield Finding(
            nodes.path(edge.target, (Step("depends_on", edge.position),)),
            f"`{source}` lies in another region; only nodes of the same region can be depended on",
            elements=(NamedElement("node", nodes.ids[edge.target]), NamedElement("node", source)),
            related=(Related(nodes.path(edge.source), f"`{source}` is here"),),
        )


@rule("reference.statement-without-edge")
def statement_without_edge(context: Context) -> Iterator[Finding | Gap]:
    """An edge statement names a node that its own node does not depend on.

    What it checks:
        The source of every edge statement is one of the node's dependencies.

    Why:
        A statement takes effect on an edge. Without the edge it takes effect nowhere, and what it promises
        is not visible.

    Bad example:
        nodes { id: "b" edge_visibility { source: "a" } operation { barrier {} } }

    Good example:
        nodes { id: "b" depends_on: "a" edge_visibility { source: "a" } operation { barrier {} } }
    """
    nodes = context.graph.nodes
    for node, message in enumerate(nodes.messages):
        if not message.edge_visibility:
            continue
        for index, edge in enumerate(message.edge_visibility):
            if edge.source in message.depends_on:
                continue
            path = nodes.path(node, (Step("edge_visibility", index, edge.source or None), Step("source")))
            if edge.source not in nodes.by_id:
                yield Gap("the source of its edge is missing", path)
                continue
            yield Finding(
                path,
                f"`{nodes.ids[node]}` does not depend on `{edge.source}`, so the statements have no edge",
                elements=(NamedElement("node", nodes.ids[node]), NamedElement("node", edge.source)),
            )


@rule("reference.missing-slot")
def missing_slot(context: Context) -> Iterator[Finding | Gap]:
    """Something names a slot that the dispatch does not bind.

    What it checks:
        The slots of tolerated aliases and of disjointness assertions are slots that the dispatch binds.

    Why:
        A tolerance or an assertion for a slot that does not exist covers nothing; its author meant another
        one.

    Bad example:
        bindings { slot: "x" }
        tolerated_aliases { first: "x" second: "y" }

    Good example:
        bindings { slot: "x" }
        bindings { slot: "y" }
        tolerated_aliases { first: "x" second: "y" }
    """
    nodes = context.graph.nodes
    for node in context.graph.operations.with_tolerated_aliases:
        dispatch = nodes.messages[node].operation.dispatch
        slots = {binding.slot for binding in dispatch.bindings}
        for index, pair in enumerate(dispatch.tolerated_aliases):
            outer = (Step("operation"), Step("dispatch"), Step("tolerated_aliases", index))
            for name in ("first", "second"):
                slot = getattr(pair, name)
                if slot and slot not in slots:
                    yield Finding(
                        nodes.path(node, (*outer, Step(name))),
                        f"`{nodes.ids[node]}` binds no slot `{slot}`",
                        elements=(NamedElement("node", nodes.ids[node]),),
                    )
    yield from _assertions(context)


def _assertions(context: Context) -> Iterator[Finding | Gap]:
    nodes = context.graph.nodes
    for index, assertion in enumerate(context.graph.message.disjointness_assertions):
        for name in ("first", "second"):
            access = getattr(assertion, name)
            if not access.slot:
                continue
            path = _assertion_path(index, name)
            node = nodes.by_id.get(access.node)
            if node is None:
                yield Gap("the node of its access is missing", path)
                continue
            bindings = nodes.messages[node].operation.dispatch.bindings
            if all(binding.slot != access.slot for binding in bindings):
                yield Finding(
                    path,
                    f"`{access.node}` binds no slot `{access.slot}`",
                    elements=(NamedElement("node", access.node),),
                )


def _assertion_path(index: int, name: str) -> Path:
    return ROOT.element("disjointness_assertions", index).field(name).field("slot")


@rule("reference.duplicate-slot")
def duplicate_slot(context: Context) -> Iterator[Finding]:
    """A dispatch gives one slot both bytes and an inline constant.

    What it checks:
        No slot of a dispatch appears among its bindings and among its inline constants.

    Why:
        A slot takes one thing. A reader could not tell which of the two the kernel sees.

    Bad example:
        bindings { slot: "scale" target { resource: "factors" } access: ACCESS_MODE_READ }
        inline_constants { slot: "scale" }

    Good example:
        bindings { slot: "factors" target { resource: "factors" } access: ACCESS_MODE_READ }
        inline_constants { slot: "scale" }
    """
    nodes = context.graph.nodes
    for node in context.graph.operations.with_inline_constants:
        dispatch = nodes.messages[node].operation.dispatch
        bound = {binding.slot: index for index, binding in enumerate(dispatch.bindings)}
        for index, constant in enumerate(dispatch.inline_constants):
            slot = constant.slot
            if slot and slot in bound:
                outer = (Step("operation"), Step("dispatch"))
                yield Finding(
                    nodes.path(node, (*outer, Step("inline_constants", index, slot), Step("slot"))),
                    f"slot `{slot}` of `{nodes.ids[node]}` is bound to bytes already",
                    elements=(NamedElement("node", nodes.ids[node]),),
                    related=(
                        Related(
                            nodes.path(node, (*outer, Step("bindings", bound[slot], slot))), "bound here"
                        ),
                    ),
                )


RULES = (
    parameter_out_of_scope,
    node_in_other_region,
    statement_without_edge,
    missing_slot,
    duplicate_slot,
)
