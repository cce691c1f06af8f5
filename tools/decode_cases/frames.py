"""Sealed frames: the bytes around documents, documents within documents, and the blobs behind them.

What rules say of documents in frames is no matter of reading alone: every document here that is canonical is
one in which all rules hold.
"""

from __future__ import annotations

import hashlib

from decode_cases.model import FRAME, Accepted, Group, Refused
from decode_cases.wire import HERE, Part, Piece, field, graph, graph_id, header, join, tag

ONE, TWO, THREE = b"code one", b"code two", b"the third code"


def digest(data: bytes) -> str:
    """Return a digest as documents spell it."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def frame(
    letter: str,
    document: Piece,
    *blobs: bytes,
    start: Part = b"\x89XGF",
    version: Part = b"\1",
    kind: Part | None = None,
    line_end: Part = b"\r\n",
    length: Part | None = None,
    stated: Part | None = None,
) -> Piece:
    """Compose a frame; blobs stand behind the body in the order of their digests."""
    body = document.data
    return join(
        start,
        version,
        letter.encode() if kind is None else kind,
        line_end,
        len(body).to_bytes(8, "little") if length is None else length,
        hashlib.sha256(body).digest() if stated is None else stated,
        document,
        *sorted(blobs, key=digest),
    )


def typed(name: str, data: bytes, size: int | None = None) -> Piece:
    """Encode a typed blob as a field of a module."""
    return field(
        f"TargetModule.{name}",
        field(
            "TypedBlob.content_type",
            field("ContentType.identity", "example-code"),
            field("ContentType.version", 1),
        ),
        field(
            "TypedBlob.blob",
            field("BlobReference.digest", digest(data)),
            field("BlobReference.size", len(data) if size is None else size),
        ),
    )


def module(group: str, *blobs: Part, at: Part = b"") -> Piece:
    """Encode a module of one member named like its group."""
    return join(
        at,
        field(
            "TargetModuleBundle.modules",
            field("TargetModule.group", group),
            field("TargetModule.members", group),
            field("TargetModule.entry_point", "main"),
            *blobs,
        ),
    )


def bundle(*parts: Part) -> Piece:
    """Encode a bundle: its header, then the parts."""
    return join(header(kind="TargetModuleBundle"), *parts)


def nested(name: str, document: Piece, stated: str | None = None) -> Piece:
    """Encode a document within another one."""
    return field(
        name,
        field("NestedDocument.digest", digest(document.data) if stated is None else stated),
        field("NestedDocument.body", document),
    )


def content_format(name: str, version: int) -> Piece:
    """Encode a format."""
    return field(name, field("ContentType.identity", "example"), field("ContentType.version", version))


def payload(inner: Piece, stated: str | None = None, *, version: int = 1) -> Piece:
    """Encode a payload of two launch groups, `a` and `b`, around the given bundle."""
    ones = field(
        "WorkgroupCount.extents",
        *(field("GridExtents.counts", field("Extent.constant", 1)) for _ in range(3)),
    )
    geometry = field(
        "TargetEntry.geometry",
        field("Geometry.workgroup_count", ones),
        field("Geometry.workgroup_size", 1, 1, 1),
    )
    return join(
        header(kind="TargetPayload"),
        field("TargetPayload.graph_digest", digest(b"some graph")),
        content_format("TargetPayload.format", version),
        field(
            "TargetPayload.profile",
            field("TargetProfile.identity", "device"),
            field("TargetProfile.generation", 1),
            field("TargetProfile.target", "vulkan"),
            field("TargetProfile.maximum_workgroup_size", 1, 1, 1),
            field("TargetProfile.maximum_workgroup_invocations", 1),
            field("TargetProfile.maximum_workgroup_count", 1, 1, 1),
        ),
        *(
            field("TargetPayload.groups", field("LaunchGroup.id", name), field("LaunchGroup.members", name))
            for name in "ab"
        ),
        *(
            field(
                "TargetPayload.entries",
                field("TargetEntry.group", name),
                geometry,
                field("TargetEntry.logical_elements", 1),
            )
            for name in "ab"
        ),
        nested("TargetPayload.bundle", inner, stated),
    )


def envelope(inner: Piece, *payloads: Part, stated: str | None = None) -> Piece:
    """Encode an envelope around the given graph."""
    return join(header(kind="Envelope"), nested("Envelope.graph", inner, stated), *payloads)


def held(inner: Piece, version: int = 1, stated: str | None = None) -> Piece:
    """Encode a payload of an envelope."""
    return field(
        "Envelope.payloads",
        content_format("EnvelopePayload.format", version),
        nested("EnvelopePayload.payload", inner, stated),
    )


A, B = module("a", typed("code", ONE)), module("b", typed("code", TWO), typed("lowered", THREE))
BUNDLE = bundle(A, B)
PAYLOAD = payload(BUNDLE)
GRAPH = graph(graph_id())
WRONG = "sha256:" + "0" * 64
UNKNOWN = join(HERE, tag(999, 0), b"\1")
"""A field of no message."""
UNKNOWN_CODE = "canonical.unknown-field"


def cases() -> Group:
    """Return the cases of frames."""
    group = Group("frame")
    _add_accepted(group)
    _add_headers(group)
    _add_bodies(group)
    _add_nested(group)
    _add_blobs(group)
    return group


def _add_accepted(group: Group) -> None:
    for name, description, letter, document, blobs in (
        ("empty_bundle", "A bundle without modules and without blobs.", "B", bundle(), ()),
        ("bundle", "Two modules and three blobs.", "B", BUNDLE, (ONE, TWO, THREE)),
        ("payload", "A payload with its bundle; the blobs follow the outermost body.", "P", PAYLOAD,
         (ONE, TWO, THREE)),
        ("envelope", "An envelope around a graph.", "E", envelope(GRAPH), ()),
        ("shared_blob", "Two modules of the same bytes: the blob stands there once.", "B",
         bundle(module("a", typed("code", ONE)), module("b", typed("code", ONE))), (ONE,)),
    ):  # fmt: skip
        group.add(name, description, frame(letter, document, *blobs), Accepted(document.data), form=FRAME)
    whole = frame("B", BUNDLE, ONE, TWO, THREE)
    group.add(
        "expected_kind", "The kind that the caller expects.", whole, Accepted(BUNDLE.data), form=FRAME,
        expected_kind="TargetModuleBundle",
    )  # fmt: skip
    group.add(
        "frame_bytes_just", "As many bytes as the limit allows.", whole, Accepted(BUNDLE.data), form=FRAME,
        frame_bytes=len(whole.data),
    )  # fmt: skip
    group.add(
        "blob_bytes_just", "Blobs as large as the limit allows.", whole, Accepted(BUNDLE.data), form=FRAME,
        blob_bytes=len(THREE),
    )  # fmt: skip


def _add_headers(group: Group) -> None:
    def refuse(name: str, description: str, input_: Piece, code: str, kind: str = "", **limits: int) -> None:
        group.add(
            name, description, input_, Refused(code, ""), form=FRAME, canonicalize=False, expected_kind=kind,
            **limits,
        )  # fmt: skip

    empty = frame("B", bundle())
    whole = frame("B", BUNDLE, ONE, TWO, THREE)
    refuse("empty", "No bytes at all.", HERE, "frame.truncated")
    refuse("short_header", "47 bytes: the header has 48.", join(empty.data[:47], HERE), "frame.truncated")
    refuse("start", "Another first byte.", frame("B", bundle(), start=join(HERE, b"\x88XGF")),
           "frame.unknown-magic")  # fmt: skip
    refuse("line_end", "The line end as text tools leave it.",
           frame("B", bundle(), line_end=join(HERE, b"\n\n")), "frame.unknown-magic")  # fmt: skip
    refuse("start_and_version", "The magic is judged before the version, the line end too.",
           frame("B", bundle(), version=b"\2", kind=b"?", line_end=join(HERE, b"\n\n")),
           "frame.unknown-magic")  # fmt: skip
    refuse("version", "A newer version of the frame, with a kind it may bring.",
           frame("B", bundle(), version=join(HERE, b"\2"), kind=b"?"), "frame.unknown-version")  # fmt: skip
    refuse("kind", "A kind that there is not.", frame("B", bundle(), kind=join(HERE, b"G")),
           "frame.unknown-kind")  # fmt: skip
    refuse("kind_mismatch", "Another kind than the caller expects, and a body that is cut short.",
           frame("B", bundle(), kind=join(HERE, b"B"), length=b"\xff" * 8), "frame.kind-mismatch",
           "Envelope")  # fmt: skip
    refuse("greatest_length", "A body that is announced to have the greatest length there is.",
           frame("B", bundle(), length=join(HERE, b"\xff" * 8)), "frame.truncated")  # fmt: skip
    refuse("short_body", "The last byte of the body is missing.",
           join(empty.data[:8], HERE, empty.data[8:-1]), "frame.truncated")  # fmt: skip
    refuse("digest", "Another digest than that of the body, which is no document either.",
           frame("B", Piece(b"\0"), stated=join(HERE, bytes(32))), "frame.digest-mismatch")  # fmt: skip
    refuse("frame_bytes", "One byte more than the limit allows, and no frame at all.",
           Piece(b"\0" * 100), "limit.frame-bytes", frame_bytes=99)  # fmt: skip
    refuse("document_bytes", "A body of one byte more than the limit of documents allows.", whole,
           "limit.document-bytes", document_bytes=len(BUNDLE.data) - 1)  # fmt: skip


def _add_bodies(group: Group) -> None:
    def refuse(name: str, description: str, input_: Piece, code: str, path: str) -> None:
        group.add(name, description, input_, Refused(code, path), form=FRAME)

    refuse("body_empty", "A body without a byte.", frame("B", HERE), "header.missing", "header")
    refuse("body_of_another_kind", "The body is another document than the letter says.",
           frame("P", join(b"\x0a\x0d", HERE, bundle().data[2:])), "header.kind-mismatch",
           "header.kind")  # fmt: skip
    refuse("body_unknown_field", "Offsets count from the first byte of the frame.",
           frame("B", bundle(A, UNKNOWN)), UNKNOWN_CODE, "")  # fmt: skip
    refuse("body_unsorted", "Modules in another order than that of stage and group, and no blobs.",
           frame("B", bundle(B, module("a", typed("code", ONE), at=HERE))), "canonical.unsorted-set",
           "modules[1]")  # fmt: skip
    refuse("body_duplicate", "Two modules of one group.",
           frame("B", bundle(A, module("a", typed("code", TWO), at=HERE))), "canonical.duplicate-key",
           "modules[1]")  # fmt: skip


def _add_nested(group: Group) -> None:
    def refuse(name: str, description: str, input_: Piece, code: str, path: str) -> None:
        group.add(f"nested_{name}", description, input_, Refused(code, path), form=FRAME)

    bad_graph, bad_bundle = graph(graph_id(), UNKNOWN), bundle(A, UNKNOWN)
    unmarked = Piece(bad_graph.data)
    refuse("graph", "What is in a graph counts from the first byte of the frame.",
           frame("E", envelope(bad_graph)), UNKNOWN_CODE, "graph.body")  # fmt: skip
    refuse("bundle", "A field of no message in a bundle in a payload, and no blobs.",
           frame("P", payload(bad_bundle)), UNKNOWN_CODE, "bundle.body")  # fmt: skip
    refuse("bundle_in_envelope", "Two levels below the envelope, in the second payload.",
           frame("E", envelope(GRAPH, held(PAYLOAD), held(payload(bad_bundle, version=2), 2))), UNKNOWN_CODE,
           "payloads[1].payload.body.bundle.body")  # fmt: skip
    refuse("kind", "A bundle where the graph belongs.",
           frame("E", envelope(join(b"\x0a\x0d", HERE, bundle().data[2:]))), "header.kind-mismatch",
           "graph.body.header.kind")  # fmt: skip
    refuse("graph_digest", "The digest is judged before what it is the digest of.",
           frame("E", envelope(unmarked, stated=WRONG)), "nested.digest-mismatch",
           "graph.digest")  # fmt: skip
    refuse("malformed_digest", "What is no digest at all is none that fits.",
           frame("E", envelope(GRAPH, stated="0")), "nested.digest-mismatch", "graph.digest")  # fmt: skip
    refuse("payload_digest", "The graph is read before the digest of the first payload is judged.",
           frame("E", envelope(bad_graph, held(PAYLOAD, stated=WRONG))), UNKNOWN_CODE,
           "graph.body")  # fmt: skip
    refuse("bundle_digest", "The digest in a payload in an envelope.",
           frame("E", envelope(GRAPH, held(payload(BUNDLE, WRONG)))), "nested.digest-mismatch",
           "payloads[0].payload.body.bundle.digest")  # fmt: skip
    refuse("before_next", "What is in the first payload is judged before the digest of the second.",
           frame("E", envelope(GRAPH, held(payload(BUNDLE, WRONG)), held(PAYLOAD, 2, WRONG))),
           "nested.digest-mismatch", "payloads[0].payload.body.bundle.digest")  # fmt: skip
    refuse("body_first", "The whole outer body is judged before anything nested.",
           frame("P", join(payload(BUNDLE, WRONG), UNKNOWN)), UNKNOWN_CODE, "")  # fmt: skip


def _add_blobs(group: Group) -> None:
    def refuse(name: str, description: str, input_: Piece, code: str, path: str) -> None:
        group.add(f"blob_{name}", description, input_, Refused(code, path), form=FRAME)

    whole = frame("B", BUNDLE, ONE, TWO, THREE)
    code = {data: f"modules[{i}].code.blob" for i, data in enumerate((ONE, TWO))}
    places = {**code, THREE: "modules[1].lowered.blob"}
    first, second, third = sorted(places, key=digest)
    refuse("cut", "The last blob is one byte short.", Piece(whole.data[:-1]), "frame.missing-blob",
           places[third])  # fmt: skip
    refuse("none", "No blob is there.", frame("B", BUNDLE), "frame.missing-blob", places[first])
    refuse("none_in_payload", "No blob is there; the path leads into the bundle.", frame("P", PAYLOAD),
           "frame.missing-blob", f"bundle.body.{places[first]}")  # fmt: skip
    refuse("trailing", "A byte behind the last blob, and the first one damaged.",
           join(frame("B", BUNDLE), b"?" * len(first), second, third, b"\0"), "frame.trailing-bytes",
           "")  # fmt: skip
    refuse("trailing_in_empty", "A byte behind a bundle without blobs.", join(frame("B", bundle()), b"\0"),
           "frame.trailing-bytes", "")  # fmt: skip
    refuse("descending", "Blobs of one size in descending order of digest.",
           join(frame("B", bundle(A, module("b", typed("code", TWO)))),
                *sorted((ONE, TWO), key=digest, reverse=True)),
           "frame.blob-digest-mismatch", code[min(ONE, TWO, key=digest)])  # fmt: skip
    refuse("damaged", "A bit of the second blob is flipped.",
           join(frame("B", BUNDLE), first, bytes((second[0] ^ 1,)), second[1:], third),
           "frame.blob-digest-mismatch", places[second])  # fmt: skip
    refuse("two_sizes", "One digest with two sizes, and no blobs.",
           frame("B", bundle(A, module("b", typed("code", ONE, 1 << 40)))), "frame.blob-size-conflict",
           "modules[1].code.blob")  # fmt: skip
    refuse("greatest_size", "A blob that is announced to have the greatest size there is.",
           frame("B", bundle(module("a", typed("code", ONE, (1 << 64) - 1)))), "limit.blob-bytes",
           "modules[0].code.blob")  # fmt: skip
    group.add(
        "blob_over_limit", "A blob one byte larger than the limit allows.", whole,
        Refused("limit.blob-bytes", places[THREE]), form=FRAME, blob_bytes=len(THREE) - 1,
    )  # fmt: skip
