"""Author an execution graph in Python.

graph = GraphBuilder("double")
x, y = graph.input("x", "f32", [4096]), graph.output("y", "f32", [4096])
graph.dispatch(
    "run", artifact=graph.artifact("double"), entry="main", reads={"x": x}, writes={"y": full(y)}, groups=[64]
)
document = graph.build()
"""

from __future__ import annotations

from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Unpack

from execgraph.v1 import access_pb2, graph_pb2, node_pb2
from interlock.author import operations
from interlock.author.affine import Parameter
from interlock.author.declaring import DeclaringBuilder
from interlock.author.executions import node_executions
from interlock.author.handles import Condition, Named, Node, Target, Typed
from interlock.author.listing import Nodes, Scopes, id_of, ids_of
from interlock.author.operations import DEVICE_READS, DEVICE_WRITES, Bindings, Launch, LaunchOptions
from interlock.author.options import takes
from interlock.diagnostic import ROOT, Path
from interlock.document import Document
from interlock.errors import InterlockError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from interlock.author.literals import Number
    from interlock.author.resolver import Resolver


Access = Named | str | tuple[Named | str, str]
"""Every access of a node, or that of one slot of a dispatch."""


class BuildFailure(InterlockError):  # noqa: N818  (named like ImportFailure)
    """Calls that make no graph, with everything that is wrong with them."""


class ConditionalArms:
    """A conditional under construction: its id, and its else-arm."""

    def __init__(self, name: str, enter: Callable[[], AbstractContextManager[None]]) -> None:
        self.id = name
        self._enter = enter

    def otherwise(self) -> AbstractContextManager[None]:
        """Author the else-arm inside a `with` block."""
        return self._enter()


class Loop:
    """A repeat under construction: its id.

    Its iteration index, and what its iterations make visible to each other.
    """

    def __init__(
        self, name: str, index: Parameter, message: node_pb2.Repeat, resolver: Resolver, path: Path
    ) -> None:
        self.id = name
        self.index = index
        self._message = message
        self._resolver = resolver
        self._path = path

    def carry(
        self,
        *targets: Target,
        available_from: Scopes = DEVICE_WRITES,
        visible_to: Scopes = (*DEVICE_READS, *DEVICE_WRITES),
    ) -> None:
        """Make writes of one iteration visible to the next, as `GraphBuilder.barrier` does between nodes."""
        place = self._path.element("carried", len(self._message.carried))
        message = operations.statement(self._resolver, place, targets, available_from, visible_to)
        self._message.carried.append(message)


