"""H: envelopes, attaching, looking up; and I: the kinds of errors."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from execgraph.v1 import blob_pb2, profile_pb2
from interlock.document import Document
from interlock.errors import InterlockError
from interlock.target import (
    BundleError,
    EmissionError,
    EnvelopeError,
    FrameError,
    InvalidArtifactError,
    PayloadError,
    TargetError,
    UnsupportedError,
    attach_target,
    compile_launch_groups,
    compile_target,
    decode_envelope,
    find_payload,
    formats_of,
    graph_of,
    make_envelope,
)
from target_faults import FAULTS, parts
from target_samples import FORMAT, bundle, copied, emitted, graph, kernels, payload, profile, remade

if TYPE_CHECKING:
    from interlock.codec.kinds import Dynamic
    from interlock.target import SealedDocument
    from interlock.target.compiler import KernelPackage


PROFILE = profile()


class Example:
    """A target compiler whose statements and payload may differ."""

    def __init__(
        self,
        made_format: blob_pb2.ContentType = FORMAT,
        made_profile: profile_pb2.TargetProfile = PROFILE,
    ) -> None:
        self.format = FORMAT
        self.profile = PROFILE
        self.made_format = made_format
        self.made_profile = made_profile

    def compile(self, graph_: Document, package: KernelPackage) -> SealedDocument:
        return compile_launch_groups(graph_, package, self.made_format, self.made_profile, emitted)


def version(number: int, identity: str = "example-module") -> blob_pb2.ContentType:
    return blob_pb2.ContentType(identity=identity, version=number)


def attached(*payloads: SealedDocument) -> SealedDocument:
    envelope = make_envelope(graph())
    for each in payloads:
        envelope = attach_target(envelope, each)
    return envelope


def test_h1_what_a_compiler_refuses_leaves_no_envelope() -> None:
    from interlock.target import Kernels  # noqa: PLC0415 - only here

    with pytest.raises(InvalidArtifactError):
        compile_target(graph(), Kernels(None, kernels().blobs), Example())


def test_h2_a_payload_is_attached_with_every_check() -> None:
    assert compile_target(graph(), kernels(), Example()) == attached(payload())


def test_h3_the_result_has_the_payload_of_the_graph() -> None:
    made = compile_target(graph(), kernels(), Example())
    assert formats_of(made) == (("example-module", 1),)
    assert find_payload(made, FORMAT).message.graph_digest == graph().digest == graph_of(made).digest


def test_h4_format_and_profile_are_those_that_the_compiler_states() -> None:
    for compiler, code in (
        (Example(made_format=version(2)), "payload.foreign-format"),
        (Example(made_profile=profile(generation=4)), "payload.foreign-profile"),
        (Example(made_format=version(2), made_profile=profile(generation=4)), "payload.foreign-format"),
    ):
        with pytest.raises(PayloadError) as refused:
            compile_target(graph(), kernels(), compiler)
        assert refused.value.code == code


def test_h5_an_envelope_is_the_same_after_writing_and_reading() -> None:
    made = attached(payload(), remade(payload(), format=version(2)))
    read = decode_envelope(made.binary())
    assert read == made
    assert read.binary() == made.binary()
    assert find_payload(read, ("example-module", 2)) == find_payload(made, ("example-module", 2))


def test_h6_compilers_run_in_threads() -> None:
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: compile_target(graph(), kernels(), Example()), range(8)))
    assert {each.binary() for each in made} == {attached(payload()).binary()}


def test_payloads_are_in_the_order_of_their_formats_however_they_came() -> None:
    made = [
        remade(payload(), format=version(number, name)) for name, number in (("b", 1), ("a", 10), ("a", 9))
    ]
    assert formats_of(attached(*made)) == (("a", 9), ("a", 10), ("b", 1))
    assert attached(*made) == attached(*reversed(made))


def test_a_payload_of_another_graph_is_refused_first() -> None:
    other = copied(graph().message)
    other.id = "other"
    envelope = attach_target(
        make_envelope(other), remade(payload(), graph_digest=Document.from_message(other).digest)
    )
    with pytest.raises(PayloadError) as refused:
        attach_target(envelope, payload())  # the format is there too
    assert (refused.value.code, str(refused.value.path)) == ("payload.graph-mismatch", "graph_digest")


def test_a_format_is_attached_once() -> None:
    hostile = copied(payload().message)
    hostile.entries[0].logical_elements = 5
    broken = remade(payload(), entries=hostile.entries)
    with pytest.raises(EnvelopeError) as refused:
        attach_target(attached(payload()), broken)
    assert (refused.value.code, str(refused.value.path)) == (
        "envelope.duplicate-format",
        "payloads[0].format",
    )


def test_attaching_changes_neither_argument() -> None:
    envelope, one = make_envelope(graph()), payload()
    before = envelope.binary(), one.binary()
    attach_target(envelope, one)
    hostile = copied(one.message)
    hostile.entries[0].logical_elements = 5
    with pytest.raises(EnvelopeError):
        attach_target(envelope, remade(one, entries=hostile.entries))
    assert (envelope.binary(), one.binary()) == before


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        (("example-module", 2), "envelope.unknown-format-version"),
        (("example-module", 0), "envelope.unknown-format-version"),
        (("example-modul", 1), "envelope.unknown-format"),
        (("Example-module", 1), "envelope.unknown-format"),
        (("", 1), "envelope.unknown-format"),
    ],
)
def test_a_format_is_found_exactly_or_not_at_all(wanted: tuple[str, int], code: str) -> None:
    with pytest.raises(EnvelopeError) as refused:
        find_payload(attached(payload()), wanted)
    assert (refused.value.code, str(refused.value.path)) == (code, "payloads")


def test_an_envelope_needs_a_graph() -> None:
    with pytest.raises(TypeError):
        make_envelope(kernels().document)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        attach_target(payload(), payload())
    with pytest.raises(TypeError):
        attach_target(make_envelope(graph()), bundle())


def test_a_graph_that_does_not_resolve_gets_no_envelope() -> None:
    broken = copied(graph().message)
    broken.body.nodes[0].depends_on.append("nowhere")
    with pytest.raises(InvalidArtifactError) as refused:
        make_envelope(broken)
    assert [(each.code, str(each.path)) for each in refused.value.diagnostics] == [
        ("reference.missing-node", 'graph.body.body.nodes["a-second"].depends_on[0]')
    ]


ENVELOPE_FAULTS = [
    each for each in FAULTS if each.level == "envelope" and each.code != "payload.format-mismatch"
]


@pytest.mark.parametrize("fault", ENVELOPE_FAULTS, ids=lambda fault: fault.code)
def test_what_decoding_refuses_cannot_be_attached(fault: Dynamic) -> None:
    p = fault.make()
    fault.change(p)
    from interlock.target import decode_payload  # noqa: PLC0415 - only here

    envelope = p.message("envelope")
    body = copied(p.payload)
    body.graph_digest = envelope.graph.digest if fault.code != "payload.graph-mismatch" else body.graph_digest
    p.payload.CopyFrom(body)
    one = decode_payload(p.frame("payload"))
    with pytest.raises(TargetError) as refused:
        attach_target(make_envelope(p.graph), one)
    assert sorted(each.code for each in refused.value.diagnostics) == fault.codes


def test_i1_every_kind_has_a_name() -> None:
    kinds = {
        FrameError: "frame", BundleError: "bundle", PayloadError: "payload", EnvelopeError: "envelope",
        InvalidArtifactError: "invalid-artifact", UnsupportedError: "unsupported", EmissionError: "emission",
    }  # fmt: skip
    assert {kind: kind.kind for kind in kinds} == kinds
    assert (
        str(UnsupportedError.of("emission.example", "too large"))
        == "document: error[emission.example] too large"
    )


def test_i2_code_and_path_stay_reachable_in_every_kind() -> None:
    p = parts()
    p.payload.entries[0].shared_bytes = 1 << 40
    from interlock.target import decode_sealed  # noqa: PLC0415 - only here

    with pytest.raises(InterlockError) as refused:
        decode_sealed(p.frame("envelope"))
    assert isinstance(refused.value, PayloadError)
    assert refused.value.code == "payload.shared-memory-beyond-profile"
    assert str(refused.value.path) == 'payloads[0].payload.body.entries["a-second"].shared_bytes'


def test_i3_the_kinds_are_open() -> None:
    class LaterError(TargetError):
        kind = "later"

    error: TargetError = LaterError.of("emission.example", "later")
    assert (error.kind, error.code) == ("later", "emission.example")
    assert isinstance(error, InterlockError)
