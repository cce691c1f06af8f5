"""The computed part of the header: what a document uses decides its minor version and its features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from interlock.codec.header import HEADER_PATH
from interlock.codec.kinds import Dynamic, Kind
from interlock.errors import CodecError

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from interlock.codec.schema import DocumentKindInfo, FieldInfo, MessageInfo, Schema


@dataclass(frozen=True, slots=True)
class Usage:
    """The smallest minor version that defines all that a document uses, and the features it uses, sorted."""

    schema_minor: int
    features: list[str]


def usage_of(message: Message, info: MessageInfo, schema: Schema) -> Usage:
    """Find what a document uses."""
    return schema.derived(_Finder).find(message, info)


def header_of(message: Message) -> Dynamic:
    """Return the header of a document."""
    return message.header  # type: ignore[attr-defined]


def check_header(message: Message, info: MessageInfo, schema: Schema, offset: int) -> None:
    """Check that a document states exactly the minor version and the features that it uses.

    Raises:
        CodecError: ``canonical.schema-minor`` or ``canonical.required-features``.
    """
    usage = usage_of(message, info, schema)
    header = header_of(message)
    if header.schema_minor != usage.schema_minor:
        text = (
            f"the document states minor `{header.schema_minor}`; "
            f"what it uses makes it minor {usage.schema_minor}"
        )
        raise CodecError("canonical.schema-minor", text, HEADER_PATH.field("schema_minor"), offset)
    stated = list(header.required_features)
    if stated != usage.features:
        text = (
            f"the document states the features `{', '.join(stated)}`; "
            f"it uses exactly {', '.join(usage.features)}"
        )
        raise CodecError("canonical.required-features", text, HEADER_PATH.field("required_features"), offset)


def complete_header(header: Dynamic, kind: DocumentKindInfo, usage: Usage, schema: Schema) -> bool:
    """Set the kind, the version and the features in a header; tell whether that changed anything."""
    before = (header.kind, header.schema_major, header.schema_minor, list(header.required_features))
    after = (kind.number, schema.major, usage.schema_minor, usage.features)
    if before == after:
        return False
    header.kind, header.schema_major, header.schema_minor, header.required_features[:] = after
    return True


class _Finder:
    """Finds what a document uses, visiting only messages below which anything has a minor or a feature."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._telling: dict[str, tuple[FieldInfo, ...]] = {}

    def find(self, message: Message, info: MessageInfo) -> Usage:
        features = set(self._schema.base_features)
        minor = self._visit(message, info, features)
        return Usage(minor, sorted(features))

    def _visit(self, message: Message, info: MessageInfo, features: set[str]) -> int:
        minor = 0
        for item in self._telling_fields(info):
            values = _values(message, item)
            if values:
                minor = max(minor, item.since_minor)
                if item.feature is not None:
                    features.add(item.feature)
            for value in values:
                if item.kind is Kind.MESSAGE:
                    minor = max(minor, self._visit(value, item.message, features))
                elif item.kind is Kind.ENUM and value in item.enum.by_number:
                    used = item.enum.by_number[value]
                    minor = max(minor, used.since_minor)
                    if used.feature is not None:
                        features.add(used.feature)
        return minor

    def _telling_fields(self, info: MessageInfo) -> tuple[FieldInfo, ...]:
        telling = self._telling.get(info.full_name)
        if telling is None:
            telling = tuple(item for item in info.fields if _tells(item) or _leads_on(item))
            self._telling[info.full_name] = telling
        return telling


def _values(message: Message, info: FieldInfo) -> Dynamic:
    """Return the elements of a list, or the value of a singular field if it is set."""
    value = getattr(message, info.name)
    if info.repeated:
        return value
    return (value,) if (message.HasField(info.name) if info.explicit else value) else ()


def _tells(info: FieldInfo) -> bool:
    """Tell whether a field or a value of it needs more than minor 0 of the schema."""
    if info.since_minor or info.feature is not None:
        return True
    return info.kind is Kind.ENUM and any(
        value.since_minor or value.feature is not None for value in info.enum.values
    )


def _leads_on(info: FieldInfo) -> bool:
    """Tell whether anything below a field tells."""
    return info.kind is Kind.MESSAGE and any(
        _tells(item) for below in info.message.reachable for item in below.fields
    )
