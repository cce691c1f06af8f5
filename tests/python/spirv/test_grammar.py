"""The operand table is what Khronos' grammar says, and says what the reader takes from it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

import make_spirv_grammar
from interlock.package.spirv import shapes
from interlock.package.spirv.grammar import ANY, Operation, operation_name, operations
from interlock.package.spirv.grammar_table import GRAMMAR_VERSION

if TYPE_CHECKING:
    from pathlib import Path


def test_the_table_is_up_to_date():
    """`make drift` compares it with the pinned grammar, which is in the environment of the generators."""
    path = make_spirv_grammar.grammar_path()
    if path is None:
        pytest.skip(f"{make_spirv_grammar.DISTRIBUTION} is not installed here; `make drift` has it")
    grammar = json.loads(path.read_text(encoding="utf-8"))
    assert make_spirv_grammar.render(grammar) == make_spirv_grammar.TABLE.read_text(encoding="utf-8")


def test_the_table_holds_all_of_a_version():
    assert re.fullmatch(r"1\.6\.\d+", GRAMMAR_VERSION)
    assert len(operations()) > 800


@pytest.mark.parametrize(
    ("opcode", "expected"),
    [
        (21, Operation("OpTypeInt", 4, 4, False, 1, 2, 0)),
        (30, Operation("OpTypeStruct", 2, ANY, False, 1, ANY, 0)),
        (61, Operation("OpLoad", 4, ANY, True, 2, 4, 0)),
        (65, Operation("OpAccessChain", 4, ANY, True, 2, ANY, 0)),
        (81, Operation("OpCompositeExtract", 4, ANY, True, 2, 4, 0)),
        (87, Operation("OpImageSampleImplicitLod", 5, ANY, True, 2, 5, 6)),
        (245, Operation("OpPhi", 3, ANY, True, 2, ANY, 0)),
        (251, Operation("OpSwitch", 3, ANY, False, 0, 3, 0)),
        (349, Operation("OpGroupNonUniformIAdd", 6, 7, True, 2, 4, 5)),
    ],
)
def test_shapes(opcode: int, expected: Operation):
    assert operations()[opcode] == expected


def test_opcodes_have_the_names_they_are_read_by():
    for op in shapes.Op:
        expected = "op" + op.name.replace("_", "").lower()
        known = operation_name(op).lower()
        assert known.removesuffix("khr").removesuffix("nv") == expected.removesuffix("nv"), op
    for kind in shapes.SHAPES:
        assert operation_name(kind).startswith("Op")
    assert operation_name(7777) == "opcode 7777"


def test_a_grammar_that_changes_is_noticed(tmp_path: Path):
    grammar = tmp_path / "grammar.json"
    grammar.write_text(
        json.dumps(
            {
                "major_version": 1,
                "minor_version": 6,
                "revision": 9,
                "operand_kinds": [],
                "instructions": [{"opname": "OpNop", "opcode": 0}],
            }
        ),
        encoding="utf-8",
    )
    table = make_spirv_grammar.render(json.loads(grammar.read_text(encoding="utf-8")))
    assert '\n0 Nop -\n"""' in table
    assert 'GRAMMAR_VERSION = "1.6.9"' in table
