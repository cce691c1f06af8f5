"""Target code: launch groups, bundles, payloads, envelopes, and what a target compiler is.

Names are loaded when they are first asked for.
"""

from __future__ import annotations

from importlib import import_module

_HOMES = {
    "attach_target": "envelope",
    "decode_envelope": "envelope",
    "find_payload": "envelope",
    "formats_of": "envelope",
    "graph_of": "envelope",
    "make_envelope": "envelope",
    "bundle_of": "payload",
    "decode_payload": "payload",
    "make_payload": "payload",
    "decode_bundle": "bundle",
    "make_bundle": "bundle",
    "SealedDocument": "sealed",
    "decode_sealed": "sealed",
    "looks_like_frame": "frame",
    "open_document": "opening",
    "BlobCollector": "blobs",
    "BlobStore": "blobs",
    "typed_blob": "blobs",
    "check_groups": "groups",
    "derive_groups": "groups",
    "group_by": "groups",
    "EmittedModule": "lowering",
    "GroupLowering": "lowering",
    "Internalized": "lowering",
    "TypedBytes": "lowering",
    "slots_of": "lowering",
    "CompileOptions": "compiler",
    "Kernels": "compiler",
    "TargetCompiler": "compiler",
    "compile_launch_groups": "compiler",
    "compile_target": "compiler",
    "ContentVerdict": "content",
    "check_content": "content",
    "BundleError": "errors",
    "EmissionError": "errors",
    "EnvelopeError": "errors",
    "FrameError": "errors",
    "InvalidArtifactError": "errors",
    "PayloadError": "errors",
    "TargetError": "errors",
    "UnsupportedError": "errors",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605 - computed from one table


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
