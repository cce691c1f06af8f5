"""What Python and C++ say of the same sealed frames, and that each reads what the other wrote."""

from __future__ import annotations

import hashlib
import subprocess
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conformance_suite import CppTool, answer_in_python, answer_without_rules, verdict
from conformance_support import require_cpp
from execgraph.conformance.v1 import conformance_pb2
from execgraph.v1 import envelope_pb2, module_pb2, payload_pb2
from interlock.document import Document
from interlock.target import (
    TypedBytes,
    attach_target,
    decode_sealed,
    make_bundle,
    make_envelope,
    typed_blob,
)
from interlock.target.blobs import digest_of
from interlock.target.payload import bundle_of
from target_faults import FAULTS, parts
from target_samples import (
    FORMAT,
    bundle,
    chain,
    copied,
    emitted,
    fused,
    graph,
    module,
    nested,
    payload,
    remade,
    sealed,
)
from target_strategies import envelopes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from interlock.target import SealedDocument

Request = conformance_pb2.Request
Error = conformance_pb2.CodecError
UNKNOWN_FIELD = b"\xf8\x07\x01"


@pytest.fixture(scope="module")
def cpp() -> Iterator[CppTool]:
    with CppTool(require_cpp()) as tool:
        yield tool


def asked(frame: bytes, kind: str = "", **limits: int) -> Request:
    stated = conformance_pb2.Limits(**limits) if limits else None
    return Request(input=frame, format=conformance_pb2.FORMAT_FRAME, expected_kind=kind, limits=stated)


def same(cpp: CppTool, frame: bytes, kind: str = "", **limits: int) -> Error | None:
    """Ask both, and return what both refuse the frame for, without the sentence."""
    request = asked(frame, kind, **limits)
    expected, found = answer_without_rules(request), cpp(request)
    assert verdict(found) == verdict(expected)
    if found.HasField("error"):
        return verdict(found).error
    assert found.document.frame == frame
    return None


def envelope() -> SealedDocument:
    """Return a small envelope of two payloads."""
    one = payload(lambda low, _: emitted(low, code=TypedBytes("c", 1, low.group.encode())))
    other = FORMAT.__class__(identity="example-module", version=2)
    return attach_target(attach_target(make_envelope(graph()), one), remade(one, format=other))


def all_blobs() -> SealedDocument:
    """Return a bundle whose modules have all three blobs, some of them in common."""
    texts = [b"?", b"one", b"two", b"\0" * 5000]
    one = module("a", semantic=typed_blob("s", 1, texts[0]), lowered=typed_blob("l", 2, texts[1]))
    other = module("b", 1, semantic=typed_blob("s", 1, texts[1]), lowered=typed_blob("l", 2, texts[3]))
    return make_bundle([other, one], [*texts, b"a", b"b"])


VALID: dict[str, Callable[[], SealedDocument]] = {
    "empty bundle": lambda: make_bundle([]),
    "bundle": lambda: bundle(module("a"), module("b", 1), module("a-third", 1)),
    "all blobs": all_blobs,
    "payload": payload,
    "bundle of a payload": lambda: bundle_of(payload()),
    "graph alone": lambda: make_envelope(graph()),
    "two payloads": envelope,
    "fused": lambda: attach_target(make_envelope(chain()), fused({"all": ("p", "q", "r")})),
    "chained": lambda: attach_target(make_envelope(chain()), fused({"one": ("p", "q"), "two": ("r",)})),
}


@pytest.mark.parametrize("name", VALID)
def test_valid_frames_are_read_and_written_alike(cpp: CppTool, name: str) -> None:
    made = VALID[name]()
    frame = made.binary()
    for kind in ("", made.kind):
        response = cpp(asked(frame, kind))
        assert response == answer_in_python(asked(frame, kind))
        assert response.document.digest == made.digest
        assert response.document.frame == frame
    other = "Envelope" if made.kind != "Envelope" else "TargetPayload"
    assert same(cpp, frame, other) == Error(code="frame.kind-mismatch", byte_offset=5)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(made=envelopes(), seed=st.integers(0, 2**64 - 1))
def test_random_envelopes_are_read_and_written_alike(cpp: CppTool, made: SealedDocument, seed: int) -> None:
    frame = made.binary()
    assert same(cpp, frame) is None
    random = Random(seed)
    for _ in range(5):
        assert same(cpp, flipped(frame, random.randrange(len(frame) * 8)))


# Damage


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def body_of(frame: bytes) -> bytes:
    return frame[48 : 48 + int.from_bytes(frame[8:16], "little")]


def resealed(frame: bytes, body: bytes) -> bytes:
    """Return a frame with another body before the same blobs."""
    start = frame[:8] + len(body).to_bytes(8, "little") + hashlib.sha256(body).digest()
    return start + body + frame[48 + len(body_of(frame)) :]


