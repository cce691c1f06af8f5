"""GLSL to SPIR-V with the real program, and everything that it may do wrong."""

from __future__ import annotations

import hashlib
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

import interlock
from compiled_samples import ADD, KERNELS, SCALE, one_kernel, reduction, sources, three_stages
from execgraph.v1 import blob_pb2, interface_pb2, package_pb2
from glslang_support import DISPATCH, VULKAN, compiled, edited, refusal
from interlock.document import Document
from interlock.target import (
    EmissionError,
    InvalidArtifactError,
    Kernels,
    PayloadError,
    UnsupportedError,
    attach_target,
    bundle_of,
    compile_target,
    decode_envelope,
    find_payload,
    make_envelope,
)
from interlock.target.blobs import BlobStore, digest_of
from interlock.target.glslang import GlslangCompiler
from package_support import require_tool

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True, scope="module")
def _tool() -> None:
    require_tool("glslangValidator")


def test_the_example_becomes_an_envelope_that_is_read_and_looked_up() -> None:
    envelope = compile_target(reduction(), sources(KERNELS), GlslangCompiler(VULKAN))
    assert decode_envelope(envelope.binary()) == envelope
    assert interlock.verify(envelope.document).diagnostics == ()
    payload = find_payload(envelope, ("vulkan-module", 1))
    producer = payload.message.header.producer
    assert producer.name == "glslang"
    assert producer.version == GlslangCompiler(VULKAN).version
    entries = {each.group: each for each in payload.message.entries}
    assert [(each.slot, each.resource, each.coordinate.index) for each in entries["total"].bindings] == [
        ("partials", "partials", 0),
        ("total", "result", 1),
    ]
    assert (entries["slices"].shared_bytes, entries["total"].shared_bytes) == (256, 0)
    modules = bundle_of(payload).message.modules
    assert [(each.stage, each.group, each.entry_point) for each in modules] == [
        (0, "slices", "main"),
        (1, "total", "main"),
    ]
    for module in modules:
        assert (module.code.content_type.identity, module.code.content_type.version) == ("spirv", 1)
        assert {each.slot.evidence for each in module.slots} == {interface_pb2.EVIDENCE_PROVEN}
        assert not module.HasField("semantic")


