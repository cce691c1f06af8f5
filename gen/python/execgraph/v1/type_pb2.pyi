from execgraph.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ElementType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ELEMENT_TYPE_UNSPECIFIED: _ClassVar[ElementType]
    ELEMENT_TYPE_BOOL: _ClassVar[ElementType]
    ELEMENT_TYPE_I4: _ClassVar[ElementType]
    ELEMENT_TYPE_U4: _ClassVar[ElementType]
    ELEMENT_TYPE_I8: _ClassVar[ElementType]
    ELEMENT_TYPE_U8: _ClassVar[ElementType]
    ELEMENT_TYPE_I16: _ClassVar[ElementType]
    ELEMENT_TYPE_U16: _ClassVar[ElementType]
    ELEMENT_TYPE_I32: _ClassVar[ElementType]
    ELEMENT_TYPE_U32: _ClassVar[ElementType]
    ELEMENT_TYPE_I64: _ClassVar[ElementType]
    ELEMENT_TYPE_U64: _ClassVar[ElementType]
    ELEMENT_TYPE_F16: _ClassVar[ElementType]
    ELEMENT_TYPE_BF16: _ClassVar[ElementType]
    ELEMENT_TYPE_F32: _ClassVar[ElementType]
    ELEMENT_TYPE_F64: _ClassVar[ElementType]
    ELEMENT_TYPE_F8_E4M3: _ClassVar[ElementType]
    ELEMENT_TYPE_F8_E5M2: _ClassVar[ElementType]
    ELEMENT_TYPE_F8_E4M3_FNUZ: _ClassVar[ElementType]
    ELEMENT_TYPE_F8_E5M2_FNUZ: _ClassVar[ElementType]
    ELEMENT_TYPE_F8_E8M0: _ClassVar[ElementType]
    ELEMENT_TYPE_F4_E2M1: _ClassVar[ElementType]
    ELEMENT_TYPE_C64: _ClassVar[ElementType]
    ELEMENT_TYPE_C128: _ClassVar[ElementType]
    ELEMENT_TYPE_BLOCK: _ClassVar[ElementType]
ELEMENT_TYPE_UNSPECIFIED: ElementType
ELEMENT_TYPE_BOOL: ElementType
ELEMENT_TYPE_I4: ElementType
ELEMENT_TYPE_U4: ElementType
ELEMENT_TYPE_I8: ElementType
ELEMENT_TYPE_U8: ElementType
ELEMENT_TYPE_I16: ElementType
ELEMENT_TYPE_U16: ElementType
ELEMENT_TYPE_I32: ElementType
ELEMENT_TYPE_U32: ElementType
ELEMENT_TYPE_I64: ElementType
ELEMENT_TYPE_U64: ElementType
ELEMENT_TYPE_F16: ElementType
ELEMENT_TYPE_BF16: ElementType
ELEMENT_TYPE_F32: ElementType
ELEMENT_TYPE_F64: ElementType
ELEMENT_TYPE_F8_E4M3: ElementType
ELEMENT_TYPE_F8_E5M2: ElementType
ELEMENT_TYPE_F8_E4M3_FNUZ: ElementType
ELEMENT_TYPE_F8_E5M2_FNUZ: ElementType
ELEMENT_TYPE_F8_E8M0: ElementType
ELEMENT_TYPE_F4_E2M1: ElementType
ELEMENT_TYPE_C64: ElementType
ELEMENT_TYPE_C128: ElementType
ELEMENT_TYPE_BLOCK: ElementType

class BlockFormat(_message.Message):
    __slots__ = ("format", "block_elements", "block_bytes")
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    BLOCK_ELEMENTS_FIELD_NUMBER: _ClassVar[int]
    BLOCK_BYTES_FIELD_NUMBER: _ClassVar[int]
    format: str
    block_elements: int
    block_bytes: int
    def __init__(self, format: _Optional[str] = ..., block_elements: _Optional[int] = ..., block_bytes: _Optional[int] = ...) -> None: ...

class ValueType(_message.Message):
    __slots__ = ("element", "block")
    ELEMENT_FIELD_NUMBER: _ClassVar[int]
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    element: ElementType
    block: BlockFormat
    def __init__(self, element: _Optional[_Union[ElementType, str]] = ..., block: _Optional[_Union[BlockFormat, _Mapping]] = ...) -> None: ...

class Extent(_message.Message):
    __slots__ = ("constant", "terms")
    CONSTANT_FIELD_NUMBER: _ClassVar[int]
    TERMS_FIELD_NUMBER: _ClassVar[int]
    constant: int
    terms: _containers.RepeatedCompositeFieldContainer[ExtentTerm]
    def __init__(self, constant: _Optional[int] = ..., terms: _Optional[_Iterable[_Union[ExtentTerm, _Mapping]]] = ...) -> None: ...

class ExtentTerm(_message.Message):
    __slots__ = ("parameter", "coefficient")
    PARAMETER_FIELD_NUMBER: _ClassVar[int]
    COEFFICIENT_FIELD_NUMBER: _ClassVar[int]
    parameter: str
    coefficient: int
    def __init__(self, parameter: _Optional[str] = ..., coefficient: _Optional[int] = ...) -> None: ...

class TypedBits(_message.Message):
    __slots__ = ("element", "bits")
    ELEMENT_FIELD_NUMBER: _ClassVar[int]
    BITS_FIELD_NUMBER: _ClassVar[int]
    element: ElementType
    bits: bytes
    def __init__(self, element: _Optional[_Union[ElementType, str]] = ..., bits: _Optional[bytes] = ...) -> None: ...

class ByteSelection(_message.Message):
    __slots__ = ("resource", "view", "byte_range")
    RESOURCE_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    BYTE_RANGE_FIELD_NUMBER: _ClassVar[int]
    resource: str
    view: str
    byte_range: ByteRange
    def __init__(self, resource: _Optional[str] = ..., view: _Optional[str] = ..., byte_range: _Optional[_Union[ByteRange, _Mapping]] = ...) -> None: ...

class ByteRange(_message.Message):
    __slots__ = ("resource", "offset", "size")
    RESOURCE_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    resource: str
    offset: Extent
    size: Extent
    def __init__(self, resource: _Optional[str] = ..., offset: _Optional[_Union[Extent, _Mapping]] = ..., size: _Optional[_Union[Extent, _Mapping]] = ...) -> None: ...
