"""Binary documents that end too early: as a whole, and within a message."""

from __future__ import annotations

from decode_cases.model import Accepted, Group, Refused
from decode_cases.wire import (
    HERE,
    LEN,
    VARINT,
    Piece,
    body,
    delimited,
    field,
    geometry,
    graph,
    graph_id,
    nest,
    node,
    number_of,
    tag,
)

# 15 bytes of header, 3 of id, 15 of body, 2 of visibility model, 3 of the greatest number of executions.
WHOLE = graph(
    graph_id(),
    body(
        node(
            field("Node.id", "n"),
            field(
                "Node.operation",
                field("Operation.fill", field("Fill.pattern", field("TypedBits.element", 9))),
            ),
        )
    ),
    field("ExecutionGraph.visibility_model", 1),
    field("ExecutionGraph.maximum_node_executions", 300),
).data

TRUNCATED = "wire.truncated"


def expected(cut: int) -> tuple[Refused | Accepted, int]:
    """Say what reading the first `cut` bytes of the document says, and at which offset.

    At the top level a document that ends between two fields is a shorter document; within a field, however
    deep, it is that field of the root whose length passes the end.
    """
    if cut == 0:
        return Refused("header.missing", "header"), 0
    for start, end, path in (
        (0, 15, "header"),
        (15, 18, "id"),
        (18, 33, "body"),
        (33, 35, "visibility_model"),
        (35, 38, "maximum_node_executions"),
    ):
        if start < cut < end:
            return Refused(TRUNCATED, path), start
    return Accepted(WHOLE[:cut]), 0


def cases() -> tuple[Group, Group]:
    """Return the cases of these groups."""
    group = Group("binary/cut")
    for cut in range(len(WHOLE) + 1):
        verdict, offset = expected(cut)
        mark = offset if isinstance(verdict, Refused) else None
        group.add(
            f"at_{cut:02}", f"The first {cut} bytes of a document of 38.", Piece(WHOLE[:cut], mark), verdict
        )
    return group, _within()


def _within() -> Group:
    """A message that ends too early within a document that goes on."""
    group = Group("binary/truncated")
    add = group.add
    after = field("ExecutionGraph.visibility_model", 1)
    levels = {
        "nodes": "body.nodes[0]",
        "nodes.operation": "body.nodes[0].operation",
        "nodes.operation.dispatch": "body.nodes[0].operation.dispatch",
        "nodes.operation.dispatch.bindings": "body.nodes[0].operation.dispatch.bindings[0]",
        "nodes.operation.dispatch.bindings.target": "body.nodes[0].operation.dispatch.bindings[0].target",
    }
    numbers = {"nodes": 1, "operation": 3, "dispatch": 1, "bindings": 4, "target": 2}
    for chain, path in levels.items():
        outer, _, last = chain.rpartition(".")
        claim = delimited(numbers[last], b"\x0a\x01x", claim=4)
        inner = nest(outer, HERE, claim, root="Region")
        add(
            f"claim_{last}",
            f"`{path}` claims one byte more than the message around it has.",
            graph(body(inner), after),
            Refused(TRUNCATED, path),
        )
    add(
        "text",
        "The id of a node claims one byte more than the node has.",
        graph(body(node(HERE, field("Node.id", "n", claim=2)), node(field("Node.id", "o")))),
        Refused(TRUNCATED, "body.nodes[0].id"),
    )
    add(
        "tag",
        "A tag ends with its message.",
        graph(body(node(field("Node.id", "n"), HERE, b"\x92"), node(field("Node.id", "o")))),
        Refused(TRUNCATED, "body.nodes[0]"),
    )
    add(
        "length",
        "A length ends with its message.",
        graph(body(node(HERE, tag(1, LEN), b"\x80"), node(field("Node.id", "o")))),
        Refused(TRUNCATED, "body.nodes[0].id"),
    )
    add(
        "no_length",
        "A message ends after the tag of a string.",
        graph(body(node(HERE, tag(1, LEN)), node(field("Node.id", "o")))),
        Refused(TRUNCATED, "body.nodes[0].id"),
    )
    add(
        "number",
        "A number ends with its message, and more bytes follow.",
        graph(
            nest("allocations", HERE, tag(number_of("Allocation.alignment"), VARINT), b"\x80"),
            body(node(field("Node.id", "n"))),
        ),
        Refused(TRUNCATED, "allocations[0].alignment"),
    )
    add(
        "no_number",
        "A message ends after the tag of a number.",
        graph(
            nest("allocations", HERE, tag(number_of("Allocation.alignment"), VARINT)),
            body(node(field("Node.id", "n"))),
        ),
        Refused(TRUNCATED, "allocations[0].alignment"),
    )
    add(
        "packed_number",
        "The second number of a packed list ends with the list.",
        geometry(
            HERE,
            delimited(number_of("Geometry.workgroup_size"), b"\x40\x80"),
            field("Geometry.exact_threads", 1),
        ),
        Refused(TRUNCATED, "body.nodes[0].operation.dispatch.geometry.workgroup_size"),
    )
    add(
        "canonicalize",
        "Canonicalising does not complete what is missing.",
        graph(graph_id(), HERE, field("ExecutionGraph.body", b"\x0a\x01n", claim=9)),
        Refused(TRUNCATED, "body"),
        canonicalize=True,
    )
    return group
