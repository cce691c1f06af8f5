"""Canonical JSON of large documents, written for all messages of one type at once.

The bytes of all messages of one type are parsed as one columnar twin (``twin``). A field that every message
has is a column with as many values as there are messages; the other fields are parsed once more, with a mark
before the values of each message. So each member becomes a list with one piece of JSON a message, and the
objects are these lists joined crosswise.
"""

from __future__ import annotations

import binascii
from itertools import count, repeat
from typing import TYPE_CHECKING, Any, Final

import orjson

from interlock.codec.collector import paused_collector
from interlock.codec.kinds import WIDE, Dynamic, Kind
from interlock.codec.twin import complete_twins, distinct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from google.protobuf.message import Message

    from interlock.codec.schema import FieldInfo, MessageInfo

_NO_MESSAGE: Final = b"\0"
_NO_STRING: Final = b"\xff"
_BEYOND_32_BITS: Final = 1 << 40
# What a mark becomes in JSON, which never holds this byte.
_BOUNDARY: Final = b"\0"


def write_json_columns(binary: bytes, info: MessageInfo) -> bytes:
    """Return the canonical JSON of a message, given its canonical binary."""
    with paused_collector():
        return _Writer().objects(info, [binary])[0]


class _Quoted(dict[bytes, bytes]):
    """Strings as JSON writes them, by their UTF-8. Most strings of a document are names that occur again."""

    def __missing__(self, text: bytes) -> bytes:
        quoted = self[text] = orjson.dumps(text.decode())
        return quoted


class _Writer:
    """The writer of one document."""

    def __init__(self) -> None:
        self._quoted = _Quoted({_NO_STRING: _BOUNDARY})

    def objects(self, info: MessageInfo, messages: list[bytes]) -> list[bytes]:
        """Return the JSON of each of some messages of one type."""
        twin = _parse(info, b"", messages)
        used = [item for item in info.in_json_order if len(getattr(twin, item.name))]
        ragged = [item for item in used if item.repeated or len(getattr(twin, item.name)) < len(messages)]
        marks = {item.name: _mark(item, getattr(twin, item.name)) for item in ragged}
        marked = _parse(info, _separator(info, marks), messages)
        parts: list[Iterable[bytes]] = [repeat(b"{", len(messages))]
        comma = b""
        for item in used:
            name = comma + b'"' + item.json_name.encode() + b'":'
            if item.name not in marks:
                parts += [repeat(name), self._values(item, getattr(twin, item.name)[:], None)]
                comma = b","
            else:
                values = self._values(item, getattr(marked, item.name)[:], marks[item.name])
                before, after = (name + b"[", b"]") if item.repeated else (name, b"")
                # Before the first member that every message has, commas follow; behind it they lead.
                parts.append(_pieces(values, before, after if comma else after + b","))
        if comma:
            return list(map(b"".join, zip(*parts, repeat(b"}"), strict=False)))
        return [text.removesuffix(b",") + b"}" for text in map(b"".join, zip(*parts, strict=True))]

    def _values(self, info: FieldInfo, column: list[Any], mark: Dynamic) -> list[bytes]:
        """Return the JSON of the values of a column; of marks, a boundary."""
        if info.kind is Kind.MESSAGE:
            return self._objects_of(info.message, column, mark)
        if info.kind is Kind.STRING:
            return list(map(self._quoted.__getitem__, column))
        if info.kind is Kind.ENUM:
            names = {number: f'"{value.name}"'.encode() for number, value in info.enum.by_number.items()}
            return list(map({**names, mark: _BOUNDARY}.__getitem__, column))
        write = _writer_of(info)
        if mark is None:
            return list(map(write, column))
        return [_BOUNDARY if value == mark else write(value) for value in column]

    def _objects_of(self, info: MessageInfo, column: list[bytes], mark: bytes | None) -> list[bytes]:
        some = distinct(column)
        if some is not column:
            messages = [message for message in some if message != mark]
            written = dict(zip(messages, self.objects(info, messages), strict=True))
            if mark is not None:
                written[mark] = _BOUNDARY
            return list(map(written.__getitem__, column))
        if mark is None:
            return self.objects(info, column)
        objects = iter(self.objects(info, [message for message in column if message != mark]))
        return [_BOUNDARY if message == mark else next(objects) for message in column]


def _parse(info: MessageInfo, separator: bytes, messages: list[bytes]) -> Message:
    twin_class = info.schema.derived(complete_twins).message_class(info)
    return twin_class.FromString(separator.join([b"", *messages]))


def _mark(info: FieldInfo, column: Dynamic) -> Dynamic:
    """Return a value of the type of a column that is not in it."""
    if info.kind is Kind.MESSAGE:
        return _NO_MESSAGE
    if info.kind is Kind.STRING:
        return _NO_STRING
    values = set(column)
    if info.kind is Kind.BYTES:
        return next(mark for number in count() if (mark := b"%d" % number) not in values)
    return next(number for number in count(_BEYOND_32_BITS) if number not in values)


def _separator(info: MessageInfo, marks: dict[str, Any]) -> bytes:
    """Return the bytes that put a mark into some columns."""
    separator = info.schema.derived(complete_twins).message_class(info)()
    for name, mark in marks.items():
        getattr(separator, name).append(mark)
    return separator.SerializeToString(deterministic=True)


def _pieces(values: list[bytes], before: bytes, after: bytes) -> list[bytes]:
    """Join the values between boundaries, each of which stands before its values.

    Where there are any, they are set between what stands before and after.
    """
    texts = b",".join([*values, b""]).split(_BOUNDARY)[1:]
    return [before + text[1:-1] + after if len(text) > 1 else b"" for text in texts]


def _writer_of(info: FieldInfo) -> Callable[[Any], bytes]:
    if info.kind is Kind.BYTES:
        return _base64
    if info.kind is Kind.BOOL:
        return (b"false", b"true").__getitem__
    return b'"%d"'.__mod__ if info.kind in WIDE else b"%d".__mod__


def _base64(value: bytes) -> bytes:
    return b'"' + binascii.b2a_base64(value, newline=False) + b'"'