# In the order of the steps that find them.
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "start": lambda frame: b"\x88" + frame[1:],
    "line end": lambda frame: frame[:6] + b"\n\n" + frame[8:],
    "version": lambda frame: frame[:4] + b"\2" + frame[5:],
    "kind": lambda frame: frame[:5] + b"X" + frame[6:],
    "length": lambda frame: frame[:8] + b"\xff" * 8 + frame[16:],
    "longer body": lambda frame: frame[:8] + (len(frame) - 47).to_bytes(8, "little") + frame[16:],
    "whole rest as body": lambda frame: frame[:8] + (len(frame) - 48).to_bytes(8, "little") + frame[16:],
    "empty body": lambda frame: frame[:8] + bytes(8) + frame[16:],
    "digest": lambda frame: frame[:16] + bytes(32) + frame[48:],
    "other kind": lambda frame: frame[:5] + (b"P" if frame[5:6] == b"B" else b"B") + frame[6:],
    "no body": lambda frame: resealed(frame, b""),
    "stale": lambda frame: resealed(frame, body_of(frame).replace(b"draft-1", b"draft-0", 1)),
    "unknown field": lambda frame: resealed(frame, body_of(frame) + UNKNOWN_FIELD),
    "second header": lambda frame: resealed(frame, body_of(frame) + body_of(frame)[:15]),
    "cut by one": lambda frame: frame[:-1],
    "no blobs": lambda frame: frame[: 48 + len(body_of(frame))],
    "trailing": lambda frame: frame + b"\0",
    "damaged blob": lambda frame: flipped(frame, len(frame) * 8 - 3),
}


@pytest.mark.parametrize("name", ["bundle", "all blobs", "payload", "two payloads"])
def test_damaged_frames_are_refused_alike(cpp: CppTool, name: str) -> None:
    frame = VALID[name]().binary()
    for first, damage in DAMAGES.items():
        assert same(cpp, damage(frame)), first
        for further in DAMAGES.values():
            # Some of them undo each other, so that the answers are only compared.
            same(cpp, further(damage(frame)))


def test_every_prefix_is_refused_alike(cpp: CppTool) -> None:
    frame = VALID["all blobs"]().binary()[:1200]
    for size in range(len(frame)):
        error = same(cpp, frame[:size])
        assert error is not None
        assert error.code in {"frame.truncated", "frame.missing-blob"}


def test_flipped_bits_are_refused_alike(cpp: CppTool) -> None:
    frame = envelope().binary()
    bits = [*range(48 * 8), *Random(7).sample(range(48 * 8, len(frame) * 8), 1500)]
    for bit in bits:
        assert same(cpp, flipped(frame, bit)), bit


def with_graph(made: SealedDocument, body: bytes) -> bytes:
    message = copied(made.message)
    message.graph.body, message.graph.digest = body, digest_of(body)
    return sealed(message, dict(made.blobs))


def with_payload(made: SealedDocument, body: bytes) -> bytes:
    message = copied(made.message)
    held = message.payloads[1].payload
    held.body, held.digest = body, digest_of(body)
    return sealed(message, dict(made.blobs))


def with_bundle(made: SealedDocument, body: bytes) -> bytes:
    message = payload_pb2.TargetPayload.FromString(made.message.payloads[1].payload.body)
    message.bundle.body, message.bundle.digest = body, digest_of(body)
    return with_payload(made, Document.from_message(message).binary)


def body_at(made: SealedDocument, level: str) -> bytes:
    if level == "graph":
        return bytes(made.message.graph.body)
    held = bytes(made.message.payloads[1].payload.body)
    return held if level == "payload" else bytes(payload_pb2.TargetPayload.FromString(held).bundle.body)


LEVELS = {
    "envelope": lambda made, body: resealed(made.binary(), body),
    "graph": with_graph,
    "payload": with_payload,
    "bundle": with_bundle,
}


@pytest.mark.parametrize("level", LEVELS)
def test_hostile_bytes_that_are_sealed_anew_are_judged_alike(cpp: CppTool, level: str) -> None:
    made = envelope()
    body = made.document.binary if level == "envelope" else body_at(made, level)
    random = Random(level)
    hostile = [flipped(body, bit) for bit in random.sample(range(len(body) * 8), 600)]
    hostile += [body[:size] for size in random.sample(range(len(body)), 60)]
    hostile += [
        body[:at] + bytes((random.randrange(256),)) + body[at:] for at in random.sample(range(len(body)), 60)
    ]
    hostile += [body + UNKNOWN_FIELD, body + b"\0", body + body, body[15:], b""]
    refusals = [same(cpp, LEVELS[level](made, each)) for each in hostile]
    found = {error.code for error in refusals if error is not None}
    assert len(found) > 7
    if level != "envelope":
        placed = [error for error in refusals if error is not None and error.HasField("byte_offset")]
        assert len(placed) > 200
        assert all(error.byte_offset > 60 for error in placed)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.code} at {fault.path}")
