"""Bounds on names and values of modules, and groups of decorations."""

from __future__ import annotations

import pytest

from interlock.package.spirv.errors import SpirvError
from interlock.package.spirv.reader import spirv_facts
from spirv_builder import (
    BLOCK,
    CONSTANT,
    DECORATE,
    ENTRY_POINT,
    FUNCTION,
    FUNCTION_END,
    LABEL,
    MEMBER_DECORATE,
    MEMBER_NAME,
    NAME,
    OFFSET,
    PREAMBLE,
    RETURN,
    STORAGE_BUFFER,
    TYPE_ARRAY,
    TYPE_FUNCTION,
    TYPE_INT,
    TYPE_POINTER,
    TYPE_STRUCT,
    TYPE_VECTOR,
    TYPE_VOID,
    VARIABLE,
    module,
    op,
)

TYPES = (
    op(TYPE_VOID, 2),
    op(TYPE_FUNCTION, 3, 2),
    op(TYPE_INT, 1, 32, 0),
    op(TYPE_STRUCT, 6, 1),
    op(TYPE_POINTER, 7, STORAGE_BUFFER, 6),
    op(CONSTANT, 1, 9, 0),
)
HEAD = (
    *PREAMBLE,
    op(ENTRY_POINT, 5, 4, "main"),
    op(DECORATE, 6, BLOCK),
    op(MEMBER_DECORATE, 6, 0, OFFSET, 0),
)
BEGIN = (op(FUNCTION, 2, 4, 0, 3), op(LABEL, 5))
END = (op(RETURN), op(FUNCTION_END))
NON_WRITABLE, DECORATION_GROUP, GROUP_DECORATE = 24, 73, 74
COMPOSITE, SPEC_OPERATION, COMPOSITE_INSERT, ADD = 51, 52, 82, 128
LONG = "n" * 1025


def _named_members(*names: str) -> bytes:
    """A block in a block with two members of these names; the first is that of the block within."""
    named = [
        op(MEMBER_NAME, 21, 0, names[0]),
        *[op(MEMBER_NAME, 20, at, name) for at, name in enumerate(names[1:])],
    ]
    decorations = [op(MEMBER_DECORATE, 20, 0, OFFSET, 0), op(MEMBER_DECORATE, 20, 1, OFFSET, 4)]
    types = [op(TYPE_STRUCT, 20, 1, 1), op(TYPE_STRUCT, 21, 20), op(TYPE_POINTER, 22, STORAGE_BUFFER, 21)]
    decorations.append(op(MEMBER_DECORATE, 21, 0, OFFSET, 0))
    variable = op(VARIABLE, 22, 40, STORAGE_BUFFER)
    return module(
        HEAD[0], HEAD[1], HEAD[2], *named, *HEAD[3:], *decorations, *TYPES, *types, variable, *BEGIN, *END
    )


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (("a", "b", "c"), ["a.b", "a.c"]),
        (("a" * 1000, "b" * 23, "c" * 24), ["a" * 1000 + "." + "b" * 23, ""]),
        ((LONG, "b", "c"), ["", ""]),
        (("a", LONG, "c"), ["", "a.c"]),
    ],
)
def test_long_names_count_as_none(names: tuple[str, ...], found: list[str]):
    (slot,) = spirv_facts(_named_members(*names)).interface.entries[0].slots
    assert [member.name for member in slot.members] == found


def test_a_long_name_of_a_variable_counts_as_none():
    variable = op(VARIABLE, 7, 40, STORAGE_BUFFER)
    data = module(
        *HEAD[:3], op(NAME, 40, LONG), op(NAME, 6, LONG[1:]), *HEAD[3:], *TYPES, variable, *BEGIN, *END
    )
    assert [slot.name for slot in spirv_facts(data).interface.entries[0].slots] == [LONG[1:]]


def test_a_long_name_of_an_entry_point_is_refused():
    with pytest.raises(SpirvError) as caught:
        spirv_facts(module(*PREAMBLE, op(ENTRY_POINT, 5, 4, LONG), *TYPES, *BEGIN, *END))
    assert (caught.value.code, caught.value.diagnostics[0].byte_offset) == ("limit.spirv-name", 4 * 10)


@pytest.mark.parametrize("operation", [COMPOSITE_INSERT, ADD])
def test_values_of_constants_never_nest(operation: int):
    """Put into itself, a value would double with each instruction, and be no operand of another."""
    constants = [op(COMPOSITE, 30, 1000, 9, 9)]
    for at in range(1000, 1080, 2):
        constants.append(op(SPEC_OPERATION, 30, at + 1, COMPOSITE_INSERT, at, at, 0))
        last = (at + 1, 1) if operation == COMPOSITE_INSERT else (at + 1,)
        constants.append(op(SPEC_OPERATION, 30, at + 2, operation, at, *last))
    array = op(TYPE_ARRAY, 31, 1, 1080)
    data = module(*HEAD, *TYPES, op(TYPE_VECTOR, 30, 1, 2), *constants, array, *BEGIN, *END, bound=2000)
    with pytest.raises(SpirvError) as caught:
        spirv_facts(data)
    assert caught.value.code == "spirv.bad-array-length"
    assert len(caught.value.diagnostics[0].message) < 200


def test_a_group_is_complete_when_it_is_used():
    group = [op(DECORATION_GROUP, 60), op(GROUP_DECORATE, 60, 6), op(DECORATE, 60, NON_WRITABLE)]
    with pytest.raises(SpirvError) as caught:
        spirv_facts(module(*HEAD, *group, *TYPES, *BEGIN, *END))
    assert caught.value.code == "spirv.misplaced-instruction"
