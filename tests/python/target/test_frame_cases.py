"""The frames that every language reads, and what it says about them."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

import pytest

import make_target_frames
from conformance_suite import ROOT
from interlock.errors import InterlockError
from interlock.target import decode_sealed

if TYPE_CHECKING:
    from interlock.codec.kinds import Dynamic

FILE = ROOT / "tests" / "fixtures" / "target" / "frames.json"
CASES = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_reading_says_as_stated(case: Dynamic) -> None:
    frame = base64.b64decode(case["input"])
    kind = case["kind"] or None
    if "digest" in case:
        read = decode_sealed(frame, kind=kind)
        assert (read.digest, read.binary()) == (case["digest"], frame)
        return
    with pytest.raises(InterlockError) as refused:
        decode_sealed(frame, kind=kind)
    if case["step"] == "rules":
        assert (case["code"], case["path"]) in [
            (each.code, str(each.path)) for each in refused.value.diagnostics
        ]
        return
    error = refused.value
    assert (error.code, str(error.path), error.byte_offset) == (case["code"], case["path"], case["offset"])


def test_the_file_is_what_the_tool_writes() -> None:
    assert make_target_frames.text() == FILE.read_text(encoding="utf-8")
