"""What a translation by CrossTL takes, in the names that its source has for it.

CrossTL reflects the text that it wrote; that is a declaration, not a proof. It renames what would collide
with something in the target language, by a number at the end; the names of the source lead to the slots.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from interlock.diagnostic import ROOT
from interlock.errors import InterlockError
from interlock.package.crosstl_facts import read_facts
from interlock.package.metadata import Record

if TYPE_CHECKING:
    from interlock.package.facts import ModuleFacts

SOURCE = "CrossTL's reflection of its translation"
_MOST_SLOTS = 1 << 12
_NUMBER = re.compile(r"_\d+\Z")


def facts_of(record: object, target: str) -> ModuleFacts | None:
    """Return what a reflection says; None if there is none that can be used."""
    if not isinstance(record, dict) or record.get("status") != "ready":
        return None
    try:
        return replace(read_facts(Record(record, ROOT), target, _MOST_SLOTS), source=SOURCE)
    except InterlockError:
        return None


def with_source_names(facts: ModuleFacts, entry: str, source: ModuleFacts | None) -> ModuleFacts:
    """Return the facts of a translation with the names that the source has for its slots as aliases.

    A name that would lead to two slots leads to none.
    """
    own = {slot.name for each in facts.interface.entries if each.name == entry for slot in each.slots}
    wanted: dict[str, list[str]] = {}
    for name in own:
        plain = _NUMBER.sub("", name)
        names = [plain, *_names_in(source, name), *_names_in(source, plain)]
        wanted[name] = [each for each in dict.fromkeys(names) if each not in own]
    counts = Counter(each for names in wanted.values() for each in names)
    aliases = dict(facts.aliases)
    for name, names in wanted.items():
        for each in names:
            if counts[each] == 1:
                aliases.setdefault((entry, each), name)
    return replace(facts, aliases=aliases)


def _names_in(source: ModuleFacts | None, name: str) -> list[str]:
    """Return all names that a source has for the slot that one of them leads to."""
    found: list[str] = []
    for each in source.interface.entries if source is not None else ():
        aliases: dict[str, list[str]] = {}
        for (owner, alias), own in source.aliases.items() if source is not None else ():
            if owner == each.name:
                aliases.setdefault(own, []).append(alias)
        for slot in each.slots:
            names = [slot.name, *aliases.get(slot.name, ())]
            if name in names:
                found += names
    return found


def workgroup_of(facts: ModuleFacts, entry: str) -> tuple[int, int, int] | None:
    """Return the workgroup size that an entry has in numbers; None if it does not say it so."""
    for each in facts.interface.entries:
        axes: list[Any] = list(each.workgroup_size.axes)
        if each.name == entry and axes and all(axis.WhichOneof("size") == "literal" for axis in axes):
            x, y, z = [axis.literal for axis in axes] + [1] * (3 - len(axes))
            return x, y, z
    return None
