"""The codes of changing documents, with what each means and what to do about it."""

from __future__ import annotations

TRANSFORM_CODES: dict[str, str] = {
    "fix.cyclic": (
        "The dependencies of a fix would form a cycle with those of the graph. The fix was suggested for"
        " another state of the graph: verify it again."
    ),
    "fix.missing-dependency": (
        "A visibility statement belongs on a dependency that neither the graph has nor the fix adds."
    ),
    "fix.not-a-repeat": (
        "A statement without a source is carried by a repeat, and the node it names is none."
    ),
    "fix.other-region": (
        "A fix adds a dependency between nodes of different regions. Nodes depend on nodes of their own"
        " region."
    ),
    "fix.unknown-node": (
        "A fix names a node that the graph does not have: it was suggested for another graph."
    ),
    "fix.unknown-resource": (
        "A fix names a resource that the graph does not have: it was suggested for another graph."
    ),
    "fix.unknown-scope": (
        "A scope is not spelled as the name of a usage and READ or WRITE, as in `USAGE_SHADER_STORAGE READ`."
    ),
}
"""Code to meaning. Every one of them stands in the way of a change; the document stays as it is."""
