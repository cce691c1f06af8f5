"""What the verdict on an envelope rests on: what modules claim, and all that the graph rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import Assumption, Evidence, Step
from interlock.graph.accesses import READ_WRITE, WRITE
from interlock.rules.assumptions import assumptions_within
from interlock.rules.document_order import DocumentOrder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.rules.context import Context


def assumptions_of_envelope(context: Context) -> list[Assumption]:
    """Return what the verdict on an envelope rests on, in the order of the document."""
    order = DocumentOrder(context.message)
    found = [*_internalized(context), *_unwritten(context), *assumptions_within(context)]
    return sorted(found, key=lambda held: (order.key(held.path), held.code, held.message))


def _internalized(context: Context) -> Iterator[Assumption]:
    for payload in context.payloads:
        for index, module in enumerate(payload.bundle.modules if payload.bundle is not None else ()):
            for position, pair in enumerate(module.internalized):
                yield Assumption(
                    "assumption.internalized-dependency",
                    payload.module_path(index, Step("internalized", position)),
                    f"the module of `{module.group}` runs `{pair.to_node}` after `{pair.from_node}`, and "
                    "makes what it wrote visible to it",
                    Evidence(pair.evidence or Evidence.ASSERTED),
                )


def _unwritten(context: Context) -> Iterator[Assumption]:
    for each in context.realizations:
        for place in each.bindings:
            binding, slot = place.message, place.bound
            if slot is not None and slot.access == WRITE and binding.access == READ_WRITE:
                yield Assumption(
                    "assumption.reads-nothing-unwritten",
                    place.path,
                    f"`{binding.node}` reads nothing through slot `{binding.slot}` that it did not write",
                )
