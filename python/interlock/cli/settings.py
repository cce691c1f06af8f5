"""What options mean, apart from how they are parsed: limits, encodings, capabilities."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from interlock.cli.failure import ToolFailure
from interlock.limits import DEFAULT_LIMITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from execgraph.v1.profile_pb2 import TargetProfile
    from interlock.codec.encoding import Encoding
    from interlock.limits import Limits

KINDS = ("ExecutionGraph", "Package", "TargetModuleBundle", "TargetPayload", "Envelope")
ENCODINGS = ("binary", "json", "text")
EVIDENCE = ("asserted", "declared", "proven")
"""From the weakest up."""


def limits_from(overrides: tuple[tuple[str, int], ...]) -> Limits:
    """Return the default limits with some replaced."""
    return replace(DEFAULT_LIMITS, **dict(overrides)) if overrides else DEFAULT_LIMITS


def encoding_from(name: str | None) -> Encoding | None:
    """Return the encoding of that name."""
    if name is None:
        return None
    from interlock.codec.encoding import Encoding  # noqa: PLC0415  (start-up)

    return Encoding[name.upper()]


def profiles_from(names: Sequence[str]) -> tuple[TargetProfile, ...]:
    """Return the profiles of some names or files.

    Raises:
        ToolFailure: Two are for one target.
        InterlockError: There is none of a name, or a file holds none.
    """
    if not names:
        return ()
    from interlock.package.profiles import profile  # noqa: PLC0415  (start-up)

    found = tuple(profile(name) for name in names)
    targets = [each.target for each in found]
    for target in targets:
        if targets.count(target) > 1:
            raise ToolFailure("usage.conflict", f"several profiles are for `{target}`")
    return found


def offered_from(names: Sequence[str]) -> frozenset[str] | None:
    """Return the full names of capabilities; nothing where nothing was said.

    Raises:
        ToolFailure: A name is unknown.
    """
    if not names:
        return None
    from interlock.graph.capabilities import capability_name  # noqa: PLC0415  (start-up)

    offered = set()
    for name in names:
        if name.lower() == "none":
            if len(names) > 1:
                raise ToolFailure("usage.conflict", "`--offer none` stands alone")
            continue
        try:
            offered.add(capability_name(name))
        except ValueError as error:
            raise ToolFailure("usage.invalid-value", str(error)) from None
    return frozenset(offered)
