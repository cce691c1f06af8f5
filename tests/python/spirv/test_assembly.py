"""SPIR-V assembly counts only with an assembler that somebody named."""

from __future__ import annotations

import os
import stat
import subprocess
import time
from pathlib import Path

import pytest

from execgraph.v1 import access_pb2
from interlock.package.readers import facts_of_bytes, is_readable, unread_reason
from interlock.package.spirv.assembly import assembly_facts
from interlock.package.spirv.errors import SpirvError, SpirvLimits
from interlock.package.spirv.reader import spirv_facts
from package_support import require_tool

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "spirv"
TEXT = (FIXTURES / "aliased.spvasm").read_bytes()


def program(folder: Path, script: str) -> str:
    path = folder / "assembler"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_with_an_assembler():
    tool = require_tool("spirv-as")
    facts = facts_of_bytes("spirv-assembly", TEXT, assembler="spirv-as")
    assert facts is not None
    assert facts.interface == spirv_facts((FIXTURES / "aliased.spv").read_bytes()).interface
    version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout.split()[
        1
    ]
    assert facts.source == f"its SPIR-V assembly, assembled by spirv-as {version}"
    assert facts.unknown == {}


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        ("slice_totals", {"samples": "READ", "partials": "WRITE"}),
        ("grand_total", {"partials": "READ", "total": "WRITE"}),
    ],
)
def test_kernels_of_crosstl(kernel: str, expected: dict[str, str]):
    require_tool("spirv-as")
    path = FIXTURES.parent / "two_stage_sum" / "translated" / "vulkan" / f"{kernel}.spvasm"
    facts = facts_of_bytes("spirv-assembly", path.read_bytes(), assembler="spirv-as")
    assert facts is not None
    (entry,) = facts.interface.entries
    modes = {slot.name: access_pb2.AccessMode.Name(slot.access) for slot in entry.slots}
    assert modes == {name: f"ACCESS_MODE_{access}" for name, access in expected.items()}
    assert facts.unknown == {}


def test_without_one():
    assert facts_of_bytes("spirv-assembly", TEXT) is None
    assert not is_readable("spirv-assembly")
    assert is_readable("spirv-assembly", assembler="spirv-as")
    assert is_readable("spirv")
    assert not is_readable("dxil", assembler="spirv-as")
    assert (
        unread_reason("spirv-assembly")
        == "evidence from SPIR-V assembly needs an assembler, and none was named"
    )
    assert unread_reason("dxil") == "nothing here reads `dxil`"
    assert unread_reason("spirv") == ""
    assert facts_of_bytes("dxil", TEXT, assembler="spirv-as") is None


def test_its_version_is_what_it_says_itself(tmp_path: Path):
    copy = 'while [ "$1" != -o ]; do shift; done; cp "$MODULE" "$2"'.replace(
        "$MODULE", str(FIXTURES / "kernel.spv")
    )
    one = program(tmp_path, f'[ "$1" = --version ] && {{ echo Maker 3.14.1-rc; exit 0; }}; {copy}')
    assert assembly_facts(TEXT, one).source == "its SPIR-V assembly, assembled by assembler 3.14.1"
    other = program(tmp_path, f'[ "$1" = --version ] && exit 1; {copy}')
    assert (
        assembly_facts(TEXT, other).source
        == "its SPIR-V assembly, assembled by assembler of an unknown version"
    )


def test_with_one_that_is_not_there():
    facts = assembly_facts(TEXT, "no-such-assembler")
    assert facts.unknown == {
        (
            "",
            "",
        ): "evidence from SPIR-V assembly needs an assembler, and there is no program `no-such-assembler`"
    }
    assert not facts.interface.entries
    assert not facts.is_complete


def test_a_text_that_is_no_assembly():
    require_tool("spirv-as")
    with pytest.raises(SpirvError) as caught:
        assembly_facts(b"OpNonsense\n", "spirv-as")
    assert caught.value.code == "spirv.assembler-failed"
    assert "`spirv-as` refuses the assembly: error: 1" in str(caught.value)
    assert "Invalid Opcode name 'OpNonsense'" in str(caught.value)


def test_the_version_that_the_text_states():
    require_tool("spirv-as")
    text = (FIXTURES / "groups.spvasm").read_bytes()
    for minor in (0, 3, 5):
        facts = assembly_facts(b"; SPIR-V\n; Version: 1.%d\n" % minor + text, "spirv-as")
        assert [entry.name for entry in facts.interface.entries] == ["one", "shade", "two"]


