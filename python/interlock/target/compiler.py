"""The boundary to target compilers: what one is, and how launch groups become a payload.

Everything here is pure: no device, no file, no state between calls. So it may run in any number of threads.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from execgraph.v1 import blob_pb2, module_pb2, payload_pb2, profile_pb2
from interlock.diagnostic import ROOT, Path
from interlock.document import Document
from interlock.errors import WorkExceededError
from interlock.graph.launch_groups import Contraction
from interlock.graph.modules import bound_slots, place, projected_storage
from interlock.graph.realization import Dispatches, realized
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.target.blobs import BlobCollector
from interlock.target.bundle import make_bundle
from interlock.target.envelope import attach_target, graph_of, make_envelope
from interlock.target.errors import EmissionError, EnvelopeError, InvalidArtifactError, PayloadError
from interlock.target.groups import check_groups, derive_groups, indexed
from interlock.target.lowering import EmittedModule, coordinate_message
from interlock.target.payload import make_payload
from interlock.target.resolving import Resolver, dependent_pairs
from interlock.target.sealed import ENVELOPE, PAYLOAD, SealedDocument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from google.protobuf.message import Message

    from interlock.package.container import Blobs
    from interlock.target.bundle import Producer
    from interlock.target.lowering import GroupLowering, TypedBytes

    Emit = Callable[[GroupLowering, profile_pb2.TargetProfile], EmittedModule]


class KernelPackage(Protocol):
    """Where kernels come from. An open `Container` is one, and so is `Kernels`."""

    @property
    def document(self) -> Document | None:
        """The package document."""

    @property
    def blobs(self) -> Blobs:
        """The bytes that it refers to."""


@dataclass(frozen=True, slots=True)
class Kernels:
    """A package document with its bytes in memory."""

    document: Document | None
    blobs: Blobs


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """What may be chosen about compiling launch groups.

    Attributes:
        source_target: The target whose variants are compiled. Default: that of the profile.
        variants: The names of the variants to take, by artifact, where there are several.
        producer: The tool, by name and version.
        limits: Bounds on what may be judged.
    """

    source_target: str = ""
    variants: Mapping[str, str] = field(default_factory=dict)
    producer: Producer | None = None
    limits: Limits = DEFAULT_LIMITS


_NO_OPTIONS = CompileOptions()


class TargetCompiler(Protocol):
    """Turns a graph and its package into a payload for one target. It is pure and safe to use in threads."""

    @property
    def format(self) -> blob_pb2.ContentType:
        """The format of every payload it makes."""

    @property
    def profile(self) -> profile_pb2.TargetProfile:
        """The profile that every payload of it is for."""

    def compile(self, graph: Document, package: KernelPackage) -> SealedDocument:
        """Return a payload of `format` for `profile`.

        Raises:
            TargetError: The graph cannot be compiled, in a kind that the error tells.
        """


def compile_target(
    envelope: SealedDocument | Document | Message, package: KernelPackage, compiler: TargetCompiler
) -> SealedDocument:
    """Return an envelope with what a compiler makes of its graph. A graph is put into an envelope first.

    Raises:
        PayloadError: ``payload.foreign-format`` or ``payload.foreign-profile``: the compiler made something
            else than it states; or whatever `attach_target` finds.
        TargetError: The compiler refused the graph.
    """
    if not isinstance(envelope, SealedDocument):
        envelope = make_envelope(envelope)
    if envelope.kind != ENVELOPE:
        raise TypeError(f"an Envelope or a graph is required, not a `{envelope.kind}`")
    payload: object = compiler.compile(graph_of(envelope), package)
    if not isinstance(payload, SealedDocument) or payload.kind != PAYLOAD:
        raise TypeError(f"a compiler returns a sealed TargetPayload, not a `{type(payload).__name__}`")
    made, stated = payload.message, compiler.format
    if made.format != stated:
        text = (
            f"the compiler states the format `{stated.identity} {stated.version}`; its payload is of "
            f"{made.format.identity} {made.format.version}"
        )
        raise PayloadError.of("payload.foreign-format", text, ROOT.field("format"))
    if made.profile != compiler.profile:
        text = (
            f"the compiler states the profile `{compiler.profile.identity}`, generation "
            f"{compiler.profile.generation}; its payload is for another: `{made.profile.identity}`, "
            f"generation {made.profile.generation}"
        )
        raise PayloadError.of("payload.foreign-profile", text, ROOT.field("profile"))
    return attach_target(envelope, payload)


def compile_launch_groups(
    graph: Document | Message,
    package: KernelPackage,
    format: blob_pb2.ContentType,  # noqa: A002 - the name of the field
    profile: profile_pb2.TargetProfile,
    emit: Emit,
    *,
    groups: Iterable[module_pb2.LaunchGroup] | None = None,
    options: CompileOptions = _NO_OPTIONS,
) -> SealedDocument:
    """Compile every launch group of a graph and return the payload.

    Every group is resolved and checked before ``emit`` is called for the first, so that a fault in the last
    one costs nothing. Then ``emit`` is called once for each, by stage, then by id. Geometry, bindings and the
    number of logical elements come from the graph, never from ``emit``.

    Args:
        graph: The graph.
        package: The package with the kernels.
        format: The format of the payload.
        profile: The profile it is for.
        emit: Compiles one group. What it raises comes out unchanged.
        groups: A producer's launch groups. Default: one for each dispatch.
        options: What else may be chosen.

    Raises:
        InvalidArtifactError: The graph, the groups or the package cannot be compiled as they are; with all
            reasons.
        EmissionError: ``emit`` returned what does not fit its group.
        BundleError, PayloadError: What came of it breaks a rule.
        TypeError: It is no graph.
    """
    document, limits, producer = Document.of(graph), options.limits, options.producer
    dispatches = Dispatches(indexed(document, limits))
    if groups is None:
        listed = derive_groups(document, limits=limits)
    else:
        listed = check_groups(document, groups, limits=limits)
    target = options.source_target or profile.target
    lowerings = _resolved(document, dispatches, listed, package, target, options)
    modules, entries = [], []
    blobs = BlobCollector()
    for lowering in lowerings:
        emitted: object = emit(lowering, profile)
        if not isinstance(emitted, EmittedModule):
            kind = type(emitted).__name__
            text = f"the launch group `{lowering.group}` became a `{kind}`, not an EmittedModule"
            raise EmissionError.of("emission.wrong-type", text)
        module = _module(lowering, emitted, blobs)
        modules.append(module)
        entries.append(_entry(lowering, emitted, module, dispatches))
    bundle = make_bundle(modules, blobs.store, producer=producer, limits=limits)
    payload = make_payload(
        graph_digest=document.digest,
        format=format,
        profile=profile,
        groups=listed,
        entries=entries,
        bundle=bundle,
        producer=producer,
        limits=limits,
    )
    _require_fit(document, payload, limits)
    return payload


def _require_fit(graph: Document, payload: SealedDocument, limits: Limits) -> None:
    """Judge a payload beside its graph, as an envelope of its own.

    Raises:
        PayloadError: What `attach_target` would find, by paths in the payload.
    """
    try:
        attach_target(make_envelope(graph, limits=limits), payload)
    except EnvelopeError as error:
        inside = (replace(each, path=Path(each.path.steps[_DEPTH:])) for each in error.diagnostics)
        raise PayloadError(*inside) from None


_DEPTH = len(("payloads", "payload", "body"))
"""The steps of a path that lead into a payload of an envelope."""


def _resolved(
    document: Document,
    dispatches: Dispatches,
    groups: Iterable[module_pb2.LaunchGroup],
    package: KernelPackage,
    target: str,
    options: CompileOptions,
) -> list[GroupLowering]:
    """Return all launch groups ready to be compiled, by stage, then by id."""
    if package.document is None or package.document.kind != "Package":
        text = "a package document is required, with the artifacts of the graph"
        raise InvalidArtifactError.of("compile.malformed-package", text)
    message = package.document.message
    resolver = Resolver(dispatches, message, package.blobs, target, options.variants)  # type: ignore[arg-type]
    nodes, topology = dispatches.graph.nodes, dispatches.graph.topology
    ordered = sorted(groups, key=lambda group: (group.stage, group.id.encode()))
    numbers = [[nodes.by_id[member] for member in group.members] for group in ordered]
    order = Contraction(nodes, topology, numbers, options.limits.proof_work)
    try:
        pairs = dependent_pairs(order, len(ordered))
    except WorkExceededError as error:
        raise InvalidArtifactError.of("limit.proof-work", str(error)) from None
    found = [
        resolver.lowering(document.digest, group, members, inside)
        for group, members, inside in zip(ordered, numbers, pairs, strict=True)
    ]
    if resolver.found:
        raise InvalidArtifactError(*resolver.found)
    return [lowering for lowering in found if lowering is not None]


def _module(lowering: GroupLowering, emitted: EmittedModule, blobs: BlobCollector) -> module_pb2.TargetModule:
    """Return what a compiler made of a group as a module, and add its bytes to the others."""
    if emitted.slots is not None:
        slots = [module_pb2.ModuleSlot.FromString(each) for each in emitted.slots]
    elif lowering.interface is not None:
        slots = [each.message() for each in lowering.interface]
    else:
        text = f"nothing says which slots the module of `{lowering.group}` has"
        raise EmissionError.of("emission.missing-slots", text)
    module = module_pb2.TargetModule(
        stage=lowering.stage,
        group=lowering.group,
        members=lowering.members,
        entry_point=emitted.entry_point,
        slots=slots,
        internalized=[
            module_pb2.InternalizedDependency(
                from_node=each.from_node,
                to_node=each.to_node,
                evidence=each.evidence,  # type: ignore[arg-type]  # a number of the enum
                justification=each.justification,
            )
            for each in emitted.internalized
        ],
    )
    for name in ("code", "semantic", "lowered"):
        part: TypedBytes | None = getattr(emitted, name)
        if part is not None:
            getattr(module, name).CopyFrom(blobs.add(part.identity, part.version, part.data))
    return module


def _entry(
    lowering: GroupLowering, emitted: EmittedModule, module: module_pb2.TargetModule, dispatches: Dispatches
) -> payload_pb2.TargetEntry:
    """Return the entry of a group: what the graph says, for the slots that the module has."""
    size = lowering.workgroup_size or emitted.workgroup_size
    if size is None:
        text = f"nothing says what the workgroup size of `{lowering.group}` is"
        raise EmissionError.of("emission.missing-workgroup-size", text)
    if emitted.workgroup_size is not None and tuple(emitted.workgroup_size) != tuple(size):
        text = f"the workgroup size of `{lowering.group}` is `{emitted.workgroup_size}`; required is {size}"
        raise EmissionError.of("emission.workgroup-mismatch", text)
    by_id = dispatches.graph.nodes.by_id
    numbers = {member: by_id[member] for member in lowering.members}
    bound = {member: dispatches.bound(number) for member, number in numbers.items()}
    first = dispatches.message(numbers[lowering.members[0]]).geometry
    static = (
        lowering.static_shared_bytes if emitted.static_shared_bytes is None else emitted.static_shared_bytes
    )
    entry = payload_pb2.TargetEntry(
        group=lowering.group,
        geometry=realized(first, size),
        shared_bytes=lowering.dynamic_shared_bytes + static,
        logical_elements=lowering.logical_elements,
    )
    for slot in bound_slots(module):
        here = bound.get(slot.node, {}).get(slot.slot)
        if here is None:
            continue  # the rules on the payload say what is missing
        facts = slot.message.slot
        binding = entry.bindings.add(
            node=slot.node,
            slot=slot.slot,
            resource=here.resource,
            storage_class=projected_storage(facts.storage_class, here.role),
            access=facts.access or here.access,
        )
        if slot.message.HasField("coordinate"):
            binding.coordinate.CopyFrom(coordinate_message(place(slot.message.coordinate)))
    return entry
