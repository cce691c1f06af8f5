"""CrossTL graphs get the verdict of this contract, also where CrossTL itself says otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import interlock
from interlock.interop.crosstl import import_crosstl
from interop.crosstl_support import barrier, buffer, dispatch, fill, graph

if TYPE_CHECKING:
    from interlock.report.model import Report
    from interop.crosstl_support import Json

IN, OUT, BOTH, TEMPORARY = "external-input", "external-output", "external-input-output", "temporary"
FLAG = {"controlInput": "flag", "equals": 1, "maxEvaluations": 1}
VISIBILITY = "visibility.write-not-visible"
UNREAD = "initialisation.read-before-write"


def judge(resources: list[Json], nodes: list[Json]) -> Report:
    result = import_crosstl(graph(resources, nodes))
    assert result.diagnostics == ()
    return interlock.verify(result.document)


def temporary(name: str, first: str, last: str, **members: object) -> Json:
    return buffer(name, TEMPORARY, lifetime={"firstNode": first, "lastNode": last}, **members)


def copy(name: str, source: str, destination: str, *depends_on: str, length: int = 16) -> Json:
    part = {"byteOffset": 0, "byteLength": length}
    operation = {"source": source, "destination": destination, "sourceRange": part, "destinationRange": part}
    return {"id": name, "kind": "copy", "dependsOn": list(depends_on), "copy": operation}


def behind_a_barrier(after: str, access: str) -> Report:
    """A write, a barrier, another access of the same buffer."""
    return judge(
        [buffer("x", BOTH)],
        [
            dispatch("a", {"x": ("x", "write")}),
            barrier("b", ["x"], "write", after, "a"),
            dispatch("c", {"x": ("x", access)}, dependsOn=["b"]),
        ],
    )


@pytest.mark.parametrize(
    ("after", "access"),
    [("write", "read-write"), ("read", "read-write"), ("read", "write"), ("write", "read")],
)
def test_a_barrier_has_to_contain_the_access_and_not_only_to_meet_it(after: str, access: str):
    report = behind_a_barrier(after, access)
    assert [finding.code for finding in report.diagnostics] == [VISIBILITY]
    assert str(report.diagnostics[0].path) == 'body.nodes["c"].operation.dispatch.bindings["x"]'


@pytest.mark.parametrize(
    ("after", "access"), [("read-write", "read-write"), ("read", "read"), ("write", "write")]
)
def test_a_barrier_that_contains_the_access_is_enough(after: str, access: str):
    report = behind_a_barrier(after, access)
    assert (report.diagnostics, report.exit_code) == ((), 0)


def test_a_barrier_that_names_a_view_nobody_writes_is_warned_of():
    halves = [
        buffer(name, BOTH, allocationId="heap", byteOffset=at) for name, at in (("low", 0), ("high", 16))
    ]
    report = judge(
        halves,
        [
            dispatch("a", {"x": ("high", "write")}),
            barrier("b", ["low", "high"], "write", "read", "a"),
            dispatch("c", {"x": ("high", "read")}, dependsOn=["b"]),
        ],
    )
    assert [str(finding) for finding in report.diagnostics] == [
        (
            'body.nodes["b"].operation.barrier.statements[0].selections[1]: '
            "warning[barrier.ineffective-statement] no node writes any of these bytes of `low`"
        )
    ]


def test_views_of_the_same_bytes_may_stand_in_one_barrier():
    views = [buffer(name, BOTH, allocationId="heap") for name in ("v", "w")]
    report = judge(
        views,
        [
            dispatch("a", {"x": ("v", "write")}),
            barrier("b", ["v", "w"], "write", "write", "a"),
            dispatch("c", {"x": ("w", "write")}, dependsOn=["b"]),
            barrier("d", ["w"], "write", "read", "c"),
            dispatch("e", {"x": ("w", "read")}, dependsOn=["d"]),
        ],
    )
    assert (report.diagnostics, report.exit_code) == ((), 0)


def test_a_barrier_over_the_whole_names_its_parts_too():
    views = [buffer("part", BOTH, allocationId="heap"), buffer("all", BOTH, shape=(8,), allocationId="heap")]
    report = judge(
        views,
        [
            dispatch("a", {"x": ("part", "write")}),
            barrier("b", ["all"], "write", "read", "a"),
            dispatch("c", {"x": ("part", "read")}, dependsOn=["b"]),
        ],
    )
    assert (report.diagnostics, report.exit_code) == ((), 0)


def test_a_barrier_for_what_the_host_wrote_does_no_harm():
    report = judge(
        [buffer("x", IN), buffer("y", OUT)],
        [
            barrier("a", ["x"], "write", "read"),
            dispatch("b", {"x": ("x", "read"), "y": ("y", "write")}, dependsOn=["a"]),
        ],
    )
    assert [finding.code for finding in report.diagnostics] == ["barrier.ineffective-statement"]
    assert report.exit_code == 0


def test_a_node_that_repeats_in_place_races_with_nothing_but_sees_nothing():
    report = judge(
        [buffer("x", BOTH)],
        [dispatch("a", {"x": ("x", "read-write")}, repeat={"count": 3, "maxIterations": 3})],
    )
    assert [finding.code for finding in report.diagnostics] == [VISIBILITY]


@pytest.mark.parametrize(
    ("resources", "nodes", "codes"),
    [
        pytest.param(
            [buffer("x", BOTH)],
            [dispatch("a", {"in": ("x", "read"), "out": ("x", "write")})],
            ["alias.within-node"],
            id="one buffer as input and output",
        ),
        pytest.param(
            [buffer("x", IN, allocationId="heap"), buffer("y", BOTH, allocationId="heap")],
            [fill("a", "y", 0, 16)],
            ["lifetime.overlapping", "role.read-only-written"],
            id="an input written through a view",
        ),
        pytest.param(
            [temporary("t", "a", "a"), buffer("y", OUT)],
            [copy("a", "t", "y")],
            [UNREAD],
            id="a temporary that nobody writes",
        ),
        pytest.param(
            [temporary("t", "a", "c"), buffer("y", OUT)],
            [fill("a", "t", 0, 4), barrier("b", ["t"], "write", "read", "a"), copy("c", "t", "y", "b")],
            [UNREAD],
            id="a temporary of which a part is written",
        ),
        pytest.param(
            [buffer("y", OUT), buffer("x", BOTH)],
            [fill("a", "x", 0, 16)],
            ["initialisation.output-not-written"],
            id="an output that nobody writes",
        ),
        pytest.param(
            [buffer("y", OUT)],
            [fill("a", "y", 0, 4)],
            ["initialisation.output-partly-written"],
            id="an output of which a part is written",
        ),
        pytest.param(
            [buffer("y", OUT), buffer("flag", IN, "uint32", (1,))],
            [dispatch("a", {"y": ("y", "write")}, condition=FLAG)],
            ["initialisation.output-not-written"],
            id="an output that is written conditionally",
        ),
        pytest.param(
            [
                temporary("s", "a", "e", allocationId="heap"),
                temporary("t", "c", "c", allocationId="heap"),
                buffer("y", OUT),
            ],
            [
                fill("a", "s", 0, 16),
                barrier("b", ["s", "t"], "write", "read-write", "a"),
                fill("c", "t", 0, 16, dependsOn=["b"]),
                barrier("d", ["s", "t"], "write", "read-write", "c"),
                copy("e", "s", "y", "d"),
            ],
            ["lifetime.overlapping", "alias.clobbered-value"],
            id="two temporaries alive at once in the same bytes",
        ),
        pytest.param(
            [buffer("x", BOTH)],
            [dispatch(name, {"x": ("x", "read-write")}) for name in ("a", "b")],
            ["hazard.unordered-access"],
            id="two unordered nodes",
        ),
    ],
)
def test_what_crosstl_overlooks_is_found(resources: list[Json], nodes: list[Json], codes: list[str]):
    assert [finding.code for finding in judge(resources, nodes).diagnostics] == codes


def chain(*, lifetime: tuple[str, str] | None, readers: tuple[str, ...]) -> Report:
    """One writer of a temporary, and readers that nothing orders among themselves."""
    held = buffer("t", TEMPORARY) if lifetime is None else temporary("t", *lifetime)
    return judge(
        [held, *(buffer(f"y-{name}", OUT) for name in readers)],
        [
            fill("z", "t", 0, 16),
            barrier("m", ["t"], "write", "read", "z"),
            *(copy(name, "t", f"y-{name}", "m") for name in readers),
        ],
    )


def test_only_dependencies_order():
    """The ids, and so the list of nodes, run against the order."""
    report = chain(lifetime=("z", "a"), readers=("a",))
    assert (report.diagnostics, report.exit_code) == ((), 0)


def test_a_lifetime_that_one_of_two_last_readers_ends_leaves_the_other_outside():
    """CrossTL knows one last node of a lifetime and cannot state both; without a lifetime both are within."""
    report = chain(lifetime=("z", "a"), readers=("a", "b"))
    assert [str(finding.path) for finding in report.diagnostics] == ['body.nodes["b"].operation.copy.source']
    assert report.diagnostics[0].code == "lifetime.access-outside"
    assert chain(lifetime=None, readers=("a", "b")).exit_code == 0


@pytest.mark.parametrize(("source", "destination"), [("float", "float32"), ("uint32", "float32")])
def test_a_copy_preserves_bytes(source: str, destination: str):
    report = judge([buffer("x", IN, source), buffer("y", OUT, destination)], [copy("a", "x", "y")])
    assert (report.diagnostics, report.exit_code) == ((), 0)
