"""Arithmetic that launch sizes are made of."""

from __future__ import annotations


def ceil_div(dividend: int, divisor: int) -> int:
    return -(-dividend // divisor)


def round_up(value: int, multiple: int) -> int:
    return ceil_div(value, multiple) * multiple


def power_of_two_up(value: int) -> int:
    """Return the least power of two that is not less."""
    return 1 << max(0, value - 1).bit_length()


def block_of(*grid: int, exponent: int = 10) -> tuple[int, int, int]:
    """Return a workgroup of at most 2^exponent invocations for a grid of single invocations.

    The axes are doubled in turn, each while it fits its axis of the grid.
    """
    sizes = [*grid, 1, 1, 1][:3]
    powers = [0, 0, 0]
    grown = True
    while grown:
        grown = False
        for axis, size in enumerate(sizes):
            if sum(powers) < exponent and size >= 2 << powers[axis]:
                powers[axis] += 1
                grown = True
    return 1 << powers[0], 1 << powers[1], 1 << powers[2]


def line_of(threads: int, most: int = 1024) -> tuple[int, int, int]:
    """Return a workgroup of one row for that many invocations."""
    return min(threads, most), 1, 1
