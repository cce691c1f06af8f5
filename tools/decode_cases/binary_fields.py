"""Tags, fields and values of binary documents."""

from __future__ import annotations

from decode_cases.model import Accepted, Group, Refused
from decode_cases.wire import (
    END_GROUP,
    HERE,
    LEN,
    START_GROUP,
    VARINT,
    Piece,
    body,
    delimited,
    field,
    geometry,
    graph,
    graph_id,
    header,
    join,
    node,
    number_of,
    tag,
    varint,
)

ALIGNMENT = number_of("Allocation.alignment")
SIZES = number_of("Geometry.workgroup_size")
EXECUTIONS = number_of("ExecutionGraph.maximum_node_executions")
CONSTANT = number_of("Extent.constant")


def allocation(*parts: Piece | bytes) -> Piece:
    """Encode a graph with one allocation."""
    return graph(graph_id(), field("ExecutionGraph.allocations", field("Allocation.id", "a"), *parts))


def cases() -> Group:
    """Return the cases of this group."""
    group = Group("binary/fields")
    _tags(group)
    _varints(group)
    _trailing(group)
    return group


def _tags(group: Group) -> None:
    add = group.add
    invalid = Refused("wire.invalid-tag", "")
    add("tag_zero", "Field 0.", graph(graph_id(), HERE, tag(0, LEN), b"\0"), invalid)
    add("wire_type_6", "Wire type 6.", graph(graph_id(), HERE, tag(3, 6)), invalid)
    add("wire_type_7", "Wire type 7.", graph(graph_id(), HERE, tag(3, 7)), invalid)
    add(
        "tag_of_33_bits",
        "A tag of 33 bits, which must not be taken for field 8.",
        graph(graph_id(), HERE, varint(1 << 32 | 8 << 3 | LEN), b"\0"),
        invalid,
    )
    add(
        "tag_overflow",
        "A tag that takes more than 64 bits.",
        graph(graph_id(), HERE, b"\xff" * 9, b"\x7f", b"\0"),
        Refused("wire.varint-overflow", ""),
    )
    add(
        "tag_of_eleven_bytes",
        "A tag of eleven bytes.",
        graph(graph_id(), HERE, varint(8 << 3 | LEN, 11), b"\0"),
        Refused("wire.varint-overflow", ""),
    )
    add(
        "tag_overlong",
        "A tag with one byte too many.",
        graph(graph_id(), HERE, tag(8, LEN, 2), b"\0"),
        Refused("canonical.overlong-varint", ""),
    )
    add(
        "tag_overlong_nested",
        "A tag with nine bytes too many, in a node.",
        graph(body(node(HERE, tag(1, LEN, 10), b"\x01n"))),
        Refused("canonical.overlong-varint", "body.nodes[0]"),
    )
    add(
        "tag_overlong_and_zero",
        "Field 0 in two bytes: overlong is said first.",
        graph(HERE, varint(0, 2)),
        Refused("canonical.overlong-varint", ""),
    )
    add(
        "tag_overlong_and_zero_canonicalize",
        "Field 0 in two bytes: canonicalising mends the one, not the other.",
        graph(HERE, varint(0, 2)),
        invalid,
        canonicalize=True,
    )
    add(
        "group_unknown",
        "An empty group of an unknown number.",
        graph(HERE, tag(99, START_GROUP), tag(99, END_GROUP)),
        Refused("wire.group", ""),
    )
    add(
        "group_known",
        "A group in the place of the body.",
        graph(HERE, tag(8, START_GROUP), node(field("Node.id", "n")), tag(8, END_GROUP)),
        Refused("wire.group", ""),
    )
    add(
        "group_end",
        "The end of a group that never began.",
        graph(HERE, tag(8, END_GROUP)),
        Refused("wire.group", ""),
    )
    add(
        "group_deep",
        "A thousand groups within each other.",
        graph(HERE, tag(99, START_GROUP) * 1000),
        Refused("wire.group", ""),
    )
    add(
        "reserved_number",
        "Field 19000, which protobuf keeps for itself, is unknown like any other.",
        graph(HERE, tag(19000, LEN), b"\0"),
        Refused("canonical.unknown-field", ""),
    )
    add(
        "greatest_number",
        "Field 2^29 - 1, the greatest a tag can say.",
        graph(HERE, tag((1 << 29) - 1, VARINT), b"\0"),
        Refused("canonical.unknown-field", ""),
    )


