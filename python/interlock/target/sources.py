"""Which variants of a package are the sources of kernels that a compiler reads."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from execgraph.v1 import package_pb2
from interlock.diagnostic import ROOT, Diagnostic, NamedElement, Severity
from interlock.document import Document
from interlock.package.entries import runs_of
from interlock.target.errors import InvalidArtifactError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from interlock.package.container import Blobs
    from interlock.target.compiler import KernelPackage

SOURCE_TARGET = "source"
"""The target under which sources are handed on. It is no target of a package, so no pin is for it."""

_CONTINUED_LINE = re.compile(rb"\\(?:\r\n|\r|\n)")
_INCLUDE = re.compile(rb"#(?:\s|/\*.*?\*/)*include\b(?P<rest>[^\r\n]*)", re.DOTALL)
_OWN_HEADER = re.compile(rb"\s*<(?:metal_[a-z_]+|simd/simd\.h)>\s*")


@dataclass(frozen=True, slots=True)
class Sources:
    """The package of a graph with nothing but the source of each kernel in it.

    Attributes:
        document: The package document.
        blobs: The bytes.
        artifacts: The artifacts by id. Each has one variant, or none if the graph does not use it.
    """

    document: Document | None
    blobs: Blobs
    artifacts: Mapping[str, package_pb2.Artifact]


def choose_sources(
    graph: Document,
    package: KernelPackage,
    rank: Callable[[package_pb2.Variant], int | None],
    wanted: str,
    chosen: Mapping[str, str],
) -> Sources:
    """Return the source of each kernel that a graph runs.

    Args:
        graph: The graph.
        package: The package.
        rank: Tells sources from other variants, which have no rank. The least rank is taken.
        wanted: What a source is, for people.
        chosen: Names of variants by artifact, where the name decides.

    Raises:
        InvalidArtifactError: ``compiler.missing-source``, ``compile.ambiguous-variant``,
            ``compile.missing-artifact`` (a name was chosen for what the graph does not run),
            ``compile.pin-mismatch`` or ``compile.malformed-package``.
    """
    if package.document is None or package.document.kind != "Package":
        text = "a package document is required, with the artifacts of the graph"
        raise InvalidArtifactError.of("compile.malformed-package", text)
    message: Any = package.document.message
    found = package_pb2.Package(id=message.id)
    used = {artifact for artifact, _ in runs_of(graph.message)}  # type: ignore[arg-type]  # a graph
    choice = _Choice(graph, rank, wanted, chosen)
    for name in sorted(chosen.keys() - used):
        choice.refuse("compile.missing-artifact", f"a variant of `{name}` is named, which nothing runs", name)
    for artifact in message.artifacts:
        if artifact.id in used:
            kept = found.artifacts.add(id=artifact.id)
            if artifact.HasField("interface"):
                kept.interface.CopyFrom(artifact.interface)
            kept.variants.extend(choice.of(artifact))
    if choice.found:
        raise InvalidArtifactError(*choice.found)
    document = Document.from_message(found)
    held: Any = document.message
    return Sources(document, package.blobs, {each.id: each for each in held.artifacts})


class _Choice:
    def __init__(
        self,
        graph: Document,
        rank: Callable[[package_pb2.Variant], int | None],
        wanted: str,
        chosen: Mapping[str, str],
    ) -> None:
        message: Any = graph.message
        self._table = {row.id: (index, row) for index, row in enumerate(message.artifacts)}
        self._rank = rank
        self._wanted = wanted
        self._chosen = chosen
        self.found: list[Diagnostic] = []

    def of(self, artifact: package_pb2.Artifact) -> Iterator[package_pb2.Variant]:
        """Yield the source of an artifact, or keep in mind why there is none."""
        name = self._chosen.get(artifact.id)
        ranked = [
            (rank, variant)
            for variant in artifact.variants
            if name is None or variant.name == name
            if (rank := self._rank(variant)) is not None
        ]
        least = min((rank for rank, _ in ranked), default=0)
        fitting = [variant for rank, variant in ranked if rank == least]
        if len(fitting) == 1:
            yield self._as_source(artifact.id, fitting[0])
        elif fitting:
            names = ", ".join(f"`{each.name}`" for each in fitting)
            text = f"the artifact `{artifact.id}` has several sources for `{fitting[0].target}`: {names}"
            self.refuse("compile.ambiguous-variant", text, artifact.id)
        else:
            called = "" if name is None else f" named `{name}`"
            there = ", ".join(
                f"`{each.content_type.identity} {each.content_type.version}` for `{each.target}`"
                for each in artifact.variants[:8]
            )
            text = (
                f"the artifact `{artifact.id}` has no variant{called} that is {self._wanted}; it has "
                f"{there or 'none'}"
            )
            self.refuse("compiler.missing-source", text, artifact.id)

    def _as_source(self, artifact: str, variant: package_pb2.Variant) -> package_pb2.Variant:
        _, row = self._table.get(artifact, (0, None))
        pin = next((each for each in row.pins if each.target == variant.target), None) if row else None
        if pin is not None and (pin.digest, pin.size) != (variant.blob.digest, variant.blob.size):
            text = (
                f"the graph pins `{pin.digest}` of {pin.size} bytes for `{variant.target}`; the source in "
                f"the package is {variant.blob.digest}"
            )
            self.refuse("compile.pin-mismatch", text, artifact)
        found = package_pb2.Variant()
        found.CopyFrom(variant)
        found.target = SOURCE_TARGET
        return found

    def refuse(self, code: str, text: str, artifact: str) -> None:
        """Keep in mind what is wrong with an artifact."""
        index, row = self._table.get(artifact, (0, None))
        path = ROOT.field("artifacts") if row is None else ROOT.element("artifacts", index, artifact)
        self.found.append(Diagnostic(code, Severity.ERROR, path, text, (NamedElement("artifact", artifact),)))


def included(source: bytes) -> str:
    """Return what a source includes first, for people; empty if it includes nothing.

    It looks for more than the preprocessor would take for a directive, and for no less: continued lines are
    joined, and comments may stand between. Headers that belong to the language of Metal are none.
    """
    joined = _CONTINUED_LINE.sub(b"", source)
    for match in _INCLUDE.finditer(joined):
        if _OWN_HEADER.fullmatch(match["rest"]) is None:
            return "#include " + match["rest"].strip()[:80].decode(errors="replace")
    return ""
