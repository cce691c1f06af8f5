"""The codes of target code, with what each means and what to do about it.

What a rule finds has a code of its own; these are of frames, look-ups, compiling and content.
"""

from __future__ import annotations

TARGET_CODES: dict[str, str] = {
    "compile.ambiguous-variant": (
        "Several variants of an artifact are for the target, and nothing says which one to compile. "
        "Name it in `variants`."
    ),
    "compile.coordinate-mismatch": (
        "The graph pins a slot to another coordinate than the one at which the variant takes it."
    ),
    "compile.element-overflow": "A dispatch covers more logical elements than 64 bits can count.",
    "compile.group-geometry-mismatch": (
        "The members of one launch group have different geometries. One launch has one; make groups of "
        "those that agree."
    ),
    "compile.malformed-package": (
        "What stands in for a package is no `Package` document. Compiling needs its artifacts and its blobs."
    ),
    "compile.missing-artifact": "The package has no artifact of the name that a dispatch uses.",
    "compile.missing-entry": "The interface of an artifact has no entry of the name that a dispatch uses.",
    "compile.missing-variant": (
        "An artifact has no variant for the target. Add one to the package, or name the target whose "
        "code is to be compiled as `source_target`."
    ),
    "compile.pin-mismatch": (
        "The variant in the package is not the bytes that the graph pins. Take the package that the "
        "graph was written for."
    ),
    "compile.unbound-slot": "An entry needs a slot that the dispatch does not bind.",
    "compile.unknown-slot": "A dispatch binds a slot that the entry does not have.",
    "compile.workgroup-mismatch": (
        "The workgroup size of a dispatch is not the one that the entry fixes, or members of one launch"
        " group have different ones."
    ),
    "emission.missing-slots": (
        "The package says nothing about the interface of a member, and the compiler did not say which "
        "slots the module has."
    ),
    "emission.missing-workgroup-size": (
        "Neither the graph nor the interface states a workgroup size, and the compiler did not choose one."
    ),
    "emission.workgroup-mismatch": (
        "A compiler chose another workgroup size than the graph or the interface states."
    ),
    "emission.wrong-type": "A compiler returned something that is no emitted module.",
    "envelope.duplicate-format": (
        "The envelope has a payload of that format already. Attaching never replaces; make a new envelope."
    ),
    "envelope.unknown-format": (
        "The envelope has no payload of that format. Nothing else is offered in its place."
    ),
    "envelope.unknown-format-version": (
        "The envelope has a payload of that format in another version. Versions match exactly or not at all."
    ),
    "frame.blob-digest-mismatch": (
        "Bytes behind the body of a frame do not have the digest by which the body refers to them. The "
        "file is damaged; fetch it again."
    ),
    "frame.blob-size-conflict": "A document refers to one digest with two sizes. At most one can be true.",
    "frame.digest-mismatch": "The body of a frame does not have the digest before it. The file is damaged.",
    "frame.kind-mismatch": "The frame holds another kind of document than the one that was asked for.",
    "frame.missing-blob": (
        "Bytes that a document refers to are not there: the file is cut short, or they were not given "
        "when the frame was made."
    ),
    "frame.trailing-bytes": "Something follows the last blob of a frame. Nothing may.",
    "frame.truncated": "The input ends before the frame's header or body does.",
    "frame.unknown-kind": "The frame holds a kind of document that this reader does not know.",
    "frame.unknown-magic": (
        "The input does not start like a sealed frame. A file that was copied as text, with its line "
        "ends changed, looks like this too."
    ),
    "frame.unknown-version": "The frame is of another version than this reader knows. Update the reader.",
    "limit.frame-bytes": "The frame is larger than the limit `frame_bytes`. It was not read further.",
    "module.content-refused": (
        "What verifies a content type found something wrong with the bytes of a module."
    ),
    "module.content-too-large": (
        "Bytes of a module are larger than the limit `blob_bytes`, so that nothing looked into them."
    ),
    "module.entry-not-in-code": "The code of a module has no entry of the name that the module states.",
    "module.unknown-content": (
        "Nothing here can look into bytes of that content type and version, so what they hold is "
        "unverified. Give a verifier, or accept unknown content."
    ),
    "module.verifier-failed": (
        "What verifies a content type failed itself. The bytes are unverified; the fault is the verifier's."
    ),
    "payload.foreign-format": "A compiler returned a payload of another format than the one it states.",
    "payload.foreign-profile": "A compiler returned a payload for another profile than the one it states.",
}
"""Code to meaning."""
