"""Rules about the entries that dispatches run, and the names by which variants know them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import interface_pb2
from interlock.diagnostic import NamedElement, Step
from interlock.rules.artifact.blobs import damage_code
from interlock.rules.interface.words import listed, word
from interlock.rules.model import PACKAGE, Finding, Gap, rule
from interlock.rules.uses import (
    blocked,
    blocked_by,
    entered_uses,
    entry_failure,
    named_slots,
    slot_failure,
    uses,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.package.knowledge import EntryFacts, VariantInterface
    from interlock.rules.context import Context
    from interlock.rules.uses import Use

_ENTRY = Step("entry")


@rule("interface.missing", kinds=PACKAGE)
def missing(context: Context) -> Iterator[Finding | Gap]:
    """Nobody knows anything about the interface of a variant that a graph runs.

    What it checks:
        Of every variant that a graph runs, the package document, the manifest of a foreign container or the
        bytes themselves tell the entries.

    Why:
        Whether what a graph binds is what a kernel takes cannot be told without it.

    Bad example:
        artifacts { id: "sum" variants { target: "metal" content_type { identity: "metallib" version: 1 } } }

    Good example:
        artifacts { id: "sum" interface { entries { name: "main" stage: STAGE_COMPUTE } } }
    """
    package = context.package
    for target, entry in package.used_variants:
        if package.interface(entry).is_known:
            continue
        if package.read_failure(entry) is not None:
            yield blocked("artifact.malformed-module", entry.path, target)
            continue
        damage = package.damage(entry.variant.blob) if package.is_readable(entry) else None
        if damage is not None and package.container is not None:
            yield blocked(damage_code(damage), entry.path, target)
            continue
        content = entry.variant.content_type.identity
        yield Finding(
            entry.path,
            f"nothing is known about the interface of {entry}: the package document states none, the "
            f"container declares none, and none is read from `{content}`",
            (NamedElement("artifact", entry.artifact.id),),
            target=target,
        )


@rule("interface.missing-entry", kinds=PACKAGE)
def missing_entry(context: Context) -> Iterator[Finding | Gap]:
    """A dispatch runs an entry that its artifact does not have.

    What it checks:
        The entry of every dispatch is one of the interface in the package document, or where there is none,
        one of a module about which everything is known.

    Why:
        There is nothing to run.

    Bad example:
        entries { name: "main" stage: STAGE_COMPUTE }
        dispatch { artifact: "sum" entry: "start" }

    Good example:
        entries { name: "main" stage: STAGE_COMPUTE }
        dispatch { artifact: "sum" entry: "main" }
    """
    for use in uses(context):
        if isinstance(use, Gap):
            yield use
            continue
        failure = entry_failure(use.interface, use.where.entry_name)
        if failure == "interface.missing-entry":
            there = listed(
                entry.name
                for entry in use.interface.entries.values()
                if entry.is_documented or not use.interface.is_documented
            )
            message = f"`{use.dispatch.artifact}` has no entry `{use.where.entry_name}`; it has {there}"
            yield from use.findings((_ENTRY,), message)
        elif failure:
            yield from use.gaps((_ENTRY,), blocked_by(failure))


@rule("interface.unmapped", kinds=PACKAGE)
def unmapped(context: Context) -> Iterator[Finding | Gap]:
    """A variant does not know an entry or a slot by the name that it should have there.

    What it checks:
        The variant of a dispatch maps the entry, and the slots that it binds, to names that the manifest of
        a foreign container, or the bytes, know. A name that is not mapped stands for itself; nothing is
        guessed from spelling.

    Why:
        A runtime would look for something that is not there, or take the wrong thing.

    Bad example:
        # the entry of the module is "CSMain"
        entries { entry: "main" target_entry: "CsMain" }

    Good example:
        # the entry of the module is "CSMain"
        entries { entry: "main" target_entry: "CSMain" }
    """
    for use in uses(context):
        if isinstance(use, Gap):
            yield use
            continue
        name, interface = use.where.entry_name, use.interface
        failure = entry_failure(interface, name)
        if failure == "interface.unmapped":
            yield from use.findings((_ENTRY,), _unknown_entry(use, name))
        elif failure or use.where.entry is None:
            yield from use.gaps((_ENTRY,), blocked_by(failure))
        else:
            yield from _unmapped_slots(use, use.where.entry)


def _unknown_entry(use: Use, name: str) -> str:
    interface = use.interface
    known = interface.entries.get(name)
    source = interface.unmapped_entries.get(name) or listed_sources(interface)
    own = known.target_name if known is not None else name
    there = listed(entry.name for facts in interface.modules for entry in facts.interface.entries)
    return _not_known("entry", name, own, source, there, use)


def _unmapped_slots(use: Use, entry: EntryFacts) -> Iterator[Finding]:
    for name, place, _ in named_slots(use):
        if slot_failure(use.interface, entry, name) != "interface.unmapped":
            continue
        slot = entry.slot(name)
        source, own = listed_sources(use.interface), name
        if slot is not None:
            source, own = use.interface.unmapped_slots[entry.name, slot.name], slot.target_name
        there = listed(
            each.target_name
            for each in entry.slots.values()
            if (entry.name, each.name) not in use.interface.unmapped_slots
        )
        message = _not_known("slot", name, own, source, there, use)
        yield from use.findings((*place, Step("slot")), message, name)


def _not_known(what: str, name: str, own: str, source: str, there: str, use: Use) -> str:
    if own == name:
        return f"{source} knows no {what} `{name}` in {use.variant}; it knows {there}"
    return f"{what} `{name}` is mapped to `{own}` in {use.variant}; {source} does not know that, but {there}"


def listed_sources(interface: VariantInterface) -> str:
    """Return the sources beside the document, in words."""
    return " and ".join(dict.fromkeys(facts.source for facts in interface.modules)) or "nobody"


@rule("interface.wrong-stage", kinds=PACKAGE)
def wrong_stage(context: Context) -> Iterator[Finding | Gap]:
    """A dispatch runs an entry that is no compute kernel.

    What it checks:
        The stage of the entry of every dispatch is COMPUTE.

    Why:
        No other stage has workgroups.

    Bad example:
        entries { name: "main" stage: STAGE_VERTEX }

    Good example:
        entries { name: "main" stage: STAGE_COMPUTE }
    """
    for entered in entered_uses(context):
        if isinstance(entered, Gap):
            yield entered
            continue
        stage = entered.entry.known.get("stage")
        if stage is None:
            reason = entered.entry.unknown or f"nothing says in which stage entry `{entered.entry.name}` runs"
            yield from entered.use.gaps((_ENTRY,), reason)
        elif stage.value != interface_pb2.STAGE_COMPUTE:
            message = (
                f"entry `{entered.entry.name}` runs in the stage {word('stage', stage.value)}, as "
                f"{stage.source} says; a dispatch runs compute kernels only"
            )
            yield from entered.use.findings((_ENTRY,), message)


RULES = (missing, missing_entry, unmapped, wrong_stage)
