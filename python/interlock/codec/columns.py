"""Order, emptiness and anything unknown, judged for a whole document at the speed of the protobuf library.

Visiting a hundred thousand nodes from Python costs more than a second; parsing them costs a tenth of one. So
the messages of one type are not visited one by one. Their bytes are joined and parsed as one columnar twin
(``twin``), in which each field is one list for all messages together. That no message of a field is empty is
a search in a column, or a comparison of lengths; that sets ascend is one comparison of a column with itself,
shifted. The boundaries between messages are kept by a separator, which starts every set with an element that
is less than all others.

What the twin finds unknown, be it a field or an enum value, is unknown in the document.
"""

from __future__ import annotations

from itertools import islice
from operator import lt
from typing import TYPE_CHECKING, Any, Final

from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet

from interlock.codec.keys import key_function
from interlock.codec.kinds import Dynamic, Kind
from interlock.codec.twin import distinct, has_key_column, mark_of, merged_twins, open_twins
from interlock.codec.varint import number_of, read_varint

if TYPE_CHECKING:
    from interlock.codec.schema import FieldInfo, MessageInfo
    from interlock.codec.twin import Twins

_FEW: Final = 256


class UndecidedError(Exception):
    """The columns do not show that a document is regular; it may be nevertheless."""


def check_columns(data: bytes, info: MessageInfo, maximum_depth: int) -> None:
    """Show that bytes that parsing and writing reproduces are canonical in nearly all else.

    That is: nothing in them is unknown, sets ascend without duplicates, no message is empty in vain, and
    messages nest no deeper than allowed.

    Raises:
        UndecidedError: This cannot be shown.
    """
    _check_messages(info, [data], maximum_depth)


def _check_messages(
    info: MessageInfo, messages: list[bytes], levels: int, key: str | None = None, groups: int = 0
) -> None:
    """Check all messages of one type that lie at one depth.

    Args:
        info: Their type.
        messages: Their bytes; emptied.
        levels: How many levels of messages may lie here, these included.
        key: If they are the elements of sets, the field that is their key.
        groups: The number of those sets, each of which starts with an element of an empty key.
    """
    if levels < 1:
        raise UndecidedError
    count = len(messages)
    schema = info.schema
    twins = schema.derived(merged_twins)
    twin = None
    if twins.levels(info) <= levels:
        twin = _parse(twins, info, messages)
        if not _all_present(twins, twin, info, count - groups):
            twin = None
    if twin is None:
        twins = schema.derived(open_twins)
        twin = _parse(twins, info, messages)
    # Memory that was just in use is the fastest to be had.
    messages.clear()
    if key is not None:
        keys = getattr(twin, key)[:]
        if len(keys) != count:
            raise UndecidedError
        _check_ascent(keys, groups)
        del keys
    _check_fields(twins, twin, info, count, levels)


def _check_fields(twins: Twins, twin: Dynamic, info: MessageInfo, count: int, levels: int) -> None:
    """Check the columns of a twin of some messages."""
    if len(UnknownFieldSet(twin)):
        raise UndecidedError
    for item in info.fields:
        if not item.is_set and item.kind is not Kind.MESSAGE:
            continue
        column = getattr(twin, item.name)
        if twins.is_merged(item):
            _check_fields(twins, column, item.message, count, levels - 1)
        elif len(column) == 0 or (item.is_set and not item.kind.is_scalar and len(column) == count):
            # Nothing, or nothing but marks.
            continue
        elif item.kind is Kind.MESSAGE:
            _check_column(item, column[:], count, levels - 1)
        elif item.kind.is_scalar:
            for packed in set(column):
                _check_packed(packed, item)
        else:
            _check_ascent(column[:], count)


def _check_column(info: FieldInfo, column: list[bytes], count: int, levels: int) -> None:
    """Check the column of a message field."""
    if info.is_set and has_key_column(info):
        if b"" in column:
            raise UndecidedError
        _check_messages(info.message, column, levels, key=info.keys[0], groups=count)
        return
    if info.is_set:
        if column.count(b"") != count:
            raise UndecidedError
        _check_groups(column, info)
    elif not info.may_be_empty and b"" in column:
        raise UndecidedError
    _check_messages(info.message, distinct(column), levels)


