"""A small graph for target code, its package, and everything that is made of both.

Three dispatches with three geometries: `b-first`, then `a-second`, and `c-apart`, which depends on nothing.
The order of modules is not that of groups and entries, so that whatever is paired by position shows.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from execgraph.v1 import (
    access_pb2,
    blob_pb2,
    interface_pb2,
    module_pb2,
    package_pb2,
    payload_pb2,
    profile_pb2,
)
from interlock.author import full
from interlock.author.builder import GraphBuilder
from interlock.document import Document
from interlock.target.blobs import BlobStore, digest_of, typed_blob
from interlock.target.bundle import make_bundle
from interlock.target.compiler import Kernels, compile_launch_groups
from interlock.target.frame import header_of
from interlock.target.groups import group_by
from interlock.target.lowering import EmittedModule, Internalized, TypedBytes, slots_of
from interlock.target.payload import make_payload

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from google.protobuf.message import Message

    from interlock.codec.kinds import Dynamic
    from interlock.target.lowering import GroupLowering
    from interlock.target.sealed import SealedDocument

FORMAT = blob_pb2.ContentType(identity="example-module", version=1)
CODE = {name: f"code of {name}".encode() for name in ("copy", "scale", "tally")}
SIZES = {"a-second": (32, 1, 1), "b-first": (64, 1, 1), "c-apart": (8, 4, 1)}


def profile(**changes: Dynamic) -> profile_pb2.TargetProfile:
    """Return a profile in which the samples fit."""
    values: dict[str, Dynamic] = {
        "identity": "example-device",
        "generation": 3,
        "target": "vulkan",
        "maximum_workgroup_size": [256, 128, 64],
        "maximum_workgroup_invocations": 256,
        "maximum_workgroup_count": [65535, 65535, 65535],
        "maximum_shared_bytes": 16384,
        "subgroup_sizes": [32],
        "maximum_buffer_range": 1 << 27,
        "storage_offset_alignment": 16,
        "maximum_inline_constant_bytes": 128,
    }
    return profile_pb2.TargetProfile(**{**values, **changes})


def builder() -> GraphBuilder:
    """Return the builder of the sample graph."""
    graph = GraphBuilder("sample")
    x = graph.input("x", "f32", [1024])
    middle = graph.temporary("middle", "f32", [1024], begins=["b-first"], ends=["a-second"])
    y = graph.output("y", "f32", [1024])
    z = graph.output("z", "u32", [64])
    for name in CODE:
        graph.artifact(name)
    graph.dispatch(
        "b-first", artifact="scale", entry="main", reads={"src": x}, writes={"dst": full(middle)},
        groups=[16], workgroup_size=[64],
    )  # fmt: skip
    graph.barrier("ready", middle, after=["b-first"])
    graph.dispatch(
        "a-second", artifact="copy", entry="main", reads={"src": middle}, writes={"dst": full(y)},
        elements=[1024], workgroup_size=[32], after=["ready"],
    )  # fmt: skip
    graph.dispatch(
        "c-apart", artifact="tally", entry="main", reads={"src": x}, writes={"dst": full(z)},
        groups=[2, 3], workgroup_size=[8, 4],
    )  # fmt: skip
    return graph


@cache
def graph() -> Document:
    """Return the sample graph, which is not to be changed."""
    return builder().build()


def slot(name: str, access: str, **facts: Dynamic) -> interface_pb2.Slot:
    """Return a storage buffer slot."""
    values: dict[str, Dynamic] = {"kind": "SLOT_KIND_STORAGE_BUFFER", "access": f"ACCESS_MODE_{access}"}
    return interface_pb2.Slot(name=name, **{**values, **facts})


def entry(**facts: Dynamic) -> interface_pb2.Entry:
    """Return an entry `main` with a slot it reads and one it writes."""
    slots = facts.pop("slots", None) or [slot("src", "READ"), slot("dst", "WRITE")]
    return interface_pb2.Entry(name="main", stage=interface_pb2.STAGE_COMPUTE, slots=slots, **facts)


def package(entries: Mapping[str, interface_pb2.Entry] | None = None) -> package_pb2.Package:
    """Return the package message of the sample graph."""
    message = package_pb2.Package(id="kernels")
    for name, data in sorted(CODE.items()):
        artifact = message.artifacts.add(id=name)
        found = (entries or {}).get(name, entry())
        artifact.interface.entries.append(found)
        variant = artifact.variants.add(
            target="vulkan",
            content_type=blob_pb2.ContentType(identity="example-source", version=1),
            blob=blob_pb2.BlobReference(digest=digest_of(data), size=len(data)),
        )
        mapping = variant.entries.add(entry="main", target_entry=f"{name}_main")
        for index, each in enumerate(found.slots):
            if each.storage_class not in (
                interface_pb2.STORAGE_CLASS_SHARED,
                interface_pb2.STORAGE_CLASS_SCRATCH,
            ):
                placed = mapping.slots.add(slot=each.name)
                placed.coordinate.index = index
    return message


def kernels(message: package_pb2.Package | None = None) -> Kernels:
    """Return the sample package with its bytes."""
    return Kernels(Document.from_message(package() if message is None else message), BlobStore(CODE.values()))


def emitted(lowering: GroupLowering, _: object = None, **changes: Dynamic) -> EmittedModule:
    """Compile a group as the samples do: the code is the bytes of its kernels."""
    code = b"|".join(program.code.data for program in lowering.programs)
    values: dict[str, Dynamic] = {
        "entry_point": "main",
        "code": TypedBytes("example-code", 1, b"compiled " + code),
    }
    return EmittedModule(**{**values, **changes})


@cache
def payload(emit: Callable[..., EmittedModule] = emitted) -> SealedDocument:
    """Return the payload of the sample graph, which is not to be changed."""
    return compile_launch_groups(graph(), kernels(), FORMAT, profile(), emit)


def module(group: str, stage: int = 0, **changes: Dynamic) -> module_pb2.TargetModule:
    """Return a module of one member named like its group, whose code is its name."""
    values: dict[str, Dynamic] = {
        "stage": stage, "group": group, "members": [group], "entry_point": "main",
        "code": typed_blob("example-code", 1, group.encode()),
    }  # fmt: skip
    return module_pb2.TargetModule(**{**values, **changes})


def bundle(*modules: module_pb2.TargetModule) -> SealedDocument:
    """Return a bundle of modules of `module`."""
    return make_bundle(modules, [each.group.encode() for each in modules])


def copied(message: Message) -> Dynamic:
    """Return a copy of a message, to be changed."""
    found = type(message)()
    found.CopyFrom(message)
    return found


def sealed(message: Message, blobs: Mapping[str, memoryview] | None = None) -> bytes:
    """Return a frame of any message, hostile or not, sealed correctly.

    The body is the canonical binary of the message and nothing about it is judged.
    """
    document = Document.from_message(message)
    return sealed_body(document.kind, document.binary, blobs)


def sealed_body(kind: str, body: bytes, blobs: Mapping[str, memoryview] | None = None) -> bytes:
    """Return a frame of any bytes, sealed correctly."""
    store = blobs or {}
    return header_of(kind, body) + body + b"".join(store[digest] for digest in sorted(store))


def nested(message: Message) -> payload_pb2.NestedDocument:
    """Return any message as a document within another one, with the right digest."""
    document = Document.from_message(message)
    return payload_pb2.NestedDocument(digest=document.digest, body=document.binary)


def remade(base: SealedDocument, **changes: Dynamic) -> SealedDocument:
    """Make a payload once more, with some parts changed."""
    from interlock.target.payload import bundle_of  # noqa: PLC0415 - only here

    message = base.message
    values: dict[str, Dynamic] = {
        "graph_digest": message.graph_digest, "format": message.format, "profile": message.profile,
        "groups": message.groups, "entries": message.entries, "bundle": bundle_of(base),
    }  # fmt: skip
    return make_payload(**{**values, **changes})


READ = access_pb2.ACCESS_MODE_READ


def chain(*, looped: bool = False) -> Document:
    """Return three dispatches of one geometry, `p`, `q` and `r`; each reads what the one before wrote.

    Between `q` and `r` stands a barrier. With ``looped``, `q` runs in the body of a repeat.
    """
    made = GraphBuilder("chain")
    x = made.input("x", "f32", [256])
    one = made.temporary("one", "f32", [256], begins=["p"], ends=["loop" if looped else "q"])
    two = made.temporary("two", "f32", [256], begins=["loop" if looped else "q"], ends=["r"])
    y = made.output("y", "f32", [256])
    made.artifact("scale")
    geometry: dict[str, Dynamic] = {
        "artifact": "scale",
        "entry": "main",
        "groups": [4],
        "workgroup_size": [64],
    }
    made.dispatch("p", reads={"src": x}, writes={"dst": full(one)}, **geometry)
    made.barrier("before-q", one, after=["p"])
    middle: dict[str, Dynamic] = {"reads": {"src": one}, "writes": {"dst": full(two)}, **geometry}
    if looped:
        with made.repeat("loop", trips=2, after=["before-q"]) as loop:
            made.dispatch("q", **middle)
        loop.carry(two)
    else:
        made.dispatch("q", after=["before-q"], **middle)
    made.barrier("before-r", two, after=["loop" if looped else "q"])
    made.dispatch("r", reads={"src": two}, writes={"dst": full(y)}, after=["before-r"], **geometry)
    return made.build()


def chain_kernels() -> Kernels:
    """Return the package of the chain. Its entry takes two slots, which fused modules place anew."""
    return kernels()


def fused_slots(lowering: GroupLowering) -> tuple[bytes, ...]:
    """Return the slots of a group of several members, each at an index of its own."""
    found = []
    for index, each in enumerate(lowering.interface or ()):
        message = each.message()
        message.coordinate.index = index
        found.append(message)
    return slots_of(found)


def emit_fused(lowering: GroupLowering, _: object = None) -> EmittedModule:
    """Compile a group and keep all dependent pairs inside."""
    kept = tuple(
        Internalized(source, target, 1, "one barrier in between")
        for source, target in lowering.dependent_pairs
    )
    return emitted(lowering, slots=fused_slots(lowering), internalized=kept)


def fused(members: Mapping[str, tuple[str, ...]], document: Document | None = None) -> SealedDocument:
    """Return the payload of the chain for given launch groups."""
    document = document or chain()
    groups = group_by(document, members)
    return compile_launch_groups(
        document, chain_kernels(), FORMAT, looping_profile(), emit_fused, groups=groups
    )


def looping_profile() -> profile_pb2.TargetProfile:
    """Return a profile that has loops."""
    return profile(capabilities=["CAPABILITY_REPEAT"])
