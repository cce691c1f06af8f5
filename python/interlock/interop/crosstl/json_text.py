"""JSON as CrossTL reads and writes it: strict reading of bytes, and the canonical text of free values.

Numbers keep their kind: `1` and `1.0` are different values here, as they are for CrossTL.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from interlock.diagnostic import ROOT, Diagnostic, Severity
from interlock.errors import ImportFailure

if TYPE_CHECKING:
    from interlock.limits import Limits

JsonValue = Any
"""None, bool, int, float, str, list or dict; what `json.loads` makes."""


class DuplicateMembers(dict[str, JsonValue]):
    """An object whose text names a member twice; ``names`` are those."""

    names: tuple[str, ...] = ()


class _RefusedError(ValueError):
    """A constant that is no JSON."""


def parse(data: bytes, limits: Limits) -> JsonValue:
    """Return the value of a JSON text.

    Members named twice are left for the caller to report, as `DuplicateMembers`, because only the caller
    knows their path.

    Raises:
        ImportFailure: One finding with a code of the JSON reader, such as `json.syntax`, and the offset of a
        byte.
    """
    if len(data) > limits.document_bytes:
        raise _failure(
            "limit.document-bytes", f"{len(data)} bytes, more than `{limits.document_bytes}`", None
        )
    if data.startswith(b"\xef\xbb\xbf"):
        raise _failure("json.byte-order-mark", "a byte order mark, where the document should start", 0)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _failure("json.invalid-utf8", "bytes that are not UTF-8", error.start) from None
    try:
        return json.loads(text, object_pairs_hook=_members, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise _syntax_failure(text, error) from None
    except RecursionError:
        message = f"objects and arrays nested deeper than `{limits.json_depth}`"
        raise _failure("limit.json-depth", message, None) from None
    except _RefusedError as error:
        raise _failure("json.invalid-literal", f"`{error}` is no JSON value", None) from None
    except ValueError:
        raise _failure("json.number-out-of-range", "an integer of more than 4300 digits", None) from None


def canonical_text(value: JsonValue) -> str:
    """Return the one text of a free value: ASCII, no white space, members sorted by code point."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":"))


def document_bytes(value: JsonValue) -> bytes:
    """Return a document as text: two spaces of indentation, members as they come, a newline at the end."""
    return (json.dumps(value, ensure_ascii=True, allow_nan=False, indent=2) + "\n").encode("ascii")


def same_value(left: JsonValue, right: JsonValue) -> bool:
    """Tell whether two values are the same, kinds of numbers included."""
    return canonical_text(left) == canonical_text(right)


def _members(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    seen: set[str] = set()
    twice = DuplicateMembers(members)
    twice.names = tuple(dict.fromkeys(name for name, _ in pairs if name in seen or seen.add(name)))  # type: ignore[func-returns-value]
    return twice


def _refuse(constant: str) -> JsonValue:
    raise _RefusedError(constant)


def _syntax_failure(text: str, error: json.JSONDecodeError) -> ImportFailure:
    offset = len(text[: error.pos].encode("utf-8"))
    if error.msg == "Extra data":
        return _failure("json.trailing-bytes", "bytes after the end of the document", offset)
    if not text.strip(" \t\r\n"):
        return _failure("json.truncated", "the input is empty", len(text.encode("utf-8")))
    if not text[error.pos :].strip(" \t\r\n"):
        return _failure("json.truncated", "the input ends within a value", len(text.encode("utf-8")))
    return _failure("json.syntax", f"no JSON here: {error.msg[0].lower()}{error.msg[1:]}", offset)


def _failure(code: str, message: str, offset: int | None) -> ImportFailure:
    return ImportFailure(Diagnostic(code, Severity.ERROR, ROOT, message, byte_offset=offset))
