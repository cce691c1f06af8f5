"""Copies of foreign packages for tests, changed in one place each."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from interlock.diagnostic import Severity
from interlock.errors import InterlockError

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlock.package.container import Container

Json = dict[str, Any]

PACKAGES = Path(__file__).resolve().parents[1] / "fixtures" / "packages"
CROSSTL = PACKAGES / "crosstl_two_stage"
NATIVE = PACKAGES / "scale_bias.vulkan.cglb"
SOURCE = PACKAGES / "scale_bias.opengl.cglb"

DIGITS = "0" * 64


def copied(package: Path, folder: Path) -> Path:
    """Copy a package below a folder."""
    target = folder / package.name
    shutil.copytree(package, target)
    return target


def changed(package: Path, folder: Path, name: str, *changes: tuple[str, object]) -> Path:
    """Copy a package with members of one of its JSON files set; `...` removes one."""
    target = copied(package, folder)
    path = target / name
    path.write_text(json.dumps(spoiled(json.loads(path.read_text()), *changes)))
    return target


def spoiled(document: Json, *changes: tuple[str, object]) -> Json:
    """Return a document with members set by their place, such as `artifacts/0/hash`; `...` removes one."""
    document = copy.deepcopy(document)
    for place, value in changes:
        *outer, last = place.split("/")
        holder: Any = document
        for step in outer:
            holder = holder[int(step)] if isinstance(holder, list) else holder[step]
        key: Any = int(last) if isinstance(holder, list) else last
        if value is ...:
            del holder[key]
        elif isinstance(holder, list) and key == len(holder):
            holder.append(value)
        else:
            holder[key] = value
    return document


def remarks(container: Container) -> list[tuple[str, str]]:
    """What opening found, but for notes: codes and paths."""
    return [
        (found.code, str(found.path))
        for found in container.diagnostics
        if found.severity is not Severity.NOTE
    ]


def refusal(read: Callable[..., object], *arguments: object) -> tuple[str, str]:
    """The one finding for which something is refused: code and path."""
    with pytest.raises(InterlockError) as failure:
        read(*arguments)
    (found,) = failure.value.diagnostics
    return found.code, str(found.path)


def every_file(package: Path) -> dict[str, bytes]:
    """The bytes of every file of a package, by name."""
    return {
        path.relative_to(package).as_posix(): path.read_bytes()
        for path in sorted(package.rglob("*"))
        if path.is_file()
    }


KEYS_OF_OLD_READERS = frozenset(
    (
        "backendSource",
        "backendAssembly",
        "graphicsAbi",
        "intermediate",
        "nativeBinary",
        "nativeProfile",
        "nativeArtifactDescriptor",
        "nativeBinaryStatus",
        "debugMetadata",
        "hirSourceMap",
        "targetExplanation",
    )
)


class UnexpectedKeyError(Exception):
    pass


def read_as_an_old_reader(package: Path) -> dict[str, bytes]:
    """Read a package like a reader that knows every key by name and has never heard of graphs."""
    manifest = json.loads((package / "manifest.json").read_text())
    if not manifest["artifacts"].keys() <= KEYS_OF_OLD_READERS:
        raise UnexpectedKeyError
    return {
        key: (package / path).read_bytes()
        for key, path in manifest["artifacts"].items()
        if key != "nativeBinaryStatus" and (package / path).exists()
    }
