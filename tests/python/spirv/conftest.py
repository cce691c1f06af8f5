"""Compilers for the tests: GLSL by glslang, assembly by SPIRV-Tools."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from package_support import require_tool

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def glsl(tmp_path: Path) -> Callable[..., bytes]:
    """Compile a compute shader; `target` is what glslang calls an environment."""
    compiler = require_tool("glslangValidator")

    def compile_(source: str, target: str = "vulkan1.1", *options: str) -> bytes:
        (tmp_path / "shader.comp").write_text(source, encoding="utf-8")
        done = subprocess.run(
            [compiler, "-V", "--target-env", target, *options, "-o", "shader.spv", "shader.comp"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return (tmp_path / "shader.spv").read_bytes()

    return compile_


@pytest.fixture
def asm(tmp_path: Path) -> Callable[..., bytes]:
    """Assemble a module; `version` is that of SPIR-V."""
    assembler = require_tool("spirv-as")

    def assemble(text: str, version: str = "1.3") -> bytes:
        (tmp_path / "module.spvasm").write_text(text, encoding="utf-8")
        done = subprocess.run(
            [assembler, "--target-env", f"spv{version}", "-o", "module.spv", "module.spvasm"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return (tmp_path / "module.spv").read_bytes()

    return assemble
