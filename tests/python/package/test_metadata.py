"""The metadata of containers: strict JSON and typed members."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.package.container import ContainerError
from interlock.package.metadata import Record, parse_metadata

if TYPE_CHECKING:
    from collections.abc import Callable


def refusal(data: bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[str, str]:
    with pytest.raises(ContainerError) as refused:
        parse_metadata(data, "m.json", limits)
    return refused.value.code, str(refused.value.path)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"{}", {}),
        (b' { "a" : [ 1 , 2.5 , null , true ] }\n', {"a": [1, 2.5, None, True]}),
        (b'{"a\\"":{"a\\"":"\\u00e9"}}', {'a"': {'a"': "\u00e9"}}),
        (b'{"a":":","b":"\\":"}', {"a": ":", "b": '":'}),
        (b'{"a":18446744073709551615}', {"a": (1 << 64) - 1}),
        ('{"\u00e9":"\U0001f600"}'.encode(), {"\u00e9": "\U0001f600"}),
    ],
)
def test_any_spelling_is_read(data: bytes, value: object):
    assert parse_metadata(data, "m.json", DEFAULT_LIMITS) == value


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x",
        b"[]",
        b"null",
        b'"a"',
        b"{",
        b"{}x",
        b"{'a':1}",
        b'{"a":1,}',
        b'{"a":NaN}',
        b'{"a":Infinity}',
        b'{"a":1e999}',
        b'{"a":01}',
        b'{"a":1}//',
        b'{"a":"\n"}',
        b'{"a":"\\x"}',
        b'{"a":"\\ud800"}',
        b'{"a":"\xff"}',
        b"\xef\xbb\xbf{}",
        '{"a":1}'.encode("utf-16"),
        b'{"a":1,"a":1}',
        b'{"a" :1,"\\u0061" :1}',
        b'{"b":[{"a":"\\"","a":1}]}',
        b'{"a":{"b":1, "b":2}}',
    ],
)
def test_what_is_no_object_of_strict_json_is_refused(data: bytes):
    assert refusal(data) == ("container.malformed", "m.json")


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
@pytest.mark.parametrize("depth", [257, 1000, 5000, 300_000])
def test_depth_is_bounded_before_anything_recurses(opening: bytes, depth: int):
    assert refusal(b'{"a":' + opening * (depth - 1)) == ("limit.json-depth", "m.json")
    closing = b"]" if opening == b"[" else b"}"
    assert refusal(b'{"a":' + opening * (depth - 1) + b"1" + closing * (depth - 1) + b"}") == (
        "limit.json-depth",
        "m.json",
    )


def test_depth_within_the_limit_is_read_and_strings_do_not_count():
    assert parse_metadata(b'{"a":' * 256 + b"1" + b"}" * 256, "m.json", DEFAULT_LIMITS)
    assert parse_metadata(b'{"a" :' * 256 + b'"\\\\"' + b"}" * 256, "m.json", DEFAULT_LIMITS)
    brackets = b'{"a":"' + b"[" * 5000 + b'"}'
    assert parse_metadata(brackets, "m.json", DEFAULT_LIMITS) == {"a": "[" * 5000}


def test_size_is_bounded():
    assert refusal(b'{"a":1}', Limits(metadata_bytes=6)) == ("limit.metadata-bytes", "m.json")


@pytest.mark.parametrize("piece", [b'\\"', b'"', b"[", b'{"a" :1},', b'"a" :"\\"",'])
def test_no_input_takes_more_than_linear_time(piece: bytes):
    started = time.process_time()
    for prefix in (b'{"a":"', b'{"a":['):
        with pytest.raises(ContainerError):
            parse_metadata(prefix + piece * (1_000_000 // len(piece)), "m.json", DEFAULT_LIMITS)
    assert time.process_time() - started < 5


def record(text: bytes) -> Record:
    return Record.parse(text, "m.json", DEFAULT_LIMITS)


@pytest.mark.parametrize(
    ("read", "path"),
    [
        (lambda it: it.text("n"), "m.json.n"),
        (lambda it: it.text("gone"), "m.json"),
        (lambda it: it.count("t"), "m.json.t"),
        (lambda it: it.count("minus"), "m.json.minus"),
        (lambda it: it.count("half"), "m.json.half"),
        (lambda it: it.count("yes"), "m.json.yes"),
        (lambda it: it.count("big"), "m.json.big"),
        (lambda it: it.flag("n"), "m.json.n"),
        (lambda it: it.record("list"), "m.json.list"),
        (lambda it: it.record("gone"), "m.json"),
        (lambda it: it.optional_record("t"), "m.json.t"),
        (lambda it: it.records("list"), "m.json.list[1]"),
        (lambda it: it.texts("list"), "m.json.list[0]"),
        (lambda it: it.array("o"), "m.json.o"),
        (lambda it: it.array("gone"), "m.json"),
        (lambda it: it.record("o").text("x"), "m.json.o"),
        (lambda it: it.records("objects")[1].text("x"), "m.json.objects[1].x"),
        (lambda it: it.require("n", 2), "m.json.n"),
        (lambda it: it.require("t", "u"), "m.json.t"),
        (lambda it: it.require("t", 1), "m.json.t"),
        (lambda it: it.text("null"), "m.json.null"),
    ],
)
def test_members_of_another_type_are_refused_where_they_are(read: Callable[[Record], object], path: str):
    it = record(
        b'{"n":1,"t":"t","minus":-1,"half":0.5,"yes":true,"big":9223372036854775808,"o":{},"null":null,'
        b'"list":[{},"x"],"objects":[{"x":"a"},{"x":1}]}'
    )
    with pytest.raises(ContainerError) as refused:
        read(it)
    assert (refused.value.code, str(refused.value.path)) == ("container.malformed", path)


def test_members_are_read():
    it = record(b'{"n":1,"t":"t","yes":false,"o":{"p":2},"list":[{"q":3}],"texts":["u"]}')
    assert (it.count("n"), it.text("t"), it.flag("yes"), it.texts("texts")) == (1, "t", False, ("u",))
    assert it.record("o").count("p") == 2
    assert [one.count("q") for one in it.records("list")] == [3]
    assert (it.text("gone", "d"), it.count("gone", 7), it.flag("gone", default=True)) == ("d", 7, True)
    assert (it.optional_record("gone"), it.records("gone", default=True)) == (None, ())
    assert (it.texts("gone", default=True), it.has("n"), it.has("gone")) == ((), True, False)
    it.require("n", 1)
    it.require("t", "t")
