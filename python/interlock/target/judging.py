"""One function judges bundles, payloads and envelopes, whether they are made, read or put together."""

from __future__ import annotations

from dataclasses import dataclass
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

    from interlock.codec.schema import MessageInfo
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
    _require_readable(context, ROOT, None if binary is None else _Binary(binary))
    for prefix, part in sorted(context.parts, key=_inner_first):
        _require_rules(part, prefix)
    _require_rules(context, ROOT)


def _inner_first(part: tuple[Path, Context]) -> tuple[bool, int, int]:
    """Return what orders parts: the graph, then of each payload the bundle, then the payload."""
    steps = part[0].steps
    return steps[0].field == "payloads", steps[0].index or 0, -len(steps)


@dataclass(frozen=True, slots=True)
class _Binary:
    """The canonical binary of a document, and where it stands in the one around it, if there is one."""

    data: bytes
    outer: _Binary | None = None
    info: MessageInfo | None = None
    inside: Path = ROOT

    def offset(self) -> int | None:
        """Return the offset of its first byte from that of the outermost; None if it has no byte.

        It is looked for only when something is wrong: a document may hold very many.
        """
        if self.outer is None or self.info is None:
            return 0
        before = self.outer.offset()
        start = start_of(self.outer.data, self.info, self.inside)
        return None if before is None or start is None else before + start


def _require_readable(context: Context, outer: Path, binary: _Binary | None) -> None:
    """Check the digest of every nested document, then whether it can be read, then what is in it.

    Raises:
        TargetError: ``nested.digest-mismatch``.
        CodecError: The reader's refusal.
    """
    parts = dict(context.parts)
    for held in context.held:
        if held.digest != held.actual_digest:
            found = run(context, nested.RULES[:1]).diagnostics
            raise ERRORS[context.kind](*(below(outer, finding) for finding in found))
        inner = None
        if binary is not None:
            inner = _Binary(held.body, binary, schema().message_of(context.message), held.inside)
        if held.error is not None:
            raise _refused(held, outer, inner)
        part = parts.get(held.inside)
        if part is not None and part.held:
            _require_readable(part, outer.extended(*held.inside.steps), inner)


def _refused(held: Held, outer: Path, binary: _Binary | None) -> CodecError:
    """Return the refusal of a nested document, by its path and offset from the outermost one."""
    assert held.error is not None  # noqa: S101 - the caller asked
    said = held.error.diagnostics[0]
    path = outer.extended(*held.inside.steps, *said.path.steps)
    start = None if binary is None or said.byte_offset is None else binary.offset()
    offset = None if start is None or said.byte_offset is None else start + said.byte_offset
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
            path = prefix.extended(*gap.path.steps)
            yield Diagnostic("limit.proof-work", Severity.ERROR, path, message)
