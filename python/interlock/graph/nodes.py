"""The nodes of a graph as columns: every region flattened, every node numbered densely.

The nodes of one region have consecutive numbers in canonical order, regions follow each other in the order
in which they are met. So a region is a range of numbers, and a place in a region is a difference.
"""

from __future__ import annotations

from array import array
from collections import deque
from enum import IntEnum
from typing import TYPE_CHECKING

from interlock.diagnostic import ROOT, Path, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from execgraph.v1 import graph_pb2, node_pb2


class NodeKind(IntEnum):
    """The kind of a node: the number of the operation's arm, or UNKNOWN where none is set."""

    UNKNOWN = 0
    DISPATCH = 1
    COPY = 2
    FILL = 3
    BARRIER = 4
    CONDITIONAL = 5
    REPEAT = 6


class Arm(IntEnum):
    """What a region is to its control node."""

    BODY = 0
    THEN = 1
    ELSE = 2


KIND_BY_ARM = {
    "dispatch": NodeKind.DISPATCH,
    "copy": NodeKind.COPY,
    "fill": NodeKind.FILL,
    "barrier": NodeKind.BARRIER,
    "conditional": NodeKind.CONDITIONAL,
    "repeat": NodeKind.REPEAT,
}

_REGION_STEPS = {
    Arm.BODY: (Step("operation"), Step("repeat"), Step("body")),
    Arm.THEN: (Step("operation"), Step("conditional"), Step("then_region")),
    Arm.ELSE: (Step("operation"), Step("conditional"), Step("else_region")),
}


class NodeTable:
    """Columns over nodes and over regions, addressed by dense numbers.

    Attributes:
        ids: The id of each node; not unique in a broken document.
        by_id: The first node of each id.
        region: The region of each node.
        kind: The `NodeKind` of each node.
        messages: The ``Node`` of each node.
        operations: The arm of the operation, such as a ``Dispatch``; None where no arm is set.
        region_first: The first node of each region, and the number of nodes at the end.
        region_owner: The control node of each region, -1 for the body of the graph.
        region_arm: The `Arm` of each region.
        region_depth: How many regions a region lies within; 0 for the body of the graph.
        regions_of: The regions of each control node.
    """

    def __init__(self, graph: graph_pb2.ExecutionGraph) -> None:
        self.ids: list[str] = []
        self.by_id: dict[str, int] = {}
        self.region = array("l")
        self.kind = bytearray()
        self.messages: list[node_pb2.Node] = []
        self.operations: list[Message | None] = []
        self.region_first = array("l")
        self.region_owner = array("l")
        self.region_arm = bytearray()
        self.region_depth = array("l")
        self.regions_of: dict[int, list[int]] = {}
        self._prefixes: list[tuple[Step, ...] | None] = []
        self._read(graph)

    def __len__(self) -> int:
        return len(self.ids)

    def _read(self, graph: graph_pb2.ExecutionGraph) -> None:
        waiting: deque[tuple[node_pb2.Region, int, Arm, int]] = deque([(graph.body, -1, Arm.BODY, 0)])
        while waiting:
            message, owner, arm, depth = waiting.popleft()
            number = len(self.region_owner)
            self.region_first.append(len(self.ids))
            self.region_owner.append(owner)
            self.region_arm.append(arm)
            self.region_depth.append(depth)
            if owner >= 0:
                self.regions_of.setdefault(owner, []).append(number)
            for node in message.nodes:
                waiting.extend(
                    (region, len(self.ids) - 1, which, depth + 1)
                    for which, region in self._read_node(node, number)
                )
        self.region_first.append(len(self.ids))
        self._prefixes = [None] * len(self.region_owner)

    def _read_node(self, node: node_pb2.Node, region: int) -> list[tuple[Arm, node_pb2.Region]]:
        operation = node.operation
        arm = operation.WhichOneof("kind")
        content: Message | None = getattr(operation, arm) if arm else None
        identity = node.id
        self.by_id.setdefault(identity, len(self.ids))
        self.ids.append(identity)
        self.region.append(region)
        self.messages.append(node)
        self.operations.append(content)
        self.kind.append(KIND_BY_ARM.get(arm or "", NodeKind.UNKNOWN))
        if arm == "repeat" and operation.repeat.HasField("body"):
            return [(Arm.BODY, operation.repeat.body)]
        if arm == "conditional":
            conditional = operation.conditional
            arms = [(Arm.THEN, "then_region"), (Arm.ELSE, "else_region")]
            return [(which, getattr(conditional, name)) for which, name in arms if conditional.HasField(name)]
        return []

    def nodes_of(self, region: int) -> range:
        """Return the nodes of a region."""
        return range(self.region_first[region], self.region_first[region + 1])

    def of_kind(self, kind: NodeKind) -> Iterator[int]:
        """Yield the nodes of one kind."""
        find, number = self.kind.find, self.kind.find(kind)
        while number >= 0:
            yield number
            number = find(kind, number + 1)

    def owners(self, node: int) -> Iterator[int]:
        """Yield the control nodes around a node, innermost first."""
        owner = self.region_owner[self.region[node]]
        while owner >= 0:
            yield owner
            owner = self.region_owner[self.region[owner]]

    def lies_in(self, node: int, owner: int) -> bool:
        """Tell whether a node lies in a region of a control node, however deep."""
        return any(around == owner for around in self.owners(node))

    def regions_around(self, node: int) -> list[int]:
        """Return the regions that contain a node, innermost first."""
        return [self.region[node], *(self.region[owner] for owner in self.owners(node))]

    def lifted(self, node: int, region: int) -> int:
        """Return the node of a region that is a node or has it somewhere inside; -1 if none is."""
        while self.region[node] != region:
            node = self.region_owner[self.region[node]]
            if node < 0:
                return -1
        return node

    def path(self, node: int, suffix: tuple[Step, ...] = ()) -> Path:
        """Return the path of a node, or of a place within it."""
        position = node - self.region_first[self.region[node]]
        step = Step("nodes", position, self.ids[node] or None)
        return Path((*self._prefix(self.region[node]), step, *suffix))

    def _prefix(self, region: int) -> tuple[Step, ...]:
        """Return the steps to a region, kept because its nodes share them; regions outside come first."""
        chain = [region]
        while self._prefixes[chain[-1]] is None and self.region_owner[chain[-1]] >= 0:
            chain.append(self.region[self.region_owner[chain[-1]]])
        for inner in reversed(chain):
            if self._prefixes[inner] is None:
                self._prefixes[inner] = self._region_steps(inner)
        return self._prefixes[region] or ()

    def _region_steps(self, region: int) -> tuple[Step, ...]:
        owner = self.region_owner[region]
        if owner < 0:
            return ROOT.field("body").steps
        around = self._prefixes[self.region[owner]] or ()
        position = owner - self.region_first[self.region[owner]]
        return (
            *around,
            Step("nodes", position, self.ids[owner] or None),
            *_REGION_STEPS[Arm(self.region_arm[region])],
        )
