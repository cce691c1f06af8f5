"""Damages documents: binary along its fields and byte by byte, JSON and text token by token.

Everything is drawn from one `random.Random`, so that a seed and an input reproduce a damaged document.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor

VARINT, I64, LEN, START_GROUP, END_GROUP, I32 = range(6)

NUMBERS = tuple(
    [0, 1, 2, 3, 99, 127, 128, 255] + [(1 << bits) + off for bits in (31, 32, 63) for off in (-1, 0, 1)]
)
STRINGS = (
    b"",
    b"a",
    b"\0",
    b"\xff",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xef\xbf\xbe",
    b"\xee\x80\x80",
    b"draft-2",
)
_PUNCTUATION = (
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "'",
    "#",
    "/",
    "//",
    "/* */",
    "$",
    "_",
    "{}",
    "[]",
    "<",
    ">",
    ";",
)
_CHARACTERS = ("x", "\t", "\n", "\0", "\x1f", "\u00e9", "\ufeff", "\ufffe")
_WORDS = ("null", "true", "false", "NaN", "-Infinity", "nan", "inf", "undefined")
_SPELLINGS = ("0", "-0", "01", "1.0", "1e2", "+1", "-1", "0x10", "99", "4294967296", "18446744073709551616")
_QUOTED = tuple(f'"{text}"' for text in (*_SPELLINGS, "", "a", "AA==", "AB==", "__8=", "RESOURCE_ROLE_STATE"))
_ESCAPES = tuple(f'"\\u{text}"' for text in ("0061", "d800", "dc00", "d83d\\ude00", "fffe", "12"))
_MEMBERS = (
    *(
        '"id":',
        '"id":"a",',
        '"header":',
        '"nodes":',
        '"schema_major":1,',
        '"barrier":{}',
        '"fill":{},',
        "[null]",
    ),
    '"DOCUMENT_KIND_PACKAGE"',
)
JSON_TOKENS = (*_PUNCTUATION, *_CHARACTERS, *_WORDS, *_SPELLINGS, *_QUOTED, *_ESCAPES, *_MEMBERS)
TEXT_TOKENS = (
    *(*_PUNCTUATION, *_CHARACTERS, *_WORDS, *_SPELLINGS),
    *("id", "header", "body", "nodes", "barrier", '"a"', "\\377", "visibility_model: 7"),
    *("[execgraph.options.v1.field]", "# proto-message: execgraph.v1.Package\n"),
)


@dataclass(slots=True)
class Field:
    """One field: a number, bytes, or the fields of a message. `raw` is written instead, if it is set."""

    number: int
    wire_type: int
    value: int | bytes | list[Field]
    descriptor: Descriptor | None = None
    raw: bytes | None = None


def varint(value: int, width: int = 0) -> bytes:
    """Encode an unsigned integer, at least `width` bytes long."""
    out = bytearray()
    while value > 0x7F or len(out) + 1 < width:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def parse(data: bytes, descriptor: Descriptor | None) -> list[Field]:
    """Read well-formed binary into fields, messages included.

    Raises:
        IndexError: The bytes end too early.
        ValueError: They are no fields.
    """
    fields, at = [], 0
    while at < len(data):
        tag, at = _read_varint(data, at)
        number, wire_type = tag >> 3, tag & 7
        known = descriptor.fields_by_number.get(number) if descriptor is not None else None
        inner = known.message_type if known is not None else None
        if wire_type == VARINT:
            number_value, at = _read_varint(data, at)
            fields.append(Field(number, wire_type, number_value))
            continue
        length, at = (
            (_read_varint(data, at)) if wire_type == LEN else ({I64: 8, I32: 4}.get(wire_type, -1), at)
        )
        if length < 0 or at + length > len(data):
            raise ValueError("not well-formed")
        body = data[at : at + length]
        fields.append(Field(number, wire_type, body if inner is None else parse(body, inner), inner))
        at += length
    return fields


def write(fields: list[Field]) -> bytes:
    """Write fields back."""
    out = bytearray()
    for field in fields:
        if field.raw is not None:
            out += field.raw
            continue
        out += varint(field.number << 3 | field.wire_type)
        if isinstance(field.value, int):
            out += varint(field.value)
        else:
            body = write(field.value) if isinstance(field.value, list) else field.value
            out += varint(len(body)) * (field.wire_type == LEN) + body
    return bytes(out)


def _messages(fields: list[Field]) -> list[list[Field]]:
    """Return the list of fields of the root and of every message within it."""
    found = [fields]
    for field in fields:
        if isinstance(field.value, list):
            found += _messages(field.value)
    return found


def _body(field: Field) -> bytes:
    if isinstance(field.value, int):
        return varint(field.value)
    return write(field.value) if isinstance(field.value, list) else field.value


def _spelled_wrong(random: Random, field: Field) -> bytes:
    """Return a field in a spelling that nobody should accept as canonical."""
    body = _body(field)
    width = random.choice((2, 3, 5, 9, 10, 11))
    tag = field.number << 3 | field.wire_type
    length = varint(len(body)) if field.wire_type == LEN else b""
    return random.choice(
        (
            varint(tag, width) + length + body,
            varint(tag) + varint(len(body), width) + body,
            varint(tag) + varint(len(body) + random.choice((1, 2, 1 << 20, 1 << 31, 1 << 63))) + body,
            varint(field.number << 3 | random.randrange(8)) + length + body,
            varint(random.choice((0, 1, 2, 3, 15, 16, 99, 1 << 29)) << 3 | field.wire_type) + length + body,
            varint(field.number << 3)
            + varint(random.choice((*NUMBERS, 1 << 64)), random.choice((0, 0, 2, 10, 11))),
            varint(field.number << 3 | LEN) + b"\0",
            varint(tag) + length + body[: random.randrange(len(body) + 1)],
            varint(field.number << 3 | LEN) + varint(len(body)) + body,
        )
    )


def damage_fields(random: Random, data: bytes, descriptor: Descriptor) -> bytes:
    """Damage one message of a document and write everything around it as it should be."""
    root = parse(data, descriptor)
    fields = random.choice(_messages(root))
    at = random.randrange(len(fields)) if fields else 0
    if not fields:
        fields.append(Field(random.choice((1, 2, 3, 99)), VARINT, random.choice(NUMBERS)))
        return write(root)
    field = fields[at]
    match random.randrange(8):
        case 0:
            random.shuffle(fields)
        case 1:
            fields.insert(random.randrange(len(fields) + 1), field)
        case 2:
            del fields[at]
        case 3:
            fields.insert(random.randrange(len(fields) + 1), Field(random.choice((4, 15, 99)), LEN, b"new"))
        case 4 if isinstance(field.value, int):
            field.value = random.choice(NUMBERS)
        case 4 if isinstance(field.value, bytes):
            field.value = random.choice(STRINGS)
        case 5 if isinstance(field.value, list):
            field.value = []
        case 6:
            other = random.choice(random.choice(_messages(root)) or [field])
            fields.insert(at, Field(field.number, LEN, _body(other)))
        case _:
            field.raw = _spelled_wrong(random, field)
    return write(root)


def damage_bytes(random: Random, data: bytes) -> bytes:
    """Damage a few bytes, wherever they are."""
    out = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        at = random.randrange(len(out) + 1)
        match random.randrange(6):
            case 0:
                out[at:at] = bytes([random.randrange(256)])
            case 1:
                del out[at : at + random.choice((1, 1, 2, 8))]
            case 2 if at < len(out):
                out[at] ^= 1 << random.randrange(8)
            case 3 if at < len(out):
                out[at] = random.choice((0, 1, 0x7F, 0x80, 0xFF, 0x0A))
            case 4:
                length = random.randrange(1, 32)
                out[at:at] = out[max(0, at - length) : at]
            case _:
                del out[at:]
    return bytes(out)


def damage_tokens(random: Random, data: bytes, tokens: tuple[str, ...]) -> bytes:
    """Damage a few tokens of JSON or text."""
    pieces = re.findall(r'"(?:[^"\\]|\\.)*"|[\w.+-]+|\s+|.', data.decode("utf-8", "replace"), re.DOTALL)
    for _ in range(random.choice((1, 1, 2, 3))):
        at = random.randrange(len(pieces) + 1)
        match random.randrange(6):
            case 0:
                pieces.insert(at, random.choice(tokens))
            case 1:
                pieces[at : at + 1] = [random.choice(tokens)]
            case 2:
                del pieces[at : at + random.choice((1, 1, 2, 4))]
            case 3 if pieces:
                pieces.insert(at, random.choice(pieces))
            case 4 if pieces:
                start = random.randrange(len(pieces))
                pieces[at:at] = pieces[start : start + random.randrange(1, 12)]
            case _:
                del pieces[at:]
    return "".join(pieces).encode("utf-8", "replace")


def damage_binary(random: Random, data: bytes, descriptor: Descriptor) -> bytes:
    """Damage a binary document, along its fields as long as it has any, or byte by byte."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if random.random() < 0.75:
            try:
                data = damage_fields(random, data, descriptor)
                continue
            except (ValueError, IndexError, RecursionError):
                pass  # Damaged before: it is no longer made of fields.
        data = damage_bytes(random, data)
    return data


Damage = Callable[[Random, bytes], bytes]


def damage_json(random: Random, data: bytes) -> bytes:
    """Damage a JSON document."""
    if random.random() < 0.2:
        return damage_bytes(random, data)
    return damage_tokens(random, data, JSON_TOKENS)


def damage_text(random: Random, data: bytes) -> bytes:
    """Damage a document in the text format."""
    if random.random() < 0.1:
        return damage_bytes(random, data)
    return damage_tokens(random, data, TEXT_TOKENS)
