"""CrossTL nodes as nodes of the body.

A node that repeats or that has a condition becomes a control node of the same id, with the operation in a
node of its own inside: what depends on the id then depends on all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from execgraph.v1 import access_pb2, graph_pb2, node_pb2
from interlock.diagnostic import ROOT, Path
from interlock.interop.crosstl.control_in import import_condition, import_repeat
from interlock.interop.crosstl.dispatch_in import import_dispatch, import_mode
from interlock.interop.crosstl.hints import Hints, write_hints
from interlock.interop.crosstl.json_text import same_value
from interlock.interop.crosstl.literals import import_literal, written_number
from interlock.interop.crosstl.names import ACCESS_NAMES, inner_ids
from interlock.interop.crosstl.scopes import scopes_of
from interlock.interop.crosstl.views_in import check_id

if TYPE_CHECKING:
    from interlock.interop.crosstl.context import ImportContext
    from interlock.interop.crosstl.model import Barrier, Copy, Fill, Node, Range
    from interlock.interop.crosstl.resources_in import Target

KINDS = ("dispatch", "copy", "fill", "barrier")


def import_nodes(context: ImportContext, graph: graph_pb2.ExecutionGraph, nodes: list[Node]) -> None:
    """Add the nodes of a document to the body of ``graph``."""
    known = {node["id"] for node in nodes}
    inner = inner_ids(known, {node["id"] for node in nodes if "repeat" in node or "condition" in node})
    seen: set[str] = set()
    for i, node in enumerate(nodes):
        path = ROOT.element("nodes", i)
        check_id(node["id"], path.field("id"), context.findings)
        if node["id"] in seen:
            message = f"the node `{node['id']}` is declared twice"
            context.findings.add("crosstl.duplicate-id", path.field("id"), message)
        seen.add(node["id"])
        _check_dependencies(context, node, known, path)
        _check_payload(context, node, path)
        if node["kind"] in KINDS and node["kind"] in node:
            graph.body.nodes.append(_import_node(context, node, inner.get(node["id"], ""), path))


def _check_dependencies(context: ImportContext, node: Node, known: set[str], path: Path) -> None:
    seen: set[str] = set()
    for i, name in enumerate(node["dependsOn"]):
        place = path.element("dependsOn", i)
        if name not in known:
            context.findings.add("crosstl.missing-reference", place, f"`{name}` is no node of the document")
        if name in seen:
            context.findings.add("crosstl.duplicate-reference", place, f"`{name}` is named twice")
        seen.add(name)


def _check_payload(context: ImportContext, node: Node, path: Path) -> None:
    kind = node["kind"]
    if kind not in KINDS:
        message = f"`{kind}` is none of the kinds {', '.join(f'`{name}`' for name in KINDS)}"
        context.findings.add("crosstl.unsupported-node-kind", path.field("kind"), message)
        return
    if kind not in node:
        context.findings.add("crosstl.missing-operation", path, f"a node of kind `{kind}` without `{kind}`")
    for other in KINDS:
        if other != kind and other in node:
            message = f"a node of kind `{kind}` with `{other}`"
            context.findings.add("crosstl.unexpected-operation", path.field(other), message)


def _import_node(context: ImportContext, node: Node, inner_id: str, path: Path) -> node_pb2.Node:
    operation, hints = _import_operation(context, node, path)
    outer_hints: Hints = {}
    if "provenance" in node:
        outer_hints["provenance"] = node["provenance"]
    if node["dependsOn"] != sorted(node["dependsOn"]):
        outer_hints["depends-on"] = node["dependsOn"]
    if "repeat" in node or "condition" in node:
        inner = node_pb2.Node(id=inner_id, operation=operation)
        write_hints(inner.provenance, hints)
        operation, hints = _import_control(context, node, inner, path)
    result = node_pb2.Node(id=node["id"], depends_on=node["dependsOn"], operation=operation)
    write_hints(result.provenance, outer_hints | hints)
    return result


def _import_control(
    context: ImportContext, node: Node, inner: node_pb2.Node, path: Path
) -> tuple[node_pb2.Operation, Hints]:
    if node["kind"] == "barrier":
        context.findings.add("crosstl.controlled-barrier", path, "a barrier that repeats or has a condition")
    if "repeat" in node and "condition" in node:
        message = "a node with `repeat` and `condition`: which of them contains the other is not defined"
        context.findings.add("crosstl.undefined-control", path, message)
    if "repeat" in node:
        return import_repeat(context, node["repeat"], path.field("repeat"), inner)
    return import_condition(context, node["condition"], path.field("condition"), inner)


def _import_operation(context: ImportContext, node: Node, path: Path) -> tuple[node_pb2.Operation, Hints]:
    place = path.field(node["kind"])
    if node["kind"] == "dispatch":
        dispatch, hints = import_dispatch(context, node["dispatch"], place)
        return node_pb2.Operation(dispatch=dispatch), hints
    if node["kind"] == "copy":
        return _import_copy(context, node["copy"], place)
    if node["kind"] == "fill":
        return _import_fill(context, node["fill"], place)
    return _import_barrier(context, node["barrier"], place)


def _import_copy(context: ImportContext, copy: Copy, path: Path) -> tuple[node_pb2.Operation, Hints]:
    message, hints = node_pb2.Copy(), cast("Hints", {})
    for side, name, part in (
        ("source", copy["source"], copy["sourceRange"]),
        ("destination", copy["destination"], copy["destinationRange"]),
    ):
        target = context.target(name, path.field(side))
        if target is not None and _check_range(context, target, part, path.field(f"{side}Range")):
            getattr(message, side).CopyFrom(target.part(part["byteOffset"], part["byteLength"]))
            if getattr(message, side).HasField("byte_range") and target.view_id is not None:
                hints[f"{side}-view"] = target.view_id
    return node_pb2.Operation(copy=message), hints


def _import_fill(context: ImportContext, fill: Fill, path: Path) -> tuple[node_pb2.Operation, Hints]:
    message, hints = node_pb2.Fill(), cast("Hints", {})
    target, part = context.target(fill["resource"], path.field("resource")), fill["range"]
    if target is None:
        return node_pb2.Operation(fill=message), hints
    if _check_range(context, target, part, path.field("range")):
        message.destination.CopyFrom(target.part(part["byteOffset"], part["byteLength"]))
        if message.destination.HasField("byte_range") and target.view_id is not None:
            hints["destination-view"] = target.view_id
    bits = import_literal(context, fill["value"], target.view.element, path.field("value"), "fill")
    if bits is not None:
        message.pattern.CopyFrom(bits)
        if not same_value(fill["value"], written_number(bits)):
            hints["fill-value"] = fill["value"]
    return node_pb2.Operation(fill=message), hints


def _check_range(context: ImportContext, target: Target, part: Range, path: Path) -> bool:
    """Report a range that is none of the bytes of its view, and tell whether it is some."""
    offset, length = part["byteOffset"], part["byteLength"]
    if offset < 0 or length <= 0:
        message = f"`{length}` bytes from byte `{offset}`; at least 1 byte from 0 or later is required"
        context.findings.add("crosstl.invalid-range", path, message)
        return False
    if offset + length > target.view.length:
        message = (
            f"bytes `{offset}` to `{offset + length}` of `{target.view.id}`, which has `{target.view.length}`"
        )
        context.findings.add("crosstl.range-out-of-bounds", path, message)
        return False
    size = target.view.size
    if target.view_id is not None and (offset % size or length % size):
        message = f"`{length}` bytes from byte `{offset}` are no whole elements of `{size}` bytes"
        context.findings.add("crosstl.misaligned-range", path, message)
        return False
    return True


def _import_barrier(context: ImportContext, barrier: Barrier, path: Path) -> tuple[node_pb2.Operation, Hints]:
    statement, hints = access_pb2.VisibilityStatement(), cast("Hints", {})
    if not barrier["resources"]:
        context.findings.add(
            "crosstl.empty-barrier", path.field("resources"), "a barrier that names no resource"
        )
    seen: set[str] = set()
    for i, name in enumerate(barrier["resources"]):
        place = path.element("resources", i)
        target = context.target(name, place)
        if name in seen:
            context.findings.add("crosstl.duplicate-reference", place, f"`{name}` is named twice")
        elif target is not None:
            statement.selections.append(target.selection())
        seen.add(name)
    for side, hint, scopes in (
        ("beforeAccess", "before-access", statement.available_from),
        ("afterAccess", "after-access", statement.visible_to),
    ):
        spelling = cast("dict[str, str]", barrier).get(side)
        mode = import_mode(context, spelling, path.field(side))
        if mode is not None:
            scopes.extend(scopes_of(mode))
            if spelling != ACCESS_NAMES[mode]:
                hints[hint] = spelling
    if barrier["resources"] != sorted(barrier["resources"]):
        hints["barrier-resources"] = barrier["resources"]
    return node_pb2.Operation(barrier=node_pb2.Barrier(statements=[statement])), hints
