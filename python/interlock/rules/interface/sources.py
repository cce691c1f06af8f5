"""Rules about what different sources say about one interface: the document, a manifest, the bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlock.diagnostic import NamedElement, Severity
from interlock.package.knowledge import LISTED
from interlock.rules.interface.accesses import EFFECTS
from interlock.rules.interface.words import noun, word
from interlock.rules.model import PACKAGE, Finding, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.package.entries import VariantEntry
    from interlock.package.knowledge import Contradiction, Fact
    from interlock.rules.context import Context

_UNDER, _OVER, _OTHER = "interface.understated", "interface.overstated", "interface.contradicted"
_AMOUNTS = frozenset({"minimum_size", "alignment", "static_shared_bytes"})
_NEEDS = frozenset({"uses_atomics", "uses_subgroups", "exact_threads"})
_FREEDOMS = frozenset({"optional_binding", "tolerated_aliases"})


def judged(contradiction: Contradiction) -> str:
    """Return the code of a contradiction: whether the weaker source claims less, more, or something else."""
    weaker, stronger, field = contradiction.weaker.value, contradiction.stronger.value, contradiction.field
    if field == LISTED:
        return _UNDER if weaker is None else _OVER
    if field == "access" and weaker in EFFECTS and stronger in EFFECTS:
        return _UNDER if EFFECTS[stronger] - EFFECTS[weaker] else _OVER
    if field in _NEEDS or field in _AMOUNTS:
        return _UNDER if weaker < stronger else _OVER
    if field == "required_capabilities":
        return _UNDER if set(stronger) - set(weaker) else _OVER
    if field == "subgroup_size" and 0 in (weaker, stronger):
        return _UNDER if weaker == 0 else _OVER
    return _OVER if field in _FREEDOMS else _OTHER


def _contradictions(context: Context, code: str) -> Iterator[Finding]:
    """Yield what sources say differently about the variants and entries that graphs run."""
    package = context.package
    for target, variant in package.used_variants:
        entries = package.used_entries[variant.key]
        for each in package.interface(variant).contradictions:
            if (not each.entry or each.entry in entries) and judged(each) == code:
                element = NamedElement(
                    "slot" if each.entry and each.slot else "artifact", _about(each, variant)
                )
                yield Finding(variant.path, _sentence(each, variant), (element,), target=target)


def _about(each: Contradiction, variant: VariantEntry) -> str:
    return each.slot if each.entry and each.slot else variant.artifact.id


def _sentence(each: Contradiction, variant: VariantEntry) -> str:
    if not each.entry:
        subject = f"constant `{each.slot}`"
    elif each.slot:
        subject = f"slot `{each.slot}` of entry `{each.entry}`"
    else:
        subject = f"entry `{each.entry}`"
    if each.field == LISTED:
        knows, lacks = each.stronger, each.weaker
        if knows.value is None:
            knows, lacks = lacks, knows
        return f"{variant}: {knows.source} lists {subject} (`{knows.value}`), {lacks.source} does not"
    return (
        f"{variant}: {_said(each.field, each.weaker)} for the {noun(each.field)} of {subject}, "
        f"{_said(each.field, each.stronger)} ({each.stronger.evidence.name.lower()})"
    )


def _said(field: str, fact: Fact) -> str:
    value: Any = fact.value
    return f"{fact.source} says {word(field, value)}"


@rule("interface.understated", kinds=PACKAGE)
def understated(context: Context) -> Iterator[Finding]:
    """A source claims less about an interface than a better one shows.

    What it checks:
        Of every variant that a graph runs, what the package document and a manifest say about its entries
        is no less than what the bytes, or a source with better evidence, say: slots, accesses, needed
        sizes, alignments, shared memory, atomics, subgroups and capabilities.

    Why:
        Whoever relies on the weaker source, and does not look into the bytes, lets the kernel do what
        nobody expects.

    Bad example:
        # the bytes write to x
        slots { name: "x" access: ACCESS_MODE_READ }

    Good example:
        # the bytes write to x
        slots { name: "x" access: ACCESS_MODE_READ_WRITE }
    """
    return _contradictions(context, _UNDER)


@rule("interface.overstated", severity=Severity.NOTE, kinds=PACKAGE)
def overstated(context: Context) -> Iterator[Finding]:
    """A source claims more about an interface than a better one shows.

    What it checks:
        Of every variant that a graph runs, what the package document and a manifest say about its entries
        is no more than what the bytes, or a source with better evidence, say.

    Why:
        It does no harm. One interface often serves several variants, of which one needs less.

    Bad example:
        # the bytes only read x
        slots { name: "x" access: ACCESS_MODE_READ_WRITE }

    Good example:
        # the bytes only read x
        slots { name: "x" access: ACCESS_MODE_READ }
    """
    return _contradictions(context, _OVER)


@rule("interface.contradicted", kinds=PACKAGE)
def contradicted(context: Context) -> Iterator[Finding]:
    """Two sources say different things about an interface.

    What it checks:
        Of every variant that a graph runs, all sources agree about the kinds, element types, strides,
        members, packing, places and image formats of slots, about workgroup sizes, and about the types,
        defaults and numbers of constants.

    Why:
        One of the two speaks about another kernel. What rests on it is wrong.

    Bad example:
        # the bytes have elements of F16
        slots { name: "x" element_type { element: ELEMENT_TYPE_F32 } }

    Good example:
        # the bytes have elements of F16
        slots { name: "x" element_type { element: ELEMENT_TYPE_F16 } }
    """
    return _contradictions(context, _OTHER)


RULES = (understated, overstated, contradicted)
