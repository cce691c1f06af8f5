"""One fault for every rule on target code, each in documents that are sealed correctly otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from execgraph.v1 import blob_pb2, envelope_pb2, module_pb2, payload_pb2, type_pb2
from interlock.target.blobs import digest_of
from interlock.target.payload import bundle_of
from target_samples import chain, copied, fused, graph, nested, payload, sealed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from google.protobuf.message import Message

    from interlock.codec.kinds import Dynamic
    from interlock.document import Document
    from interlock.target.sealed import SealedDocument


@dataclass
class Parts:
    """The documents of an envelope as messages, to be changed."""

    graph: Dynamic
    payload: payload_pb2.TargetPayload
    bundle: module_pb2.TargetModuleBundle
    blobs: Mapping[str, memoryview]
    original: str
    """The digest of the graph before anything was changed."""
    listed_format: blob_pb2.ContentType | None = None
    """The format that the envelope states instead of the payload's."""
    bundle_digest: str = ""
    bundle_body: bytes = b""
    """What the payload holds instead of the bundle."""

    def message(self, level: str) -> Message:
        """Return a bundle, a payload or an envelope in which every digest fits what is beside it."""
        if level == "bundle":
            return self.bundle
        made = copied(self.payload)
        made.bundle.CopyFrom(nested(self.bundle))
        if self.bundle_body:
            made.bundle.body = self.bundle_body
            made.bundle.digest = digest_of(self.bundle_body)
        made.bundle.digest = self.bundle_digest or made.bundle.digest
        if level == "payload":
            return made
        held = nested(self.graph)
        if made.graph_digest == self.original:
            made.graph_digest = held.digest
        envelope = envelope_pb2.Envelope(graph=held)
        envelope.payloads.add(format=self.listed_format or made.format, payload=nested(made))
        return envelope

    def frame(self, level: str) -> bytes:
        """Return the frame of it."""
        used = {
            typed.blob.digest
            for module in self.bundle.modules
            for typed in (module.code, module.semantic, module.lowered)
            if typed.blob.digest
        }
        blobs = {**self.blobs, EMPTY: memoryview(b"")}
        return sealed(self.message(level), {digest: blobs[digest] for digest in used})


def parts() -> Parts:
    """Return the sample documents."""
    return of(payload(), graph())


def of(base: SealedDocument, document: Document) -> Parts:
    """Return a payload and its graph as documents to be changed."""
    bundle = bundle_of(base)
    return Parts(
        copied(document.message),
        copied(base.message),
        copied(bundle.message),
        bundle.blobs,
        document.digest,
    )


def chained() -> Parts:
    """Return the chain, whose first two dispatches are one group."""
    return of(fused({"fused": ("p", "q"), "r": ("r",)}), chain())


def looped() -> Parts:
    """Return the chain in which the second dispatch runs in a loop."""
    document = chain(looped=True)
    return of(fused({"p": ("p",), "q": ("q",), "r": ("r",)}, document), document)


@dataclass(frozen=True)
class Fault:
    """A change of the sample documents and what reading, making and verifying them says about it."""

    code: str
    level: str
    path: str
    change: Callable[[Parts], None]
    also: tuple[str, ...] = ()
    """Further codes that follow from the same change."""
    make: Callable[[], Parts] = parts

    @property
    def codes(self) -> list[str]:
        """All codes, sorted."""
        return sorted([self.code, *self.also])


FAULTS: list[Fault] = []


def fault(
    code: str, level: str, path: str, *also: str, make: Callable[[], Parts] = parts
) -> Callable[[Callable[[Parts], None]], Callable[[Parts], None]]:
    """List the function that follows as a fault."""

    def add(change: Callable[[Parts], None]) -> Callable[[Parts], None]:
        FAULTS.append(Fault(code, level, path, change, also, make))
        return change

    return add


def entry(p: Parts, group: str) -> payload_pb2.TargetEntry:
    """Return the entry of a group."""
    return next(each for each in p.payload.entries if each.group == group)


