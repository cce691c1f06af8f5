"""Check that pyproject.toml and tools/pins/ say the same about each package that both name."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def pins(name: str) -> dict[str, str]:
    """Return the pinned version of every package in one file of tools/pins."""
    text = (ROOT / "tools" / "pins" / f"{name}.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w.-]+)==(\S+)$", text, re.MULTILINE))


def lower_bounds(requirements: list[str]) -> dict[str, str]:
    """Return the oldest release that each requirement allows."""
    found = (re.match(r"([\w.-]+)\s*(?:>=|==)([\d.]+)", requirement) for requirement in requirements)
    return {match[1]: match[2] for match in found if match}


def main() -> None:
    """Fail with one sentence for each thing that disagrees."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    findings = []
    if lower_bounds(project["dependencies"]) != pins("floor"):
        findings.append("tools/pins/floor.txt is not the lower end of [project.dependencies]")
    if set(pins("floor")) - set(pins("runtime")):
        findings.append("tools/pins/runtime.txt lacks a package of [project.dependencies]")
    if lower_bounds(extras["crosstl"])["crosstl"] != pins("test")["crosstl"]:
        findings.append("tools/pins/test.txt pins another crosstl than the extra `crosstl`")
    if not pins("betterproto")["betterproto2"].startswith(
        lower_bounds(extras["betterproto"])["betterproto2"]
    ):
        findings.append(
            "tools/pins/betterproto.txt pins a betterproto2 that the extra `betterproto` does not name"
        )
    if findings:
        sys.exit("\n".join(findings))


if __name__ == "__main__":
    main()
