"""One function judges bundles, payloads and envelopes, whether they are made, read or put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.codec.schema import schema
from interlock.diagnostic import ROOT, Diagnostic, Path, Severity
from interlock.errors import CodecError
from interlock.rules import document, group, limit, module, nested, order, payload, reference
from interlock.rules.engine import run
from interlock.rules.parts import below
from interlock.target.errors import (
    BundleError,
    EnvelopeError,
    InvalidArtifactError,
    PayloadError,
    TargetError,
)
from interlock.target.offsets import start_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.diagnostic import Unverified
    from interlock.rules.context import Context
    from interlock.rules.held import Held

RULES = (
    *document.RULES,
    *reference.RULES,
    *order.RULES,
    *nested.RULES,
    *payload.RULES,
    *group.RULES,
    *module.RULES,
)
"""What holds of every bundle, payload and envelope there is. That the graph is sound is `verify`'s to say."""

ERRORS: dict[str, type[TargetError]] = {
    "ExecutionGraph": InvalidArtifactError,
    "TargetModuleBundle": BundleError,
    "TargetPayload": PayloadError,
    "Envelope": EnvelopeError,
}


def require_sound(context: Context, binary: bytes | None = None) -> None:
    """Judge a document with everything in it: what can be read, then the rules, innermost documents first.

    Args:
        context: The document.
        binary: Its canonical binary, if offsets into it shall be told.

    Raises:
        CodecError: A nested document cannot be read.
        TargetError: A rule found something; the error has all findings of the innermost such document.
    """
    _require_readable(context, ROOT, binary, 0)
    for prefix, part in sorted(context.parts, key=_inner_first):
        _require_rules(part, prefix)
    _require_rules(context, ROOT)


def _inner_first(part: tuple[Path, Context]) -> tuple[bool, int, int]:
    """Return what orders parts: the graph, then of each payload the bundle, then the payload."""
    steps = part[0].steps
    return steps[0].field == "payloads", steps[0].index or 0, -len(steps)


def _require_readable(context: Context, outer: Path, binary: bytes | None, base: int) -> None:
    """Check the digest of every nested document, then whether it can be read, then what is in it.

    Raises:
        TargetError: ``nested.digest-mismatch``.
        CodecError: The reader's refusal.
    """
    for held in context.held:
        if held.digest != held.actual_digest:
            found = run(context, nested.RULES[:1]).diagnostics
            raise ERRORS[context.kind](*(below(outer, finding) for finding in found))
        start = None
        if binary is not None:
            info = schema().message_of(context.message)
            start = base + start_of(binary, info, held.inside)
        if held.error is not None:
            raise _refused(held, outer, start)
        inside = Path((*outer.steps, *held.inside.steps))
        for path, part in context.parts:
            if path == held.inside and part.held:
                _require_readable(part, inside, None if binary is None else held.body, start or 0)


def _refused(held: Held, outer: Path, start: int | None) -> CodecError:
    """Return the refusal of a nested document, by its path and offset from the outermost one."""
    assert held.error is not None  # noqa: S101 - the caller asked
    said = held.error.diagnostics[0]
    path = Path((*outer.steps, *held.inside.steps, *said.path.steps))
    known = start is not None and said.byte_offset is not None
    offset = (start or 0) + (said.byte_offset or 0) if known else None
    return CodecError(said.code, said.message, path, offset)


def _require_rules(context: Context, prefix: Path) -> None:
    error = ERRORS[context.kind]
    for rules in (limit.RULES, RULES) if context.kind == "ExecutionGraph" else (RULES,):
        results = run(context, rules)
        errors = [finding for finding in results.diagnostics if finding.severity is Severity.ERROR]
        if errors:
            raise error(*(below(prefix, finding) for finding in errors))
        gaps = list(_unproven(results.unverified, prefix))
        if gaps:
            raise error(*gaps)


def _unproven(unverified: list[Unverified], prefix: Path) -> Iterator[Diagnostic]:
    for gap in unverified:
        if gap.required:
            message = f"`{gap.check}` was not judged: {gap.reason}"
            path = Path((*prefix.steps, *gap.path.steps))
            yield Diagnostic("limit.proof-work", Severity.ERROR, path, message)
