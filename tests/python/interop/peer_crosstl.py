"""The same questions put to CrossTL itself. Needs `crosstl==3.4.0`, and is run by name only:

    python -m pytest tests/python/interop/peer_crosstl.py

The tests beside it compare with what CrossTL said when the fixtures were recorded.
"""

from __future__ import annotations

import json
from importlib.metadata import version

import pytest
from crosstl.project.runtime_graph import (
    RuntimeGraphError,
    parse_runtime_execution_graph,
    validate_runtime_execution_graph,
)
from hypothesis import HealthCheck, given, settings

from interlock.errors import ImportFailure
from interlock.interop.crosstl import export_crosstl, import_crosstl
from interlock.interop.crosstl.names import element_type
from interlock.interop.crosstl.structure import normal_form
from interop.crosstl_documents import Json, documents
from interop.crosstl_support import FOLDER, HERE, NAMES, spoiled
from interop.test_crosstl_reading import STRUCTURE

pytestmark = pytest.mark.filterwarnings("default")


def peer_form(document: object) -> str:
    return json.dumps(parse_runtime_execution_graph(document).to_json(), indent=2) + "\n"


def test_this_is_the_version_the_fixtures_were_recorded_with():
    assert version("crosstl") == "3.4.0"


@pytest.mark.parametrize("name", NAMES)
def test_the_recorded_normal_forms_are_those_of_crosstl(name: str):
    document = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert peer_form(document) == (FOLDER / f"{name}.normal.json").read_text(encoding="utf-8")


def test_an_authored_graph_is_valid_for_crosstl():
    data = (HERE / "authored.crosstl.json").read_bytes()
    result = validate_runtime_execution_graph(parse_runtime_execution_graph(json.loads(data)))
    assert result.diagnostics == ()
    assert peer_form(json.loads(data)).encode() == data


@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
@given(documents())
def test_normal_forms_are_those_of_crosstl(document: Json):
    form, errors = normal_form(document, 256)
    assert errors == []
    assert json.dumps(form, indent=2) + "\n" == peer_form(json.loads(json.dumps(document)))


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(documents())
def test_a_round_trip_does_not_change_what_crosstl_says(document: Json):
    try:
        exported = export_crosstl(import_crosstl(document).document)
    except ImportFailure:
        return
    before = validate_runtime_execution_graph(parse_runtime_execution_graph(document))
    after = validate_runtime_execution_graph(parse_runtime_execution_graph(json.loads(exported)))
    assert after.to_json() == before.to_json()


@pytest.mark.parametrize(("place", "value"), [row[:2] for row in STRUCTURE], ids=range(len(STRUCTURE)))
def test_crosstl_refuses_what_is_malformed(place: str, value: object):
    if value == {"a": ["", "\ud800"]}:
        return  # half a surrogate pair is a string for CrossTL
    with pytest.raises(RuntimeGraphError):
        parse_runtime_execution_graph(spoiled((place, value)))


def test_the_dtypes_are_those_of_crosstl():
    from crosstl.project.runtime_graph import _DTYPE_BYTE_SIZES as SIZES  # noqa: PLC0415

    assert len(SIZES) == 28
    assert all(element_type(name) is not None for name in SIZES)
