"""Strings and limits of binary documents."""

from __future__ import annotations

from decode_cases.model import Accepted, Group, Refused
from decode_cases.wire import (
    HERE,
    LEN,
    Piece,
    body,
    field,
    geometry,
    graph,
    graph_id,
    nest,
    node,
    number_of,
    parameter,
    tag,
    varint,
)

BAD_UTF8 = {
    "stray_byte": (b"a\xff", "The byte FF, which UTF-8 never uses."),
    "stray_continuation": (b"\x80a", "A continuation byte without a beginning."),
    "cut_short": (b"a\xe2\x82", "A character of three bytes that ends after two."),
    "overlong_slash": (b"\xc0\xaf", "A slash in two bytes."),
    "overlong_nul": (b"\xe0\x80\x80", "NUL in three bytes."),
    "surrogate": (b"\xed\xa0\x80", "The surrogate U+D800."),
    "surrogate_pair": (b"\xed\xa0\x80\xed\xb0\x80", "U+10000 as two surrogates."),
    "beyond_unicode": (b"\xf4\x90\x80\x80", "U+110000, behind the last plane."),
}

NONCHARACTERS = {
    "fffe": "\ufffe",
    "ffff": "\uffff",
    "fdd0": "\ufdd0",
    "fdef": "\ufdef",
    "1ffff": "\U0001ffff",
    "10fffe": "\U0010fffe",
}


REGION = ".nodes[0].operation.conditional.then_region"


def cases() -> tuple[Group, Group]:
    """Return the cases of these groups."""
    return _strings(), _limits()


def _strings() -> Group:
    group = Group("binary/strings")
    add = group.add
    for name, (data, description) in BAD_UTF8.items():
        add(
            f"utf8_{name}",
            description,
            graph(HERE, field("ExecutionGraph.id", data)),
            Refused("wire.invalid-utf8", "id"),
        )
    for name, text in NONCHARACTERS.items():
        add(
            f"noncharacter_{name}",
            f"The noncharacter U+{name.upper()}.",
            graph(HERE, graph_id(f"a{text}")),
            Refused("wire.noncharacter", "id"),
        )
    add(
        "utf8_in_set",
        "Bad UTF-8 in the second of two dependencies.",
        graph(body(node(field("Node.depends_on", "a"), HERE, field("Node.depends_on", b"\xff")))),
        Refused("wire.invalid-utf8", "body.nodes[0].depends_on[1]"),
    )
    add(
        "utf8_canonicalize",
        "Canonicalising does not replace bad UTF-8.",
        graph(HERE, field("ExecutionGraph.id", b"\xff")),
        Refused("wire.invalid-utf8", "id"),
        canonicalize=True,
    )
    add(
        "utf8_before_noncharacter",
        "A noncharacter before a bad byte: the bytes are no UTF-8, so there are no characters.",
        graph(HERE, field("ExecutionGraph.id", "\ufffe".encode() + b"\xff")),
        Refused("wire.invalid-utf8", "id"),
    )
    every = "\0\t\n\x7f\u0080\u2028\ud7ff\ue000\ufeff\ufffd\U00010000\U0010fffd"
    fine = graph(graph_id(every))
    add("unicode", "Every kind of character that is one is read.", fine, Accepted(fine.data))
    return group


def deep(regions: int, innermost: Piece) -> Piece:
    """Encode a graph with regions within each other, and what stands in the innermost."""
    return graph(nest("body" + ".nodes.operation.conditional.then_region" * regions, innermost))


def _limits() -> Group:
    group = Group("binary/limits")
    add = group.add
    small = graph(graph_id())
    add(
        "document_bytes",
        "18 bytes where 17 are allowed.",
        Piece(small.data),
        Refused("limit.document-bytes", ""),
        document_bytes=17,
    )
    add(
        "document_bytes_before_header",
        "The size is judged before anything is looked at.",
        Piece(b"\xff" * 9),
        Refused("limit.document-bytes", ""),
        document_bytes=8,
    )
    add(
        "document_bytes_just",
        "18 bytes where 18 are allowed.",
        small,
        Accepted(small.data),
        document_bytes=18,
    )
    add(
        "string_bytes",
        "An id of nine bytes where eight are allowed.",
        graph(HERE, graph_id("nine_long")),
        Refused("limit.string-bytes", "id"),
        string_bytes=8,
    )
    add(
        "string_bytes_before_utf8",
        "The length of a string is judged before its bytes.",
        graph(HERE, field("ExecutionGraph.id", b"\xff" * 9)),
        Refused("limit.string-bytes", "id"),
        string_bytes=8,
    )
    add(
        "string_bytes_just",
        "An id of eight bytes where eight are allowed.",
        graph(graph_id("eightlon")),
        Accepted(graph(graph_id("eightlon")).data),
        string_bytes=8,
    )
    add(
        "string_bytes_of_bytes",
        "The limit of strings holds for bytes too.",
        graph(nest("body.nodes.operation.fill.pattern", HERE, field("TypedBits.bits", b"\0" * 9))),
        Refused("limit.string-bytes", "body.nodes[0].operation.fill.pattern.bits"),
        string_bytes=8,
    )
    add(
        "repeated_elements",
        "Three parameters where two are allowed.",
        graph(parameter("a"), parameter("b"), HERE, parameter("c")),
        Refused("limit.repeated-elements", "parameters[2]"),
        repeated_elements=2,
    )
    add(
        "repeated_elements_before_element",
        "An element too many is not looked at.",
        graph(parameter("a"), parameter("b"), HERE, field("ExecutionGraph.parameters", claim=1 << 40)),
        Refused("limit.repeated-elements", "parameters[2]"),
        repeated_elements=2,
    )
    both = [field("Node.depends_on", "x"), field("Node.depends_on", "y")]
    apart = graph(body(node(field("Node.id", "a"), *both), node(field("Node.id", "b"), *both)))
    add(
        "repeated_elements_apart",
        "The limit is that of one field of one message: two nodes with two dependencies each.",
        apart,
        Accepted(apart.data),
        repeated_elements=2,
    )
    add(
        "repeated_elements_packed",
        "Three packed elements where two are allowed.",
        geometry(HERE, field("Geometry.workgroup_size", 8, 8, 1)),
        Refused("limit.repeated-elements", "body.nodes[0].operation.dispatch.geometry.workgroup_size"),
        repeated_elements=2,
    )
    _depth(group)
    _claims(group)
    return group


