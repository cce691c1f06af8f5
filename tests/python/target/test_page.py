"""The page about target modules: every behaviour has a test or a line there, and its numbers are true."""

from __future__ import annotations

import re
from pathlib import Path

from conformance_suite import ROOT
from interlock.limits import DEFAULT_LIMITS
from interlock.target import payload as _payload  # noqa: F401 - the package loads
from interlock.target.codes import TARGET_CODES
from interlock.target.frame import BODY_AT, FRAME_VERSION, KINDS

PAGE = (ROOT / "docs" / "target-modules.md").read_text(encoding="utf-8")
BEHAVIOURS = {
    "a": 8, "b": 10, "c": 7, "d": 15, "e": 13, "f": 10, "g": 3, "h": 6, "i": 3, "j": 16,
}  # fmt: skip


def test_every_behaviour_has_a_test_or_a_reason() -> None:
    names = {
        name
        for path in Path(__file__).parent.glob("test_*.py")
        for name in re.findall(r"^def test_([a-z]\d*)_", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    wanted = {f"{section}{number}" for section, most in BEHAVIOURS.items() for number in range(1, most + 1)}
    explained = {found.lower() for found in re.findall(r"^\| ([A-K]\d*) \|", PAGE, re.MULTILINE)}
    assert wanted | {"k"} <= names | explained


def test_the_page_lists_every_code_of_frames_and_look_ups() -> None:
    for code in TARGET_CODES:
        assert f"`{code}`" in PAGE, code


def test_the_bytes_on_the_page_are_those_of_the_code() -> None:
    for kind, letter in KINDS.items():
        assert f"| `{letter.decode()}` | `{kind}` |" in PAGE
    assert f"version {FRAME_VERSION}" in PAGE
    assert f"| {BODY_AT} |" in PAGE
    assert f"`frame_bytes`, {DEFAULT_LIMITS.frame_bytes >> 30} GiB" in PAGE
