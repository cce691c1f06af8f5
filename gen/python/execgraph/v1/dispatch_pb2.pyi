from execgraph.options.v1 import options_pb2 as _options_pb2
from execgraph.v1 import access_pb2 as _access_pb2
from execgraph.v1 import type_pb2 as _type_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Dispatch(_message.Message):
    __slots__ = ("artifact", "entry", "specialization", "bindings", "inline_constants", "geometry", "tolerated_aliases")
    ARTIFACT_FIELD_NUMBER: _ClassVar[int]
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    SPECIALIZATION_FIELD_NUMBER: _ClassVar[int]
    BINDINGS_FIELD_NUMBER: _ClassVar[int]
    INLINE_CONSTANTS_FIELD_NUMBER: _ClassVar[int]
    GEOMETRY_FIELD_NUMBER: _ClassVar[int]
    TOLERATED_ALIASES_FIELD_NUMBER: _ClassVar[int]
    artifact: str
    entry: str
    specialization: _containers.RepeatedCompositeFieldContainer[SpecializationValue]
    bindings: _containers.RepeatedCompositeFieldContainer[Binding]
    inline_constants: _containers.RepeatedCompositeFieldContainer[InlineConstant]
    geometry: Geometry
    tolerated_aliases: _containers.RepeatedCompositeFieldContainer[SlotPair]
    def __init__(self, artifact: _Optional[str] = ..., entry: _Optional[str] = ..., specialization: _Optional[_Iterable[_Union[SpecializationValue, _Mapping]]] = ..., bindings: _Optional[_Iterable[_Union[Binding, _Mapping]]] = ..., inline_constants: _Optional[_Iterable[_Union[InlineConstant, _Mapping]]] = ..., geometry: _Optional[_Union[Geometry, _Mapping]] = ..., tolerated_aliases: _Optional[_Iterable[_Union[SlotPair, _Mapping]]] = ...) -> None: ...

class Binding(_message.Message):
    __slots__ = ("slot", "target", "access", "coverage", "usage", "atomic_type", "coordinate")
    SLOT_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    ACCESS_FIELD_NUMBER: _ClassVar[int]
    COVERAGE_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    ATOMIC_TYPE_FIELD_NUMBER: _ClassVar[int]
    COORDINATE_FIELD_NUMBER: _ClassVar[int]
    slot: str
    target: _type_pb2.ByteSelection
    access: _access_pb2.AccessMode
    coverage: _access_pb2.Coverage
    usage: _access_pb2.Usage
    atomic_type: _type_pb2.ElementType
    coordinate: Coordinate
    def __init__(self, slot: _Optional[str] = ..., target: _Optional[_Union[_type_pb2.ByteSelection, _Mapping]] = ..., access: _Optional[_Union[_access_pb2.AccessMode, str]] = ..., coverage: _Optional[_Union[_access_pb2.Coverage, str]] = ..., usage: _Optional[_Union[_access_pb2.Usage, str]] = ..., atomic_type: _Optional[_Union[_type_pb2.ElementType, str]] = ..., coordinate: _Optional[_Union[Coordinate, _Mapping]] = ...) -> None: ...

class Coordinate(_message.Message):
    __slots__ = ("group", "index", "array_element")
    GROUP_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    ARRAY_ELEMENT_FIELD_NUMBER: _ClassVar[int]
    group: int
    index: int
    array_element: int
    def __init__(self, group: _Optional[int] = ..., index: _Optional[int] = ..., array_element: _Optional[int] = ...) -> None: ...

