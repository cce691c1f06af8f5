"""The builder makes exactly the messages its methods describe, and collects every mistake."""

from __future__ import annotations

import math

import pytest
from google.protobuf import text_format

from execgraph.v1 import access_pb2, graph_pb2, node_pb2, resource_pb2, type_pb2
from interlock.author import (
    DEVICE_READS,
    DEVICE_WRITES,
    Affine,
    BuildFailure,
    Computed,
    GraphBuilder,
    SourceLocation,
    bound,
    full,
    partial,
    typed,
    when,
)
from interlock.author.codes import BUILD_CODES
from interlock.errors import CodecError

READS_STORAGE = (access_pb2.USAGE_SHADER_STORAGE, access_pb2.ACCESS_KIND_READ)


def message(builder: GraphBuilder) -> graph_pb2.ExecutionGraph:
    return builder.build().message


def parsed(text: str, kind: type):
    return text_format.Parse(text, kind())


def findings(builder: GraphBuilder) -> list[tuple[str, str]]:
    with pytest.raises(BuildFailure) as failure:
        builder.build()
    return [(finding.code, str(finding.path)) for finding in failure.value.diagnostics]


def test_an_empty_graph_is_a_document():
    built = GraphBuilder("g", producer=("tool", "2")).build()
    assert built.kind == "ExecutionGraph"
    assert built.message.header.producer.name == "tool"
    assert built.message.header.producer.version == "2"
    assert built.message.maximum_node_executions == 0


@pytest.mark.parametrize(
    ("method", "role"),
    [
        ("input", resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT),
        ("output", resource_pb2.RESOURCE_ROLE_EXTERNAL_OUTPUT),
        ("in_out", resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT_OUTPUT),
        ("temporary", resource_pb2.RESOURCE_ROLE_TEMPORARY),
        ("state", resource_pb2.RESOURCE_ROLE_STATE),
        ("constant", resource_pb2.RESOURCE_ROLE_CONSTANT),
    ],
)
def test_each_role_has_a_method(method: str, role: int):
    graph = GraphBuilder("g")
    getattr(graph, method)("r", "f32", [2])
    assert message(graph).resources[0].role == role


@pytest.mark.parametrize(
    ("element", "shape", "size"),
    [
        ("f32", [], 4),
        ("f16", [3, 5], 30),
        ("u4", [3], 2),
        ("i4", [4], 2),
        ("c128", [2], 32),
        ("u8", [0, 7], 0),
    ],
)
def test_the_size_follows_from_type_and_shape(element: str, shape: list[int], size: int):
    graph = GraphBuilder("g")
    graph.input("r", element, shape)
    assert message(graph).resources[0].size.constant == size


def test_the_size_of_a_parametric_shape_is_parametric():
    graph = GraphBuilder("g")
    n = graph.parameter("n", "u32", minimum=1, maximum=64, multiple_of=2)
    graph.input("r", "f32", [n + 1, 3])
    graph.input("half", "u4", [n * 2])
    built = message(graph)
    assert built.parameters[0] == parsed(
        'id: "n" type: ELEMENT_TYPE_U32 minimum: 1 maximum: 64 multiple_of: 2', resource_pb2.Parameter
    )
    sizes = {resource.id: resource.size for resource in built.resources}
    assert sizes["r"] == parsed('constant: 12 terms { parameter: "n" coefficient: 12 }', type_pb2.Extent)
    assert sizes["half"] == parsed('terms { parameter: "n" coefficient: 1 }', type_pb2.Extent)


def test_extents_are_sums():
    graph = GraphBuilder("g")
    n, m = graph.parameter("n"), graph.parameter("m")
    assert 3 * n - 1 + m == Affine(-1, {"n": 3, "m": 1})
    assert (1 - n) * 2 == Affine(2, {"n": -2})
    assert n - n == Affine()
    assert 4 - (n + m) == Affine(4, {"n": -1, "m": -1})
    with pytest.raises(ValueError, match="product of two parameters"):
        n * m


def test_a_resource_states_what_it_is_given():
    graph = GraphBuilder("g")
    arena = graph.allocation("arena", 64, alignment=16, memory_class=resource_pb2.MEMORY_CLASS_DEVICE)
    graph.resource(
        "r",
        resource_pb2.RESOURCE_ROLE_TEMPORARY,
        "f32",
        [4],
        allocation=arena,
        offset=32,
        byte_strides=[8],
        size=28,
        alignment=4,
        begins=["a"],
        ends=["b", "c"],
    )
    graph.lifetime("r", begins=["d"], ends=["e"])
    built = message(graph)
    assert built.allocations[0] == parsed(
        'id: "arena" size { constant: 64 } alignment: 16 memory_class: MEMORY_CLASS_DEVICE',
        resource_pb2.Allocation,
    )
    assert built.resources[0] == parsed(
        """id: "r" role: RESOURCE_ROLE_TEMPORARY placement { allocation: "arena" offset { constant: 32 } }
        type { element: ELEMENT_TYPE_F32 } shape { constant: 4 } layout { strided { byte_strides: 8 } }
        size { constant: 28 } alignment: 4
        lifetime { spans { begins: "a" ends: "b" ends: "c" } spans { begins: "d" ends: "e" } }""",
        resource_pb2.Resource,
    )


