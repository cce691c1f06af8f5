"""Wire types and values of binary documents."""

from __future__ import annotations

from decode_cases.model import Accepted, Group, Refused
from decode_cases.wire import (
    HERE,
    I32,
    I64,
    VARINT,
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

SIZES = number_of("Geometry.workgroup_size")
EXECUTIONS = number_of("ExecutionGraph.maximum_node_executions")


def cases() -> Group:
    """Return the cases of this group."""
    group = Group("binary/values")
    _types(group)
    _values(group)
    _unknown_enums(group)
    return group


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
    add(
        "bool_two",
        "A boolean of 2.",
        geometry(HERE, tag(3, VARINT), b"\x02"),
        Refused(range_code, f"{rank}.exact_threads"),
    )
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
    add(
        "extremes",
        "The smallest and the greatest 64-bit numbers are read.",
        extremes,
        Accepted(extremes.data),
    )
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
    add(
        "enum_unknown",
        "A visibility model from the future.",
        graph(HERE, tag(9, VARINT), b"\x63"),
        Refused(unknown, model),
    )
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
