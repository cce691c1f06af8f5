"""The order of places in a document: by the numbers of fields, then by position."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from interlock.codec.schema import Kind, schema

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor
    from google.protobuf.message import Message

    from interlock.codec.schema import MessageInfo
    from interlock.diagnostic import Path

Key: TypeAlias = tuple[tuple[int, int], ...]

_BEFORE_ALL = -1


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
        info = self._root
        key = []
        for step in path.steps:
            known = self._fields.get((info.full_name, step.field))
            if known is None:
                field = info.by_name[step.field]
                below = field.message if field.kind is Kind.MESSAGE else info
                known = self._fields[info.full_name, step.field] = (field.number, below)
            number, info = known
            key.append((number, _BEFORE_ALL if step.index is None else step.index))
        return tuple(key)
