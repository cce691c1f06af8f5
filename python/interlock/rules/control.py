"""Rules about control: bounds of repeats, what conditionals and repeats read, the number of executions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import node_pb2
from interlock.diagnostic import ROOT, NamedElement, Step
from interlock.graph.extents import Affine, describe
from interlock.graph.footprints import Footprint
from interlock.graph.nodes import NodeKind
from interlock.graph.types import BOOL, WHOLE_BYTE_INTEGERS, element_name, storage_bits
from interlock.rules.model import Finding, Gap, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.diagnostic import Path
    from interlock.graph.index import GraphIndex
    from interlock.graph.operations import ControlRead
    from interlock.rules.context import Context

_REPEAT = (Step("operation"), Step("repeat"))
_BOUND = ROOT.field("maximum_node_executions")
_EQUALITY = (0, node_pb2.COMPARISON_EQUAL, node_pb2.COMPARISON_NOT_EQUAL)


def _finding(graph: GraphIndex, node: int, path: Path, message: str) -> Finding:
    return Finding(path, message, elements=(NamedElement("node", graph.nodes.ids[node]),))


@rule("control.unbounded-repeat")
def unbounded_repeat(context: Context) -> Iterator[Finding]:
    """A repeat states no greatest number of trips.

    What it checks:
        Every repeat has a maximum of at least 1.

    Why:
        Without it the graph need not end, and no bound on its work can be told.

    Bad example:
        repeat { trips { read { source { resource: "count" } element: ELEMENT_TYPE_U32 } } }

    Good example:
        repeat { trips { read { source { resource: "count" } element: ELEMENT_TYPE_U32 } } maximum_trips: 64 }
    """
    graph = context.graph
    for repeat in graph.operations.repeats:
        if not repeat.maximum:
            path = graph.nodes.path(repeat.node, (*_REPEAT, Step("maximum_trips")))
            yield _finding(graph, repeat.node, path, "the repeat has no maximum; required is at least 1")


@rule("control.bounds-inverted")
def bounds_inverted(context: Context) -> Iterator[Finding]:
    """The minimum, the count and the maximum of a repeat contradict each other.

    What it checks:
        A literal count is at least 1 and at most the maximum; the minimum is at most the maximum and at
        most the literal count.

    Why:
        A runtime runs the smaller of count and maximum. A minimum above that is a promise that cannot be
        kept, and a count above the maximum would silently be cut.

    Bad example:
        repeat { trips { literal: 8 } maximum_trips: 4 }

    Good example:
        repeat { trips { literal: 8 } maximum_trips: 8 }
    """
    graph = context.graph
    for repeat in graph.operations.repeats:
        literal, minimum, maximum = repeat.literal, repeat.minimum, repeat.maximum
        path = graph.nodes.path(repeat.node, (*_REPEAT, Step("trips"), Step("literal")))
        if literal == 0:
            yield _finding(graph, repeat.node, path, "the count is 0; required is at least 1")
        elif literal is not None and 0 < maximum < literal:
            yield _finding(graph, repeat.node, path, f"the count {literal} is above the maximum {maximum}")
        path = graph.nodes.path(repeat.node, (*_REPEAT, Step("minimum_trips")))
        if minimum is not None and 0 < maximum < minimum:
            yield _finding(graph, repeat.node, path, f"the minimum {minimum} is above the maximum {maximum}")
        elif minimum is not None and literal and minimum > literal:
            yield _finding(graph, repeat.node, path, f"the minimum {minimum} is above the count {literal}")


@rule("control.empty-conditional")
def empty_conditional(context: Context) -> Iterator[Finding]:
    """A conditional has no arm.

    What it checks:
        Every conditional has a then-region or an else-region.

    Why:
        It would read a predicate and do nothing, whatever it says.

    Bad example:
        conditional { predicate { comparison: COMPARISON_EQUAL } }

    Good example:
        conditional {
          predicate { comparison: COMPARISON_EQUAL }
          then_region { nodes { id: "clear" operation { barrier {} } } }
        }
    """
    graph = context.graph
    for node in graph.nodes.of_kind(NodeKind.CONDITIONAL):
        if not any(graph.nodes.nodes_of(region) for region in graph.nodes.regions_of.get(node, ())):
            path = graph.nodes.path(node, (Step("operation"), Step("conditional")))
            yield _finding(
                graph, node, path, "neither arm has a node; required is at least one in one of them"
            )


@rule("control.unsupported-type")
def unsupported_type(context: Context) -> Iterator[Finding]:
    r"""A predicate or a trip count is of a type that control does not know.

    What it checks:
        A predicate compares an integer of 8 to 64 bits, or a bool for equality only; a trip count is an
        integer of 8 to 64 bits.

    Why:
        These are what every target can compare exactly. Comparing floats raises questions about NaN and
        zeros that the document could not answer.

    Bad example:
        predicate { comparison: COMPARISON_LESS literal { element: ELEMENT_TYPE_BOOL bits: "\001" } }

    Good example:
        predicate { comparison: COMPARISON_EQUAL literal { element: ELEMENT_TYPE_BOOL bits: "\001" } }
    """
    graph = context.graph
    for read in graph.operations.control_reads:
        is_predicate = _is_predicate(read)
        if not read.element or read.element in WHOLE_BYTE_INTEGERS:
            continue
        name = element_name(read.element)
        if is_predicate and read.element == BOOL:
            if read.comparison not in _EQUALITY:
                path = graph.nodes.path(read.node, (*read.place, Step("comparison")))
                comparison = node_pb2.Comparison.Name(read.comparison).removeprefix("COMPARISON_")
                message = f"`{name}` knows no `{comparison}`; required is `EQUAL` or `NOT_EQUAL`"
                yield _finding(graph, read.node, path, message)
            continue
        steps = (Step("literal"), Step("element")) if is_predicate else (Step("element"),)
        required = "an integer of 8 to 64 bits" + (" or `BOOL`" if is_predicate else "")
        path = graph.nodes.path(read.node, (*read.place, *steps))
        yield _finding(graph, read.node, path, f"`{name}` is not supported; required is {required}")


def _is_predicate(read: ControlRead) -> bool:
    return read.place[-1].field != "read"


@rule("control.type-mismatch")
def type_mismatch(context: Context) -> Iterator[Finding | Gap]:
    """A control node reads an element as another type than it has.

    What it checks:
        A predicate's literal, and the type of a trip count, is the element type of the resource or view
        that is read. A byte range has no type and is not judged.

    Why:
        The bits of a signed -1 are those of the largest unsigned number. A comparison as the wrong type
        decides wrongly, and nothing reports it.

    Bad example:
        resources { id: "left" type { element: ELEMENT_TYPE_I32 } size { constant: 4 } }
        read { source { resource: "left" } element: ELEMENT_TYPE_U32 }

    Good example:
        resources { id: "left" type { element: ELEMENT_TYPE_I32 } size { constant: 4 } }
        read { source { resource: "left" } element: ELEMENT_TYPE_I32 }
    """
    graph = context.graph
    for read in graph.operations.control_reads:
        selection = graph.selections[read.selection]
        path = graph.nodes.path(read.node, (*read.place, Step("source")))
        if selection.resource is None:
            yield Gap("what it reads is missing", path)
        elif selection.type is not None and read.element and selection.type.element not in (0, read.element):
            have, want = element_name(selection.type.element), element_name(read.element)
            yield _finding(
                graph, read.node, path, f"`{selection.name}` holds `{have}`, but is read as `{want}`"
            )


@rule("control.range-size-mismatch")
def range_size_mismatch(context: Context) -> Iterator[Finding | Gap]:
    """A control node reads more or fewer bytes than one element.

    What it checks:
        The bytes of a predicate's source and of a trip count are exactly those of one element of its type.

    Why:
        Control reads one element. Which one of several it is, or what fills the missing bytes, nobody says.

    Bad example:
        resources { id: "flags" size { constant: 64 } }
        read { source { resource: "flags" } element: ELEMENT_TYPE_U32 }

    Good example:
        resources { id: "flags" size { constant: 64 } }
        read {
          source { byte_range { resource: "flags" offset { constant: 8 } size { constant: 4 } } }
          element: ELEMENT_TYPE_U32
        }
    """
    graph = context.graph
    for read in graph.operations.control_reads:
        bytes_, size = graph.selections[read.selection].bytes, storage_bits(read.element) // 8
        path = graph.nodes.path(read.node, (*read.place, Step("source")))
        if not isinstance(bytes_, Footprint) or not size:
            yield Gap(
                "its element type has no size" if isinstance(bytes_, Footprint) else bytes_.reason, path
            )
        elif bytes_.payload != Affine(size):
            found = describe(bytes_.payload, graph.elements.parameter_names)
            message = f"the source has `{found}` bytes; one `{element_name(read.element)}` has {size}"
            yield _finding(graph, read.node, path, message)


@rule("control.missing-execution-bound")
def missing_execution_bound(context: Context) -> Iterator[Finding]:
    """The graph declares no upper bound of node executions.

    What it checks:
        A graph that has nodes states the greatest number of node executions of one invocation.

    Why:
        The bound is what a runtime can trust before it reads the nodes, and what a reviewer sees change.

    Bad example:
        id: "graph"
        body { nodes { id: "join" operation { barrier {} } } }

    Good example:
        id: "graph"
        body { nodes { id: "join" operation { barrier {} } } }
        maximum_node_executions: 1
    """
    graph = context.graph
    if len(graph.nodes) and not graph.message.maximum_node_executions:
        yield Finding(_BOUND, "the graph states no bound of node executions; required is at least 1")


@rule("control.execution-bound-exceeded")
def execution_bound_exceeded(context: Context) -> Iterator[Finding | Gap]:
    """The graph can execute more nodes than it declares.

    What it checks:
        The sum over all nodes, those of both arms included, of the product of the maxima of the repeats
        around them, is at most the bound that the graph declares. The sum is computed without any width.

    Why:
        A bound that does not hold is worse than none.

    Bad example:
        body {
          nodes {
            id: "loop"
            operation {
              repeat {
                body { nodes { id: "step" operation { barrier {} } } }
                trips { literal: 8 }
                maximum_trips: 8
              }
            }
          }
        }
        maximum_node_executions: 8

    Good example:
        body {
          nodes {
            id: "loop"
            operation {
              repeat {
                body { nodes { id: "step" operation { barrier {} } } }
                trips { literal: 8 }
                maximum_trips: 8
              }
            }
          }
        }
        maximum_node_executions: 9
    """
    graph = context.graph
    declared, total = graph.message.maximum_node_executions, graph.node_executions
    if not declared:
        return
    if total is None:
        yield Gap("a repeat has no maximum", _BOUND)
    elif total > declared:
        yield Finding(_BOUND, f"up to {total} node executions are possible; the declared bound is {declared}")


RULES = (
    unbounded_repeat,
    bounds_inverted,
    empty_conditional,
    unsupported_type,
    type_mismatch,
    range_size_mismatch,
    missing_execution_bound,
    execution_bound_exceeded,
)
