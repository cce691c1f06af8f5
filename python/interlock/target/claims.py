"""What modules claim about their code, held against the bytes where they can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from execgraph.v1 import access_pb2, interface_pb2
from interlock.diagnostic import ROOT, Diagnostic, NamedElement, Path, Severity, Step
from interlock.errors import InterlockError
from interlock.graph.modules import UNIFORM, place, shown, takes_bytes
from interlock.target.sealed import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from execgraph.v1 import module_pb2, payload_pb2
    from interlock.package.facts import ModuleFacts
    from interlock.target.sealed import SealedDocument

CONTRADICTED = "module.claim-contradicted"
_SHAPE = ("array_stride", "image_format")
"""Numbers about a slot that are wrong wherever they differ."""
_READS, _WRITES = frozenset("r"), frozenset("w")
_EFFECTS: Mapping[int, frozenset[str]] = {
    access_pb2.ACCESS_MODE_READ: _READS,
    access_pb2.ACCESS_MODE_WRITE: _WRITES,
    access_pb2.ACCESS_MODE_READ_WRITE: _READS | _WRITES,
    access_pb2.ACCESS_MODE_ATOMIC: _READS | _WRITES,
}
"""What an access does to bytes. One that is not known does nothing that could be contradicted."""


def contradicted_claims(sealed: SealedDocument) -> tuple[Diagnostic, ...]:
    """Return where modules of SPIR-V claim something else than their bytes hold.

    Every slot that takes bytes has to be in the code, at its coordinate, of its kind, with no more access and
    no more bytes than are claimed; every slot that the code needs has to be claimed; and a workgroup size
    that is fixed in the code is that of the entry. What cannot be read is left to `check_content`.
    """
    found: list[Diagnostic] = []
    known: dict[str, _Proven | None] = {}
    for path, module, entry in _modules(sealed):
        digest = module.code.blob.digest
        if (module.code.content_type.identity, module.code.content_type.version) != ("spirv", 1):
            continue
        if digest not in known:
            known[digest] = _read(sealed.blobs[digest])
        proven = known[digest]
        if proven is not None:
            found += _Claims(path, module, proven).findings(entry)
        if len(found) > sealed.context.limits.findings_per_rule:
            break  # one module can be claimed in very many ways
    return tuple(found[: sealed.context.limits.findings_per_rule])


class _Proven(NamedTuple):
    """What the bytes of one module prove, and its entries by name."""

    facts: ModuleFacts
    entries: Mapping[str, interface_pb2.Entry]


def _modules(
    sealed: SealedDocument,
) -> Iterator[tuple[Path, module_pb2.TargetModule, payload_pb2.TargetEntry | None]]:
    if sealed.kind == BUNDLE:
        for index, module in enumerate(sealed.message.modules):
            yield ROOT.element("modules", index), module, None
        return
    for view in sealed.context.payloads:
        for index, module in enumerate(view.bundle.modules if view.bundle is not None else ()):
            _, entry = view.entries.get(module.group, (0, None))
            yield view.module_path(index), module, entry


def _read(data: memoryview) -> _Proven | None:
    from interlock.package.spirv.reader import spirv_facts  # noqa: PLC0415  (modules only)

    try:
        facts = spirv_facts(bytes(data))
    except InterlockError:
        return None
    return _Proven(facts, {entry.name: entry for entry in facts.interface.entries})


class _Claims:
    """The claims of one module, beside what its bytes prove."""

    def __init__(self, path: Path, module: module_pb2.TargetModule, proven: _Proven) -> None:
        self._path = path
        self._module = module
        self._facts = proven.facts
        self._entries = proven.entries

    def findings(self, entry: payload_pb2.TargetEntry | None) -> Iterator[Diagnostic]:
        module, facts = self._module, self._facts
        proven = self._entries.get(module.entry_point)
        if proven is None or facts.unknown.get((proven.name, "")):
            return
        slots = {
            (there.group, there.index): slot
            for slot in proven.slots
            if (there := facts.places.get((proven.name, slot.name))) is not None
        }
        yield from self._slots(slots)
        literals = [
            axis.literal for axis in proven.workgroup_size.axes if axis.WhichOneof("size") == "literal"
        ]
        stated = [] if entry is None else list(entry.geometry.workgroup_size)
        if stated and len(literals) == len(proven.workgroup_size.axes) > 0:
            fixed = literals + [1] * (len(stated) - len(literals))
            if fixed != stated:
                text = f"the code has workgroups of `{_axes(fixed)}`; the entry states {_axes(stated)}"
                yield self._finding(text, Step("code"))

    def _slots(self, slots: Mapping[tuple[int, int], interface_pb2.Slot]) -> Iterator[Diagnostic]:
        claimed = set()
        for index, claim in enumerate(self._module.slots):
            of_runtime = claim.slot.role == interface_pb2.SLOT_ROLE_RUNTIME_DIAGNOSTIC
            if not (takes_bytes(claim.slot) or of_runtime) or not claim.HasField("coordinate"):
                continue
            step = Step("slots", index, claim.name or None)
            where = place(claim.coordinate)[:2]
            claimed.add(where)
            slot = slots.get(where)
            if slot is None:
                yield self._finding(f"the code has nothing at {shown(claim.coordinate)}", step)
                continue
            for text in self._array_differences(claim, slot):
                yield self._finding(f"`{claim.name}`: {text}", step)
            for text in _differences(claim.slot, slot):
                yield self._finding(f"`{claim.name}`: {text}", step)
        for (group, index), slot in slots.items():
            if (group, index) not in claimed and takes_bytes(slot) and not slot.optional_binding:
                where_ = f"group {group}, index {index}"
                text = f"the code takes `{slot.name}` at {where_}, which the module does not list"
                yield self._finding(text, Step("slots"))

    def _array_differences(self, claim: module_pb2.ModuleSlot, slot: interface_pb2.Slot) -> Iterator[str]:
        if "array_count" in self._facts.left_open.get((self._module.entry_point, slot.name), ()):
            return  # as long as what is bound
        there = f"an array of {slot.array_count}" if slot.array_count else "no array"
        element, count = claim.coordinate.array_element, claim.slot.array_count
        if element >= max(slot.array_count, 1):
            yield f"it is claimed to be element `{element}` of an array; the code has {there}"
        if count and count != slot.array_count:
            yield f"it is claimed to be an array of `{count}`; the code has {there}"

    def _finding(self, text: str, step: Step) -> Diagnostic:
        elements = (NamedElement("launch-group", self._module.group),)
        return Diagnostic(CONTRADICTED, Severity.ERROR, self._path.extended(step), text, elements)


def _differences(claim: interface_pb2.Slot, slot: interface_pb2.Slot) -> Iterator[str]:
    if claim.kind != slot.kind:
        names = [interface_pb2.SlotKind.Name(each) for each in (claim.kind, slot.kind)]
        yield f"it is claimed to be `{names[0]}`; the code has {names[1]}"
    if claim.storage_class and (UNIFORM in (claim.storage_class, slot.storage_class)):
        names = [interface_pb2.StorageClass.Name(each.storage_class) for each in (claim, slot)]
        if names[0] != names[1]:
            yield f"it is claimed to be in `{names[0]}`; the code has it in {names[1]}"
    for name in _SHAPE:
        said, held = getattr(claim, name), getattr(slot, name)
        if said and held and said != held:
            yield f"its {name} is claimed to be `{said}`; that of the code is {held}"
    proven, stated = _EFFECTS.get(slot.access, frozenset()), _EFFECTS.get(claim.access)
    if stated is not None and proven - stated:
        names = [access_pb2.AccessMode.Name(each) for each in (claim.access, slot.access)]
        yield f"the access is claimed to be `{names[0]}`; that of the code is {names[1]}"
    if claim.minimum_size and claim.minimum_size < slot.minimum_size:
        yield f"`{claim.minimum_size}` bytes are claimed to be enough; the code takes {slot.minimum_size}"


def _axes(size: list[int]) -> str:
    return " x ".join(map(str, size))
