"""The header: judged before anything else, and completed before anything is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

from interlock.codec.kinds import Kind
from interlock.codec.unicode import describe, has_noncharacter
from interlock.codec.varint import MAXIMUM_TAG, VarintError, WireType, read_varint
from interlock.diagnostic import ROOT, Path
from interlock.errors import CodecError

if TYPE_CHECKING:
    from interlock.codec.schema import DocumentKindInfo, FieldInfo, Schema

HEADER_PATH = ROOT.field("header")

_JUDGED = ("kind", "schema_major", "schema_minor", "required_features")


@dataclass
class StatedHeader:
    """What the header of an input states, with the byte offset of each statement."""

    offset: int
    """Where the header starts; stands in for what it does not state."""
    kind: int | str = 0
    """The number of the kind, or its name."""
    schema_major: int = 0
    schema_minor: int = 0
    required_features: list[str] = field(default_factory=list)
    offsets: dict[str, int] = field(default_factory=dict)
    """By field name."""
    feature_offsets: list[int] = field(default_factory=list)

    def offset_of(self, name: str) -> int:
        """Return where a field is stated."""
        return self.offsets.get(name, self.offset)


def judge(stated: StatedHeader, schema: Schema, expected_kind: str | None) -> DocumentKindInfo:
    """Decide whether a document can be read at all.

    Args:
        stated: What its header states.
        schema: What this reader knows.
        expected_kind: The short name of the kind the caller wants, or None for any.

    Returns:
        The kind of the document.

    Raises:
        CodecError: ``version.unknown-major``, ``version.unknown-feature``, ``version.newer-minor``,
            ``header.unknown-kind`` or ``header.kind-mismatch``.
    """
    if stated.schema_major != schema.major:
        message = (
            f"the document is of schema major `{stated.schema_major}`; this reader knows major {schema.major}"
        )
        _refuse("version.unknown-major", message, stated, "schema_major")
    for index, feature in enumerate(stated.required_features):
        if not schema.knows_feature(feature):
            known = ", ".join(sorted(schema.features))
            raise CodecError(
                "version.unknown-feature",
                f"the document requires the feature `{feature}`; this reader knows {known}",
                HEADER_PATH.element("required_features", index),
                stated.feature_offsets[index],
            )
    if stated.schema_minor > schema.minor:
        message = (
            f"the document is of schema version `{stated.schema_major}.{stated.schema_minor}`; "
            f"this reader knows versions up to {schema.major}.{schema.minor}"
        )
        _refuse("version.newer-minor", message, stated, "schema_minor")
    known_kinds = schema.kinds
    kind = next((item for item in known_kinds if stated.kind in (item.number, item.value_name)), None)
    if kind is None:
        names = ", ".join(item.value_name for item in known_kinds)
        message = f"`{stated.kind}` is no kind of document that this reader knows; it knows {names}"
        _refuse("header.unknown-kind", message, stated, "kind")
    if expected_kind is not None and kind.name != expected_kind:
        message = f"the document is of kind `{kind.name}`; expected is {expected_kind}"
        _refuse("header.kind-mismatch", message, stated, "kind")
    return kind


def _refuse(code: str, message: str, stated: StatedHeader, name: str) -> NoReturn:
    raise CodecError(code, message, HEADER_PATH.field(name), stated.offset_of(name))


def scan_header(data: bytes, schema: Schema) -> StatedHeader:
    """Read the header of a binary document, skipping what this reader does not know.

    Raises:
        CodecError: ``header.missing``, or a code that starts with ``wire.``.
    """
    if data[:1] != b"\x0a" and not _starts_with_overlong_tag(data):
        start = "a document starts with its header"
        message = (
            f"{start}, which is field 1 and length-delimited" if data else f"the input is empty; {start}"
        )
        raise CodecError("header.missing", message, HEADER_PATH, 0)
    at = 1 if data[0] == 0x0A else read_varint(data, 0, len(data))[1]
    try:
        length, at = read_varint(data, at, len(data))
    except VarintError as error:
        raise CodecError(error.code, "the length of the header is no varint", HEADER_PATH, 0) from None
    if length > len(data) - at:
        message = f"the header is `{length}` bytes long, but only {len(data) - at} follow"
        raise CodecError("wire.truncated", message, HEADER_PATH, 0)
    return _HeaderScan(data, at, at + length, schema).run()


def _starts_with_overlong_tag(data: bytes) -> bool:
    """Tell whether the first tag is the header's, spelled with too many bytes."""
    try:
        return read_varint(data, 0, len(data))[0] == 0x0A
    except VarintError:
        return False


