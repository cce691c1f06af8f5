"""The types of a CrossTL graph document in normal form. Member names are CrossTL's."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from interlock.interop.crosstl.json_text import JsonValue

FreeObject = dict[str, JsonValue]


class PhysicalLayout(TypedDict):
    """Where and how the elements of a view lie; offsets and lengths in bytes."""

    byteOffset: int
    storageLayout: NotRequired[str]
    elementSizeBytes: NotRequired[int]
    elementStrideBytes: NotRequired[int]
    byteLength: NotRequired[int]
    allocationByteLength: NotRequired[int]
    alignmentBytes: NotRequired[int]
    metadata: NotRequired[FreeObject]


class Lifetime(TypedDict):
    """The first and the last node of a lifetime."""

    firstNode: str
    lastNode: str


class Resource(TypedDict):
    """A view of an allocation, of its own or shared."""

    id: str
    role: str
    kind: str
    dtype: NotRequired[str]
    shape: list[int]
    physicalLayout: PhysicalLayout
    allocationId: NotRequired[str]
    lifetime: NotRequired[Lifetime]
    provenance: NotRequired[FreeObject]


class Binding(TypedDict):
    """What is bound to a slot."""

    resource: str
    access: NotRequired[str]


class Geometry(TypedDict, total=False):
    """Workgroups and invocations along x, y and z."""

    workgroupSize: list[int]
    workgroupCount: list[int]
    globalSize: list[int]
    gridSize: list[int]


class Dispatch(TypedDict):
    """A launch of one entry of the artifact that a selector selects."""

    artifactSelector: dict[str, str]
    bindings: dict[str, Binding]
    constants: FreeObject
    geometry: Geometry
    entryPoint: NotRequired[str]
    targetProfile: NotRequired[str]
    validationStatus: NotRequired[str]
    provenance: NotRequired[FreeObject]


class Range(TypedDict):
    """Bytes of a view."""

    byteOffset: int
    byteLength: int


class Copy(TypedDict):
    """A copy between ranges of two views."""

    source: str
    destination: str
    sourceRange: Range
    destinationRange: Range


class Fill(TypedDict):
    """A fill of a range of a view."""

    resource: str
    range: Range
    value: JsonValue


class Barrier(TypedDict):
    """A barrier over whole views."""

    resources: list[str]
    beforeAccess: NotRequired[str]
    afterAccess: NotRequired[str]


class Repeat(TypedDict):
    """How often a node runs."""

    count: NotRequired[int]
    controlInput: NotRequired[str]
    maxIterations: NotRequired[int]


class Condition(TypedDict):
    """Whether a node runs."""

    equals: JsonValue
    controlInput: NotRequired[str]
    maxEvaluations: NotRequired[int]


class Node(TypedDict):
    """One step, with the operation that its kind names."""

    id: str
    kind: str
    dependsOn: list[str]
    dispatch: NotRequired[Dispatch]
    copy: NotRequired[Copy]
    fill: NotRequired[Fill]
    barrier: NotRequired[Barrier]
    repeat: NotRequired[Repeat]
    condition: NotRequired[Condition]
    provenance: NotRequired[FreeObject]


class Graph(TypedDict):
    """The document."""

    kind: str
    schemaVersion: int
    id: str
    resources: list[Resource]
    nodes: list[Node]
    provenance: NotRequired[FreeObject]
