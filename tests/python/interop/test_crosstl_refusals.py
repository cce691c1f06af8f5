"""What cannot be mapped is refused, all of it, each with its code and its place in the CrossTL document."""

from __future__ import annotations

import pytest

from interlock.diagnostic import NamedElement
from interlock.errors import ImportFailure
from interlock.interop.crosstl import import_crosstl
from interlock.interop.crosstl.codes import CROSSTL_ERRORS
from interop.crosstl_support import base, buffer, dispatch, fill, graph, imported, refusals, spoiled
from interop.test_crosstl_reading import STRUCTURE

GEOMETRY = "nodes/0/dispatch/geometry"


LAYOUT = "resources/0/physicalLayout"


MEANING: list[tuple[str, object, str, str]] = [
    ("id", "a b", "crosstl.invalid-id", "id"),
    ("id", "_a", "crosstl.invalid-id", "id"),
    ("resources/3/id", "flag ", "crosstl.invalid-id", "resources[3].id"),
    ("resources/3/id", "f" * 256, "crosstl.invalid-id", "resources[3].id"),
    ("resources/3/id", "x", "crosstl.duplicate-id", "resources[3].id"),
    ("nodes/3/id", "f\n", "crosstl.invalid-id", "nodes[3].id"),
    ("nodes/3/id", "b", "crosstl.duplicate-id", "nodes[3].id"),
    ("resources/0/role", "External-Input", "crosstl.unsupported-role", "resources[0].role"),
    ("resources/0/kind", "texture", "crosstl.unsupported-resource-kind", "resources[0].kind"),
    ("resources/0/dtype", None, "crosstl.missing-dtype", "resources[0].dtype"),
    ("resources/0/dtype", "float8", "crosstl.unsupported-dtype", "resources[0].dtype"),
    ("resources/0/dtype", "int_t", "crosstl.unsupported-dtype", "resources[0].dtype"),
    ("resources/0/shape", [-1], "crosstl.invalid-shape", "resources[0].shape"),
    ("resources/0/shape", [1 << 63], "crosstl.invalid-shape", "resources[0].shape"),
    ("resources/0/shape", [1 << 40, 1 << 40], "crosstl.value-out-of-range", "resources[0]"),
    ("resources/0/shape", [0, 1 << 40, 1 << 40], "crosstl.value-out-of-range", "resources[0]"),
    (
        f"{LAYOUT}/storageLayout",
        " ",
        "crosstl.missing-storage-layout",
        "resources[0].physicalLayout.storageLayout",
    ),
    (
        f"{LAYOUT}/storageLayout",
        ...,
        "crosstl.missing-storage-layout",
        "resources[0].physicalLayout.storageLayout",
    ),
    (
        f"{LAYOUT}/elementSizeBytes",
        8,
        "crosstl.element-size-mismatch",
        "resources[0].physicalLayout.elementSizeBytes",
    ),
    (
        f"{LAYOUT}/elementStrideBytes",
        2,
        "crosstl.invalid-stride",
        "resources[0].physicalLayout.elementStrideBytes",
    ),
    (f"{LAYOUT}/byteOffset", -4, "crosstl.value-out-of-range", "resources[0].physicalLayout.byteOffset"),
    (
        f"{LAYOUT}/alignmentBytes",
        0,
        "crosstl.value-out-of-range",
        "resources[0].physicalLayout.alignmentBytes",
    ),
    (f"{LAYOUT}/byteLength", 15, "crosstl.byte-length-mismatch", "resources[0].physicalLayout.byteLength"),
    (f"{LAYOUT}/byteLength", 1 << 64, "crosstl.value-out-of-range", "resources[0].physicalLayout.byteLength"),
    (f"{LAYOUT}/allocationByteLength", 8, "crosstl.view-exceeds-allocation", "resources[0].physicalLayout"),
    ("resources/1/lifetime/lastNode", "z", "crosstl.missing-reference", "resources[1].lifetime.lastNode"),
    ("nodes/2/dependsOn", ["ready", "ready"], "crosstl.duplicate-reference", "nodes[2].dependsOn[1]"),
    ("nodes/2/dependsOn", ["ready", "z"], "crosstl.missing-reference", "nodes[2].dependsOn[1]"),
    ("nodes/3/kind", "present", "crosstl.unsupported-node-kind", "nodes[3].kind"),
    ("nodes/3/fill", ..., "crosstl.missing-operation", "nodes[3]"),
    ("nodes/1/dispatch", {}, "crosstl.unexpected-operation", "nodes[1].dispatch"),
    (
        "nodes/0/dispatch/artifactSelector",
        {"id": " "},
        "crosstl.missing-artifact-selector",
        "nodes[0].dispatch.artifactSelector",
    ),
    (
        "nodes/0/dispatch/artifactSelector",
        ...,
        "crosstl.missing-artifact-selector",
        "nodes[0].dispatch.artifactSelector",
    ),
    ("nodes/0/dispatch/entryPoint", "", "crosstl.missing-entry-point", "nodes[0].dispatch.entryPoint"),
    ("nodes/0/dispatch/entryPoint", None, "crosstl.missing-entry-point", "nodes[0].dispatch.entryPoint"),
    (
        "nodes/0/dispatch/bindings/",
        {"resource": "x", "access": "read"},
        "crosstl.empty-slot-name",
        'nodes[0].dispatch.bindings[""]',
    ),
    (
        "nodes/0/dispatch/bindings/in/resource",
        "zz",
        "crosstl.missing-reference",
        'nodes[0].dispatch.bindings["in"].resource',
    ),
    (
        "nodes/0/dispatch/bindings/in/access",
        "rw",
        "crosstl.invalid-access",
        'nodes[0].dispatch.bindings["in"].access',
    ),
    (
        "nodes/0/dispatch/bindings/in/access",
        ...,
        "crosstl.missing-access",
        'nodes[0].dispatch.bindings["in"].access',
    ),
    (
        "nodes/0/dispatch/constants",
        {"n": None},
        "crosstl.unsupported-constant",
        'nodes[0].dispatch.constants["n"]',
    ),
    (
        "nodes/0/dispatch/constants",
        {"": True},
        "crosstl.unsupported-constant",
        'nodes[0].dispatch.constants[""]',
    ),
    (
        "nodes/0/dispatch/constants",
        {"n": "4"},
        "crosstl.unsupported-constant",
        'nodes[0].dispatch.constants["n"]',
    ),
    (
        "nodes/0/dispatch/constants",
        {"n": 1 << 64},
        "crosstl.value-out-of-range",
        'nodes[0].dispatch.constants["n"]',
    ),
    (
        "nodes/0/dispatch/constants",
        {"n": -(1 << 63) - 1},
        "crosstl.value-out-of-range",
        'nodes[0].dispatch.constants["n"]',
    ),
    (
        "nodes/0/dispatch/validationStatus",
        " Failed",
        "crosstl.failed-validation",
        "nodes[0].dispatch.validationStatus",
    ),
    (GEOMETRY, {"workgroupSize": [1, 1, 1]}, "crosstl.missing-geometry", "nodes[0].dispatch.geometry"),
    (
        GEOMETRY,
        {"workgroupCount": [1, 1]},
        "crosstl.invalid-geometry",
        "nodes[0].dispatch.geometry.workgroupCount",
    ),
    (
        GEOMETRY,
        {"globalSize": [0, 1, 1]},
        "crosstl.invalid-geometry",
        "nodes[0].dispatch.geometry.globalSize",
    ),
    (
        GEOMETRY,
        {"workgroupSize": [1 << 32, 1, 1], "workgroupCount": [1, 1, 1]},
        "crosstl.invalid-geometry",
        "nodes[0].dispatch.geometry.workgroupSize",
    ),
    (
        GEOMETRY,
        {"workgroupSize": [64, 1, 1], "workgroupCount": [2, 1, 1], "globalSize": [7, 1, 1]},
        "crosstl.geometry-contradiction",
        "nodes[0].dispatch.geometry.globalSize",
    ),
    (
        GEOMETRY,
        {"workgroupCount": [2, 1, 1], "gridSize": [7, 1, 1]},
        "crosstl.geometry-contradiction",
        "nodes[0].dispatch.geometry.gridSize",
    ),
    (
        GEOMETRY,
        {"globalSize": [8, 1, 1], "gridSize": [7, 1, 1]},
        "crosstl.geometry-contradiction",
        "nodes[0].dispatch.geometry.gridSize",
    ),
    ("nodes/1/barrier/resources", [], "crosstl.empty-barrier", "nodes[1].barrier.resources"),
    ("nodes/1/barrier/resources", ["t", "t"], "crosstl.duplicate-reference", "nodes[1].barrier.resources[1]"),
    ("nodes/1/barrier/resources", ["t", "z"], "crosstl.missing-reference", "nodes[1].barrier.resources[1]"),
    ("nodes/1/barrier/beforeAccess", None, "crosstl.missing-access", "nodes[1].barrier.beforeAccess"),
    ("nodes/1/barrier/afterAccess", "reads", "crosstl.invalid-access", "nodes[1].barrier.afterAccess"),
    ("nodes/1/repeat", {"count": 1, "maxIterations": 1}, "crosstl.controlled-barrier", "nodes[1]"),
    ("nodes/3/fill/range/byteLength", 0, "crosstl.invalid-range", "nodes[3].fill.range"),
    ("nodes/3/fill/range/byteOffset", -1, "crosstl.invalid-range", "nodes[3].fill.range"),
    ("nodes/3/fill/range/byteLength", 17, "crosstl.range-out-of-bounds", "nodes[3].fill.range"),
    ("nodes/3/fill/value", True, "crosstl.fill-type-mismatch", "nodes[3].fill.value"),
    ("nodes/3/fill/value", None, "crosstl.fill-type-mismatch", "nodes[3].fill.value"),
    ("nodes/3/fill/value", 1e39, "crosstl.fill-out-of-range", "nodes[3].fill.value"),
    ("nodes/3/fill/value", 10**400, "crosstl.fill-out-of-range", "nodes[3].fill.value"),
    ("nodes/0/repeat", {"maxIterations": 1}, "crosstl.ambiguous-trip-count", "nodes[0].repeat"),
    (
        "nodes/0/repeat",
        {"count": 1, "controlInput": "n", "maxIterations": 1},
        "crosstl.ambiguous-trip-count",
        "nodes[0].repeat",
    ),
    (
        "nodes/0/repeat",
        {"count": -1, "maxIterations": 1},
        "crosstl.value-out-of-range",
        "nodes[0].repeat.count",
    ),
    (
        "nodes/0/repeat",
        {"count": 1, "maxIterations": 1 << 64},
        "crosstl.value-out-of-range",
        "nodes[0].repeat.maxIterations",
    ),
    (
        "nodes/0/repeat",
        {"controlInput": "zz", "maxIterations": 1},
        "crosstl.missing-reference",
        "nodes[0].repeat.controlInput",
    ),
    (
        "nodes/0/repeat",
        {"controlInput": "t", "maxIterations": 1},
        "crosstl.control-not-scalar",
        "nodes[0].repeat.controlInput",
    ),
    (
        "nodes/0/condition",
        {"maxEvaluations": 1},
        "crosstl.missing-control-input",
        "nodes[0].condition.controlInput",
    ),
    (
        "nodes/0/condition",
        {"controlInput": "flag"},
        "crosstl.missing-evaluation-bound",
        "nodes[0].condition.maxEvaluations",
    ),
    (
        "nodes/0/condition",
        {"controlInput": "flag", "maxEvaluations": 0},
        "crosstl.missing-evaluation-bound",
        "nodes[0].condition.maxEvaluations",
    ),
    (
        "nodes/0/condition",
        {"controlInput": "flag", "equals": 1, "maxEvaluations": 1},
        "crosstl.control-literal-type-mismatch",
        "nodes[0].condition.equals",
    ),
    (
        "nodes/0/condition",
        {"controlInput": "n", "maxEvaluations": 1},
        "crosstl.control-literal-type-mismatch",
        "nodes[0].condition.equals",
    ),
    (
        "nodes/0/condition",
        {"controlInput": "n", "equals": None, "maxEvaluations": 1},
        "crosstl.control-literal-type-mismatch",
        "nodes[0].condition.equals",
    ),
    (
        "nodes/0/condition",
        {"controlInput": "n", "equals": 300, "maxEvaluations": 1},
        "crosstl.control-literal-out-of-range",
        "nodes[0].condition.equals",
    ),
]


