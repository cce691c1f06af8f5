"""The codes of importing from and exporting to CrossTL, with what each means and what to do about it."""

from __future__ import annotations

CROSSTL_ERRORS: dict[str, str] = {
    "crosstl.allocation-size-conflict": (
        "Two resources of one allocation state different values of `allocationByteLength`. An allocation "
        "has one size; state the same everywhere."
    ),
    "crosstl.ambiguous-trip-count": (
        "A repetition needs exactly one of `count` and `controlInput`; it has both or neither."
    ),
    "crosstl.byte-length-mismatch": "A `byteLength` is less than the shape, the stride and the dtype need.",
    "crosstl.control-literal-out-of-range": (
        "A condition compares with a value that the dtype of its control input cannot hold, so it would "
        "never be true. Without `equals`, the value is `true`."
    ),
    "crosstl.control-literal-type-mismatch": (
        "A condition compares values of different types: `true` and `false` are values of `bool`, integers "
        "of integer types. Without `equals`, the value is `true`."
    ),
    "crosstl.control-not-scalar": (
        "A control input has more than one element, or none. Its shape has to be `[]` or `[1]`."
    ),
    "crosstl.controlled-barrier": "A barrier repeats or has a condition. Barriers are not controlled.",
    "crosstl.duplicate-id": (
        "Two resources, or two nodes, have the same id; on export also a resource and a view."
    ),
    "crosstl.duplicate-reference": "A list of ids names one of them twice.",
    "crosstl.element-size-mismatch": "An `elementSizeBytes` is not the size of the dtype's elements.",
    "crosstl.empty-barrier": (
        "A barrier names no resource. CrossTL has no barriers that only order; make the nodes after it "
        "depend on those before it."
    ),
    "crosstl.empty-slot-name": "A binding has the empty name. A slot needs one to be found by.",
    "crosstl.failed-validation": (
        "A dispatch has the `validationStatus` `failed`: its own producer says that it is not fit to run. "
        "Mend what failed, and let the producer write the document again."
    ),
    "crosstl.fill-out-of-range": "A fill has a value that the dtype of its resource cannot hold.",
    "crosstl.fill-type-mismatch": (
        "A fill has a value of another type than its resource: a fraction for an integer type, a boolean "
        "for numbers, a number for `bool`."
    ),
    "crosstl.geometry-contradiction": (
        "`workgroupCount` times `workgroupSize`, `globalSize` and `gridSize` do not agree. The last two "
        "both count invocations."
    ),
    "crosstl.invalid-access": "An access mode is none of `read`, `write`, `read-write` and their spellings.",
    "crosstl.invalid-geometry": (
        "A geometry is not three numbers from 1 to the largest that the contract holds: 2^32 - 1 for the "
        "size of a workgroup, 2^63 - 1 for a count."
    ),
    "crosstl.invalid-id": (
        "An id of a graph, resource or node is not a letter or digit followed by at most 254 letters, "
        "digits and `_.:/-`. Space around an id is not ignored: ids that look equal would name different "
        "things."
    ),
    "crosstl.invalid-range": "A range of a copy or fill is empty, or starts before its resource.",
    "crosstl.invalid-shape": "A shape has an extent that is negative or beyond 2^63 - 1.",
    "crosstl.invalid-stride": "An `elementStrideBytes` is less than the size of an element.",
    "crosstl.malformed": (
        "The document does not have the structure of schema version 1: an unknown or a missing member, or a"
        " value of another type."
    ),
    "crosstl.malformed-attribute": (
        "A provenance attribute whose key starts with `crosstl.` holds no JSON, so that an export cannot "
        "restore what it stood for. Remove it, or import the graph again."
    ),
    "crosstl.misaligned-range": (
        "A range of a copy or fill is not of whole elements of its resource, which is a view of a resource "
        "whose elements may be smaller, so that no rule of the graph would notice."
    ),
    "crosstl.missing-access": "A binding or a barrier states no access mode.",
    "crosstl.missing-artifact-selector": "A dispatch has a selector without a part that selects anything.",
    "crosstl.missing-control-input": "A condition names no control input.",
    "crosstl.missing-dtype": "A resource states no dtype.",
    "crosstl.missing-entry-point": "A dispatch states no entry point.",
    "crosstl.missing-evaluation-bound": "A condition states no positive `maxEvaluations`.",
    "crosstl.missing-geometry": (
        "A dispatch states none of `workgroupCount`, `globalSize` and `gridSize`: how much runs is unknown."
    ),
    "crosstl.missing-operation": "A node lacks the operation that its kind names.",
    "crosstl.missing-reference": "An id names no resource, or no node, of the document.",
    "crosstl.missing-storage-layout": "A resource states no `storageLayout`.",
    "crosstl.mixed-targets": (
        "The dispatches of one graph select artifacts for several targets. A graph of the contract names no "
        "target: all of it runs on one at a time. Make a graph per target, or leave the target out."
    ),
    "crosstl.not-expressible": (
        "The document says something for which CrossTL's format has no words: the message says what. "
        "Nothing is dropped on the way, so nothing is exported."
    ),
    "crosstl.range-out-of-bounds": "A range of a copy or fill reaches beyond its resource.",
    "crosstl.undefined-control": (
        "A node has `repeat` and `condition`. Whether the condition is evaluated once or before each "
        "iteration is not defined."
    ),
    "crosstl.unexpected-operation": "A node has an operation that its kind does not name.",
    "crosstl.unknown-kind": "The document is none of the kind `crosstl-runtime-execution-graph`.",
    "crosstl.unsupported-constant": (
        "A specialization constant is null, a string, an array or an object, or has the empty name."
    ),
    "crosstl.unsupported-control-type": "A control input is neither of an integer type nor of `bool`.",
    "crosstl.unsupported-dtype": (
        "A dtype is none of those that CrossTL defines; its size and meaning are unknown."
    ),
    "crosstl.unsupported-node-kind": "A node is none of `dispatch`, `copy`, `fill` and `barrier`.",
    "crosstl.unsupported-resource-kind": "A resource is of another kind than `buffer`.",
    "crosstl.unsupported-role": (
        "A resource has a role other than `external-input`, `external-output`, `external-input-output` and "
        "`temporary`."
    ),
    "crosstl.unsupported-version": "The document states another schema version than 1.",
    "crosstl.value-out-of-range": "A number is negative, or beyond what the contract holds.",
    "crosstl.view-exceeds-allocation": (
        "A resource ends behind the `allocationByteLength` that it, or another of the allocation, states."
    ),
    "crosstl.wrong-kind": "Only execution graphs can be exported.",
}
"""Code to meaning, of what refuses an import or an export."""