def _varints(group: Group) -> None:
    add = group.add
    overlong = "canonical.overlong-varint"
    overflow = "wire.varint-overflow"
    add(
        "length_overlong",
        "A length with one byte too many.",
        graph(HERE, tag(2, LEN), varint(1, 2), b"g"),
        Refused(overlong, "id"),
    )
    add(
        "value_overlong",
        "A number with one byte too many.",
        allocation(HERE, tag(ALIGNMENT, VARINT), varint(16, 2)),
        Refused(overlong, "allocations[0].alignment"),
    )
    add(
        "value_overlong_ten_bytes",
        "A number in ten bytes that fits one.",
        allocation(HERE, tag(ALIGNMENT, VARINT), varint(16, 10)),
        Refused(overlong, "allocations[0].alignment"),
    )
    add(
        "zero_overlong",
        "Zero in two bytes is overlong before it is a default.",
        allocation(HERE, tag(ALIGNMENT, VARINT), varint(0, 2)),
        Refused(overlong, "allocations[0].alignment"),
    )
    add(
        "packed_overlong",
        "An element of a packed list with one byte too many.",
        geometry(HERE, delimited(SIZES, varint(64), varint(1, 2))),
        Refused(overlong, "body.nodes[0].operation.dispatch.geometry.workgroup_size"),
    )
    add(
        "enum_overlong",
        "An enum value with one byte too many.",
        graph(HERE, tag(9, VARINT), varint(1, 2)),
        Refused(overlong, "visibility_model"),
    )
    add(
        "bool_overlong",
        "True in two bytes.",
        geometry(HERE, tag(3, VARINT), varint(1, 2)),
        Refused(overlong, "body.nodes[0].operation.dispatch.geometry.exact_threads"),
    )
    add(
        "value_of_eleven_bytes",
        "A number of eleven bytes.",
        allocation(HERE, tag(ALIGNMENT, VARINT), varint(16, 11)),
        Refused(overflow, "allocations[0].alignment"),
    )
    add(
        "value_of_65_bits",
        "2^64.",
        graph(HERE, tag(EXECUTIONS, VARINT), varint(1 << 64)),
        Refused(overflow, "maximum_node_executions"),
    )
    add(
        "length_of_65_bits",
        "A length of 2^64.",
        graph(HERE, tag(2, LEN), varint(1 << 64), b"g"),
        Refused(overflow, "id"),
    )
    add(
        "packed_of_65_bits",
        "An element of a packed list takes more than 64 bits.",
        geometry(HERE, delimited(SIZES, varint(1 << 64))),
        Refused(overflow, "body.nodes[0].operation.dispatch.geometry.workgroup_size"),
    )
    every = join(
        delimited(1, varint(1 << 3, 2), varint(1, 2), varint(2 << 3, 2), varint(1, 2), header().data[6:]),
        tag(2, LEN, 2),
        varint(1, 3),
        b"g",
    )
    add(
        "overlong_everywhere_canonicalize",
        "Canonicalising accepts long spellings of tags, lengths and values.",
        every,
        Accepted(graph(graph_id()).data),
        canonicalize=True,
    )

    widest = join(
        tag(1, LEN, 10),
        varint(13, 10),
        header().data[2:],
        tag(2, LEN, 10),
        varint(1, 10),
        b"g",
        tag(8, LEN, 10),
        varint(35, 10),
        tag(1, LEN, 10),
        varint(15, 10),
        tag(1, LEN, 10),
        varint(4, 1),
        b"node",
    )
    add(
        "overlong_ten_bytes_canonicalize",
        "Canonicalising accepts tags and lengths of ten bytes, more than libraries take.",
        widest,
        Accepted(graph(graph_id(), body(node(field("Node.id", "node")))).data),
        canonicalize=True,
    )


def _trailing(group: Group) -> None:
    add = group.add
    add(
        "trailing_zeros",
        "Zero bytes after the document.",
        graph(graph_id(), HERE, b"\0\0"),
        Refused("wire.invalid-tag", ""),
    )
    add(
        "trailing_newline",
        "A newline after the document is field 1, the header, again.",
        graph(graph_id(), HERE, b"\n"),
        Refused("header.duplicate", "header"),
    )
    add(
        "trailing_document",
        "Two documents in one file.",
        graph(graph_id(), HERE, graph(graph_id("h"))),
        Refused("header.duplicate", "header"),
    )
    add(
        "trailing_text",
        "Text after the document.",
        graph(graph_id(), HERE, b"zzz"),
        Refused("canonical.unknown-field", ""),
    )
