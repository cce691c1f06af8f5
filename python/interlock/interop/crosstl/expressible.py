"""What of the schema an export can say.

Everything else that a document states is a finding, new fields of the schema included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlock.diagnostic import Path
    from interlock.interop.crosstl.structure import Findings

_HANDLED: dict[str, frozenset[str]] = {
    "ExecutionGraph": frozenset(
        (
            "header",
            "id",
            "allocations",
            "resources",
            "views",
            "artifacts",
            "body",
            "maximum_node_executions",
            "provenance",
        )
    ),
    "Allocation": frozenset(("id", "size", "alignment")),
    "Resource": frozenset(
        ("id", "role", "placement", "type", "shape", "layout", "size", "alignment", "lifetime", "provenance")
    ),
    "Placement": frozenset(("allocation", "offset")),
    "PhysicalLayout": frozenset(("packed", "strided")),
    "View": frozenset(("id", "resource", "offset", "type", "shape", "byte_strides")),
    "ValueType": frozenset(("element",)),
    "Extent": frozenset(("constant",)),
    "GraphArtifact": frozenset(("id", "provenance")),
    "Node": frozenset(("id", "depends_on", "operation", "provenance")),
    "Dispatch": frozenset(("artifact", "entry", "specialization", "bindings", "geometry")),
    "Binding": frozenset(("slot", "target", "access", "coverage", "usage")),
    "SpecializationValue": frozenset(("name", "value")),
    "Geometry": frozenset(("workgroup_count", "workgroup_size")),
    "WorkgroupCount": frozenset(("extents", "elements")),
    "ElementGrid": frozenset(("elements",)),
    "Copy": frozenset(("source", "destination")),
    "Conditional": frozenset(("predicate", "then_region")),
    "Repeat": frozenset(("body", "trips", "maximum_trips")),
}
"""By message: the fields that have a counterpart.

A message that is not listed has one for each of its fields.
"""

_SKIPPED = frozenset(("Header", "Provenance"))
"""Messages that say nothing about what a graph means."""


def report_inexpressible(message: Message, path: Path, findings: Findings) -> None:
    """Report every field, at any depth, that the format cannot say."""
    name = message.DESCRIPTOR.name
    if name in _SKIPPED:
        return
    handled = _HANDLED.get(name)
    for field, value in message.ListFields():
        if handled is not None and field.name not in handled:
            text = f"`{field.name}` of {_article(name)} has no counterpart in the format"
            findings.add("crosstl.not-expressible", path.field(field.name), text)
        elif field.type == FieldDescriptor.TYPE_MESSAGE:
            _descend(field, value, path, findings)


def element_path(path: Path, field: str, index: int, message: Message) -> Path:
    """Return the path of an element of a repeated field, by its id or slot where it has one."""
    for name in ("id", "slot"):
        if name in message.DESCRIPTOR.fields_by_name:
            return path.element(field, index, str(getattr(message, name)))
    return path.element(field, index)


def _descend(
    field: FieldDescriptor, value: Message | Iterable[Message], path: Path, findings: Findings
) -> None:
    if isinstance(value, Message):
        report_inexpressible(value, path.field(field.name), findings)
        return
    for i, element in enumerate(value):
        report_inexpressible(element, element_path(path, field.name, i, element), findings)


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'AEIOU' else 'a'} `{name}`"
