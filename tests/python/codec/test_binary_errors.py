"""What reading binary refuses: code, path and offset, in the order of docs/canonical-form.md."""

from __future__ import annotations

import pytest

from interlock.codec import Encoding, decode
from interlock.errors import CodecError
from interlock.limits import DEFAULT_LIMITS, Limits
from wire_bytes import GROUP, I32, I64, LEN, VARINT, header, number, tag, text, varint

HEADER = header()
AT = len(HEADER)
ID = text(2, "g")


def resource(name: str, content: bytes = b"") -> bytes:
    return text(5, text(1, name) + content)


def body(*nodes: bytes) -> bytes:
    return text(8, b"".join(text(1, node) for node in nodes))


def node(name: str, operation: bytes = b"") -> bytes:
    return text(1, name) + (text(3, operation) if operation else b"")


EXTENT = number(1, 2)
BARRIER = text(4, b"")

# (what stands behind the header, code, path, offset behind the header)
CONTENT = {
    "tag-cut": (b"\x80", "wire.truncated", "", 0),
    "tag-of-eleven-bytes": (b"\x80" * 10, "wire.varint-overflow", "", 0),
    "tag-beyond-64-bits": (b"\xff" * 9 + b"\x02", "wire.varint-overflow", "", 0),
    "tag-overlong": (b"\x92\x00\x01g", "canonical.overlong-varint", "", 0),
    "tag-of-number-0": (b"\x02\x00", "wire.invalid-tag", "", 0),
    "tag-of-type-6": (b"\x16", "wire.invalid-tag", "", 0),
    "tag-beyond-32-bits": (varint(1 << 32 | 2), "wire.invalid-tag", "", 0),
    "group": (tag(2, GROUP), "wire.group", "", 0),
    "unknown": (ID + number(99, 1), "canonical.unknown-field", "", len(ID)),
    "unknown-in-element": (resource("r", number(99, 1)), "canonical.unknown-field", "resources[0]", 5),
    "second-header": (HEADER, "header.duplicate", "header", 0),
    "unpacked": (
        body(node("n", text(1, text(6, number(2, 64))))),
        "canonical.unpacked-list",
        "body.nodes[0].operation.dispatch.geometry.workgroup_size",
        13,
    ),
    "number-for-text": (number(2, 1), "wire.wrong-type", "id", 0),
    "fixed-for-varint": (tag(9, I32) + bytes(4), "wire.wrong-type", "visibility_model", 0),
    "fixed-for-element": (resource("r") + tag(5, I64) + bytes(8), "wire.wrong-type", "resources[1]", 5),
    "descending": (number(9, 1) + ID, "canonical.field-order", "id", 2),
    "twice": (ID + ID, "canonical.duplicate-field", "id", 3),
    "two-arms": (
        body(text(3, text(4, b"") + text(6, b""))),
        "canonical.duplicate-oneof",
        "body.nodes[0].operation.repeat",
        8,
    ),
    "list-in-two": (
        text(6, text(1, "v") + text(6, varint(2)) + text(6, varint(4))),
        "canonical.split-list",
        "views[0].byte_strides",
        8,
    ),
    "length-cut": (tag(2, LEN) + b"\x80", "wire.truncated", "id", 0),
    "length-past-the-end": (tag(2, LEN) + b"\x05abc", "wire.truncated", "id", 0),
    "length-past-its-message": (resource("r", b"\x22\x7f"), "wire.truncated", "resources[0].placement", 5),
    "length-overflow": (tag(2, LEN) + b"\xff" * 10, "wire.varint-overflow", "id", 0),
    "length-overlong": (tag(2, LEN) + b"\x81\x00g", "canonical.overlong-varint", "id", 0),
    "value-cut": (tag(9, VARINT) + b"\x81", "wire.truncated", "visibility_model", 0),
    "value-overflow": (
        tag(10, VARINT) + b"\xff" * 9 + b"\x02",
        "wire.varint-overflow",
        "maximum_node_executions",
        0,
    ),
    "value-overlong": (tag(9, VARINT) + b"\x81\x00", "canonical.overlong-varint", "visibility_model", 0),
    "element-cut": (text(6, text(1, "v") + text(6, b"\x80")), "wire.truncated", "views[0].byte_strides", 5),
    "boolean-2": (resource("r", number(3, 2)), "wire.value-out-of-range", "resources[0].consumed", 5),
    "33-bits": (
        header(4) + text(5, text(1, "g") + number(2, 1 << 32)),
        "wire.value-out-of-range",
        "groups[0].stage",
        -AT + len(header(4)) + 5,
    ),
    "unknown-value": (number(9, 7), "canonical.unknown-enum-value", "visibility_model", 0),
    "value-beyond-32-bits": (number(9, 1 << 32 | 1), "canonical.unknown-enum-value", "visibility_model", 0),
    "default-number": (number(9, 0), "canonical.default-value", "visibility_model", 0),
    "default-text": (text(2, ""), "canonical.default-value", "id", 0),
    "not-utf8": (text(2, b"a\xff"), "wire.invalid-utf8", "id", 0),
    "surrogate": (text(2, b"\xed\xa0\x80"), "wire.invalid-utf8", "id", 0),
    "noncharacter": (text(2, "\U0001fffe"), "wire.noncharacter", "id", 0),
    "empty-list": (text(6, text(1, "v") + text(6, b"")), "canonical.empty-list", "views[0].byte_strides", 5),
    "empty-element": (text(5, b""), "canonical.empty-message", "resources[0]", 0),
    "empty-field": (text(8, b""), "canonical.empty-message", "body", 0),
    "unsorted": (resource("b") + resource("a"), "canonical.unsorted-set", "resources[1]", 5),
    "same-key": (resource("a") + resource("a", number(2, 1)), "canonical.duplicate-key", "resources[1]", 5),
    "unsorted-strings": (
        body(text(1, "n") + text(2, "b") + text(2, "a")),
        "canonical.unsorted-set",
        "body.nodes[0].depends_on[1]",
        10,
    ),
}


