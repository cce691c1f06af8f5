"""Sorting all sets of a large message in place.

The functions are compiled per message type. They visit only messages below which there can be a set, and stop
at the first thing that sorting cannot mend without saying what it is; the reader that reports (``walk``) does
that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlock.codec.keys import key_function
from interlock.codec.kinds import Dynamic, Kind
from interlock.codec.source import Compiler, has_plain_key, substance
from interlock.codec.walk import IrregularError

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from interlock.codec.schema import FieldInfo, MessageInfo, Schema


def mend_order(message: Message, info: MessageInfo) -> None:
    """Sort all sets of a message in place.

    Raises:
        IrregularError: Two elements of a set have one key, or a message is empty in vain. Some sets may have
            been sorted.
    """
    info.schema.derived(_mending).function(info)(message)


def _mending(_schema: Schema) -> Compiler:
    compiler = Compiler(_emit)
    compiler.constant("_Irregular", IrregularError)
    compiler.constant("_sort_messages", _sort_messages)
    compiler.constant("_sort_values", _sort_values)
    return compiler


def _sort_messages(elements: Dynamic, keys: list[Any], key: Dynamic) -> None:
    """Sort a repeated message field whose keys are known."""
    if len(set(keys)) != len(keys):
        raise IrregularError
    if sorted(keys) != keys:
        elements.sort(key=key)


def _sort_values(elements: Dynamic) -> None:
    """Sort a repeated field of plain values."""
    values = list(elements)
    ordered = sorted(set(values))
    if len(ordered) != len(values):
        raise IrregularError
    if ordered != values:
        elements[:] = ordered


def _matters(info: MessageInfo) -> bool:
    """Tell whether anything in a message of this type, or below it, can be out of order or empty in vain."""
    return any(
        item.is_set or (item.kind is Kind.MESSAGE and not item.may_be_empty)
        for below in info.reachable
        for item in below.fields
    )


def _emit(compiler: Compiler, info: MessageInfo) -> str:
    """Return the source of ``f(m)``, which sorts the sets of a message and of all below it."""
    lines = [f"def {compiler.name(info)}(m):"]
    for item in info.fields:
        if item.repeated and (item.is_set or item.kind is Kind.MESSAGE):
            lines += _emit_repeated(compiler, item)
        elif item.kind is Kind.MESSAGE and item.oneof is None:
            lines += _emit_singular(compiler, item)
    for oneof in dict.fromkeys(item.oneof for item in info.fields if item.oneof is not None):
        lines += _emit_oneof(compiler, info, oneof)
    return "\n".join([*lines, " return"]) + "\n"


def _call(compiler: Compiler, info: MessageInfo, argument: str) -> str | None:
    """Return the statement that visits a message of a type, or None where there is nothing to do."""
    return f"{compiler.name(info)}({argument})" if _matters(info) else None


def _emit_singular(compiler: Compiler, info: FieldInfo) -> list[str]:
    name = info.name
    visit = _call(compiler, info.message, "s") or "pass"
    something = substance(info.message, "s")
    if info.required:
        # Nearly always there: looking at it first saves asking for it.
        return [
            f" s = m.{name}",
            f" if {something}:",
            f"  {visit}",
            f" elif m.HasField({name!r}):",
            "  raise _Irregular",
        ]
    return [
        f" if m.HasField({name!r}):",
        f"  s = m.{name}",
        f"  if not ({something}):",
        "   raise _Irregular",
        f"  {visit}",
    ]


def _emit_oneof(compiler: Compiler, info: MessageInfo, oneof: str) -> list[str]:
    lines: list[str] = []
    for item in info.fields:
        if item.oneof == oneof and item.kind is Kind.MESSAGE:
            visit = _call(compiler, item.message, f"m.{item.name}")
            if visit is not None:
                lines += [f" {'elif' if lines else 'if'} arm == {item.name!r}:", f"  {visit}"]
    return [f" arm = m.WhichOneof({oneof!r})", *lines] if lines else []


def _emit_repeated(compiler: Compiler, info: FieldInfo) -> list[str]:
    name = info.name
    if info.kind is not Kind.MESSAGE:
        return [f" if len(m.{name}) > 1:", f"  _sort_values(m.{name})"]
    visit = _call(compiler, info.message, "e")
    if not info.is_set:
        return [f" for e in m.{name}:", f"  {visit}"] if visit is not None else []
    key_name = compiler.constant(f"_key_of_{info.descriptor.full_name.replace('.', '_')}", key_function(info))
    key = f"e.{info.keys[0]}" if has_plain_key(info) else f"{key_name}(e)"
    return [
        f" c = m.{name}",
        " if c:",
        "  keys = []",
        "  for e in c:",
        f"   {visit or 'pass'}",
        f"   if not ({substance(info.message, 'e')}):",
        "    raise _Irregular",
        f"   keys.append({key})",
        "  if len(keys) > 1:",
        f"   _sort_messages(c, keys, {key_name})",
    ]
