"""E: from what the graph binds to what the target is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from execgraph.v1 import blob_pb2, interface_pb2, resource_pb2
from interlock.author import full
from interlock.author.builder import GraphBuilder
from interlock.target import (
    EmittedModule,
    GroupLowering,
    InvalidArtifactError,
    compile_launch_groups,
    decode_payload,
)
from interlock.target.blobs import digest_of
from target_samples import (
    FORMAT,
    chain,
    emit_fused,
    emitted,
    entry,
    fused,
    graph,
    kernels,
    package,
    payload,
    profile,
    slot,
)

if TYPE_CHECKING:
    from interlock.codec.kinds import Dynamic

READ, WRITE, READ_WRITE = 1, 2, 3
GLOBAL, CONSTANT, UNIFORM = 1, 2, 3


def one_dispatch(slots: list[interface_pb2.Slot], **bound: Dynamic) -> Dynamic:
    """Return the entry of a graph of one dispatch with the given slots and bindings."""
    made = GraphBuilder("one")
    made.artifact("scale")
    x, y = made.input("x", "f32", [64]), made.output("y", "f32", [64])
    values: dict[str, Dynamic] = {"reads": {"src": x}, "writes": {"dst": full(y)}, **bound}
    made.dispatch("only", artifact="scale", entry="main", groups=[1], workgroup_size=[64], **values)
    document = kernels(package({"scale": entry(slots=slots)}))
    seen: list[GroupLowering] = []

    def emit(lowering: GroupLowering, _: object) -> EmittedModule:
        seen.append(lowering)
        return emitted(lowering)

    result = compile_launch_groups(made.build(), document, FORMAT, profile(), emit)
    return result.message.entries[0], seen[0]


SRC, DST = slot("src", "READ"), slot("dst", "WRITE")


def shown(entry_message: Dynamic) -> list[tuple[str, int, int, int]]:
    return [
        (each.slot, each.coordinate.index, each.storage_class, each.access) for each in entry_message.bindings
    ]


def test_e1_slots_are_paired_by_node_and_logical_slot_never_by_the_name_of_a_resource() -> None:
    made = fused({"fused": ("p", "q"), "r": ("r",)})
    bound = {(each.node, each.slot): each.resource for each in made.message.entries[0].bindings}
    assert bound == {("p", "src"): "x", ("p", "dst"): "one", ("q", "src"): "one", ("q", "dst"): "two"}


def test_e2_only_what_members_of_the_group_bind_is_bound() -> None:
    for each in payload().message.entries:
        assert {binding.node for binding in each.bindings} == {each.group}


def test_e3_bindings_stand_in_the_order_of_their_coordinates() -> None:
    found, _ = one_dispatch([DST, SRC])
    assert [name for name, *_ in shown(found)] == ["dst", "src"]
    found, _ = one_dispatch([SRC, DST])
    assert [name for name, *_ in shown(found)] == ["src", "dst"]


@pytest.mark.parametrize("storage", ["SHARED", "SCRATCH"])
def test_e4_shared_and_scratch_slots_are_skipped(storage: str) -> None:
    hidden = interface_pb2.Slot(
        name="tile", kind="SLOT_KIND_STORAGE_BUFFER", storage_class=f"STORAGE_CLASS_{storage}"
    )
    found, lowering = one_dispatch([SRC, DST, hidden])
    assert {name for name, *_ in shown(found)} == {"src", "dst"}
    assert [each.name for each in lowering.interface] == ["dst", "src", "tile"]


def test_e5_slots_of_the_runtime_are_skipped_whatever_their_class() -> None:
    trap = slot("trap", "WRITE", role="SLOT_ROLE_RUNTIME_DIAGNOSTIC", storage_class="STORAGE_CLASS_GLOBAL")
    found, _ = one_dispatch([SRC, DST, trap])
    assert {name for name, *_ in shown(found)} == {"src", "dst"}


@pytest.mark.parametrize("kind", ["INLINE_CONSTANTS", "SAMPLER"])
def test_e5_slots_that_take_no_bytes_are_skipped(kind: str) -> None:
    other = interface_pb2.Slot(name="other", kind=f"SLOT_KIND_{kind}")
    found, _ = one_dispatch([SRC, DST, other])
    assert {name for name, *_ in shown(found)} == {"src", "dst"}


def test_e6_a_slot_that_the_graph_does_not_bind_is_refused_after_the_skipped_ones() -> None:
    hidden = interface_pb2.Slot(
        name="a", kind="SLOT_KIND_STORAGE_BUFFER", storage_class="STORAGE_CLASS_SHARED"
    )
    with pytest.raises(InvalidArtifactError) as refused:
        one_dispatch([hidden, SRC, DST, slot("extra", "READ")])
    assert [(each.code, str(each.path)) for each in refused.value.diagnostics] == [
        ("compile.unbound-slot", 'body.nodes["only"].operation.dispatch.bindings')
    ]
    assert "`extra`" in str(refused.value)


def test_e6_what_the_graph_binds_and_the_entry_does_not_have_is_refused() -> None:
    with pytest.raises(InvalidArtifactError) as refused:
        one_dispatch([DST])
    assert [(each.code, str(each.path)) for each in refused.value.diagnostics] == [
        ("compile.unknown-slot", 'body.nodes["only"].operation.dispatch.bindings["src"]')
    ]


def test_e6_a_slot_that_may_stay_unbound_may() -> None:
    found, _ = one_dispatch([SRC, DST, slot("extra", "READ", optional_binding=True)])
    assert {name for name, *_ in shown(found)} == {"src", "dst"}


def test_e7_the_group_of_a_coordinate_is_that_of_the_variant() -> None:
    message = package()
    for artifact in message.artifacts:
        for placed in artifact.variants[0].entries[0].slots:
            placed.coordinate.group = 2
    made = compile_launch_groups(graph(), kernels(message), FORMAT, profile(), emitted)
    assert {binding.coordinate.group for each in made.message.entries for binding in each.bindings} == {2}


def test_e8_the_index_is_copied_unchanged_and_may_be_pinned_by_the_graph() -> None:
    message = package()
    for artifact in message.artifacts:
        del artifact.variants[0].entries[0].slots[:]
    pinned = graph().message
    changed = type(pinned)()
    changed.CopyFrom(pinned)
    for node in changed.body.nodes:  # type: ignore[attr-defined]
        for at, binding in enumerate(node.operation.dispatch.bindings if node.id != "ready" else ()):
            binding.coordinate.index = 40 + at
    made = compile_launch_groups(changed, kernels(message), FORMAT, profile(), emitted)
    assert {binding.coordinate.index for each in made.message.entries for binding in each.bindings} == {
        40,
        41,
    }
    with pytest.raises(InvalidArtifactError) as refused:
        compile_launch_groups(changed, kernels(), FORMAT, profile(), emitted)
    assert refused.value.code == "compile.coordinate-mismatch"


@pytest.mark.parametrize(
    ("stated", "kind", "storage"),
    [
        ("GLOBAL", "STORAGE_BUFFER", GLOBAL),
        ("UNSPECIFIED", "STORAGE_BUFFER", GLOBAL),
        ("CONSTANT", "CONSTANT_BUFFER", CONSTANT),
        ("UNIFORM", "CONSTANT_BUFFER", UNIFORM),
    ],
)
def test_e9_memory_follows_the_class_of_the_slot(stated: str, kind: str, storage: int) -> None:
    src = slot("src", "READ", storage_class=f"STORAGE_CLASS_{stated}", kind=f"SLOT_KIND_{kind}")
    found, _ = one_dispatch([src, DST])
    assert {name: where for name, _, where, _ in shown(found)} == {"src": storage, "dst": GLOBAL}


def test_e9_a_constant_resource_is_in_constant_memory() -> None:
    made = GraphBuilder("one")
    made.artifact("scale")
    y = made.output("y", "f32", [64])
    content = blob_pb2.BlobReference(digest=digest_of(bytes(256)), size=256)
    table = made.constant("table", "f32", [64], content=content)
    made.dispatch(
        "only", artifact="scale", entry="main", groups=[1], workgroup_size=[64], reads={"src": table},
        writes={"dst": full(y)},
    )  # fmt: skip
    message = made.build()
    roles = {each.id: each.role for each in message.message.resources}  # type: ignore[attr-defined]
    assert roles["table"] == resource_pb2.RESOURCE_ROLE_CONSTANT
    found = compile_launch_groups(message, kernels(), FORMAT, profile(), emitted).message.entries[0]
    assert {name: where for name, _, where, _ in shown(found)} == {"src": CONSTANT, "dst": GLOBAL}


@pytest.mark.parametrize(("access", "number"), [("WRITE", WRITE), ("READ_WRITE", READ_WRITE)])
def test_e10_access_follows_the_slot(access: str, number: int) -> None:
    found, _ = one_dispatch([SRC, slot("dst", access)])
    assert {name: how for name, *_, how in shown(found)} == {"src": READ, "dst": number}


def test_e10_where_the_slot_does_not_say_the_graph_does() -> None:
    found, _ = one_dispatch([SRC, slot("dst", "UNSPECIFIED")])
    assert {name: how for name, *_, how in shown(found)} == {"src": READ, "dst": WRITE}


def test_e11_nothing_that_the_graph_binds_is_left_out() -> None:
    for each in payload().message.entries:
        assert {binding.slot for binding in each.bindings} == {"src", "dst"}


def test_e12_a_dispatch_may_bind_nothing() -> None:
    made = GraphBuilder("none")
    made.artifact("scale")
    made.dispatch("only", artifact="scale", entry="main", groups=[1], workgroup_size=[1])
    hidden = interface_pb2.Slot(
        name="tile", kind="SLOT_KIND_STORAGE_BUFFER", storage_class="STORAGE_CLASS_SHARED"
    )
    found = compile_launch_groups(
        made.build(), kernels(package({"scale": entry(slots=[hidden])})), FORMAT, profile(), emitted
    )
    assert list(found.message.entries[0].bindings) == []
    assert found.message.entries[0].logical_elements == 1
    assert decode_payload(found.binary()) == found


def test_e13_slots_have_names_of_their_own_whatever_resources_are_called() -> None:
    bound = {
        (each.group, binding.slot): binding.resource
        for each in payload().message.entries
        for binding in each.bindings
    }
    assert bound["a-second", "src"] == "middle"
    assert bound["b-first", "src"] == "x"


def test_members_may_have_slots_of_one_name() -> None:
    seen: list[GroupLowering] = []

    def emit(lowering: GroupLowering, given: object) -> EmittedModule:
        seen.append(lowering)
        return emit_fused(lowering, given)

    from interlock.target import group_by  # noqa: PLC0415 - only here

    groups = group_by(chain(), {"all": ("p", "q", "r")})
    made = compile_launch_groups(chain(), kernels(), FORMAT, profile(), emit, groups=groups)
    names = [each.name for each in seen[0].interface or ()]
    assert names == ["p/dst", "p/src", "q/dst", "q/src", "r/dst", "r/src"]
    assert len(made.message.entries[0].bindings) == 6
