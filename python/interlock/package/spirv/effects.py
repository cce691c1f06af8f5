"""What a function does to the roots of pointers, as bits, its callees included."""

from __future__ import annotations

from dataclasses import dataclass, field

READ = 1
WRITE = 2
ATOMIC_READ = 4
ATOMIC_WRITE = 8
LOST = 16
"""Its address goes where it cannot be followed."""
MENTIONED = 32
"""An instruction names it."""
ACCESSED = READ | WRITE | ATOMIC_READ | ATOMIC_WRITE

FLAG = 0
"""Stands for the type that atomic flags have: an integer of 32 bits."""


class TooMuchWorkError(Exception):
    """Following pointers takes more steps than the limit."""


@dataclass(slots=True)
class Summary:
    """What a function does, its callees included: bits by root, reasons by lost root, and more."""

    effects: dict[int, int] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)
    returns: set[int] = field(default_factory=set)
    atomics: set[int] = field(default_factory=set)
    is_updating: bool = False
    is_grouped: bool = False

    def size(self) -> tuple[int, int, int, int]:
        """Return a measure that grows whenever the summary does."""
        return sum(self.effects.values()), len(self.effects), len(self.returns), len(self.atomics)

    def weight(self) -> int:
        """Return how many things it says, each of which costs who looks at all of them."""
        return len(self.effects) + len(self.atomics)
