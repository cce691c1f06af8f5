"""Geometry of a package: workgroups after specialization, greatest counts, profiles."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from execgraph.v1 import profile_pb2
from interlock.rules.capability import not_offered_by_target
from interlock.rules.geometry.entry import (
    elements_mismatch,
    exact_threads_mismatch,
    subgroup_mismatch,
    workgroup_mismatch,
)
from interlock.rules.geometry.profile import exceeds_profile
from launch_documents import context_of, dispatch, package_of, said

ANY = "workgroup_count { extents { counts { constant: 1 } } }"


def profile(**more: object) -> profile_pb2.TargetProfile:
    """Return a profile of small numbers."""
    fields: dict[str, object] = {
        "identity": "small",
        "generation": 1,
        "target": "vulkan",
        "maximum_workgroup_size": [64, 32, 16],
        "maximum_workgroup_invocations": 128,
        "maximum_workgroup_count": [1000, 100, 10],
        "maximum_shared_bytes": 1024,
        "subgroup_sizes": [16, 32],
        **more,
    }
    return profile_pb2.TargetProfile(**fields)  # type: ignore[arg-type]


def elements(*extents: str, per: tuple[int, ...] = ()) -> str:
    listed = " ".join(f"elements {{ {extent} }}" for extent in extents)
    covered = " ".join(f"elements_per_workgroup: {each}" for each in per)
    return f"workgroup_count {{ elements {{ {listed} {covered} }} }}"


def of_n(coefficient: int, constant: int = 0) -> str:
    return f'constant: {constant} terms {{ parameter: "n" coefficient: {coefficient} }}'


def graph(body: str, low: int = 0, high: int = 0, multiple: int = 1) -> str:
    parameter = f'id: "n" type: ELEMENT_TYPE_U64 minimum: {low} maximum: {high} multiple_of: {multiple}'
    return f"parameters {{ {parameter} }} body {{ {body} }}"


@dataclass(frozen=True)
class Counted:
    """A count along x with the greatest that it reaches; 1000 are allowed."""

    count: str
    low: int
    high: int
    multiple: int
    greatest: int


COUNTED = {
    "extents": Counted(f"workgroup_count {{ extents {{ counts {{ {of_n(2, 1)} }} }} }}", 0, 500, 1, 1001),
    "falling": Counted(f"workgroup_count {{ extents {{ counts {{ {of_n(-1, 1005)} }} }} }}", 3, 9, 1, 1002),
    "step": Counted(f"workgroup_count {{ extents {{ counts {{ {of_n(1)} }} }} }}", 0, 1009, 7, 1008),
    "ceiling": Counted(elements(of_n(1), per=(32,)), 0, 32001, 1, 1001),
    "exact-quotient": Counted(elements(of_n(1), per=(32,)), 0, 32032, 1, 1001),
    "workgroup-size": Counted(elements(of_n(1)), 0, 64001, 1, 1001),
    "indirect": Counted(
        'workgroup_count { indirect { source { resource: "c" } maximum_counts: 1001 } }', 0, 0, 1, 1001
    ),
}


@pytest.mark.parametrize("case", COUNTED.values(), ids=COUNTED)
def test_the_greatest_count_over_all_parameters_is_compared(case: Counted) -> None:
    package = package_of(
        graph(dispatch(f"{case.count} workgroup_size: 64"), case.low, case.high, case.multiple),
        "workgroup_size { axes { literal: 64 } }",
    )
    found = said(exceeds_profile, context_of(package, [profile()]))
    assert found == [f"there are up to `{case.greatest}` workgroups along x; `small` takes at most 1000"]
    allowed = profile(maximum_workgroup_count=[case.greatest, 1, 1])
    assert said(exceeds_profile, context_of(package, [allowed])) == []


def test_each_axis_has_its_own_limits() -> None:
    counts = " ".join(f"counts {{ constant: {count} }}" for count in (1000, 101, 11))
    geometry = f"workgroup_count {{ extents {{ {counts} }} }}"
    package = package_of(
        graph(dispatch(f"{geometry} workgroup_size: 1 workgroup_size: 33 workgroup_size: 17"))
    )
    assert said(exceeds_profile, context_of(package, [profile()])) == [
        "the workgroup has `33` invocations along y; `small` takes at most 32",
        "the workgroup has `17` invocations along z; `small` takes at most 16",
        "the workgroup has `561` invocations; `small` takes at most 128",
        "there are up to `101` workgroups along y; `small` takes at most 100",
        "there are up to `11` workgroups along z; `small` takes at most 10",
    ]


def test_elements_of_the_entry_count_where_the_dispatch_leaves_both_to_it() -> None:
    package = package_of(
        graph(dispatch(elements("constant: 64001"))),
        "workgroup_size { axes { literal: 32 } } elements_per_workgroup: 64",
    )
    assert said(exceeds_profile, context_of(package, [profile()])) == [
        "there are up to `1001` workgroups along x; `small` takes at most 1000"
    ]


SHARED = {
    "both": (600, 425, ["a workgroup takes `1025` bytes of shared memory; `small` takes at most 1024"]),
    "all": (600, 424, []),
    "static": (1025, 0, ["a workgroup takes `1025` bytes of shared memory; `small` takes at most 1024"]),
}


@pytest.mark.parametrize(("static", "dynamic", "expected"), SHARED.values(), ids=SHARED)
def test_static_and_dynamic_shared_memory_add_up(static: int, dynamic: int, expected: list[str]) -> None:
    package = package_of(
        graph(dispatch(f"{ANY} workgroup_size: 1 dynamic_shared_bytes: {dynamic}")),
        f"static_shared_bytes: {static}",
    )
    assert said(exceeds_profile, context_of(package, [profile()])) == expected


def test_what_a_profile_leaves_open_is_not_known() -> None:
    package = package_of(
        graph(dispatch(f"{ANY} workgroup_size: 1 subgroup_size: 32")), "static_shared_bytes: 4"
    )
    open_ = profile(maximum_shared_bytes=0, subgroup_sizes=[])
    assert said(exceeds_profile, context_of(package, [open_])) == [
        "? how much shared memory `small` has is not known",
        "? which subgroup sizes `small` runs is not known",
    ]


def test_a_subgroup_size_of_dispatch_or_entry_is_one_that_the_target_runs() -> None:
    package = package_of(graph(dispatch(f"{ANY} workgroup_size: 1 subgroup_size: 8")), "subgroup_size: 64")
    assert said(exceeds_profile, context_of(package, [profile()])) == [
        "the dispatch asks for subgroups of `8` invocations; `small` runs 16, 32",
        "its entry needs subgroups of `64` invocations; `small` runs 16, 32",
    ]
    assert said(subgroup_mismatch, context_of(package)) == [
        "subgroups of `8` invocations are asked for; entry `main` needs 64"
    ]


def test_a_target_without_profile_leaves_it_open() -> None:
    package = package_of(graph(dispatch(f"{ANY} workgroup_size: 1")), targets=("abacus", "vulkan"))
    assert said(exceeds_profile, context_of(package)) == ["? no profile of target `abacus` is known"]


# The workgroup of the entry.

WIDE = 'workgroup_size { axes { constant: "width" } axes { literal: 2 } }'
CONSTANTS = {
    "set-by-name": ("constant_id: 3", 'name: "width"', "U32", r"\010\000\000\000", 8),
    "set-by-number": ("constant_id: 3", "constant_id: 3", "U32", r"\010\000\000\000", 8),
    "of-16-bits": ("", 'name: "width"', "U16", r"\000\001", 256),
    "signed": ("", 'name: "width"', "I32", r"\377\377\377\377", -1),
}


@pytest.mark.parametrize(("declared", "named", "element", "bits", "value"), CONSTANTS.values(), ids=CONSTANTS)
def test_an_axis_has_the_value_of_its_constant(
    declared: str, named: str, element: str, bits: str, value: int
) -> None:
    constant = f'constants {{ name: "width" element: ELEMENT_TYPE_{element} {declared} }}'
    literal = f'value {{ element: ELEMENT_TYPE_{element} bits: "{bits}" }}'
    text = dispatch(f"{ANY} workgroup_size: 9", f"specialization {{ {named} {literal} }}")
    package = package_of(graph(text), WIDE, more=constant)
    assert said(workgroup_mismatch, context_of(package)) == [
        f"the workgroup is `9 x 1 x 1`; entry `main` has {value} x 2 x 1"
    ]


def test_an_axis_without_value_is_not_known() -> None:
    constant = 'constants { name: "width" element: ELEMENT_TYPE_U32 }'
    package = package_of(graph(dispatch(f"{ANY} workgroup_size: 9")), WIDE, more=constant)
    reason = "? its workgroup size depends on the constant `width`, which has no value"
    assert said(workgroup_mismatch, context_of(package)) == [reason]


@pytest.mark.parametrize(
    ("target", "known"), [("metal", True), ("cuda", True), ("msl", True), ("vulkan", False)]
)
def test_where_the_dispatch_sets_the_size_an_entry_needs_none(target: str, known: bool) -> None:
    package = package_of(graph(dispatch(f"{ANY} workgroup_size: 9")), targets=[target])
    expected = [] if known else ["? the workgroup size of its entry is not known"]
    assert said(workgroup_mismatch, context_of(package)) == expected


def test_missing_axes_are_one() -> None:
    package = package_of(
        graph(dispatch(f"{ANY} workgroup_size: 8 workgroup_size: 1 workgroup_size: 1")),
        "workgroup_size { axes { literal: 8 } }",
    )
    assert said(workgroup_mismatch, context_of(package)) == []


# Elements and exact threads.


def test_elements_are_compared_axis_by_axis() -> None:
    text = dispatch(elements("constant: 64", "constant: 64", per=(16, 8)) + " workgroup_size: 1")
    fixed = "elements_per_workgroup: 16 elements_per_workgroup: 16"
    assert said(elements_mismatch, context_of(package_of(graph(text), fixed))) == [
        "a workgroup covers `16 x 8 x 1` elements; entry `main` covers 16 x 16 x 1"
    ]


EXACT = {
    "multiple": (64, 64, 640, []),
    "remainder": (
        32,
        64,
        640,
        ["the count is rounded up to whole workgroups; entry `main` must run exact threads"],
    ),
    "one-value": (32, 64, 64, []),
}


@pytest.mark.parametrize(("multiple", "low", "high", "expected"), EXACT.values(), ids=EXACT)
def test_elements_that_always_fill_workgroups_are_exact(
    multiple: int, low: int, high: int, expected: list[str]
) -> None:
    text = graph(dispatch(elements(of_n(1)) + " workgroup_size: 64"), low, high, multiple)
    package = package_of(text, "exact_threads: true workgroup_size { axes { literal: 64 } }")
    assert said(exact_threads_mismatch, context_of(package)) == expected


# Capabilities.


def test_what_the_caller_offers_adds_to_the_profile() -> None:
    package = package_of(
        graph(dispatch(f"{ANY} workgroup_size: 1")), "required_capabilities: CAPABILITY_ATOMIC_INT64"
    )
    offered = frozenset({"CAPABILITY_ATOMIC_INT64"})
    assert said(not_offered_by_target, context_of(package, [profile()])) == [
        "entry `main` requires `atomic_int64`; `vulkan` does not offer it"
    ]
    assert said(not_offered_by_target, context_of(package, [profile()], offered)) == []


# Work.


def test_alike_dispatches_are_judged_once_and_named_each() -> None:
    nodes = " ".join(dispatch(f"{ANY} workgroup_size: 65", node=f"n{number:02}") for number in range(50))
    context = context_of(package_of(graph(nodes), targets=("metal", "vulkan")), [profile()])
    assert len(context.launches.launches) == 2
    found = [each for each in exceeds_profile.check(context) if each.target == "vulkan"]
    assert [str(each.path) for each in found] == [
        f'graphs["graph"].source.embedded.body.nodes["n{number:02}"].operation.dispatch.geometry.workgroup_size'
        for number in range(50)
    ]
