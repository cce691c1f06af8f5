"""Reads SPIR-V modules: what they say about their own interfaces, with the bytes as evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import interface_pb2
from interlock.diagnostic import Evidence
from interlock.package.facts import ModuleFacts, Place
from interlock.package.spirv.elements import element_of
from interlock.package.spirv.errors import DEFAULT_SPIRV_LIMITS, SpirvLimits
from interlock.package.spirv.interface import STAGE_OF_MODEL, Entries
from interlock.package.spirv.model import GL_COMPUTE, KERNEL, ModuleEntry, Note, Resource
from interlock.package.spirv.naming import constant_names
from interlock.package.spirv.scan import Scan
from interlock.package.spirv.words import read_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlock.package.facts import ImageShape
    from interlock.package.spirv.constants import SpecConstant
    from interlock.package.spirv.layout import Member

SOURCE = "its SPIR-V"

_STORAGE_CLASSES: Mapping[int, interface_pb2.StorageClass] = {
    interface_pb2.SLOT_KIND_STORAGE_BUFFER: interface_pb2.STORAGE_CLASS_GLOBAL,
    interface_pb2.SLOT_KIND_CONSTANT_BUFFER: interface_pb2.STORAGE_CLASS_UNIFORM,
}


class SpirvModule:
    """One module, read.

    Attributes:
        version: The version of SPIR-V, major and minor.
        generator: The number of the tool that wrote it, and below that its version, in one word.
        bound: Every id is below it.
        words: How many words it has.
        capabilities: Their numbers, sorted.
        extensions: Their names, as declared.
        addressing: The addressing model, as a number of SPIR-V.
        memory_model: The memory model, as a number of SPIR-V.
        entries: The entry points, as declared.
        constants: The specialization constants that have a number, by the name they are known by.
        notes: What a person should know beside.
        has_unknown_instructions: Whether there are instructions that the reader does not know.
    """

    def __init__(self, scan: Scan) -> None:
        self._scan = scan
        self._entries = Entries(scan)
        self.version = scan.header.version
        self.generator = scan.header.generator
        self.bound = scan.header.bound
        self.words = len(scan.words)
        self.capabilities = tuple(sorted(scan.capabilities))
        self.extensions = tuple(scan.extensions)
        self.addressing, self.memory_model = scan.memory_model or (0, 0)
        self.entries: tuple[ModuleEntry, ...] = self._entries.all
        specs = sorted(scan.constants.specs.values(), key=lambda spec: (spec.number, spec.id))
        names = constant_names(specs, scan.names)
        self.constants: Mapping[str, SpecConstant] = {names[spec.id]: spec for spec in specs}
        self._names = names
        self.has_unknown_instructions = bool(scan.strange)
        self.notes: tuple[Note, ...] = tuple(self._entries.notes)
        self._places: dict[str, int] = {}
        for place, entry in enumerate(self.entries):
            is_compute = entry.model in (GL_COMPUTE, KERNEL)
            known = self._places.setdefault(entry.name, place)
            if is_compute and self.entries[known].model not in (GL_COMPUTE, KERNEL):
                self._places[entry.name] = place

    def entry(self, name: str) -> ModuleEntry:
        """Return an entry point: of several with one name that for compute.

        Raises:
            KeyError: There is none of that name.
        """
        return self.entries[self._places[name]]

    def workgroup_size(
        self, entry: str, values: Mapping[int, int | bool] | None = None
    ) -> tuple[int, int, int] | None:
        """Return the workgroup size of an entry point; None if the module does not say it.

        Args:
            entry: Its name.
            values: Values of specialization constants by their number; the others have their defaults.

        Raises:
            KeyError: There is no entry point of that name.
        """
        return self.entry(entry).sizes.value(self._scan.constants.evaluate(values or {}))

    def shared_bytes(self, entry: str, values: Mapping[int, int | bool] | None = None) -> int | None:
        """Return the static shared memory of an entry point, in bytes; None if that cannot be told.

        Args:
            entry: Its name.
            values: Values of specialization constants by their number; the others have their defaults.

        Raises:
            KeyError: There is no entry point of that name.
        """
        variables = self._entries.shared_variables[self._scan.entries[self._places[entry]]]
        return self._entries.shared.size(variables, self._scan.constants.evaluate(values or {}))

    def axis_constant(self, ident: int) -> str:
        """Return the name of the specialization constant that an id is; empty if it is none."""
        return self._names.get(ident, "")

    def constant_value(self, ident: int) -> int | None:
        """Return the value of an integer constant by default; None if it is none or not known."""
        value = self._scan.constants.values.get(ident)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def default_values(self) -> Mapping[int, object]:
        """Return the value of every constant by id, with specialization constants at their defaults."""
        return self._scan.constants.values

    def is_adjustable(self, ident: int) -> bool:
        """Tell whether specialization constants change the value of a constant."""
        return ident in self._scan.constants.adjustable

    def facts(self, source: str = SOURCE) -> ModuleFacts:
        """Return what the module proves about its interface, in its own names."""
        return _Facts(self).build(source)

    @property
    def is_complete(self) -> bool:
        """Whether what is not listed does not exist."""
        return (
            not self._entries.is_exhausted
            and not self.has_unknown_instructions
            and all(entry.model != KERNEL for entry in self.entries)
        )


class _Facts:
    def __init__(self, module: SpirvModule) -> None:
        self._module = module
        self._interface = interface_pb2.Interface()
        self._places: dict[tuple[str, str], Place] = {}
        self._aliases: dict[tuple[str, str], str] = {}
        self._unknown: dict[tuple[str, str], str] = {}
        self._left_open: dict[tuple[str, str], frozenset[str]] = {}
        self._image_shapes: dict[tuple[str, str], ImageShape] = {}

    def build(self, source: str) -> ModuleFacts:
        module = self._module
        for name in sorted({entry.name for entry in module.entries}):
            entry = module.entry(name)
            if entry.model in STAGE_OF_MODEL:
                self._add_entry(entry)
            else:
                self._unknown[name, ""] = f"its stage is {entry.stage}, for which the contract has no name"
        for name, spec in module.constants.items():
            self._add_constant(name, spec)
        self._interface.constants.sort(key=lambda constant: constant.name)
        return ModuleFacts(
            interface=self._interface,
            evidence=Evidence.PROVEN,
            source=source,
            places=self._places,
            aliases=self._aliases,
            is_complete=module.is_complete,
            unknown=self._unknown,
            left_open=self._left_open,
            image_shapes=self._image_shapes,
            shared_bytes=module.shared_bytes
            if any(entry.is_shared_adjustable for entry in module.entries)
            else None,
        )

    def _add_constant(self, name: str, spec: SpecConstant) -> None:
        element = element_of(spec.type)
        if not element:
            return
        constant = self._interface.constants.add(name=name, constant_id=spec.number, element=element)
        size = 1 if isinstance(spec.default, bool) else spec.type.width // 8
        constant.default_value.element = element
        constant.default_value.bits = int(spec.default).to_bytes(size, "little")

    def _add_entry(self, entry: ModuleEntry) -> None:
        message = self._interface.entries.add(
            name=entry.name,
            stage=STAGE_OF_MODEL[entry.model],
            uses_atomics=entry.updates_atomically,
            uses_subgroups=entry.uses_subgroups,
            subgroup_size=entry.subgroup_size,
            static_shared_bytes=entry.shared_bytes,
            required_capabilities=entry.capabilities,
        )
        self._add_size(message, entry)
        for resource in entry.resources:
            self._add_slot(message, entry.name, resource)
        if entry.unknown:
            self._unknown[entry.name, ""] = "; ".join(entry.unknown)
        if entry.left_open:
            self._left_open[entry.name, ""] = entry.left_open

    def _add_size(self, message: interface_pb2.Entry, entry: ModuleEntry) -> None:
        module = self._module
        axes = []
        for axis in entry.sizes.axes:
            constant = module.axis_constant(axis.id)
            value = module.constant_value(axis.id) if axis.id else axis.literal
            if constant:
                axes.append(interface_pb2.WorkgroupAxis(constant=constant))
            elif value is not None and value < 1 << 32 and not module.is_adjustable(axis.id):
                axes.append(interface_pb2.WorkgroupAxis(literal=value))
            else:
                return
        if not axes and entry.sizes.composite and not module.is_adjustable(entry.sizes.composite):
            size = module.workgroup_size(entry.name)
            axes = [interface_pb2.WorkgroupAxis(literal=each) for each in size or ()]
        if axes:
            message.workgroup_size.axes.extend(axes)

    def _add_slot(self, message: interface_pb2.Entry, entry: str, resource: Resource) -> None:
        slot = message.slots.add(
            name=resource.name,
            kind=resource.kind,
            storage_class=_STORAGE_CLASSES.get(resource.kind, interface_pb2.STORAGE_CLASS_UNSPECIFIED),
            access=resource.access,
            array_stride=resource.array_stride,
            minimum_size=resource.minimum_size,
            runtime_sized=resource.is_runtime_sized,
            optional_binding=not resource.is_mentioned,
            image_format=resource.image_format,
            array_count=resource.array_count,
        )
        if resource.element:
            slot.element_type.element = resource.element
        for member in resource.members:
            _add_member(slot, member)
        if resource.group is not None and resource.index is not None:
            self._places[entry, resource.name] = Place(resource.group, resource.index)
        for alias in resource.aliases:
            self._aliases[entry, alias] = resource.name
        if resource.unknown:
            self._unknown[entry, resource.name] = resource.unknown
        if resource.image_shape is not None:
            self._image_shapes[entry, resource.name] = resource.image_shape
        if resource.left_open:
            self._left_open[entry, resource.name] = resource.left_open


def _add_member(slot: interface_pb2.Slot, member: Member) -> None:
    slot.members.add(
        name=member.name,
        offset=member.offset,
        size=member.size,
        element=element_of(member.scalar),
        vector_components=member.components,
        array_stride=member.array_stride,
        array_count=member.array_count,
        matrix_stride=member.matrix_stride,
    )


def read_spirv(data: bytes, *, limits: SpirvLimits = DEFAULT_SPIRV_LIMITS) -> SpirvModule:
    """Read a module, in either byte order.

    Raises:
        SpirvError: What is wrong with the bytes, at the first instruction where it is seen.
    """
    return SpirvModule(Scan(read_words(data, limits), limits))


def spirv_facts(data: bytes, *, limits: SpirvLimits = DEFAULT_SPIRV_LIMITS) -> ModuleFacts:
    """Return what a module proves about its interface.

    Raises:
        SpirvError: As `read_spirv`.
    """
    return read_spirv(data, limits=limits).facts()
