"""Frames as a whole: every bit, random envelopes, speed and memory."""

from __future__ import annotations

import hashlib
import time
import tracemalloc
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings

from interlock.document import Document
from interlock.errors import InterlockError
from interlock.target import (
    SealedDocument,
    TypedBytes,
    attach_target,
    compile_launch_groups,
    decode_bundle,
    decode_envelope,
    decode_sealed,
    find_payload,
    formats_of,
    group_by,
    make_bundle,
    make_envelope,
    typed_blob,
)
from interlock.target.blobs import digest_of
from interlock.target.frame import looks_like_frame
from target_samples import (
    FORMAT,
    chain,
    copied,
    emit_fused,
    emitted,
    graph,
    kernels,
    module,
    payload,
    profile,
    remade,
    sealed_body,
)
from target_strategies import envelopes

MIB = 1 << 20


def envelope() -> SealedDocument:
    """Return a small envelope of two payloads."""
    one = payload(lambda low, _: emitted(low, code=TypedBytes("c", 1, low.group.encode())))
    other = FORMAT.__class__(identity="example-module", version=2)
    return attach_target(attach_target(make_envelope(graph()), one), remade(one, format=other))


def test_every_flipped_bit_of_an_envelope_is_refused() -> None:
    frame = envelope().binary()
    for at in range(len(frame) * 8):
        flipped = bytearray(frame)
        flipped[at // 8] ^= 1 << at % 8
        with pytest.raises(InterlockError) as refused:
            decode_envelope(bytes(flipped))
        family = refused.value.code.split(".")[0]
        assert family == "frame", at


def test_every_prefix_of_an_envelope_is_refused() -> None:
    frame = envelope().binary()
    for size in range(len(frame)):
        with pytest.raises(InterlockError) as refused:
            decode_envelope(frame[:size])
        assert refused.value.code in {"frame.truncated", "frame.missing-blob"}


def test_frames_are_told_from_documents() -> None:
    assert looks_like_frame(envelope().binary())
    assert not looks_like_frame(graph().binary)
    assert not looks_like_frame(graph().json())
    assert not looks_like_frame(b"")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(envelopes())
def test_random_envelopes_round_trip(made: SealedDocument) -> None:
    frame = made.binary()
    read = decode_envelope(frame)
    assert read == made
    assert read.binary() == frame
    assert decode_sealed(memoryview(frame)) == made
    for kind in formats_of(made):
        one = find_payload(read, kind)
        assert decode_sealed(one.binary()) == one


def large(size: int, parts: int) -> SealedDocument:
    """Return a bundle of so many bytes of code."""
    modules, blobs = [], []
    for number in range(parts):
        code = hashlib.shake_256(bytes((number,))).digest(1024) * (size // parts // 1024)
        blobs.append(code)
        modules.append(module(f"g{number}", code=typed_blob("c", 1, code)))
    return make_bundle(modules, blobs)


def test_neither_sealing_nor_reading_copies_the_blobs() -> None:
    size = 16 * MIB
    made = large(size, 4)
    tracemalloc.start()
    frame = made.binary()
    assert tracemalloc.get_traced_memory()[1] < 1.1 * size
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    read = decode_bundle(frame)
    assert tracemalloc.get_traced_memory()[1] - before < MIB
    tracemalloc.stop()
    assert read == made
    assert sum(len(chunk) for chunk in read.chunks()) == len(frame)


def test_reading_costs_little_more_than_hashing_once() -> None:
    made = large(16 * MIB, 4)
    frame = made.binary()
    best = {"hash": 9e9, "read": 9e9, "seal": 9e9}
    for _ in range(5):
        for name, work in (
            ("hash", lambda: hashlib.sha256(frame).digest()),
            ("read", lambda: decode_bundle(frame)),
            ("seal", made.binary),
        ):
            start = time.process_time()
            work()
            best[name] = min(best[name], time.process_time() - start)
    assert best["read"] < 3 * best["hash"]
    assert best["seal"] < 3 * best["hash"]


def test_the_chain_round_trips_in_every_grouping() -> None:
    for members in (
        {"all": ("p", "q", "r")},
        {"a": ("p", "q"), "b": ("r",)},
        {"a": ("p",), "b": ("q", "r")},
        {"a": ("p",), "b": ("q",), "c": ("r",)},
    ):
        groups = group_by(chain(), members)
        one = compile_launch_groups(chain(), kernels(), FORMAT, profile(), emit_fused, groups=groups)
        made = attach_target(make_envelope(chain()), one)
        assert decode_envelope(made.binary()) == made


def test_any_byte_of_a_body_that_is_sealed_anew_is_refused_or_read_as_it_is() -> None:
    """Hostile content below a correct digest: never a crash, never two spellings."""
    frame = envelope().binary()
    length = int.from_bytes(frame[8:16], "little")
    body, rest = frame[48 : 48 + length], frame[48 + length :]
    for at in range(length):
        flipped = bytes((body[at] ^ 1 << at % 8,)) if at % 3 else b""
        hostile = sealed_body("Envelope", body[:at] + flipped + body[at + 1 :]) + rest
        with suppress(InterlockError):
            assert decode_envelope(hostile).binary() == hostile, at


def test_nested_documents_that_are_sealed_anew_are_refused_or_read_as_they_are() -> None:
    made = envelope()
    blobs = dict(made.blobs)
    for field in ("graph", "payload"):
        source = made.message.graph if field == "graph" else made.message.payloads[0].payload
        for at in range(0, len(source.body), 5):
            hostile = copied(made.message)
            target = hostile.graph if field == "graph" else hostile.payloads[0].payload
            body = bytes(source.body)
            target.body = body[:at] + bytes((body[at] ^ 1 << at % 8,)) + body[at + 1 :]
            target.digest = digest_of(target.body)
            document = Document.from_message(hostile)
            frame = sealed_body("Envelope", document.binary, blobs)
            with suppress(InterlockError):
                assert decode_envelope(frame).binary() == frame, (field, at)
