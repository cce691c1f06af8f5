"""Nothing is lost: what CrossTL can say comes back as CrossTL itself would write it."""

from __future__ import annotations

import json
from collections import Counter

import pytest

import interlock
from interlock.interop.crosstl import export_crosstl, import_crosstl
from interop.crosstl_support import FIXTURES, FOLDER, NAMES, base

TARGETS = ["directx", "metal", "opengl", "vulkan"]
TWO_STAGE_SUM = FIXTURES / "two_stage_sum"

REMARKS = {
    "conditions": {"crosstl.padded-view": 1},
    "constants": {
        "crosstl.unchecked-target-profile": 1,
        "crosstl.unchecked-validation-status": 1,
    },
    "fills": {"crosstl.fill-rounded": 3},
    "ignored_lifetimes": {"crosstl.ignored-lifetime": 3},
    "selectors": {"crosstl.unknown-target": 3},
    "views_of_smaller_elements": {"crosstl.backing-resource": 1},
    "views_overlapping": {"crosstl.backing-resource": 1, "crosstl.padded-view": 1},
}
ASSUMPTIONS = {
    "aliased_temporaries": {"assumption.full-coverage": 5},
    "allocation_names": {"assumption.full-coverage": 3},
    "barrier_modes": {"assumption.full-coverage": 5},
    "conditions": {"assumption.full-coverage": 3, "crosstl.assumed-skip": 6},
    "constants": {"assumption.full-coverage": 2, "crosstl.assumed-constant-type": 8},
    "free_values": {"assumption.full-coverage": 1},
    "geometry": {"assumption.full-coverage": 8, "crosstl.assumed-grid-unit": 2},
    "repetitions": {"assumption.full-coverage": 3, "crosstl.assumed-trip-count": 2},
    "selectors": {"assumption.full-coverage": 7},
    "spellings": {"assumption.full-coverage": 2},
    "strides": {"assumption.full-coverage": 2},
    "views_covered": {"assumption.full-coverage": 2},
    "views_overlapping": {"assumption.full-coverage": 1},
}


def through_every_encoding(document: interlock.Document) -> interlock.Document:
    """The same document, by way of JSON, binary and text."""
    from_json = interlock.loads(document.json())
    from_binary = interlock.loads(from_json.binary)
    return interlock.loads(interlock.encode_text(from_binary))


@pytest.mark.parametrize("name", NAMES)
def test_a_document_comes_back_in_its_normal_form(name: str):
    result = import_crosstl((FOLDER / f"{name}.json").read_bytes())
    exported = export_crosstl(through_every_encoding(result.document))
    assert exported == (FOLDER / f"{name}.normal.json").read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_a_normal_form_is_imported_as_the_same_document(name: str):
    written = import_crosstl((FOLDER / f"{name}.json").read_bytes())
    normal = import_crosstl((FOLDER / f"{name}.normal.json").read_bytes())
    assert normal.document.binary == written.document.binary
    assert normal.diagnostics == written.diagnostics
    assert normal.assumptions == written.assumptions


@pytest.mark.parametrize("name", NAMES)
def test_an_import_says_what_it_keeps_and_what_it_assumes(name: str):
    result = import_crosstl((FOLDER / f"{name}.json").read_bytes())
    assert Counter(item.code for item in result.diagnostics) == REMARKS.get(name, {})
    assert Counter(item.code for item in result.assumptions) == ASSUMPTIONS.get(name, {})


def test_the_fixtures_are_all_there():
    assert len(NAMES) == 20
    assert sorted(path.stem for path in FOLDER.glob("*.json") if not path.stem.endswith(".normal")) == NAMES


@pytest.mark.parametrize("target", TARGETS)
def test_a_real_graph_comes_back_byte_for_byte(target: str):
    data = (TWO_STAGE_SUM / "graphs" / f"two_stage_sum.{target}.json").read_bytes()
    result = import_crosstl(data)
    assert result.diagnostics == ()
    assert export_crosstl(through_every_encoding(result.document)) == data


@pytest.mark.parametrize("target", TARGETS)
def test_a_real_graph_has_no_errors(target: str):
    data = (TWO_STAGE_SUM / "graphs" / f"two_stage_sum.{target}.json").read_bytes()
    report = interlock.verify(import_crosstl(data).document)
    assert report.diagnostics == ()
    full = [item for item in report.assumptions if item.code == "assumption.full-coverage"]
    assert [str(item.path) for item in full] == [
        f'body.nodes["{node}"].operation.dispatch.bindings["{slot}"].coverage'
        for node, slot in FULL_SLOTS[target == "opengl"]
    ]


FULL_SLOTS = {
    False: [("stage-one", "partials"), ("stage-two", "total")],
    True: [("stage-one", "partialsBuffer"), ("stage-two", "totalBuffer")],
}


def test_the_graph_of_the_demo_is_the_import_of_the_real_one():
    data = (TWO_STAGE_SUM / "graphs" / "two_stage_sum.vulkan.json").read_bytes()
    assert (TWO_STAGE_SUM / "two_stage_sum.json").read_bytes() == import_crosstl(data).document.json()


def test_an_object_is_imported_like_its_text():
    assert import_crosstl(base()) == import_crosstl(json.dumps(base()).encode())
