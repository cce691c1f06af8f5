"""The index: regions flattened, references resolved, accesses as columns, broken documents included."""

from __future__ import annotations

from google.protobuf import text_format

from execgraph.v1 import access_pb2, graph_pb2
from interlock.graph.accesses import AccessRole
from interlock.graph.extents import Affine, Domain
from interlock.graph.footprints import MISSING_RESOURCE, MISSING_VIEW, NO_SELECTION, NO_VALUE, Footprint
from interlock.graph.index import GraphIndex
from interlock.graph.nodes import Arm, NodeKind


def index(text: str) -> GraphIndex:
    return GraphIndex(text_format.Parse(text, graph_pb2.ExecutionGraph()))


NESTED = """
body {
  nodes { id: "a" operation { barrier {} } }
  nodes {
    id: "choose"
    operation {
      conditional {
        then_region { nodes { id: "t" operation { fill {} } } }
        else_region {
          nodes {
            id: "loop"
            operation { repeat { maximum_trips: 3 body { nodes { id: "b" operation { copy {} } } } } }
          }
        }
      }
    }
  }
  nodes { id: "z" operation { dispatch {} } }
  nodes { id: "nothing" }
}
"""


def test_regions_are_flattened_and_their_nodes_are_consecutive() -> None:
    nodes = index(NESTED).nodes
    assert nodes.ids == ["a", "choose", "z", "nothing", "t", "loop", "b"]
    assert [NodeKind(kind) for kind in nodes.kind] == [
        NodeKind.BARRIER,
        NodeKind.CONDITIONAL,
        NodeKind.DISPATCH,
        NodeKind.UNKNOWN,
        NodeKind.FILL,
        NodeKind.REPEAT,
        NodeKind.COPY,
    ]
    assert [list(nodes.nodes_of(region)) for region in range(4)] == [[0, 1, 2, 3], [4], [5], [6]]
    assert list(nodes.region_owner) == [-1, 1, 1, 5]
    assert [Arm(arm) for arm in nodes.region_arm] == [Arm.BODY, Arm.THEN, Arm.ELSE, Arm.BODY]
    assert list(nodes.region_depth) == [0, 1, 1, 2]
    assert nodes.regions_of == {1: [1, 2], 5: [3]}


def test_paths_lead_through_the_control_nodes() -> None:
    nodes = index(NESTED).nodes
    assert str(nodes.path(6)) == (
        'body.nodes["choose"].operation.conditional.else_region.nodes["loop"].operation.repeat.body.nodes["b"]'
    )
    assert [step.index for step in nodes.path(6).steps if step.index is not None] == [1, 0, 0]


def test_what_lies_around_a_node() -> None:
    nodes = index(NESTED).nodes
    assert list(nodes.owners(6)) == [5, 1]
    assert nodes.lies_in(6, 1)
    assert not nodes.lies_in(4, 5)
    assert list(nodes.of_kind(NodeKind.COPY)) == [6]


def test_executions_multiply() -> None:
    assert index(NESTED).node_executions == 4 + 1 + 1 + 3
    assert index(NESTED.replace("maximum_trips: 3", "")).node_executions is None


