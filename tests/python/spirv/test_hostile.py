"""Hostile modules cost no more than others of their size, and damaged ones end with a structured error."""

from __future__ import annotations

import time
from array import array
from random import Random
from typing import TYPE_CHECKING

import pytest

import spirv_words
from interlock.package.spirv.errors import SpirvError
from interlock.package.spirv.reader import read_spirv, spirv_facts
from spirv_builder import (
    ACCESS_CHAIN,
    BINDING,
    BLOCK,
    CONSTANT,
    DECORATE,
    DESCRIPTOR_SET,
    ENTRY_POINT,
    FUNCTION,
    FUNCTION_CALL,
    FUNCTION_END,
    FUNCTION_PARAMETER,
    LABEL,
    LOAD,
    MEMBER_DECORATE,
    OFFSET,
    PHI,
    PREAMBLE,
    RETURN,
    STORAGE_BUFFER,
    STORE,
    TYPE_FLOAT,
    TYPE_FUNCTION,
    TYPE_INT,
    TYPE_POINTER,
    TYPE_STRUCT,
    TYPE_VOID,
    VARIABLE,
    module,
    op,
)

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = 25_600
"""100 KiB."""
BOUND = 1 << 20
PRIVATE, SPEC_ID, NON_WRITABLE, NON_READABLE = 6, 1, 24, 25
COMPOSITE, SPEC_CONSTANT, SPEC_OPERATION, COMPOSITE_INSERT, ADD = 51, 50, 52, 82, 128
DECORATION_GROUP, GROUP_DECORATE, ATOMIC_ADD, RETURN_VALUE = 73, 74, 234, 254
TYPES = (
    op(TYPE_VOID, 2),
    op(TYPE_FUNCTION, 3, 2),
    op(TYPE_INT, 1, 32, 0),
    op(TYPE_STRUCT, 6, 1),
    op(TYPE_POINTER, 7, STORAGE_BUFFER, 6),
    op(TYPE_POINTER, 8, STORAGE_BUFFER, 1),
    op(CONSTANT, 1, 9, 0),
    op(TYPE_FUNCTION, 11, 2, 7),
)
HEAD = (
    *PREAMBLE,
    op(ENTRY_POINT, 5, 4, "main"),
    op(DECORATE, 6, BLOCK),
    op(MEMBER_DECORATE, 6, 0, OFFSET, 0),
)
BEGIN = (op(FUNCTION, 2, 4, 0, 3), op(LABEL, 5))
END = (op(RETURN), op(FUNCTION_END))


def many_variables(count: int) -> bytes:
    ids = range(1000, 1000 + count)
    decorations = [op(DECORATE, each, BINDING, each) for each in ids]
    decorations += [op(DECORATE, each, DESCRIPTOR_SET, 0) for each in ids]
    variables = [op(VARIABLE, 7, each, STORAGE_BUFFER) for each in ids]
    body = [op(ACCESS_CHAIN, 8, each + count, each, 9) for each in ids]
    return module(*HEAD, *decorations, *TYPES, *variables, *BEGIN, *body, *END, bound=BOUND)


def phis_backwards(count: int) -> bytes:
    """Each pointer is that of the next, and the last is a variable: one pass knows one more."""
    phis = [op(PHI, 8, 1000 + each, 1001 + each, 5) for each in range(count)]
    last = op(ACCESS_CHAIN, 8, 1000 + count, 900, 9)
    variable = op(VARIABLE, 7, 900, STORAGE_BUFFER)
    return module(*HEAD, *TYPES, variable, *BEGIN, *phis, last, op(STORE, 1000, 9), *END, bound=BOUND)


def unions(count: int) -> bytes:
    """Each pointer leads to one variable more."""
    ids = range(1000, 1000 + count)
    variables = [op(VARIABLE, 7, each, STORAGE_BUFFER) for each in ids]
    phis = [op(PHI, 7, each + count, each, 5, each + count - 1, 5) for each in ids]
    loads = [op(STORE, each + count, 9) for each in ids]
    return module(*HEAD, *TYPES, *variables, *BEGIN, *phis, *loads, *END, bound=BOUND)


