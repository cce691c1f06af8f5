"""A: making and encoding bundles."""

from __future__ import annotations

import hashlib
import itertools

import pytest

from execgraph.v1 import module_pb2
from interlock.errors import CodecError
from interlock.target import BundleError, FrameError, decode_bundle, make_bundle
from target_samples import bundle, module, payload


def keys(made: object) -> list[tuple[int, str]]:
    return [(each.stage, each.group) for each in made.message.modules]  # type: ignore[attr-defined]


def test_a1_modules_are_sorted_by_stage_and_group_and_the_version_is_stamped() -> None:
    made = bundle(module("b", 1), module("z"), module("a", 1), module("c"))
    assert keys(made) == [(0, "c"), (0, "z"), (1, "a"), (1, "b")]
    assert (made.message.header.schema_major, list(made.message.header.required_features)) == (1, ["draft-1"])


def test_a2_equal_keys_are_refused_when_a_bundle_is_made() -> None:
    with pytest.raises(CodecError) as refused:
        bundle(module("a"), module("a"))
    assert (refused.value.code, str(refused.value.path)) == ("canonical.duplicate-key", "modules[1]")


@pytest.mark.parametrize("field", ["group", "members", "entry_point", "code"])
def test_a3_what_decoding_refuses_is_refused_when_it_is_made(field: str) -> None:
    broken = module("a")
    broken.ClearField(field)  # type: ignore[arg-type]
    with pytest.raises(BundleError) as refused:
        make_bundle([broken], [b"a"])
    assert "document.missing-field" in [each.code for each in refused.value.diagnostics]


def test_a4_a_frame_is_magic_length_digest_body_and_blobs() -> None:
    made = bundle(module("b"), module("a"))
    frame, body = made.binary(), made.document.binary
    assert frame[:8] == bytes.fromhex("89 58 47 46 01 42 0d 0a")
    assert int.from_bytes(frame[8:16], "little") == len(body)
    assert frame[16:48] == hashlib.sha256(body).digest()
    assert frame[48 : 48 + len(body)] == body
    blobs = sorted([b"a", b"b"], key=lambda blob: hashlib.sha256(blob).hexdigest())
    assert frame[48 + len(body) :] == b"".join(blobs)
    assert made.size == len(frame)
    assert made.digest == "sha256:" + hashlib.sha256(body).hexdigest()


def test_a4_letters_tell_the_kinds_apart() -> None:
    made = payload()
    assert made.binary()[4:6] == b"\1P"


def test_a5_there_is_no_way_to_encode_without_checking() -> None:
    with pytest.raises(BundleError) as refused:
        bundle(module("a"), module("b", members=["a"]))
    assert [each.code for each in refused.value.diagnostics] == ["module.repeated-member"]


def test_a6_the_order_of_the_input_does_not_matter() -> None:
    modules = [module("a"), module("b", 1), module("c", 1), module("d", 2)]
    frames = {bundle(*order).binary() for order in itertools.permutations(modules)}
    assert len(frames) == 1


def test_a7_what_no_document_can_hold_is_an_error_with_a_place() -> None:
    with pytest.raises(CodecError) as refused:
        bundle(module("a", entry_point="\ufffe"))
    assert (refused.value.code, str(refused.value.path)) == ("wire.noncharacter", "modules[0].entry_point")


def test_a8_an_empty_bundle_is_legal() -> None:
    made = make_bundle([])
    assert made.size == 48 + len(made.document.binary)
    assert decode_bundle(made.binary()) == made


def test_what_a_module_refers_to_has_to_be_given() -> None:
    with pytest.raises(FrameError) as refused:
        make_bundle([module("a")], [b"b"])
    assert (refused.value.code, str(refused.value.path)) == ("frame.missing-blob", "modules[0].code.blob")


def test_bytes_that_nothing_refers_to_are_left_out() -> None:
    assert make_bundle([module("a")], [b"a", b"stray"]) == make_bundle([module("a")], [b"a"])


def test_a_blob_is_there_once_however_often_it_is_referred_to() -> None:
    one = module("a")
    one.semantic.CopyFrom(one.code)
    other = module("b")
    other.code.CopyFrom(one.code)
    made = make_bundle([one, other], [b"a"])
    assert made.size == 48 + len(made.document.binary) + 1
    assert decode_bundle(made.binary()) == made


def test_messages_that_were_given_do_not_change() -> None:
    given = module("a", members=["a"])
    before = given.SerializeToString(deterministic=True)
    bundle(given)
    assert given.SerializeToString(deterministic=True) == before


def test_bytes_that_may_change_are_copied() -> None:
    data = bytearray(b"a")
    made = make_bundle([module("a")], [data])
    data[:] = b"x"
    assert decode_bundle(made.binary()) == made


def test_a_producer_stands_in_the_header_and_not_in_the_semantic_digest() -> None:
    plain, named = make_bundle([]), make_bundle([], producer=("compiler", "2"))
    assert named.message.header.producer.name == "compiler"
    assert plain.digest != named.digest
    assert plain.document.semantic_digest == named.document.semantic_digest
    assert isinstance(named.message, module_pb2.TargetModuleBundle)
