"""Reading the file of a target profile: strict, with a sentence for each mistake."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from execgraph.v1 import profile_pb2
from interlock.codec.schema import schema
from interlock.codec.walk import check_message, sort_sets
from interlock.diagnostic import ROOT, Diagnostic, Path, Severity
from interlock.errors import CodecError
from interlock.package.profiles import ProfileError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from execgraph.v1.profile_pb2 import TargetProfile

_AXES = ("maximum_workgroup_size", "maximum_workgroup_count")
_DEPTH = 1
"""A profile holds no messages."""


def read_profile(data: bytes) -> TargetProfile:
    """Return the profile that a file in the protobuf text format holds, its sets sorted.

    Raises:
        ProfileError: ``profile.malformed``.
    """
    from google.protobuf import text_format  # noqa: PLC0415 - costs more than everything else here

    try:
        message = text_format.Parse(data.decode(), profile_pb2.TargetProfile())
    except UnicodeDecodeError:
        raise _malformed("the file is not UTF-8") from None
    except (text_format.ParseError, ValueError) as error:
        raise _malformed(f"the protobuf text format cannot be parsed: {error}") from None
    mistake = next(_mistakes(message), None)
    if mistake is not None:
        raise _malformed(mistake[1], mistake[0])
    info = schema().message_of(message)
    try:
        check_message(message, info, _DEPTH)
    except CodecError as error:
        raise _malformed(error.diagnostics[0].message, error.path) from None
    sort_sets(message, info)
    return message


def _mistakes(message: TargetProfile) -> Iterator[tuple[Path, str]]:
    """Yield what is wrong with the numbers of a profile, in the order of its fields."""
    for name in ("identity", "target"):
        if not getattr(message, name):
            yield ROOT.field(name), f"the profile has no `{name}`"
    if message.generation == 0:
        yield ROOT.field("generation"), "the generation is `0`; required is at least 1"
    for name in _AXES:
        axes = getattr(message, name)
        if len(axes) != 3:
            yield ROOT.field(name), f"`{len(axes)}` numbers; required are three, for x, y and z"
        for axis, value in enumerate(axes):
            if value == 0:
                yield ROOT.element(name, axis), "the axis is `0`; required is at least 1"
    yield from _invocations(message)
    yield from _subgroups(message)
    alignment = message.storage_offset_alignment
    if alignment & (alignment - 1):
        yield ROOT.field("storage_offset_alignment"), f"`{alignment}` is no power of two"
    for position, capability in enumerate(message.capabilities):
        if capability == 0:
            yield ROOT.element("capabilities", position), "`CAPABILITY_UNSPECIFIED` is no capability"


def _invocations(message: TargetProfile) -> Iterator[tuple[Path, str]]:
    invocations = message.maximum_workgroup_invocations
    place = ROOT.field("maximum_workgroup_invocations")
    if invocations == 0:
        yield place, "the greatest number of invocations is `0`; required is at least 1"
    elif invocations > prod(message.maximum_workgroup_size):
        most = prod(message.maximum_workgroup_size)
        yield place, f"`{invocations}` invocations do not fit into the greatest workgroup, which has {most}"


def _subgroups(message: TargetProfile) -> Iterator[tuple[Path, str]]:
    previous = 0
    for position, size in enumerate(message.subgroup_sizes):
        place = ROOT.element("subgroup_sizes", position)
        if size == 0 or size & (size - 1):
            yield place, f"`{size}` is no power of two"
        elif size <= previous:
            yield place, f"`{size}` follows {previous}; required are ascending sizes"
        previous = size


def _malformed(message: str, path: Path = ROOT) -> ProfileError:
    return ProfileError(Diagnostic("profile.malformed", Severity.ERROR, path, message))
