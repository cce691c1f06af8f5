"""Instructions of extensions that Debian's compilers do not write yet, word by word."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from interlock.package.spirv.errors import DEFAULT_SPIRV_LIMITS
from interlock.package.spirv.reader import read_spirv
from spirv_builder import (
    ACCESS_CHAIN,
    BINDING,
    BLOCK,
    CONSTANT,
    DECORATE,
    DESCRIPTOR_SET,
    ENTRY_POINT,
    FUNCTION,
    FUNCTION_END,
    LABEL,
    LOAD,
    MEMBER_DECORATE,
    NAME,
    OFFSET,
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

COOPERATIVE_MATRIX, UNTYPED_POINTER, UNTYPED_VARIABLE = 4456, 4417, 4418
X, Y, LOADED, ONE = 20, 21, 30, 9
BITS = {0: "unknown", 1: "read", 2: "write", 3: "read-write", 4: "atomic"}


def access(
    *body: list[int], types: tuple[list[int], ...] = (), names: tuple[int, ...] = (X, Y)
) -> dict[str, str]:
    data = module(
        *PREAMBLE,
        op(ENTRY_POINT, 5, 4, "main"),
        *(op(NAME, each, f"v{each}") for each in names),
        *(op(DECORATE, each, DESCRIPTOR_SET, 0) for each in names),
        *(op(DECORATE, each, BINDING, each) for each in names),
        op(DECORATE, 6, BLOCK),
        op(MEMBER_DECORATE, 6, 0, OFFSET, 0),
        op(TYPE_VOID, 2),
        op(TYPE_FUNCTION, 3, 2),
        op(TYPE_INT, 1, 32, 0),
        op(TYPE_FLOAT, 10, 32),
        op(TYPE_STRUCT, 6, 1),
        op(TYPE_POINTER, 7, STORAGE_BUFFER, 6),
        op(TYPE_POINTER, 8, STORAGE_BUFFER, 1),
        op(CONSTANT, 1, ONE, 1),
        op(COOPERATIVE_MATRIX, 11, 10, ONE, ONE, ONE, ONE),
        op(UNTYPED_POINTER, 12, STORAGE_BUFFER),
        op(VARIABLE, 7, X, STORAGE_BUFFER),
        op(VARIABLE, 7, Y, STORAGE_BUFFER),
        *types,
        op(FUNCTION, 2, 4, 0, 3),
        op(LABEL, 5),
        *body,
        op(RETURN),
        op(FUNCTION_END),
    )
    return {slot.name: BITS[slot.access] for slot in read_spirv(data).entry("main").resources}


def test_cooperative_matrices():
    from_x, to_y = op(ACCESS_CHAIN, 8, 31, X, ONE), op(ACCESS_CHAIN, 8, 32, Y, ONE)
    new = access(from_x, to_y, op(4457, 11, LOADED, 31, ONE, ONE, 2, 4), op(4458, 32, LOADED, ONE, ONE, 0))
    old = access(from_x, to_y, op(5359, 11, LOADED, 31, ONE, ONE), op(5360, 32, LOADED, ONE, ONE))
    assert new == old == {"v20": "read", "v21": "write"}


def test_cooperative_matrices_use_subgroups():
    def body(*instructions: list[int]) -> bool:
        data = module(
            *PREAMBLE,
            op(ENTRY_POINT, 5, 4, "main"),
            op(TYPE_VOID, 2),
            op(TYPE_FUNCTION, 3, 2),
            op(TYPE_INT, 1, 32, 0),
            op(CONSTANT, 1, ONE, 1),
            op(COOPERATIVE_MATRIX, 11, 1, ONE, ONE, ONE, ONE),
            op(FUNCTION, 2, 4, 0, 3),
            op(LABEL, 5),
            *instructions,
            op(RETURN),
            op(FUNCTION_END),
        )
        return read_spirv(data).entry("main").uses_subgroups

    assert body(op(4460, 1, LOADED, 11))
    assert not body()


def test_untyped_pointers():
    variable = op(UNTYPED_VARIABLE, 12, 22, STORAGE_BUFFER, 6)
    chain = op(4419, 12, 31, 6, 22, ONE)
    assert access(chain, op(STORE, 31, ONE), types=(variable,), names=(X, Y, 22)) == {
        "v20": "read",
        "v21": "read",
        "v22": "write",
    }
    chains = [op(opcode, 12, 31, 6, 22, ONE) for opcode in (4420, 4423, 4424)]
    for each in chains:
        assert access(each, op(LOAD, 1, 32, 31), types=(variable,), names=(22,))["v22"] == "read"


def test_raw_access_chains():
    chain = op(5398, 8, 31, X, ONE, ONE, ONE)
    assert access(chain, op(STORE, 31, ONE)) == {"v20": "write", "v21": "read"}


def test_length_of_an_untyped_array_accesses_nothing():
    assert access(op(4425, 1, 31, 6, X, 0)) == {"v20": "read", "v21": "read"}


@pytest.mark.parametrize("opcode", [5367, 4426])
def test_what_is_known_and_not_followed_loses_its_pointer(opcode: int):
    load = op(5367, 11, LOADED, X, ONE, ONE, 0, 0)
    prefetch = op(4426, X, ONE)
    assert access(load if opcode == 5367 else prefetch)["v20"] == "unknown"


def test_the_page_states_the_limits():
    text = (Path(__file__).resolve().parents[3] / "docs" / "spirv.md").read_text(encoding="utf-8")
    stated = dict(re.findall(r"^\| `([a-z_]+)` \| ([\d,]+(?: MiB)?)", text, re.MULTILINE))
    scale = {name: int(value.removesuffix(" MiB").replace(",", "")) for name, value in stated.items()}
    scale["module_bytes"] <<= 20
    limits = {each.name: getattr(DEFAULT_SPIRV_LIMITS, each.name) for each in fields(DEFAULT_SPIRV_LIMITS)}
    assert f"and {limits.pop('least_access_steps'):,} for the module" in text
    assert scale == limits
