from execgraph.options.v1 import options_pb2 as _options_pb2
from execgraph.v1 import access_pb2 as _access_pb2
from execgraph.v1 import dispatch_pb2 as _dispatch_pb2
from execgraph.v1 import provenance_pb2 as _provenance_pb2
from execgraph.v1 import type_pb2 as _type_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Comparison(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COMPARISON_UNSPECIFIED: _ClassVar[Comparison]
    COMPARISON_EQUAL: _ClassVar[Comparison]
    COMPARISON_NOT_EQUAL: _ClassVar[Comparison]
    COMPARISON_LESS: _ClassVar[Comparison]
    COMPARISON_LESS_OR_EQUAL: _ClassVar[Comparison]
    COMPARISON_GREATER: _ClassVar[Comparison]
    COMPARISON_GREATER_OR_EQUAL: _ClassVar[Comparison]
COMPARISON_UNSPECIFIED: Comparison
COMPARISON_EQUAL: Comparison
COMPARISON_NOT_EQUAL: Comparison
COMPARISON_LESS: Comparison
COMPARISON_LESS_OR_EQUAL: Comparison
COMPARISON_GREATER: Comparison
COMPARISON_GREATER_OR_EQUAL: Comparison

class Region(_message.Message):
    __slots__ = ("nodes",)
    NODES_FIELD_NUMBER: _ClassVar[int]
    nodes: _containers.RepeatedCompositeFieldContainer[Node]
    def __init__(self, nodes: _Optional[_Iterable[_Union[Node, _Mapping]]] = ...) -> None: ...

class Node(_message.Message):
    __slots__ = ("id", "depends_on", "operation", "edge_visibility", "provenance")
    ID_FIELD_NUMBER: _ClassVar[int]
    DEPENDS_ON_FIELD_NUMBER: _ClassVar[int]
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    EDGE_VISIBILITY_FIELD_NUMBER: _ClassVar[int]
    PROVENANCE_FIELD_NUMBER: _ClassVar[int]
    id: str
    depends_on: _containers.RepeatedScalarFieldContainer[str]
    operation: Operation
    edge_visibility: _containers.RepeatedCompositeFieldContainer[EdgeVisibility]
    provenance: _provenance_pb2.Provenance
    def __init__(self, id: _Optional[str] = ..., depends_on: _Optional[_Iterable[str]] = ..., operation: _Optional[_Union[Operation, _Mapping]] = ..., edge_visibility: _Optional[_Iterable[_Union[EdgeVisibility, _Mapping]]] = ..., provenance: _Optional[_Union[_provenance_pb2.Provenance, _Mapping]] = ...) -> None: ...

class EdgeVisibility(_message.Message):
    __slots__ = ("source", "statements")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    STATEMENTS_FIELD_NUMBER: _ClassVar[int]
    source: str
    statements: _containers.RepeatedCompositeFieldContainer[_access_pb2.VisibilityStatement]
    def __init__(self, source: _Optional[str] = ..., statements: _Optional[_Iterable[_Union[_access_pb2.VisibilityStatement, _Mapping]]] = ...) -> None: ...

class Operation(_message.Message):
    __slots__ = ("dispatch", "copy", "fill", "barrier", "conditional", "repeat")
    DISPATCH_FIELD_NUMBER: _ClassVar[int]
    COPY_FIELD_NUMBER: _ClassVar[int]
    FILL_FIELD_NUMBER: _ClassVar[int]
    BARRIER_FIELD_NUMBER: _ClassVar[int]
    CONDITIONAL_FIELD_NUMBER: _ClassVar[int]
    REPEAT_FIELD_NUMBER: _ClassVar[int]
    dispatch: _dispatch_pb2.Dispatch
    copy: Copy
    fill: Fill
    barrier: Barrier
    conditional: Conditional
    repeat: Repeat
    def __init__(self, dispatch: _Optional[_Union[_dispatch_pb2.Dispatch, _Mapping]] = ..., copy: _Optional[_Union[Copy, _Mapping]] = ..., fill: _Optional[_Union[Fill, _Mapping]] = ..., barrier: _Optional[_Union[Barrier, _Mapping]] = ..., conditional: _Optional[_Union[Conditional, _Mapping]] = ..., repeat: _Optional[_Union[Repeat, _Mapping]] = ...) -> None: ...

class Copy(_message.Message):
    __slots__ = ("source", "destination", "region")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    DESTINATION_FIELD_NUMBER: _ClassVar[int]
    REGION_FIELD_NUMBER: _ClassVar[int]
    source: _type_pb2.ByteSelection
    destination: _type_pb2.ByteSelection
    region: CopyRegion
    def __init__(self, source: _Optional[_Union[_type_pb2.ByteSelection, _Mapping]] = ..., destination: _Optional[_Union[_type_pb2.ByteSelection, _Mapping]] = ..., region: _Optional[_Union[CopyRegion, _Mapping]] = ...) -> None: ...

class CopyRegion(_message.Message):
    __slots__ = ("row_bytes", "rows", "slices", "source_row_pitch", "source_slice_pitch", "destination_row_pitch", "destination_slice_pitch")
    ROW_BYTES_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    SLICES_FIELD_NUMBER: _ClassVar[int]
    SOURCE_ROW_PITCH_FIELD_NUMBER: _ClassVar[int]
    SOURCE_SLICE_PITCH_FIELD_NUMBER: _ClassVar[int]
    DESTINATION_ROW_PITCH_FIELD_NUMBER: _ClassVar[int]
    DESTINATION_SLICE_PITCH_FIELD_NUMBER: _ClassVar[int]
    row_bytes: _type_pb2.Extent
    rows: _type_pb2.Extent
    slices: _type_pb2.Extent
    source_row_pitch: int
    source_slice_pitch: int
    destination_row_pitch: int
    destination_slice_pitch: int
    def __init__(self, row_bytes: _Optional[_Union[_type_pb2.Extent, _Mapping]] = ..., rows: _Optional[_Union[_type_pb2.Extent, _Mapping]] = ..., slices: _Optional[_Union[_type_pb2.Extent, _Mapping]] = ..., source_row_pitch: _Optional[int] = ..., source_slice_pitch: _Optional[int] = ..., destination_row_pitch: _Optional[int] = ..., destination_slice_pitch: _Optional[int] = ...) -> None: ...

class Fill(_message.Message):
    __slots__ = ("destination", "pattern")
    DESTINATION_FIELD_NUMBER: _ClassVar[int]
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    destination: _type_pb2.ByteSelection
    pattern: _type_pb2.TypedBits
    def __init__(self, destination: _Optional[_Union[_type_pb2.ByteSelection, _Mapping]] = ..., pattern: _Optional[_Union[_type_pb2.TypedBits, _Mapping]] = ...) -> None: ...

class Barrier(_message.Message):
    __slots__ = ("statements",)
    STATEMENTS_FIELD_NUMBER: _ClassVar[int]
    statements: _containers.RepeatedCompositeFieldContainer[_access_pb2.VisibilityStatement]
    def __init__(self, statements: _Optional[_Iterable[_Union[_access_pb2.VisibilityStatement, _Mapping]]] = ...) -> None: ...

class Conditional(_message.Message):
    __slots__ = ("predicate", "then_region", "else_region")
    PREDICATE_FIELD_NUMBER: _ClassVar[int]
    THEN_REGION_FIELD_NUMBER: _ClassVar[int]
    ELSE_REGION_FIELD_NUMBER: _ClassVar[int]
    predicate: Predicate
    then_region: Region
    else_region: Region
    def __init__(self, predicate: _Optional[_Union[Predicate, _Mapping]] = ..., then_region: _Optional[_Union[Region, _Mapping]] = ..., else_region: _Optional[_Union[Region, _Mapping]] = ...) -> None: ...

class Predicate(_message.Message):
    __slots__ = ("source", "comparison", "literal")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    COMPARISON_FIELD_NUMBER: _ClassVar[int]
    LITERAL_FIELD_NUMBER: _ClassVar[int]
    source: _type_pb2.ByteSelection
    comparison: Comparison
    literal: _type_pb2.TypedBits
    def __init__(self, source: _Optional[_Union[_type_pb2.ByteSelection, _Mapping]] = ..., comparison: _Optional[_Union[Comparison, str]] = ..., literal: _Optional[_Union[_type_pb2.TypedBits, _Mapping]] = ...) -> None: ...

class Repeat(_message.Message):
    __slots__ = ("body", "trips", "minimum_trips", "maximum_trips", "continue_while", "carried", "iteration_index")
    BODY_FIELD_NUMBER: _ClassVar[int]
    TRIPS_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_TRIPS_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_TRIPS_FIELD_NUMBER: _ClassVar[int]
    CONTINUE_WHILE_FIELD_NUMBER: _ClassVar[int]
    CARRIED_FIELD_NUMBER: _ClassVar[int]
    ITERATION_INDEX_FIELD_NUMBER: _ClassVar[int]
    body: Region
    trips: TripCount
    minimum_trips: int
    maximum_trips: int
    continue_while: Predicate
    carried: _containers.RepeatedCompositeFieldContainer[_access_pb2.VisibilityStatement]
    iteration_index: str
    def __init__(self, body: _Optional[_Union[Region, _Mapping]] = ..., trips: _Optional[_Union[TripCount, _Mapping]] = ..., minimum_trips: _Optional[int] = ..., maximum_trips: _Optional[int] = ..., continue_while: _Optional[_Union[Predicate, _Mapping]] = ..., carried: _Optional[_Iterable[_Union[_access_pb2.VisibilityStatement, _Mapping]]] = ..., iteration_index: _Optional[str] = ...) -> None: ...

class TripCount(_message.Message):
    __slots__ = ("literal", "read")
    LITERAL_FIELD_NUMBER: _ClassVar[int]
    READ_FIELD_NUMBER: _ClassVar[int]
    literal: int
    read: CountRead
    def __init__(self, literal: _Optional[int] = ..., read: _Optional[_Union[CountRead, _Mapping]] = ...) -> None: ...

class CountRead(_message.Message):
    __slots__ = ("source", "element")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    ELEMENT_FIELD_NUMBER: _ClassVar[int]
    source: _type_pb2.ByteSelection
    element: _type_pb2.ElementType
    def __init__(self, source: _Optional[_Union[_type_pb2.ByteSelection, _Mapping]] = ..., element: _Optional[_Union[_type_pb2.ElementType, str]] = ...) -> None: ...
