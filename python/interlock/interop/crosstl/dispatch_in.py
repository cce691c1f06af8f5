"""CrossTL dispatches as dispatches of the contract.

And artifact selectors as entries of the artifact table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2, dispatch_pb2, graph_pb2
from interlock.author.literals import element_name
from interlock.diagnostic import Path, Severity
from interlock.interop.crosstl.geometry import geometry_hints, read_geometry
from interlock.interop.crosstl.hints import Hints, write_hints
from interlock.interop.crosstl.json_text import JsonValue, canonical_text, same_value
from interlock.interop.crosstl.literals import assumed_bits, written_number
from interlock.interop.crosstl.names import ACCESS_NAMES, access_mode, artifact_ids
from interlock.interop.crosstl.structure import keyed
from interlock.package.crosstl_names import TARGETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.interop.crosstl.context import ImportContext
    from interlock.interop.crosstl.model import Binding, Dispatch, Node

_FAILED = "failed"
"""How CrossTL's own reports spell the status of what did not pass."""

Selectors = list[tuple[str, dict[str, str]]]


def selectors_of(nodes: list[Node]) -> Selectors:
    """Return the selectors of a document as (canonical text.

    Selector), equal ones once, in order of their text.
    """
    found = {}
    for node in nodes:
        if "dispatch" in node:
            selector = node["dispatch"]["artifactSelector"]
            found[canonical_text(selector)] = selector
    return sorted(found.items())


def import_artifacts(graph: graph_pb2.ExecutionGraph, selectors: Selectors) -> dict[str, str]:
    """Enter every selector into the artifact table, and return the ids by the selectors' text."""
    ids = artifact_ids(selectors)
    for text, selector in selectors:
        if not is_selecting(selector):
            continue
        artifact = graph.artifacts.add(id=ids[text])
        if selector.get("source"):
            artifact.provenance.source.uri = selector["source"]
        if selector != default_selector(artifact):
            kept = {name: part for name, part in selector.items() if name != "source" or not part}
            write_hints(artifact.provenance, {"selector": kept})
    return ids


def is_selecting(selector: dict[str, str]) -> bool:
    """Tell whether a selector has a part that selects anything."""
    return any(part.strip() for part in selector.values())


def default_selector(artifact: graph_pb2.GraphArtifact) -> dict[str, str]:
    """Return the selector that is written for an artifact without hints."""
    selector = {"id": artifact.id}
    if artifact.provenance.source.uri:
        selector["source"] = artifact.provenance.source.uri
    return selector


def import_dispatch(
    context: ImportContext, dispatch: Dispatch, path: Path
) -> tuple[dispatch_pb2.Dispatch, Hints]:
    """Return a dispatch, and what its node has to keep."""
    message = dispatch_pb2.Dispatch(entry=dispatch.get("entryPoint", ""))
    hints: Hints = geometry_hints(dispatch["geometry"])
    if not is_selecting(dispatch["artifactSelector"]):
        place = path.field("artifactSelector")
        context.findings.add(
            "crosstl.missing-artifact-selector", place, "no part of the selector selects anything"
        )
    else:
        message.artifact = context.artifacts[canonical_text(dispatch["artifactSelector"])]
        _judge_target(context, dispatch["artifactSelector"], path.field("artifactSelector").field("target"))
    if not message.entry.strip():
        place = path.field("entryPoint")
        context.findings.add("crosstl.missing-entry-point", place, "a dispatch without an entry point")
    geometry = read_geometry(dispatch["geometry"], path.field("geometry"), context.findings)
    if geometry is not None:
        message.geometry.CopyFrom(geometry)
    if (
        geometry is not None
        and geometry.workgroup_count.HasField("elements")
        and "gridSize" in dispatch["geometry"]
    ):
        text = "`gridSize` counts invocations, as `globalSize` does"
        context.assume("crosstl.assumed-grid-unit", path.field("geometry").field("gridSize"), text)
    for i, (slot, binding) in enumerate(dispatch["bindings"].items()):
        _add_binding(context, message, slot, binding, keyed(path.field("bindings"), i, slot))
    hints |= _access_hints(dispatch, message)
    hints |= _import_constants(context, message, dispatch["constants"], path.field("constants"))
    hints |= _unchecked_hints(context, dispatch, path)
    return message, hints


def _judge_target(context: ImportContext, selector: dict[str, str], path: Path) -> None:
    target = selector.get("target")
    if target is not None and target not in TARGETS:
        message = f"`{target}` is no target of CrossTL 3.4.0"
        context.remark("crosstl.unknown-target", Severity.WARNING, path, message)


