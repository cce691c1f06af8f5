"""Nodes of the body as CrossTL nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2, dispatch_pb2, graph_pb2, node_pb2, type_pb2
from interlock.author.literals import LiteralError, Number, typed_bits
from interlock.diagnostic import ROOT, Path
from interlock.interop.crosstl.accesses import occurring_scopes
from interlock.interop.crosstl.dispatch_in import default_selector, is_selecting
from interlock.interop.crosstl.geometry import write_geometry
from interlock.interop.crosstl.hints import (
    Hints,
    integer_hint,
    names_hint,
    object_hint,
    read_hints,
    text_hint,
)
from interlock.interop.crosstl.literals import assumed_bits, written_number
from interlock.interop.crosstl.model import (
    Barrier,
    Binding,
    Condition,
    Copy,
    Dispatch,
    Fill,
    Node,
    Range,
    Repeat,
)
from interlock.interop.crosstl.names import ACCESS_NAMES, access_mode
from interlock.interop.crosstl.order import restored_order
from interlock.interop.crosstl.provenance_out import free_provenance
from interlock.interop.crosstl.scopes import mode_of
from interlock.interop.crosstl.structure import SELECTOR, has_structure
from interlock.package.crosstl_names import is_id

if TYPE_CHECKING:
    from interlock.interop.crosstl.json_text import JsonValue
    from interlock.interop.crosstl.structure import Findings
    from interlock.interop.crosstl.views_out import Written

_CONTROL = ("repeat", "conditional")
_KINDS = ("dispatch", "copy", "fill", "barrier")


def controlled_nodes(body: node_pb2.Region) -> dict[str, str]:
    """Return, by the id of each node inside a control node of the body, the id of that control node."""
    ids: dict[str, str] = {}
    for node in body.nodes:
        ids.update((inner.id, node.id) for inner in _inner_nodes(node.operation))
    return ids


def _inner_nodes(operation: node_pb2.Operation) -> list[node_pb2.Node]:
    kind = operation.WhichOneof("kind")
    if kind == "repeat":
        return list(operation.repeat.body.nodes)
    if kind == "conditional":
        return [*operation.conditional.then_region.nodes, *operation.conditional.else_region.nodes]
    return []


class NodeWriter:
    """Writes the nodes of one graph."""

    def __init__(
        self,
        graph: graph_pb2.ExecutionGraph,
        written: dict[str, Written],
        expected_inner: dict[str, str],
        findings: Findings,
    ) -> None:
        self._written = written
        self._expected_inner = expected_inner
        self._findings = findings
        self._occurring = occurring_scopes(graph.body)
        self._selectors: dict[str, dict[str, str]] = {}
        for i, artifact in enumerate(graph.artifacts):
            path = ROOT.element("artifacts", i, artifact.id)
            hinted = read_hints(artifact.provenance, path, findings).get("selector")
            selector = default_selector(artifact)
            if isinstance(hinted, dict):
                source = {"source": artifact.provenance.source.uri} if artifact.provenance.source.uri else {}
                stated = {name: part for name, part in (hinted | source).items() if part is not None}
                selector = stated if has_structure(stated, SELECTOR) and is_selecting(stated) else selector
            self._selectors[artifact.id] = selector
        self.used_artifacts: set[str] = set()

    def write(self, node: node_pb2.Node, path: Path) -> Node:
        """Return a CrossTL node."""
        hints = read_hints(node.provenance, path, self._findings)
        place = path.field("operation")
        if not is_id(node.id):
            self._findings.add("crosstl.invalid-id", path.field("id"), f"`{node.id}` is no id in the format")
        kind = node.operation.WhichOneof("kind")
        result = Node(id=node.id, kind=kind or "", dependsOn=sorted(node.depends_on))
        result["dependsOn"] = restored_order(names_hint(hints, "depends-on"), result["dependsOn"])
        if kind in _CONTROL:
            self._write_control(result, node, hints, place)
        elif kind is not None:
            self._write_operation(result, node.operation, hints, place)
        provenance = free_provenance(node.provenance, hints, path, self._findings)
        if provenance:
            result["provenance"] = provenance
        return result

    def _write_operation(self, result: Node, operation: node_pb2.Operation, hints: Hints, path: Path) -> None:
        kind = operation.WhichOneof("kind")
        result["kind"] = kind or ""
        if kind == "dispatch":
            result["dispatch"] = self._dispatch(operation.dispatch, hints, path.field("dispatch"))
        elif kind == "copy":
            result["copy"] = self._copy(operation.copy, hints, path.field("copy"))
        elif kind == "fill":
            result["fill"] = self._fill(operation.fill, hints, path.field("fill"))
        elif kind == "barrier":
            result["barrier"] = self._barrier(operation.barrier, hints, path.field("barrier"))

    def _write_control(self, result: Node, node: node_pb2.Node, hints: Hints, path: Path) -> None:
        kind = node.operation.WhichOneof("kind") or ""
        place, arm = path.field(kind), node.operation.conditional.then_region
        inner = node.operation.repeat.body.nodes if kind == "repeat" else arm.nodes
        if len(inner) != 1 or inner[0].operation.WhichOneof("kind") not in ("dispatch", "copy", "fill"):
            text = "a control node whose body is not exactly one dispatch, copy or fill"
            self._findings.add("crosstl.not-expressible", place, text)
            return
        if inner[0].id != self._expected_inner.get(node.id):
            text = f"the name `{inner[0].id}`, which the format does not keep"
            self._findings.add("crosstl.not-expressible", place, text)
        region = place.field("body" if kind == "repeat" else "then_region").element("nodes", 0, inner[0].id)
        inner_hints = read_hints(inner[0].provenance, region, self._findings)
        if free_provenance(inner[0].provenance, {}, region, self._findings):
            text = "provenance of a node that the format has no place for"
            self._findings.add("crosstl.not-expressible", region.field("provenance"), text)
        self._write_operation(result, inner[0].operation, inner_hints, region.field("operation"))
        if kind == "repeat":
            result["repeat"] = self._repeat(node.operation.repeat, hints, place)
        else:
            result["condition"] = self._condition(node.operation.conditional, hints, place)

    def _dispatch(self, dispatch: dispatch_pb2.Dispatch, hints: Hints, path: Path) -> Dispatch:
        self.used_artifacts.add(dispatch.artifact)
        selector = self._selectors.get(dispatch.artifact)
        if selector is None:
            text = f"there is no artifact `{dispatch.artifact}`"
            self._findings.add("crosstl.missing-reference", path.field("artifact"), text)
        spelled = object_hint(hints, "access")
        result = Dispatch(
            artifactSelector=selector or {},
            bindings={
                binding.slot: self._binding(binding, spelled, path.element("bindings", i, binding.slot))
                for i, binding in enumerate(dispatch.bindings)
            },
            constants=self._constants(dispatch, hints, path),
            geometry=write_geometry(dispatch.geometry, hints),
            entryPoint=dispatch.entry,
        )
        result["bindings"] = dict(sorted(result["bindings"].items()))
        profile, status = text_hint(hints, "target-profile"), text_hint(hints, "validation-status")
        if profile is not None:
            result["targetProfile"] = profile
        if status is not None:
            result["validationStatus"] = status
        if object_hint(hints, "dispatch-provenance"):
            result["provenance"] = object_hint(hints, "dispatch-provenance")
        return result

    def _binding(self, binding: dispatch_pb2.Binding, spelled: dict[str, JsonValue], path: Path) -> Binding:
        name = ACCESS_NAMES.get(binding.access)
        if name is None:
            text = f"`{access_pb2.AccessMode.Name(binding.access)}` has no counterpart in the format"
            self._findings.add("crosstl.not-expressible", path.field("access"), text)
        if binding.usage not in (access_pb2.USAGE_UNSPECIFIED, access_pb2.USAGE_SHADER_STORAGE):
            text = f"`{access_pb2.Usage.Name(binding.usage)}` has no counterpart in the format"
            self._findings.add("crosstl.not-expressible", path.field("usage"), text)
        writes = binding.access in (access_pb2.ACCESS_MODE_WRITE, access_pb2.ACCESS_MODE_READ_WRITE)
        if writes and binding.coverage != access_pb2.COVERAGE_FULL:
            text = (
                "a write that may leave bytes as they were, where the format knows writes of all bytes only"
            )
            self._findings.add("crosstl.not-expressible", path.field("coverage"), text)
        hinted = spelled.get(binding.slot)
        if isinstance(hinted, str) and access_mode(hinted) == binding.access:
            name = hinted
        return Binding(resource=self._whole(binding.target, path.field("target")), access=name or "")

    def _constants(self, dispatch: dispatch_pb2.Dispatch, hints: Hints, path: Path) -> dict[str, JsonValue]:
        constants: dict[str, JsonValue] = {}
        spelled = object_hint(hints, "constants")
        for i, value in enumerate(dispatch.specialization):
            place = path.element("specialization", i, value.name or None)
            # A number is a field without counterpart, which is refused as that.
            is_named = value.name or value.HasField("constant_id")
            number = _untyped(value.value, spelled.get(value.name))
            if number is None or not is_named:
                text = (
                    "a specialization value that has no name, or is of another type than its number is "
                    "taken for, where the format has no types"
                )
                self._findings.add("crosstl.not-expressible", place, text)
                continue
            constants[value.name] = number
        return dict(sorted(constants.items()))

    def _copy(self, copy: node_pb2.Copy, hints: Hints, path: Path) -> Copy:
        source, source_range = self._part(copy.source, text_hint(hints, "source-view"), path.field("source"))
        destination, destination_range = self._part(
            copy.destination, text_hint(hints, "destination-view"), path.field("destination")
        )
        return Copy(
            source=source,
            destination=destination,
            sourceRange=source_range,
            destinationRange=destination_range,
        )

    def _fill(self, fill: node_pb2.Fill, hints: Hints, path: Path) -> Fill:
        resource, part = self._part(
            fill.destination, text_hint(hints, "destination-view"), path.field("destination")
        )
        value = self._number(fill.pattern, path.field("pattern"))
        if resource in self._written and self._written[resource].element != fill.pattern.element:
            text = "a pattern of another element type than the destination has"
            self._findings.add("crosstl.not-expressible", path.field("pattern"), text)
        hinted = hints.get("fill-value")
        if isinstance(hinted, bool | int | float) and _stands_for(hinted, fill.pattern):
            value = hinted
        return Fill(resource=resource, range=part, value=value)

    def _barrier(self, barrier: node_pb2.Barrier, hints: Hints, path: Path) -> Barrier:
        names: list[str] = []
        modes: set[tuple[access_pb2.AccessMode | None, access_pb2.AccessMode | None]] = set()
        for i, statement in enumerate(barrier.statements):
            place = path.element("statements", i)
            before = mode_of(statement.available_from, self._occurring)
            after = mode_of(statement.visible_to, self._occurring)
            for name, mode in (("available_from", before), ("visible_to", after)):
                if mode is None:
                    text = (
                        "accesses that are neither the reads, the writes, nor both, of a graph of the format"
                    )
                    self._findings.add("crosstl.not-expressible", place.field(name), text)
            modes.add((before, after))
            names.extend(
                self._whole(selection, place.element("selections", j))
                for j, selection in enumerate(statement.selections)
            )
        if len(modes) != 1 or len(set(names)) != len(names):
            text = "a barrier without exactly one pair of access modes, or with a resource twice"
            self._findings.add("crosstl.not-expressible", path, text)
            return Barrier(resources=[])
        (before, after), ordered = (
            modes.pop(),
            restored_order(names_hint(hints, "barrier-resources"), sorted(names)),
        )
        return Barrier(
            resources=ordered,
            beforeAccess=_spelled(before, text_hint(hints, "before-access")),
            afterAccess=_spelled(after, text_hint(hints, "after-access")),
        )

    def _repeat(self, repeat: node_pb2.Repeat, hints: Hints, path: Path) -> Repeat:
        result = Repeat()
        if repeat.trips.WhichOneof("source") == "read":
            read, place = repeat.trips.read, path.field("trips").field("read")
            result["controlInput"] = self._control(read.source, read.element, hints, place)
        else:
            result["count"] = repeat.trips.literal
            if hints.get("empty-control-input") is True:
                result["controlInput"] = ""
        if repeat.maximum_trips:
            result["maxIterations"] = repeat.maximum_trips
        return result

    def _condition(self, conditional: node_pb2.Conditional, hints: Hints, path: Path) -> Condition:
        predicate, place = conditional.predicate, path.field("predicate")
        if predicate.comparison != node_pb2.COMPARISON_EQUAL:
            text = "a comparison other than for equality"
            self._findings.add("crosstl.not-expressible", place.field("comparison"), text)
        return Condition(
            equals=self._number(predicate.literal, place.field("literal")),
            controlInput=self._control(predicate.source, predicate.literal.element, hints, place),
            maxEvaluations=max(integer_hint(hints, "maximum-evaluations") or 1, 1),
        )

    def _control(
        self, source: type_pb2.ByteSelection, element: type_pb2.ElementType, hints: Hints, path: Path
    ) -> str:
        name, part = self._part(source, text_hint(hints, "control-view"), path.field("source"))
        written = self._written.get(name)
        if written is not None and (element, part["byteOffset"]) != (written.element, 0):
            text = "a value that is not the first element of its resource, of the same type"
            self._findings.add("crosstl.not-expressible", path.field("source"), text)
        return name

    def _number(self, bits: type_pb2.TypedBits, path: Path) -> JsonValue:
        try:
            value = written_number(bits)
        except LiteralError as error:
            self._findings.add("crosstl.not-expressible", path, str(error))
            return None
        if value is None:
            self._findings.add("crosstl.not-expressible", path, "a value that JSON has no number for")
        return value

    def _whole(self, selection: type_pb2.ByteSelection, path: Path) -> str:
        """Return the CrossTL resource that a selection names all of."""
        name, part = self._part(selection, None, path)
        written = self._written.get(name)
        if written is not None and (part["byteOffset"] or part["byteLength"] != written.length):
            self._findings.add(
                "crosstl.not-expressible", path, "a part of a resource, where the format names wholes"
            )
        return name

    def _part(self, selection: type_pb2.ByteSelection, view: str | None, path: Path) -> tuple[str, Range]:
        """Return a CrossTL resource and the bytes of it that a selection names.

        ``view`` is tried first for a byte range.
        """
        kind = selection.WhichOneof("selection")
        if kind != "byte_range":
            name = selection.view if kind == "view" else selection.resource
            if name not in self._written:
                self._findings.add("crosstl.missing-reference", path, f"`{name}` has no name in the format")
                return name, Range(byteOffset=0, byteLength=0)
            return name, Range(byteOffset=0, byteLength=self._written[name].length)
        owner, offset = selection.byte_range.resource, selection.byte_range.offset.constant
        length = selection.byte_range.size.constant
        for name in (owner,) if view is None else (view, owner):
            written = self._written.get(name)
            if written is not None and written.resource == owner:
                start = offset - written.base
                if start >= 0 and start + length <= written.length:
                    return name, Range(byteOffset=start, byteLength=length)
        self._findings.add(
            "crosstl.not-expressible", path, f"bytes of `{owner}` that no name in the format covers"
        )
        return owner, Range(byteOffset=offset, byteLength=length)


def _untyped(bits: type_pb2.TypedBits, hinted: JsonValue) -> JsonValue:
    """Return a number that an import takes for these bits, the hinted one if it is; None if there is none."""
    if assumed_bits(hinted) == bits:
        return hinted
    try:
        number = written_number(bits)
    except LiteralError:
        return None
    return number if assumed_bits(number) == bits else None


def _spelled(mode: access_pb2.AccessMode | None, hinted: str | None) -> str:
    if hinted is not None and access_mode(hinted) == mode:
        return hinted
    return ACCESS_NAMES[mode] if mode is not None else ""


def _stands_for(value: Number, bits: type_pb2.TypedBits) -> bool:
    try:
        return typed_bits(bits.element, value).bits == bits.bits
    except LiteralError:
        return False
