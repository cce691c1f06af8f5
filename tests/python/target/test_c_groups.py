"""C: launch groups, derived and chosen, and what is found out about them before anything is compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from execgraph.v1.module_pb2 import LaunchGroup
from interlock.target import (
    InvalidArtifactError,
    Kernels,
    check_groups,
    compile_launch_groups,
    derive_groups,
    group_by,
)
from interlock.target.blobs import BlobStore
from target_samples import CODE, FORMAT, builder, chain, copied, emitted, graph, kernels, package, profile

if TYPE_CHECKING:
    from interlock.target import GroupLowering


def shown(groups: tuple[LaunchGroup, ...]) -> list[tuple[str, int, list[str]]]:
    return [(each.id, each.stage, list(each.members)) for each in groups]


def codes(error: pytest.ExceptionInfo[InvalidArtifactError]) -> list[tuple[str, str]]:
    return [(each.code, str(each.path)) for each in error.value.diagnostics]


def test_derived_groups_are_one_a_dispatch_named_like_it() -> None:
    assert shown(derive_groups(graph())) == [
        ("a-second", 1, ["a-second"]),
        ("b-first", 0, ["b-first"]),
        ("c-apart", 0, ["c-apart"]),
    ]


def seen_by(**options: object) -> list[GroupLowering]:
    seen: list[GroupLowering] = []

    def emit(lowering: GroupLowering, _: object) -> object:
        seen.append(lowering)
        return emitted(lowering)

    compile_launch_groups(graph(), kernels(), FORMAT, profile(), emit, **options)  # type: ignore[arg-type]
    return seen


def test_c1_groups_are_compiled_by_stage_then_by_id_in_whatever_order_they_are_given() -> None:
    order = [(0, "b-first"), (0, "c-apart"), (1, "a-second")]
    assert [(each.stage, each.group) for each in seen_by()] == order
    given = reversed(derive_groups(graph()))
    assert [(each.stage, each.group) for each in seen_by(groups=given)] == order


def test_c2_members_are_sorted_and_programs_follow_them() -> None:
    groups = group_by(chain(), {"fused": ("q", "p"), "r": ("r",)})
    assert shown(groups) == [("fused", 0, ["p", "q"]), ("r", 1, ["r"])]
    seen = seen_by()
    assert [[program.node for program in each.programs] for each in seen] == [
        list(each.members) for each in seen
    ]


def test_c2_a_member_named_twice_is_refused() -> None:
    with pytest.raises(InvalidArtifactError) as refused:
        check_groups(chain(), [LaunchGroup(id="g", members=["p", "p", "q", "r"])])
    assert ("group.repeated-member", 'groups["g"].members[1]') in codes(refused)


@pytest.mark.parametrize(
    ("member", "code"), [("nowhere", "group.unknown-member"), ("before-q", "group.not-a-dispatch")]
)
def test_c3_members_are_dispatches_of_the_graph(member: str, code: str) -> None:
    with pytest.raises(InvalidArtifactError) as refused:
        group_by(chain(), {"a": ("p", member), "q": ("q",), "r": ("r",)})
    assert codes(refused) == [(code, 'groups["a"].members[' + str(int(member == "nowhere" and 0)) + "]")]


def test_c4_bytes_that_are_not_there_or_not_themselves_are_refused_with_the_node() -> None:
    with pytest.raises(InvalidArtifactError) as refused:
        compile_launch_groups(
            graph(), Kernels(kernels().document, BlobStore([CODE["copy"]])), FORMAT, profile(), emitted
        )
    assert codes(refused) == [
        ("container.missing-blob", 'body.nodes["b-first"].operation.dispatch.artifact'),
        ("container.missing-blob", 'body.nodes["c-apart"].operation.dispatch.artifact'),
    ]


def test_c5_ids_are_unique_so_there_is_no_first_match() -> None:
    document = copied(graph().message)
    document.body.nodes[0].id = "b-first-x"
    document.body.nodes[0].id = "a-second"
    twice = copied(builder().build().message)
    twice.views.add(id="same", resource="x")
    assert group_by(graph(), {each: (each,) for each in ("a-second", "b-first", "c-apart")})


def test_c6_a_fault_in_the_last_group_prevents_every_emission() -> None:
    broken = package()
    del broken.artifacts[0]  # that of `a-second`, the only group of the last stage
    called = []
    with pytest.raises(InvalidArtifactError) as refused:
        compile_launch_groups(graph(), kernels(broken), FORMAT, profile(), called.append)  # type: ignore[arg-type]
    assert codes(refused) == [
        ("compile.missing-artifact", 'body.nodes["a-second"].operation.dispatch.artifact')
    ]
    assert called == []


def test_c6_all_groups_are_looked_at_before_anything_is_refused() -> None:
    empty = package()
    del empty.artifacts[:]
    with pytest.raises(InvalidArtifactError) as refused:
        compile_launch_groups(graph(), kernels(empty), FORMAT, profile(), emitted)
    assert [place for _, place in codes(refused)] == [
        f'body.nodes["{node}"].operation.dispatch.artifact' for node in ("b-first", "c-apart", "a-second")
    ]


def test_c7_a_stage_that_is_stated_is_recomputed() -> None:
    groups = [copied(each) for each in derive_groups(graph())]
    assert check_groups(graph(), groups) == derive_groups(graph())
    groups[0].stage = 2
    with pytest.raises(InvalidArtifactError) as refused:
        check_groups(graph(), groups)
    assert codes(refused) == [("group.wrong-stage", 'groups["a-second"].stage')]


def test_a_dispatch_is_in_exactly_one_group() -> None:
    with pytest.raises(InvalidArtifactError) as refused:
        group_by(chain(), {"a": ("p", "q"), "b": ("q",)})
    assert codes(refused) == [
        ("group.repeated-member", 'groups["b"].members[0]'),
        ("group.uncovered-dispatch", "groups"),
    ]


def test_a_group_without_members_is_refused() -> None:
    with pytest.raises(InvalidArtifactError) as refused:
        group_by(chain(), {"a": (), "b": ("p", "q", "r")})
    assert codes(refused) == [("document.missing-field", 'groups["a"].members')]


def test_two_groups_of_one_id_are_refused() -> None:
    with pytest.raises(InvalidArtifactError) as refused:
        check_groups(chain(), [LaunchGroup(id="a", members=["p", "q"]), LaunchGroup(id="a", members=["r"])])
    assert "reference.duplicate-id" in [code for code, _ in codes(refused)]


def test_a_group_that_would_run_before_and_after_another_is_refused() -> None:
    with pytest.raises(InvalidArtifactError) as refused:
        group_by(chain(), {"ends": ("p", "r"), "middle": ("q",)})
    assert codes(refused) == [("group.dependency-cycle", 'groups["ends"]')]


def test_two_groups_that_would_run_before_each_other_are_refused() -> None:
    document = builder()
    for name in ("u", "v"):
        out = document.output(f"{name}-out", "f32", [64])
        document.dispatch(
            name, artifact="scale", entry="main", writes={"dst": out}, groups=[1], workgroup_size=[64],
            after=[{"u": "b-first", "v": "c-apart"}[name]],
        )  # fmt: skip
    graph_ = document.build()
    with pytest.raises(InvalidArtifactError) as refused:
        group_by(graph_, {"one": ("b-first", "v"), "two": ("c-apart", "u"), "a-second": ("a-second",)})
    assert codes(refused) == [("group.dependency-cycle", 'groups["one"]')]


def test_members_of_different_regions_are_refused_even_where_nothing_orders_them() -> None:
    with pytest.raises(InvalidArtifactError) as refused:
        group_by(chain(looped=True), {"a": ("p", "q"), "r": ("r",)})
    assert ("group.several-regions", 'groups["a"].members') in codes(refused)


def test_nodes_that_are_no_dispatches_weigh_nothing() -> None:
    assert [each.stage for each in derive_groups(chain(looped=True))] == [0, 1, 2]


def test_a_graph_with_a_cycle_has_no_groups() -> None:
    document = copied(graph().message)
    next(node for node in document.body.nodes if node.id == "b-first").depends_on.append("a-second")
    from interlock.document import Document  # noqa: PLC0415 - only here

    with pytest.raises(InvalidArtifactError) as refused:
        derive_groups(Document.from_message(document))
    assert refused.value.code == "order.dependency-cycle"


def test_what_was_given_does_not_change() -> None:
    given = LaunchGroup(id="all", members=["r", "q", "p"])
    with pytest.raises(InvalidArtifactError):
        check_groups(chain(), [given, LaunchGroup(id="none")])
    assert list(given.members) == ["r", "q", "p"]
