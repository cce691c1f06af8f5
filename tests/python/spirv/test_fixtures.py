"""The fixtures are what their texts say, and read as a person expects."""

from __future__ import annotations

import json
from array import array
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from interlock.package.spirv.describe import describe, lines
from interlock.package.spirv.reader import read_spirv

if TYPE_CHECKING:
    from collections.abc import Callable

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "spirv"
NAMES = sorted(path.stem for path in FIXTURES.glob("*.spv"))
GENERATOR = 2
"""The word that tells which version of which tool wrote a module."""


@pytest.mark.parametrize("name", NAMES)
def test_modules_are_assembled_from_their_texts(asm: Callable[..., bytes], name: str):
    stored = array("I", (FIXTURES / f"{name}.spv").read_bytes())
    version = f"1.{stored[1] >> 8 & 0xFF}"
    again = array("I", asm((FIXTURES / f"{name}.spvasm").read_text(encoding="utf-8"), version))
    stored[GENERATOR] = again[GENERATOR]
    assert stored == again


def test_every_text_has_its_module():
    assert sorted(path.stem for path in FIXTURES.glob("*.spvasm")) == NAMES
    assert len(NAMES) == 10


@pytest.mark.parametrize("name", NAMES)
def test_descriptions_are_plain_data(name: str):
    module = read_spirv((FIXTURES / f"{name}.spv").read_bytes())
    assert json.loads(json.dumps(describe(module))) == describe(module)
    assert all(line.isprintable() for line in lines(module))


def test_lines():
    module = read_spirv((FIXTURES / "groups.spv").read_bytes())
    assert lines(module) == [
        "SPIR-V 1.3, 159 words, Logical addressing, GLSL450 memory model",
        "entry `one`: compute",
        "  workgroup size  4 x 4 x 1",
        "  slot `Pair`: storage buffer, set 2 binding 0, read, 8 bytes",
        "         0  `left`: F32",
        "         4  `right`: F32",
        "  slot `only`: storage buffer, set 2 binding 1, unused, 8 bytes",
        "         0  `left`: F32",
        "         4  `right`: F32",
        "entry `two`: compute",
        "  workgroup size  4 x 4 x 1",
        "  slot `Pair`: storage buffer, set 2 binding 0, read, 8 bytes",
        "         0  `left`: F32",
        "         4  `right`: F32",
        "  slot `only`: storage buffer, set 2 binding 1, unused, 8 bytes",
        "         0  `left`: F32",
        "         4  `right`: F32",
        "entry `shade`: fragment",
        "  slot `only`: storage buffer, set 2 binding 1, unused, 8 bytes",
        "         0  `left`: F32",
        "         4  `right`: F32",
    ]


def test_lines_of_what_is_not_known():
    assert lines(read_spirv((FIXTURES / "local_size_id.spv").read_bytes()))[1:] == [
        "entry `main`: compute",
        "  workgroup size  16 x 8 x 1, set by `wide`",
        "  shared memory   64 bytes",
        "  slot `a`: storage buffer, set 0 binding 0, read, 16 bytes",
        "         0  U32",
        "         8  U32 [2], stride 4",
        "  not known: its workgroup size is computed out of specialization constants",
        "  not known: specialization constants set how much shared memory it has; stated is the default",
        "constant `wide`: id 7, U32, 0x10 by default",
        "constant `spec8`: id 8, BOOL, True by default",
    ]
    kernel = read_spirv((FIXTURES / "kernel.spv").read_bytes())
    assert lines(kernel)[-1] == "not all of it was understood: what is not listed may still exist"
    assert not kernel.facts().is_complete
    assert kernel.facts().unknown == {
        ("scale", ""): "it is a kernel of OpenCL, whose arguments are not read; "
        "its memory is addressed by numbers (`Physical64`)"
    }


def test_names_with_control_characters_are_escaped():
    from spirv_builder import (  # noqa: PLC0415
        ENTRY_POINT,
        FUNCTION,
        FUNCTION_END,
        LABEL,
        PREAMBLE,
        RETURN,
        TYPE_FUNCTION,
        TYPE_VOID,
        module,
        op,
    )

    data = module(
        *PREAMBLE,
        op(ENTRY_POINT, 5, 4, "a\x1b[31mb"),
        op(TYPE_VOID, 2),
        op(TYPE_FUNCTION, 3, 2),
        op(FUNCTION, 2, 4, 0, 3),
        op(LABEL, 5),
        op(RETURN),
        op(FUNCTION_END),
    )
    assert lines(read_spirv(data))[1] == "entry `a\\x1b[31mb`: compute"
