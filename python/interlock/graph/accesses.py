"""What nodes read and write, as columns; and the bytes they name, each selection resolved once.

Most graphs name few distinct resources, views and ranges from many places. So a selection is a number, and
a rule about selections judges each once, however many accesses share it.
"""

from __future__ import annotations

from array import array
from enum import IntEnum
from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2
from interlock.diagnostic import Path, Step
from interlock.graph.elements import ElementTables, ElementType, Use
from interlock.graph.extents import ZERO, Affine, add, is_bounded
from interlock.graph.footprints import (
    MISSING_RESOURCE,
    MISSING_VIEW,
    NO_SELECTION,
    NO_VALUE,
    Bytes,
    Footprint,
    array_footprint,
)

if TYPE_CHECKING:
    from execgraph.v1 import type_pb2
    from interlock.graph.nodes import NodeTable

READ = access_pb2.ACCESS_MODE_READ
WRITE = access_pb2.ACCESS_MODE_WRITE
READ_WRITE = access_pb2.ACCESS_MODE_READ_WRITE
ATOMIC = access_pb2.ACCESS_MODE_ATOMIC
WRITING = frozenset({WRITE, READ_WRITE, ATOMIC})


class AccessRole(IntEnum):
    """What an access is to its node."""

    BINDING = 0
    INDIRECT = 1
    COPY_SOURCE = 2
    COPY_DESTINATION = 3
    FILL = 4
    PREDICATE = 5
    CONTINUE_WHILE = 6
    COUNT = 7


class Selection:
    """Bytes of one resource, named as a whole, by a view or by a range.

    Attributes:
        arm: ``resource``, ``view``, ``byte_range``, or empty if nothing is selected.
        name: The id of the resource or view that is named.
        resource: The resource, or None if it is missing.
        view: The view, or None.
        bytes: The bytes within the resource.
        type: The element type, or None for a byte range, which has none.
        parameters: The parameters in it.
    """

    __slots__ = ("arm", "bytes", "name", "parameters", "resource", "type", "view")

    def __init__(
        self,
        arm: str,
        name: str,
        resource: int | None,
        view: int | None,
        bytes_: Bytes,
        type_: ElementType | None,
        parameters: frozenset[int],
    ) -> None:
        self.arm = arm
        self.name = name
        self.resource = resource
        self.view = view
        self.bytes = bytes_
        self.type = type_
        self.parameters = parameters