def test_what_rules_find_is_read_by_cpp_and_left_to_python(cpp: CppTool, fault: object) -> None:
    made = fault.make()  # type: ignore[attr-defined]
    fault.change(made)  # type: ignore[attr-defined]
    frame = made.frame(fault.level)  # type: ignore[attr-defined]
    refused = verdict(answer_in_python(asked(frame))).error
    assert refused.code
    error = same(cpp, frame)
    # What is no matter of rules both refuse alike; else C++ reads on, and at most the blobs are not there.
    assert error is None or error.code == refused.code or error.code.startswith("frame.")


def test_a_nested_document_without_a_body_has_no_offset(cpp: CppTool) -> None:
    for message, path in (
        (payload_pb2.TargetPayload(bundle=payload_pb2.NestedDocument(digest=digest_of(b""))), "bundle"),
        (envelope_pb2.Envelope(graph=payload_pb2.NestedDocument(digest=digest_of(b""))), "graph"),
    ):
        assert same(cpp, sealed(message)) == Error(code="header.missing", path=f"{path}.body.header")


def test_very_many_payloads_are_refused_in_time(cpp: CppTool) -> None:
    """Offsets into an envelope are looked for once, not for every payload."""
    inner = nested(module_pb2.TargetModuleBundle())
    made = envelope_pb2.Envelope(graph=nested(graph().message))
    for version in range(1, 3001):
        kind = FORMAT.__class__(identity="many", version=version)
        held = payload_pb2.TargetPayload(format=kind, bundle=inner)
        made.payloads.add(format=kind, payload=nested(held))
    last = made.payloads[-1].payload
    last.body += UNKNOWN_FIELD
    last.digest = digest_of(last.body)
    frame = sealed(made)
    error = same(cpp, frame)
    assert error is not None
    assert (error.code, error.path) == ("canonical.unknown-field", "payloads[2999].payload.body")
    assert frame[error.byte_offset :].startswith(UNKNOWN_FIELD)


LIMITS = {
    "frame_bytes": "limit.frame-bytes",
    "blob_bytes": "limit.blob-bytes",
    "document_bytes": "limit.document-bytes",
    "string_bytes": "limit.string-bytes",
    "repeated_elements": "limit.repeated-elements",
    "message_depth": "limit.message-depth",
}


@pytest.mark.parametrize("name", LIMITS)
def test_limits_are_the_same_and_hold_for_nested_documents(cpp: CppTool, name: str) -> None:
    frame = VALID["chained"]().binary()
    values = sorted({*range(1, 60), *range(60, 2 * len(frame), 97), len(frame) - 1, len(frame)})
    refusals = [same(cpp, frame, **{name: value}) for value in values]
    codes = [error.code if error is not None else "" for error in refusals]
    assert set(codes) == {LIMITS[name], ""}
    assert codes == sorted(codes, reverse=True)
    if not name.endswith("_bytes") or name == "string_bytes":
        assert any("body" in error.path for error in refusals if error is not None)


def test_unsorted_payloads_and_two_of_one_format_are_refused_alike(cpp: CppTool) -> None:
    made = envelope()
    one, two = (each.SerializeToString(deterministic=True) for each in made.message.payloads)
    front = made.document.binary[: -len(one) - len(two) - 6]
    assert front + each_field(one) + each_field(two) == made.document.binary
    for body, code in (
        (front + each_field(two) + each_field(one), "canonical.unsorted-set"),
        (front + each_field(one) + each_field(one), "canonical.duplicate-key"),
    ):
        error = same(cpp, resealed(made.binary(), body))
        assert error is not None
        assert (error.code, error.path) == (code, "payloads[1]")


def each_field(value: bytes) -> bytes:
    """Return the field `payloads` of an envelope, of a size that takes two bytes."""
    assert 128 <= len(value) < 1 << 14
    return b"\x1a" + bytes((len(value) & 0x7F | 0x80, len(value) >> 7)) + value


# Files


def run(*words: str | Path) -> subprocess.CompletedProcess[bytes]:
    """Run `interlock-cpp frame`."""
    return subprocess.run([require_cpp(), "frame", *words], capture_output=True, timeout=60, check=False)


def blob_folder(made: SealedDocument, folder: Path) -> Path:
    """Write the blobs as files of names that say nothing, some of them deeper, and two that do not belong."""
    (folder / "deep").mkdir(parents=True)
    (folder / "other").write_bytes(b"belongs to nobody")
    for at, blob in enumerate(made.blobs.values()):
        ((folder / "deep") if at % 2 else folder).joinpath(f"file{at}").write_bytes(blob)
        (folder / f"wrong{at}").write_bytes(bytes(255 - byte for byte in blob))
    return folder


