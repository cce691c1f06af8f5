from execgraph.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DocumentKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DOCUMENT_KIND_UNSPECIFIED: _ClassVar[DocumentKind]
    DOCUMENT_KIND_EXECUTION_GRAPH: _ClassVar[DocumentKind]
    DOCUMENT_KIND_PACKAGE: _ClassVar[DocumentKind]
    DOCUMENT_KIND_TARGET_MODULE_BUNDLE: _ClassVar[DocumentKind]
    DOCUMENT_KIND_TARGET_PAYLOAD: _ClassVar[DocumentKind]
    DOCUMENT_KIND_ENVELOPE: _ClassVar[DocumentKind]
DOCUMENT_KIND_UNSPECIFIED: DocumentKind
DOCUMENT_KIND_EXECUTION_GRAPH: DocumentKind
DOCUMENT_KIND_PACKAGE: DocumentKind
DOCUMENT_KIND_TARGET_MODULE_BUNDLE: DocumentKind
DOCUMENT_KIND_TARGET_PAYLOAD: DocumentKind
DOCUMENT_KIND_ENVELOPE: DocumentKind

class Header(_message.Message):
    __slots__ = ("kind", "schema_major", "schema_minor", "producer", "required_features")
    KIND_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_MAJOR_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_MINOR_FIELD_NUMBER: _ClassVar[int]
    PRODUCER_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_FEATURES_FIELD_NUMBER: _ClassVar[int]
    kind: DocumentKind
    schema_major: int
    schema_minor: int
    producer: Producer
    required_features: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, kind: _Optional[_Union[DocumentKind, str]] = ..., schema_major: _Optional[int] = ..., schema_minor: _Optional[int] = ..., producer: _Optional[_Union[Producer, _Mapping]] = ..., required_features: _Optional[_Iterable[str]] = ...) -> None: ...

class Producer(_message.Message):
    __slots__ = ("name", "version")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: str
    def __init__(self, name: _Optional[str] = ..., version: _Optional[str] = ...) -> None: ...
