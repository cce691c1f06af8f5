"""What CrossTL calls targets and forms of code, and the ids that its artifacts have in the contract."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

TARGETS = {
    "cuda": "cuda",
    "directx": "directx",
    "hip": "hip",
    "metal": "metal",
    "mojo": "mojo",
    "opengl": "opengl",
    "rust": "rust",
    "slang": "slang",
    "vulkan": "vulkan",
    "webgl": "webgl",
    "wgsl": "webgpu",
}
"""The targets that CrossTL 3.4.0 translates to, with their names in the contract."""

_FORMS_BY_SUFFIX = {
    ".cso": "dxil",
    ".dxil": "dxil",
    ".glsl": "glsl",
    ".hip": "hip-source",
    ".hlsl": "hlsl",
    ".metal": "msl",
    ".metallib": "metallib",
    ".ptx": "ptx",
    ".spv": "spirv",
    ".spvasm": "spirv-assembly",
    ".wgsl": "wgsl",
}
_FORMS_BY_TARGET = {
    "cuda": "cuda-source",
    "directx": "hlsl",
    "hip": "hip-source",
    "metal": "msl",
    "mojo": "mojo-source",
    "opengl": "glsl",
    "rust": "rust-source",
    "slang": "slang",
    "vulkan": "spirv-assembly",
    "webgl": "glsl",
    "webgpu": "wgsl",
}

MAXIMUM_ID_BYTES = 255
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/-]*")
_OTHER_CHARACTERS = re.compile(r"[^A-Za-z0-9_.:/-]+")


def content_identity(target: str, path: str) -> str | None:
    """Return the content type of a file that CrossTL wrote for a target of the contract; None if unknown."""
    _, dot, suffix = path.rpartition("/")[2].rpartition(".")
    return _FORMS_BY_SUFFIX.get(dot + suffix.lower()) or _FORMS_BY_TARGET.get(target)


def is_id(text: str) -> bool:
    """Tell whether a string is an id in both formats."""
    return len(text) <= MAXIMUM_ID_BYTES and _ID.fullmatch(text) is not None


def as_id(wish: str) -> str:
    """Return ``wish``, made an id."""
    return (_OTHER_CHARACTERS.sub("_", wish).lstrip("_.:/-") or "unnamed")[:MAXIMUM_ID_BYTES]


def fresh_id(wish: str, taken: Collection[str]) -> str:
    """Return ``wish``, made an id and made different from every id in ``taken``."""
    base = as_id(wish)
    candidate, number = base, 2
    while candidate in taken:
        suffix = f".{number}"
        candidate, number = base[: MAXIMUM_ID_BYTES - len(suffix)] + suffix, number + 1
    return candidate


def file_stem(path: str) -> str:
    """Return the name of a file without its folders and everything from its first dot."""
    return re.split(r"[/\\]", path.strip())[-1].split(".")[0]


def source_ids(sources: Iterable[str]) -> dict[str, str]:
    """Return the artifact id of each source.

    It is the one that importing a graph gives to a selector of the source alone: the stem of the file. Where
    several sources would have it, each has the id of its whole path instead, because a graph that selects one
    of them does not say which.
    """
    stems: dict[str, list[str]] = {}
    for source in sorted(set(sources)):
        stems.setdefault(as_id(file_stem(source) or source), []).append(source)
    ids = {sharing[0]: stem for stem, sharing in stems.items() if len(sharing) == 1}
    taken = set(stems)
    for sharing in stems.values():
        for source in sharing if len(sharing) > 1 else ():
            ids[source] = fresh_id(source, taken)
            taken.add(ids[source])
    return ids
