"""Whatever is imported comes back, for random documents in every spelling."""

from __future__ import annotations

import json

from google.protobuf.message import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import interlock
from execgraph.v1 import graph_pb2, provenance_pb2
from interlock.errors import ExportFailure, ImportFailure
from interlock.interop.crosstl import export_crosstl, import_crosstl
from interlock.interop.crosstl.structure import normal_form
from interop.crosstl_documents import Json, documents
from interop.crosstl_support import FOLDER, NAMES, base, imported

SLOW = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@SLOW
@given(documents())
def test_an_imported_document_comes_back_in_normal_form(document: Json):
    form, errors = normal_form(document, 256)
    assert errors == []
    try:
        result = import_crosstl(json.dumps(document).encode())
    except ImportFailure:
        return
    exported = export_crosstl(interlock.loads(interlock.loads(result.document.json()).binary))
    assert exported.decode() == json.dumps(form, indent=2) + "\n"
    assert import_crosstl(exported) == import_crosstl(form)


@SLOW
@given(documents())
def test_most_random_documents_can_be_imported(document: Json):
    expected = {"crosstl.range-out-of-bounds", "crosstl.misaligned-range"}
    assert refusals(document) <= expected


def attributes(message: Message) -> list[provenance_pb2.Attribute]:
    """Every provenance attribute of a message, at any depth."""
    found: list[provenance_pb2.Attribute] = []
    for field, value in message.ListFields():
        if field.message_type is not None:
            for element in value if not isinstance(value, Message) else [value]:
                own = isinstance(element, provenance_pb2.Attribute)
                found.extend([element] if own else attributes(element))
    return found


def refusals(document: Json) -> set[str]:
    try:
        import_crosstl(document)
    except ImportFailure as failure:
        return {finding.code for finding in failure.diagnostics}
    return set()


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(1 << 70), 1 << 70),
    st.floats(),
    st.text(max_size=3),
    st.builds(list),
    st.builds(dict),
    st.builds(list, st.just((1, 1, 1))),
    st.builds(dict, id=st.just("x")),
)


def places(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] + [inner for key, item in items for inner in places(item, (*path, key))]


def control() -> Json:
    document = base()
    document["nodes"][0]["repeat"] = {"controlInput": "n", "maxIterations": 2}
    document["nodes"][3]["condition"] = {"controlInput": "flag", "equals": True, "maxEvaluations": 1}
    return document


@SLOW
@given(st.data())
def test_a_spoiled_document_is_imported_whole_or_refused_with_findings(data: st.DataObject):
    document = control()
    for _ in range(data.draw(st.integers(1, 3))):
        *parents, last = data.draw(st.sampled_from(places(document)[1:]))
        owner = document
        for step in parents:
            owner = owner[step]
        owner[last] = data.draw(VALUES)
    try:
        result = import_crosstl(document)
    except ImportFailure:
        return
    form, _ = normal_form(document, 256)
    assert export_crosstl(result.document).decode() == json.dumps(form, indent=2) + "\n"


HINTS = sorted(
    {
        attribute.key
        for name in NAMES
        for attribute in attributes(imported((FOLDER / f"{name}.json").read_bytes()))
    }
)


def test_the_fixtures_have_every_hint():
    assert [key.removeprefix("crosstl.") for key in HINTS if not key.startswith("crosstl.view.")] == [
        "access",
        "after-access",
        "allocation-id",
        "assumed-full",
        "backing",
        "barrier-resources",
        "before-access",
        "constants",
        "control-view",
        "depends-on",
        "destination-view",
        "dispatch-provenance",
        "dtype",
        "empty-control-input",
        "fill-value",
        "invocations",
        "layout-metadata",
        "lifetime",
        "maximum-evaluations",
        "node-order",
        "provenance",
        "resource-order",
        "selector",
        "source-view",
        "stated",
        "storage-layout",
        "target-profile",
        "unstated",
        "validation-status",
    ]


FREE = st.recursive(
    VALUES, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner)
)


def test_null_in_an_imported_selector_is_an_absent_member():
    document = base()
    plain = import_crosstl(document)
    for node in document["nodes"]:
        if "dispatch" in node:
            node["dispatch"]["artifactSelector"]["variant"] = None
    assert import_crosstl(document) == plain


@SLOW
@given(st.sampled_from(NAMES), st.data())
def test_a_changed_hint_is_used_passed_over_or_refused(name: str, data: st.DataObject):
    message = graph_pb2.ExecutionGraph()
    message.CopyFrom(imported((FOLDER / f"{name}.json").read_bytes()))
    found = attributes(message)
    if not found:
        return
    attribute = data.draw(st.sampled_from(found))
    value = json.loads(attribute.value)
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        value[data.draw(st.sampled_from(sorted(value)))] = data.draw(FREE)
    else:
        value = data.draw(FREE)
    attribute.value = json.dumps(value)
    try:
        exported = export_crosstl(interlock.Document.from_message(message))
    except ExportFailure as failure:
        codes = {finding.code for finding in failure.diagnostics}
    else:
        codes = refusals(json.loads(exported))
    assert codes <= {"crosstl.malformed-attribute", "crosstl.not-expressible", "crosstl.missing-reference"}
