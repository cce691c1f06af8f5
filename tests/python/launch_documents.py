"""Packages of one artifact whose entry and graph a test states, and what one rule says about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf import text_format

from execgraph.v1 import graph_pb2, package_pb2
from interlock.document import Document
from interlock.limits import DEFAULT_LIMITS
from interlock.rules.context import Context, Surroundings
from interlock.rules.model import Finding
from package_documents import SOURCES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from execgraph.v1.profile_pb2 import TargetProfile
    from interlock.package.container import Container
    from interlock.rules.model import Rule

DIGEST = "sha256:" + "0" * 64


def package_of(
    graph: str, entry: str = "", *, more: str = "", targets: Iterable[str] = ("vulkan",)
) -> package_pb2.Package:
    """Return a package of one artifact `kernel` with the entry `main`, and one graph that may run it."""
    message = graph_pb2.ExecutionGraph()
    text_format.Parse(f'id: "graph" artifacts {{ id: "kernel" }} {graph}', message)
    package = package_pb2.Package(id="package")
    artifact = package.artifacts.add(id="kernel")
    text_format.Parse(f'entries {{ name: "main" stage: STAGE_COMPUTE {entry} }} {more}', artifact.interface)
    for target in targets:
        variant = artifact.variants.add(target=target)
        variant.content_type.identity, variant.content_type.version = SOURCES.get(target, "glsl"), 1
        variant.blob.digest = DIGEST
    package.graphs.add(id="graph").source.embedded = Document.from_message(message).binary
    return package


def context_of(
    package: package_pb2.Package,
    profiles: Iterable[TargetProfile] = (),
    offered: frozenset[str] | None = None,
    container: Container | None = None,
) -> Context:
    """Return what rules may look at."""
    document = Document.from_message(package)
    surroundings = Surroundings(container, profiles=tuple(profiles))
    return Context(document.message, "Package", DEFAULT_LIMITS, offered, surroundings)


def dispatch(geometry: str, more: str = "", node: str = "run") -> str:
    """Return a node that runs the kernel."""
    return (
        f'nodes {{ id: "{node}" operation {{ dispatch {{ artifact: "kernel" entry: "main" {more} '
        f"geometry {{ {geometry} }} }} }} }}"
    )


def said(rule: Rule, context: Context) -> list[str]:
    """Return what a rule says: sentences of findings, and reasons of gaps behind a question mark."""
    return [each.message if isinstance(each, Finding) else f"? {each.reason}" for each in rule.check(context)]
