"""What the tests of the conformance suite share beyond tools/conformance_suite.py."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from conformance_suite import cpp_tool

if TYPE_CHECKING:
    from pathlib import Path


def require_cpp() -> Path:
    """Return the path of `interlock-cpp`, or skip the test; where `INTERLOCK_REQUIRE_CPP` is 1, fail it."""
    return required(cpp_tool(), "`make build` builds it")


def required(path: Path, remedy: str) -> Path:
    """Return a path of the C++ build, or skip the test; where `INTERLOCK_REQUIRE_CPP` is 1, fail it."""
    if not path.exists():
        reason = f"{path} is missing; {remedy}"
        if os.environ.get("INTERLOCK_REQUIRE_CPP") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return path
