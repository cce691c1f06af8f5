"""Documents of target code together with their blobs: made, read, written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interlock import codec
from interlock.codec.encoding import Encoding
from interlock.diagnostic import ROOT, Path, Step
from interlock.document import Document
from interlock.errors import CodecError
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.rules.context import Context
from interlock.target.blobs import BlobStore, store_of
from interlock.target.frame import (
    BODY_AT,
    Reference,
    chosen,
    frame_chunks,
    in_frame,
    looks_like_frame,
    open_frame,
    ordered,
    split_blobs,
)
from interlock.target.judging import require_sound

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from google.protobuf.message import Message

    from execgraph.v1 import module_pb2
    from interlock.target.blobs import Bytes

BUNDLE = "TargetModuleBundle"
PAYLOAD = "TargetPayload"
ENVELOPE = "Envelope"


@dataclass(frozen=True, eq=False)
class SealedDocument:
    """A bundle, a payload or an envelope in which every rule holds, with exactly the blobs it refers to.

    It never changes. Two are equal if their documents and their blobs are. `make_bundle`, `make_payload`,
    `make_envelope`, `attach_target` and the functions that decode make them.

    Attributes:
        document: The document.
        blobs: Its blobs, by digest.
        context: What was computed when it was judged.
    """

    document: Document
    blobs: BlobStore = field(repr=False)
    context: Context = field(repr=False)

    @property
    def kind(self) -> str:
        """The kind of the document, such as ``Envelope``."""
        return self.document.kind

    @property
    def digest(self) -> str:
        """The digest of the document; the frame around it states the same."""
        return self.document.digest

    @property
    def message(self) -> Any:  # noqa: ANN401 - the class depends on the kind
        """The message, which is not to be changed."""
        return self.document.message

    @property
    def size(self) -> int:
        """The bytes of the frame."""
        return BODY_AT + len(self.document.binary) + sum(blob.nbytes for blob in self.blobs.values())

    def chunks(self) -> Iterator[Bytes]:
        """Yield the frame in pieces, none of which is copied."""
        blobs = (self.blobs[digest] for digest in sorted(self.blobs))
        return frame_chunks(self.kind, self.document.binary, blobs)

    def binary(self) -> bytes:
        """Return the frame."""
        return b"".join(self.chunks())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SealedDocument):
            return NotImplemented
        same = self.kind == other.kind and self.document.binary == other.document.binary
        return same and self.blobs.keys() == other.blobs.keys()

    def __hash__(self) -> int:
        return hash(self.document.binary)


def references_of(context: Context) -> Iterator[Reference]:
    """Yield every blob that a document and the documents within it refer to, in their order."""
    if context.kind == BUNDLE:
        bundle: Any = context.message
        yield from _of_modules(bundle.modules, ROOT)
    for payload in context.payloads if context.kind != BUNDLE else ():
        if payload.bundle is not None:
            prefix = payload.path(Step("bundle"), Step("body"))
            yield from _of_modules(payload.bundle.modules, prefix)


def _of_modules(modules: Iterable[module_pb2.TargetModule], prefix: Path) -> Iterator[Reference]:
    for index, module in enumerate(modules):
        path = prefix.element("modules", index)
        for name, typed in blobs_of(module):
            place = path.extended(Step(name), Step("blob"))
            yield Reference(typed.blob.digest, typed.blob.size, place)


def blobs_of(module: module_pb2.TargetModule) -> Iterator[tuple[str, module_pb2.TypedBlob]]:
    """Yield the blobs of a module, with the names of their fields."""
    yield "code", module.code
    if module.HasField("semantic"):
        yield "semantic", module.semantic
    if module.HasField("lowered"):
        yield "lowered", module.lowered


def make_sealed(
    message: Message, blobs: BlobStore | Iterable[Bytes], limits: Limits = DEFAULT_LIMITS
) -> SealedDocument:
    """Make a sealed document of a message and bytes, which both stay as they are.

    Bytes that the document does not refer to are left out.

    Raises:
        CodecError: The message is not one that a document can hold.
        TargetError: It breaks a rule, or bytes are missing.
    """
    document = Document.from_message(message)
    context = Context(document.message, document.kind, limits)
    require_sound(context)
    found = chosen(references_of(context), store_of(blobs))
    return SealedDocument(document, BlobStore.proven(found), context)


def decode_sealed(data: Bytes, *, kind: str | None = None, limits: Limits = DEFAULT_LIMITS) -> SealedDocument:
    """Read a sealed frame strictly. The blobs are slices of the input.

    The first step that finds something ends reading: the frame up to the digest of its body, the body as a
    document, each nested document, the rules from the innermost document outwards, the blobs.

    Args:
        data: The whole frame; bytes that may change are copied first.
        kind: The kind of document it has to hold, such as ``Envelope``. Default: any.
        limits: The limits of reading.

    Raises:
        FrameError: The frame or its blobs are not as they should be.
        CodecError: A document in it is not canonical; offsets count from the first byte of the frame.
        TargetError: A rule does not hold.
    """
    view = memoryview(data)
    if not view.readonly and view.nbytes <= limits.frame_bytes:
        view = memoryview(bytes(view))
    frame = open_frame(view, kind, limits)
    try:
        document = codec.decode(frame.body, encoding=Encoding.BINARY, expected_kind=frame.kind, limits=limits)
        context = Context(document.message, document.kind, limits)
        require_sound(context, frame.body)
    except CodecError as error:
        raise in_frame(error) from None
    found = split_blobs(references_of(context), frame.rest, limits)
    return SealedDocument(document, BlobStore.proven(found), context)


def subset(document: Document, context: Context, blobs: BlobStore) -> SealedDocument:
    """Return a nested document that was judged already with its blobs, out of those of the outer one."""
    listed = ordered(references_of(context))
    found = {reference.digest: blobs[reference.digest] for reference in listed}
    return SealedDocument(document, BlobStore.proven(found), context)


__all__ = [
    "BUNDLE",
    "ENVELOPE",
    "PAYLOAD",
    "SealedDocument",
    "blobs_of",
    "decode_sealed",
    "looks_like_frame",
    "make_sealed",
    "references_of",
    "subset",
]