def _depth(group: Group) -> None:
    add = group.add
    # The root has depth 1, the body 2, and each conditional adds four: node, operation, conditional, region.
    conditional = field(
        "Operation.conditional", field("Conditional.then_region", node(field("Node.id", "n")))
    )
    add(
        "message_depth",
        "A conditional of depth 97, within 23 others, where 96 are allowed.",
        deep(23, nest("nodes.operation", HERE, conditional, root="Region")),
        Refused("limit.message-depth", "body" + REGION * 23 + ".nodes[0].operation.conditional"),
    )
    just = deep(23, nest("nodes.edge_visibility", field("EdgeVisibility.source", "a"), root="Region"))
    add("message_depth_just", "A depth of exactly 96.", just, Accepted(just.data))
    add(
        "message_depth_raised",
        "A conditional of depth 101: raised limits count as 100 at most.",
        deep(24, nest("nodes.operation", HERE, conditional, root="Region")),
        Refused("limit.message-depth", "body" + REGION * 24 + ".nodes[0].operation.conditional"),
        message_depth=1000,
    )
    raised = deep(24, nest("nodes.edge_visibility", field("EdgeVisibility.source", "a"), root="Region"))
    add(
        "message_depth_raised_just",
        "A depth of exactly 100.",
        raised,
        Accepted(raised.data),
        message_depth=100,
    )
    add(
        "message_depth_far",
        "A thousand conditionals within each other.",
        deep(22, nest("nodes.operation.conditional.then_region.nodes.operation", HERE, far(), root="Region")),
        Refused("limit.message-depth", "body" + REGION * 23 + ".nodes[0].operation.conditional"),
    )
    add(
        "message_depth_lowered",
        "A node of depth 3 where 2 are allowed.",
        graph(body(HERE, node(field("Node.id", "n")))),
        Refused("limit.message-depth", "body.nodes[0]"),
        message_depth=2,
    )
    add(
        "message_depth_lowered_just",
        "A node of depth 3 where 3 are allowed.",
        graph(body(node(field("Node.id", "n")))),
        Accepted(graph(body(node(field("Node.id", "n")))).data),
        message_depth=3,
    )
    add(
        "message_depth_empty",
        "An empty message that is too deep is empty first.",
        graph(body(HERE, node())),
        Refused("canonical.empty-message", "body.nodes[0]"),
        message_depth=2,
    )


def far() -> Piece:
    """Encode an operation with a thousand conditionals within each other."""
    piece = field("Operation.barrier")
    for _ in range(1_000):
        piece = field("Operation.conditional", nest("then_region.nodes.operation", piece, root="Conditional"))
    return piece


def _claims(group: Group) -> None:
    """Lengths and counts that nobody could deliver: refused without allocating anything."""
    add = group.add
    for name, length in {
        "2_31": (1 << 31) - 1,
        "2_32": 1 << 32,
        "2_63": 1 << 63,
        "2_64": (1 << 64) - 1,
    }.items():
        add(
            f"claim_text_{name}",
            f"An id that claims {length} bytes.",
            graph(HERE, tag(2, LEN), varint(length), b"g"),
            Refused("wire.truncated", "id"),
        )
    add(
        "claim_message",
        "A body that claims 2^63 bytes.",
        graph(HERE, tag(8, LEN), varint(1 << 63), b"\x0a"),
        Refused("wire.truncated", "body"),
    )
    add(
        "claim_packed",
        "A packed list that claims 2^31 bytes.",
        geometry(HERE, tag(number_of("Geometry.workgroup_size"), LEN), varint(1 << 31), b"\x01"),
        Refused("wire.truncated", "body.nodes[0].operation.dispatch.geometry.workgroup_size"),
    )
    many = field("Geometry.workgroup_size", *[1] * 10_000)
    add(
        "count_packed",
        "Ten thousand axes where three are allowed.",
        geometry(HERE, many),
        Refused("limit.repeated-elements", "body.nodes[0].operation.dispatch.geometry.workgroup_size"),
        repeated_elements=3,
    )
    add(
        "count_empty_elements",
        "Ten thousand empty axes of a shape, two bytes each, where three are allowed.",
        graph(
            nest("resources", field("Resource.shape").data * 3, HERE, field("Resource.shape").data * 9_997)
        ),
        Refused("limit.repeated-elements", "resources[0].shape[3]"),
        repeated_elements=3,
    )
