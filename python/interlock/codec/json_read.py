"""The strict JSON reader: large inputs as a whole (``json_tree``), others and irregular ones by parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlock.codec.binary import sort_in_place
from interlock.codec.collector import paused_collector
from interlock.codec.header import judge
from interlock.codec.json_content import read_content, read_header
from interlock.codec.json_syntax import parse_json
from interlock.codec.usage import check_header

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from interlock.codec.schema import DocumentKindInfo, Schema
    from interlock.limits import Limits

SMALL: Final = 8192
"""Up to this many bytes, the reader that reports is done before the other one is compiled."""


def decode_json(
    data: bytes, schema: Schema, limits: Limits, expected_kind: str | None
) -> tuple[DocumentKindInfo, Message, bytes]:
    """Read a JSON document; return its kind, its message, and its canonical binary.

    Raises:
        CodecError: The input is refused.
    """
    if len(data) > SMALL:
        from interlock.codec.json_tree import read_regular  # noqa: PLC0415 - not for small documents

        accepted = read_regular(data, schema, limits, expected_kind)
        if accepted is not None:
            return accepted
    with paused_collector():
        root = parse_json(data, limits.json_depth)
        header = read_header(root)
        kind = judge(header, schema, expected_kind)
        info = schema.root(kind)
        message = info.message_class(**read_content(root, info, limits))
    sort_in_place(message, info, len(data))
    check_header(message, info, schema, header.offset)
    return kind, message, message.SerializeToString(deterministic=True)
