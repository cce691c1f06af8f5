"""Rules about initialisation: nothing is read before it was written, and every output is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import NamedElement, Severity
from interlock.flow.analysis import describe_spans
from interlock.rules.basis import ORDER
from interlock.rules.model import Finding, Gap, rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interlock.diagnostic import ByteSpan
    from interlock.rules.context import Context

_REMEDY = "if a kernel that runs for certain overwrites every byte of its binding, claim coverage FULL there"


@rule("initialisation.read-before-write", needs=ORDER)
def read_before_write(context: Context) -> Iterator[Finding]:
    """A temporary or an output is read where nothing may have been written yet.

    What it checks:
        In every execution, every byte that is read of a temporary or an output was written before through
        the same resource or its views, in the same span of its lifetime.

    Why:
        Memory that nobody wrote holds what happened to be there.

    Bad example:
        resources { id: "t" role: RESOURCE_ROLE_TEMPORARY }
        nodes { id: "use" operation { copy { source { resource: "t" } } } }

    Good example:
        resources { id: "t" role: RESOURCE_ROLE_TEMPORARY }
        nodes { id: "clear" operation { fill { destination { resource: "t" } } } }
        nodes { id: "use" depends_on: "clear" operation { copy { source { resource: "t" } } } }
    """
    flow = context.flow
    for access, ranges in flow.facts.reads_before_write.items():
        spans = flow.spans(ranges)
        yield Finding(
            flow.path(access),
            f"{flow.describe(access)} where some execution has not written "
            f"{describe_spans(spans)} through it before",
            elements=flow.elements(access),
            bytes_concerned=spans,
        )


@rule("initialisation.read-after-partial-write", needs=ORDER)
def read_after_partial_write(context: Context) -> Iterator[Gap]:
    """A temporary or an output is read where all writes before may have left bytes out.

    What it checks:
        Every byte that is read was overwritten for certain: by a copy, a fill, or a binding with coverage
        FULL of a dispatch that certainly runs. Where it was not, and yet something was written, the reading
        stays unverified.

    Why:
        Several partial writes never add up to a whole by themselves; whether these do, only their producer
        knows, and says so by claiming FULL.

    Bad example:
        bindings { slot: "out" target { resource: "t" } access: ACCESS_MODE_WRITE coverage: COVERAGE_PARTIAL }

    Good example:
        bindings { slot: "out" target { resource: "t" } access: ACCESS_MODE_WRITE coverage: COVERAGE_FULL }
    """
    flow = context.flow
    for access, ranges in flow.facts.reads_after_partial.items():
        spans = describe_spans(flow.spans(ranges))
        yield Gap(
            f"{flow.describe(access)}, but the writes before it may leave out some of {spans}; {_REMEDY}",
            flow.path(access),
        )


@rule("initialisation.output-not-written", needs=ORDER)
def output_not_written(context: Context) -> Iterator[Finding]:
    """An external output is not written at all by some execution.

    What it checks:
        Every execution writes at least a part of every external output.

    Why:
        The caller takes what is in the output for a result.

    Bad example:
        nodes { id: "maybe" operation { conditional { then_region { nodes { id: "sum" } } } } }

    Good example:
        nodes { id: "maybe" operation { conditional {
          then_region { nodes { id: "sum" } }
          else_region { nodes { id: "zero" } }
        } } }
    """
    flow = context.flow
    missing = flow.facts.outputs_not_written
    written = {owner for _, owner, _ in flow.writes_to(missing)}
    for number in sorted(missing):
        resource = context.graph.elements.resources[number]
        yield Finding(
            resource.path,
            f"{'some' if number in written else 'every'} execution leaves the output `{resource.id}` "
            f"unwritten",
            elements=(NamedElement("resource", resource.id),),
        )


@rule("initialisation.output-partly-written", severity=Severity.WARNING, needs=ORDER)
def output_partly_written(context: Context) -> Iterator[Finding]:
    """A part of an external output is not written by some execution.

    What it checks:
        Every execution writes every byte of every external output.

    Why:
        The caller takes what is in the output for a result. Bytes between the rows of a padded output may
        stay unwritten on purpose; therefore this is a warning.

    Bad example:
        fill { destination { byte_range { resource: "out" size { constant: 4 } } } }

    Good example:
        fill { destination { resource: "out" } }
    """
    flow = context.flow
    untouched = flow.facts.outputs_untouched
    written = {
        (owner, memory, span)
        for _, owner, by_memory in flow.writes_to(set(untouched))
        for memory, spans in by_memory.items()
        for span in spans
    }
    for number, ranges in untouched.items():
        resource, spans = context.graph.elements.resources[number], flow.spans(ranges)
        sometimes = any(span.upper_bound for span in spans) or any(
            owner == number and low < high_left and low_left < high
            for owner, memory, (low, high) in written
            for low_left, high_left in ranges.get(memory, ())
        )
        yield Finding(
            resource.path,
            f"{'some' if sometimes else 'every'} execution leaves a part of {_output(resource.id, spans)} "
            f"unwritten: {describe_spans(spans)}",
            elements=(NamedElement("resource", resource.id),),
            bytes_concerned=spans,
        )


@rule("initialisation.output-not-covered", needs=ORDER)
def output_not_covered(context: Context) -> Iterator[Gap]:
    """An external output is written only by writes that may have left bytes out.

    What it checks:
        Every byte of an external output was overwritten for certain. Where it was not, and yet something was
        written there, the output stays unverified.

    Why:
        Several partial writes never add up to a whole by themselves; whether these do, only their producer
        knows, and says so by claiming FULL.

    Bad example:
        bindings { slot: "out" target { resource: "y" } access: ACCESS_MODE_WRITE }

    Good example:
        bindings { slot: "out" target { resource: "y" } access: ACCESS_MODE_WRITE coverage: COVERAGE_FULL }
    """
    flow = context.flow
    for number, ranges in flow.facts.outputs_uncovered.items():
        resource, spans = context.graph.elements.resources[number], flow.spans(ranges)
        yield Gap(
            f"the writes to {_output(resource.id, spans)} may leave out some of {describe_spans(spans)}; "
            f"{_REMEDY}",
            resource.path,
        )


def _output(name: str, spans: Sequence[ByteSpan]) -> str:
    """Return an output as it is called beside its bytes, which name it where it has memory of its own."""
    return "an output" if all(span.allocation == name for span in spans) else f"the output `{name}`"


RULES = (
    read_before_write,
    read_after_partial_write,
    output_not_written,
    output_partly_written,
    output_not_covered,
)