@pytest.mark.parametrize(("place", "value", "code", "path"), MEANING)
def test_a_document_with_one_fault_is_refused_for_it_and_nothing_else(
    place: str, value: object, code: str, path: str
):
    assert refusals(spoiled((place, value))) == [(code, path)]


def test_the_document_that_was_spoiled_is_none_of_this():
    assert imported(base()).id == "g"


def test_every_fault_is_reported():
    document = spoiled(
        ("resources/0/dtype", "float12"),
        ("resources/1/role", "scratch"),
        ("nodes/1/barrier/resources", ["t", "z"]),
        ("nodes/2/dispatch/entryPoint", ...),
        ("nodes/3/fill/value", 1e40),
    )
    assert refusals(document) == [
        ("crosstl.unsupported-dtype", "resources[0].dtype"),
        ("crosstl.unsupported-role", "resources[1].role"),
        ("crosstl.missing-reference", "nodes[1].barrier.resources[1]"),
        ("crosstl.missing-entry-point", "nodes[2].dispatch.entryPoint"),
        ("crosstl.fill-out-of-range", "nodes[3].fill.value"),
    ]


def test_a_finding_names_the_resource_or_node_it_is_about():
    with pytest.raises(ImportFailure) as failure:
        import_crosstl(spoiled(("resources/0/dtype", "f"), ("nodes/1/barrier/resources", ["z"]), ("id", "")))
    named = [finding.elements for finding in failure.value.diagnostics]
    assert named == [(), (NamedElement("resource", "x"),), (NamedElement("node", "ready"),)]


