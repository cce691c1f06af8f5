"""The index of a package: targets, variants, pins, bytes that are read once, graphs that cannot be read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from interlock.errors import WorkExceededError
from interlock.hashing import sha256_digest
from interlock.limits import DEFAULT_LIMITS
from interlock.package.index import NO_CONTAINER, PackageIndex, Unresolved, VariantEntry
from interlock.rules.context import Surroundings
from interlock.verification import verify
from package_documents import KERNEL, artifact, container, graph, package, pin, variant

if TYPE_CHECKING:
    from collections.abc import Collection

    from execgraph.v1 import package_pb2
    from interlock.package.container import Container

OTHER, THIRD = b"other kernel", b"third kernel"


def index(
    message: package_pb2.Package, held: Container | None = None, asked: Collection[str] | None = None
) -> PackageIndex:
    return PackageIndex(message, held, asked, DEFAULT_LIMITS)


def chosen(message: package_pb2.Package, target: str = "vulkan") -> str | tuple[str, str, str]:
    found = index(message)
    selected = found.select(found.graphs[0], "a", target)
    if isinstance(selected, Unresolved):
        return selected.code, selected.message, str(selected.path)
    assert isinstance(selected, VariantEntry)
    return str(selected.path)


# Targets


def test_targets_are_those_that_were_asked_for_or_all_there_are() -> None:
    message = package(artifact("a", variant("vulkan"), variant("metal")))
    assert index(message).targets == ("metal", "vulkan")
    assert index(message, asked=["opengl", "vulkan", "opengl"]).targets == ("opengl", "vulkan")
    assert index(message, asked=()).targets == ("metal", "vulkan")


def test_a_graph_is_judged_on_the_targets_of_its_own_artifacts() -> None:
    kernels = artifact("a", variant("vulkan")) + artifact("b", variant("metal"), variant("directx"))
    message = package(kernels, graph("one", {"a": ""}), graph("two", {"b": ""}), graph("none", {}))
    found = index(message)
    assert {each.id: found.targets_of(each) for each in found.graphs} == {
        "none": ("directx", "metal", "vulkan"),
        "one": ("vulkan",),
        "two": ("directx", "metal"),
    }
    asked = index(message, asked=["cuda"])
    assert {asked.targets_of(each) for each in asked.graphs} == {("cuda",)}


# Variants


@pytest.mark.parametrize(
    ("variants", "pins", "expected"),
    [
        ([variant("vulkan")], "", 'artifacts["a"].variants[0]'),
        ([variant("metal"), variant("vulkan")], "", 'artifacts["a"].variants[1]'),
        ([variant("vulkan"), variant("vulkan", OTHER, name="fast")], "", 'artifacts["a"].variants[0]'),
        (
            [variant("vulkan"), variant("vulkan", OTHER, name="fast")],
            pin("vulkan", OTHER),
            'artifacts["a"].variants[1]',
        ),
        (
            [
                variant("vulkan", name="a"),
                variant("vulkan", OTHER, name="b"),
                variant("vulkan", OTHER, name="c"),
            ],
            pin("vulkan"),
            'artifacts["a"].variants[0]',
        ),
        ([variant("vulkan"), variant("vulkan", name="same")], pin("vulkan"), 'artifacts["a"].variants[0]'),
        ([variant("vulkan")], pin("vulkan", OTHER), 'artifacts["a"].variants[0]'),
        ([variant("vulkan", name="a"), variant("metal")], pin("metal"), 'artifacts["a"].variants[0]'),
    ],
    ids=["alone", "of the target", "unnamed", "pinned", "pinned alone", "pinned twice", "other pin", "named"],
)
def test_the_variant_is_the_pinned_one_or_the_unnamed_one(
    variants: list[str], pins: str, expected: str
) -> None:
    assert chosen(package(artifact("a", *variants), graph("g", {"a": pins}))) == expected


def test_what_has_no_one_variant_is_unresolved() -> None:
    row = 'graphs["g"].source.embedded.artifacts["a"]'
    using = graph("g", {"a": ""})
    assert chosen(package(artifact("b"), using)) == (
        "artifact.not-packaged",
        "the package holds no artifact `a`",
        row,
    )
    assert chosen(package(artifact("a", variant("metal"), variant("cuda")), using)) == (
        "artifact.missing-variant",
        "`a` has no variant for `vulkan`; it has `cuda`, `metal`",
        'artifacts["a"]',
    )
    two = artifact("a", variant("vulkan", name="s"), variant("vulkan", OTHER, name="t"))
    assert chosen(package(two, using)) == (
        "artifact.ambiguous-variant",
        "`a` has several variants for `vulkan`, `s`, `t`, and no pin tells which",
        row,
    )
    same = artifact("a", variant("vulkan", name="s"), variant("vulkan", name="t"))
    assert chosen(package(same, graph("g", {"a": pin("vulkan")}))) == (
        "artifact.ambiguous-variant",
        "`a` has several variants for `vulkan`, `s`, `t`, and they have the bytes that are pinned",
        row,
    )


def test_used_variants_are_told_once_in_the_order_of_the_document() -> None:
    kernels = artifact("b", variant("vulkan"), variant("metal")) + artifact("a", variant("vulkan"))
    message = package(kernels, graph("one", {"b": "", "a": ""}), graph("two", {"b": ""}))
    message.artifacts.sort(key=lambda each: each.id)
    found = index(message, asked=["vulkan", "metal"])
    assert [(target, str(entry.path)) for target, entry in found.used_variants] == [
        ("vulkan", 'artifacts["a"].variants[0]'),
        ("vulkan", 'artifacts["b"].variants[0]'),
        ("metal", 'artifacts["b"].variants[1]'),
    ]
    assert found.used_entries == {
        ("a", "vulkan", ""): ("main",),
        ("b", "metal", ""): ("main",),
        ("b", "vulkan", ""): ("main",),
    }


def test_more_selections_than_the_limit_are_not_made() -> None:
    message = package(artifact("a", variant("vulkan"), variant("metal")), graph("g", {"a": ""}))
    found = PackageIndex(message, None, None, replace(DEFAULT_LIMITS, proof_work=1))
    with pytest.raises(WorkExceededError):
        _ = found.selections
    report = verify(message, limits=replace(DEFAULT_LIMITS, proof_work=1))
    assert not report.ok
    assert {each.readiness.name for each in report.readiness} == {"UNVERIFIED"}


# Bytes


def test_bytes_that_run_are_read_once_and_others_never() -> None:
    kernels = (
        artifact("a", variant("vulkan"), variant("metal", OTHER))
        + artifact("b", variant("vulkan"))
        + artifact("spare", variant("vulkan", THIRD))
    )
    message = package(
        kernels, graph("one", {"a": pin("vulkan"), "b": pin("vulkan")}), graph("two", {"a": ""})
    )
    held, blobs = container(KERNEL, OTHER, THIRD)
    verify(message, surroundings=Surroundings(held, ["vulkan"]))
    assert blobs.read_digests == [sha256_digest(KERNEL)]
    assert sorted(blobs.probed_digests) == sorted(map(sha256_digest, (OTHER, THIRD)))


def test_bytes_that_somebody_understands_are_read_once_too() -> None:
    message = package(artifact("a", variant("vulkan", content="spirv")), graph("g", {"a": pin("vulkan")}))
    held, blobs = container(KERNEL)
    report = verify(message, surroundings=Surroundings(held))
    assert [finding.code for finding in report.diagnostics] == ["artifact.malformed-module"]
    assert blobs.read_digests == [sha256_digest(KERNEL)]


def test_without_a_container_nothing_is_damaged_and_nothing_is_verified() -> None:
    report = verify(package(artifact("a", variant("vulkan")), graph("g", {"a": pin("vulkan")})))
    assert report.diagnostics == ()
    gaps = [(gap.check, gap.reason, str(gap.path), gap.target) for gap in report.unverified]
    assert gaps == [
        (f"artifact.{name}", NO_CONTAINER, 'artifacts["a"].variants[0].blob', "vulkan")
        for name in ("missing-blob", "size-mismatch", "digest-mismatch", "unreadable-blob")
    ]


# Graphs


def test_a_graph_that_cannot_be_read_says_why() -> None:
    message = package(artifact("a", variant("vulkan")))
    message.graphs.add(id="bad").source.embedded = b"\n\r\x08\x01\x10\x01*\x07draft-1\x12"
    (entry,) = index(message).graphs
    assert entry.document is None
    assert entry.failure is not None
    assert entry.failure.code == "wire.truncated"
    assert str(entry.path) == 'graphs["bad"].source.embedded'
    assert index(message).used == {"bad": frozenset()}
