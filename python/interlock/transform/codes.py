"""The codes of changing documents, with what each means and what to do about it."""

from __future__ import annotations

TRANSFORM_CODES: dict[str, str] = {
    "embed.existing-graph": (
        "A package holds an execution graph already, and nobody said that it is to be replaced; or a file "
        "lies where the graph would be put."
    ),
    "embed.wrong-kind": "The document that is to be embedded is no execution graph.",
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
    "pin.ambiguous-target": (
        "An artifact has several variants for one target, none of them without a name, and a graph pins one "
        "a target. Leave one of them in the package, take the name from one, or pin by hand."
    ),
    "pin.missing-artifact": (
        "A graph names an artifact that the package does not have, so nothing can pin it."
    ),
    "wrap.ambiguous-variant": (
        "An artifact has several variants for one target, none of them without a name, so that nothing tells "
        "which runs."
    ),
    "wrap.contradicted-access": (
        "A slot is said to be overwritten or accessed in a way that the package contradicts."
    ),
    "wrap.invalid-count": "A dispatch has one to three numbers of workgroups, each at least 1.",
    "wrap.invalid-size": (
        "A slot would get less bytes than its entry needs, or a part of an element at the end."
    ),
    "wrap.missing-artifact": "The package holds no artifact of that name.",
    "wrap.missing-entry": (
        "No variant has an entry of that name. Entries of a foreign package have the names of each target."
    ),
    "wrap.missing-size": (
        "Nobody says how many bytes a slot gets: it is as long as what is bound, or its size is not known."
    ),
    "wrap.missing-variant": "The artifact has no variant for the target.",
    "wrap.not-compute": "The entry is one of a graphics pipeline. A dispatch runs compute entries only.",
    "wrap.unknown-access": (
        "Nobody says whether a slot is read or written: CrossGL packages do not. State it for the slot."
    ),
    "wrap.unknown-slot": "The entry has no slot of that name.",
    "wrap.unset-constant": (
        "A specialization constant has no default, so that the graph would have to set it, which a wrapped "
        "graph does not."
    ),
    "wrap.unsupported-slot": (
        "The entry takes an image, a sampler, an inline constant or an array of buffers, or does atomics. "
        "Write a graph for it."
    ),
}
"""Code to meaning. Every one of them stands in the way of a change; the document stays as it is."""