@pytest.mark.parametrize(
    ("dtype", "value", "code"),
    [
        ("uint32", -1, "crosstl.fill-out-of-range"),
        ("uint8", 256, "crosstl.fill-out-of-range"),
        ("int32", 0.5, "crosstl.fill-type-mismatch"),
        ("int32", 1.0, "crosstl.fill-type-mismatch"),
        ("bool", 1, "crosstl.fill-type-mismatch"),
        ("float32", True, "crosstl.fill-type-mismatch"),
        ("half", 65520, "crosstl.fill-out-of-range"),
        ("bfloat16", 3.4e38, "crosstl.fill-out-of-range"),
        ("float32", "1", "crosstl.fill-type-mismatch"),
    ],
)
def test_a_fill_has_a_value_of_its_dtype(dtype: str, value: object, code: str):
    document = spoiled(
        ("resources/5", buffer("z", "external-output", dtype)), ("nodes/4", fill("g", "z", value, 4))
    )
    assert refusals(document) == [(code, "nodes[4].fill.value")]


def test_a_copy_names_ranges_of_resources():
    part, beyond = {"byteOffset": 0, "byteLength": 16}, {"byteOffset": 8, "byteLength": 12}
    copies = [
        {"source": "zz", "destination": "y", "sourceRange": part, "destinationRange": part},
        {"source": "x", "destination": "zz", "sourceRange": part, "destinationRange": part},
        {"source": "x", "destination": "y", "sourceRange": part, "destinationRange": beyond},
    ]
    nodes = [
        (f"nodes/{4 + i}", {"id": f"c{i}", "kind": "copy", "copy": copy}) for i, copy in enumerate(copies)
    ]
    assert refusals(spoiled(*nodes)) == [
        ("crosstl.missing-reference", "nodes[4].copy.source"),
        ("crosstl.missing-reference", "nodes[5].copy.destination"),
        ("crosstl.range-out-of-bounds", "nodes[6].copy.destinationRange"),
    ]


