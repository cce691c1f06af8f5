"""Limits on lists and strings, judged on the canonical bytes of a document known to be well formed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlock.codec.kinds import Kind
from interlock.codec.twin import open_twins

if TYPE_CHECKING:
    from interlock.codec.schema import MessageInfo
    from interlock.limits import Limits

_CONTINUED: Final = bytes(range(0x80, 0x100))


def exceeds_bounds(data: bytes, info: MessageInfo, limits: Limits) -> bool:
    """Tell whether any list or string of a canonical message is larger than the limits allow.

    A list takes at least a byte an element, so only messages that are larger than the smaller limit are
    looked into.
    """
    smallest = min(limits.repeated_elements, limits.string_bytes)
    if len(data) <= smallest:
        return False
    twin = info.schema.derived(open_twins).message_class(info).FromString(data)
    for item in info.fields:
        value = getattr(twin, item.name)
        if item.repeated:
            # A packed set is one column of bytes, in which each element has one byte that ends it.
            packed = item.is_set and item.kind.is_scalar
            count = sum(len(each.translate(None, _CONTINUED)) for each in value) if packed else len(value)
            if count > limits.repeated_elements:
                return True
        if item.kind is Kind.MESSAGE:
            if any(len(each) > smallest and exceeds_bounds(each, item.message, limits) for each in value):
                return True
        elif not item.kind.is_scalar:
            strings = value if isinstance(value, list) or not isinstance(value, bytes) else (value,)
            if any(len(each) > limits.string_bytes for each in strings):
                return True
    return False
