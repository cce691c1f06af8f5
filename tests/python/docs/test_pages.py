"""The pages of docs/ agree with the program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import interlock
from conformance_suite import surroundings_of, verified_document, walk
from interlock.cli.app import COMMANDS
from interlock.codec.schema import DRAFT_FEATURE, schema
from interlock.rules import RULES
from interlock.rules.assumptions import ASSUMPTIONS
from interlock.rules.pending import pending_of
from interlock.verification import verify

ROOT = Path(__file__).resolve().parents[3]


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_the_built_families_are_those_of_the_rules():
    listed = re.findall(r"^\| `([a-z]+)` \|", section(page("docs/verification.md"), "Built"), re.MULTILINE)
    assert listed == sorted({rule.family for rule in RULES})


def test_the_families_that_are_not_built_are_those_that_reports_list():
    listed = re.findall(
        r"^\| (\w+) \| `([a-z]+)` \|",
        section(page("docs/verification.md"), "Not built yet"),
        re.MULTILINE,
    )  # the table is in the order of the kinds
    expected = [(kind.name, gap.check) for kind in schema().kinds for gap in pending_of(kind.name)]
    assert listed == expected


def test_the_evidence_of_assumptions_is_that_of_reports():
    text = section(page("docs/verification.md"), "What a verdict rests on")
    listed = dict(re.findall(r"^\| `(assumption\.[a-z-]+)` \| (.+) \|$", text, re.MULTILINE))
    found: dict[str, set[str]] = {}
    for case in walk("verify"):
        if case.id.split("/")[1] in ("alias", "hazard", "initialisation", "interface", "module"):
            report = verify(verified_document(case), surroundings=surroundings_of(case))
            for held in report.assumptions:
                evidence = (
                    "an obligation of the caller" if held.evidence is None else held.evidence.name.lower()
                )
                found.setdefault(held.code, set()).add(evidence)
    assert {code: set(evidence.split(", ")) for code, evidence in listed.items()} == found
    assert set(found) == set(ASSUMPTIONS)


@pytest.mark.parametrize("name", sorted(set(interlock.__all__) - {"__version__"}))
def test_every_public_name_is_on_the_page_about_python(name: str):
    assert re.search(rf"`{name}\b", page("docs/python.md"))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_on_the_page_about_the_command_line(command: str):
    assert f"interlock {command}" in page("docs/command-line.md")


def test_the_draft_is_the_one_that_documents_require():
    assert f"`{DRAFT_FEATURE}`" in page("docs/compatibility.md")
    assert f"`{DRAFT_FEATURE}`" in page("README.md")


def test_the_words_are_explained_once_and_drawn():
    text = page("docs/words.md")
    words = (
        "artifact",
        "variant",
        "module",
        "payload",
        "bundle",
        "envelope",
        "package",
        "container",
    )
    for word in words:
        assert text.count(f"| **{word}** |") == 1
        assert re.search(rf"(?s)```.*{word}.*```", text)


def test_contributing_says_how_to_add_a_field_a_rule_a_case_and_a_version():
    text = page("CONTRIBUTING.md")
    for what in ("a field", "a rule", "a case", "a version"):
        assert f"\n## Add {what}\n" in text


def test_the_changelog_has_a_section_for_each_clock():
    unreleased = section(page("CHANGELOG.md"), "[Unreleased]")
    assert re.findall(r"^### (.+)$", unreleased, re.MULTILINE) == ["Schema", "Rules", "Python", "C++"]


def test_the_page_about_cpp_lists_what_the_headers_declare():
    rows = re.findall(
        r"^\| (?:`([\w.]+)`)? ?\| (`.+?`) \|", section(page("docs/cpp.md"), "The library"), re.MULTILINE
    )
    listed: dict[str, set[str]] = {}
    header = ""
    for named, names in rows:
        header = named or header
        listed.setdefault(header, set()).update(re.findall(r"\w+", re.sub(r"<T>", "", names)))
    folder = ROOT / "cpp" / "include" / "interlock"
    declared = {}
    for path in sorted(folder.glob("*.h")):
        text = path.read_text(encoding="utf-8")
        names = re.findall(r"^(?:enum class|struct|class) (\w+)[^;]*\{", text, re.MULTILINE)
        names += re.findall(r"^template .* class \[\[nodiscard\]\] (\w+) \{", text, re.MULTILINE)
        names += re.findall(r"^\[\[nodiscard\]\] .*?(\w+)\(", text, re.MULTILINE)
        names += re.findall(r"^inline constexpr .* (k\w+) =", text, re.MULTILINE)
        if names:
            declared[path.name] = set(names)
    assert listed == declared
