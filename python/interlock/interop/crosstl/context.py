"""What the parts of an import share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interlock.diagnostic import Assumption, Diagnostic, Path, Severity

if TYPE_CHECKING:
    from interlock.interop.crosstl.resources_in import ResourceTable, Target
    from interlock.interop.crosstl.structure import Findings


@dataclass(slots=True)
class ImportContext:
    """The declared resources, the artifacts by selector, and everything there is to say about the import."""

    table: ResourceTable
    artifacts: dict[str, str]
    findings: Findings
    notes: list[Diagnostic]
    assumptions: list[Assumption] = field(default_factory=list)

    def target(self, name: str, path: Path) -> Target | None:
        """Return where a resource is; None, with a finding unless it has one already, where it is nowhere."""
        if name not in self.table.known:
            self.findings.add("crosstl.missing-reference", path, f"`{name}` is no resource of the document")
        return self.table.targets.get(name)

    def remark(self, code: str, severity: Severity, path: Path, message: str) -> None:
        """Say something that does not stand in the way."""
        self.notes.append(Diagnostic(code, severity, path, message))

    def assume(self, code: str, path: Path, message: str) -> None:
        """Record what the document leaves unsaid."""
        self.assumptions.append(Assumption(code, path, message))
