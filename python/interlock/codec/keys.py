"""The keys that order the elements of sets."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from interlock.codec.kinds import Kind
from interlock.codec.source import Compiler, is_never_absent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from interlock.codec.schema import FieldInfo, MessageInfo, Schema


def key_function(info: FieldInfo) -> Callable[[Any], Any]:
    """Return the function from an element of a set to its key.

    Keys compare with ``<`` and ``==`` as the canonical form says, and are hashable. The element's own sets
    have to be in canonical order already. Python compares strings by code point, which is the order of their
    UTF-8.
    """
    return info.schema.derived(_Keys).of(info)


class _Keys:
    """The key functions of one schema, each made on first use."""

    def __init__(self, _schema: Schema) -> None:
        self._whole = Compiler(_emit_whole)
        self._by_field: dict[str, Callable[[Any], Any]] = {}

    def of(self, info: FieldInfo) -> Callable[[Any], Any]:
        name = info.descriptor.full_name
        key = self._by_field.get(name)
        if key is None:
            key = self._by_field[name] = self._make(info)
        return key

    def _make(self, info: FieldInfo) -> Callable[[Any], Any]:
        if info.kind is not Kind.MESSAGE:
            return _identity
        if not info.keys:
            return self._whole.function(info.message)
        fields = [info.message.by_name[name] for name in info.keys]
        if all(is_never_absent(item) for item in fields):
            return attrgetter(*info.keys)
        return self._whole.expression("m", _tuple(self._whole, fields))


def _identity(value: object) -> object:
    return value


def _emit_whole(compiler: Compiler, info: MessageInfo) -> str:
    """Return the source of the function from a message to the key that is all of it."""
    return f"def {compiler.name(info)}(m):\n return {_tuple(compiler, info.fields)}\n"


def _tuple(compiler: Compiler, fields: Iterable[FieldInfo]) -> str:
    return "(" + "".join(f"{_member(compiler, item)}, " for item in fields) + ")"


def _member(compiler: Compiler, info: FieldInfo) -> str:
    """Return the expression for one field; what can be absent is a tuple of nothing or of its value."""
    value = f"m.{info.name}"
    if info.kind is Kind.MESSAGE:
        key = compiler.name(info.message)
        if info.repeated:
            return f"tuple(map({key}, {value}))"
        return f"({key}({value}),) if m.HasField({info.name!r}) else ()"
    if info.repeated:
        return f"tuple({value})"
    if info.explicit:
        return f"({value},) if m.HasField({info.name!r}) else ()"
    return value
