"""Reading and writing documents in one call: what `interlock` offers beside its classes.

Everything here is a thin composition of the codec, for callers who have a file or bytes and want a document.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, BinaryIO

from interlock import codec
from interlock.document import Document, as_message
from interlock.errors import CodecError
from interlock.limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from interlock.codec.encoding import Encoding

_CHUNK = 1 << 20
_FRAME = b"\x89XGF"
"""How sealed frames start; no document does."""
_PACKAGE = "execgraph.v1"
_CROSSTL_KIND = b'"crosstl-runtime-execution-graph"'


def read_bounded(stream: BinaryIO, limit: int) -> bytes:
    """Return what is left in a stream, but at most ``limit`` + 1 bytes.

    One byte more than the limit is enough for the reader to see that an input is too large; memory follows
    the input's true size, never the limit.
    """
    chunks: list[bytes] = []
    missing = limit + 1
    while missing > 0:
        chunk = stream.read(min(_CHUNK, missing))
        if not chunk:
            break
        chunks.append(chunk)
        missing -= len(chunk)
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def loads(
    data: bytes | str,
    *,
    encoding: Encoding | None = None,
    kind: str | None = None,
    canonicalize: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> Document:
    """Read a document from bytes, or from a string that holds JSON or text.

    The document of a sealed frame is read too, once frame and blobs are proven.

    Args:
        data: The input.
        encoding: Its encoding. Default: detected from the content.
        kind: The kind it has to have, such as ``ExecutionGraph``; for text without a header, the kind it
            has. Default:
            any kind.
        canonicalize: Whether binary input that is not canonical is mended instead of refused.
        limits: Bounds on what the input may cost.

    Raises:
        CodecError: The input is no document this reader can read.
        FrameError: It is a sealed frame that is damaged.
    """
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else bytes(data)
    if encoding is None and raw[: len(_FRAME)] == _FRAME:
        from interlock.target.opening import open_document  # noqa: PLC0415  (start-up)

        return open_document(raw, kind=kind, limits=limits)[0]
    try:
        return codec.decode(
            raw,
            encoding=encoding,
            expected_kind=kind,
            canonicalize=canonicalize,
            limits=limits,
            root_message=None if kind is None else f"{_PACKAGE}.{kind}",
        )
    except CodecError as error:
        if error.code == "header.missing" and _CROSSTL_KIND in raw:
            raise _foreign(error) from None
        raise


def _foreign(error: CodecError) -> CodecError:
    """Return the refusal of what looks like a graph of CrossTL, with what makes a document of it."""
    hint = "; this looks like a graph of CrossTL, of which `interlock import crosstl` makes a document"
    return CodecError(error.code, error.diagnostics[0].message + hint, error.path, error.byte_offset)


def load(
    source: str | os.PathLike[str] | BinaryIO,
    *,
    encoding: Encoding | None = None,
    kind: str | None = None,
    canonicalize: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> Document:
    """Read a document from a file or a binary stream; otherwise like `loads`.

    Raises:
        CodecError: The content is no document this reader can read.
        OSError: The file cannot be read.
    """
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as stream:  # noqa: PTH123  (pathlib costs start-up time)
            data = read_bounded(stream, limits.document_bytes)
    else:
        data = read_bounded(source, limits.document_bytes)
    return loads(data, encoding=encoding, kind=kind, canonicalize=canonicalize, limits=limits)


def encode(document: Document | Message) -> bytes:
    """Return the canonical binary of a document.

    Raises:
        CodecError: The message is not one that a document can hold.
        TypeError: It is neither a document nor the message of one.
    """
    return document.binary if isinstance(document, Document) else codec.encode(as_message(document))


def encode_json(document: Document | Message) -> bytes:
    """Return the canonical JSON of a document.

    Raises:
        CodecError: The message is not one that a document can hold.
        TypeError: It is neither a document nor the message of one.
    """
    return document.json() if isinstance(document, Document) else codec.encode_json(as_message(document))


def encode_text(document: Document | Message) -> str:
    """Return the protobuf text form of a document, for people.

    Raises:
        CodecError: The message is not one that a document can hold.
        TypeError: It is neither a document nor the message of one.
    """
    return codec.encode_text(as_message(document))


def digest(document: Document | Message) -> str:
    """Return the digest of a document: that of its canonical binary, as `sha256sum` of the file gives it.

    Raises:
        CodecError: The message is not one that a document can hold.
        TypeError: It is neither a document nor the message of one.
    """
    return Document.of(document).digest


def semantic_digest(document: Document | Message) -> str:
    """Return the digest of a document without its producer and its provenance.

    Raises:
        CodecError: The message is not one that a document can hold.
        TypeError: It is neither a document nor the message of one.
    """
    return Document.of(document).semantic_digest
