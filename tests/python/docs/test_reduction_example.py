"""The example of the reduction builds, is ready, and is the same package for C++."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from conformance_suite import ROOT, cpp_tool
from conformance_support import require_cpp
from interlock import Verdict, verify
from interlock.package.opening import open_container
from interlock.report.model import Readiness
from interlock.rules.context import Surroundings
from package_support import require_tool

EXAMPLE = ROOT / "docs" / "examples" / "reduction"


def built(folder: Path, cpp: str) -> tuple[Path, str]:
    """Build the example below a folder; return the package and what was printed."""
    example, package = folder / "reduction", folder / "reduction.tar"
    shutil.copytree(EXAMPLE, example, ignore=shutil.ignore_patterns("build"))
    commands = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = subprocess.run(
        ["sh", example / "build.sh", package],
        env={**os.environ, "PATH": commands, "INTERLOCK_CPP": cpp},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return package, done.stdout


def test_the_package_is_ready(tmp_path: Path):
    require_tool("glslangValidator")
    package, printed = built(tmp_path, "")
    container = open_container(package)
    assert container.document is not None
    digest = container.document.digest
    report = verify(container.document, surroundings=Surroundings(container))
    assert report.verdict is Verdict.SOUND
    assert [(each.graph, each.target, each.readiness) for each in report.readiness] == [
        ("reduction", "vulkan", Readiness.READY)
    ]
    assert report.diagnostics == ()
    assert printed.startswith(f"{digest}  {package}\n")
    assert "\nreadiness\n  reduction  vulkan  READY\n" in printed


def test_cpp_hashes_every_blob_of_the_same_package(tmp_path: Path):
    require_tool("glslangValidator")
    require_cpp()
    package, printed = built(tmp_path, str(cpp_tool()))
    container = open_container(package)
    assert container.document is not None
    kernels = (tmp_path / "reduction" / "build").iterdir()
    size = sum(path.stat().st_size for path in kernels if path.suffix == ".spv")
    with_graph = size + container.document.message.graphs[0].source.reference.size
    assert printed.splitlines()[-1] == f"{container.document.digest}  3 blobs, {with_graph} bytes"
