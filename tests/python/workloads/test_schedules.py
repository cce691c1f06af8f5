"""Schedules that other compilers planned: read, verified whole, and with each dependency taken away."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from interlock import load, verify

from . import removal
from .corpus import Arena, read
from .judging import assert_sound
from .pairs import graph_of, races
from .removal import complaint, removals

SCHEDULES = sorted((Path(__file__).resolve().parents[2] / "fixtures" / "schedules").glob("*.json"))

TWO_ROWS: dict[str, Any] = {
    "meta": {"model": "two_rows"},
    "resources": [
        {"id": 0, "kind": "arena", "bytes": 96, "dtype": "char"},
        {"id": 1, "kind": "input", "bytes": 32, "dtype": "float"},
        {"id": 2, "kind": "output", "bytes": 32, "dtype": "half"},
        {"id": 3, "kind": "held", "bytes": 64, "dtype": "float"},
        {"id": 4, "kind": "state", "bytes": 8, "dtype": "uint"},
    ],
    "programs": {
        "0123456789abcdef": {"name": "first", "vars": [{"name": "length", "min": 1, "max": 7}]},
        "fedcba9876543210": {"name": "second", "vars": []},
    },
    "nodes": [
        {
            "i": 0,
            "op": "dispatch",
            "program": "0123456789abcdef",
            "workgroups": ["(length+1)", 2, 1],
            "local": [8, 1, 1],
            "vars": ["length"],
            "args": [
                {"r": 0, "off": 32, "bytes": 64, "acc": "write"},
                {"r": 1, "off": 16, "bytes": 16, "acc": "read"},
                {"r": 3, "off": 0, "bytes": 64, "acc": "write"},
            ],
            "deps": [],
        },
        {
            "i": 1,
            "op": "dispatch",
            "program": "fedcba9876543210",
            "workgroups": [1, 1, 1],
            "local": [4, 1, 1],
            "args": [
                {"r": 2, "off": 0, "bytes": 32, "acc": "write"},
                {"r": 0, "off": 32, "bytes": 64, "acc": "read"},
                {"r": 4, "off": 0, "bytes": 8, "acc": "readwrite"},
            ],
            "deps": [0],
        },
    ],
}

PROGRAM: dict[str, Any] = {
    "source": "program.mlir",
    "graphs": [
        {
            "resources": [
                {"id": 0, "kind": "external", "bytes": 64},
                {"id": 1, "kind": "external", "bytes": 64},
                {"id": 2, "kind": "external", "bytes": 64},
                {"id": 3, "kind": "transient", "bytes": 128},
            ],
            "programs": {"@main::@main_matmul": {}},
            "nodes": [
                {
                    "i": 0,
                    "op": "dispatch",
                    "program": "@main::@main_matmul",
                    "args": [
                        {"r": 0, "off": 0, "bytes": 64, "acc": "read"},
                        {"r": 3, "off": 64, "bytes": 64, "acc": "write"},
                        {"r": 2, "off": 0, "bytes": 64, "acc": "readwrite"},
                    ],
                    "deps": [],
                },
                {
                    "i": 1,
                    "op": "copy",
                    "args": [
                        {"r": 3, "off": 64, "bytes": 64, "acc": "read"},
                        {"r": 1, "off": 0, "bytes": 64, "acc": "write"},
                    ],
                    "deps": [0],
                },
            ],
        }
    ],
}


@pytest.mark.parametrize("path", SCHEDULES, ids=lambda path: path.stem)
def test_a_planned_schedule_is_sound(path: Path):
    document = load(path)
    assert_sound(document)
    assert races(document) == {}
    assert document.json() == path.read_bytes()


@pytest.mark.parametrize("path", SCHEDULES, ids=lambda path: path.stem)
def test_without_a_dependency_it_races_exactly_where_nothing_else_orders_the_two(path: Path):
    document = load(path)
    found = removals(document)
    assert [text for one in found if (text := complaint(document, one))] == []
    assert any(not one.is_redundant for one in found)


def test_the_schedules_are_there():
    assert [path.stem for path in SCHEDULES] == [
        "decode_layer",
        "fft",
        "layernorm",
        "mlp_train",
        "reduce_chain",
        "softmax_rows",
    ]


def test_a_wrong_verdict_is_complained_about(monkeypatch: pytest.MonkeyPatch):
    (document,) = read(PROGRAM)
    (found,) = removals(document)
    assert complaint(document, found) == ""
    lie = replace(found, is_redundant=True)
    assert complaint(document, lie) == "n0 -> n1: another way orders the two, yet UNSOUND"
    monkeypatch.setattr(removal, "verify", lambda _: verify(document))
    assert complaint(document, lie) == ""
    assert complaint(document, found) == "n0 -> n1: a race on {} instead of {'arena3': [(64, 128)]}"


def test_a_captured_schedule_becomes_a_graph():
    (document,) = read(TWO_ROWS)
    message = graph_of(document)
    assert [(r.id, r.role, r.size.constant) for r in message.resources] == [
        ("arena0", 4, 96),
        ("held3", 5, 64),
        ("input1", 1, 32),
        ("output2", 2, 32),
        ("state4", 5, 8),
    ]
    first, second = (node.operation.dispatch for node in message.body.nodes)
    assert (first.artifact, first.entry) == ("first.01234567", "first")
    assert [count.constant for count in second.geometry.workgroup_count.extents.counts] == [1, 1, 1]
    written = first.bindings[0].target.byte_range
    assert (written.resource, written.offset.constant) == ("arena0", 32)
    assert [(t.parameter, t.coefficient) for t in written.size.terms] == [("length", 8)]
    assert written.size.constant == 8
    assert second.bindings[1].target == first.bindings[0].target
    assert [binding.coverage for binding in first.bindings] == [1, 0, 2]
    assert first.bindings[1].target.byte_range.size.constant == 16
    assert second.bindings[2].access == 3
    assert_sound(document)


def test_planned_memory_becomes_tensors_that_are_alive_from_write_to_read():
    (document,) = read(TWO_ROWS, Arena.TENSORS)
    tensor = next(r for r in graph_of(document).resources if r.id == "n0.32")
    assert (tensor.placement.allocation, tensor.placement.offset.constant) == ("arena0", 32)
    assert [(list(s.begins), list(s.ends)) for s in tensor.lifetime.spans] == [(["n0"], ["n1"])]
    assert_sound(document)


def test_a_compiled_program_becomes_a_graph():
    (document,) = read(PROGRAM, name="program")
    message = graph_of(document)
    assert message.id == "program"
    assert [(r.id, r.role) for r in message.resources] == [
        ("arena3", 4),
        ("external0", 1),
        ("external1", 2),
        ("external2", 3),
    ]
    assert [artifact.id for artifact in message.artifacts] == ["main"]
    assert message.body.nodes[0].operation.dispatch.entry == "main_matmul"
    assert message.body.nodes[1].operation.copy.destination.resource == "external1"
    assert_sound(document)
    assert_sound(next(read(PROGRAM, Arena.TENSORS)))


def test_verdicts_of_whole_schedules_do_not_depend_on_how_memory_is_named():
    for schedule in (TWO_ROWS, PROGRAM):
        for arena in Arena:
            (document,) = read(schedule, arena)
            (only,) = removals(document)
            assert complaint(document, only) == ""
