"""Canonical binary: the strict reader, and the writer that proves what it wrote.

Small documents are read field by field. Large ones are shown to be canonical as a whole (``regular``); only
where they are not, ``wire_scan`` decides, and says what is wrong.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from google.protobuf.message import DecodeError, EncodeError

from interlock.codec.header import judge, scan_header
from interlock.codec.usage import check_header, complete_header, header_of, usage_of
from interlock.codec.varint import read_varint
from interlock.codec.walk import IrregularError, check_message, sort_sets
from interlock.codec.wire_scan import scan
from interlock.errors import CodecError
from interlock.limits import DEFAULT_LIMITS

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from interlock.codec.schema import DocumentKindInfo, MessageInfo, Schema
    from interlock.limits import Limits

SMALL: Final = 4096
"""Up to this many bytes, reading each field costs less than preparing to do without."""


# What can be held in memory can be written, but not deeper than a reader reads by default.
_ENCODING: Final = replace(DEFAULT_LIMITS, string_bytes=1 << 62, repeated_elements=1 << 62)


class InternalError(AssertionError):
    """Two definitions of the same thing disagree: a defect of this package, whatever the input."""


def decode_binary(
    data: bytes, schema: Schema, limits: Limits, expected_kind: str | None, *, canonicalize: bool
) -> tuple[DocumentKindInfo, Message, bytes]:
    """Read a binary document; return its kind, its message, and its canonical binary.

    Raises:
        CodecError: The input is refused.
    """
    kind = judge(scan_header(data, schema), schema, expected_kind)
    info = schema.root(kind)
    message = None
    if len(data) > SMALL:
        from interlock.codec.regular import read_canonical  # noqa: PLC0415 - not for small documents

        message = read_canonical(data, info, limits)
    if message is None:
        message = info.message_class.FromString(scan(data, info, limits, canonicalize=canonicalize))
    if not canonicalize:
        check_header(message, info, schema, 0)
        return kind, message, data
    sort_in_place(message, info, len(data))
    complete_header(header_of(message), kind, usage_of(message, info, schema), schema)
    return kind, message, message.SerializeToString(deterministic=True)


def sort_in_place(message: Message, info: MessageInfo, size: int) -> None:
    """Sort all sets of a message that has passed every other check, by the means its size deserves."""
    if size <= SMALL:
        sort_sets(message, info)
        return
    from interlock.codec.order import mend_order  # noqa: PLC0415 - as above

    mend_order(message, info)


def encode_binary(message: Message, info: MessageInfo, schema: Schema) -> bytes:
    """Return the canonical binary of a message, with its header completed if it is a document.

    The message itself stays as it is.

    Raises:
        CodecError: The message holds what no document may hold. See ``walk.check_message``.
    """
    try:
        data = _with_complete_header(message, info, schema)
        if _is_shown(data, info):
            return data
        data = _sorted(data, info)
        if not _is_shown(data, info):
            scan(data, info, _ENCODING)
    except (CodecError, IrregularError, EncodeError, DecodeError, RecursionError) as error:
        check_message(message, info, _ENCODING.message_depth)
        raise InternalError("the encoding of a message in which nothing is wrong is not canonical") from error
    return data


def _is_shown(data: bytes, info: MessageInfo) -> bool:
    """Tell whether bytes that were just written are shown to be canonical as a whole."""
    if len(data) <= SMALL:
        return False
    from interlock.codec.regular import is_canonical  # noqa: PLC0415 - as above

    return is_canonical(data, info, _ENCODING)


def _sorted(data: bytes, info: MessageInfo) -> bytes:
    message = info.message_class.FromString(data)
    sort_in_place(message, info, len(data))
    return message.SerializeToString(deterministic=True)


def _with_complete_header(message: Message, info: MessageInfo, schema: Schema) -> bytes:
    """Write a message as it is, but for its header."""
    data = message.SerializeToString(deterministic=True)
    if not schema.is_document(info):
        return data
    stub = info.message_class()
    end = 0
    if message.HasField("header"):
        length, start = read_varint(data, 1, len(data))
        end = start + length
        stub.MergeFromString(data[:end])
    if not complete_header(header_of(stub), schema.kind_of(info), usage_of(message, info, schema), schema):
        return data
    return stub.SerializeToString(deterministic=True) + data[end:]
