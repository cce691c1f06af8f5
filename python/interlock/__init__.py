"""Interlock: prove a multi-dispatch execution graph safe before anything runs.

The package reads, writes and judges documents of the schema `execgraph.v1`. It is metadata and verification
only: there is no scheduler, no executor and no device here.

    import interlock

    document = interlock.load("graph.json")
    report = interlock.verify(document)
    for finding in report.diagnostics:
        print(finding)

Names are resolved when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock._version import __version__

if TYPE_CHECKING:
    from interlock.analysis.inspect import Inspection, inspect
    from interlock.api import (
        digest,
        encode,
        encode_json,
        encode_text,
        load,
        loads,
        semantic_digest,
    )
    from interlock.author.builder import BuildFailure, GraphBuilder
    from interlock.codec.encoding import Encoding
    from interlock.diagnostic import Assumption, Diagnostic, Evidence, Path, Severity, Unverified
    from interlock.document import Document
    from interlock.errors import CodecError, ExportFailure, ImportFailure, InterlockError, TransformFailure
    from interlock.interop.crosstl import CrossTLImport, export_crosstl, import_crosstl
    from interlock.limits import DEFAULT_LIMITS, Limits
    from interlock.package.container import Container, ContainerError
    from interlock.package.opening import open_container
    from interlock.package.writing import write_package
    from interlock.report.catalogue import explain
    from interlock.report.model import Readiness, Report, Verdict
    from interlock.rules.context import Surroundings
    from interlock.transform.apply_fix import apply_fix
    from interlock.verification import verify

_HOMES = {
    "DEFAULT_LIMITS": "interlock.limits",
    "Assumption": "interlock.diagnostic",
    "BuildFailure": "interlock.author.builder",
    "CodecError": "interlock.errors",
    "Container": "interlock.package.container",
    "ContainerError": "interlock.package.container",
    "CrossTLImport": "interlock.interop.crosstl",
    "Diagnostic": "interlock.diagnostic",
    "Document": "interlock.document",
    "Encoding": "interlock.codec.encoding",
    "Evidence": "interlock.diagnostic",
    "ExportFailure": "interlock.errors",
    "GraphBuilder": "interlock.author.builder",
    "ImportFailure": "interlock.errors",
    "Inspection": "interlock.analysis.inspect",
    "InterlockError": "interlock.errors",
    "Limits": "interlock.limits",
    "Path": "interlock.diagnostic",
    "Readiness": "interlock.report.model",
    "Report": "interlock.report.model",
    "Severity": "interlock.diagnostic",
    "Surroundings": "interlock.rules.context",
    "TransformFailure": "interlock.errors",
    "Unverified": "interlock.diagnostic",
    "Verdict": "interlock.report.model",
    "apply_fix": "interlock.transform.apply_fix",
    "digest": "interlock.api",
    "encode": "interlock.api",
    "encode_json": "interlock.api",
    "encode_text": "interlock.api",
    "explain": "interlock.report.catalogue",
    "export_crosstl": "interlock.interop.crosstl",
    "import_crosstl": "interlock.interop.crosstl",
    "inspect": "interlock.analysis.inspect",
    "load": "interlock.api",
    "loads": "interlock.api",
    "open_container": "interlock.package.opening",
    "semantic_digest": "interlock.api",
    "verify": "interlock.verification",
    "write_package": "interlock.package.writing",
}

__all__ = [
    "DEFAULT_LIMITS",
    "Assumption",
    "BuildFailure",
    "CodecError",
    "Container",
    "ContainerError",
    "CrossTLImport",
    "Diagnostic",
    "Document",
    "Encoding",
    "Evidence",
    "ExportFailure",
    "GraphBuilder",
    "ImportFailure",
    "Inspection",
    "InterlockError",
    "Limits",
    "Path",
    "Readiness",
    "Report",
    "Severity",
    "Surroundings",
    "TransformFailure",
    "Unverified",
    "Verdict",
    "__version__",
    "apply_fix",
    "digest",
    "encode",
    "encode_json",
    "encode_text",
    "explain",
    "export_crosstl",
    "import_crosstl",
    "inspect",
    "load",
    "loads",
    "open_container",
    "semantic_digest",
    "verify",
    "write_package",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415  (paid only by who uses a name)

    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
