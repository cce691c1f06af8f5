"""Rules about bytes that several resources share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.flow.analysis import describe_spans
from interlock.flow.overlaps import shared_within_node
from interlock.graph.nodes import NodeKind
from interlock.rules.basis import ORDER
from interlock.rules.model import Finding, Gap, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.rules.context import Context


@rule("alias.clobbered-value", needs=ORDER)
def clobbered_value(context: Context) -> Iterator[Finding | Gap]:
    """A read of one resource finds what was written through another one in the same bytes.

    What it checks:
        Every write that reaches a read was made through the resource that is read, or a view of it. Where a
        partial write through that resource reaches the bytes too, the reading stays unverified, as it would
        be in memory of its own.

    Why:
        Resources share bytes so that one takes the place of the other. Whoever reads the first after the
        second was written reads something else than it asks for.

    Bad example:
        # a and b lie at the same place of one allocation
        nodes { id: "a" operation { fill { destination { resource: "a" } } } }
        nodes { id: "b" depends_on: "a" operation { fill { destination { resource: "b" } } } }
        nodes { id: "use" depends_on: "b" operation { copy { source { resource: "a" } } } }

    Good example:
        nodes { id: "a" operation { fill { destination { resource: "a" } } } }
        nodes { id: "use" depends_on: "a" operation { copy { source { resource: "a" } } } }
        nodes { id: "b" depends_on: "use" operation { fill { destination { resource: "b" } } } }
    """
    flow = context.flow
    for ((first, second), certain), ranges in flow.facts.clobbers.items():
        spans = flow.spans(ranges)
        message = (
            f"{flow.describe(second)}, but finds on {describe_spans(spans)} what was written before: "
            f"{flow.describe(first)}"
        )
        if certain:
            yield Finding(
                flow.path(second),
                message,
                elements=flow.elements(first, second),
                bytes_concerned=spans,
                related=flow.related(first),
                holds_under_assumption=flow.is_asserted(first, second),
            )
        else:
            yield Gap(f"{message}, unless a partial write in between replaced it", flow.path(second))


@rule("alias.within-node", needs=ORDER)
def within_node(context: Context) -> Iterator[Finding | Gap]:
    """Two accesses of one node share bytes, and one of them writes.

    What it checks:
        The bindings and the workgroup count of a dispatch name disjoint bytes unless all of them only read.
        It may tolerate a pair of its slots that name the same bytes with the same strides and element size.
        The two sides of a copy are judged by `range.copy-overlap`.

    Why:
        Within one dispatch nothing orders what one invocation reads after what another one writes. Only
        the kernel's author knows whether it matters.

    Bad example:
        bindings { slot: "in" target { resource: "x" } access: ACCESS_MODE_READ }
        bindings { slot: "out" target { resource: "x" } access: ACCESS_MODE_WRITE }

    Good example:
        bindings { slot: "in" target { resource: "x" } access: ACCESS_MODE_READ }
        bindings { slot: "out" target { resource: "x" } access: ACCESS_MODE_WRITE }
        tolerated_aliases { first: "in" second: "out" }
    """
    flow = context.flow
    accesses = flow.preparation.program.accesses
    for node in flow.preparation.program.accesses_of:
        if context.graph.nodes.kind[node] == NodeKind.COPY:
            continue  # `range.copy-overlap` compares its two sides
        shared = shared_within_node(flow.preparation, node)
        if shared is None:
            yield Gap(
                "its bytes depend on more iterations than can be compared", context.graph.nodes.path(node)
            )
            continue
        for first, second, ranges in shared:
            if not (accesses[first].writes or accesses[second].writes) or flow.tolerates(first, second):
                continue
            spans = flow.spans(ranges)
            yield Finding(
                flow.path(second),
                f"{flow.describe(second)}, and {flow.describe(first)}: both touch {describe_spans(spans)}",
                elements=flow.elements(first, second),
                bytes_concerned=spans,
                related=flow.related(first),
                holds_under_assumption=flow.is_asserted(first, second),
            )


RULES = (clobbered_value, within_node)
