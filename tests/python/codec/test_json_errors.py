"""What reading JSON refuses: code, path and offset, as docs/canonical-form.md lists them."""

from __future__ import annotations

import json

import pytest

from interlock.codec import Encoding, decode
from interlock.errors import CodecError
from interlock.limits import DEFAULT_LIMITS, Limits

HEADER = b'{"header":{"kind":"DOCUMENT_KIND_EXECUTION_GRAPH","requiredFeatures":["draft-1"],"schemaMajor":1}'
BUNDLE = (
    b'{"header":{"kind":"DOCUMENT_KIND_TARGET_MODULE_BUNDLE","requiredFeatures":["draft-1"],"schemaMajor":1}'
)
PACKAGE = HEADER.replace(b"EXECUTION_GRAPH", b"PACKAGE")


def refused(data: bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[str, str, int | None]:
    with pytest.raises(CodecError) as caught:
        decode(data, encoding=Encoding.JSON, limits=limits)
    return caught.value.code, str(caught.value.path), caught.value.byte_offset


# Each input holds the byte that is at fault behind `^`, which is taken out.
SYNTAX = [
    (b'{"a":"^\xff"}', "json.invalid-utf8", ""),
    (b'{"a":"^\xed\xa0\x80"}', "json.invalid-utf8", ""),
    (b"^\xef\xbb\xbf{}", "json.byte-order-mark", ""),
    (b"^", "json.truncated", ""),
    (b" \n^", "json.truncated", ""),
    (b'{"a":[1,^', "json.truncated", "a"),
    (b'{"a":[{"b":"x^', "json.truncated", "a[0].b"),
    (b'{"a":{"b^', "json.truncated", "a"),
    (b'{"a":"\\u12^', "json.truncated", "a"),
    (b'{"a":{}^', "json.truncated", ""),
    (b"{} ^x", "json.trailing-bytes", ""),
    (b'{"a":1}^{}', "json.trailing-bytes", ""),
    (b"^/**/{}", "json.comment", ""),
    (b'{^//\n"a":1}', "json.comment", ""),
    (b'{"a"^/**/:1}', "json.comment", ""),
    (b'{"a":[1^/**/]}', "json.comment", "a"),
    (b"{^a:1}", "json.unquoted-key", ""),
    (b"{^$:1}", "json.unquoted-key", ""),
    (b'{"a":{"b":1,^2:3}}', "json.unquoted-key", "a"),
    (b"{^'a':1}", "json.single-quote", ""),
    (b"{\"a\":^'b'}", "json.single-quote", "a"),
    (b'{"a":1^,}', "json.trailing-comma", ""),
    (b'{"a":[1^, ]}', "json.trailing-comma", "a"),
    (b'{"a":1,"b":2,^"a":3}', "json.duplicate-key", ""),
    (b'{"x":[{"a":1,^"\\u0061":3}]}', "json.duplicate-key", "x[0]"),
    (b'{"a":"^\n"}', "json.control-character", "a"),
    (b'{"a":"^\\x"}', "json.invalid-escape", "a"),
    (b'{"a":"^\\u12g4"}', "json.invalid-escape", "a"),
    (b'{"^\\x":1}', "json.invalid-escape", ""),
    (b'{"a":"^\\ud800"}', "json.lone-surrogate", "a"),
    (b'{"a":"^\\ud800\\u0041"}', "json.lone-surrogate", "a"),
    (b'{"a":"^\\udc00"}', "json.lone-surrogate", "a"),
    (b'{"a":"\\ud800^\\u12"}', "json.invalid-escape", "a"),
    ('{"a":"é^\ufdd0"}'.encode(), "json.noncharacter", "a"),
    (b'{"a":"^\\uffff"}', "json.noncharacter", "a"),
    (b'{"a":"^\\ud83f\\udffe"}', "json.noncharacter", "a"),
    ('{"b":{"^\U0010ffff":1}}'.encode(), "json.noncharacter", "b"),
    *[
        (b'{"a":[^' + number + b"]}", "json.number-spelling", "a[0]")
        for number in (
            b"1.0",
            b"1e2",
            b"-0",
            b"01",
            b"+1",
            b".5",
            b"-",
            b"1E+2",
            b"0x1F",
            b"-Infinity",
            b"1.",
        )
    ],
    (b'{"a":^NaN}', "json.invalid-literal", "a"),
    (b'{"a":[0,^Infinity]}', "json.invalid-literal", "a[1]"),
    (b'{"a":^True}', "json.invalid-literal", "a"),
    (b'{"a":^nulls}', "json.invalid-literal", "a"),
    (b'{"a":^tru', "json.invalid-literal", "a"),
    (b'{"a" ^1}', "json.syntax", ""),
    (b'{"a":1 ^"b":2}', "json.syntax", ""),
    (b'{"a":[^,1]}', "json.syntax", "a"),
    (b'{"a":^}', "json.syntax", ""),
    (b'{"a":[[0,[1 ^2]]]}', "json.syntax", "a[0][1]"),
    (b"[^}", "json.syntax", ""),
    (b"^@", "json.syntax", ""),
    (b'{"a b":{"c":[^}]}}', "json.syntax", "?.c"),
]


@pytest.mark.parametrize(("marked", "code", "path"), SYNTAX)
def test_syntax_is_refused_at_its_place(marked: bytes, code: str, path: str):
    data = marked.replace(b"^", b"", 1)
    assert refused(data) == (code, path, marked.index(b"^"))


def test_depth_is_limited_without_recursion():
    assert refused(b'{"a":' * 5, Limits(json_depth=3)) == ("limit.json-depth", "a.a.a", 15)
    assert refused(b"[" * 3_000_000) == ("limit.json-depth", "[0]" * 256, 256)


HEADERS = [
    (b"^[]", "json.wrong-type", ""),
    (b'^"x"', "json.wrong-type", ""),
    (b"^{}", "header.missing", "header"),
    (b'^{"header":null}', "header.missing", "header"),
    (b'{"header":{"kind":^1}}', "json.wrong-type", "header.kind"),
    (b'{"header":{"kind":^null}}', "json.wrong-type", "header.kind"),
    (b'{"header":{"schemaMajor":^"1"}}', "json.wrong-type", "header.schema_major"),
    (b'{"header":{"requiredFeatures":^{}}}', "json.wrong-type", "header.required_features"),
    (b'{"header":{"requiredFeatures":["a",^0]}}', "json.wrong-type", "header.required_features[1]"),
    (b'{"x":1,"header":^{}}', "version.unknown-major", "header.schema_major"),
    (
        b'{"header":{"schemaMajor":^10000000000000000000000000000000000000000}}',
        "version.unknown-major",
        "header.schema_major",
    ),
    (b'{"header":{"schemaMajor":^-1}}', "version.unknown-major", "header.schema_major"),
    (
        b'{"header":{"schemaMajor":1,"requiredFeatures":["draft-1",^"draft-2"]}}',
        "version.unknown-feature",
        "header.required_features[1]",
    ),
    (b'{"header":{"schemaMajor":1,"schemaMinor":^1}}', "version.newer-minor", "header.schema_minor"),
    (b'{"header":^{"schemaMajor":1}}', "header.unknown-kind", "header.kind"),
    (
        b'{"header":{"schemaMajor":1,"kind":^"DOCUMENT_KIND_UNSPECIFIED"}}',
        "header.unknown-kind",
        "header.kind",
    ),
    (
        b'{"header":^{"schemaMajor":1,"kind":"DOCUMENT_KIND_PACKAGE"}}',
        "canonical.required-features",
        "header.required_features",
    ),
]


@pytest.mark.parametrize(("marked", "code", "path"), HEADERS)
def test_a_header_is_judged_before_the_content(marked: bytes, code: str, path: str):
    assert refused(marked.replace(b"^", b"", 1)) == (code, path, marked.index(b"^"))


CONTENT = [
    (b',^"maximum_node_executions":"1"}', "json.proto-name", ""),
    (b',^"nothing":null}', "json.unknown-field", ""),
    (b',"body":{"nodes":[{^"x":1}]}}', "json.unknown-field", "body.nodes[0]"),
    (b',"id":^null}', "json.null", "id"),
    (b',"resources":[^null]}', "json.null", "resources[0]"),
    (b',"resources":^null}', "json.null", "resources"),
    (b',"id":^1}', "json.wrong-type", "id"),
    (b',"resources":^{}}', "json.wrong-type", "resources"),
    (b',"resources":[^[]]}', "json.wrong-type", "resources[0]"),
    (b',"maximumNodeExecutions":^1}', "json.wrong-type", "maximum_node_executions"),
    (b',"visibilityModel":^1}', "json.wrong-type", "visibility_model"),
    (b',"resources":[{"id":"r","consumed":^"true"}]}', "json.wrong-type", "resources[0].consumed"),
    (b',"resources":[{"id":"r","consumed":^1}]}', "json.wrong-type", "resources[0].consumed"),
    (b',"maximumNodeExecutions":^"01"}', "json.number-spelling", "maximum_node_executions"),
    (b',"maximumNodeExecutions":^" 1"}', "json.number-spelling", "maximum_node_executions"),
    (b',"maximumNodeExecutions":^"1_0"}', "json.number-spelling", "maximum_node_executions"),
    (b',"maximumNodeExecutions":^"-1"}', "json.number-out-of-range", "maximum_node_executions"),
    (
        b',"maximumNodeExecutions":^"18446744073709551616"}',
        "json.number-out-of-range",
        "maximum_node_executions",
    ),
    (
        b',"maximumNodeExecutions":^"' + b"9" * 5000 + b'"}',
        "json.number-out-of-range",
        "maximum_node_executions",
    ),
    (b',"visibilityModel":^"EDGES_CARRY_ALL"}', "json.unknown-enum-value", "visibility_model"),
    (
        b',"body":{"nodes":[{"operation":{"barrier":{},^"fill":0}}]}}',
        "json.duplicate-oneof",
        "body.nodes[0].operation.fill",
    ),
    (b',"body":^{}}', "canonical.empty-message", "body"),
    (b',"body":^{"nodes":[]}}', "canonical.empty-message", "body"),
    (b',"resources":[^{"id":""}]}', "canonical.empty-message", "resources[0]"),
    (b',"resources":[{"id":"b"},{"id":"a"},^{"id":"b"}]}', "canonical.duplicate-key", "resources[2]"),
    (
        b',"resources":[{"id":"r","lifetime":{"spans":[{"begins":["a","b"]},^{"begins":["b","a"]}]}}]}',
        "canonical.duplicate-key",
        "resources[0].lifetime.spans[1]",
    ),
]


@pytest.mark.parametrize(("marked", "code", "path"), CONTENT)
def test_content_is_refused_at_its_place(marked: bytes, code: str, path: str):
    assert refused(HEADER + marked.replace(b"^", b"", 1)) == (code, path, len(HEADER) + marked.index(b"^"))


@pytest.mark.parametrize(
    ("marked", "code", "path"),
    [
        (b',"modules":[{"stage":^"1"}]}', "json.wrong-type", "modules[0].stage"),
        (b',"modules":[{"stage":^4294967296}]}', "json.number-out-of-range", "modules[0].stage"),
        (b',"modules":[{"stage":^-1}]}', "json.number-out-of-range", "modules[0].stage"),
    ],
)
def test_numbers_of_32_bits_are_numbers(marked: bytes, code: str, path: str):
    assert refused(BUNDLE + marked.replace(b"^", b"", 1)) == (code, path, len(BUNDLE) + marked.index(b"^"))


@pytest.mark.parametrize("text", [b"A", b"AA", b"AA=", b"AB==", b"AA==\\n", b"A-==", b"AA == "])
def test_base64_has_one_spelling(text: bytes):
    marked = b',"graphs":[{"id":"g","source":{"embedded":^"' + text + b'"}}]}'
    assert refused(PACKAGE + marked.replace(b"^", b"", 1)) == (
        "json.invalid-base64",
        "graphs[0].source.embedded",
        len(PACKAGE) + marked.index(b"^"),
    )


def test_null_in_the_header_is_null_where_it_is_not_judged():
    data = HEADER[:-1] + b',"producer":null}}'
    assert refused(data) == ("json.null", "header.producer", data.index(b"null"))


@pytest.mark.parametrize(
    ("limits", "marked", "code", "path"),
    [
        (Limits(string_bytes=29), ',"id":^"' + "é" * 15 + '"}', "limit.string-bytes", "id"),
        (
            Limits(repeated_elements=1),
            ',"resources":[{"id":"a"},^null]}',
            "limit.repeated-elements",
            "resources[1]",
        ),
        (Limits(message_depth=2), ',"body":{"nodes":[^{"x":1}]}}', "limit.message-depth", "body.nodes[0]"),
    ],
)
def test_a_limit_is_met_before_what_it_bounds(limits: Limits, marked: str, code: str, path: str):
    at = len(HEADER) + len(marked[: marked.index("^")].encode())
    assert refused(HEADER + marked.replace("^", "", 1).encode(), limits) == (code, path, at)


def test_order_white_space_and_defaults_are_free():
    compact = HEADER + b',"id":"g","resources":[{"id":"a"},{"id":"b"}]}'
    document = decode(compact)
    loose = json.loads(compact)
    loose["resources"].reverse()
    loose["resources"][0] |= {
        "consumed": False,
        "alignment": "0",
        "shape": [],
        "role": "RESOURCE_ROLE_UNSPECIFIED",
    }
    spaced = json.dumps(dict(reversed(loose.items())), indent=3).encode()
    assert decode(spaced).binary == document.binary
    assert (
        document.json()
        == HEADER.replace(b'{"header"', b'{"header"') + b',"id":"g","resources":[{"id":"a"},{"id":"b"}]}'
    )


def test_the_size_is_judged_first():
    assert refused(b"\xff" * 9, Limits(document_bytes=8)) == ("limit.document-bytes", "", None)
