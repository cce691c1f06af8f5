"""Fields that no reader of today knows, in every position and in every message of the schema."""

from __future__ import annotations

from decode_cases.model import Group, Refused
from decode_cases.wire import (
    HERE,
    I32,
    I64,
    LEN,
    VARINT,
    Piece,
    body,
    delimited,
    field,
    graph,
    graph_id,
    header,
    join,
    nest,
    node,
    tag,
)

UNKNOWN = "canonical.unknown-field"
FUTURE = delimited(99, b"new")

# Where a message of each type stands, by kind of document: a path to it, as the error spells it.
PLACES: dict[str, dict[str, str]] = {
    "ExecutionGraph": {
        "execution_graph": "",
        "producer": "header.producer",
        "parameter": "parameters[0]",
        "allocation": "allocations[0]",
        "extent": "allocations[0].size",
        "extent_term": "allocations[0].size.terms[0]",
        "resource": "resources[0]",
        "placement": "resources[0].placement",
        "value_type": "resources[0].type",
        "block_format": "resources[0].type.block",
        "extent_in_list": "resources[0].shape[0]",
        "physical_layout": "resources[0].layout",
        "packed_layout": "resources[0].layout.packed",
        "strided_layout": "resources[0].layout.strided",
        "opaque_layout": "resources[0].layout.opaque",
        "image_layout": "resources[0].layout.image",
        "lifetime": "resources[0].lifetime",
        "lifetime_span": "resources[0].lifetime.spans[0]",
        "blob_reference": "resources[0].content",
        "provenance": "resources[0].provenance",
        "source_location": "resources[0].provenance.source",
        "line_span": "resources[0].provenance.source.lines",
        "attribute": "resources[0].provenance.attributes[0]",
        "view": "views[0]",
        "graph_artifact": "artifacts[0]",
        "artifact_pin": "artifacts[0].pins[0]",
        "region": "body",
        "node": "body.nodes[0]",
        "operation": "body.nodes[0].operation",
        "dispatch": "body.nodes[0].operation.dispatch",
        "specialization_value": "body.nodes[0].operation.dispatch.specialization[0]",
        "typed_bits": "body.nodes[0].operation.dispatch.specialization[0].value",
        "binding": "body.nodes[0].operation.dispatch.bindings[0]",
        "coordinate": "body.nodes[0].operation.dispatch.bindings[0].coordinate",
        "byte_selection": "body.nodes[0].operation.dispatch.bindings[0].target",
        "byte_range": "body.nodes[0].operation.dispatch.bindings[0].target.byte_range",
        "inline_constant": "body.nodes[0].operation.dispatch.inline_constants[0]",
        "inline_value": "body.nodes[0].operation.dispatch.inline_constants[0].value",
        "parametric_value": "body.nodes[0].operation.dispatch.inline_constants[0].value.parametric",
        "geometry": "body.nodes[0].operation.dispatch.geometry",
        "workgroup_count": "body.nodes[0].operation.dispatch.geometry.workgroup_count",
        "grid_extents": "body.nodes[0].operation.dispatch.geometry.workgroup_count.extents",
        "element_grid": "body.nodes[0].operation.dispatch.geometry.workgroup_count.elements",
        "indirect_grid": "body.nodes[0].operation.dispatch.geometry.workgroup_count.indirect",
        "slot_pair": "body.nodes[0].operation.dispatch.tolerated_aliases[0]",
        "copy": "body.nodes[0].operation.copy",
        "copy_region": "body.nodes[0].operation.copy.region",
        "fill": "body.nodes[0].operation.fill",
        "barrier": "body.nodes[0].operation.barrier",
        "visibility_statement": "body.nodes[0].operation.barrier.statements[0]",
        "access_scope": "body.nodes[0].operation.barrier.statements[0].visible_to[0]",
        "conditional": "body.nodes[0].operation.conditional",
        "predicate": "body.nodes[0].operation.conditional.predicate",
        "nested_region": "body.nodes[0].operation.conditional.else_region",
        "repeat": "body.nodes[0].operation.repeat",
        "trip_count": "body.nodes[0].operation.repeat.trips",
        "count_read": "body.nodes[0].operation.repeat.trips.read",
        "edge_visibility": "body.nodes[0].edge_visibility[0]",
        "disjointness_assertion": "disjointness_assertions[0]",
        "access_reference": "disjointness_assertions[0].second",
    },
    "Package": {
        "package": "",
        "artifact": "artifacts[0]",
        "interface": "artifacts[0].interface",
        "entry": "artifacts[0].interface.entries[0]",
        "slot": "artifacts[0].interface.entries[0].slots[0]",
        "block_member": "artifacts[0].interface.entries[0].slots[0].members[0]",
        "workgroup_size": "artifacts[0].interface.entries[0].workgroup_size",
        "workgroup_axis": "artifacts[0].interface.entries[0].workgroup_size.axes[0]",
        "tolerated_slot_pair": "artifacts[0].interface.entries[0].tolerated_aliases[0]",
        "specialization_constant": "artifacts[0].interface.constants[0]",
        "variant": "artifacts[0].variants[0]",
        "content_type": "artifacts[0].variants[0].content_type",
        "entry_mapping": "artifacts[0].variants[0].entries[0]",
        "slot_mapping": "artifacts[0].variants[0].entries[0].slots[0]",
        "constant_mapping": "artifacts[0].variants[0].constants[0]",
        "target_requirements": "artifacts[0].variants[0].requirements",
        "packaged_graph": "graphs[0]",
        "graph_source": "graphs[0].source",
        "packaged_payload": "payloads[0]",
    },
    "TargetModuleBundle": {
        "target_module_bundle": "",
        "target_module": "modules[0]",
        "module_slot": "modules[0].slots[0]",
        "typed_blob": "modules[0].code",
        "internalized_dependency": "modules[0].internalized[0]",
    },
    "TargetPayload": {
        "target_payload": "",
        "target_profile": "profile",
        "launch_group": "groups[0]",
        "target_entry": "entries[0]",
        "target_binding": "entries[0].bindings[0]",
        "nested_document": "bundle",
    },
    "Envelope": {
        "envelope": "",
        "envelope_payload": "payloads[0]",
    },
}


