"""SPIR-V assembly, read through an assembler that the caller names; without one it is not read."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from functools import lru_cache
from pathlib import Path

from interlock.diagnostic import Evidence
from interlock.package.facts import ModuleFacts
from interlock.package.spirv.errors import DEFAULT_SPIRV_LIMITS, SpirvError, SpirvLimits
from interlock.package.spirv.reader import read_spirv
from interlock.package.tool_run import PRINTED_BYTES, run_tool

SECONDS = 20.0
"""How long an assembler may take."""
_VERSION_SECONDS = 5.0
_VERSION = re.compile(r"\bv?\d+(?:\.\d+)+\b")
_SPIRV_VERSION = re.compile(rb"^;\s*Version:\s*1\.([0-6])\b", re.MULTILINE)


def assembly_facts(
    data: bytes,
    assembler: str,
    *,
    limits: SpirvLimits = DEFAULT_SPIRV_LIMITS,
    seconds: float = SECONDS,
) -> ModuleFacts:
    """Return what a module proves about its interface that is written in assembly.

    The text is assembled for the version of SPIR-V that its `; Version:` comment states; without one, for the
    latest that the assembler knows. Where there is no such assembler, or it does not end, nothing is
    known; the reason says so.

    Args:
        data: The text.
        assembler: The name of the program, looked up on PATH, or its path. No shell sees it.
        limits: The limits for the text and for the module.
        seconds: How long it may take.

    Raises:
        SpirvError: `limit.spirv-bytes`, `spirv.assembler-failed`, or what is wrong with the assembled module;
            its byte offset is that in the module.
    """
    found = shutil.which(assembler)
    if found is None:
        return _nothing(
            f"evidence from SPIR-V assembly needs an assembler, and there is no program `{assembler}`"
        )
    program = os.path.abspath(found)  # noqa: PTH100  (it runs in another folder)
    if len(data) > limits.module_bytes:
        message = f"the assembly has {len(data)} bytes, at most {limits.module_bytes} are read"
        raise SpirvError("limit.spirv-bytes", message)
    try:
        module = assemble(data, program, limits, seconds)
    except TimeoutError as error:
        return _nothing(f"evidence from SPIR-V assembly needs an assembler, and {error}")
    return read_spirv(module, limits=limits).facts(f"its SPIR-V assembly, assembled by {_named(program)}")


def _nothing(reason: str) -> ModuleFacts:
    from execgraph.v1 import interface_pb2  # noqa: PLC0415  (start-up)

    return ModuleFacts(
        interface=interface_pb2.Interface(),
        evidence=Evidence.PROVEN,
        source="its SPIR-V assembly",
        unknown={("", ""): reason},
    )


def assemble(data: bytes, program: str, limits: SpirvLimits, seconds: float = SECONDS) -> bytes:
    """Return the module that a program makes out of assembly.

    Raises:
        SpirvError: `spirv.assembler-failed` or `limit.spirv-bytes`.
        TimeoutError: It did not end in time, which says nothing of the text.
    """
    stated = _SPIRV_VERSION.search(data[:4096])
    target = ("--target-env", f"spv1.{stated[1].decode()}") if stated is not None else ()
    with tempfile.TemporaryDirectory(prefix="interlock-") as folder:
        source, module = Path(folder, "module.spvasm"), Path(folder, "module.spv")
        source.write_bytes(data)
        done = run_tool(
            [program, *target, "-o", str(module), str(source)],
            folder,
            seconds=seconds,
            product=module.name,
            product_bytes=limits.module_bytes,
        )
        if done.stopped == "timeout":
            message = f"`{Path(program).name}` did not end within {seconds:g} seconds"
            raise TimeoutError(message)
        size = module.stat().st_size if module.is_file() else 0
        if size > limits.module_bytes:
            message = f"the assembled module has {size} bytes, at most {limits.module_bytes} are read"
            raise SpirvError("limit.spirv-bytes", message)
        if not done.ok or not module.is_file():
            first = next(
                (line for line in done.printed.splitlines() if line.strip()), f"exit code {done.code}"
            )
            message = (
                f"`{Path(program).name}` refuses the assembly: {first.replace(str(source), 'module')[:300]}"
            )
            if done.stopped == "output":
                message = f"`{Path(program).name}` prints more than {PRINTED_BYTES} bytes"
            raise SpirvError("spirv.assembler-failed", message)
        return module.read_bytes()


def _named(program: str) -> str:
    """Return the name of a program with the version that it says it has."""
    return _asked(program, Path(program).stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _asked(program: str, _changed: int) -> str:
    """Ask a program for its version, once as long as it does not change."""
    name = Path(program).name
    with tempfile.TemporaryDirectory(prefix="interlock-") as folder:
        done = run_tool([program, "--version"], folder, seconds=_VERSION_SECONDS)
    found = _VERSION.search(done.printed) if done.ok else None
    return f"{name} {found[0]}" if found is not None else f"{name} of an unknown version"
