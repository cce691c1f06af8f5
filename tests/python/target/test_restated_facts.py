"""What a payload restates has one spelling, and nothing in it may be written that is only read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interlock.target import PayloadError, TargetError, decode_envelope
from target_faults import Parts, chained, looped, parts

if TYPE_CHECKING:
    from execgraph.v1 import payload_pb2

INSIDE = "payloads[0].payload.body."
CONSTANT, UNIFORM = 2, 3


def refusals(changed: Parts) -> list[tuple[str, str]]:
    with pytest.raises(TargetError) as refused:
        decode_envelope(changed.frame("envelope"))
    return [(each.code, str(each.path)) for each in refused.value.diagnostics]


def entry(changed: Parts, group: str) -> payload_pb2.TargetEntry:
    return next(each for each in changed.payload.entries if each.group == group)


@pytest.mark.parametrize("storage", [CONSTANT, UNIFORM])
def test_what_is_written_lies_in_no_memory_that_is_only_read(storage: int) -> None:
    changed = parts()
    module = next(each for each in changed.bundle.modules if each.group == "c-apart")
    next(each for each in module.slots if each.name == "dst").slot.storage_class = storage
    for position, binding in enumerate(entry(changed, "c-apart").bindings):
        if binding.slot == "dst":
            binding.storage_class = storage
            place = f'{INSIDE}entries["c-apart"].bindings[{position}].storage_class'
    assert refusals(changed) == [("payload.storage-class-mismatch", place)]


def test_a_binding_states_its_coordinate_even_if_it_is_the_first() -> None:
    changed = parts()
    bindings = entry(changed, "a-second").bindings
    assert bindings[0].coordinate.index == 0
    bindings[0].ClearField("coordinate")
    with pytest.raises(PayloadError) as refused:
        decode_envelope(changed.frame("envelope"))
    assert [(each.code, str(each.path), each.message) for each in refused.value.diagnostics] == [
        (
            "payload.binding-mismatch",
            INSIDE + 'entries["a-second"].bindings[0].coordinate',
            "it is bound at no coordinate; the module takes it at group 0, index 0",
        )
    ]


def test_loops_need_nothing_of_the_profile() -> None:
    changed = looped()
    changed.payload.profile.ClearField("capabilities")
    assert decode_envelope(changed.frame("envelope")).kind == "Envelope"
    assert decode_envelope(chained().frame("envelope")).kind == "Envelope"
