"""The rule about visibility: what was written is there for whoever comes after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.flow.analysis import describe_spans
from interlock.flow.facts import together
from interlock.rules.basis import ORDER
from interlock.rules.model import Finding, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.flow.facts import Unseen
    from interlock.rules.context import Context


@rule("visibility.write-not-visible", needs=ORDER)
def write_not_visible(context: Context) -> Iterator[Finding]:
    """A write is ordered before an access of the same bytes, but not available and visible to it.

    What it checks:
        Unless dependencies carry everything, a statement after the write and before the access names the
        bytes, and makes the write visible to the access: it names the write's usage with WRITE in
        `available_from`, or an earlier statement did, and in `visible_to` the access's usage with READ, with
        WRITE, or with both, as the access does. Writes that are certainly overwritten in between need none.

    Why:
        Caches are not coherent. Ordered without being visible, the access may find what was there before, or
        be overtaken by the older write.

    Bad example:
        nodes { id: "join" depends_on: "sum" operation { barrier {} } }

    Good example:
        nodes { id: "join" depends_on: "sum" operation { barrier { statements {
          selections { resource: "t" }
          available_from { usage: USAGE_SHADER_STORAGE kind: ACCESS_KIND_WRITE }
          visible_to { usage: USAGE_SHADER_STORAGE kind: ACCESS_KIND_READ }
        } } } }
    """
    flow = context.flow
    ways: dict[tuple[int, int, int], list[Unseen]] = {}
    for unseen in flow.facts.not_visible:
        loop = -1 if unseen.is_merged else unseen.loop
        ways.setdefault((unseen.write, unseen.access, loop), []).append(unseen)
    for (first, second, loop), found in ways.items():
        spans = flow.spans(together(flow.facts.not_visible[unseen] for unseen in found))
        when = f" in an earlier iteration of `{flow.index.nodes.ids[loop]}`" if loop >= 0 else ""
        yield Finding(
            flow.path(second),
            f"{flow.describe(second)}, and {flow.describe(first)} before it{when}, but no statement "
            f"makes the write visible to it on {describe_spans(spans)}",
            elements=flow.elements(first, second),
            bytes_concerned=spans,
            related=flow.related(first),
            fix=flow.fixes.visibility(found),
            holds_under_assumption=flow.is_asserted(first, second),
        )


RULES = (write_not_visible,)