def module(p: Parts, group: str) -> module_pb2.TargetModule:
    """Return the module of a group."""
    return next(each for each in p.bundle.modules if each.group == group)


def group(p: Parts, name: str) -> module_pb2.LaunchGroup:
    """Return a group."""
    return next(each for each in p.payload.groups if each.id == name)


INSIDE = "payloads[0].payload.body."
EMPTY = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@fault("module.repeated-group", "bundle", "modules[2].group")
def _(p: Parts) -> None:
    module(p, "a-second").group = "c-apart"


@fault("module.repeated-member", "bundle", "modules[2].members[0]")
def _(p: Parts) -> None:
    module(p, "a-second").members[:] = ["b-first"]


@fault("module.empty-blob", "bundle", "modules[1].code")
def _(p: Parts) -> None:
    blob = module(p, "c-apart").code.blob
    blob.digest, blob.size = EMPTY, 0


@fault("module.misnamed-slot", "bundle", 'modules[0].slots["aside"].name')
def _(p: Parts) -> None:
    module(p, "b-first").slots[0].name = "aside"


@fault("module.unplaced-slot", "bundle", 'modules[0].slots["dst"]')
def _(p: Parts) -> None:
    module(p, "b-first").slots[0].ClearField("coordinate")


@fault("module.repeated-coordinate", "bundle", 'modules[2].slots["src"].coordinate')
def _(p: Parts) -> None:
    for slot in module(p, "a-second").slots:
        slot.coordinate.index = 5


@fault("module.foreign-pair", "bundle", "modules[1].internalized[0]")
def _(p: Parts) -> None:
    module(p, "c-apart").internalized.add(from_node="b-first", to_node="c-apart", evidence=3)


@fault("group.repeated-member", "payload", 'groups["c-apart"].members[0]', "payload.module-mismatch")
def _(p: Parts) -> None:
    group(p, "c-apart").members[:] = ["b-first", "c-apart"]


@fault("payload.malformed-profile", "payload", "profile.subgroup_sizes[0]")
def _(p: Parts) -> None:
    p.payload.profile.subgroup_sizes[:] = [3, 32]


@fault("payload.missing-entry", "payload", 'groups["c-apart"]')
def _(p: Parts) -> None:
    p.payload.entries.remove(entry(p, "c-apart"))


@fault("payload.unrealized-geometry", "payload", 'entries["c-apart"].geometry.workgroup_size')
def _(p: Parts) -> None:
    entry(p, "c-apart").geometry.workgroup_size[:] = [8, 4]


@fault("payload.workgroup-beyond-profile", "payload", 'entries["b-first"].geometry.workgroup_size')
def _(p: Parts) -> None:
    entry(p, "b-first").geometry.workgroup_size[:] = [64, 2, 3]


@fault("payload.shared-memory-beyond-profile", "payload", 'entries["b-first"].shared_bytes')
def _(p: Parts) -> None:
    entry(p, "b-first").shared_bytes = 16385


@fault("payload.subgroup-beyond-profile", "payload", 'entries["b-first"].geometry.subgroup_size')
def _(p: Parts) -> None:
    entry(p, "b-first").geometry.subgroup_size = 64


@fault("payload.missing-module", "payload", 'groups["c-apart"]')
def _(p: Parts) -> None:
    p.bundle.modules.remove(module(p, "c-apart"))


@fault("payload.foreign-module", "payload", "bundle.body.modules[1].group")
def _(p: Parts) -> None:
    extra = p.bundle.modules.add()
    extra.CopyFrom(module(p, "b-first"))
    extra.group = "bystander"
    extra.members[:] = ["bystander"]


@fault("payload.module-mismatch", "payload", "bundle.body.modules[2].stage")
def _(p: Parts) -> None:
    module(p, "a-second").stage = 7


