"""What was kept beside the contract is used where it is true, and decides nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import interlock
from execgraph.v1 import access_pb2, graph_pb2, resource_pb2
from interlock.interop.crosstl import export_crosstl, import_crosstl
from interop.crosstl_support import (
    FOLDER,
    READ_STORAGE,
    authored,
    base,
    buffer,
    dispatch,
    graph,
)
from interop.crosstl_support import export_refusals as refusals

if TYPE_CHECKING:
    from collections.abc import Callable


def edited(document: object, change: Callable[[graph_pb2.ExecutionGraph], object]) -> dict[str, object]:
    message = graph_pb2.ExecutionGraph()
    message.CopyFrom(import_crosstl(document).document.message)
    change(message)
    result: dict[str, object] = json.loads(export_crosstl(interlock.Document.from_message(message)))
    return result


def test_a_hint_that_a_change_made_untrue_is_passed_over():
    document = graph(
        [buffer("x", "external-output", "half", byteLength=8)],
        [dispatch("d", {"x": ("x", "readWrite")}, geometry={"gridSize": [8, 1, 1]})],
    )

    def change(message: graph_pb2.ExecutionGraph) -> None:
        message.resources[0].type.element = 14
        message.resources[0].size.constant = 16
        run_ = message.body.nodes[0].operation.dispatch
        run_.bindings[0].access = access_pb2.ACCESS_MODE_WRITE
        run_.geometry.workgroup_count.elements.elements[0].constant = 16

    result = edited(document, change)
    assert result["resources"][0]["dtype"] == "float32"
    assert result["resources"][0]["physicalLayout"]["byteLength"] == 16
    assert result["nodes"][0]["dispatch"]["bindings"]["x"]["access"] == "write"
    assert result["nodes"][0]["dispatch"]["geometry"] == {"globalSize": [16, 1, 1]}


def test_a_changed_fill_and_a_changed_barrier_say_what_they_are():
    fills, barriers = (FOLDER / f"{name}.json" for name in ("fills", "barrier_modes"))

    def zero(message: graph_pb2.ExecutionGraph) -> None:
        for node in message.body.nodes:
            node.operation.fill.pattern.bits = bytes(len(node.operation.fill.pattern.bits))

    values = {node["id"]: node["fill"]["value"] for node in edited(fills.read_bytes(), zero)["nodes"]}
    assert values["tenth"] == 0.0
    assert values["true"] is False

    def weaken(message: graph_pb2.ExecutionGraph) -> None:
        for node in message.body.nodes:
            for statement in node.operation.barrier.statements if node.operation.HasField("barrier") else ():
                del statement.visible_to[:]
                statement.visible_to.add(usage=READ_STORAGE[0], kind=READ_STORAGE[1])

    modes = {
        node["id"]: node["barrier"]["afterAccess"]
        for node in edited(barriers.read_bytes(), weaken)["nodes"]
        if node["kind"] == "barrier"
    }
    assert modes == {"wr": "read", "ww": "read", "bb": "read", "rw": "read"}


def test_new_elements_follow_those_that_were_imported():
    def change(message: graph_pb2.ExecutionGraph) -> None:
        added = message.resources.add(id="a", role=resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT)
        added.type.element = 5
        added.size.constant = 1
        message.resources.sort(key=lambda resource: resource.id)

    ids = [resource["id"] for resource in edited(base(), change)["resources"]]
    assert ids == ["x", "t", "y", "flag", "n", "a"]


@pytest.mark.parametrize(
    ("kept", "written"),
    [
        ('{"variant": null, "id": "k"}', {"id": "k"}),
        ('{"variant": null}', {"id": "kernel"}),
    ],
)
def test_null_in_a_selector_is_an_absent_member(kept: str, written: dict[str, str]):
    def change(message: graph_pb2.ExecutionGraph) -> None:
        (artifact,) = message.artifacts
        del artifact.provenance.attributes[:]
        artifact.provenance.attributes.add(key="crosstl.selector", value=kept)

    document = graph([buffer("x", "external-output")], [dispatch("d", {"x": ("x", "write")})])
    (node,) = edited(document, change)["nodes"]
    assert node["dispatch"]["artifactSelector"] == written


@pytest.mark.parametrize("value", ["{", "[" * 5000, '{"a": NaN}', ""])
def test_a_hint_that_is_no_json_is_refused(value: str):
    made = authored()
    made.describe(attributes={"crosstl.provenance": value})
    assert refusals(made.build()) == [
        ("crosstl.malformed-attribute", 'provenance.attributes["crosstl.provenance"]')
    ]


@pytest.mark.parametrize("value", ["3", "null", "[]", '"x"', '{"a": {"b": 1}}', "[1, {}]", "true"])
@pytest.mark.parametrize(
    "name",
    [
        "access",
        "dtype",
        "stated",
        "unstated",
        "invocations",
        "selector",
        "fill-value",
        "depends-on",
        "allocation-id",
    ],
)
def test_a_hint_of_another_shape_changes_nothing_that_matters(name: str, value: str):
    made = authored()
    attributes = {f"crosstl.{name}": value}
    made.describe(interlock.author.Node("stage-two"), attributes=attributes)
    made.describe(interlock.author.Resource("samples", 9), attributes=attributes)
    made.describe(interlock.author.Artifact("slice_totals"), attributes=attributes)
    back = import_crosstl(export_crosstl(made.build())).document.message
    assert [node.id for node in back.body.nodes] == ["partials-ready", "stage-one", "stage-two"]
    assert {resource.id: resource.size.constant for resource in back.resources} == {
        "partials": 32,
        "samples": 4096,
        "total": 4,
    }
