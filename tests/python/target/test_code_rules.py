"""Modules of SPIR-V are judged by their bytes beside the graph, whatever payload and modules say of them."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from compiled_samples import KERNELS, SCALE, one_kernel, reduction, sources
from glslang_support import VULKAN, compiled, refusal
from interlock.author import full
from interlock.author.builder import GraphBuilder
from interlock.target import EmissionError, attach_target, decode_envelope, make_envelope
from interlock.target.blobs import digest_of
from interlock.target.reporting import with_content
from interlock.verification import verify
from target_faults import Parts, of
from target_samples import chain

if TYPE_CHECKING:
    from pathlib import Path

    from interlock.document import Document
    from interlock.report.model import Report

pytestmark = pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="needs glslangValidator")

CODE = "payloads[0].payload.body.bundle.body.modules[{}].code"
SRC, DST = 1, 0
"""The positions of the slots in the module."""


def scaled(graph: Document | None = None) -> Parts:
    graph = graph or one_kernel()
    return of(compiled(graph, sources({"scale": SCALE})), graph)


def reduced() -> Parts:
    return of(compiled(reduction(), sources(KERNELS)), reduction())


def recoded(parts: Parts, folder: Path, source: bytes, *, module: int = 0, stage: str = "comp") -> Parts:
    """Put other code into a module, which claims all it did."""
    (folder / f"kernel.{stage}").write_bytes(source)
    command = ["glslangValidator", "--target-env", "vulkan1.1", "-o", "kernel.spv", f"kernel.{stage}"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    code = (folder / "kernel.spv").read_bytes()
    parts.blobs = {**parts.blobs, digest_of(code): memoryview(code)}
    blob = parts.bundle.modules[module].code.blob
    blob.digest, blob.size = digest_of(code), len(code)
    return parts


def report_of(parts: Parts) -> Report:
    sealed = decode_envelope(parts.frame("envelope"))
    return with_content(verify(sealed.document), sealed)


def found(parts: Parts) -> list[tuple[str, str]]:
    return [(each.code, str(each.path)) for each in report_of(parts).diagnostics]


def left_open(parts: Parts) -> list[tuple[str, str]]:
    return [(gap.check, str(gap.path)) for gap in report_of(parts).unverified if gap.required]


def changed(old: bytes, new: bytes, source: bytes = SCALE) -> bytes:
    assert old in source
    return source.replace(old, new)


def test_what_was_compiled_is_sound() -> None:
    for parts in (scaled(), reduced()):
        assert found(parts) == []
        assert left_open(parts) == []


def test_a_write_that_nothing_claims_is_found(tmp_path: Path) -> None:
    source = changed(b"readonly ", b"", changed(b"{ dst[", b"{ src[0] = 1.0; dst["))
    parts = recoded(scaled(), tmp_path, source)
    for claim in parts.bundle.modules[0].slots:
        claim.slot.access = 0
    assert found(parts) == [("interface.access-understated", CODE.format(0))]


def test_elements_of_another_type_are_found(tmp_path: Path) -> None:
    source = changed(b"float dst", b"uint dst", changed(b"= 2.0 * src[gl_GlobalInvocationID.x]", b"= 2u"))
    assert found(recoded(scaled(), tmp_path, source)) == [
        ("layout.element-mismatch", CODE.format(0)),
    ]


def test_fewer_bytes_than_the_code_takes_are_found(tmp_path: Path) -> None:
    parts = recoded(scaled(), tmp_path, changed(b"float src[];", b"float src[4096];"))
    for claim in parts.bundle.modules[0].slots:
        claim.slot.ClearField("minimum_size")
    assert found(parts) == [("layout.too-small", CODE.format(0))]


def test_inline_constants_that_nothing_sets_are_found(tmp_path: Path) -> None:
    source = changed(b"void main", b"layout(push_constant) uniform P { float k; } p;\nvoid main")
    parts = recoded(scaled(), tmp_path, changed(b"2.0", b"p.k", source))
    assert found(parts) == [("interface.unbound-slot", CODE.format(0))]


def test_a_constant_that_the_code_lacks_is_found(tmp_path: Path) -> None:
    plain = changed(b"layout(constant_id = 0) ", b"", KERNELS["grand_total"])
    parts = recoded(reduced(), tmp_path, plain, module=1)
    assert found(parts) == [("specialization.unknown-constant", CODE.format(1))]


def test_a_constant_of_another_name_is_left_open(tmp_path: Path) -> None:
    renamed = changed(b"COUNT", b"MANY", KERNELS["grand_total"])
    parts = recoded(reduced(), tmp_path, renamed, module=1)
    assert found(parts) == []
    assert ("specialization.unknown-constant", CODE.format(1)) in left_open(parts)


def test_code_of_another_stage_is_found(tmp_path: Path) -> None:
    source = changed(
        b"layout(local_size_x = 64) in;", b"", changed(b"gl_GlobalInvocationID.x", b"gl_VertexIndex")
    )
    assert found(recoded(scaled(), tmp_path, source, stage="vert")) == [
        ("interface.wrong-stage", CODE.format(0)),
    ]


def test_a_workgroup_size_that_a_constant_leaves_at_its_default_is_found(tmp_path: Path) -> None:
    parts = recoded(scaled(), tmp_path, changed(b"local_size_x = 64", b"local_size_x_id = 3"))
    assert found(parts) == [("geometry.workgroup-mismatch", CODE.format(0))]


def test_all_shared_memory_of_the_code_is_stated() -> None:
    for stated, codes in ((256, []), (257, []), (255, ["module.shared-memory-understated"])):
        parts = reduced()
        parts.payload.entries[0].shared_bytes = stated
        assert [code for code, _ in found(parts)] == codes


@pytest.mark.parametrize(("element", "count"), [(5, 0), (0, 8)])
def test_an_array_that_the_code_does_not_have_is_found(element: int, count: int) -> None:
    parts = scaled()
    claim = parts.bundle.modules[0].slots[SRC]
    claim.slot.array_count = count
    claim.coordinate.array_element = element
    for binding in parts.payload.entries[0].bindings:
        if binding.slot == claim.slot.name:
            binding.coordinate.array_element = element
    place = CODE.format(0).replace("code", f'slots["{claim.name}"]')
    assert found(parts) == [("module.claim-contradicted", place)]


def test_a_storage_buffer_is_not_in_a_uniform_block() -> None:
    parts = scaled()
    claim = parts.bundle.modules[0].slots[SRC]
    claim.slot.storage_class = 3
    for binding in parts.payload.entries[0].bindings:
        if binding.slot == claim.slot.name:
            binding.storage_class = 3
    assert [code for code, _ in found(parts)] == ["module.claim-contradicted"]


def test_a_slot_of_the_runtime_is_not_bound_by_the_graph(tmp_path: Path) -> None:
    source = changed(
        b"void main() {", b"layout(binding = 7) buffer Trap { uint trap; };\nvoid main() { trap = 1u;"
    )
    parts = recoded(scaled(), tmp_path, source)
    assert [code for code, _ in found(parts)] == ["module.claim-contradicted", "interface.unbound-slot"]
    slot = parts.bundle.modules[0].slots.add(name="trap")
    slot.coordinate.index = 7
    slot.slot.name, slot.slot.kind, slot.slot.role, slot.slot.access = "trap", 1, 2, 3
    assert found(parts) == []


def test_exact_threads_are_what_the_graph_wants() -> None:
    graph = GraphBuilder("exact")
    x, y = graph.input("x", "f32", [1000]), graph.output("y", "f32", [1000])
    values: dict[str, Any] = {"elements": [1000], "workgroup_size": [64], "exact_threads": True}
    graph.dispatch(
        "scaling", artifact=graph.artifact("scale"), entry="main", reads={"src": x},
        writes={"dst": full(y)}, **values,
    )  # fmt: skip
    profile = type(VULKAN)()
    profile.CopyFrom(VULKAN)
    profile.capabilities.append(
        profile.DESCRIPTOR.file.pool.FindEnumTypeByName("execgraph.v1.Capability")
        .values_by_name["CAPABILITY_EXACT_THREADS"]
        .number
    )
    document = graph.build()
    made = compiled(document, sources({"scale": SCALE}), profile=profile)
    sealed = attach_target(make_envelope(document), made)
    report = with_content(verify(sealed.document), sealed)
    assert [each.code for each in report.diagnostics] == []


def test_what_a_compiler_made_is_judged_before_it_is_returned() -> None:
    source = changed(b"float dst", b"uint dst", changed(b"= 2.0 * src[gl_GlobalInvocationID.x]", b"= 2u"))
    code, path, _ = refusal(EmissionError, one_kernel(), sources({"scale": source}))
    assert (code, path) == ("layout.element-mismatch", "bundle.body.modules[0].code")


def test_loops_are_the_business_of_the_runtime() -> None:
    document = chain(looped=True)
    made = compiled(document, sources({"scale": SCALE}))
    sealed = attach_target(make_envelope(document), made)
    assert with_content(verify(sealed.document), sealed).diagnostics == ()
