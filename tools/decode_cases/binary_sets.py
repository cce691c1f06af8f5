"""Sets of binary documents: their order and their keys."""

from __future__ import annotations

from decode_cases.model import Accepted, Group, Refused
from decode_cases.wire import (
    HERE,
    Piece,
    body,
    dispatch,
    field,
    graph,
    header,
    join,
    nest,
    node,
    parameter,
)

UNSORTED = "canonical.unsorted-set"
DUPLICATE = "canonical.duplicate-key"
DISPATCH = "body.nodes[0].operation.dispatch"


def named(name: str, *parts: Piece | bytes) -> Piece:
    """Encode a node with an id."""
    return node(field("Node.id", name), *parts)


def package(*parts: Piece | bytes) -> Piece:
    """Encode a package."""
    return join(header(kind="Package"), *parts)


def cases() -> Group:
    """Return the cases of this group."""
    group = Group("binary/sets")
    _ids(group)
    _strings(group)
    _keys(group)
    _whole_elements(group)
    return group


def _ids(group: Group) -> None:
    add = group.add
    unsorted = graph(body(named("b"), HERE, named("a")))
    add("nodes_unsorted", "Two nodes, the greater id first.", unsorted, Refused(UNSORTED, "body.nodes[1]"))
    add(
        "nodes_unsorted_canonicalize",
        "Canonicalising sorts.",
        Piece(unsorted.data),
        Accepted(graph(body(named("a"), named("b"))).data),
        canonicalize=True,
    )
    add(
        "nodes_duplicate",
        "Two nodes of one id.",
        graph(body(named("a"), HERE, named("a", field("Node.depends_on", "b")))),
        Refused(DUPLICATE, "body.nodes[1]"),
    )
    add(
        "nodes_duplicate_canonicalize",
        "Canonicalising does not choose between two nodes.",
        graph(body(named("a"), HERE, named("a", field("Node.depends_on", "b")))),
        Refused(DUPLICATE, "body.nodes[1]"),
        canonicalize=True,
    )
    apart = graph(body(named("a"), named("b"), HERE, named("a")))
    add(
        "nodes_duplicate_apart",
        "Two nodes of one id, another between them.",
        apart,
        Refused(UNSORTED, "body.nodes[2]"),
    )
    add(
        "nodes_duplicate_apart_canonicalize",
        "Two nodes of one id, another between them, and order forgiven.",
        apart,
        Refused(DUPLICATE, "body.nodes[2]"),
        canonicalize=True,
    )
    add(
        "nodes_two_pairs_canonicalize",
        "Of two pairs of equal ids, the one whose second element comes first is named.",
        graph(body(named("a"), named("b"), HERE, named("b"), named("a"))),
        Refused(DUPLICATE, "body.nodes[2]"),
        canonicalize=True,
    )
    add(
        "parameters_no_ids",
        "Two parameters without id have equal keys.",
        graph(
            field("ExecutionGraph.parameters", field("Parameter.minimum", 1)),
            HERE,
            field("ExecutionGraph.parameters", field("Parameter.minimum", 2)),
        ),
        Refused(DUPLICATE, "parameters[1]"),
    )
    add(
        "element_before_its_place",
        "What is wrong within an element is found before its place in the set.",
        graph(parameter("b"), parameter("a", HERE, field("Parameter.minimum", 0))),
        Refused("canonical.default-value", "parameters[1].minimum"),
    )
    prefix = graph(parameter("a"), parameter("a.b"), parameter("ab"), parameter("b"))
    add("prefix_first", "An id stands before the ids that it begins.", prefix, Accepted(prefix.data))


