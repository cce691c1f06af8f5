from google.protobuf import descriptor_pb2 as _descriptor_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Collection(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COLLECTION_UNSPECIFIED: _ClassVar[Collection]
    COLLECTION_ORDERED: _ClassVar[Collection]
    COLLECTION_SET: _ClassVar[Collection]

class StringKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STRING_KIND_UNSPECIFIED: _ClassVar[StringKind]
    STRING_KIND_ID: _ClassVar[StringKind]
    STRING_KIND_REFERENCE: _ClassVar[StringKind]
    STRING_KIND_NAME: _ClassVar[StringKind]
    STRING_KIND_DIGEST: _ClassVar[StringKind]
    STRING_KIND_TEXT: _ClassVar[StringKind]
COLLECTION_UNSPECIFIED: Collection
COLLECTION_ORDERED: Collection
COLLECTION_SET: Collection
STRING_KIND_UNSPECIFIED: StringKind
STRING_KIND_ID: StringKind
STRING_KIND_REFERENCE: StringKind
STRING_KIND_NAME: StringKind
STRING_KIND_DIGEST: StringKind
STRING_KIND_TEXT: StringKind
FIELD_FIELD_NUMBER: _ClassVar[int]
field: _descriptor.FieldDescriptor
VALUE_FIELD_NUMBER: _ClassVar[int]
value: _descriptor.FieldDescriptor

class FieldRules(_message.Message):
    __slots__ = ("collection", "keys", "string_kind", "id_space", "since_minor", "feature", "unit", "required", "provenance", "capability")
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    STRING_KIND_FIELD_NUMBER: _ClassVar[int]
    ID_SPACE_FIELD_NUMBER: _ClassVar[int]
    SINCE_MINOR_FIELD_NUMBER: _ClassVar[int]
    FEATURE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    PROVENANCE_FIELD_NUMBER: _ClassVar[int]
    CAPABILITY_FIELD_NUMBER: _ClassVar[int]
    collection: Collection
    keys: _containers.RepeatedScalarFieldContainer[str]
    string_kind: StringKind
    id_space: str
    since_minor: int
    feature: str
    unit: str
    required: bool
    provenance: bool
    capability: str
    def __init__(self, collection: _Optional[_Union[Collection, str]] = ..., keys: _Optional[_Iterable[str]] = ..., string_kind: _Optional[_Union[StringKind, str]] = ..., id_space: _Optional[str] = ..., since_minor: _Optional[int] = ..., feature: _Optional[str] = ..., unit: _Optional[str] = ..., required: bool = ..., provenance: bool = ..., capability: _Optional[str] = ...) -> None: ...

class EnumValueRules(_message.Message):
    __slots__ = ("since_minor", "feature", "capability", "root_message", "storage_bits")
    SINCE_MINOR_FIELD_NUMBER: _ClassVar[int]
    FEATURE_FIELD_NUMBER: _ClassVar[int]
    CAPABILITY_FIELD_NUMBER: _ClassVar[int]
    ROOT_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    STORAGE_BITS_FIELD_NUMBER: _ClassVar[int]
    since_minor: int
    feature: str
    capability: str
    root_message: str
    storage_bits: int
    def __init__(self, since_minor: _Optional[int] = ..., feature: _Optional[str] = ..., capability: _Optional[str] = ..., root_message: _Optional[str] = ..., storage_bits: _Optional[int] = ...) -> None: ...
