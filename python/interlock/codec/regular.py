"""Whether bytes are canonical, decided without looking at each of them: yes, or not shown.

The protobuf library forgives much when it reads and nothing when it writes. So bytes that reading and writing
reproduces are canonical but for what ``columns``, ``bounds`` and ``unicode`` look at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError

from interlock.codec.bounds import exceeds_bounds
from interlock.codec.columns import UndecidedError, check_columns
from interlock.codec.unicode import may_hold_noncharacter
from interlock.codec.walk import holds_noncharacter

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from interlock.codec.schema import MessageInfo
    from interlock.limits import Limits


def read_canonical(data: bytes, info: MessageInfo, limits: Limits) -> Message | None:
    """Read canonical bytes; None where they are not shown to be canonical."""
    message = _reproduced(data, info)
    return message if message is not None and is_regular(data, info, limits) else None


def is_canonical(data: bytes, info: MessageInfo, limits: Limits) -> bool:
    """Tell whether bytes are shown to be canonical."""
    # What was read is let go before the rest is looked at: memory that was just in use is the fastest to be
    # had.
    return _reproduced(data, info) is not None and is_regular(data, info, limits)


def is_regular(data: bytes, info: MessageInfo, limits: Limits) -> bool:
    """Tell whether bytes that reading and writing reproduces are shown to be canonical."""
    try:
        check_columns(data, info, limits.message_depth)
    except UndecidedError:
        return False
    if exceeds_bounds(data, info, limits):
        return False
    if not may_hold_noncharacter(data):
        return True
    return not holds_noncharacter(info.message_class.FromString(data), info)


def _reproduced(data: bytes, info: MessageInfo) -> Message | None:
    try:
        message = info.message_class.FromString(data)
    except DecodeError:
        return None
    return message if message.SerializeToString(deterministic=True) == data else None