@fault(
    "payload.binding-without-slot", "payload", 'entries["b-first"].bindings[1]',
    "payload.slot-without-binding",
)  # fmt: skip
def _(p: Parts) -> None:
    entry(p, "b-first").bindings[1].slot = "elsewhere"


@fault("payload.slot-without-binding", "payload", 'entries["b-first"].bindings')
def _(p: Parts) -> None:
    del entry(p, "b-first").bindings[1]


@fault("payload.binding-mismatch", "payload", 'entries["a-second"].bindings[1].coordinate')
def _(p: Parts) -> None:
    entry(p, "a-second").bindings[1].coordinate.index = 9


@fault("payload.graph-mismatch", "envelope", INSIDE + "graph_digest")
def _(p: Parts) -> None:
    p.payload.graph_digest = "sha256:" + "0" * 64


def _rename(p: Parts, old: str, new: str) -> None:
    """Let a group, its entry and its module have another member."""
    group(p, old).members[:] = [new]
    module(p, old).members[:] = [new]
    for binding in entry(p, old).bindings:
        binding.node = new


@fault(
    "group.unknown-member", "envelope", INSIDE + 'groups["c-apart"].members[0]', "group.uncovered-dispatch"
)
def _(p: Parts) -> None:
    _rename(p, "c-apart", "nowhere")


@fault(
    "group.not-a-dispatch", "envelope", INSIDE + 'groups["c-apart"].members[0]', "group.uncovered-dispatch"
)
def _(p: Parts) -> None:
    _rename(p, "c-apart", "ready")


@fault("group.uncovered-dispatch", "envelope", INSIDE + "groups")
def _(p: Parts) -> None:
    p.payload.groups.remove(group(p, "c-apart"))
    p.payload.entries.remove(entry(p, "c-apart"))
    p.bundle.modules.remove(module(p, "c-apart"))


@fault("group.wrong-stage", "envelope", INSIDE + 'groups["c-apart"].stage')
def _(p: Parts) -> None:
    group(p, "c-apart").stage = 1
    module(p, "c-apart").stage = 1


@fault("payload.geometry-mismatch", "envelope", INSIDE + 'entries["c-apart"].geometry.workgroup_count')
def _(p: Parts) -> None:
    entry(p, "c-apart").geometry.workgroup_count.extents.counts[0].constant = 3


@fault("payload.grid-beyond-profile", "envelope", INSIDE + 'entries["a-second"].geometry.workgroup_count')
def _(p: Parts) -> None:
    p.payload.profile.maximum_workgroup_count[:] = [31, 31, 31]


@fault("payload.element-count-mismatch", "envelope", INSIDE + 'entries["c-apart"].logical_elements')
def _(p: Parts) -> None:
    entry(p, "c-apart").logical_elements = 65


def _dynamic() -> Parts:
    p = parts()
    p.graph.body.nodes[1].operation.dispatch.geometry.dynamic_shared_bytes = 512
    entry(p, "b-first").geometry.dynamic_shared_bytes = 512
    p.payload.profile.capabilities.append(14)
    entry(p, "b-first").shared_bytes = 512
    return p


@fault(
    "payload.shared-memory-understated", "envelope", INSIDE + 'entries["b-first"].shared_bytes', make=_dynamic
)
def _(p: Parts) -> None:
    entry(p, "b-first").shared_bytes = 511


@fault("payload.capability-not-offered", "envelope", INSIDE + "profile.capabilities", make=_dynamic)
def _(p: Parts) -> None:
    p.payload.profile.ClearField("capabilities")


@fault("payload.resource-mismatch", "envelope", INSIDE + 'entries["c-apart"].bindings[0].resource')
def _(p: Parts) -> None:
    entry(p, "c-apart").bindings[0].resource = "middle"


@fault("payload.storage-class-mismatch", "envelope", INSIDE + 'entries["c-apart"].bindings[0].storage_class')
def _(p: Parts) -> None:
    entry(p, "c-apart").bindings[0].storage_class = 2


