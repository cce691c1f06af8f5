"""`interlock inspect` of a SPIR-V module: the interface as its bytes have it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Ran

    Run = Callable[..., Ran]

MODULE = (
    Path(__file__).resolve().parents[2]
    / "fixtures/packages/scale_bias.vulkan.cglb/backend/vulkan/scale_bias.spv"
)


def test_text(run: Run):
    done = run("inspect", str(MODULE))
    assert done.code == 0
    lines = done.out.decode().splitlines()
    assert lines[0].startswith(f"{MODULE}: sha256:")
    assert lines[1].startswith("SPIR-V 1.")
    assert any(line.startswith("entry `main`") for line in lines)


def test_json(run: Run):
    done = run("inspect", "--format", "json", str(MODULE))
    assert done.code == 0
    found = json.loads(done.out)
    assert sorted(found) == ["digest", "module", "size", "source"]
    assert found["size"] == str(MODULE.stat().st_size)
    assert [entry["name"] for entry in found["module"]["entries"]] == ["main"]


def test_a_damaged_module_is_unreadable(run: Run, tmp_path: Path):
    path = tmp_path / "cut.spv"
    path.write_bytes(MODULE.read_bytes()[:42])
    done = run("inspect", "--format", "json", str(path))
    assert done.code == 2
    report = json.loads(done.out)["diagnostics"]
    assert [(each["code"], each["byteOffset"]) for each in report] == [("spirv.not-whole-words", "40")]


def test_verify_judges_no_module(run: Run):
    done = run("verify", "--format", "json", str(MODULE))
    assert done.code == 2
    (found,) = json.loads(done.out)["diagnostics"]
    assert found["code"] == "input.no-document"
    assert found["message"] == f"`{MODULE}` is a SPIR-V module, which `interlock inspect` shows"
