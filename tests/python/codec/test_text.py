"""The text format: what is read, what is refused, what is written."""

from __future__ import annotations

import pytest

from execgraph.v1 import graph_pb2, package_pb2
from interlock.codec import Encoding, decode, encode, encode_text
from interlock.errors import CodecError
from interlock.limits import DEFAULT_LIMITS, Limits


def refused(
    text: str | bytes, limits: Limits = DEFAULT_LIMITS, **options: str
) -> tuple[str, str, int | None]:
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises(CodecError) as caught:
        decode(data, encoding=Encoding.TEXT, limits=limits, **options)
    return caught.value.code, str(caught.value.path), caught.value.byte_offset


@pytest.mark.parametrize(
    "text",
    [
        b'id: "\xff"',
        b'\xef\xbb\xbfid: "g"',
        "nothing: 1",
        "id: 1",
        'id: "a" id: "b"',
        "body {",
        'id: "\0"',
        '# \x1c\nid: "g"',
        r'id: "\s"',
        "visibility_model: 18446744073709551616",
        "[type.googleapis.com/execgraph.v1.Package] { }",
    ],
)
def test_what_the_parser_refuses_has_no_place(text: str | bytes):
    assert refused(text) == ("text.malformed", "", None)


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        ('id: "\ufdd0"', "wire.noncharacter", "id"),
        ("visibility_model: 7", "canonical.unknown-enum-value", "visibility_model"),
        ("body { }", "canonical.empty-message", "body"),
        ("body { nodes { } }", "canonical.empty-message", "body.nodes[0]"),
        (
            'resources { id: "b" } resources { id: "a" } resources { id: "b" role: 1 }',
            "canonical.duplicate-key",
            "resources[2]",
        ),
        (
            'resources { lifetime { spans { begins: ["a", "b"] } spans { begins: ["b", "a"] } } }',
            "canonical.duplicate-key",
            "resources[0].lifetime.spans[1]",
        ),
        # Fields by number, whatever the order of the input; what is inside an element before the element
        # itself.
        (
            "body { } resources { type { element: 99 } }",
            "canonical.unknown-enum-value",
            "resources[0].type.element",
        ),
        ("resources { type { } }", "canonical.empty-message", "resources[0].type"),
    ],
)
def test_what_is_no_document_is_refused_by_path(text: str, code: str, path: str):
    assert refused(text) == (code, path, None)


@pytest.mark.parametrize("text", ["# proto-message: execgraph.v1.Node", "# proto-message: Package"])
def test_a_root_message_that_no_kind_names_is_unknown(text: str):
    assert refused(text) == ("header.unknown-kind", "header.kind", None)


def test_the_root_message_is_stated_by_the_caller_or_the_input():
    named = b'# A comment.\n\n#proto-message: execgraph.v1.Package\nid: "p"'
    assert decode(named).kind == "Package"
    assert decode(b'id: "g"').kind == "ExecutionGraph"
    assert decode(b'id: "p"', encoding=Encoding.TEXT, root_message="execgraph.v1.Package").kind == "Package"
    assert decode(b'id: "p" # proto-message: execgraph.v1.Package').kind == "ExecutionGraph"
    assert refused(named, expected_kind="ExecutionGraph") == ("header.kind-mismatch", "header.kind", None)


def test_depth_counts_brackets_outside_strings_and_comments():
    text = '# {{{{\nbody { nodes < id: "{{{{" operation { barrier { } } > }'
    assert decode(text.encode(), limits=Limits(message_depth=5)).kind == "ExecutionGraph"
    assert refused(text, Limits(message_depth=4)) == ("limit.message-depth", "", None)
    assert refused("body { nodes { " * 50_000) == ("limit.message-depth", "", None)
    assert refused('id: "\\s" body { nodes { } }', Limits(message_depth=2)) == (
        "limit.message-depth",
        "",
        None,
    )


def test_the_header_is_computed_whatever_the_input_says():
    plain = decode(b'id: "g"')
    stated = decode(b'header { kind: 2 schema_major: 9 schema_minor: 9 required_features: "x" } id: "g"')
    assert stated.binary == plain.binary
    assert decode(plain.binary).binary == plain.binary


def test_text_names_its_type_and_reads_back():
    message = package_pb2.Package(id='p\n"é')
    message.graphs.add(id="b").source.embedded = b"\0\xff"
    message.graphs.add(id="a").source.embedded = b""
    text = encode_text(message)
    assert text.splitlines()[0] == "# proto-message: execgraph.v1.Package"
    assert decode(text.encode()).binary == encode(message)
    assert encode_text(decode(text.encode()).message) == text


def test_text_of_a_graph_is_the_same_in_any_order_of_its_sets():
    forth, back = graph_pb2.ExecutionGraph(), graph_pb2.ExecutionGraph()
    for name in "abc":
        forth.resources.add(id=name)
    for name in "cba":
        back.resources.add(id=name)
    assert encode_text(forth) == encode_text(back)
