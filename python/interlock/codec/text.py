"""The protobuf text format, for authoring and for test cases."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from interlock.codec.encoding import BYTE_ORDER_MARK
from interlock.codec.header import HEADER_PATH
from interlock.codec.usage import complete_header, header_of, usage_of
from interlock.codec.walk import check_message, sort_sets
from interlock.errors import CodecError

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from interlock.codec.schema import DocumentKindInfo, Schema
    from interlock.limits import Limits

_ROOT_LINE: Final = re.compile(r"#[ \t]*proto-message:[ \t]*(\S+)[ \t]*")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_DEFAULT_ROOT: Final = "execgraph.v1.ExecutionGraph"
_UNKNOWN_ESCAPE: Final = re.compile(r"(?:[^\\]|\\[abfnrtv\\'\"?0-7xXuU])*\\[^abfnrtv\\'\"?0-7xXuU]")
# A comment, a string (to its closing quote, or to the end of a line that lacks one), or a bracket.
_TOKENS: Final = re.compile(r"""#[^\n]*|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|[{}<>]""")


def decode_text(
    data: bytes, schema: Schema, limits: Limits, expected_kind: str | None, root_message: str | None
) -> tuple[DocumentKindInfo, Message, bytes]:
    """Read a document in the text format; return its kind, its message, and its canonical binary.

    The header is computed, whatever the input says of it.

    Raises:
        CodecError: The input is refused.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise CodecError("text.malformed", "the input is not UTF-8") from None
    if data.startswith(BYTE_ORDER_MARK):
        raise CodecError("text.malformed", "the input starts with a byte order mark; leave it out")
    control = _CONTROL.search(text)
    if control:
        raise CodecError(
            "text.malformed", f"the input holds the control character U+{ord(control.group()):04X}"
        )
    kind = _kind(root_message or _stated_root(text) or _DEFAULT_ROOT, schema, expected_kind)
    info = schema.root(kind)
    _check_tokens(text, limits.message_depth)
    message = _parse(text, info.message_class)
    check_message(message, info, limits.message_depth)
    sort_sets(message, info)
    complete_header(header_of(message), kind, usage_of(message, info, schema), schema)
    return kind, message, message.SerializeToString(deterministic=True)


def write_text(message: Message) -> str:
    """Return a message in the text format, with its type in the first line."""
    from google.protobuf import text_format  # noqa: PLC0415 - costs more than reading a small document

    body = text_format.MessageToString(message, as_utf8=True)
    return f"# proto-message: {message.DESCRIPTOR.full_name}\n{body}"


def _parse(text: str, message_class: type[Message]) -> Message:
    from google.protobuf import text_format  # noqa: PLC0415 - as above

    try:
        return text_format.Parse(text, message_class())
    except (text_format.ParseError, ValueError) as error:
        raise CodecError("text.malformed", f"the protobuf text format cannot be parsed: {error}") from None


def _stated_root(text: str) -> str | None:
    """Return the root message that a leading comment line names."""
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            return None
        match = _ROOT_LINE.fullmatch(stripped)
        if match:
            return match.group(1)
    return None


def _kind(root_message: str, schema: Schema, expected_kind: str | None) -> DocumentKindInfo:
    path = HEADER_PATH.field("kind")
    kind = schema.kind_named(root_message)
    if kind is None:
        known = ", ".join(item.root_message for item in schema.kinds)
        raise CodecError(
            "header.unknown-kind", f"`{root_message}` is no root message; these are: {known}", path
        )
    if expected_kind is not None and kind.name != expected_kind:
        text = f"the document is of kind `{kind.name}`; expected is {expected_kind}"
        raise CodecError("header.kind-mismatch", text, path)
    return kind


def _check_tokens(text: str, maximum_depth: int) -> None:
    """Check the depth of brackets, to which the parser recurses, and what it lets pass in strings."""
    tokens = [match.group() for match in _TOKENS.finditer(text)]
    depth = 1
    for token in tokens:
        depth += (token in {"{", "<"}) - (token in {"}", ">"})
        if depth > maximum_depth:
            raise CodecError(
                "limit.message-depth", f"messages nest deeper than {maximum_depth}, which is the limit"
            )
    for token in tokens:
        if token[0] in "\"'" and _UNKNOWN_ESCAPE.match(token):
            raise CodecError("text.malformed", f"the string {token[:80]} holds an escape that does not exist")
