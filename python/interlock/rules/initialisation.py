"""Rules about initialisation: nothing is read before it was written, and every output is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import NamedElement, Severity
from interlock.flow.analysis import describe_spans
from interlock.rules.basis import ORDER
from interlock.rules.model import Finding, Gap, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.rules.context import Context


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
            f"{flow.describe(access)} where {spans} was written, but perhaps not all of it", flow.path(access)
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
    for number in sorted(flow.facts.outputs_not_written):
        resource = context.graph.elements.resources[number]
        yield Finding(
            resource.path,
            f"some execution does not write the output `{resource.id}`",
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
    for number, ranges in flow.facts.outputs_untouched.items():
        resource, spans = context.graph.elements.resources[number], flow.spans(ranges)
        yield Finding(
            resource.path,
            f"some execution does not write {describe_spans(spans)}, a part of the output `{resource.id}`",
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
        resource, spans = context.graph.elements.resources[number], describe_spans(flow.spans(ranges))
        yield Gap(
            f"{spans}, a part of the output `{resource.id}`, is written, but perhaps not all of it",
            resource.path,
        )


RULES = (
    read_before_write,
    read_after_partial_write,
    output_not_written,
    output_partly_written,
    output_not_covered,
)
