"""What each part of a CrossTL graph means in the contract."""

from __future__ import annotations

import json
from typing import TypeVar

import pytest
from google.protobuf import text_format
from google.protobuf.message import Message

from execgraph.v1 import access_pb2, dispatch_pb2, graph_pb2, node_pb2, provenance_pb2, resource_pb2, type_pb2
from interlock.author.literals import decode_number, element_name
from interlock.interop.crosstl import import_crosstl
from interlock.interop.crosstl.names import ELEMENT_TYPES, element_type
from interop.crosstl_support import (
    FOLDER,
    barrier,
    base,
    buffer,
    dispatch,
    fill,
    graph,
    imported,
    refusals,
    remarks,
    spoiled,
)

M = TypeVar("M", bound=Message)


def fixture(name: str) -> graph_pb2.ExecutionGraph:
    return imported((FOLDER / f"{name}.json").read_bytes())


def parsed(text: str, kind: type[M]) -> M:
    return text_format.Parse(text, kind())


def hints(provenance: provenance_pb2.Provenance) -> dict[str, object]:
    return {attribute.key: json.loads(attribute.value) for attribute in provenance.attributes}


def resources(message: graph_pb2.ExecutionGraph) -> dict[str, resource_pb2.Resource]:
    return {resource.id: resource for resource in message.resources}


def nodes(message: graph_pb2.ExecutionGraph) -> dict[str, node_pb2.Node]:
    return {node.id: node for node in message.body.nodes}


@pytest.mark.parametrize(
    ("spellings", "name"),
    [
        ("bool", "BOOL"),
        ("char int8 int8_t", "I8"),
        ("uchar uint8 uint8_t", "U8"),
        ("int16 int16_t", "I16"),
        ("uint16 uint16_t", "U16"),
        ("int int32 int32_t", "I32"),
        ("uint uint32 uint32_t", "U32"),
        ("int64 int64_t", "I64"),
        ("uint64 uint64_t", "U64"),
        ("half float16", "F16"),
        ("bfloat16", "BF16"),
        ("float float32", "F32"),
        ("double float64", "F64"),
    ],
)
def test_each_dtype_has_an_element_type(spellings: str, name: str):
    expected = type_pb2.ElementType.Value(f"ELEMENT_TYPE_{name}")
    for spelling in spellings.split():
        assert element_type(spelling) == element_type(f" {spelling.upper()}\n") == expected


def test_the_28_dtypes_have_13_element_types():
    assert len(set(ELEMENT_TYPES.values())) == 13


@pytest.mark.parametrize("name", ["", "float8", "int_t", "float32_t", "bool_t", "uint128", "f32"])
def test_other_names_are_no_dtype(name: str):
    assert element_type(name) is None


def test_a_dtype_keeps_its_spelling():
    message = imported(graph([buffer("x", "external-input", "float")], []))
    assert hints(message.resources[0].provenance)["crosstl.dtype"] == "float"
    message = imported(graph([buffer("x", "external-input", "float32")], []))
    assert "crosstl.dtype" not in hints(message.resources[0].provenance)


def test_a_temporary_is_placed_in_its_allocation():
    message = fixture("aliased_temporaries")
    assert list(message.allocations) == [
        parsed('id: "arena" size { constant: 48 } alignment: 8', resource_pb2.Allocation)
    ]
    second = resources(message)["second"]
    second.ClearField("provenance")
    assert second == parsed(
        """id: "second" role: RESOURCE_ROLE_TEMPORARY
        placement { allocation: "arena" offset { constant: 8 } } type { element: ELEMENT_TYPE_U16 }
        shape { constant: 8 } size { constant: 16 } alignment: 8
        lifetime { spans { begins: "write-second" ends: "read-second" } }""",
        resource_pb2.Resource,
    )
    assert not message.views


def test_memory_is_shared_as_crosstl_shares_it():
    message = fixture("allocation_names")
    placed = {name: resource.placement for name, resource in resources(message).items()}
    assert not placed["empty"].allocation
    assert placed["private"].allocation == placed["sharing"].allocation == "resource:private"
    assert placed["own"].allocation == "resource:own"
    assert (placed["offset"].allocation, placed["offset"].offset.constant) == ("resource:offset", 16)
    sizes = {allocation.id: allocation.size.constant for allocation in message.allocations}
    assert sizes["resource:larger"] == 64
    assert not placed["stated"].allocation
    assert len({placed[name].allocation for name in ("spaced-a", "spaced-b", "joined")}) == 3
    assert placed["joined"].allocation == "heap_1"


