"""Rules about what lies within slots: members, texels, inline constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import interface_pb2, resource_pb2, type_pb2
from interlock.diagnostic import Path, Step
from interlock.graph.elements import ElementType
from interlock.graph.types import element_name, storage_bits
from interlock.package.facts import ImageShape
from interlock.package.knowledge import IMAGE_SHAPE
from interlock.package.packing import block_alignment, member_alignment, natural_stride, round_up
from interlock.package.packing_check import packing_faults, shape_of
from interlock.rules.launches import inline_bytes
from interlock.rules.layout.blocks import block_of
from interlock.rules.layout.elements import is_carried
from interlock.rules.layout.sizes import needed_bytes
from interlock.rules.layout.slots import (
    FITS,
    IMAGES,
    WRONG_KIND,
    Verdict,
    element_of,
    is_bound_image,
    is_mixed,
    members_of,
    said,
    unknown,
    wrong,
)
from interlock.rules.model import PACKAGE, Finding, Gap, rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from execgraph.v1.interface_pb2 import BlockMember
    from interlock.package.merge import Facts
    from interlock.rules.context import Context
    from interlock.rules.launches import Bindings, InlineConstants, Where

_U8 = type_pb2.ELEMENT_TYPE_U8
_PACKING_NAMES = {
    number: name.removeprefix("BUFFER_PACKING_") for name, number in interface_pb2.BufferPacking.items()
}


@rule("layout.packing-violated", kinds=PACKAGE)
def packing_violated(context: Context) -> Iterator[Finding | Gap]:
    """The members of a slot do not lie as its packing says.

    What it checks:
        Offsets, sizes, array and matrix strides of the members of every slot of an entry that runs follow
        the packing that the slot declares: std140, std430, scalar, HLSL constant buffer or Metal. Offsets
        may leave room. Structures of an array lie as far apart as their packing rounds them up. Without
        members the array stride has to be that of the slot's element type. A slot that declares no packing
        is only held against overlapping members.

    Why:
        Whoever fills the buffer goes by the packing, and the kernel by the offsets. Where they differ, one
        of the two is wrong.

    Bad example:
        slots {
          name: "params"
          kind: SLOT_KIND_CONSTANT_BUFFER
          packing: BUFFER_PACKING_STD140
          members { size: 4 element: ELEMENT_TYPE_F32 array_stride: 4 array_count: 8 }
        }

    Good example:
        slots {
          name: "params"
          kind: SLOT_KIND_CONSTANT_BUFFER
          packing: BUFFER_PACKING_STD140
          members { size: 4 element: ELEMENT_TYPE_F32 array_stride: 16 array_count: 8 }
        }
    """
    yield from context.launches.unlaunched()
    for where in context.launches.entries:
        if where.entered is None:
            yield Gap(where.reason, where.variant.path, where.target)
            continue
        paths = slot_paths(where)
        for name, slot in sorted(where.entered.slots.items()):
            path = paths.get(name, where.variant.path)
            if block_of(slot).is_tangled:
                yield Gap("members of its slot lie between those of its arrays", path, where.target)
                continue
            for message in _packing_faults(slot):
                yield Finding(path, f"slot `{name}`: {message}", target=where.target)
            if slot.value("packing") and not members_of(slot) and element_of(slot) is None:
                reason = slot.unknown or "the slot declares a packing, and its members are not known"
                yield Gap(reason, path, where.target)


def slot_paths(where: Where) -> dict[str, Path]:
    """Return the paths of the slots of an entry in the document, which does not list all that bytes know."""
    outer = Path((*where.variant.path.steps[:-1], Step("interface")))
    for position, entry in enumerate(where.variant.artifact.interface.entries):
        if entry.name == where.entry_name:
            inner = outer.extended(Step("entries", position, entry.name))
            return {
                slot.name: inner.extended(Step("slots", index, slot.name))
                for index, slot in enumerate(entry.slots)
            }
    return {}


def _packing_faults(slot: Facts) -> Iterator[str]:
    packing, block, element = slot.value("packing") or 0, block_of(slot), element_of(slot)
    under = f" under {_PACKING_NAMES[packing]}" if packing in _PACKING_NAMES and packing else ""
    yield from _member_faults(block.members, packing, under)
    for _, structures in block.structures:
        yield from _member_faults(structures.members, packing, under)
        shapes = [shape_of(member, packing) for member in structures.members] if packing else []
        alignments = [member_alignment(shape, packing) for shape in shapes]
        is_exact = bool(alignments) and all(alignments)
        required = structures.end
        if is_exact:
            required = round_up(required, block_alignment(alignments, packing))
        if structures.stride < required or (is_exact and structures.stride != required):
            yield f"elements lie `{structures.stride}` bytes apart; required are {required}{under}"
    stride = slot.value("array_stride")
    if stride and packing and not members_of(slot) and element is not None:
        required = natural_stride(element.element, 1, packing)
        if required and stride != required:
            yield f"elements lie `{stride}` bytes apart; required are {required}{under}"


def _member_faults(members: Sequence[BlockMember], packing: int, under: str) -> Iterator[str]:
    for fault in packing_faults(members, packing):
        name = members[fault.member].name or str(fault.member)
        yield f"member `{name}`{under}: {fault.message}"


_FLOAT = frozenset(
    number
    for name, number in type_pb2.ElementType.items()
    if name.removeprefix("ELEMENT_TYPE_") in ("F16", "F32", "F64", "BF16")
)


def _texel_class(format_: int) -> str:
    """Return what kernels see a texel as: floats, signed or unsigned integers."""
    name = resource_pb2.ImageFormat.Name(format_)
    return "signed" if name.endswith("SINT") else "unsigned" if name.endswith("UINT") else "float"


def _element_class(element: ElementType) -> str:
    if element.element in _FLOAT:
        return "float"
    return "signed" if element_name(element.element).startswith("I") else "unsigned"


def _format_name(format_: int) -> str:
    return str(resource_pb2.ImageFormat.Name(format_)).removeprefix("IMAGE_FORMAT_")


@rule("layout.image-format-mismatch", kinds=PACKAGE)
def image_format_mismatch(context: Context) -> Iterator[Finding | Gap]:
    """An image of another texel format, or of another shape, is bound than the slot takes.

    What it checks:
        The format of an image that is bound to an image slot is that of the slot; and so are its number of
        axes, and whether it is an array of layers, where the bytes of the kernel tell them. A sampled image
        has a format only as the device stores it, so there the slot's element type decides: floats, signed
        or unsigned integers. Atomic updates are declared of such a type as the texels are.

    Why:
        Loads and stores convert texels by the format. By another one they yield other values, or none.

    Bad example:
        slots { name: "img" kind: SLOT_KIND_STORAGE_IMAGE image_format: IMAGE_FORMAT_R32_FLOAT }
        resources { id: "img" layout { image { format: IMAGE_FORMAT_RGBA8_UNORM } } }

    Good example:
        slots { name: "img" kind: SLOT_KIND_STORAGE_IMAGE image_format: IMAGE_FORMAT_RGBA8_UNORM }
        resources { id: "img" layout { image { format: IMAGE_FORMAT_RGBA8_UNORM } } }
    """
    yield from context.launches.unlaunched()
    for bindings in context.launches.bindings:
        slot = bindings.slot
        if slot is None:
            yield from bindings.gaps(bindings.reason)
        elif slot.value("kind") not in IMAGES:
            continue
        elif bindings.selection.resource is None:
            yield from bindings.gaps("what is bound is missing")
        elif not is_bound_image(bindings):
            yield from bindings.gaps(WRONG_KIND)
        else:
            yield from said(bindings, _format_verdict(bindings, slot))


def _shaped(shape: ImageShape) -> str:
    return f"a {shape.axes}-dimensional image{' array' if shape.is_array else ''}"


def _format_verdict(bindings: Bindings, slot: Facts) -> Verdict:
    number = bindings.selection.resource or 0
    shape: ImageShape | None = slot.value(IMAGE_SHAPE)
    layout = bindings.where.part.graph.message.resources[number].layout.image
    bound = ImageShape(len(layout.extent), layout.array_layers > 0)
    if shape is not None and shape != bound:
        name = bindings.selection.name
        return wrong(f"`{name}` is {_shaped(bound)}; slot `{bindings.slot_name}` takes {_shaped(shape)}")
    format_ = layout.format
    atomic = bindings.atomic
    if atomic and _element_class(ElementType(atomic, storage_bits(atomic))) != _texel_class(format_):
        return wrong(
            f"atomic updates of `{element_name(atomic)}` are declared; the texels of "
            f"`{bindings.selection.name}` are {_format_name(format_)}"
        )
    found = f"the texels of `{bindings.selection.name}` are `{_format_name(format_)}`"
    stated, element = slot.value("image_format"), element_of(slot)
    if stated:
        if stated == format_:
            return FITS
        return wrong(f"{found}; slot `{bindings.slot_name}` takes {_format_name(stated)}")
    if slot.value("kind") == interface_pb2.SLOT_KIND_SAMPLED_IMAGE and element is not None:
        if _element_class(element) == _texel_class(format_):
            return FITS
        return wrong(f"{found}; slot `{bindings.slot_name}` samples {element_name(element.element)}")
    return unknown(slot.unknown or "the texel format of its slot is not known")


@rule("layout.inline-size-mismatch", kinds=PACKAGE)
def inline_size_mismatch(context: Context) -> Iterator[Finding | Gap]:
    r"""An inline constant is not what its slot takes.

    What it checks:
        An inline constant has as many bytes as its slot: its minimum size, the members of its block, or one
        element. A slot that is an array may take more, in whole elements. Its type is that of the slot's
        elements or one that may carry it; members of different types are passed as U8.

    Why:
        The kernel reads its block as a whole. Bytes that are missing are left from an earlier dispatch.

    Bad example:
        slots { name: "n" kind: SLOT_KIND_INLINE_CONSTANTS element_type { element: ELEMENT_TYPE_U32 } }
        inline_constants { slot: "n" value { literal { element: ELEMENT_TYPE_U16 bits: "\001\000" } } }

    Good example:
        slots { name: "n" kind: SLOT_KIND_INLINE_CONSTANTS element_type { element: ELEMENT_TYPE_U32 } }
        inline_constants {
          slot: "n"
          value { literal { element: ELEMENT_TYPE_U32 bits: "\001\000\000\000" } }
        }
    """
    yield from context.launches.unlaunched()
    for each in context.launches.inline_constants:
        if each.slot is None:
            yield from each.gaps(each.reason)
        else:
            yield from said(each, _inline_verdict(each, each.slot))


def _inline_verdict(each: InlineConstants, slot: Facts) -> Verdict:
    value, seen = each.message.value, element_of(slot)
    arm = value.WhichOneof("value")
    given = value.literal.element if arm == "literal" else value.parametric.element
    size, needed = inline_bytes(each.message), needed_bytes(slot) or 0
    if not needed:
        needed = seen.bytes if seen is not None else 0
    if not needed:
        return unknown(slot.unknown or "the size of its slot is not known")
    is_array = bool(slot.value("runtime_sized") or (slot.value("array_stride") and not members_of(slot)))
    step = slot.value("array_stride") or (seen.bytes if seen is not None else 1)
    if size < needed or (size > needed and not (is_array and (size - needed) % step == 0)):
        return wrong(f"`{size}` bytes are passed; slot `{each.slot_name}` takes {needed}")
    if seen is None:
        if is_mixed(slot) and given != _U8:
            name = element_name(given)
            return wrong(
                f"`{name}` is passed; slot `{each.slot_name}` takes members of different types, as U8"
            )
        return FITS if is_mixed(slot) else unknown(slot.unknown or "the type of its slot is not known")
    if is_carried(ElementType(given, storage_bits(given)), seen):
        return FITS
    return wrong(
        f"`{element_name(given)}` is passed; slot `{each.slot_name}` takes {element_name(seen.element)}"
    )


RULES = (packing_violated, image_format_mismatch, inline_size_mismatch)
