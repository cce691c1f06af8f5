from execgraph.options.v1 import options_pb2 as _options_pb2
from execgraph.v1 import type_pb2 as _type_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Usage(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    USAGE_UNSPECIFIED: _ClassVar[Usage]
    USAGE_SHADER_STORAGE: _ClassVar[Usage]
    USAGE_SHADER_CONSTANT: _ClassVar[Usage]
    USAGE_SHADER_SAMPLED: _ClassVar[Usage]
    USAGE_TRANSFER: _ClassVar[Usage]
    USAGE_FILL: _ClassVar[Usage]
    USAGE_INDIRECT_COMMAND: _ClassVar[Usage]
    USAGE_CONTROL: _ClassVar[Usage]
    USAGE_HOST: _ClassVar[Usage]

class AccessMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACCESS_MODE_UNSPECIFIED: _ClassVar[AccessMode]
    ACCESS_MODE_READ: _ClassVar[AccessMode]
    ACCESS_MODE_WRITE: _ClassVar[AccessMode]
    ACCESS_MODE_READ_WRITE: _ClassVar[AccessMode]
    ACCESS_MODE_ATOMIC: _ClassVar[AccessMode]

class Coverage(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COVERAGE_UNSPECIFIED: _ClassVar[Coverage]
    COVERAGE_FULL: _ClassVar[Coverage]
    COVERAGE_PARTIAL: _ClassVar[Coverage]

class AccessKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACCESS_KIND_UNSPECIFIED: _ClassVar[AccessKind]
    ACCESS_KIND_READ: _ClassVar[AccessKind]
    ACCESS_KIND_WRITE: _ClassVar[AccessKind]
USAGE_UNSPECIFIED: Usage
USAGE_SHADER_STORAGE: Usage
USAGE_SHADER_CONSTANT: Usage
USAGE_SHADER_SAMPLED: Usage
USAGE_TRANSFER: Usage
USAGE_FILL: Usage
USAGE_INDIRECT_COMMAND: Usage
USAGE_CONTROL: Usage
USAGE_HOST: Usage
ACCESS_MODE_UNSPECIFIED: AccessMode
ACCESS_MODE_READ: AccessMode
ACCESS_MODE_WRITE: AccessMode
ACCESS_MODE_READ_WRITE: AccessMode
ACCESS_MODE_ATOMIC: AccessMode
COVERAGE_UNSPECIFIED: Coverage
COVERAGE_FULL: Coverage
COVERAGE_PARTIAL: Coverage
ACCESS_KIND_UNSPECIFIED: AccessKind
ACCESS_KIND_READ: AccessKind
ACCESS_KIND_WRITE: AccessKind

class AccessScope(_message.Message):
    __slots__ = ("usage", "kind")
    USAGE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    usage: Usage
    kind: AccessKind
    def __init__(self, usage: _Optional[_Union[Usage, str]] = ..., kind: _Optional[_Union[AccessKind, str]] = ...) -> None: ...

class VisibilityStatement(_message.Message):
    __slots__ = ("selections", "available_from", "visible_to")
    SELECTIONS_FIELD_NUMBER: _ClassVar[int]
    AVAILABLE_FROM_FIELD_NUMBER: _ClassVar[int]
    VISIBLE_TO_FIELD_NUMBER: _ClassVar[int]
    selections: _containers.RepeatedCompositeFieldContainer[_type_pb2.ByteSelection]
    available_from: _containers.RepeatedCompositeFieldContainer[AccessScope]
    visible_to: _containers.RepeatedCompositeFieldContainer[AccessScope]
    def __init__(self, selections: _Optional[_Iterable[_Union[_type_pb2.ByteSelection, _Mapping]]] = ..., available_from: _Optional[_Iterable[_Union[AccessScope, _Mapping]]] = ..., visible_to: _Optional[_Iterable[_Union[AccessScope, _Mapping]]] = ...) -> None: ...