def test_overlapping_externals_of_one_role_are_views_of_the_one_that_holds_them():
    message = fixture("views_covered")
    assert set(resources(message)) == {"all", "apart", "empty", "input"}
    assert {view.id: view.resource for view in message.views} == {
        "left": "all",
        "right": "all",
        "again": "all",
    }
    views = {view.id: view for view in message.views}
    assert views["left"] == parsed(
        'id: "left" resource: "all" type { element: ELEMENT_TYPE_F32 } shape { constant: 2 }',
        resource_pb2.View,
    )
    assert views["right"] == parsed(
        """id: "right" resource: "all" offset { constant: 24 } type { element: ELEMENT_TYPE_I32 }
        shape { constant: 2 }""",
        resource_pb2.View,
    )
    assert resources(message)["all"].placement.offset.constant == 16
    assert resources(message)["all"].alignment == 16
    operations = {name: node.operation for name, node in nodes(message).items()}
    assert operations["part"].copy == parsed(
        """source { byte_range { resource: "all" offset { constant: 4 } size { constant: 4 } } }
        destination { byte_range { resource: "all" offset { constant: 8 } size { constant: 4 } } }""",
        node_pb2.Copy,
    )
    assert operations["whole"].copy == parsed(
        'source { view: "left" } destination { byte_range { resource: "apart" size { constant: 8 } } }',
        node_pb2.Copy,
    )
    assert operations["inside"].fill.destination == parsed(
        'byte_range { resource: "all" offset { constant: 28 } size { constant: 4 } }', type_pb2.ByteSelection
    )


def test_overlapping_externals_that_none_holds_are_views_of_bytes():
    message = fixture("views_overlapping")
    backing = resources(message)["h.bytes.2"]
    backing.ClearField("provenance")
    assert backing == parsed(
        """id: "h.bytes.2" role: RESOURCE_ROLE_EXTERNAL_INPUT placement { allocation: "h" }
        type { element: ELEMENT_TYPE_U8 } shape { constant: 36 } size { constant: 36 }""",
        resource_pb2.Resource,
    )
    views = {view.id: view for view in message.views}
    assert views["high"] == parsed(
        """id: "high" resource: "h.bytes.2" offset { constant: 8 } type { element: ELEMENT_TYPE_F32 }
        shape { constant: 4 }""",
        resource_pb2.View,
    )
    assert views["higher"] == parsed(
        'id: "higher" resource: "h.bytes.2" offset { constant: 20 } shape { constant: 16 }', resource_pb2.View
    )


def test_the_resource_of_views_has_elements_as_small_as_theirs():
    message = fixture("views_of_smaller_elements")
    assert resources(message)["h.bytes"].type.element == type_pb2.ELEMENT_TYPE_U8
    assert sorted(view.id for view in message.views) == ["halves", "words"]


def test_a_range_of_a_view_is_of_whole_elements():
    whole = buffer("whole", "external-output", allocationId="h")
    part = buffer("part", "external-output", "uint32", (2,), allocationId="h", byteOffset=8)
    document = graph([whole, part], [fill("f", "part", 1, 4, 2)])
    assert refusals(document) == [("crosstl.misaligned-range", "nodes[0].fill.range")]


def test_views_do_not_depend_on_the_order_of_the_document():
    resources_ = [
        buffer("a", "external-input", allocationId="h"),
        buffer("b", "external-input", allocationId="h", byteOffset=8),
        buffer("c", "external-output", allocationId="h", byteOffset=32),
    ]
    one, other = imported(graph(resources_, [])), imported(graph(resources_[::-1], []))
    one.ClearField("provenance")
    other.ClearField("provenance")
    assert one == other


def test_strides_become_strides():
    message = fixture("strides")
    padded = resources(message)["padded"]
    assert list(padded.layout.strided.byte_strides) == [24, 8]
    assert padded.size.constant == 48
    assert resources(message)["tail"].size.constant == 28
    assert not resources(message)["one"].HasField("layout")
    assert not resources(message)["longer"].HasField("layout")
    assert {view.id: list(view.byte_strides) for view in message.views} == {"x0": [], "y": [8]}


def test_a_lifetime_means_something_for_a_temporary_only():
    result = import_crosstl((FOLDER / "ignored_lifetimes.json").read_bytes())
    assert not any(resource.HasField("lifetime") for resource in result.document.message.resources)
    assert remarks(result) == [
        ("crosstl.ignored-lifetime", "NOTE", "resources[0].lifetime"),
        ("crosstl.ignored-lifetime", "NOTE", "resources[1].lifetime"),
        ("crosstl.ignored-lifetime", "NOTE", "resources[3].lifetime"),
    ]