@pytest.mark.parametrize("name", VALID)
def test_cpp_seals_what_python_seals(name: str, tmp_path: Path) -> None:
    made = VALID[name]()
    blobs = blob_folder(made, tmp_path / "blobs")
    for source, data in (("binpb", made.document.binary), ("json", made.document.json())):
        given_, sealed_ = tmp_path / f"document.{source}", tmp_path / f"{source}.frame"
        given_.write_bytes(data)
        done = run("seal", given_, "--blobs", blobs, "-o", sealed_)
        assert (done.returncode, done.stderr) == (0, b"")
        assert sealed_.read_bytes() == made.binary()
        assert decode_sealed(sealed_.read_bytes()) == made


def test_cpp_gives_what_is_in_a_frame(tmp_path: Path) -> None:
    made = envelope()
    file, out = tmp_path / "envelope.frame", tmp_path / "out"
    file.write_bytes(made.binary())
    held = made.message.payloads[0].payload
    documents = [made.document.binary, bytes(made.message.graph.body), bytes(held.body)]
    documents.append(bytes(payload_pb2.TargetPayload.FromString(held.body).bundle.body))
    for data in [*documents, *map(bytes, made.blobs.values())]:
        done = run("cat", file, digest_of(data), "-o", out)
        assert (done.returncode, done.stderr) == (0, b"")
        assert out.read_bytes() == data
        assert run("cat", file, digest_of(data)).stdout == data
    done = run("cat", file, digest_of(b"nothing"))
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"error[container.missing-blob]" in done.stderr


def test_cpp_lists_and_checks_a_frame(tmp_path: Path) -> None:
    made = all_blobs()
    file = tmp_path / "bundle.frame"
    file.write_bytes(made.binary())
    total = sum(blob.nbytes for blob in made.blobs.values())
    assert run("check", file).stdout.decode() == f"{made.digest}  5 blobs, {total} bytes\n"
    listed = run("list", file).stdout.decode()
    assert listed.splitlines() == [
        f"bundle    {made.digest}  {len(made.document.binary)} bytes",
        "  module    stage 0  a  `main`",
        f"    code      example-code 1  {digest_of(b'a')}  1 byte",
        f"    semantic  s 1  {digest_of(b'?')}  1 byte",
        f"    lowered   l 2  {digest_of(b'one')}  3 bytes",
        "  module    stage 1  b  `main`",
        f"    code      example-code 1  {digest_of(b'b')}  1 byte",
        f"    semantic  s 1  {digest_of(b'one')}  3 bytes",
        f"    lowered   l 2  {digest_of(bytes(5000))}  5000 bytes",
    ]
    file.write_bytes(made.binary() + b"\0")
    done = run("check", file)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"frame.trailing-bytes - - 1 bytes follow the last blob; nothing may\n"
    assert run("list", file).returncode == 2
    file.write_bytes(made.binary()[:20])
    assert run("check", file).stderr.startswith(b"frame.truncated - 20 ")


def test_cpp_refuses_to_seal_what_is_not_there(tmp_path: Path) -> None:
    made = all_blobs()
    blobs = blob_folder(made, tmp_path / "blobs")
    lost = next(file for file in blobs.rglob("file*") if file.read_bytes() == b"one")
    lost.unlink()
    given_, out = tmp_path / "document.binpb", tmp_path / "out.frame"
    given_.write_bytes(made.document.binary)
    done = run("seal", given_, "--blobs", blobs, "-o", out)
    assert done.returncode == 2
    assert done.stderr.startswith(b"modules[0].lowered.blob: error[frame.missing-blob] 3 bytes of digest ")
    given_.write_bytes(graph().binary)
    done = run("seal", given_, "-o", out)
    assert done.stderr.startswith(b"document: error[frame.unknown-kind] ")
    assert not out.exists()


def test_a_large_frame_is_read_and_written_alike(cpp: CppTool) -> None:
    code = [hashlib.shake_256(bytes((number,))).digest(1 << 20) for number in range(4)]
    modules = [module(f"g{at}", code=typed_blob("c", 1, data)) for at, data in enumerate(code)]
    frame = make_bundle(modules, code).binary()
    assert same(cpp, frame) is None
    assert same(cpp, flipped(frame, 8 * len(frame) - 1))


def test_both_refuse_the_faulty_parts_at_every_level(cpp: CppTool) -> None:
    for level in ("bundle", "payload", "envelope"):
        made = parts()
        assert same(cpp, made.frame(level)) is None
        if level != "bundle":
            made.bundle_digest = "sha256:" + "0" * 64
            error = same(cpp, made.frame(level))
            assert error is not None
            assert error.code == "nested.digest-mismatch"
