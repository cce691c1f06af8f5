"""Tags, fields and values of binary documents."""

from __future__ import annotations

from decode_cases.model import Accepted, Group, Refused
from decode_cases.wire import (
    END_GROUP,
    HERE,
    I32,
    I64,
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
    nest,
    node,
    number_of,
    parameter,
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
    _types(group)
    _values(group)
    _unknown_enums(group)
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
        graph(graph_id(), HERE, tag(8, LEN, 2), varint(3), node(field("Node.id", "")).data[:3]),
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
    add("group_end", "The end of a group that never began.", graph(HERE, tag(8, END_GROUP)), Refused("wire.group", ""))
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


def _types(group: Group) -> None:
    add = group.add
    wrong = "wire.wrong-type"
    add("text_as_number", "The id is a number.", graph(HERE, tag(2, VARINT), b"\x07"), Refused(wrong, "id"))
    add(
        "message_as_fixed_64",
        "The body is a 64-bit number.",
        graph(HERE, tag(8, I64), b"\0" * 8),
        Refused(wrong, "body"),
    )
    add(
        "element_as_fixed_32",
        "The second node is a 32-bit number.",
        graph(body(node(field("Node.id", "a")), HERE, tag(1, I32), b"\0" * 4)),
        Refused(wrong, "body.nodes[1]"),
    )
    add(
        "number_as_text",
        "The greatest number of executions is text.",
        graph(HERE, delimited(EXECUTIONS, b"7")),
        Refused(wrong, "maximum_node_executions"),
    )
    add(
        "enum_as_text",
        "The visibility model is text.",
        graph(HERE, delimited(9, b"VISIBILITY_MODEL_EDGES_CARRY_ALL")),
        Refused(wrong, "visibility_model"),
    )
    add(
        "packed_as_fixed_32",
        "A workgroup size is a 32-bit number.",
        geometry(HERE, tag(SIZES, I32), b"\0" * 4),
        Refused(wrong, "body.nodes[0].operation.dispatch.geometry.workgroup_size"),
    )
    add(
        "wrong_type_before_order",
        "A wrong wire type is found before a wrong order.",
        graph(body(node(field("Node.id", "a"))), HERE, tag(2, VARINT), b"\x07"),
        Refused(wrong, "id"),
    )


def _values(group: Group) -> None:
    add = group.add
    rank = "body.nodes[0].operation.dispatch.geometry"
    range_code = "wire.value-out-of-range"
    add("bool_two", "A boolean of 2.", geometry(HERE, tag(3, VARINT), b"\x02"), Refused(range_code, f"{rank}.exact_threads"))
    add(
        "bool_of_33_bits",
        "A boolean of 2^32, which must not be taken for false.",
        geometry(HERE, tag(3, VARINT), varint(1 << 32)),
        Refused(range_code, f"{rank}.exact_threads"),
    )
    add(
        "uint32_of_33_bits",
        "2^32 in a 32-bit field.",
        geometry(HERE, tag(4, VARINT), varint(1 << 32)),
        Refused(range_code, f"{rank}.subgroup_size"),
    )
    add(
        "uint32_of_64_bits",
        "2^64 - 1 in a 32-bit field.",
        geometry(HERE, tag(4, VARINT), varint((1 << 64) - 1)),
        Refused(range_code, f"{rank}.subgroup_size"),
    )
    add(
        "packed_uint32_of_33_bits",
        "2^32 in a packed list of 32-bit numbers.",
        geometry(HERE, delimited(SIZES, varint(1), varint(1 << 32))),
        Refused(range_code, f"{rank}.workgroup_size"),
    )
    extremes = graph(
        graph_id(),
        parameter("p", field("Parameter.minimum", -(1 << 63)), field("Parameter.maximum", (1 << 63) - 1)),
        field("ExecutionGraph.maximum_node_executions", (1 << 64) - 1),
    )
    add("extremes", "The smallest and the greatest 64-bit numbers are read.", extremes, Accepted(extremes.data))
    zeros = graph(
        graph_id(),
        nest(
            "body.nodes.operation.repeat.trips",
            tag(number_of("TripCount.literal"), VARINT),
            b"\0",
        ),
    )
    add("zero_arm", "An arm of a oneof is written when it is set, even to 0.", zeros, Accepted(zeros.data))
    optional = graph(
        nest("body.nodes.operation.repeat", tag(number_of("Repeat.minimum_trips"), VARINT), b"\0")
    )
    add(
        "zero_optional",
        "A field with explicit presence is written when it is set, even to 0.",
        optional,
        Accepted(optional.data),
    )


def _unknown_enums(group: Group) -> None:
    add = group.add
    unknown = "canonical.unknown-enum-value"
    model = "visibility_model"
    add("enum_unknown", "A visibility model from the future.", graph(HERE, tag(9, VARINT), b"\x63"), Refused(unknown, model))
    add(
        "enum_unknown_canonicalize",
        "Canonicalising does not guess what an unknown value means.",
        graph(HERE, tag(9, VARINT), b"\x63"),
        Refused(unknown, model),
        canonicalize=True,
    )
    add(
        "enum_negative",
        "An enum value of -1, in the ten bytes protobuf gives it.",
        graph(HERE, tag(9, VARINT), varint((1 << 64) - 1)),
        Refused(unknown, model),
    )
    add(
        "enum_of_33_bits",
        "2^32 + 1, which must not be taken for 1.",
        graph(HERE, tag(9, VARINT), varint((1 << 32) + 1)),
        Refused(unknown, model),
    )
    add(
        "enum_unknown_nested",
        "An unknown comparison, deep in a conditional.",
        graph(nest("body.nodes.operation.conditional.predicate", HERE, tag(2, VARINT), b"\x07")),
        Refused(unknown, "body.nodes[0].operation.conditional.predicate.comparison"),
    )
    add(
        "enum_unknown_packed",
        "An unknown capability among the known ones of a packed list.",
        join(
            header(kind="Package"),
            nest(
                "artifacts.variants.requirements",
                HERE,
                field("TargetRequirements.capabilities", 2, 99),
                root="Package",
            ),
        ),
        Refused(unknown, "artifacts[0].variants[0].requirements.capabilities"),
    )


def _trailing(group: Group) -> None:
    add = group.add
    add("trailing_zeros", "Zero bytes after the document.", graph(graph_id(), HERE, b"\0\0"), Refused("wire.invalid-tag", ""))
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
