"""Translations with the real CrossTL, in a process of its own."""

from __future__ import annotations

import importlib.util
import os
from typing import TYPE_CHECKING

import pytest

import interlock
from compiled_samples import ADD, KERNELS, SCALE, one_kernel, reduction, sources, three_stages
from execgraph.v1 import interface_pb2
from interlock.package.profiles import profile
from interlock.target import (
    BundleError,
    EmissionError,
    InvalidArtifactError,
    TargetError,
    UnsupportedError,
    attach_target,
    bundle_of,
    compile_target,
    decode_envelope,
    find_payload,
    formats_of,
    make_envelope,
)
from interlock.target import crosstl as module
from interlock.target.crosstl import CrosstlCompiler
from interlock.target.glslang import GlslangCompiler
from package_support import require_tool

if TYPE_CHECKING:
    from pathlib import Path

    from interlock.document import Document
    from interlock.target import Kernels, SealedDocument

PROFILES = {
    "directx": profile("directx-12-fl11_0"),
    "metal": profile("metal-3"),
    "opengl": profile("opengl-4.3-minimum"),
    "vulkan": profile("vulkan-1.1-minimum"),
}
DISPATCH = 'body.nodes["scaling"].operation.dispatch'
HLSL = b"""\
RWStructuredBuffer<float> dst : register(u1);
StructuredBuffer<float> src : register(t0);
[numthreads(64, 1, 1)]
void CSMain(uint3 id : SV_DispatchThreadID) { dst[id.x] = src[id.x] * 2.0; }
"""


@pytest.fixture(autouse=True, scope="module")
def _library() -> None:
    if importlib.util.find_spec("crosstl") is None:
        if os.environ.get("INTERLOCK_REQUIRE_TOOLS") == "1":
            pytest.fail("CrossTL is not installed")
        pytest.skip("CrossTL is not installed")


def compiled(target: str, graph: Document, package: Kernels, **options: object) -> SealedDocument:
    return CrosstlCompiler(PROFILES[target], **options).compile(graph, package)


def refusal(
    kind: type[TargetError], target: str, graph: Document, package: Kernels, **options: object
) -> tuple[str, str, str]:
    with pytest.raises(kind) as refused:
        compiled(target, graph, package, **options)
    first = refused.value.diagnostics[0]
    assert type(refused.value) is kind
    return first.code, str(first.path), first.message


@pytest.mark.parametrize(
    ("target", "form", "content", "entry", "part"),
    [
        ("directx", "directx-source", "hlsl", "CSMain", b"[numthreads(64, 1, 1)]"),
        ("metal", "metal-source", "msl", "kernel_main", b"#include <metal_stdlib>"),
        ("opengl", "opengl-source", "glsl", "main", b"layout(local_size_x = 64"),
        ("vulkan", "vulkan-assembly", "spirv-assembly", "main", b"OpExecutionMode"),
    ],
)
def test_a_kernel_becomes_text_for_each_target(
    target: str, form: str, content: str, entry: str, part: bytes
) -> None:
    if target == "vulkan":
        require_tool("spirv-as")
    compiler = CrosstlCompiler(PROFILES[target])
    envelope = compile_target(one_kernel(), sources({"scale": SCALE}), compiler)
    assert decode_envelope(envelope.binary()) == envelope
    assert interlock.verify(envelope.document).diagnostics == ()
    payload = find_payload(envelope, (form, 1))
    producer = payload.message.header.producer
    assert (producer.name, producer.version) == ("crosstl", compiler.version)
    (found,) = bundle_of(payload).message.modules
    assert (found.code.content_type.identity, found.entry_point) == (content, entry)
    assert part in bytes(payload.blobs[found.code.blob.digest])
    (bound,) = payload.message.entries
    assert [(each.slot, each.coordinate.index) for each in bound.bindings] == [("src", 0), ("dst", 1)]
    evidence = interface_pb2.EVIDENCE_PROVEN if target == "vulkan" else interface_pb2.EVIDENCE_DECLARED
    assert {each.slot.evidence for each in found.slots} == {evidence}
    assert compiled(target, one_kernel(), sources({"scale": SCALE})).binary() == payload.binary()


def test_several_stages_become_metal_and_are_attached_beside_spirv() -> None:
    require_tool("glslangValidator")
    package, graph = sources({"scale": SCALE, "add": ADD}), three_stages()
    metal = compiled("metal", graph, package)
    assert [(each.stage, each.group) for each in bundle_of(metal).message.modules] == [
        (0, "y-right"),
        (0, "z-left"),
        (1, "m-sum"),
        (2, "a-last"),
    ]
    spirv = GlslangCompiler(PROFILES["vulkan"]).compile(graph, package)
    one = attach_target(attach_target(make_envelope(graph), metal), spirv)
    other = attach_target(attach_target(make_envelope(graph), spirv), metal)
    assert one.binary() == other.binary()
    assert formats_of(one) == (("metal-source", 1), ("vulkan-module", 1))


