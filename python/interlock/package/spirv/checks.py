"""What is wrong with a module, said exactly. Nothing here runs before it is known that something is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.package.spirv.errors import SpirvError
from interlock.package.spirv.grammar import ANY, operation_name, operations
from interlock.package.spirv.words import HEADER_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence

    from interlock.package.spirv.words import Words

_TYPE_OPERANDS = {
    23: slice(2, 3),
    24: slice(2, 3),
    25: slice(2, 3),
    27: slice(2, 3),
    28: slice(2, 3),
    29: slice(2, 3),
    30: slice(2, None),
    32: slice(3, 4),
}
"""Where an instruction that defines a type names the types it is made of."""


def instructions(words: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first word of every instruction, and the word after it, up to the first that has no end."""
    at = HEADER_WORDS
    while at < len(words):
        end = at + (words[at] >> 16)
        if not at < end <= len(words):
            return
        yield at, end
        at = end


def misframed(words: Sequence[int], at: int) -> SpirvError:
    """Return why an instruction cannot have the words it states."""
    size = words[at] >> 16
    opcode = words[at] & 0xFFFF
    name = operation_name(opcode)
    if size == 0:
        message = f"`{name}` states a length of 0 words, required is at least 1"
        return SpirvError("spirv.zero-word-count", message, 4 * at)
    left = len(words) - at
    if size > left:
        message = f"`{name}` states a length of {size} words, {left} are left of the module"
        return SpirvError("spirv.truncated-instruction", message, 4 * at)
    shape = operations()[opcode]
    required = f"at least {shape.least}" if shape.most >= ANY else f"{shape.least} to {shape.most}"
    if shape.least == shape.most:
        required = str(shape.least)
    return SpirvError("spirv.word-count", f"`{name}` has {size} words, required are {required}", 4 * at)


def id_fault(words: Sequence[int], ident: int, name: str) -> tuple[str, str] | None:
    """Return code and message if a word is no id at all."""
    if ident == 0:
        return "spirv.id-zero", f"an id of `{name}` is `0`, required is at least 1"
    if ident >= words[3]:
        return (
            "spirv.id-out-of-bound",
            f"an id of `{name}` is `{ident}`, required is less than the bound `{words[3]}`",
        )
    return None


def defined_at(words: Sequence[int], ident: int) -> int | None:
    """Return the first word of the instruction that defines an id; None if there is none."""
    for at, end in instructions(words):
        known = operations().get(words[at] & 0xFFFF)
        if known is not None and 0 < known.result < end - at and words[at + known.result] == ident:
            return at
    return None


def wrong_kind(words: Sequence[int], at: int, ident: int, required: str) -> SpirvError:
    """Return that an id stands for something else than its instruction demands."""
    name = operation_name(words[at] & 0xFFFF)
    fault = id_fault(words, ident, name)
    if fault is not None:
        return SpirvError(*fault, 4 * at)
    place = defined_at(words, ident)
    if place is None:
        return SpirvError("spirv.undefined-id", f"`{name}` uses %{ident}, which nothing defines", 4 * at)
    other = operation_name(words[place] & 0xFFFF)
    message = f"`{name}` uses %{ident}, which `{other}` defines, required is {required}"
    return SpirvError("spirv.wrong-id-kind", message, 4 * at)


def cycle_through(words: Sequence[int], start: int) -> bool:
    """Tell whether the type that an instruction defines is made of itself."""
    operands: dict[int, Sequence[int]] = {}
    for at, end in instructions(words):
        opcode = words[at] & 0xFFFF
        if opcode in _TYPE_OPERANDS and end > at + 1:
            operands.setdefault(words[at + 1], words[at:end][_TYPE_OPERANDS[opcode]])
    target = words[start + 1]
    waiting = list(operands.get(target, ()))
    seen = set()
    while waiting:
        ident = waiting.pop()
        if ident == target:
            return True
        if ident not in seen:
            seen.add(ident)
            waiting += operands.get(ident, ())
    return False


def check_ids(
    header: Words,
    named: set[int],
    results: list[int],
    result_types: set[int],
    types: Container[int],
    strange: set[int],
) -> None:
    """Check all ids of a module at once.

    Args:
        header: The module.
        named: The ids that instructions use.
        results: The ids that they define.
        result_types: The ids that they use as result types.
        types: The ids of types.
        strange: Words of instructions that nobody knows.

    Raises:
        SpirvError: `spirv.id-zero`, `spirv.id-out-of-bound`, `spirv.duplicate-id`, `spirv.undefined-id` or
            `spirv.wrong-id-kind`, at the first instruction that is wrong.
    """
    defined = set(results)
    everything = named | defined
    if 0 in everything or (everything and max(everything) >= header.bound):
        raise _first(header.words, lambda ident, _: id_fault(header.words, ident, ""))
    if len(defined) != len(results):
        raise _duplicate(header.words)
    undefined = named - defined - strange
    if undefined:
        raise _first(
            header.words,
            lambda ident, name: (
                ("spirv.undefined-id", f"`{name}` uses %{ident}, which nothing defines")
                if ident in undefined
                else None
            ),
        )
    for type_id in result_types:
        if type_id not in types and type_id not in strange:
            raise _wrong_result_type(header.words, types, strange)


def _first(words: Sequence[int], fault: Callable[[int, str], tuple[str, str] | None]) -> SpirvError:
    """Return what is wrong with the first id that is."""
    for at, end in instructions(words):
        known = operations().get(words[at] & 0xFFFF)
        if known is None:
            continue
        for ident in _ids(words, at, end):
            found = fault(ident, known.name)
            if found is not None:
                code, message = id_fault(words, ident, known.name) or found
                return SpirvError(code, message, 4 * at)
    raise AssertionError("an id is wrong, but no instruction has it")


def _ids(words: Sequence[int], at: int, end: int) -> Sequence[int]:
    known = operations()[words[at] & 0xFFFF]
    if words[at] & 0xFFFF == 15:
        # The interface of an entry point follows its name, whose last word is the first with a zero byte.
        place = at + 3
        while place < end and all(words[place] >> shift & 0xFF for shift in (0, 8, 16, 24)):
            place += 1
        return [words[at + 2], *words[place + 1 : end]]
    head = words[at + 1 : min(end, at + known.head)]
    return [*head, *words[at + known.tail : end]] if known.tail else head


def _duplicate(words: Sequence[int]) -> SpirvError:
    seen: dict[int, str] = {}
    for at, _ in instructions(words):
        known = operations().get(words[at] & 0xFFFF)
        if known is None or not known.result:
            continue
        ident = words[at + known.result]
        if ident in seen:
            message = f"`{known.name}` defines %{ident}, which `{seen[ident]}` defines before"
            return SpirvError("spirv.duplicate-id", message, 4 * at)
        seen[ident] = known.name
    raise AssertionError("an id is defined twice, but not by two instructions")


def _wrong_result_type(words: Sequence[int], types: Container[int], strange: set[int]) -> SpirvError:
    for at, _ in instructions(words):
        known = operations().get(words[at] & 0xFFFF)
        if known is not None and known.result_type:
            ident = words[at + 1]
            if ident not in types and ident not in strange:
                return wrong_kind(words, at, ident, "a type")
    raise AssertionError("a result type is none, but no instruction has it")
