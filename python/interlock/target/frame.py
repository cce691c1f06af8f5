"""Sealed frames: a document and its blobs in one file. `docs/target-modules.md` has every byte.

A frame is 8 bytes of magic, the length of the body, its SHA-256, the body, and each distinct blob that the
body reaches, in ascending order of digest. Nothing is copied but the body, and nothing is hashed twice.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from interlock.errors import CodecError
from interlock.target.errors import FrameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from interlock.diagnostic import Path
    from interlock.limits import Limits
    from interlock.target.blobs import Bytes

START: Final = b"\x89XGF"
FRAME_VERSION: Final = 1
END_OF_MAGIC: Final = b"\r\n"
KINDS: Final = {"TargetModuleBundle": b"B", "TargetPayload": b"P", "Envelope": b"E"}
"""The letter of each kind of document that is sealed."""
_BY_LETTER: Final = {letter: kind for kind, letter in KINDS.items()}
LENGTH_AT: Final = 8
DIGEST_AT: Final = 16
BODY_AT: Final = 48


@dataclass(frozen=True, slots=True)
class Reference:
    """A blob that a document refers to, and the first place that does."""

    digest: str
    size: int
    path: Path


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame whose header and body are proven. ``rest`` is what follows the body."""

    kind: str
    body: bytes
    rest: memoryview


def looks_like_frame(data: Bytes) -> bool:
    """Tell whether bytes start as a frame of any version does. No document starts like this."""
    return bytes(data[: len(START)]) == START


def header_of(kind: str, body: bytes) -> bytes:
    """Return the 48 bytes before a body."""
    magic = START + bytes((FRAME_VERSION,)) + KINDS[kind] + END_OF_MAGIC
    return magic + len(body).to_bytes(8, "little") + hashlib.sha256(body).digest()


def frame_chunks(kind: str, body: bytes, blobs: Iterable[Bytes]) -> Iterator[Bytes]:
    """Yield a frame in pieces, none of them copied. The blobs ascend by digest."""
    yield header_of(kind, body)
    yield body
    yield from blobs


def open_frame(data: Bytes, expected_kind: str | None, limits: Limits) -> Frame:
    """Read the header and the body of a frame.

    Args:
        data: The whole frame.
        expected_kind: The kind of document it has to hold, such as ``Envelope``; None for any.
        limits: The limits of reading.

    Raises:
        FrameError: The first of these that holds: ``limit.frame-bytes``, ``frame.truncated`` (of the header),
            ``frame.unknown-magic``, ``frame.unknown-version``, ``frame.unknown-kind``,
            ``frame.kind-mismatch``, ``frame.truncated`` (of the body), ``frame.digest-mismatch``.
    """
    view = memoryview(data).cast("B")
    size = view.nbytes
    if size > limits.frame_bytes:
        text = f"the frame is {size} bytes long; the limit is {limits.frame_bytes}"
        raise FrameError.of("limit.frame-bytes", text)
    if size < BODY_AT:
        text = f"the frame is {size} bytes long; its header alone has {BODY_AT}"
        raise FrameError.of("frame.truncated", text, byte_offset=size)
    kind = _kind_of(bytes(view[:LENGTH_AT]), expected_kind)
    length = int.from_bytes(view[LENGTH_AT:DIGEST_AT], "little")
    if length > size - BODY_AT:
        text = f"the body is `{length}` bytes long, but only {size - BODY_AT} follow"
        raise FrameError.of("frame.truncated", text, byte_offset=LENGTH_AT)
    end = BODY_AT + length
    actual = hashlib.sha256(view[BODY_AT:end]).digest()
    stated = bytes(view[DIGEST_AT:BODY_AT])
    if actual != stated:
        text = f"the digest is `{stated.hex()}`; that of the body is {actual.hex()}"
        raise FrameError.of("frame.digest-mismatch", text, byte_offset=DIGEST_AT)
    return Frame(kind, bytes(view[BODY_AT:end]), view[end:].toreadonly())


