"""Payloads of a package: their frames are opened, and judged beside the graph they are for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import target_samples as samples
from interlock import DEFAULT_LIMITS, Document, Verdict, verify
from interlock.diagnostic import Severity
from interlock.package.blobs import memory_blobs
from interlock.package.container import Container
from interlock.report.model import Readiness
from interlock.rules.context import Surroundings
from interlock.target.blobs import digest_of

if TYPE_CHECKING:
    from execgraph.v1 import package_pb2
    from interlock.report.model import Report

FRAME = "payloads[0].frame"


def packaged(frame: bytes, **changes: object) -> package_pb2.Package:
    """Return the sample package with its graph and one payload."""
    message = samples.package()
    message.graphs.add(id="sample").source.embedded = samples.graph().binary
    added = message.payloads.add(graph="sample", format=samples.FORMAT)
    added.frame.digest, added.frame.size = digest_of(frame), len(frame)
    for name, value in changes.items():
        getattr(added, name).CopyFrom(value)
    return message


def judged(message: package_pb2.Package, *blobs: bytes) -> Report:
    document = Document.from_message(message)
    found = {digest_of(data): data for data in (*samples.CODE.values(), *blobs)}
    container = Container("memory", "memory", document, memory_blobs(found, DEFAULT_LIMITS))
    return verify(document, surroundings=Surroundings(container))


def about_payload(report: Report) -> list[tuple[str, str]]:
    return [
        (each.code, str(each.path))
        for each in report.diagnostics
        if each.severity is Severity.ERROR and str(each.path).startswith("payloads")
    ]


def test_a_payload_of_the_graph_has_nothing_wrong():
    frame = samples.payload().binary()
    report = judged(packaged(frame), frame)
    assert about_payload(report) == []
    assert [
        (gap.check, str(gap.path)) for gap in report.unverified if str(gap.path).startswith("payloads")
    ] == [("module.unknown-content", f"{FRAME}.bundle.body.modules[{index}].code") for index in range(3)]


def test_the_bytes_are_hashed():
    frame = samples.payload().binary()
    damaged = bytearray(frame)
    damaged[-1] ^= 1
    message = packaged(frame)
    document = Document.from_message(message)
    blobs = {digest_of(data): data for data in samples.CODE.values()} | {digest_of(frame): bytes(damaged)}
    container = Container("memory", "memory", document, memory_blobs(blobs, DEFAULT_LIMITS))
    report = verify(document, surroundings=Surroundings(container))
    assert about_payload(report) == [("container.digest-mismatch", FRAME)]
    assert report.verdict is Verdict.UNSOUND
    assert {each.readiness for each in report.readiness} == {Readiness.NOT_READY}


def test_a_frame_that_is_not_there():
    report = judged(packaged(samples.payload().binary()))
    assert about_payload(report) == [("container.missing-blob", FRAME)]


def test_without_a_container_it_is_unverified():
    report = verify(Document.from_message(packaged(samples.payload().binary())))
    assert ("payload", FRAME) in {(gap.check, str(gap.path)) for gap in report.unverified if gap.required}


def test_a_frame_of_another_kind():
    frame = samples.bundle(samples.module("b-first")).binary()
    assert about_payload(judged(packaged(frame), frame)) == [("frame.kind-mismatch", FRAME)]


def test_a_payload_of_another_graph():
    other = samples.builder()
    other.input("unused", "f32", [1])
    frame = samples.payload().binary()
    message = packaged(frame)
    message.graphs[0].source.embedded = other.build().binary
    assert ("payload.graph-mismatch", f"{FRAME}.graph_digest") in about_payload(judged(message, frame))


def test_a_format_that_the_payload_does_not_have():
    frame = samples.payload().binary()
    other = samples.copied(samples.FORMAT)
    other.version = 2
    codes = {code for code, _ in about_payload(judged(packaged(frame, format=other), frame))}
    assert codes == {"payload.format-mismatch"}


@pytest.mark.parametrize("cut", [0, 1, 48, 100])
def test_a_cut_frame(cut: int):
    frame = samples.payload().binary()[:cut]
    assert [path.split(".")[0] for _, path in about_payload(judged(packaged(frame), frame))] == [
        "payloads[0]"
    ]
