"""What is no JSON, or no document of the format, is refused before anything is mapped."""

from __future__ import annotations

import json

import pytest

from interlock.errors import ImportFailure
from interlock.interop.crosstl import import_crosstl
from interlock.limits import Limits
from interop.crosstl_support import base, imported, refusals, spoiled

LAYOUT = "resources/0/physicalLayout"

STRUCTURE: list[tuple[str, object, str, str]] = [
    ("id", ..., "crosstl.malformed", ""),
    ("id", 3, "crosstl.malformed", "id"),
    ("extra", 1, "crosstl.malformed", ""),
    ("kind", "crosstl-runtime-package", "crosstl.unknown-kind", "kind"),
    ("schemaVersion", 2, "crosstl.unsupported-version", "schemaVersion"),
    ("schemaVersion", "1", "crosstl.malformed", "schemaVersion"),
    ("schemaVersion", True, "crosstl.malformed", "schemaVersion"),
    ("resources", {}, "crosstl.malformed", "resources"),
    ("resources/0", [], "crosstl.malformed", "resources[0]"),
    ("resources/0/shape", [1, "2"], "crosstl.malformed", "resources[0].shape[1]"),
    ("resources/0/shape", [1.5], "crosstl.malformed", "resources[0].shape[0]"),
    ("resources/0/physicalLayout", None, "crosstl.malformed", "resources[0].physicalLayout"),
    (f"{LAYOUT}/byteLength", "16", "crosstl.malformed", "resources[0].physicalLayout.byteLength"),
    (f"{LAYOUT}/stride", 4, "crosstl.malformed", "resources[0].physicalLayout"),
    ("resources/1/lifetime", {"firstNode": "a"}, "crosstl.malformed", "resources[1].lifetime"),
    ("nodes/1/barrier", [], "crosstl.malformed", "nodes[1].barrier"),
    (
        "nodes/0/dispatch/bindings/in",
        {"access": "read"},
        "crosstl.malformed",
        'nodes[0].dispatch.bindings["in"]',
    ),
    ("nodes/3/fill/value", ..., "crosstl.malformed", "nodes[3].fill"),
    ("provenance", [], "crosstl.malformed", "provenance"),
    ("provenance", {"a": {"b": float("nan")}}, "json.number-out-of-range", "provenance.a.b"),
    ("provenance", {"a": ["", "\ud800"]}, "json.lone-surrogate", "provenance.a[1]"),
    ("provenance", {"a": {1}}, "crosstl.malformed", "provenance.a"),
    ("provenance", {1: 2}, "crosstl.malformed", "provenance"),
]


@pytest.mark.parametrize(("place", "value", "code", "path"), STRUCTURE)
def test_a_document_of_another_structure_is_refused(place: str, value: object, code: str, path: str):
    assert refusals(spoiled((place, value))) == [(code, path)]


def test_every_violation_of_the_structure_is_reported():
    document = spoiled(("resources/0/bogus", 1), ("nodes/0/zzz", 1), ("nodes/2/dependsOn", "ready"))
    assert refusals(document) == [
        ("crosstl.malformed", "resources[0]"),
        ("crosstl.malformed", "nodes[0]"),
        ("crosstl.malformed", "nodes[2].dependsOn"),
    ]


def test_a_null_means_that_an_optional_member_is_absent():
    document = spoiled(
        ("nodes/3/dispatch", None), ("nodes/0/repeat", None), ("resources/0/allocationId", None)
    )
    assert imported(document) == imported(base())


def test_an_integer_may_be_written_as_a_float():
    assert imported(spoiled(("resources/0/shape", [4.0]))) == imported(base())


@pytest.mark.parametrize(
    ("text", "code", "offset"),
    [
        (b"", "json.truncated", 0),
        (b'{"kind": ', "json.truncated", 9),
        (b"{} {}", "json.trailing-bytes", 3),
        (b'{"kind": "a" "b"}', "json.syntax", 13),
        (b'{"\xc3\xa9": tru}', "json.syntax", 7),
        (b'{"kind": "\xff"}', "json.invalid-utf8", 10),
        (b"\xef\xbb\xbf{}", "json.byte-order-mark", 0),
        (b'{"kind": NaN}', "json.invalid-literal", None),
        (b'{"kind": ' + b"1" * 5000 + b"}", "json.number-out-of-range", None),
        (b"[" * 100_000, "limit.json-depth", None),
    ],
)
def test_what_is_no_json_is_refused_with_its_offset(text: bytes, code: str, offset: int | None):
    with pytest.raises(ImportFailure) as failure:
        import_crosstl(text)
    (finding,) = failure.value.diagnostics
    assert (finding.code, str(finding.path), finding.byte_offset) == (code, "", offset)


def test_a_number_beyond_double_precision_is_refused():
    text = json.dumps(base()).replace('"value": 1', '"value": 1e999').encode()
    assert refusals(text) == [("json.number-out-of-range", "nodes[3].fill.value")]


def test_a_member_that_is_written_twice_is_refused():
    text = json.dumps(base()).replace('"shape": []', '"shape": [], "shape": []').encode()
    assert refusals(text) == [("json.duplicate-key", "resources[3]"), ("json.duplicate-key", "resources[4]")]


def nested(levels: int) -> object:
    value: object = 0
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("as_text", [True, False])
@pytest.mark.parametrize(("levels", "fits"), [(254, True), (255, False), (600, False)])
def test_free_values_nest_as_deep_as_the_limit(levels: int, fits: bool, as_text: bool):
    document: object = spoiled(("provenance", {"deep": nested(levels)}))
    if as_text:
        document = json.dumps(document).encode()
    if fits:
        assert imported(document).id == "g"
    else:
        path = "provenance.deep[0]" + 253 * ".[0]"
        assert refusals(document) == [("limit.json-depth", path)]


def test_the_limits_are_the_callers():
    document = spoiled(("provenance", {"deep": nested(2)}))
    with pytest.raises(ImportFailure) as failure:
        import_crosstl(document, limits=Limits(json_depth=3))
    assert [str(finding.path) for finding in failure.value.diagnostics] == ["provenance.deep[0]"]
    with pytest.raises(ImportFailure) as failure:
        import_crosstl(json.dumps(document).encode(), limits=Limits(document_bytes=100))
    assert failure.value.code == "limit.document-bytes"


def test_values_deeper_than_the_interpreter_can_follow_are_refused():
    document = spoiled(("provenance", {"deep": nested(50_000)}))
    with pytest.raises(ImportFailure) as failure:
        import_crosstl(document, limits=Limits(json_depth=1 << 30))
    assert failure.value.code == "limit.json-depth"
