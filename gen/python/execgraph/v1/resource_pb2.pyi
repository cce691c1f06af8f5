from execgraph.options.v1 import options_pb2 as _options_pb2
from execgraph.v1 import blob_pb2 as _blob_pb2
from execgraph.v1 import provenance_pb2 as _provenance_pb2
from execgraph.v1 import type_pb2 as _type_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MemoryClass(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MEMORY_CLASS_UNSPECIFIED: _ClassVar[MemoryClass]
    MEMORY_CLASS_DEVICE: _ClassVar[MemoryClass]
    MEMORY_CLASS_HOST_UPLOAD: _ClassVar[MemoryClass]
    MEMORY_CLASS_HOST_READBACK: _ClassVar[MemoryClass]
    MEMORY_CLASS_UNIFIED: _ClassVar[MemoryClass]

class ResourceRole(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RESOURCE_ROLE_UNSPECIFIED: _ClassVar[ResourceRole]
    RESOURCE_ROLE_EXTERNAL_INPUT: _ClassVar[ResourceRole]
    RESOURCE_ROLE_EXTERNAL_OUTPUT: _ClassVar[ResourceRole]
    RESOURCE_ROLE_EXTERNAL_INPUT_OUTPUT: _ClassVar[ResourceRole]
    RESOURCE_ROLE_TEMPORARY: _ClassVar[ResourceRole]
    RESOURCE_ROLE_STATE: _ClassVar[ResourceRole]
    RESOURCE_ROLE_CONSTANT: _ClassVar[ResourceRole]

class ImageFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    IMAGE_FORMAT_UNSPECIFIED: _ClassVar[ImageFormat]
    IMAGE_FORMAT_R32_FLOAT: _ClassVar[ImageFormat]
    IMAGE_FORMAT_RG32_FLOAT: _ClassVar[ImageFormat]
    IMAGE_FORMAT_RGBA32_FLOAT: _ClassVar[ImageFormat]
    IMAGE_FORMAT_R16_FLOAT: _ClassVar[ImageFormat]
    IMAGE_FORMAT_RG16_FLOAT: _ClassVar[ImageFormat]
    IMAGE_FORMAT_RGBA16_FLOAT: _ClassVar[ImageFormat]
    IMAGE_FORMAT_R32_UINT: _ClassVar[ImageFormat]
    IMAGE_FORMAT_RG32_UINT: _ClassVar[ImageFormat]
    IMAGE_FORMAT_RGBA32_UINT: _ClassVar[ImageFormat]
    IMAGE_FORMAT_R32_SINT: _ClassVar[ImageFormat]
    IMAGE_FORMAT_RG32_SINT: _ClassVar[ImageFormat]
    IMAGE_FORMAT_RGBA32_SINT: _ClassVar[ImageFormat]
    IMAGE_FORMAT_RGBA8_UNORM: _ClassVar[ImageFormat]
    IMAGE_FORMAT_RGBA8_SNORM: _ClassVar[ImageFormat]
    IMAGE_FORMAT_RGBA8_UINT: _ClassVar[ImageFormat]
    IMAGE_FORMAT_RGBA8_SINT: _ClassVar[ImageFormat]
    IMAGE_FORMAT_RGBA16_UINT: _ClassVar[ImageFormat]
    IMAGE_FORMAT_RGBA16_SINT: _ClassVar[ImageFormat]
MEMORY_CLASS_UNSPECIFIED: MemoryClass
MEMORY_CLASS_DEVICE: MemoryClass
MEMORY_CLASS_HOST_UPLOAD: MemoryClass
MEMORY_CLASS_HOST_READBACK: MemoryClass
MEMORY_CLASS_UNIFIED: MemoryClass
RESOURCE_ROLE_UNSPECIFIED: ResourceRole
RESOURCE_ROLE_EXTERNAL_INPUT: ResourceRole
RESOURCE_ROLE_EXTERNAL_OUTPUT: ResourceRole
RESOURCE_ROLE_EXTERNAL_INPUT_OUTPUT: ResourceRole
RESOURCE_ROLE_TEMPORARY: ResourceRole
RESOURCE_ROLE_STATE: ResourceRole
RESOURCE_ROLE_CONSTANT: ResourceRole
IMAGE_FORMAT_UNSPECIFIED: ImageFormat
IMAGE_FORMAT_R32_FLOAT: ImageFormat
IMAGE_FORMAT_RG32_FLOAT: ImageFormat
IMAGE_FORMAT_RGBA32_FLOAT: ImageFormat
IMAGE_FORMAT_R16_FLOAT: ImageFormat
IMAGE_FORMAT_RG16_FLOAT: ImageFormat
IMAGE_FORMAT_RGBA16_FLOAT: ImageFormat
IMAGE_FORMAT_R32_UINT: ImageFormat
IMAGE_FORMAT_RG32_UINT: ImageFormat
IMAGE_FORMAT_RGBA32_UINT: ImageFormat
IMAGE_FORMAT_R32_SINT: ImageFormat
IMAGE_FORMAT_RG32_SINT: ImageFormat
IMAGE_FORMAT_RGBA32_SINT: ImageFormat
IMAGE_FORMAT_RGBA8_UNORM: ImageFormat
IMAGE_FORMAT_RGBA8_SNORM: ImageFormat
IMAGE_FORMAT_RGBA8_UINT: ImageFormat
IMAGE_FORMAT_RGBA8_SINT: ImageFormat
IMAGE_FORMAT_RGBA16_UINT: ImageFormat
IMAGE_FORMAT_RGBA16_SINT: ImageFormat

class Parameter(_message.Message):
    __slots__ = ("id", "type", "minimum", "maximum", "multiple_of")
    ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_FIELD_NUMBER: _ClassVar[int]
    MULTIPLE_OF_FIELD_NUMBER: _ClassVar[int]
    id: str
    type: _type_pb2.ElementType
    minimum: int
    maximum: int
    multiple_of: int
    def __init__(self, id: _Optional[str] = ..., type: _Optional[_Union[_type_pb2.ElementType, str]] = ..., minimum: _Optional[int] = ..., maximum: _Optional[int] = ..., multiple_of: _Optional[int] = ...) -> None: ...

class Allocation(_message.Message):
    __slots__ = ("id", "size", "alignment", "memory_class")
    ID_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    ALIGNMENT_FIELD_NUMBER: _ClassVar[int]
    MEMORY_CLASS_FIELD_NUMBER: _ClassVar[int]
    id: str
    size: _type_pb2.Extent
    alignment: int
    memory_class: MemoryClass
    def __init__(self, id: _Optional[str] = ..., size: _Optional[_Union[_type_pb2.Extent, _Mapping]] = ..., alignment: _Optional[int] = ..., memory_class: _Optional[_Union[MemoryClass, str]] = ...) -> None: ...

class Resource(_message.Message):
    __slots__ = ("id", "role", "consumed", "placement", "type", "shape", "layout", "size", "alignment", "lifetime", "content", "provenance")
    ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    CONSUMED_FIELD_NUMBER: _ClassVar[int]
    PLACEMENT_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    SHAPE_FIELD_NUMBER: _ClassVar[int]
    LAYOUT_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    ALIGNMENT_FIELD_NUMBER: _ClassVar[int]
    LIFETIME_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    PROVENANCE_FIELD_NUMBER: _ClassVar[int]
    id: str
    role: ResourceRole
    consumed: bool
    placement: Placement
    type: _type_pb2.ValueType
    shape: _containers.RepeatedCompositeFieldContainer[_type_pb2.Extent]
    layout: PhysicalLayout
    size: _type_pb2.Extent
    alignment: int
    lifetime: Lifetime
    content: _blob_pb2.BlobReference
    provenance: _provenance_pb2.Provenance
    def __init__(self, id: _Optional[str] = ..., role: _Optional[_Union[ResourceRole, str]] = ..., consumed: bool = ..., placement: _Optional[_Union[Placement, _Mapping]] = ..., type: _Optional[_Union[_type_pb2.ValueType, _Mapping]] = ..., shape: _Optional[_Iterable[_Union[_type_pb2.Extent, _Mapping]]] = ..., layout: _Optional[_Union[PhysicalLayout, _Mapping]] = ..., size: _Optional[_Union[_type_pb2.Extent, _Mapping]] = ..., alignment: _Optional[int] = ..., lifetime: _Optional[_Union[Lifetime, _Mapping]] = ..., content: _Optional[_Union[_blob_pb2.BlobReference, _Mapping]] = ..., provenance: _Optional[_Union[_provenance_pb2.Provenance, _Mapping]] = ...) -> None: ...

class Placement(_message.Message):
    __slots__ = ("allocation", "offset")
    ALLOCATION_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    allocation: str
    offset: _type_pb2.Extent
    def __init__(self, allocation: _Optional[str] = ..., offset: _Optional[_Union[_type_pb2.Extent, _Mapping]] = ...) -> None: ...

class PhysicalLayout(_message.Message):
    __slots__ = ("packed", "strided", "opaque", "image")
    PACKED_FIELD_NUMBER: _ClassVar[int]
    STRIDED_FIELD_NUMBER: _ClassVar[int]
    OPAQUE_FIELD_NUMBER: _ClassVar[int]
    IMAGE_FIELD_NUMBER: _ClassVar[int]
    packed: PackedLayout
    strided: StridedLayout
    opaque: OpaqueLayout
    image: ImageLayout
    def __init__(self, packed: _Optional[_Union[PackedLayout, _Mapping]] = ..., strided: _Optional[_Union[StridedLayout, _Mapping]] = ..., opaque: _Optional[_Union[OpaqueLayout, _Mapping]] = ..., image: _Optional[_Union[ImageLayout, _Mapping]] = ...) -> None: ...

class PackedLayout(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class StridedLayout(_message.Message):
    __slots__ = ("byte_strides",)
    BYTE_STRIDES_FIELD_NUMBER: _ClassVar[int]
    byte_strides: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, byte_strides: _Optional[_Iterable[int]] = ...) -> None: ...

class OpaqueLayout(_message.Message):
    __slots__ = ("format",)
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    format: str
    def __init__(self, format: _Optional[str] = ...) -> None: ...

class ImageLayout(_message.Message):
    __slots__ = ("format", "extent", "array_layers", "mip_levels")
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    EXTENT_FIELD_NUMBER: _ClassVar[int]
    ARRAY_LAYERS_FIELD_NUMBER: _ClassVar[int]
    MIP_LEVELS_FIELD_NUMBER: _ClassVar[int]
    format: ImageFormat
    extent: _containers.RepeatedCompositeFieldContainer[_type_pb2.Extent]
    array_layers: int
    mip_levels: int
    def __init__(self, format: _Optional[_Union[ImageFormat, str]] = ..., extent: _Optional[_Iterable[_Union[_type_pb2.Extent, _Mapping]]] = ..., array_layers: _Optional[int] = ..., mip_levels: _Optional[int] = ...) -> None: ...

class Lifetime(_message.Message):
    __slots__ = ("spans",)
    SPANS_FIELD_NUMBER: _ClassVar[int]
    spans: _containers.RepeatedCompositeFieldContainer[LifetimeSpan]
    def __init__(self, spans: _Optional[_Iterable[_Union[LifetimeSpan, _Mapping]]] = ...) -> None: ...

class LifetimeSpan(_message.Message):
    __slots__ = ("begins", "ends")
    BEGINS_FIELD_NUMBER: _ClassVar[int]
    ENDS_FIELD_NUMBER: _ClassVar[int]
    begins: _containers.RepeatedScalarFieldContainer[str]
    ends: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, begins: _Optional[_Iterable[str]] = ..., ends: _Optional[_Iterable[str]] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("id", "resource", "offset", "type", "shape", "byte_strides")
    ID_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    SHAPE_FIELD_NUMBER: _ClassVar[int]
    BYTE_STRIDES_FIELD_NUMBER: _ClassVar[int]
    id: str
    resource: str
    offset: _type_pb2.Extent
    type: _type_pb2.ValueType
    shape: _containers.RepeatedCompositeFieldContainer[_type_pb2.Extent]
    byte_strides: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, id: _Optional[str] = ..., resource: _Optional[str] = ..., offset: _Optional[_Union[_type_pb2.Extent, _Mapping]] = ..., type: _Optional[_Union[_type_pb2.ValueType, _Mapping]] = ..., shape: _Optional[_Iterable[_Union[_type_pb2.Extent, _Mapping]]] = ..., byte_strides: _Optional[_Iterable[int]] = ...) -> None: ...
