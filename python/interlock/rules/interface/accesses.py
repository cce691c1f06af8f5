"""Rules about what dispatches declare to do to their slots, against what the kernels may do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2, interface_pb2
from interlock.diagnostic import Evidence, Step
from interlock.package.knowledge import DOCUMENT, Fact
from interlock.rules.interface.words import ACCESSES, word
from interlock.rules.model import PACKAGE, Finding, Gap, rule
from interlock.rules.uses import blocked_by, slot_uses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.package.knowledge import Facts
    from interlock.rules.context import Context
    from interlock.rules.uses import SlotUse

_READ, _WRITE, _UPDATE = "read", "write", "update by atomics"
EFFECTS: dict[int, frozenset[str]] = {
    access_pb2.ACCESS_MODE_READ: frozenset({_READ}),
    access_pb2.ACCESS_MODE_WRITE: frozenset({_WRITE}),
    access_pb2.ACCESS_MODE_READ_WRITE: frozenset({_READ, _WRITE}),
    access_pb2.ACCESS_MODE_ATOMIC: frozenset({_READ, _WRITE, _UPDATE}),
}
"""What each mode may do. An atomic access also reads and writes."""
_ORDER = (_READ, _WRITE, _UPDATE)
_READ_ONLY_KINDS = frozenset(
    {
        interface_pb2.SLOT_KIND_CONSTANT_BUFFER,
        interface_pb2.SLOT_KIND_INLINE_CONSTANTS,
        interface_pb2.SLOT_KIND_SAMPLED_IMAGE,
        interface_pb2.SLOT_KIND_SAMPLER,
    }
)
_ACCESS = Step("access")


def access_of(slot: Facts) -> Fact | None:
    """Return what an entry does to a slot; None if that is not known. Some kinds of slots are only read."""
    access, kind = slot.known.get("access"), slot.known.get("kind")
    if access is None and kind is not None and kind.value in _READ_ONLY_KINDS:
        return Fact(access_pb2.ACCESS_MODE_READ, kind.evidence, kind.source)
    return access


def _bound(context: Context) -> Iterator[tuple[SlotUse, int, Fact] | Gap]:
    """Yield the bindings, what each declares, and what its slot does; a gap where either is not known."""
    for each in slot_uses(context):
        if isinstance(each, Gap):
            yield each
            continue
        if each.binding is None:
            continue
        access = access_of(each.slot)
        if each.binding.access not in EFFECTS:
            yield from each.gaps((_ACCESS,), blocked_by("document.missing-field"))
        elif access is None:
            yield from each.missing("what the kernel does to")
        else:
            yield each, each.binding.access, access


def unwritten_reads(context: Context) -> Iterator[tuple[SlotUse, Fact]]:
    """Yield the bindings that declare to write only a slot that the kernel may read too."""
    for each in _bound(context):
        if not isinstance(each, Gap):
            use, declared, access = each
            if declared == access_pb2.ACCESS_MODE_WRITE and access.value == access_pb2.ACCESS_MODE_READ_WRITE:
                yield use, access


@rule("interface.access-understated", kinds=PACKAGE)
def access_understated(context: Context) -> Iterator[Finding | Gap]:
    """A kernel may do more to a slot than the binding declares.

    What it checks:
        What the interface says about a slot, reading, writing or updating by atomics, is declared by every
        binding to it. A slot that is read and written may be declared as written only: that it reads
        nothing it did not write itself is then an assumption.

    Why:
        Order, visibility and hazards are proven for what is declared. A write that nobody declared races
        with everything.

    Bad example:
        slots { name: "x" kind: SLOT_KIND_STORAGE_BUFFER access: ACCESS_MODE_READ_WRITE }
        bindings { slot: "x" access: ACCESS_MODE_READ }

    Good example:
        slots { name: "x" kind: SLOT_KIND_STORAGE_BUFFER access: ACCESS_MODE_READ }
        bindings { slot: "x" access: ACCESS_MODE_READ }
    """
    for each in _bound(context):
        if isinstance(each, Gap):
            yield each
            continue
        use, declared, access = each
        beyond = EFFECTS[access.value] - EFFECTS[declared]
        is_assumed = (declared, access.value) == (
            access_pb2.ACCESS_MODE_WRITE,
            access_pb2.ACCESS_MODE_READ_WRITE,
        )
        if beyond and not is_assumed:
            message = (
                f"`{{node}}` declares `{ACCESSES[declared]}` for {use.words}, which the kernel may also "
                f"{_verbs(beyond)}: {access.source} says {word('access', access.value)}"
            )
            yield from use.findings((_ACCESS,), message)


@rule("interface.access-overstated", kinds=PACKAGE)
def access_overstated(context: Context) -> Iterator[Finding | Gap]:
    """A binding declares a write or an atomic update that its kernel cannot do.

    What it checks:
        Where a binding declares to write, the interface says that the kernel may; where it declares to
        update by atomics, that the kernel does nothing else.

    Why:
        Coverage and initialisation rest on declared writes, and atomics are believed not to conflict. A
        read that is declared and not needed does no harm.

    Bad example:
        slots { name: "x" kind: SLOT_KIND_STORAGE_BUFFER access: ACCESS_MODE_READ }
        bindings { slot: "x" access: ACCESS_MODE_READ_WRITE }

    Good example:
        slots { name: "x" kind: SLOT_KIND_STORAGE_BUFFER access: ACCESS_MODE_READ_WRITE }
        bindings { slot: "x" access: ACCESS_MODE_READ_WRITE }
    """
    for each in _bound(context):
        if isinstance(each, Gap):
            yield each
            continue
        use, declared, access = each
        missing = EFFECTS[declared] - EFFECTS[access.value] - {_READ}
        if not missing:
            continue
        if _may_be_atomic(declared, access):
            reason = (
                f"{access.source} does not tell whether what it calls {word('access', access.value)} is "
                f"done by atomics alone"
            )
            yield from use.gaps((_ACCESS,), reason)
            continue
        message = (
            f"`{{node}}` declares `{ACCESSES[declared]}` for {use.words}, which the kernel does not "
            f"{_verbs(missing)}: {access.source} says {word('access', access.value)}"
        )
        yield from use.findings((_ACCESS,), message)


def _may_be_atomic(declared: int, access: Fact) -> bool:
    """Tell whether a source without a word for atomics may mean them: the manifest of a container."""
    return (
        declared == access_pb2.ACCESS_MODE_ATOMIC
        and access.value == access_pb2.ACCESS_MODE_READ_WRITE
        and access.evidence < Evidence.PROVEN
        and access.source != DOCUMENT
    )


def _verbs(effects: frozenset[str]) -> str:
    return " and ".join(effect for effect in _ORDER if effect in effects)


RULES = (access_understated, access_overstated)