class SelectionTable:
    """Every distinct selection, resolved.

    Attributes:
        selections: The selections by number.
        view_bytes: The bytes of each view, used or not.
    """

    def __init__(self, tables: ElementTables) -> None:
        self._tables = tables
        self.selections: list[Selection] = []
        self.view_bytes = [
            array_footprint(view.offset, view.shape, view.strides, view.type, tables.domains)
            for view in tables.views
        ]
        self._resources: dict[str, int] = {}
        self._views: dict[str, int] = {}
        self._ranges: dict[tuple[str, Affine | None, Affine | None], int] = {}
        self._nothing = -1

    def number(
        self, message: type_pb2.ByteSelection, node: int, nodes: NodeTable, suffix: tuple[Step, ...]
    ) -> int:
        """Return the number of a selection that stands at a place of a node."""
        arm = message.WhichOneof("selection")
        if arm == "resource":
            name = message.resource
            found = self._resources.get(name)
            if found is None:
                found = self._resources[name] = self._add(self._whole(name))
            return found
        if arm == "view":
            name = message.view
            found = self._views.get(name)
            if found is None:
                found = self._views[name] = self._add(self._view(name))
            return found
        if arm == "byte_range":
            return self._range(message.byte_range, node, nodes, suffix)
        if self._nothing < 0:
            self._nothing = self._add(Selection("", "", None, None, NO_SELECTION, None, frozenset()))
        return self._nothing

    def _add(self, selection: Selection) -> int:
        self.selections.append(selection)
        return len(self.selections) - 1

    def _whole(self, name: str) -> Selection:
        number = self._tables.resource_by_id.get(name)
        if number is None:
            return Selection("resource", name, None, None, MISSING_RESOURCE, None, frozenset())
        resource = self._tables.resources[number]
        bytes_ = self._span(ZERO, resource.size)
        return Selection("resource", name, number, None, bytes_, resource.type, _parameters(resource.size))

    def _view(self, name: str) -> Selection:
        number = self._tables.view_by_id.get(name)
        if number is None:
            return Selection("view", name, None, None, MISSING_VIEW, None, frozenset())
        view = self._tables.views[number]
        bytes_ = MISSING_RESOURCE if view.resource is None else self.view_bytes[number]
        return Selection(
            "view", name, view.resource, number, bytes_, view.type, _parameters(view.offset, *view.shape)
        )

    def _range(
        self, message: type_pb2.ByteRange, node: int, nodes: NodeTable, suffix: tuple[Step, ...]
    ) -> int:
        tables = self._tables
        name, offset, size = message.resource, tables.affine(message.offset), tables.affine(message.size)
        for value, field in ((offset, "offset"), (size, "size")):
            if value is None or value.terms or value.constant < 0:
                path = nodes.path(node, (*suffix, Step("byte_range"), Step(field)))
                tables.uses.append(Use(node, path, value))
        found = self._ranges.get((name, offset, size))
        if found is None:
            number = tables.resource_by_id.get(name)
            bytes_ = MISSING_RESOURCE if number is None else self._span(offset, size)
            selection = Selection("byte_range", name, number, None, bytes_, None, _parameters(offset, size))
            found = self._ranges[name, offset, size] = self._add(selection)
        return found

    def _span(self, offset: Affine | None, size: Affine | None) -> Bytes:
        domains = self._tables.domains
        if offset is None or size is None or not is_bounded(offset, domains) or not is_bounded(size, domains):
            return NO_VALUE
        return Footprint(offset, add(offset, size), size, contiguous=True)


def _parameters(*values: Affine | None) -> frozenset[int]:
    return frozenset(parameter for value in values if value is not None for parameter, _ in value.terms)


class AccessTable:
    """Columns over the accesses of all nodes, in their order, and over the selections of statements.

    Attributes:
        node: The node of each access.
        role: The `AccessRole` of each.
        mode: The access mode of each, as stated; copies, fills and control reads have theirs by nature.
        usage: The usage of each; a binding that states none has SHADER_STORAGE.
        coverage: The coverage of each, as stated; copies and fills are FULL by nature.
        atomic: The atomic type that each states; 0 if none.
        selection: The number of the selection of each.
        place: The steps from the node to each access (for bindings: to the binding).
        statement_node: The node of each selection of a visibility statement.
        statement_selection: Its number.
        statement_place: The steps from the node to it.
    """

    def __init__(self) -> None:
        self.node = array("l")
        self.role = bytearray()
        self.mode = array("l")
        self.usage = array("l")
        self.coverage = array("l")
        self.atomic = array("l")
        self.selection = array("l")
        self.place: list[tuple[Step, ...]] = []
        self.statement_node = array("l")
        self.statement_selection = array("l")
        self.statement_place: list[tuple[Step, ...]] = []

    def __len__(self) -> int:
        return len(self.node)

    def add(
        self,
        node: int,
        role: AccessRole,
        place: tuple[Step, ...],
        selection: int,
        mode: int,
        usage: int,
        coverage: int = 0,
        atomic: int = 0,
    ) -> None:
        """Append one access."""
        self.node.append(node)
        self.role.append(role)
        self.mode.append(mode)
        self.usage.append(usage)
        self.coverage.append(coverage)
        self.atomic.append(atomic)
        self.selection.append(selection)
        self.place.append(place)

    def add_statement(self, node: int, place: tuple[Step, ...], selection: int) -> None:
        """Append one selection of a visibility statement."""
        self.statement_node.append(node)
        self.statement_selection.append(selection)
        self.statement_place.append(place)

    def path(self, access: int, nodes: NodeTable, *steps: Step) -> Path:
        """Return the path of an access, or of a field of it."""
        return nodes.path(self.node[access], (*self.place[access], *steps))
