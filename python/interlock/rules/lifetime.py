"""Rules about lifetimes: who states one, what it spans, and who shares bytes with whom."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from execgraph.v1 import resource_pb2
from interlock.diagnostic import NamedElement, Related, Step
from interlock.flow.analysis import describe_spans
from interlock.rules.basis import ORDER
from interlock.rules.model import Finding, counted, rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interlock.graph.lifetimes import Lifetime, Span
    from interlock.rules.context import Context

_LIFETIME = Step("lifetime")
_SHOWN = 3
"""How many nodes and spans of a lifetime a sentence names."""


@rule("lifetime.misplaced", needs=ORDER)
def misplaced(context: Context) -> Iterator[Finding]:
    """A lifetime states an end that resources of its role do not have, or lacks one.

    What it checks:
        Every span of a temporary begins and ends at nodes. An external output may say where it begins, and a
        consumed input where it ends. Nothing else has a lifetime.

    Why:
        The caller holds inputs and outputs beyond the graph; only a temporary comes and goes within it.

    Bad example:
        resources { id: "t" role: RESOURCE_ROLE_TEMPORARY lifetime { spans { begins: "fill" } } }

    Good example:
        resources { id: "t" role: RESOURCE_ROLE_TEMPORARY lifetime { spans { begins: "fill" ends: "use" } } }
    """
    messages = context.graph.message.resources
    for number, lifetime in enumerate(context.graph.lifetimes):
        if not lifetime.stated:
            continue
        resource, message = context.graph.elements.resources[number], messages[number]
        role = message.role
        for position, span in enumerate(message.lifetime.spans):
            begins, ends = bool(span.begins), bool(span.ends)
            if role == resource_pb2.RESOURCE_ROLE_TEMPORARY:
                wrong = "a span of a temporary both begins and ends" if not (begins and ends) else ""
            elif role == resource_pb2.RESOURCE_ROLE_EXTERNAL_OUTPUT:
                wrong = "an external output ends with the graph" if ends else ""
            elif role == resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT and message.consumed:
                wrong = "a consumed input begins with the graph" if begins else ""
            else:
                wrong = "only temporaries, external outputs and consumed inputs have lifetimes"
            if wrong:
                yield Finding(
                    resource.path.extended(_LIFETIME, Step("spans", position)),
                    f"`{resource.id}`: {wrong}",
                    elements=(NamedElement("resource", resource.id),),
                )


@rule("lifetime.spans-overlap", needs=(*ORDER, "lifetime.misplaced"))
def spans_overlap(context: Context) -> Iterator[Finding]:
    """Two spans of one lifetime are not apart.

    What it checks:
        Of two spans of a lifetime, every end of one happens strictly before every begin of the other.

    Why:
        Content does not survive from one span to the next, so the point where one gives way to the other must
        be unmistakable.

    Bad example:
        # a, b, c, d happen in this order
        lifetime { spans { begins: "a" ends: "c" } spans { begins: "b" ends: "d" } }

    Good example:
        lifetime { spans { begins: "a" ends: "b" } spans { begins: "c" ends: "d" } }
    """
    apart = context.flow.apart
    for number, lifetime in enumerate(context.graph.lifetimes):
        resource = context.graph.elements.resources[number]
        for first, second in combinations(lifetime.spans, 2):
            if not apart.strictly_apart(first, second, lifetime.home):
                yield Finding(
                    resource.path.extended(_LIFETIME),
                    f"two spans of the lifetime of `{resource.id}` are not apart: "
                    f"neither ends strictly before the other begins",
                    elements=(NamedElement("resource", resource.id),),
                )


@rule("lifetime.access-outside", needs=(*ORDER, "lifetime.misplaced"))
def access_outside(context: Context) -> Iterator[Finding]:
    """A node accesses a resource outside its lifetime.

    What it checks:
        Every access is at or after some begin, and at or before some end, of one span; a condition that is
        never evaluated, because the minimum is the maximum, is no access. What is nested deeper
        than the innermost region that contains all begins and ends counts as its control node there; what
        lies outside of that region is outside of the lifetime.

    Why:
        Outside of its lifetime the bytes of a resource may be somebody else's.

    Bad example:
        resources { id: "t" role: RESOURCE_ROLE_TEMPORARY lifetime { spans { begins: "a" ends: "b" } } }
        nodes { id: "c" depends_on: "b" operation { copy { source { resource: "t" } } } }

    Good example:
        resources { id: "t" role: RESOURCE_ROLE_TEMPORARY lifetime { spans { begins: "a" ends: "c" } } }
        nodes { id: "c" depends_on: "b" operation { copy { source { resource: "t" } } } }
    """
    flow = context.flow
    lifetimes, unmade = context.graph.lifetimes, flow.preparation.program.unmade
    for number, access in enumerate(flow.preparation.program.accesses):
        lifetime = lifetimes[access.resource]
        if number in unmade or not lifetime.stated or flow.apart.covers(lifetime, access.node):
            continue
        resource = context.graph.elements.resources[access.resource]
        nodes = context.graph.nodes
        stated = dict.fromkeys(node for span in lifetime.spans for node in (*span.begins, *span.ends))
        yield Finding(
            flow.path(number),
            f"{flow.describe(number)} outside of its lifetime, {_missing(context, lifetime, access.node)}",
            elements=flow.elements(number),
            related=(
                Related(resource.path.extended(_LIFETIME), f"the lifetime of `{resource.id}`"),
                *(
                    Related(nodes.path(node), f"`{nodes.ids[node]}` {_part(lifetime, node)} it")
                    for node in list(stated)[:_SHOWN]
                    if node != access.node
                ),
            ),
        )


def _missing(context: Context, lifetime: Lifetime, node: int) -> str:
    """Say where a lifetime begins and ends, and what a node lacks to lie in it."""
    nodes, apart = context.graph.nodes, context.flow.apart
    said = [f"which {_stated(nodes.ids, span)}" for span in lifetime.spans[:_SHOWN]]
    more = len(lifetime.spans) - len(said)
    where = ", or ".join(said) + (f", or within {counted(more, 'more span')}" if more else "")
    if nodes.lifted(node, lifetime.home) < 0:
        return f"{where}: `{nodes.ids[node]}` is not in the region that holds these nodes"
    lacks = []
    for span in lifetime.spans[:_SHOWN]:
        if not apart.begun(lifetime, span, node):
            lacks.append(f"after its begin {_names(nodes.ids, span.begins)}")
        if not apart.not_over(lifetime, span, node):
            lacks.append(f"before its end {_names(nodes.ids, span.ends)}")
    return f"{where}: `{nodes.ids[node]}` is not ordered {', nor '.join(dict.fromkeys(lacks))}"


def _stated(ids: Sequence[str], span: Span) -> str:
    begin = f"begins at {_names(ids, span.begins)}" if span.begins else "begins with the graph"
    return f"{begin} and " + (f"ends at {_names(ids, span.ends)}" if span.ends else "ends with the graph")


def _names(ids: Sequence[str], members: Sequence[int]) -> str:
    shown = [f"`{ids[member]}`" for member in members[:_SHOWN]]
    more = len(members) - len(shown)
    return " or ".join([*shown, counted(more, "other")] if more else shown)


def _part(lifetime: Lifetime, node: int) -> str:
    begins = any(node in span.begins for span in lifetime.spans)
    ends = any(node in span.ends for span in lifetime.spans)
    return "begins and ends" if begins and ends else "begins" if begins else "ends"


@rule("lifetime.overlapping", needs=(*ORDER, "lifetime.misplaced"))
def overlapping(context: Context) -> Iterator[Finding]:
    """Two resources that share bytes are alive at once, and one of them is written.

    What it checks:
        Of two resources with bytes of an allocation in common, every end of one is strictly before every
        begin of the other; or their lifetimes lie in different arms of a conditional; or one ends where the
        other begins, at a dispatch that tolerates a pair of their slots over all common bytes. Resources
        without a lifetime are alive during the whole graph. Resources that nothing writes may share bytes as
        they like.

    Why:
        Two values cannot be in the same bytes at the same time.

    Bad example:
        # a and b lie at the same place of one allocation
        resources { id: "a" role: RESOURCE_ROLE_TEMPORARY lifetime { spans { begins: "n1" ends: "n3" } } }
        resources { id: "b" role: RESOURCE_ROLE_TEMPORARY lifetime { spans { begins: "n2" ends: "n4" } } }

    Good example:
        resources { id: "a" role: RESOURCE_ROLE_TEMPORARY lifetime { spans { begins: "n1" ends: "n2" } } }
        resources { id: "b" role: RESOURCE_ROLE_TEMPORARY lifetime { spans { begins: "n3" ends: "n4" } } }
    """
    flow = context.flow
    resources = context.graph.elements.resources
    written = {access.resource for access in flow.preparation.program.accesses if access.writes}
    for first, second, ranges in flow.resources_in_doubt():
        if (first in written or second in written) and not flow.are_apart(first, second, ranges, arms=True):
            spans = flow.spans(ranges)
            yield Finding(
                resources[second].path,
                f"`{resources[first].id}` and `{resources[second].id}` are alive at once and share "
                f"{describe_spans(spans)}",
                elements=(
                    NamedElement("resource", resources[first].id),
                    NamedElement("resource", resources[second].id),
                ),
                bytes_concerned=spans,
                related=(Related(resources[first].path, f"`{resources[first].id}` lies there too"),),
            )


RULES = (misplaced, spans_overlap, access_outside, overlapping)
