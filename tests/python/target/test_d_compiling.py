"""D: compiling launch groups."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError
from typing import TYPE_CHECKING

import pytest

from interlock.author import GraphBuilder
from interlock.target import (
    BundleError,
    CompileOptions,
    EmissionError,
    EmittedModule,
    InvalidArtifactError,
    PayloadError,
    TypedBytes,
    UnsupportedError,
    compile_launch_groups,
    decode_payload,
    group_by,
)
from interlock.target.payload import bundle_of
from target_samples import (
    FORMAT,
    SIZES,
    builder,
    chain,
    copied,
    emit_fused,
    emitted,
    entry,
    fused,
    graph,
    kernels,
    package,
    payload,
    profile,
)

if TYPE_CHECKING:
    from execgraph.v1 import package_pb2
    from interlock.codec.kinds import Dynamic
    from interlock.errors import InterlockError
    from interlock.target import GroupLowering


def lowerings(
    package_message: package_pb2.Package | None = None, **changes: Dynamic
) -> dict[str, GroupLowering]:
    """Return what a compiler is told about the groups of the sample graph."""
    seen: dict[str, GroupLowering] = {}

    def emit(lowering: GroupLowering, _: object) -> EmittedModule:
        seen[lowering.group] = lowering
        return emitted(lowering)

    compile_launch_groups(
        changes.pop("graph", graph()), kernels(package_message), FORMAT, profile(), emit, **changes
    )
    return seen


def refusal(kind: type[InterlockError], emit: Dynamic = emitted, **changes: Dynamic) -> list[str]:
    given = {"graph": graph(), "package": kernels(), "format": FORMAT, "profile": profile(), **changes}
    with pytest.raises(kind) as refused:
        compile_launch_groups(emit=emit, **given)
    return [each.code for each in refused.value.diagnostics]


def test_d1_a_group_keeps_one_program_for_each_member() -> None:
    made = fused({"fused": ("p", "q"), "r": ("r",)})
    assert [list(each.members) for each in made.message.groups] == [["p", "q"], ["r"]]
    code = bundle_of(made).message.modules[0].code.blob
    assert bytes(made.blobs[code.digest]) == b"compiled code of scale|code of scale"


def test_d2_what_a_compiler_raises_comes_out_unchanged() -> None:
    for error in (UnsupportedError.of("emission.example", "too large"), RuntimeError("broken")):

        def emit(*_: object, error: Exception = error) -> EmittedModule:
            raise error

        with pytest.raises(type(error)) as refused:
            payload(emit)
        assert refused.value is error


def test_d3_bindings_that_cannot_be_projected_are_an_invalid_artifact() -> None:
    broken = package({"scale": entry(slots=[*entry().slots][:1])})
    assert refusal(InvalidArtifactError, package=kernels(broken)) == ["compile.unknown-slot"]


def test_d4_elements_and_interface_come_from_graph_and_package() -> None:
    found = lowerings()["c-apart"]
    assert found.logical_elements == 64
    assert [each.name for each in found.interface or ()] == ["dst", "src"]


def test_d5_a_lowering_holds_everything_and_never_changes() -> None:
    found = lowerings()["a-second"]
    assert found.graph_digest == graph().digest
    assert (found.group, found.stage, found.members) == ("a-second", 1, ("a-second",))
    assert found.workgroup_size == SIZES["a-second"]
    program = found.programs[0]
    assert (program.artifact, program.entry, program.target_entry) == ("copy", "main", "copy_main")
    assert (program.code.identity, program.code.version, program.code.data) == (
        "example-source",
        1,
        b"code of copy",
    )
    assert program.variant == ("vulkan", "")
    with pytest.raises(FrozenInstanceError):
        found.stage = 5  # type: ignore[misc]
    assert found.interface is not None
    found.interface[0].slot.name = "changed"
    assert found.interface[0].slot.name == "dst"


def test_d6_each_group_is_emitted_once_with_the_profile() -> None:
    seen = []

    def emit(lowering: GroupLowering, given: object) -> EmittedModule:
        seen.append((lowering.group, given))
        return emitted(lowering)

    payload(emit)
    assert seen == [(name, profile()) for name in ("b-first", "c-apart", "a-second")]


def test_d7_a_group_without_members_never_reaches_the_compiler() -> None:
    called: list[object] = []
    groups = [*group_by(chain(), {"all": ("p", "q", "r")})]
    groups.append(type(groups[0])(id="none"))
    assert refusal(InvalidArtifactError, called.append, graph=chain(), groups=groups) == [
        "document.missing-field"
    ]
    assert called == []


def test_d8_entries_are_keyed_by_group_and_compared_with_the_graph() -> None:
    made = payload()
    sizes = {each.group: tuple(each.geometry.workgroup_size) for each in made.message.entries}
    assert sizes == SIZES
    wrong = refusal(EmissionError, lambda low, _: emitted(low, workgroup_size=(1, 1, 1)))
    assert wrong == ["emission.workgroup-mismatch"]


def test_d9_a_module_holds_what_the_compiler_returned() -> None:
    parts = {name: TypedBytes(f"example-{name}", 2, name.encode()) for name in ("semantic", "lowered")}
    made = payload(lambda low, _: emitted(low, entry_point="start", **parts))
    for module in bundle_of(made).message.modules:
        assert module.entry_point == "start"
        assert (module.semantic.content_type.identity, module.semantic.content_type.version) == (
            "example-semantic",
            2,
        )
        assert bytes(made.blobs[module.lowered.blob.digest]) == b"lowered"


def test_d10_failures_of_bundle_and_payload_keep_their_kind() -> None:
    assert refusal(BundleError, lambda low, _: emitted(low, entry_point="")) == ["document.missing-field"] * 3
    small = profile(maximum_workgroup_invocations=16)
    assert refusal(PayloadError, profile=small) == ["payload.workgroup-beyond-profile"] * 3


def test_d11_bytes_have_one_form_wherever_they_stand() -> None:
    found = lowerings()["b-first"]
    program = found.programs[0]
    made = payload(lambda low, _: emitted(low, semantic=low.programs[0].code))
    semantic = next(each for each in bundle_of(made).message.modules if each.group == "b-first").semantic
    assert semantic.blob.digest == program.digest


def test_d12_a_graph_without_dispatches_has_no_payload() -> None:
    empty = GraphBuilder("empty")
    x = empty.input("x", "f32", [4])
    y = empty.output("y", "f32", [4])
    empty.copy("only", x, y)
    called: list[object] = []
    codes = refusal(PayloadError, called.append, graph=empty.build())
    assert (codes, called) == (["document.missing-field", "document.missing-field"], [])


def test_d13_code_is_never_empty() -> None:
    empty = TypedBytes("example-code", 1, b"")
    assert refusal(BundleError, lambda low, _: emitted(low, code=empty)) == ["module.empty-blob"] * 3


def test_d14_the_same_input_makes_the_same_bytes_in_any_thread() -> None:
    with ThreadPoolExecutor(4) as pool:
        frames = set(pool.map(lambda _: payload.__wrapped__().binary(), range(8)))
    assert len(frames) == 1


def test_d15_every_module_may_name_its_entry_alike() -> None:
    made = payload()
    assert [each.entry_point for each in bundle_of(made).message.modules] == ["main"] * 3
    assert decode_payload(made.binary()) == made


def test_a_compiler_may_say_which_slots_its_code_has() -> None:
    bare = package()
    for artifact in bare.artifacts:
        artifact.ClearField("interface")
    assert refusal(EmissionError, package=kernels(bare)) == ["emission.missing-slots"]
    stated = {low.group: tuple(low.interface or ()) for low in lowerings().values()}

    def emit(lowering: GroupLowering, _: object) -> EmittedModule:
        assert (lowering.interface, lowering.bindings) == (None, ())
        slots = tuple(each.message().SerializeToString(deterministic=True) for each in stated[lowering.group])
        return emitted(lowering, slots=slots)

    made = compile_launch_groups(graph(), kernels(bare), FORMAT, profile(), emit)
    assert made == payload()


def test_slots_of_code_that_do_not_fit_the_graph_are_refused() -> None:
    assert refusal(PayloadError, lambda low, _: emitted(low, slots=())) == ["payload.missing-binding"] * 6


def test_what_is_no_emitted_module_is_refused() -> None:
    assert refusal(EmissionError, lambda *_: b"code") == ["emission.wrong-type"]


def _open_size() -> Dynamic:
    message = copied(graph().message)
    for node in message.body.nodes:
        if node.operation.HasField("dispatch"):
            node.operation.dispatch.geometry.ClearField("workgroup_size")
    return message


def test_a_workgroup_size_may_come_from_the_interface_or_from_the_compiler() -> None:
    assert refusal(EmissionError, graph=_open_size()) == ["emission.missing-workgroup-size"]
    chosen = compile_launch_groups(
        _open_size(), kernels(), FORMAT, profile(), lambda low, _: emitted(low, workgroup_size=(16, 1, 1))
    )
    counts = {
        each.group: each.geometry.workgroup_count.extents.counts[0].constant
        for each in chosen.message.entries
    }
    assert counts == {"a-second": 64, "b-first": 16, "c-apart": 2}
    fixed = entry(workgroup_size={"axes": [{"literal": 16}]})
    by_interface = package(dict.fromkeys(("copy", "scale", "tally"), fixed))
    assert compile_launch_groups(_open_size(), kernels(by_interface), FORMAT, profile(), emitted) == chosen


def test_a_workgroup_size_may_come_from_a_specialization_constant() -> None:
    fixed = entry(workgroup_size={"axes": [{"constant": "WIDTH"}]})
    by_constant = package(dict.fromkeys(("copy", "scale", "tally"), fixed))
    for artifact in by_constant.artifacts:
        constant = artifact.interface.constants.add(name="WIDTH", constant_id=3, element=9)
        constant.default_value.element, constant.default_value.bits = 9, b"\x10\0\0\0"
    seen = lowerings(by_constant, graph=_open_size())
    assert {each.workgroup_size for each in seen.values()} == {(16, 1, 1)}
    constant_ = seen["c-apart"].programs[0].constants[0]
    assert (constant_.name, constant_.constant_id, constant_.bits, constant_.from_default) == (
        "WIDTH",
        3,
        b"\x10\0\0\0",
        True,
    )


def test_a_workgroup_size_that_the_entry_contradicts_is_refused() -> None:
    fixed = package({"scale": entry(workgroup_size={"axes": [{"literal": 16}]})})
    assert refusal(InvalidArtifactError, package=kernels(fixed)) == ["compile.workgroup-mismatch"]


def test_members_of_one_group_have_one_geometry() -> None:
    groups = group_by(graph(), {"both": ("b-first", "c-apart"), "a-second": ("a-second",)})
    assert refusal(InvalidArtifactError, groups=groups) == [
        "compile.workgroup-mismatch",
        "compile.group-geometry-mismatch",
    ]


def test_pins_of_the_graph_bind_the_package() -> None:
    pinned = copied(graph().message)
    pin = pinned.artifacts[0].pins.add(target="vulkan", size=12)
    pin.digest = "sha256:" + "0" * 64
    assert refusal(InvalidArtifactError, graph=pinned) == ["compile.pin-mismatch"]


def test_variants_are_found_by_target_and_name_and_never_guessed() -> None:
    other = package()
    assert refusal(InvalidArtifactError, profile=profile(target="metal")) == ["compile.missing-variant"] * 3
    again = other.artifacts[0].variants.add()
    again.CopyFrom(other.artifacts[0].variants[0])
    again.name = "fast"
    assert refusal(InvalidArtifactError, package=kernels(other)) == ["compile.ambiguous-variant"]
    options = CompileOptions(variants={"copy": "fast"})
    assert lowerings(other, options=options)["a-second"].programs[0].variant == ("vulkan", "fast")


def test_variants_of_another_target_may_be_the_source() -> None:
    made = compile_launch_groups(
        graph(),
        kernels(),
        FORMAT,
        profile(target="metal"),
        emitted,
        options=CompileOptions(source_target="vulkan"),
    )
    assert made.message.profile.target == "metal"


def test_an_entry_that_the_interface_does_not_have_is_refused() -> None:
    other = package()
    other.artifacts[0].interface.entries[0].name = "start"
    assert refusal(InvalidArtifactError, package=kernels(other)) == ["compile.missing-entry"]


def test_without_a_package_document_there_is_nothing_to_compile() -> None:
    from interlock.target import Kernels  # noqa: PLC0415 - only here

    assert refusal(InvalidArtifactError, package=Kernels(None, kernels().blobs)) == [
        "compile.malformed-package"
    ]


def test_dependent_pairs_are_told_and_have_to_be_listed() -> None:
    groups = group_by(chain(), {"all": ("p", "q", "r")})
    seen = []

    def emit(lowering: GroupLowering, given: object) -> EmittedModule:
        seen.append(lowering.dependent_pairs)
        return emit_fused(lowering, given)

    compile_launch_groups(chain(), kernels(), FORMAT, profile(), emit, groups=groups)
    assert seen == [(("p", "q"), ("q", "r"))]
    from target_samples import fused_slots  # noqa: PLC0415 - only here

    assert (
        refusal(
            PayloadError, lambda low, _: emitted(low, slots=fused_slots(low)), graph=chain(), groups=groups
        )
        == ["module.dependency-not-internalized"] * 2
    )


def test_shared_memory_is_what_the_graph_adds_to_what_the_kernels_declare() -> None:
    message = copied(builder().build().message)
    message.body.nodes[1].operation.dispatch.geometry.dynamic_shared_bytes = 100
    static = package({"scale": entry(static_shared_bytes=28)})
    device = profile(capabilities=[14])
    made = compile_launch_groups(message, kernels(static), FORMAT, device, emitted)
    assert {each.group: each.shared_bytes for each in made.message.entries} == {
        "a-second": 0, "b-first": 128, "c-apart": 0,
    }  # fmt: skip