def test_a_view_states_what_differs_from_its_resource():
    graph = GraphBuilder("g")
    x = graph.input("x", "f32", [8])
    graph.view("plain", x, [2], offset=8)
    graph.view("typed", "x", [4], element="u16", byte_strides=[-2])
    views = {view.id: view for view in message(graph).views}
    assert views["plain"] == parsed(
        'id: "plain" resource: "x" offset { constant: 8 } shape { constant: 2 }', resource_pb2.View
    )
    assert views["typed"] == parsed(
        'id: "typed" resource: "x" type { element: ELEMENT_TYPE_U16 } shape { constant: 4 } byte_strides: -2',
        resource_pb2.View,
    )


def test_a_dispatch_states_what_it_is_given():
    graph = GraphBuilder("g")
    n = graph.parameter("n", maximum=9)
    x, y = graph.input("x", "f32", [8]), graph.output("y", "f32", [8])
    part = graph.view("part", y, [4])
    kernel = graph.artifact("k", pins={"vulkan": ("sha256:" + 64 * "0", 12)})
    graph.dispatch(
        "d",
        artifact=kernel,
        entry="main",
        reads={"a": x.bytes(4, 8), "b": bound("x", usage=access_pb2.USAGE_SHADER_CONSTANT, group=1, index=0)},
        writes={"c": full(part), "d": partial("part")},
        updates={"e": y},
        atomics={"f": bound(y, atomic_type="u32")},
        elements=[n, 2],
        elements_per_group=[64, 1],
        workgroup_size=[32],
        exact_threads=True,
        subgroup_size=32,
        dynamic_shared_bytes=128,
        specialization={"flag": True, 7: typed("u32", 5)},
        inline={"size": Computed("u32", n), "scale": typed("f32", -math.inf)},
        tolerated_aliases=[("f", "e")],
    )
    (node,) = message(graph).body.nodes
    assert node.operation.dispatch == parsed(
        r"""artifact: "k" entry: "main"
        specialization { constant_id: 7 value { element: ELEMENT_TYPE_U32 bits: "\005\000\000\000" } }
        specialization { name: "flag" value { element: ELEMENT_TYPE_BOOL bits: "\001" } }
        bindings { slot: "a" access: ACCESS_MODE_READ
          target { byte_range { resource: "x" offset { constant: 4 } size { constant: 8 } } } }
        bindings { slot: "b" access: ACCESS_MODE_READ target { resource: "x" } usage: USAGE_SHADER_CONSTANT
          coordinate { group: 1 index: 0 } }
        bindings { slot: "c" access: ACCESS_MODE_WRITE target { view: "part" } coverage: COVERAGE_FULL }
        bindings { slot: "d" access: ACCESS_MODE_WRITE target { view: "part" } coverage: COVERAGE_PARTIAL }
        bindings { slot: "e" access: ACCESS_MODE_READ_WRITE target { resource: "y" } }
        bindings { slot: "f" access: ACCESS_MODE_ATOMIC target { resource: "y" }
          atomic_type: ELEMENT_TYPE_U32 }
        inline_constants { slot: "scale"
          value { literal { element: ELEMENT_TYPE_F32 bits: "\000\000\200\377" } } }
        inline_constants { slot: "size" value { parametric { element: ELEMENT_TYPE_U32
          value { terms { parameter: "n" coefficient: 1 } } } } }
        geometry {
          workgroup_count { elements { elements { terms { parameter: "n" coefficient: 1 } }
            elements { constant: 2 } elements_per_workgroup: 64 elements_per_workgroup: 1 } }
          workgroup_size: 32 exact_threads: true subgroup_size: 32 dynamic_shared_bytes: 128
        }
        tolerated_aliases { first: "e" second: "f" }""",
        type(node.operation.dispatch),
    )
    assert message(graph).artifacts[0].pins[0].size == 12


def test_an_indirect_dispatch_reads_its_count():
    graph = GraphBuilder("g")
    counts = graph.input("counts", "u32", [3])
    graph.artifact("k")
    graph.dispatch("d", artifact="k", entry="e", indirect=counts, maximum_groups=[4, 4])
    geometry = message(graph).body.nodes[0].operation.dispatch.geometry
    assert geometry.workgroup_count.indirect.source.resource == "counts"
    assert list(geometry.workgroup_count.indirect.maximum_counts) == [4, 4]


