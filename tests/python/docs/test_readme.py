"""README.md says what is true: its code runs, samples are what commands print, links lead somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import interlock
from interlock.diagnostic import AddedDependency

ROOT = Path(__file__).resolve().parents[3]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "gen" / "docs").rglob("*.md")])


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def plain(text: str) -> str:
    return " ".join(text.replace("*", "").split())


def anchors(page: Path) -> set[str]:
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r'<a id="([^"]+)"', text))


@pytest.mark.parametrize("page", ["README.md", "docs/README.md"])
def test_it_says_that_this_is_metadata_and_verification_only(page: str):
    text = plain((ROOT / page).read_text(encoding="utf-8"))
    assert re.search(
        r"metadata and verification only: there is no scheduler and no executor (in it|here)", text
    )


def test_the_python_quickstart_runs_and_writes_a_document_that_verifies(tmp_path: Path):
    (code,) = blocks("python")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    verdict, digest = done.stdout.splitlines()[-1].split()
    assert done.stdout.count("\n") == 1, "a graph without findings"
    assert verdict == "SOUND"
    written = subprocess.run(
        [sys.executable, "-m", "interlock", "digest", "two_stage_sum.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert written.stdout == f"{digest}  two_stage_sum.json\n"


def test_the_broken_example_has_a_race_and_a_write_that_is_not_visible_and_their_fixes_mend_it():
    document = interlock.load(ROOT / "docs" / "examples" / "broken.txtpb")
    report = interlock.verify(document)
    assert [finding.code for finding in report.diagnostics] == [
        "hazard.unordered-access",
        "visibility.write-not-visible",
    ]
    race, unseen = report.diagnostics
    assert [element.id for element in race.elements] == ["column-ranges", "subtract-means", "table"]
    assert race.fix is not None
    assert race.fix.dependencies == (AddedDependency("subtract-means", "column-ranges"),)
    assert unseen.fix is not None
    (added,) = unseen.fix.statements
    assert (added.source, added.node, added.resource) == ("column-means", "subtract-means", "means")
    for finding in report.diagnostics:
        assert finding.fix is not None
        document = interlock.apply_fix(document, finding.fix)
    assert interlock.verify(document).verdict.name == "SOUND"


def test_its_samples_are_what_the_commands_print_and_what_the_cpp_tests_run(tmp_path: Path):
    assert len(blocks("console")) == 3
    assert len(blocks("cpp")) == 1
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "readme_samples.py"), "--check"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_demo_proves_a_real_graph_and_shows_a_race():
    done = subprocess.run(
        ["tools/demo.sh"],
        cwd=ROOT,
        env={**os.environ, "INTERLOCK": str(Path(sys.executable).with_name("interlock"))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.findall(r": (SOUND|UNSOUND): |^(Exit \d): ", done.stdout, re.MULTILINE) == [
        ("SOUND", ""),
        ("", "Exit 0"),
        ("UNSOUND", ""),
        ("", "Exit 1"),
    ]
    assert "`subtract-means` depend on `column-ranges`" in done.stdout


def test_the_demo_fails_where_a_verdict_is_another(tmp_path: Path):
    unverified = tmp_path / "interlock"
    unverified.write_text("#!/bin/sh\nexit 3\n")
    unverified.chmod(0o755)
    done = subprocess.run(
        ["tools/demo.sh"],
        cwd=ROOT,
        env={**os.environ, "INTERLOCK": str(unverified)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "Exit 3 where 0 was expected: the demo failed.\n")


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_every_link_leads_to_a_file_and_to_a_heading_of_it(page: Path):
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("https://", "http://")):
            continue
        name, _, fragment = target.partition("#")
        other = (page.parent / name).resolve() if name else page
        if not other.exists() or (fragment and fragment not in anchors(other)):
            broken.append(target)
    assert broken == []


def test_the_table_of_exit_codes_is_that_of_the_command_line_page():
    def table(page: str) -> list[str]:
        return re.findall(r"^\| (\d+) \|", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)

    assert table("README.md") == table("docs/command-line.md") == ["0", "1", "2", "3"]


def test_it_names_every_verb_of_the_quick_start_that_the_makefile_has():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    verbs = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?:`|    |\| `)make ([a-z-]+)", README + contributing))
    assert named <= verbs


def test_it_says_why_betterproto2_stands_for_betterproto():
    assert "betterproto, which" in README
    assert "no longer maintained" in plain(README)
    assert "wrong enum names in JSON" in plain(README)
