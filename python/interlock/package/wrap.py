"""One packaged compute entry as a graph of one dispatch, by reference: the package stays as it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from execgraph.v1 import access_pb2, graph_pb2, interface_pb2, package_pb2, resource_pb2, type_pb2
from interlock.diagnostic import ROOT, Diagnostic, Path, Severity
from interlock.document import Document
from interlock.errors import TransformFailure
from interlock.graph.types import storage_bits
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.package.crosstl_names import as_id, fresh_id
from interlock.package.index import GraphEntry, PackageIndex, VariantEntry
from interlock.package.packing import member_alignment
from interlock.package.packing_check import shape_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from interlock.package.container import Container
    from interlock.package.merge import EntryFacts, Facts, VariantInterface

_READ: Final = access_pb2.ACCESS_MODE_READ
_WRITE: Final = access_pb2.ACCESS_MODE_WRITE
_READ_WRITE: Final = access_pb2.ACCESS_MODE_READ_WRITE
_BUFFERS: Final = frozenset({interface_pb2.SLOT_KIND_STORAGE_BUFFER, interface_pb2.SLOT_KIND_CONSTANT_BUFFER})
_LARGEST_AXES: Final = 3


@dataclass(frozen=True, slots=True)
class Wrapping:
    """How an entry is to be launched.

    Attributes:
        workgroup_count: The workgroups along x, y and z: one to three numbers of at least 1.
        sizes: The bytes bound to slots, by their names or aliases. A slot with a known size needs none.
        full: The slots of which every byte is overwritten, as the caller asserts. Nothing of them is read.
        access: What the entry does to slots of which the package does not say it.
        target: The target whose variant describes the entry. Default: the first that has the entry.
    """

    workgroup_count: Sequence[int]
    sizes: Mapping[str, int] = field(default_factory=dict)
    full: Collection[str] = ()
    access: Mapping[str, int] = field(default_factory=dict)
    target: str | None = None


def wrap(
    container: Container,
    artifact_id: str,
    entry: str,
    wrapping: Wrapping,
    *,
    limits: Limits = DEFAULT_LIMITS,
) -> Document:
    """Return a graph of one dispatch that runs one entry of a packaged artifact.

    Every buffer slot that the graph has to bind gets an external resource of its name: an input if it is only
    read, an output if it is in ``full``, else one that is both, because what is not written stays. The
    artifact is pinned to the bytes of each target.

    Raises:
        TransformFailure: The package has errors, the entry is not what a graph can launch, or something is
            not known that the graph has to say: `wrap.` and the pins of the codes of changing documents.
    """
    errors = [found for found in container.diagnostics if found.severity is Severity.ERROR]
    if errors:
        raise TransformFailure(*errors)
    if container.document is None:
        raise _refusal("wrap.missing-artifact", ROOT, "a plain folder does not say which artifacts it holds")
    package = cast("package_pb2.Package", container.document.message)
    index = PackageIndex(package, container, None, limits)
    position, artifact = index.artifacts.get(artifact_id, (-1, None))
    if artifact is None:
        held = ", ".join(f"`{name}`" for name in list(index.artifacts)[:8]) or "none"
        raise _refusal(
            "wrap.missing-artifact", ROOT, f"there is no artifact `{artifact_id}`; there are {held}"
        )
    path = ROOT.element("artifacts", position, artifact_id)
    selected = _selected(index, artifact)
    interface, facts = _described(index, selected, entry, wrapping.target, path)
    maker = _Maker(as_id(f"{artifact_id}.{entry}"), facts, wrapping, path)
    maker.add_artifact(artifact, selected)
    maker.add_dispatch(artifact_id, interface)
    if maker.findings:
        raise TransformFailure(*maker.findings)
    return Document.from_message(maker.graph)


def _refusal(code: str, path: Path, message: str) -> TransformFailure:
    return TransformFailure(Diagnostic(code, Severity.ERROR, path, message))


def _selected(index: PackageIndex, artifact: package_pb2.Artifact) -> dict[str, VariantEntry]:
    """Return the variant that runs on each target where nothing pins one."""
    nobody = GraphEntry("", ROOT, None)
    found = {}
    for target in sorted({variant.target for variant in artifact.variants}):
        entry = index.select(nobody, artifact.id, target)
        if not isinstance(entry, VariantEntry):
            raise _refusal("wrap.ambiguous-variant", entry.path, entry.message)
        found[target] = entry
    return found


def _described(
    index: PackageIndex, selected: Mapping[str, VariantEntry], entry: str, target: str | None, path: Path
) -> tuple[VariantInterface, EntryFacts]:
    """Return what the variant of a target knows, and about the entry."""
    if target is not None and target not in selected:
        there = ", ".join(f"`{name}`" for name in selected) or "none"
        raise _refusal("wrap.missing-variant", path, f"there is no variant for `{target}`; there are {there}")
    for name in selected if target is None else [target]:
        interface = index.interface(selected[name])
        facts = interface.entries.get(entry)
        if facts is not None and facts.known:
            return interface, facts
    names = sorted({name for each in selected.values() for name in index.interface(each).entries})
    there = ", ".join(f"`{name}`" for name in names) or "none that anybody describes"
    raise _refusal("wrap.missing-entry", path, f"there is no entry `{entry}`; there are {there}")


class _Maker:
    """Makes the graph, and collects everything that stands in the way."""

    def __init__(self, identity: str, entry: EntryFacts, wrapping: Wrapping, path: Path) -> None:
        self.graph = graph_pb2.ExecutionGraph(id=identity, maximum_node_executions=1)
        self.findings: list[Diagnostic] = []
        self._entry = entry
        self._path = path
        self._counts = list(wrapping.workgroup_count)
        self._sizes = {self._slot_name(name): size for name, size in wrapping.sizes.items()}
        self._access_of = {self._slot_name(name): access for name, access in wrapping.access.items()}
        self._full = {self._slot_name(name) for name in wrapping.full}

    def add_artifact(self, artifact: package_pb2.Artifact, selected: Mapping[str, VariantEntry]) -> None:
        """Enter the artifact with a pin for each target."""
        row = self.graph.artifacts.add(id=artifact.id)
        if artifact.HasField("provenance"):
            row.provenance.CopyFrom(artifact.provenance)
        for target, entry in selected.items():
            blob = entry.variant.blob
            row.pins.add(target=target, digest=blob.digest, size=blob.size)

    def add_dispatch(self, artifact_id: str, interface: VariantInterface) -> None:
        """Add the node, with a resource for each slot."""
        stage = self._entry.value("stage")
        if stage not in (None, interface_pb2.STAGE_COMPUTE):
            name = interface_pb2.Stage.Name(stage).removeprefix("STAGE_").lower()
            self._refuse("wrap.not-compute", f"`{self._entry.name}` is an entry of the {name} stage")
        for name, constant in sorted(interface.constants.items()):
            if constant.value("default_value") is None:
                self._refuse("wrap.unset-constant", f"the specialization constant `{name}` has no default")
        dispatch = self.graph.body.nodes.add(id=as_id(self._entry.name)).operation.dispatch
        dispatch.artifact, dispatch.entry = artifact_id, self._entry.name
        self._add_geometry(dispatch)
        for name, slot in sorted(self._entry.slots.items()):
            self._add_slot(dispatch, name, slot)

    def _refuse(self, code: str, message: str) -> None:
        self.findings.append(Diagnostic(code, Severity.ERROR, self._path, message))

    def _add_geometry(self, dispatch: Any) -> None:  # noqa: ANN401  (a Dispatch)
        counts = self._counts
        if not 1 <= len(counts) <= _LARGEST_AXES or not all(1 <= count < 1 << 32 for count in counts):
            self._refuse(
                "wrap.invalid-count", "one to three numbers of workgroups, each at least 1, are required"
            )
            return
        for count in counts:
            dispatch.geometry.workgroup_count.extents.counts.add(constant=count)
        size = self._entry.value("workgroup_size")
        axes = [axis.literal for axis in size.axes] if size is not None else []
        while len(axes) > 1 and axes[-1] == 1:
            axes.pop()  # missing ones are 1
        if all(axes):
            dispatch.geometry.workgroup_size.extend(axes)

    def _slot_name(self, name: str) -> str:
        """Return the logical name of a slot that was given by it, or by another name of the variant."""
        slot = self._entry.slot(name)
        if slot is None:
            there = ", ".join(f"`{known}`" for known in sorted(self._entry.slots)) or "none"
            self._refuse("wrap.unknown-slot", f"`{self._entry.name}` has no slot `{name}`; it has {there}")
            return name
        return slot.name

    def _add_slot(self, dispatch: Any, name: str, slot: Facts) -> None:  # noqa: ANN401  (a Dispatch)
        if not _is_bound(slot) or (slot.value("optional_binding") and name not in self._sizes):
            return
        kind = slot.value("kind")
        if kind not in _BUFFERS or slot.value("array_count"):
            what = interface_pb2.SlotKind.Name(kind or 0).removeprefix("SLOT_KIND_").lower().replace("_", " ")
            what = "an array of buffers" if slot.value("array_count") else what
            self._refuse("wrap.unsupported-slot", f"slot `{name}` is {what}; only buffers can be wrapped")
            return
        access = self._access(name, slot)
        size = self._size(name, slot)
        if access is None or size is None:
            return
        taken = {resource.id for resource in self.graph.resources}
        resource = self.graph.resources.add(id=fresh_id(name, taken))
        _describe(resource, slot, size)
        binding = dispatch.bindings.add(slot=name, access=access)
        binding.target.resource = resource.id
        resource.role = resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT
        if kind == interface_pb2.SLOT_KIND_CONSTANT_BUFFER:
            binding.usage = access_pb2.USAGE_SHADER_CONSTANT
        elif name in self._full:
            resource.role = resource_pb2.RESOURCE_ROLE_EXTERNAL_OUTPUT
            binding.access, binding.coverage = _WRITE, access_pb2.COVERAGE_FULL
        elif access != _READ:
            resource.role = resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT_OUTPUT

    def _access(self, name: str, slot: Facts) -> int | None:
        """Return what the entry does to a slot; None, with a finding, where nobody knows it."""
        known = slot.value("access")
        access = known or self._access_of.get(name)
        if access is None and slot.value("kind") == interface_pb2.SLOT_KIND_CONSTANT_BUFFER:
            access = _READ
        if access is None:
            message = f"nobody says whether slot `{name}` is read or written; state it"
            self._refuse("wrap.unknown-access", message)
        elif known and self._access_of.get(name, known) != known:
            self._refuse("wrap.contradicted-access", f"slot `{name}` has an access that the package states")
        elif access not in (_READ, _WRITE, _READ_WRITE):
            self._refuse("wrap.unsupported-slot", f"slot `{name}` is accessed by atomic operations")
        elif access == _READ and name in self._full:
            self._refuse("wrap.contradicted-access", f"slot `{name}` is only read, so nothing overwrites it")
        else:
            return access
        return None

    def _size(self, name: str, slot: Facts) -> int | None:
        """Return the bytes to bind; None, with a finding, where they are not known or do not fit."""
        least, stride = slot.value("minimum_size") or 0, slot.value("array_stride") or 0
        size = self._sizes.get(name)
        if size is None and least and not slot.value("runtime_sized") and not stride:
            size = least
        if size is None:
            self._refuse("wrap.missing-size", f"nobody says how many bytes slot `{name}` gets; state it")
            return None
        step = stride or _element_bytes(slot)
        if size < max(least, 1) or size % step:
            required = f"a multiple of {step}, at least {max(least, step)}"
            self._refuse("wrap.invalid-size", f"slot `{name}` gets `{size}` bytes; {required} is required")
            return None
        return size


def _is_bound(slot: Facts) -> bool:
    """Tell whether a graph binds a slot: memory of a workgroup and what the runtime binds it does not."""
    local = (interface_pb2.STORAGE_CLASS_SHARED, interface_pb2.STORAGE_CLASS_SCRATCH)
    runtime = interface_pb2.SLOT_ROLE_RUNTIME_DIAGNOSTIC
    return slot.value("storage_class") not in local and slot.value("role") != runtime


def _element(slot: Facts) -> int:
    """Return the type of the elements of a slot: the one type of all its scalars, else bytes."""
    stated = slot.value("element_type")
    if stated is not None and storage_bits(stated.element) >= 8:
        return int(stated.element)
    members = slot.value("members") or ()
    elements = {member.element for member in members}
    if len(elements) == 1 and storage_bits(next(iter(elements))) >= 8:
        return int(elements.pop())
    return type_pb2.ELEMENT_TYPE_U8


def _element_bytes(slot: Facts) -> int:
    return storage_bits(_element(slot)) // 8


def _describe(resource: Any, slot: Facts, size: int) -> None:  # noqa: ANN401  (a Resource)
    """Say what a resource holds: packed elements, by rows of one stride where the kernel steps further."""
    width, stride = _element_bytes(slot), slot.value("array_stride") or 0
    resource.type.element = _element(slot)
    columns = stride // width if stride > width and stride % width == 0 else 1
    resource.shape.add(constant=size // width // columns)
    if columns > 1:
        resource.shape.add(constant=columns)
    resource.size.constant = size
    alignment = max(slot.value("alignment") or 1, width, *_member_alignments(slot))
    if alignment > 1:
        resource.alignment = alignment


def _member_alignments(slot: Facts) -> list[int]:
    packing = slot.value("packing") or 0
    return [
        1,
        *(member_alignment(shape_of(member, packing), packing) for member in slot.value("members") or ()),
    ]
