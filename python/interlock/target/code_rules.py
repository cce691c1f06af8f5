"""Modules of SPIR-V in an envelope, judged like variants of a package: by what their bytes hold.

A payload restates facts of the graph, and its modules claim slots; neither says what the code does. So the
modules of a payload are taken for a package of their own, in which every group of one dispatch runs its
module, and the rules on packages judge that beside the graph: kinds, accesses, layouts, constants, inline
constants, capabilities, geometry.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from execgraph.v1 import graph_pb2, interface_pb2, package_pb2
from interlock.diagnostic import Diagnostic, NamedElement, Path, Severity, Step, Unverified
from interlock.document import Document
from interlock.errors import InterlockError
from interlock.graph.modules import place
from interlock.package.container import Container
from interlock.package.entries import dispatch_nodes
from interlock.rules.context import Context, Surroundings
from interlock.rules.engine import run
from interlock.rules.model import PACKAGE
from interlock.target.envelope import attach_target, make_envelope
from interlock.target.errors import EmissionError
from interlock.target.sealed import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from execgraph.v1 import dispatch_pb2, module_pb2, payload_pb2
    from interlock.limits import Limits
    from interlock.package.facts import ModuleFacts
    from interlock.rules.held import Realization
    from interlock.rules.model import Rule
    from interlock.target.sealed import SealedDocument

UNDERSTATED = "module.shared-memory-understated"
_FAMILIES = ("capability", "geometry", "interface", "specialization", "layout")
_UNSAID = frozenset({"interface.alias-not-declared"})
"""What only the interface in a package says; a module has no place for it."""
_NOT_OFFERED = "capability.not-offered-by-target"
_UNKNOWN_CONSTANT = "specialization.unknown-constant"
_INLINE = interface_pb2.SLOT_KIND_INLINE_CONSTANTS


class CodeFindings(NamedTuple):
    """What the bytes of modules say about the graph, and what they leave open."""

    diagnostics: tuple[Diagnostic, ...] = ()
    unverified: tuple[Unverified, ...] = ()


def code_findings(sealed: SealedDocument) -> CodeFindings:
    """Judge the modules of SPIR-V of an envelope beside its graph. Any other document has no graph.

    Groups of several members are left out: which member takes what is nothing that bytes tell.
    """
    diagnostics: list[Diagnostic] = []
    unverified: list[Unverified] = []
    for each in sealed.context.realizations if sealed.kind != BUNDLE else ():
        found = _Realized(each, sealed).findings()
        diagnostics += found.diagnostics
        unverified += found.unverified
    most = sealed.context.limits.findings_per_rule
    return CodeFindings(tuple(diagnostics[:most]), tuple(unverified[:most]))


def require_code_fits(graph: Document, payload: SealedDocument, limits: Limits) -> None:
    """Judge the modules that a compiler made beside their graph.

    Raises:
        EmissionError: What `code_findings` finds, by paths in the payload.
    """
    envelope = attach_target(make_envelope(graph, limits=limits), payload)
    found = code_findings(envelope).diagnostics
    if found:
        raise EmissionError(*(replace(each, path=Path(each.path.steps[_DEPTH:])) for each in found))


_DEPTH = len(("payloads", "payload", "body"))
"""The steps of a path that lead into a payload of an envelope."""


@cache
def _rules() -> tuple[Rule, ...]:
    """Return the rules that judge a package beside its graphs, but none on whether its bytes are there."""
    return tuple(
        rule
        for family in _FAMILIES
        for rule in import_module(f"interlock.rules.{family}").RULES
        if rule.kinds == PACKAGE and rule.code not in _UNSAID and rule.severity is Severity.ERROR
    )


class _Launch(NamedTuple):
    """A dispatch that has a module of SPIR-V of its own. ``code`` is the entry in the bytes."""

    node: int
    position: int
    module: module_pb2.TargetModule
    entry: payload_pb2.TargetEntry
    facts: ModuleFacts
    code: interface_pb2.Entry


class _Realized:
    """One payload beside the graph, as a package."""

    def __init__(self, realization: Realization, sealed: SealedDocument) -> None:
        self._realization = realization
        self._sealed = sealed
        self._facts: dict[str, ModuleFacts | None] = {}
        self._launches = {launch.node: launch for launch in self._read()}
        self._first: dict[str, _Launch] = {}

    def findings(self) -> CodeFindings:
        if not self._launches:
            return CodeFindings()
        results = run(self._context(), _rules())
        diagnostics: list[Diagnostic] = []
        unverified = [
            replace(each, path=path)
            for each in results.unverified
            if each.required and (path := self._place(each.check, each.path)) is not None
        ]
        for each in results.diagnostics:
            path = self._place(each.code, each.path)
            if path is None:
                continue
            if each.code == _UNKNOWN_CONSTANT and self._may_be_renamed(each.path):
                unverified.append(Unverified(each.code, each.message, path, target=each.target))
            else:
                diagnostics.append(replace(each, path=path, related=(), fix=None))
        return CodeFindings((*diagnostics, *self._shared()), tuple(unverified))

    def _read(self) -> Iterator[_Launch]:
        view = self._realization.payload
        for _, group, members in self._realization.members:
            index, module = view.modules.get(group, (0, None))
            _, entry = view.entries.get(group, (0, None))
            if module is None or entry is None or len(members) != 1 or len(module.members) != 1:
                continue
            kind = module.code.content_type
            facts = self._facts_of(module) if (kind.identity, kind.version) == ("spirv", 1) else None
            code = None if facts is None else _entry_of(facts, module.entry_point)
            if facts is not None and code is not None:
                yield _Launch(members[0], index, module, entry, facts, code)

    def _facts_of(self, module: module_pb2.TargetModule) -> ModuleFacts | None:
        from interlock.package.spirv.reader import spirv_facts  # noqa: PLC0415  (modules only)

        digest = module.code.blob.digest
        if digest not in self._facts:
            try:
                self._facts[digest] = spirv_facts(bytes(self._sealed.blobs[digest]))
            except InterlockError:
                self._facts[digest] = None  # `check_content` says so
        return self._facts[digest]

    def _path(self, launch: _Launch) -> Path:
        return self._realization.payload.module_path(launch.position, Step("code"))

    # The package that the modules amount to.

    def _context(self) -> Context:
        profile, ids = self._realization.payload.message.profile, self._realization.graph.nodes.ids
        by_name = {ids[node]: launch for node, launch in self._launches.items()}
        graph = graph_pb2.ExecutionGraph()
        graph.CopyFrom(self._realization.graph.message)
        del graph.artifacts[:]
        package = package_pb2.Package(id="modules")
        known: dict[bytes, str] = {}
        for node in dispatch_nodes(graph):
            dispatch, launch = node.operation.dispatch, by_name.get(node.id)
            if launch is None:
                dispatch.ClearField("artifact")  # none of the package, so nothing is said of it
                continue
            made = _artifact(launch, dispatch, profile.target)
            key = made.SerializeToString(deterministic=True)
            if key not in known:
                known[key] = made.id = launch.module.group
                self._first[made.id] = launch
                graph.artifacts.add(id=made.id)
                package.artifacts.append(made)
            dispatch.artifact = known[key]
            dispatch.geometry.workgroup_size[:] = launch.entry.geometry.workgroup_size
        package.graphs.add(id="graph").source.embedded = Document.from_message(graph).binary
        document = Document.from_message(package)
        container = Container("frame", "", document, self._sealed.blobs)
        around = Surroundings(container, {profile.target}, (profile,))
        return Context(document.message, document.kind, self._sealed.context.limits, None, around)

    # What is said of it, as of the modules.

    def _place(self, code: str, path: Path) -> Path | None:
        """Return the module that something is said of; None if it is none that was judged."""
        if not path.steps:
            return self._realization.payload.path(Step("bundle"))
        if path.steps[0].field == "artifacts":
            launch = self._first.get(path.steps[0].key or "")
        else:  # what the graph itself needs of the profile is a rule of its own
            launch = None if code == _NOT_OFFERED else self._launch_at(path)
        return None if launch is None else self._path(launch)

    def _launch_at(self, path: Path) -> _Launch | None:
        nodes = [step.key for step in path.steps if step.field == "nodes" and step.key]
        number = self._realization.graph.nodes.by_id.get(nodes[-1]) if nodes else None
        return None if number is None else self._launches.get(number)

    def _may_be_renamed(self, path: Path) -> bool:
        """Tell whether the code has constants: a package may call one of them what the graph does."""
        launch = self._launch_at(path)
        return launch is not None and bool(launch.facts.interface.constants)

    def _shared(self) -> Iterator[Diagnostic]:
        for launch in self._launches.values():
            dispatch = self._realization.dispatches.message(launch.node)
            static: int | None = launch.code.static_shared_bytes
            if launch.facts.shared_bytes is not None:
                numbers = {each.name: each.constant_id for each in launch.facts.interface.constants}
                values = {
                    each.constant_id if each.HasField("constant_id") else numbers.get(each.name, -1): (
                        int.from_bytes(each.value.bits, "little")
                    )
                    for each in dispatch.specialization
                }
                static = launch.facts.shared_bytes(launch.code.name, values)
            needed = (static or 0) + dispatch.geometry.dynamic_shared_bytes
            if launch.entry.shared_bytes < needed:
                text = f"the entry states `{launch.entry.shared_bytes}` shared bytes; the code takes {needed}"
                elements = (NamedElement("launch-group", launch.module.group),)
                yield Diagnostic(UNDERSTATED, Severity.ERROR, self._path(launch), text, elements)


def _entry_of(facts: ModuleFacts, name: str) -> interface_pb2.Entry | None:
    return next((entry for entry in facts.interface.entries if entry.name == name), None)


def _artifact(launch: _Launch, dispatch: dispatch_pb2.Dispatch, target: str) -> package_pb2.Artifact:
    """Return a module as an artifact: what its bytes prove, in the names that the module has for it.

    What bytes cannot prove is what the module claims (whose a slot is, whether it may stay unbound) or, where
    it claims nothing, what the graph wants.
    """
    claims: dict[tuple[int, int] | None, module_pb2.ModuleSlot] = {}
    for claim in launch.module.slots:
        if claim.slot.kind == _INLINE:
            claims[None] = claim
        elif claim.HasField("coordinate"):
            claims[place(claim.coordinate)[:2]] = claim
    found = package_pb2.Artifact()
    found.interface.constants.extend(launch.facts.interface.constants)
    entry = found.interface.entries.add()
    entry.CopyFrom(launch.code)
    entry.name = dispatch.entry
    entry.exact_threads = dispatch.geometry.exact_threads
    module = launch.module
    variant = found.variants.add(target=target, content_type=module.code.content_type, blob=module.code.blob)
    mapping = variant.entries.add(entry=dispatch.entry, target_entry=module.entry_point)
    for slot in entry.slots:
        there = launch.facts.places.get((launch.code.name, slot.name))
        mine = claims.get(None if slot.kind == _INLINE or there is None else (there.group, there.index))
        if mine is None:
            continue
        placed = mapping.slots.add(slot=mine.slot.name, target_slot=slot.name)
        if there is not None:
            placed.coordinate.group, placed.coordinate.index = there.group, there.index
        slot.name = mine.slot.name
        slot.role = mine.slot.role
        slot.optional_binding = slot.optional_binding or mine.slot.optional_binding
    return found
