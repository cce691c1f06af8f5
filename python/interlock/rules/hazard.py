"""The rule about order: conflicting accesses do not race."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.flow.analysis import describe_spans
from interlock.rules.basis import ORDER
from interlock.rules.model import Finding, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.rules.context import Context


@rule("hazard.unordered-access", needs=ORDER)
def unordered_access(context: Context) -> Iterator[Finding]:
    """Two accesses of the same bytes, one of them a write, are not ordered: a race.

    What it checks:
        In every execution, of two accesses that share a byte and of which one writes, one happens before the
        other, unless both are atomic with one type and coinciding elements. Bytes are compared, not names:
        views, and resources that share an allocation, conflict like any other.

    Why:
        A device may run unordered nodes in either order or at once. What is read, or what is left in the end,
        is then a matter of luck.

    Bad example:
        nodes { id: "clear" operation { fill { destination { resource: "t" } } } }
        nodes { id: "use" operation { copy { source { resource: "t" } } } }

    Good example:
        nodes { id: "clear" operation { fill { destination { resource: "t" } } } }
        nodes { id: "use" depends_on: "clear" operation { copy { source { resource: "t" } } } }
    """
    flow = context.flow
    for (first, second), ranges in flow.facts.races.items():
        spans = flow.spans(ranges)
        yield Finding(
            flow.path(second),
            f"{flow.describe(second)}, {flow.describe(first)}, and nothing orders the two: "
            f"they race on {describe_spans(spans)}",
            elements=flow.elements(first, second),
            bytes_concerned=spans,
            related=flow.related(first),
            fix=flow.fixes.order(first, second),
            holds_under_assumption=flow.is_asserted(first, second),
        )


RULES = (unordered_access,)
