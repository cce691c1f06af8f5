"""Hypothesis strategies for documents, derived from the descriptors of the schema.

A document is one that can be encoded: no empty message without meaning, no equal keys in a set. Beyond that
it is arbitrary: sets are in any order, references name nothing, and numbers only fit their width.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from hypothesis import strategies as st

from conformance_suite import ROOTS
from execgraph.options.v1 import options_pb2

MAXIMUM_DEPTH = 9
HEADER = "execgraph.v1.Header"

_NONCHARACTERS = [chr(plane << 16 | low) for plane in range(17) for low in (0xFFFE, 0xFFFF)] + [
    chr(code) for code in range(0xFDD0, 0xFDF0)
]
_TEXT = st.one_of(
    st.sampled_from(
        ["a", "b", "ab", "a.b", "A", "", "\ue000", "\U00010000", "é", '"', "\\", "\0", "\x7f", "/"]
    ),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters=_NONCHARACTERS), max_size=6),
)
_BYTES = st.one_of(st.sampled_from([b"", b"\0", b"\0\0\200\xff", b"\xff\xfe"]), st.binary(max_size=6))


def _integers(least: int, greatest: int) -> st.SearchStrategy[int]:
    edges = [least, greatest, 0, 1, 127, 128, 255, 16383, 16384]
    return st.one_of(st.sampled_from(edges), st.integers(least, greatest))


_SCALARS: dict[int, st.SearchStrategy[Any]] = {
    FieldDescriptor.TYPE_UINT32: _integers(0, (1 << 32) - 1),
    FieldDescriptor.TYPE_UINT64: _integers(0, (1 << 64) - 1),
    FieldDescriptor.TYPE_SINT64: _integers(-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.TYPE_BOOL: st.booleans(),
    FieldDescriptor.TYPE_STRING: _TEXT,
    FieldDescriptor.TYPE_BYTES: _BYTES,
}

Draw = Callable[[st.SearchStrategy[Any]], Any]


def is_list(field: FieldDescriptor) -> bool:
    """Tell whether a field is repeated."""
    # `label` warns on new runtimes, and `is_repeated` is missing on old ones.
    repeated = getattr(field, "is_repeated", None)
    return bool(field.label == FieldDescriptor.LABEL_REPEATED if repeated is None else repeated)


def rules_of(field: FieldDescriptor) -> options_pb2.FieldRules:
    """Return the classification of a field."""
    rules: options_pb2.FieldRules = field.GetOptions().Extensions[options_pb2.field]
    return rules


def frozen(value: Any) -> object:  # noqa: ANN401 - any value of a field
    """Return what is equal for two values exactly when their canonical forms are."""
    if not isinstance(value, Message):
        return value
    return frozenset(
        (field.number, _frozen_list(field, held) if is_list(field) else frozen(held))
        for field, held in value.ListFields()
    )


def _frozen_list(field: FieldDescriptor, elements: Any) -> object:  # noqa: ANN401 - a repeated field
    parts = [frozen(element) for element in elements]
    return frozenset(parts) if rules_of(field).collection == options_pb2.COLLECTION_SET else tuple(parts)


def key_of(element: Any, rules: options_pb2.FieldRules) -> object:  # noqa: ANN401 - any value of a field
    """Return what may occur once in a set."""
    if not rules.keys:
        return frozen(element)
    fields = element.DESCRIPTOR.fields_by_name
    return tuple(
        None if fields[key].has_presence and not element.HasField(key) else frozen(getattr(element, key))
        for key in rules.keys
    )


def _value(draw: Draw, field: FieldDescriptor, depth: int) -> Any:  # noqa: ANN401 - any value of a field
    """Draw a value of a field, or None if it can hold none at this depth."""
    if field.message_type is None:
        if field.enum_type is not None:
            return draw(st.sampled_from([value.number for value in field.enum_type.values]))
        return draw(_SCALARS[field.type])
    message = field.message_type._concrete_class()
    if depth < MAXIMUM_DEPTH:
        _fill(draw, message, depth + 1)
    ordered = rules_of(field).collection == options_pb2.COLLECTION_ORDERED
    empty_is_meaning = ordered or field.containing_oneof is not None
    return message if message.ListFields() or empty_is_meaning else None


def _fill(draw: Draw, message: Message, depth: int) -> None:
    descriptor = message.DESCRIPTOR
    candidates = [
        field for field in descriptor.fields if descriptor.full_name != HEADER or field.name == "producer"
    ]
    if not candidates:
        return
    fewest, most = (2, 6) if depth < 3 else (1, 4)
    chosen = draw(
        st.lists(
            st.sampled_from(candidates), min_size=min(fewest, len(candidates)), max_size=most, unique=True
        )
    )
    for field in chosen:
        if is_list(field):
            _fill_list(draw, message, field, depth)
            continue
        value = _value(draw, field, depth)
        if field.message_type is None:
            setattr(message, field.name, value)
        elif value is not None:
            getattr(message, field.name).CopyFrom(value)
            getattr(message, field.name).SetInParent()


def _fill_list(draw: Draw, message: Message, field: FieldDescriptor, depth: int) -> None:
    rules, held, seen = rules_of(field), getattr(message, field.name), set()
    for _ in range(draw(st.integers(1, 3))):
        value = _value(draw, field, depth)
        if value is None:
            continue
        if rules.collection == options_pb2.COLLECTION_SET:
            key = key_of(value, rules)
            if key in seen:
                continue
            seen.add(key)
        held.append(value)


@st.composite
def messages(draw: Draw, descriptor: Descriptor) -> Message:
    """Draw a message of a type; a root message without kind, version and features."""
    message: Message = descriptor._concrete_class()
    _fill(draw, message, 1)
    return message


def documents() -> st.SearchStrategy[Message]:
    """Draw a root message without kind, version and features."""
    graph, *others = [messages(root.DESCRIPTOR) for root in ROOTS]
    return st.one_of(graph, graph, *others)
