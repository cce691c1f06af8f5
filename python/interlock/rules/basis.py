"""What has to be in order before the bytes of a graph can be followed."""

from __future__ import annotations

ELEMENTS = (
    "document.missing-field",
    "reference.duplicate-id",
    "reference.missing-parameter",
    "reference.missing-allocation",
    "reference.missing-resource",
    "reference.missing-view",
    "reference.missing-node",
    "parameter.empty-range",
    "range.negative-extent",
    "range.overflow",
    "range.rank-mismatch",
)
"""Rules that have to find nothing before resources have places."""

ORDER = (
    *ELEMENTS,
    "reference.parameter-out-of-scope",
    "reference.node-in-other-region",
    "reference.statement-without-edge",
    "order.self-dependency",
    "order.dependency-cycle",
    "range.out-of-bounds",
    "range.copy-pitch",
    "control.unbounded-repeat",
    "control.bounds-inverted",
)
"""Rules that have to find nothing before accesses can be followed in order."""