def test_copies_fills_barriers_and_edges():
    graph = GraphBuilder("g")
    x, y = graph.input("x", "f32", [8]), graph.output("y", "f32", [8])
    copied = graph.copy("copy", x, y)
    graph.fill("fill", y, -math.inf, after=[copied, "copy"])
    graph.fill("zero", y.bytes(0, 4), typed("u8", 0))
    graph.barrier("join", after=["fill"])
    graph.barrier("visible", x, "y", available_from=DEVICE_WRITES[:1], visible_to=[READS_STORAGE])
    graph.edge("join", "visible", y, available_from=DEVICE_WRITES[1:2], visible_to=DEVICE_READS[:1])
    graph.edge("join", "visible", x, available_from=DEVICE_WRITES[1:2], visible_to=DEVICE_READS[:1])
    nodes = {node.id: node for node in message(graph).body.nodes}
    assert nodes["copy"].operation.copy == parsed(
        'source { resource: "x" } destination { resource: "y" }', node_pb2.Copy
    )
    assert list(nodes["fill"].depends_on) == ["copy"]
    assert nodes["fill"].operation.fill.pattern == parsed(
        r'element: ELEMENT_TYPE_F32 bits: "\000\000\200\377"', type_pb2.TypedBits
    )
    assert nodes["zero"].operation.fill.pattern == parsed(
        r'element: ELEMENT_TYPE_U8 bits: "\000"', type_pb2.TypedBits
    )
    assert nodes["join"].operation == parsed("barrier {}", node_pb2.Operation)
    assert nodes["visible"].operation.barrier == parsed(
        """statements { selections { resource: "x" } selections { resource: "y" }
        available_from { usage: USAGE_SHADER_STORAGE kind: ACCESS_KIND_WRITE }
        visible_to { usage: USAGE_SHADER_STORAGE kind: ACCESS_KIND_READ } }""",
        node_pb2.Barrier,
    )
    (edge,) = nodes["visible"].edge_visibility
    assert edge.source == "join"
    assert [statement.selections[0].resource for statement in edge.statements] == ["x", "y"]


def test_control_nodes_hold_what_is_authored_inside_them():
    graph = GraphBuilder("g")
    flag, count = graph.input("flag", "bool"), graph.input("count", "i32")
    y = graph.output("y", "f32", [8])
    with graph.conditional("if", when(flag, "==", True)) as arms:
        graph.fill("then", y, 1)
        with arms.otherwise():
            graph.fill("else", y, 2)
    with graph.repeat(
        "loop",
        count,
        minimum=1,
        maximum=5,
        continue_while=when(count, "<", 3),
        iteration_index="i",
        after=[arms],
    ) as loop:
        graph.fill("body", y.bytes(loop.index * 4, 4), 0)
        with graph.repeat("inner", 2, after=["body"]):
            graph.barrier("join")
        loop.carry(y)
    built = message(graph)
    nodes = {node.id: node.operation for node in built.body.nodes}
    assert [node.id for node in nodes["if"].conditional.then_region.nodes] == ["then"]
    assert [node.id for node in nodes["if"].conditional.else_region.nodes] == ["else"]
    assert nodes["if"].conditional.predicate == parsed(
        r"""source { resource: "flag" } comparison: COMPARISON_EQUAL
        literal { element: ELEMENT_TYPE_BOOL bits: "\001" }""",
        node_pb2.Predicate,
    )
    repeat = nodes["loop"].repeat
    assert [node.id for node in repeat.body.nodes] == ["body", "inner"]
    assert repeat.trips.read == parsed(
        'source { resource: "count" } element: ELEMENT_TYPE_I32', node_pb2.CountRead
    )
    assert (repeat.minimum_trips, repeat.maximum_trips, repeat.iteration_index) == (1, 5, "i")
    assert repeat.continue_while.comparison == node_pb2.COMPARISON_LESS
    assert len(repeat.carried) == 1
    inner = repeat.body.nodes[1].operation.repeat
    assert (inner.trips.literal, inner.maximum_trips, inner.HasField("minimum_trips")) == (2, 2, False)
    assert built.maximum_node_executions == 3 + 1 + 5 + 5 + 10


def test_the_bound_of_executions_can_be_stated():
    graph = GraphBuilder("g")
    graph.barrier("join")
    assert graph.build(maximum_node_executions=9).message.maximum_node_executions == 9