def _kind_of(magic: bytes, expected_kind: str | None) -> str:
    for at, wanted in ((0, START), (6, END_OF_MAGIC)):
        found = magic[at : at + len(wanted)]
        if found != wanted:
            text = f"the bytes `{found.hex(' ')}` stand where a frame has {wanted.hex(' ')}"
            raise FrameError.of("frame.unknown-magic", text, byte_offset=at)
    version, letter = magic[4], magic[5:6]
    if version != FRAME_VERSION:
        text = f"the frame is of version `{version}`; this reader knows version {FRAME_VERSION}"
        raise FrameError.of("frame.unknown-version", text, byte_offset=4)
    kind = _BY_LETTER.get(letter)
    if kind is None:
        known = ", ".join(f"{each.hex()} ({name})" for name, each in KINDS.items())
        raise FrameError.of(
            "frame.unknown-kind", f"`{letter.hex()}` is no kind; there are {known}", byte_offset=5
        )
    if expected_kind is not None and kind != expected_kind:
        text = f"the frame holds a `{kind}`; expected is {expected_kind}"
        raise FrameError.of("frame.kind-mismatch", text, byte_offset=5)
    return kind


def ordered(references: Iterable[Reference]) -> list[Reference]:
    """Return each distinct blob once, in the order of a frame.

    Raises:
        FrameError: ``frame.blob-size-conflict``.
    """
    found: dict[str, Reference] = {}
    for reference in references:
        known = found.setdefault(reference.digest, reference)
        if known.size != reference.size:
            text = (
                f"`{reference.digest}` is stated to be `{reference.size}` bytes here, elsewhere {known.size}"
            )
            raise FrameError.of("frame.blob-size-conflict", text, reference.path)
    return [found[digest] for digest in sorted(found)]


def split_blobs(references: Iterable[Reference], rest: memoryview, limits: Limits) -> dict[str, memoryview]:
    """Return the blobs behind a body, as slices of the input, each proven by its digest.

    Raises:
        FrameError: The first of these that holds: ``frame.blob-size-conflict``, ``limit.blob-bytes``,
            ``frame.missing-blob`` and ``frame.trailing-bytes`` by the sizes alone,
            ``frame.blob-digest-mismatch`` in the order of the blobs.
    """
    listed = ordered(references)
    end = 0
    for reference in listed:
        if reference.size > limits.blob_bytes:
            text = f"the blob is `{reference.size}` bytes long; the limit is {limits.blob_bytes}"
            raise FrameError.of("limit.blob-bytes", text, reference.path)
        end += reference.size
        if end > rest.nbytes:
            text = f"the blob `{reference.digest}` takes {reference.size} bytes, and the frame ends before"
            raise FrameError.of("frame.missing-blob", text, reference.path)
    if end < rest.nbytes:
        text = f"{rest.nbytes - end} bytes follow the last blob; nothing may"
        raise FrameError.of("frame.trailing-bytes", text)
    found, at = {}, 0
    for reference in listed:
        view = rest[at : at + reference.size]
        at += reference.size
        actual = "sha256:" + hashlib.sha256(view).hexdigest()
        if actual != reference.digest:
            text = f"the digest is stated as `{reference.digest}`; that of the bytes is {actual}"
            raise FrameError.of("frame.blob-digest-mismatch", text, reference.path)
        found[reference.digest] = view
    return found


def chosen(references: Iterable[Reference], blobs: Mapping[str, memoryview]) -> dict[str, memoryview]:
    """Return exactly the blobs that are referred to, in the order of a frame.

    Raises:
        FrameError: ``frame.blob-size-conflict`` or ``frame.missing-blob``.
    """
    found = {}
    for reference in ordered(references):
        view = blobs.get(reference.digest)
        if view is None or view.nbytes != reference.size:
            there = "are not there" if view is None else f"are {view.nbytes} bytes long"
            text = f"{reference.size} bytes of digest `{reference.digest}` are required; they {there}"
            raise FrameError.of("frame.missing-blob", text, reference.path)
        found[reference.digest] = view
    return found


def in_frame(error: CodecError) -> CodecError:
    """Return the refusal of a body with the offset in the frame around it."""
    said = error.diagnostics[0]
    if said.byte_offset is None:
        return error
    return CodecError(said.code, said.message, said.path, said.byte_offset + BODY_AT)
