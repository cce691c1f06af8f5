"""A graph that was never a CrossTL graph is exported whole, or not at all."""

from __future__ import annotations

import json

import pytest

import interlock
from execgraph.v1 import access_pb2, graph_pb2
from interlock.author import GraphBuilder, SourceLocation, full, when
from interlock.interop.crosstl import export_crosstl, import_crosstl
from interop.crosstl_support import (
    HERE,
    READ_STORAGE,
    WRITE_STORAGE,
    authored,
)


def exported(builder: GraphBuilder) -> dict[str, object]:
    result: dict[str, object] = json.loads(export_crosstl(builder.build()))
    return result


def test_an_authored_graph_becomes_a_crosstl_graph():
    assert export_crosstl(authored().build()) == (HERE / "authored.crosstl.json").read_bytes()


def test_an_exported_graph_means_the_same_when_it_is_imported():
    document = authored().build()
    back = import_crosstl(export_crosstl(document)).document
    message = graph_pb2.ExecutionGraph()
    message.CopyFrom(back.message)
    ready, one, two = message.body.nodes
    assert (ready.id, one.id, two.id) == ("partials-ready", "stage-one", "stage-two")
    ready.operation.barrier.CopyFrom(document.message.body.nodes[0].operation.barrier)
    for node in (one, two):
        del node.operation.dispatch.geometry.workgroup_size[1:]
        del node.operation.dispatch.geometry.workgroup_count.extents.counts[1:]
    assert interlock.semantic_digest(message) == document.semantic_digest


def test_every_kind_of_node_has_a_counterpart():
    made = GraphBuilder("all")
    flag, count = made.input("flag", "bool"), made.input("count", "i32")
    x, y = made.input("x", "f32", [4]), made.output("y", "f32", [4])
    low = made.view("low", y, [2])
    with made.conditional("maybe", when(flag, "==", False)) as maybe:
        made.copy("maybe.body", x.bytes(0, 8), low)
    with made.repeat("often", count, maximum=9, after=[maybe]) as often:
        made.fill("often.body", low, 0)
    with made.repeat("thrice", 3, after=[often]):
        made.dispatch(
            "thrice.body", artifact=made.artifact("k"), entry="e", updates={"y": full(y)}, elements=[4]
        )
    made.barrier("b", y, low, after=["thrice"], visible_to=[READ_STORAGE, WRITE_STORAGE, *WRITES])
    nodes = {node["id"]: node for node in exported(made)["nodes"]}
    assert nodes["maybe"] == {
        "id": "maybe",
        "kind": "copy",
        "dependsOn": [],
        "copy": {
            "source": "x",
            "destination": "low",
            "sourceRange": {"byteOffset": 0, "byteLength": 8},
            "destinationRange": {"byteOffset": 0, "byteLength": 8},
        },
        "condition": {"equals": False, "controlInput": "flag", "maxEvaluations": 1},
    }
    assert nodes["often"]["repeat"] == {"controlInput": "count", "maxIterations": 9}
    assert nodes["often"]["fill"]["value"] == 0.0
    assert nodes["thrice"]["repeat"] == {"count": 3, "maxIterations": 3}
    assert nodes["thrice"]["dispatch"]["geometry"] == {"globalSize": [4, 1, 1]}
    assert nodes["thrice"]["dispatch"]["bindings"] == {"y": {"resource": "y", "access": "read-write"}}


WRITES = [
    (access_pb2.USAGE_TRANSFER, access_pb2.ACCESS_KIND_WRITE),
    (access_pb2.USAGE_FILL, access_pb2.ACCESS_KIND_WRITE),
    (access_pb2.USAGE_TRANSFER, access_pb2.ACCESS_KIND_READ),
    (access_pb2.USAGE_CONTROL, access_pb2.ACCESS_KIND_READ),
]


@pytest.mark.parametrize(
    ("available_from", "visible_to", "modes"),
    [
        ([WRITE_STORAGE], [READ_STORAGE], ("write", "read")),
        ([WRITE_STORAGE], [WRITE_STORAGE], ("write", "write")),
        ([READ_STORAGE], [READ_STORAGE, WRITE_STORAGE], ("read", "read-write")),
    ],
)
def test_accesses_that_no_node_has_make_no_difference(
    available_from: list[tuple[int, int]], visible_to: list[tuple[int, int]], modes: tuple[str, str]
):
    made = authored()
    made.barrier("more", "total", available_from=available_from, visible_to=visible_to)
    (node,) = [node for node in exported(made)["nodes"] if node["id"] == "more"]
    assert node["barrier"] == {"resources": ["total"], "beforeAccess": modes[0], "afterAccess": modes[1]}


def test_an_export_leaves_nothing_to_keep_beside_the_contract():
    made = authored()
    made.copy("copy", made.input("x", "u32", [2]).bytes(0, 4), "total", after=["stage-two"])
    made.fill("fill", made.output("z", "f16", [4]).bytes(2, 4), 0.5)
    exported_once = json.loads(export_crosstl(made.build()))
    del exported_once["provenance"]
    message = import_crosstl(exported_once).document.message
    kept = {element.id: element.provenance for element in (*message.resources, *message.body.nodes)}
    assert {name for name, provenance in kept.items() if provenance.attributes} == {"stage-one", "stage-two"}
    assert [attribute.key for attribute in kept["stage-one"].attributes] == ["crosstl.assumed-full"]
    assert not message.HasField("provenance")
    assert not any(artifact.HasField("provenance") for artifact in message.artifacts)


def test_strides_of_equally_spaced_elements_are_one_number():
    made = authored()
    made.input("packed", "u32", [2, 2], byte_strides=[8, 4], size=16)
    made.input("spaced", "u32", [2, 2], byte_strides=[24, 12], size=48)
    layouts = {resource["id"]: resource["physicalLayout"] for resource in exported(made)["resources"]}
    assert layouts["packed"]["elementStrideBytes"] == 4
    assert layouts["spaced"]["elementStrideBytes"] == 12


def test_provenance_is_kept_where_it_belongs():
    made = authored()
    made.describe(tool=("t", "2"), attributes={"a": "b"})
    made.describe(made.input("unused", "u8"), source="u.py")
    result = exported(made)
    assert result["provenance"] == {
        "execgraph": {
            "producer": {"name": "my-translator", "version": "1.0"},
            "provenance": {"tool": {"name": "t", "version": "2"}, "attributes": [{"key": "a", "value": "b"}]},
        }
    }
    assert result["resources"][-1]["provenance"] == {"execgraph": {"source": {"uri": "u.py"}}}


def test_the_source_of_an_artifact_is_that_of_its_selector():
    made = GraphBuilder("g")
    kernel = made.artifact("k")
    made.describe(kernel, source=SourceLocation("k.hlsl", revision="abc"), attributes={"x": ""})
    made.dispatch("d", artifact=kernel, entry="e", groups=[1])
    result = exported(made)
    assert result["nodes"][0]["dispatch"]["artifactSelector"] == {"id": "k", "source": "k.hlsl"}
    assert result["provenance"]["execgraph"]["artifacts"] == {
        "k": {"source": {"revision": "abc"}, "attributes": [{"key": "x"}]}
    }
