"""What the manifest of a CrossTL package says about interfaces, as facts about modules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

import pytest
from google.protobuf import text_format

from execgraph.v1 import interface_pb2
from foreign_packages import CROSSTL, changed, remarks
from interlock.diagnostic import Evidence
from interlock.limits import DEFAULT_LIMITS
from interlock.package.crosstl import read_crosstl
from interlock.package.crosstl_facts import read_facts
from interlock.package.facts import ModuleFacts, Place
from interlock.package.metadata import Record, place_of

if TYPE_CHECKING:
    from pathlib import Path

    from execgraph.v1 import package_pb2

MANIFEST = "runtime-package.json"
KERNEL = "slice_totals"

BUFFER = """
  name: "{name}"
  kind: SLOT_KIND_STORAGE_BUFFER
  storage_class: STORAGE_CLASS_GLOBAL
  access: {access}
"""
ELEMENTS = """
  element_type {{ element: ELEMENT_TYPE_U32 }}
  array_stride: 4
  alignment: 4
  runtime_sized: true
  packing: BUFFER_PACKING_{packing}
  members {{ {name} size: 4 element: ELEMENT_TYPE_U32 array_stride: 4 }}
"""


def facts_of(target: str) -> ModuleFacts:
    container = read_crosstl(CROSSTL)
    assert container.document is not None
    package = cast("package_pb2.Package", container.document.message)
    (artifact,) = (each for each in package.artifacts if each.id == KERNEL)
    (variant,) = (each for each in artifact.variants if each.target == target)
    (facts,) = container.declared[variant.blob.digest]
    return facts


def interface(
    entry: str, threads: int, packing: str, block: str = "", read: str = "READ"
) -> interface_pb2.Interface:
    text = f'entries {{ name: "{entry}" stage: STAGE_COMPUTE'
    for name, access in (("samples", read), ("partials", "READ_WRITE")):
        member = f'name: "{name}"' if block else ""
        text += " slots {" + BUFFER.format(name=name + block, access=f"ACCESS_MODE_{access}")
        text += (ELEMENTS.format(packing=packing, name=member) if packing else "") + "}"
    if threads:
        text += (
            f" workgroup_size {{ axes {{ literal: {threads} }} axes {{ literal: 1 }} axes {{ literal: 1 }} }}"
        )
    return text_format.Parse(text + "}", interface_pb2.Interface())


def test_directx_has_registers_of_two_kinds():
    facts = facts_of("directx")
    assert facts.interface == interface("CSMain", 32, "SCALAR")
    assert (facts.evidence, facts.source) == (Evidence.DECLARED, "the CrossTL manifest")
    assert facts.places == {("CSMain", "samples"): Place(0, 0, "t"), ("CSMain", "partials"): Place(0, 0, "u")}
    assert (facts.aliases, facts.unknown, facts.is_complete) == ({}, {}, False)


def test_metal_states_no_workgroup_size():
    facts = facts_of("metal")
    assert facts.interface == interface(KERNEL, 0, "METAL")
    assert facts.places == {
        (KERNEL, "samples"): Place(0, 0, "buffer"),
        (KERNEL, "partials"): Place(0, 1, "buffer"),
    }


def test_opengl_knows_a_buffer_by_its_block_and_by_its_member():
    facts = facts_of("opengl")
    assert facts.interface == interface("main", 32, "STD430", block="Buffer")
    assert facts.aliases == {("main", "samples"): "samplesBuffer", ("main", "partials"): "partialsBuffer"}
    assert facts.places[("main", "partialsBuffer")] == Place(0, 1, "buffer")


def test_vulkan_says_nothing_about_layouts():
    facts = facts_of("vulkan")
    assert facts.interface == interface(KERNEL, 32, "", read="READ_WRITE")
    assert facts.places == {(KERNEL, "samples"): Place(0, 0), (KERNEL, "partials"): Place(0, 1)}
    assert facts.aliases == {(KERNEL, "samplesBuffer"): "samples", (KERNEL, "partialsBuffer"): "partials"}
    reason = "the manifest has no `scalarLayout` for it"
    assert facts.unknown == {(KERNEL, "samples"): reason, (KERNEL, "partials"): reason}


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (None, "hostInterface"),
        ({"status": "unsupported"}, "hostInterface.status"),
        ({"status": "failed"}, "hostInterface.status"),
    ],
)
def test_no_interface_is_a_note_and_no_fact(tmp_path: Path, value: object, path: str):
    container = read_crosstl(changed(CROSSTL, tmp_path, MANIFEST, ("artifacts/0/hostInterface", value)))
    assert remarks(container) == []
    assert [(found.code, str(found.path)) for found in container.diagnostics] == [
        ("container.no-interface", f"{MANIFEST}.artifacts[0].{path}")
    ]
    assert len(container.declared) == 7


def test_two_records_of_the_same_bytes_both_say_what_they_know(tmp_path: Path):
    manifest = json.loads((CROSSTL / MANIFEST).read_text())
    again = {**manifest["artifacts"][0], "id": "again", "source": "other/k.hlsl"}
    container = read_crosstl(changed(CROSSTL, tmp_path, MANIFEST, ("artifacts/8", again)))
    counts = {len(facts) for facts in container.declared.values()}
    assert (counts, remarks(container)) == ({1, 2}, [])


# Records that this package does not have.


def read(target: str, **members: object) -> ModuleFacts:
    record = {"entryPoints": [{"name": "e", "stage": "compute"}], "resources": [], **members}
    return read_facts(Record(record, place_of("m")), target, DEFAULT_LIMITS.bindings)


def resource(name: str = "r", kind: str = "buffer", **members: object) -> dict[str, object]:
    return {"name": name, "kind": kind, **members}


def only_slot(target: str, **members: object) -> interface_pb2.Slot:
    (slot,) = read(target, resources=[resource(**members)]).interface.entries[0].slots  # type: ignore[arg-type]
    return slot


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("buffer", "STORAGE_BUFFER"),
        ("constant-buffer", "CONSTANT_BUFFER"),
        ("uniform", "INLINE_CONSTANTS"),
        ("texture", "SAMPLED_IMAGE"),
        ("storage-texture", "STORAGE_IMAGE"),
        ("sampler", "SAMPLER"),
        ("resource", "UNSPECIFIED"),
    ],
)
def test_kinds(kind: str, expected: str):
    slot = only_slot("vulkan", kind=kind, access="read")
    assert interface_pb2.SlotKind.Name(slot.kind) == f"SLOT_KIND_{expected}"


@pytest.mark.parametrize(
    ("target", "kind", "declared", "place"),
    [
        ("directx", "buffer", "StructuredBuffer<uint>", Place(2, 3, "t")),
        ("directx", "buffer", "RWByteAddressBuffer", Place(2, 3, "u")),
        ("directx", "buffer", "AppendStructuredBuffer<uint>", Place(2, 3, "u")),
        ("directx", "constant-buffer", "Parameters", Place(2, 3, "b")),
        ("directx", "texture", "Texture2D<float4>", Place(2, 3, "t")),
        ("directx", "storage-texture", "RWTexture2D<float4>", Place(2, 3, "u")),
        ("directx", "sampler", "SamplerState", Place(2, 3, "s")),
        ("opengl", "constant-buffer", "B", Place(2, 3, "uniform")),
        ("opengl", "storage-texture", "image2D", Place(2, 3, "image")),
        ("opengl", "texture", "sampler2D", Place(2, 3, "texture")),
        ("metal", "constant-buffer", "constant P&", Place(2, 3, "buffer")),
        ("metal", "texture", "texture2d<float>", Place(2, 3, "texture")),
        ("metal", "sampler", "sampler", Place(2, 3, "sampler")),
        ("webgpu", "buffer", "array<u32>", Place(2, 3)),
    ],
)
def test_places_are_numbered_by_kind_where_the_target_does(
    target: str, kind: str, declared: str, place: Place
):
    facts = read(target, resources=[resource(kind=kind, type=declared, set=2, binding=3)])
    assert facts.places == {("e", "r"): place}


def test_a_resource_without_a_binding_is_nowhere():
    assert read("webgpu", resources=[resource(set=None, binding=None)]).places == {}


def test_parameters_of_metal_belong_to_their_entry():
    entries = [{"name": "a", "stage": "compute"}, {"name": "b", "stage": "vertex"}]
    resources = [
        resource("x", binding=0, metadata={"entryPoint": "a"}),
        resource("x", binding=4, metadata={"entryPoint": "b"}),
        resource("shared", binding=1),
    ]
    facts = read("metal", entryPoints=entries, resources=resources)
    assert [[slot.name for slot in entry.slots] for entry in facts.interface.entries] == [
        ["shared", "x"],
        ["shared", "x"],
    ]
    assert (facts.places[("a", "x")].index, facts.places[("b", "x")].index) == (0, 4)
    assert [entry.stage for entry in facts.interface.entries] == [
        interface_pb2.STAGE_COMPUTE,
        interface_pb2.STAGE_VERTEX,
    ]


def test_resources_of_other_targets_belong_to_every_entry():
    entries = [{"name": "a", "stage": "compute"}, {"name": "b", "stage": "mesh"}]
    facts = read("vulkan", entryPoints=entries, resources=[resource("x", metadata={"entryPoint": "a"})])
    assert [[slot.name for slot in entry.slots] for entry in facts.interface.entries] == [["x"], ["x"]]
    assert facts.interface.entries[1].stage == interface_pb2.STAGE_UNSPECIFIED


def test_a_name_that_two_resources_have_says_nothing():
    facts = read("vulkan", resources=[resource("x", binding=0), resource("x", binding=1), resource("y")])
    assert [slot.name for slot in facts.interface.entries[0].slots] == ["y"]
    assert facts.unknown[("e", "x")] == "the manifest lists several resources of the name `x`"


def test_an_alias_that_two_slots_have_is_none():
    layout = {
        "elementType": "uint32",
        "elementSizeBytes": 4,
        "elementStrideBytes": 4,
        "runtimeSized": True,
        "memberName": "data",
    }
    resources = [
        resource("A", type="BlockA", scalarLayout=layout),
        resource("B", type="BlockB", scalarLayout=layout),
    ]
    assert read("opengl", resources=resources).aliases == {("e", "BlockA"): "A", ("e", "BlockB"): "B"}


LAYOUT = {
    "elementType": "float32",
    "elementSizeBytes": 12,
    "elementStrideBytes": 16,
    "alignmentBytes": 16,
    "memberOffsetBytes": 0,
    "runtimeSized": True,
    "storageLayout": "std430",
    "vectorWidth": 3,
    "minimumBindingSizeBytes": 28,
}


def test_vectors_have_components_and_a_stride():
    expected = """
        name: "r" kind: SLOT_KIND_STORAGE_BUFFER storage_class: STORAGE_CLASS_GLOBAL
        element_type { element: ELEMENT_TYPE_F32 }
        array_stride: 16 minimum_size: 28 alignment: 16 runtime_sized: true packing: BUFFER_PACKING_STD430
        members { size: 12 element: ELEMENT_TYPE_F32 vector_components: 3 array_stride: 16 }
    """
    assert only_slot("vulkan", scalarLayout=LAYOUT) == text_format.Parse(expected, interface_pb2.Slot())


def test_a_value_block_is_no_array():
    layout = {
        **LAYOUT,
        "elementType": "uint32",
        "runtimeSized": False,
        "storageLayout": "hlsl-constant-buffer",
    }
    layout |= {"blockSizeBytes": 16, "minimumBindingSizeBytes": 12, "elementStrideBytes": 12}
    expected = """
        name: "r" kind: SLOT_KIND_CONSTANT_BUFFER storage_class: STORAGE_CLASS_UNIFORM
        element_type { element: ELEMENT_TYPE_U32 }
        minimum_size: 16 alignment: 16 packing: BUFFER_PACKING_HLSL_CONSTANT_BUFFER
        members { size: 12 element: ELEMENT_TYPE_U32 vector_components: 3 }
    """
    slot = only_slot("directx", kind="constant-buffer", scalarLayout=layout)
    assert slot == text_format.Parse(expected, interface_pb2.Slot())


def test_structures_have_members():
    members = [
        {
            "name": "b",
            "physicalType": "int64_t",
            "elementType": "int64",
            "offsetBytes": 8,
            "sizeBytes": 24,
            "arrayLength": 3,
            "arrayStrideBytes": 8,
        },
        {"name": "a", "physicalType": "float", "offsetBytes": 0},
    ]
    layout = {
        "elementType": "record",
        "elementSizeBytes": 32,
        "elementStrideBytes": 32,
        "alignmentBytes": 8,
        "runtimeSized": True,
        "storageLayout": "metal-buffer",
        "structMembers": members,
    }
    expected = """
        name: "r" kind: SLOT_KIND_STORAGE_BUFFER storage_class: STORAGE_CLASS_GLOBAL
        array_stride: 32 alignment: 8 runtime_sized: true packing: BUFFER_PACKING_METAL
        members { name: "a" size: 4 element: ELEMENT_TYPE_F32 }
        members { name: "b" offset: 8 size: 8 element: ELEMENT_TYPE_I64 array_stride: 8 array_count: 3 }
    """
    assert only_slot("metal", scalarLayout=layout) == text_format.Parse(expected, interface_pb2.Slot())


def test_specialization_constants():
    constants = [
        {"name": "width", "id": 3, "dtype": "uint", "default": 64},
        {"name": "fast", "id": 4, "dtype": "bool", "default": True},
        {"name": "scale", "dtype": "float", "default": 0.5},
        {"name": "text", "dtype": "uint", "default": "WIDTH"},
        {"name": "negative", "dtype": "uint", "default": -1},
        {"name": "number", "dtype": "bool", "default": 1},
        {"name": "fraction", "dtype": "int", "default": 1.5},
        {"name": "wide", "dtype": "half", "default": 1e9},
        {"name": "required", "id": 5, "dtype": "ushort"},
        {"name": "gone", "id": 6, "dtype": "bool", "value": True, "frozen": True},
        {"name": "odd", "dtype": "float3x3"},
    ]
    facts = read(
        "vulkan",
        specializationConstants=constants,
        entryPoints=[
            {"name": "e", "stage": "compute", "executionConfig": {"local_size": ["width", 2, 1]}},
            {"name": "f", "stage": "compute", "executionConfig": {"local_size": ["2 * width", 2, 1]}},
        ],
    )
    expected = r"""
        constants {
          name: "width" constant_id: 3 element: ELEMENT_TYPE_U32
          default_value { element: ELEMENT_TYPE_U32 bits: "@\000\000\000" }
        }
        constants {
          name: "fast" constant_id: 4 element: ELEMENT_TYPE_BOOL
          default_value { element: ELEMENT_TYPE_BOOL bits: "\001" }
        }
        constants {
          name: "scale" element: ELEMENT_TYPE_F32
          default_value { element: ELEMENT_TYPE_F32 bits: "\000\000\000?" }
        }
        constants { name: "text" element: ELEMENT_TYPE_U32 }
        constants { name: "negative" element: ELEMENT_TYPE_U32 }
        constants { name: "number" element: ELEMENT_TYPE_BOOL }
        constants { name: "fraction" element: ELEMENT_TYPE_I32 }
        constants { name: "wide" element: ELEMENT_TYPE_F16 }
        constants { name: "required" constant_id: 5 element: ELEMENT_TYPE_U16 }
        constants { name: "odd" }
    """
    found = interface_pb2.Interface(constants=facts.interface.constants)
    assert found == text_format.Parse(expected, interface_pb2.Interface())
    first, second = facts.interface.entries
    assert [axis.constant or axis.literal for axis in first.workgroup_size.axes] == ["width", 2, 1]
    assert not second.HasField("workgroup_size")


def test_a_manifest_that_lists_constants_lists_all_of_them():
    assert read("vulkan", specializationConstants=[]).knows_constants
    assert not read("vulkan").knows_constants
    assert facts_of("directx").knows_constants
