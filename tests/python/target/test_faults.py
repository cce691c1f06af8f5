"""Every rule on target code: broken in a document that is sealed correctly otherwise, and made that way."""

from __future__ import annotations

from dataclasses import replace

import pytest

import make_target_cases
from interlock.errors import InterlockError
from interlock.limits import DEFAULT_LIMITS
from interlock.rules import group, module, nested, payload
from interlock.target import decode_sealed, make_bundle
from interlock.target.sealed import make_sealed
from target_faults import FAULTS, Fault, chained

EACH = pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.code)


@EACH
def test_the_documents_are_accepted_before_anything_is_changed(fault: Fault) -> None:
    made = fault.make()
    for level in ("bundle", "payload", "envelope"):
        frame = made.frame(level)
        assert decode_sealed(frame).binary() == frame


@EACH
def test_decoding_refuses_it_with_its_codes_and_its_place(fault: Fault) -> None:
    made = fault.make()
    fault.change(made)
    with pytest.raises(InterlockError) as refused:
        decode_sealed(made.frame(fault.level))
    assert sorted(each.code for each in refused.value.diagnostics) == fault.codes
    first = next(each for each in refused.value.diagnostics if each.code == fault.code)
    assert str(first.path) == fault.path


@EACH
def test_making_refuses_it_alike(fault: Fault) -> None:
    made = fault.make()
    fault.change(made)
    message, blobs = made.message(fault.level), [bytes(blob) for blob in made.blobs.values()]
    with pytest.raises(InterlockError) as decoding:
        decode_sealed(made.frame(fault.level))
    with pytest.raises(InterlockError) as making:
        make_sealed(message, [*blobs, b""])
    assert making.value.diagnostics == decoding.value.diagnostics
    if fault.level == "bundle":
        with pytest.raises(InterlockError) as constructing:
            make_bundle(message.modules, [*blobs, b""])  # type: ignore[attr-defined]
        assert constructing.value.diagnostics == decoding.value.diagnostics


def test_every_rule_has_its_fault() -> None:
    rules = {each.code for family in (nested, module, group, payload) for each in family.RULES}
    assert {each.code for each in FAULTS} == rules - {"nested.unreadable"}


def test_what_cannot_be_judged_within_the_limit_is_refused() -> None:
    with pytest.raises(InterlockError) as refused:
        decode_sealed(chained().frame("envelope"), limits=replace(DEFAULT_LIMITS, proof_work=0))
    assert {each.code for each in refused.value.diagnostics} == {"limit.proof-work"}


def test_the_conformance_cases_are_those_of_the_faults() -> None:
    for path, content in make_target_cases.cases():
        assert path.read_text(encoding="utf-8") == content, path
