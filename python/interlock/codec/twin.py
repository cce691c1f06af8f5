"""Columnar twins of the message types.

Their fields are repeated, so that messages parsed one after the other become columns.

There are three families. In the *open* one every message field is a column of bytes. In the *merged* one the
fields of those messages that can be counted are columns of the message around them, which saves copying them
out; whether none of them was empty then follows from the lengths of their columns. Both are for checks: their
enums are closed, and of scalars and strings that no check needs they keep only the last. The *complete*
family is for conversions: it is open and keeps every value.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from google.protobuf import descriptor_pb2
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

from interlock.codec.kinds import Dynamic, Kind
from interlock.codec.source import has_plain_key
from interlock.codec.varint import WireType, write_varint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from google.protobuf.message import Message

    from interlock.codec.schema import EnumInfo, FieldInfo, MessageInfo, Schema

_FIELD: Final = descriptor_pb2.FieldDescriptorProto
# Kinds that share a spelling on the wire share the widest type, so that a column can hold a number that no
# value is.
_WIDEST: Final = {
    Kind.BOOL: _FIELD.TYPE_UINT64,
    Kind.INT32: _FIELD.TYPE_INT64,
    Kind.SINT32: _FIELD.TYPE_SINT64,
    Kind.UINT32: _FIELD.TYPE_UINT64,
    Kind.INT64: _FIELD.TYPE_INT64,
    Kind.SINT64: _FIELD.TYPE_SINT64,
    Kind.UINT64: _FIELD.TYPE_UINT64,
    Kind.ENUM: _FIELD.TYPE_INT64,
}
_TYPES: Final = {
    Kind.BOOL: _FIELD.TYPE_BOOL,
    Kind.INT32: _FIELD.TYPE_INT32,
    Kind.SINT32: _FIELD.TYPE_SINT32,
    Kind.UINT32: _FIELD.TYPE_UINT32,
    Kind.INT64: _FIELD.TYPE_INT64,
    Kind.SINT64: _FIELD.TYPE_SINT64,
    Kind.UINT64: _FIELD.TYPE_UINT64,
    Kind.ENUM: _FIELD.TYPE_ENUM,
}
_SAMPLE: Final = 256
_PACKAGE: Final = "columns"


def has_key_column(info: FieldInfo) -> bool:
    """Tell whether the keys of a set of messages are one column of strings, each there unless it is empty."""
    if not has_plain_key(info):
        return False
    key = info.message.by_name[info.keys[0]]
    return key.kind is Kind.STRING and key.required


def merged_twins(schema: Schema) -> Twins:
    """Return the merged family of a schema."""
    return Twins(schema, merge=True)


def open_twins(schema: Schema) -> Twins:
    """Return the open family of a schema."""
    return Twins(schema)


def complete_twins(schema: Schema) -> Twins:
    """Return the complete family of a schema."""
    return Twins(schema, complete=True)


class Twins:
    """One family of columnar twins, declared on first use."""

    def __init__(self, schema: Schema, *, merge: bool = False, complete: bool = False) -> None:
        self._schema = schema
        self._merge = merge
        self._complete = complete
        self._classes: dict[str, type[Message]] = {}
        self._levels: dict[str, int] = {}
        self._pools: dict[str, DescriptorPool] = {}

    def message_class(self, info: MessageInfo) -> type[Message]:
        """Return the class of the twin of a message type."""
        found = self._classes.get(info.full_name)
        if found is None:
            pool = self._pools.get(info.full_name) or self._new_pool(info)
            descriptor = pool.FindMessageTypeByName(f"{_PACKAGE}.{_twin_name(info.full_name)}")
            found = self._classes[info.full_name] = GetMessageClass(descriptor)
        return found

    def _new_pool(self, info: MessageInfo) -> DescriptorPool:
        """Declare the twins of all that documents hold, or of what lies below a message that is in none."""
        messages = {item.full_name: item for item in self._schema.messages()}
        if info.full_name not in messages:
            messages = {item.full_name: item for item in info.reachable}
        pool = DescriptorPool()
        pool.AddSerializedFile(self._declare(messages.values()).SerializeToString())
        for name in messages:
            self._pools.setdefault(name, pool)
        return pool

    def is_merged(self, info: FieldInfo) -> bool:
        """Tell whether a field is no column itself: those of its messages are parts of the twin around it."""
        if not self._merge or info.kind is not Kind.MESSAGE or info.repeated:
            return False
        if info.oneof is None and not info.required:
            return False
        return _is_countable(info.message) and not _contains(info.message, info.owner)

    def is_column(self, info: FieldInfo) -> bool:
        """Tell whether a twin keeps all values of a field; of the others it keeps the last."""
        if self.is_merged(info):
            return False
        if info.repeated or info.oneof is not None or info.kind is Kind.MESSAGE or self._complete:
            return True
        return info.descriptor.full_name in self._kept

    @cached_property
    def _kept(self) -> frozenset[str]:
        """The full names of singular fields that are keys, or the first that messages can be counted by."""
        kept: set[str] = set()
        for info in self._schema.messages():
            kept.update(item.descriptor.full_name for item in _counters(info)[:1])
            for item in info.fields:
                if has_key_column(item):
                    kept.add(item.message.by_name[item.keys[0]].descriptor.full_name)
        return frozenset(kept)

    def levels(self, info: MessageInfo) -> int:
        """Return how many levels the messages of a type take together with those merged with them."""
        levels = self._levels.get(info.full_name)
        if levels is None:
            below = [self.levels(item.message) for item in info.fields if self.is_merged(item)]
            levels = self._levels[info.full_name] = 1 + max(below, default=0)
        return levels

    def sets(self, twin: Dynamic, info: MessageInfo) -> Iterator[tuple[FieldInfo, Any]]:
        """Yield every set that a twin holds as a column, merged ones included, with the column.

        Packed sets are no columns.
        """
        for item in info.fields:
            if self.is_merged(item):
                yield from self.sets(getattr(twin, item.name), item.message)
            elif item.is_set and not item.kind.is_scalar:
                yield item, getattr(twin, item.name)

    def _declare(self, messages: Iterable[MessageInfo]) -> descriptor_pb2.FileDescriptorProto:
        """Declare the twins of all message types.

        Enums are closed: values that are unknown then are unknown fields.
        """
        file = descriptor_pb2.FileDescriptorProto(
            name="columns.proto", package=_PACKAGE, syntax="editions", edition=descriptor_pb2.EDITION_2023
        )
        file.options.features.enum_type = descriptor_pb2.FeatureSet.CLOSED
        enums: dict[str, EnumInfo] = {}
        for info in messages:
            message = file.message_type.add(name=_twin_name(info.full_name))
            for item in info.fields:
                field = message.field.add(name=item.name, number=item.number, label=_FIELD.LABEL_OPTIONAL)
                # Also a packed set: it is small, and its elements are looked at one by one.
                field.type = _FIELD.TYPE_BYTES
                if self.is_column(item):
                    field.label = _FIELD.LABEL_REPEATED
                if self.is_merged(item):
                    field.type = _FIELD.TYPE_MESSAGE
                    field.type_name = f".{_PACKAGE}.{_twin_name(item.message.full_name)}"
                elif item.kind.is_scalar and self._complete:
                    field.type = _WIDEST[item.kind]
                elif item.kind.is_scalar and not item.is_set:
                    field.type = _TYPES[item.kind]
                    if item.kind is Kind.ENUM:
                        field.type_name = f".{_PACKAGE}.{_twin_name(item.enum.name)}"
                        enums[item.enum.name] = item.enum
        for enum in enums.values():
            declared = file.enum_type.add(name=_twin_name(enum.name))
            for value in enum.values:
                declared.value.add(name=value.name, number=value.number)
        return file


def mark_of(info: FieldInfo) -> bytes:
    """Return the element before the first one of each set in a column: empty, or of an empty key."""
    if not has_key_column(info):
        return b""
    return write_varint(info.message.by_name[info.keys[0]].number << 3 | WireType.LEN) + b"\0"


def distinct(column: list[bytes]) -> list[bytes]:
    """Return a column without repetitions, or the column itself if its start shows that there are few."""
    start = column[:_SAMPLE]
    if 2 * len(set(start)) > len(start):
        return column
    return list(dict.fromkeys(column))


def _is_countable(info: MessageInfo) -> bool:
    """Tell whether messages of a type leave a trace each in a column, as they should."""
    return bool(_counters(info)) or any(item.oneof is not None for item in info.fields)


def _counters(info: MessageInfo) -> list[FieldInfo]:
    """Return the singular fields that every message of a type should have."""
    return [item for item in info.fields if item.required and not item.repeated]


def _contains(info: MessageInfo, full_name: str, above: frozenset[str] = frozenset()) -> bool:
    """Tell whether a message of a type can be or hold one of another type, not counting elements of lists."""
    if info.full_name == full_name or info.full_name in above:
        return True
    return any(
        item.kind is Kind.MESSAGE
        and not item.repeated
        and _contains(item.message, full_name, above | {info.full_name})
        for item in info.fields
    )


def _twin_name(full_name: str) -> str:
    return full_name.replace(".", "_")
