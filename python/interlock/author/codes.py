"""The codes of authoring graphs, with what each means and what to do about it."""

from __future__ import annotations

BUILD_CODES: dict[str, str] = {
    "build.ambiguous-target": (
        "A string names both a resource and a view. Pass the handle of the one that is meant."
    ),
    "build.conflicting-layout": "A resource is given a `layout` and `byte_strides`. Give one of them.",
    "build.duplicate-id": (
        "Two parameters, allocations, resources, views, artifacts or nodes have the same id."
    ),
    "build.duplicate-slot": (
        "A dispatch binds one slot twice, perhaps once as read and once as written: use `updates`."
    ),
    "build.literal-out-of-range": "A number is beyond what its element type holds.",
    "build.literal-type-mismatch": (
        "A number is of another kind than its element type, such as a fraction for `i32`."
    ),
    "build.missing-size": (
        "The size of elements that are not packed does not follow from their shape. Give `size`."
    ),
    "build.offset-without-allocation": "A resource has an offset, but no allocation that it counts from.",
    "build.out-of-range": "A number does not fit its field.",
    "build.size-not-affine": (
        "A size is a product of parameters, or no whole number of bytes. Give `size` as a sum of parameters"
        " times integers."
    ),
    "build.unknown-element-type": "A name is none of the element types.",
    "build.unknown-node": "An edge leads to a node that is not in the region that is being written.",
    "build.unknown-target": "A string names no resource and no view that was declared before.",
    "build.untyped-literal": 'A number has no type of its own. Use `typed`, as in `typed("u32", 7)`.',
    "build.workgroup-count": "A dispatch needs exactly one of `groups`, `elements` and `indirect`.",
}
"""Code to meaning. Every one of them stands in the way of `build`."""
