"""Between the messages of ``execgraph.v1`` and the oracle's own form of a graph."""

from __future__ import annotations

from typing import Protocol

from google.protobuf import text_format

from execgraph.v1 import access_pb2, dispatch_pb2, graph_pb2, header_pb2, node_pb2, resource_pb2, type_pb2

from .model import (
    CONSTANT,
    ELEMENT_BYTES,
    Allocation,
    Barrier,
    Binding,
    Conditional,
    Copy,
    CopyRegion,
    Dispatch,
    Extent,
    Fill,
    Graph,
    Node,
    Operation,
    Parameter,
    Region,
    Repeat,
    Resource,
    Selection,
    Span,
    Statement,
    UnsupportedError,
    View,
)

_CARRY_ALL = graph_pb2.VISIBILITY_MODEL_EDGES_CARRY_ALL


def from_text(text: str) -> Graph:
    """Read a graph in the protobuf text format."""
    return from_proto(text_format.Parse(text, graph_pb2.ExecutionGraph()))


def to_text(graph: Graph) -> str:
    """Write a graph in the protobuf text format, as small as the contract allows."""
    return text_format.MessageToString(to_proto(graph))


def from_proto(message: graph_pb2.ExecutionGraph) -> Graph:
    """Read a graph.

    Raises:
        UnsupportedError: The graph asserts disjointness, or uses elements that are no whole bytes.
    """
    if message.disjointness_assertions:
        raise UnsupportedError("asserted disjointness")
    graph = Graph(carry_all=message.visibility_model == _CARRY_ALL)
    for parameter in message.parameters:
        graph.parameters[parameter.id] = Parameter(
            parameter.id, parameter.minimum, parameter.maximum, parameter.multiple_of or 1
        )
    for allocation in message.allocations:
        graph.allocations[allocation.id] = Allocation(
            allocation.id, _extent(allocation.size), allocation.alignment
        )
    for resource in message.resources:
        graph.resources[resource.id] = _resource(resource)
    for view in message.views:
        element = view.type.element or graph.resources[view.resource].element
        graph.views[view.id] = View(
            view.id,
            view.resource,
            _extent(view.offset),
            _known(element),
            tuple(map(_extent, view.shape)),
            tuple(view.byte_strides),
        )
    graph.body = _region(message.body)
    return graph


def _known(element: int) -> int:
    if element not in ELEMENT_BYTES:
        raise UnsupportedError(f"elements of type {type_pb2.ElementType.Name(element)}")
    return element


def _extent(message: type_pb2.Extent) -> Extent:
    return Extent(message.constant, tuple((term.parameter, term.coefficient) for term in message.terms))


def _resource(message: resource_pb2.Resource) -> Resource:
    if message.layout.WhichOneof("layout") not in {None, "packed"}:
        raise UnsupportedError("layouts other than packed")
    spans = [Span(list(span.begins), list(span.ends)) for span in message.lifetime.spans]
    return Resource(
        id=message.id,
        role=message.role,
        element=_known(message.type.element),
        shape=tuple(map(_extent, message.shape)),
        size=_extent(message.size),
        allocation=message.placement.allocation,
        offset=_extent(message.placement.offset),
        alignment=message.alignment,
        consumed=message.consumed,
        lifetime=spans if message.HasField("lifetime") else None,
    )


def _selection(message: type_pb2.ByteSelection) -> Selection:
    kind = message.WhichOneof("selection")
    if kind == "view":
        return Selection(view=message.view)
    if kind == "resource":
        return Selection(message.resource)
    named = message.byte_range
    return Selection(named.resource, "", _extent(named.offset), _extent(named.size))


def _statement(message: access_pb2.VisibilityStatement) -> Statement:
    return Statement(
        [_selection(selection) for selection in message.selections],
        {(scope.usage, scope.kind) for scope in message.available_from},
        {(scope.usage, scope.kind) for scope in message.visible_to},
    )


def _region(message: node_pb2.Region) -> Region:
    return Region([_node(node) for node in message.nodes])


def _node(message: node_pb2.Node) -> Node:
    edges = {edge.source: [_statement(s) for s in edge.statements] for edge in message.edge_visibility}
    return Node(message.id, _operation(message.operation), list(message.depends_on), edges)


def _operation(message: node_pb2.Operation) -> Operation:
    kind = message.WhichOneof("kind")
    if kind == "dispatch":
        return _dispatch(message.dispatch)
    if kind == "copy":
        region = _copy_region(message.copy.region) if message.copy.HasField("region") else None
        return Copy(_selection(message.copy.source), _selection(message.copy.destination), region)
    if kind == "fill":
        return Fill(_selection(message.fill.destination), _known(message.fill.pattern.element))
    if kind == "barrier":
        return Barrier([_statement(statement) for statement in message.barrier.statements])
    if kind == "conditional":
        inner = message.conditional
        return Conditional(
            _selection(inner.predicate.source),
            _known(inner.predicate.literal.element),
            _region(inner.then_region) if inner.HasField("then_region") else None,
            _region(inner.else_region) if inner.HasField("else_region") else None,
        )
    if kind != "repeat":
        raise UnsupportedError(f"nodes of kind {kind}")
    return _repeat(message.repeat)


