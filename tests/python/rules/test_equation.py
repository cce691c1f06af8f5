"""Every rule is one function, one code, one page, one label in the schema, and has cases both ways."""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING

import pytest
from google.protobuf import text_format

from conformance_suite import ROOT, walk
from interlock.codec.schema import schema
from interlock.diagnostic import Severity
from interlock.report.reading_codes import READING_CODES
from interlock.rules import RULES, Rule
from interlock.rules.model import ANY_KIND, RULE_SET, SECTIONS
from interlock.rules.registry import FAMILIES, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from conformance_suite import Case

CODE = re.compile(r"[a-z]+\.[a-z]+(-[a-z0-9]+)*")
LABEL = re.compile(r"\[([a-z]+\.[a-z0-9-]+)\]")
GAPS_ONLY = {
    "initialisation.read-after-partial-write",
    "initialisation.output-not-covered",
    "artifact.unpinned",
}
"""The rules that leave something unverified, and never find anything."""
CASES = walk("verify")


def each_rule() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])


def labels() -> set[str]:
    sources = (ROOT / "proto" / "execgraph").rglob("*.proto")
    return {label for source in sources for label in LABEL.findall(source.read_text(encoding="utf-8"))}


def test_codes_are_unique_and_well_formed() -> None:
    codes = [rule.code for rule in RULES]
    assert len(codes) == len(set(codes))
    assert [code for code in codes if not CODE.fullmatch(code)] == []


def test_families_run_in_their_order() -> None:
    assert list(dict.fromkeys(rule.family for rule in RULES)) == list(FAMILIES)


@each_rule()
def test_a_rule_is_the_function_its_code_names(rule: Rule) -> None:
    family = rule.family
    slug = rule.code.removeprefix(f"{family}.")
    assert rule.check.__name__ == slug.replace("-", "_")
    module = rule.check.__module__
    assert module == f"interlock.rules.{family}" or module.startswith(f"interlock.rules.{family}.")
    listed = import_module(f"interlock.rules.{family}").RULES
    assert sum(other.check is rule.check for other in listed) == 1


def test_a_document_is_judged_by_the_rules_of_its_kind_and_of_those_within() -> None:
    within = {
        "ExecutionGraph": {"ExecutionGraph"},
        "Package": {"Package", "ExecutionGraph"},
        "TargetModuleBundle": {"TargetModuleBundle"},
        "TargetPayload": {"TargetPayload", "TargetModuleBundle"},
        "Envelope": {"Envelope", "ExecutionGraph", "TargetPayload", "TargetModuleBundle"},
    }
    assert set(within) == ANY_KIND
    for kind, kinds in within.items():
        expected = [rule.code for rule in RULES if rule.kinds & kinds]
        assert [rule.code for rule in rules_of(kind)] == expected, kind


@each_rule()
def test_what_a_rule_needs_runs_before_it(rule: Rule) -> None:
    codes = [other.code for other in RULES]
    assert all(codes.index(need) < codes.index(rule.code) for need in rule.needs)
    assert 1 <= rule.since <= RULE_SET


@each_rule()
def test_the_docstring_has_its_sections(rule: Rule) -> None:
    assert tuple(rule.sections) == SECTIONS
    assert all(rule.sections.values())
    assert rule.summary.endswith(".")
    assert "\n" not in rule.summary


@each_rule()
@pytest.mark.parametrize("title", SECTIONS[2:])
def test_examples_are_text_of_the_schema(rule: Rule, title: str) -> None:
    """An example shows fields of one message or of several; required ones may be left out."""
    for statement in statements(rule.sections[title]):
        assert any(parses(statement, info.message_class()) for info in schema().messages()), statement


def statements(example: str) -> Iterator[str]:
    """Yield each outermost field with all that is in it."""
    lines: list[str] = []
    depth = 0
    for line in example.splitlines():
        lines.append(line)
        depth += line.count("{") - line.count("}")
        if depth == 0:
            yield "\n".join(lines)
            lines.clear()
    assert not lines, "braces do not match"


def parses(text: str, message: Message) -> bool:
    try:
        text_format.Parse(text, message)
    except text_format.ParseError:
        return False
    return True


@each_rule()
def test_the_page_shows_everything(rule: Rule) -> None:
    page = rule.page
    assert page.startswith(f"# `{rule.code}`\n\n{rule.summary}\n")
    assert rule.severity.name.lower() in page
    for title, body in rule.sections.items():
        assert f"## {title}\n" in page
        assert body in page


@each_rule()
def test_the_page_is_rendered(rule: Rule) -> None:
    page = (ROOT / "gen" / "docs" / "rules" / f"{rule.code}.md").read_text(encoding="utf-8")
    assert page.endswith(rule.page.rstrip() + "\n")


def test_every_rule_has_a_label_and_every_label_a_rule() -> None:
    rules = {rule.code for rule in RULES}
    assert rules - labels() == set()
    assert labels() - rules - set(READING_CODES) == set()


def found_by(case: Case) -> set[str]:
    """Return the rules that a case is the bad example of."""
    stated = case.proto.body.verify
    return {found.code for found in stated.diagnostics} | {gap.check for gap in stated.unverified} & GAPS_ONLY


def test_every_rule_has_cases_both_ways() -> None:
    failing = {code for case in CASES for code in found_by(case)}
    passing = {code for case in CASES for code in case.proto.body.verify.passes}
    assert failing == {rule.code for rule in RULES}
    assert passing == {rule.code for rule in RULES}


def test_cases_lie_in_the_folder_of_their_rule() -> None:
    for case in CASES:
        _, family, slug, _ = case.id.split("/")
        stated = case.proto.body.verify
        shown = found_by(case) | set(stated.passes) | {gap.check for gap in stated.unverified}
        assert f"{family}.{slug}" in shown, case.id


def test_severities_of_cases_are_those_of_the_rules() -> None:
    severities = {rule.code: rule.severity for rule in RULES}
    for case in CASES:
        for found in case.proto.body.verify.diagnostics:
            assert Severity(found.severity) is severities[found.code], case.id