class GraphBuilder(DeclaringBuilder):
    """Collects the parts of one execution graph and makes a canonical document of them.

    Wherever a handle is taken, its id is taken too. Nothing is judged here: mistakes that make no message (an
    id declared twice, a literal that does not fit its type) are collected, and `build` raises them together;
    whether the graph is safe is what `verify` tells.

    Args:
        name: The id of the graph.
        producer: Name and version of the tool that writes the document.
    """

    def __init__(self, name: str, *, producer: tuple[str, str] | None = None) -> None:
        super().__init__(name, producer)
        self._regions: list[tuple[node_pb2.Region, Path]] = [(self._graph.body, ROOT.field("body"))]
        self._places: dict[str, tuple[Path, Path]] = {}

    @takes(LaunchOptions)
    def dispatch(
        self,
        name: str,
        *,
        artifact: Named | str,
        entry: str,
        reads: Bindings | None = None,
        writes: Bindings | None = None,
        updates: Bindings | None = None,
        atomics: Bindings | None = None,
        after: Nodes = (),
        **options: Unpack[LaunchOptions],
    ) -> Node:
        """Run an entry of an artifact.

        ``reads``, ``writes``, ``updates`` (read and write) and ``atomics`` map a slot to what is bound to it.
        A write that overwrites every byte is `full(target)`. Exactly one of ``groups``, ``elements`` and
        ``indirect`` is needed.

        Args:
            name: The id of the node.
            artifact: What holds the kernel.
            entry: The name of the kernel in it.
            reads: The slots it reads.
            writes: The slots it writes.
            updates: The slots it reads and writes.
            atomics: The slots it updates atomically.
            after: The nodes it depends on.
            groups: The numbers of workgroups along x, y and z.
            elements: The numbers of elements to cover, by ceiling division.
            elements_per_group: What ``elements`` are divided by. Absent: the workgroup size.
            indirect: Three U32 workgroup counts in memory.
            maximum_groups: What each of the counts in memory is at most.
            workgroup_size: The numbers of invocations of one workgroup.
            exact_threads: Whether exactly the elements run, so that the last workgroup of an axis may be cut.
            subgroup_size: The invocations of a subgroup that the kernel needs. Absent: any.
            dynamic_shared_bytes: The shared memory of a workgroup that the launch adds, in bytes.
            specialization: Constant name or number to a `typed` literal or a bool.
            inline: Slot to a `typed` literal, a bool or a `Computed` value, passed without memory.
            tolerated_aliases: Pairs of slots whose bytes may overlap.

        Raises:
            TypeError: An option that is none of these.
        """
        node, path = self._add_node(name, after)
        accesses = (
            (access_pb2.ACCESS_MODE_READ, reads or {}),
            (access_pb2.ACCESS_MODE_WRITE, writes or {}),
            (access_pb2.ACCESS_MODE_READ_WRITE, updates or {}),
            (access_pb2.ACCESS_MODE_ATOMIC, atomics or {}),
        )
        launch = Launch(id_of(artifact), entry, accesses, **options)
        message = operations.dispatch(self._resolver, path.field("dispatch"), launch)
        node.operation.dispatch.CopyFrom(message)
        return Node(name)

    def copy(
        self,
        name: str,
        source: Target,
        destination: Target,
        *,
        region: node_pb2.CopyRegion | None = None,
        after: Nodes = (),
    ) -> Node:
        """Copy bytes as they are; ``region`` copies rows that lie at different distances."""
        node, path = self._add_node(name, after)
        place = path.field("copy")
        message = node_pb2.Copy(
            source=self._resolver.selection(source, place.field("source")),
            destination=self._resolver.selection(destination, place.field("destination")),
            region=region,
        )
        node.operation.copy.CopyFrom(message)
        return Node(name)

    def fill(self, name: str, destination: Target, value: Number | Typed, *, after: Nodes = ()) -> Node:
        """Fill bytes with a value of the destination's element type, or with `typed` elements of another."""
        node, path = self._add_node(name, after)
        message = operations.fill(self._resolver, path.field("fill"), destination, value)
        node.operation.fill.CopyFrom(message)
        return Node(name)

    def barrier(
        self,
        name: str,
        *targets: Target,
        after: Nodes = (),
        available_from: Scopes = DEVICE_WRITES,
        visible_to: Scopes = (*DEVICE_READS, *DEVICE_WRITES),
    ) -> Node:
        """Join the nodes in ``after``, and make writes of the targets' bytes visible.

        By default the writes of every node (`DEVICE_WRITES`), to every access of every node (`DEVICE_READS`
        and `DEVICE_WRITES`). Without targets it orders, and makes nothing visible.
        """
        node, path = self._add_node(name, after)
        node.operation.barrier.SetInParent()
        if targets:
            place = path.field("barrier").element("statements", 0)
            message = operations.statement(self._resolver, place, targets, available_from, visible_to)
            node.operation.barrier.statements.append(message)
        return Node(name)

    def edge(
        self,
        source: Named | str,
        target: Named | str,
        *targets: Target,
        available_from: Scopes = DEVICE_WRITES,
        visible_to: Scopes = (*DEVICE_READS, *DEVICE_WRITES),
    ) -> None:
        """Make ``target``, a node of the current region, depend on ``source``.

        With targets, visibly so, as in `barrier`.
        """
        region = self._regions[-1][1]
        node, (home, place) = self._nodes.get(id_of(target)), self._places.get(id_of(target), (ROOT, ROOT))
        if node is None or home != region:
            text = f"`{id_of(target)}` is no node of this region so far"
            self._resolver.report("unknown-node", region, text)
            return
        if id_of(source) not in node.depends_on:
            node.depends_on.append(id_of(source))
        if targets:
            place = place.element("edge_visibility", 0, id_of(source))
            message = operations.statement(
                self._resolver, place.element("statements", 0), targets, available_from, visible_to
            )
            edges = [edge for edge in node.edge_visibility if edge.source == id_of(source)]
            edge = edges[0] if edges else node.edge_visibility.add(source=id_of(source))
            edge.statements.append(message)

    @contextmanager
    def conditional(self, name: str, condition: Condition, *, after: Nodes = ()) -> Iterator[ConditionalArms]:
        """Author, inside the `with` block, what runs where the condition holds.

        See `ConditionalArms.otherwise`.
        """
        node, path = self._add_node(name, after)
        place = path.field("conditional")
        message = node.operation.conditional
        message.predicate.CopyFrom(operations.predicate(self._resolver, place.field("predicate"), condition))
        arms = ConditionalArms(name, lambda: self._region(message.else_region, place.field("else_region")))
        with self._region(message.then_region, place.field("then_region")):
            yield arms

    @contextmanager
    def repeat(
        self,
        name: str,
        trips: int | Target,
        *,
        minimum: int | None = None,
        maximum: int | None = None,
        continue_while: Condition | None = None,
        iteration_index: str = "",
        after: Nodes = (),
    ) -> Iterator[Loop]:
        """Author, inside the `with` block, what is repeated.

        ``trips`` is a number or where one is read from, and then ``maximum`` is needed; ``iteration_index``
        names a parameter that holds the number of the iteration inside the body.
        """
        node, path = self._add_node(name, after)
        place = path.field("repeat")
        message = node.operation.repeat
        message.trips.CopyFrom(operations.trip_count(self._resolver, place.field("trips"), trips))
        bound = maximum if maximum is not None else message.trips.literal
        message.maximum_trips = self._resolver.unsigned(bound, 64, place.field("maximum_trips"))
        if minimum is not None:
            message.minimum_trips = self._resolver.unsigned(minimum, 64, place.field("minimum_trips"))
        if continue_while is not None:
            test = operations.predicate(self._resolver, place.field("continue_while"), continue_while)
            message.continue_while.CopyFrom(test)
        if iteration_index and self._resolver.declare(
            "parameter", iteration_index, place.field("iteration_index")
        ):
            message.iteration_index = iteration_index
        message.body.SetInParent()
        with self._region(message.body, place.field("body")):
            yield Loop(name, Parameter(iteration_index), message, self._resolver, place)

    def assert_disjoint(self, first: Access, second: Access, *, because: str) -> None:
        """Vouch that two accesses never touch a common byte in one invocation, although their ranges overlap.

        An access is a slot of a dispatch, as (node, slot), or every access of a node. ``because`` is the
        reason. A race or hazard between the two then holds under assumption.
        """
        pair = sorted(
            (id_of(a[0]), a[1]) if isinstance(a, tuple) else (id_of(a), "") for a in (first, second)
        )
        one, other = (graph_pb2.AccessReference(node=node, slot=slot) for node, slot in pair)
        self._graph.disjointness_assertions.add(first=one, second=other, justification=because)

    def edges_carry_all(self) -> None:
        """Declare that every dependency makes everything visible, so that ordered means visible."""
        self._graph.visibility_model = graph_pb2.VISIBILITY_MODEL_EDGES_CARRY_ALL

    def build(self, *, maximum_node_executions: int | None = None) -> Document:
        """Return the canonical document.

        ``maximum_node_executions`` defaults to the bound that follows from the graph.

        Raises:
            BuildFailure: Calls that make no graph; every finding, with a code that starts with `build.`.
            CodecError: A message that no document can hold.
        """
        bound = maximum_node_executions
        if bound is None:
            bound = node_executions(self._graph.body)
        bound = self._resolver.unsigned(bound, 64, ROOT.field("maximum_node_executions"))
        if self._resolver.findings:
            raise BuildFailure(*self._resolver.findings)
        message = graph_pb2.ExecutionGraph()
        message.CopyFrom(self._graph)
        message.maximum_node_executions = bound
        return Document.from_message(message)

    def _add_node(self, name: str, after: Nodes) -> tuple[node_pb2.Node, Path]:
        """Return a node of the current region and the path of its operation.

        A taken id makes it one that is thrown away.
        """
        region, path = self._regions[-1]
        place = path.element("nodes", len(region.nodes), name)
        node = node_pb2.Node()
        if self._resolver.declare("node", name, place):
            node = self._nodes[name] = region.nodes.add()
            self._places[name] = (path, place)
        node.id = name
        node.depends_on.extend(dict.fromkeys(ids_of(after)))
        return node, place.field("operation")

    @contextmanager
    def _region(self, region: node_pb2.Region, path: Path) -> Iterator[None]:
        self._regions.append((region, path))
        try:
            yield
        finally:
            self._regions.pop()
