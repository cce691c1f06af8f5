from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class Capability(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAPABILITY_UNSPECIFIED: _ClassVar[Capability]
    CAPABILITY_INDIRECT_DISPATCH: _ClassVar[Capability]
    CAPABILITY_CONDITIONAL: _ClassVar[Capability]
    CAPABILITY_REPEAT: _ClassVar[Capability]
    CAPABILITY_WHILE: _ClassVar[Capability]
    CAPABILITY_ATOMIC_INT32: _ClassVar[Capability]
    CAPABILITY_ATOMIC_INT64: _ClassVar[Capability]
    CAPABILITY_ATOMIC_FLOAT32: _ClassVar[Capability]
    CAPABILITY_ATOMIC_FLOAT64: _ClassVar[Capability]
    CAPABILITY_ATOMIC_FLOAT16: _ClassVar[Capability]
    CAPABILITY_IMAGE: _ClassVar[Capability]
    CAPABILITY_SAMPLED_IMAGE: _ClassVar[Capability]
    CAPABILITY_EXACT_THREADS: _ClassVar[Capability]
    CAPABILITY_SUBGROUP_SIZE: _ClassVar[Capability]
    CAPABILITY_DYNAMIC_SHARED_MEMORY: _ClassVar[Capability]
CAPABILITY_UNSPECIFIED: Capability
CAPABILITY_INDIRECT_DISPATCH: Capability
CAPABILITY_CONDITIONAL: Capability
CAPABILITY_REPEAT: Capability
CAPABILITY_WHILE: Capability
CAPABILITY_ATOMIC_INT32: Capability
CAPABILITY_ATOMIC_INT64: Capability
CAPABILITY_ATOMIC_FLOAT32: Capability
CAPABILITY_ATOMIC_FLOAT64: Capability
CAPABILITY_ATOMIC_FLOAT16: Capability
CAPABILITY_IMAGE: Capability
CAPABILITY_SAMPLED_IMAGE: Capability
CAPABILITY_EXACT_THREADS: Capability
CAPABILITY_SUBGROUP_SIZE: Capability
CAPABILITY_DYNAMIC_SHARED_MEMORY: Capability
