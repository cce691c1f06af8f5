"""Every limit of reading and of verification, in one place.

A limit bounds work and memory on input that nobody vouches for. Each is checked before what it bounds is
allocated, and each can be overridden by the caller. Each has a code of its own (``limit.`` and the field's
name with dashes), but for ``findings_per_rule``, which refuses nothing. The defaults let a graph of a million
nodes pass.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Upper bounds, all inclusive.

    The first five are limits of reading, shared with the C++ library and described in
    ``docs/canonical-form.md``; the next four are limits of containers and frames, described in
    ``docs/package-container.md`` and ``docs/target-modules.md``; the others are limits of verification.
    """

    document_bytes: int = 1 << 30
    """Size of an input, in bytes."""
    message_depth: int = 96
    """Messages within messages; the root has depth 1."""
    json_depth: int = 256
    """JSON objects and arrays within each other."""
    string_bytes: int = 256 << 20
    """Size of one string or bytes field, in bytes."""
    repeated_elements: int = 1 << 24
    """Elements of one repeated field of one message."""

    archive_members: int = 1 << 20
    """Members of an archive, or files of a folder."""
    metadata_bytes: int = 16 << 20
    """Size of one metadata file of a container, in bytes."""
    blob_bytes: int = (8 << 30) - 1
    """Size of one blob of a package, in bytes. The default is what a tar file can hold."""
    frame_bytes: int = 16 << 30
    """Size of a sealed frame with all its blobs, in bytes; see ``docs/target-modules.md``."""

    nodes: int = 4_000_000
    """Nodes of one graph, in all regions together."""
    edges: int = 32_000_000
    """Dependencies of one graph."""
    resources: int = 4_000_000
    """Resources of one graph."""
    bindings: int = 4_096
    """Bindings of one dispatch."""
    control_nesting: int = 16
    """Regions within each other; the body of the graph is not counted."""
    node_executions: int = 1 << 53
    """Node executions of one invocation."""
    proof_work: int = 10_000_000
    """Steps of the proof: ranges of bytes looked at for an access or a statement."""
    findings_per_rule: int = 10_000
    """Findings of one rule that a report lists; the others are only counted."""


DEFAULT_LIMITS = Limits()
