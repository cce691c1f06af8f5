"""JSON in which nothing is wrong, read by orjson.

orjson is far faster than the reader that reports and almost as strict; what it forgives is found by writing
its tree again, and by counting. Whatever is irregular in any way is left to the other reader.
"""

from __future__ import annotations

import binascii
from typing import TYPE_CHECKING

import orjson

from interlock.codec.collector import paused_collector
from interlock.codec.kinds import INTEGER_RANGES, WIDE, Dynamic, Kind
from interlock.codec.order import mend_order
from interlock.codec.regular import is_regular
from interlock.codec.source import Compiler
from interlock.codec.usage import check_header
from interlock.codec.walk import IrregularError
from interlock.errors import CodecError

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from interlock.codec.schema import DocumentKindInfo, FieldInfo, MessageInfo, Schema
    from interlock.limits import Limits


class _IrregularError(Exception):
    """Something about a tree is not as it has to be."""


def read_regular(
    data: bytes, schema: Schema, limits: Limits, expected_kind: str | None
) -> tuple[DocumentKindInfo, Message, bytes] | None:
    """Read a JSON document in which nothing is wrong; None where something may be."""
    if limits.json_depth < 2 * limits.message_depth:
        # A message is at most an object in an array, so that the other limit covers this one.
        return None
    try:
        with paused_collector():
            return _read_tree(data, schema, limits, expected_kind)
    except (
        CodecError,
        _IrregularError,
        IrregularError,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        RecursionError,
    ):
        # Wrong types show in many ways, none of which is told apart here, and no offset is known.
        return None


def _read_tree(
    data: bytes, schema: Schema, limits: Limits, expected_kind: str | None
) -> tuple[DocumentKindInfo, Message, bytes]:
    tree = orjson.loads(data)
    if not _is_spelled_once(data, tree):
        raise _IrregularError
    kind = _kind(tree["header"], schema, expected_kind)
    info = schema.root(kind)
    schema.derived(_converters).function(info)(tree)
    message = info.message_class(**tree)
    binary = _canonical_form(message, info, limits)
    if binary is None:
        raise _IrregularError
    check_header(message, info, schema, 0)
    return kind, message, binary


def _canonical_form(message: Message, info: MessageInfo, limits: Limits) -> bytes | None:
    """Sort the sets of a large message in place and write it; None if that is not shown to be canonical.

    Raises:
        IrregularError: It cannot be canonical.
    """
    data = message.SerializeToString(deterministic=True)
    if is_regular(data, info, limits):
        return data
    mend_order(message, info)
    data = message.SerializeToString(deterministic=True)
    return data if is_regular(data, info, limits) else None


def _is_spelled_once(data: bytes, tree: Dynamic) -> bool:
    """Tell whether no name is repeated in an object, and no number spelled in another way than the usual one.

    orjson keeps the last of equal names and reads `-0` as 0. Compact JSON is simply written again. In other
    JSON every name ends with a quote before its colon, so that there are as many of these in the input as in
    the tree; a string may hold what looks the same, or be escaped in another way, and then the answer is no.
    """
    compact = orjson.dumps(tree)
    if compact == data:
        return True
    if b"\\" in data or any(space + b":" in data for space in (b" ", b"\t", b"\n", b"\r")):
        return False
    if b"-0" in data and any(
        before + b"-0" in data for before in (b":", b"[", b",", b" ", b"\t", b"\n", b"\r")
    ):
        return False
    return data.count(b'":') == compact.count(b'":')


def _kind(header: Dynamic, schema: Schema, expected_kind: str | None) -> DocumentKindInfo:
    """Return the kind of a document whose header nobody would refuse."""
    features = header["requiredFeatures"]
    known = (
        type(features) is list
        and all(schema.knows_feature(feature) for feature in features)
        and header["schemaMajor"] == schema.major
        and header.get("schemaMinor", 0) <= schema.minor
    )
    kind = next((item for item in schema.kinds if item.value_name == header["kind"]), None)
    if kind is None or not known or (expected_kind is not None and kind.name != expected_kind):
        raise _IrregularError
    return kind


def _converters(_schema: Schema) -> Compiler:
    compiler = Compiler(_emit)
    for name, value in (("_Irregular", _IrregularError), ("_wide", _wide), ("_bytes", _bytes)):
        compiler.constant(name, value)
    return compiler


def _wide(text: Dynamic) -> int:
    """Read a 64-bit integer in its one spelling."""
    number = int(text)
    if str(number) != text:
        raise _IrregularError
    return number


def _bytes(text: Dynamic) -> bytes:
    read = binascii.a2b_base64(text, strict_mode=True)
    if binascii.b2a_base64(read, newline=False) != text.encode():
        raise _IrregularError
    return read


def _emit(compiler: Compiler, info: MessageInfo) -> str:
    """Return the source of ``f(d)``: turn a JSON object into the keyword arguments of a message, in place.

    Null looks like an absent member, so that the number of members tells whether there are others than the
    known ones, or null among them. What the constructor of a message refuses by itself, such as a number for
    a string, is not looked at.
    """
    lines = [f"def {compiler.name(info)}(d):", " n = len(d)"]
    oneofs = {item.oneof for item in info.fields if item.oneof is not None}
    lines += [f" arms_of_{name} = 0" for name in sorted(oneofs)]
    for item in info.fields:
        lines += [f" v = d.get({item.json_name!r})", " if v is not None:", "  n -= 1"]
        if item.oneof is not None:
            lines.append(f"  arms_of_{item.oneof} += 1")
        lines += [f"  {line}" for line in _emit_field(compiler, item)]
    lines += [f" if arms_of_{name} > 1:\n  raise _Irregular" for name in sorted(oneofs)]
    return "\n".join([*lines, " if n:", "  raise _Irregular"]) + "\n"


def _emit_field(compiler: Compiler, info: FieldInfo) -> list[str]:
    check = _emit_list_check(compiler, info) if info.repeated else _emit_check(compiler, info)
    store = f"d[{info.name!r}] = v"
    if info.name != info.json_name:
        return [*check, f"del d[{info.json_name!r}]", store]
    return [*check, store] if any(line.startswith("v = ") for line in check) else check


def _emit_check(compiler: Compiler, info: FieldInfo) -> list[str]:
    """Return statements that check, and where needed convert, the value ``v``."""
    if info.kind is Kind.MESSAGE:
        return [f"{compiler.name(info.message)}(v)"]
    if info.kind is Kind.STRING:
        return []
    if info.kind is Kind.BYTES:
        return ["v = _bytes(v)"]
    if info.kind in WIDE:
        return ["v = _wide(v)"]
    wanted = "bool" if info.kind is Kind.BOOL else "int" if info.kind in INTEGER_RANGES else "str"
    return [f"if type(v) is not {wanted}:", " raise _Irregular"]


def _emit_list_check(compiler: Compiler, info: FieldInfo) -> list[str]:
    check = ["if type(v) is not list:", " raise _Irregular"]
    if info.kind is Kind.MESSAGE:
        return [*check, "for e in v:", f" {compiler.name(info.message)}(e)"]
    if info.kind is Kind.STRING:
        return check
    if info.kind is Kind.BYTES or info.kind in WIDE:
        return [*check, f"v = list(map({'_bytes' if info.kind is Kind.BYTES else '_wide'}, v))"]
    wanted = "bool" if info.kind is Kind.BOOL else "int" if info.kind in INTEGER_RANGES else "str"
    return [*check, f"if v and set(map(type, v)) != {{{wanted}}}:", " raise _Irregular"]
