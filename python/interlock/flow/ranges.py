"""Sets of integers as ranges, from the first to after the last."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


def united(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the same integers as ascending ranges that do not touch."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return found


def subtracted(whole: tuple[int, int], taken: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield what ascending ranges leave of a range."""
    low, high = whole
    for start, end in taken:
        if start < high and end > low:
            if low < start:
                yield low, start
            low = end
    if low < high:
        yield low, high
