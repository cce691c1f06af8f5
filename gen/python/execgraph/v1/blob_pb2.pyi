from execgraph.options.v1 import options_pb2 as _options_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class BlobReference(_message.Message):
    __slots__ = ("digest", "size", "location")
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    LOCATION_FIELD_NUMBER: _ClassVar[int]
    digest: str
    size: int
    location: str
    def __init__(self, digest: _Optional[str] = ..., size: _Optional[int] = ..., location: _Optional[str] = ...) -> None: ...

class ContentType(_message.Message):
    __slots__ = ("identity", "version")
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    identity: str
    version: int
    def __init__(self, identity: _Optional[str] = ..., version: _Optional[int] = ...) -> None: ...
