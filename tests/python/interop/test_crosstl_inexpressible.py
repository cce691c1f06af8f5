"""What the format cannot say is refused, and every reason is given."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

import interlock
from execgraph.v1 import access_pb2, package_pb2, resource_pb2
from interlock.author import Computed, GraphBuilder, bound, partial, typed, when
from interop.crosstl_support import (
    WRITE_STORAGE,
    authored,
)
from interop.crosstl_support import export_refusals as refusals

if TYPE_CHECKING:
    from collections.abc import Callable


def spoil(change: Callable[[GraphBuilder], object]) -> interlock.Document:
    made = authored()
    change(made)
    return made.build()


def run(made: GraphBuilder, **options: object) -> None:
    made.dispatch("d", **({"artifact": "slice_totals", "entry": "e", "groups": [1]} | options))


def fill_inside(made: GraphBuilder) -> None:
    with made.repeat("r", 2):
        made.fill("inside", "total", 1)


def two_inside(made: GraphBuilder) -> None:
    with made.repeat("r", 2):
        made.fill("r.body", "total", 1)
        made.barrier("r.barrier")


def repeat_inside(made: GraphBuilder) -> None:
    with made.repeat("r", 2), made.repeat("r.body", 2):
        made.fill("inner", "total", 1)


def with_else(made: GraphBuilder) -> None:
    flag = made.input("flag", "bool")
    with made.conditional("c", when(flag, "!=", True)) as arms:
        made.fill("c.body", "total", 1)
        with arms.otherwise():
            made.fill("other", "total", 2)


def carried(made: GraphBuilder) -> None:
    with made.repeat("r", 2, minimum=1, iteration_index="i") as loop:
        made.fill("r.body", "total", 1)
        loop.carry("total")


def overlapping(made: GraphBuilder) -> None:
    made.allocation("h", 16)
    made.output("a", "u32", [2], allocation="h")
    made.output("b", "u32", [2], allocation="h", offset=4)


NODE = 'body.nodes["d"].operation'


INEXPRESSIBLE: list[tuple[str, Callable[[GraphBuilder], object], list[str]]] = [
    ("parameter", lambda g: g.parameter("n"), ["parameters"]),
    ("edges carry all", lambda g: g.edges_carry_all(), ["visibility_model"]),
    ("state", lambda g: g.state("s", "u8"), ['resources["s"].role']),
    ("constant", lambda g: g.constant("s", "u8"), ['resources["s"].role']),
    ("consumed", lambda g: g.input("s", "u8", consumed=True), ['resources["s"].consumed']),
    ("type", lambda g: g.input("s", "f8_e4m3", [1]), ['resources["s"].type']),
    (
        "lifetime of an output",
        lambda g: g.output("s", "u8", begins=["stage-one"]),
        ['resources["s"].lifetime'],
    ),
    (
        "two spans",
        lambda g: g.lifetime("partials", begins=["stage-two"], ends=["stage-two"]),
        ['resources["partials"].lifetime'],
    ),
    (
        "strides",
        lambda g: g.input("s", "u8", [2, 2], byte_strides=[1, 2], size=4),
        ['resources["s"]'],
    ),
    (
        "overlapping elements",
        lambda g: g.input("s", "u32", [2], byte_strides=[2], size=8),
        ['resources["s"]'],
    ),
    (
        "opaque layout",
        lambda g: g.input(
            "s",
            "u8",
            [4],
            size=4,
            layout=resource_pb2.PhysicalLayout(opaque=resource_pb2.OpaqueLayout(format="tiled")),
        ),
        ['resources["s"].layout.opaque'],
    ),
    ("too small", lambda g: g.input("s", "u32", [4], size=8), ['resources["s"]']),
    ("view of a temporary", lambda g: g.view("v", "partials", [1]), ['views["v"].resource']),
    ("empty view", lambda g: g.view("v", "total", [0]), ["resources"]),
    (
        "memory class",
        lambda g: g.allocation("h", 4, memory_class=1),
        ['allocations["h"].memory_class', 'allocations["h"]'],
    ),
    ("empty allocation", lambda g: g.allocation("h", 4), ['allocations["h"]']),
    (
        "alignment",
        lambda g: g.input("s", "u8", allocation=g.allocation("h", 4, alignment=256)),
        ["allocations"],
    ),
    ("overlapping resources", overlapping, ["resources"]),
    (
        "memory with the name of other memory",
        lambda g: g.input("s", "u8", allocation=g.allocation("resource:total", 8)),
        ["allocations"],
    ),
    (
        "pins",
        lambda g: (g.artifact("k", {"vulkan": ("sha256:" + 64 * "0", 4)}), run(g, artifact="k")),
        ['artifacts["k"].pins'],
    ),
    ("unused artifact", lambda g: g.artifact("k"), ['artifacts["k"]']),
    (
        "partial write",
        lambda g: run(g, writes={"s": partial("total")}),
        [f'{NODE}.dispatch.bindings["s"].coverage'],
    ),
    (
        "unstated coverage",
        lambda g: run(g, writes={"s": "total"}),
        [f'{NODE}.dispatch.bindings["s"].coverage'],
    ),
    (
        "atomic",
        lambda g: run(g, atomics={"s": "total"}),
        [f'{NODE}.dispatch.bindings["s"].access'],
    ),
    (
        "usage",
        lambda g: run(g, reads={"s": bound("total", usage=access_pb2.USAGE_SHADER_CONSTANT)}),
        [f'{NODE}.dispatch.bindings["s"].usage'],
    ),
    (
        "coordinate",
        lambda g: run(g, reads={"s": bound("total", index=0)}),
        [f'{NODE}.dispatch.bindings["s"].coordinate'],
    ),
    (
        "part of a resource",
        lambda g: run(g, reads={"s": g.input("x", "u8", [4]).bytes(1, 2)}),
        [f'{NODE}.dispatch.bindings["s"].target'],
    ),
    (
        "typed constant",
        lambda g: run(g, specialization={"c": typed("u32", 1)}),
        [f'{NODE}.dispatch.specialization["c"]'],
    ),
    (
        "rounded constant",
        lambda g: run(g, specialization={"c": typed("f64", 0.1)}),
        [f'{NODE}.dispatch.specialization["c"]'],
    ),
    (
        "infinite constant",
        lambda g: run(g, specialization={"c": typed("f32", math.inf)}),
        [f'{NODE}.dispatch.specialization["c"]'],
    ),
    (
        "two constants in one",
        lambda g: run(g, specialization={"c": typed("i32", 1, 2)}),
        [f'{NODE}.dispatch.specialization["c"]'],
    ),
    (
        "numbered constant",
        lambda g: run(g, specialization={3: True}),
        [f"{NODE}.dispatch.specialization[0].constant_id"],
    ),
    (
        "inline constant",
        lambda g: run(g, inline={"c": Computed("u32", 3)}),
        [f"{NODE}.dispatch.inline_constants"],
    ),
    ("exact threads", lambda g: run(g, exact_threads=True), [f"{NODE}.dispatch.geometry.exact_threads"]),
    (
        "elements per workgroup",
        lambda g: g.dispatch("d", artifact="slice_totals", entry="e", elements=[4], elements_per_group=[2]),
        [
            f"{NODE}.dispatch.geometry.workgroup_count.elements.elements_per_workgroup",
        ],
    ),
    (
        "indirect",
        lambda g: g.dispatch("d", artifact="slice_totals", entry="e", indirect="total", maximum_groups=[1]),
        [f"{NODE}.dispatch.geometry.workgroup_count.indirect"],
    ),
    (
        "tolerated alias",
        lambda g: run(g, tolerated_aliases=[("a", "b")]),
        [f"{NODE}.dispatch.tolerated_aliases"],
    ),
    ("infinity", lambda g: g.fill("d", g.output("f", "f32"), -math.inf), [f"{NODE}.fill.pattern"]),
    ("two elements", lambda g: g.fill("d", "samples", typed("u32", 1, 2)), [f"{NODE}.fill.pattern"]),
    ("other type", lambda g: g.fill("d", "total", typed("u8", 1)), [f"{NODE}.fill.pattern"]),
    ("join", lambda g: g.barrier("d"), [f"{NODE}.barrier"]),
    (
        "narrow barrier",
        lambda g: (g.fill("e", "total", 0), g.barrier("d", "total", available_from=[WRITE_STORAGE])),
        [f"{NODE}.barrier.statements[0].available_from"],
    ),
    (
        "barrier from nothing",
        lambda g: g.barrier("d", "total", available_from=[]),
        [f"{NODE}.barrier.statements[0].available_from"],
    ),
    (
        "statement on an edge",
        lambda g: g.edge("partials-ready", "stage-two", "partials"),
        ['body.nodes["stage-two"].edge_visibility'],
    ),
    ("inner name", fill_inside, ['body.nodes["r"].operation.repeat']),
    ("two nodes inside", two_inside, ['body.nodes["r"].operation.repeat']),
    ("repeat inside", repeat_inside, ['body.nodes["r"].operation.repeat']),
    (
        "else",
        with_else,
        [
            'body.nodes["c"].operation.conditional.else_region',
            'body.nodes["c"].operation.conditional.predicate.comparison',
        ],
    ),
    (
        "carried",
        carried,
        [
            f'body.nodes["r"].operation.repeat.{name}'
            for name in ("minimum_trips", "carried", "iteration_index")
        ],
    ),
]


@pytest.mark.parametrize(
    ("change", "paths"), [row[1:] for row in INEXPRESSIBLE], ids=[row[0] for row in INEXPRESSIBLE]
)
def test_what_the_format_cannot_say_is_refused(change: Callable[[GraphBuilder], object], paths: list[str]):
    assert refusals(spoil(change)) == [("crosstl.not-expressible", path) for path in paths]


def test_a_stated_bound_of_executions_is_refused():
    assert refusals(authored().build(maximum_node_executions=99)) == [
        ("crosstl.not-expressible", "maximum_node_executions")
    ]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda g: g.input("_x", "u8"), [("crosstl.invalid-id", 'resources["_x"].id')]),
        (lambda g: g.fill("_f", "total", 1), [("crosstl.invalid-id", 'body.nodes["_f"].id')]),
        (
            lambda g: g.view("total", "samples", [1]),
            [("crosstl.duplicate-id", 'views["total"].id')],
        ),
        (
            lambda g: run(g, artifact="missing"),
            [("crosstl.missing-reference", f"{NODE}.dispatch.artifact")],
        ),
    ],
)
def test_names_that_the_format_cannot_hold_are_refused(
    change: Callable[[GraphBuilder], object], expected: list[tuple[str, str]]
):
    assert refusals(spoil(change)) == expected


def test_every_reason_is_given():
    def change(made: GraphBuilder) -> None:
        made.parameter("n")
        made.state("s", "u8")
        run(made, atomics={"s": "total"})

    assert [path for _, path in refusals(spoil(change))] == [
        "parameters",
        'resources["s"].role',
        f'{NODE}.dispatch.bindings["s"].access',
    ]


def test_only_graphs_are_exported():
    assert refusals(interlock.Document.from_message(package_pb2.Package())) == [("crosstl.wrong-kind", "")]