def ring_of_calls(count: int) -> bytes:
    """Every function calls the next with its parameter, the last calls the first."""
    functions = []
    for each in range(count):
        first = 1000 + 4 * each
        callee = 1000 + 4 * ((each + 1) % count)
        functions += [
            op(FUNCTION, 2, first, 0, 11),
            op(FUNCTION_PARAMETER, 7, first + 1),
            op(LABEL, first + 2),
            op(FUNCTION_CALL, 2, first + 3, callee, first + 1),
            *END,
        ]
    variable = op(VARIABLE, 7, 900, STORAGE_BUFFER)
    call = op(FUNCTION_CALL, 2, 901, 1000, 900)
    return module(*HEAD, *TYPES, variable, *BEGIN, call, *END, *functions, bound=BOUND)


def calls_with_many_effects(count: int) -> bytes:
    """A chain of functions, each of which accesses a variable of its own."""
    variables = [op(VARIABLE, 7, 1000 + each, STORAGE_BUFFER) for each in range(count)]
    functions = []
    for each in range(count):
        first = 100_000 + 5 * each
        functions += [
            op(FUNCTION, 2, first, 0, 3),
            op(LABEL, first + 1),
            op(ACCESS_CHAIN, 8, first + 2, 1000 + each, 9),
            op(LOAD, 1, first + 3, first + 2),
            op(FUNCTION_CALL, 2, first + 4, first + 5 if each < count - 1 else 4),
            *END,
        ]
    call = op(FUNCTION_CALL, 2, 901, 100_000)
    return module(*HEAD, *TYPES, *variables, *BEGIN, call, *END, *functions, bound=BOUND)


def many_entries(count: int) -> bytes:
    entries = [op(ENTRY_POINT, 5, 4, f"e{each}") for each in range(count)]
    variables = [op(VARIABLE, 7, 1000 + each, STORAGE_BUFFER) for each in range(count)]
    return module(*PREAMBLE, *entries, *TYPES, *variables, *BEGIN, *END, bound=BOUND)


def doubling_structures(count: int) -> bytes:
    """Each structure holds the last one twice: all members together are 2^n."""
    structures = [op(TYPE_STRUCT, 1000, 1)]
    decorations = []
    for each in range(1, min(count, 250)):
        structures.append(op(TYPE_STRUCT, 1000 + each, 999 + each, 999 + each))
        decorations += [op(MEMBER_DECORATE, 1000 + each, place, OFFSET, 0) for place in (0, 1)]
    decorations.append(op(MEMBER_DECORATE, 1000, 0, OFFSET, 0))
    top = 999 + min(count, 250)
    tail = [op(TYPE_POINTER, 5000, STORAGE_BUFFER, top)]
    tail += [op(VARIABLE, 5000, 5001 + each, STORAGE_BUFFER) for each in range(count)]
    return module(*HEAD, *decorations, *TYPES, *structures, *tail, *BEGIN, *END, bound=BOUND)


def entries_of_one_function(count: int) -> bytes:
    """Every entry point runs the one function, which names many variables that are bound to nothing."""
    entries = [op(ENTRY_POINT, 5, 4, f"e{each}") for each in range(count)]
    variables = [op(VARIABLE, 13, 10_000 + each, PRIVATE) for each in range(count)]
    body = [op(ACCESS_CHAIN, 13, 100_000 + each, 10_000 + each) for each in range(count)]
    pointer = op(TYPE_POINTER, 13, PRIVATE, 1)
    return module(*PREAMBLE, *entries, *TYPES, pointer, *variables, *BEGIN, *body, *END, bound=BOUND)


def variables_of_one_binding(count: int) -> bytes:
    """All variables are one slot, and every entry point has it."""
    ids = range(1000, 1000 + count)
    entries = [op(ENTRY_POINT, 5, 4, f"e{each}") for each in ids]
    places = [op(DECORATE, each, what, 0) for each in ids for what in (BINDING, DESCRIPTOR_SET)]
    variables = [op(VARIABLE, 7, each, STORAGE_BUFFER) for each in ids]
    return module(*PREAMBLE, *entries, *places, *TYPES, *variables, *BEGIN, *END, bound=BOUND)


