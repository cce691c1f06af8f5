"""Summaries of functions against execution: every call is followed as if it stood where it is called."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import pytest

from interlock.package.spirv.reader import read_spirv
from spirv_builder import (
    ACCESS_CHAIN,
    BLOCK,
    CONSTANT,
    DECORATE,
    ENTRY_POINT,
    FUNCTION,
    FUNCTION_CALL,
    FUNCTION_END,
    FUNCTION_PARAMETER,
    LABEL,
    LOAD,
    MEMBER_DECORATE,
    NAME,
    OFFSET,
    PREAMBLE,
    RETURN,
    SELECT,
    STORAGE_BUFFER,
    STORE,
    TYPE_BOOL,
    TYPE_FUNCTION,
    TYPE_INT,
    TYPE_POINTER,
    TYPE_STRUCT,
    TYPE_VOID,
    VARIABLE,
    module,
    op,
)

VOID, TRUE, INT, STRUCT, POINTER, ZERO, BOOL = 1, 2, 3, 4, 5, 6, 7
FUNCTION_TYPES, VARIABLES, FUNCTIONS = 10, 20, 100
ATOMIC_ADD, RETURN_VALUE, ATOMIC_LOAD = 234, 254, 227
ACCESSES = {"r": 1, "w": 2, "rw": 3, "a": 4}


@dataclass
class Body:
    """A function: what it does in order, each with the numbers of the pointers it does it to."""

    parameters: int
    returns: int | None = None
    steps: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    pointers: int = 0
    """Pointers are numbered: variables, then parameters, then what steps make."""


def drawn(random: Random) -> tuple[int, list[Body]]:
    """Draw functions that call only later ones; the first is the entry point."""
    variables = random.randrange(2, 6)
    count = random.randrange(1, 7)
    bodies = [Body(0 if place == 0 else random.randrange(4)) for place in range(count)]
    for place in reversed(range(count)):
        body = bodies[place]
        body.pointers = variables + body.parameters
        for _ in range(random.randrange(1, 8)):
            kinds = ["load", "store", "atomic", "read atomic", "chain", "select", "load"]
            kind = random.choice(kinds + ["call"] * (3 if place < count - 1 else 0))
            pick = [random.randrange(body.pointers) for _ in range(4)]
            if kind == "call":
                callee = random.randrange(place + 1, count)
                body.steps.append((kind, (callee, *pick[: bodies[callee].parameters])))
                body.pointers += bodies[callee].returns is not None
            elif kind in ("chain", "select"):
                body.steps.append((kind, tuple(pick[: 1 if kind == "chain" else 2])))
                body.pointers += 1
            else:
                body.steps.append((kind, (pick[0],)))
        if place and random.random() < 0.5:
            body.returns = random.randrange(body.pointers)
    return variables, bodies


def executed(variables: int, bodies: list[Body]) -> list[str]:
    """Return what happens to each variable when the entry point runs, with both arms of each selection."""
    done: list[set[str]] = [set() for _ in range(variables)]

    def run(place: int, arguments: list[set[int]]) -> set[int]:
        body = bodies[place]
        leads = [{variable} for variable in range(variables)] + arguments
        for kind, (first, *rest) in body.steps:
            if kind == "call":
                found = run(first, [leads[each] for each in rest])
                if bodies[first].returns is not None:
                    leads.append(found)
            elif kind in ("chain", "select"):
                leads.append(set().union(*(leads[each] for each in (first, *rest))))
            else:
                for variable in leads[first]:
                    done[variable].add(kind)
        return leads[body.returns] if body.returns is not None else set()

    run(0, [])
    return [mode(each) for each in done]


def mode(done: set[str]) -> str:
    if "store" in done:
        return "rw" if done - {"store"} else "w"
    if "atomic" in done:
        return "rw" if "load" in done else "a"
    return "r"


def written(variables: int, bodies: list[Body]) -> bytes:
    ids = iter(range(1000, 1_000_000))
    firsts = [FUNCTIONS + place for place in range(len(bodies))]
    code = []
    for place, body in enumerate(bodies):
        parameters = [next(ids) for _ in range(body.parameters)]
        result = VOID if body.returns is None else POINTER
        kind = FUNCTION_TYPES + (2 * body.parameters) + (body.returns is not None)
        code += [op(FUNCTION, result, firsts[place], 0, kind)]
        code += [op(FUNCTION_PARAMETER, POINTER, each) for each in parameters] + [op(LABEL, next(ids))]
        pointers = [VARIABLES + variable for variable in range(variables)] + parameters
        for step, (first, *rest) in body.steps:
            made = next(ids)
            if step == "call":
                returns = bodies[first].returns is not None
                code.append(
                    op(
                        FUNCTION_CALL,
                        POINTER if returns else VOID,
                        made,
                        firsts[first],
                        *map(pointers.__getitem__, rest),
                    )
                )
                pointers += [made] * returns
            elif step == "chain":
                code.append(op(ACCESS_CHAIN, POINTER, made, pointers[first]))
                pointers.append(made)
            elif step == "select":
                code.append(op(SELECT, POINTER, made, TRUE, pointers[first], pointers[rest[0]]))
                pointers.append(made)
            elif step == "load":
                code.append(op(LOAD, STRUCT, made, pointers[first]))
            elif step == "store":
                code.append(op(STORE, pointers[first], ZERO))
            elif step == "atomic":
                code.append(op(ATOMIC_ADD, INT, made, pointers[first], ZERO, ZERO, ZERO))
            else:
                code.append(op(ATOMIC_LOAD, INT, made, pointers[first], ZERO, ZERO))
        code.append(op(RETURN) if body.returns is None else op(RETURN_VALUE, pointers[body.returns]))
        code.append(op(FUNCTION_END))
    return module(
        *PREAMBLE,
        op(ENTRY_POINT, 5, FUNCTIONS, "main"),
        *(op(NAME, VARIABLES + each, f"v{each}") for each in range(variables)),
        op(DECORATE, STRUCT, BLOCK),
        op(MEMBER_DECORATE, STRUCT, 0, OFFSET, 0),
        op(TYPE_VOID, VOID),
        op(TYPE_BOOL, BOOL),
        op(41, BOOL, TRUE),
        op(TYPE_INT, INT, 32, 0),
        op(TYPE_STRUCT, STRUCT, INT),
        op(TYPE_POINTER, POINTER, STORAGE_BUFFER, STRUCT),
        op(CONSTANT, INT, ZERO, 0),
        *(
            op(
                TYPE_FUNCTION,
                FUNCTION_TYPES + 2 * count + returns,
                POINTER if returns else VOID,
                *[POINTER] * count,
            )
            for count in range(4)
            for returns in (0, 1)
        ),
        *(op(VARIABLE, POINTER, VARIABLES + each, STORAGE_BUFFER) for each in range(variables)),
        *code,
        bound=1 << 16,
    )


@pytest.mark.parametrize("seed", range(20))
def test_summaries_say_what_execution_does(seed: int):
    random = Random(seed)
    for _ in range(40):
        variables, bodies = drawn(random)
        read = read_spirv(written(variables, bodies)).entry("main").resources
        expected = {f"v{each}": ACCESSES[name] for each, name in enumerate(executed(variables, bodies))}
        assert {slot.name: slot.access for slot in read} == expected, bodies
        assert not any(slot.unknown for slot in read)