def _strings(group: Group) -> None:
    add = group.add
    depends = "Node.depends_on"
    add(
        "strings_unsorted",
        "Two dependencies, the greater first.",
        graph(body(named("n", field(depends, "b"), HERE, field(depends, "a")))),
        Refused(UNSORTED, "body.nodes[0].depends_on[1]"),
    )
    add(
        "strings_duplicate",
        "The same dependency twice.",
        graph(body(named("n", field(depends, "a"), HERE, field(depends, "a")))),
        Refused(DUPLICATE, "body.nodes[0].depends_on[1]"),
    )
    add(
        "strings_empty",
        "An empty string in a set is an element, not a default.",
        graph(body(named("n", field(depends, ""), field(depends, "a")))),
        Accepted(graph(body(named("n", field(depends, ""), field(depends, "a")))).data),
    )
    # UTF-16 would put U+10000 (a surrogate pair, D800 DC00) before U+E000.
    private, plane_one = field("Attribute.key", "\ue000"), field("Attribute.key", "\U00010000")
    attributes = "Provenance.attributes"
    by_bytes = graph(nest("provenance", field(attributes, private), field(attributes, plane_one)))
    add("strings_by_bytes", "Keys compare by the bytes of UTF-8.", by_bytes, Accepted(by_bytes.data))
    add(
        "strings_by_utf16",
        "Keys do not compare by the units of UTF-16.",
        graph(nest("provenance", field(attributes, plane_one), HERE, field(attributes, private))),
        Refused(UNSORTED, "provenance.attributes[1]"),
    )
    add(
        "strings_case",
        "Upper case stands before lower case.",
        graph(parameter("a"), HERE, parameter("B")),
        Refused(UNSORTED, "parameters[1]"),
    )


def _keys(group: Group) -> None:
    add = group.add
    special = "Dispatch.specialization"
    by_name, by_id = field("SpecializationValue.name", "a"), field("SpecializationValue.constant_id", 0)
    absent_first = dispatch(field(special, by_id), field(special, by_name), field(special, by_name, by_id))
    add(
        "key_absent_first",
        "An absent member of a key stands before a present one, even of zero.",
        absent_first,
        Accepted(absent_first.data),
    )
    add(
        "key_absent_last",
        "A present member of a key does not stand before an absent one.",
        dispatch(field(special, by_name, by_id), HERE, field(special, by_name)),
        Refused(UNSORTED, f"{DISPATCH}.specialization[1]"),
    )
    bits = field("SpecializationValue.value", field("TypedBits.element", 9))
    add(
        "key_both_absent",
        "Two constants without a number are equal by name.",
        dispatch(field(special, by_name), HERE, field(special, by_name, bits)),
        Refused(DUPLICATE, f"{DISPATCH}.specialization[1]"),
    )
    pair = "Dispatch.tolerated_aliases"
    first, second = "SlotPair.first", "SlotPair.second"
    add(
        "key_second_member",
        "Where the first member of a key is equal, the second decides.",
        dispatch(
            field(pair, field(first, "a"), field(second, "c")),
            HERE,
            field(pair, field(first, "a"), field(second, "b")),
        ),
        Refused(UNSORTED, f"{DISPATCH}.tolerated_aliases[1]"),
    )

    def payload(identity: str, version: int) -> Piece:
        form = field("ContentType.identity", identity), field("ContentType.version", version)
        return field(
            "Package.payloads", field("PackagedPayload.graph", "g"), field("PackagedPayload.format", *form)
        )

    numeric = package(payload("spirv", 2), payload("spirv", 10), payload("wgsl", 1))
    add(
        "key_message",
        "A message in a key compares field by field, numbers by value.",
        numeric,
        Accepted(numeric.data),
    )
    add(
        "key_message_unsorted",
        "Version 10 does not stand before version 2.",
        package(payload("spirv", 10), HERE, payload("spirv", 2)),
        Refused(UNSORTED, "payloads[1]"),
    )
    add(
        "key_message_duplicate",
        "Two payloads of one graph and one format.",
        package(payload("spirv", 1), HERE, payload("spirv", 1)),
        Refused(DUPLICATE, "payloads[1]"),
    )
    binding = "TargetEntry.bindings"

    def slot(coordinate: Piece | None, name: str) -> Piece:
        parts = [] if coordinate is None else [field("TargetBinding.coordinate", coordinate)]
        return field(binding, *parts, field("TargetBinding.slot", name))

    index = field("Coordinate.index", 0)
    payload_header = header(kind="TargetPayload")
    rows = nest("entries", slot(None, "b"), slot(index, "a"), root="TargetPayload")
    add(
        "key_message_absent",
        "A message that is not there stands before one that is.",
        join(payload_header, rows),
        Accepted(join(payload_header, rows).data),
    )
    add(
        "key_message_absent_last",
        "A message that is there does not stand before one that is not.",
        join(payload_header, nest("entries", slot(index, "a"), HERE, slot(None, "b"), root="TargetPayload")),
        Refused(UNSORTED, "entries[0].bindings[1]"),
    )