def constants_of_one_number(count: int) -> bytes:
    ids = range(1000, 1000 + count)
    decorations = [op(DECORATE, each, SPEC_ID, 7) for each in ids]
    return module(
        *HEAD,
        *decorations,
        *TYPES,
        *[op(SPEC_CONSTANT, 1, each, 1) for each in ids],
        *BEGIN,
        *END,
        bound=BOUND,
    )


def returns_of_many_pointers(count: int) -> bytes:
    """A function returns any of many pointers, and others call it."""
    ids = range(1000, 1000 + count)
    variables = [op(VARIABLE, 7, each, STORAGE_BUFFER) for each in ids]
    calls = [op(FUNCTION_CALL, 7, 1000 + count + each, 50) for each in range(count)]
    returning = [
        op(FUNCTION, 7, 50, 0, 12),
        op(LABEL, 51),
        *[op(RETURN_VALUE, each) for each in ids],
        op(FUNCTION_END),
    ]
    of = op(TYPE_FUNCTION, 12, 7)
    return module(*HEAD, *TYPES, of, *variables, *BEGIN, *calls, *END, *returning, bound=BOUND)


def wide_phis(count: int) -> bytes:
    """Each pointer leads to every variable."""
    width = 2000
    ids = range(1000, 1000 + width)
    variables = [op(VARIABLE, 7, each, STORAGE_BUFFER) for each in ids]
    parts = [word for each in ids for word in (each, 5)]
    phis = [op(PHI, 7, 1000 + width + each, *parts) for each in range(max(count // 1000, 1))]
    return module(*HEAD, *TYPES, *variables, *BEGIN, *phis, *END, bound=BOUND)


def atomics_of_many_types(count: int) -> bytes:
    types = [op(TYPE_FLOAT, 1000 + each, 32) for each in range(count)]
    updates = [op(ATOMIC_ADD, 1000 + each, 1000 + count + each, 40, 9, 9, 9) for each in range(count)]
    calls = [op(FUNCTION_CALL, 2, 1000 + 2 * count + each, 50) for each in range(count)]
    callee = [op(FUNCTION, 2, 50, 0, 3), op(LABEL, 51), *updates, *END]
    variable = op(VARIABLE, 7, 40, STORAGE_BUFFER)
    return module(*HEAD, *TYPES, *types, variable, *BEGIN, *calls, *END, *callee, bound=BOUND)


def groups_of_decorations(count: int) -> bytes:
    """A type is in many groups, none of which says anything, and many variables are of it."""
    groups = [
        [*op(DECORATION_GROUP, 100_000 + each), *op(GROUP_DECORATE, 100_000 + each, 6)]
        for each in range(count)
    ]
    variables = [op(VARIABLE, 7, 1000 + each, STORAGE_BUFFER) for each in range(count)]
    return module(*HEAD, *groups, *TYPES, *variables, *BEGIN, *END, bound=BOUND)


def one_large_block(count: int) -> bytes:
    """Many variables are of one structure, with many members that are all decorated."""
    kinds = (NON_WRITABLE, NON_READABLE)
    decorations = [op(MEMBER_DECORATE, 20, each, what) for each in range(count) for what in kinds]
    decorations += [op(MEMBER_DECORATE, 20, each, OFFSET, 4 * each) for each in range(count)]
    structure = op(TYPE_STRUCT, 20, *[1] * count)
    variables = [op(VARIABLE, 21, 1000 + each, STORAGE_BUFFER) for each in range(count)]
    pointer = op(TYPE_POINTER, 21, STORAGE_BUFFER, 20)
    return module(*HEAD, *decorations, *TYPES, structure, pointer, *variables, *BEGIN, *END, bound=BOUND)


def one_listed_block(count: int) -> bytes:
    """All variables are of one block with as many members as are listed."""
    decorations = [op(MEMBER_DECORATE, 20, each, OFFSET, 4 * each) for each in range(1000)]
    ids = range(1000, 1000 + count)
    decorations += [op(DECORATE, each, what, 0) for each in ids for what in (BINDING, DESCRIPTOR_SET)]
    structure = op(TYPE_STRUCT, 20, *[1] * 1000)
    variables = [op(VARIABLE, 21, each, STORAGE_BUFFER) for each in ids]
    pointer = op(TYPE_POINTER, 21, STORAGE_BUFFER, 20)
    return module(*HEAD, *decorations, *TYPES, structure, pointer, *variables, *BEGIN, *END, bound=BOUND)


def blocks_around_many_types(count: int) -> bytes:
    """Many blocks hold one structure, which is made of many others."""
    inner = [op(TYPE_STRUCT, 100_000 + each, 1) for each in range(count)]
    whole = op(TYPE_STRUCT, 99_999, *range(100_000, 100_000 + count))
    blocks = [op(TYPE_STRUCT, 200_000 + each, 99_999) for each in range(count)]
    decorations = [op(MEMBER_DECORATE, each, 0, OFFSET, 0) for each in range(100_000, 100_000 + count)]
    decorations += [op(MEMBER_DECORATE, 99_999, each, OFFSET, 0) for each in range(count)]
    decorations += [op(MEMBER_DECORATE, 200_000 + each, 0, OFFSET, 0) for each in range(count)]
    pointers = [op(TYPE_POINTER, 300_000 + each, STORAGE_BUFFER, 200_000 + each) for each in range(count)]
    variables = [op(VARIABLE, 300_000 + each, 400_000 + each, STORAGE_BUFFER) for each in range(count)]
    return module(
        *HEAD, *decorations, *TYPES, *inner, whole, *blocks, *pointers, *variables, *BEGIN, *END, bound=BOUND
    )


SHAPES: dict[str, Callable[[int], bytes]] = {
    "entries of one function": entries_of_one_function,
    "variables of one binding": variables_of_one_binding,
    "constants of one number": constants_of_one_number,
    "returns of many pointers": returns_of_many_pointers,
    "wide phis": wide_phis,
    "atomics of many types": atomics_of_many_types,
    "groups of decorations": groups_of_decorations,
    "one large block": one_large_block,
    "one listed block": one_listed_block,
    "blocks around many types": blocks_around_many_types,
    "many variables": many_variables,
    "phis backwards": phis_backwards,
    "unions": unions,
    "ring of calls": ring_of_calls,
    "calls with many effects": calls_with_many_effects,
    "many entries": many_entries,
    "doubling structures": doubling_structures,
}


@pytest.mark.parametrize("name", SHAPES)
def test_hostile_shapes_are_read_soon(name: str):
    make = SHAPES[name]
    count = WORDS * 64 // len(make(64)) * 4
    data = make(count)
    assert WORDS < len(data) < WORDS * 8
    start = time.process_time()
    try:
        spirv_facts(data)
    except SpirvError as error:
        assert error.code == "limit.spirv-slots"  # noqa: PT017 - either answer will do, if it comes soon
    assert time.process_time() - start < 3


def test_names_of_constants_with_one_number_differ():
    data = constants_of_one_number(3)
    assert [each.name for each in spirv_facts(data).interface.constants] == [
        "spec7",
        "spec7.1001",
        "spec7.1002",
    ]


def test_too_much_work_leaves_open_what_the_entry_needs():
    facts = spirv_facts(phis_backwards(5000))
    assert facts.left_open["main", ""] == {"static_shared_bytes", "required_capabilities"}


def test_too_much_work_is_not_known_instead_of_wrong():
    facts = spirv_facts(phis_backwards(5000))
    reason = "following its pointers takes more steps than the limit `access_steps_per_word`"
    assert facts.unknown["main", ""].startswith(reason)
    assert not facts.is_complete
    assert all(slot.access == 0 for slot in facts.interface.entries[0].slots)


def test_little_of_the_same_is_known():
    module_ = read_spirv(phis_backwards(20))
    assert [slot.access for slot in module_.entry("main").resources] == [2]


def test_damaged_modules_end_with_a_code():
    codes, findings = spirv_words.run(seed=1, count=2_000)
    assert findings == []
    assert sum(codes.values()) == 2_000
    assert len(codes) > 15
    assert codes["read"] > 100


@pytest.mark.parametrize("mutation", sorted(set(spirv_words.MUTATIONS), key=lambda each: each.__name__))
def test_every_mutation_changes_something(mutation: Callable[..., None]):
    changed = 0
    for seed in range(20):
        words = list(spirv_words.seeds()[0])
        mutation(Random(seed), words)
        assert all(0 <= word < 1 << 32 for word in words)
        changed += array("I", words) != array("I", spirv_words.seeds()[0])
    assert changed > 10