def test_resources_of_one_allocation_agree_on_its_size():
    first = buffer("a", "external-input", allocationId="h", allocationByteLength=64)
    second = buffer("b", "external-output", allocationId="h", allocationByteLength=48, byteOffset=16)
    third = buffer("c", "external-output", allocationId="h", byteOffset=56)
    document = spoiled(("resources/5", first), ("resources/6", second), ("resources/7", third))
    assert refusals(document) == [
        ("crosstl.allocation-size-conflict", "resources[6].physicalLayout.allocationByteLength"),
        ("crosstl.view-exceeds-allocation", "resources[7].physicalLayout"),
    ]


def test_repeat_and_condition_together_have_no_meaning():
    document = spoiled(
        ("nodes/0/repeat", {"count": 1, "maxIterations": 1}),
        ("nodes/0/condition", {"controlInput": "flag", "maxEvaluations": 1}),
    )
    assert refusals(document) == [("crosstl.undefined-control", "nodes[0]")]


def test_a_control_input_is_an_integer_or_a_boolean():
    document = spoiled(
        ("resources/5", buffer("ratio", "external-input", "float32", ())),
        ("nodes/0/condition", {"controlInput": "ratio", "equals": 1.0, "maxEvaluations": 1}),
    )
    assert refusals(document) == [("crosstl.unsupported-control-type", "nodes[0].condition.controlInput")]


