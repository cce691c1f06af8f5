"""Packing, unpacking, adding and pinning: new packages of old ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

import interlock
from execgraph.v1.blob_pb2 import BlobReference
from execgraph.v1.package_pb2 import Package, Variant
from foreign_packages import NATIVE
from interlock.errors import CodecError, TransformFailure
from interlock.hashing import sha256_digest
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.package.blobs import memory_blobs
from interlock.package.container import Container, ContainerError
from interlock.package.edit import (
    Assembly,
    created,
    packaged_graph,
    packed,
    parse_interface,
    pinned,
    unlocated,
    with_graph,
    with_pins,
    with_variant,
)
from interlock.package.listing import damage, listing
from interlock.package.opening import open_container
from interlock.package.unpacking import unpack
from package_support import (
    CONTENTS,
    KERNEL,
    KERNEL_DIGEST,
    SOURCE,
    SOURCE_DIGEST,
    files_below,
    small_blobs,
    small_package,
)

if TYPE_CHECKING:
    from pathlib import Path

    from execgraph.v1.graph_pb2 import ExecutionGraph

LOCATED = """\
# proto-message: execgraph.v1.Package
id: "small"
artifacts {
  id: "k"
  variants {
    target: "metal"
    content_type { identity: "msl" version: 1 }
    blob { location: "kernels/k.metal" }
  }
  variants {
    target: "vulkan"
    content_type { identity: "spirv" version: 1 }
    blob { location: "k.spv" }
  }
}
"""
GRAPH = """\
id: "g"
artifacts { id: "k" pins { target: "old" digest: "sha256:%s" size: 1 } }
""" % ("0" * 64)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in" / "kernels").mkdir(parents=True)
    (tmp_path / "in" / "k.spv").write_bytes(KERNEL)
    (tmp_path / "in" / "kernels" / "k.metal").write_bytes(SOURCE)
    return tmp_path / "in"


def graph(text: str = GRAPH) -> interlock.Document:
    return interlock.loads(text, kind="ExecutionGraph")


def package_of(document: interlock.Document) -> Package:
    return cast("Package", document.message)


def variant(target: str = "vulkan", data: bytes = KERNEL, name: str = "") -> Variant:
    made = Variant(target=target, name=name)
    made.content_type.identity = "spirv"
    made.content_type.version = 1
    made.blob.CopyFrom(BlobReference(digest=sha256_digest(data), size=len(data), location="gone"))
    return made


def small() -> Assembly:
    return Assembly(small_package(), small_blobs())


def test_packing_takes_digests_and_sizes_from_files(folder: Path):
    assembly = packed(interlock.loads(LOCATED), folder)
    assert assembly.document.binary == small_package().binary
    assert list(damage(assembly.package, assembly.blobs)) == []
    stated = LOCATED.replace('"k.spv"', f'"k.spv" digest: "{KERNEL_DIGEST}"')
    assert packed(interlock.loads(stated), folder).document.binary == small_package().binary


def test_what_a_document_states_is_not_measured_but_proven(folder: Path):
    digest = sha256_digest(b"KERNEL\n")
    stated = LOCATED.replace('"k.spv"', f'"k.spv" digest: "{digest}" size: 7')
    assembly = packed(interlock.loads(stated), folder)
    (found,) = damage(assembly.package, assembly.blobs)
    assert (found.code, str(found.path)) == (
        "container.digest-mismatch",
        'artifacts["k"].variants[1].blob',
    )


@pytest.mark.parametrize(
    ("blob", "code"),
    [
        ('location: "gone"', "container.missing-blob"),
        ('location: "../in/k.spv"', "container.unsafe-path"),
        ('location: "kernels"', "container.malformed"),
        ("size: 7", "container.missing-blob"),
    ],
)
def test_blobs_that_cannot_be_packed(folder: Path, blob: str, code: str):
    with pytest.raises(ContainerError) as refused:
        packed(interlock.loads(LOCATED.replace('location: "k.spv"', blob)), folder)
    assert (refused.value.code, str(refused.value.path)) == (code, 'artifacts["k"].variants[1].blob')


def test_packing_is_bounded(folder: Path):
    with pytest.raises(ContainerError) as refused:
        packed(interlock.loads(LOCATED), folder, Limits(blob_bytes=len(SOURCE) - 1))
    assert (refused.value.code, str(refused.value.path)) == (
        "limit.blob-bytes",
        'artifacts["k"].variants[0].blob',
    )


def test_only_packages_are_packed(folder: Path):
    with pytest.raises(TypeError):
        packed(graph(), folder)
    with pytest.raises(TypeError):
        unlocated(graph())
    with pytest.raises(TypeError):
        with_graph(small(), small_package())
    with pytest.raises(TypeError):
        pinned(small_package(), small().package)


def test_a_package_is_written_and_opened_in_one_call_each(folder: Path, tmp_path: Path):
    document = interlock.write_package(interlock.loads(LOCATED), tmp_path / "p.tar", blobs=folder, tag="1")
    assert document.binary == small_package().binary
    container = interlock.open_container(tmp_path / "p.tar", tag="1")
    assert container.document == document
    located = interlock.loads(LOCATED)
    with pytest.raises(ContainerError):  # it has no digests, and those blobs have no folder
        interlock.write_package(located, tmp_path / "q.tar", blobs=container.blobs)
    again = interlock.write_package(document, tmp_path / "q.tar", blobs=container.blobs, tag="1")
    assert again == document
    assert (tmp_path / "p.tar").read_bytes() == (tmp_path / "q.tar").read_bytes()


def test_unpacking_gives_names_that_people_read_and_packs_to_the_same(tmp_path: Path):
    assembly = with_graph(small(), graph())
    for artifact, data in (("K", b"0"), ("a-b", b"1"), ("a/B", b"2"), ("a:b", b"3")):
        blobs = memory_blobs({sha256_digest(data): data}, DEFAULT_LIMITS)
        assembly = with_variant(assembly, artifact, variant(data=data, name="fast.1"), blobs)
    assembly = with_variant(assembly, "K", variant("metal"), small_blobs())
    container = Container("oci-layout", "x", assembly.document, assembly.blobs)
    document = unpack(container, tmp_path / "out")
    files = files_below(tmp_path / "out")
    assert files.pop("package.json") == document.json()
    assert files == {
        "artifacts/K/metal.spv": KERNEL,  # also that of `k` for Vulkan
        "artifacts/K/vulkan.fast-1.spv": b"0",
        "artifacts/a-b/vulkan.fast-1.spv": b"1",
        "artifacts/a-B/vulkan.fast-1-2.spv": b"2",  # names differ where case does not count, too
        "artifacts/a-b/vulkan.fast-1-3.spv": b"3",
        "artifacts/k/metal.metal": SOURCE,
        "graphs/g.binpb": graph().binary,
    }
    again = packed(interlock.load(tmp_path / "out" / "package.json"), tmp_path / "out")
    assert again.document.binary == assembly.document.binary
    assert unlocated(document).binary == assembly.document.binary
    assert list(damage(again.package, again.blobs)) == []


@pytest.mark.parametrize("name", ["..", ".", "CON", "a/../../b", "\u00e9\u00e9", "x" * 300, "-rf"])
def test_names_of_unpacked_files_are_harmless(tmp_path: Path, name: str):
    assembly = with_variant(created(name), name, variant(name, name=name), small_blobs())
    (tmp_path / "deep").mkdir()
    unpack(Container("oci-layout", "x", assembly.document, assembly.blobs), tmp_path / "deep" / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["deep"]
    (location,) = [one for one in files_below(tmp_path / "deep" / "out") if one != "package.json"]
    assert location.isascii()
    assert max(map(len, location.split("/"))) < 200
    assert ".." not in location


def test_nothing_is_left_where_a_blob_is_damaged(tmp_path: Path):
    damaged = memory_blobs({**CONTENTS, KERNEL_DIGEST: b"KERNEL\n"}, DEFAULT_LIMITS)
    with pytest.raises(ContainerError) as refused:
        unpack(Container("oci-layout", "x", small_package(), damaged), tmp_path / "out")
    assert (refused.value.code, str(refused.value.path)) == (
        "container.digest-mismatch",
        'artifacts["k"].variants[1].blob',
    )
    assert list(tmp_path.iterdir()) == []


def test_an_unpacked_package_may_be_replaced_and_nothing_else(tmp_path: Path):
    container = Container("oci-layout", "x", small_package(), small_blobs())
    unpack(container, tmp_path / "out")
    with pytest.raises(FileExistsError):
        unpack(container, tmp_path / "out")
    unpack(container, tmp_path / "out", replace=True)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").write_text("dear")
    with pytest.raises(FileExistsError):
        unpack(container, tmp_path / "mine", replace=True)
    assert (tmp_path / "mine" / "letter").read_text() == "dear"


def test_a_plain_folder_has_no_document(tmp_path: Path):
    for use in (lambda it: unpack(it, tmp_path / "out"), listing):
        with pytest.raises(ContainerError) as refused:
            use(open_container(tmp_path))
        assert refused.value.code == "container.unknown-format"


def test_a_variant_is_added():
    one = with_variant(created("p"), "k", variant(), small_blobs())
    two = with_variant(one, "k", variant("metal", SOURCE), small_blobs())
    variants = two.package.artifacts[0].variants
    assert [(held.target, held.blob.digest, held.blob.location) for held in variants] == [
        ("metal", SOURCE_DIGEST, ""),
        ("vulkan", KERNEL_DIGEST, ""),
    ]
    assert len(one.package.artifacts[0].variants) == 1
    with pytest.raises(CodecError) as refused:
        with_variant(two, "k", variant(data=SOURCE), small_blobs())
    assert refused.value.code == "canonical.duplicate-key"
    replaced = with_variant(two, "k", variant(data=SOURCE), small_blobs(), replace=True)
    assert {held.blob.digest for held in replaced.package.artifacts[0].variants} == {SOURCE_DIGEST}


def test_an_interface_is_read_from_text():
    interface = parse_interface(b'# proto-message: execgraph.v1.Interface\nentries { name: "main" }')
    assembly = with_variant(created("p"), "k", variant(), small_blobs(), interface=interface)
    assert assembly.package.artifacts[0].interface.entries[0].name == "main"
    with pytest.raises(CodecError) as refused:
        parse_interface(b"entries { nome: 1 }")
    assert refused.value.code == "text.malformed"


@pytest.mark.parametrize("embed", [False, True])
def test_a_graph_is_added_and_read(embed: bool):
    assembly = with_graph(small(), graph(), embed=embed)
    assert packaged_graph(assembly, 0) == graph()
    assert (assembly.package.graphs[0].source.WhichOneof("source") == "embedded") == embed
    with pytest.raises(CodecError) as refused:
        with_graph(assembly, graph(), embed=embed)
    assert refused.value.code == "canonical.duplicate-key"
    other = graph(GRAPH.replace("old", "new"))
    assert packaged_graph(with_graph(assembly, other, embed=not embed, replace=True), 0) == other


def test_a_graph_whose_bytes_are_missing():
    assembly = Assembly(with_graph(small(), graph()).document, small_blobs())
    with pytest.raises(ContainerError) as refused:
        packaged_graph(assembly, 0)
    assert (refused.value.code, str(refused.value.path)) == (
        "container.missing-blob",
        'graphs["g"].source.reference',
    )


def test_pins_are_those_of_the_variants():
    message = cast("ExecutionGraph", pinned(graph(), small().package).message)
    assert [(pin.target, pin.digest, pin.size) for pin in message.artifacts[0].pins] == [
        ("metal", SOURCE_DIGEST, len(SOURCE)),
        ("vulkan", KERNEL_DIGEST, len(KERNEL)),
    ]


def pins_of(text: str, *variants: Variant) -> dict[str, str]:
    """The pins of `k` in a package of these variants, by target."""
    assembly = created("p")
    for each in variants:
        assembly = with_variant(assembly, "k", each, small_blobs())
    document = pinned(graph(text), assembly.package)
    return {pin.target: pin.digest for pin in cast("ExecutionGraph", document.message).artifacts[0].pins}


def test_of_several_variants_for_a_target_the_one_without_a_name_is_pinned():
    variants = [variant(data=SOURCE, name="fast"), variant()]
    assert pins_of(GRAPH, *variants) == {"vulkan": KERNEL_DIGEST}


def test_a_native_package_of_crossgl_is_pinned_to_its_module():
    """Its assembly is a variant for the same target, with a name."""
    package = package_of(cast("interlock.Document", open_container(NATIVE).document))
    document = pinned(graph('id: "g" artifacts { id: "scale_bias" }'), package)
    (pin,) = cast("ExecutionGraph", document.message).artifacts[0].pins
    module = (NATIVE / "backend" / "vulkan" / "scale_bias.spv").read_bytes()
    assert len(package.artifacts[0].variants) == 2
    assert (pin.target, pin.digest, pin.size) == ("vulkan", sha256_digest(module), len(module))


def test_a_variant_that_is_pinned_already_stays_pinned():
    pin = f'id: "g" artifacts {{ id: "k" pins {{ target: "vulkan" digest: "{SOURCE_DIGEST}" size: 1 }} }}'
    variants = [variant(data=SOURCE, name="fast"), variant()]
    assert pins_of(pin, *variants) == {"vulkan": SOURCE_DIGEST}


def test_what_cannot_be_pinned_is_told_altogether():
    package = small().copy()
    package.artifacts[0].variants[1].name = "small"
    package.artifacts[0].variants.append(variant(name="fast"))
    wanted = graph(GRAPH + 'artifacts { id: "other" }')
    with pytest.raises(TransformFailure) as refused:
        pinned(wanted, package)
    assert [(found.code, str(found.path)) for found in refused.value.diagnostics] == [
        ("pin.ambiguous-target", 'artifacts["k"]'),
        ("pin.missing-artifact", 'artifacts["other"]'),
    ]
    assert refused.value.diagnostics[0].message == (
        "`k` has 2 variants for the target `vulkan`, `small`, `fast`, and none without a name; a graph pins "
        "one"
    )


@pytest.mark.parametrize("embed", [False, True])
def test_the_graphs_of_a_package_are_pinned(embed: bool):
    assembly = with_pins(with_graph(small(), graph(), embed=embed))
    assert packaged_graph(assembly, 0) == pinned(graph(), small().package)
    assert (assembly.package.graphs[0].source.WhichOneof("source") == "embedded") == embed
    assert list(damage(assembly.package, assembly.blobs)) == []


def test_damage_is_told_once_a_place_and_every_blob_is_hashed_once():
    package = small().copy()
    package.artifacts.add(id="z").variants.add().CopyFrom(package.artifacts[0].variants[0])
    document = interlock.Document.from_message(package)
    read: list[str] = []

    class Counting:
        def chunks(self, reference: BlobReference) -> object:
            read.append(reference.digest)
            return small_blobs().chunks(reference)

    assert list(damage(package_of(document), Counting())) == []  # type: ignore[arg-type]
    assert sorted(read) == sorted(CONTENTS)
    lost = memory_blobs({KERNEL_DIGEST: KERNEL}, DEFAULT_LIMITS)
    assert [(found.code, str(found.path)) for found in damage(package_of(document), lost)] == [
        ("container.missing-blob", 'artifacts["k"].variants[0].blob'),
        ("container.missing-blob", 'artifacts["z"].variants[0].blob'),
    ]
