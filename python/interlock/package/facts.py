"""Interface facts with their evidence, merged from all who know something about the bytes of a variant.

A source of facts speaks of one module in the module's own names: the manifest of a foreign container, or a
reader of the bytes themselves. The interface in the package document speaks in logical names; the variant's
mapping translates. For each fact the strongest evidence holds; what weaker evidence says otherwise is kept as
a contradiction.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from execgraph.v1.interface_pb2 import Interface
    from interlock.diagnostic import Evidence


@dataclass(frozen=True, slots=True)
class Place:
    """Where a slot is in one variant: descriptor set, bind group or register space; then the index in it.

    ``space`` tells registers of different kinds apart where a target numbers them separately, such as ``t``
    and ``u`` of HLSL; empty where all share one numbering.
    """

    group: int
    index: int
    space: str = ""


class ImageShape(NamedTuple):
    """What an image slot takes: how many axes of texels, and whether it is an array of layers."""

    axes: int
    is_array: bool


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """What one source knows about one module.

    Attributes:
        interface: Its entries, slots and constants under their own names. An unset field is a fact that this
            source does not know; booleans that are false, numbers that are 0 and lists that are empty are
            known only if ``is_complete``. Whether a slot may stay unbound, which aliases are tolerated and
            whether threads must be exact is known only where it is set.
        evidence: How well all of this is known.
        source: Who says so, for people, such as ``the CrossTL manifest`` or ``its SPIR-V``.
        places: Where slots are, by entry and slot.
        aliases: Other names of slots, by entry and name: targets that know a buffer by its block and by its
            variable, say. The value is the name in ``interface``.
        is_complete: Whether entries, slots, constants and traits beyond those listed do not exist.
        knows_constants: Whether constants beyond those listed do not exist, even if slots may.
        unknown: What this source should know and does not, by entry and slot (empty: all of them), with the
            reason.
        image_shapes: The shapes of image slots, by entry and slot.
        left_open: Fields whose default says nothing although this source is complete, because what they hold
            is not known, by entry and slot (empty: those of the entry).
        shared_bytes: Tells the static shared memory of an entry where specialization constants have these
            values, by number; None if that cannot be told. Absent where no constant decides about it.
    """

    interface: Interface
    evidence: Evidence
    source: str
    places: Mapping[tuple[str, str], Place] = field(default_factory=dict)
    aliases: Mapping[tuple[str, str], str] = field(default_factory=dict)
    is_complete: bool = False
    knows_constants: bool = False
    unknown: Mapping[tuple[str, str], str] = field(default_factory=dict)
    image_shapes: Mapping[tuple[str, str], ImageShape] = field(default_factory=dict)
    left_open: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    shared_bytes: Callable[[str, Mapping[int, int]], int | None] | None = None
