"""Payloads: one graph realized for one target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import payload_pb2
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.target.bundle import header_of
from interlock.target.sealed import PAYLOAD, decode_sealed, make_sealed, subset

if TYPE_CHECKING:
    from collections.abc import Iterable

    from execgraph.v1 import blob_pb2, module_pb2, profile_pb2
    from interlock.document import Document
    from interlock.target.blobs import Bytes
    from interlock.target.bundle import Producer
    from interlock.target.sealed import SealedDocument


def nested(document: Document) -> payload_pb2.NestedDocument:
    """Return a document as one that another holds."""
    return payload_pb2.NestedDocument(digest=document.digest, body=document.binary)


def make_payload(
    *,
    graph_digest: str,
    format: blob_pb2.ContentType,  # noqa: A002 - the name of the field
    profile: profile_pb2.TargetProfile,
    groups: Iterable[module_pb2.LaunchGroup],
    entries: Iterable[payload_pb2.TargetEntry],
    bundle: SealedDocument,
    producer: Producer | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> SealedDocument:
    """Make a payload. What belongs together is paired by launch group, in whatever order it is given.

    What the graph decides is judged where the graph is: in an envelope, by `attach_target`.

    Raises:
        CodecError: Something in it is what no document may hold, or two groups, entries or coordinates are
            one.
        PayloadError: A rule does not hold.
    """
    message = payload_pb2.TargetPayload(
        header=header_of(producer),
        graph_digest=graph_digest,
        format=format,
        profile=profile,
        groups=groups,
        entries=entries,
        bundle=nested(bundle.document),
    )
    return make_sealed(message, bundle.blobs, limits)


def decode_payload(data: Bytes, *, limits: Limits = DEFAULT_LIMITS) -> SealedDocument:
    """Read a sealed payload. See `decode_sealed`."""
    return decode_sealed(data, kind=PAYLOAD, limits=limits)


def bundle_of(payload: SealedDocument) -> SealedDocument:
    """Return the bundle of a payload, with its blobs."""
    held = payload.context.held[0]
    ((_, context),) = payload.context.parts
    assert held.document is not None  # noqa: S101 - it was judged
    return subset(held.document, context, payload.blobs)