def refused(
    data: bytes, limits: Limits = DEFAULT_LIMITS, *, canonicalize: bool = False
) -> tuple[str, str, int | None]:
    with pytest.raises(CodecError) as caught:
        decode(data, encoding=Encoding.BINARY, limits=limits, canonicalize=canonicalize)
    return caught.value.code, str(caught.value.path), caught.value.byte_offset


@pytest.mark.parametrize("case", CONTENT)
def test_content_is_refused_at_its_place(case: str):
    content, code, path, offset = CONTENT[case]
    data = content if content.startswith(header(4)) else HEADER + content
    assert refused(data) == (code, path, AT + offset)


@pytest.mark.parametrize(
    ("data", "code", "path", "offset"),
    [
        (b"", "header.missing", "header", 0),
        (ID, "header.missing", "header", 0),
        (b"\x80", "header.missing", "header", 0),
        (number(1, 1), "header.missing", "header", 0),
        (b"\x0a\x05\x08\x01", "wire.truncated", "header", 0),
        (b"\x0a\x80", "wire.truncated", "header", 0),
        (b"\x0a" + b"\xff" * 10, "wire.varint-overflow", "header", 0),
        (text(1, b"\x80"), "wire.truncated", "header", 2),
        (text(1, b"\x08"), "wire.truncated", "header.kind", 2),
        (text(1, text(1, "")), "wire.wrong-type", "header.kind", 2),
        (text(1, number(1, 1) + number(2, 1 << 32)), "wire.value-out-of-range", "header.schema_major", 4),
        (text(1, text(5, b"\xff")), "wire.invalid-utf8", "header.required_features[0]", 2),
        (text(1, text(5, "a") + text(5, "\ufdd0")), "wire.noncharacter", "header.required_features[1]", 5),
        (text(1, tag(4, LEN) + b"\x09"), "wire.truncated", "header", 2),
        (text(1, tag(9, GROUP)), "wire.group", "header", 2),
        (text(1, b"\x00"), "wire.invalid-tag", "header", 2),
        (header(major=2), "version.unknown-major", "header.schema_major", 4),
        (text(1, number(1, 1)), "version.unknown-major", "header.schema_major", 0),
        (
            header(features=("draft-1", "draft-2")),
            "version.unknown-feature",
            "header.required_features[1]",
            15,
        ),
        (header(minor=1), "version.newer-minor", "header.schema_minor", 6),
        (header(9), "header.unknown-kind", "header.kind", 2),
        (text(1, number(2, 1)), "header.unknown-kind", "header.kind", 0),
        (header(1 << 32 | 1), "header.unknown-kind", "header.kind", 2),
        (header(features=()), "canonical.required-features", "header.required_features", 0),
    ],
)
def test_a_header_is_judged_before_the_rest(data: bytes, code: str, path: str, offset: int):
    assert refused(data) == (code, path, offset)
    if code.startswith(("version", "header")) and data.startswith(b"\x0a"):
        assert refused(data + b"\xff") == (code, path, offset)


def test_unknown_fields_of_a_newer_header_do_not_hide_its_version():
    newer = text(
        1, number(1, 1) + number(2, 1) + number(3, 5) + tag(60, I64) + bytes(8) + tag(61, I32) + bytes(4)
    )
    assert refused(newer) == ("version.newer-minor", "header.schema_minor", 6)


def test_of_a_repeated_version_the_last_one_counts():
    assert refused(text(1, number(1, 1) + number(2, 2) + number(2, 1)))[0] == "canonical.duplicate-field"


