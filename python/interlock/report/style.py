"""Colours on terminals, and plain text everywhere else."""

from __future__ import annotations

from dataclasses import dataclass

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}


@dataclass(frozen=True, slots=True)
class Style:
    """Wraps text in ANSI sequences, or leaves it alone when ``color`` is false."""

    color: bool = False

    def __call__(self, text: str, *names: str) -> str:
        """Return ``text`` in the named colours and weights."""
        if not self.color or not names:
            return text
        codes = ";".join(_CODES[name] for name in names)
        return f"\x1b[{codes}m{text}\x1b[0m"


PLAIN = Style()


def printable(text: str) -> str:
    """Return ``text`` with control characters and surrogates escaped.

    Safe for any terminal and any encoding of it.
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


def plural(count: int, noun: str) -> str:
    """Return a count with its noun: ``1 error``, ``2 errors``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