def test_accesses_are_columns_in_the_order_of_the_nodes() -> None:
    graph = index(
        """
        resources { id: "x" type { element: ELEMENT_TYPE_F32 } size { constant: 64 } }
        views { id: "v" resource: "x" shape { constant: 4 } }
        body {
          nodes {
            id: "a"
            operation {
              dispatch {
                bindings { slot: "p" target { resource: "x" } access: ACCESS_MODE_READ }
                bindings { slot: "q" target { view: "v" } access: ACCESS_MODE_WRITE coverage: COVERAGE_FULL
                           usage: USAGE_SHADER_SAMPLED atomic_type: ELEMENT_TYPE_U32 }
                geometry { workgroup_count { indirect { source { view: "v" } } } }
              }
            }
          }
          nodes { id: "b" operation { copy { source { resource: "x" } destination { view: "v" } } } }
          nodes { id: "c" operation { fill { destination { view: "v" } } } }
        }
        """
    )
    table = graph.accesses
    rows = list(
        zip(table.node, table.role, table.mode, table.usage, table.coverage, table.atomic, strict=True)
    )
    assert rows == [
        (0, AccessRole.BINDING, access_pb2.ACCESS_MODE_READ, access_pb2.USAGE_SHADER_STORAGE, 0, 0),
        (0, AccessRole.BINDING, access_pb2.ACCESS_MODE_WRITE, access_pb2.USAGE_SHADER_SAMPLED, 1, 9),
        (0, AccessRole.INDIRECT, access_pb2.ACCESS_MODE_READ, access_pb2.USAGE_INDIRECT_COMMAND, 0, 0),
        (1, AccessRole.COPY_SOURCE, access_pb2.ACCESS_MODE_READ, access_pb2.USAGE_TRANSFER, 0, 0),
        (1, AccessRole.COPY_DESTINATION, access_pb2.ACCESS_MODE_WRITE, access_pb2.USAGE_TRANSFER, 1, 0),
        (2, AccessRole.FILL, access_pb2.ACCESS_MODE_WRITE, access_pb2.USAGE_FILL, 1, 0),
    ]
    assert str(table.path(1, graph.nodes)) == 'body.nodes["a"].operation.dispatch.bindings["q"]'
    assert str(table.path(4, graph.nodes)) == 'body.nodes["b"].operation.copy.destination'


def test_equal_selections_are_one() -> None:
    graph = index(
        """
        resources { id: "x" type { element: ELEMENT_TYPE_F32 } size { constant: 64 } }
        body {
          nodes { id: "a" operation { fill { destination { RANGE } } } }
          nodes { id: "b" operation { fill { destination { RANGE } } } }
        }
        """.replace("RANGE", 'byte_range { resource: "x" size { constant: 8 } }')
    )
    assert list(graph.accesses.selection) == [0, 0]
    (selection,) = graph.selections
    assert selection.bytes == Footprint(Affine(0), Affine(8), Affine(8), contiguous=True)
    assert selection.type is None
    assert [place.node for place in graph.selection_places({0})] == [0, 1]


def test_what_does_not_resolve_says_why() -> None:
    graph = index(
        """
        parameters { id: "never" type: ELEMENT_TYPE_U8 minimum: 300 maximum: 400 }
        resources { id: "x" size { terms { parameter: "never" coefficient: 1 } } }
        views { id: "v" resource: "gone" }
        body {
          nodes { id: "a" depends_on: "gone" operation { fill { destination { resource: "gone" } } } }
          nodes { id: "b" operation { fill { destination { view: "gone" } } } }
          nodes { id: "c" operation { fill { destination { view: "v" } } } }
          nodes { id: "d" operation { fill { destination { resource: "x" } } } }
          nodes { id: "e" operation { fill {} } }
          nodes {
            id: "f"
            operation {
              fill {
                destination {
                  byte_range { resource: "x" size { terms { parameter: "gone" coefficient: 1 } } }
                }
              }
            }
          }
        }
        """
    )
    reasons = [graph.selections[number].bytes for number in graph.accesses.selection]
    assert reasons == [MISSING_RESOURCE, MISSING_VIEW, MISSING_RESOURCE, NO_VALUE, NO_SELECTION, NO_VALUE]
    assert list(graph.topology.order) == list(range(6))


def test_iteration_indices_are_parameters_with_an_owner() -> None:
    graph = index(
        """
        parameters { id: "n" type: ELEMENT_TYPE_I8 minimum: -1000 maximum: 1000 multiple_of: 100 }
        body { nodes { id: "loop" operation { repeat { maximum_trips: 4 iteration_index: "i" } } } }
        """
    )
    named = [(parameter.id, parameter.domain, parameter.owner) for parameter in graph.elements.parameters]
    assert named == [("n", Domain(-100, 100, 100), -1), ("i", Domain(0, 3, 1), 0)]
    assert str(graph.elements.parameters[1].path) == 'body.nodes["loop"].operation.repeat.iteration_index'


def test_the_first_of_several_equal_ids_counts() -> None:
    graph = index(
        """
        body {
          nodes { id: "a" operation { barrier {} } }
          nodes { id: "loop" operation { repeat { body { nodes { id: "a" operation { barrier {} } } } } } }
          nodes { id: "z" depends_on: "a" operation { barrier {} } }
        }
        """
    )
    assert list(graph.topology.predecessors[2]) == [0]