def test_hlsl_is_a_source_too() -> None:
    package = sources({"scale": HLSL}, target="directx", content="hlsl")
    (found,) = bundle_of(compiled("metal", one_kernel(), package, keep_sources=True)).message.modules
    assert found.entry_point == "CSMain"
    assert found.semantic.content_type.identity == "hlsl"


def test_registers_of_two_kinds_with_one_number_are_refused() -> None:
    package = sources({"scale": HLSL.replace(b"u1", b"u0")}, target="directx", content="hlsl")
    code, path, _ = refusal(BundleError, "directx", one_kernel(), package)
    assert (code, path) == ("module.repeated-coordinate", 'modules[0].slots["src"].coordinate')


def test_a_workgroup_size_that_the_translation_invents_is_refused() -> None:
    source = b"""\
#include <metal_stdlib>
using namespace metal;
kernel void main0(device const float* src [[buffer(0)]], device float* dst [[buffer(1)]],
                  uint id [[thread_position_in_grid]]) { dst[id] = 2.0f * src[id]; }
"""
    package = sources({"scale": source}, target="metal", content="msl")
    found = refusal(EmissionError, "directx", one_kernel(), package)
    assert found[0] == "emission.workgroup-mismatch"


@pytest.mark.parametrize("target", ["directx", "metal", "opengl"])
def test_a_constant_that_a_target_drops_is_refused(target: str) -> None:
    found = refusal(UnsupportedError, target, reduction(), sources(KERNELS))
    assert found == (
        "compiler.constant-dropped",
        'body.nodes["total"].operation.dispatch',
        (
            "launch group `total`: the translation has the default of `COUNT`, where the dispatch has "
            "another value"
        ),
    )


def test_a_constant_with_the_value_of_its_default_may_be_dropped() -> None:
    kernels = {**KERNELS, "grand_total": KERNELS["grand_total"].replace(b"COUNT = 1u", b"COUNT = 8u")}
    assert compiled("directx", reduction(), sources(kernels)).kind == "TargetPayload"


def test_spirv_assembly_keeps_constants() -> None:
    require_tool("spirv-as")
    assert compiled("vulkan", reduction(), sources(KERNELS)).kind == "TargetPayload"


def test_an_error_in_a_kernel_is_told_with_its_group() -> None:
    broken = sources({"scale": SCALE.replace(b"2.0 *", b"2.0 * (")})
    code, path, message = refusal(EmissionError, "metal", one_kernel(), broken)
    assert (code, path) == ("compiler.failed", DISPATCH)
    assert message.startswith("launch group `scaling`: CrossTL refuses `scale`: SyntaxError: ")


def test_another_workgroup_size_is_refused() -> None:
    package = sources({"scale": SCALE})
    found = refusal(EmissionError, "directx", one_kernel(workgroup_size=[32]), package)
    assert found[0] == "emission.workgroup-mismatch"


def test_a_slot_that_the_translation_does_not_have_is_refused() -> None:
    code, path, _ = refusal(EmissionError, "directx", one_kernel(slot="source"), sources({"scale": SCALE}))
    assert (code, path) == ("compiler.missing-slot", f'{DISPATCH}.bindings["source"]')


def test_files_are_not_included() -> None:
    package = sources({"scale": b'#include "/etc/passwd"\n' + HLSL}, target="directx", content="hlsl")
    assert refusal(EmissionError, "metal", one_kernel(), package)[0] == "compiler.include"


def test_what_crosstl_does_not_read_is_no_source() -> None:
    package = sources({"scale": b"\x03\x02\x23\x07"}, target="vulkan", content="spirv")
    code, path, _ = refusal(InvalidArtifactError, "metal", one_kernel(), package)
    assert (code, path) == ("compiler.missing-source", 'artifacts["scale"]')


def test_a_target_that_is_not_translated_for_is_refused() -> None:
    with pytest.raises(UnsupportedError) as refused:
        CrosstlCompiler(profile("cuda-sm50")).compile(one_kernel(), sources({"scale": SCALE}))
    assert refused.value.code == "compiler.wrong-target"


def test_without_an_assembler_nothing_is_proven_and_nothing_made() -> None:
    found = refusal(
        EmissionError, "vulkan", one_kernel(), sources({"scale": SCALE}), assembler="no-such-assembler"
    )
    assert found[0] == "compiler.missing-tool"


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib import metadata  # noqa: PLC0415 - only here

    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    found = refusal(EmissionError, "metal", one_kernel(), sources({"scale": SCALE}))
    assert found[0] == "compiler.missing-library"


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("import time; time.sleep(60)", "compiler.timeout"),
        ("print('x' * 2**22)", "compiler.output-too-large"),
        ("raise SystemExit(3)", "compiler.crashed"),
        ("pass", "compiler.crashed"),
        ("import pathlib, sys; pathlib.Path(sys.argv[5]).write_text('[' * 10**6)", "compiler.crashed"),
        ("import os; os.abort()", "compiler.crashed"),
    ],
)
def test_a_translator_that_misbehaves_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, code: str
) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text(script + "\n")
    monkeypatch.setattr(module, "_WORKER", worker)
    found = refusal(EmissionError, "metal", one_kernel(), sources({"scale": SCALE}), seconds=5.0)
    assert found[0] == code