def _add_binding(
    context: ImportContext, message: dispatch_pb2.Dispatch, slot: str, binding: Binding, path: Path
) -> None:
    mode = import_mode(context, binding.get("access"), path.field("access"))
    target = context.target(binding["resource"], path.field("resource"))
    if not slot:
        context.findings.add("crosstl.empty-slot-name", path, "a binding needs the name of a slot")
    if mode is None or target is None:
        return
    added = message.bindings.add(slot=slot, target=target.selection(), access=mode)
    if mode != access_pb2.ACCESS_MODE_READ:
        added.coverage = access_pb2.COVERAGE_FULL
        text = f"the dispatch overwrites every byte of `{binding['resource']}`, bound to `{slot}`"
        context.assume("assumption.full-coverage", path, text)


def import_mode(context: ImportContext, spelling: str | None, path: Path) -> access_pb2.AccessMode | None:
    """Return an access mode; None, with a finding, where there is none."""
    if spelling is None:
        context.findings.add("crosstl.missing-access", path, "no access mode is stated")
        return None
    mode = access_mode(spelling)
    if mode is None:
        message = f"`{spelling}` is none of `read`, `write` and `read-write`"
        context.findings.add("crosstl.invalid-access", path, message)
    return mode


def _access_hints(dispatch: Dispatch, message: dispatch_pb2.Dispatch) -> Hints:
    hints: Hints = {}
    written = {binding.slot: binding.access for binding in message.bindings}
    spelled = {
        slot: binding["access"]
        for slot, binding in dispatch["bindings"].items()
        if slot in written and binding.get("access") != ACCESS_NAMES[written[slot]]
    }
    if spelled:
        hints["access"] = spelled
    assumed = sorted(binding.slot for binding in message.bindings if binding.coverage)
    if assumed:
        hints["assumed-full"] = assumed
    return hints


def _import_constants(
    context: ImportContext, message: dispatch_pb2.Dispatch, constants: dict[str, JsonValue], path: Path
) -> Hints:
    """Take over booleans, and numbers with the type they are taken to have; refuse the rest."""
    kept: Hints = {}
    for i, (name, value) in enumerate(constants.items()):
        place = keyed(path, i, name)
        bits = assumed_bits(value) if name else None
        if bits is not None:
            message.specialization.add(name=name, value=bits)
            written = written_number(bits)
            if not same_value(written, value):
                kept[name] = value
            if not isinstance(value, bool):
                nearest = f", the nearest of which is `{canonical_text(written)}`" if name in kept else ""
                text = (
                    f"`{name}` is `{canonical_text(value)}`, without a type: "
                    f"it is taken for one of type {element_name(bits.element)}{nearest}"
                )
                context.assume("crosstl.assumed-constant-type", place, text)
        elif name and isinstance(value, int):
            text = f"`{name}` is `{canonical_text(value)}`, which no integer type of 64 bits holds"
            context.findings.add("crosstl.value-out-of-range", place, text)
        else:
            text = (
                f"`{name}` is `{canonical_text(value)}`, where a number or a boolean with a name is required"
            )
            context.findings.add("crosstl.unsupported-constant", place, text)
    return {"constants": kept} if kept else {}


def _unchecked_hints(context: ImportContext, dispatch: Dispatch, path: Path) -> Hints:
    """Keep what nothing here judges, and say so; refuse what its own producer found wrong."""
    hints: Hints = {}
    if dispatch.get("validationStatus", "").strip().lower() == _FAILED:
        text = "whoever wrote the document says that the dispatch failed validation"
        context.findings.add("crosstl.failed-validation", path.field("validationStatus"), text)
    for name, hint, value in _unchecked(dispatch):
        hints[hint] = value
        text = f"`{value}` is kept, and verified by nobody"
        context.remark(f"crosstl.unchecked-{hint}", Severity.WARNING, path.field(name), text)
    if "provenance" in dispatch:
        hints["dispatch-provenance"] = dispatch["provenance"]
    return hints


def _unchecked(dispatch: Dispatch) -> Iterator[tuple[str, str, str]]:
    if "targetProfile" in dispatch:
        yield "targetProfile", "target-profile", dispatch["targetProfile"]
    if "validationStatus" in dispatch:
        yield "validationStatus", "validation-status", dispatch["validationStatus"]
