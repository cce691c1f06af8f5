"""The half of the builder that declares: parameters.

Memory, resources, artifacts and where they come from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from execgraph.v1 import graph_pb2, header_pb2, node_pb2, resource_pb2, type_pb2
from interlock.author import declarations
from interlock.author.affine import AffineLike, Parameter
from interlock.author.declarations import ResourceOptions, SourceLocation
from interlock.author.handles import Allocation, Artifact, Named, Node, Resource, View
from interlock.author.listing import Nodes, Numbers, Shape, id_of, ids_of
from interlock.author.options import takes
from interlock.author.resolver import Resolver
from interlock.diagnostic import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

_Described = graph_pb2.ExecutionGraph | resource_pb2.Resource | node_pb2.Node | graph_pb2.GraphArtifact


class DeclaringBuilder:
    """What `GraphBuilder` declares; see there."""

    def __init__(self, name: str, producer: tuple[str, str] | None) -> None:
        self._graph = graph_pb2.ExecutionGraph(id=name)
        if producer is not None:
            tool, version = producer
            self._graph.header.producer.CopyFrom(header_pb2.Producer(name=tool, version=version))
        self._resolver = Resolver()
        self._nodes: dict[str, node_pb2.Node] = {}
        self._resources: dict[str, resource_pb2.Resource] = {}
        self._artifacts: dict[str, graph_pb2.GraphArtifact] = {}

    def parameter(
        self,
        name: str,
        element: str = "u32",
        *,
        minimum: int = 0,
        maximum: int = 0,
        multiple_of: int = 0,
    ) -> Parameter:
        """Declare an integer that the caller sets for each invocation, from ``minimum`` to ``maximum``.

        State ``minimum=1`` where a grid or shape that counts with it is never empty: with 0, a dispatch may
        run no workgroup at all, and then writes nothing that later nodes read. ``multiple_of`` is what every
        value is divisible by.
        """
        path = ROOT.element("parameters", len(self._graph.parameters), name)
        if self._resolver.declare("parameter", name, path):
            self._graph.parameters.add(
                id=name,
                type=self._resolver.element(element, path.field("type")),
                minimum=self._resolver.signed(minimum, path.field("minimum")),
                maximum=self._resolver.signed(maximum, path.field("maximum")),
                multiple_of=self._resolver.unsigned(multiple_of, 64, path.field("multiple_of")),
            )
        return Parameter(name)

    def allocation(
        self,
        name: str,
        size: AffineLike,
        *,
        alignment: int = 0,
        memory_class: resource_pb2.MemoryClass | None = None,
    ) -> Allocation:
        """Declare a block of memory of ``size`` bytes that resources are placed in."""
        path = ROOT.element("allocations", len(self._graph.allocations), name)
        if self._resolver.declare("allocation", name, path):
            self._graph.allocations.add(
                id=name,
                size=self._resolver.extent(size, path.field("size")),
                alignment=self._resolver.unsigned(alignment, 64, path.field("alignment")),
                memory_class=memory_class,
            )
        return Allocation(name)

    @takes(ResourceOptions)
    def resource(
        self,
        name: str,
        role: resource_pb2.ResourceRole,
        element: str,
        shape: Shape = (),
        **options: Unpack[ResourceOptions],
    ) -> Resource:
        """Declare a buffer or image of elements of ``element`` (`f32`, `u8`, …).

        An empty shape is one element.

        Args:
            name: Its id.
            role: Who fills it and how long it lives; `input`, `output`, … have a method each.
            element: The type of its elements, by name.
            shape: The numbers of elements along each axis, outermost first, or one number.
            allocation: The block of memory it is placed in. Absent: one of its own.
            offset: Where in the allocation it starts, in bytes; 0 by default.
            byte_strides: One distance in bytes an axis, where elements are not packed.
            layout: Another layout than packed, in place of ``byte_strides``.
            size: In bytes; follows from type and shape where elements are packed.
            alignment: What its address is a multiple of, in bytes. Absent: not stated.
            consumed: Whether the caller donates it, so that its bytes may be reused after its last read.
            begins: The nodes where the first span of its lifetime may begin.
            ends: The nodes where that span ends.
            content: What a constant holds, or a state at first.

        Raises:
            TypeError: An option that is none of these.
        """
        path = ROOT.element("resources", len(self._graph.resources), name)
        handle = Resource(name, self._resolver.element(element, path.field("type")))
        message = declarations.resource(self._resolver, path, handle.element, shape, options)
        if self._resolver.declare("resource", name, path):
            message.id, message.role = name, role
            self._resources[name] = self._graph.resources.add()
            self._resources[name].CopyFrom(message)
            self._resolver.add_target(handle)
        return handle

    @takes(ResourceOptions)
    def input(
        self, name: str, element: str, shape: Shape = (), **options: Unpack[ResourceOptions]
    ) -> Resource:
        """Declare a resource that the caller fills. Otherwise like `resource`."""
        return self.resource(name, resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT, element, shape, **options)

    @takes(ResourceOptions)
    def output(
        self, name: str, element: str, shape: Shape = (), **options: Unpack[ResourceOptions]
    ) -> Resource:
        """Declare a resource that the graph fills for the caller. Otherwise like `resource`."""
        return self.resource(name, resource_pb2.RESOURCE_ROLE_EXTERNAL_OUTPUT, element, shape, **options)

    @takes(ResourceOptions)
    def in_out(
        self, name: str, element: str, shape: Shape = (), **options: Unpack[ResourceOptions]
    ) -> Resource:
        """Declare a resource that the caller fills and the graph changes in place.

        Otherwise like `resource`.
        """
        return self.resource(
            name, resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT_OUTPUT, element, shape, **options
        )

    @takes(ResourceOptions)
    def temporary(
        self, name: str, element: str, shape: Shape = (), **options: Unpack[ResourceOptions]
    ) -> Resource:
        """Declare a resource of one invocation; ``begins`` and ``ends`` say when it is alive.

        Otherwise like `resource`.
        """
        return self.resource(name, resource_pb2.RESOURCE_ROLE_TEMPORARY, element, shape, **options)

    @takes(ResourceOptions)
    def state(
        self, name: str, element: str, shape: Shape = (), **options: Unpack[ResourceOptions]
    ) -> Resource:
        """Declare a resource that survives invocations; ``content`` is its initial content.

        Otherwise like `resource`.
        """
        return self.resource(name, resource_pb2.RESOURCE_ROLE_STATE, element, shape, **options)

    @takes(ResourceOptions)
    def constant(
        self, name: str, element: str, shape: Shape = (), **options: Unpack[ResourceOptions]
    ) -> Resource:
        """Declare immutable ``content``. Otherwise like `resource`."""
        return self.resource(name, resource_pb2.RESOURCE_ROLE_CONSTANT, element, shape, **options)

    def lifetime(self, resource: Named | str, *, begins: Nodes = (), ends: Nodes = ()) -> None:
        """Add a span to the lifetime of a resource: where it may begin, and where it ends."""
        message = self._resources.get(id_of(resource))
        if message is None:
            self._resolver.report(
                "unknown-target", ROOT, f"`{id_of(resource)}` is no resource declared so far"
            )
            return
        message.lifetime.spans.add(begins=ids_of(begins), ends=ids_of(ends))

    def view(
        self,
        name: str,
        resource: Named | str,
        shape: Shape = (),
        *,
        element: str | None = None,
        offset: AffineLike = 0,
        byte_strides: Numbers = (),
    ) -> View:
        """Declare a named part of a resource, from byte ``offset``.

        ``element`` defaults to the resource's.
        """
        path = ROOT.element("views", len(self._graph.views), name)
        stated = None if element is None else self._resolver.element(element, path.field("type"))
        owner = self._resources.get(id_of(resource))
        if owner is None:
            text = f"`{id_of(resource)}` is no resource declared so far"
            self._resolver.report("unknown-target", path.field("resource"), text)
        inherited = type_pb2.ELEMENT_TYPE_UNSPECIFIED if owner is None else owner.type.element
        handle = View(name, inherited if stated is None else stated)
        message = declarations.view(self._resolver, path, stated, shape, offset, byte_strides)
        if self._resolver.declare("view", name, path):
            message.id, message.resource = name, id_of(resource)
            self._graph.views.append(message)
            self._resolver.add_target(handle)
        return handle

    def artifact(self, name: str, pins: Mapping[str, tuple[str, int]] | None = None) -> Artifact:
        """Enter an artifact into the table; ``pins`` map a target to the digest and the size of its bytes."""
        path = ROOT.element("artifacts", len(self._graph.artifacts), name)
        if self._resolver.declare("artifact", name, path):
            message = self._artifacts[name] = self._graph.artifacts.add(id=name)
            for target, (digest, size) in (pins or {}).items():
                place = path.element("pins", len(message.pins), target).field("size")
                message.pins.add(target=target, digest=digest, size=self._resolver.unsigned(size, 64, place))
        return Artifact(name)

    def describe(
        self,
        element: Resource | Node | Artifact | None = None,
        *,
        tool: tuple[str, str] | None = None,
        source: SourceLocation | str | None = None,
        attributes: Mapping[str, str] | None = None,
    ) -> None:
        """State where a resource, a node, an artifact or the graph (None) comes from.

        Replaces what was stated before.
        """
        message = declarations.provenance(tool, source, attributes or {})
        owner: _Described | None
        if element is None:
            owner = self._graph
        elif isinstance(element, Resource):
            owner = self._resources.get(element.id)
        elif isinstance(element, Artifact):
            owner = self._artifacts.get(element.id)
        else:
            owner = self._nodes.get(element.id)
        if owner is not None:
            owner.provenance.CopyFrom(message)
