from execgraph.options.v1 import options_pb2 as _options_pb2
from execgraph.v1 import access_pb2 as _access_pb2
from execgraph.v1 import blob_pb2 as _blob_pb2
from execgraph.v1 import dispatch_pb2 as _dispatch_pb2
from execgraph.v1 import header_pb2 as _header_pb2
from execgraph.v1 import interface_pb2 as _interface_pb2
from execgraph.v1 import module_pb2 as _module_pb2
from execgraph.v1 import profile_pb2 as _profile_pb2
from execgraph.v1 import provenance_pb2 as _provenance_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TargetPayload(_message.Message):
    __slots__ = ("header", "graph_digest", "format", "profile", "groups", "entries", "bundle", "provenance")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    GRAPH_DIGEST_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    BUNDLE_FIELD_NUMBER: _ClassVar[int]
    PROVENANCE_FIELD_NUMBER: _ClassVar[int]
    header: _header_pb2.Header
    graph_digest: str
    format: _blob_pb2.ContentType
    profile: _profile_pb2.TargetProfile
    groups: _containers.RepeatedCompositeFieldContainer[_module_pb2.LaunchGroup]
    entries: _containers.RepeatedCompositeFieldContainer[TargetEntry]
    bundle: NestedDocument
    provenance: _provenance_pb2.Provenance
    def __init__(self, header: _Optional[_Union[_header_pb2.Header, _Mapping]] = ..., graph_digest: _Optional[str] = ..., format: _Optional[_Union[_blob_pb2.ContentType, _Mapping]] = ..., profile: _Optional[_Union[_profile_pb2.TargetProfile, _Mapping]] = ..., groups: _Optional[_Iterable[_Union[_module_pb2.LaunchGroup, _Mapping]]] = ..., entries: _Optional[_Iterable[_Union[TargetEntry, _Mapping]]] = ..., bundle: _Optional[_Union[NestedDocument, _Mapping]] = ..., provenance: _Optional[_Union[_provenance_pb2.Provenance, _Mapping]] = ...) -> None: ...

class TargetEntry(_message.Message):
    __slots__ = ("group", "geometry", "shared_bytes", "bindings", "logical_elements")
    GROUP_FIELD_NUMBER: _ClassVar[int]
    GEOMETRY_FIELD_NUMBER: _ClassVar[int]
    SHARED_BYTES_FIELD_NUMBER: _ClassVar[int]
    BINDINGS_FIELD_NUMBER: _ClassVar[int]
    LOGICAL_ELEMENTS_FIELD_NUMBER: _ClassVar[int]
    group: str
    geometry: _dispatch_pb2.Geometry
    shared_bytes: int
    bindings: _containers.RepeatedCompositeFieldContainer[TargetBinding]
    logical_elements: int
    def __init__(self, group: _Optional[str] = ..., geometry: _Optional[_Union[_dispatch_pb2.Geometry, _Mapping]] = ..., shared_bytes: _Optional[int] = ..., bindings: _Optional[_Iterable[_Union[TargetBinding, _Mapping]]] = ..., logical_elements: _Optional[int] = ...) -> None: ...

class TargetBinding(_message.Message):
    __slots__ = ("coordinate", "node", "slot", "resource", "storage_class", "access")
    COORDINATE_FIELD_NUMBER: _ClassVar[int]
    NODE_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_FIELD_NUMBER: _ClassVar[int]
    STORAGE_CLASS_FIELD_NUMBER: _ClassVar[int]
    ACCESS_FIELD_NUMBER: _ClassVar[int]
    coordinate: _dispatch_pb2.Coordinate
    node: str
    slot: str
    resource: str
    storage_class: _interface_pb2.StorageClass
    access: _access_pb2.AccessMode
    def __init__(self, coordinate: _Optional[_Union[_dispatch_pb2.Coordinate, _Mapping]] = ..., node: _Optional[str] = ..., slot: _Optional[str] = ..., resource: _Optional[str] = ..., storage_class: _Optional[_Union[_interface_pb2.StorageClass, str]] = ..., access: _Optional[_Union[_access_pb2.AccessMode, str]] = ...) -> None: ...

class NestedDocument(_message.Message):
    __slots__ = ("digest", "body")
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    digest: str
    body: bytes
    def __init__(self, digest: _Optional[str] = ..., body: _Optional[bytes] = ...) -> None: ...
