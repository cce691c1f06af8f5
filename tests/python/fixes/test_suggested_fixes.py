"""Every race, and every write that is not visible, comes with a change that removes it and makes no cycle."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from google.protobuf import text_format

from execgraph.v1 import graph_pb2
from interlock.document import Document
from interlock.errors import InterlockError
from interlock.transform import apply_fix
from interlock.verification import verify
from oracle import translate
from oracle.executions import TooManyError
from oracle.generate import generate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.diagnostic import Diagnostic
    from interlock.report.model import Report

TESTS = Path(__file__).resolve().parents[2]
FOLDERS = (TESTS / "python" / "oracle" / "cases", TESTS / "conformance" / "verify")
RACE, INVISIBLE = "hazard.unordered-access", "visibility.write-not-visible"
GRAPHS, SOME = 200, 100


def fixed_documents() -> Iterator[tuple[str, Document]]:
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*.txtpb")):
            if path.name == "case.txtpb":
                continue
            text = path.read_text("utf-8")
            try:
                message = text_format.Parse(text, graph_pb2.ExecutionGraph())
                yield str(path.relative_to(folder)), Document.from_message(message)
            except (text_format.ParseError, InterlockError):
                continue  # a document of another kind, or a case of what is none


def random_documents() -> Iterator[tuple[str, Document]]:
    for seed in range(9_000, 9_000 + GRAPHS):
        try:
            message = translate.to_proto(generate(random.Random(seed)))
        except TooManyError:
            continue
        yield f"seed {seed}", Document.from_message(message)


def places(finding: Diagnostic) -> tuple[str, ...]:
    return finding.code, str(finding.path), *(str(related.path) for related in finding.related)


def identity(finding: Diagnostic) -> tuple[object, ...]:
    """Return what tells a finding apart: a pair may be invisible in one iteration, and across two."""
    fix = finding.fix
    carried_by = [statement.node for statement in fix.statements if not statement.source] if fix else None
    return *places(finding), str(carried_by)


def is_gone(finding: Diagnostic, report: Report) -> bool:
    left = [other for other in report.diagnostics if other.code == finding.code]
    if finding.code == RACE:
        pair = set(places(finding))
        return all(set(places(other)) != pair for other in left)
    return identity(finding) not in map(identity, left)


def check(name: str, document: Document, counts: Counter[str]) -> None:
    before = verify(document)
    for finding in before.diagnostics:
        if finding.code not in {RACE, INVISIBLE}:
            continue
        counts[finding.code] += 1
        assert finding.fix is not None, (name, str(finding))
        counts["carried"] += any(not statement.source for statement in finding.fix.statements)
        after = verify(apply_fix(document, finding.fix))
        assert "order.dependency-cycle" not in {other.code for other in after.diagnostics}, (
            name,
            str(finding),
        )
        assert is_gone(finding, after), (name, str(finding), finding.fix)


@pytest.mark.parametrize(
    ("documents", "least"), [(random_documents, GRAPHS), (fixed_documents, 20)], ids=["random", "fixed"]
)
def test_a_fix_removes_its_finding(documents: object, least: int):
    counts: Counter[str] = Counter()
    for name, document in documents():  # type: ignore[operator]
        check(name, document, counts)
    assert counts[RACE] + counts[INVISIBLE] > least
    assert counts[RACE] >= 10
    assert counts["carried"] >= 3


def test_all_fixes_together_leave_neither_races_nor_invisible_writes():
    """Fixing one finding after the other comes to an end."""
    for name, document in islice(random_documents(), SOME):
        for _ in range(40):
            found = [f for f in verify(document).diagnostics if f.code in {RACE, INVISIBLE}]
            if not found:
                break
            assert found[0].fix is not None
            document = apply_fix(document, found[0].fix)  # noqa: PLW2901 - what the next round starts from
        else:
            pytest.fail(f"{name}: no end")
