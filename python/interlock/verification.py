"""Verification: one document in, one report out."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from interlock.diagnostic import Evidence, Severity, Unverified
from interlock.document import Document
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.report.model import Report, Subject
from interlock.rules import RULE_SET
from interlock.rules.assumptions import assumptions_of
from interlock.rules.context import NOWHERE, Context, Surroundings
from interlock.rules.parts import run_with_parts
from interlock.rules.pending import pending_of
from interlock.rules.registry import rules_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from google.protobuf.message import Message

    from execgraph.v1.package_pb2 import Package
    from interlock.diagnostic import Assumption, Diagnostic
    from interlock.errors import InterlockError
    from interlock.report.model import TargetReadiness
    from interlock.rules.engine import Results
    from interlock.rules.model import Rule


def verify(
    document: Document | Message,
    *,
    limits: Limits = DEFAULT_LIMITS,
    offered: Collection[str] | None = None,
    require: Evidence | str = Evidence.ASSERTED,
    source: str = "",
    surroundings: Surroundings = NOWHERE,
) -> Report:
    """Judge a document by every rule that applies to its kind.

    The report states what no rule of this release checks yet; such a document is at best UNVERIFIED. A graph
    that comes with a container is judged as a part of the package that the container holds.

    Args:
        document: The document, or the message of one.
        limits: Bounds on what may be verified. A graph beyond them is not looked at further.
        offered: The names of the capabilities that are offered, such as ``repeat`` or
            ``CAPABILITY_REPEAT``. Default: nobody asked.
        require: The weakest evidence to accept. An assumption with less is unverified, and a finding that
            holds under assumption is an error unless ``ASSERTED`` is enough. Its name, such as ``proven``,
            is taken too. Default: whatever there is.
        source: Where the document was read from, as the report shall name it.
        surroundings: What a package is judged against: where its bytes are, and for which targets.

    Raises:
        CodecError: The message is not one that a document can hold.
        TypeError: An argument is of another type.
        ValueError: ``offered`` names a capability, or ``require`` an evidence, that the schema does not know.
    """
    document = as_judged(document, surroundings)
    floor = evidence_of(require)
    return judge(document, context_of(document, limits, offered, surroundings), floor, source)


def as_judged(document: Document | Message, surroundings: Surroundings) -> Document:
    """Return the document that is judged: a graph with a container around it is one of a package.

    Raises:
        CodecError: The message is not one that a document can hold.
        TypeError: It is none.
    """
    document = Document.of(document)
    if surroundings.container is None or document.kind != "ExecutionGraph":
        return document
    from interlock.package.joined import joined  # noqa: PLC0415  (packages only)

    return joined(document, surroundings.container)


def context_of(
    document: Document,
    limits: Limits,
    offered: Collection[str] | None,
    surroundings: Surroundings = NOWHERE,
) -> Context:
    """Return what rules may look at.

    Raises:
        TypeError: ``offered`` is no collection of names.
        ValueError: It holds a name that the schema does not know.
    """
    names = None
    if offered is not None:
        from interlock.graph.capabilities import capability_name  # noqa: PLC0415  (start-up)

        if isinstance(offered, str) or not isinstance(offered, Iterable):
            raise TypeError(f"`offered` is a collection of names, such as `{{'repeat'}}`, not `{offered!r}`")
        names = frozenset(map(capability_name, offered))
    return Context(document.message, document.kind, limits, names, surroundings)


def evidence_of(require: Evidence | str) -> Evidence:
    """Return the evidence that is meant.

    Raises:
        TypeError: It is neither an evidence nor the name of one.
        ValueError: There is no evidence of that name.
    """
    if isinstance(require, Evidence):
        return require
    names = ", ".join(f"`{evidence.name.lower()}`" for evidence in Evidence)
    if not isinstance(require, str):
        raise TypeError(f"`require` is an `interlock.Evidence` or one of {names}, not `{require!r}`")
    if require.upper() not in Evidence.__members__:
        raise ValueError(f"`{require}` is no evidence; there are {names}")
    return Evidence[require.upper()]


def judge(document: Document, context: Context, require: Evidence, source: str = "") -> Report:
    """Judge a document, for callers who go on to ask its context: nothing is computed twice."""
    with _collection_paused():
        return _judge(document, context, require, source)


@contextmanager
def _collection_paused() -> Iterator[None]:
    """Pause the search for cyclic garbage.

    An index is millions of objects that live as long as the verification, and no cycles. Each search would
    visit all that are there so far, and find nothing.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _judge(document: Document, context: Context, require: Evidence, source: str) -> Report:
    results = run_with_parts(context, rules_of(document.kind))
    assumptions = tuple(assumptions_of(context))
    if document.kind == "Package" and cast("Package", document.message).payloads:
        from interlock.target.packaged import payload_findings  # noqa: PLC0415  (packages with payloads only)

        payloads = payload_findings(context)
        results.diagnostics += payloads.diagnostics
        results.unverified += payloads.unverified
        assumptions = (*assumptions, *payloads.assumptions)
    weak = _below(require, assumptions)
    diagnostics = _counting(require, results.diagnostics)
    unverified = (*results.unverified, *weak, *pending_of(document.kind))
    readiness: tuple[TargetReadiness, ...] = ()
    if document.kind == "Package":
        from interlock.readiness import readiness_of  # noqa: PLC0415  (packages only)

        container = context.surroundings.container
        if container is not None:
            # What opening said stands before what the document says: it is about places in the container.
            diagnostics = (*container.diagnostics, *diagnostics)
            unverified = (*container.unverified, *unverified)
        readiness = readiness_of(
            context.package, diagnostics, unverified, _unlisted(results, rules_of(document.kind))
        )
    return Report(
        subject=subject_of(document, source),
        diagnostics=diagnostics,
        assumptions=assumptions,
        unverified=unverified,
        readiness=readiness,
        rules=tuple(sorted(results.outcomes, key=lambda outcome: outcome.code)),
        rule_set=RULE_SET,
        required_evidence=require,
    )


