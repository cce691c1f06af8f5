"""The meaning of parsed JSON: its header, then its members, in the order of the bytes.

This is the definition of what JSON a document may be written in, and the reader that reports. It turns a
parsed input into the keyword arguments of a message.
"""

from __future__ import annotations

import binascii
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

from interlock.codec.header import HEADER_PATH, StatedHeader
from interlock.codec.json_syntax import INTEGER, Number, Value
from interlock.codec.kinds import INTEGER_RANGES, WIDE, Dynamic, Kind
from interlock.codec.walk import canonical_key, duplicate_key
from interlock.diagnostic import ROOT, Path
from interlock.errors import CodecError

if TYPE_CHECKING:
    from interlock.codec.json_syntax import Member
    from interlock.codec.schema import FieldInfo, MessageInfo
    from interlock.limits import Limits

Content = TypeVar("Content")


_JUDGED: Final[tuple[tuple[str, str, type[Any]], ...]] = (
    ("kind", "kind", str),
    ("schemaMajor", "schema_major", Number),
    ("schemaMinor", "schema_minor", Number),
)


def read_header(root: Value) -> StatedHeader:
    """Return what the header of a parsed document states.

    Raises:
        CodecError: ``header.missing`` or ``json.wrong-type``.
    """
    if root.members is None:
        raise CodecError(
            "json.wrong-type", f"a document is an object, not {root.type_name}", ROOT, root.offset
        )
    header = next((member.value for member in root.members if member.name == "header"), None)
    if header is None or header.members is None:
        raise CodecError(
            "header.missing", "a document has a member `header`, which is an object", HEADER_PATH, 0
        )
    members = {member.name: member.value for member in header.members}
    stated = StatedHeader(header.offset)
    for name, field_name, wanted in _JUDGED:
        value = members.get(name)
        if value is not None:
            path = HEADER_PATH.field(field_name)
            content = _judged(value, wanted, path)
            setattr(stated, field_name, _integer(content.text) if isinstance(content, Number) else content)
            stated.offsets[field_name] = value.offset
    features = members.get("requiredFeatures")
    if features is not None:
        for index, feature in enumerate(_judged(features, list, HEADER_PATH.field("required_features"))):
            place = HEADER_PATH.element("required_features", index)
            stated.required_features.append(_judged(feature, str, place))
            stated.feature_offsets.append(feature.offset)
    return stated


def _judged(value: Value, wanted: type[Content], path: Path) -> Content:
    """Return the content of a value of the header, which has to be of a type."""
    if not isinstance(value.content, wanted) or value.is_object:
        expected = {str: "a string", Number: "a number", list: "an array"}[wanted]
        message = f"{value.type_name} stands where {expected} has to be"
        raise CodecError("json.wrong-type", message, path, value.offset)
    return value.content


def read_content(root: Value, info: MessageInfo, limits: Limits) -> dict[str, Any]:
    """Return the keyword arguments of the message that a parsed document holds; defaults are left out.

    Raises:
        CodecError: The first thing that is wrong.
    """
    return _Reader(limits).message(root, info, ROOT, 1)


