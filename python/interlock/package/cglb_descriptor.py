"""The native artifact descriptor of a CrossGL package: the only file in it that states digests."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from interlock.package.metadata import malformed
from interlock.package.records import optional, optional_text, some_text

if TYPE_CHECKING:
    from interlock.diagnostic import Path
    from interlock.package.metadata import Record

_KIND: Final = "crossgl.nativeArtifact"
_CONTRACT: Final = "native-artifact-v0"
_FORMS: Final = {
    "directx.dxbc": "dxbc",
    "directx.dxil": "dxil",
    "metal.metallib": "metallib",
    "opengl.package": "opengl-program",
    "opengl.source": "glsl",
    "vulkan.spirv-module": "spirv",
}
_SHA256: Final = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Pin:
    """A file with the digest and size it has to have. ``path`` is where that is stated."""

    location: str
    digest: str
    size: int | None
    path: Path


@dataclass(frozen=True, slots=True)
class Descriptor:
    """What the descriptor says. ``form`` is the content type of the native binary; empty if unknown."""

    form: str
    pins: tuple[Pin, ...]


def read_descriptor(record: Record, target: str) -> Descriptor:
    """Return what a descriptor says.

    Raises:
        ContainerError: `container.malformed` at the first member that is not as it has to be.
    """
    record.require("schemaVersion", 1)
    record.require("kind", _KIND)
    record.require("contractVersion", _CONTRACT)
    record.require("target", target)
    kind = some_text(record, "binaryKind")
    if kind not in _FORMS or not kind.startswith(f"{target}."):
        raise malformed(f"`{kind[:80]}` is no kind of binary of `{target}`", record.place("binaryKind"))
    if optional_text(record, "validationStatus") == "failed":
        raise malformed("the validation of the native artifact failed", record.place("validationStatus"))
    pins = [_pin(record, "sourcePath", "sourceHash", None)]
    if any(optional(record, name) is not None for name in ("artifactPath", "artifactHash", "sizeBytes")):
        pins.append(_pin(record, "artifactPath", "artifactHash", "sizeBytes"))
    return Descriptor(_FORMS[kind], tuple(pins))


def _pin(record: Record, location: str, hashed: str, size: str | None) -> Pin:
    stated = record.record(hashed)
    stated.require("algorithm", "sha256")
    value = stated.text("value")
    if not _SHA256.fullmatch(value):
        raise malformed("64 lower-case hexadecimal digits are required", stated.place("value"))
    count = None if size is None else record.count(size)
    return Pin(some_text(record, location), f"sha256:{value}", count, record.place(hashed))
