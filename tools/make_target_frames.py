"""Writes sealed frames with what reading each says, for every language: `tests/fixtures/target/frames.json`.

The hostile ones are sealed correctly where their fault lies deeper. What is expected is stated here or by the
table of faults, never taken from what a reader answers.
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "python")]

from interlock.target.envelope import attach_target, make_envelope  # noqa: E402 - as above
from target_faults import FAULTS, parts  # type: ignore[import-not-found]  # noqa: E402 - the path comes first
from target_samples import (  # type: ignore[import-not-found]  # noqa: E402 - as above
    bundle,
    graph,
    module,
    payload,
    sealed_body,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.target.sealed import SealedDocument

OUTPUT = ROOT / "tests" / "fixtures" / "target" / "frames.json"
Case = dict[str, object]


def refused(
    name: str, frame: bytes, code: str, path: str, offset: int | None, step: str, kind: str = ""
) -> Case:
    """Return a case that is refused. ``step`` is the step of reading that refuses."""
    return {
        "name": name,
        "input": base64.b64encode(frame).decode(),
        "kind": kind,
        "step": step,
        "code": code,
        "path": path,
        "offset": offset,
    }


def accepted(name: str, made: SealedDocument) -> Case:
    """Return a case that is accepted."""
    encoded = base64.b64encode(made.binary()).decode()
    return {"name": name, "input": encoded, "kind": "", "step": "", "digest": made.digest}


def cases() -> Iterator[Case]:
    """Yield all cases."""
    small = bundle(module("a"), module("b", 1))
    yield accepted("bundle", small)
    yield accepted("bundle_empty", bundle())
    yield accepted("payload", payload())
    yield accepted("envelope", attach_target(make_envelope(graph()), payload()))
    yield accepted("envelope_empty", make_envelope(graph()))
    yield from _headers(small.binary())
    yield from _bodies(small.binary())
    yield from _blobs(small.binary(), len(small.document.binary))
    yield from _nested()
    for fault in FAULTS:
        made = fault.make()
        fault.change(made)
        step = "nested" if fault.code == "nested.digest-mismatch" else "rules"
        yield refused(fault.code, made.frame(fault.level), fault.code, fault.path, None, step)


def _headers(good: bytes) -> Iterator[Case]:
    def frame(name: str, data: bytes, code: str, offset: int | None, kind: str = "") -> Case:
        return refused(name, data, code, "", offset, "frame", kind)

    yield frame("nothing", b"", "frame.truncated", 0)
    yield frame("header_cut", good[:47], "frame.truncated", 47)
    yield frame("body_cut", good[:48], "frame.truncated", 8)
    yield frame("magic", b"\x88" + good[1:], "frame.unknown-magic", 0)
    yield frame("copied_as_text", good[:6] + b"\n" + good[7:] + b"\0", "frame.unknown-magic", 6)
    yield frame("version", good[:4] + b"\2" + good[5:], "frame.unknown-version", 4)
    yield frame("version_before_kind", good[:4] + b"\2X" + good[6:], "frame.unknown-version", 4)
    yield frame("kind", good[:5] + b"X" + good[6:], "frame.unknown-kind", 5)
    yield frame("other_kind", good, "frame.kind-mismatch", 5, "Envelope")
    yield frame("length", good[:8] + b"\xff" * 8 + good[16:], "frame.truncated", 8)
    yield frame("digest", good[:16] + bytes(32) + good[48:], "frame.digest-mismatch", 16)
    yield frame("digest_before_rest", good[:16] + bytes(32) + good[48:] + b"\0", "frame.digest-mismatch", 16)


def _bodies(good: bytes) -> Iterator[Case]:
    length = int.from_bytes(good[8:16], "little")
    body, rest = good[48 : 48 + length], good[48 + length :]

    def sealed(changed: bytes) -> bytes:
        whole: bytes = sealed_body("TargetModuleBundle", changed)
        return whole + rest

    def read(name: str, changed: bytes, code: str, path: str, offset: int) -> Case:
        return refused(name, sealed(changed), code, path, 48 + offset, "body")

    yield read("body_empty", b"", "header.missing", "header", 0)
    feature = body.index(b"draft-1")
    stale = body.replace(b"draft-1", b"draft-0")
    yield read("feature", stale, "version.unknown-feature", "header.required_features[0]", feature - 2)
    extra = b"\xf8\x07\x01"
    yield read("feature_before_content", stale + extra, "version.unknown-feature",
               "header.required_features[0]", feature - 2)  # fmt: skip
    yield read("unknown_field", body + extra, "canonical.unknown-field", "", length)
    yield read("second_header", body + body[:15], "header.duplicate", "header", length)
    modules = body[15:]
    first = (
        modules[: 2 + modules[1]]
        if modules[1] < 128
        else modules[: 3 + (modules[1] & 127) + 128 * modules[2]]
    )
    second = modules[len(first) :]
    unsorted = body[:15] + second + first
    yield read("unsorted", unsorted, "canonical.unsorted-set", "modules[1]", 15 + len(second))
    twice = body[:15] + first + first
    yield read("duplicate", twice, "canonical.duplicate-key", "modules[1]", 15 + len(first))
    swapped = sealed_body("TargetPayload", body) + rest
    yield refused("kind_of_body", swapped, "header.kind-mismatch", "header.kind", 48 + 2, "body")


def _blobs(good: bytes, length: int) -> Iterator[Case]:
    def blob(name: str, data: bytes, code: str, path: str) -> Case:
        return refused(name, data, code, path, None, "blobs")

    assert good[48 + length :] == b"ba"  # noqa: S101 - "b" has the smaller digest, so it comes first
    yield blob("blob_cut", good[:-1], "frame.missing-blob", "modules[0].code.blob")
    yield blob("trailing", good + b"\0", "frame.trailing-bytes", "")
    yield blob("blobs_swapped", good[:-2] + good[-1:] + good[-2:-1], "frame.blob-digest-mismatch",
               "modules[1].code.blob")  # fmt: skip
    yield blob("trailing_before_digest", good[:-1] + b"x\0", "frame.trailing-bytes", "")


def _nested() -> Iterator[Case]:
    p = parts()
    p.bundle_body = b"\0"
    for level, path in (("payload", ""), ("envelope", "payloads[0].payload.body.")):
        frame = p.frame(level)
        where = frame.index(b"\x12\x01\0", 48) + 2
        yield refused(
            f"nested_{level}", frame, "header.missing", f"{path}bundle.body.header", where, "nested"
        )
    p.bundle_digest = "sha256:" + "0" * 64
    yield refused("nested_digest_first", p.frame("payload"), "nested.digest-mismatch", "bundle.digest", None,
                  "nested")  # fmt: skip


def text() -> str:
    """Return the file."""
    return json.dumps(list(cases()), indent=1, sort_keys=True) + "\n"


def main() -> None:
    """Write the file."""
    OUTPUT.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
