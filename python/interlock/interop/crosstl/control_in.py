"""CrossTL's repetitions and conditions as control nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import node_pb2, type_pb2
from interlock.interop.crosstl.literals import import_literal

if TYPE_CHECKING:
    from interlock.diagnostic import Path
    from interlock.interop.crosstl.context import ImportContext
    from interlock.interop.crosstl.hints import Hints
    from interlock.interop.crosstl.model import Condition, Repeat
    from interlock.interop.crosstl.resources_in import Target

_LARGEST = (1 << 64) - 1


def import_repeat(
    context: ImportContext, repeat: Repeat, path: Path, body: node_pb2.Node
) -> tuple[node_pb2.Operation, Hints]:
    """Return a repeat of ``body``, and what its node has to keep."""
    message = node_pb2.Repeat(body=node_pb2.Region(nodes=[body]))
    hints: Hints = {}
    if "maxIterations" in repeat:
        message.maximum_trips = _bound(context, repeat["maxIterations"], path.field("maxIterations"), least=1)
    control = repeat.get("controlInput", "")
    if ("count" in repeat) == bool(control):
        text = "exactly one of `count` and `controlInput` is required"
        context.findings.add("crosstl.ambiguous-trip-count", path, text)
    elif "count" in repeat:
        message.trips.literal = _bound(context, repeat["count"], path.field("count"))
        if "controlInput" in repeat:
            hints["empty-control-input"] = True
    else:
        target = _control_target(context, control, path.field("controlInput"))
        if target is not None:
            message.trips.read.source.CopyFrom(_control_element(target))
            message.trips.read.element = target.view.element
            hints |= _view_hint(target)
            context.assume(
                "crosstl.assumed-trip-count",
                path,
                f"a count above {message.maximum_trips} means {message.maximum_trips}, a negative one 0",
            )
    return node_pb2.Operation(repeat=message), hints


def import_condition(
    context: ImportContext, condition: Condition, path: Path, body: node_pb2.Node
) -> tuple[node_pb2.Operation, Hints]:
    """Return a conditional with ``body`` in its then-arm, and what its node has to keep."""
    message = node_pb2.Conditional(then_region=node_pb2.Region(nodes=[body]))
    message.predicate.comparison = node_pb2.COMPARISON_EQUAL
    hints: Hints = {}
    evaluations = condition.get("maxEvaluations")
    if evaluations is None or evaluations <= 0:
        text = f"`{evaluations}` evaluations where at least 1 are required"
        text = "the greatest number of evaluations is not stated" if evaluations is None else text
        context.findings.add("crosstl.missing-evaluation-bound", path.field("maxEvaluations"), text)
    elif evaluations != 1:
        hints["maximum-evaluations"] = evaluations
    control, place = condition.get("controlInput", ""), path.field("controlInput")
    if not control:
        context.findings.add("crosstl.missing-control-input", place, "a condition without a control input")
        return node_pb2.Operation(conditional=message), hints
    target = _control_target(context, control, place)
    if target is not None:
        message.predicate.source.CopyFrom(_control_element(target))
        literal = import_literal(
            context, condition["equals"], target.view.element, path.field("equals"), "control-literal"
        )
        if literal is not None:
            message.predicate.literal.CopyFrom(literal)
        hints |= _view_hint(target)
        context.assume(
            "crosstl.assumed-skip",
            path,
            "what depends on the node also runs where the condition does not hold",
        )
    return node_pb2.Operation(conditional=message), hints


def _control_target(context: ImportContext, name: str, path: Path) -> Target | None:
    """Return a resource of one integer or boolean."""
    target = context.target(name, path)
    if target is None:
        return None
    if target.view.shape not in ((), (1,)):
        text = f"`{name}` has the shape `{list(target.view.shape)}` where one element is required"
        context.findings.add("crosstl.control-not-scalar", path, text)
        return None
    if target.view.element >= type_pb2.ELEMENT_TYPE_F16:
        text = f"`{name}` is of `{target.view.source.get('dtype')}` where an integer or a boolean is required"
        context.findings.add("crosstl.unsupported-control-type", path, text)
        return None
    return target


def _control_element(target: Target) -> type_pb2.ByteSelection:
    return target.part(0, target.view.size)


def _view_hint(target: Target) -> Hints:
    named = _control_element(target).WhichOneof("selection")
    return {"control-view": target.view_id} if target.view_id is not None and named == "byte_range" else {}


def _bound(context: ImportContext, value: int, path: Path, least: int = 0) -> int:
    if least <= value <= _LARGEST:
        return value
    text = f"`{value}` is not from {least} to 2^64 - 1"
    context.findings.add("crosstl.value-out-of-range", path, text)
    return 0
