"""The rule about roles: what belongs to the caller and stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import resource_pb2
from interlock.flow.analysis import describe_spans
from interlock.rules.basis import ORDER
from interlock.rules.model import Finding, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.rules.context import Context

_READ_ONLY = (resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT, resource_pb2.RESOURCE_ROLE_CONSTANT)


@rule("role.read-only-written", needs=ORDER)
def read_only_written(context: Context) -> Iterator[Finding]:
    """Bytes of an external input or a constant are written.

    What it checks:
        No access writes bytes of an input or constant, through whichever resource. The bytes of a consumed
        input may be written by resources whose lifetimes begin strictly after it ends, or at the node where
        it ends through a tolerated pair of slots.

    Why:
        An input is the caller's, who may use it again; a constant is everybody's.

    Bad example:
        resources { id: "x" role: RESOURCE_ROLE_EXTERNAL_INPUT }
        nodes { id: "clear" operation { fill { destination { resource: "x" } } } }

    Good example:
        resources { id: "x" role: RESOURCE_ROLE_EXTERNAL_INPUT_OUTPUT }
        nodes { id: "clear" operation { fill { destination { resource: "x" } } } }
    """
    flow = context.flow
    resources, messages = context.graph.elements.resources, context.graph.message.resources
    owners = {number for number, resource in enumerate(resources) if resource.role in _READ_ONLY}
    for access, owner, ranges in flow.writes_to(owners):
        writer = flow.preparation.program.accesses[access].resource
        if owner != writer and messages[owner].consumed and flow.are_apart(owner, writer, ranges, arms=False):
            continue
        spans = flow.spans(ranges)
        role = (
            "constant" if resources[owner].role == resource_pb2.RESOURCE_ROLE_CONSTANT else "external input"
        )
        yield Finding(
            flow.path(access),
            f"{flow.describe(access)}, and so overwrites {describe_spans(spans)}, "
            f"which belong to the {role} `{resources[owner].id}`",
            elements=flow.elements(access, -1 - owner),
            bytes_concerned=spans,
            related=flow.related(-1 - owner),
        )


RULES = (read_only_written,)
