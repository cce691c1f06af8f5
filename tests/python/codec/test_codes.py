"""The codes of docs/canonical-form.md are those of the codec, and a test of this folder asserts each."""

from __future__ import annotations

import re
from pathlib import Path

import interlock.codec

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[2] / "docs" / "canonical-form.md"
CODE = r"(?:wire|canonical|json|header|version|limit|text)\.[a-z0-9]+(?:-[a-z0-9]+)*"


def codes_in(text: str, pattern: str) -> set[str]:
    return set(re.findall(pattern.replace("CODE", f"({CODE})"), text))


def test_every_code_is_described_raised_and_tested():
    described = codes_in(PAGE.read_text(), "`CODE`") | {"limit.document-bytes"}
    described = {code for code in described if not code.startswith("header.") or "_" not in code}
    described -= {"header.kind", "header.schema", "header.required"}
    source = "".join(path.read_text() for path in Path(interlock.codec.__file__).parent.glob("*.py"))
    tests = "".join(path.read_text() for path in HERE.glob("test_*.py") if path != Path(__file__))
    assert codes_in(source, '"CODE"') == described
    assert described <= codes_in(tests, '"CODE"')
    assert len(described) > 50