def _parse(twins: Twins, info: MessageInfo, messages: list[bytes]) -> Dynamic:
    """Parse messages as one twin. Every set that is not empty starts with its mark, once for each message."""
    twin_class = twins.message_class(info)
    try:
        if len(messages) <= _FEW:
            separator = _separator(twins, info, None)
            twin = twin_class()
            for message in messages:
                twin.MergeFromString(separator)
                twin.MergeFromString(message)
            return twin
        # Marking sets that are empty everywhere costs time, so the first messages show which are not.
        used = _used_sets(twins, info, twin_class.FromString(b"".join(messages[:_FEW])))
        twin = twin_class.FromString(_separator(twins, info, used).join([b"", *messages]))
        if not _used_sets(twins, info, twin) <= used:
            twin = twin_class.FromString(_separator(twins, info, None).join([b"", *messages]))
    except DecodeError:
        raise UndecidedError from None
    return twin


def _used_sets(twins: Twins, info: MessageInfo, twin: Dynamic) -> set[str]:
    """Return the full names of the sets that hold something."""
    return {item.descriptor.full_name for item, column in twins.sets(twin, info) if len(column)}


def _separator(twins: Twins, info: MessageInfo, used: set[str] | None) -> bytes:
    """Return the bytes that mark where each message starts in the columns of some sets, or of all."""
    separator = twins.message_class(info)()
    for item, column in twins.sets(separator, info):
        if used is None or item.descriptor.full_name in used:
            column.append(mark_of(item))
    return separator.SerializeToString(deterministic=True)


def _all_present(twins: Twins, twin: Dynamic, info: MessageInfo, count: int) -> bool:
    """Tell whether all merged messages that cannot be absent or empty are there and hold something.

    Args:
        twins: The family of the twin.
        twin: Some messages of one type.
        info: Their type.
        count: How many they are, at most.
    """
    for item in info.fields:
        if not twins.is_merged(item):
            continue
        merged = getattr(twin, item.name)
        if item.oneof is None:
            most = count
            if _least(twins, merged, item.message) != count:
                return False
        else:
            others = [other for other in info.fields if other.oneof == item.oneof and other is not item]
            most = count - sum(_least_of(twins, twin, other) for other in others)
        if not _all_present(twins, merged, item.message, most):
            return False
    return True


def _least(twins: Twins, twin: Dynamic, info: MessageInfo) -> int:
    """Return how many messages went into a twin, not counting such as may have left no trace."""
    least = 0
    arms: dict[str, int] = {}
    for item in info.fields:
        if not item.repeated:
            traces = _least_of(twins, twin, item)
            if item.oneof is not None:
                arms[item.oneof] = arms.get(item.oneof, 0) + traces
            else:
                least = max(least, traces)
    return max(least, *arms.values()) if arms else least


def _least_of(twins: Twins, twin: Dynamic, info: FieldInfo) -> int:
    """Return how often a singular field was set, not counting messages that may have left no trace."""
    if twins.is_merged(info):
        return _least(twins, getattr(twin, info.name), info.message)
    return len(getattr(twin, info.name)) if twins.is_column(info) else 0


def _check_ascent(keys: list[bytes], groups: int) -> None:
    """Check that keys ascend in each of some groups, each of which starts with an empty key."""
    if sum(map(lt, keys, islice(keys, 1, None))) != len(keys) - groups:
        raise UndecidedError


def _check_groups(column: list[bytes], info: FieldInfo) -> None:
    """Check that the messages of each of some sets ascend; each set starts with an empty message."""
    key_of = key_function(info)
    parse = info.message.message_class.FromString
    keys: dict[bytes, Any] = {}
    previous = b""
    for element in column:
        if element and previous:
            for each in (previous, element):
                if each not in keys:
                    keys[each] = key_of(parse(each))
            if not keys[previous] < keys[element]:
                raise UndecidedError
        previous = element


def _check_packed(packed: bytes, info: FieldInfo) -> None:
    """Check one packed set of numbers: that it ascends, and that enum values are known."""
    previous = None
    at = 0
    while at < len(packed):
        raw, at = read_varint(packed, at, len(packed))
        value = number_of(info.kind, raw)
        if info.kind is Kind.ENUM and value not in info.enum.by_number:
            raise UndecidedError
        if previous is not None and value <= previous:
            raise UndecidedError
        previous = value
