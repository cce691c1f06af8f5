"""Strict readers and canonical writers of documents, derived from the schema's descriptors and options.

Nothing here knows what a document means. See ``docs/canonical-form.md`` for what is accepted, what is
written, and which error is reported where.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from interlock.codec.binary import InternalError, decode_binary, encode_binary
from interlock.codec.encoding import Encoding, detect_encoding
from interlock.codec.schema import schema as execgraph_schema
from interlock.errors import CodecError
from interlock.limits import DEFAULT_LIMITS

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from interlock.codec.schema import Schema
    from interlock.document import Document
    from interlock.limits import Limits

DEEPEST_MESSAGE = 100
"""How deep messages may nest whatever the limit: where the protobuf libraries stop."""

__all__ = [
    "Encoding",
    "InternalError",
    "decode",
    "detect_encoding",
    "encode",
    "encode_json",
    "encode_text",
    "semantic_digest",
]


def decode(
    data: bytes,
    *,
    encoding: Encoding | None = None,
    expected_kind: str | None = None,
    canonicalize: bool = False,
    limits: Limits = DEFAULT_LIMITS,
    root_message: str | None = None,
) -> Document:
    """Read a document.

    Args:
        data: The whole input.
        encoding: The encoding of the input; None to see it from its first bytes.
        expected_kind: The kind the document has to be of, such as `ExecutionGraph`; None for any.
        canonicalize: Accept binary that is not canonical where it can be mended without a choice.
        limits: The limits of reading.
        root_message: For text, the full name of the root message; None to read it from the input.

    Raises:
        CodecError: The input is refused; the error carries a code, a path and, for bytes of the input, an
            offset.
    """
    return decode_with(
        execgraph_schema(),
        data,
        encoding=encoding,
        expected_kind=expected_kind,
        canonicalize=canonicalize,
        limits=limits,
        root_message=root_message,
    )


def decode_with(
    known: Schema,
    data: bytes,
    *,
    encoding: Encoding | None = None,
    expected_kind: str | None = None,
    canonicalize: bool = False,
    limits: Limits = DEFAULT_LIMITS,
    root_message: str | None = None,
) -> Document:
    """Read a document of a given schema. See ``decode``."""
    from interlock.document import Document  # noqa: PLC0415 - documents know the codec

    if len(data) > limits.document_bytes:
        text = f"the input is {len(data)} bytes long; the limit is {limits.document_bytes}"
        raise CodecError("limit.document-bytes", text)
    limits = replace(limits, message_depth=min(limits.message_depth, DEEPEST_MESSAGE))
    encoding = encoding or detect_encoding(data)
    if encoding is Encoding.BINARY:
        kind, message, binary = decode_binary(data, known, limits, expected_kind, canonicalize=canonicalize)
    elif encoding is Encoding.JSON:
        from interlock.codec.json_read import decode_json  # noqa: PLC0415 - loaded by those who use it

        kind, message, binary = decode_json(data, known, limits, expected_kind)
    else:
        from interlock.codec.text import decode_text  # noqa: PLC0415 - as above

        kind, message, binary = decode_text(data, known, limits, expected_kind, root_message)
    return Document(kind.name, message, binary)


def encode(message: Message) -> bytes:
    """Return the canonical binary of a message.

    The header of a document is completed and sets are sorted in what is written; the message stays as it is.
    The bytes are proven before they are returned: they are decoded, checked for anything unknown, encoded
    again and compared.

    Raises:
        CodecError: The message holds what no document may hold, such as two elements of a set with one key.
    """
    known = execgraph_schema()
    return encode_binary(message, known.message_of(message), known)


def encode_json(message: Message) -> bytes:
    """Return the canonical JSON of a message. See ``encode``."""
    from interlock.codec.json_write import write_json  # noqa: PLC0415 - loaded by those who use it

    info = execgraph_schema().message_of(message)
    return write_json(encode(message), info)


def encode_text(message: Message) -> str:
    """Return a message in the protobuf text format, with its type in the first line. See ``encode``."""
    from interlock.codec.text import write_text  # noqa: PLC0415 - loaded by those who use it

    return write_text(type(message).FromString(encode(message)))


def semantic_digest(message: Message) -> str:
    """Return the digest of a document without its producer and provenance. See ``encode``."""
    from interlock.codec.semantic import semantic_digest_of  # noqa: PLC0415 - loaded by those who use it

    known = execgraph_schema()
    return semantic_digest_of(encode(message), known.message_of(message), known)
