"""What is known about the interface of one variant, in logical names, with who says so and how well."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from interlock.diagnostic import Evidence
from interlock.package.facts import Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from interlock.package.facts import ModuleFacts

DOCUMENT = "the package document"
"""The source of what the interface in the package document says."""

PLACE, IMAGE_SHAPE = "place", "image_shape"
"""Facts about a slot that are no fields of it."""

LISTED = "slot"
"""In place of a field: that a slot exists at all."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is known: the value of a field, how well it is known, and who says so.

    ``is_default`` says that the value is what holds where nobody asks for anything, so that no verdict rests
    on it: a slot that has to be bound and may have any size, an entry that tolerates no alias.
    """

    value: Any
    evidence: Evidence
    source: str
    is_default: bool = False


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two sources that do not say the same about one thing.

    ``slot`` is empty where it is about the entry; where ``entry`` is empty, ``slot`` is a constant. The value
    of ``weaker`` or ``stronger`` is None where that source knows of no such slot; the field is then `LISTED`.
    """

    entry: str
    slot: str
    field: str
    weaker: Fact
    stronger: Fact


@dataclass(slots=True)
class Facts:
    """What is known about one entry, slot or constant, by field; and the name the variant has for it.

    ``is_documented`` tells whether the interface in the package document lists it.
    """

    name: str
    target_name: str
    known: dict[str, Fact] = field(default_factory=dict)
    said: dict[str, list[Fact]] = field(default_factory=dict)
    """What each source says, by field, where several say something."""
    unknown: str = ""
    """Why nothing more is known."""
    is_documented: bool = False
    open: set[str] = field(default_factory=set)
    """Fields about which a source that read the bytes says that they do not tell."""

    def value(self, name: str) -> Any:  # noqa: ANN401  (of the type of the field)
        """Return what is known about a field; None if nothing is."""
        fact = self.known.get(name)
        return None if fact is None else fact.value

    def add(self, name: str, fact: Fact) -> None:
        """Take over what a source says. What has the best evidence is known, and of equals the last."""
        if name in self.open and not fact.value:
            return
        old = self.known.get(name)
        if old is None:
            self.known[name] = fact
            return
        self.said.setdefault(name, [old]).append(fact)
        if old.evidence <= fact.evidence:
            self.known[name] = fact

    def leave_open(self, names: Iterable[str]) -> None:
        """Note that bytes do not tell some fields, so that nobody states them by leaving them out."""
        self.open.update(names)
        for name in names:
            if name in self.known and not self.known[name].value:
                del self.known[name]
                self.said.pop(name, None)

    def contradictions(self, entry: str, slot: str) -> Iterator[Contradiction]:
        """Yield what sources say otherwise than the best one."""
        for name, facts in self.said.items():
            best = self.known[name]
            for fact in facts:
                is_silent = fact.is_default and name == "minimum_size"
                if not is_silent and not same(name, fact.value, best.value):
                    yield Contradiction(entry, slot, name, fact, best)


@dataclass(slots=True)
class EntryFacts(Facts):
    """What is known about one entry.

    ``aliases`` holds the names that the variant has for slots, with the logical names they stand for.
    """

    slots: dict[str, Facts] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)

    def slot(self, name: str) -> Facts | None:
        """Return what is known about the slot that a binding names."""
        return self.slots.get(name) or self.slots.get(self.aliases.get(name, ""))


@dataclass(slots=True)
class VariantInterface:
    """What is known about one variant, in logical names.

    Attributes:
        entries: The entries.
        constants: The specialization constants.
        numbers: The names of the constants by their numbers.
        contradictions: Where sources disagree.
        is_known: Whether anybody says anything.
        is_documented: Whether the package document has an interface for it.
        modules: The sources beside the document, in ascending order of their evidence.
        unmapped_entries: Logical entries whose own names a source beside the document does not know, with the
            source.
        unmapped_slots: The same for slots, by (entry, slot).
        unmapped_constants: The same for constants, where such a source knows all constants.
    """

    entries: dict[str, EntryFacts] = field(default_factory=dict)
    constants: dict[str, Facts] = field(default_factory=dict)
    numbers: dict[int, str] = field(default_factory=dict)
    contradictions: list[Contradiction] = field(default_factory=list)
    is_known: bool = False
    is_documented: bool = False
    modules: tuple[ModuleFacts, ...] = ()
    unmapped_entries: dict[str, str] = field(default_factory=dict)
    unmapped_slots: dict[tuple[str, str], str] = field(default_factory=dict)
    unmapped_constants: dict[str, str] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """Whether some source knows all entries, slots and constants there are."""
        return self.is_documented or any(facts.is_complete for facts in self.modules)

    @property
    def knows_constants(self) -> bool:
        """Whether some source knows all constants there are."""
        return self.is_complete or any(facts.knows_constants for facts in self.modules)

    @property
    def weakest(self) -> Evidence:
        """The weakest evidence on which anything here rests."""
        return self.weakest_of(self.entries)

    @property
    def sources(self) -> tuple[str, ...]:
        """Who says something: the document first, then by ascending evidence."""
        own = (DOCUMENT,) if self.is_documented else ()
        return tuple(dict.fromkeys((*own, *(facts.source for facts in self.modules))))

    def weakest_of(self, entries: Iterable[str]) -> Evidence:
        """Return the weakest evidence of what is known about some entries and about the constants."""
        evidence = (fact.evidence for fact in self._facts(entries) if not fact.is_default)
        return min(evidence, default=Evidence.ASSERTED)

    def _facts(self, entries: Iterable[str]) -> Iterator[Fact]:
        for name in entries:
            entry = self.entries.get(name)
            if entry is not None:
                yield from entry.known.values()
                for slot in entry.slots.values():
                    yield from slot.known.values()
        for constant in self.constants.values():
            yield from constant.known.values()


def same(name: str, one: Any, other: Any) -> bool:  # noqa: ANN401
    """Tell whether two values of one field say the same."""
    if isinstance(one, Place) and isinstance(other, Place):
        return are_same_place(one, other)
    if name == "members":
        return [*map(_member, one)] == [*map(_member, other)]
    return bool(one == other)


def are_same_place(one: Place, other: Place) -> bool:
    """Tell whether two places are one. A place that says nothing about its kind of register fits any."""
    differ = one.space and other.space and one.space != other.space
    return (one.group, one.index) == (other.group, other.index) and not differ


def _member(member: Any) -> tuple[int, ...]:  # noqa: ANN401  (a `BlockMember`)
    """Return where a member lies and what it is. Its name is no part of that: bytes may not keep it."""
    return (
        member.offset,
        member.size,
        member.element,
        member.vector_components or 1,
        member.array_stride,
        member.array_count,
        member.matrix_stride,
    )
