"""Findings, assumptions and gaps: what a check says, before anybody renders it.

A finding is identified by its code and its path; the sentence is for people. Paths are built step by step
while descending, never formatted by hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Severity(IntEnum):
    """How grave a finding is. The numbers are those of ``execgraph.report.v1.Severity``."""

    ERROR = 1
    WARNING = 2
    NOTE = 3


class Evidence(IntEnum):
    """What a fact rests on, from the weakest up.

    The numbers are those of ``execgraph.report.v1.Evidence``.
    """

    ASSERTED = 1
    """A producer says so."""
    DECLARED = 2
    """A package says so."""
    PROVEN = 3
    """The bytes show it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path: a field, and where it is repeated which element.

    ``index`` is the position in canonical order; ``key`` names the element of a set that is keyed by one
    string, and then the text form shows it instead of the position.
    """

    field: str
    index: int | None = None
    key: str | None = None

    def __str__(self) -> str:
        if self.key is not None:
            quoted = self.key.replace("\\", "\\\\").replace('"', '\\"')
            return f'{self.field}["{quoted}"]'
        if self.index is not None:
            return f"{self.field}[{self.index}]"
        return self.field


@dataclass(frozen=True, slots=True)
class Path:
    """A place in a document. The empty path is the document."""

    steps: tuple[Step, ...] = ()

    def field(self, name: str) -> Path:
        """Return the path of a singular field of the message at this path."""
        return Path((*self.steps, Step(name)))

    def element(self, name: str, index: int, key: str | None = None) -> Path:
        """Return the path of one element of a repeated field of the message at this path."""
        return Path((*self.steps, Step(name, index, key)))

    def extended(self, *steps: Step) -> Path:
        """Return the path of a place below this one."""
        return Path((*self.steps, *steps))

    def __str__(self) -> str:
        return ".".join(str(step) for step in self.steps)


ROOT = Path()


@dataclass(frozen=True, slots=True)
class NamedElement:
    """An element the document names: the space of names (such as ``node``) and the id."""

    id_space: str
    id: str


@dataclass(frozen=True, slots=True)
class ByteSpan:
    """A contiguous range of bytes of one allocation.

    ``allocation`` is the resource's id where the resource has an allocation of its own. ``upper_bound``
    says that the span may be larger than the bytes concerned.
    """

    allocation: str
    offset: int
    size: int
    upper_bound: bool = False

    def __str__(self) -> str:
        about = "at most " if self.upper_bound else ""
        last = self.offset + self.size - 1
        where = f"byte {last}" if self.size == 1 else f"bytes {self.offset} to {last}"
        return f"{about}{where} of `{self.allocation}`"


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that a finding speaks of, such as the other access of a race."""

    path: Path
    message: str


@dataclass(frozen=True, slots=True)
class AddedDependency:
    """A dependency to add: ``node`` then depends on ``depends_on``."""

    node: str
    depends_on: str


@dataclass(frozen=True, slots=True)
class AddedStatement:
    """A visibility statement to add.

    It stands on the edge from ``source`` to ``node``, or is carried by the repeat ``node`` if ``source`` is
    empty. It names ``resource``. Scopes are spelled as the name of a ``Usage`` and READ or WRITE.
    """

    node: str
    source: str
    resource: str
    available_from: tuple[str, ...]
    visible_to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fix:
    """A change of the document that removes a finding."""

    description: str
    dependencies: tuple[AddedDependency, ...] = ()
    statements: tuple[AddedStatement, ...] = ()


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    ``byte_offset`` is set for malformed input only: the offset of the byte at which reading failed.
    ``holds_under_assumption`` says that the producer asserted that it does not matter; such a finding is
    counted apart and does not decide the verdict. ``target`` names the one target that it is about; empty for
    all.
    """

    code: str
    severity: Severity
    path: Path
    message: str
    elements: tuple[NamedElement, ...] = ()
    bytes_concerned: tuple[ByteSpan, ...] = ()
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    byte_offset: int | None = None
    holds_under_assumption: bool = False
    target: str = ""

    def __str__(self) -> str:
        place = str(self.path) or "document"
        if self.byte_offset is not None:
            place += f" (byte {self.byte_offset})"
        return f"{place}: {self.severity.name.lower()}[{self.code}] {self.message}"


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something a verdict rests on and no rule can prove.

    ``evidence`` is what speaks for it; None for an obligation of whoever runs the graph, for which no
    document can hold evidence. ``target`` names the one target that it is about; empty for all.
    """

    code: str
    path: Path
    message: str
    evidence: Evidence | None = Evidence.ASSERTED
    target: str = ""


@dataclass(frozen=True, slots=True)
class Unverified:
    """Something that was not verified, and why.

    ``required`` tells whether the verdict needs it; ``target`` names the one target that it is about, and is
    empty for all.
    """

    check: str
    reason: str
    path: Path = ROOT
    required: bool = True
    target: str = ""
