"""The variables that something is bound to, and the slots they make: one for each binding."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from execgraph.v1 import access_pb2, interface_pb2, type_pb2
from interlock.package.facts import ImageShape
from interlock.package.spirv.decorations import (
    BINDING,
    BLOCK,
    BUFFER_BLOCK,
    DESCRIPTOR_SET,
    NON_READABLE,
    NON_WRITABLE,
)
from interlock.package.spirv.effects import ACCESSED, ATOMIC_READ, ATOMIC_WRITE, LOST, READ, WRITE
from interlock.package.spirv.elements import IMAGE_FORMATS, element_of
from interlock.package.spirv.model import Resource
from interlock.package.spirv.pointers import PUSH_CONSTANT, RESOURCES, STORAGE_BUFFER, UNIFORM
from interlock.package.spirv.types import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlock.package.spirv.layout import Layouts, Member
    from interlock.package.spirv.scan import Scan, Variable
    from interlock.package.spirv.types import Type

_READ_ONLY_KINDS = frozenset(
    {
        interface_pb2.SLOT_KIND_CONSTANT_BUFFER,
        interface_pb2.SLOT_KIND_INLINE_CONSTANTS,
        interface_pb2.SLOT_KIND_SAMPLED_IMAGE,
        interface_pb2.SLOT_KIND_SAMPLER,
    }
)
_SAMPLED, _STORAGE = 1, 2
_CUBE = 3
_IMAGE_AXES = {0: 1, 1: 2, 2: 3, _CUBE: 2, 4: 2}
"""Axes of texels by dimension: 1D, 2D, 3D, cubes, which have their faces as layers, and rectangles."""
_NO_IMAGES = {5: "texel buffer", 6: "subpass input"}
"""Dimensions of what SPIR-V calls images and the contract does not."""


@dataclass(frozen=True, slots=True)
class Declared:
    """What the declaration of one variable says; the members that `Resource` has mean the same."""

    id: int
    names: tuple[str, ...]
    kind: int
    group: int | None
    index: int | None
    is_writable: bool
    is_readable: bool
    minimum_size: int = 0
    members: tuple[Member, ...] = ()
    array_stride: int = 0
    element: type_pb2.ElementType = type_pb2.ELEMENT_TYPE_UNSPECIFIED
    is_runtime_sized: bool = False
    array_count: int = 0
    image_format: int = 0
    image_shape: ImageShape | None = None
    unknown: str = ""
    left_open: frozenset[str] = frozenset()


class Resources:
    """The variables of a module that something is bound to, by binding."""

    def __init__(self, scan: Scan, layouts: Layouts) -> None:
        self._scan = scan
        self._layouts = layouts
        self._of_blocks: dict[int, tuple[dict[str, Any], str]] = {}
        self._on_all: dict[tuple[int, int], bool] = {}
        self.declared = {
            ident: self._declare(variable)
            for ident, variable in scan.variables.items()
            if variable.storage_class in RESOURCES
        }
        """What the declarations say, by the id of the variable."""
        self.keys = {ident: _key(declared) for ident, declared in self.declared.items()}
        """What tells bindings apart, by the id of the variable."""

    # Declarations.

    def _declare(self, variable: Variable) -> Declared:
        scan = self._scan
        of = scan.types.get(variable.pointee)
        names = [scan.names.get(variable.id, "")]
        unknown, count = "", 0
        while of.kind in (Kind.ARRAY, Kind.RUNTIME_ARRAY):
            length = self._layouts.length(of) if of.kind == Kind.ARRAY else None
            if length is None:
                unknown, count = "its array of descriptors is as long as what is bound", -1
            elif of.count in scan.constants.adjustable:
                unknown, count = "specialization constants set how many descriptors it has", -1
            elif count >= 0:
                count = max(count, 1) * length
            of = scan.types.get(of.inner)
        if count >= 1 << 32:
            unknown, count = f"its array has {count} descriptors, more than the contract can say", -1
        decorations = scan.decorations
        is_struct = of.kind == Kind.STRUCT
        found = Declared(
            id=variable.id,
            names=(),
            kind=self._kind(variable, of),
            group=decorations.get(variable.id, DESCRIPTOR_SET),
            index=decorations.get(variable.id, BINDING),
            is_writable=decorations.get(variable.id, NON_WRITABLE) is None
            and not (is_struct and self._is_on_all(of, NON_WRITABLE)),
            is_readable=decorations.get(variable.id, NON_READABLE) is None
            and not (is_struct and self._is_on_all(of, NON_READABLE)),
            array_count=max(count, 0),
            left_open=frozenset({"array_count"}) if count < 0 else frozenset(),
        )
        if is_struct:
            names.append(scan.names.get(of.id, ""))
            if len(of.members) == 1:
                names.append(scan.member_names.get(of.id, {}).get(0, ""))
            facts, reason = self._of_block(of)
            left_open = found.left_open | facts["left_open"]
            found = replace(found, **{**facts, "left_open": left_open})
        else:
            found, reason = self._with_image(found, of)
        if not found.kind:
            image = scan.types.get(of.inner) if of.kind == Kind.SAMPLED_IMAGE else of
            what = _NO_IMAGES.get(image.image[0], of.kind.name.lower().replace("_", " "))
            reason = f"it is of type {what} and storage class {variable.storage_class}"
            reason += ", for which the contract has no kind of slot"
        return replace(
            found, names=tuple(filter(None, names)), unknown="; ".join(filter(None, (unknown, reason)))
        )

    def _kind(self, variable: Variable, of: Type) -> int:
        decorations = self._scan.decorations
        if variable.storage_class == PUSH_CONSTANT:
            return interface_pb2.SLOT_KIND_INLINE_CONSTANTS
        if variable.storage_class == STORAGE_BUFFER:
            return interface_pb2.SLOT_KIND_STORAGE_BUFFER
        if variable.storage_class == UNIFORM:
            if decorations.get(of.id, BUFFER_BLOCK) is not None:
                return interface_pb2.SLOT_KIND_STORAGE_BUFFER
            has_block = decorations.get(of.id, BLOCK) is not None
            return interface_pb2.SLOT_KIND_CONSTANT_BUFFER if has_block else 0
        if of.kind == Kind.SAMPLED_IMAGE and self._scan.types.get(of.inner).image[0] not in _NO_IMAGES:
            return interface_pb2.SLOT_KIND_SAMPLED_IMAGE
        if of.kind == Kind.SAMPLER:
            return interface_pb2.SLOT_KIND_SAMPLER
        if of.kind == Kind.IMAGE and of.image[0] not in _NO_IMAGES and of.image[1] in (_SAMPLED, _STORAGE):
            is_storage = of.image[1] == _STORAGE
            return (
                interface_pb2.SLOT_KIND_STORAGE_IMAGE if is_storage else interface_pb2.SLOT_KIND_SAMPLED_IMAGE
            )
        return 0

    def _is_on_all(self, of: Type, decoration: int) -> bool:
        key = of.id, decoration
        if key not in self._on_all:
            self._on_all[key] = self._scan.decorations.is_on_all(of.id, len(of.members), decoration)
        return self._on_all[key]

    def _of_block(self, of: Type) -> tuple[dict[str, Any], str]:
        """Return what the type of a block says, of whichever variable, and why not all of it is known."""
        if of.id not in self._of_blocks:
            self._of_blocks[of.id] = self._read_block(of)
        return self._of_blocks[of.id]

    def _read_block(self, of: Type) -> tuple[dict[str, Any], str]:
        block = self._layouts.block(of)
        last = self._scan.types.get(of.members[-1]) if of.members else of
        is_runtime = last.kind == Kind.RUNTIME_ARRAY
        elements = [member for member in block.members if member.is_runtime or not is_runtime]
        kinds = {element_of(member.scalar) for member in elements}
        is_uniform = len(kinds) == 1 and (is_runtime or len(elements) == 1)
        stride = block.runtime_stride if is_runtime else 0
        if not is_runtime and len(block.members) == 1:
            stride = block.members[0].array_stride
        is_open = block.is_adjustable or block.size is None
        facts: dict[str, Any] = {
            "minimum_size": 0 if block.is_adjustable else block.size or 0,
            "left_open": frozenset({"minimum_size"} if is_open else ()),
            "members": () if block.is_adjustable else block.members,
            "array_stride": stride,
            "element": kinds.pop() if is_uniform else type_pb2.ELEMENT_TYPE_UNSPECIFIED,
            "is_runtime_sized": is_runtime,
        }
        return facts, block.unknown

    def _with_image(self, found: Declared, of: Type) -> tuple[Declared, str]:
        image = self._scan.types.get(of.inner) if of.kind == Kind.SAMPLED_IMAGE else of
        if image.kind != Kind.IMAGE:
            return found, ""
        stated = image.image[2]
        reason = ""
        if stated and stated not in IMAGE_FORMATS:
            reason = f"its texel format is number {stated} of SPIR-V, for which the contract has no name"
        axes, is_layered = _IMAGE_AXES.get(image.image[0], 0), bool(image.image[3]) or image.image[0] == _CUBE
        shape = ImageShape(axes, is_layered) if axes and not image.image[4] else None
        if image.image[1] == _SAMPLED:
            # Sampling yields numbers of this type, whatever the texels are stored as.
            found = replace(found, element=element_of(self._scan.types.get(image.inner)))
        return replace(found, image_format=IMAGE_FORMATS.get(stated, 0), image_shape=shape), reason


def _key(declared: Declared) -> tuple[int, int, int]:
    """Return the same for variables of one binding, and something else for every other."""
    if declared.group is None or declared.index is None:
        return 1 << 32, 0, declared.id
    return declared.group, declared.index, 0


def access_mode(bits: int) -> int:
    """Return the access that the bits of `interlock.package.spirv.access` amount to.

    What nothing accesses counts as read: the contract has no weaker word, and whatever a graph declares is
    more than the bytes do.
    """
    if bits & WRITE:
        is_read = bits & (READ | ATOMIC_READ)
        return access_pb2.ACCESS_MODE_READ_WRITE if is_read else access_pb2.ACCESS_MODE_WRITE
    if bits & ATOMIC_WRITE:
        return access_pb2.ACCESS_MODE_READ_WRITE if bits & READ else access_pb2.ACCESS_MODE_ATOMIC
    return access_pb2.ACCESS_MODE_READ


def merged(
    parts: Sequence[Declared], effects: Mapping[int, int], reasons: Mapping[int, str], lost_entry: str
) -> tuple[Resource, list[str]]:
    """Return the slot of the variables of one binding, without its name, and what a person should know.

    Args:
        parts: The variables, by id.
        effects: What the entry point does to each.
        reasons: Why it is not known for those whose address was lost.
        lost_entry: Why nothing is known about the accesses of the entry point; empty if that is not so.
    """
    first = parts[0]
    bits = 0
    for part in parts:
        bits |= effects.get(part.id, 0)
    unknown = list(dict.fromkeys(part.unknown for part in parts if part.unknown))
    notes = []
    is_writable = any(part.is_writable and part.kind not in _READ_ONLY_KINDS for part in parts)
    is_readable = any(part.is_readable for part in parts)
    if not is_writable and bits & (WRITE | ATOMIC_WRITE):
        notes.append("code stores to it although it is declared as never written")
    access = access_mode(bits)
    lost = lost_entry
    if bits & LOST:
        lost = next(reasons[part.id] for part in parts if effects.get(part.id, 0) & LOST)
    if lost:
        if not is_writable and not bits & (WRITE | ATOMIC_WRITE):
            access = access_pb2.ACCESS_MODE_READ
        elif not is_readable and not bits & (READ | ATOMIC_READ):
            access = access_pb2.ACCESS_MODE_WRITE
        else:
            access = access_pb2.ACCESS_MODE_UNSPECIFIED
            unknown += [f"its access is not known: {lost}"]
    if len({part.kind for part in parts}) > 1:
        unknown.append("variables of several kinds share its binding")
    have_same_members = all(part.members is first.members for part in parts)  # equal ones are one object
    resource = Resource(
        name="",
        variables=tuple(part.id for part in parts),
        kind=first.kind if len({part.kind for part in parts}) == 1 else 0,
        group=first.group,
        index=first.index,
        access=access,
        is_touched=bool(bits & (ACCESSED | LOST)),
        is_mentioned=bits != 0,
        minimum_size=max(part.minimum_size for part in parts),
        members=first.members if have_same_members else (),
        array_stride=first.array_stride if len({part.array_stride for part in parts}) == 1 else 0,
        element=first.element
        if len({part.element for part in parts}) == 1
        else type_pb2.ELEMENT_TYPE_UNSPECIFIED,
        is_runtime_sized=any(part.is_runtime_sized for part in parts),
        array_count=max(part.array_count for part in parts),
        image_shape=first.image_shape if len({part.image_shape for part in parts}) == 1 else None,
        image_format=first.image_format if len({part.image_format for part in parts}) == 1 else 0,
        unknown="; ".join(unknown),
        left_open=frozenset().union(*(part.left_open for part in parts)),
    )
    if not have_same_members:
        notes.append(f"{len(parts)} variables of different layout share its binding")
    return resource, notes
