"""Which resources share bytes, and which accesses of one node do."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence

    from interlock.flow.build import Preparation
    from interlock.flow.pattern import Pattern
    from interlock.flow.program import Ranges

ITERATIONS = 4096
"""The most iterations for which the accesses of one node are compared one by one."""


class Shared(NamedTuple):
    """Two things, the smaller number first, with the bytes they have in common by memory."""

    first: int
    second: int
    ranges: dict[int, set[tuple[int, int]]]


def common(entries: Sequence[tuple[int, Ranges]]) -> Iterator[tuple[int, int, int, int]]:
    """Yield what ranges of different things have in common: both things, and the range."""
    events = sorted((low, high, thing) for thing, ranges in entries for low, high in ranges)
    active: list[tuple[int, int]] = []
    for low, high, thing in events:
        active = [(end, other) for end, other in active if end > low]
        for end, other in active:
            if other != thing:
                yield min(other, thing), max(other, thing), low, min(end, high)
        active.append((high, thing))


def _collected(
    memories: Iterator[tuple[int, Sequence[tuple[int, Ranges]]]], written: Container[int]
) -> list[Shared]:
    """Return the pairs of which one is written; who only reads may share bytes with all others who do."""
    found: dict[tuple[int, int], dict[int, set[tuple[int, int]]]] = {}
    for memory, entries in memories:
        for first, second, low, high in common(entries):
            if first not in written and second not in written:
                continue
            found.setdefault((first, second), {}).setdefault(memory, set()).add((low, high))
    return [Shared(first, second, ranges) for (first, second), ranges in sorted(found.items())]


def shared_by_resources(
    preparation: Preparation, take_turns: Callable[[tuple[int, ...]], bool]
) -> list[Shared]:
    """Return the pairs of resources that have bytes in common, but those that take turns.

    ``take_turns`` tells of all resources of some bytes whether each is over before the next begins. It is
    asked once for all, which spares comparing each with each.
    """

    def memories() -> Iterator[tuple[int, list[tuple[int, Ranges]]]]:
        for number, memory in enumerate(preparation.program.memories):
            if len(memory.residents) > 1:
                entries = [(resource, ranges) for resource, (_, ranges) in memory.residents.items()]
                in_doubt = [group for group in groups(entries) if not take_turns(group)]
                doubtful = set().union(*in_doubt)
                yield number, [entry for entry in entries if entry[0] in doubtful]

    return _collected(memories(), {a.resource for a in preparation.program.accesses if a.writes})


def groups(entries: Sequence[tuple[int, Ranges]]) -> set[tuple[int, ...]]:
    """Return the different sets of two things or more that some byte belongs to."""
    changes: dict[int, list[tuple[bool, int]]] = {}
    for thing, ranges in entries:
        for low, high in ranges:
            changes.setdefault(low, []).append((True, thing))
            changes.setdefault(high, []).append((False, thing))
    found: set[tuple[int, ...]] = set()
    active: set[int] = set()
    for _, at in sorted(changes.items()):
        for begins, thing in sorted(at):
            (active.add if begins else active.discard)(thing)
        if len(active) > 1:
            found.add(tuple(sorted(active)))
    return found


def shared_within_node(preparation: Preparation, node: int) -> list[Shared] | None:
    """Return the pairs of accesses of a node that share bytes; None if there are too many iterations."""
    accesses = preparation.program.accesses_of.get(node, ())
    if len(accesses) < 2 or not any(preparation.program.accesses[a].writes for a in accesses):
        return []
    written = {access for access in accesses if preparation.program.accesses[access].writes}
    found: dict[tuple[int, int], dict[int, set[tuple[int, int]]]] = {}
    bindings = _iterations(preparation, accesses)
    if bindings is None:
        return None
    for bound in bindings:
        by_memory: dict[int, list[tuple[int, Ranges]]] = {}
        for access in accesses:
            for footprint in preparation.program.footprints(access, bound):
                by_memory.setdefault(footprint.memory, []).append((access, footprint.touched))
        for shared in _collected(iter(by_memory.items()), written):
            for memory, ranges in shared.ranges.items():
                found.setdefault(shared[:2], {}).setdefault(memory, set()).update(ranges)
    return [Shared(*pair, ranges) for pair, ranges in sorted(found.items())]


def _iterations(preparation: Preparation, accesses: Sequence[int]) -> Iterator[dict[int, int]] | None:
    """Return every combination of numbers of iterations that the bytes of some accesses depend on."""
    tables = preparation.index.elements
    used = sorted(
        {
            p
            for access in accesses
            for p in preparation.patterns[access].parameters
            if tables.parameters[p].owner >= 0
        }
    )
    domains = [tables.domains[parameter] for parameter in used]
    combinations = 1
    for domain in domains:
        combinations *= domain.high + 1 if domain else 1
    if combinations > ITERATIONS:
        return None
    values = (range(domain.high + 1) if domain else range(1) for domain in domains)
    return (dict(zip(used, chosen, strict=True)) for chosen in product(*values))


def writes_to(
    preparation: Preparation, owners: set[int]
) -> Iterator[tuple[int, int, dict[int, set[tuple[int, int]]]]]:
    """Yield the accesses that write some resources: the access, the resource, and the bytes by memory."""
    program = preparation.program
    places: dict[int, list[tuple[int, Ranges]]] = {}
    for memory, content in enumerate(program.memories):
        for resource, (_, ranges) in content.residents.items():
            if resource in owners:
                places.setdefault(memory, []).append((resource, ranges))
    for number, access in enumerate(program.accesses):
        if not access.writes:
            continue
        found: dict[int, dict[int, set[tuple[int, int]]]] = {}
        for bound in _iterations(preparation, (number,)) or ({},):
            for footprint in program.footprints(number, bound):
                for owner, ranges in places.get(footprint.memory, ()):
                    for _, _, low, high in common([(0, ranges), (1, footprint.touched)]):
                        found.setdefault(owner, {}).setdefault(footprint.memory, set()).add((low, high))
        for owner, by_memory in found.items():
            yield number, owner, by_memory


def repeated(
    preparation: Preparation, named: Sequence[tuple[int, Pattern]]
) -> dict[int, set[tuple[int, int]]]:
    """Return the bytes that the selections of one statement name twice through one resource, by memory.

    Where they depend on iterations, those of the first ones.
    """
    found: dict[int, set[tuple[int, int]]] = {}
    by_resource: dict[int, list[Pattern]] = {}
    parameters = preparation.index.elements.parameters
    first = {number: 0 for number, parameter in enumerate(parameters) if parameter.owner >= 0}
    for resource, pattern in named:
        by_resource.setdefault(resource, []).append(pattern)
    for resource, patterns in by_resource.items():
        plan = preparation.memories.plans[preparation.memories.of_resource[resource]]
        for offset, space in enumerate(plan.spaces) if len(patterns) > 1 else ():
            entries = [
                (number, space.ranges(pattern, first).touched) for number, pattern in enumerate(patterns)
            ]
            for _, _, low, high in common(entries):
                found.setdefault(plan.first + offset, set()).add((low, high))
    return found
