"""Target profiles: what levels of targets guarantee, as data files with the source of each number.

A profile speaks of a device and its API. What a runtime adds on the host, such as conditional and repeated
execution, is offered apart from it.
"""

from __future__ import annotations

from functools import cache
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Final

from interlock.errors import InterlockError
from interlock.package.profiles.codes import PROFILE_CODES

if TYPE_CHECKING:
    from execgraph.v1.profile_pb2 import TargetProfile

__all__ = [
    "MAXIMUM_FILE_BYTES",
    "PROFILE_CODES",
    "ProfileError",
    "canonical_target",
    "default_for",
    "names",
    "profile",
    "profile_text",
]

MAXIMUM_FILE_BYTES: Final = 1 << 16
"""The greatest size of the file of a profile, in bytes."""

_SUFFIX: Final = ".txtpb"
_FILE_SUFFIXES: Final = (_SUFFIX, ".textproto")

_DEFAULTS: Final = {
    "cuda": "cuda-sm50",
    "directx": "directx-12-fl11_0",
    "metal": "metal-3",
    "opengl": "opengl-4.3-minimum",
    "vulkan": "vulkan-1.0-minimum",
    "webgpu": "webgpu-default",
}

_ALIASES: Final = {
    "d3d12": "directx",
    "direct3d12": "directx",
    "dx12": "directx",
    "dxil": "directx",
    "gl": "opengl",
    "msl": "metal",
    "ptx": "cuda",
    "spirv": "vulkan",
    "wgsl": "webgpu",
}


class ProfileError(InterlockError):
    """A profile that cannot be had: exactly one finding, of a code of `PROFILE_CODES`."""


@cache
def names() -> tuple[str, ...]:
    """Return the names of the profiles that come with Interlock, sorted."""
    from importlib.resources import files  # noqa: PLC0415  (only for who asks for a profile)

    found = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found if name.endswith(_SUFFIX)))


def canonical_target(target: str) -> str:
    """Return the name that profiles have for a target: ``webgpu`` for ``wgsl``.

    A name that is not known comes back as it is.
    """
    return _ALIASES.get(target, target)


def default_for(target: str) -> TargetProfile | None:
    """Return the lowest level of a target that a profile describes; None for an unknown target.

    Args:
        target: The target, such as ``vulkan``, or another name for it, such as ``spirv``.
    """
    name = _DEFAULTS.get(canonical_target(target))
    return None if name is None else profile(name)


def profile(name_or_path: str | PathLike[str]) -> TargetProfile:
    """Return a profile that comes with Interlock, by its name, or one of a file.

    The message is the caller's own. A string that ends in ``.txtpb`` or ``.textproto``, or that holds a
    slash, is a path.

    Raises:
        ProfileError: ``profile.unknown``, ``profile.unreadable`` or ``profile.malformed``.
    """
    from execgraph.v1 import profile_pb2  # noqa: PLC0415  (only for who asks for a profile)

    if isinstance(name_or_path, str) and name_or_path in names():
        return profile_pb2.TargetProfile.FromString(_serialized(name_or_path))
    return _read(_file_bytes(name_or_path))


def profile_text(name_or_path: str | PathLike[str]) -> str:
    """Return the file of a profile as it was written, with the comments that name the source of each number.

    Raises:
        ProfileError: As for `profile`.
    """
    if isinstance(name_or_path, str) and name_or_path in names():
        return _builtin_bytes(name_or_path).decode()
    data = _file_bytes(name_or_path)
    _read(data)
    return data.decode()


@cache
def _serialized(name: str) -> bytes:
    """Return a profile of ours as bytes: reading the text costs a hundred times as much."""
    return _read(_builtin_bytes(name)).SerializeToString(deterministic=True)


def _builtin_bytes(name: str) -> bytes:
    from importlib.resources import files  # noqa: PLC0415  (only for who asks for a profile)

    return files(__name__).joinpath(f"{name}{_SUFFIX}").read_bytes()


def _read(data: bytes) -> TargetProfile:
    from interlock.package.profiles.reading import read_profile  # noqa: PLC0415  (only for who asks)

    return read_profile(data)


def _file_bytes(name_or_path: str | PathLike[str]) -> bytes:
    path = fspath(name_or_path)
    if isinstance(name_or_path, str) and "/" not in path and not path.endswith(_FILE_SUFFIXES):
        raise _unknown(path)
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(MAXIMUM_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        text = f"cannot read `{path}`: {reason[:1].lower()}{reason[1:]}"
        raise _error("profile.unreadable", text) from None
    if len(data) > MAXIMUM_FILE_BYTES:
        text = f"`{path}` is larger than {MAXIMUM_FILE_BYTES} bytes, which is the limit for a profile"
        raise _error("profile.malformed", text)
    return data


def _unknown(name: str) -> ProfileError:
    import difflib  # noqa: PLC0415  (only after a typing error)

    near = difflib.get_close_matches(name.lower(), names(), n=3)
    if not near:
        target = canonical_target(name.lower())
        near = [known for known in names() if known.startswith(f"{target}-")]
    listed = ", ".join(f"`{known}`" for known in near or names())
    hint = f"did you mean one of {listed}?" if near else f"there are {listed}"
    return _error("profile.unknown", f"there is no profile `{name}`; {hint}")


def _error(code: str, message: str) -> ProfileError:
    from interlock.diagnostic import ROOT, Diagnostic, Severity  # noqa: PLC0415  (only for failures)

    return ProfileError(Diagnostic(code, Severity.ERROR, ROOT, message))