CROSSTL_WARNINGS: dict[str, str] = {
    "crosstl.unchecked-target-profile": "A `targetProfile` is kept as provenance; nothing verifies it.",
    "crosstl.unchecked-validation-status": "A `validationStatus` is kept as provenance; nothing verifies it.",
    "crosstl.unknown-target": "A selector names a target that CrossTL 3.4.0 does not translate to.",
}
"""Code to meaning, of what an import warns of."""

CROSSTL_NOTES: dict[str, str] = {
    "crosstl.backing-resource": (
        "Overlapping external resources of one role are views of a resource of bytes that was made for "
        "them, because none of them covers the others with elements as small as theirs."
    ),
    "crosstl.fill-rounded": (
        "The value of a fill is not one of its dtype, and was rounded to the nearest that is."
    ),
    "crosstl.ignored-lifetime": (
        "A lifetime of an external resource is kept as provenance; CrossTL ignores it."
    ),
    "crosstl.padded-view": (
        "A resource that became a view is longer than its elements: it is a view of its bytes, so that "
        "accesses touch all of them, and its dtype and shape are kept as provenance."
    ),
}
"""Code to meaning, of what an import notes."""

CROSSTL_ASSUMPTIONS: dict[str, str] = {
    "assumption.full-coverage": "A binding that writes overwrites every byte of its resource.",
    "crosstl.assumed-constant-type": (
        "A specialization constant is a number, and the format has no types. An integer is taken for the "
        "first of i32, u32, i64 and u64 that holds it, any other number for the nearest f32, or for an f64 "
        "where it is beyond the largest of those."
    ),
    "crosstl.assumed-grid-unit": (
        "A `gridSize` without a `workgroupCount` counts invocations, as `globalSize` does."
    ),
    "crosstl.assumed-skip": "Nodes that depend on one whose condition does not hold run all the same.",
    "crosstl.assumed-trip-count": (
        "A count in memory beyond `maxIterations` means that bound, a negative one 0."
    ),
}
"""Code to meaning, of what an import assumes."""
