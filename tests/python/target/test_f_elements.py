"""F: the number of logical elements that a launch covers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interlock.author.builder import GraphBuilder
from interlock.target import EmittedModule, GroupLowering, InvalidArtifactError, compile_launch_groups
from target_samples import FORMAT, copied, emitted, entry, kernels, package, payload, profile, slot

if TYPE_CHECKING:
    from interlock.codec.kinds import Dynamic


def elements(
    reads: tuple[int, ...] = (),
    writes: tuple[int, ...] = (),
    atomics: tuple[int, ...] = (),
    **options: Dynamic,
) -> int:
    """Return the number for a dispatch that binds resources of so many elements."""
    made = GraphBuilder("one")
    made.artifact("scale")
    traits = options.pop("traits", {})
    bound: dict[str, dict[str, Dynamic]] = {"reads": {}, "writes": {}, "atomics": {}}
    slots = []
    for how, sizes in (("reads", reads), ("writes", writes), ("atomics", atomics)):
        for at, size in enumerate(sizes):
            name = f"{how}-{at}"
            kind = {"reads": made.input, "writes": made.output, "atomics": made.output}[how]
            bound[how][name] = kind(name, "u32", [size])
            slots.append(slot(name, "UNSPECIFIED"))
    geometry: dict[str, Dynamic] = {"groups": [1], "workgroup_size": [1], **options}
    made.dispatch("only", artifact="scale", entry="main", **bound, **geometry)
    hidden = slot("tile", "READ", storage_class="STORAGE_CLASS_SHARED")
    document = package({"scale": entry(slots=slots or [hidden], **traits)})
    seen: list[int] = []

    def emit(lowering: GroupLowering, _: object) -> EmittedModule:
        seen.append(lowering.logical_elements)
        return emitted(lowering)

    device = profile(
        maximum_buffer_range=0, maximum_workgroup_count=[(1 << 32) - 1] * 3, capabilities=[5, 12, 13]
    )
    result = compile_launch_groups(made.build(), kernels(document), FORMAT, device, emit)
    assert result.message.entries[0].logical_elements == seen[0]
    return seen[0]


def test_f1_everything_that_a_dispatch_binds_is_a_candidate() -> None:
    assert elements(reads=(7, 100), writes=(10, 30)) == 30
    assert elements(reads=(7, 100)) == 100


@pytest.mark.parametrize("traits", [{"uses_atomics": True}, {"uses_subgroups": True}])
def test_f2_atomics_and_subgroups_of_the_entry_may_need_everything(traits: dict[str, bool]) -> None:
    assert elements(reads=(100,), writes=(10,), traits=traits) == 100


def test_f2_so_do_atomic_accesses_and_subgroup_sizes_of_the_graph() -> None:
    assert elements(reads=(100,), atomics=(10,)) == 100
    assert elements(reads=(100,), writes=(10,), subgroup_size=32) == 100


def test_f3_then_the_largest_thing_bound_counts() -> None:
    assert elements(reads=(5,), writes=(10, 3), atomics=(2,)) == 10


def test_f4_otherwise_the_largest_thing_written_counts() -> None:
    assert elements(reads=(100,), writes=(10, 3)) == 10


def test_f5_where_nothing_is_written_the_largest_thing_bound_counts() -> None:
    assert elements(reads=(100, 3)) == 100


def test_f6_it_is_never_zero() -> None:
    assert elements() == 1
    assert elements(writes=(0,)) == 1
    assert elements(reads=(100,), writes=(0,)) == 1


def test_f7_it_is_counted_in_64_bits_and_never_saturates() -> None:
    assert elements(writes=(1 << 32,)) == 1 << 32
    made = GraphBuilder("one")
    made.artifact("scale")
    y = made.output("y", "u8", [1])
    made.dispatch("only", artifact="scale", entry="main", reads={"dst": y}, groups=[1], workgroup_size=[1])
    message = copied(made.build().message)
    for _ in range(2):
        message.resources[0].shape.add(constant=1 << 40)
    document = package({"scale": entry(slots=[slot("dst", "READ")])})
    with pytest.raises(InvalidArtifactError) as refused:
        compile_launch_groups(message, kernels(document), FORMAT, profile(), emitted)
    assert [each.code for each in refused.value.diagnostics] == ["compile.element-overflow"]


def test_f8_every_binding_has_an_access_so_none_counts_only_at_times() -> None:
    assert elements(reads=(100,), writes=(10,)) == 10


@pytest.mark.parametrize(
    ("reads", "writes", "traits", "expected"),
    [
        ((100,), (10,), {}, 10),
        ((100,), (10,), {"uses_atomics": True}, 100),
        ((100,), (10,), {"uses_subgroups": True}, 100),
        ((100,), (), {}, 100),
        ((), (), {}, 1),
        ((), (0,), {}, 1),
        ((), (1 << 32,), {}, 1 << 32),
    ],
)
def test_f9_the_whole_table(reads: Dynamic, writes: Dynamic, traits: Dynamic, expected: int) -> None:
    assert elements(reads, writes, traits=traits) == expected


def test_f10_a_count_that_is_derived_from_elements_is_those() -> None:
    options: dict[str, Dynamic] = {"elements": [33, 3], "workgroup_size": [8, 2], "groups": None}
    assert elements(reads=(100,), writes=(10,), **options) == 99
    counts = {
        each.group: [c.constant for c in each.geometry.workgroup_count.extents.counts]
        for each in payload().message.entries
    }
    assert counts == {"a-second": [32, 1, 1], "b-first": [16, 1, 1], "c-apart": [2, 3, 1]}


def test_f10_exact_threads_keep_the_elements() -> None:
    made = GraphBuilder("one")
    made.artifact("scale")
    y = made.output("y", "f32", [33])
    made.dispatch(
        "only", artifact="scale", entry="main", writes={"dst": y}, elements=[33], workgroup_size=[8],
        exact_threads=True,
    )  # fmt: skip
    device = profile(capabilities=["CAPABILITY_EXACT_THREADS"])
    document = kernels(package({"scale": entry(slots=[slot("dst", "WRITE")])}))
    found = compile_launch_groups(made.build(), document, FORMAT, device, emitted).message.entries[0].geometry
    grid = found.workgroup_count.elements
    assert [each.constant for each in grid.elements] == [33, 1, 1]
    assert list(grid.elements_per_workgroup) == [8, 1, 1]


def test_f10_counts_that_depend_on_parameters_stay_extents() -> None:
    made = GraphBuilder("one")
    made.artifact("scale")
    n = made.parameter("n", "u32", minimum=1, maximum=100)
    y = made.output("y", "f32", [n])
    made.dispatch("only", artifact="scale", entry="main", writes={"dst": y}, elements=[n], workgroup_size=[8])
    document = kernels(package({"scale": entry(slots=[slot("dst", "WRITE")])}))
    found = compile_launch_groups(made.build(), document, FORMAT, profile(), emitted).message.entries[0]
    grid = found.geometry.workgroup_count.elements
    assert [term.parameter for each in grid.elements for term in each.terms] == ["n"]
    assert list(grid.elements_per_workgroup) == [8, 1, 1]
    assert found.logical_elements == 100
