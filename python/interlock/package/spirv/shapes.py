"""What the walk over a module does with each instruction."""

from __future__ import annotations

from enum import IntEnum
from typing import TypeAlias

from interlock.package.spirv.constants import OPCODES as CONSTANT_OPCODES
from interlock.package.spirv.grammar import ANY, operations


class Role(IntEnum):
    """What the walk does with an instruction."""

    PLAIN = 0
    """Computes values: a pointer among its operands is lost from sight."""
    MEMORY = 1
    """Makes pointers, follows them, or accesses memory."""
    MAYBE = 2
    """Is MEMORY if its result type is one of pointers or opaque objects, else PLAIN."""
    INERT = 3
    """Speaks about ids and does nothing to them."""
    TYPE = 4
    CONSTANT = 5
    HANDLED = 6
    """Has a method of its own in the walk."""


class Op(IntEnum):
    """The instructions that are read by name."""

    UNDEF = 1
    NAME = 5
    MEMBER_NAME = 6
    EXTENSION = 10
    EXT_INST_IMPORT = 11
    EXT_INST = 12
    MEMORY_MODEL = 14
    ENTRY_POINT = 15
    EXECUTION_MODE = 16
    CAPABILITY = 17
    CONSTANT_NULL = 46
    FUNCTION = 54
    FUNCTION_PARAMETER = 55
    FUNCTION_END = 56
    FUNCTION_CALL = 57
    VARIABLE = 59
    IMAGE_TEXEL_POINTER = 60
    LOAD = 61
    STORE = 62
    COPY_MEMORY = 63
    COPY_MEMORY_SIZED = 64
    ACCESS_CHAIN = 65
    IN_BOUNDS_ACCESS_CHAIN = 66
    PTR_ACCESS_CHAIN = 67
    ARRAY_LENGTH = 68
    IN_BOUNDS_PTR_ACCESS_CHAIN = 70
    DECORATE = 71
    MEMBER_DECORATE = 72
    GROUP_DECORATE = 74
    GROUP_MEMBER_DECORATE = 75
    COPY_OBJECT = 83
    SAMPLED_IMAGE = 86
    IMAGE_WRITE = 99
    IMAGE = 100
    CONVERT_U_TO_PTR = 120
    BITCAST = 124
    SELECT = 169
    CONTROL_BARRIER = 224
    ATOMIC_LOAD = 227
    ATOMIC_STORE = 228
    ATOMIC_FLAG_CLEAR = 319
    PHI = 245
    RETURN_VALUE = 254
    EXECUTION_MODE_ID = 331
    PTR_EQUAL = 401
    PTR_NOT_EQUAL = 402
    PTR_DIFF = 403
    UNTYPED_VARIABLE = 4418
    UNTYPED_ACCESS_CHAIN = 4419
    UNTYPED_IN_BOUNDS_ACCESS_CHAIN = 4420
    UNTYPED_PTR_ACCESS_CHAIN = 4423
    UNTYPED_IN_BOUNDS_PTR_ACCESS_CHAIN = 4424
    UNTYPED_ARRAY_LENGTH = 4425
    COOPERATIVE_MATRIX_LOAD = 4457
    COOPERATIVE_MATRIX_STORE = 4458
    COOPERATIVE_MATRIX_LOAD_NV = 5359
    COOPERATIVE_MATRIX_STORE_NV = 5360
    RAW_ACCESS_CHAIN = 5398