def test_a_dispatch_writes_all_of_what_it_is_bound_to():
    result = import_crosstl(base())
    (node, *_) = result.document.message.body.nodes
    assert node.operation.dispatch == parsed(
        """artifact: "kernel" entry: "main"
        bindings { slot: "in" target { resource: "x" } access: ACCESS_MODE_READ }
        bindings { slot: "out" target { resource: "t" } access: ACCESS_MODE_WRITE coverage: COVERAGE_FULL }
        geometry { workgroup_count { extents {
          counts { constant: 1 } counts { constant: 1 } counts { constant: 1 } } } }""",
        dispatch_pb2.Dispatch,
    )
    assert hints(node.provenance) == {"crosstl.assumed-full": ["out"]}
    assert [(item.code, str(item.path)) for item in result.assumptions] == [
        ("assumption.full-coverage", 'nodes[0].dispatch.bindings["out"]'),
        ("assumption.full-coverage", 'nodes[2].dispatch.bindings["out"]'),
    ]


def test_geometry_counts_workgroups_or_invocations():
    geometries = {name: node.operation.dispatch.geometry for name, node in nodes(fixture("geometry")).items()}
    counts = {name: geometry.workgroup_count.WhichOneof("source") for name, geometry in geometries.items()}
    assert counts == {
        "count": "extents",
        "sized": "extents",
        "agreeing": "extents",
        "count-and-grid": "extents",
        "invocations": "elements",
        "unsized": "elements",
        "grid": "elements",
        "both": "elements",
    }
    assert list(geometries["sized"].workgroup_size) == [64, 1, 1]
    assert geometries["invocations"].workgroup_count.elements == parsed(
        "elements { constant: 100 } elements { constant: 1 } elements { constant: 1 }",
        dispatch_pb2.ElementGrid,
    )
    assert not geometries["invocations"].exact_threads
    assert not geometries["unsized"].workgroup_size


def test_constants_have_the_type_that_is_assumed():
    result = import_crosstl((FOLDER / "constants.json").read_bytes())
    made = nodes(result.document.message)

    def values(name: str) -> dict[str, tuple[str, object]]:
        return {
            value.name: (
                element_name(value.value.element),
                decode_number(value.value.element, value.value.bits),
            )
            for value in made[name].operation.dispatch.specialization
        }

    assert values("typed") == {"fast": ("bool", True), "safe": ("bool", False)}
    found = values("untyped")
    assert found == {
        "before": ("i64", -(1 << 31) - 1),
        "far": ("f64", 1e300),
        "fast": ("bool", True),
        "huge": ("u64", (1 << 64) - 1),
        "mask": ("u32", (1 << 32) - 1),
        "scale": ("f32", 1.0),
        "step": ("f32", 0.10000000149011612),
        "width": ("i32", 32),
        "z": ("f32", 0.0),
    }
    assert str(found["z"][1]) == "-0.0"
    kept = hints(made["untyped"].provenance)
    assert kept["crosstl.constants"] == {"step": 0.1}
    assert (kept["crosstl.target-profile"], kept["crosstl.validation-status"]) == ("sm_90", "passed")
    assert (kept["crosstl.dispatch-provenance"], kept["crosstl.provenance"]) == ({"by": "hand"}, {"pass": 3})
    assert ("crosstl.unchecked-target-profile", "WARNING", "nodes[1].dispatch.targetProfile") in remarks(
        result
    )
    assumed = {str(each.path): each.message for each in result.assumptions if "type" in each.code}
    places = sorted(found.keys() - {"fast"})
    assert [*assumed] == [f'nodes[1].dispatch.constants["{name}"]' for name in places]
    assert assumed['nodes[1].dispatch.constants["width"]'] == (
        "`width` is `32`, without a type: it is taken for one of type i32"
    )
    assert assumed['nodes[1].dispatch.constants["step"]'] == (
        "`step` is `0.1`, without a type: it is taken for one of type f32, the nearest of which is "
        "`0.10000000149011612`"
    )


def test_equal_selectors_are_one_artifact():
    message = fixture("selectors")
    by_node = {name: node.operation.dispatch.artifact for name, node in nodes(message).items()}
    assert by_node["a"] == by_node["b"]
    assert by_node["d"] == "sum"
    assert by_node["g"] == "named"
    assert by_node["f"] == "fast_math"
    assert len(set(by_node.values())) == 6
    artifacts = {artifact.id: artifact.provenance for artifact in message.artifacts}
    assert artifacts[by_node["a"]].source.uri == "kernels/sum.hlsl"
    assert hints(artifacts[by_node["a"]]) == {"crosstl.selector": {"target": "amiga"}}
    assert hints(artifacts["named"]) == {}