def test_artifacts_of_one_graph_are_for_one_target():
    parts = ["vulkan", None, "vulkan", "metal", "", "directx", "metal"]
    document = graph(
        [buffer("y", "external-output")],
        [
            dispatch(
                f"n{i}", {}, artifactSelector={"id": "k", **({} if target is None else {"target": target})}
            )
            for i, target in enumerate(parts)
        ],
    )
    with pytest.raises(ImportFailure) as failure:
        import_crosstl(document)
    place = "nodes[{}].dispatch.artifactSelector.target"
    found = [
        (finding.code, str(finding.path), [str(other.path) for other in finding.related])
        for finding in failure.value.diagnostics
        if finding.code != "crosstl.unknown-target"
    ]
    assert found == [
        ("crosstl.mixed-targets", place.format(3), [place.format(0)]),
        ("crosstl.mixed-targets", place.format(5), [place.format(0)]),
    ]


def test_executions_are_counted_in_64_bits():
    repeat = {"count": 1, "maxIterations": (1 << 64) - 1}
    document = spoiled(("nodes/0/repeat", repeat), ("nodes/4", dispatch("c", {}, repeat=repeat)))
    assert refusals(document) == [("crosstl.value-out-of-range", "nodes")]


def test_every_code_of_an_import_is_provoked_here():
    exported_only = {"crosstl.malformed-attribute", "crosstl.not-expressible", "crosstl.wrong-kind"}
    provoked = {code for _, _, code, _ in STRUCTURE + MEANING}
    provoked |= {
        "crosstl.allocation-size-conflict",
        "crosstl.undefined-control",
        "crosstl.unsupported-control-type",
    }
    provoked |= {"crosstl.mixed-targets"}
    provoked |= {"crosstl.misaligned-range"}  # in test_crosstl_mapping
    assert {code for code in provoked if code.startswith("crosstl.")} == CROSSTL_ERRORS.keys() - exported_only
