"""Small documents, and a way to run the command in this process or in one of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

import interlock
from interlock.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TINY = """\
# proto-message: execgraph.v1.ExecutionGraph
id: "tiny"
resources {
  id: "x"
  role: RESOURCE_ROLE_EXTERNAL_OUTPUT
  type { element: ELEMENT_TYPE_U32 }
  shape { constant: 4 }
  size { constant: 16 }
}
body {
  nodes {
    id: "zero"
    operation {
      fill {
        destination { resource: "x" }
        pattern { element: ELEMENT_TYPE_U32 bits: "\\000\\000\\000\\000" }
      }
    }
  }
}
maximum_node_executions: 1
"""
CYCLE = (
    TINY.replace('    id: "zero"\n', '    id: "zero"\n    depends_on: "one"\n')
    .replace("body {\n", 'body {\n  nodes { id: "one" depends_on: "zero" operation { barrier {} } }\n')
    .replace("maximum_node_executions: 1", "maximum_node_executions: 2")
)

DISPATCH = (
    TINY.partition("body {\n")[0]
    + """\
artifacts { id: "kernel" }
body {
  nodes {
    id: "zero"
    operation {
      dispatch {
        artifact: "kernel"
        entry: "main"
        bindings { slot: "out" target { resource: "x" } access: ACCESS_MODE_WRITE coverage: COVERAGE_FULL }
        geometry { workgroup_count { extents { counts { constant: 1 } } } workgroup_size: 4 }
      }
    }
  }
}
maximum_node_executions: 1
"""
)
"""Sound, and resting on what the producer claims of a kernel."""
PARTIAL = DISPATCH.replace(" coverage: COVERAGE_FULL", "")
RACE = DISPATCH.replace(
    "body {\n",
    """\
visibility_model: VISIBILITY_MODEL_EDGES_CARRY_ALL
disjointness_assertions {
  first { node: "one" }
  second { node: "zero" }
  justification: "each writes its half"
}
body {
  nodes {
    id: "one"
    operation {
      dispatch {
        artifact: "kernel"
        entry: "main"
        bindings { slot: "out" target { resource: "x" } access: ACCESS_MODE_WRITE coverage: COVERAGE_FULL }
        geometry { workgroup_count { extents { counts { constant: 1 } } } workgroup_size: 4 }
      }
    }
  }
""",
).replace("maximum_node_executions: 1", "maximum_node_executions: 2")
"""Two dispatches race, and the producer asserts that they do not."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run of the command left behind."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        return self.out.decode()

    @property
    def errors(self) -> str:
        return self.err.decode()


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, which is also the current one, with the same graph in each encoding and a broken one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    document = interlock.loads(TINY)
    (tmp_path / "tiny.txtpb").write_text(TINY)
    (tmp_path / "tiny.json").write_bytes(document.json())
    (tmp_path / "tiny.binpb").write_bytes(document.binary)
    (tmp_path / "cycle.json").write_bytes(interlock.loads(CYCLE).json())
    (tmp_path / "dispatch.json").write_bytes(interlock.loads(DISPATCH).json())
    (tmp_path / "partial.json").write_bytes(interlock.loads(PARTIAL).json())
    (tmp_path / "race.json").write_bytes(interlock.loads(RACE).json())
    (tmp_path / "not.json").write_bytes(b'{"header":{"kind":1,"kind":2}}')
    return tmp_path


@pytest.fixture
def run(
    documents: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Ran]:
    """Run the command in this process."""
    del documents

    def run_(*words: str, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsysbinary.readouterr()
        code = main(words)
        out, err = capsysbinary.readouterr()
        return Ran(code, out, err)

    return run_


@pytest.fixture
def process(documents: Path) -> Callable[..., Ran]:
    """Run the command in a process of its own."""

    def run_(*words: str, stdin: bytes = b"", **environment: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "interlock", *words],
            input=stdin,
            capture_output=True,
            check=False,
            cwd=documents,
            env={**os.environ, **environment},
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run_
