"""What the verdict on a package rests on: what is known of interfaces, and all that its graphs rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import Assumption, Step
from interlock.errors import WorkExceededError
from interlock.rules.assumptions import assumptions_within
from interlock.rules.document_order import DocumentOrder
from interlock.rules.interface.accesses import unwritten_reads
from interlock.rules.interface.words import word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from interlock.rules.context import Context


def assumptions_of_package(context: Context) -> list[Assumption]:
    """Return what the verdict on a package and on its graphs rests on, in the order of the document."""
    order = DocumentOrder(context.message)
    found = [
        *_within_limits(_interfaces, context),
        *_within_limits(_unwritten, context),
        *assumptions_within(context),
    ]
    return sorted(found, key=lambda held: (order.key(held.path), held.code, held.target, held.message))


def _within_limits(find: Callable[[Context], Iterator[Assumption]], context: Context) -> list[Assumption]:
    """Return assumptions; none beyond the limits, where rules tell that nothing was verified."""
    try:
        return list(find(context))
    except WorkExceededError:
        return []


def _interfaces(context: Context) -> Iterator[Assumption]:
    package = context.package
    for target, variant in package.used_variants:
        interface = package.interface(variant)
        if interface.is_known:
            yield Assumption(
                "assumption.interface-facts",
                variant.path,
                f"what is known about the interface of {variant}, from {' and '.join(interface.sources)}, is "
                f"true of its bytes",
                interface.weakest_of(package.used_entries[variant.key]),
                target,
            )


def _unwritten(context: Context) -> Iterator[Assumption]:
    for each, access in unwritten_reads(context):
        part = each.use.where.part
        for node in each.use.nodes:
            yield Assumption(
                "assumption.reads-nothing-unwritten",
                part.path(node, (Step("operation"), Step("dispatch"), *each.place, Step("access"))),
                f"`{part.graph.nodes.ids[node]}` reads nothing through {each.words} that it has not written "
                f"itself; {access.source} says {word('access', access.value)}",
                target=each.use.where.target,
            )
