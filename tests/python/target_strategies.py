"""Random envelopes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from interlock.author import full
from interlock.author.builder import GraphBuilder
from interlock.errors import InterlockError
from interlock.target import TypedBytes, attach_target, compile_launch_groups, group_by, make_envelope
from target_samples import FORMAT, emit_fused, kernels, profile

if TYPE_CHECKING:
    from interlock.codec.kinds import Dynamic
    from interlock.target import SealedDocument

NAMES = st.text("abxyz-./:", min_size=1, max_size=6).filter(lambda name: name[0].isalpha())


@st.composite
def envelopes(draw: Dynamic) -> SealedDocument:
    """Draw an envelope of a random graph, with random groups, code and formats."""
    made = GraphBuilder(draw(NAMES))
    for name in ("copy", "scale", "tally"):
        made.artifact(name)
    names = draw(st.lists(NAMES, min_size=1, max_size=6, unique_by=str.lower))
    x = made.input("x", "f32", [64])
    for at, name in enumerate(names):
        y = made.output(f"out-{at}", "f32", [64])
        earlier = draw(st.lists(st.sampled_from(names[:at]), unique=True)) if at else []
        made.dispatch(
            name, artifact=draw(st.sampled_from(["copy", "scale", "tally"])), entry="main", reads={"src": x},
            writes={"dst": full(y)}, groups=[1], workgroup_size=[64], after=earlier,
        )  # fmt: skip
    document = made.build()
    result = make_envelope(document)
    for version in draw(st.lists(st.integers(1, 2**32 - 1), max_size=3, unique=True)):
        members: dict[str, list[str]] = {}
        for name in names:
            members.setdefault(draw(st.sampled_from(names)), []).append(name)
        try:
            groups: Dynamic = group_by(document, members)
        except InterlockError:
            groups = None
        code = draw(st.binary(min_size=1, max_size=40))

        def emit(lowering: Dynamic, given_: Dynamic, code: bytes = code) -> Dynamic:
            found = emit_fused(lowering, given_)
            return found.__class__("main", TypedBytes("c", 1, code + lowering.group.encode()[:1]), None, None,
                                   found.slots, None, None, found.internalized)  # fmt: skip

        kind = FORMAT.__class__(identity=draw(NAMES), version=version)
        made_payload = compile_launch_groups(document, kernels(), kind, profile(), emit, groups=groups)
        result = attach_target(result, made_payload)
    return result
