"""Envelopes: one graph and its payloads, found by exact format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import envelope_pb2
from interlock.diagnostic import ROOT
from interlock.document import Document
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.target.bundle import header_of
from interlock.target.errors import EnvelopeError, PayloadError
from interlock.target.payload import nested
from interlock.target.sealed import ENVELOPE, PAYLOAD, decode_sealed, make_sealed, subset

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from execgraph.v1 import blob_pb2
    from interlock.target.blobs import Bytes
    from interlock.target.bundle import Producer
    from interlock.target.sealed import SealedDocument

Format = tuple[str, int]
"""The identity and the version of a format."""


def make_envelope(
    graph: Document | Message, *, producer: Producer | None = None, limits: Limits = DEFAULT_LIMITS
) -> SealedDocument:
    """Put a graph into an envelope of its own. `attach_target` adds payloads.

    Raises:
        CodecError: The message is not one that a document can hold.
        InvalidArtifactError: The graph does not resolve or has a cycle.
        TypeError: It is no graph.
    """
    document = Document.of(graph)
    if document.kind != "ExecutionGraph":
        raise TypeError(f"a graph is required, not a `{document.kind}`")
    message = envelope_pb2.Envelope(header=header_of(producer), graph=nested(document))
    return make_sealed(message, (), limits)


def decode_envelope(data: Bytes, *, limits: Limits = DEFAULT_LIMITS) -> SealedDocument:
    """Read a sealed envelope. See `decode_sealed`."""
    return decode_sealed(data, kind=ENVELOPE, limits=limits)


def attach_target(envelope: SealedDocument, payload: SealedDocument) -> SealedDocument:
    """Return an envelope with one more payload. Neither argument changes, whatever comes of it.

    It is checked, in this order, that the payload realizes the graph of the envelope, that there is none of
    its format yet, and then every rule on the envelope as it would be.

    Raises:
        PayloadError: ``payload.graph-mismatch``.
        EnvelopeError: ``envelope.duplicate-format``, or what a rule found.
        TypeError: One of the two is of another kind.
    """
    if envelope.kind != ENVELOPE or payload.kind != PAYLOAD:
        raise TypeError(
            f"an Envelope and a TargetPayload are required, not `{envelope.kind}` and `{payload.kind}`"
        )
    old, new = envelope.message, payload.message
    if new.graph_digest != old.graph.digest:
        text = (
            f"the payload realizes the graph `{new.graph_digest}`; that of the envelope is {old.graph.digest}"
        )
        raise PayloadError.of("payload.graph-mismatch", text, ROOT.field("graph_digest"))
    wanted = _named(new.format)
    for index, each in enumerate(old.payloads):
        if _named(each.format) == wanted:
            text = f"the envelope has a payload of format `{_shown(wanted)}` already"
            path = ROOT.element("payloads", index).field("format")
            raise EnvelopeError.of("envelope.duplicate-format", text, path)
    message = envelope_pb2.Envelope()
    message.CopyFrom(old)
    message.payloads.add(format=new.format, payload=nested(payload.document))
    return make_sealed(message, envelope.blobs | payload.blobs, envelope.context.limits)


def find_payload(envelope: SealedDocument, format: blob_pb2.ContentType | Format) -> SealedDocument:  # noqa: A002
    """Return the payload of exactly one format, with its blobs.

    Raises:
        EnvelopeError: ``envelope.unknown-format-version`` if there is one of that identity in another
            version, else ``envelope.unknown-format``. Nothing else is offered in its place.
    """
    wanted = format if isinstance(format, tuple) else _named(format)
    parts = dict(envelope.context.parts)
    versions = []
    for held, each in zip(envelope.context.held[1:], envelope.message.payloads, strict=True):
        identity, version = _named(each.format)
        if (identity, version) == wanted:
            assert held.document is not None  # noqa: S101 - it was judged
            return subset(held.document, parts[held.inside], envelope.blobs)
        if identity == wanted[0]:
            versions.append(version)
    path = ROOT.field("payloads")
    if versions:
        listed = ", ".join(map(str, versions))
        text = f"there is no version `{wanted[1]}` of the format `{wanted[0]}`, only {listed}"
        raise EnvelopeError.of("envelope.unknown-format-version", text, path)
    there = ", ".join(_shown(each) for each in formats_of(envelope)) or "none"
    text = f"there is no payload of format `{_shown(wanted)}`; there are: {there}"
    raise EnvelopeError.of("envelope.unknown-format", text, path)


def formats_of(envelope: SealedDocument) -> tuple[Format, ...]:
    """Return the formats of the payloads, in their order."""
    return tuple(_named(each.format) for each in envelope.message.payloads)


def graph_of(envelope: SealedDocument) -> Document:
    """Return the graph of an envelope."""
    document = envelope.context.held[0].document
    assert document is not None  # noqa: S101 - it was judged
    return document


def _named(format: blob_pb2.ContentType) -> Format:  # noqa: A002 - as above
    return format.identity, format.version


def _shown(format: Format) -> str:  # noqa: A002 - as above
    return f"{format[0]} {format[1]}"
