from execgraph.options.v1 import options_pb2 as _options_pb2
from execgraph.v1 import blob_pb2 as _blob_pb2
from execgraph.v1 import dispatch_pb2 as _dispatch_pb2
from execgraph.v1 import header_pb2 as _header_pb2
from execgraph.v1 import interface_pb2 as _interface_pb2
from execgraph.v1 import provenance_pb2 as _provenance_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LaunchGroup(_message.Message):
    __slots__ = ("id", "stage", "members")
    ID_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    id: str
    stage: int
    members: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, id: _Optional[str] = ..., stage: _Optional[int] = ..., members: _Optional[_Iterable[str]] = ...) -> None: ...

class TargetModule(_message.Message):
    __slots__ = ("stage", "group", "members", "entry_point", "slots", "code", "semantic", "lowered", "internalized")
    STAGE_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    ENTRY_POINT_FIELD_NUMBER: _ClassVar[int]
    SLOTS_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    SEMANTIC_FIELD_NUMBER: _ClassVar[int]
    LOWERED_FIELD_NUMBER: _ClassVar[int]
    INTERNALIZED_FIELD_NUMBER: _ClassVar[int]
    stage: int
    group: str
    members: _containers.RepeatedScalarFieldContainer[str]
    entry_point: str
    slots: _containers.RepeatedCompositeFieldContainer[ModuleSlot]
    code: TypedBlob
    semantic: TypedBlob
    lowered: TypedBlob
    internalized: _containers.RepeatedCompositeFieldContainer[InternalizedDependency]
    def __init__(self, stage: _Optional[int] = ..., group: _Optional[str] = ..., members: _Optional[_Iterable[str]] = ..., entry_point: _Optional[str] = ..., slots: _Optional[_Iterable[_Union[ModuleSlot, _Mapping]]] = ..., code: _Optional[_Union[TypedBlob, _Mapping]] = ..., semantic: _Optional[_Union[TypedBlob, _Mapping]] = ..., lowered: _Optional[_Union[TypedBlob, _Mapping]] = ..., internalized: _Optional[_Iterable[_Union[InternalizedDependency, _Mapping]]] = ...) -> None: ...

class ModuleSlot(_message.Message):
    __slots__ = ("name", "coordinate", "slot")
    NAME_FIELD_NUMBER: _ClassVar[int]
    COORDINATE_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    name: str
    coordinate: _dispatch_pb2.Coordinate
    slot: _interface_pb2.Slot
    def __init__(self, name: _Optional[str] = ..., coordinate: _Optional[_Union[_dispatch_pb2.Coordinate, _Mapping]] = ..., slot: _Optional[_Union[_interface_pb2.Slot, _Mapping]] = ...) -> None: ...

class TypedBlob(_message.Message):
    __slots__ = ("content_type", "blob")
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    BLOB_FIELD_NUMBER: _ClassVar[int]
    content_type: _blob_pb2.ContentType
    blob: _blob_pb2.BlobReference
    def __init__(self, content_type: _Optional[_Union[_blob_pb2.ContentType, _Mapping]] = ..., blob: _Optional[_Union[_blob_pb2.BlobReference, _Mapping]] = ...) -> None: ...

class InternalizedDependency(_message.Message):
    __slots__ = ("from_node", "to_node", "evidence", "justification")
    FROM_NODE_FIELD_NUMBER: _ClassVar[int]
    TO_NODE_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    JUSTIFICATION_FIELD_NUMBER: _ClassVar[int]
    from_node: str
    to_node: str
    evidence: _interface_pb2.Evidence
    justification: str
    def __init__(self, from_node: _Optional[str] = ..., to_node: _Optional[str] = ..., evidence: _Optional[_Union[_interface_pb2.Evidence, str]] = ..., justification: _Optional[str] = ...) -> None: ...

class TargetModuleBundle(_message.Message):
    __slots__ = ("header", "modules", "provenance")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    MODULES_FIELD_NUMBER: _ClassVar[int]
    PROVENANCE_FIELD_NUMBER: _ClassVar[int]
    header: _header_pb2.Header
    modules: _containers.RepeatedCompositeFieldContainer[TargetModule]
    provenance: _provenance_pb2.Provenance
    def __init__(self, header: _Optional[_Union[_header_pb2.Header, _Mapping]] = ..., modules: _Optional[_Iterable[_Union[TargetModule, _Mapping]]] = ..., provenance: _Optional[_Union[_provenance_pb2.Provenance, _Mapping]] = ...) -> None: ...
