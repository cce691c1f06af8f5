from execgraph.options.v1 import options_pb2 as _options_pb2
from execgraph.v1 import blob_pb2 as _blob_pb2
from execgraph.v1 import header_pb2 as _header_pb2
from execgraph.v1 import payload_pb2 as _payload_pb2
from execgraph.v1 import provenance_pb2 as _provenance_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Envelope(_message.Message):
    __slots__ = ("header", "graph", "payloads", "provenance")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    GRAPH_FIELD_NUMBER: _ClassVar[int]
    PAYLOADS_FIELD_NUMBER: _ClassVar[int]
    PROVENANCE_FIELD_NUMBER: _ClassVar[int]
    header: _header_pb2.Header
    graph: _payload_pb2.NestedDocument
    payloads: _containers.RepeatedCompositeFieldContainer[EnvelopePayload]
    provenance: _provenance_pb2.Provenance
    def __init__(self, header: _Optional[_Union[_header_pb2.Header, _Mapping]] = ..., graph: _Optional[_Union[_payload_pb2.NestedDocument, _Mapping]] = ..., payloads: _Optional[_Iterable[_Union[EnvelopePayload, _Mapping]]] = ..., provenance: _Optional[_Union[_provenance_pb2.Provenance, _Mapping]] = ...) -> None: ...

class EnvelopePayload(_message.Message):
    __slots__ = ("format", "payload")
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    format: _blob_pb2.ContentType
    payload: _payload_pb2.NestedDocument
    def __init__(self, format: _Optional[_Union[_blob_pb2.ContentType, _Mapping]] = ..., payload: _Optional[_Union[_payload_pb2.NestedDocument, _Mapping]] = ...) -> None: ...
