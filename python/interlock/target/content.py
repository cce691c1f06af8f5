"""What is in the bytes of modules, as far as somebody who knows their content type says.

Nothing here knows any content type. A verifier is given bytes of bounded size, and whatever it does, it never
raises past this boundary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interlock.diagnostic import ROOT, Diagnostic, NamedElement, Path, Severity, Step, Unverified
from interlock.target.sealed import BUNDLE, SealedDocument, blobs_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from execgraph.v1 import module_pb2
    from interlock.limits import Limits

    Verifier = Callable[[memoryview, Limits], "ContentVerdict"]
    Verifiers = Mapping[tuple[str, int], Verifier]
    """Verifiers by the identity and the version of what they know."""

MOST_PROBLEMS = 100
"""The most problems of one blob that are reported; the others are counted."""


@dataclass(frozen=True, slots=True)
class ContentVerdict:
    """What a verifier says of bytes: what is wrong, and the entries in them (None if it cannot tell)."""

    problems: tuple[str, ...] = ()
    entry_points: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class ContentReport:
    """What was found in the bytes of modules, and what nobody looked into."""

    diagnostics: tuple[Diagnostic, ...] = ()
    unverified: tuple[Unverified, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing was found and nothing that is required was left unverified."""
        return not self.diagnostics and not any(gap.required for gap in self.unverified)


def check_content(
    sealed: SealedDocument, verifiers: Verifiers, *, accept_unknown: bool = False
) -> ContentReport:
    """Look into the bytes of all modules of a bundle, a payload or an envelope.

    Bytes of a content type that no verifier knows are unverified, which never counts as passed; with
    ``accept_unknown`` it is not required either.
    """
    limits = sealed.context.limits
    found: list[Diagnostic] = []
    gaps: list[Unverified] = []
    asked: dict[tuple[str, int, str], ContentVerdict | str] = {}
    for path, module in _modules(sealed):
        elements = (NamedElement("launch-group", module.group),)
        for name, typed in blobs_of(module):
            kind, here = typed.content_type, path.extended(Step(name))
            verifier = verifiers.get((kind.identity, kind.version))
            if verifier is None:
                reason = f"nothing here knows `{kind.identity} {kind.version}`"
                gaps.append(Unverified("module.unknown-content", reason, here, required=not accept_unknown))
                continue
            if typed.blob.size > limits.blob_bytes:
                reason = f"the bytes are {typed.blob.size} long; the limit is {limits.blob_bytes}"
                gaps.append(Unverified("module.content-too-large", reason, here))
                continue
            key = kind.identity, kind.version, typed.blob.digest
            if key not in asked:  # many modules can have the same bytes
                asked[key] = _asked(verifier, sealed.blobs[typed.blob.digest], limits)
            said = asked[key]
            if isinstance(said, str):
                gaps.append(Unverified("module.verifier-failed", said, here))
                continue
            found += _problems(said, here, elements)
            entries = said.entry_points if name == "code" else None
            if entries is not None and module.entry_point not in entries:
                listed = ", ".join(f"`{each}`" for each in sorted(entries)[:8]) or "none"
                text = f"the code has no entry `{module.entry_point}`; it has {listed}"
                found.append(_error("module.entry-not-in-code", text, path.field("entry_point"), elements))
    return ContentReport(tuple(found), tuple(gaps))


def _asked(verifier: Verifier, data: memoryview, limits: Limits) -> ContentVerdict | str:
    """Return what a verifier says, or how it failed."""
    try:
        said: object = verifier(data.toreadonly(), limits)
        if isinstance(said, ContentVerdict):
            problems = tuple(str(each) for each in said.problems)
            entries = None if said.entry_points is None else frozenset(map(str, said.entry_points))
            return ContentVerdict(problems, entries)
    except Exception as error:  # noqa: BLE001 - a boundary that nothing crosses
        return f"the verifier raised `{type(error).__name__}`"
    return f"the verifier returned a `{type(said).__name__}`, not a ContentVerdict"


def _problems(said: ContentVerdict, path: Path, elements: tuple[NamedElement, ...]) -> Iterator[Diagnostic]:
    for text in said.problems[:MOST_PROBLEMS]:
        yield _error("module.content-refused", text, path, elements)
    more = len(said.problems) - MOST_PROBLEMS
    if more > 0:
        yield _error("module.content-refused", f"there are {more} more problems", path, elements)


def _error(code: str, text: str, path: Path, elements: tuple[NamedElement, ...]) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, path, text, elements)


def _modules(sealed: SealedDocument) -> Iterator[tuple[Path, module_pb2.TargetModule]]:
    if sealed.kind == BUNDLE:
        bundle: Any = sealed.message
        for index, module in enumerate(bundle.modules):
            yield ROOT.element("modules", index), module
        return
    for payload in sealed.context.payloads:
        for index, module in enumerate(payload.bundle.modules if payload.bundle is not None else ()):
            yield payload.module_path(index), module
