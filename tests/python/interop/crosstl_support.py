"""Short words for CrossTL documents in tests."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from execgraph.v1 import access_pb2
from interlock.author import GraphBuilder, full
from interlock.errors import ExportFailure, ImportFailure
from interlock.interop.crosstl import CrossTLImport, export_crosstl, import_crosstl

if TYPE_CHECKING:
    import interlock
    from execgraph.v1 import graph_pb2

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
FOLDER = FIXTURES / "crosstl"
NAMES = sorted(path.name.split(".")[0] for path in FOLDER.glob("*.normal.json"))

HERE = Path(__file__).resolve().parent

Json = dict[str, Any]


def buffer(
    name: str, role: str, dtype: str = "float32", shape: tuple[int, ...] = (4,), **members: object
) -> Json:
    """A buffer; members of the layout are those that end in Bytes, Layout, Offset or Length."""
    layout: Json = {"storageLayout": "contiguous"}
    resource: Json = {
        "id": name,
        "role": role,
        "dtype": dtype,
        "shape": list(shape),
        "physicalLayout": layout,
    }
    for key, value in members.items():
        owner = layout if key.endswith(("Bytes", "Layout", "Offset", "Length")) else resource
        owner[key] = value
    return resource


def dispatch(name: str, bindings: dict[str, tuple[str, str]], **members: object) -> Json:
    """A dispatch that binds slots to (resource, access).

    Members of the node are repeat, condition, dependsOn.
    """
    operation: Json = {
        "artifactSelector": {"id": "kernel"},
        "entryPoint": "main",
        "bindings": {slot: {"resource": name, "access": access} for slot, (name, access) in bindings.items()},
        "geometry": {"workgroupCount": [1, 1, 1]},
    }
    node: Json = {"id": name, "kind": "dispatch", "dispatch": operation}
    for key, value in members.items():
        (node if key in ("repeat", "condition", "dependsOn", "provenance") else operation)[key] = value
    return node


def fill(name: str, resource: str, value: object, length: int, offset: int = 0, **members: object) -> Json:
    part = {"byteOffset": offset, "byteLength": length}
    return {
        "id": name,
        "kind": "fill",
        "fill": {"resource": resource, "range": part, "value": value},
        **members,
    }


def barrier(name: str, resources: list[str], before: str, after: str, *depends_on: str) -> Json:
    operation = {"resources": resources, "beforeAccess": before, "afterAccess": after}
    return {"id": name, "kind": "barrier", "dependsOn": list(depends_on), "barrier": operation}


def graph(resources: list[Json], nodes: list[Json], **members: object) -> Json:
    return {
        "kind": "crosstl-runtime-execution-graph",
        "schemaVersion": 1,
        "id": "g",
        "resources": resources,
        "nodes": nodes,
        **members,
    }


def base() -> Json:
    """A valid document to spoil."""
    return graph(
        [
            buffer("x", "external-input"),
            buffer("t", "temporary", lifetime={"firstNode": "a", "lastNode": "b"}),
            buffer("y", "external-output"),
            buffer("flag", "external-input", "bool", ()),
            buffer("n", "external-input", "uint8", ()),
        ],
        [
            dispatch("a", {"in": ("x", "read"), "out": ("t", "write")}),
            barrier("ready", ["t"], "write", "read", "a"),
            dispatch("b", {"in": ("t", "read"), "out": ("y", "write")}, dependsOn=["ready"]),
            fill("f", "y", 1, 16, dependsOn=["b"]),
        ],
    )


def spoiled(*changes: tuple[str, object]) -> Json:
    """`base` with members set.

    Or removed where the value is `...`, at paths such as `nodes/0/dispatch/geometry`.
    """
    document = copy.deepcopy(base())
    for path, value in changes:
        *parents, last = (int(step) if step.isdigit() else step for step in path.split("/"))
        owner: Any = document
        for step in parents:
            owner = owner[step]
        if value is ...:
            del owner[last]
        elif isinstance(owner, list) and last == len(owner):
            owner.append(value)
        else:
            owner[last] = value
    return document


def refusals(document: object) -> list[tuple[str, str]]:
    """The codes and paths of everything that stands in the way of an import."""
    with pytest.raises(ImportFailure) as failure:
        import_crosstl(document)
    return [(finding.code, str(finding.path)) for finding in failure.value.diagnostics]


def imported(document: object) -> graph_pb2.ExecutionGraph:
    return import_crosstl(document).document.message


def remarks(result: CrossTLImport) -> list[tuple[str, str, str]]:
    return [(item.code, item.severity.name, str(item.path)) for item in result.diagnostics]


def authored() -> GraphBuilder:
    made = GraphBuilder("two-stage-sum", producer=("my-translator", "1.0"))
    samples = made.input("samples", "u32", [1024])
    partials = made.temporary("partials", "u32", [8], begins=["stage-one"], ends=["stage-two"])
    total = made.output("total", "u32", [1])
    made.dispatch(
        "stage-one",
        artifact=made.artifact("slice_totals"),
        entry="main",
        reads={"samples": samples},
        writes={"partials": full(partials)},
        groups=[8],
        workgroup_size=[32],
    )
    made.barrier("partials-ready", partials, after=["stage-one"])
    made.dispatch(
        "stage-two",
        artifact=made.artifact("grand_total"),
        entry="main",
        reads={"partials": partials},
        writes={"total": full(total)},
        groups=[1],
        workgroup_size=[8],
        after=["partials-ready"],
    )
    return made


def export_refusals(document: interlock.Document) -> list[tuple[str, str]]:
    with pytest.raises(ExportFailure) as failure:
        export_crosstl(document)
    return [(finding.code, str(finding.path)) for finding in failure.value.diagnostics]


READ_STORAGE = (access_pb2.USAGE_SHADER_STORAGE, access_pb2.ACCESS_KIND_READ)

WRITE_STORAGE = (access_pb2.USAGE_SHADER_STORAGE, access_pb2.ACCESS_KIND_WRITE)
