"""J: what is decided here and elsewhere left open; K: pairing; and defects that are not to come back."""

from __future__ import annotations

import hashlib
import struct
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from execgraph.v1 import module_pb2
from interlock.errors import InterlockError
from interlock.limits import DEFAULT_LIMITS
from interlock.target import (
    TypedBytes,
    attach_target,
    check_content,
    compile_launch_groups,
    decode_bundle,
    decode_envelope,
    decode_payload,
    find_payload,
    make_bundle,
    make_envelope,
)
from interlock.target.payload import bundle_of
from target_faults import FAULTS, parts
from target_samples import (
    FORMAT,
    SIZES,
    bundle,
    copied,
    emitted,
    entry,
    graph,
    kernels,
    module,
    package,
    payload,
    profile,
    remade,
    sealed_body,
    slot,
)

if TYPE_CHECKING:
    from interlock.codec.kinds import Dynamic


def codes_of(frame: bytes, **options: Dynamic) -> list[str]:
    from interlock.target import decode_sealed  # noqa: PLC0415 - only here

    with pytest.raises(InterlockError) as refused:
        decode_sealed(frame, **options)
    return [each.code for each in refused.value.diagnostics]


def refused(code: str) -> None:
    fault = next(each for each in FAULTS if each.code == code)
    p = fault.make()
    fault.change(p)
    assert code in codes_of(p.frame(fault.level))


def test_j1_a_group_is_in_one_stage_only() -> None:
    refused("module.repeated-group")


def test_j2_a_node_is_in_one_module_only() -> None:
    refused("module.repeated-member")


def test_j3_nodes_exist_and_all_are_covered() -> None:
    refused("group.unknown-member")
    refused("group.uncovered-dispatch")


def test_j4_members_are_sorted_and_unique() -> None:
    for members, code in ((["b", "a"], "canonical.unsorted-set"), (["a", "a"], "canonical.duplicate-key")):
        one = module("a", members=members)
        header = make_bundle([]).message.header
        body = module_pb2.TargetModuleBundle(header=header, modules=[one]).SerializeToString(
            deterministic=True
        )
        assert codes_of(sealed_body("TargetModuleBundle", body) + b"a") == [code]


def test_j5_the_entry_point_is_not_empty() -> None:
    with pytest.raises(InterlockError) as error:
        bundle(module("a", entry_point=""))
    assert (error.value.code, str(error.value.path)) == ("document.missing-field", "modules[0].entry_point")


def test_j6_code_is_not_empty() -> None:
    refused("module.empty-blob")


def test_j7_what_is_in_the_bytes_is_the_verifiers_to_say() -> None:
    assert not check_content(payload(), {}).ok


def test_j8_modules_and_groups_agree() -> None:
    refused("payload.module-mismatch")
    refused("payload.missing-module")
    refused("payload.foreign-module")


def test_j9_the_stage_is_the_level_in_the_graph() -> None:
    refused("group.wrong-stage")


def test_j10_content_has_a_version_that_matches_exactly() -> None:
    report = check_content(bundle(module("a")), {("example-code", 2): lambda *_: None})  # type: ignore[dict-item,return-value]
    assert [gap.check for gap in report.unverified] == ["module.unknown-content"]


def test_j11_bytes_are_kept_as_they_are() -> None:
    code = TypedBytes("example-code", 1, b"\0 \xff any bytes")
    made = decode_payload(payload(lambda low, _: emitted(low, code=code)).binary())
    assert [bytes(blob) for blob in made.blobs.values()] == [code.data]


def test_j12_workgroups_are_those_of_the_graph() -> None:
    refused("payload.geometry-mismatch")


def test_j13_bindings_are_complete() -> None:
    refused("payload.missing-binding")
    refused("payload.slot-without-binding")


def test_j14_access_covers_what_the_kernel_writes() -> None:
    refused("payload.access-mismatch")


@pytest.mark.parametrize("bits", [0x7FC00000, 0x7F800000, 0xFF800000, 0x80000000, 0x00000001, 0xFFFFFFFF])
def test_j15_every_pattern_of_bits_survives(bits: int) -> None:
    raw = struct.pack("<I", bits)
    message = package()
    constant = message.artifacts[0].interface.constants.add(name="FILL", constant_id=0, element=14)
    constant.default_value.element, constant.default_value.bits = 14, raw
    seen: list[bytes] = []

    def emit(lowering: Dynamic, _: object) -> Dynamic:
        seen.extend(each.bits for program in lowering.programs for each in program.constants)
        return emitted(lowering, code=TypedBytes("example-code", 1, raw))

    made = compile_launch_groups(graph(), kernels(message), FORMAT, profile(), emit)
    assert seen == [raw]
    assert bytes(next(iter(decode_payload(made.binary()).blobs.values()))) == raw


