"""JSON in other spellings, text, and the detection of encodings."""

from __future__ import annotations

from decode_cases.json_syntax import graph
from decode_cases.model import BINARY, DETECTED, JSON, TEXT, Accepted, Group, Refused
from decode_cases.wire import (
    HERE,
    Piece,
    body,
    delimited,
    field,
    graph_id,
    header,
    join,
    nest,
    node,
    parameter,
)
from decode_cases.wire import graph as binary_graph

SMALL = binary_graph(graph_id())


def cases() -> tuple[Group, ...]:
    """Return the cases of these groups."""
    return _json(), _text(), _text_refused(), _detection()


def _json() -> Group:
    group = Group("json/accepted")
    add = group.add
    small = Accepted(SMALL.data)
    add("canonical", "A document as it should be.", graph('"id":"g"'), small)
    add(
        "white_space",
        "Every kind of white space JSON knows.",
        graph('\r\n\t "id"\n:\t"g" \r').replace(",", " , ") + "\n",
        small,
    )
    add(
        "members_shuffled",
        "The header last, and its members in reverse.",
        '{"id":"g","header":{"schemaMajor":1,"requiredFeatures":["draft-1"],"kind":"DOCUMENT_KIND_EXECUTION_GRAPH"}}',
        small,
    )
    add(
        "defaults",
        "Defaults said aloud.",
        graph(
            '"id":"g","parameters":[],"visibilityModel":"VISIBILITY_MODEL_UNSPECIFIED","maximumNodeExecutions":"0"'
        ),
        small,
    )
    add(
        "default_minor",
        "Minor version 0 said aloud.",
        '{"header":{"kind":"DOCUMENT_KIND_EXECUTION_GRAPH","schemaMajor":1,"schemaMinor":0,"requiredFeatures":["draft-1"]},"id":"g"}',
        small,
    )
    add("escapes", "Letters, and a name, as escapes.", graph('"\\u0069d":"\\u0067"'), small)
    solidus = Accepted(binary_graph(graph_id('a/"\\\b\f\n\r\tÿ\U0001f600')).data)
    add(
        "every_escape",
        "Every escape JSON knows, a pair of surrogates among them.",
        graph('"id":"a\\/\\"\\\\\\b\\f\\n\\r\\t\\u00fF\\uD83D\\ude00"'),
        solidus,
    )
    add(
        "byte_order_mark_in_string",
        "U+FEFF within a string is a character.",
        graph('"id":"\ufeff"'),
        Accepted(binary_graph(graph_id("\ufeff")).data),
    )
    add(
        "nul_escaped",
        "NUL is a character, if it is escaped.",
        graph('"id":"\\u0000"'),
        Accepted(binary_graph(graph_id("\0")).data),
    )
    add(
        "sets_shuffled",
        "Sets in another order.",
        graph('"body":{"nodes":[{"id":"c"},{"id":"a","dependsOn":["c","b"]},{"id":"b"}]}'),
        Accepted(
            binary_graph(
                body(
                    node(field("Node.id", "a"), field("Node.depends_on", "b"), field("Node.depends_on", "c")),
                    node(field("Node.id", "b")),
                    node(field("Node.id", "c")),
                )
            ).data
        ),
    )
    add(
        "sets_by_bytes",
        "Sets sort by the bytes of UTF-8, members by the units of UTF-16.",
        graph('"provenance":{"attributes":[{"key":"\U00010000"},{"key":"\ue000"}]}'),
        Accepted(
            binary_graph(
                nest(
                    "provenance",
                    field("Provenance.attributes", field("Attribute.key", "\ue000")),
                    field("Provenance.attributes", field("Attribute.key", "\U00010000")),
                )
            ).data
        ),
    )
    add(
        "lists_keep_order",
        "A list is not sorted.",
        graph('"body":{"nodes":[{"operation":{"dispatch":{"geometry":{"workgroupSize":[8,1,4]}}}}]}'),
        Accepted(
            binary_graph(
                nest("body.nodes.operation.dispatch.geometry", field("Geometry.workgroup_size", 8, 1, 4))
            ).data
        ),
    )
    add(
        "empty_arm",
        "An empty arm is kept.",
        graph('"body":{"nodes":[{"operation":{"barrier":{"statements":[]}}}]}'),
        Accepted(binary_graph(nest("body.nodes.operation", field("Operation.barrier"))).data),
    )
    add(
        "empty_ordered_element",
        "An empty element of a list is kept.",
        graph('"resources":[{"shape":[{},{"constant":"0"}]}]'),
        Accepted(binary_graph(nest("resources", field("Resource.shape"), field("Resource.shape"))).data),
    )
    add(
        "zero_arm",
        "Zero is kept where it has presence.",
        graph('"body":{"nodes":[{"operation":{"repeat":{"trips":{"literal":"0"},"minimumTrips":"0"}}}]}'),
        Accepted(
            binary_graph(
                nest(
                    "body.nodes.operation.repeat",
                    field("Repeat.trips", field("TripCount.literal", 0)),
                    field("Repeat.minimum_trips", 0),
                )
            ).data
        ),
    )
    add(
        "extremes",
        "The smallest and the greatest 64-bit numbers.",
        graph(
            '"parameters":[{"id":"p","minimum":"-9223372036854775808","maximum":"9223372036854775807","multipleOf":"18446744073709551615"}]'
        ),
        Accepted(
            binary_graph(
                parameter(
                    "p",
                    field("Parameter.minimum", -(1 << 63)),
                    field("Parameter.maximum", (1 << 63) - 1),
                    field("Parameter.multiple_of", (1 << 64) - 1),
                )
            ).data
        ),
    )
    add(
        "canonicalize",
        "JSON knows no option to be canonicalised: it always is.",
        graph('"id":"g","parameters":[]'),
        small,
        canonicalize=True,
    )
    return group