class _HeaderScan:
    """One tolerant pass over the bytes of a header."""

    def __init__(self, data: bytes, start: int, end: int, schema: Schema) -> None:
        self._data = data
        self._at = start
        self._end = end
        self._fields = {schema.header.by_name[name].number: schema.header.by_name[name] for name in _JUDGED}
        self._stated = StatedHeader(offset=0)

    def run(self) -> StatedHeader:
        while self._at < self._end:
            offset = self._at
            tag = self._varint(HEADER_PATH, offset)
            wire_type = tag & 7
            if tag > MAXIMUM_TAG or tag < 8 or wire_type > WireType.I32:
                raise CodecError("wire.invalid-tag", f"`{tag}` is no tag of a field", HEADER_PATH, offset)
            if wire_type in {WireType.GROUP_START, WireType.GROUP_END}:
                raise CodecError("wire.group", "groups do not exist in this format", HEADER_PATH, offset)
            info = self._fields.get(tag >> 3)
            if info is None:
                self._skip(wire_type, offset)
            else:
                self._read(info, wire_type, offset)
        return self._stated

    def _skip(self, wire_type: int, offset: int) -> None:
        if wire_type == WireType.VARINT:
            self._varint(HEADER_PATH, offset)
        elif wire_type == WireType.LEN:
            self._bytes(self._varint(HEADER_PATH, offset), HEADER_PATH, offset)
        else:
            self._bytes(8 if wire_type == WireType.I64 else 4, HEADER_PATH, offset)

    def _read(self, info: FieldInfo, wire_type: int, offset: int) -> None:
        stated = self._stated
        path = HEADER_PATH.field(info.name)
        if info.repeated:
            path = HEADER_PATH.element(info.name, len(stated.required_features))
        if wire_type != (WireType.LEN if info.repeated else WireType.VARINT):
            message = f"wire type {wire_type} is not that of a field of type {info.kind.value}"
            raise CodecError("wire.wrong-type", message, path, offset)
        value = self._varint(path, offset)
        if info.repeated:
            stated.required_features.append(self._text(value, path, offset))
            stated.feature_offsets.append(offset)
            return
        if info.kind is Kind.UINT32 and value >> 32:
            raise CodecError("wire.value-out-of-range", f"`{value}` does not fit into 32 bits", path, offset)
        setattr(stated, info.name, value)
        stated.offsets[info.name] = offset

    def _text(self, length: int, path: Path, offset: int) -> str:
        raw = self._bytes(length, path, offset)
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            raise CodecError("wire.invalid-utf8", "the string is not UTF-8", path, offset) from None
        if has_noncharacter(text):
            message = f"the string holds the noncharacter `{describe(text)}`"
            raise CodecError("wire.noncharacter", message, path, offset)
        return text

    def _bytes(self, length: int, path: Path, offset: int) -> bytes:
        if length > self._end - self._at:
            message = (
                f"the value is `{length}` bytes long, but only {self._end - self._at} are left in the header"
            )
            raise CodecError("wire.truncated", message, path, offset)
        start = self._at
        self._at += length
        return self._data[start : self._at]

    def _varint(self, path: Path, offset: int) -> int:
        try:
            value, self._at = read_varint(self._data, self._at, self._end)
        except VarintError as error:
            raise CodecError(error.code, "the bytes are no varint", path, offset) from None
        return value
