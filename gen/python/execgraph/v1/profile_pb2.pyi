from execgraph.options.v1 import options_pb2 as _options_pb2
from execgraph.v1 import capability_pb2 as _capability_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TargetProfile(_message.Message):
    __slots__ = ("identity", "generation", "target", "maximum_workgroup_size", "maximum_workgroup_invocations", "maximum_workgroup_count", "maximum_shared_bytes", "subgroup_sizes", "maximum_buffer_range", "storage_offset_alignment", "maximum_inline_constant_bytes", "capabilities", "source")
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_WORKGROUP_SIZE_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_WORKGROUP_INVOCATIONS_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_WORKGROUP_COUNT_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_SHARED_BYTES_FIELD_NUMBER: _ClassVar[int]
    SUBGROUP_SIZES_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_BUFFER_RANGE_FIELD_NUMBER: _ClassVar[int]
    STORAGE_OFFSET_ALIGNMENT_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_INLINE_CONSTANT_BYTES_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    identity: str
    generation: int
    target: str
    maximum_workgroup_size: _containers.RepeatedScalarFieldContainer[int]
    maximum_workgroup_invocations: int
    maximum_workgroup_count: _containers.RepeatedScalarFieldContainer[int]
    maximum_shared_bytes: int
    subgroup_sizes: _containers.RepeatedScalarFieldContainer[int]
    maximum_buffer_range: int
    storage_offset_alignment: int
    maximum_inline_constant_bytes: int
    capabilities: _containers.RepeatedScalarFieldContainer[_capability_pb2.Capability]
    source: str
    def __init__(self, identity: _Optional[str] = ..., generation: _Optional[int] = ..., target: _Optional[str] = ..., maximum_workgroup_size: _Optional[_Iterable[int]] = ..., maximum_workgroup_invocations: _Optional[int] = ..., maximum_workgroup_count: _Optional[_Iterable[int]] = ..., maximum_shared_bytes: _Optional[int] = ..., subgroup_sizes: _Optional[_Iterable[int]] = ..., maximum_buffer_range: _Optional[int] = ..., storage_offset_alignment: _Optional[int] = ..., maximum_inline_constant_bytes: _Optional[int] = ..., capabilities: _Optional[_Iterable[_Union[_capability_pb2.Capability, str]]] = ..., source: _Optional[str] = ...) -> None: ...