def cases() -> Group:
    """Return the cases of this group."""
    group = Group("binary/unknown_field")
    for kind, places in PLACES.items():
        for name, path in places.items():
            group.add(
                f"in_{name}",
                f"An unknown field in `{path or kind}`.",
                _document(kind, path.replace("[0]", ""), join(HERE, FUTURE)),
                Refused(UNKNOWN, path),
            )
    _positions(group)
    return group


def _document(kind: str, path: str, unknown: Piece) -> Piece:
    if path == "header.producer":
        return join(header(delimited(4, unknown)), graph_id())
    return join(header(kind=kind), nest(path, unknown, root=kind))


def _positions(group: Group) -> None:
    add = group.add
    identity, operation = field("Node.id", "n"), field("Node.operation", field("Operation.barrier"))
    error = Refused(UNKNOWN, "body.nodes[0]")
    add(
        "position_first",
        "Before all other fields.",
        graph(body(node(HERE, FUTURE, identity, operation))),
        error,
    )
    add("position_middle", "Between two others.", graph(body(node(identity, HERE, FUTURE, operation))), error)
    add(
        "position_last",
        "After all other fields.",
        graph(body(node(identity, operation, HERE, FUTURE))),
        error,
    )
    add(
        "position_root_middle",
        "Between two fields of the root.",
        graph(graph_id(), HERE, FUTURE, body(node(identity))),
        Refused(UNKNOWN, ""),
    )
    add(
        "second_arm",
        "An operation from the future beside one of today.",
        graph(nest("body.nodes.operation", field("Operation.barrier"), HERE, delimited(15))),
        Refused(UNKNOWN, "body.nodes[0].operation"),
    )
    add(
        "only_arm",
        "An operation from the future, such as a callback on the host.",
        graph(nest("body.nodes.operation", HERE, delimited(15, b"\x0a\x04call"))),
        Refused(UNKNOWN, "body.nodes[0].operation"),
    )
    add("number", "An unknown number.", graph(HERE, tag(99, VARINT), b"\x05"), Refused(UNKNOWN, ""))
    add("fixed_32", "An unknown 32-bit number.", graph(HERE, tag(99, I32), b"\0" * 4), Refused(UNKNOWN, ""))
    add("fixed_64", "An unknown 64-bit number.", graph(HERE, tag(99, I64), b"\0" * 8), Refused(UNKNOWN, ""))
    add(
        "empty",
        "An unknown field with nothing in it.",
        graph(HERE, tag(99, LEN), b"\0"),
        Refused(UNKNOWN, ""),
    )
    add(
        "truncated",
        "An unknown field that passes the end: that it is unknown is said first.",
        graph(HERE, tag(99, LEN), b"\x7f"),
        Refused(UNKNOWN, ""),
    )
    add(
        "canonicalize",
        "Canonicalising does not drop what it does not know.",
        graph(graph_id(), HERE, FUTURE),
        Refused(UNKNOWN, ""),
        canonicalize=True,
    )
