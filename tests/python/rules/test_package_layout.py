"""Layout of a package: which types carry which, and where a kernel meets the bound elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from google.protobuf import text_format

from execgraph.v1 import interface_pb2, type_pb2
from interlock.diagnostic import Evidence
from interlock.graph.elements import ElementType
from interlock.graph.types import storage_bits
from interlock.limits import DEFAULT_LIMITS
from interlock.package.blobs import memory_blobs
from interlock.package.container import Container
from interlock.package.facts import ModuleFacts
from interlock.rules.layout.contents import image_format_mismatch
from interlock.rules.layout.elements import Stepping, element_mismatch, fits, is_carried, stride_mismatch
from interlock.rules.layout.sizes import misaligned, too_small
from launch_documents import DIGEST, context_of, dispatch, package_of, said

if TYPE_CHECKING:
    from interlock.rules.context import Context
    from interlock.rules.model import Rule

NAMES = [name.removeprefix("ELEMENT_TYPE_") for name, number in type_pb2.ElementType.items() if number]
UNSIGNED = {"U8", "U16", "U32", "U64"}
SEEN_AS = {
    "BOOL": UNSIGNED,
    "I4": UNSIGNED,
    "U4": UNSIGNED,
    "BF16": UNSIGNED,
    "F8_E4M3": UNSIGNED,
    "F8_E5M2": UNSIGNED,
    "F8_E4M3_FNUZ": UNSIGNED,
    "F8_E5M2_FNUZ": UNSIGNED,
    "F8_E8M0": UNSIGNED,
    "F4_E2M1": UNSIGNED,
    "C64": {"F32"},
    "C128": {"F64"},
    "BLOCK": UNSIGNED,
}


def element(name: str, *, block_bytes: int = 18, format_: str = "q4_0") -> ElementType:
    number = type_pb2.ElementType.Value(f"ELEMENT_TYPE_{name}")
    if name == "BLOCK":
        return ElementType(number, block_bytes * 8, format_)
    return ElementType(number, storage_bits(number))


@pytest.mark.parametrize("bound", NAMES)
def test_a_type_is_seen_as_itself_or_as_what_carries_it(bound: str) -> None:
    seen = {name for name in NAMES if is_carried(element(bound), element(name))}
    assert seen == {bound} | SEEN_AS.get(bound, set())


def test_blocks_are_the_same_by_format_and_size() -> None:
    assert is_carried(element("BLOCK"), element("BLOCK"))
    assert not is_carried(element("BLOCK"), element("BLOCK", format_="q8_0"))
    assert not is_carried(element("BLOCK"), element("BLOCK", block_bytes=20))


STEPS = {
    "packed": (Stepping(4, 4), 4, (4, 256), True),
    "padded kernel over packed": (Stepping(16, 4), 4, (4, 256), False),
    "padded kernel over padded": (Stepping(16, 4), 4, (16,), True),
    "dense kernel over padded": (Stepping(4, 4), 4, (16,), False),
    "backwards": (Stepping(4, 4), 4, (-4,), False),
    "rows that go backwards": (Stepping(4, 4), 4, (4, -256), True),
    "one element": (Stepping(16, 4), 4, (), True),
    "no array": (Stepping(0, 0), 4, (4,), True),
    "vectors over packed scalars": (Stepping(16, 16), 4, (4,), True),
    "vectors over scalars with gaps": (Stepping(16, 16), 4, (16,), False),
    "padded vectors over packed scalars": (Stepping(16, 12), 4, (4,), False),
    "padded vectors over padded rows": (Stepping(16, 12), 4, (4, 16), True),
    "padded vectors over other rows": (Stepping(16, 12), 4, (4, 12), False),
    "bytes of packed blocks": (Stepping(1, 1), 18, (18,), True),
    "bytes of blocks with gaps": (Stepping(1, 1), 18, (20,), False),
    "pairs of floats": (Stepping(4, 4), 8, (8,), True),
    "words over packed halves": (Stepping(4, 4), 2, (2,), True),
    "words over halves with gaps": (Stepping(4, 4), 2, (4,), False),
    "structures of unknown content": (Stepping(18, 0), 18, (18,), True),
}


@pytest.mark.parametrize(("stepping", "size", "steps", "expected"), STEPS.values(), ids=STEPS)
def test_a_kernel_meets_elements_where_they_lie(
    stepping: Stepping, size: int, steps: tuple[int, ...], expected: bool
) -> None:
    assert fits(stepping, size, steps) is expected


# What only bytes or a manifest know.

MANIFEST = "the manifest"
BOUND = (
    'resources { id: "x" role: RESOURCE_ROLE_EXTERNAL_INPUT type { element: ELEMENT_TYPE_U8 } '
    "shape { constant: 64 } size { constant: 64 } } body { "
    + dispatch(
        "workgroup_count { extents { counts { constant: 1 } } } workgroup_size: 1",
        'bindings { slot: "x" target { resource: "x" } access: ACCESS_MODE_READ }',
    )
    + " }"
)


def declared(slot: str) -> Context:
    """Return a package without interface, whose container declares one slot."""
    package = package_of(BOUND)
    package.artifacts[0].ClearField("interface")
    interface = interface_pb2.Interface()
    text_format.Parse(
        f'entries {{ name: "main" stage: STAGE_COMPUTE slots {{ name: "x" {slot} }} }}', interface
    )
    facts = ModuleFacts(interface, Evidence.DECLARED, MANIFEST)
    container = Container("crosstl", "here", None, memory_blobs({}, DEFAULT_LIMITS), {DIGEST: (facts,)})
    return context_of(package, container=container)


UNKNOWN = {
    "element": (element_mismatch, "the element type of its slot is not known"),
    "stride": (stride_mismatch, "the array stride of its slot is not known"),
    "size": (too_small, "the size that its slot needs is not known"),
    "alignment": (misaligned, "the alignment that its slot needs is not known"),
}


@pytest.mark.parametrize(("rule", "reason"), UNKNOWN.values(), ids=UNKNOWN)
def test_what_a_manifest_leaves_out_is_not_known(rule: Rule, reason: str) -> None:
    assert said(rule, declared("kind: SLOT_KIND_STORAGE_BUFFER")) == [f"? {reason}"]


def test_members_say_what_a_block_needs() -> None:
    members = (
        "members { size: 8 element: ELEMENT_TYPE_U32 vector_components: 2 } "
        "members { offset: 64 size: 1 element: ELEMENT_TYPE_U8 }"
    )
    context = declared(f"kind: SLOT_KIND_STORAGE_BUFFER {members}")
    assert said(element_mismatch, context) == []
    assert said(too_small, context) == ["`64` bytes are bound; slot `x` needs at least 65"]
    assert said(misaligned, context) == [
        "the bytes start at `0` of `x`, which is aligned to 1; slot `x` needs a multiple of 4"
    ]


def test_a_slot_of_another_kind_is_left_to_the_rule_about_kinds() -> None:
    reason = "? `interface.kind-mismatch` has to find nothing here first"
    context = declared("kind: SLOT_KIND_STORAGE_IMAGE")
    for rule in (element_mismatch, stride_mismatch, too_small, misaligned, image_format_mismatch):
        assert said(rule, context) == [reason]
