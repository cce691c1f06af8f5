"""Frames as inputs of those who judge documents themselves: read and proven, but not judged by any rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock import codec
from interlock.codec.encoding import Encoding
from interlock.errors import CodecError
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.rules.context import Context
from interlock.target.blobs import BlobStore
from interlock.target.frame import in_frame, open_frame, split_blobs
from interlock.target.sealed import references_of

if TYPE_CHECKING:
    from interlock.document import Document
    from interlock.target.blobs import Bytes


def open_document(
    data: Bytes, *, kind: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> tuple[Document, BlobStore]:
    """Return the document of a frame and its blobs, which are proven to be those that it refers to.

    What is wrong with the document is left to `interlock.verify`. Where a nested document cannot be read, it
    is not known which blobs belong there; then none is looked at, and the store is empty.

    Raises:
        FrameError: The frame or its blobs are not as they should be.
        CodecError: The body is no canonical document.
    """
    frame = open_frame(data, kind, limits)
    try:
        document = codec.decode(frame.body, encoding=Encoding.BINARY, expected_kind=frame.kind, limits=limits)
    except CodecError as error:
        raise in_frame(error) from None
    context = Context(document.message, document.kind, limits)
    contexts = [context, *(part for _, part in context.parts)]
    if any(held.document is None for each in contexts for held in each.held):
        return document, BlobStore()
    found = split_blobs(references_of(context), frame.rest, limits)
    return document, BlobStore.proven(found)
