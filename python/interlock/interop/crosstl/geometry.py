"""Dispatch geometry, both ways.

CrossTL's `workgroupCount` counts workgroups, `globalSize` and `gridSize` both count invocations, and
`workgroupSize` relates them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from execgraph.v1 import dispatch_pb2, type_pb2
from interlock.diagnostic import Path
from interlock.interop.crosstl.hints import Hints, object_hint
from interlock.interop.crosstl.structure import Findings

if TYPE_CHECKING:
    from interlock.interop.crosstl.model import Geometry

_NAMES = ("workgroupSize", "workgroupCount", "globalSize", "gridSize")
_INVOCATIONS = ("globalSize", "gridSize")
_LARGEST_SIZE = (1 << 32) - 1
_LARGEST_COUNT = (1 << 63) - 1


def read_geometry(geometry: Geometry, path: Path, findings: Findings) -> dispatch_pb2.Geometry | None:
    """Return the geometry of a dispatch; None, with findings, where there is none."""
    before = len(findings.errors)
    given = cast("dict[str, list[int]]", geometry)
    for name in _NAMES:
        largest = _LARGEST_SIZE if name == "workgroupSize" else _LARGEST_COUNT
        values = given.get(name)
        if values is not None and not (len(values) == 3 and all(1 <= value <= largest for value in values)):
            message = f"`{name}` is `{values}` where three numbers from 1 to {largest} are required"
            findings.add("crosstl.invalid-geometry", path.field(name), message)
    if not given.keys() - {"workgroupSize"}:
        message = "none of `workgroupCount`, `globalSize` and `gridSize` is stated"
        findings.add("crosstl.missing-geometry", path, message)
    if len(findings.errors) != before:
        return None
    _check_agreement(given, path, findings)
    result = dispatch_pb2.Geometry(workgroup_size=given.get("workgroupSize"))
    if "workgroupCount" in given:
        counts = [type_pb2.Extent(constant=count) for count in given["workgroupCount"]]
        result.workgroup_count.extents.counts.extend(counts)
    else:
        size = given.get("globalSize") or given["gridSize"]
        elements = [type_pb2.Extent(constant=count) for count in size]
        result.workgroup_count.elements.elements.extend(elements)
    return result if len(findings.errors) == before else None


def _check_agreement(given: dict[str, list[int]], path: Path, findings: Findings) -> None:
    """Report numbers of invocations that no workgroup size makes of the others."""
    counts, size = given.get("workgroupCount"), given.get("workgroupSize")
    for name in _INVOCATIONS:
        total = given.get(name)
        if total is None:
            continue
        if counts is not None and size is not None:
            expected = [count * width for count, width in zip(counts, size, strict=True)]
            if total != expected:
                message = f"`{name}` is `{total}` where workgroups and their size make `{expected}`"
                findings.add("crosstl.geometry-contradiction", path.field(name), message)
        elif counts is not None and any(value % count for value, count in zip(total, counts, strict=True)):
            message = f"`{name}` is `{total}`, which is no multiple of `{counts}` workgroups"
            findings.add("crosstl.geometry-contradiction", path.field(name), message)
        if name == "gridSize" and total != given.get("globalSize", total):
            message = f"`gridSize` is `{total}` where `globalSize` is `{given['globalSize']}`"
            findings.add("crosstl.geometry-contradiction", path.field(name), message)


def geometry_hints(geometry: Geometry) -> Hints:
    """Return the hints that keep what the contract says with fewer numbers."""
    given = cast("dict[str, list[int]]", geometry)
    written = [name for name in _INVOCATIONS if name in given]
    if "workgroupCount" not in given and written == ["globalSize"]:
        return {}
    return {"invocations": {name: given[name] for name in written}} if written else {}


def write_geometry(geometry: dispatch_pb2.Geometry, hints: Hints) -> Geometry:
    """Return the geometry of a dispatch for CrossTL; every hint is used that says the same."""
    result: dict[str, list[int]] = {}
    if geometry.workgroup_size:
        result["workgroupSize"] = _padded(geometry.workgroup_size)
    source = geometry.workgroup_count.WhichOneof("source")
    if source == "extents":
        result["workgroupCount"] = _constants(geometry.workgroup_count.extents.counts)
    elif source == "elements":
        result["globalSize"] = _constants(geometry.workgroup_count.elements.elements)
    hinted = object_hint(hints, "invocations")
    if hinted and all(name in _INVOCATIONS and _is_vector(value) for name, value in hinted.items()):
        trial = Findings(0)
        _check_agreement(result | hinted, Path(), trial)
        if not trial.errors:
            implied = {"globalSize"} - hinted.keys()
            result = {name: value for name, value in result.items() if name not in implied} | hinted
    return cast("Geometry", {name: result[name] for name in _NAMES if name in result})


def _is_vector(value: object) -> bool:
    return (
        isinstance(value, list) and len(value) == 3 and all(type(item) is int and item > 0 for item in value)
    )


def _padded(values: list[int] | object) -> list[int]:
    given = list(cast("list[int]", values))
    return given + [1] * (3 - len(given))


def _constants(extents: object) -> list[int]:
    return _padded([extent.constant for extent in cast("list[type_pb2.Extent]", extents)])