def test_another_kind_than_expected_is_refused():
    with pytest.raises(CodecError) as caught:
        decode(HEADER, expected_kind="Package")
    assert (caught.value.code, str(caught.value.path), caught.value.byte_offset) == (
        "header.kind-mismatch",
        "header.kind",
        2,
    )
    assert decode(HEADER, expected_kind="ExecutionGraph").kind == "ExecutionGraph"


@pytest.mark.parametrize(
    ("limits", "content", "code", "path", "offset"),
    [
        (Limits(string_bytes=7), text(2, b"\xff" * 8), "limit.string-bytes", "id", 0),
        (
            Limits(repeated_elements=1),
            resource("a") + resource("b"),
            "limit.repeated-elements",
            "resources[1]",
            5,
        ),
        (
            Limits(repeated_elements=1),
            text(6, text(1, "v") + text(6, b"\x02\x80")),
            "limit.repeated-elements",
            "views[0].byte_strides",
            5,
        ),
        (Limits(message_depth=2), body(node("n")), "limit.message-depth", "body.nodes[0]", 2),
    ],
)
def test_a_limit_is_met_before_what_it_bounds(
    limits: Limits, content: bytes, code: str, path: str, offset: int
):
    assert refused(HEADER + content, limits) == (code, path, AT + offset)


def test_the_size_is_judged_first():
    assert refused(b"\xff" * 9, Limits(document_bytes=8)) == ("limit.document-bytes", "", None)


def test_canonicalizing_mends_what_needs_no_choice():
    untidy = b"".join(
        [
            HEADER,
            tag(9, VARINT) + b"\x81\x00",
            b"\x92\x00\x81\x80\x00g",
            number(10, 0),
            resource("b", number(2, 0)),
            resource("a"),
            text(6, text(1, "v") + number(6, 2) + text(6, b"") + text(6, varint(4, 3))),
        ]
    )
    tidy = (
        HEADER
        + ID
        + resource("a")
        + resource("b")
        + text(6, text(1, "v") + text(6, b"\x02\x04"))
        + number(9, 1)
    )
    assert decode(untidy, encoding=Encoding.BINARY, canonicalize=True).binary == tidy
    assert decode(tidy, canonicalize=True).binary == tidy


@pytest.mark.parametrize(
    ("header_bytes", "content"),
    [(header(features=()), b""), (text(1, number(2, 1) + number(1, 1)), b""), (HEADER, number(9, 0))],
)
def test_canonicalizing_computes_the_header(header_bytes: bytes, content: bytes):
    assert decode(header_bytes + content, encoding=Encoding.BINARY, canonicalize=True).binary == HEADER


@pytest.mark.parametrize(
    ("content", "code", "path", "offset"),
    [
        (resource("b") + resource("a") + resource("b"), "canonical.duplicate-key", "resources[2]", 10),
        (text(8, text(1, text(1, ""))), "canonical.empty-message", "body.nodes[0]", 2),
        (text(6, text(6, b"")), "canonical.empty-message", "views[0]", 0),
        (ID + ID, "canonical.duplicate-field", "id", 3),
        (number(9, 7), "canonical.unknown-enum-value", "visibility_model", 0),
        (number(99, 7), "canonical.unknown-field", "", 0),
    ],
)
def test_canonicalizing_refuses_what_needs_a_choice(content: bytes, code: str, path: str, offset: int):
    assert refused(HEADER + content, canonicalize=True) == (code, path, AT + offset)


def test_canonicalizing_compares_keys_in_canonical_form():
    """Spans are keyed by all they hold, and equal ones may spell their own sets in different orders."""
    first = text(1, text(1, "a") + text(1, "b"))
    second = text(1, text(1, "b") + text(1, "a"))
    lifetime = resource("r", text(10, first + second))
    assert refused(HEADER + lifetime, canonicalize=True) == (
        "canonical.duplicate-key",
        "resources[0].lifetime.spans[1]",
        AT + 7 + len(first),
    )


def nested_regions(count: int) -> bytes:
    """Return the content of a region with `count` regions inside each other."""
    region = b""
    for _ in range(count):
        region = text(1, text(1, "n") + text(3, text(6, text(1, region) if region else b"")))
    return region


@pytest.mark.parametrize("canonicalize", [False, True])
def test_hostile_nesting_ends_at_the_limit(canonicalize: bool):
    code, path, _ = refused(HEADER + text(8, nested_regions(1500)), canonicalize=canonicalize)
    assert code == "limit.message-depth"
    assert path == ".".join(["body.nodes[0].operation.repeat"] * 24)


def test_the_libraries_set_the_deepest_limit():
    content = text(8, nested_regions(30))
    code, path, _ = refused(HEADER + content, Limits(message_depth=10_000))
    assert (code, path.count(".")) == ("limit.message-depth", 99)
    decode(HEADER + text(8, nested_regions(24)), limits=Limits(message_depth=10_000))
