"""The operand table, compiled for a reader that steps over a module once.

An instruction that is not in the table is stepped over by its word count; what its operands are is not known.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from interlock.package.spirv.grammar_table import OPERATIONS

ANY = 1 << 16
"""More words than an instruction can have."""

_ONE_WORD = frozenset("trilem")


@dataclass(frozen=True, slots=True)
class Operation:
    """The shape of one instruction. Positions and counts are in words, the first word of it included.

    Attributes:
        name: Its name.
        least: The fewest words it has.
        most: The most words it has.
        result_type: Whether its first operand is its result type.
        result: Where its result is; 0 if it has none.
        head: Up to where, exclusive, all operands are ids.
        tail: From where on all operands are ids again; 0 if that cannot be told.
    """

    name: str
    least: int
    most: int
    result_type: bool
    result: int
    head: int
    tail: int


@cache
def operations() -> dict[int, Operation]:
    """Return the shape of every known instruction, by opcode."""
    found = {}
    for entry in OPERATIONS.replace("\n", "; ").split("; "):
        if entry:
            opcode, name, layout = entry.split(" ")
            found[int(opcode)] = _compiled(f"Op{name}", "" if layout == "-" else layout)
    return found


def _compiled(name: str, layout: str) -> Operation:
    letters = [
        (letter, layout[place + 1 : place + 2]) for place, letter in enumerate(layout) if letter not in "?*"
    ]
    least = 1 + sum(mark not in ("?", "*") for _, mark in letters)
    bounded = all(letter in _ONE_WORD - {"m"} and mark != "*" for letter, mark in letters)
    most = 1 + len(letters) if bounded else ANY
    result = next((place for place, (letter, _) in enumerate(letters, 1) if letter == "r"), 0)
    result_type = layout.startswith("t")
    head, tail = _id_words(letters)
    return Operation(name, least, most, result_type, result, head, tail)


def _id_words(letters: list[tuple[str, str]]) -> tuple[int, int]:
    """Return up to where the operands are ids, and from where on they are again, if they are to the end."""
    head = 1
    rest = list(letters)
    while rest and rest[0][0] in "tri" and rest[0][1] not in ("?", "*"):
        head += 1
        rest.pop(0)
    if all(letter in "trip" for letter, _ in rest):
        return ANY, 0
    # Operands of one word may stand between; where one is optional, what follows it is too.
    position = head
    while rest and rest[0][0] in "le" and rest[0][1] != "*":
        position += 1
        rest.pop(0)
    if rest and rest[0][0] == "m":
        return head, position + 1
    return (head, position) if rest and all(letter in "ip" for letter, _ in rest) else (head, 0)


def operation_name(opcode: int) -> str:
    """Return the name of an instruction, or its opcode where it has none."""
    known = operations().get(opcode)
    return known.name if known is not None else f"opcode {opcode}"