class _Reader:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def message(self, value: Value, info: MessageInfo, path: Path, depth: int) -> dict[str, Any]:
        content: dict[str, Any] = {}
        oneofs: set[str] = set()
        for member in value.members or ():
            item = self._field(member, info, path)
            if item.oneof is not None:
                if item.oneof in oneofs:
                    text = f"`{member.name}` is a second arm of `{item.oneof}`, which takes one"
                    raise CodecError("json.duplicate-oneof", text, path.field(item.name), member.name_offset)
                oneofs.add(item.oneof)
            if item.repeated:
                read = self._list(member.value, item, path, depth)
            else:
                read = self._value(member.value, item, path.field(item.name), depth)
            if read or item.explicit:
                content[item.name] = read
        return content

    def _field(self, member: Member, info: MessageInfo, path: Path) -> FieldInfo:
        item = info.by_json_name.get(member.name)
        if item is None:
            twin = info.by_name.get(member.name)
            if twin is not None:
                text = f"`{member.name}` is spelled `{twin.json_name}` in JSON"
                raise CodecError("json.proto-name", text, path, member.name_offset)
            text = f"`{info.name}` has no field `{member.name[:80]}`"
            raise CodecError("json.unknown-field", text, path, member.name_offset)
        return item

    def _list(self, value: Value, info: FieldInfo, path: Path, depth: int) -> list[Any]:
        if value.elements is None:
            _refuse_type(value, "an array", path.field(info.name))
        elements: list[Any] = []
        keys: set[object] = set()
        for index, element in enumerate(value.elements):
            place = path.element(info.name, index)
            if index >= self._limits.repeated_elements:
                text = f"the list has more than {index} elements, which is the limit"
                raise CodecError("limit.repeated-elements", text, place, element.offset)
            read = self._value(element, info, place, depth)
            if info.is_set:
                key = canonical_key(
                    info, info.message.message_class(**read) if info.kind is Kind.MESSAGE else read
                )
                if key in keys:
                    raise duplicate_key(info, place, element.offset)
                keys.add(key)
            elements.append(read)
        return elements

    def _value(self, value: Value, info: FieldInfo, path: Path, depth: int) -> Dynamic:
        """Read one value of a field."""
        if info.kind is Kind.MESSAGE:
            return self._submessage(value, info, path, depth)
        if info.kind is Kind.BOOL:
            if not isinstance(value.content, bool):
                _refuse_type(value, "true or false", path)
            return value.content
        if info.kind in INTEGER_RANGES:
            return _number(value, info.kind, path)
        if not isinstance(value.content, str):
            _refuse_type(value, "a string", path)
        if info.kind is Kind.ENUM:
            known = info.enum.by_name.get(value.content)
            if known is None:
                text = f"`{value.content[:80]}` is no value of `{info.enum.name}`"
                raise CodecError("json.unknown-enum-value", text, path, value.offset)
            return known.number
        read = _base64(value, path) if info.kind is Kind.BYTES else value.content
        size = len(read) if isinstance(read, bytes) else len(read.encode())
        if size > self._limits.string_bytes:
            text = f"the value is {size} bytes long; the limit is {self._limits.string_bytes}"
            raise CodecError("limit.string-bytes", text, path, value.offset)
        return read

    def _submessage(self, value: Value, info: FieldInfo, path: Path, depth: int) -> dict[str, Any]:
        if value.members is None:
            _refuse_type(value, "an object", path)
        if depth >= self._limits.message_depth:
            text = f"messages nest deeper than {self._limits.message_depth} here, which is the limit"
            raise CodecError("limit.message-depth", text, path, value.offset)
        content = self.message(value, info.message, path, depth + 1)
        if not content and not info.may_be_empty:
            text = "an empty message says nothing here and is left out"
            raise CodecError("canonical.empty-message", text, path, value.offset)
        return content


def _number(value: Value, kind: Kind, path: Path) -> int:
    """Read an integer: 64 bits stand in strings, 32 bits are numbers."""
    if kind in WIDE:
        if not isinstance(value.content, str):
            _refuse_type(value, "a string that holds an integer", path)
        text = value.content
        if not INTEGER.fullmatch(text):
            message = (
                f"`{text[:80]}` is no integer in its one spelling: "
                "no fraction, exponent, plus sign or leading zero"
            )
            raise CodecError("json.number-spelling", message, path, value.offset)
    else:
        if not isinstance(value.content, Number):
            _refuse_type(value, "a number", path)
        text = value.content.text
    number = _integer(text)
    least, greatest = INTEGER_RANGES[kind]
    if not least <= number <= greatest:
        message = f"`{text[:80]}` is not from {least} to {greatest}"
        raise CodecError("json.number-out-of-range", message, path, value.offset)
    return number


def _integer(text: str) -> int:
    """Read an integer; of one that is far too large, only that and its sign."""
    if len(text) > 32:
        return -(1 << 100) if text.startswith("-") else 1 << 100
    return int(text)


def _base64(value: Value, path: Path) -> bytes:
    text = str(value.content)
    try:
        read = binascii.a2b_base64(text.encode(), strict_mode=True)
    except (binascii.Error, ValueError):
        read = None
    if read is None or binascii.b2a_base64(read, newline=False).decode() != text:
        message = "the string is no base64 of the standard alphabet with padding and unused bits of zero"
        raise CodecError("json.invalid-base64", message, path, value.offset)
    return read


def _refuse_type(value: Value, expected: str, path: Path) -> NoReturn:
    code = "json.null" if value.content is None else "json.wrong-type"
    raise CodecError(code, f"{value.type_name} stands where {expected} has to be", path, value.offset)