class SpecializationValue(_message.Message):
    __slots__ = ("name", "constant_id", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CONSTANT_ID_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    constant_id: int
    value: _type_pb2.TypedBits
    def __init__(self, name: _Optional[str] = ..., constant_id: _Optional[int] = ..., value: _Optional[_Union[_type_pb2.TypedBits, _Mapping]] = ...) -> None: ...

class InlineConstant(_message.Message):
    __slots__ = ("slot", "value")
    SLOT_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    slot: str
    value: InlineValue
    def __init__(self, slot: _Optional[str] = ..., value: _Optional[_Union[InlineValue, _Mapping]] = ...) -> None: ...

class InlineValue(_message.Message):
    __slots__ = ("literal", "parametric")
    LITERAL_FIELD_NUMBER: _ClassVar[int]
    PARAMETRIC_FIELD_NUMBER: _ClassVar[int]
    literal: _type_pb2.TypedBits
    parametric: ParametricValue
    def __init__(self, literal: _Optional[_Union[_type_pb2.TypedBits, _Mapping]] = ..., parametric: _Optional[_Union[ParametricValue, _Mapping]] = ...) -> None: ...

class ParametricValue(_message.Message):
    __slots__ = ("element", "value")
    ELEMENT_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    element: _type_pb2.ElementType
    value: _type_pb2.Extent
    def __init__(self, element: _Optional[_Union[_type_pb2.ElementType, str]] = ..., value: _Optional[_Union[_type_pb2.Extent, _Mapping]] = ...) -> None: ...

class SlotPair(_message.Message):
    __slots__ = ("first", "second")
    FIRST_FIELD_NUMBER: _ClassVar[int]
    SECOND_FIELD_NUMBER: _ClassVar[int]
    first: str
    second: str
    def __init__(self, first: _Optional[str] = ..., second: _Optional[str] = ...) -> None: ...

class Geometry(_message.Message):
    __slots__ = ("workgroup_count", "workgroup_size", "exact_threads", "subgroup_size", "dynamic_shared_bytes")
    WORKGROUP_COUNT_FIELD_NUMBER: _ClassVar[int]
    WORKGROUP_SIZE_FIELD_NUMBER: _ClassVar[int]
    EXACT_THREADS_FIELD_NUMBER: _ClassVar[int]
    SUBGROUP_SIZE_FIELD_NUMBER: _ClassVar[int]
    DYNAMIC_SHARED_BYTES_FIELD_NUMBER: _ClassVar[int]
    workgroup_count: WorkgroupCount
    workgroup_size: _containers.RepeatedScalarFieldContainer[int]
    exact_threads: bool
    subgroup_size: int
    dynamic_shared_bytes: int
    def __init__(self, workgroup_count: _Optional[_Union[WorkgroupCount, _Mapping]] = ..., workgroup_size: _Optional[_Iterable[int]] = ..., exact_threads: bool = ..., subgroup_size: _Optional[int] = ..., dynamic_shared_bytes: _Optional[int] = ...) -> None: ...

class WorkgroupCount(_message.Message):
    __slots__ = ("extents", "elements", "indirect")
    EXTENTS_FIELD_NUMBER: _ClassVar[int]
    ELEMENTS_FIELD_NUMBER: _ClassVar[int]
    INDIRECT_FIELD_NUMBER: _ClassVar[int]
    extents: GridExtents
    elements: ElementGrid
    indirect: IndirectGrid
    def __init__(self, extents: _Optional[_Union[GridExtents, _Mapping]] = ..., elements: _Optional[_Union[ElementGrid, _Mapping]] = ..., indirect: _Optional[_Union[IndirectGrid, _Mapping]] = ...) -> None: ...

class GridExtents(_message.Message):
    __slots__ = ("counts",)
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    counts: _containers.RepeatedCompositeFieldContainer[_type_pb2.Extent]
    def __init__(self, counts: _Optional[_Iterable[_Union[_type_pb2.Extent, _Mapping]]] = ...) -> None: ...

class ElementGrid(_message.Message):
    __slots__ = ("elements", "elements_per_workgroup")
    ELEMENTS_FIELD_NUMBER: _ClassVar[int]
    ELEMENTS_PER_WORKGROUP_FIELD_NUMBER: _ClassVar[int]
    elements: _containers.RepeatedCompositeFieldContainer[_type_pb2.Extent]
    elements_per_workgroup: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, elements: _Optional[_Iterable[_Union[_type_pb2.Extent, _Mapping]]] = ..., elements_per_workgroup: _Optional[_Iterable[int]] = ...) -> None: ...

class IndirectGrid(_message.Message):
    __slots__ = ("source", "maximum_counts")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_COUNTS_FIELD_NUMBER: _ClassVar[int]
    source: _type_pb2.ByteSelection
    maximum_counts: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, source: _Optional[_Union[_type_pb2.ByteSelection, _Mapping]] = ..., maximum_counts: _Optional[_Iterable[int]] = ...) -> None: ...
