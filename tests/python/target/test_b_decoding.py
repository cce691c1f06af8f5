"""B: reading frames, and the order of its checks: two faults at once, and the earlier step reports."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from execgraph.v1 import module_pb2, payload_pb2
from interlock.errors import CodecError, InterlockError
from interlock.limits import DEFAULT_LIMITS
from interlock.target import (
    BundleError,
    FrameError,
    decode_bundle,
    decode_envelope,
    decode_payload,
    decode_sealed,
    make_bundle,
)
from target_faults import parts
from target_samples import bundle, module, payload, sealed, sealed_body

if TYPE_CHECKING:
    from collections.abc import Callable

HEADER = module_pb2.TargetModuleBundle.FromString(make_bundle([]).document.binary).header


def refusal(frame: bytes, read: Callable[..., object] = decode_bundle) -> InterlockError:
    with pytest.raises(InterlockError) as refused:
        read(frame)
    return refused.value


def said(frame: bytes, read: Callable[..., object] = decode_bundle) -> tuple[str, str]:
    error = refusal(frame, read)
    return error.code, str(error.path)


def raw(*modules: module_pb2.TargetModule) -> bytes:
    """Return a frame of modules in the given order, sealed correctly and written by hand."""
    body = module_pb2.TargetModuleBundle(header=HEADER, modules=modules).SerializeToString(deterministic=True)
    blobs = {hashlib.sha256(each.group.encode()).hexdigest(): each.group.encode() for each in modules}
    return sealed_body("TargetModuleBundle", body) + b"".join(blobs[key] for key in sorted(blobs))


GOOD = raw(module("a"), module("b", 1))


def resealed(frame: bytes, body: bytes) -> bytes:
    """Return a frame with another body of the same blobs."""
    length = int.from_bytes(frame[8:16], "little")
    return (
        frame[:8]
        + len(body).to_bytes(8, "little")
        + hashlib.sha256(body).digest()
        + body
        + frame[48 + length :]
    )


def body_of(frame: bytes) -> bytes:
    return frame[48 : 48 + int.from_bytes(frame[8:16], "little")]


def test_the_hand_written_frame_is_what_the_constructor_makes() -> None:
    assert bundle(module("a"), module("b", 1)).binary() == GOOD


@pytest.mark.parametrize("size", range(48))
def test_b1_fewer_bytes_than_a_header_are_truncated(size: int) -> None:
    error = refusal(GOOD[:size])
    assert (error.code, error.byte_offset) == ("frame.truncated", size)


@pytest.mark.parametrize("size", range(48, 48 + len(body_of(GOOD))))
def test_b1_a_body_that_is_cut_short_is_truncated(size: int) -> None:
    error = refusal(GOOD[:size])
    assert (error.code, error.byte_offset) == ("frame.truncated", 8)


def test_b1_blobs_that_are_cut_short_are_missing() -> None:
    assert said(GOOD[:-1]) == ("frame.missing-blob", "modules[0].code.blob")


def test_b2_every_bit_of_digest_and_body_counts() -> None:
    for at in range(16 * 8, (48 + len(body_of(GOOD))) * 8):
        flipped = bytearray(GOOD)
        flipped[at // 8] ^= 1 << at % 8
        error = refusal(bytes(flipped))
        assert (error.code, error.byte_offset) == ("frame.digest-mismatch", 16), at


def test_b2_every_bit_of_a_blob_counts() -> None:
    for at in range((48 + len(body_of(GOOD))) * 8, len(GOOD) * 8):
        flipped = bytearray(GOOD)
        flipped[at // 8] ^= 1 << at % 8
        assert refusal(bytes(flipped)).code == "frame.blob-digest-mismatch", at


def test_b2_appended_bytes_are_refused() -> None:
    assert said(GOOD + b"\0") == ("frame.trailing-bytes", "")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "header.missing"),
        (b"\x0a", "wire.truncated"),
        (b"\x0a\x02\x08\x03", "version.unknown-major"),
        (body_of(GOOD) + b"\x1a\x00", "canonical.empty-message"),
        (body_of(GOOD) + b"\xf8\x07\x01", "canonical.unknown-field"),
        (body_of(GOOD) + body_of(GOOD)[:15], "header.duplicate"),
        (body_of(GOOD) + b"\x12\xff\xff\xff\xff\x0f", "wire.truncated"),
    ],
)
def test_b3_a_body_that_is_no_document_is_refused_by_the_reader(body: bytes, code: str) -> None:
    error = refusal(resealed(GOOD, body))
    assert isinstance(error, CodecError)
    assert error.code == code


def test_b3_offsets_count_from_the_first_byte_of_the_frame() -> None:
    body = body_of(GOOD)
    assert refusal(resealed(GOOD, body + b"\xf8\x07\x01")).byte_offset == 48 + len(body)


@pytest.mark.parametrize("field", ["members", "entry_point", "code"])
def test_b4_the_rules_hold_for_each_module_in_their_order(field: str) -> None:
    first, second = module("a"), module("b")
    for broken in (first, second):
        broken.ClearField(field)  # type: ignore[arg-type]
    error = refusal(raw(first, second))
    assert isinstance(error, BundleError)
    places = [str(each.path) for each in error.diagnostics if each.message.startswith(f"`{field}`")]
    assert places == [f"modules[0].{field}", f"modules[1].{field}"]


def test_b4_members_come_before_the_entry_point_and_the_code() -> None:
    empty = module("a")
    for field in ("members", "entry_point", "code"):
        empty.ClearField(field)  # type: ignore[arg-type]
    assert [str(each.path) for each in refusal(raw(empty)).diagnostics] == [
        "modules[0].members",
        "modules[0].entry_point",
        "modules[0].code",
    ]


def test_b5_the_version_is_judged_before_the_content() -> None:
    body = body_of(raw(module("a", members=[])))
    stale = body.replace(b"draft-1", b"draft-0", 1)
    assert said(resealed(GOOD, stale)) == ("version.unknown-feature", "header.required_features[0]")


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ((0, "b"), (0, "a"), "canonical.unsorted-set"),
        ((1, "a"), (0, "b"), "canonical.unsorted-set"),
        ((0, "a"), (0, "a"), "canonical.duplicate-key"),
    ],
)
def test_b6_order_and_uniqueness_have_codes_of_their_own(
    first: tuple[int, str], second: tuple[int, str], code: str
) -> None:
    frame = raw(module(first[1], first[0]), module(second[1], second[0]))
    assert said(frame) == (code, "modules[1]")


def test_b6_a_lower_group_of_a_higher_stage_follows() -> None:
    assert decode_bundle(raw(module("b"), module("a", 1)))


def test_b7_the_whole_body_has_one_spelling() -> None:
    body = body_of(GOOD)
    long_length = body[:1] + bytes((body[1] | 0x80, 0)) + body[2:]
    assert said(resealed(GOOD, long_length)) == ("canonical.overlong-varint", "header")
    explicit = module("a").SerializeToString(deterministic=True)
    with_default = b"\x08\x00" + explicit
    spelled = body_of(make_bundle([]).binary()) + b"\x12" + bytes((len(with_default),)) + with_default
    assert said(sealed_body("TargetModuleBundle", spelled) + b"a") == (
        "canonical.default-value",
        "modules[0].stage",
    )


def test_b8_reading_and_writing_are_inverse() -> None:
    read = decode_bundle(GOOD)
    assert read == bundle(module("a"), module("b", 1))
    assert read.binary() == GOOD
    assert b"".join(read.chunks()) == GOOD


def both(frame: bytes, *changes: Callable[[bytes], bytes]) -> bytes:
    for change in changes:
        frame = change(frame)
    return frame


def bad_digest(frame: bytes) -> bytes:
    return frame[:16] + bytes(32) + frame[48:]


def bad_magic(frame: bytes) -> bytes:
    return b"\x88" + frame[1:]


def bad_line_end(frame: bytes) -> bytes:
    return frame[:6] + b"\n\n" + frame[8:]


def bad_version(frame: bytes) -> bytes:
    return frame[:4] + b"\2" + frame[5:]


def bad_kind(frame: bytes) -> bytes:
    return frame[:5] + b"X" + frame[6:]


def other_kind(frame: bytes) -> bytes:
    return frame[:5] + b"P" + frame[6:]


def too_long(frame: bytes) -> bytes:
    return frame[:8] + b"\xff" * 8 + frame[16:]


def stale(frame: bytes) -> bytes:
    return resealed(frame, body_of(frame).replace(b"draft-1", b"draft-0", 1))


def spelled_otherwise(frame: bytes) -> bytes:
    return resealed(frame, body_of(frame) + b"\xf8\x07\x01")


def trailing(frame: bytes) -> bytes:
    return frame + b"\0"


STEPS: list[tuple[Callable[[bytes], bytes], str]] = [
    (bad_magic, "frame.unknown-magic"),
    (bad_line_end, "frame.unknown-magic"),
    (bad_version, "frame.unknown-version"),
    (bad_kind, "frame.unknown-kind"),
    (too_long, "frame.truncated"),
    (bad_digest, "frame.digest-mismatch"),
    (stale, "version.unknown-feature"),
    (spelled_otherwise, "canonical.unknown-field"),
    (trailing, "frame.trailing-bytes"),
]


@pytest.mark.parametrize("earlier", range(len(STEPS)))
def test_b9_of_two_faults_the_earlier_step_reports(earlier: int) -> None:
    change, code = STEPS[earlier]
    assert refusal(change(GOOD)).code == code
    for later in range(earlier + 1, len(STEPS)):
        # Later faults go in first: some changes seal the body anew.
        assert refusal(both(GOOD, STEPS[later][0], change)).code == code, STEPS[later][1]


def test_b9_size_comes_before_everything() -> None:
    limits = replace(DEFAULT_LIMITS, frame_bytes=10)
    with pytest.raises(FrameError) as refused:
        decode_bundle(bad_magic(GOOD), limits=limits)
    assert refused.value.code == "limit.frame-bytes"


def test_b9_the_size_limit_is_inclusive() -> None:
    assert decode_bundle(GOOD, limits=replace(DEFAULT_LIMITS, frame_bytes=len(GOOD)))
    with pytest.raises(FrameError) as refused:
        decode_bundle(GOOD, limits=replace(DEFAULT_LIMITS, frame_bytes=len(GOOD) - 1))
    assert refused.value.code == "limit.frame-bytes"


def test_b9_a_kind_that_was_not_asked_for_comes_before_the_length() -> None:
    assert refusal(too_long(other_kind(GOOD))).code == "frame.kind-mismatch"
    assert refusal(other_kind(GOOD), decode_sealed).code == "header.kind-mismatch"


def test_b9_order_comes_before_the_rules() -> None:
    assert refusal(raw(module("b", members=[]), module("a"))).code == "canonical.unsorted-set"


def test_b9_rules_come_before_blobs() -> None:
    assert refusal(raw(module("a", members=[])) + b"\0").code == "document.missing-field"


def test_b9_sizes_of_blobs_come_before_their_digests() -> None:
    damaged = bytearray(GOOD)
    damaged[-1] ^= 1
    assert refusal(bytes(damaged) + b"\0").code == "frame.trailing-bytes"
    assert decode_bundle(GOOD, limits=replace(DEFAULT_LIMITS, blob_bytes=1))
    limits = replace(DEFAULT_LIMITS, blob_bytes=0)
    with pytest.raises(FrameError) as refused:
        decode_bundle(bytes(damaged), limits=limits)
    assert refused.value.code == "limit.blob-bytes"


def test_b9_in_a_payload_the_bundle_is_judged_first() -> None:
    p = parts()
    p.bundle.modules[0].entry_point = ""
    p.payload.entries[0].shared_bytes = 1 << 40
    assert said(p.frame("payload"), decode_payload) == (
        "document.missing-field",
        "bundle.body.modules[0].entry_point",
    )
    assert said(p.frame("envelope"), decode_envelope) == (
        "document.missing-field",
        "payloads[0].payload.body.bundle.body.modules[0].entry_point",
    )


def test_b9_nested_digests_come_before_what_they_are_digests_of() -> None:
    p = parts()
    p.bundle_body = b"\0"
    assert said(p.frame("payload"), decode_payload) == ("header.missing", "bundle.body.header")
    p.bundle_digest = "sha256:" + "0" * 64
    assert said(p.frame("payload"), decode_payload) == ("nested.digest-mismatch", "bundle.digest")


def test_b9_nested_documents_are_read_before_any_rule() -> None:
    p = parts()
    p.bundle_body = b"\0"
    p.payload.entries[0].shared_bytes = 1 << 40
    assert said(p.frame("envelope"), decode_envelope) == (
        "header.missing",
        "payloads[0].payload.body.bundle.body.header",
    )


def test_b9_offsets_of_nested_documents_count_from_the_first_byte_too() -> None:
    p = parts()
    p.bundle_body = body_of(raw(module("a"))) + b"\xf8\x07\x01"
    for level, read in (("payload", decode_payload), ("envelope", decode_envelope)):
        frame = p.frame(level)
        error = refusal(frame, read)
        assert error.code == "canonical.unknown-field"
        assert error.byte_offset is not None
        assert frame[error.byte_offset :].startswith(b"\xf8\x07\x01")


def test_b9_a_nested_document_without_a_byte_is_refused_without_an_offset() -> None:
    bare = payload_pb2.NestedDocument(digest="sha256:" + hashlib.sha256(b"").hexdigest())
    error = refusal(sealed(payload_pb2.TargetPayload(bundle=bare)), decode_payload)
    assert (error.code, str(error.path), error.byte_offset) == ("header.missing", "bundle.body.header", None)


def test_b10_what_was_read_to_judge_is_kept() -> None:
    read = decode_payload(payload().binary())
    assert read.context.payloads[0].bundle is read.context.held[0].document.message  # type: ignore[union-attr]


def test_one_digest_has_one_size() -> None:
    one, other = module("a"), module("b")
    other.code.blob.digest, other.code.blob.size = one.code.blob.digest, 2
    assert said(raw(one, other)) == ("frame.blob-size-conflict", "modules[1].code.blob")


def test_blobs_may_be_read_from_memory_that_is_mapped() -> None:
    view = memoryview(GOOD)
    assert decode_bundle(view).blobs[module("a").code.blob.digest].obj is GOOD


def test_memory_that_may_change_is_copied() -> None:
    data = bytearray(GOOD)
    read = decode_bundle(data)
    data[:] = bytes(len(data))
    assert read.binary() == GOOD