def test_a_barrier_is_a_statement_of_reads_and_writes():
    message = imported(graph([buffer("x", "external-input-output")], [barrier("b", ["x"], "write", "read")]))
    assert message.body.nodes[0].operation.barrier == parsed(
        """statements { selections { resource: "x" }
        available_from { usage: USAGE_SHADER_STORAGE kind: ACCESS_KIND_WRITE }
        available_from { usage: USAGE_TRANSFER kind: ACCESS_KIND_WRITE }
        available_from { usage: USAGE_FILL kind: ACCESS_KIND_WRITE }
        visible_to { usage: USAGE_SHADER_STORAGE kind: ACCESS_KIND_READ }
        visible_to { usage: USAGE_TRANSFER kind: ACCESS_KIND_READ }
        visible_to { usage: USAGE_CONTROL kind: ACCESS_KIND_READ } }""",
        node_pb2.Barrier,
    )


@pytest.mark.parametrize(
    ("before", "after", "from_kinds", "to_kinds"),
    [
        ("read", "write", {access_pb2.ACCESS_KIND_READ}, {access_pb2.ACCESS_KIND_WRITE}),
        (
            "read-write",
            "write_read",
            {access_pb2.ACCESS_KIND_READ, access_pb2.ACCESS_KIND_WRITE},
            {access_pb2.ACCESS_KIND_READ, access_pb2.ACCESS_KIND_WRITE},
        ),
    ],
)
def test_the_modes_of_a_barrier_are_kept_whatever_they_are(
    before: str, after: str, from_kinds: set[int], to_kinds: set[int]
):
    message = imported(graph([buffer("x", "external-input-output")], [barrier("b", ["x"], before, after)]))
    (statement,) = message.body.nodes[0].operation.barrier.statements
    assert {scope.kind for scope in statement.available_from} == from_kinds
    assert {scope.kind for scope in statement.visible_to} == to_kinds


def test_a_condition_is_a_conditional_around_the_node():
    made = nodes(fixture("conditions"))
    conditional = made["small-is-255"].operation.conditional
    assert conditional.predicate == parsed(
        r"""source { resource: "small" } comparison: COMPARISON_EQUAL
        literal { element: ELEMENT_TYPE_U8 bits: "\377" }""",
        node_pb2.Predicate,
    )
    assert list(made["small-is-255"].depends_on) == ["no"]
    (inner,) = conditional.then_region.nodes
    assert (inner.id, list(inner.depends_on)) == ("small-is-255.body", [])
    assert inner.operation.WhichOneof("kind") == "copy"
    assert made["no"].operation.conditional.then_region.nodes[0].id == "no.body.2"
    assert made["no.body"].operation.conditional.predicate.source == parsed(
        'byte_range { resource: "wide" size { constant: 8 } }', type_pb2.ByteSelection
    )
    assert made["padded-word"].operation.conditional.predicate.source == parsed(
        'byte_range { resource: "words" offset { constant: 4 } size { constant: 4 } }', type_pb2.ByteSelection
    )
    assert made["second-flag"].operation.conditional.predicate.source.view == "flag-1"
    assert hints(made["no"].provenance)["crosstl.maximum-evaluations"] == 4


def test_a_repetition_is_a_repeat_around_the_node():
    message = fixture("repetitions")
    made = nodes(message)
    fixed = made["fixed"].operation.repeat
    assert (fixed.trips.literal, fixed.maximum_trips, fixed.HasField("minimum_trips")) == (3, 8, False)
    assert fixed.body.nodes[0].id == "fixed.body"
    assert made["read"].operation.repeat.trips.read == parsed(
        'source { resource: "n" } element: ELEMENT_TYPE_U32', node_pb2.CountRead
    )
    assert message.maximum_node_executions == (1 + 8) + (1 + 4) + (1 + 1_000_000) + (1 + 1)


def test_an_unbounded_repetition_is_left_for_the_verifier():
    message = imported(spoiled(("nodes/0/repeat", {"count": 2})))
    assert message.body.nodes[0].operation.repeat.maximum_trips == 0


def test_numbers_are_rounded_to_the_nearest_and_noted():
    result = import_crosstl(graph([buffer("y", "external-output", "half")], [fill("f", "y", 0.1, 8)]))
    assert result.document.message.body.nodes[0].operation.fill.pattern.bits.hex() == "662e"
    assert remarks(result) == [("crosstl.fill-rounded", "NOTE", "nodes[0].fill.value")]


def test_unknown_targets_are_warned_of():
    document = graph(
        [buffer("y", "external-output")],
        [dispatch("a", {}, artifactSelector={"id": "k", "target": "amiga"})],
    )
    assert remarks(import_crosstl(document)) == [
        ("crosstl.unknown-target", "WARNING", "nodes[0].dispatch.artifactSelector.target"),
    ]