def _text() -> Group:
    group = Group("text/accepted")

    def add(name: str, description: str, text: str, canonical: Piece) -> None:
        group.add(name, description, text, Accepted(canonical.data), form=TEXT)

    add("no_header", "A header that is left out is computed.", 'id: "g"\n', SMALL)
    add(
        "wrong_header",
        "Kind, version and features are computed, whatever stands there.",
        "header { kind: DOCUMENT_KIND_PACKAGE schema_major: 7 required_features: 'x' }\nid: 'g'\n",
        SMALL,
    )
    add("nothing", "Nothing at all is an empty graph.", "", binary_graph())
    add(
        "root_comment",
        "A comment names the root message.",
        '# A package.\n\n# proto-message: execgraph.v1.Package\nid: "p"\n',
        join(header(kind="Package"), field("Package.id", "p")),
    )
    add(
        "late_root_comment",
        "A comment after the first field names nothing.",
        'id: "g"\n# proto-message: execgraph.v1.Package\n',
        SMALL,
    )
    add(
        "producer_kept",
        "The producer is kept.",
        'header { producer { name: "hand" } }\n',
        join(header(field("Header.producer", field("Producer.name", "hand")))),
    )
    add(
        "sets_shuffled",
        "Sets in another order.",
        'parameters { id: "b" }\nparameters: [{ id: "a" }]\n',
        binary_graph(parameter("a"), parameter("b")),
    )
    add(
        "brackets_in_strings",
        "Brackets in strings and comments are no levels.",
        f'id: "{"{" * 200}" # {"{" * 200}\n',
        binary_graph(graph_id("{" * 200)),
    )
    return group


