"""Whether each graph of a package may run on each target, out of what the rules found."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from interlock.diagnostic import Severity
from interlock.package.index import VariantEntry
from interlock.report.model import Readiness, TargetReadiness

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from interlock.diagnostic import Diagnostic, Path, Step, Unverified
    from interlock.package.index import GraphEntry, PackageIndex

_VARIANT_STEPS = 2


class _Told(NamedTuple):
    """What a finding or a gap says of a graph: its code, its target (empty: all), and the variant, if any."""

    code: str
    target: str
    variant: tuple[Step, ...] = ()


def readiness_of(
    package: PackageIndex,
    diagnostics: Iterable[Diagnostic],
    unverified: Iterable[Unverified],
    unlisted: Mapping[str, int],
) -> tuple[TargetReadiness, ...]:
    """Return the readiness of each graph on each target that it is judged on, by graph, then by target.

    What is found in a graph counts for that graph, what is found in a variant for the graphs that run it, in
    an artifact for those that use it, anything else for all; and each for its target, if it is about one.

    Args:
        package: The index of the package.
        diagnostics: What was found.
        unverified: What was not verified.
        unlisted: By code, how many errors were found and are not among the diagnostics. Nobody knows about
            what they are, so that they keep every graph from being ready.
    """
    errors = _Pile()
    for finding in diagnostics:
        if finding.severity is Severity.ERROR and not finding.holds_under_assumption:
            errors.add(finding.code, finding.path, finding.target)
    gaps = _Pile()
    for gap in unverified:
        if gap.required:
            gaps.add(gap.check, gap.path, gap.target)
    found = []
    for graph in package.graphs:
        wrong = list(errors.about(graph, package))
        open_ = list(gaps.about(graph, package))
        for target in package.targets_of(graph):
            variants = _variants(package, graph, target)
            codes = _codes(wrong, target, variants)
            if codes:
                found.append(TargetReadiness(graph.id, target, Readiness.NOT_READY, _listed(codes)))
                continue
            codes = _codes(open_, target, variants) + Counter(unlisted)
            readiness = Readiness.UNVERIFIED if codes else Readiness.READY
            found.append(TargetReadiness(graph.id, target, readiness, _listed(codes)))
    return tuple(sorted(found, key=lambda each: (each.graph, each.target)))


@dataclass(slots=True)
class _Pile:
    """What was told, by what it is about."""

    everything: list[_Told] = field(default_factory=list)
    graphs: dict[str, list[_Told]] = field(default_factory=dict)
    artifacts: dict[str, list[_Told]] = field(default_factory=dict)

    def add(self, code: str, path: Path, target: str) -> None:
        first = path.steps[0] if path.steps else None
        if first is None or first.key is None or first.field not in ("graphs", "artifacts"):
            self.everything.append(_Told(code, target))
        elif first.field == "graphs":
            self.graphs.setdefault(first.key, []).append(_Told(code, target))
        else:
            variant = path.steps[:_VARIANT_STEPS]
            is_variant = len(variant) == _VARIANT_STEPS and variant[-1].field == "variants"
            told = _Told(code, target, variant if is_variant else ())
            self.artifacts.setdefault(first.key, []).append(told)

    def about(self, graph: GraphEntry, package: PackageIndex) -> Iterator[_Told]:
        yield from self.everything
        yield from self.graphs.get(graph.id, ())
        for artifact in package.used[graph.id] if self.artifacts else ():
            yield from self.artifacts.get(artifact, ())


def _variants(package: PackageIndex, graph: GraphEntry, target: str) -> frozenset[tuple[Step, ...]]:
    """Return the paths of the variants that a graph runs on a target."""
    selected = (package.select(graph, artifact, target) for artifact in package.used[graph.id])
    return frozenset(each.path.steps for each in selected if isinstance(each, VariantEntry))


def _codes(told: Iterable[_Told], target: str, variants: frozenset[tuple[Step, ...]]) -> Counter[str]:
    return Counter(
        each.code
        for each in told
        if each.target in {"", target} and (not each.variant or each.variant in variants)
    )


def _listed(codes: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(codes.items()))
