"""What is judged as a whole is judged as field by field: on arbitrary documents, damaged ones included."""

from __future__ import annotations

import json
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from document_strategies import documents
from interlock.codec import Encoding, binary, decode, encode, json_read, json_write, wire_run, wire_scan
from interlock.codec.bounds import exceeds_bounds
from interlock.codec.json_columns import write_json_columns
from interlock.codec.json_tree import read_regular
from interlock.codec.json_write import write_json_by_field
from interlock.codec.kinds import Kind
from interlock.codec.order import mend_order
from interlock.codec.regular import is_canonical
from interlock.codec.schema import schema
from interlock.codec.walk import IrregularError, holds_noncharacter, sort_sets
from interlock.errors import CodecError
from interlock.limits import DEFAULT_LIMITS, Limits
from mutate import damage_binary, damage_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from interlock.codec.schema import FieldInfo, MessageInfo


SEEDS = st.integers(0, (1 << 64) - 1)
COMMON = settings(
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@contextmanager
def patched(**values: int) -> Iterator[None]:
    """Set `<module>_<NAME>` for a while; a monkeypatch would span all examples of a test."""
    modules = {
        "binary": binary,
        "json_read": json_read,
        "json_write": json_write,
        "wire_scan": wire_scan,
        "wire_run": wire_run,
    }
    places = {key: (next(m for m in modules if key.startswith(m + "_")), key) for key in values}
    saved = {}
    for key, (module, _) in places.items():
        name = key.removeprefix(module + "_")
        saved[key] = (modules[module], name, getattr(modules[module], name))
        setattr(modules[module], name, values[key])
    try:
        yield
    finally:
        for module_object, name, value in saved.values():
            setattr(module_object, name, value)


SMALL = {"binary_SMALL": 0, "json_read_SMALL": 0, "json_write_SMALL": 0}
BY_FIELD = {"binary_SMALL": 1 << 60, "json_read_SMALL": 1 << 60, "json_write_SMALL": 1 << 60}


def answer(data: bytes, encoding: Encoding, **options: object) -> tuple[object, ...]:
    """Return all that reading says."""
    try:
        document = decode(data, encoding=encoding, **options)
    except CodecError as error:
        return error.code, str(error.path), error.byte_offset
    return document.binary, document.json(), document.message.SerializeToString(deterministic=True)


def scan_refusal(data: bytes, info: MessageInfo, limits: Limits) -> str | None:
    """Return the code with which the scan of each byte refuses an input, if it does."""
    with patched(wire_scan_LARGE=1 << 60):
        try:
            wire_scan.scan(data, info, limits)
        except CodecError as error:
            return error.code
    return None


def scan_accepts(data: bytes, info: MessageInfo) -> bool:
    return scan_refusal(data, info, DEFAULT_LIMITS) is None


def has_empty_key(message: Message, info: MessageInfo) -> bool:
    """Tell whether any element of a set has an empty string for a key, which the columns take for a mark."""
    for item in info.fields:
        if not item.repeated and (item.kind is not Kind.MESSAGE or not message.HasField(item.name)):
            continue
        value = getattr(message, item.name)
        for element in value if item.repeated else (value,):
            if item.is_set and item.kind is not Kind.MESSAGE and element in ("", b""):
                return True
            if item.string_key is not None and getattr(element, item.string_key) == "":
                return True
            if item.kind is Kind.MESSAGE and has_empty_key(element, item.message):
                return True
    return False


@given(message=documents())
@settings(COMMON, max_examples=120)
def test_what_is_canonical_is_shown_to_be(message: Message):
    info = schema().message_of(message)
    data = encode(message)
    assert scan_accepts(data, info)
    assert is_canonical(data, info, DEFAULT_LIMITS) or has_empty_key(message, info)


@given(message=documents(), seed=SEEDS)
@settings(COMMON, max_examples=250)
def test_what_is_shown_to_be_canonical_is(message: Message, seed: int):
    info = schema().message_of(message)
    data = damage_binary(Random(seed), encode(message), message.DESCRIPTOR)
    assert not is_canonical(data, info, DEFAULT_LIMITS) or scan_accepts(data, info)


@given(message=documents(), seed=SEEDS, canonicalize=st.booleans(), damaged=st.booleans())
@settings(COMMON, max_examples=250)
def test_large_binary_is_read_like_small(message: Message, seed: int, canonicalize: bool, damaged: bool):
    data = encode(message)
    if damaged:
        data = damage_binary(Random(seed), data, message.DESCRIPTOR)
    else:
        message.header.CopyFrom(type(message).FromString(data).header)
        data = message.SerializeToString()
    with patched(**BY_FIELD):
        expected = answer(data, Encoding.BINARY, canonicalize=canonicalize)
    with patched(**SMALL):
        assert answer(data, Encoding.BINARY, canonicalize=canonicalize) == expected
    with patched(**SMALL, wire_scan_LARGE=0, wire_run__RUN_BYTES=64):
        assert answer(data, Encoding.BINARY, canonicalize=canonicalize) == expected


@given(message=documents(), seed=SEEDS, kind=st.sampled_from(["canonical", "damaged", "spaced", "escaped"]))
@settings(COMMON, max_examples=300)
def test_large_json_is_read_like_small(message: Message, seed: int, kind: str):
    data = decode(encode(message)).json()
    if kind == "damaged":
        data = damage_json(Random(seed), data)
    elif kind != "canonical":
        data = json.dumps(json.loads(data), indent=2, ensure_ascii=kind == "escaped").encode()
    with patched(**BY_FIELD):
        expected = answer(data, Encoding.JSON)
    with patched(**SMALL):
        assert answer(data, Encoding.JSON) == expected


@given(message=documents(), kind=st.sampled_from(["canonical", "spaced"]))
@settings(COMMON, max_examples=120)
def test_regular_json_is_read_the_fast_way(message: Message, kind: str):
    info = schema().message_of(message)
    assume(not has_empty_key(message, info))
    data = decode(encode(message)).json()
    if kind == "spaced":
        data = json.dumps(json.loads(data), ensure_ascii=False).encode()
        assume(b"\\" not in data and b' ":' not in data and b'":' not in data.replace(b'": ', b""))
    accepted = read_regular(data, schema(), DEFAULT_LIMITS, None)
    assert accepted is not None or b":-0" in data or b'"-0' in data


@given(message=documents())
@settings(COMMON, max_examples=150)
def test_large_json_is_written_like_small(message: Message):
    info = schema().message_of(message)
    data = encode(message)
    canonical = type(message).FromString(data)
    assert write_json_columns(data, info) == write_json_by_field(canonical, info)


@given(message=documents())
@settings(COMMON, max_examples=120)
def test_large_messages_are_encoded_like_small(message: Message):
    with patched(**BY_FIELD):
        expected = encode(message)
    with patched(**SMALL):
        assert encode(message) == expected


@given(message=documents(), duplicate=st.booleans())
@settings(COMMON, max_examples=120)
def test_sets_of_large_messages_are_sorted_like_those_of_small(message: Message, duplicate: bool):
    info = schema().message_of(message)
    copy = type(message).FromString(message.SerializeToString())
    if duplicate:
        copy.MergeFrom(message)
        try:
            mend_order(copy, info)
        except IrregularError:
            return
        assume(False)
    mend_order(copy, info)
    sort_sets(message, info)
    assert copy == message


@given(message=documents(), elements=st.integers(0, 4), size=st.integers(0, 8))
@settings(COMMON, max_examples=120)
def test_bounds_are_judged_like_limits(message: Message, elements: int, size: int):
    info = schema().message_of(message)
    data = encode(message)
    limits = Limits(repeated_elements=elements, string_bytes=size)
    code = scan_refusal(data, info, limits)
    assert code in {None, "limit.repeated-elements", "limit.string-bytes"}
    assert exceeds_bounds(data, info, limits) == (code is not None)


def paths(root: MessageInfo) -> Iterator[tuple[tuple[FieldInfo, ...], MessageInfo]]:
    """Yield the fields that lead from a root message to each type of message that it can hold."""
    pending, seen = [()], set()
    while pending:
        path = pending.pop(0)
        info = path[-1].message if path else root
        if info.full_name in seen:
            continue
        seen.add(info.full_name)
        yield path, info
        pending.extend((*path, item) for item in info.fields if item.kind is Kind.MESSAGE)


def held(message: Message, path: tuple[FieldInfo, ...]) -> Message:
    """Return the message at the end of a path, making all on the way; elements of sets get a key."""
    for item in path:
        message = getattr(message, item.name)
        if item.repeated:
            message = message.add()
        message.SetInParent()
        if item.string_key is not None:
            setattr(message, item.string_key, "k")
    return message


ROOTS = [schema().root(kind) for kind in schema().kinds]


@pytest.mark.parametrize("root", ROOTS, ids=[root.name for root in ROOTS])
def test_an_empty_message_is_found_wherever_it_says_nothing(root: MessageInfo) -> None:
    header = type(root.message_class()).FromString(encode(root.message_class())).header
    found = 0
    for path, info in paths(root):
        for item in info.fields:
            if item.kind is not Kind.MESSAGE or item.may_be_empty or item.name == "header":
                continue
            for others in (0, 1):
                message = root.message_class()
                message.header.CopyFrom(header)
                place = held(message, path)
                for _ in range(others if item.is_set else 0):
                    held(place, (item,))
                (
                    getattr(place, item.name).add() if item.repeated else getattr(place, item.name)
                ).SetInParent()
                data = message.SerializeToString(deterministic=True)
                assert not is_canonical(data, root, DEFAULT_LIMITS)
                assert not scan_accepts(data, root)
                found += 1
    assert found >= 8


HEADER = b'{"header":{"kind":"DOCUMENT_KIND_EXECUTION_GRAPH","requiredFeatures":["draft-1"],"schemaMajor":1}'


@pytest.mark.parametrize(
    "data",
    [
        HEADER + b', "id":"a","id":"b"}',
        HEADER + b',"id" :"a","id":"b"}',
        HEADER + b',"id"\n:"a","id"\t:"b"}',
        HEADER + b', "id":"a","\\u0069d":"b"}',
        HEADER + b', "id":"\\u0022:","id":"b"}',
        HEADER.replace(b'":1', b'": -0') + b"}",
        HEADER.replace(b'":1', b'":\n-0') + b"}",
        HEADER.replace(b'"schemaMajor":1', b'"schemaMajor":1,"schemaMinor":-0') + b"}",
        HEADER.replace(b'"schemaMajor":1', b'"schemaMajor":true') + b"}",
        HEADER.replace(b'"schemaMajor":1', b'"schemaMajor":1,"schemaMinor":false') + b"}",
        HEADER + b',"resources":[{"id":"r","consumed":1}]}',
        HEADER + b',"resources":"ab"}',
        HEADER + b',"resources":[{"lifetime":{"spans":[{"begins":"ab"}]}}]}',
        HEADER + b',"maximumNodeExecutions":1}',
        HEADER + b',"visibilityModel":1}',
        HEADER + b',"id":null}',
        HEADER + b',"body":{"nodes":[{"id":"n","operation":{"barrier":{},"fill":{}}}]}}',
        HEADER.replace(b'["draft-1"]', b"[]") + b"}",
        HEADER.replace(b'["draft-1"]', b'["draft-1","x"]') + b"}",
        HEADER.replace(b'":1', b'":2') + b"}",
        b'{"header":{"kind":' + b"[" * 900 + b"]" * 900 + b"}}",
        HEADER + b',"body":{"nodes":[{"operation":{"repeat":' * 200 + b"{}" + b"}}]}" * 200 + b"}",
    ],
)
def test_what_orjson_forgives_is_refused(data: bytes):
    with patched(**BY_FIELD):
        expected = answer(data, Encoding.JSON)
    with patched(**SMALL):
        assert answer(data, Encoding.JSON) == expected
    assert isinstance(expected[0], str)


@pytest.mark.parametrize("canonicalize", [False, True])
@pytest.mark.parametrize("change", ["swap", "repeat"])
def test_runs_of_elements_are_compared_with_each_other(change: str, canonicalize: bool):
    """Each change is within a run or between two, wherever these meet."""
    for at in range(1, 12):
        message = type(decode(b'id: "g"').message)()
        names = [f"r{index:02}" for index in range(12)]
        if change == "swap":
            names[at - 1], names[at] = names[at], names[at - 1]
        else:
            names[at] = names[at - 1] if at % 2 else names[0]
        for name in names:
            message.resources.add(id=name)
        header = type(message).FromString(encode(type(message)(id="g"))).header
        message.header.CopyFrom(header)
        data = message.SerializeToString(deterministic=True)
        with patched(**BY_FIELD):
            expected = answer(data, Encoding.BINARY, canonicalize=canonicalize)
        with patched(**SMALL, wire_scan_LARGE=0, wire_run__RUN_BYTES=20):
            assert answer(data, Encoding.BINARY, canonicalize=canonicalize) == expected


@pytest.mark.parametrize("place", ["id", "begins", "key"])
def test_a_noncharacter_is_found_anywhere(place: str):
    message = decode(b'id: "g" resources { id: "r" }').message
    info = schema().message_of(message)
    assert not holds_noncharacter(message, info)
    if place == "id":
        message.resources[0].id = "a\U0003ffff"
    elif place == "begins":
        message.resources[0].lifetime.spans.add().begins.append("\ufdef")
    else:
        message.resources[0].provenance.attributes.add(key="\ufffe")
    data = message.SerializeToString(deterministic=True)
    assert holds_noncharacter(message, info)
    assert not is_canonical(data, info, DEFAULT_LIMITS)
