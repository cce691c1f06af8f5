from execgraph.options.v1 import options_pb2 as _options_pb2
from execgraph.v1 import blob_pb2 as _blob_pb2
from execgraph.v1 import capability_pb2 as _capability_pb2
from execgraph.v1 import dispatch_pb2 as _dispatch_pb2
from execgraph.v1 import header_pb2 as _header_pb2
from execgraph.v1 import interface_pb2 as _interface_pb2
from execgraph.v1 import provenance_pb2 as _provenance_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Package(_message.Message):
    __slots__ = ("header", "id", "artifacts", "graphs", "payloads", "provenance")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    ARTIFACTS_FIELD_NUMBER: _ClassVar[int]
    GRAPHS_FIELD_NUMBER: _ClassVar[int]
    PAYLOADS_FIELD_NUMBER: _ClassVar[int]
    PROVENANCE_FIELD_NUMBER: _ClassVar[int]
    header: _header_pb2.Header
    id: str
    artifacts: _containers.RepeatedCompositeFieldContainer[Artifact]
    graphs: _containers.RepeatedCompositeFieldContainer[PackagedGraph]
    payloads: _containers.RepeatedCompositeFieldContainer[PackagedPayload]
    provenance: _provenance_pb2.Provenance
    def __init__(self, header: _Optional[_Union[_header_pb2.Header, _Mapping]] = ..., id: _Optional[str] = ..., artifacts: _Optional[_Iterable[_Union[Artifact, _Mapping]]] = ..., graphs: _Optional[_Iterable[_Union[PackagedGraph, _Mapping]]] = ..., payloads: _Optional[_Iterable[_Union[PackagedPayload, _Mapping]]] = ..., provenance: _Optional[_Union[_provenance_pb2.Provenance, _Mapping]] = ...) -> None: ...

class Artifact(_message.Message):
    __slots__ = ("id", "interface", "variants", "provenance")
    ID_FIELD_NUMBER: _ClassVar[int]
    INTERFACE_FIELD_NUMBER: _ClassVar[int]
    VARIANTS_FIELD_NUMBER: _ClassVar[int]
    PROVENANCE_FIELD_NUMBER: _ClassVar[int]
    id: str
    interface: _interface_pb2.Interface
    variants: _containers.RepeatedCompositeFieldContainer[Variant]
    provenance: _provenance_pb2.Provenance
    def __init__(self, id: _Optional[str] = ..., interface: _Optional[_Union[_interface_pb2.Interface, _Mapping]] = ..., variants: _Optional[_Iterable[_Union[Variant, _Mapping]]] = ..., provenance: _Optional[_Union[_provenance_pb2.Provenance, _Mapping]] = ...) -> None: ...

class Variant(_message.Message):
    __slots__ = ("target", "name", "content_type", "blob", "entries", "constants", "requirements", "provenance")
    TARGET_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    BLOB_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    CONSTANTS_FIELD_NUMBER: _ClassVar[int]
    REQUIREMENTS_FIELD_NUMBER: _ClassVar[int]
    PROVENANCE_FIELD_NUMBER: _ClassVar[int]
    target: str
    name: str
    content_type: _blob_pb2.ContentType
    blob: _blob_pb2.BlobReference
    entries: _containers.RepeatedCompositeFieldContainer[EntryMapping]
    constants: _containers.RepeatedCompositeFieldContainer[ConstantMapping]
    requirements: TargetRequirements
    provenance: _provenance_pb2.Provenance
    def __init__(self, target: _Optional[str] = ..., name: _Optional[str] = ..., content_type: _Optional[_Union[_blob_pb2.ContentType, _Mapping]] = ..., blob: _Optional[_Union[_blob_pb2.BlobReference, _Mapping]] = ..., entries: _Optional[_Iterable[_Union[EntryMapping, _Mapping]]] = ..., constants: _Optional[_Iterable[_Union[ConstantMapping, _Mapping]]] = ..., requirements: _Optional[_Union[TargetRequirements, _Mapping]] = ..., provenance: _Optional[_Union[_provenance_pb2.Provenance, _Mapping]] = ...) -> None: ...

class EntryMapping(_message.Message):
    __slots__ = ("entry", "target_entry", "slots")
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    TARGET_ENTRY_FIELD_NUMBER: _ClassVar[int]
    SLOTS_FIELD_NUMBER: _ClassVar[int]
    entry: str
    target_entry: str
    slots: _containers.RepeatedCompositeFieldContainer[SlotMapping]
    def __init__(self, entry: _Optional[str] = ..., target_entry: _Optional[str] = ..., slots: _Optional[_Iterable[_Union[SlotMapping, _Mapping]]] = ...) -> None: ...

class SlotMapping(_message.Message):
    __slots__ = ("slot", "target_slot", "coordinate")
    SLOT_FIELD_NUMBER: _ClassVar[int]
    TARGET_SLOT_FIELD_NUMBER: _ClassVar[int]
    COORDINATE_FIELD_NUMBER: _ClassVar[int]
    slot: str
    target_slot: str
    coordinate: _dispatch_pb2.Coordinate
    def __init__(self, slot: _Optional[str] = ..., target_slot: _Optional[str] = ..., coordinate: _Optional[_Union[_dispatch_pb2.Coordinate, _Mapping]] = ...) -> None: ...

class ConstantMapping(_message.Message):
    __slots__ = ("constant", "target_constant", "constant_id")
    CONSTANT_FIELD_NUMBER: _ClassVar[int]
    TARGET_CONSTANT_FIELD_NUMBER: _ClassVar[int]
    CONSTANT_ID_FIELD_NUMBER: _ClassVar[int]
    constant: str
    target_constant: str
    constant_id: int
    def __init__(self, constant: _Optional[str] = ..., target_constant: _Optional[str] = ..., constant_id: _Optional[int] = ...) -> None: ...

class TargetRequirements(_message.Message):
    __slots__ = ("minimum_version", "features", "capabilities")
    MINIMUM_VERSION_FIELD_NUMBER: _ClassVar[int]
    FEATURES_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    minimum_version: str
    features: _containers.RepeatedScalarFieldContainer[str]
    capabilities: _containers.RepeatedScalarFieldContainer[_capability_pb2.Capability]
    def __init__(self, minimum_version: _Optional[str] = ..., features: _Optional[_Iterable[str]] = ..., capabilities: _Optional[_Iterable[_Union[_capability_pb2.Capability, str]]] = ...) -> None: ...

class PackagedGraph(_message.Message):
    __slots__ = ("id", "source")
    ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    id: str
    source: GraphSource
    def __init__(self, id: _Optional[str] = ..., source: _Optional[_Union[GraphSource, _Mapping]] = ...) -> None: ...

class GraphSource(_message.Message):
    __slots__ = ("embedded", "reference")
    EMBEDDED_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    embedded: bytes
    reference: _blob_pb2.BlobReference
    def __init__(self, embedded: _Optional[bytes] = ..., reference: _Optional[_Union[_blob_pb2.BlobReference, _Mapping]] = ...) -> None: ...

class PackagedPayload(_message.Message):
    __slots__ = ("graph", "format", "frame")
    GRAPH_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    graph: str
    format: _blob_pb2.ContentType
    frame: _blob_pb2.BlobReference
    def __init__(self, graph: _Optional[str] = ..., format: _Optional[_Union[_blob_pb2.ContentType, _Mapping]] = ..., frame: _Optional[_Union[_blob_pb2.BlobReference, _Mapping]] = ...) -> None: ...
