"""The rule about capabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.graph.capabilities import needed_capabilities, short_name
from interlock.rules.model import Finding, counted, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.rules.context import Context


def _is_asked(context: Context) -> bool:
    return context.offered is not None


@rule("capability.not-offered", asked=_is_asked)
def not_offered(context: Context) -> Iterator[Finding]:
    """The graph needs a capability that is not offered.

    What it checks:
        Every capability that the content of the graph needs is among those that the caller offers. Each
        missing one is reported once, at the first place that needs it.

    Why:
        A runtime that lacks a capability cannot run the graph, and must not skip what it does not know.

    Bad example:
        # verified with no capability offered
        nodes { id: "loop" operation { repeat { trips { literal: 2 } maximum_trips: 2 } } }

    Good example:
        # verified with CAPABILITY_REPEAT offered
        nodes { id: "loop" operation { repeat { trips { literal: 2 } maximum_trips: 2 } } }
    """
    for need in needed_capabilities(context.graph):
        if need.capability not in (context.offered or ()):
            others = f" and at {counted(need.places - 1, 'other place')}" if need.places > 1 else ""
            yield Finding(
                need.path, f"`{short_name(need.capability)}` is needed here{others}, but not offered"
            )


RULES = (not_offered,)
