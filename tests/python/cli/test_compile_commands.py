"""compile, attach, and what verify and inspect make of sealed frames."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import interlock
from compiled_samples import EXAMPLE, KERNELS, one_kernel
from interlock.package.oci import write_layout
from interlock.target import bundle_of, decode_envelope, find_payload, formats_of
from interlock.target.frame import BODY_AT
from package_support import require_tool

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Ran

    Run = Callable[..., Ran]

PACKAGE = """\
id: "kernels"
artifacts {
  id: "grand_total"
  variants {
    target: "opengl"
    content_type { identity: "glsl" version: 1 }
    blob { location: "grand_total.comp" }
  }
}
artifacts {
  id: "slice_totals"
  variants {
    target: "opengl"
    content_type { identity: "glsl" version: 1 }
    blob { location: "slice_totals.comp" }
  }
}
"""
COMPILE = ("compile", "graph.txtpb", "--container", "kernels.tar", "--target", "vulkan")


@pytest.fixture
def kernels(documents: Path, run: Run) -> Path:
    """The folder of the small documents, with the example of the documentation and its kernels packed."""
    require_tool("glslangValidator")
    for name, data in KERNELS.items():
        (documents / f"{name}.comp").write_bytes(data)
    (documents / "graph.txtpb").write_bytes((EXAMPLE / "graph.txtpb").read_bytes())
    (documents / "kernels.txtpb").write_text(PACKAGE)
    assert run("pack", "kernels.txtpb", "-o", "kernels.tar").code == 0
    return documents


@pytest.fixture
def envelope(kernels: Path, run: Run) -> Path:
    """An envelope of that graph."""
    assert run(*COMPILE, "-o", "sum.envelope").code == 0
    return kernels / "sum.envelope"


def codes(ran: Ran) -> list[str]:
    return [each["code"] for each in json.loads(ran.out)["diagnostics"]]


def test_compile_seals_an_envelope_and_prints_what_is_in_it(run: Run, kernels: Path):
    done = run(*COMPILE, "--profile", "vulkan-1.1-minimum", "-o", "sum.envelope")
    found = decode_envelope((kernels / "sum.envelope").read_bytes())
    version = find_payload(found, ("vulkan-module", 1)).message.header.producer.version
    sizes = [
        each.code.blob.size for each in bundle_of(find_payload(found, ("vulkan-module", 1))).message.modules
    ]
    assert (done.code, done.errors) == (0, "")
    assert done.text == (
        f"{found.digest}  sum.envelope\n"
        "payloads (1)\n"
        f"  vulkan-module 1  for `vulkan-1.1-minimum`, generation 1 (vulkan), by glslang {version}\n"
        "    2 launch groups\n"
        f"    stage 0  slices: `main`, spirv 1, {sizes[0]:,} bytes, 2 slots (2 proven)\n"
        f"    stage 1  total: `main`, spirv 1, {sizes[1]:,} bytes, 2 slots (2 proven)\n"
    )
    first = (kernels / "sum.envelope").read_bytes()
    assert run(*COMPILE, "--profile", "vulkan-1.1-minimum", "-o", "again").code == 0
    assert (kernels / "again").read_bytes() == first


def test_compile_takes_the_graph_out_of_a_package(run: Run, kernels: Path):
    assert run("add", "kernels.tar", "--graph", "graph.txtpb", "--embed").code == 0
    done = run("compile", "kernels.tar", "--target", "vulkan", "-o", "one")
    assert (done.code, done.errors) == (0, "")
    assert run("compile", "kernels.tar", "--graph", "reduction", "--target", "vulkan", "-o", "two").code == 0
    assert run(*COMPILE, "-o", "three").code == 0
    assert (
        (kernels / "one").read_bytes() == (kernels / "two").read_bytes() == (kernels / "three").read_bytes()
    )
    done = run("compile", "kernels.tar", "--graph", "other", "--target", "vulkan", "-o", "four")
    assert (done.code, done.errors) == (
        2,
        "interlock: error[usage.invalid-value] there is no graph `other`; `kernels.tar` holds `reduction`\n",
    )
    assert not (kernels / "four").exists()


def test_compile_reports_as_json_and_writes_to_standard_output(run: Run, kernels: Path):
    done = run(*COMPILE, "-o", "sum.envelope", "--format", "json")
    report = json.loads(done.out)
    found = decode_envelope((kernels / "sum.envelope").read_bytes())
    assert (done.code, report["verdict"]) == (0, "VERDICT_NOT_JUDGED")
    assert (report["subject"]["kind"], report["subject"]["digest"]) == ("Envelope", found.digest)
    done = run(*COMPILE, "-o", "-")
    assert (done.code, done.out) == (0, found.binary())
    assert run(*COMPILE, "-o", "-", "--format", "json").code == 2


def test_compile_refuses_with_exit_code_1_and_writes_nothing(run: Run, kernels: Path):
    source = KERNELS["grand_total"].replace(b"sum += partials[i];", b"sum += ;")
    (kernels / "grand_total.comp").write_bytes(source)
    assert run("pack", "kernels.txtpb", "-o", "broken.tar").code == 0
    words = (
        "compile",
        "graph.txtpb",
        "--container",
        "broken.tar",
        "--target",
        "vulkan",
        "-o",
        "sum.envelope",
    )
    done = run(*words)
    assert (done.code, done.text) == (1, "")
    assert done.errors.startswith(
        'graph.txtpb: body.nodes["total"].operation.dispatch: error[compiler.failed] launch group `total`: '
    )
    done = run(*words, "--format", "json")
    assert (done.code, codes(done)) == (1, ["compiler.failed"])
    assert json.loads(done.out)["diagnostics"][0]["elements"] == [{"id": "total", "idSpace": "launch-group"}]
    assert not (kernels / "sum.envelope").exists()


def test_compile_tells_what_this_machine_lacks_from_what_is_refused(run: Run, kernels: Path):
    done = run(*COMPILE, "--program", "no-such-program", "-o", "sum.envelope", "--format", "json")
    assert (done.code, codes(done)) == (2, ["compiler.missing-tool"])
    done = run("compile", "graph.txtpb", "--target", "vulkan", "-o", "sum.envelope")
    assert (done.code, "usage.missing-argument" in done.errors) == (2, True)
    done = run(*COMPILE, "--profile", "metal-3", "-o", "sum.envelope")
    assert (done.code, "usage.conflict" in done.errors) == (2, True)
    done = run(*COMPILE, "--variant", "scale", "-o", "sum.envelope")
    assert (done.code, "usage.invalid-value" in done.errors) == (2, True)
    done = run(*COMPILE, "--graph", "reduction", "-o", "sum.envelope")
    assert (done.code, "usage.conflict" in done.errors) == (2, True)
    assert not (kernels / "sum.envelope").exists()


def test_compile_for_another_target_goes_through_crosstl(run: Run, kernels: Path):
    pytest.importorskip("crosstl")
    done = run("compile", "graph.txtpb", "--container", "kernels.tar", "--target", "metal", "-o", "sum.metal")
    assert (done.code, done.text) == (1, "")
    assert "error[compiler.constant-dropped]" in done.errors
    fixed = KERNELS["grand_total"].replace(b"COUNT = 1u", b"COUNT = 8u")
    (kernels / "grand_total.comp").write_bytes(fixed)
    assert run("pack", "kernels.txtpb", "-o", "kernels.tar", "--force").code == 0
    done = run("compile", "graph.txtpb", "--container", "kernels.tar", "--target", "metal", "-o", "sum.metal")
    assert (done.code, done.errors) == (0, "")
    done = run("verify", "sum.metal", "--format", "json")
    report = json.loads(done.out)
    assert (done.code, report["verdict"]) == (3, "VERDICT_UNVERIFIED")
    assert [each["check"] for each in report["unverified"]] == ["module.unknown-content"] * 2
    assert run("verify", "sum.metal", "--allow-unverified").code == 0


def test_attach_puts_payloads_of_one_graph_together(run: Run, envelope: Path):
    require_tool("spirv-as")
    pytest.importorskip("crosstl")
    words = (*COMPILE, "--compiler", "crosstl", "-o", "sum.assembly")
    assert run(*words).code == 0
    one = run("attach", "sum.envelope", "sum.assembly", "-o", "both")
    assert (one.code, one.errors) == (0, "")
    both = decode_envelope((envelope.parent / "both").read_bytes())
    assert formats_of(both) == (("vulkan-assembly", 1), ("vulkan-module", 1))
    assert one.text.startswith(f"{both.digest}  both\npayloads (2)\n  vulkan-assembly 1  for ")
    assert run("attach", "sum.assembly", "sum.envelope", "-o", "other").code == 0
    assert (envelope.parent / "other").read_bytes() == (envelope.parent / "both").read_bytes()
    payload = find_payload(both, ("vulkan-assembly", 1))
    (envelope.parent / "alone").write_bytes(payload.binary())
    assert run("attach", "sum.envelope", "alone", "-o", "sum.envelope").code == 0
    assert envelope.read_bytes() == (envelope.parent / "both").read_bytes()


def test_attach_changes_nothing_where_it_refuses(run: Run, envelope: Path):
    before = envelope.read_bytes()
    done = run("attach", "sum.envelope", "sum.envelope", "-o", "sum.envelope")
    assert (done.code, done.text) == (1, "")
    assert done.errors == (
        "sum.envelope: payloads[0].format: error[envelope.duplicate-format] the envelope has a payload of "
        "format `vulkan-module 1` already\n"
    )
    from interlock.target import make_envelope  # noqa: PLC0415 - only here

    (envelope.parent / "stranger").write_bytes(make_envelope(one_kernel()).binary())
    done = run("attach", "stranger", "sum.envelope", "-o", "sum.envelope", "--format", "json")
    assert (done.code, codes(done)) == (1, ["payload.graph-mismatch"])
    payload = find_payload(decode_envelope(before), ("vulkan-module", 1))
    (envelope.parent / "payload").write_bytes(payload.binary())
    done = run("attach", "payload", "sum.envelope", "-o", "sum.envelope", "--format", "json")
    assert (done.code, codes(done)) == (2, ["input.wrong-kind"])
    done = run("attach", "graph.txtpb", "sum.envelope", "-o", "sum.envelope", "--format", "json")
    assert (done.code, codes(done)) == (2, ["frame.unknown-magic"])
    assert envelope.read_bytes() == before


def test_verify_judges_the_document_and_the_bytes_of_a_frame(run: Run, envelope: Path):
    done = run("verify", "sum.envelope", "--format", "json")
    report = json.loads(done.out)
    assert (done.code, report["verdict"], report["subject"]["kind"]) == (0, "VERDICT_SOUND", "Envelope")
    assert report["subject"]["digest"] == decode_envelope(envelope.read_bytes()).digest
    assert run("verify", "-", stdin=envelope.read_bytes()).code == 0
    payload = find_payload(decode_envelope(envelope.read_bytes()), ("vulkan-module", 1))
    (envelope.parent / "payload").write_bytes(payload.binary())
    done = run("verify", "payload", "--format", "json")
    assert (done.code, [each["check"] for each in json.loads(done.out)["unverified"]]) == (3, ["payload"])


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (lambda data: data[:20], "frame.truncated"),
        (lambda data: data[:-1], "frame.missing-blob"),
        (lambda data: data + b"\0", "frame.trailing-bytes"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "frame.blob-digest-mismatch"),
        (
            lambda data: data[:BODY_AT] + bytes([data[BODY_AT] ^ 1]) + data[BODY_AT + 1 :],
            "frame.digest-mismatch",
        ),
        (lambda data: data[:4] + b"\x09" + data[5:], "frame.unknown-version"),
    ],
)
def test_verify_and_inspect_refuse_damaged_frames(
    run: Run, envelope: Path, damage: Callable[[bytes], bytes], code: str
):
    envelope.write_bytes(damage(envelope.read_bytes()))
    for command in ("verify", "inspect"):
        done = run(command, "sum.envelope", "--format", "json")
        report = json.loads(done.out)
        report = report.get("report", report)
        assert (done.code, report["verdict"]) == (2, "VERDICT_UNREADABLE")
        assert [each["code"] for each in report["diagnostics"]] == [code]


def test_verify_finds_the_rules_that_a_sealed_document_breaks(run: Run, envelope: Path):
    from target_samples import sealed  # noqa: PLC0415 - only here

    found = decode_envelope(envelope.read_bytes())
    message = type(found.message)()
    message.CopyFrom(found.message)
    message.payloads[0].format.version = 2
    envelope.write_bytes(sealed(message, dict(found.blobs)))
    done = run("verify", "sum.envelope", "--format", "json")
    report = json.loads(done.out)
    assert (done.code, report["verdict"]) == (1, "VERDICT_UNSOUND")
    assert [(each["code"], each["path"]) for each in report["diagnostics"]] == [
        ("payload.format-mismatch", "payloads[0].format")
    ]


def test_verify_looks_into_the_bytes_of_modules(run: Run, envelope: Path):
    from interlock.target import attach_target, compile_launch_groups, graph_of, make_envelope  # noqa: PLC0415
    from interlock.target.lowering import EmittedModule, TypedBytes  # noqa: PLC0415

    found = decode_envelope(envelope.read_bytes())
    payload = find_payload(found, ("vulkan-module", 1))
    slots = {each.group: each for each in bundle_of(payload).message.modules}

    def emit(lowering, _):  # noqa: ANN001, ANN202
        module = slots[lowering.group]
        facts = tuple(each.SerializeToString(deterministic=True) for each in module.slots)
        code = bytes(payload.blobs[module.code.blob.digest])
        if lowering.group == "slices":
            return EmittedModule("main", TypedBytes("spirv", 1, b"no SPIR-V at all"), slots=facts)
        return EmittedModule("start", TypedBytes("spirv", 1, code), slots=facts)

    package = interlock.open_container("kernels.tar")
    from interlock.target import CompileOptions  # noqa: PLC0415

    broken = compile_launch_groups(
        graph_of(found), package, payload.message.format, payload.message.profile, emit,
        options=CompileOptions(source_target="opengl"),
    )  # fmt: skip
    envelope.write_bytes(attach_target(make_envelope(graph_of(found)), broken).binary())
    done = run("verify", "sum.envelope", "--format", "json")
    assert done.code == 1
    inside = "payloads[0].payload.body.bundle.body"
    assert [(each["code"], each["path"]) for each in json.loads(done.out)["diagnostics"]] == [
        ("module.content-refused", f"{inside}.modules[0].code"),
        ("module.entry-not-in-code", f"{inside}.modules[1].entry_point"),
    ]


@pytest.mark.parametrize(
    ("name", "change", "texts"),
    [
        ("samples", {"slot": {"access": "ACCESS_MODE_READ_WRITE"}}, ()),
        (
            "partials",
            {"slot": {"access": "ACCESS_MODE_READ"}},
            (
                (
                    "`partials`: the access is claimed to be `ACCESS_MODE_READ`; that of the code is "
                    "ACCESS_MODE_WRITE"
                ),
            ),
        ),
        (
            "samples",
            {"slot": {"kind": "SLOT_KIND_CONSTANT_BUFFER"}},
            (
                (
                    "`samples`: it is claimed to be `SLOT_KIND_CONSTANT_BUFFER`; the code has "
                    "SLOT_KIND_STORAGE_BUFFER"
                ),
            ),
        ),
        (
            "samples",
            {"coordinate": {"index": 5}},
            (
                "the code has nothing at group 0, index 5",
                "the code takes `Samples` at group 0, index 0, which the module does not list",
            ),
        ),
    ],
)
def test_verify_holds_the_claims_of_modules_against_their_bytes(
    run: Run, envelope: Path, name: str, change: dict[str, dict[str, object]], texts: tuple[str, ...]
):
    from google.protobuf import json_format  # noqa: PLC0415 - only here

    from interlock.target import make_bundle  # noqa: PLC0415

    bundle = bundle_of(find_payload(decode_envelope(envelope.read_bytes()), ("vulkan-module", 1)))
    modules = [type(each).FromString(each.SerializeToString()) for each in bundle.message.modules]
    slot = next(each for each in modules[0].slots if each.name == name)
    json_format.ParseDict(change, slot)
    (envelope.parent / "bundle").write_bytes(make_bundle(modules, bundle.blobs).binary())
    done = run("verify", "bundle", "--format", "json")
    listed = [
        (each["code"], each["path"], each["message"]) for each in json.loads(done.out).get("diagnostics", ())
    ]
    places = (f'modules[0].slots["{name}"]', "modules[0].slots")
    expected = [
        ("module.claim-contradicted", place, text) for place, text in zip(places, texts, strict=False)
    ]
    assert (done.code, listed) == (1 if texts else 0, expected)


@pytest.mark.parametrize("output", ["graph.txtpb", "./graph.txtpb", "kernels.tar"])
def test_no_input_is_overwritten(run: Run, kernels: Path, output: str):
    before = (kernels / output).read_bytes()
    done = run(*COMPILE, "-o", output)
    text = f"interlock: error[usage.conflict] `{output}` is an input; name another file with `-o`\n"
    assert (done.code, done.errors) == (2, text)
    assert (kernels / output).read_bytes() == before


def test_inspect_lists_payloads_and_modules(run: Run, envelope: Path):
    done = run("inspect", "sum.envelope")
    compiled = run(*COMPILE, "-o", "sum.envelope").text
    assert (done.code, done.errors) == (0, "")
    assert done.text.endswith("\n\n" + compiled.partition("\n")[2])
    assert "\n  payloads " in done.text
    done = run("inspect", "sum.envelope", "--format", "json")
    assert (done.code, json.loads(done.out)["report"]["verdict"]) == (0, "VERDICT_SOUND")
    bundle = bundle_of(find_payload(decode_envelope(envelope.read_bytes()), ("vulkan-module", 1)))
    (envelope.parent / "bundle").write_bytes(bundle.binary())
    done = run("inspect", "bundle")
    assert (done.code, "\nmodules (2)\n  stage 0  slices: `main`, spirv 1, " in done.text) == (0, True)


def test_a_frame_takes_no_container(run: Run, envelope: Path):
    done = run("verify", "sum.envelope", "--container", "kernels.tar", "--format", "json")
    assert (done.code, codes(done)) == (2, ["usage.conflict"])
    assert envelope.exists()


def test_a_kind_that_is_asked_for_counts(run: Run, envelope: Path):
    done = run("verify", "sum.envelope", "--kind", "TargetPayload", "--format", "json")
    assert (done.code, codes(done)) == (2, ["frame.kind-mismatch"])
    assert envelope.exists()


def test_limits_bound_frames(run: Run, envelope: Path):
    done = run("verify", "sum.envelope", "--limit", "frame_bytes=100", "--format", "json")
    assert (done.code, codes(done)) == (2, ["limit.frame-bytes"])
    assert envelope.exists()


def test_a_package_in_a_folder_is_compiled_too(run: Run, kernels: Path):
    container = interlock.open_container(kernels / "kernels.tar")
    assert container.document is not None
    write_layout(container.document, container.blobs, kernels / "layout")
    done = run("compile", "graph.txtpb", "--container", "layout", "--target", "vulkan", "-o", "a")
    assert (done.code, done.errors) == (0, "")
    assert run(*COMPILE, "-o", "b").code == 0
    assert (kernels / "a").read_bytes() == (kernels / "b").read_bytes()
