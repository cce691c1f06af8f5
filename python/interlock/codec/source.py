"""Functions that are written out per message type and compiled on first use.

Reading a field of a message costs some ten nanoseconds, deciding in a loop which field to read costs ten
times that. So the passes over whole documents (keys, order, JSON) are emitted as straight Python for each
message type, from the same descriptors that everything else is derived from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlock.codec.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlock.codec.schema import FieldInfo, MessageInfo


class Compiler:
    """A family of functions, one for each message type, that call each other by name.

    Args:
        emit: Returns the source of the function for a message type. It calls ``compiler.name(info)`` for the
            functions of other types, which are compiled with it, and ``compiler.constant(value)`` for
            objects.
    """

    def __init__(self, emit: Callable[[Compiler, MessageInfo], str]) -> None:
        self._emit = emit
        self._namespace: dict[str, Any] = {}
        self._names: dict[str, str] = {}
        self._pending: list[MessageInfo] = []

    def function(self, info: MessageInfo) -> Callable[..., Any]:
        """Return the function of a message type, compiled with all that it calls."""
        name = self.name(info)
        self._compile_pending()
        function: Callable[..., Any] = self._namespace[name]
        return function

    def expression(self, parameter: str, source: str) -> Callable[[Any], Any]:
        """Return a function of one parameter that evaluates an expression."""
        self._compile_pending()
        function: Callable[[Any], Any] = eval(f"lambda {parameter}: {source}", self._namespace)  # noqa: S307 - as below
        return function

    def _compile_pending(self) -> None:
        while self._pending:
            item = self._pending.pop()
            code = compile(self._emit(self, item), f"<{self._names[item.full_name]}>", "exec")
            exec(code, self._namespace)  # noqa: S102 - the source is made of names of descriptors

    def name(self, info: MessageInfo) -> str:
        """Return the name of the function of a message type, and see to it that it exists when called."""
        name = self._names.get(info.full_name)
        if name is None:
            name = self._names[info.full_name] = "_" + info.full_name.replace(".", "_")
            self._pending.append(info)
        return name

    def constant(self, name: str, value: object) -> str:
        """Make an object known to the functions under a name, and return the name."""
        self._namespace[name] = value
        return name


def presence(info: FieldInfo, message: str) -> str:
    """Return an expression that tells whether a singular field is set in a message."""
    if info.explicit:
        return f"{message}.HasField({info.name!r})"
    return f"{message}.{info.name}"


def substance(info: MessageInfo, message: str) -> str:
    """Return an expression that is true where a message holds anything; likely fields first."""
    plain = [f"{message}.{item.name}" for item in info.fields if not item.explicit and not item.repeated]
    lists = [f"{message}.{item.name}" for item in info.fields if item.repeated]
    oneofs = dict.fromkeys(item.oneof for item in info.fields if item.oneof is not None)
    arms = [f"{message}.WhichOneof({name!r}) is not None" for name in oneofs]
    optional = [presence(item, message) for item in info.fields if item.explicit and item.oneof is None]
    return " or ".join(plain + arms + lists + optional) or "False"


def is_never_absent(info: FieldInfo) -> bool:
    """Tell whether a field's bare value orders like the field: it has one even where it is not set."""
    return not info.repeated and not info.explicit and info.kind is not Kind.MESSAGE


def has_plain_key(info: FieldInfo) -> bool:
    """Tell whether the key of a set of messages is one field that is never absent."""
    return (
        info.kind is Kind.MESSAGE
        and len(info.keys) == 1
        and is_never_absent(info.message.by_name[info.keys[0]])
    )
