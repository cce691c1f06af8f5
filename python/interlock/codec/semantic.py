"""The semantic digest: what a document says, whoever made it from whatever source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.codec.kinds import Dynamic, Kind
from interlock.codec.usage import complete_header, header_of, usage_of
from interlock.hashing import sha256_digest

if TYPE_CHECKING:
    from interlock.codec.schema import FieldInfo, MessageInfo, Schema


def semantic_digest_of(binary: bytes, info: MessageInfo, schema: Schema) -> str:
    """Return the digest of a canonical document without any provenance and with its header computed anew."""
    message = info.message_class.FromString(binary)
    schema.derived(_Clearing).clear(message, info)
    if schema.is_document(info):
        complete_header(header_of(message), schema.kind_of(info), usage_of(message, info, schema), schema)
    return sha256_digest(message.SerializeToString(deterministic=True))


class _Clearing:
    """Clears provenance, visiting only messages below which there can be any."""

    def __init__(self, _schema: Schema) -> None:
        self._concerned: dict[str, tuple[FieldInfo, ...]] = {}

    def clear(self, message: Dynamic, info: MessageInfo) -> None:
        for item in self._fields(info):
            if item.provenance:
                message.ClearField(item.name)
            elif item.repeated:
                for element in getattr(message, item.name):
                    self.clear(element, item.message)
            elif message.HasField(item.name):
                self.clear(getattr(message, item.name), item.message)

    def _fields(self, info: MessageInfo) -> tuple[FieldInfo, ...]:
        fields = self._concerned.get(info.full_name)
        if fields is None:
            fields = tuple(item for item in info.fields if item.provenance or _leads_on(item))
            self._concerned[info.full_name] = fields
        return fields


def _leads_on(info: FieldInfo) -> bool:
    """Tell whether anything below a field is provenance."""
    return info.kind is Kind.MESSAGE and any(
        item.provenance for below in info.message.reachable for item in below.fields
    )