def _unlisted(results: Results, rules: Iterable[Rule]) -> dict[str, int]:
    """Return how many errors were found beyond those that are listed, by code."""
    listed = Counter(finding.code for finding in results.diagnostics)
    errors = {rule.code for rule in rules if rule.severity is Severity.ERROR}
    return {
        outcome.code: outcome.findings - listed[outcome.code]
        for outcome in results.outcomes
        if outcome.code in errors and outcome.findings > listed[outcome.code]
    }


def _below(require: Evidence, assumptions: Iterable[Assumption]) -> tuple[Unverified, ...]:
    """Return the assumptions whose evidence is not enough, as what was not verified.

    What is an obligation of the caller is not among them: no document could hold evidence for it.
    """
    return tuple(
        Unverified(
            held.code,
            f"it is only {held.evidence.name.lower()}, and {require.name.lower()} evidence is required",
            held.path,
            target=held.target,
        )
        for held in assumptions
        if held.evidence is not None and held.evidence < require
    )


def _counting(require: Evidence, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return findings as they count: an assertion holds none of them where assertions are not enough."""
    if require <= Evidence.ASSERTED:
        return tuple(diagnostics)
    return tuple(
        replace(finding, holds_under_assumption=False) if finding.holds_under_assumption else finding
        for finding in diagnostics
    )


def unreadable_report(error: InterlockError, source: str = "") -> Report:
    """Return the report on an input that could not be read, with what reading it said."""
    return Report(
        subject=Subject(source=source),
        diagnostics=error.diagnostics,
        unverified=(Unverified("document", "the input could not be read"),),
        rule_set=RULE_SET,
        readable=False,
    )


def subject_of(document: Document, source: str = "") -> Subject:
    """Return what a report says of the document it speaks of."""
    message: Any = document.message
    header = message.header
    return Subject(
        source=source,
        kind=document.kind,
        id=getattr(document.message, "id", ""),
        digest=document.digest,
        semantic_digest=document.semantic_digest,
        schema_version=f"{header.schema_major}.{header.schema_minor}",
        required_features=tuple(header.required_features),
    )
