from execgraph.options.v1 import options_pb2 as _options_pb2
from execgraph.v1 import header_pb2 as _header_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Provenance(_message.Message):
    __slots__ = ("tool", "source", "attributes")
    TOOL_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTES_FIELD_NUMBER: _ClassVar[int]
    tool: _header_pb2.Producer
    source: SourceLocation
    attributes: _containers.RepeatedCompositeFieldContainer[Attribute]
    def __init__(self, tool: _Optional[_Union[_header_pb2.Producer, _Mapping]] = ..., source: _Optional[_Union[SourceLocation, _Mapping]] = ..., attributes: _Optional[_Iterable[_Union[Attribute, _Mapping]]] = ...) -> None: ...

class SourceLocation(_message.Message):
    __slots__ = ("uri", "digest", "revision", "lines")
    URI_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    uri: str
    digest: str
    revision: str
    lines: LineSpan
    def __init__(self, uri: _Optional[str] = ..., digest: _Optional[str] = ..., revision: _Optional[str] = ..., lines: _Optional[_Union[LineSpan, _Mapping]] = ...) -> None: ...

class LineSpan(_message.Message):
    __slots__ = ("first", "last")
    FIRST_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    first: int
    last: int
    def __init__(self, first: _Optional[int] = ..., last: _Optional[int] = ...) -> None: ...

class Attribute(_message.Message):
    __slots__ = ("key", "value")
    KEY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    key: str
    value: str
    def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