def _dispatch(message: dispatch_pb2.Dispatch) -> Dispatch:
    count = message.geometry.workgroup_count
    source = count.WhichOneof("source")
    return Dispatch(
        [
            Binding(b.slot, _selection(b.target), b.access, b.coverage, b.usage, b.atomic_type)
            for b in message.bindings
        ],
        [(pair.first, pair.second) for pair in message.tolerated_aliases],
        tuple(map(_extent, count.extents.counts)) if source == "extents" else (),
        tuple(map(_extent, count.elements.elements)) if source == "elements" else (),
        _selection(count.indirect.source) if source == "indirect" else None,
    )


def _copy_region(message: node_pb2.CopyRegion) -> CopyRegion:
    return CopyRegion(
        _extent(message.row_bytes),
        _extent(message.rows),
        _extent(message.slices) if message.HasField("slices") else None,
        (message.source_row_pitch, message.source_slice_pitch),
        (message.destination_row_pitch, message.destination_slice_pitch),
    )


def _repeat(message: node_pb2.Repeat) -> Repeat:
    literal = message.trips.WhichOneof("source") == "literal"
    read = message.trips.read
    goes_on = message.HasField("continue_while")
    return Repeat(
        body=_region(message.body),
        count=message.trips.literal if literal else _selection(read.source),
        maximum=message.maximum_trips,
        minimum=message.minimum_trips if message.HasField("minimum_trips") else None,
        count_element=0 if literal else _known(read.element),
        proceed=_selection(message.continue_while.source) if goes_on else None,
        proceed_element=_known(message.continue_while.literal.element) if goes_on else 0,
        carried=[_statement(statement) for statement in message.carried],
        index=message.iteration_index,
    )


def to_proto(graph: Graph) -> graph_pb2.ExecutionGraph:
    """Write a graph as a complete document."""
    message = graph_pb2.ExecutionGraph(id="g", maximum_node_executions=graph.body.executions())
    message.header.kind = header_pb2.DOCUMENT_KIND_EXECUTION_GRAPH
    message.header.schema_major = 1
    message.header.required_features.append("draft-1")
    if graph.carry_all:
        message.visibility_model = _CARRY_ALL
    for _, parameter in sorted(graph.parameters.items()):
        step = parameter.multiple_of if parameter.multiple_of > 1 else 0
        message.parameters.add(
            id=parameter.id,
            type=type_pb2.ELEMENT_TYPE_I32,
            minimum=parameter.minimum,
            maximum=parameter.maximum,
            multiple_of=step,
        )
    for _, allocation in sorted(graph.allocations.items()):
        added = message.allocations.add(id=allocation.id, alignment=allocation.alignment)
        _put(added.size, allocation.size)
    for _, resource in sorted(graph.resources.items()):
        _put_resource(message.resources.add(), resource)
    for _, view in sorted(graph.views.items()):
        _put_view(message.views.add(), view, graph.resources[view.resource].element)
    if any(isinstance(node.operation, Dispatch) for node, _, _ in graph.walk()):
        message.artifacts.add(id="kernel")
    _put_region(message.body, graph.body)
    return message


def _put(message: type_pb2.Extent, extent: Extent) -> None:
    message.SetInParent()
    message.constant = extent.constant
    for name, coefficient in sorted(extent.terms):
        message.terms.add(parameter=name, coefficient=coefficient)


def _put_resource(message: resource_pb2.Resource, resource: Resource) -> None:
    message.id, message.role, message.consumed = resource.id, resource.role, resource.consumed
    message.type.element = resource.element
    message.alignment = resource.alignment
    for axis in resource.shape:
        _put(message.shape.add(), axis)
    if resource.size != Extent():
        _put(message.size, resource.size)
    if resource.allocation:
        message.placement.allocation = resource.allocation
        if resource.offset != Extent():
            _put(message.placement.offset, resource.offset)
    if resource.role == CONSTANT:
        message.content.digest = "sha256:" + "0" * 64
        message.content.size = resource.size.constant
    if resource.lifetime is not None:
        message.lifetime.SetInParent()
        for span in sorted(resource.lifetime, key=lambda s: (sorted(s.begins), sorted(s.ends))):
            message.lifetime.spans.add(begins=sorted(span.begins), ends=sorted(span.ends))


def _put_view(message: resource_pb2.View, view: View, element: int) -> None:
    message.id, message.resource = view.id, view.resource
    if view.offset != Extent():
        _put(message.offset, view.offset)
    if view.element != element:
        message.type.element = view.element
    for axis in view.shape:
        _put(message.shape.add(), axis)
    message.byte_strides.extend(view.strides)


