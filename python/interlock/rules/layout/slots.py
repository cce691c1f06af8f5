"""What is known about a slot and about what is bound to it, in the terms in which the two are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from execgraph.v1 import interface_pb2
from interlock.graph.elements import ElementType, LayoutKind, value_type
from interlock.graph.extents import Affine, bounds, is_bounded
from interlock.graph.types import storage_bits
from interlock.rules.uses import blocked_by

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from execgraph.v1.interface_pb2 import BlockMember
    from interlock.package.merge import Facts
    from interlock.rules.context import Context
    from interlock.rules.launches import Bindings, InlineConstants
    from interlock.rules.model import Finding, Gap

BUFFERS = frozenset({interface_pb2.SLOT_KIND_STORAGE_BUFFER, interface_pb2.SLOT_KIND_CONSTANT_BUFFER})
IMAGES = frozenset({interface_pb2.SLOT_KIND_STORAGE_IMAGE, interface_pb2.SLOT_KIND_SAMPLED_IMAGE})
WRONG_KIND = blocked_by("interface.kind-mismatch")


@dataclass(frozen=True, slots=True)
class BoundBuffer:
    """Bytes bound to a buffer slot about which something is known."""

    bindings: Bindings
    slot: Facts

    @property
    def name(self) -> str:
        """What is bound, as the graph calls it."""
        return self.bindings.selection.name


def bound_buffers(context: Context) -> Iterator[BoundBuffer | Gap]:
    """Yield what is bound to buffer slots, and a gap for every binding that cannot be judged.

    Images bound to image slots are left out: their texels have no bytes that an interface could state.
    """
    yield from context.launches.unlaunched()
    for bindings in context.launches.bindings:
        slot = bindings.slot
        if slot is None:
            yield from bindings.gaps(bindings.reason)
            continue
        is_image = is_bound_image(bindings)
        kind = slot.value("kind")
        if is_image and kind in IMAGES:
            continue
        if is_image or (kind is not None and kind not in BUFFERS):
            yield from bindings.gaps(WRONG_KIND)
        else:
            yield BoundBuffer(bindings, slot)


def is_bound_image(bindings: Bindings) -> bool:
    """Tell whether an image is bound."""
    resource = bindings.selection.resource
    tables = bindings.where.part.graph.elements
    return resource is not None and tables.resources[resource].layout is LayoutKind.IMAGE


def is_bound_opaque(bindings: Bindings) -> bool:
    """Tell whether a layout is bound that only its kernels know."""
    resource = bindings.selection.resource
    tables = bindings.where.part.graph.elements
    return resource is not None and tables.resources[resource].layout is LayoutKind.OPAQUE


class Verdict(NamedTuple):
    """What is wrong, or why that is not known; neither where all is well."""

    message: str = ""
    reason: str = ""


FITS = Verdict()


def wrong(message: str) -> Verdict:
    """Return the verdict that something is wrong."""
    return Verdict(message)


def unknown(reason: str) -> Verdict:
    """Return the verdict that nobody knows."""
    return Verdict(reason=reason)


def said(places: Bindings | InlineConstants, verdict: Verdict) -> Iterator[Finding | Gap]:
    """Yield a verdict at every place."""
    if verdict.message:
        yield from places.findings(verdict.message)
    elif verdict.reason:
        yield from places.gaps(verdict.reason)


def members_of(slot: Facts) -> Sequence[BlockMember]:
    """Return the members that are known of a slot."""
    return slot.value("members") or ()


def element_of(slot: Facts) -> ElementType | None:
    """Return the type of the elements of a slot, or the one that all its members have; None if unknown.

    Members of different types count before a stated type, which is that of the last array alone.
    """
    if is_mixed(slot):
        return None
    stated = slot.value("element_type")
    if stated is not None and stated.element:
        return value_type(stated)
    elements = {member.element for member in members_of(slot)}
    if len(elements) == 1 and elements != {0}:
        element = elements.pop()
        return ElementType(element, storage_bits(element))
    return None


def is_mixed(slot: Facts) -> bool:
    """Tell whether the members that are known of a slot are of different types."""
    return len({member.element for member in members_of(slot)}) > 1


def steps_of(bindings: Bindings) -> tuple[int, ...] | None:
    """Return the distances between bound elements in bytes, least first: one for each axis of several.

    Distances of zero are left out: they lead to the same bytes again. An axis whose distance varies with
    parameters ends the list. None where what is bound has no elements of a known size.
    """
    selection, tables = bindings.selection, bindings.where.part.graph.elements
    if selection.view is not None:
        view = tables.views[selection.view]
        shape, strides, element = view.shape, view.strides, view.type
    elif selection.resource is not None and selection.arm == "resource":
        resource = tables.resources[selection.resource]
        shape, strides, element = resource.shape, resource.strides, resource.type
    else:
        return None
    if not element.bytes or (strides and len(strides) != len(shape)):
        return None
    sizes: list[Affine] = []
    for size in shape:
        if size is None or not is_bounded(size, tables.domains):
            return None
        sizes.append(size)
    several = [bounds(size, tables.domains).high > 1 for size in sizes]
    if strides:
        steps = [stride for stride, more in zip(strides, several, strict=True) if stride and more]
        return tuple(sorted(steps, key=abs))
    found: list[int] = []
    step = element.bytes
    for size, more in zip(reversed(sizes), reversed(several), strict=True):
        if more:
            found.append(step)
        if size.terms:
            break
        step *= size.constant
    return tuple(found)
