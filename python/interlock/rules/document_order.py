"""The order of places in a document: by the numbers of fields, then by position."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from execgraph.v1.graph_pb2 import ExecutionGraph
from execgraph.v1.module_pb2 import TargetModuleBundle
from execgraph.v1.payload_pb2 import NestedDocument, TargetPayload
from interlock.codec.schema import Kind, schema

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor
    from google.protobuf.message import Message

    from interlock.codec.schema import MessageInfo
    from interlock.diagnostic import Path

Key: TypeAlias = tuple[tuple[int, int], ...]

_BEFORE_ALL = -1
_HOLDERS = {
    ("execgraph.v1.GraphSource", "embedded"): ExecutionGraph,
    ("execgraph.v1.GraphSource", "reference"): ExecutionGraph,
}
"""Fields that hold or refer to another document, in which a path may go on."""
_NESTED = {
    ("execgraph.v1.Envelope", "graph"): ExecutionGraph,
    ("execgraph.v1.EnvelopePayload", "payload"): TargetPayload,
    ("execgraph.v1.TargetPayload", "bundle"): TargetModuleBundle,
}
"""Fields whose `NestedDocument` holds a document of that kind, in which a path goes on behind `body`."""
_NESTED_BODY = (NestedDocument.DESCRIPTOR.full_name, "body")


class DocumentOrder:
    """Turns paths below one root message into keys that sort as the document does, outer first."""

    def __init__(self, root: Message) -> None:
        self._root = schema().message(cast("Descriptor", root.DESCRIPTOR))
        self._fields: dict[tuple[str, str], tuple[int, MessageInfo]] = {}

    def key(self, path: Path) -> Key:
        """Return the key of a path.

        Raises:
            KeyError: A step is no field of its message.
        """
        info, held = self._root, None
        nested: MessageInfo | None = None
        key = []
        for step in path.steps:
            here = (info.full_name, step.field)
            known = self._fields.get((info.full_name, step.field))
            if known is None:
                if held is not None and step.field not in info.by_name:
                    info = held
                field = info.by_name[step.field]
                below = field.message if field.kind is Kind.MESSAGE else info
                known = self._fields[info.full_name, step.field] = (field.number, below)
            holder = _HOLDERS.get((info.full_name, step.field))
            held = None if holder is None else schema().message_of(holder())
            number, info = known
            if here in _NESTED:
                nested = schema().message_of(_NESTED[here]())
            elif here == _NESTED_BODY and nested is not None:
                info = nested
            key.append((number, _BEFORE_ALL if step.index is None else step.index))
        return tuple(key)