def _put_selection(message: type_pb2.ByteSelection, selection: Selection) -> None:
    if selection.view:
        message.view = selection.view
    elif selection.size is None:
        message.resource = selection.resource
    else:
        message.byte_range.resource = selection.resource
        if selection.offset != Extent():
            _put(message.byte_range.offset, selection.offset)
        _put(message.byte_range.size, selection.size)


class _Statements(Protocol):
    """A repeated field of statements."""

    def add(self) -> access_pb2.VisibilityStatement: ...


def _put_statements(messages: _Statements, statements: list[Statement]) -> None:
    for statement in statements:
        message = messages.add()
        for selection in statement.selections:
            _put_selection(message.selections.add(), selection)
        for usage, kind in sorted(statement.available_from):
            message.available_from.add(usage=usage, kind=kind)
        for usage, kind in sorted(statement.visible_to):
            message.visible_to.add(usage=usage, kind=kind)


def _put_region(message: node_pb2.Region, region: Region) -> None:
    message.SetInParent()
    for node in sorted(region.nodes, key=lambda n: n.id):
        _put_node(message.nodes.add(), node)


def _put_node(message: node_pb2.Node, node: Node) -> None:
    message.id = node.id
    message.depends_on.extend(sorted(node.depends_on))
    for source, statements in sorted(node.edge_statements.items()):
        if statements:
            _put_statements(message.edge_visibility.add(source=source).statements, statements)
    operation = node.operation
    if isinstance(operation, Dispatch):
        _put_dispatch(message.operation.dispatch, operation)
    elif isinstance(operation, Copy):
        _put_copy(message.operation.copy, operation)
    elif isinstance(operation, Fill):
        _put_selection(message.operation.fill.destination, operation.destination)
        _put_bits(message.operation.fill.pattern, operation.element)
    elif isinstance(operation, Barrier):
        message.operation.barrier.SetInParent()
        _put_statements(message.operation.barrier.statements, operation.statements)
    elif isinstance(operation, Conditional):
        _put_predicate(message.operation.conditional.predicate, operation.predicate, operation.element)
        if operation.then is not None:
            _put_region(message.operation.conditional.then_region, operation.then)
        if operation.otherwise is not None:
            _put_region(message.operation.conditional.else_region, operation.otherwise)
    else:
        _put_repeat(message.operation.repeat, operation)


def _put_bits(message: type_pb2.TypedBits, element: int) -> None:
    message.element = element
    message.bits = bytes(ELEMENT_BYTES[element])


def _put_predicate(message: node_pb2.Predicate, source: Selection, element: int) -> None:
    _put_selection(message.source, source)
    message.comparison = node_pb2.COMPARISON_NOT_EQUAL
    _put_bits(message.literal, element)


def _put_dispatch(message: dispatch_pb2.Dispatch, operation: Dispatch) -> None:
    message.artifact, message.entry = "kernel", "main"
    for binding in sorted(operation.bindings, key=lambda b: b.slot):
        added = message.bindings.add(slot=binding.slot, access=binding.access)
        _put_selection(added.target, binding.target)
        added.coverage, added.usage, added.atomic_type = binding.coverage, binding.usage, binding.atomic_type
    for first, second in sorted(operation.tolerated):
        message.tolerated_aliases.add(first=first, second=second)
    count = message.geometry.workgroup_count
    message.geometry.workgroup_size.append(64)
    if operation.indirect is not None:
        _put_selection(count.indirect.source, operation.indirect)
        count.indirect.maximum_counts.append(4)
    elif operation.elements:
        for axis in operation.elements:
            _put(count.elements.elements.add(), axis)
    else:
        for axis in operation.counts or (Extent(1),):
            _put(count.extents.counts.add(), axis)


def _put_copy(message: node_pb2.Copy, operation: Copy) -> None:
    _put_selection(message.source, operation.source)
    _put_selection(message.destination, operation.destination)
    if (region := operation.region) is not None:
        _put(message.region.row_bytes, region.row_bytes)
        _put(message.region.rows, region.rows)
        if region.slices is not None:
            _put(message.region.slices, region.slices)
        message.region.source_row_pitch, message.region.source_slice_pitch = region.source_pitches
        message.region.destination_row_pitch, message.region.destination_slice_pitch = (
            region.destination_pitches
        )


def _put_repeat(message: node_pb2.Repeat, operation: Repeat) -> None:
    _put_region(message.body, operation.body)
    if isinstance(operation.count, int):
        message.trips.literal = operation.count
    else:
        _put_selection(message.trips.read.source, operation.count)
        message.trips.read.element = operation.count_element
    if operation.minimum is not None:
        message.minimum_trips = operation.minimum
    message.maximum_trips = operation.maximum
    if operation.proceed is not None:
        _put_predicate(message.continue_while, operation.proceed, operation.proceed_element)
    _put_statements(message.carried, operation.carried)
    message.iteration_index = operation.index