def test_j16_sizes_and_counts_are_limited() -> None:
    frame = payload().binary()
    for limits, code in (
        (replace(DEFAULT_LIMITS, frame_bytes=100), "limit.frame-bytes"),
        (replace(DEFAULT_LIMITS, document_bytes=100), "limit.document-bytes"),
        (replace(DEFAULT_LIMITS, string_bytes=100), "limit.string-bytes"),
        (replace(DEFAULT_LIMITS, repeated_elements=2), "limit.repeated-elements"),
        (replace(DEFAULT_LIMITS, blob_bytes=10), "limit.blob-bytes"),
    ):
        assert codes_of(frame, limits=limits) == [code]
    envelope = attach_target(make_envelope(graph()), payload()).binary()
    assert codes_of(envelope, limits=replace(DEFAULT_LIMITS, nodes=3)) == ["limit.nodes"]


def test_k_everything_is_paired_by_group_and_never_by_position() -> None:
    made = payload()
    orders = [
        [each.id for each in made.message.groups],
        [each.group for each in bundle_of(made).message.modules],
        [node.id for node in graph().message.body.nodes if node.operation.HasField("dispatch")],  # type: ignore[attr-defined]
    ]
    assert orders[0] == ["a-second", "b-first", "c-apart"]
    assert orders[1] == ["b-first", "c-apart", "a-second"]
    read = find_payload(decode_envelope(attach_target(make_envelope(graph()), made).binary()), FORMAT)
    modules = {each.group: each for each in bundle_of(read).message.modules}
    for each in read.message.entries:
        assert tuple(each.geometry.workgroup_size) == SIZES[each.group]
        code = bytes(read.blobs[modules[each.group].code.blob.digest])
        kernel = {"a-second": b"copy", "b-first": b"scale", "c-apart": b"tally"}[each.group]
        assert code == b"compiled code of " + kernel


def test_k_entries_that_are_swapped_show() -> None:
    p = parts()
    one, two = p.payload.entries[0], p.payload.entries[1]
    one.group, two.group = two.group, one.group
    assert "payload.binding-without-slot" in codes_of(p.frame("payload"))
    p = parts()
    for binding, node in [(b, "b-first") for b in p.payload.entries[0].bindings]:
        binding.node = node
    for binding, node in [(b, "a-second") for b in p.payload.entries[1].bindings]:
        binding.node = node
    p.payload.entries[0].group, p.payload.entries[1].group = "b-first", "a-second"
    assert set(codes_of(p.frame("envelope"))) == {"payload.geometry-mismatch", "payload.resource-mismatch"}


def test_k_modules_that_are_swapped_show() -> None:
    p = parts()
    one, other = p.bundle.modules[0], p.bundle.modules[1]
    one.group, other.group = other.group, one.group
    assert set(codes_of(p.frame("payload"))) == {
        "payload.binding-without-slot",
        "payload.module-mismatch",
        "payload.slot-without-binding",
    }


def test_defect_1_the_whole_body_is_compared_and_not_a_part_of_it() -> None:
    frame = bundle(module("a")).binary()
    length = int.from_bytes(frame[8:16], "little")
    body, rest = frame[48 : 48 + length], frame[48 + length :]
    for longer in (body + b"\0", body + b"\x20", body + bytes(64)):
        sealed = (
            frame[:8] + len(longer).to_bytes(8, "little") + hashlib.sha256(longer).digest() + longer + rest
        )
        assert codes_of(sealed)[0].split(".")[0] in {"wire", "canonical"}
    for size in range(length):
        sealed = (
            frame[:8] + size.to_bytes(8, "little") + hashlib.sha256(body[:size]).digest() + body[:size] + rest
        )
        codes_of(sealed)


def test_defect_2_modules_may_have_one_entry_name() -> None:
    assert {each.entry_point for each in bundle_of(payload()).message.modules} == {"main"}


def test_defect_3_lists_are_not_paired_by_position() -> None:
    test_k_everything_is_paired_by_group_and_never_by_position()


def test_defect_4_the_version_is_judged_first() -> None:
    body = make_bundle([]).document.binary.replace(b"draft-1", b"draft-0") + b"\x12\x00"
    assert codes_of(sealed_body("TargetModuleBundle", body)) == ["version.unknown-feature"]