_MEMORY = frozenset(
    {
        Op.FUNCTION_CALL,
        Op.IMAGE_TEXEL_POINTER,
        Op.LOAD,
        Op.STORE,
        Op.COPY_MEMORY,
        Op.COPY_MEMORY_SIZED,
        Op.ACCESS_CHAIN,
        Op.IN_BOUNDS_ACCESS_CHAIN,
        Op.PTR_ACCESS_CHAIN,
        Op.IN_BOUNDS_PTR_ACCESS_CHAIN,
        Op.SAMPLED_IMAGE,
        Op.IMAGE,
        Op.CONVERT_U_TO_PTR,
        Op.UNTYPED_ACCESS_CHAIN,
        Op.UNTYPED_IN_BOUNDS_ACCESS_CHAIN,
        Op.UNTYPED_PTR_ACCESS_CHAIN,
        Op.UNTYPED_IN_BOUNDS_PTR_ACCESS_CHAIN,
        Op.COOPERATIVE_MATRIX_LOAD,
        Op.COOPERATIVE_MATRIX_STORE,
        Op.COOPERATIVE_MATRIX_LOAD_NV,
        Op.COOPERATIVE_MATRIX_STORE_NV,
        Op.RAW_ACCESS_CHAIN,
    }
)
_MAYBE = frozenset({Op.COPY_OBJECT, Op.BITCAST, Op.SELECT, Op.PHI})
_INERT = frozenset({Op.ARRAY_LENGTH, Op.PTR_EQUAL, Op.PTR_NOT_EQUAL, Op.PTR_DIFF, Op.UNTYPED_ARRAY_LENGTH})
_INERT_NAMES = (
    "OpNop",
    "OpLine",
    "OpNoLine",
    "OpString",
    "OpSource",
    "OpModuleProcessed",
    "OpDecorat",
    "OpDecorationGroup",
    "OpLifetime",
    "OpImageQuery",
    "OpMemberDecorateString",
)
_HANDLED = frozenset(
    {
        Op.UNDEF,
        Op.NAME,
        Op.MEMBER_NAME,
        Op.EXTENSION,
        Op.EXT_INST_IMPORT,
        Op.EXT_INST,
        Op.MEMORY_MODEL,
        Op.ENTRY_POINT,
        Op.EXECUTION_MODE,
        Op.EXECUTION_MODE_ID,
        Op.CAPABILITY,
        Op.CONSTANT_NULL,
        Op.FUNCTION,
        Op.FUNCTION_PARAMETER,
        Op.FUNCTION_END,
        Op.VARIABLE,
        Op.UNTYPED_VARIABLE,
        Op.DECORATE,
        Op.MEMBER_DECORATE,
        Op.GROUP_DECORATE,
        Op.GROUP_MEMBER_DECORATE,
        Op.RETURN_VALUE,
        Op.CONTROL_BARRIER,
    }
)

IMAGE_READS = frozenset(
    opcode
    for opcode, known in operations().items()
    if known.result_type
    and known.name.startswith(
        ("OpImageSample", "OpImageSparse", "OpImageFetch", "OpImageGather", "OpImageRead")
    )
    and known.name != "OpImageSparseTexelsResident"
    and not known.name.endswith("QCOM")
)
"""Instructions that read texels through the image that is their first operand."""

ATOMICS = frozenset(opcode for opcode, known in operations().items() if known.name.startswith("OpAtomic"))
"""Instructions that access memory atomically through a pointer."""

SUBGROUP_OPERATIONS = frozenset(
    opcode
    for opcode, known in operations().items()
    if known.name.startswith(("OpGroup", "OpSubgroup", "OpCooperativeMatrix"))
    and known.name not in ("OpGroupDecorate", "OpGroupMemberDecorate")
)
"""Instructions that invocations of one subgroup or workgroup execute together."""

UNFOLLOWED = frozenset(
    opcode
    for opcode, known in operations().items()
    if known.name.startswith(
        (
            "OpFunctionPointerCall",
            "OpAsmCall",
            "OpEnqueueKernel",
            "OpExecuteCallable",
            "OpTraceRay",
            "OpHitObject",
        )
    )
)
"""Instructions that run code which no operand of theirs names as a function."""

Shape: TypeAlias = tuple[int, int, int, int, bool, int, int]
"""Role, fewest and most words, position of the result, whether there is a result type, head, tail."""


def _role(opcode: int, name: str) -> Role:
    if opcode in _HANDLED:
        return Role.HANDLED
    if name.startswith("OpType"):
        return Role.TYPE
    if opcode in CONSTANT_OPCODES:
        return Role.CONSTANT
    if opcode in _MEMORY or opcode in ATOMICS or opcode in IMAGE_READS or opcode == Op.IMAGE_WRITE:
        return Role.MEMORY
    if opcode in _MAYBE:
        return Role.MAYBE
    if opcode in _INERT or name.startswith(_INERT_NAMES):
        return Role.INERT
    return Role.PLAIN


def _shapes() -> dict[int, Shape]:
    found = {}
    for opcode, known in operations().items():
        head = 0 if known.head >= ANY else known.head
        found[opcode] = (
            int(_role(opcode, known.name)),
            known.least,
            known.most,
            known.result,
            known.result_type,
            head,
            known.tail,
        )
    return found


SHAPES: dict[int, Shape] = _shapes()
"""What to do with every known instruction. A head of 0 says that all operands are ids."""