def _whole_elements(group: Group) -> None:
    add = group.add
    selections = "VisibilityStatement.selections"
    statements = "Barrier.statements"
    resource, view = field("ByteSelection.resource", "a"), field("ByteSelection.view", "a")
    path = "body.nodes[0].operation.barrier.statements[0].selections[1]"
    barrier = "body.nodes.operation.barrier"
    add(
        "whole_unsorted",
        "A set without keys compares whole elements: what is absent in field 1 stands first.",
        graph(nest(barrier, field(statements, field(selections, resource), HERE, field(selections, view)))),
        Refused(UNSORTED, path),
    )
    add(
        "whole_duplicate",
        "The same selection twice.",
        graph(nest(barrier, field(statements, field(selections, view), HERE, field(selections, view)))),
        Refused(DUPLICATE, path),
    )
    read = field("AccessScope.usage", 1), field("AccessScope.kind", 1)
    shorter = field(statements, field("VisibilityStatement.visible_to", *read))
    longer = field(
        statements,
        field("VisibilityStatement.available_from", *read),
        field("VisibilityStatement.visible_to", *read),
    )
    lists = graph(nest(barrier, shorter, longer))
    add(
        "whole_list_prefix",
        "A list stands before the lists that it begins; an empty one before all.",
        lists,
        Accepted(lists.data),
    )
    add(
        "whole_list_unsorted",
        "A longer list does not stand before the one it begins with.",
        graph(nest(barrier, longer, HERE, shorter)),
        Refused(UNSORTED, "body.nodes[0].operation.barrier.statements[1]"),
    )
    spans = "Lifetime.spans"
    add(
        "whole_lists_of_text",
        "Spans of a lifetime compare by their lists of nodes.",
        graph(
            nest(
                "resources.lifetime",
                field(spans, field("LifetimeSpan.begins", "a"), field("LifetimeSpan.begins", "b")),
                HERE,
                field(spans, field("LifetimeSpan.begins", "a"), field("LifetimeSpan.ends", "z")),
            )
        ),
        Refused(UNSORTED, "resources[0].lifetime.spans[1]"),
    )
    requirements = "artifacts.variants.requirements"
    capabilities = "artifacts[0].variants[0].requirements.capabilities"
    add(
        "packed_unsorted",
        "Capabilities ascend by number within their packed list.",
        package(nest(requirements, HERE, field("TargetRequirements.capabilities", 3, 2), root="Package")),
        Refused(UNSORTED, capabilities),
    )
    add(
        "packed_duplicate",
        "The same capability twice.",
        package(nest(requirements, HERE, field("TargetRequirements.capabilities", 2, 2), root="Package")),
        Refused(DUPLICATE, capabilities),
    )
    add(
        "packed_unsorted_canonicalize",
        "Canonicalising sorts packed lists.",
        package(nest(requirements, field("TargetRequirements.capabilities", 10, 3, 2), root="Package")),
        Accepted(
            package(
                nest(requirements, field("TargetRequirements.capabilities", 2, 3, 10), root="Package")
            ).data
        ),
        canonicalize=True,
    )
    add(
        "packed_split_duplicate_canonicalize",
        "Equal elements in two pieces of a packed list.",
        package(
            nest(
                requirements,
                field("TargetRequirements.capabilities", 3, 2),
                HERE,
                field("TargetRequirements.capabilities", 4, 3),
                root="Package",
            )
        ),
        Refused(DUPLICATE, capabilities),
        canonicalize=True,
    )
    resource_only = field(selections, resource)
    one = field(selections, resource), field(selections, view)
    other = field(selections, view), field(selections, resource)
    add(
        "whole_duplicate_canonicalize",
        "Two statements that are equal once the sets within them are sorted.",
        graph(nest(barrier, field(statements, *one), HERE, field(statements, *other))),
        Refused(DUPLICATE, "body.nodes[0].operation.barrier.statements[1]"),
        canonicalize=True,
    )
    add(
        "whole_sorted_within_canonicalize",
        "The order within decides before the order of the whole.",
        graph(nest(barrier, field(statements, *one), field(statements, resource_only))),
        Accepted(graph(nest(barrier, field(statements, *other), field(statements, resource_only))).data),
        canonicalize=True,
    )
