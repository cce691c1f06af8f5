"""Rules about visibility statements: each says something, once, that has an effect."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2
from interlock.diagnostic import NamedElement, Severity
from interlock.flow.analysis import describe_spans
from interlock.flow.overlaps import repeated
from interlock.flow.ranges import united
from interlock.rules.basis import ORDER
from interlock.rules.model import Finding, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.flow.build import Preparation
    from interlock.flow.pattern import Pattern
    from interlock.rules.context import Context


@rule("barrier.empty-statement")
def empty_statement(context: Context) -> Iterator[Finding]:
    """A visibility statement names no writes, or no accesses to make them visible to.

    What it checks:
        Both `available_from` and `visible_to` of every statement name something.

    Why:
        A statement with one side empty does nothing, and looks as if it did.

    Bad example:
        statements {
          selections { resource: "t" }
          available_from { usage: USAGE_FILL kind: ACCESS_KIND_WRITE }
        }

    Good example:
        statements {
          selections { resource: "t" }
          available_from { usage: USAGE_FILL kind: ACCESS_KIND_WRITE }
          visible_to { usage: USAGE_SHADER_STORAGE kind: ACCESS_KIND_READ }
        }
    """
    for place in context.graph.statements:
        for side in ("available_from", "visible_to"):
            if not getattr(place.message, side):
                yield Finding(
                    place.path.field(side), f"`{side}` names nothing; required is at least one usage"
                )


@rule("barrier.from-without-write")
def from_without_write(context: Context) -> Iterator[Finding]:
    """A visibility statement makes reads available, and no writes.

    What it checks:
        `available_from` of every statement that is not empty names at least one usage with WRITE.

    Why:
        Only writes have anything to make available. Order after a read needs a dependency and no statement.

    Bad example:
        available_from { usage: USAGE_SHADER_STORAGE kind: ACCESS_KIND_READ }

    Good example:
        available_from { usage: USAGE_SHADER_STORAGE kind: ACCESS_KIND_WRITE }
    """
    for place in context.graph.statements:
        scopes = place.message.available_from
        if scopes and not any(scope.kind == access_pb2.ACCESS_KIND_WRITE for scope in scopes):
            yield Finding(
                place.path.field("available_from"), "`available_from` names reads only; required is a WRITE"
            )


@rule("barrier.duplicate-bytes", needs=ORDER)
def duplicate_bytes(context: Context) -> Iterator[Finding]:
    """A visibility statement names the same bytes of a resource twice.

    What it checks:
        A statement that names a whole resource, or a range of its bytes, names these bytes once. Views have
        names of their own and may share bytes with others in a statement, as two resources may.

    Why:
        A byte that is named twice was meant to be another one.

    Bad example:
        selections { resource: "t" }
        selections { byte_range { resource: "t" size { constant: 16 } } }

    Good example:
        selections { resource: "t" }
    """
    flow = context.flow
    for place, named in zip(context.graph.statements, flow.preparation.statements.named, strict=True):
        selections = zip(named, place.message.selections, strict=True)
        found = repeated(
            flow.preparation, [entry for entry, selection in selections if not selection.HasField("view")]
        )
        if found:
            spans = flow.spans(found)
            yield Finding(
                place.path.field("selections"),
                f"the statement names {describe_spans(spans)} twice",
                bytes_concerned=spans,
            )


@rule("barrier.ineffective-statement", severity=Severity.WARNING, needs=ORDER)
def ineffective_statement(context: Context) -> Iterator[Finding]:
    """A visibility statement, or a selection of it, makes nothing available and nothing visible.

    What it checks:
        A node that may run before the statement writes memory that it names, by a usage that it or another
        statement makes available there; and some node writes bytes of each of its selections. What the start
        of the graph wrote is visible without a statement. Under EDGES_CARRY_ALL, statements are not judged.

    Why:
        A statement without an effect is a cost for nothing, or names the wrong resource.

    Bad example:
        # nothing has written t yet
        nodes { id: "join" operation { barrier { statements { selections { resource: "t" } } } } }

    Good example:
        nodes {
          id: "join"
          depends_on: "sum"
          operation { barrier { statements { selections { resource: "t" } } } }
        }
    """
    flow = context.flow
    if flow.preparation.program.carry_all:
        return
    ineffective = set(flow.ineffective_statements())
    written = _written_bytes(flow.preparation)
    for place, named in zip(context.graph.statements, flow.preparation.statements.named, strict=True):
        if place.path in ineffective:
            yield Finding(place.path, "the statement makes nothing available and nothing visible")
            continue
        for number, (resource, pattern) in enumerate(named):
            if _is_untouched(flow.preparation, resource, pattern, written):
                identity = context.graph.elements.resources[resource].id
                yield Finding(
                    place.path.element("selections", number),
                    f"no node writes any of these bytes of `{identity}`",
                    elements=(NamedElement("resource", identity),),
                )


def _written_bytes(preparation: Preparation) -> dict[int, list[tuple[int, int]]]:
    """Return what any access writes, by memory, as ascending ranges that do not touch."""
    found: dict[int, set[tuple[int, int]]] = {}
    parameters = preparation.index.elements.parameters
    for number, access in enumerate(preparation.program.accesses):
        if not access.writes:
            continue
        if any(parameters[p].owner >= 0 for p in preparation.patterns[number].parameters):
            plan = preparation.memories.plans[preparation.memories.of_resource[access.resource]]
            for memory in range(plan.first, plan.first + len(plan.spaces)):
                found.setdefault(memory, set()).add((0, preparation.program.memories[memory].size))
            continue
        for footprint in preparation.program.footprints(number, {}):
            found.setdefault(footprint.memory, set()).update(footprint.touched)
    return {memory: united(ranges) for memory, ranges in found.items()}


def _is_untouched(
    preparation: Preparation, resource: int, pattern: Pattern, written: dict[int, list[tuple[int, int]]]
) -> bool:
    """Tell whether a pattern that does not depend on iterations has bytes, and nothing writes any of them."""
    if any(preparation.index.elements.parameters[p].owner >= 0 for p in pattern.parameters):
        return False
    plan = preparation.memories.plans[preparation.memories.of_resource[resource]]
    has_bytes = False
    for offset, space in enumerate(plan.spaces):
        there = written.get(plan.first + offset, [])
        for low, high in space.ranges(pattern, {}).touched:
            has_bytes = True
            at = bisect_right(there, low, key=lambda span: span[1])
            if at < len(there) and there[at][0] < high:
                return False
    return has_bytes


RULES = (empty_statement, from_without_write, duplicate_bytes, ineffective_statement)
