"""G: the slice of the interface that a group takes."""

from __future__ import annotations

from execgraph.v1 import interface_pb2
from interlock.target import EmittedModule, GroupLowering, compile_launch_groups, group_by
from interlock.target.payload import bundle_of
from target_samples import (
    FORMAT,
    chain,
    emit_fused,
    emitted,
    entry,
    fused,
    kernels,
    package,
    payload,
    profile,
    slot,
)


def slices(**options: object) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}

    def emit(lowering: GroupLowering, given: object) -> EmittedModule:
        found[lowering.group] = [(each.node, each.slot.name) for each in lowering.interface or ()]
        return emit_fused(lowering, given)

    compile_launch_groups(chain(), kernels(), FORMAT, profile(), emit, **options)  # type: ignore[arg-type]
    return found


def test_g1_a_slice_holds_the_slots_of_the_members_and_no_others() -> None:
    groups = group_by(chain(), {"fused": ("q", "p"), "r": ("r",)})
    assert slices(groups=groups) == {
        "fused": [("p", "dst"), ("p", "src"), ("q", "dst"), ("q", "src")],
        "r": [("r", "dst"), ("r", "src")],
    }


def test_g2_coordinates_are_not_renumbered() -> None:
    found: dict[str, tuple[int, int, int] | None] = {}

    def emit(lowering: GroupLowering, _: object) -> EmittedModule:
        found.update({each.name: each.coordinate for each in lowering.interface or ()})
        return emitted(lowering)

    message = package(
        {
            "scale": entry(
                slots=[slot("a", "READ", optional_binding=True), slot("src", "READ"), slot("dst", "WRITE")]
            )
        }
    )
    compile_launch_groups(chain(), kernels(message), FORMAT, profile(), emit)
    assert found == {"a": (0, 0, 0), "src": (0, 1, 0), "dst": (0, 2, 0)}


def test_g3_an_entry_without_slots_has_an_empty_slice() -> None:
    hidden = interface_pb2.Slot(
        name="tile", kind="SLOT_KIND_STORAGE_BUFFER", storage_class="STORAGE_CLASS_SHARED"
    )
    from interlock.author.builder import GraphBuilder  # noqa: PLC0415 - only here

    made = GraphBuilder("none")
    made.artifact("scale")
    made.dispatch("only", artifact="scale", entry="main", groups=[1], workgroup_size=[1])
    seen: list[object] = []

    def emit(lowering: GroupLowering, _: object) -> EmittedModule:
        seen.append(lowering.bindings)
        return emitted(lowering)

    compile_launch_groups(
        made.build(), kernels(package({"scale": entry(slots=[hidden])})), FORMAT, profile(), emit
    )
    assert seen == [()]


def test_modules_state_the_slots_of_their_slice() -> None:
    made = bundle_of(fused({"fused": ("p", "q"), "r": ("r",)})).message
    assert [[each.name for each in module.slots] for module in made.modules] == [
        ["p/dst", "p/src", "q/dst", "q/src"],
        ["dst", "src"],
    ]
    assert [[each.name for each in module.slots] for module in bundle_of(payload()).message.modules] == [
        ["dst", "src"]
    ] * 3
