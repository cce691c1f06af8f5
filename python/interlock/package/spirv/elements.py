"""What the contract calls the types and image formats of SPIR-V."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import resource_pb2, type_pb2
from interlock.package.spirv.types import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlock.package.spirv.types import Type

_INTEGERS: Mapping[tuple[int, bool], type_pb2.ElementType] = {
    (8, True): type_pb2.ELEMENT_TYPE_I8,
    (8, False): type_pb2.ELEMENT_TYPE_U8,
    (16, True): type_pb2.ELEMENT_TYPE_I16,
    (16, False): type_pb2.ELEMENT_TYPE_U16,
    (32, True): type_pb2.ELEMENT_TYPE_I32,
    (32, False): type_pb2.ELEMENT_TYPE_U32,
    (64, True): type_pb2.ELEMENT_TYPE_I64,
    (64, False): type_pb2.ELEMENT_TYPE_U64,
}
_FLOATS: Mapping[tuple[int, int | None], type_pb2.ElementType] = {
    (16, None): type_pb2.ELEMENT_TYPE_F16,
    (32, None): type_pb2.ELEMENT_TYPE_F32,
    (64, None): type_pb2.ELEMENT_TYPE_F64,
    (16, 0): type_pb2.ELEMENT_TYPE_BF16,
    (8, 4214): type_pb2.ELEMENT_TYPE_F8_E4M3,
    (8, 4215): type_pb2.ELEMENT_TYPE_F8_E5M2,
}
IMAGE_FORMATS: Mapping[int, int] = {
    1: resource_pb2.IMAGE_FORMAT_RGBA32_FLOAT,
    2: resource_pb2.IMAGE_FORMAT_RGBA16_FLOAT,
    3: resource_pb2.IMAGE_FORMAT_R32_FLOAT,
    4: resource_pb2.IMAGE_FORMAT_RGBA8_UNORM,
    5: resource_pb2.IMAGE_FORMAT_RGBA8_SNORM,
    6: resource_pb2.IMAGE_FORMAT_RG32_FLOAT,
    7: resource_pb2.IMAGE_FORMAT_RG16_FLOAT,
    9: resource_pb2.IMAGE_FORMAT_R16_FLOAT,
    21: resource_pb2.IMAGE_FORMAT_RGBA32_SINT,
    22: resource_pb2.IMAGE_FORMAT_RGBA16_SINT,
    23: resource_pb2.IMAGE_FORMAT_RGBA8_SINT,
    24: resource_pb2.IMAGE_FORMAT_R32_SINT,
    25: resource_pb2.IMAGE_FORMAT_RG32_SINT,
    30: resource_pb2.IMAGE_FORMAT_RGBA32_UINT,
    31: resource_pb2.IMAGE_FORMAT_RGBA16_UINT,
    32: resource_pb2.IMAGE_FORMAT_RGBA8_UINT,
    33: resource_pb2.IMAGE_FORMAT_R32_UINT,
    35: resource_pb2.IMAGE_FORMAT_RG32_UINT,
}
"""The formats of SPIR-V that the contract has too."""


def element_of(of: Type) -> type_pb2.ElementType:
    """Return what the contract calls a scalar type; UNSPECIFIED if it has no name for it."""
    nothing = type_pb2.ELEMENT_TYPE_UNSPECIFIED
    if of.kind == Kind.BOOL:
        return type_pb2.ELEMENT_TYPE_BOOL
    if of.kind == Kind.INT:
        return _INTEGERS.get((of.width, of.signed), nothing)
    return _FLOATS.get((of.width, of.encoding), nothing) if of.kind == Kind.FLOAT else nothing
