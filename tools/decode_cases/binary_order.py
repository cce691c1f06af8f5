"""Order, repetition, presence and sets of binary documents."""

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
    join,
    nest,
    node,
    number_of,
    parameter,
    tag,
    varint,
)

MODEL = field("ExecutionGraph.visibility_model", 1)
SIZES = number_of("Geometry.workgroup_size")
GEOMETRY = "body.nodes[0].operation.dispatch.geometry"
TRIPS = "body.nodes.operation.repeat.trips"


def named(name: str, *parts: Piece | bytes) -> Piece:
    """Encode a node with an id."""
    return node(field("Node.id", name), *parts)


def cases() -> Group:
    """Return the cases of this group."""
    group = Group("binary/order")
    _order(group)
    _oneofs(group)
    _lists(group)
    _presence(group)
    return group


def _order(group: Group) -> None:
    add = group.add
    order, duplicate = "canonical.field-order", "canonical.duplicate-field"
    swapped = graph(MODEL, HERE, graph_id())
    add("root_swapped", "The id after the visibility model.", swapped, Refused(order, "id"))
    add(
        "root_swapped_canonicalize",
        "Canonicalising puts fields into order.",
        Piece(swapped.data),
        Accepted(graph(graph_id(), MODEL).data),
        canonicalize=True,
    )
    nested = graph(body(node(field("Node.depends_on", "a"), HERE, field("Node.id", "n"))))
    add("nested_swapped", "In a node, the id after a dependency.", nested, Refused(order, "body.nodes[0].id"))
    add(
        "nested_swapped_canonicalize",
        "Canonicalising puts fields into order at every level.",
        Piece(nested.data),
        Accepted(graph(body(named("n", field("Node.depends_on", "a")))).data),
        canonicalize=True,
    )
    draft = field("Header.required_features", "draft-1")
    add(
        "header_swapped",
        "In the header, the major version before the kind.",
        join(delimited(1, field("Header.schema_major", 1), HERE, field("Header.kind", 1), draft), graph_id()),
        Refused(order, "header.kind"),
    )
    add(
        "interleaved_sets",
        "Parameters, allocations, and parameters again.",
        graph(
            parameter("a"),
            field("ExecutionGraph.allocations", field("Allocation.id", "m")),
            HERE,
            parameter("b"),
        ),
        Refused(order, "parameters[1]"),
    )
    add(
        "interleaved_sets_canonicalize",
        "Canonicalising gathers the elements of a set.",
        graph(
            parameter("b"),
            field("ExecutionGraph.allocations", field("Allocation.id", "m")),
            parameter("a"),
        ),
        Accepted(
            graph(
                parameter("a"),
                parameter("b"),
                field("ExecutionGraph.allocations", field("Allocation.id", "m")),
            ).data
        ),
        canonicalize=True,
    )
    add("text_twice", "Two ids.", graph(graph_id("a"), HERE, graph_id("b")), Refused(duplicate, "id"))
    add(
        "text_twice_equal",
        "The same id twice.",
        graph(graph_id(), HERE, graph_id()),
        Refused(duplicate, "id"),
    )
    add(
        "text_twice_canonicalize",
        "Canonicalising does not choose between two ids.",
        graph(graph_id("a"), MODEL, HERE, graph_id("b")),
        Refused(duplicate, "id"),
        canonicalize=True,
    )
    add(
        "message_twice",
        "Two bodies; merging them would join their nodes.",
        graph(body(named("a")), HERE, body(named("b"))),
        Refused(duplicate, "body"),
    )
    add(
        "message_twice_canonicalize",
        "Canonicalising does not merge messages.",
        graph(body(named("a")), HERE, body(named("b"))),
        Refused(duplicate, "body"),
        canonicalize=True,
    )
    add(
        "number_twice",
        "Two visibility models.",
        graph(MODEL, HERE, MODEL),
        Refused(duplicate, "visibility_model"),
    )
    trips = tag(number_of("Repeat.minimum_trips"), VARINT)
    add(
        "optional_twice",
        "Two minimum trips.",
        graph(nest("body.nodes.operation.repeat", trips, b"\0", HERE, trips, b"\x01")),
        Refused(duplicate, "body.nodes[0].operation.repeat.minimum_trips"),
    )


def _oneofs(group: Group) -> None:
    add = group.add
    literal = field("TripCount.literal", 4)
    read = field("TripCount.read", field("CountRead.element", 9))
    path = "body.nodes[0].operation.repeat.trips"
    add(
        "oneof_two_arms",
        "A trip count that is stated and read.",
        graph(nest(TRIPS, literal, HERE, read)),
        Refused("canonical.duplicate-oneof", f"{path}.read"),
    )
    add(
        "oneof_two_arms_canonicalize",
        "Canonicalising does not choose an arm.",
        graph(nest(TRIPS, literal, HERE, read)),
        Refused("canonical.duplicate-oneof", f"{path}.read"),
        canonicalize=True,
    )
    add(
        "oneof_two_arms_swapped",
        "The arm of the smaller number second: the order is wrong first.",
        graph(nest(TRIPS, read, HERE, literal)),
        Refused("canonical.field-order", f"{path}.literal"),
    )
    add(
        "oneof_two_arms_swapped_canonicalize",
        "The arm of the smaller number second, and order forgiven.",
        graph(nest(TRIPS, read, HERE, literal)),
        Refused("canonical.duplicate-oneof", f"{path}.literal"),
        canonicalize=True,
    )
    add(
        "oneof_same_arm",
        "The same arm twice.",
        graph(nest(TRIPS, literal, HERE, literal)),
        Refused("canonical.duplicate-field", f"{path}.literal"),
    )
    add(
        "oneof_same_message_arm",
        "The same operation twice, which libraries merge.",
        graph(nest("body.nodes.operation", field("Operation.barrier"), HERE, field("Operation.barrier"))),
        Refused("canonical.duplicate-field", "body.nodes[0].operation.barrier"),
    )
    add(
        "oneof_three_arms",
        "A barrier, a conditional and a repeat: the second is named.",
        graph(
            nest(
                "body.nodes.operation",
                field("Operation.barrier"),
                HERE,
                field("Operation.conditional"),
                field("Operation.repeat"),
            )
        ),
        Refused("canonical.duplicate-oneof", "body.nodes[0].operation.conditional"),
    )


