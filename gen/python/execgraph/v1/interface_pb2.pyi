from execgraph.options.v1 import options_pb2 as _options_pb2
from execgraph.v1 import access_pb2 as _access_pb2
from execgraph.v1 import capability_pb2 as _capability_pb2
from execgraph.v1 import resource_pb2 as _resource_pb2
from execgraph.v1 import type_pb2 as _type_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Evidence(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVIDENCE_UNSPECIFIED: _ClassVar[Evidence]
    EVIDENCE_ASSERTED: _ClassVar[Evidence]
    EVIDENCE_DECLARED: _ClassVar[Evidence]
    EVIDENCE_PROVEN: _ClassVar[Evidence]

class Stage(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STAGE_UNSPECIFIED: _ClassVar[Stage]
    STAGE_COMPUTE: _ClassVar[Stage]
    STAGE_VERTEX: _ClassVar[Stage]
    STAGE_FRAGMENT: _ClassVar[Stage]

class SlotKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SLOT_KIND_UNSPECIFIED: _ClassVar[SlotKind]
    SLOT_KIND_STORAGE_BUFFER: _ClassVar[SlotKind]
    SLOT_KIND_CONSTANT_BUFFER: _ClassVar[SlotKind]
    SLOT_KIND_INLINE_CONSTANTS: _ClassVar[SlotKind]
    SLOT_KIND_SAMPLED_IMAGE: _ClassVar[SlotKind]
    SLOT_KIND_STORAGE_IMAGE: _ClassVar[SlotKind]
    SLOT_KIND_SAMPLER: _ClassVar[SlotKind]

class StorageClass(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STORAGE_CLASS_UNSPECIFIED: _ClassVar[StorageClass]
    STORAGE_CLASS_GLOBAL: _ClassVar[StorageClass]
    STORAGE_CLASS_CONSTANT: _ClassVar[StorageClass]
    STORAGE_CLASS_UNIFORM: _ClassVar[StorageClass]
    STORAGE_CLASS_SHARED: _ClassVar[StorageClass]
    STORAGE_CLASS_SCRATCH: _ClassVar[StorageClass]

class SlotRole(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SLOT_ROLE_UNSPECIFIED: _ClassVar[SlotRole]
    SLOT_ROLE_USER: _ClassVar[SlotRole]
    SLOT_ROLE_RUNTIME_DIAGNOSTIC: _ClassVar[SlotRole]

class BufferPacking(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BUFFER_PACKING_UNSPECIFIED: _ClassVar[BufferPacking]
    BUFFER_PACKING_STD140: _ClassVar[BufferPacking]
    BUFFER_PACKING_STD430: _ClassVar[BufferPacking]
    BUFFER_PACKING_SCALAR: _ClassVar[BufferPacking]
    BUFFER_PACKING_HLSL_CONSTANT_BUFFER: _ClassVar[BufferPacking]
    BUFFER_PACKING_METAL: _ClassVar[BufferPacking]
EVIDENCE_UNSPECIFIED: Evidence
EVIDENCE_ASSERTED: Evidence
EVIDENCE_DECLARED: Evidence
EVIDENCE_PROVEN: Evidence
STAGE_UNSPECIFIED: Stage
STAGE_COMPUTE: Stage
STAGE_VERTEX: Stage
STAGE_FRAGMENT: Stage
SLOT_KIND_UNSPECIFIED: SlotKind
SLOT_KIND_STORAGE_BUFFER: SlotKind
SLOT_KIND_CONSTANT_BUFFER: SlotKind
SLOT_KIND_INLINE_CONSTANTS: SlotKind
SLOT_KIND_SAMPLED_IMAGE: SlotKind
SLOT_KIND_STORAGE_IMAGE: SlotKind
SLOT_KIND_SAMPLER: SlotKind
STORAGE_CLASS_UNSPECIFIED: StorageClass
STORAGE_CLASS_GLOBAL: StorageClass
STORAGE_CLASS_CONSTANT: StorageClass
STORAGE_CLASS_UNIFORM: StorageClass
STORAGE_CLASS_SHARED: StorageClass
STORAGE_CLASS_SCRATCH: StorageClass
SLOT_ROLE_UNSPECIFIED: SlotRole
SLOT_ROLE_USER: SlotRole
SLOT_ROLE_RUNTIME_DIAGNOSTIC: SlotRole
BUFFER_PACKING_UNSPECIFIED: BufferPacking
BUFFER_PACKING_STD140: BufferPacking
BUFFER_PACKING_STD430: BufferPacking
BUFFER_PACKING_SCALAR: BufferPacking
BUFFER_PACKING_HLSL_CONSTANT_BUFFER: BufferPacking
BUFFER_PACKING_METAL: BufferPacking

class Interface(_message.Message):
    __slots__ = ("entries", "constants")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    CONSTANTS_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[Entry]
    constants: _containers.RepeatedCompositeFieldContainer[SpecializationConstant]
    def __init__(self, entries: _Optional[_Iterable[_Union[Entry, _Mapping]]] = ..., constants: _Optional[_Iterable[_Union[SpecializationConstant, _Mapping]]] = ...) -> None: ...

class Entry(_message.Message):
    __slots__ = ("name", "stage", "slots", "workgroup_size", "elements_per_workgroup", "uses_atomics", "uses_subgroups", "exact_threads", "subgroup_size", "static_shared_bytes", "tolerated_aliases", "required_capabilities", "evidence")
    NAME_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    SLOTS_FIELD_NUMBER: _ClassVar[int]
    WORKGROUP_SIZE_FIELD_NUMBER: _ClassVar[int]
    ELEMENTS_PER_WORKGROUP_FIELD_NUMBER: _ClassVar[int]
    USES_ATOMICS_FIELD_NUMBER: _ClassVar[int]
    USES_SUBGROUPS_FIELD_NUMBER: _ClassVar[int]
    EXACT_THREADS_FIELD_NUMBER: _ClassVar[int]
    SUBGROUP_SIZE_FIELD_NUMBER: _ClassVar[int]
    STATIC_SHARED_BYTES_FIELD_NUMBER: _ClassVar[int]
    TOLERATED_ALIASES_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    name: str
    stage: Stage
    slots: _containers.RepeatedCompositeFieldContainer[Slot]
    workgroup_size: WorkgroupSize
    elements_per_workgroup: _containers.RepeatedScalarFieldContainer[int]
    uses_atomics: bool
    uses_subgroups: bool
    exact_threads: bool
    subgroup_size: int
    static_shared_bytes: int
    tolerated_aliases: _containers.RepeatedCompositeFieldContainer[ToleratedSlotPair]
    required_capabilities: _containers.RepeatedScalarFieldContainer[_capability_pb2.Capability]
    evidence: Evidence
    def __init__(self, name: _Optional[str] = ..., stage: _Optional[_Union[Stage, str]] = ..., slots: _Optional[_Iterable[_Union[Slot, _Mapping]]] = ..., workgroup_size: _Optional[_Union[WorkgroupSize, _Mapping]] = ..., elements_per_workgroup: _Optional[_Iterable[int]] = ..., uses_atomics: bool = ..., uses_subgroups: bool = ..., exact_threads: bool = ..., subgroup_size: _Optional[int] = ..., static_shared_bytes: _Optional[int] = ..., tolerated_aliases: _Optional[_Iterable[_Union[ToleratedSlotPair, _Mapping]]] = ..., required_capabilities: _Optional[_Iterable[_Union[_capability_pb2.Capability, str]]] = ..., evidence: _Optional[_Union[Evidence, str]] = ...) -> None: ...

class ToleratedSlotPair(_message.Message):
    __slots__ = ("first", "second")
    FIRST_FIELD_NUMBER: _ClassVar[int]
    SECOND_FIELD_NUMBER: _ClassVar[int]
    first: str
    second: str
    def __init__(self, first: _Optional[str] = ..., second: _Optional[str] = ...) -> None: ...

class WorkgroupSize(_message.Message):
    __slots__ = ("axes",)
    AXES_FIELD_NUMBER: _ClassVar[int]
    axes: _containers.RepeatedCompositeFieldContainer[WorkgroupAxis]
    def __init__(self, axes: _Optional[_Iterable[_Union[WorkgroupAxis, _Mapping]]] = ...) -> None: ...

class WorkgroupAxis(_message.Message):
    __slots__ = ("literal", "constant")
    LITERAL_FIELD_NUMBER: _ClassVar[int]
    CONSTANT_FIELD_NUMBER: _ClassVar[int]
    literal: int
    constant: str
    def __init__(self, literal: _Optional[int] = ..., constant: _Optional[str] = ...) -> None: ...

class Slot(_message.Message):
    __slots__ = ("name", "kind", "storage_class", "role", "access", "element_type", "array_stride", "minimum_size", "alignment", "runtime_sized", "optional_binding", "packing", "image_format", "array_count", "members", "evidence")
    NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    STORAGE_CLASS_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    ACCESS_FIELD_NUMBER: _ClassVar[int]
    ELEMENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    ARRAY_STRIDE_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_SIZE_FIELD_NUMBER: _ClassVar[int]
    ALIGNMENT_FIELD_NUMBER: _ClassVar[int]
    RUNTIME_SIZED_FIELD_NUMBER: _ClassVar[int]
    OPTIONAL_BINDING_FIELD_NUMBER: _ClassVar[int]
    PACKING_FIELD_NUMBER: _ClassVar[int]
    IMAGE_FORMAT_FIELD_NUMBER: _ClassVar[int]
    ARRAY_COUNT_FIELD_NUMBER: _ClassVar[int]
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    name: str
    kind: SlotKind
    storage_class: StorageClass
    role: SlotRole
    access: _access_pb2.AccessMode
    element_type: _type_pb2.ValueType
    array_stride: int
    minimum_size: int
    alignment: int
    runtime_sized: bool
    optional_binding: bool
    packing: BufferPacking
    image_format: _resource_pb2.ImageFormat
    array_count: int
    members: _containers.RepeatedCompositeFieldContainer[BlockMember]
    evidence: Evidence
    def __init__(self, name: _Optional[str] = ..., kind: _Optional[_Union[SlotKind, str]] = ..., storage_class: _Optional[_Union[StorageClass, str]] = ..., role: _Optional[_Union[SlotRole, str]] = ..., access: _Optional[_Union[_access_pb2.AccessMode, str]] = ..., element_type: _Optional[_Union[_type_pb2.ValueType, _Mapping]] = ..., array_stride: _Optional[int] = ..., minimum_size: _Optional[int] = ..., alignment: _Optional[int] = ..., runtime_sized: bool = ..., optional_binding: bool = ..., packing: _Optional[_Union[BufferPacking, str]] = ..., image_format: _Optional[_Union[_resource_pb2.ImageFormat, str]] = ..., array_count: _Optional[int] = ..., members: _Optional[_Iterable[_Union[BlockMember, _Mapping]]] = ..., evidence: _Optional[_Union[Evidence, str]] = ...) -> None: ...

class BlockMember(_message.Message):
    __slots__ = ("name", "offset", "size", "element", "vector_components", "array_stride", "array_count", "matrix_stride")
    NAME_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    ELEMENT_FIELD_NUMBER: _ClassVar[int]
    VECTOR_COMPONENTS_FIELD_NUMBER: _ClassVar[int]
    ARRAY_STRIDE_FIELD_NUMBER: _ClassVar[int]
    ARRAY_COUNT_FIELD_NUMBER: _ClassVar[int]
    MATRIX_STRIDE_FIELD_NUMBER: _ClassVar[int]
    name: str
    offset: int
    size: int
    element: _type_pb2.ElementType
    vector_components: int
    array_stride: int
    array_count: int
    matrix_stride: int
    def __init__(self, name: _Optional[str] = ..., offset: _Optional[int] = ..., size: _Optional[int] = ..., element: _Optional[_Union[_type_pb2.ElementType, str]] = ..., vector_components: _Optional[int] = ..., array_stride: _Optional[int] = ..., array_count: _Optional[int] = ..., matrix_stride: _Optional[int] = ...) -> None: ...

class SpecializationConstant(_message.Message):
    __slots__ = ("name", "constant_id", "element", "default_value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CONSTANT_ID_FIELD_NUMBER: _ClassVar[int]
    ELEMENT_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    constant_id: int
    element: _type_pb2.ElementType
    default_value: _type_pb2.TypedBits
    def __init__(self, name: _Optional[str] = ..., constant_id: _Optional[int] = ..., element: _Optional[_Union[_type_pb2.ElementType, str]] = ..., default_value: _Optional[_Union[_type_pb2.TypedBits, _Mapping]] = ...) -> None: ...