def _text_refused() -> Group:
    group = Group("text/refused")

    def add(name: str, description: str, text: str | bytes, code: str, path: str = "") -> None:
        group.add(name, description, text, Refused(code, path), form=TEXT)

    malformed = "text.malformed"
    add("unknown_field", "An unknown field.", 'label: "g"\n', malformed)
    add(
        "unknown_enum_name",
        "An unknown name of an enum value.",
        "visibility_model: VISIBILITY_MODEL_NEW\n",
        malformed,
    )
    add(
        "json_name",
        "A field as JSON names it.",
        "visibilityModel: VISIBILITY_MODEL_EDGES_CARRY_ALL\n",
        malformed,
    )
    add("open_brace", "A bracket that is not closed.", 'body { nodes { id: "n" }\n', malformed)
    add("closing_brace", "A bracket that is not opened.", 'id: "g" }\n', malformed)
    add("string_open", "A string that does not end.", 'id: "g\n', malformed)
    add("out_of_range", "2^64.", "maximum_node_executions: 18446744073709551616\n", malformed)
    add(
        "enum_out_of_range",
        "An enum value of 2^64 - 1.",
        "visibility_model: 18446744073709551615\n",
        malformed,
    )
    add("negative", "-1 in an unsigned field.", "maximum_node_executions: -1\n", malformed)
    add("duplicate_field", "Two ids.", 'id: "a" id: "b"\n', malformed)
    add(
        "two_arms",
        "Two operations at once.",
        "body { nodes { operation { barrier {} fill {} } } }\n",
        malformed,
    )
    add("bad_utf8", "The byte FF.", b'id: "\xff"\n', malformed)
    add("byte_order_mark", "A byte order mark.", '\ufeffid: "g"\n', malformed)
    add("nul_in_comment", "NUL in a comment.", '# a\0b\nid: "g"\n', malformed)
    add(
        "file_separator",
        "U+001C between two tokens, which some languages take for white space.",
        'id:\x1c"g"\n',
        malformed,
    )
    add("escape_in_string", "U+001B in a string.", 'id: "\x1b[0m"\n', malformed)
    add("noncharacter", "A noncharacter.", 'id: "\ufffe"\n', "wire.noncharacter", "id")
    add(
        "unknown_enum_number",
        "An unknown number of an enum value.",
        "visibility_model: 99\n",
        "canonical.unknown-enum-value",
        "visibility_model",
    )
    add("empty_message", "An empty body.", "body {}\n", "canonical.empty-message", "body")
    add(
        "empty_by_defaults",
        "A parameter with nothing but a default.",
        "parameters { minimum: 0 }\n",
        "canonical.empty-message",
        "parameters[0]",
    )
    add(
        "duplicate_key",
        "Two parameters of one id; positions are those of the input.",
        'parameters { id: "b" }\nparameters { id: "a" }\nparameters { id: "b" minimum: 1 }\n',
        "canonical.duplicate-key",
        "parameters[2]",
    )
    group.add(
        "another_kind",
        "The caller expects a package, and nothing says that this is one.",
        'id: "g"\n',
        Refused("header.kind-mismatch", "header.kind"),
        form=TEXT,
        expected_kind="Package",
    )
    add(
        "unknown_root",
        "A root message that is none.",
        '# proto-message: execgraph.v1.Region\nnodes { id: "n" }\n',
        "header.unknown-kind",
        "header.kind",
    )
    add(
        "deep",
        "Nested deeper than 96 messages.",
        "body {" + "nodes {operation {conditional {then_region {" * 30 + "}}}}" * 30 + "}\n",
        "limit.message-depth",
    )
    group.add(
        "deep_angle_brackets",
        "Nested in the other kind of brackets.",
        "body <nodes <operation <>>>\n",
        Refused("limit.message-depth", ""),
        form=TEXT,
        message_depth=3,
    )
    group.add(
        "document_bytes",
        "One byte too many.",
        'id: "g"\n',
        Refused("limit.document-bytes", ""),
        form=TEXT,
        document_bytes=7,
    )
    return group


def _detection() -> Group:
    group = Group("detection")
    add = group.add
    small = Accepted(SMALL.data)
    add(
        "binary",
        "A binary document begins with its header's tag, and the header with the kind's.",
        SMALL,
        small,
        form=DETECTED,
    )
    add("json", "JSON begins with a bracket.", graph('"id":"g"'), small, form=DETECTED)
    add(
        "json_white_space",
        "JSON begins with a bracket, after white space.",
        "\n\t " + graph('"id":"g"'),
        small,
        form=DETECTED,
    )
    add(
        "json_newline_then_tag",
        "A newline is the tag of field 1; only with the kind's tag behind it is it binary.",
        "\n" + graph('"id":"g"'),
        small,
        form=DETECTED,
    )
    add(
        "json_byte_order_mark",
        "JSON with a byte order mark is JSON, and refused as such.",
        "◆\ufeff" + graph('"id":"g"'),
        Refused("json.byte-order-mark", ""),
        form=DETECTED,
    )
    add("text", "Text begins with a letter.", 'id: "g"\n', small, form=DETECTED)
    add("text_comment", "Text begins with a comment.", '# A graph.\nid: "g"\n', small, form=DETECTED)
    missing = Refused("header.missing", "header")
    add("nothing", "Nothing is a binary document without header.", HERE, missing, form=DETECTED)
    add(
        "white_space",
        "White space is a binary document without header.",
        join(HERE, b" \t\r "),
        missing,
        form=DETECTED,
    )
    add("json_array", "An array is no document in any encoding.", join(HERE, b"[]"), missing, form=DETECTED)
    add("other_binary", "Some other file.", join(HERE, b"\x7fELF\x02\x01\x01\0"), missing, form=DETECTED)
    add(
        "no_kind",
        "A binary header that does not begin with the kind.",
        join(HERE, delimited(1, field("Header.schema_major", 1))),
        Refused("header.unknown-kind", "header.kind"),
        form=DETECTED,
    )
    add(
        "json_as_binary",
        "JSON that the caller calls binary.",
        join(HERE, graph('"id":"g"').encode()),
        missing,
        form=BINARY,
    )
    add(
        "binary_as_json",
        "Binary that the caller calls JSON.",
        b"\n\r\xe2\x97\x86" + SMALL.data[2:],
        Refused("json.syntax", ""),
        form=JSON,
    )
    return group
