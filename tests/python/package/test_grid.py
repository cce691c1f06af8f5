"""The greatest grid of a dispatch, over all values of its parameters."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from interlock.graph.extents import Affine, Domain
from interlock.graph.operations import Geometry
from interlock.package.grid import Grid, elements_of_a_workgroup, greatest_grid

N, M, NOTHING = 0, 1, 2
DOMAINS = [Domain(0, 1000, 8), Domain(3, 7, 1), None]


def geometry(
    source: str,
    *counts: Affine | None,
    elements_per_workgroup: tuple[int, ...] = (),
    workgroup_size: tuple[int, ...] = (),
) -> Geometry:
    fields = {
        "source": source,
        "counts": counts,
        "elements_per_workgroup": elements_per_workgroup,
        "workgroup_size": workgroup_size,
        "exact_threads": False,
        "subgroup_size": 0,
    }
    known = {name: fields[name] for name in Geometry._fields if name in fields}
    rest = {name: 0 for name in Geometry._fields if name not in fields}
    return Geometry(**known, **rest)


@pytest.mark.parametrize(
    ("found", "counts"),
    [
        (geometry("extents", Affine(7)), (7, 1, 1)),
        (geometry("extents", Affine(7), Affine(2), Affine(5)), (7, 2, 5)),
        (geometry("extents", Affine(4, ((N, 2),))), (2004, 1, 1)),
        (geometry("extents", Affine(2000, ((N, -1),))), (2000, 1, 1)),
        (geometry("extents", Affine(5, ((N, 1), (M, -1)))), (1002, 1, 1)),
        (geometry("extents", Affine(-5)), (0, 1, 1)),
        (geometry("extents", Affine(0)), (0, 1, 1)),
        (geometry("extents", None, Affine(3)), (None, 3, 1)),
        (geometry("extents", Affine(1, ((NOTHING, 1),))), (None, 1, 1)),
        (geometry("extents", Affine(1), workgroup_size=(64,)), (1, 1, 1)),
        (geometry("elements", Affine(1000), workgroup_size=(64,)), (16, 1, 1)),
        (geometry("elements", Affine(0, ((N, 1),)), workgroup_size=(64,)), (16, 1, 1)),
        (geometry("elements", Affine(1024), workgroup_size=(64,)), (16, 1, 1)),
        (geometry("elements", Affine(1025), workgroup_size=(64,)), (17, 1, 1)),
        (geometry("elements", Affine(1000), Affine(9), workgroup_size=(64, 2)), (16, 5, 1)),
        (geometry("elements", Affine(1000), Affine(9), workgroup_size=(64,)), (16, 9, 1)),
        (
            geometry("elements", Affine(1000), workgroup_size=(64,), elements_per_workgroup=(256,)),
            (4, 1, 1),
        ),
        (geometry("elements", Affine(1000)), (None, 1, 1)),
        (geometry("elements", Affine(0), Affine(1), Affine(2)), (0, 1, None)),
        (geometry("elements", Affine(1000), workgroup_size=(0,)), (None, 1, 1)),
        (geometry(""), (None, None, None)),
    ],
)
def test_the_greatest_count_of_each_axis(found: Geometry, counts: tuple[int | None, ...]):
    assert greatest_grid(found, DOMAINS) == Grid(counts, vouched=False)


def test_an_indirect_count_is_what_the_producer_vouches_for():
    found = geometry("indirect", Affine(100), Affine(2))
    assert greatest_grid(found, DOMAINS, (64,)) == Grid((100, 2, 1), vouched=True)


def test_the_variant_settles_what_the_graph_leaves_open():
    found = geometry("elements", Affine(1000), Affine(10))
    assert greatest_grid(found, DOMAINS, (64, 4)).counts == (16, 3, 1)
    assert greatest_grid(found, DOMAINS, (64, 4), (256, 5)).counts == (4, 2, 1)
    stated = found._replace(workgroup_size=(32,))
    assert greatest_grid(stated, DOMAINS, (64, 4)).counts == (32, 10, 1)
    covered = found._replace(elements_per_workgroup=(500, 1))
    assert greatest_grid(covered, DOMAINS, (64, 4), (256, 5)).counts == (2, 10, 1)


def test_axes_that_nobody_states_hold_one_element():
    assert elements_of_a_workgroup(geometry("elements"), (64,)) == (64, 1, 1)
    assert elements_of_a_workgroup(geometry("elements")) == (None, None, None)


def test_more_than_three_axes_are_left_to_the_rule_that_refuses_them():
    found = geometry("elements", *[Affine(8)] * 5, workgroup_size=(2, 2, 2, 2))
    assert greatest_grid(found, DOMAINS).counts == (4, 4, 4)


def test_the_greatest_count_is_met_by_some_value_and_passed_by_none():
    random = Random(1)
    for _ in range(200):
        domains = [Domain(low, low + step * random.randint(0, 5), step) for low, step in ((0, 3), (2, 1))]
        value = Affine(random.randint(0, 9), tuple((p, random.choice((-2, -1, 1, 3))) for p in (0, 1)))
        size = random.randint(1, 7)
        grids = [
            -(-max(value.constant + sum(factor * at[p] for p, factor in value.terms), 0) // size)
            for at in product(*(range(d.low, d.high + 1, d.step) for d in domains))
        ]
        found = geometry("elements", value, workgroup_size=(size,))
        assert greatest_grid(found, domains).counts == (max(grids), 1, 1)
