"""The encodings of a document, and how an input shows which one it is in."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

_LEADING_SPACE: Final = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\n\r]*")
_HEADER_THEN_KIND: Final = re.compile(rb"\x0a[\x80-\xff]{0,9}[\x00-\x7f]\x08")


class Encoding(Enum):
    """How a document is written."""

    BINARY = "binary"
    """The canonical binary form."""
    JSON = "json"
    """Canonical JSON, or any strict JSON of the same content."""
    TEXT = "text"
    """The protobuf text format, for authoring."""


def detect_encoding(data: bytes) -> Encoding:
    """Return the encoding that the first bytes of an input show.

    Binary starts with the tag and the length of the header and the tag of the kind. Otherwise the first byte
    that is not white space decides: `{` is JSON, `#` or a letter is text. Anything else is taken for binary
    and refused as such.
    """
    if _HEADER_THEN_KIND.match(data):
        return Encoding.BINARY
    match = _LEADING_SPACE.match(data)
    start = match.end() if match else 0
    first = data[start : start + 1]
    if first == b"{":
        return Encoding.JSON
    if first == b"#" or (first.isascii() and first.isalpha()):
        return Encoding.TEXT
    return Encoding.BINARY
