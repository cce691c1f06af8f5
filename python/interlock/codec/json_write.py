"""Canonical JSON: ProtoJSON as RFC 8785 says, written from canonical messages.

Small documents are written field by field, which also is the definition; ``json_columns`` writes large ones.
"""

from __future__ import annotations

import binascii
from typing import TYPE_CHECKING, Any, Final

import orjson

from interlock.codec.kinds import WIDE, Dynamic, Kind

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from interlock.codec.schema import FieldInfo, MessageInfo

SMALL: Final = 4096
"""Up to this many bytes of binary, writing each field costs less than preparing to do without."""


def write_json(binary: bytes, info: MessageInfo) -> bytes:
    """Return the canonical JSON of a message, given its canonical binary."""
    if len(binary) <= SMALL:
        return write_json_by_field(info.message_class.FromString(binary), info)
    from interlock.codec.json_columns import write_json_columns  # noqa: PLC0415 - not for small documents

    return write_json_columns(binary, info)


def write_json_by_field(message: Message, info: MessageInfo) -> bytes:
    """Return the canonical JSON of a message that is canonical already.

    orjson writes as RFC 8785 asks: no white space, the short escapes, and nothing else escaped.
    """
    return orjson.dumps(_object(message, info))


def _object(message: Message, info: MessageInfo) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for item in info.in_json_order:
        value = getattr(message, item.name)
        if item.repeated:
            if len(value):
                members[item.json_name] = [_value(element, item) for element in value]
        elif message.HasField(item.name) if item.explicit else value:
            members[item.json_name] = _value(value, item)
    return members


def _value(value: Dynamic, info: FieldInfo) -> Dynamic:
    if info.kind is Kind.MESSAGE:
        return _object(value, info.message)
    if info.kind is Kind.ENUM:
        return info.enum.by_number[value].name
    if info.kind is Kind.BYTES:
        return binascii.b2a_base64(value, newline=False).decode()
    return str(value) if info.kind in WIDE else value
