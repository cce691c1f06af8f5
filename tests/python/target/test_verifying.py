"""Frames and documents of target code under `interlock.verify` and the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import interlock
from interlock.diagnostic import Evidence
from interlock.target import FrameError, attach_target, make_envelope, open_document
from target_faults import chained, parts
from target_samples import (
    FORMAT,
    bundle,
    emitted,
    entry,
    graph,
    kernels,
    module,
    package,
    payload,
    profile,
    slot,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_a_sound_envelope_lacks_only_what_is_in_the_bytes() -> None:
    report = interlock.verify(interlock.loads(attach_target(make_envelope(graph()), payload()).binary()))
    assert report.diagnostics == ()
    assert [gap.check for gap in report.unverified if gap.required] == ["module"]
    assert str(report.verdict) == "UNVERIFIED"


def test_a_frame_is_the_document_in_it() -> None:
    for made in (bundle(module("a")), payload(), make_envelope(graph())):
        document = interlock.loads(made.binary())
        assert (document.kind, document.digest, document.binary) == (
            made.kind,
            made.digest,
            made.document.binary,
        )
        assert interlock.loads(document.json()).digest == made.digest


def test_a_damaged_frame_cannot_be_read() -> None:
    frame = payload().binary()
    with pytest.raises(FrameError) as refused:
        interlock.loads(frame[:-1])
    assert refused.value.code == "frame.missing-blob"
    with pytest.raises(FrameError) as refused:
        interlock.loads(frame, kind="Envelope")
    assert refused.value.code == "frame.kind-mismatch"


def test_a_frame_whose_document_breaks_a_rule_is_read_and_judged() -> None:
    p = parts()
    p.payload.entries[0].shared_bytes = 1 << 40
    report = interlock.verify(interlock.loads(p.frame("envelope")))
    assert [(each.code, str(each.path)) for each in report.diagnostics] == [
        ("payload.shared-memory-beyond-profile", 'payloads[0].payload.body.entries["a-second"].shared_bytes')
    ]
    p = parts()
    p.bundle_body = b"\0"
    document, blobs = open_document(p.frame("envelope"))
    assert len(blobs) == 0
    assert [each.code for each in interlock.verify(document).diagnostics] == ["nested.unreadable"]


def test_the_graph_in_an_envelope_is_proven_too() -> None:
    p = parts()
    node = next(each for each in p.graph.body.nodes if each.id == "a-second")
    node.depends_on[:] = []
    codes = {each.code for each in interlock.verify(p.message("envelope")).diagnostics}
    assert "hazard.unordered-access" in codes


def test_what_a_module_keeps_inside_is_an_assumption_with_its_evidence() -> None:
    message = chained().message("envelope")
    report = interlock.verify(message)
    held = [each for each in report.assumptions if each.code == "assumption.internalized-dependency"]
    assert [(str(each.path), each.evidence) for each in held] == [
        ("payloads[0].payload.body.bundle.body.modules[0].internalized[0]", Evidence.ASSERTED)
    ]
    floor = interlock.verify(message, require=Evidence.PROVEN)
    assert "assumption.internalized-dependency" in [gap.check for gap in floor.unverified]


def test_a_write_through_a_slot_that_is_also_read_is_an_assumption() -> None:
    wide = package({"scale": entry(slots=[slot("src", "READ"), slot("dst", "READ_WRITE")])})
    from interlock.target import compile_launch_groups  # noqa: PLC0415 - only here

    made = compile_launch_groups(graph(), kernels(wide), FORMAT, profile(), emitted)
    report = interlock.verify(attach_target(make_envelope(graph()), made).document)
    held = [
        str(each.path) for each in report.assumptions if each.code == "assumption.reads-nothing-unwritten"
    ]
    assert held == ['payloads[0].payload.body.entries["b-first"].bindings[1]']


def test_the_command_reads_frames(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from interlock.cli.run import run  # noqa: PLC0415 - only here

    file = tmp_path / "sample.envelope"
    file.write_bytes(attach_target(make_envelope(graph()), payload()).binary())
    assert run(["verify", str(file)]) == 3
    assert "document  Envelope" in capsys.readouterr().out
