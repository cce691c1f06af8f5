"""The reader of messages in memory that reports: what of a message cannot be written, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.unknown_fields import UnknownFieldSet

from interlock.codec.keys import key_function
from interlock.codec.kinds import Dynamic, Kind
from interlock.codec.unicode import describe, has_noncharacter
from interlock.diagnostic import ROOT, Path
from interlock.errors import CodecError

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from interlock.codec.schema import FieldInfo, MessageInfo


class IrregularError(Exception):
    """Something about a message is not canonical and cannot be mended."""


def check_message(message: Message, info: MessageInfo, maximum_depth: int) -> None:
    """Check everything about a message that sorting its sets and computing its header cannot mend.

    Raises:
        CodecError: ``canonical.unknown-field``, ``canonical.unknown-enum-value``, ``wire.noncharacter``,
            ``canonical.empty-message``, ``canonical.duplicate-key`` or ``limit.message-depth``, without
            offset. Positions are those of the message as it is.
    """
    _visit(message, info, ROOT, maximum_depth - 1)


def _visit(message: Message, info: MessageInfo, path: Path, levels: int) -> None:
    unknown = UnknownFieldSet(message)
    if len(unknown):
        text = f"`{info.name}` holds a field of number {unknown[0].field_number}, which it does not have"
        raise CodecError("canonical.unknown-field", text, path)
    for item in info.fields:
        if item.repeated:
            _visit_list(item, getattr(message, item.name), path, levels)
        elif not item.explicit or message.HasField(item.name):
            _visit_value(item, getattr(message, item.name), path.field(item.name), levels)


def _visit_list(info: FieldInfo, elements: Dynamic, path: Path, levels: int) -> None:
    keys: set[object] = set()
    for index, element in enumerate(elements):
        place = path.element(info.name, index)
        _visit_value(info, element, place, levels)
        if info.is_set:
            key = canonical_key(info, element)
            if key in keys:
                raise duplicate_key(info, place)
            keys.add(key)


def _visit_value(info: FieldInfo, value: Dynamic, path: Path, levels: int) -> None:
    if info.kind is Kind.ENUM and value not in info.enum.by_number:
        text = f"`{value}` is no value of `{info.enum.name}`"
        raise CodecError("canonical.unknown-enum-value", text, path)
    if info.kind is Kind.STRING and has_noncharacter(value):
        raise CodecError("wire.noncharacter", f"the string holds the noncharacter `{describe(value)}`", path)
    if info.kind is Kind.MESSAGE:
        if levels == 0:
            raise CodecError("limit.message-depth", "messages nest deeper here than the limit allows", path)
        _visit(value, info.message, path, levels - 1)
        if not info.may_be_empty and not value.ListFields():
            raise CodecError(
                "canonical.empty-message", "an empty message says nothing here and is left out", path
            )


def canonical_key(info: FieldInfo, element: Dynamic) -> object:
    """Return the key of an element of a set, whatever the order of the sets in it."""
    if info.kind is Kind.MESSAGE:
        copy = info.message.message_class()
        copy.CopyFrom(element)
        sort_sets(copy, info.message)
        element = copy
    return key_function(info)(element)


def duplicate_key(info: FieldInfo, path: Path, offset: int | None = None) -> CodecError:
    """Return the error about an element whose key equals that of an earlier one."""
    keys = " and ".join(f"`{name}`" for name in info.keys) or "value"
    return CodecError(
        "canonical.duplicate-key", f"the {keys} of this element equals an earlier one's", path, offset
    )


def holds_noncharacter(message: Message, info: MessageInfo) -> bool:
    """Tell whether any string of a message holds a noncharacter."""
    for item in info.fields:
        if item.kind is not Kind.STRING and item.kind is not Kind.MESSAGE:
            continue
        if not item.repeated and item.kind is Kind.MESSAGE and not message.HasField(item.name):
            continue
        value = getattr(message, item.name)
        for element in value if item.repeated else (value,):
            if (
                holds_noncharacter(element, item.message)
                if item.kind is Kind.MESSAGE
                else has_noncharacter(element)
            ):
                return True
    return False


def sort_sets(message: Message, info: MessageInfo) -> None:
    """Sort all sets of a message in place, one field at a time.

    The message must have passed ``check_message``. For large messages ``order.mend_order`` does the same much
    faster, once its functions are compiled.
    """
    for item in info.fields:
        if not item.repeated and (item.kind is not Kind.MESSAGE or not message.HasField(item.name)):
            continue
        value = getattr(message, item.name)
        if item.kind is Kind.MESSAGE:
            for element in value if item.repeated else (value,):
                sort_sets(element, item.message)
        if item.is_set and len(value) > 1:
            value.sort(key=key_function(item))
