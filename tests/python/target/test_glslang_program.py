"""The program that compiles GLSL, and everything that it may do wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from compiled_samples import SCALE, one_kernel, sources
from glslang_support import DISPATCH, VULKAN, compiled, edited, refusal
from interlock.document import Document
from interlock.package.profiles import profile
from interlock.target import EmissionError, InvalidArtifactError, UnsupportedError
from interlock.target.glslang import environment_of
from package_support import require_tool

if TYPE_CHECKING:
    from pathlib import Path

    from interlock.target import SealedDocument


@pytest.fixture(autouse=True, scope="module")
def _tool() -> None:
    require_tool("glslangValidator")


def test_an_error_in_a_kernel_is_told_with_its_line_and_group() -> None:
    code, path, message = refusal(EmissionError, one_kernel(), edited(SCALE, b"2.0 *", b"2.0 * ("))
    assert (code, path) == ("compiler.failed", DISPATCH)
    assert message.startswith("launch group `scaling`: `glslangValidator` refuses `scale`: scale:5: ")
    assert "/" not in message.partition("scale:5:")[2]


@pytest.mark.parametrize(
    "directive",
    [
        b'#extension GL_GOOGLE_include_directive : enable\n#include "/etc/passwd"\n',
        b'#extension GL_GOOGLE_include_directive : enable\n#inc\\\nlude "kernel.comp"\n',
        b"#extension GL_GOOGLE_include_directive : enable\n # /* x */ include <stdio.h>\n",
    ],
)
def test_nothing_beside_the_package_is_included(directive: bytes) -> None:
    code, path, message = refusal(
        EmissionError, one_kernel(), edited(SCALE, b"layout(local", directive + b"layout(local")
    )
    assert (code, path) == ("compiler.include", DISPATCH)
    assert "the kernel `scale` has `#include" in message


@pytest.mark.parametrize("data", [b"", b"\0\xff\xfe", b"#version 450\n", b"\\" * 9, SCALE[:200]])
def test_sources_that_are_none_are_refused(data: bytes) -> None:
    assert refusal(EmissionError, one_kernel(), sources({"scale": data}))[0] in (
        "compiler.failed",
        "compiler.crashed",
    )


def _program(folder: Path, script: str) -> str:
    """Write a program that answers for its version like glslang, and else does what a script says."""
    path = folder / "compiler"
    version = 'if [ "$1" = --version ]; then echo "Glslang Version: 11:12.0.0"; exit 0; fi\n'
    path.write_text(f"#!/bin/sh\n{version}{script}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("exit 0", "compiler.malformed-output"),
        ("echo junk > kernel.spv", "compiler.malformed-output"),
        ("head -c 4096 /dev/zero > kernel.spv", "compiler.malformed-output"),
        ("sleep 60 & sleep 60", "compiler.timeout"),
        ("kill -SEGV $$", "compiler.crashed"),
        ("exit 3", "compiler.crashed"),
        ("yes", "compiler.output-too-large"),
        ("cat /dev/zero > kernel.spv", "compiler.output-too-large"),
    ],
)
def test_a_program_that_misbehaves_is_stopped(tmp_path: Path, script: str, code: str) -> None:
    found = refusal(
        EmissionError,
        one_kernel(),
        sources({"scale": SCALE}),
        program=_program(tmp_path, script),
        seconds=3.0,
    )
    assert found[0] == code
    assert "`scaling`" in found[2]


def test_a_program_that_is_not_there_or_too_old_is_refused(tmp_path: Path) -> None:
    arguments: Any = (EmissionError, one_kernel(), sources({"scale": SCALE}))
    assert refusal(*arguments, program="no-such-program")[0] == "compiler.missing-tool"
    old = tmp_path / "old"
    old.write_text("#!/bin/sh\necho 'Glslang Version: 7:7.11.3113'\n")
    old.chmod(0o755)
    code, _, message = refusal(*arguments, program=str(old))
    assert (code, "`7.11.3113`" in message) == ("compiler.unknown-version", True)
    old.write_text("#!/bin/sh\necho hello\n")
    assert refusal(*arguments, program=str(old))[0] == "compiler.unknown-version"


@pytest.mark.parametrize("name", ["-o", "--version", "a b;touch c", "$(touch c)"])
def test_hostile_names_of_programs_reach_no_shell(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = refusal(EmissionError, one_kernel(), sources({"scale": SCALE}), program=name)
    assert found[0] == "compiler.missing-tool"
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - names are enough


@pytest.mark.parametrize("name", ["-o..kernel.spv", "$(touch c)", "../../kernel"])
def test_hostile_names_of_artifacts_are_no_names(name: str) -> None:
    message: Any = one_kernel().message
    graph = type(message)()
    graph.CopyFrom(message)
    graph.artifacts[0].id = graph.body.nodes[0].operation.dispatch.artifact = name
    found = refusal(InvalidArtifactError, Document.from_message(graph), sources({name: SCALE}))
    assert found[:2] == ("document.malformed-id", f'artifacts["{name}"].id')


def test_names_with_slashes_are_no_paths() -> None:
    message: Any = one_kernel().message
    graph = type(message)()
    graph.CopyFrom(message)
    name = "k/../../etc/passwd"
    graph.artifacts[0].id = graph.body.nodes[0].operation.dispatch.artifact = name
    payload = compiled(Document.from_message(graph), sources({name: SCALE}))
    assert list(payload.blobs) == list(compiled(one_kernel(), sources({"scale": SCALE})).blobs)


def test_the_environment_follows_the_profile() -> None:
    found = {name: environment_of(profile(name)) for name in ("vulkan-1.0-minimum", "vulkan-1.1-minimum")}
    assert found == {"vulkan-1.0-minimum": "vulkan1.0", "vulkan-1.1-minimum": "vulkan1.1"}
    assert environment_of(profile("vulkan-1.4-minimum")) == "vulkan1.3"
    assert environment_of(profile("vulkan-roadmap-2022")) == "vulkan1.3"
    own = type(VULKAN)()
    own.CopyFrom(VULKAN)
    own.identity = "our-boxes"
    assert environment_of(own) == "vulkan1.0"
    versions = {
        name: _spirv_version(compiled(one_kernel(), sources({"scale": SCALE}), profile=profile(name)))
        for name in ("vulkan-1.0-minimum", "vulkan-1.1-minimum", "vulkan-1.3-minimum")
    }
    assert versions == {"vulkan-1.0-minimum": 0, "vulkan-1.1-minimum": 3, "vulkan-1.3-minimum": 6}


def _spirv_version(payload: SealedDocument) -> int:
    (code,) = payload.blobs.values()
    return bytes(code)[5]


def test_another_target_than_vulkan_is_refused() -> None:
    found = refusal(UnsupportedError, one_kernel(), sources({"scale": SCALE}), profile=profile("metal-3"))
    assert found[0] == "compiler.wrong-target"


def test_a_program_that_removes_its_folder_is_told(tmp_path: Path) -> None:
    program = _program(tmp_path, 'folder="$PWD"; cd /; rm -r "$folder"')
    found = refusal(EmissionError, one_kernel(), sources({"scale": SCALE}), program=program)
    assert found[0] == "compiler.malformed-output"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_who_is_told_to_end_ends_the_program_first(tmp_path: Path, number: signal.Signals) -> None:
    shared = tmp_path / "temporary"
    shared.mkdir()
    program = _program(tmp_path, f'echo $$ > "{tmp_path}/started"; exec sleep 60')
    script = (
        "import sys; from interlock.package.tool_run import run_tool\n"
        "import tempfile\n"
        "with tempfile.TemporaryDirectory(dir=sys.argv[2]) as folder:\n"
        "    run_tool([sys.argv[1]], folder, seconds=60)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, program, str(shared)])
    while not (tmp_path / "started").exists() or not (tmp_path / "started").read_text().endswith("\n"):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(number)
    assert process.wait(30) == 128 + number
    assert list(shared.iterdir()) == []
    with pytest.raises(ProcessLookupError):
        os.killpg(int((tmp_path / "started").read_text()), 0)


def test_a_variant_is_chosen_of_what_runs_only() -> None:
    code, path, message = refusal(
        InvalidArtifactError, one_kernel(), sources({"scale": SCALE}), variants={"sclae": "fast"}
    )
    assert (code, path) == ("compile.missing-artifact", "artifacts")
    assert message == "a variant of `sclae` is named, which nothing runs"