def test_defect_5_bits_survive() -> None:
    test_j15_every_pattern_of_bits_survives(0x7FC00000)


def test_defect_6_names_of_resources_play_no_part() -> None:
    renamed = copied(graph().message)
    for resource in renamed.resources:
        resource.id += "-renamed"
    for node in renamed.body.nodes:
        for binding in node.operation.dispatch.bindings if node.id != "ready" else ():
            binding.target.resource += "-renamed"
        if node.id == "ready":
            for selection in node.operation.barrier.statements[0].selections:
                selection.resource += "-renamed"
    assert compile_launch_groups(renamed, kernels(), FORMAT, profile(), emitted)


def test_defect_7_one_resource_may_be_at_two_slots_and_no_slot_twice() -> None:
    from interlock.author import full  # noqa: PLC0415 - only here
    from interlock.author.builder import GraphBuilder  # noqa: PLC0415 - only here

    made = GraphBuilder("in-place")
    made.artifact("scale")
    x = made.in_out("x", "f32", [64])
    made.dispatch(
        "only", artifact="scale", entry="main", reads={"src": x}, writes={"dst": full(x)}, groups=[1],
        workgroup_size=[64], tolerated_aliases=[("src", "dst")],
    )  # fmt: skip
    found = compile_launch_groups(made.build(), kernels(), FORMAT, profile(), emitted)
    assert [each.resource for each in found.message.entries[0].bindings] == ["x", "x"]
    refused("module.repeated-coordinate")
    p = parts()
    again = p.payload.entries[0].bindings.add()
    again.CopyFrom(p.payload.entries[0].bindings[0])
    again.coordinate.index = 30
    assert "payload.binding-without-slot" in codes_of(p.frame("payload"))


def test_defect_8_geometry_has_one_authority() -> None:
    refused("payload.geometry-mismatch")


def test_defect_9_the_span_is_recomputed() -> None:
    refused("payload.element-count-mismatch")


def test_defect_10_what_constructors_demand_decoding_demands() -> None:
    for change in (
        lambda p: p.payload.profile.__setattr__("generation", 0),
        lambda p: p.payload.profile.__setattr__("identity", ""),
        lambda p: p.payload.format.__setattr__("version", 0),
        lambda p: p.payload.profile.maximum_workgroup_size.__setitem__(0, 0),
        lambda p: p.payload.profile.__setattr__("maximum_workgroup_invocations", 0),
        lambda p: p.payload.profile.subgroup_sizes.__setitem__(0, 3),
    ):
        p = parts()
        change(p)
        decoding = codes_of(p.frame("payload"))
        with pytest.raises(InterlockError) as making:
            remade(payload(), profile=p.payload.profile, format=p.payload.format)
        assert [each.code for each in making.value.diagnostics] == decoding


def test_defect_11_order_and_encoding_have_codes_of_their_own() -> None:
    assert len({each.code for each in FAULTS}) == len(FAULTS)


def test_defect_12_nothing_is_found_by_a_path() -> None:
    made = bundle(module("a"))
    reference = copied(made.message.modules[0].code.blob)
    reference.location = "../../etc/passwd"
    assert made.blobs.read(reference) == b"a"


def test_defect_13_nesting_costs_nothing() -> None:
    big = TypedBytes("example-code", 1, bytes(range(256)) * 4096)
    made = attach_target(make_envelope(graph()), payload(lambda low, _: emitted(low, code=big)))
    assert made.size <= 1.02 * len(big.data) + 3 * 4096


def test_overhead_is_small_for_many_modules() -> None:
    modules = [module(f"group-{number:04}") for number in range(200)]
    made = bundle(*modules)
    code = sum(len(each.group) for each in modules)
    assert made.size <= 1.02 * code + 4096 * len(modules)
    assert decode_bundle(made.binary()) == made


def test_workgroup_limits_are_inclusive() -> None:
    exact = profile(
        maximum_workgroup_size=[64, 4, 1],
        maximum_workgroup_invocations=64,
        maximum_workgroup_count=[32, 3, 1],
        maximum_buffer_range=4096,
    )
    assert compile_launch_groups(graph(), kernels(), FORMAT, exact, emitted)


def test_a_full_write_is_not_only_read() -> None:
    reading = kernels(package({"scale": entry(slots=[slot("src", "READ"), slot("dst", "READ")])}))
    with pytest.raises(InterlockError) as error:
        compile_launch_groups(graph(), reading, FORMAT, profile(), emitted)
    assert [each.code for each in error.value.diagnostics] == ["payload.access-mismatch"]
