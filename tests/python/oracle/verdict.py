"""What the oracle says about a graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .memory import Space

UNORDERED = "hazard.unordered-access"
INVISIBLE = "visibility.write-not-visible"
UNINITIALISED = "initialisation.read-before-write"
PARTLY_INITIALISED = "initialisation.read-after-partial-write"
NOT_WRITTEN = "initialisation.output-not-written"
PARTLY_WRITTEN = "initialisation.output-partly-written"
NOT_COVERED = "initialisation.output-not-covered"
CLOBBERED = "alias.clobbered-value"
WITHIN_NODE = "alias.within-node"
COPY_OVERLAP = "range.copy-overlap"
READ_ONLY = "role.read-only-written"
OUTSIDE = "lifetime.access-outside"
OVERLAPPING = "lifetime.overlapping"
MISPLACED = "lifetime.misplaced"
OUT_OF_BOUNDS = "placement.out-of-bounds"
MISALIGNED = "placement.misaligned"

ERROR, WARNING, UNVERIFIED = "error", "warning", "unverified"


class Finding(NamedTuple):
    """What is wrong, and between which accesses, resources or nodes. An access is written ``node.slot``."""

    severity: str
    code: str
    between: tuple[str, ...]


@dataclass(slots=True)
class Verdict:
    """All findings of all executions.

    Attributes:
        space: How the bytes of ``findings`` belong to allocations.
        findings: The bytes of each finding, as bits of ``space``; 0 for a finding that is about no bytes.
        witnesses: An execution in which a severity and code first showed: the values, arms and trip counts.
        executions: How many executions were looked at.
    """

    space: Space
    findings: dict[Finding, int] = field(default_factory=dict)
    witnesses: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    executions: int = 0

    def add(self, severity: str, code: str, between: tuple[str, ...], mask: int, trail: list[str]) -> None:
        """Add bytes to a finding."""
        finding = Finding(severity, code, between)
        self.findings[finding] = self.findings.get(finding, 0) | mask
        if (severity, code) not in self.witnesses:
            self.witnesses[severity, code] = tuple(trail)

    def of(self, severity: str, code: str | None = None) -> Iterator[tuple[Finding, int]]:
        """Enumerate the findings of one severity and, if said, one code."""
        for finding, mask in self.findings.items():
            if finding.severity == severity and code in {None, finding.code}:
                yield finding, mask

    @property
    def errors(self) -> set[str]:
        return {finding.code for finding, _ in self.of(ERROR)}

    @property
    def warnings(self) -> set[str]:
        return {finding.code for finding, _ in self.of(WARNING)}

    @property
    def unverified(self) -> set[str]:
        return {finding.code for finding, _ in self.of(UNVERIFIED)}

    @property
    def sound(self) -> bool:
        """Whether there is neither an error nor anything unverified."""
        return not self.errors and not self.unverified

    @property
    def racing(self) -> int:
        """The bytes that race."""
        mask = 0
        for _, part in self.of(ERROR, UNORDERED):
            mask |= part
        return mask

    def bytes(self, code: str, severity: str = ERROR) -> dict[str, list[int]]:
        """Return the bytes of a code, by allocation."""
        mask = 0
        for _, part in self.of(severity, code):
            mask |= part
        return {name: ones(part) for name, part in self.space.split(mask).items()}

    def between(self, code: str, severity: str = ERROR) -> set[tuple[str, ...]]:
        """Return what a code was found between."""
        return {finding.between for finding, _ in self.of(severity, code)}


def ones(mask: int) -> list[int]:
    """Return the positions of the bits of a mask."""
    return [position for position in range(mask.bit_length()) if mask >> position & 1]