def _lists(group: Group) -> None:
    add = group.add
    path = f"{GEOMETRY}.workgroup_size"
    unpacked = join(tag(SIZES, VARINT), varint(64))
    packed = field("Geometry.workgroup_size", 64)
    both = geometry(field("Geometry.workgroup_size", 64, 2)).data
    add(
        "list_unpacked",
        "A workgroup size outside a packed list.",
        geometry(HERE, unpacked),
        Refused("canonical.unpacked-list", path),
    )
    add(
        "list_unpacked_canonicalize",
        "Canonicalising packs.",
        geometry(unpacked, tag(SIZES, VARINT), varint(2)),
        Accepted(both),
        canonicalize=True,
    )
    add(
        "list_split",
        "A packed list in two pieces.",
        geometry(packed, HERE, packed),
        Refused("canonical.split-list", path),
    )
    add(
        "list_split_canonicalize",
        "Canonicalising joins pieces, packed and not, in their order.",
        geometry(packed, tag(SIZES, VARINT), varint(2)),
        Accepted(both),
        canonicalize=True,
    )
    add(
        "list_empty",
        "A packed list of nothing.",
        geometry(HERE, delimited(SIZES)),
        Refused("canonical.empty-list", path),
    )
    add(
        "list_empty_canonicalize",
        "Canonicalising drops an empty list.",
        geometry(delimited(SIZES), field("Geometry.exact_threads", 1)),
        Accepted(geometry(field("Geometry.exact_threads", 1)).data),
        canonicalize=True,
    )
    add(
        "list_only_empty_canonicalize",
        "A message with nothing but an empty list is empty.",
        graph(nest("body.nodes.operation.dispatch", HERE, field("Dispatch.geometry", delimited(SIZES)))),
        Refused("canonical.empty-message", GEOMETRY),
        canonicalize=True,
    )
    add(
        "list_holds_zero",
        "Zero in a list is an element, not a default.",
        geometry(field("Geometry.workgroup_size", 0, 0)),
        Accepted(geometry(field("Geometry.workgroup_size", 0, 0)).data),
    )


def _presence(group: Group) -> None:
    add = group.add
    default, empty = "canonical.default-value", "canonical.empty-message"
    add("default_text", "An empty id.", graph(HERE, graph_id("")), Refused(default, "id"))
    add(
        "default_number",
        "No executions at all, said aloud.",
        graph(HERE, tag(10, VARINT), b"\0"),
        Refused(default, "maximum_node_executions"),
    )
    add(
        "default_enum",
        "No visibility model, said aloud.",
        graph(HERE, tag(9, VARINT), b"\0"),
        Refused(default, "visibility_model"),
    )
    add(
        "default_bool",
        "False, said aloud.",
        geometry(HERE, tag(3, VARINT), b"\0"),
        Refused(default, f"{GEOMETRY}.exact_threads"),
    )
    add(
        "default_bytes",
        "No bits, said aloud.",
        graph(
            nest("body.nodes.operation.fill.pattern", field("TypedBits.element", 9), HERE, tag(2, LEN), b"\0")
        ),
        Refused(default, "body.nodes[0].operation.fill.pattern.bits"),
    )
    add(
        "default_signed",
        "A constant of zero, said aloud.",
        graph(parameter("p", HERE, field("Parameter.minimum", 0))),
        Refused(default, "parameters[0].minimum"),
    )
    add(
        "defaults_canonicalize",
        "Canonicalising drops defaults.",
        graph(graph_id(), field("ExecutionGraph.visibility_model", 0), tag(10, VARINT), b"\0"),
        Accepted(graph(graph_id()).data),
        canonicalize=True,
    )
    add(
        "empty_body", "An empty body, which is the same as none.", graph(HERE, body()), Refused(empty, "body")
    )
    add(
        "empty_body_canonicalize",
        "Canonicalising does not drop messages: whether one is there may be meaning.",
        graph(HERE, body()),
        Refused(empty, "body"),
        canonicalize=True,
    )
    add(
        "empty_set_element",
        "A node with nothing in it.",
        graph(body(HERE, node())),
        Refused(empty, "body.nodes[0]"),
    )
    add(
        "empty_producer",
        "A producer without name.",
        join(
            delimited(
                1,
                field("Header.kind", 1),
                field("Header.schema_major", 1),
                HERE,
                field("Header.producer"),
                field("Header.required_features", "draft-1"),
            ),
            graph_id(),
        ),
        Refused(empty, "header.producer"),
    )
    add(
        "empty_by_defaults_canonicalize",
        "A message with nothing but defaults is empty.",
        graph(nest("allocations", HERE, field("Allocation.size", field("Extent.constant", 0)))),
        Refused(empty, "allocations[0].size"),
        canonicalize=True,
    )
    arm = graph(nest("body.nodes.operation", field("Operation.barrier")))
    add("empty_arm", "An empty barrier: presence is its meaning.", arm, Accepted(arm.data))
    element = graph(nest("resources", field("Resource.shape"), field("Resource.shape")))
    add(
        "empty_ordered_element",
        "Two empty extents in a shape: two axes of no elements.",
        element,
        Accepted(element.data),
    )