def test_the_bytes_are_those_of_the_program_run_by_hand(tmp_path: Path) -> None:
    (tmp_path / "k.comp").write_bytes(KERNELS["grand_total"])
    command = ["glslangValidator", "-S", "comp", "--target-env", "vulkan1.1", "-o", "k.spv", "k.comp"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    by_hand = (tmp_path / "k.spv").read_bytes()
    assert f"sha256:{hashlib.sha256(by_hand).hexdigest()}" in compiled(reduction(), sources(KERNELS)).blobs


def test_two_runs_in_any_folder_and_thread_give_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = compiled(three_stages(), sources({"scale": SCALE, "add": ADD})).binary()
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    with ThreadPoolExecutor(3) as pool:
        found = set(
            pool.map(
                lambda _: compiled(three_stages(), sources({"scale": SCALE, "add": ADD})).binary(), range(3)
            )
        )
    assert found == {first}
    assert b"interlock-" not in first
    assert list(tmp_path.iterdir()) == []


def test_groups_of_several_stages_are_paired_by_id() -> None:
    payload = compiled(three_stages(), sources({"scale": SCALE, "add": ADD}))
    modules = bundle_of(payload).message.modules
    assert [(each.stage, each.group) for each in modules] == [
        (0, "y-right"),
        (0, "z-left"),
        (1, "m-sum"),
        (2, "a-last"),
    ]
    code = {each.group: each.code.blob.digest for each in modules}
    assert code["y-right"] == code["z-left"] == code["a-last"] != code["m-sum"]
    assert len(payload.blobs) == 2
    entries = {each.group: each for each in payload.message.entries}
    assert [(each.slot, each.coordinate.index) for each in entries["m-sum"].bindings] == [
        ("right", 1),
        ("sum", 2),
        ("left", 3),
    ]
    assert list(entries["m-sum"].geometry.workgroup_size) == [32, 1, 1]
    assert list(entries["a-last"].geometry.workgroup_size) == [64, 1, 1]


def test_a_payload_is_attached_to_another_envelope() -> None:
    payload = compiled(reduction(), sources(KERNELS))
    envelope = attach_target(make_envelope(reduction()), payload)
    assert find_payload(envelope, ("vulkan-module", 1)) == payload
    other = make_envelope(one_kernel())
    with pytest.raises(PayloadError) as refused:
        attach_target(other, payload)
    assert refused.value.code == "payload.graph-mismatch"


def test_sources_are_kept_on_request() -> None:
    payload = compiled(one_kernel(), sources({"scale": SCALE}), keep_sources=True)
    (module,) = bundle_of(payload).message.modules
    assert bytes(payload.blobs[module.semantic.blob.digest]) == SCALE
    assert module.semantic.content_type == blob_pb2.ContentType(identity="glsl", version=1)


# What kernels take that graphs do not give.


def test_a_slot_that_the_graph_does_not_bind_is_refused() -> None:
    extra = (
        b"layout(std430, set = 0, binding = 2) buffer More { float more[]; };\nvoid main() { more[0] = 1.0; "
    )
    found = refusal(PayloadError, one_kernel(), edited(SCALE, b"void main() { ", extra))
    assert found == (
        "payload.slot-without-binding",
        'entries["scaling"].bindings',
        "slot `More` of `scaling` is not bound",
    )


def test_a_slot_that_the_kernel_does_not_have_is_refused() -> None:
    found = refusal(EmissionError, one_kernel(slot="source"), sources({"scale": SCALE}))
    assert found == (
        "compiler.missing-slot",
        f'{DISPATCH}.bindings["source"]',
        "launch group `scaling`: the code has no slot `source`; it has `Dst`, `Src`",
    )


def test_more_access_than_the_graph_declares_is_refused() -> None:
    writing = SCALE.replace(b"readonly buffer Src", b"buffer Src").replace(b"{ dst", b"{ src[0] = 1.0; dst")
    code, path, _ = refusal(PayloadError, one_kernel(), sources({"scale": writing}))
    assert (code, path.rpartition(".")[2]) == ("payload.access-mismatch", "access")


def test_more_bytes_than_the_graph_binds_are_refused() -> None:
    fixed = edited(SCALE, b"float src[];", b"float src[2000];")
    assert refusal(EmissionError, one_kernel(), fixed) == (
        "compiler.too-little-bound",
        f'{DISPATCH}.bindings["src"]',
        "launch group `scaling`: the code takes `8000` bytes of `src`; 4096 are bound",
    )


def test_inline_constants_that_nobody_sets_are_refused() -> None:
    pushed = SCALE.replace(b"void main", b"layout(push_constant) uniform P { float by; } p;\nvoid main")
    pushed = pushed.replace(b"2.0 *", b"p.by *")
    code, path, message = refusal(EmissionError, one_kernel(), sources({"scale": pushed}))
    assert (code, path) == ("compiler.unset-inline-constants", f"{DISPATCH}.inline_constants")
    assert "takes inline constants in `p`" in message


def test_another_workgroup_size_than_the_code_has_is_refused() -> None:
    code, _, message = refusal(EmissionError, one_kernel(workgroup_size=[32]), sources({"scale": SCALE}))
    assert code == "emission.workgroup-mismatch"
    assert "`scaling`" in message


def test_a_workgroup_size_is_that_after_specialization() -> None:
    sized = edited(SCALE, b"layout(local_size_x = 64) in;", b"layout(local_size_x_id = 7) in;")
    assert refusal(EmissionError, one_kernel(), sized)[0] == "emission.workgroup-mismatch"
    message: Any = one_kernel().message
    graph = type(message)()
    graph.CopyFrom(message)
    constant = graph.body.nodes[0].operation.dispatch.specialization.add(constant_id=7)
    constant.value.element, constant.value.bits = "ELEMENT_TYPE_U32", (64).to_bytes(4, "little")
    payload = compiled(Document.from_message(graph), sized)
    assert list(payload.message.entries[0].geometry.workgroup_size) == [64, 1, 1]
    constant.value.element = "ELEMENT_TYPE_I32"
    assert refusal(EmissionError, Document.from_message(graph), sized)[0] == "compiler.constant-mismatch"
    constant.value.element, constant.constant_id = "ELEMENT_TYPE_U32", 8
    code, path, _ = refusal(EmissionError, Document.from_message(graph), sized)
    assert code == "compiler.unknown-constant"
    assert path.startswith(f"{DISPATCH}.specialization")


def test_a_capability_that_the_profile_does_not_offer_is_refused() -> None:
    counting = b"""\
#version 450
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) readonly buffer Src { float src[]; };
layout(std430, set = 0, binding = 1) buffer Dst { uint64_t dst[]; };
void main() { atomicAdd(dst[0], uint64_t(src[0])); }
"""
    code, path, message = refusal(UnsupportedError, one_kernel(), sources({"scale": counting}))
    assert (code, path) == ("compiler.capability-not-offered", DISPATCH)
    assert message == (
        "launch group `scaling`: the code needs `atomic_int64`, which the profile `vulkan-1.1-minimum` does "
        "not offer"
    )


def _declared(**facts: object) -> Kernels:
    """Return the package of `scale` with an interface of its own slots."""
    package: Any = sources({"scale": SCALE}).document
    message = package_pb2.Package()
    message.CopyFrom(package.message)
    entry = message.artifacts[0].interface.entries.add(name="main", stage="STAGE_COMPUTE")
    for name in ("src", "dst"):
        values = {"kind": "SLOT_KIND_STORAGE_BUFFER", **facts.get(name, {})}
        entry.slots.add(name=name, **values)
    mapping = message.artifacts[0].variants[0].entries.add(entry="main")
    for name, index in facts.get("places", {}).items():
        mapping.slots.add(slot=name).coordinate.index = index
    return Kernels(Document.from_message(message), BlobStore([SCALE]))


def test_what_the_package_declares_is_held_against_the_bytes() -> None:
    assert compiled(one_kernel(), _declared()).message.entries[0].group == "scaling"
    code, _, message = refusal(
        EmissionError, one_kernel(), _declared(src={"kind": "SLOT_KIND_CONSTANT_BUFFER"})
    )
    assert (code, "the kind of `src`" in message) == ("compiler.interface-contradicted", True)
    found = refusal(EmissionError, one_kernel(), _declared(places={"src": 5, "dst": 1}))
    assert found[0] == "compiler.coordinate-mismatch"


# Which variants are sources.


def test_a_variant_for_vulkan_goes_before_one_for_opengl() -> None:
    both: Any = sources({"scale": SCALE}).document
    message = package_pb2.Package()
    message.CopyFrom(both.message)
    broken = b"#version 450\nbroken"
    variant = message.artifacts[0].variants.add(target="vulkan")
    variant.content_type.identity, variant.content_type.version = "glsl", 1
    variant.blob.digest, variant.blob.size = digest_of(broken), len(broken)
    package = Kernels(Document.from_message(message), BlobStore([SCALE, broken]))
    assert refusal(EmissionError, one_kernel(), package)[0] == "compiler.failed"


def test_a_package_without_sources_is_refused_before_anything_runs() -> None:
    found = refusal(
        InvalidArtifactError,
        one_kernel(),
        sources({"scale": b"\x03\x02\x23\x07"}, target="vulkan", content="spirv"),
    )
    assert found == (
        "compiler.missing-source",
        'artifacts["scale"]',
        (
            "the artifact `scale` has no variant that is GLSL (`glsl 1`, for `vulkan` or `opengl`); it has "
            "`spirv 1` for `vulkan`"
        ),
    )


def test_a_pin_of_the_source_holds() -> None:
    message: Any = one_kernel().message
    graph = type(message)()
    graph.CopyFrom(message)
    graph.artifacts[0].pins.add(target="opengl", digest=digest_of(b"other"), size=5)
    document = Document.from_message(graph)
    assert refusal(InvalidArtifactError, document, sources({"scale": SCALE}))[0] == "compile.pin-mismatch"
    graph.artifacts[0].pins[0].digest, graph.artifacts[0].pins[0].size = digest_of(SCALE), len(SCALE)
    assert compiled(Document.from_message(graph), sources({"scale": SCALE})).kind == "TargetPayload"


def test_an_entry_that_is_not_main_is_refused_unless_it_is_mapped() -> None:
    assert (
        refusal(EmissionError, one_kernel(entry="scaled"), sources({"scale": SCALE}))[0]
        == "compiler.wrong-entry"
    )
    assert (
        refusal(EmissionError, one_kernel(), sources({"scale": SCALE}, entry="other"))[0]
        == "compiler.wrong-entry"
    )
