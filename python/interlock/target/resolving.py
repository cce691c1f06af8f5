"""Launch groups beside a package: everything about a group that is known before it is compiled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from execgraph.v1 import dispatch_pb2, interface_pb2
from interlock.diagnostic import Diagnostic, NamedElement, Path, Severity, Step
from interlock.errors import InterlockError
from interlock.graph.modules import place, projected_storage, shown, slot_name, takes_bytes
from interlock.graph.realization import realized, stated_workgroup
from interlock.graph.types import storage_bits
from interlock.target.lowering import (
    Constant,
    Coordinate,
    GroupLowering,
    InterfaceSlot,
    Program,
    ProjectedBinding,
    TypedBytes,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from execgraph.v1 import module_pb2, package_pb2
    from interlock.graph.launch_groups import Contraction
    from interlock.graph.realization import Dispatches, Workgroup
    from interlock.package.container import Blobs


@dataclass
class Resolver:
    """Finds for each dispatch its bytes and its interface, and collects what stands in the way."""

    dispatches: Dispatches
    package: package_pb2.Package
    blobs: Blobs
    target: str
    variants: Mapping[str, str]
    found: list[Diagnostic] = field(default_factory=list)
    _bytes: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._artifacts = {artifact.id: artifact for artifact in self.package.artifacts}
        self._pins = {
            (artifact.id, pin.target): pin
            for artifact in self.dispatches.graph.message.artifacts
            for pin in artifact.pins
        }

    def refuse(self, code: str, message: str, node: int, *steps: Step) -> None:
        """Keep in mind what stands in the way, at a place of a dispatch."""
        nodes = self.dispatches.graph.nodes
        path = nodes.path(node, (Step("operation"), Step("dispatch"), *steps))
        elements = (NamedElement("node", nodes.ids[node]),)
        self.found.append(Diagnostic(code, Severity.ERROR, path, message, elements))

    def lowering(
        self,
        graph_digest: str,
        group: module_pb2.LaunchGroup,
        numbers: Sequence[int],
        pairs: Sequence[tuple[int, int]],
    ) -> GroupLowering | None:
        """Return a launch group ready to be compiled; None if something stands in the way."""
        before = len(self.found)
        members = [_Member(self, node, group.members) for node in numbers]
        workgroup = self._workgroup(members)
        elements = [self._elements(member) for member in members]
        if len(self.found) > before:
            return None
        interfaces = [member.slots for member in members if member.slots is not None]
        known = len(interfaces) == len(members)
        ids = self.dispatches.graph.nodes.ids
        return GroupLowering(
            graph_digest=graph_digest,
            group=group.id,
            stage=group.stage,
            members=tuple(group.members),
            programs=tuple(member.program for member in members if member.program is not None),
            interface=tuple(sorted(_all(interfaces), key=_by_name)) if known else None,
            bindings=tuple(binding for member in members for binding in member.bindings) if known else (),
            logical_elements=max(elements, default=1),
            workgroup_size=workgroup,
            dependent_pairs=tuple((ids[source], ids[target]) for source, target in pairs),
            inline_constants=tuple(each for member in members for each in member.inline_constants),
            dynamic_shared_bytes=max((member.geometry.dynamic_shared_bytes for member in members), default=0),
            static_shared_bytes=sum(member.static_shared_bytes for member in members),
        )

    def _elements(self, member: _Member) -> int:
        try:
            return self.dispatches.elements(member.node, full_span=member.needs_full_span)
        except OverflowError as error:
            self.refuse("compile.element-overflow", str(error), member.node, Step("bindings"))
            return 1

    def _workgroup(self, members: Sequence[_Member]) -> Workgroup | None:
        """Return the one workgroup size of all members, once nothing contradicts it."""
        size: Workgroup | None = None
        for member in members:
            for each in member.workgroups:
                if size is not None and each != size:
                    text = f"the workgroup size is `{_axes(each)}` here, elsewhere {_axes(size)}"
                    self.refuse("compile.workgroup-mismatch", text, member.node, Step("geometry"))
                size = size or each
        if len(members) > 1:
            shapes = [realized(member.geometry, size or (1, 1, 1)) for member in members]
            for member, shape in zip(members, shapes, strict=True):
                if shape != shapes[0]:
                    text = "the geometry is not that of the other members of the launch group"
                    self.refuse("compile.group-geometry-mismatch", text, member.node, Step("geometry"))
        return size

    def artifact(self, node: int) -> tuple[package_pb2.Artifact, package_pb2.Variant] | None:
        """Return the artifact and the variant of a dispatch."""
        name, here = self.dispatches.message(node).artifact, Step("artifact")
        artifact = self._artifacts.get(name)
        if artifact is None:
            self.refuse("compile.missing-artifact", f"the package has no artifact `{name}`", node, here)
            return None
        wanted = self.variants.get(name)
        fitting = [each for each in artifact.variants if each.target == self.target]
        if wanted is not None:
            fitting = [each for each in fitting if each.name == wanted]
        if not fitting:
            called = "" if wanted is None else f" named `{wanted}`"
            text = f"the artifact `{name}` has no variant for `{self.target}`{called}"
            self.refuse("compile.missing-variant", text, node, here)
            return None
        if len(fitting) > 1:
            names = ", ".join(f"`{each.name}`" for each in fitting)
            text = f"the artifact `{name}` has several variants for `{self.target}`: {names}"
            self.refuse("compile.ambiguous-variant", text, node, here)
            return None
        pin = self._pins.get((name, self.target))
        blob = fitting[0].blob
        if pin is not None and (pin.digest, pin.size) != (blob.digest, blob.size):
            text = f"the graph pins `{pin.digest}` of {pin.size} bytes; the package has {blob.digest}"
            self.refuse("compile.pin-mismatch", text, node, here)
            return None
        return artifact, fitting[0]

    def read(self, variant: package_pb2.Variant, node: int) -> bytes | None:
        """Return the bytes of a variant, read once."""
        if variant.blob.digest not in self._bytes:
            try:
                self._bytes[variant.blob.digest] = self.blobs.read(variant.blob)
            except InterlockError as error:
                for each in error.diagnostics:
                    self.refuse(each.code, each.message, node, Step("artifact"))
                return None
        return self._bytes[variant.blob.digest]


class _Member:
    """One member of a launch group, resolved."""

    def __init__(self, resolver: Resolver, node: int, group: Sequence[str]) -> None:
        self.node = node
        self._resolver = resolver
        self._group = group
        self._id = resolver.dispatches.graph.nodes.ids[node]
        self._dispatch = resolver.dispatches.message(node)
        self.geometry = self._dispatch.geometry
        self.program: Program | None = None
        self.slots: list[InterfaceSlot] | None = None
        self.bindings: list[ProjectedBinding] = []
        self._entry: interface_pb2.Entry | None = None
        self._constants: list[Constant] = []
        found = resolver.artifact(node)
        if found is not None:
            self._read(*found)

    def _read(self, artifact: package_pb2.Artifact, variant: package_pb2.Variant) -> None:
        name = self._dispatch.entry
        mapping = next((each for each in variant.entries if each.entry == name), None)
        self._entry = next((each for each in artifact.interface.entries if each.name == name), None)
        if self._entry is None and artifact.interface.entries:
            text = f"the interface of `{artifact.id}` has no entry `{name}`"
            self._resolver.refuse("compile.missing-entry", text, self.node, Step("entry"))
            return
        self._constants = _constants(self._dispatch, artifact, variant)
        data = self._resolver.read(variant, self.node)
        if data is not None:
            kind = variant.content_type
            target_entry = (mapping.target_entry if mapping is not None else "") or name
            self.program = Program(
                self._id,
                artifact.id,
                name,
                target_entry,
                (variant.target, variant.name),
                TypedBytes(kind.identity, kind.version, data),
                variant.blob.digest,
                tuple(self._constants),
            )
        if self._entry is not None:
            self._project(self._entry, {} if mapping is None else {each.slot: each for each in mapping.slots})

    def _project(self, entry: interface_pb2.Entry, mapping: Mapping[str, package_pb2.SlotMapping]) -> None:
        stated = {each.slot: (index, each) for index, each in enumerate(self._dispatch.bindings)}
        bound = self._resolver.dispatches.bound(self.node)
        self.slots = []
        for slot in entry.slots:
            mapped = mapping.get(slot.name)
            coordinate = self._coordinate(slot.name, mapped, stated)
            name = slot_name(self._id, slot.name, self._group)
            target_name = (mapped.target_slot if mapped is not None else "") or slot.name
            facts = slot.SerializeToString(deterministic=True)
            self.slots.append(InterfaceSlot(name, self._id, target_name, coordinate, facts))
            if not takes_bytes(slot):
                continue
            here = bound.get(slot.name)
            if here is None:
                if not slot.optional_binding:
                    text = f"the entry `{entry.name}` needs slot `{slot.name}`, which is not bound"
                    self._resolver.refuse("compile.unbound-slot", text, self.node, Step("bindings"))
                continue
            storage = projected_storage(slot.storage_class, here.role)
            access = slot.access or here.access
            self.bindings.append(
                ProjectedBinding(self._id, slot.name, here.resource, coordinate, storage, access)
            )
        known = {slot.name for slot in entry.slots if takes_bytes(slot)}
        for slot_id, (index, _) in stated.items():
            if slot_id not in known:
                text = f"the entry `{entry.name}` has no slot `{slot_id}` that takes bytes"
                self._resolver.refuse(
                    "compile.unknown-slot", text, self.node, Step("bindings", index, slot_id or None)
                )

    def _coordinate(
        self,
        slot: str,
        mapped: package_pb2.SlotMapping | None,
        stated: Mapping[str, tuple[int, dispatch_pb2.Binding]],
    ) -> Coordinate | None:
        own = mapped.coordinate if mapped is not None and mapped.HasField("coordinate") else None
        index, binding = stated.get(slot, (0, None))
        pinned = binding.coordinate if binding is not None and binding.HasField("coordinate") else None
        if own is not None and pinned is not None and place(own) != place(pinned):
            text = f"slot `{slot}` is pinned to {shown(pinned)}; the variant takes it at {shown(own)}"
            steps = (Step("bindings", index, slot or None), Step("coordinate"))
            self._resolver.refuse("compile.coordinate-mismatch", text, self.node, *steps)
        chosen = own if own is not None else pinned
        return None if chosen is None else place(chosen)

    @property
    def needs_full_span(self) -> bool:
        """Whether atomics or subgroups may need everything that is bound."""
        entry = self._entry
        uses = entry is not None and (entry.uses_atomics or entry.uses_subgroups)
        return uses or bool(self.geometry.subgroup_size)

    @property
    def static_shared_bytes(self) -> int:
        """The shared memory that the entry declares."""
        return 0 if self._entry is None else self._entry.static_shared_bytes

    @property
    def inline_constants(self) -> list[tuple[str, str, bytes]]:
        """The inline constants: node, slot, value."""
        return [
            (self._id, each.slot, each.value.SerializeToString(deterministic=True))
            for each in self._dispatch.inline_constants
        ]

    @property
    def workgroups(self) -> list[Workgroup]:
        """The workgroup sizes that the dispatch and the entry state, as far as they do."""
        found = [stated_workgroup(self.geometry)]
        if self._entry is not None and self._entry.HasField("workgroup_size"):
            found.append(_fixed(self._entry.workgroup_size, self._constants))
        return [each for each in found if each is not None]


def _constants(
    dispatch: dispatch_pb2.Dispatch, artifact: package_pb2.Artifact, variant: package_pb2.Variant
) -> list[Constant]:
    """Return the values of all constants: those that the dispatch states, and defaults for the others."""
    mapped = {each.constant: each for each in variant.constants}
    declared = {each.name: each for each in artifact.interface.constants}
    found = []
    for value in dispatch.specialization:
        number: int | None = value.constant_id if value.HasField("constant_id") else None
        found.append(
            Constant(
                value.name,
                _number(value.name, declared, mapped) if number is None else number,
                value.value.element,
                value.value.bits,
                from_default=False,
            )
        )
    names, numbers = {each.name for each in found}, {each.constant_id for each in found if not each.name}
    for name, constant in declared.items():
        number = _number(name, declared, mapped)
        if (
            name in names
            or (number is not None and number in numbers)
            or not constant.HasField("default_value")
        ):
            continue
        default = constant.default_value
        found.append(Constant(name, number, default.element, default.bits, from_default=True))
    return sorted(found, key=lambda each: (each.name.encode(), each.constant_id or 0))


def _number(name: str, declared: Mapping[str, Any], mapped: Mapping[str, Any]) -> int | None:
    for known in (mapped.get(name), declared.get(name)):
        if known is not None and known.HasField("constant_id"):
            number: int = known.constant_id
            return number
    return None


def _fixed(size: interface_pb2.WorkgroupSize, constants: Sequence[Constant]) -> Workgroup | None:
    """Return the workgroup size that an entry fixes; None if a constant in it has no value."""
    values = {each.name: each for each in constants}
    axes: list[int] = []
    for axis in size.axes:
        if axis.WhichOneof("size") == "literal":
            axes.append(axis.literal)
            continue
        constant = values.get(axis.constant)
        if constant is None or len(constant.bits) * 8 < storage_bits(constant.element):
            return None
        axes.append(int.from_bytes(constant.bits, "little"))
    return stated_workgroup(dispatch_pb2.Geometry(workgroup_size=axes)) if _fits(axes) else None


def _fits(axes: Sequence[int]) -> bool:
    return all(0 < each < 1 << 32 for each in axes)


def _axes(size: Workgroup) -> str:
    return " x ".join(map(str, size))


def _all(lists: Sequence[Sequence[InterfaceSlot]]) -> list[InterfaceSlot]:
    return [each for items in lists for each in items]


def _by_name(slot: InterfaceSlot) -> bytes:
    return slot.name.encode()


def dependent_pairs(order: Contraction, groups: int) -> list[list[tuple[int, int]]]:
    """Return the dependent pairs within each group.

    Raises:
        WorkExceededError: There is too much to follow.
    """
    return [order.dependent_pairs(number) for number in range(groups)]


__all__ = ["Path", "Resolver", "dependent_pairs"]
