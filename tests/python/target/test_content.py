"""What is in the bytes of modules, and verifiers that misbehave."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interlock.target import ContentVerdict, attach_target, check_content, make_envelope
from interlock.target.content import MOST_PROBLEMS
from target_samples import bundle, graph, module, payload

if TYPE_CHECKING:
    from interlock.codec.kinds import Dynamic

CODE = ("example-code", 1)


def verdict(said: Dynamic, **options: Dynamic) -> Dynamic:
    def verifier(data: memoryview, limits: object) -> Dynamic:
        assert limits is not None
        return said(data) if callable(said) else said

    return check_content(bundle(module("a"), module("b", 1)), {CODE: verifier}, **options)


def test_what_a_verifier_accepts_is_verified() -> None:
    report = verdict(ContentVerdict(entry_points=frozenset({"main", "other"})))
    assert (report.ok, report.diagnostics, report.unverified) == (True, (), ())


def test_verifiers_see_each_blob_and_cannot_change_it() -> None:
    seen = []

    def look(data: memoryview) -> ContentVerdict:
        seen.append(bytes(data))
        with pytest.raises(TypeError):
            data[0] = 0
        return ContentVerdict()

    assert verdict(look).ok
    assert seen == [b"a", b"b"]


def test_bytes_that_several_modules_have_are_looked_into_once() -> None:
    seen = []

    def verifier(data: memoryview, _: object) -> ContentVerdict:
        seen.append(bytes(data))
        return ContentVerdict(("it is short",))

    first, second = module("a"), module("b", 1)
    second.code.CopyFrom(first.code)
    report = check_content(bundle(first, second), {CODE: verifier})
    assert seen == [b"a"]
    assert [str(each.path) for each in report.diagnostics] == ["modules[0].code", "modules[1].code"]


def test_problems_are_findings_at_their_place() -> None:
    report = verdict(lambda data: ContentVerdict(("it is short",) if bytes(data) == b"b" else ()))
    assert [(each.code, str(each.path), each.message) for each in report.diagnostics] == [
        ("module.content-refused", "modules[1].code", "it is short")
    ]
    assert not report.ok


def test_an_entry_that_is_not_in_the_code_is_a_finding() -> None:
    report = verdict(ContentVerdict(entry_points=frozenset({"start"})))
    assert [(each.code, str(each.path)) for each in report.diagnostics] == [
        ("module.entry-not-in-code", "modules[0].entry_point"),
        ("module.entry-not-in-code", "modules[1].entry_point"),
    ]


def raising(error: BaseException) -> Dynamic:
    def verifier(_: memoryview) -> ContentVerdict:
        raise error

    return verifier


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (raising(ValueError("secret")), "the verifier raised `ValueError`"),
        (raising(RecursionError()), "the verifier raised `RecursionError`"),
        (raising(MemoryError()), "the verifier raised `MemoryError`"),
        (None, "the verifier returned a `NoneType`, not a ContentVerdict"),
        (ContentVerdict(problems=7), "the verifier raised `TypeError`"),  # type: ignore[arg-type]
    ],
)
def test_nothing_that_a_verifier_does_gets_out(said: Dynamic, reason: str) -> None:
    report = verdict(said)
    assert [(gap.check, gap.reason, gap.required) for gap in report.unverified] == [
        ("module.verifier-failed", reason, True)
    ] * 2
    assert not report.ok


def test_unknown_content_is_unverified_unless_it_is_accepted() -> None:
    made = attach_target(make_envelope(graph()), payload())
    report = check_content(made, {("example-code", 2): raising(ValueError())})
    assert [(gap.check, str(gap.path), gap.required) for gap in report.unverified] == [
        ("module.unknown-content", f"payloads[0].payload.body.bundle.body.modules[{at}].code", True)
        for at in range(3)
    ]
    assert not report.ok
    accepted = check_content(made, {}, accept_unknown=True)
    assert {gap.required for gap in accepted.unverified} == {False}
    assert accepted.ok


def test_problems_are_bounded() -> None:
    report = verdict(ContentVerdict(tuple(map(str, range(1000)))))
    assert len(report.diagnostics) == 2 * (MOST_PROBLEMS + 1)
    assert report.diagnostics[MOST_PROBLEMS].message == f"there are {1000 - MOST_PROBLEMS} more problems"