@fault("payload.access-mismatch", "envelope", INSIDE + 'entries["c-apart"].bindings[0].access')
def _(p: Parts) -> None:
    entry(p, "c-apart").bindings[0].access = 3
    module(p, "c-apart").slots[1].slot.access = 3


@fault(
    "payload.unknown-binding",
    "envelope",
    INSIDE + 'entries["c-apart"].bindings[0]',
    "payload.missing-binding",
)
def _(p: Parts) -> None:
    entry(p, "c-apart").bindings[0].slot = "other"
    module(p, "c-apart").slots[1].name = module(p, "c-apart").slots[1].slot.name = "other"


@fault("payload.missing-binding", "envelope", INSIDE + 'entries["c-apart"].bindings')
def _(p: Parts) -> None:
    del entry(p, "c-apart").bindings[0]
    del module(p, "c-apart").slots[1]


@fault("payload.binding-beyond-profile", "envelope", INSIDE + 'entries["a-second"].bindings[0].resource',
       *["payload.binding-beyond-profile"] * 4)  # fmt: skip
def _(p: Parts) -> None:
    p.payload.profile.maximum_buffer_range = 4095


def _inline() -> Parts:
    p = parts()
    p.graph.body.nodes[1].operation.dispatch.inline_constants.add(slot="n").value.literal.CopyFrom(
        type_pb2.TypedBits(element=9, bits=b"\1\2\3\4")
    )
    return p


@fault("payload.inline-constants-beyond-profile", "envelope", INSIDE + 'entries["b-first"]', make=_inline)
def _(p: Parts) -> None:
    p.payload.profile.maximum_inline_constant_bytes = 3


@fault("payload.format-mismatch", "envelope", "payloads[0].format")
def _(p: Parts) -> None:
    p.listed_format = blob_pb2.ContentType(identity="example-module", version=2)


@fault("nested.digest-mismatch", "payload", "bundle.digest")
def _(p: Parts) -> None:
    p.bundle_digest = EMPTY


def _regroup(p: Parts, name: str, members: list[str], dropped: str) -> None:
    """Let a group have other members and drop another one, whose slots and bindings the first takes over."""
    mine, other = module(p, name), module(p, dropped)
    group(p, name).members[:] = members
    mine.members[:] = members
    del mine.internalized[:]
    for slot in mine.slots:
        slot.name = slot.name if "/" in slot.name else f"{members[0]}/{slot.name}"
    for slot in other.slots:
        moved = mine.slots.add()
        moved.CopyFrom(slot)
        moved.name = f"{members[-1]}/{slot.name}"
        moved.coordinate.index += 10
    for binding in entry(p, dropped).bindings:
        taken = entry(p, name).bindings.add()
        taken.CopyFrom(binding)
        taken.coordinate.index += 10
    p.payload.groups.remove(group(p, dropped))
    p.payload.entries.remove(entry(p, dropped))
    p.bundle.modules.remove(other)


@fault("module.dependency-not-internalized", "envelope", INSIDE + "bundle.body.modules[0]", make=chained)
def _(p: Parts) -> None:
    del module(p, "fused").internalized[:]


@fault(
    "module.internalized-independent-pair",
    "envelope",
    INSIDE + "bundle.body.modules[0].internalized[1]",
    make=chained,
)
def _(p: Parts) -> None:
    module(p, "fused").internalized.add(from_node="q", to_node="p", evidence=1)


def _apart() -> Parts:
    document = chain()
    return of(fused({"p": ("p",), "q": ("q",), "r": ("r",)}, document), document)


@fault("group.dependency-cycle", "envelope", INSIDE + 'groups["p"]', make=_apart)
def _(p: Parts) -> None:
    _regroup(p, "p", ["p", "r"], "r")


@fault(
    "group.several-regions", "envelope", INSIDE + 'groups["p"].members', "group.dependency-cycle", make=looped
)
def _(p: Parts) -> None:
    _regroup(p, "p", ["p", "q"], "q")
    group(p, "r").stage = module(p, "r").stage = 1