def test_one_that_does_not_end(tmp_path: Path):
    facts = assembly_facts(TEXT, program(tmp_path, "exec sleep 20"), seconds=0.2)
    assert list(facts.interface.entries) == []
    reason = (
        "evidence from SPIR-V assembly needs an assembler, and `assembler` did not end within 0.2 seconds"
    )
    assert facts.unknown == {("", ""): reason}


def test_one_that_writes_nothing(tmp_path: Path):
    with pytest.raises(SpirvError) as caught:
        assembly_facts(TEXT, program(tmp_path, "exit 0"))
    assert caught.value.code == "spirv.assembler-failed"


def test_one_that_prints_without_end_and_fails(tmp_path: Path):
    script = "head -c 1000000 /dev/zero | tr '\\0' x; exit 3"
    with pytest.raises(SpirvError) as caught:
        assembly_facts(TEXT, program(tmp_path, script))
    assert caught.value.code == "spirv.assembler-failed"
    assert len(str(caught.value)) < 500


def test_one_that_writes_no_module(tmp_path: Path):
    with pytest.raises(SpirvError) as caught:
        assembly_facts(
            TEXT, program(tmp_path, 'while [ "$1" != -o ]; do shift; done; echo hello there > "$2"')
        )
    assert caught.value.code == "spirv.wrong-magic"


def test_one_that_writes_too_much(tmp_path: Path):
    script = 'while [ "$1" != -o ]; do shift; done; head -c 5000 /dev/zero > "$2"'
    with pytest.raises(SpirvError) as caught:
        assembly_facts(TEXT, program(tmp_path, script), limits=SpirvLimits(module_bytes=4000))
    assert caught.value.code == "limit.spirv-bytes"
    with pytest.raises(SpirvError) as caught:
        assembly_facts(TEXT, program(tmp_path, script), limits=SpirvLimits(module_bytes=100))
    assert str(caught.value).endswith(f"the assembly has {len(TEXT)} bytes, at most 100 are read")


def test_no_shell_and_no_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    facts = assembly_facts(TEXT, "true; touch hacked")
    assert ("", "") in facts.unknown
    assert list(tmp_path.iterdir()) == []


def test_it_gets_an_environment_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SECRET", "do not tell")
    with pytest.raises(SpirvError) as caught:
        assembly_facts(TEXT, program(tmp_path, 'echo "secret: $SECRET in $(pwd)"; exit 1'))
    assert "secret:  in" in str(caught.value)
    assert os.getcwd() not in str(caught.value)  # noqa: PTH109 - as the program prints it


def test_a_relative_name_is_that_of_the_folder_of_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    copy = tmp_path / "assembler"
    copy.symlink_to(require_tool("spirv-as"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")
    for name in ("./assembler", "assembler"):
        assert assembly_facts(TEXT, name).interface == assembly_facts(TEXT, "spirv-as").interface


def test_what_the_assembler_starts_ends_with_it(tmp_path: Path):
    started = tmp_path / "started"
    script = f"sleep 300 & echo $! > {started}; exit 1"
    with pytest.raises(SpirvError):
        assembly_facts(TEXT, program(tmp_path, script))
    state = Path("/proc", started.read_text(encoding="ascii").strip(), "stat")
    end = time.monotonic() + 5
    while state.exists() and state.read_text(encoding="ascii").split()[2] != "Z":
        assert time.monotonic() < end
        time.sleep(0.01)


def test_an_assembler_that_prints_without_end_is_stopped(tmp_path: Path):
    with pytest.raises(SpirvError) as caught:
        assembly_facts(TEXT, program(tmp_path, "exec cat /dev/zero"))
    assert (caught.value.code, caught.value.diagnostics[0].message) == (
        "spirv.assembler-failed",
        "`assembler` prints more than 1048576 bytes",
    )


def test_an_assembler_that_writes_without_end_is_stopped(tmp_path: Path):
    script = 'while [ "$1" != -o ]; do shift; done; cat /dev/zero > "$2"'
    with pytest.raises(SpirvError) as caught:
        assembly_facts(TEXT, program(tmp_path, script))
    assert caught.value.code == "limit.spirv-bytes"
