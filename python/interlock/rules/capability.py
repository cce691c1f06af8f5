"""Rules about capabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import capability_pb2
from interlock.diagnostic import Path, Step
from interlock.graph.capabilities import OFFERED_BY_RUNTIMES, needed_capabilities, short_name
from interlock.rules.model import PACKAGE, Finding, Gap, counted, rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from interlock.package.entries import VariantEntry
    from interlock.rules.context import Context
    from interlock.rules.launches import Part, Where


def _is_asked(context: Context) -> bool:
    return context.offered is not None


@rule("capability.not-offered", asked=_is_asked)
def not_offered(context: Context) -> Iterator[Finding]:
    """The graph needs a capability that is not offered.

    What it checks:
        Every capability that the content of the graph needs is among those that the caller offers. Each
        missing one is reported once, at the first place that needs it.

    Why:
        A runtime that lacks a capability cannot run the graph, and must not skip what it does not know.

    Bad example:
        # verified with no capability offered
        nodes { id: "loop" operation { repeat { trips { literal: 2 } maximum_trips: 2 } } }

    Good example:
        # verified with CAPABILITY_REPEAT offered
        nodes { id: "loop" operation { repeat { trips { literal: 2 } maximum_trips: 2 } } }
    """
    for need in needed_capabilities(context.graph):
        if need.capability not in (context.offered or ()):
            others = f" and at {counted(need.places - 1, 'other place')}" if need.places > 1 else ""
            yield Finding(
                need.path, f"`{short_name(need.capability)}` is needed here{others}, but not offered"
            )


@rule("capability.not-offered-by-target", kinds=PACKAGE)
def not_offered_by_target(context: Context) -> Iterator[Finding | Gap]:
    """A graph, a variant or an entry needs a capability that its target does not offer.

    What it checks:
        Every capability that the content of a graph needs is in the profile of each target, or offered by
        the caller; and so is what variants and entries that run there require. Conditionals and repeats are
        the business of the runtime, not of the device, and are judged by what the caller offers alone.
        A version or a feature that a variant requires in its target's own words stays unverified.

    Why:
        A device that lacks a capability refuses the kernel, or the dispatch.

    Bad example:
        # on a target without atomic updates of F32
        bindings { slot: "sum" access: ACCESS_MODE_ATOMIC atomic_type: ELEMENT_TYPE_F32 }

    Good example:
        # on a target without atomic updates of F32
        bindings { slot: "sum" access: ACCESS_MODE_ATOMIC atomic_type: ELEMENT_TYPE_U32 }
    """
    table = context.launches
    yield from table.unlaunched()
    offered = {target: _offered(context, target) for target in table.package.targets}
    for part in table.parts:
        yield from _of_graph(part, offered)
    for where in table.entries:
        yield from _of_entry(where, offered[where.target])
    for target, entry in table.package.used_variants:
        path = entry.path.extended(Step("requirements"), Step("capabilities"))
        required = entry.variant.requirements.capabilities
        yield from _missing(required, offered[target], path, target, "the variant")
        yield from _other_requirements(target, entry)


def _other_requirements(target: str, entry: VariantEntry) -> Iterator[Gap]:
    """Yield a gap for what a variant requires in its target's own words, which no profile speaks."""
    path = entry.path.extended(Step("requirements"))
    required = entry.variant.requirements
    if required.minimum_version:
        version = required.minimum_version
        yield Gap(
            f"the variant requires version `{version}`; no profile says which `{target}` has",
            path.field("minimum_version"),
            target,
        )
    for index, feature in enumerate(required.features):
        reason = f"the variant requires `{feature}`; no profile says whether `{target}` has it"
        yield Gap(reason, path.extended(Step("features", index)), target)


def _of_graph(part: Part, offered: Mapping[str, frozenset[str] | None]) -> Iterator[Finding | Gap]:
    needs = needed_capabilities(part.graph)
    needs = [need for need in needs if need.capability not in OFFERED_BY_RUNTIMES]
    for target, there in offered.items() if needs else ():
        if there is None:
            yield Gap(_no_profile(target), part.entry.path, target)
            continue
        for need in needs:
            if need.capability not in there:
                others = f" and at {counted(need.places - 1, 'other place')}" if need.places > 1 else ""
                path = part.entry.path.extended(*need.path.steps)
                needed = f"`{short_name(need.capability)}` is needed here{others}"
                yield Finding(path, f"{needed}; `{target}` does not offer it", target=target)


def _no_profile(target: str) -> str:
    return f"no profile of target `{target}` is known"


def _offered(context: Context, target: str) -> frozenset[str] | None:
    """Return what a target and the caller offer; None if nobody knows the target."""
    profile = context.launches.profiles[target]
    if profile is None:
        return None
    own = {capability_pb2.Capability.Name(number) for number in profile.capabilities}
    return frozenset(own | (context.offered or frozenset()))


def _of_entry(where: Where, offered: frozenset[str] | None) -> Iterator[Finding | Gap]:
    path = where.variant.path
    if where.entered is None:
        yield Gap(where.reason, path, where.target)
        return
    needs = where.entered.value("required_capabilities")
    if needs is None:
        reason = where.entered.unknown or f"what entry `{where.entry_name}` requires is not known"
        yield Gap(reason, path, where.target)
        return
    for position, entry in enumerate(where.variant.artifact.interface.entries):
        if entry.name == where.entry_name and set(needs) <= set(entry.required_capabilities):
            path = Path((*path.steps[:-1], Step("interface"), Step("entries", position, entry.name)))
            path = path.field("required_capabilities")
    yield from _missing(needs, offered, path, where.target, f"entry `{where.entry_name}`")


def _missing(
    needs: Iterable[int], offered: frozenset[str] | None, path: Path, target: str, who: str
) -> Iterator[Finding | Gap]:
    names = [capability_pb2.Capability.Name(number) for number in sorted(set(needs))]
    names = [name for name in names if name not in OFFERED_BY_RUNTIMES]
    if names and offered is None:
        yield Gap(_no_profile(target), path, target)
        return
    for name in names:
        if name not in (offered or ()):
            yield Finding(
                path, f"{who} requires `{short_name(name)}`; `{target}` does not offer it", target=target
            )


RULES = (not_offered, not_offered_by_target)
