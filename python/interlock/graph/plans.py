"""For each message type, what a sweep has to look at; derived from the options of the schema, once."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from interlock.codec.schema import Kind, StringKind, schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from google.protobuf.descriptor import Descriptor
    from google.protobuf.message import Message

    from interlock.codec.schema import FieldInfo, MessageInfo
    from interlock.diagnostic import Path


ID_BYTES = 255
"""The greatest length of an id, in bytes."""
_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:/-]*")


def is_id(text: str) -> bool:
    """Tell whether a text is spelled like an id."""
    return len(text) <= ID_BYTES and _ID.fullmatch(text) is not None


class Reference(NamedTuple):
    """A field that names an element of this document. ``explicit`` tells whether its presence is tracked."""

    name: str
    space: str
    repeated: bool
    explicit: bool

    def is_there(self, message: Message) -> bool:
        """Tell whether a field that is not repeated names something, if only the empty name."""
        return message.HasField(self.name) if self.explicit else bool(getattr(message, self.name))

    def resolves(self, message: Message, declared: set[str]) -> bool:
        """Tell whether every name that stands in the field is declared."""
        value = getattr(message, self.name)
        if self.repeated:
            return declared.issuperset(value)
        return value in declared or not self.is_there(message)

    def values(self, message: Message, path: Path) -> Iterator[tuple[str, Path]]:
        """Yield each name that stands in the field, with its path."""
        value = getattr(message, self.name)
        if self.repeated:
            for index, name in enumerate(value):
                yield name, path.element(self.name, index)
        elif self.is_there(message):
            yield value, path.field(self.name)


@dataclass(frozen=True, slots=True)
class Child:
    """A message field that is worth looking into. ``key`` is the field that names the elements of the set."""

    name: str
    repeated: bool
    key: str | None
    plan: Plan = field(repr=False)

    def path(self, outer: Path, index: int, element: Message) -> Path:
        """Return the path of one element."""
        return outer.element(self.name, index, (getattr(element, self.key) or None) if self.key else None)

    def messages(self, message: Message, path: Path) -> Iterator[tuple[Message, Path]]:
        """Yield the messages in the field, with their paths."""
        if self.repeated:
            for index, element in enumerate(getattr(message, self.name)):
                yield element, self.path(path, index, element)
        elif message.HasField(self.name):
            yield getattr(message, self.name), path.field(self.name)


@dataclass(slots=True)
class Plan:
    """What to look at in the messages of one type.

    Attributes:
        full_name: The name of the type.
        message_class: The class of its messages.
        single: Those of the required fields that are not repeated.
        lists: Those that are.
        required: The fields that have to be there, in the order of the schema.
        filled: Reads those of them whose absence is their default.
        present: Those of them whose presence is tracked.
        ids: Fields that declare an id, with the space of names.
        references: Fields that name a declared element.
        digests: Fields that hold a digest.
        choice: The name of the oneof, if the message is a choice.
        choices: Its arms.
        pair: How the fields ``first`` and ``second`` are called where the schema wants them in order; else
            empty.
        children: Message fields worth looking into; arms included.
        queued: Whether the type can hold itself, so that its messages are queued instead of entered.
        declares: Whether an id can be declared in or below a message of this type.
        spaces: The spaces of names that can be declared in or below it.
    """

    full_name: str
    message_class: type[Message]
    single: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    filled: Callable[[Message], Iterable[Any]] | None = None
    present: tuple[str, ...] = ()
    ids: tuple[tuple[str, str], ...] = ()
    references: tuple[Reference, ...] = ()
    digests: tuple[str, ...] = ()
    choice: str = ""
    choices: tuple[str, ...] = ()
    pair: str = ""
    children: tuple[Child, ...] = ()
    queued: bool = False
    declares: bool = False
    spaces: frozenset[str] = frozenset()

    def has(self, message: Message, name: str) -> bool:
        """Tell whether a required field is there."""
        return message.HasField(name) if name in self.present else bool(getattr(message, name))

    def ordered(self, message: Message) -> bool:
        """Tell whether a pair is in order; one with an absent part is judged elsewhere."""
        first, second = (_pair_key(getattr(message, name)) for name in ("first", "second"))
        return not all(first[:1]) or not all(second[:1]) or first < second


def _pair_key(value: str | Message) -> tuple[Any, ...]:
    """Return what elements of a pair are compared by: a string itself, a message by its strings in order."""
    if isinstance(value, str):
        return (value,)
    return tuple(
        getattr(value, item.name) for item in schema().message(cast("Descriptor", value.DESCRIPTOR)).fields
    )


@cache
def plan_of(descriptor: Descriptor) -> Plan:
    """Return the plan of a message type, and make those of all types below it."""
    return _Planner().plan(schema().message(descriptor))


class _Planner:
    """Makes the plans of all types below one. A type met again while it is being planned can hold itself."""

    def __init__(self) -> None:
        self._plans: dict[str, Plan] = {}
        self._open: list[str] = []

    def plan(self, info: MessageInfo) -> Plan:
        plan = self._build(info)
        self._settle()
        return plan

    def _build(self, info: MessageInfo) -> Plan:
        known = self._plans.get(info.full_name)
        if known is not None:
            known.queued = known.queued or info.full_name in self._open
            return known
        plan = self._plans[info.full_name] = _own_plan(info)
        self._open.append(info.full_name)
        plan.children = tuple(
            Child(item.name, item.repeated, item.string_key, self._build(item.message))
            for item in info.fields
            if item.kind is Kind.MESSAGE
        )
        self._open.pop()
        return plan

    def _settle(self) -> None:
        """Drop children in which there is nothing to look at, and spread the spaces of names upwards."""
        plans = list(self._plans.values())
        busy = {
            id(plan)
            for plan in plans
            if plan.required or plan.references or plan.digests or plan.ids or plan.choice
        }
        changed = True
        while changed:
            changed = False
            for plan in plans:
                spaces = frozenset(space for _, space in plan.ids).union(
                    *(c.plan.spaces for c in plan.children)
                )
                is_busy = id(plan) in busy or any(id(child.plan) in busy for child in plan.children)
                if spaces != plan.spaces or (is_busy and id(plan) not in busy):
                    plan.spaces, changed = spaces, True
                    if is_busy:
                        busy.add(id(plan))
        for plan in plans:
            plan.declares = bool(plan.spaces)
            plan.children = tuple(child for child in plan.children if id(child.plan) in busy)


def _own_plan(info: MessageInfo) -> Plan:
    required = [item for item in info.fields if item.required]
    filled = [item.name for item in required if not item.explicit]
    strings = [item for item in info.fields if item.kind is Kind.STRING]
    arms = [item for item in info.fields if item.oneof]
    pair = "first" in info.by_name and "second" in info.by_name
    return Plan(
        full_name=info.full_name,
        message_class=info.message_class,
        single=tuple(item.name for item in required if not item.repeated),
        lists=tuple(item.name for item in required if item.repeated),
        required=tuple(item.name for item in required),
        filled=_reader(filled),
        present=tuple(item.name for item in required if item.explicit),
        ids=tuple((item.name, item.id_space or "") for item in strings if item.string_kind is StringKind.ID),
        references=tuple(
            Reference(item.name, item.id_space or "", item.repeated, item.explicit)
            for item in strings
            if item.string_kind is StringKind.REFERENCE
        ),
        digests=tuple(item.name for item in strings if item.string_kind is StringKind.DIGEST),
        choice=(arms[0].oneof or "") if arms else "",
        choices=tuple(item.name for item in arms),
        pair=_pair_noun(info.by_name["first"]) if pair else "",
    )


def _pair_noun(first: FieldInfo) -> str:
    return "slot" if first.kind is Kind.STRING else "access"


def _reader(names: list[str]) -> Callable[[Message], Iterable[Any]] | None:
    if not names:
        return None
    if len(names) == 1:
        return lambda message: (getattr(message, names[0]),)
    return attrgetter(*names)
