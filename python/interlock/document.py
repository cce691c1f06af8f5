"""A document that was read or written: canonical by construction."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike

from google.protobuf.message import Message

from interlock.codec import encode
from interlock.codec.schema import schema
from interlock.hashing import sha256_digest


@dataclass(frozen=True)
class Document:
    """A canonical document.

    ``kind`` is the short name of the root message, such as ``ExecutionGraph``; ``message`` the message,
    which is not to be changed; ``binary`` its canonical binary.
    """

    kind: str
    message: Message = field(repr=False)
    binary: bytes = field(repr=False)

    @classmethod
    def from_message(cls, message: Message) -> Document:
        """Make a document of a message, which stays as it is.

        Raises:
            CodecError: The message holds what no document may hold.
            TypeError: The message is not the root of a kind of document.
        """
        known = schema()
        info = known.message_of(message)
        if not known.is_document(info):
            raise TypeError(f"`{info.full_name}` is not the root message of a document")
        binary = encode(message)
        return cls(info.name, info.message_class.FromString(binary), binary)

    @classmethod
    def of(cls, document: Document | Message) -> Document:
        """Return a document as it is, or make one of its message.

        Raises:
            CodecError: The message holds what no document may hold.
            TypeError: It is neither a document nor the message of one.
        """
        return document if isinstance(document, Document) else cls.from_message(as_message(document))

    @cached_property
    def digest(self) -> str:
        """The digest of the canonical binary."""
        return sha256_digest(self.binary)

    @cached_property
    def semantic_digest(self) -> str:
        """The digest without producer and provenance."""
        from interlock.codec.semantic import semantic_digest_of  # noqa: PLC0415 - loaded by those who use it

        known = schema()
        return semantic_digest_of(self.binary, known.message_of(self.message), known)

    def json(self) -> bytes:
        """Return the canonical JSON."""
        from interlock.codec.json_write import write_json  # noqa: PLC0415 - loaded by those who use it

        return write_json(self.binary, schema().message_of(self.message))


def as_message(value: object) -> Message:
    """Return the message of a document, or the message that was given.

    Raises:
        TypeError: It is neither, such as the path of a document.
    """
    if isinstance(value, Document):
        return value.message
    if isinstance(value, Message):
        return value
    load = "; `interlock.load` reads one from a file, `interlock.loads` from bytes or a string"
    hint = load if isinstance(value, str | bytes | PathLike) else ""
    raise TypeError(f"a `Document` or the message of one is required, not a `{type(value).__name__}`{hint}")
