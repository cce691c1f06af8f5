"""explain: every code has a page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from interlock.report import catalogue
from interlock.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Ran

    Run = Callable[..., Ran]

ROOT = Path(__file__).resolve().parents[3]
CODE = re.compile(
    r'"((?:canonical|header|json|limit|text|version|wire|input|output|usage|internal)\.[a-z0-9-]+)"'
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_page_of_a_rule_is_that_of_its_docstring(run: Run, rule: object):
    done = run("explain", rule.code)
    assert (done.code, done.err) == (0, b"")
    assert done.text == rule.page.rstrip() + "\n"


def test_every_code_that_the_sources_raise_has_a_meaning():
    raised = {
        code
        for layer in ("codec", "cli")
        for path in (ROOT / "python" / "interlock" / layer).rglob("*.py")
        for code in CODE.findall(path.read_text(encoding="utf-8"))
    }
    assert len(raised) > 60
    assert sorted(raised - set(catalogue.codes())) == []


def test_every_code_of_the_canonical_form_has_a_meaning_and_the_other_way_round():
    text = (ROOT / "docs" / "canonical-form.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:canonical|header|json|limit|text|version|wire)\.[a-z0-9-]+)`", text))
    named -= {f"header.{field}" for field in ("kind", "schema_major", "schema_minor", "required_features")}
    reading = {code for code in catalogue.codes() if catalogue.entry(code).source == "reading"}
    assert named == reading


def test_meanings_are_sentences():
    for code in catalogue.codes():
        found = catalogue.entry(code)
        assert found.page.startswith(f"# `{code}`\n\n")
        assert found.page.endswith("\n")
        assert not found.page.endswith("\n\n")
        assert re.fullmatch(r"[A-Z`'].*\.", found.summary), (code, found.summary)


def test_the_list_has_every_code_once(run: Run):
    done = run("explain", "--list")
    assert done.code == 0
    assert [line.split()[0] for line in done.text.splitlines()] == list(catalogue.codes())
    found = json.loads(run("explain", "--list", "--format", "json").out)
    assert [entry["code"] for entry in found] == list(catalogue.codes())


def test_one_code_as_json(run: Run):
    (found,) = json.loads(run("explain", "json.syntax", "--format", "json").out)
    assert found == {
        "code": "json.syntax",
        "page": "# `json.syntax`\n\nThe input is not JSON.\n",
        "source": "reading",
        "summary": "The input is not JSON.",
    }


def test_an_unknown_code_gets_suggestions(run: Run):
    done = run("explain", "order.dependency-circle")
    assert (done.code, done.out) == (2, b"")
    assert done.errors == (
        "interlock: error[usage.unknown-code] there is no code `order.dependency-circle`; "
        "did you mean `order.dependency-cycle` or `group.dependency-cycle` or `order.self-dependency`?\n"
    )
    assert "did you mean" not in run("explain", "zzz").errors


def test_what_has_to_be_in_order_first_stands_last(run: Run):
    page = run("explain", "hazard.unordered-access").text
    assert page.index("## What it checks") < page.index("## Good example") < page.index("Not checked while")
