"""JSON documents that are JSON, and no documents: names, structure, limits."""

from __future__ import annotations

from decode_cases.json_syntax import HEADER, graph
from decode_cases.model import Group, Refused


def node(members: str) -> str:
    """Return a graph with one node of these members."""
    return graph(f'"body":{{"nodes":[{{{members}}}]}}')


def operation(members: str) -> str:
    """Return a graph with one node whose operation has these members."""
    return node(f'"id":"n","operation":{{{members}}}')


def cases() -> Group:
    """Return the cases of this group."""
    group = Group("json/content")
    _names(group)
    _structure(group)
    _limits(group)
    return group


def _names(group: Group) -> None:
    add = group.add
    unknown, proto = "json.unknown-field", "json.proto-name"
    add(
        "unknown_first",
        "An unknown member before the header.",
        f'{{◆"$schema":"x",{HEADER},"id":"g"}}',
        Refused(unknown, ""),
    )
    add(
        "unknown_last", "An unknown member at the end.", graph('"id":"g",◆"extra":null'), Refused(unknown, "")
    )
    add(
        "unknown_nested",
        "An unknown member of a node.",
        node('"id":"n",◆"label":"sum"'),
        Refused(unknown, "body.nodes[0]"),
    )
    add("unknown_case", "A member in capitals.", graph('◆"ID":"g"'), Refused(unknown, ""))
    add(
        "unknown_arm",
        "An operation from the future.",
        operation('◆"hostCallback":{}'),
        Refused(unknown, "body.nodes[0].operation"),
    )
    add(
        "unknown_extension",
        "The spelling ProtoJSON gives extensions.",
        graph('◆"[execgraph.v1.more]":1'),
        Refused(unknown, ""),
    )
    add(
        "proto_name",
        "A member as the `.proto` file names it.",
        node('"id":"n",◆"depends_on":["m"]'),
        Refused(proto, "body.nodes[0]"),
    )
    add(
        "proto_name_twin",
        "One field under both its names.",
        graph('"visibilityModel":"VISIBILITY_MODEL_EDGES_CARRY_ALL",◆"visibility_model":null'),
        Refused(proto, ""),
    )
    add(
        "proto_name_twin_first",
        "One field under both its names, the wrong one first.",
        graph('◆"visibility_model":null,"visibilityModel":"VISIBILITY_MODEL_EDGES_CARRY_ALL"'),
        Refused(proto, ""),
    )


def _structure(group: Group) -> None:
    add = group.add
    empty, twin, key = "canonical.empty-message", "json.duplicate-oneof", "canonical.duplicate-key"
    path = "body.nodes[0]"
    add("empty_body", "An empty body.", graph('"body":◆{}'), Refused(empty, "body"))
    add(
        "empty_by_defaults",
        "A body with nothing but a default in it.",
        graph('"body":◆{"nodes":[]}'),
        Refused(empty, "body"),
    )
    add(
        "empty_element",
        "An element with nothing but defaults in it.",
        graph('"parameters":[◆{"id":"","minimum":"0"}]'),
        Refused(empty, "parameters[0]"),
    )
    add(
        "empty_deep",
        "The innermost empty message is named.",
        node('"id":"n","operation":{"fill":{"pattern":◆{"bits":""}}}'),
        Refused(empty, f"{path}.operation.fill.pattern"),
    )
    add(
        "oneof_two_arms",
        "Two operations at once.",
        operation('"barrier":{},◆"fill":{}'),
        Refused(twin, f"{path}.operation.fill"),
    )
    add(
        "oneof_second_arm_null",
        "A second arm of null.",
        operation('"barrier":{},◆"fill":null'),
        Refused(twin, f"{path}.operation.fill"),
    )
    add(
        "oneof_second_arm_default",
        "A second arm of zero.",
        operation('"repeat":{"trips":{"read":{"element":"ELEMENT_TYPE_U32"},◆"literal":"0"}}'),
        Refused(twin, f"{path}.operation.repeat.trips.literal"),
    )
    add(
        "duplicate_id",
        "Two nodes of one id.",
        graph('"body":{"nodes":[{"id":"a","dependsOn":["b"]},{"id":"b"},◆{"id":"a"}]}'),
        Refused(key, "body.nodes[2]"),
    )
    add(
        "duplicate_string",
        "The same dependency twice.",
        node('"id":"n","dependsOn":["b","a",◆"b"]'),
        Refused(key, f"{path}.depends_on[2]"),
    )
    add(
        "duplicate_escaped",
        "The same dependency twice, once with an escape.",
        node('"id":"n","dependsOn":["a",◆"\\u0061"]'),
        Refused(key, f"{path}.depends_on[1]"),
    )
    scope = '{"usage":"USAGE_FILL","kind":"ACCESS_KIND_WRITE"}'
    twisted = '{"kind":"ACCESS_KIND_WRITE","usage":"USAGE_FILL"}'
    add(
        "duplicate_whole",
        "Two equal statements whose members stand in another order.",
        operation(f'"barrier":{{"statements":[{{"visibleTo":[{scope}]}},◆{{"visibleTo":[{twisted}]}}]}}'),
        Refused(key, f"{path}.operation.barrier.statements[1]"),
    )
    two = '{"view":"a"},{"view":"b"}'
    swapped = '{"view":"b"},{"view":"a"}'
    add(
        "duplicate_whole_sorted",
        "Two statements that are equal once the sets within them are sorted.",
        operation(f'"barrier":{{"statements":[{{"selections":[{two}]}},◆{{"selections":[{swapped}]}}]}}'),
        Refused(key, f"{path}.operation.barrier.statements[1]"),
    )


def _limits(group: Group) -> None:
    add = group.add
    small = graph('"id":"g"')
    add(
        "document_bytes",
        "One byte too many.",
        small,
        Refused("limit.document-bytes", ""),
        document_bytes=len(small) - 1,
    )
    add(
        "string_bytes",
        "Nine bytes where eight are allowed.",
        graph('"id":◆"nine_long"'),
        Refused("limit.string-bytes", "id"),
        string_bytes=8,
    )
    add(
        "string_bytes_utf8",
        "Three characters of three bytes each.",
        graph('"id":◆"€€€"'),
        Refused("limit.string-bytes", "id"),
        string_bytes=8,
    )
    add(
        "string_bytes_decoded",
        "Twelve characters of base64 that stand for nine bytes.",
        operation('"fill":{"pattern":{"bits":◆"AAAAAAAAAAAA"}}'),
        Refused("limit.string-bytes", "body.nodes[0].operation.fill.pattern.bits"),
        string_bytes=8,
    )
    add(
        "repeated_elements",
        "Three parameters where two are allowed.",
        graph('"parameters":[{"id":"a"},{"id":"b"},◆null]'),
        Refused("limit.repeated-elements", "parameters[2]"),
        repeated_elements=2,
    )
    add(
        "message_depth",
        "A node of depth 3 where 2 are allowed.",
        graph('"body":{"nodes":[◆{"id":"n"}]}'),
        Refused("limit.message-depth", "body.nodes[0]"),
        message_depth=2,
    )
    conditional = '{"nodes":[{"id":"n","operation":{"conditional":{"thenRegion":'
    deep = graph(
        '"body":' + conditional * 23 + '{"nodes":[{"id":"n","operation":{"conditional":◆{}}}]}' + "}}}]}" * 23
    )
    add(
        "message_depth_default",
        "A conditional of depth 97, where 96 are allowed.",
        deep,
        Refused(
            "limit.message-depth",
            "body" + ".nodes[0].operation.conditional.then_region" * 23 + ".nodes[0].operation.conditional",
        ),
    )
