"""The kinds of fields and values that the schema knows."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final, TypeAlias

from google.protobuf.descriptor import FieldDescriptor

from execgraph.options.v1 import options_pb2

Dynamic: TypeAlias = Any
"""A message, or a value of one, whose fields and types are known at run time only."""


class Collection(Enum):
    """What the position of an element in a repeated field means."""

    ORDERED = options_pb2.COLLECTION_ORDERED
    SET = options_pb2.COLLECTION_SET


class StringKind(Enum):
    """What a string field holds."""

    ID = options_pb2.STRING_KIND_ID
    REFERENCE = options_pb2.STRING_KIND_REFERENCE
    NAME = options_pb2.STRING_KIND_NAME
    DIGEST = options_pb2.STRING_KIND_DIGEST
    TEXT = options_pb2.STRING_KIND_TEXT


class Kind(Enum):
    """The type of a field's value.

    The members are all that the schema may use: no floats, groups or fixed widths.
    """

    BOOL = "bool"
    INT32 = "int32"
    SINT32 = "sint32"
    UINT32 = "uint32"
    INT64 = "int64"
    SINT64 = "sint64"
    UINT64 = "uint64"
    ENUM = "enum"
    STRING = "string"
    BYTES = "bytes"
    MESSAGE = "message"

    @property
    def is_scalar(self) -> bool:
        """Whether a value is one varint, and a list of them packed."""
        return self not in _LENGTH_DELIMITED


_LENGTH_DELIMITED = frozenset({Kind.STRING, Kind.BYTES, Kind.MESSAGE})

KINDS: Final = {
    FieldDescriptor.TYPE_BOOL: Kind.BOOL,
    FieldDescriptor.TYPE_INT32: Kind.INT32,
    FieldDescriptor.TYPE_SINT32: Kind.SINT32,
    FieldDescriptor.TYPE_UINT32: Kind.UINT32,
    FieldDescriptor.TYPE_INT64: Kind.INT64,
    FieldDescriptor.TYPE_SINT64: Kind.SINT64,
    FieldDescriptor.TYPE_UINT64: Kind.UINT64,
    FieldDescriptor.TYPE_ENUM: Kind.ENUM,
    FieldDescriptor.TYPE_STRING: Kind.STRING,
    FieldDescriptor.TYPE_BYTES: Kind.BYTES,
    FieldDescriptor.TYPE_MESSAGE: Kind.MESSAGE,
}
"""The kinds by the types of descriptors."""

INTEGER_RANGES: Final = {
    Kind.INT32: (-(1 << 31), (1 << 31) - 1),
    Kind.SINT32: (-(1 << 31), (1 << 31) - 1),
    Kind.UINT32: (0, (1 << 32) - 1),
    Kind.INT64: (-(1 << 63), (1 << 63) - 1),
    Kind.SINT64: (-(1 << 63), (1 << 63) - 1),
    Kind.UINT64: (0, (1 << 64) - 1),
}
"""The least and the greatest value of each integer kind."""

WIDE: Final = frozenset({Kind.INT64, Kind.SINT64, Kind.UINT64})
"""The kinds of 64 bits, which JSON spells as strings."""
