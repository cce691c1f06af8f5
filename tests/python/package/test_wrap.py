"""One packaged entry as a graph of one dispatch, by reference."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from google.protobuf import text_format

import interlock
from execgraph.v1 import access_pb2, graph_pb2, package_pb2, resource_pb2, type_pb2
from foreign_packages import CROSSTL, NATIVE, SOURCE, changed, copied, every_file, read_as_an_old_reader
from interlock.cli import main
from interlock.diagnostic import Severity
from interlock.document import Document
from interlock.errors import TransformFailure
from interlock.limits import DEFAULT_LIMITS
from interlock.package.blobs import memory_blobs
from interlock.package.container import Container
from interlock.package.crosstl import read_crosstl
from interlock.package.opening import open_container
from interlock.package.wrap import Wrapping, wrap
from interlock.rules.context import Surroundings

if TYPE_CHECKING:
    from collections.abc import Callable

READ, WRITE = access_pb2.ACCESS_MODE_READ, access_pb2.ACCESS_MODE_WRITE
DIGEST = f"sha256:{'1' * 64}"


def message(document: Document) -> graph_pb2.ExecutionGraph:
    return cast("graph_pb2.ExecutionGraph", document.message)


def bindings(document: Document) -> dict[str, Any]:
    dispatch = message(document).body.nodes[0].operation.dispatch
    return {binding.slot: binding for binding in dispatch.bindings}


def resources(document: Document) -> dict[str, tuple[str, int]]:
    return {
        resource.id: (
            resource_pb2.ResourceRole.Name(resource.role).removeprefix("RESOURCE_ROLE_"),
            resource.size.constant,
        )
        for resource in message(document).resources
    }


def is_sound(document: Document) -> bool:
    return interlock.verify(document).verdict == interlock.Verdict.SOUND


SLICE = Wrapping([8], {"samples": 4096, "partials": 32})


def test_a_wrapped_kernel_is_sound_alone():
    document = wrap(open_container(CROSSTL), "slice_totals", "slice_totals", SLICE)
    assert is_sound(document)
    assert resources(document) == {
        "partials": ("EXTERNAL_INPUT_OUTPUT", 32),
        "samples": ("EXTERNAL_INPUT", 4096),
    }
    assert {slot: (each.access, each.coverage) for slot, each in bindings(document).items()} == {
        "partials": (access_pb2.ACCESS_MODE_READ_WRITE, access_pb2.COVERAGE_UNSPECIFIED),
        "samples": (READ, access_pb2.COVERAGE_UNSPECIFIED),
    }


def test_every_target_is_pinned_to_its_bytes():
    document = wrap(open_container(CROSSTL), "slice_totals", "slice_totals", SLICE)
    (artifact,) = message(document).artifacts
    package = cast("package_pb2.Package", cast("Document", read_crosstl(CROSSTL).document).message)
    (packaged,) = (each for each in package.artifacts if each.id == "slice_totals")
    assert [(pin.target, pin.digest, pin.size) for pin in artifact.pins] == [
        (variant.target, variant.blob.digest, variant.blob.size) for variant in packaged.variants
    ]
    assert [pin.target for pin in artifact.pins] == ["directx", "metal", "opengl", "vulkan"]
    assert artifact.provenance.source.uri == "kernels/slice_totals.hlsl"


def test_what_is_overwritten_is_an_output_on_request():
    wrapping = Wrapping([8, 1, 1], SLICE.sizes, full=["partials"], target="directx")
    document = wrap(open_container(CROSSTL), "slice_totals", "CSMain", wrapping)
    expected = """
        id: "slice_totals.CSMain"
        resources {
          id: "partials" role: RESOURCE_ROLE_EXTERNAL_OUTPUT type { element: ELEMENT_TYPE_U32 }
          shape { constant: 8 } size { constant: 32 } alignment: 4
        }
        resources {
          id: "samples" role: RESOURCE_ROLE_EXTERNAL_INPUT type { element: ELEMENT_TYPE_U32 }
          shape { constant: 1024 } size { constant: 4096 } alignment: 4
        }
        body { nodes { id: "CSMain" operation { dispatch {
          artifact: "slice_totals" entry: "CSMain"
          bindings {
            slot: "partials" target { resource: "partials" } access: ACCESS_MODE_WRITE coverage: COVERAGE_FULL
          }
          bindings { slot: "samples" target { resource: "samples" } access: ACCESS_MODE_READ }
          geometry {
            workgroup_count {
              extents { counts { constant: 8 } counts { constant: 1 } counts { constant: 1 } }
            }
            workgroup_size: 32
          }
        } } } }
        maximum_node_executions: 1
    """
    found = graph_pb2.ExecutionGraph()
    found.CopyFrom(message(document))
    found.ClearField("header")
    found.ClearField("artifacts")
    assert found == text_format.Parse(expected, graph_pb2.ExecutionGraph())
    assert is_sound(document)


def test_slots_may_be_named_as_the_target_names_them():
    # CrossTL reflects the block of GLSL as the slot, and its member as another name of it.
    wrapping = Wrapping([8], {"samples": 4096, "partialsBuffer": 32}, full=["partials"])
    document = wrap(open_container(CROSSTL), "slice_totals", "main", wrapping)
    assert resources(document) == {
        "partialsBuffer": ("EXTERNAL_OUTPUT", 32),
        "samplesBuffer": ("EXTERNAL_INPUT", 4096),
    }
    assert is_sound(document)


SCALE = Wrapping(
    [16],
    {"ValuesBlock": 4096, "ScaledBlock": 4096, "Parameters": 8},
    full=["ScaledBlock"],
    access={"ValuesBlock": READ, "ScaledBlock": WRITE},
)


@pytest.mark.parametrize("package", [NATIVE, SOURCE])
def test_a_package_that_states_no_access_is_told_it(package: Path):
    document = wrap(open_container(package), "scale_bias", "main", SCALE)
    assert is_sound(document)
    assert bindings(document)["Parameters"].usage == access_pb2.USAGE_SHADER_CONSTANT
    assert resources(document) == {
        "Parameters": ("EXTERNAL_INPUT", 8),
        "ScaledBlock": ("EXTERNAL_OUTPUT", 4096),
        "ValuesBlock": ("EXTERNAL_INPUT", 4096),
    }


def test_a_wrapped_graph_fits_its_package(tmp_path: Path):
    for package, name, entry, wrapping, target in (
        (CROSSTL, "slice_totals", "CSMain", Wrapping([8], SLICE.sizes, target="directx"), "directx"),
        (NATIVE, "scale_bias", "main", SCALE, "vulkan"),
    ):
        used = copied(package, tmp_path)
        container = open_container(used)
        document = wrap(container, name, entry, wrapping)
        surroundings = Surroundings(container, {target})
        report = interlock.verify(document, surroundings=surroundings)
        assert [str(found) for found in report.diagnostics if found.severity is Severity.ERROR] == []
        assert every_file(used) == every_file(package)


@pytest.mark.parametrize(("package", "target"), [(NATIVE, "vulkan"), (SOURCE, "opengl")])
def test_a_constant_that_the_package_does_not_list_is_unknown(package: Path, target: str):
    container = open_container(package)
    graph = message(wrap(container, "scale_bias", "main", SCALE))
    value = graph.body.nodes[0].operation.dispatch.specialization.add(name="nope")
    value.value.element, value.value.bits = type_pb2.ELEMENT_TYPE_BOOL, b"\1"
    report = interlock.verify(Document.from_message(graph), surroundings=Surroundings(container, {target}))
    found = [each.code for each in report.diagnostics if each.severity is Severity.ERROR]
    assert found == ["specialization.unknown-constant"]


# Old readers know nothing of graphs, and read a package that one refers to.


def test_every_file_stays_and_old_readers_read_on(tmp_path: Path):
    used = copied(NATIVE, tmp_path)
    wrap(open_container(used), "scale_bias", "main", SCALE)
    assert every_file(used) == every_file(NATIVE)
    assert read_as_an_old_reader(used) == read_as_an_old_reader(NATIVE)
    used = copied(CROSSTL, tmp_path)
    wrap(open_container(used), "slice_totals", "slice_totals", SLICE)
    assert every_file(used) == every_file(CROSSTL)
    from crosstl.project import inspect_runtime_package  # noqa: PLC0415  (slow to load)

    result = inspect_runtime_package(used / "runtime-package.json")
    assert (result["success"], result["diagnostics"]) == (True, [])


# What stands in the way.


def refused(container: Container, artifact: str, entry: str, wrapping: Wrapping) -> list[tuple[str, str]]:
    with pytest.raises(TransformFailure) as failure:
        wrap(container, artifact, entry, wrapping)
    return [(found.code, str(found.path)) for found in failure.value.diagnostics]


ARTIFACT = 'artifacts["slice_totals"]'


@pytest.mark.parametrize(
    ("artifact", "entry", "wrapping", "expected"),
    [
        ("other", "CSMain", SLICE, [("wrap.missing-artifact", "")]),
        ("slice_totals", "other", SLICE, [("wrap.missing-entry", ARTIFACT)]),
        (
            "slice_totals",
            "CSMain",
            Wrapping([8], SLICE.sizes, target="metal"),
            [("wrap.missing-entry", ARTIFACT)],
        ),
        (
            "slice_totals",
            "CSMain",
            Wrapping([8], SLICE.sizes, target="webgpu"),
            [("wrap.missing-variant", ARTIFACT)],
        ),
        ("slice_totals", "CSMain", Wrapping([], SLICE.sizes), [("wrap.invalid-count", ARTIFACT)]),
        ("slice_totals", "CSMain", Wrapping([1, 1, 1, 1], SLICE.sizes), [("wrap.invalid-count", ARTIFACT)]),
        ("slice_totals", "CSMain", Wrapping([0], SLICE.sizes), [("wrap.invalid-count", ARTIFACT)]),
        ("slice_totals", "CSMain", Wrapping([1 << 32], SLICE.sizes), [("wrap.invalid-count", ARTIFACT)]),
        ("slice_totals", "CSMain", Wrapping([1], {"samples": 4}), [("wrap.missing-size", ARTIFACT)]),
        (
            "slice_totals",
            "CSMain",
            Wrapping([1], {"samples": 6, "partials": 0}),
            [("wrap.invalid-size", ARTIFACT)] * 2,
        ),
        (
            "slice_totals",
            "CSMain",
            Wrapping([1], {**SLICE.sizes, "x": 1}, full=["y"], access={"z": READ}),
            [("wrap.unknown-slot", ARTIFACT)] * 3,
        ),
        (
            "slice_totals",
            "CSMain",
            Wrapping([1], SLICE.sizes, full=["samples"]),
            [("wrap.contradicted-access", ARTIFACT)],
        ),
        (
            "slice_totals",
            "CSMain",
            Wrapping([1], SLICE.sizes, access={"samples": WRITE}),
            [("wrap.contradicted-access", ARTIFACT)],
        ),
    ],
)
def test_what_cannot_be_wrapped_is_told(
    artifact: str, entry: str, wrapping: Wrapping, expected: list[tuple[str, str]]
):
    assert refused(open_container(CROSSTL), artifact, entry, wrapping) == expected


def test_an_access_that_nobody_states_is_asked_for():
    wrapping = Wrapping([16], SCALE.sizes)
    found = refused(open_container(SOURCE), "scale_bias", "main", wrapping)
    assert found == [("wrap.unknown-access", 'artifacts["scale_bias"]')] * 2


def test_a_package_with_errors_is_not_wrapped(tmp_path: Path):
    package = changed(CROSSTL, tmp_path, "runtime-package.json", ("success", False))
    found = refused(open_container(package), "slice_totals", "CSMain", SLICE)
    assert found == [("container.not-packaged", "runtime-package.json.success")]
    folder = Container("folder", "x", None, memory_blobs({}, DEFAULT_LIMITS))
    assert refused(folder, "a", "e", SLICE) == [("wrap.missing-artifact", "")]


def variant(name: str = "") -> str:
    return (
        f'variants {{ target: "metal" name: "{name}" content_type {{ identity: "msl" version: 1 }} '
        f'blob {{ digest: "{DIGEST}" size: 1 }} }}'
    )


def packaged(slots: str, interface: str = "", variants: str = variant()) -> Container:
    """A container with one artifact whose document describes it."""
    text = f"""
        id: "p"
        artifacts {{
          id: "a"
          interface {{ entries {{ name: "e" stage: STAGE_COMPUTE {slots} }} {interface} }}
          {variants}
        }}
    """
    document = Document.from_message(text_format.Parse(text, package_pb2.Package()))
    return Container("oci-layout", "p", document, memory_blobs({}, DEFAULT_LIMITS))


STORAGE = "kind: SLOT_KIND_STORAGE_BUFFER access: ACCESS_MODE_READ"


def test_a_package_of_our_own_is_wrapped_too():
    container = packaged(
        f"""
        slots {{ name: "bytes" {STORAGE} }}
        slots {{ name: "later" {STORAGE} optional_binding: true }}
        slots {{ name: "local" {STORAGE} storage_class: STORAGE_CLASS_SHARED }}
        slots {{ name: "traps" {STORAGE} role: SLOT_ROLE_RUNTIME_DIAGNOSTIC }}
        slots {{
          name: "vectors" {STORAGE} element_type {{ element: ELEMENT_TYPE_F32 }}
          array_stride: 16 alignment: 16
        }}
        slots {{
          name: "block" kind: SLOT_KIND_CONSTANT_BUFFER minimum_size: 12
          members {{ size: 4 element: ELEMENT_TYPE_F32 }}
          members {{ offset: 4 size: 8 element: ELEMENT_TYPE_U32 vector_components: 2 }}
        }}
        """
    )
    document = wrap(container, "a", "e", Wrapping([1], {"bytes": 7, "vectors": 64}))
    assert is_sound(document)
    shapes = {
        resource.id: (resource.type.element, [extent.constant for extent in resource.shape])
        for resource in message(document).resources
    }
    u8, f32 = type_pb2.ELEMENT_TYPE_U8, type_pb2.ELEMENT_TYPE_F32
    assert shapes == {"block": (u8, [12]), "bytes": (u8, [7]), "vectors": (f32, [4, 4])}
    assert not message(document).body.nodes[0].operation.dispatch.geometry.workgroup_size


@pytest.mark.parametrize(
    ("container", "code"),
    [
        (lambda: packaged('slots { name: "i" kind: SLOT_KIND_STORAGE_IMAGE }'), "wrap.unsupported-slot"),
        (lambda: packaged('slots { name: "i" kind: SLOT_KIND_INLINE_CONSTANTS }'), "wrap.unsupported-slot"),
        (lambda: packaged(f'slots {{ name: "i" {STORAGE} array_count: 2 }}'), "wrap.unsupported-slot"),
        (
            lambda: packaged('slots { name: "i" kind: SLOT_KIND_STORAGE_BUFFER access: ACCESS_MODE_ATOMIC }'),
            "wrap.unsupported-slot",
        ),
        (
            lambda: packaged("", interface='constants { name: "c" element: ELEMENT_TYPE_U32 }'),
            "wrap.unset-constant",
        ),
        (
            lambda: packaged(
                "",
                variants=variant("a") + variant("b"),
            ),
            "wrap.ambiguous-variant",
        ),
    ],
)
def test_what_a_wrapped_graph_cannot_say_is_refused(container: Callable[[], Container], code: str):
    assert [
        found
        for found, _ in refused(container(), "a", "e", Wrapping([1], {"i": 4} if "slot" in code else {}))
    ] == [code]


def test_graphics_entries_are_not_dispatched():
    text = text_format.MessageToString(cast("Document", packaged("").document).message)
    vertex = text.replace("STAGE_COMPUTE", "STAGE_VERTEX")
    document = Document.from_message(text_format.Parse(vertex, package_pb2.Package()))
    container = Container("oci-layout", "p", document, memory_blobs({}, DEFAULT_LIMITS))
    assert refused(container, "a", "e", Wrapping([1])) == [("wrap.not-compute", 'artifacts["a"]')]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    words = ["wrap", str(NATIVE), "--artifact", "scale_bias", "--entry", "main", "--count", "16"]
    sizes = ["--bytes", "ValuesBlock=4096", "--bytes", "ScaledBlock=4096", "--bytes", "Parameters=8"]
    access = ["--access", "ValuesBlock=read", "--access", "ScaledBlock=write", "--full", "ScaledBlock"]
    assert main([*words, *sizes, *access, "-o", "g.json"]) == 0
    assert Path("g.json").read_bytes() == wrap(open_container(NATIVE), "scale_bias", "main", SCALE).json()
    capsys.readouterr()
    assert main([*words, *access, "--format", "json", "-o", "h.json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert {finding["code"] for finding in report["diagnostics"]} == {"wrap.missing-size"}
    for wrong in (["--bytes", "x"], ["--bytes", "x=-1"], ["--access", "x=all"], ["--count", "a"]):
        assert main([*words, *wrong, "-o", "h.json"]) == 2
        assert "usage.invalid-value" in capsys.readouterr().err
    assert not Path("h.json").exists()