def test_elements_say_where_they_come_from():
    graph = GraphBuilder("g")
    x, kernel, node = graph.input("x", "u8"), graph.artifact("k"), graph.barrier("join")
    graph.describe(tool=("t", "1"), attributes={"b": "2", "a": "1"})
    graph.describe(x, source="x.py")
    graph.describe(kernel, source=SourceLocation("k.hlsl", "sha256:" + 64 * "1", "abc", (3, 4)))
    graph.describe(node, attributes={"c": ""})
    built = message(graph)
    assert built.provenance.tool.name == "t"
    assert [attribute.key for attribute in built.provenance.attributes] == ["a", "b"]
    assert built.resources[0].provenance.source.uri == "x.py"
    assert built.artifacts[0].provenance.source.lines.last == 4
    assert built.body.nodes[0].provenance.attributes[0].key == "c"


def test_edges_carry_all():
    graph = GraphBuilder("g")
    graph.edges_carry_all()
    assert message(graph).visibility_model == graph_pb2.VISIBILITY_MODEL_EDGES_CARRY_ALL


def test_building_twice_gives_the_same_document():
    graph = GraphBuilder("g")
    graph.fill("f", graph.output("y", "u8", [4]), 1)
    assert graph.build().binary == graph.build().binary


def test_every_mistake_is_collected():
    graph = GraphBuilder("g")
    n, m = graph.parameter("n"), graph.parameter("n")
    x = graph.input("x", "f32", [4])
    graph.input("x", "f33", [4])
    graph.view("x", x, [2])
    graph.input("square", "f32", [n + 0, m + 1])
    graph.input("placed", "f32", offset=4)
    graph.input("strided", "f32", [4], byte_strides=[8])
    graph.input("both", "f32", [1], size=4, byte_strides=[4], layout=resource_pb2.PhysicalLayout())
    graph.allocation("big", 1 << 63, alignment=-1)
    graph.fill("f", "nowhere", 1)
    graph.fill("f", x, 10**40)
    graph.fill("h", x, True)
    graph.copy("c", "x", x)
    graph.dispatch("d", artifact="a", entry="e", reads={"s": x}, writes={"s": x}, specialization={"k": 3})
    graph.edge("f", "missing")
    graph.lifetime("missing")
    graph.parameter("wide", minimum=-(1 << 64), maximum=1 << 63, multiple_of=-1)
    graph.view("far", x, [2], byte_strides=[1 << 63])
    graph.artifact("k", pins={"vulkan": ("", -1)})
    assert findings(graph) == [
        ("build.duplicate-id", 'parameters["n"]'),
        ("build.unknown-element-type", 'resources["x"].type'),
        ("build.duplicate-id", 'resources["x"]'),
        ("build.size-not-affine", 'resources["square"].size'),
        ("build.offset-without-allocation", 'resources["placed"].placement'),
        ("build.missing-size", 'resources["strided"].size'),
        ("build.conflicting-layout", 'resources["both"].layout'),
        ("build.out-of-range", 'allocations["big"].size'),
        ("build.out-of-range", 'allocations["big"].alignment'),
        ("build.unknown-target", 'body.nodes["f"].operation.fill.destination'),
        ("build.duplicate-id", 'body.nodes["f"]'),
        ("build.literal-out-of-range", 'body.nodes["f"].operation.fill.pattern'),
        ("build.literal-type-mismatch", 'body.nodes["h"].operation.fill.pattern'),
        ("build.ambiguous-target", 'body.nodes["c"].operation.copy.source'),
        ("build.workgroup-count", 'body.nodes["d"].operation.dispatch.geometry.workgroup_count'),
        ("build.duplicate-slot", 'body.nodes["d"].operation.dispatch.bindings["s"]'),
        ("build.untyped-literal", 'body.nodes["d"].operation.dispatch.specialization[0].value'),
        ("build.unknown-node", "body"),
        ("build.unknown-target", ""),
        ("build.out-of-range", 'parameters["wide"].minimum'),
        ("build.out-of-range", 'parameters["wide"].maximum'),
        ("build.out-of-range", 'parameters["wide"].multiple_of'),
        ("build.out-of-range", 'views["far"].byte_strides[0]'),
        ("build.out-of-range", 'artifacts["k"].pins["vulkan"].size'),
    ]
    with pytest.raises(BuildFailure) as failure:
        graph.build()
    assert {finding.code for finding in failure.value.diagnostics} == set(BUILD_CODES)


def test_what_no_document_can_hold_is_refused_by_the_encoder():
    graph = GraphBuilder("g")
    x = graph.input("x", "f32", [4])
    graph.barrier("b", x, x)
    with pytest.raises(CodecError) as failure:
        graph.build()
    assert failure.value.code == "canonical.duplicate-key"
